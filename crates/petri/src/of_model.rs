//! From a model back to a net, where each event tests and changes variables one by one with
//! constants alone.
//!
//! A variable becomes a place of the same number, an event a transition of the same number.
//! Lowering the net gives the same parts again: with a part that is enabled from `a` to `b` tokens,
//!
//! ```text
//! adds d ≠ 0      takes a, puts a + d         tests        reads a
//! assigns v       reads a, resets, puts v     b is finite  inhibited from b + 1 on
//! ```
//!
//! What values of variables are called is lost: places count tokens.

use crate::arc::Arc;
use crate::net::{LARGEST_COUNT, Net, Place, PlaceId, Transition, Unit, UnitClaim};
use std::fmt;
use symbolon_model::{Change, Event, Model, Part, Predicate};

/// Why a model has no net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotANet {
    /// It has several initial states.
    SeveralInitialStates,
    /// This event compares or computes with several variables, or moves agents together.
    Event(String),
}

impl fmt::Display for NotANet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotANet::SeveralInitialStates => {
                f.write_str("the model has several initial states, and a net has one marking")
            }
            NotANet::Event(name) => {
                write!(f, "'{name}' computes with variables or compares several, which arcs cannot express")
            }
        }
    }
}

impl std::error::Error for NotANet {}

/// The net of a model.
pub fn net_of(model: &Model) -> Result<Net, NotANet> {
    let [initial] = model.initial.as_slice() else { return Err(NotANet::SeveralInitialStates) };
    let places = model.variables.iter().zip(initial.iter());
    let places = places.map(|(variable, &initial)| Place { id: variable.name.clone(), label: None, initial });
    let transitions = model.events.iter().map(|event| transition_of(event, model.variables.len()));
    let transitions = transitions.collect::<Result<_, _>>()?;
    let units = model.components.iter().map(|component| Unit {
        id: component.name.clone(),
        parent: component.parent.map(|parent| parent.0),
        places: component.variables.iter().map(|variable| PlaceId(variable.0)).collect(),
    });
    Ok(Net {
        name: model.name.clone(),
        places: places.collect(),
        transitions,
        units: units.collect(),
        unit_claim: UnitClaim::Nothing,
    })
}

fn transition_of(event: &Event, place_count: usize) -> Result<Transition, NotANet> {
    let mut parts = Vec::with_capacity(event.parts.len());
    for part in &event.parts {
        match part {
            Part::Local { variable, at_least, at_most, change } => {
                parts.push((PlaceId(variable.0), *at_least, *at_most, *change));
            }
            // What never happens tests any place for a token and for none.
            Part::General { guard, .. } if **guard == Predicate::False && place_count > 0 => {
                parts = vec![(PlaceId(0), 1, 0, Change::Add(0))];
                break;
            }
            _ => return Err(NotANet::Event(event.name.clone())),
        }
    }
    let mut arcs = Vec::new();
    for (place, at_least, at_most, change) in parts {
        let no_such_arc = || NotANet::Event(event.name.clone());
        if at_most < LARGEST_COUNT {
            arcs.push(Arc::Inhibitor { place, weight: at_most + 1 });
        }
        let put = match change {
            Change::Add(0) => {
                if at_least > 0 {
                    arcs.push(Arc::Read { place, weight: at_least });
                }
                continue;
            }
            Change::Add(added) => {
                if at_least > 0 {
                    arcs.push(Arc::Input { place, weight: at_least });
                }
                at_least.checked_add_signed(added).ok_or_else(no_such_arc)?
            }
            Change::Set(value) => {
                if at_least > 0 {
                    arcs.push(Arc::Read { place, weight: at_least });
                }
                arcs.push(Arc::Reset { place });
                value
            }
        };
        if put > LARGEST_COUNT || at_least > LARGEST_COUNT {
            return Err(no_such_arc());
        }
        if put > 0 {
            arcs.push(Arc::Output { place, weight: put });
        }
    }
    Ok(Transition::new(event.name.clone(), arcs))
}
