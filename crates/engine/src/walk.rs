//! Random walks: cheap evidence before, or instead of, exploring.
//!
//! A walk proves what it meets: that a state without successors is reachable, that an event can
//! happen, that a variable changes or exceeds a bound. It never proves an absence.

use symbolon_budget::{Budget, Interrupted};
use symbolon_model::{EventId, Model, State, VariableId};
use symbolon_random::Random;

/// How far to walk.
#[derive(Clone, Copy, Debug)]
pub struct WalkOptions {
    /// Steps in all.
    pub steps: u64,
    /// Steps after which a walk starts again from an initial state.
    pub steps_per_walk: u64,
    /// Seed of the random choices.
    pub seed: u64,
}

/// What the walks met.
#[derive(Clone, Debug)]
pub struct Walked {
    /// A trace to a state in which no event is enabled.
    pub dead: Option<(State, Vec<EventId>)>,
    /// For each event, whether it was enabled somewhere.
    pub ever_enabled: Vec<bool>,
    /// For each variable, its smallest value met.
    pub smallest: Vec<u64>,
    /// For each variable, its largest value met.
    pub largest: Vec<u64>,
}

/// Walks at random until the steps are used up, `enough` says so, or the time of the budget is
/// over.
pub fn random_walks(
    model: &Model,
    options: WalkOptions,
    budget: &Budget,
    enough: impl Fn(&Walked) -> bool,
) -> Result<Walked, Interrupted> {
    let mut walked = Walked {
        dead: None,
        ever_enabled: vec![false; model.events.len()],
        smallest: vec![u64::MAX; model.variables.len()],
        largest: vec![0; model.variables.len()],
    };
    // Steps of agents, and initial states that are described, are not walked.
    if model.is_synchronous() || model.initial.is_empty() {
        return Ok(walked);
    }
    let readers = readers_of(model);
    let mut random = Random::new(options.seed);
    let mut steps = 0;
    let mut number = 0;
    while steps < options.steps {
        let initial = &model.initial[number % model.initial.len()];
        number += 1;
        let mut walk = Walk::start(model, initial);
        walk.note_all(&mut walked);
        let mut trace = Vec::new();
        for _ in 0..options.steps_per_walk {
            if walk.enabled.is_empty() {
                if walked.dead.is_none() {
                    walked.dead = Some((initial.clone(), std::mem::take(&mut trace)));
                }
                break;
            }
            let event = walk.enabled[random.below(walk.enabled.len())];
            let Ok(Some(next)) = model.event(event).fire(&walk.state) else { break };
            trace.push(event);
            walk.go(model, &readers, event, next, &mut walked);
            steps += 1;
            if steps.is_multiple_of(256) {
                match budget.check() {
                    Err(Interrupted::Timeout) => return Ok(walked),
                    other => other?,
                }
                if enough(&walked) {
                    return Ok(walked);
                }
            }
            if steps >= options.steps {
                break;
            }
        }
        if enough(&walked) || walk.enabled.is_empty() && trace.is_empty() && number >= model.initial.len() * 2
        {
            return Ok(walked);
        }
        steps += 1;
    }
    Ok(walked)
}

/// One walk: the state, and which events are enabled in it.
struct Walk {
    state: State,
    enabled: Vec<EventId>,
    /// Where each event stands in `enabled`; `u32::MAX` if it does not.
    position: Vec<u32>,
}

impl Walk {
    fn start(model: &Model, initial: &State) -> Walk {
        let mut walk = Walk {
            state: initial.clone(),
            enabled: Vec::new(),
            position: vec![u32::MAX; model.events.len()],
        };
        for event in model.event_ids() {
            walk.refresh(model, event);
        }
        walk
    }

    fn refresh(&mut self, model: &Model, event: EventId) -> bool {
        let is_enabled = model.event(event).is_enabled(&self.state);
        let position = self.position[event.index()];
        if is_enabled && position == u32::MAX {
            self.position[event.index()] = self.enabled.len() as u32;
            self.enabled.push(event);
        } else if !is_enabled && position != u32::MAX {
            self.enabled.swap_remove(position as usize);
            if let Some(moved) = self.enabled.get(position as usize) {
                self.position[moved.index()] = position;
            }
            self.position[event.index()] = u32::MAX;
        }
        is_enabled
    }

    fn go(
        &mut self,
        model: &Model,
        readers: &[Vec<EventId>],
        event: EventId,
        next: State,
        walked: &mut Walked,
    ) {
        let before = std::mem::replace(&mut self.state, next);
        for variable in model.event(event).variables().into_iter().map(VariableId::index) {
            if self.state[variable] == before[variable] {
                continue;
            }
            let value = self.state[variable];
            walked.smallest[variable] = walked.smallest[variable].min(value);
            walked.largest[variable] = walked.largest[variable].max(value);
            for &event in &readers[variable] {
                walked.ever_enabled[event.index()] |= self.refresh(model, event);
            }
        }
    }

    fn note_all(&self, walked: &mut Walked) {
        for (variable, &value) in self.state.iter().enumerate() {
            walked.smallest[variable] = walked.smallest[variable].min(value);
            walked.largest[variable] = walked.largest[variable].max(value);
        }
        for event in &self.enabled {
            walked.ever_enabled[event.index()] = true;
        }
    }
}

/// For each variable, the events that may be enabled or disabled by its change.
fn readers_of(model: &Model) -> Vec<Vec<EventId>> {
    let mut readers = vec![Vec::new(); model.variables.len()];
    for event in model.event_ids() {
        for variable in model.event(event).variables() {
            readers[variable.index()].push(event);
        }
    }
    readers
}
