//! What agents can do together in one state: joint actions with the states they lead to, by number,
//! by name, by chance.
//!
//! Many agents have very many joint actions, so a list of them may be cut. Actions that are named
//! are found all the same: then only the agents that were not named are listed.

use super::names::NotOneEvent;
use crate::value_names::{joint_action_label, shown_actions};
use symbolon_model::{Event, Model, State, Step};
use symbolon_random::Random;

/// The largest number of joint actions and outcomes that are listed.
const MOST_MOVES: usize = 1000;
/// The largest number of joint actions that are tried for them.
const MOST_TRIED: usize = 100_000;
/// The largest number of names listed for an ambiguous word.
const NAMES_TOLD: usize = 3;
/// Chance picks so often before it looks at the list.
const PICKS: usize = 32;

/// What can happen in a state.
pub(super) struct JointMoves {
    pub(super) list: Vec<JointMove>,
    /// Whether there may be more.
    pub(super) is_cut: bool,
}

/// A joint action, and one state that it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct JointMove {
    /// The name: the joint action, with a number where it can lead to several states.
    pub(super) label: String,
    pub(super) action: Box<[u64]>,
    pub(super) next: State,
}

/// A word that a person chose a joint action with.
enum Word<'t> {
    /// `Agent.action`
    OfAgent(&'t str, &'t str),
    /// `action`, of any agent.
    Anyone(&'t str),
    /// `/2`: the second of several outcomes.
    Outcome(usize),
}

impl JointMoves {
    /// Everything that can happen, as far as the list goes.
    pub(super) fn of(model: &Model, state: &State) -> JointMoves {
        let Some(event) = model.events.first() else { return JointMoves { list: Vec::new(), is_cut: false } };
        JointMoves::among(model, state, &Step::new(model, event).offered(state))
    }

    /// What can happen if the agents do one of these actions each.
    fn among(model: &Model, state: &State, offered: &[Vec<u64>]) -> JointMoves {
        let mut moves = JointMoves { list: Vec::new(), is_cut: false };
        let Some(event) = model.events.first() else { return moves };
        if offered.iter().any(Vec::is_empty) {
            return moves;
        }
        let step = Step::new(model, event);
        let mut picked = vec![0; offered.len()];
        for tried in 1.. {
            let action: Box<[u64]> =
                offered.iter().zip(&picked).map(|(actions, &one)| actions[one]).collect();
            moves.add(model, &step, state, action);
            let is_over = !advance(&mut picked, offered);
            if is_over || moves.list.len() >= MOST_MOVES || tried >= MOST_TRIED {
                moves.is_cut = !is_over;
                break;
            }
        }
        moves
    }

    /// Adds a joint action with each state that it leads to.
    fn add(&mut self, model: &Model, step: &Step<'_>, state: &State, action: Box<[u64]>) {
        let first = self.list.len();
        let label = joint_action_label(model, &action);
        step.for_each_outcome(state, &action, |next| {
            if !self.list[first..].iter().any(|known| known.next == *next) {
                let outcome = self.list.len() - first + 1;
                let label = if outcome == 1 { label.clone() } else { format!("{label} /{outcome}") };
                self.list.push(JointMove { label, action: action.clone(), next: next.clone() });
            }
            self.list.len() < first + MOST_MOVES
        });
    }

    /// The number of the move that these words mean. One that the list does not have is put behind
    /// it.
    pub(super) fn find_meant(
        &mut self,
        model: &Model,
        state: &State,
        text: &str,
    ) -> Result<usize, NotOneEvent> {
        if let Some(found) = self.list.iter().position(|known| known.label == text) {
            return Ok(found);
        }
        let (words, is_label) = words(text);
        let meant = |known: &JointMove| match is_label {
            true => is_called(model, known, &words),
            false => is_meant(model, known, &words),
        };
        let mut found: Vec<JointMove> = self.list.iter().filter(|known| meant(known)).cloned().collect();
        if self.is_cut
            && let Some(event) = model.events.first()
        {
            let offered = restricted(model, event, state, &words, is_label);
            found = JointMoves::among(model, state, &offered).list.into_iter().filter(meant).collect();
        }
        // The first outcome is meant where none is named and all do the same.
        if found.len() > 1 && found.iter().all(|one| one.action == found[0].action) {
            found.truncate(1);
        }
        match found.as_slice() {
            [] => Err(NotOneEvent::None),
            [one] => Ok(self.list.iter().position(|known| known == one).unwrap_or_else(|| {
                self.list.push(one.clone());
                self.list.len() - 1
            })),
            several => Err(NotOneEvent::Several {
                names: several.iter().take(NAMES_TOLD).map(|known| known.label.clone()).collect(),
                count: several.len(),
            }),
        }
    }
}

