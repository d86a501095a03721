//! Strategies: what a group of agents can bring about, whatever the others do (Alur, Henzinger,
//! Kupferman, JACM 2002), with everyone seeing the whole state.
//!
//! In a state, each agent of the group picks one of its actions. The others pick theirs, and where
//! evolutions leave a choice, that is theirs too. The group can force a set in one step if it can
//! pick so that there is a next state, and every next state lies in the set. Everything else is a
//! fixpoint of that.
//!
//! Under fairness constraints the meaning is that of the equations at `Operator::CanForce` in
//! `symbolon-logic`. A strategy for `X`, `F` or `U` has to win on the fair paths only, and the
//! question is turned round, as Busard, Pecheur, Qu and Raimondi do it (Information and Computation
//! 2015): which states are such that, whatever the group does, some fair path violates the formula?
//! A strategy for `G` has to keep its operand in every state of the universe that its paths come
//! to.

use super::labelling::CtlPath;
use super::structure::Structure;
use super::{Checker, complement};
use crate::Reason;
use symbolon_model::Step;

/// For each state and each way in which the group can act there, the next states.
type Moves = Vec<Vec<Vec<usize>>>;

/// The same with what each member of the group who acts does.
pub(super) type NamedMoves = Vec<Vec<NamedMove>>;
/// What each member does, and where that may lead.
type NamedMove = (Vec<u64>, Vec<usize>);

/// The moves that are allowed, in a state by an action.
pub(super) fn targets(moves: &NamedMoves, is_allowed: impl Fn(usize, &[u64]) -> bool) -> Moves {
    let allowed = |(state, here): (usize, &Vec<NamedMove>)| {
        let here = here.iter().filter(|(action, _)| is_allowed(state, action));
        here.map(|(_, next)| next.clone()).collect()
    };
    moves.iter().enumerate().map(allowed).collect()
}

impl Checker<'_> {
    /// The states in which the group has a strategy whose paths are all like this.
    pub(super) fn can_force(
        &mut self,
        structure: &Structure,
        group: &str,
        path: CtlPath<'_>,
    ) -> Result<Vec<bool>, Reason> {
        let moves = self.moves(structure, group)?;
        if let Some(uniform) = self.uniform.clone() {
            return self.can_force_uniformly(structure, &uniform, group, &moves, path);
        }
        let moves: Moves = targets(&moves, |_, _| true);
        Game { moves: &moves, constraints: structure.constraints() }.won(path)
    }

    /// What the group can do in each state, and to which states of the universe that leads: all,
    /// unless there is fairness.
    fn moves(&mut self, structure: &Structure, group: &str) -> Result<NamedMoves, Reason> {
        let observers = &self.model.observers;
        let members = observers.members(group).ok_or(Reason::UnknownAgent)?;
        let first_action = self.model.variables.len();
        let own: Vec<usize> = members
            .iter()
            .filter_map(|&id| observers.observer(id).action)
            .map(|action| action.index() - first_action)
            .collect();
        let universe = structure.universe();
        let mut moves: NamedMoves = Vec::with_capacity(structure.state_count());
        for state in self.exploration.states() {
            // What the group does, and where that may lead.
            let mut here: Vec<NamedMove> = Vec::new();
            let mut outcome = Ok(());
            for event in &self.model.events {
                Step::new(self.model, event).for_each(&state, |action, next| {
                    if let Err(reason) = self.meter.step() {
                        outcome = Err(reason);
                        return false;
                    }
                    // A state from which no path is fair is none that the group has to care for.
                    let to = self.exploration.position(next).filter(|&to| universe[to]);
                    let picked: Vec<u64> = own.iter().map(|&position| action[position]).collect();
                    match here.iter_mut().find(|(known, _)| *known == picked) {
                        Some((_, targets)) => targets.extend(to),
                        None => here.push((picked, to.into_iter().collect())),
                    }
                    true
                });
            }
            outcome?;
            moves.push(here);
        }
        Ok(moves)
    }
}

/// The moves of a group, and what the paths meet again and again that it has to care for.
pub(super) struct Game<'a> {
    pub(super) moves: &'a Moves,
    pub(super) constraints: &'a [Vec<bool>],
}

