//! The board: what is known of every property, shared by all methods.
//!
//! A property is a formula without path operators over *leaves*, its outermost quantified
//! subformulas. A method that decides a leaf writes it here; as soon as the known leaves decide the
//! formula, the property is decided and reported.

use super::glance::{PlainView, glance};
use super::{CheckOptions, PropertyReport, Space, Verdict};
use crate::folded::unfolded_witness;
use crate::loaded::Loaded;
use crate::property::Property;
use crate::report::{Shape, Unknown, Witness};
use crate::shown::{below_negations, decided_by, may_be_shown, shown_by_run};
use crate::technique::Technique;
use crate::witness::trace_witness;
use num_bigint::BigUint;
use std::time::Instant;
use symbolon_explicit::Trace;
use symbolon_logic::{Formula, FormulaId, Operator, Paths, simplify};
use symbolon_model::Atom;

/// Why a verdict that was reported before its run was looked for has none.
const CUT_OFF: &str = "the search for a run that shows it was cut off";

/// Why a property is unknown that no method decided, or gave up on.
const UNDECIDED: &str = "no method decided it";

/// What is known of all properties.
pub(super) struct Board<'a> {
    loaded: &'a Loaded,
    wanted: CheckOptions,
    cases: Vec<Case>,
    space: Option<Space>,
    /// Whether it is known that no path satisfies the fairness constraints.
    has_no_fair_path: bool,
    start: Instant,
    on_verdict: &'a mut (dyn FnMut(usize, &PropertyReport) + Send),
}

/// A property on its way to a verdict.
struct Case {
    /// The formula as it was asked, of which a witness has to speak.
    asked: Formula<Atom>,
    /// What is left of it to decide: the same with what is proved of the model put in.
    formula: Formula<Atom>,
    paths: Paths,
    leaves: Vec<Leaf>,
    techniques: Vec<Technique>,
    /// The verdict of the first proof.
    value: Option<bool>,
    /// Why there is none yet, where some method gave up on this property.
    obstacle: Option<Unknown>,
    /// Evidence that did not replay: no verdict about this property is believed.
    broken: Option<Unknown>,
    report: PropertyReport,
}

/// An outermost quantified subformula.
struct Leaf {
    id: FormulaId,
    value: Option<bool>,
}

