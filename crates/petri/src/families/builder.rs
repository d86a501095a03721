//! What all families write their nets with.

use crate::net::{Net, Place, PlaceId, Transition};
use symbolon_budget::{Budget, Interrupted, Meter};

/// A net under construction. Arcs have weight 1 unless a family says otherwise.
#[derive(Debug)]
pub(super) struct Builder {
    net: Net,
    meter: Meter,
}

/// Places that were added together, numbered from 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    first: u32,
    count: u32,
}

impl Builder {
    /// A net with nothing in it.
    pub(super) fn new(name: String, budget: &Budget) -> Self {
        Builder { net: Net { name, ..Net::default() }, meter: Meter::new(budget.clone()) }
    }

    /// Adds one place.
    pub(super) fn place(&mut self, id: &str, initial: u64) -> Result<PlaceId, Interrupted> {
        self.row(1, |_| id.to_string(), |_| initial).map(|row| row.at(0))
    }

    /// Adds `count` places; `id` and `initial` tell the name and the marking of each, by its
    /// number.
    pub(super) fn row(
        &mut self,
        count: u64,
        id: impl Fn(u64) -> String,
        initial: impl Fn(u64) -> u64,
    ) -> Result<Row, Interrupted> {
        let row = Row { first: self.net.places.len() as u32, count: count as u32 };
        self.check_room::<Place>(count)?;
        self.net.places.reserve(count as usize);
        for number in 0..count {
            self.meter.step()?;
            self.net.places.push(Place { id: id(number), label: None, initial: initial(number) });
        }
        Ok(row)
    }

    /// Adds a transition that takes one token from each input and puts one to each output.
    pub(super) fn transition<const INPUTS: usize, const OUTPUTS: usize>(
        &mut self,
        id: String,
        inputs: [PlaceId; INPUTS],
        outputs: [PlaceId; OUTPUTS],
    ) -> Result<(), Interrupted> {
        let with_weight = |place: PlaceId| (place, 1);
        self.weighted_transition(id, inputs.map(with_weight), outputs.map(with_weight))
    }

    /// The same for any number of arcs.
    pub(super) fn wide_transition(
        &mut self,
        id: String,
        inputs: Vec<PlaceId>,
        outputs: Vec<PlaceId>,
    ) -> Result<(), Interrupted> {
        self.meter.step()?;
        let with_weight = |place: PlaceId| (place, 1);
        let inputs = inputs.into_iter().map(with_weight);
        self.push(Transition::moving(id, inputs, outputs.into_iter().map(with_weight)));
        Ok(())
    }

    /// The same for arcs with weights.
    pub(super) fn weighted_transition<const INPUTS: usize, const OUTPUTS: usize>(
        &mut self,
        id: String,
        inputs: [(PlaceId, u64); INPUTS],
        outputs: [(PlaceId, u64); OUTPUTS],
    ) -> Result<(), Interrupted> {
        self.meter.step()?;
        self.push(Transition::moving(id, inputs, outputs));
        Ok(())
    }

    fn push(&mut self, transition: Transition) {
        self.net.transitions.push(transition);
    }

    /// Says that `count` more places will come, so that they are stored without waste.
    pub(super) fn expect_places(&mut self, count: u64) -> Result<(), Interrupted> {
        self.check_room::<Place>(count)?;
        self.net.places.reserve_exact(count as usize);
        Ok(())
    }

    /// Says that `count` more transitions will come, so that they are stored without waste.
    pub(super) fn expect_transitions(&mut self, count: u64) -> Result<(), Interrupted> {
        self.check_room::<Transition>(count)?;
        self.net.transitions.reserve_exact(count as usize);
        Ok(())
    }

    /// Numbers of users decide how much is reserved at once, so the budget is asked before, for
    /// anything that is large.
    fn check_room<T>(&self, count: u64) -> Result<(), Interrupted> {
        const LARGE: u64 = 1 << 20;
        let bytes = count.saturating_mul(size_of::<T>() as u64);
        if bytes < LARGE { Ok(()) } else { self.meter.budget().check_room_for(bytes) }
    }

    /// The net.
    pub(super) fn finish(self) -> Net {
        self.net
    }
}

impl Row {
    /// The place with this number in the row.
    pub(super) fn at(self, number: u64) -> PlaceId {
        debug_assert!(number < u64::from(self.count), "a family stays inside its rows");
        PlaceId(self.first + number as u32)
    }
}

/// The name `word` followed by `number`. Families have thousands of such names, and `format!` takes
/// several times as long.
pub(super) fn numbered(word: &str, number: u64) -> String {
    let digit_count = number.checked_ilog10().unwrap_or(0) as usize + 1;
    let mut name = String::with_capacity(word.len() + digit_count);
    name.push_str(word);
    let mut unit = 10_u64.pow(digit_count as u32 - 1);
    while unit > 0 {
        name.push(char::from(b'0' + (number / unit % 10) as u8));
        unit /= 10;
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_names_are_what_format_makes() {
        for number in [0, 1, 9, 10, 99, 100, 4_096, 1_000_000, u64::MAX] {
            assert_eq!(numbered("Fork_", number), format!("Fork_{number}"));
        }
    }
}
