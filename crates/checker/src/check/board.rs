//! The board: what is known of every property, shared by all who work on them.
//!
//! A property is a formula without path operators over *leaves*, its outermost quantified subformulas. Whoever finds out a
//! leaf writes it down here; as soon as the leaves that are known decide the formula, the property is decided, and told.

use super::glance::{PlainView, glance};
use super::{PropertyReport, Space, Verdict};
use crate::load::Loaded;
use crate::property::Property;
use crate::report::{Unknown, Witness};
use crate::technique::Technique;
use num_bigint::BigUint;
use std::time::Instant;
use symbolon_logic::{Formula, FormulaId, Operator, Paths};
use symbolon_model::Atom;

/// What is known of all properties.
pub(super) struct Board<'a> {
    loaded: &'a Loaded,
    cases: Vec<Case>,
    space: Option<Space>,
    /// Whether it is known that no path satisfies the fairness constraints.
    has_no_fair_path: bool,
    start: Instant,
    tell: &'a mut (dyn FnMut(usize, &PropertyReport) + Send),
}

/// A property on its way to a verdict.
struct Case {
    formula: Formula<Atom>,
    paths: Paths,
    leaves: Vec<Leaf>,
    techniques: Vec<Technique>,
    report: PropertyReport,
}

/// An outermost quantified subformula.
struct Leaf {
    id: FormulaId,
    value: Option<bool>,
}

/// Who found something out, and what shows it.
pub(super) struct Evidence {
    pub(super) techniques: Vec<Technique>,
    pub(super) witness: Option<Witness>,
}

impl Evidence {
    pub(super) fn of(technique: Technique) -> Evidence {
        Evidence { techniques: vec![technique], witness: None }
    }
}

