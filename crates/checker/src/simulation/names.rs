//! Events by name: exactly, or by the beginning of a name.

use super::enabled::EnabledEvents;
use symbolon_model::{EventId, Model};

/// The largest number of names listed for an ambiguous beginning.
const NAMES_TOLD: usize = 3;

/// A text that means no event, or more than one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotOneEvent {
    /// No name begins so.
    None,
    /// Several do.
    Several {
        /// The first ones.
        names: Vec<String>,
        /// How many there are.
        count: usize,
    },
}

/// All events, sorted by name.
pub(super) struct NameIndex(Vec<EventId>);

impl NameIndex {
    /// The index of a model.
    pub(super) fn of(model: &Model) -> NameIndex {
        let mut events: Vec<EventId> = model.event_ids().collect();
        events.sort_unstable_by_key(|&event| &model.event(event).name);
        NameIndex(events)
    }

    /// The event of this name.
    pub(super) fn find(&self, model: &Model, name: &str) -> Option<EventId> {
        let found = self.0.binary_search_by_key(&name, |&event| &model.event(event).name);
        found.ok().map(|index| self.0[index])
    }

    /// The event of this name, or else the only one whose name begins so, among the enabled ones if
    /// any does.
    pub(super) fn find_meant(
        &self,
        model: &Model,
        text: &str,
        enabled: &EnabledEvents,
    ) -> Result<EventId, NotOneEvent> {
        if let Some(event) = self.find(model, text) {
            return Ok(event);
        }
        let name = |event: &EventId| model.event(*event).name.as_str();
        let start = self.0.partition_point(|event| name(event) < text);
        let length = self.0[start..].partition_point(|event| name(event).starts_with(text));
        let all = &self.0[start..start + length];
        let now: Vec<EventId> = all.iter().copied().filter(|&event| enabled.contains(event)).collect();
        match if now.is_empty() { all } else { &now } {
            [] => Err(NotOneEvent::None),
            [event] => Ok(*event),
            several => Err(NotOneEvent::Several {
                names: several.iter().take(NAMES_TOLD).map(|event| name(event).to_string()).collect(),
                count: several.len(),
            }),
        }
    }
}
