//! What a run shows of its formula, and whether a shorter one exists.

use serde_json::Value;
use symbolon_explicit::{Checker, Lasso, truth_on_lasso};
use symbolon_logic::{Formula, FormulaId, LinearExpr, NamedAtom, Operator, Paths, parse_formula};
use symbolon_model::{Atom, Expr, Model, Predicate, VariableId};

use super::run::{Names, Run, walk};

/// What was found out about one property.
#[derive(Debug, Default)]
pub(super) struct Judgement {
    pub(super) is_verdict_checked: bool,
    pub(super) is_replayed: bool,
    /// The run was seen to show the verdict; runs that stand for a nested formula of a large net are not judged.
    pub(super) is_shown: bool,
    pub(super) is_shortest_checked: bool,
    /// The steps of a run to a state, and of the shortest one, where all states are known.
    pub(super) steps: Option<(usize, Option<usize>)>,
    pub(super) complaints: Vec<String>,
}

/// A model, and all its states if they are few.
pub(super) struct Judge<'m> {
    model: &'m Model,
    names: Names<'m>,
    explored: Option<Checker<'m>>,
}

impl<'m> Judge<'m> {
    pub(super) fn new(model: &'m Model, explored: Option<Checker<'m>>) -> Judge<'m> {
        Judge { model, names: Names::new(model), explored }
    }

    /// Judges one entry of `properties`.
    pub(super) fn judge(&mut self, property: &Value) -> Judgement {
        let mut judgement = Judgement::default();
        let holds = match property["verdict"].as_str() {
            Some("holds") => true,
            Some("fails") => false,
            _ => return judgement,
        };
        if let Err(complaint) = self.look(property, holds, &mut judgement) {
            judgement.complaints.push(complaint);
        }
        judgement
    }

    fn look(&mut self, property: &Value, holds: bool, judgement: &mut Judgement) -> Result<(), String> {
        let text = property["formula"].as_str().unwrap_or_default();
        let formula = self.formula(text)?;
        let paths: Paths = property["paths"]
            .as_str()
            .and_then(|name| Paths::ALL.into_iter().find(|paths| paths.name() == name))
            .ok_or("no kind of paths")?;
        let checked = match &mut self.explored {
            Some(checker) => checker.check(&formula, paths, &[]).ok(),
            None => None,
        };
        if let Some(checked) = &checked {
            judgement.is_verdict_checked = true;
            if checked.holds() != holds {
                return Err(format!("the explicit search says the opposite of {}", property["verdict"]));
            }
        }
        let witness = &property["witness"];
        if witness.is_null() {
            return Ok(());
        }
        let run = walk(self.model, &self.names, witness, None)?;
        judgement.is_replayed = true;

        let (root, is_kept) = below_negations(&formula);
        let holds = holds == is_kept;
        let (path, exists) = match *formula.operator(root) {
            Operator::Exists(path) => (path, true),
            Operator::ForAll(path) => (path, false),
            _ => return Ok(()),
        };
        if exists != holds {
            // What is proved of the net may make `A[f U !A[…]]` a formula that a run shows: `f` never holds.
            return Ok(());
        }
        let goal = match *formula.operator(path) {
            Operator::Finally(goal) if exists => Some(goal),
            Operator::Globally(goal) if !exists => Some(goal),
            _ => None,
        };
        if goal.is_some() {
            judgement.steps = Some((run.trace.events.len(), None));
        }
        let label = goal.zip(checked.as_ref()).and_then(|(goal, checked)| checked.label(goal));
        if let (Some(label), Some(checker)) = (label, &self.explored) {
            let states = checker.exploration();
            let is_goal = |number: usize| label[number] == exists;
            let last =
                run.states.last().and_then(|last| states.position(last)).ok_or("a state unheard of")?;
            if !is_goal(last) {
                return Err("the run does not end where it should".to_string());
            }
            judgement.is_shown = true;
            let nearest = (0..states.state_count()).filter(|&number| is_goal(number));
            let nearest = nearest.map(|number| states.distance(number)).min();
            judgement.steps = Some((run.trace.events.len(), nearest));
            if witness["shortest"] == true {
                judgement.is_shortest_checked = true;
                if nearest != Some(run.trace.events.len()) {
                    return Err(format!(
                        "the run has {} steps and is said to be shortest, but {nearest:?} are enough",
                        run.trace.events.len()
                    ));
                }
            }
            return Ok(());
        }
        judgement.is_shown = self.shows(&formula, path, exists, paths, &run)?;
        Ok(())
    }

    /// Whether a run that is a whole path shows a formula without inner quantifiers. `Ok(false)`: not known.
    fn shows(
        &self,
        formula: &Formula<Atom>,
        path: FormulaId,
        exists: bool,
        paths: Paths,
        run: &Run,
    ) -> Result<bool, String> {
        let lasso = Lasso { trace: run.trace.clone(), loop_start: run.loop_start };
        match truth_on_lasso(self.model, formula, path, &lasso, paths, |_, _| None) {
            // It neither ends nor comes back, or an inner quantifier stands in the way.
            Err(_) => Ok(false),
            Ok(truth) if exists && truth.holds || !exists && truth.fails => Ok(true),
            Ok(_) => Err("the path does not show the verdict".to_string()),
        }
    }

    /// The formula about the model.
    fn formula(&self, text: &str) -> Result<Formula<Atom>, String> {
        let parsed =
            parse_formula(text).map_err(|errors| format!("what is printed cannot be read: {errors:?}"))?;
        parsed.formula.map_atoms(|_, atom| self.atom(atom))
    }

    fn atom(&self, atom: &NamedAtom) -> Result<Atom, String> {
        match atom {
            NamedAtom::Named(name) => {
                let marked = LinearExpr::variable(name.clone());
                let zero = LinearExpr::constant(0);
                self.atom(&NamedAtom::Compare(marked, symbolon_model::Comparison::Greater, zero))
            }
            NamedAtom::Compare(left, comparison, right) => {
                Ok(Atom::Holds(Predicate::Compare(self.sum(left)?, *comparison, self.sum(right)?)))
            }
            NamedAtom::Fireable(names) => {
                let event = |name: &symbolon_logic::Name| {
                    self.names.events.get(&*name.text).copied().ok_or_else(|| format!("no transition {name}"))
                };
                Ok(Atom::Fireable(names.iter().map(event).collect::<Result<_, _>>()?))
            }
        }
    }

    fn sum(&self, sum: &LinearExpr) -> Result<Expr, String> {
        let mut parts = vec![Expr::Constant(sum.constant)];
        for (factor, name) in &sum.terms {
            let variable =
                *self.names.variables.get(&*name.text).ok_or_else(|| format!("no place {name}"))?;
            let variable = Expr::Variable(VariableId(variable as u32));
            parts.push(Expr::Product(Box::new(Expr::Constant(*factor)), Box::new(variable)));
        }
        Ok(Expr::Sum(parts))
    }
}