/// How that is called which leads from a state to the next one by what each agent does; `None` if
/// it does not.
pub(crate) fn outcome_label(
    model: &Model,
    state: &State,
    actions: &[(String, String)],
    next: &State,
) -> Option<String> {
    let action: Option<Box<[u64]>> = model
        .actions
        .iter()
        .map(|agent| {
            let name = component(model, agent.agent.0);
            let (_, action) = actions.iter().find(|(known, _)| known == name)?;
            agent.names.iter().position(|known| known == action).map(|number| number as u64)
        })
        .collect();
    let mut outcomes = JointMoves { list: Vec::new(), is_cut: false };
    outcomes.add(model, &Step::new(model, model.events.first()?), state, action?);
    outcomes.list.into_iter().find(|one| one.next == *next).map(|one| one.label)
}

/// Something that can happen, by chance: every agent picks one of its actions, all equally likely.
pub(super) fn by_chance(model: &Model, state: &State, random: &mut Random) -> Option<JointMove> {
    let step = Step::new(model, model.events.first()?);
    let offered = step.offered(state);
    if offered.iter().any(Vec::is_empty) {
        return None;
    }
    let mut pick = |count: usize| random.below(count.max(1));
    for _ in 0..PICKS {
        let action: Box<[u64]> = offered.iter().map(|actions| actions[pick(actions.len())]).collect();
        let mut moves = JointMoves { list: Vec::new(), is_cut: false };
        moves.add(model, &step, state, action);
        if !moves.list.is_empty() {
            let number = pick(moves.list.len());
            return Some(moves.list.swap_remove(number));
        }
    }
    let mut moves = JointMoves::of(model, state);
    let number = pick(moves.list.len());
    (!moves.list.is_empty()).then(|| moves.list.swap_remove(number))
}

/// Why nothing that these words mean can happen, in sentences.
pub(super) fn obstacles(model: &Model, state: &State, text: &str) -> Vec<String> {
    let Some(event) = model.events.first() else { return Vec::new() };
    let offered = Step::new(model, event).offered(state);
    let (words, is_label) = words(text);
    let agents: Vec<&str> = model.actions.iter().map(|agent| component(model, agent.agent.0)).collect();
    let mut found = Vec::new();
    let named = |index: usize| {
        let names = offered[index].iter().filter_map(|&one| model.actions[index].names.get(one as usize));
        names.cloned().collect::<Vec<_>>().join(", ")
    };
    for (position, word) in words.iter().enumerate() {
        let (index, action) = match word {
            Word::Outcome(_) => continue,
            Word::Anyone(action) if is_label && position < agents.len() => (Some(position), *action),
            Word::Anyone(action) => {
                let has = |index: &usize| model.actions[*index].names.iter().any(|name| name == action);
                let mut having = (0..agents.len()).filter(has);
                match (having.next(), having.next()) {
                    (None, _) => {
                        found.push(format!("no agent has an action '{action}'"));
                        continue;
                    }
                    (index, None) => (index, *action),
                    (Some(first), Some(second)) => {
                        let any = [first, second].into_iter().chain(having);
                        let can = any.clone().any(|index| offers(model, &offered, index, action));
                        if !can {
                            let who: Vec<&str> = any.map(|index| agents[index]).collect();
                            found.push(format!("none of {} may do '{action}' here", who.join(", ")));
                        }
                        continue;
                    }
                }
            }
            Word::OfAgent(agent, action) => match agents.iter().position(|known| known == agent) {
                None => {
                    found.push(format!("there is no agent '{agent}' that acts"));
                    continue;
                }
                index => (index, *action),
            },
        };
        let Some(index) = index else { continue };
        if !model.actions[index].names.iter().any(|name| name == action) {
            let all = model.actions[index].names.join(", ");
            found.push(format!("agent {} has no action '{action}'; it has {all}", agents[index]));
        } else if !offers(model, &offered, index, action) {
            let now = match named(index) {
                now if now.is_empty() => "nothing at all".to_string(),
                now => now,
            };
            found
                .push(format!("the protocol of {} does not offer '{action}' here, but {now}", agents[index]));
        }
    }
    for (index, agent) in agents.iter().enumerate() {
        if offered[index].is_empty() {
            found.push(format!("the protocol of {agent} offers no action here, so no step is possible"));
        }
    }
    if found.is_empty() {
        found.push("every state that it leads to has a value outside its range".to_string());
    }
    found
}