impl Game<'_> {
    /// The states in which the group can see to it that all paths are like this.
    pub(super) fn won(&self, path: CtlPath<'_>) -> Result<Vec<bool>, Reason> {
        Ok(match path {
            CtlPath::Next(f) => self.next(f),
            CtlPath::Finally(f) => self.until(&vec![true; f.len()], f),
            CtlPath::Globally(f) => self.globally(f),
            CtlPath::Until(f, g) => self.until(f, g),
            CtlPath::First(_) | CtlPath::WeakUntil(..) | CtlPath::Release(..) => {
                return Err(Reason::Unsupported);
            }
        })
    }

    fn next(&self, f: &[bool]) -> Vec<bool> {
        if self.constraints.is_empty() {
            return self.forced(f);
        }
        complement(&self.unavoidable(&and(&complement(f), &self.unavoidably_fair())))
    }

    fn until(&self, f: &[bool], g: &[bool]) -> Vec<bool> {
        if self.constraints.is_empty() {
            return least(|reached| or(g, &and(f, &self.forced(reached))), g.len());
        }
        // The others hold out: g never comes, or not before f fails.
        let not_g = complement(g);
        let failed = and(&and(&complement(f), &not_g), &self.unavoidably_fair());
        complement(&self.others_hold_out(&not_g, &failed))
    }

    fn globally(&self, f: &[bool]) -> Vec<bool> {
        if self.constraints.is_empty() {
            return greatest(|kept| and(f, &self.forced(kept)), f.len());
        }
        // The others bring about that f fails, whether the path is fair in the end or not.
        let failed = complement(f);
        complement(&least(|reached| or(&failed, &self.unavoidable(reached)), f.len()))
    }

    /// The states in which the group can act so that there is a next state, and every one lies in
    /// the target.
    fn forced(&self, target: &[bool]) -> Vec<bool> {
        let wins = |next: &Vec<usize>| !next.is_empty() && next.iter().all(|&to| target[to]);
        self.moves.iter().map(|moves| moves.iter().any(wins)).collect()
    }

    /// The states in which, however the group acts, some next state lies in the target.
    fn unavoidable(&self, target: &[bool]) -> Vec<bool> {
        let meets = |next: &Vec<usize>| next.iter().any(|&to| target[to]);
        self.moves.iter().map(|moves| moves.iter().all(meets)).collect()
    }

    /// The states in which, whatever the group does, some path is fair.
    fn unavoidably_fair(&self) -> Vec<bool> {
        let nothing = vec![false; self.moves.len()];
        self.others_hold_out(&vec![true; self.moves.len()], &nothing)
    }

    /// The states in which, whatever the group does, some path stays in `within` and is fair, or
    /// does so until it comes to `target`.
    fn others_hold_out(&self, within: &[bool], target: &[bool]) -> Vec<bool> {
        let round = |kept: &[bool]| {
            let mut all = vec![true; kept.len()];
            for constraint in self.constraints {
                let met = or(target, &and(kept, &and(within, constraint)));
                let on_the_way =
                    least(|reached| or(&met, &and(within, &self.unavoidable(reached))), kept.len());
                all = and(&all, &self.unavoidable(&on_the_way));
            }
            or(target, &and(within, &all))
        };
        greatest(round, self.moves.len())
    }
}

fn least(round: impl Fn(&[bool]) -> Vec<bool>, size: usize) -> Vec<bool> {
    fixpoint(round, vec![false; size])
}

fn greatest(round: impl Fn(&[bool]) -> Vec<bool>, size: usize) -> Vec<bool> {
    fixpoint(round, vec![true; size])
}

fn fixpoint(round: impl Fn(&[bool]) -> Vec<bool>, start: Vec<bool>) -> Vec<bool> {
    let mut states = start;
    loop {
        let next = round(&states);
        if next == states {
            return states;
        }
        states = next;
    }
}

fn and(a: &[bool], b: &[bool]) -> Vec<bool> {
    a.iter().zip(b).map(|(&a, &b)| a && b).collect()
}

fn or(a: &[bool], b: &[bool]) -> Vec<bool> {
    a.iter().zip(b).map(|(&a, &b)| a || b).collect()
}
