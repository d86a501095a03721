//! Knowledge and strategies against the explicit checker, on random systems of agents and random
//! formulas about them, with and without fairness; and every witness is walked and shows what it
//! should.

use crate::kinds::{Kind, SetsOf, TINY, UNLIMITED, is_exactly, list};
use std::collections::BTreeSet;
use symbolon_budget::Budget;
use symbolon_dd_core::Limits;
use symbolon_engine::{
    Capability, Ending, ExploreOptions, Explored, Link, TemporalChecker, Unanswered, Witness, formula_needs,
};
use symbolon_explicit::{
    self as explicit, CheckOptions, Checked, Checker, CounterStrategy, FairCounterStrategy, FairPlay, Goal,
    Memory, Run, Tree, begins_fair_path, follow_counter_strategy, follow_fair_counter_strategy,
    follow_fair_strategy, joint_trace_along, shown_by_tree,
};
use symbolon_logic::{Builder, Formula, FormulaId, Operator, Paths};
use symbolon_model::{Atom, Model, State};
use symbolon_testkit::{Logic, random_agent_formula, random_agents, random_strategy_formula, seeds, shrink};

/// What is asked of a model.
#[derive(Clone, Debug)]
struct Asked {
    formula: Formula<Atom>,
    paths: Paths,
    fairness: Vec<Formula<Atom>>,
    /// Whether agents do the same wherever they see the same.
    uniform: bool,
}

/// What the explicit checker says.
struct Truth<'m> {
    model: &'m Model,
    states: Vec<State>,
    checked: Checked,
    /// The states that count: those with a fair path.
    counts: Vec<bool>,
    /// Which states meet each fairness constraint.
    met: Vec<Vec<bool>>,
}

/// `E G true`: there is a path that counts.
fn goes_on() -> Formula<Atom> {
    let mut builder = Builder::default();
    let always = builder.add(Operator::True);
    let path = builder.add(Operator::Globally(always));
    let root = builder.add(Operator::Exists(path));
    builder.finish(root)
}

impl Truth<'_> {
    /// `None` if the formula is none.
    fn of<'m>(model: &'m Model, asked: &Asked) -> Option<Truth<'m>> {
        let mut checker = Checker::new(model, &CheckOptions::default(), &Budget::unlimited()).ok()?;
        if asked.uniform {
            checker.demand_uniform(model.observers.ids().collect());
        }
        let checked = checker.check(&asked.formula, asked.paths, &asked.fairness).ok()?;
        let counts = match asked.fairness.is_empty() {
            true => vec![true; checked.answer().len()],
            false => checker.check(&goes_on(), asked.paths, &asked.fairness).ok()?.answer().to_vec(),
        };
        let constraint = |one| checker.check(one, Paths::Maximal, &[]).ok().map(|met| met.answer().to_vec());
        let met = asked.fairness.iter().map(constraint).collect::<Option<Vec<_>>>()?;
        let exploration = checker.exploration();
        let states = (0..exploration.state_count()).map(|number| exploration.state(number)).collect();
        Some(Truth { model, states, checked, counts, met })
    }

    fn number(&self, state: &[u64]) -> Option<usize> {
        self.states.iter().position(|known| **known == *state)
    }

    fn label(&self, id: FormulaId, state: &[u64]) -> Option<bool> {
        Some(self.checked.label(id)?[self.number(state)?])
    }

    /// Follows a strategy under fairness constraints, or a counter-strategy, in the model.
    fn follow(&self, asked: &Asked, witness: &Witness) -> Result<(), String> {
        let Some(strategy) = &witness.strategy else { return Ok(()) };
        let (goal, first, second) = match asked.formula.operator(witness.formula) {
            Operator::CanForce(_, path) => match *asked.formula.operator(*path) {
                Operator::Next(f) => (Goal::Next, None, Some(f)),
                Operator::Finally(g) => (Goal::Until, None, Some(g)),
                Operator::Until(f, g) => (Goal::Until, Some(f), Some(g)),
                Operator::Globally(f) => (Goal::Globally, Some(f), None),
                ref other => return Err(format!("a strategy for {other:?}")),
            },
            other => return Err(format!("a strategy for {other:?}")),
        };
        let holds = |state: &State| {
            let says = |id: Option<FormulaId>, otherwise| {
                id.map_or(otherwise, |id| self.label(id, state).expect("a state formula"))
            };
            (says(first, true), says(second, false))
        };
        let mut meets = |state: &State| {
            let number = self.number(state)?;
            Some(self.met.iter().map(|met| met[number]).collect())
        };
        let mut play = FairPlay {
            paths: asked.paths,
            constraint_count: self.met.len(),
            meets: &mut meets,
            most_states: usize::MAX,
        };
        let (width, start) = (self.model.variables.len(), &witness.states[0]);
        let own = |longer: &State| strategy.against.iter().map(|id| longer[id.index()]).collect();
        let followed = if strategy.against.is_empty() {
            let plain =
                explicit::Strategy { actions: strategy.actions.clone(), choices: strategy.choices.clone() };
            follow_fair_strategy(self.model, &plain, start, goal, holds, &mut play)
        } else if goal == Goal::Globally || strategy.fair.is_none() {
            let answers = strategy.choices.iter();
            let answers =
                answers.map(|(longer, answer)| (longer[..width].into(), own(longer), answer.clone()));
            let plain = CounterStrategy {
                group: strategy.against.clone(),
                others: strategy.actions.clone(),
                answers: answers.collect(),
            };
            for end in strategy.ends.iter().filter(|_| strategy.fair.is_some()) {
                let begins = begins_fair_path(self.model, end, &mut play).expect("all states are followed");
                let counts = self.counts[self.number(end).expect("a state of the model")];
                if !begins || !counts {
                    return Err("it ends where no fair path begins".to_string());
                }
            }
            follow_counter_strategy(self.model, &plain, start, goal, holds)
        } else {
            let answers = strategy.choices.iter().map(|(longer, answer)| {
                let [.., turn, is_violated] = longer[..] else { unreachable!("memory") };
                let memory = Memory { turn: turn as usize, is_violated: is_violated == 1 };
                ((longer[..width].into(), memory, own(longer)), answer.clone())
            });
            let plain = FairCounterStrategy {
                group: strategy.against.clone(),
                others: strategy.actions.clone(),
                answers: answers.collect(),
            };
            follow_fair_counter_strategy(self.model, &plain, start, goal, holds, &mut play)
        };
        followed.map_err(|why| format!("{why}: {strategy:?}"))
    }

    /// Follows all strategies of a witness.
    fn follow_all(&self, asked: &Asked, witness: &Witness) -> Result<(), String> {
        self.follow(asked, witness)?;
        witness.branches.iter().try_for_each(|branch| self.follow_all(asked, &branch.witness))
    }

    fn satisfying(&self) -> BTreeSet<State> {
        let numbers = 0..self.states.len();
        let holds = |number: &usize| self.counts[*number] && self.checked.answer()[*number];
        numbers.filter(holds).map(|number| self.states[number].clone()).collect()
    }
}