/// Which method decided something, and what shows it.
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
    /// A board with nothing known; `formulas` are the properties' own with what is proved put in.
    pub(super) fn new(
        loaded: &'a Loaded,
        wanted: CheckOptions,
        properties: &[Property],
        formulas: Vec<Formula<Atom>>,
        on_verdict: &'a mut (dyn FnMut(usize, &PropertyReport) + Send),
    ) -> Board<'a> {
        let case = |(property, formula): (&Property, Formula<Atom>)| Case {
            asked: property.formula.clone(),
            leaves: leaves(&formula),
            formula,
            paths: property.paths,
            techniques: Vec::new(),
            value: None,
            obstacle: None,
            broken: None,
            report: PropertyReport::unknown(property, Unknown::unsupported(UNDECIDED)),
        };
        let cases = properties.iter().zip(formulas).map(case).collect();
        let start = Instant::now();
        Board { loaded, wanted, cases, space: None, has_no_fair_path: false, start, on_verdict }
    }

    /// The properties that are not decided.
    pub(super) fn open(&self) -> Vec<usize> {
        (0..self.cases.len()).filter(|&case| self.is_open(case)).collect()
    }

    pub(super) fn is_open(&self, case: usize) -> bool {
        self.cases[case].value.is_none() && self.cases[case].broken.is_none()
    }

    pub(super) fn is_done(&self) -> bool {
        (0..self.cases.len()).all(|case| !self.is_open(case))
    }

    /// Whether a leaf need not be looked at any more: it is known, or its property is decided
    /// without it.
    pub(super) fn is_settled(&self, (case, leaf): (usize, usize)) -> bool {
        !self.is_open(case) || self.cases[case].leaves[leaf].value.is_some()
    }

    /// The leaves that are not known, of properties that are open: which, and as formulas of their
    /// own.
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

    /// Puts a simpler formula, which means the same of all reachable states, in the place of a
    /// property's own.
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
        self.cases[case].report.satisfied = Some(satisfied);
    }

    /// Decided properties that have no witness, although one may exist.
    pub(super) fn unshown(&self) -> Vec<usize> {
        let is_unshown = |case: &Case| {
            self.wanted.witnesses
                && case.broken.is_none()
                && case.report.witness.is_none()
                && case.report.no_witness.is_none()
                && case.value.is_some_and(|holds| may_be_shown(&case.asked, holds))
        };
        (0..self.cases.len()).filter(|&case| is_unshown(&self.cases[case])).collect()
    }

    /// Decided properties that are shown by a run to a state that may not be a shortest one, the shortest of
    /// these runs first.
    pub(super) fn shown_by_longer_runs(&self) -> Vec<usize> {
        let is_longer = |witness: &Witness| witness.shape == Shape::Trace && !witness.shortest;
        let is_shown = |case: &Case| {
            case.value.is_some()
                && case.broken.is_none()
                && case.report.witness.as_ref().is_some_and(is_longer)
        };
        let mut shown: Vec<usize> =
            (0..self.cases.len()).filter(|&case| is_shown(&self.cases[case])).collect();
        shown.sort_by_key(|&case| self.cases[case].report.witness.as_ref().map(|found| found.steps.len()));
        shown
    }

    /// Decided properties without a witness, each with the quantified formula that a single run can
    /// show.
    pub(super) fn without_run(&self) -> Vec<((usize, usize), Formula<Atom>, Paths)> {
        let mut found = Vec::new();
        for (number, case) in self.cases.iter().enumerate() {
            if let Some(holds) = case.value
                && case.broken.is_none()
                && case.report.witness.is_none()
                && let Some(root) = shown_by_run(&case.asked, holds)
            {
                found.push(((number, 0), case.asked.subformula(root), case.paths));
            }
        }
        found
    }

    /// The formula of a property as it was asked, and what its paths are.
    pub(super) fn asked(&self, case: usize) -> (Formula<Atom>, Paths) {
        let Case { asked, paths, .. } = &self.cases[case];
        (asked.clone(), *paths)
    }

    /// Properties whose subformulas have to be counted, and are not.
    pub(super) fn uncounted(&self) -> Vec<usize> {
        let is_uncounted = |case: &Case| self.wanted.counts && case.report.satisfied.is_none();
        (0..self.cases.len()).filter(|&case| is_uncounted(&self.cases[case])).collect()
    }

    /// Says why a property that a run would show has none.
    pub(super) fn note_no_run(&mut self, case: usize, holds: bool, why: &str) {
        if shown_by_run(&self.cases[case].asked, holds).is_some() {
            self.note_no_witness(case, why.to_string());
        }
    }

    /// Gives a decided property evidence that shows it, and reports the property once more.
    pub(super) fn note_witness(&mut self, case: usize, witness: Witness) {
        let report = &mut self.cases[case].report;
        report.no_witness = None;
        report.witness = Some(witness);
        (self.on_verdict)(case, report);
    }

    /// Takes the verdict about a property back: what was to show it did not replay.
    pub(super) fn note_broken(&mut self, case: usize, failure: impl Into<Unknown>) {
        let Case { report, broken, .. } = &mut self.cases[case];
        let why = failure.into();
        *broken = Some(why.clone());
        report.verdict = Verdict::Unknown(why);
        report.witness = None;
        report.no_witness = None;
        (self.on_verdict)(case, report);
    }

    /// Notes why no witness shows the verdict about a property.
    pub(super) fn note_no_witness(&mut self, case: usize, why: String) {
        self.cases[case].report.no_witness = Some(why);
    }

    pub(super) fn has_witness(&self, case: usize) -> bool {
        self.cases[case].report.witness.is_some()
    }

    /// Why a property stays open.
    pub(super) fn note_obstacle(&mut self, case: usize, reason: Unknown) {
        if self.is_open(case) {
            self.cases[case].obstacle = Some(reason);
        }
    }

    /// Keeps how large the state space is.
    pub(super) fn note_space(&mut self, space: Space) {
        self.space = Some(space);
    }

    /// Notes that no path satisfies the fairness constraints. Every verdict from now on is reported
    /// with that.
    pub(super) fn note_no_fair_path(&mut self) {
        self.has_no_fair_path = true;
    }

    /// How large the state space is, if a method found out.
    pub(super) fn take_space(&mut self) -> Option<Space> {
        self.space.take()
    }

    /// Says of verdicts without a run that the search for one ended too early.
    pub(super) fn note_cut_off(&mut self) {
        for case in self.unshown() {
            self.note_no_witness(case, CUT_OFF.to_string());
        }
    }

    /// The reports; what is open is so for its own reason, or for this one.
    pub(super) fn into_reports(self, obstacle: Option<Unknown>) -> Vec<PropertyReport> {
        let report = |case: Case| {
            let mut report = case.report;
            if case.value.is_none()
                && case.broken.is_none()
                && let Some(why) = case.obstacle.or_else(|| obstacle.clone())
            {
                report.verdict = Verdict::Unknown(why);
            }
            report
        };
        self.cases.into_iter().map(report).collect()
    }

    /// Whether a leaf is the whole formula, or what is negated by it: then what shows the leaf
    /// shows the property.
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

    /// The initial state as a run without steps, if what it shows by itself decides the formula.
    fn initial_witness(&self, case: usize, value: bool, constants: Constants) -> Option<Witness> {
        let model = &self.loaded.model;
        let [initial] = &model.initial[..] else { return None };
        if !self.wanted.witnesses || model.is_synchronous() {
            return None;
        }
        let Case { asked, paths, .. } = &self.cases[case];
        let outermost = leaves(asked);
        let constant = |id: FormulaId| {
            let is_quantified = matches!(asked.operator(id), Operator::Exists(_) | Operator::ForAll(_));
            let counts = constants == Constants::All || outermost.iter().all(|leaf| leaf.id != id);
            (is_quantified && counts).then(|| simplify(&asked.subformula(id), *paths).constant()).flatten()
        };
        let mut values = Vec::new();
        let view = PlainView { model, state: initial };
        glance(asked, *paths, &view, constant, &mut values);
        decided_by(asked, value, &values)?;
        let trace = Trace { initial: initial.clone(), events: Vec::new() };
        // A run without steps needs no engine, so nothing of ours can be wrong with it.
        let witness = trace_witness(model, &trace, true, |_| true).ok()?;
        unfolded_witness(self.loaded, witness).ok()
    }

    /// Shows by the initial state what is the same in all states, where nothing better was found.
    pub(super) fn show_constants(&mut self) {
        for case in self.unshown() {
            let value = self.cases[case].value;
            if let Some(witness) = value.and_then(|value| self.initial_witness(case, value, Constants::All)) {
                self.note_witness(case, witness);
            }
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
        if self.loaded.is_folded() {
            self.add_techniques(case, &[Technique::Symmetries]);
        }
        if self.cases[case].report.witness.is_none() {
            self.cases[case].report.witness = self.initial_witness(case, value, Constants::Inner);
        }
        let is_unshown = self.wanted.witnesses && may_be_shown(&self.cases[case].asked, value);
        let Case { report, techniques, value: verdict, .. } = &mut self.cases[case];
        *verdict = Some(value);
        report.verdict = Verdict::of(value);
        report.has_no_fair_path = self.has_no_fair_path;
        report.techniques.clone_from(techniques);
        report.time = self.start.elapsed();
        // If the caller has to stop now, it reports that a run may exist; afterwards that is known.
        let mut known = report.clone();
        if is_unshown && known.witness.is_none() {
            known.no_witness = Some(CUT_OFF.to_string());
        }
        (self.on_verdict)(case, &known);
    }
}

/// Which quantified parts that have one value in all states, such as `EF false`, the initial state
/// shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Constants {
    /// Those inside others. An outermost one may be shown by a longer run, which says more.
    Inner,
    /// All of them.
    All,
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