/// What stands below the negations at the head of a formula, and whether their number is even.
fn below_negations(formula: &Formula<Atom>) -> (FormulaId, bool) {
    let (mut id, mut is_kept) = (formula.root(), true);
    while let Operator::Not(operand) = formula.operator(id) {
        (id, is_kept) = (*operand, !is_kept);
    }
    (id, is_kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use symbolon_budget::Budget;
    use symbolon_explicit::CheckOptions;

    /// Two steps from `a` to `c`, or one by a short cut.
    fn net() -> Model {
        let text = r#"<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n"
            type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
            <place id="a"><initialMarking><text>1</text></initialMarking></place><place id="b"/><place id="c"/>
            <transition id="t"/><transition id="u"/><transition id="v"/>
            <arc id="1" source="a" target="t"/><arc id="2" source="t" target="b"/>
            <arc id="3" source="b" target="u"/><arc id="4" source="u" target="c"/>
            <arc id="5" source="a" target="v"/><arc id="6" source="v" target="c"/></page></net></pnml>"#;
        let reading = symbolon_petri::read::read_pnml(text.as_bytes(), &Budget::unlimited()).unwrap();
        symbolon_petri::lower(&reading.net)
    }

    fn check(formula: &str, verdict: &str, witness: Value, complaint: Option<&str>) {
        let model = net();
        let explored = Checker::new(&model, &CheckOptions::default(), &Budget::unlimited()).unwrap();
        let property =
            json!({ "formula": formula, "paths": "maximal", "verdict": verdict, "witness": witness });
        let judgement = Judge::new(&model, Some(explored)).judge(&property);
        match complaint {
            None => assert!(judgement.complaints.is_empty(), "{formula}: {judgement:?}"),
            Some(text) => {
                let has_it = judgement.complaints.iter().any(|complaint| complaint.contains(text));
                assert!(has_it, "{formula}: no '{text}' in {judgement:?}");
            }
        }
    }

    #[test]
    fn wrong_runs_are_found_out() {
        let long = json!([
            { "event": "t", "changes": { "a": [1, 0], "b": [0, 1] } },
            { "event": "u", "changes": { "b": [1, 0], "c": [0, 1] } }
        ]);
        let short = json!([{ "event": "v", "changes": { "a": [1, 0], "c": [0, 1] } }]);
        let witness = |steps: &Value, shortest: bool| json!({ "shape": "trace", "shortest": shortest, "initial": { "a": 1 }, "steps": steps });
        check("EF c = 1", "holds", witness(&short, true), None);
        check("EF c = 1", "holds", witness(&long, false), None);
        check("EF c = 1", "holds", witness(&long, true), Some("said to be shortest, but Some(1)"));
        check("AG c = 0", "fails", witness(&short, true), None);
        check("!EF c = 1", "fails", witness(&short, true), None);
        check("EF b = 1", "holds", witness(&short, false), Some("does not end where it should"));
        check("EF c = 1", "fails", witness(&short, true), Some("the opposite"));
        check("AG !deadlock", "fails", witness(&short, true), None);
        check("A (G F c)", "holds", Value::Null, None);
        check("A (F b)", "fails", witness(&short, false), None);
        check("A (F c)", "holds", witness(&short, false), None);
        let mut odd = witness(&short, true);
        odd["steps"][0]["changes"] = json!({ "a": [1, 0] });
        check("EF c = 1", "holds", odd.clone(), Some("the changes are not what changed"));
        odd["steps"][0]["event"] = json!("u");
        check("EF c = 1", "holds", odd.clone(), Some("not enabled"));
        odd["initial"] = json!({ "b": 1 });
        check("EF c = 1", "holds", odd, Some("initial state"));
    }
}
