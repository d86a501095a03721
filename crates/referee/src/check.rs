//! In which states a formula holds.
//!
//! A formula about states is labelled from the inside outwards. `E f` asks for a path that
//! satisfies `f`, and `A f` is `! E ! f`; a formula about paths that stands alone is read below
//! `A`. A model satisfies a formula if all its initial states do.
//!
//! The reference checker of ISPL computes formulas of CTL as fixpoints over steps, and adds no step
//! to dead states. That is a fourth semantics, [`Semantics::Steps`]: a state that is reached counts
//! whether or not a path goes on from it, so `EF p` holds in a dead state with `p`, but nothing is
//! next there and `EG p` fails.
//!
//! Under fairness constraints only fair paths count, and only states from which a fair path starts:
//! for knowledge, and as initial states.

use crate::formula::{Formula, Sum};
use crate::graph::Graph;
use crate::model::Kind;
use crate::paths::{PathFormula, Paths};

/// What happens to paths in dead states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Semantics {
    /// They end there.
    Maximal,
    /// They stay there.
    Stutter,
    /// There are none.
    Infinite,
    /// Fixpoints over steps, for CTL in ISPL.
    Steps,
}

/// What a formula is asked of, as far as its path semantics depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The value of `--paths`.
    pub paths: Option<Semantics>,
    /// Whether the model is one of agents, in ISPL.
    pub is_ispl: bool,
    /// Whether the model has fairness constraints.
    pub has_fairness: bool,
}

impl Question {
    /// The path semantics of a formula.
    pub fn semantics(self, formula: &Formula) -> Semantics {
        match (self.paths, self.is_ispl) {
            (Some(paths), _) => paths,
            (None, true) if formula.is_ctl() && !self.has_fairness => Semantics::Steps,
            (None, true) => Semantics::Infinite,
            (None, false) if formula.is_ctl() => Semantics::Maximal,
            (None, false) if formula.is_ltl() => Semantics::Stutter,
            (None, false) => Semantics::Maximal,
        }
    }
}

/// What strategies may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sight {
    /// The whole state.
    Everything,
    /// What each agent sees.
    Own,
}

/// A state space, and the paths that quantifiers range over.
pub struct Checker<'g> {
    /// The states.
    pub graph: &'g Graph<'g>,
    /// What paths are.
    pub semantics: Semantics,
    /// The paths.
    pub paths: Paths,
    /// The states from which a fair path starts; all, if there is no fairness constraint.
    pub universe: Vec<bool>,
    /// What strategies may depend on.
    pub(crate) sight: Sight,
}