fn tree(model: &Model, found: &Witness) -> Tree {
    let steps = found.events.iter().copied().zip(found.states[1..].iter().cloned());
    let trace = joint_trace_along(model, found.states[0].clone(), steps).expect("a run");
    let branches = found.branches.iter().map(|branch| explicit::Branch {
        position: branch.position,
        link: match &branch.link {
            Link::Path => explicit::Link::Path,
            Link::Alike(seeing) => explicit::Link::Alike(seeing.clone()),
            Link::Correct(agent) => explicit::Link::Correct(*agent),
        },
        formula: branch.witness.formula,
        tree: tree(model, &branch.witness),
    });
    // Counter-strategies, and strategies under fairness constraints, are followed for themselves.
    let strategy = found.strategy.as_ref();
    let strategy = strategy.filter(|strategy| strategy.against.is_empty() && strategy.fair.is_none());
    Tree {
        run: Run::Joint(trace),
        ending: match found.ending {
            Ending::Open => explicit::Ending::Open,
            Ending::Dead => explicit::Ending::Dead,
            Ending::Loop(start) => explicit::Ending::Loop(start),
        },
        strategy: strategy.map(|strategy| explicit::Strategy {
            actions: strategy.actions.clone(),
            choices: strategy.choices.clone(),
        }),
        branches: branches.collect(),
    }
}

/// What witnesses were met.
#[derive(Debug, Default)]
struct Seen {
    holds: usize,
    fails: usize,
    runs: usize,
    loops: usize,
    alike: usize,
    correct: usize,
    strategies: usize,
    /// Of these, counter-strategies.
    counters: usize,
    /// Strategies under fairness constraints under which some path is not as promised, and unfair.
    evading: usize,
    /// Counter-strategies that remember which constraint is next.
    remembering: usize,
}