impl<'a> Board<'a> {
    /// A board with nothing known; `formulas` are the properties' own, made simpler.
    pub(super) fn new(
        loaded: &'a Loaded,
        properties: &[Property],
        formulas: Vec<Formula<Atom>>,
        tell: &'a mut (dyn FnMut(usize, &PropertyReport) + Send),
    ) -> Board<'a> {
        let case = |(property, formula): (&Property, Formula<Atom>)| Case {
            leaves: leaves(&formula),
            formula,
            paths: property.paths,
            techniques: Vec::new(),
            report: PropertyReport::open(property),
        };
        let cases = properties.iter().zip(formulas).map(case).collect();
        Board { loaded, cases, space: None, has_no_fair_path: false, start: Instant::now(), tell }
    }

    /// The properties that are not decided.
    pub(super) fn open(&self) -> Vec<usize> {
        (0..self.cases.len()).filter(|&case| self.is_open(case)).collect()
    }

    pub(super) fn is_open(&self, case: usize) -> bool {
        self.cases[case].report.verdict == Verdict::Unknown
    }

    pub(super) fn is_done(&self) -> bool {
        self.cases.iter().all(|case| case.report.verdict != Verdict::Unknown)
    }

    /// Whether a leaf need not be looked at any more: it is known, or its property is decided without it.
    pub(super) fn is_settled(&self, (case, leaf): (usize, usize)) -> bool {
        !self.is_open(case) || self.cases[case].leaves[leaf].value.is_some()
    }

    /// The leaves that are not known, of properties that are open: which, and as formulas of their own.
    pub(super) fn open_leaves(&self) -> Vec<((usize, usize), Formula<Atom>, Paths)> {
        let mut found = Vec::new();
        for case in self.open() {
            let Case { formula, paths, leaves, .. } = &self.cases[case];
            for (number, leaf) in leaves.iter().enumerate().filter(|(_, leaf)| leaf.value.is_none()) {
                found.push(((case, number), formula.subformula(leaf.id), *paths));
            }
        }
        found
    }

    /// The formula of a property, and what its paths are.
    pub(super) fn formula(&self, case: usize) -> (Formula<Atom>, Paths) {
        let Case { formula, paths, .. } = &self.cases[case];
        (formula.clone(), *paths)
    }

    /// Looks at all properties in the initial state, with the leaves that are known.
    pub(super) fn look(&mut self, evidence: impl Fn() -> Evidence) {
        for case in self.open() {
            self.reconsider(case, &evidence);
        }
    }

    /// Writes the value of a leaf down.
    pub(super) fn note_leaf(&mut self, (case, leaf): (usize, usize), value: bool, evidence: Evidence) {
        if self.is_settled((case, leaf)) {
            return;
        }
        self.cases[case].leaves[leaf].value = Some(value);
        self.add_techniques(case, &evidence.techniques);
        if evidence.witness.is_some() && self.is_whole(case, leaf) {
            self.cases[case].report.witness = evidence.witness;
        }
        self.reconsider(case, &|| Evidence { techniques: Vec::new(), witness: None });
    }

    /// Writes the value of a property down.
    pub(super) fn note(&mut self, case: usize, value: bool, evidence: Evidence) {
        if !self.is_open(case) {
            return;
        }
        self.add_techniques(case, &evidence.techniques);
        if evidence.witness.is_some() {
            self.cases[case].report.witness = evidence.witness;
        }
        self.settle(case, value);
    }

    /// Puts a simpler formula, which means the same of all reachable states, in the place of a property's own.
    pub(super) fn replace_formula(&mut self, case: usize, formula: Formula<Atom>, evidence: Evidence) {
        if !self.is_open(case) {
            return;
        }
        self.add_techniques(case, &evidence.techniques);
        self.cases[case].leaves = leaves(&formula);
        self.cases[case].formula = formula;
        self.reconsider(case, &|| Evidence { techniques: Vec::new(), witness: None });
    }

    /// In how many states the subformulas of a property hold.
    pub(super) fn note_satisfied(&mut self, case: usize, satisfied: Vec<(String, BigUint)>) {
        self.cases[case].report.satisfied = satisfied;
    }

    /// Properties that are decided by one quantified formula which a run can show, but have no run: which, and that
    /// formula.
    pub(super) fn without_witness(&self) -> Vec<((usize, usize), Formula<Atom>, Paths)> {
        let mut found = Vec::new();
        for (number, case) in self.cases.iter().enumerate() {
            let verdict = case.report.verdict;
            if verdict != Verdict::Unknown
                && let Some(root) = shown_by_run(&case.formula, verdict == Verdict::Holds)
                && case.report.witness.is_none()
            {
                found.push(((number, 0), case.formula.subformula(root), case.paths));
            }
        }
        found
    }

    /// Says why a property that a run would show has none.
    pub(super) fn note_no_run(&mut self, case: usize, holds: bool, why: &str) {
        if shown_by_run(&self.cases[case].formula, holds).is_some() {
            self.note_no_witness(case, why.to_string());
        }
    }

    /// Gives a decided property a run that shows it.
    pub(super) fn note_witness(&mut self, case: usize, witness: Witness) {
        self.cases[case].report.no_witness = None;
        self.cases[case].report.witness = Some(witness);
    }

    /// Says why what would show the verdict about a property is not told.
    pub(super) fn note_no_witness(&mut self, case: usize, why: String) {
        self.cases[case].report.no_witness = Some(why);
    }

    pub(super) fn has_witness(&self, case: usize) -> bool {
        self.cases[case].report.witness.is_some()
    }

    /// Why a property stays open.
    pub(super) fn note_obstacle(&mut self, case: usize, reason: Unknown) {
        if self.is_open(case) {
            self.cases[case].report.unknown = Some(reason);
        }
    }

    /// Keeps how large the state space is.
    pub(super) fn note_space(&mut self, space: Space) {
        self.space = Some(space);
    }

    /// Notes that no path satisfies the fairness constraints. Every verdict from now on is reported with that.
    pub(super) fn note_no_fair_path(&mut self) {
        self.has_no_fair_path = true;
    }

    /// How large the state space is, if somebody found out.
    pub(super) fn take_space(&mut self) -> Option<Space> {
        self.space.take()
    }

    /// The reports; what is open is so for its own reason, or for this one.
    pub(super) fn into_reports(self, obstacle: Option<Unknown>) -> Vec<PropertyReport> {
        let mut reports: Vec<PropertyReport> = self.cases.into_iter().map(|case| case.report).collect();
        for report in reports.iter_mut().filter(|report| report.verdict == Verdict::Unknown) {
            report.unknown = report.unknown.take().or_else(|| obstacle.clone());
        }
        reports
    }

    /// Whether a leaf is the whole formula, or what is negated by it: then what shows the leaf shows the property.
    fn is_whole(&self, case: usize, leaf: usize) -> bool {
        let Case { formula, leaves, .. } = &self.cases[case];
        leaves[leaf].id == below_negations(formula).0
    }

    fn reconsider(&mut self, case: usize, evidence: &impl Fn() -> Evidence) {
        // With several initial states a leaf may have several values.
        let [initial] = &self.loaded.model.initial[..] else { return };
        let Case { formula, paths, leaves, .. } = &self.cases[case];
        let known = |id| leaves.iter().find(|leaf| leaf.id == id).and_then(|leaf| leaf.value);
        let view = PlainView { model: &self.loaded.model, state: initial };
        if let Some(value) = glance(formula, *paths, &view, known, &mut Vec::new()) {
            self.add_techniques(case, &evidence().techniques);
            self.settle(case, value);
        }
    }

    fn add_techniques(&mut self, case: usize, techniques: &[Technique]) {
        let known = &mut self.cases[case].techniques;
        for technique in techniques {
            if !known.contains(technique) {
                known.push(*technique);
            }
        }
    }

    fn settle(&mut self, case: usize, value: bool) {
        let Case { report, techniques, .. } = &mut self.cases[case];
        report.verdict = if value { Verdict::Holds } else { Verdict::Fails };
        report.unknown = None;
        report.has_no_fair_path = self.has_no_fair_path;
        report.techniques.clone_from(techniques);
        report.time = self.start.elapsed();
        (self.tell)(case, report);
    }
}

/// The quantified formula below negations that decides a formula so, if a run can show it.
pub(super) fn shown_by_run(formula: &Formula<Atom>, holds: bool) -> Option<FormulaId> {
    let (root, is_negated) = below_negations(formula);
    let can_be_shown = match formula.operator(root) {
        Operator::Exists(_) => holds != is_negated,
        Operator::ForAll(_) => holds == is_negated,
        _ => false,
    };
    can_be_shown.then_some(root)
}

/// What stands below the negations at the head of a formula, and whether their number is odd.
fn below_negations(formula: &Formula<Atom>) -> (FormulaId, bool) {
    let (mut id, mut is_negated) = (formula.root(), false);
    while let Operator::Not(operand) = formula.operator(id) {
        (id, is_negated) = (*operand, !is_negated);
    }
    (id, is_negated)
}

/// The outermost quantified subformulas.
fn leaves(formula: &Formula<Atom>) -> Vec<Leaf> {
    let mut is_outer = vec![false; formula.size()];
    is_outer[formula.root().index()] = true;
    let mut leaves = Vec::new();
    for (id, operator) in formula.subformulas().rev() {
        if !is_outer[id.index()] {
            continue;
        }
        if matches!(operator, Operator::Exists(_) | Operator::ForAll(_)) {
            leaves.push(Leaf { id, value: None });
        } else {
            operator.operands().for_each(|operand| is_outer[operand.index()] = true);
        }
    }
    leaves
}