fn offers(model: &Model, offered: &[Vec<u64>], index: usize, action: &str) -> bool {
    offered[index]
        .iter()
        .any(|&one| model.actions[index].names.get(one as usize).is_some_and(|name| name == action))
}

fn component(model: &Model, id: u32) -> &str {
    model.components.get(id as usize).map_or("", |component| component.name.as_str())
}

/// The words of a text, and whether they are one for each agent, in angle brackets.
fn words(text: &str) -> (Vec<Word<'_>>, bool) {
    let is_label = text.starts_with('<');
    let pieces = text.split(|character: char| ";,<>".contains(character) || character.is_whitespace());
    let words = pieces.filter(|piece| !piece.is_empty()).map(|piece| {
        if let Some(number) = piece.strip_prefix('/').and_then(|number| number.parse().ok()) {
            return Word::Outcome(number);
        }
        match piece.split_once('.') {
            Some((agent, action)) => Word::OfAgent(agent, action),
            None => Word::Anyone(piece),
        }
    });
    (words.collect(), is_label)
}

/// Whether a move is the one of this label, agent by agent.
fn is_called(model: &Model, known: &JointMove, words: &[Word<'_>]) -> bool {
    let actions = shown_actions(model, &known.action);
    let mut names = actions.iter();
    let fits = words.iter().all(|word| match word {
        Word::Anyone(action) => names.next().is_some_and(|(_, name)| name == action),
        Word::OfAgent(agent, action) => {
            names.next().is_some_and(|(known, name)| known == agent && name == action)
        }
        Word::Outcome(number) => outcome(known) == *number,
    });
    fits && names.next().is_none()
}

/// Whether a move has all that these words name.
fn is_meant(model: &Model, known: &JointMove, words: &[Word<'_>]) -> bool {
    let actions = shown_actions(model, &known.action);
    words.iter().all(|word| match word {
        Word::Anyone(action) => actions.iter().any(|(_, name)| name == action),
        Word::OfAgent(agent, action) => actions.iter().any(|(known, name)| known == agent && name == action),
        Word::Outcome(number) => outcome(known) == *number,
    })
}

/// The number of a move among those of its joint action.
fn outcome(known: &JointMove) -> usize {
    known.label.rsplit_once(" /").and_then(|(_, number)| number.parse().ok()).unwrap_or(1)
}

/// The actions on offer, but of agents that are named only what is named.
fn restricted(
    model: &Model,
    event: &Event,
    state: &State,
    words: &[Word<'_>],
    is_label: bool,
) -> Vec<Vec<u64>> {
    let mut offered = Step::new(model, event).offered(state);
    let mut keep = |index: usize, action: &str| {
        let names = &model.actions[index].names;
        offered[index].retain(|&one| names.get(one as usize).is_some_and(|name| name == action));
    };
    for (position, word) in words.iter().enumerate() {
        match word {
            Word::Anyone(action) if is_label && position < model.actions.len() => keep(position, action),
            Word::OfAgent(agent, action) => {
                let of_agent = |index: &usize| component(model, model.actions[*index].agent.0) == *agent;
                if let Some(index) = (0..model.actions.len()).find(of_agent) {
                    keep(index, action);
                }
            }
            Word::Anyone(_) | Word::Outcome(_) => {}
        }
    }
    offered
}

/// Counts up; `false` once all were had. The last agent changes first, as lists are read.
fn advance(picked: &mut [usize], offered: &[Vec<u64>]) -> bool {
    for (number, actions) in picked.iter_mut().zip(offered).rev() {
        *number += 1;
        if *number < actions.len() {
            return true;
        }
        *number = 0;
    }
    false
}