impl Seen {
    fn add(&mut self, witness: &Witness) {
        self.runs += usize::from(!witness.events.is_empty());
        self.loops += usize::from(matches!(witness.ending, Ending::Loop(_)));
        if let Some(strategy) = &witness.strategy {
            let is_counter = !strategy.against.is_empty();
            self.strategies += 1;
            self.counters += usize::from(is_counter);
            let violates = strategy.fair.as_ref().is_some_and(|fair| !fair.violated.is_empty());
            self.evading += usize::from(violates && !is_counter);
            let turns = strategy.choices.iter().filter_map(|(longer, _)| longer.iter().rev().nth(1));
            let remembers = strategy.fair.is_some() && turns.collect::<BTreeSet<_>>().len() > 1;
            self.remembering += usize::from(is_counter && remembers);
        }
        for branch in &witness.branches {
            self.alike += usize::from(matches!(branch.link, Link::Alike(_)));
            self.correct += usize::from(matches!(branch.link, Link::Correct(_)));
            self.add(&branch.witness);
        }
    }
}

/// What is wrong, if anything is.
fn disagreement<K: Kind>(
    truth: &Truth<'_>,
    asked: &Asked,
    mut explored: Explored<SetsOf<K>>,
    seen: &mut Seen,
) -> Result<(), String> {
    let reached = explored.reached.clone();
    let Asked { formula, paths, fairness, uniform } = asked;
    let mut checker = TemporalChecker::new(&mut explored.sets, truth.model, &reached).expect("unlimited");
    if !is_served::<K>(truth.model, asked) {
        let refused = checker.set_fairness(fairness).err();
        let refused = refused.or_else(|| checker.satisfying(formula, *paths).err());
        return match refused {
            Some(Unanswered::Unsupported(_)) => Ok(()),
            other => Err(format!("what the kind lacks is refused, not {other:?}")),
        };
    }
    if !fairness.is_empty() {
        checker.set_fairness(fairness).map_err(|why| format!("{why:?}"))?;
        checker.forget_unfair_states(*paths).expect("unlimited");
    }
    if *uniform {
        checker.demand_uniform(truth.model.observers.ids().collect());
    }
    let found = checker.satisfying(formula, *paths).map_err(|why| format!("{why:?}"))?;
    if !is_exactly(checker.sets(), &found, &truth.satisfying()) {
        let found = list(checker.sets(), &found);
        return Err(format!("satisfied in {found:?} instead of {:?}", truth.satisfying()));
    }
    let explained = checker.explain(formula, *paths, u64::MAX).map_err(|why| format!("{why:?}"))?;
    if explained.holds != truth.checked.holds() {
        return Err(format!("holds: {}", explained.holds));
    }
    match &explained.witness {
        Some(witness) => {
            let otherwise = |id, state: &[u64]| {
                let number = truth.states.iter().position(|known| **known == *state)?;
                truth.checked.label(id).map(|label| label[number])
            };
            let tree = tree(truth.model, witness);
            let shown = shown_by_tree(truth.model, formula, *paths, &tree, otherwise)
                .map_err(|why| format!("{why}: {witness:?}"))?;
            let is_shown = if explained.holds { shown.holds } else { shown.fails };
            if !is_shown {
                return Err(format!("it shows {shown:?}: {witness:?}"));
            }
            truth.follow_all(asked, witness)?;
            seen.add(witness);
        }
        None => {
            let should_be_shown = match formula.operator(formula.root()) {
                Operator::Exists(_) => explained.holds && !truth.satisfying().is_empty(),
                Operator::ForAll(_) | Operator::Knows(..) => !explained.holds,
                Operator::CanForce(..) => explained.holds && !truth.states.is_empty(),
                _ => false,
            };
            // Where no initial state counts, everything holds, and nothing shows it.
            let is_vacuous =
                explained.holds && checker.explain(&goes_on(), *paths, 0).is_ok_and(|e| e.witness.is_none());
            if should_be_shown && !is_vacuous {
                return Err("nothing shows it".to_string());
            }
        }
    }
    match explained.holds {
        true => seen.holds += 1,
        false => seen.fails += 1,
    }
    Ok(())
}

/// Whether a kind has all that a question needs.
fn is_served<K: Kind>(model: &Model, asked: &Asked) -> bool {
    let formulas = asked.fairness.iter().chain([&asked.formula]);
    formulas.flat_map(formula_needs).all(|need| K::supports(model, need))
}

/// Whether a kind serves agents at all.
fn serves_agents<K: Kind>() -> bool {
    let model = random_agents(1);
    [Capability::Observation, Capability::Forcing].into_iter().all(|need| K::supports(&model, need))
}

fn check<K: Kind>(model: &Model, asked: &Asked, seed: u64, seen: &mut Seen) -> Result<(), String> {
    let Some(truth) = Truth::of(model, asked) else { return Ok(()) };
    let strategies = K::strategies(model);
    let strategy = strategies[seed as usize % strategies.len()];
    let limits = if seed.is_multiple_of(2) { Limits::default() } else { TINY };
    let options = ExploreOptions { strategy, limits, ..ExploreOptions::default() };
    disagreement::<K>(&truth, asked, K::explore(model, &options, seed % K::VARIANTS).expect(UNLIMITED), seen)
}