impl<'g> Checker<'g> {
    /// A checker of a complete state space. With `is_uniform`, agents act on what they see.
    pub fn new(graph: &'g Graph<'g>, semantics: Semantics, is_uniform: bool) -> Result<Checker<'g>, String> {
        if !graph.is_complete {
            return Err("too many states".to_string());
        }
        let next = graph.next();
        let paths = match semantics {
            Semantics::Maximal => Paths::maximal(next),
            Semantics::Stutter => Paths::stutter(next),
            Semantics::Infinite | Semantics::Steps => Paths::infinite(next),
        };
        let universe = vec![true; graph.states.len()];
        let sight = if is_uniform { Sight::Own } else { Sight::Everything };
        let mut checker = Checker { graph, semantics, paths, universe, sight };
        let constraints = graph.model.fairness();
        if !constraints.is_empty() {
            // Constraints speak about steps; only afterwards do fair paths alone count.
            let steps = Checker {
                graph,
                semantics: Semantics::Steps,
                paths: Paths::infinite(graph.next()),
                universe: checker.universe.clone(),
                sight,
            };
            let fair = constraints.iter().map(|constraint| steps.label(constraint));
            checker.paths.fair = fair.collect::<Result<_, _>>()?;
            checker.universe = checker.some_path(&Formula::Constant(true), false)?;
        }
        Ok(checker)
    }

    /// A checker of states alone, where not all of them are known: it labels formulas without
    /// operators about paths.
    pub fn of_seen_states(graph: &'g Graph<'g>) -> Checker<'g> {
        let count = graph.states.len();
        let paths = Paths::infinite(vec![Vec::new(); count]);
        Checker {
            graph,
            semantics: Semantics::Maximal,
            paths,
            universe: vec![true; count],
            sight: Sight::Everything,
        }
    }

    /// Whether the formula holds in every initial state that counts.
    pub fn holds(&self, formula: &Formula) -> Result<bool, String> {
        let label = self.label(formula)?;
        Ok(self.initial().into_iter().all(|state| label[state]))
    }

    /// The initial states that count.
    pub fn initial(&self) -> Vec<usize> {
        self.graph.initial.iter().copied().filter(|&state| self.universe[state]).collect()
    }

    /// For each state, whether the formula holds there.
    pub fn label(&self, formula: &Formula) -> Result<Vec<bool>, String> {
        if formula.is_path() {
            return Ok(not(self.some_path(formula, true)?));
        }
        let of_state = |truth: &dyn Fn(&[i128]) -> Result<bool, String>| {
            self.graph.states.iter().map(|state| truth(state)).collect::<Result<Vec<bool>, String>>()
        };
        let both = |f: &Formula, g: &Formula, join: fn(bool, bool) -> bool| -> Result<Vec<bool>, String> {
            Ok(self.label(f)?.into_iter().zip(self.label(g)?).map(|(f, g)| join(f, g)).collect())
        };
        match formula {
            Formula::Constant(truth) => Ok(vec![*truth; self.graph.states.len()]),
            Formula::Deadlock => {
                Ok((0..self.graph.states.len()).map(|state| self.graph.is_dead(state)).collect())
            }
            Formula::Name(name) => of_state(&|state| self.graph.model.is_true(name, state)),
            Formula::Compare(left, comparison, right) => of_state(&|state| {
                Ok(comparison.holds(self.sum(left, right, state)?, self.sum(right, left, state)?))
            }),
            Formula::Fireable(events) => of_state(&|state| {
                let fireable = events.iter().map(|event| self.graph.model.is_fireable(event, state));
                Ok(fireable.collect::<Result<Vec<bool>, String>>()?.contains(&true))
            }),
            Formula::Not(f) => Ok(not(self.label(f)?)),
            Formula::And(f, g) => both(f, g, |f, g| f && g),
            Formula::Or(f, g) => both(f, g, |f, g| f || g),
            Formula::Implies(f, g) => both(f, g, |f, g| !f || g),
            Formula::Same(f, g) => both(f, g, |f, g| f == g),
            Formula::Exists(f) if self.semantics == Semantics::Steps => self.some_steps(f),
            Formula::All(f) if self.semantics == Semantics::Steps => self.all_steps(f),
            Formula::Exists(f) => self.some_path(f, false),
            Formula::All(f) => Ok(not(self.some_path(f, true)?)),
            Formula::Knows(kind, who, f) => self.known(*kind, who, &self.label(f)?),
            Formula::Forces(group, f) => self.forced(group, f),
            other => Err(format!("not a state formula: {other:?}")),
        }
    }

    /// For each state, whether some path from there satisfies the formula, or its negation.
    pub fn some_path(&self, formula: &Formula, is_negated: bool) -> Result<Vec<bool>, String> {
        self.path_formula(formula, is_negated)?.exists(&self.paths)
    }

    /// The path formula, with labels for what it says about states.
    pub fn path_formula(&self, formula: &Formula, is_negated: bool) -> Result<PathFormula, String> {
        PathFormula::new(formula, is_negated, &mut |f| self.label(f))
    }

    /// The value of a sum in a state. A name that is no variable is a value of the variable on the
    /// other side.
    fn sum(&self, sum: &Sum, other: &Sum, state: &[i128]) -> Result<i128, String> {
        let model = self.graph.model;
        let variable = |name: &String| model.position(name).map(|position| &model.variables()[position]);
        let kind = other.0.iter().filter_map(|(_, name)| name.as_ref()).find_map(variable);
        let kind = kind.map_or(&Kind::Number, |variable| &variable.kind);
        let mut total = 0;
        for (factor, name) in &sum.0 {
            let value = match name {
                None => 1,
                Some(name) => match model.value(name, state) {
                    Some(value) => value,
                    None => kind.value(name).ok_or_else(|| format!("no variable or value {name}"))?,
                },
            };
            total += factor * value;
        }
        Ok(total)
    }

    /// `E f` by fixpoints over steps.
    fn some_steps(&self, path: &Formula) -> Result<Vec<bool>, String> {
        let truth = vec![true; self.graph.states.len()];
        let or = |f: Vec<bool>, g: Vec<bool>| f.into_iter().zip(g).map(|(f, g)| f || g).collect();
        let and = |f: &[bool], g: &[bool]| -> Vec<bool> { f.iter().zip(g).map(|(f, g)| *f && *g).collect() };
        Ok(match path {
            Formula::Next(f) => self.before(&self.label(f)?),
            Formula::Finally(f) => self.some_until(&truth, &self.label(f)?),
            Formula::Until(f, g) => self.some_until(&self.label(f)?, &self.label(g)?),
            Formula::Globally(f) => self.some_always(&self.label(f)?),
            Formula::WeakUntil(f, g) => {
                let f = self.label(f)?;
                or(self.some_until(&f, &self.label(g)?), self.some_always(&f))
            }
            Formula::Release(f, g) => {
                let g = self.label(g)?;
                or(self.some_until(&g, &and(&self.label(f)?, &g)), self.some_always(&g))
            }
            other => return Err(format!("not CTL: {other:?}")),
        })
    }

    /// `A f`: no path does the opposite.
    fn all_steps(&self, path: &Formula) -> Result<Vec<bool>, String> {
        let negated = |f: &Formula| Ok::<_, String>(not(self.label(f)?));
        let truth = vec![true; self.graph.states.len()];
        let and = |f: &[bool], g: &[bool]| -> Vec<bool> { f.iter().zip(g).map(|(f, g)| *f && *g).collect() };
        let violated = match path {
            Formula::Next(f) => self.before(&negated(f)?),
            Formula::Finally(f) => self.some_always(&negated(f)?),
            Formula::Globally(f) => self.some_until(&truth, &negated(f)?),
            Formula::Until(f, g) | Formula::WeakUntil(f, g) => {
                let (not_f, not_g) = (negated(f)?, negated(g)?);
                let mut violated = self.some_until(&not_g, &and(&not_f, &not_g));
                if matches!(path, Formula::Until(..)) {
                    let never = self.some_always(&not_g);
                    violated.iter_mut().zip(never).for_each(|(violated, never)| *violated |= never);
                }
                violated
            }
            Formula::Release(f, g) => self.some_until(&negated(f)?, &negated(g)?),
            other => return Err(format!("not CTL: {other:?}")),
        };
        Ok(not(violated))
    }

    /// The states with a next state like this.
    fn before(&self, target: &[bool]) -> Vec<bool> {
        self.paths.next.iter().map(|next| next.iter().any(|&to| target[to])).collect()
    }

    /// The least set that has `g`, and with a state of `f` one that is before it.
    fn some_until(&self, f: &[bool], g: &[bool]) -> Vec<bool> {
        let mut set = g.to_vec();
        loop {
            let before = self.before(&set);
            let more: Vec<bool> =
                (0..set.len()).map(|state| set[state] || f[state] && before[state]).collect();
            if more == set {
                return set;
            }
            set = more;
        }
    }

    /// The greatest set within `f` of which every state is before another of it.
    fn some_always(&self, f: &[bool]) -> Vec<bool> {
        let mut set = f.to_vec();
        loop {
            let before = self.before(&set);
            let fewer: Vec<bool> = (0..set.len()).map(|state| set[state] && before[state]).collect();
            if fewer == set {
                return set;
            }
            set = fewer;
        }
    }
}