/// `count` constraints without strategies, which the language does not have there.
fn random_fairness(model: &Model, count: usize, number: u64) -> Vec<Formula<Atom>> {
    let is_plain = |formula: &Formula<Atom>| {
        formula.subformulas().all(|(_, one)| !matches!(one, Operator::CanForce(..)))
    };
    let drawn = (0..).map(|which| random_agent_formula(model, 1, 1_000 * number + which));
    drawn.filter(is_plain).take(count).collect()
}

/// Checks, and fails with the smallest case that is wrong.
fn demand<K: Kind>(model: &Model, asked: &Asked, seed: u64, seen: &mut Seen) {
    let Err(why) = check::<K>(model, asked, seed, seen) else { return };
    let fails = |model: &Model, formula: &Formula<Atom>| {
        let asked = Asked { formula: formula.clone(), ..asked.clone() };
        check::<K>(model, &asked, seed, &mut Seen::default()).is_err()
    };
    let (model, formula) = shrink(model, &asked.formula, Logic::CtlStar, fails);
    let asked = Asked { formula, ..asked.clone() };
    let still = check::<K>(&model, &asked, seed, &mut Seen::default());
    panic!("seed {seed}: {why}\nthe smallest: {asked:#?} of {model:#?}: {still:?}");
}

/// Whether the formula is `<g> G f` and holds in a state in which `f` fails, which is wrong.
fn refutes_its_operand(truth: &Truth<'_>, formula: &Formula<Atom>) -> bool {
    let globally = match formula.operator(formula.root()) {
        Operator::CanForce(_, path) => match formula.operator(*path) {
            Operator::Globally(operand) => *operand,
            _ => return false,
        },
        _ => return false,
    };
    let Some(operand) = truth.checked.label(globally) else { return false };
    truth.checked.answer().iter().zip(operand).zip(&truth.counts).any(|((&g, &f), &counts)| counts && g && !f)
}

pub(crate) fn strategies_under_fairness<K: Kind>() {
    let mut seen = Seen::default();
    let mut with_unfair_states = 0;
    for seed in seeds(120) {
        let model = random_agents(seed);
        for turn in 0..6_u64 {
            let number = 10 * seed + turn;
            let formula = random_strategy_formula(&model, 2 + turn as usize % 3, number);
            let fairness = random_fairness(&model, 1 + number as usize % 2, number);
            let asked = Asked { formula, paths: Paths::Infinite, fairness, uniform: turn >= 4 };
            demand::<K>(&model, &asked, seed, &mut seen);
            if let Some(truth) = Truth::of(&model, &asked) {
                assert!(!refutes_its_operand(&truth, &asked.formula), "seed {seed}, turn {turn}: {asked:#?}");
                let fair = truth.counts.iter().filter(|&&counts| counts).count();
                with_unfair_states += usize::from(fair > 0 && fair < truth.counts.len());
            }
        }
    }
    println!("{seen:?}, {with_unfair_states} with fair and unfair states");
    if std::env::var("SYMBOLON_SEED").is_err() && serves_agents::<K>() {
        let all = seen.holds + seen.fails;
        assert!(seen.holds * 8 >= all && seen.fails * 8 >= all && with_unfair_states > 40, "{seen:?}");
        assert!(seen.strategies - seen.counters > 60 && seen.counters > 60, "{seen:?}");
        assert!(seen.evading > 2 && seen.remembering > 10, "{seen:?}");
    }
}

pub(crate) fn formulas_about_agents<K: Kind>() {
    let mut seen = Seen::default();
    for seed in seeds(90) {
        let model = random_agents(seed);
        for turn in 0..9_u64 {
            let number = 10 * seed + turn;
            let uniform = turn >= 6;
            let formula = random_agent_formula(&model, 3 + turn as usize % 6, number);
            let (paths, fairness) = match turn % 3 {
                0 => (Paths::Maximal, Vec::new()),
                1 => (Paths::Infinite, Vec::new()),
                _ => (Paths::Infinite, random_fairness(&model, 1 + seed as usize % 2, number)),
            };
            let asked = Asked { formula, paths, fairness, uniform };
            demand::<K>(&model, &asked, seed, &mut seen);
        }
    }
    println!("{seen:?}");
    // One chosen seed need not show everything.
    if std::env::var("SYMBOLON_SEED").is_err() && serves_agents::<K>() {
        assert!(
            seen.holds * 5 >= seen.holds + seen.fails && seen.fails * 5 >= seen.holds + seen.fails,
            "{seen:?}"
        );
        assert!(seen.runs > 20 && seen.loops > 10 && seen.alike > 8 && seen.strategies > 20, "{seen:?}");
    }
}