/// The opposite everywhere.
pub(crate) fn not(label: Vec<bool>) -> Vec<bool> {
    label.into_iter().map(|truth| !truth).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::Net;
    use crate::parse;

    /// A lamp that shines, or burns out: two states, one of them dead.
    fn lamp() -> Net {
        let arc = |number: usize, from: &str, to: &str| {
            format!("<arc id='a{number}' source='{from}' target='{to}'/>")
        };
        let arcs =
            [arc(1, "on", "shine"), arc(2, "shine", "on"), arc(3, "on", "burn"), arc(4, "burn", "off")];
        Net::read(&format!(
            "<pnml><net id='lamp'><page id='g'><place id='on'><initialMarking><text>1</text></initialMarking></place>\
             <place id='off'/><transition id='shine'/><transition id='burn'/>{}</page></net></pnml>",
            arcs.concat()
        ))
        .unwrap()
    }

    /// The table of the book's page on paths, which was computed by hand, and more.
    #[test]
    fn dead_states_under_each_semantics() {
        let net = lamp();
        let graph = Graph::explore(&net, 10);
        let semantics = [Semantics::Maximal, Semantics::Stutter, Semantics::Infinite];
        for (text, expected) in [
            ("AF off", [false, false, false]),
            ("EF off", [true, true, false]),
            ("EF EG off", [true, true, false]),
            ("A (G F on)", [false, false, true]),
            ("AG EX true", [false, true, true]),
            ("EF AX false", [true, false, false]),
            ("E (F (off & X off))", [false, true, false]),
            ("A (G X true)", [true, true, true]),
            ("AG (off -> AX false)", [true, false, true]),
            ("AG (off -> AF off)", [true, true, true]),
            ("E (on U deadlock)", [true, true, false]),
            ("A (on W off)", [true, true, true]),
            ("A (off R on)", [false, false, true]),
            ("X on", [false, false, true]),
            ("!X on", [false, false, false]),
            ("G F off -> F off", [true, true, true]),
            ("E (G F on & F G on)", [true, true, true]),
        ] {
            let formula = parse::formula(text).unwrap();
            let found =
                semantics.map(|one| Checker::new(&graph, one, false).unwrap().holds(&formula).unwrap());
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn fixpoints_over_steps_differ_in_dead_states() {
        let net = lamp();
        let graph = Graph::explore(&net, 10);
        let checker = Checker::new(&graph, Semantics::Steps, false).unwrap();
        for (text, expected) in [
            ("EF off", true),
            ("EF EG off", false),
            ("AG (off -> AF false)", true),
            ("AG (off -> AX false)", true),
            ("AG (off -> !EX true)", true),
            ("EF A (on U off)", true),
            ("AG on", false),
        ] {
            let formula = parse::formula(text).unwrap();
            assert_eq!(checker.holds(&formula).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn the_semantics_follows_the_formula() {
        let net = Question { paths: None, is_ispl: false, has_fairness: false };
        let agents = Question { is_ispl: true, ..net };
        for (text, of_net, of_agents) in [
            ("p", Semantics::Maximal, Semantics::Steps),
            ("AX p", Semantics::Maximal, Semantics::Steps),
            ("X p", Semantics::Stutter, Semantics::Infinite),
            ("A (G F p)", Semantics::Stutter, Semantics::Infinite),
            ("!A (G F p)", Semantics::Maximal, Semantics::Infinite),
            ("AG A (G F p)", Semantics::Maximal, Semantics::Infinite),
            ("p & F q", Semantics::Stutter, Semantics::Infinite),
        ] {
            let formula = parse::formula(text).unwrap();
            assert_eq!(net.semantics(&formula), of_net, "{text}");
            assert_eq!(agents.semantics(&formula), of_agents, "{text}");
        }
    }
}
