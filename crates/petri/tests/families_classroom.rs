//! The families for the classroom: every claim of their descriptions, by visiting all states, and
//! the formulas for their numbers of states.

use std::collections::BTreeMap;
use symbolon_budget::Budget;
use symbolon_explicit::{Exploration, Options, explore};
use symbolon_model::Model;
use symbolon_petri::families::generate;
use symbolon_petri::lower;

/// A member of a family with all its states.
struct Member {
    call: String,
    model: Model,
    found: Exploration,
}

/// Tokens by the name of the place; what is not marked is not in it.
type Marking<'a> = BTreeMap<&'a str, u64>;

fn member(name: &str, parameters: &[u64]) -> Member {
    let call = format!("{name}:{parameters:?}");
    let net = generate(name, parameters, &Budget::unlimited()).unwrap_or_else(|e| panic!("{call}: {e}"));
    assert_eq!(net.check(), Ok(()), "{call}");
    let model = lower(&net);
    let found = explore(&model, &Options::default(), &Budget::unlimited()).expect("the family is bounded");
    Member { call, model, found }
}

impl Member {
    fn has_states(self, count: u64) -> Self {
        assert_eq!(self.found.state_count() as u64, count, "{}: states", self.call);
        self
    }

    fn has_dead_states(self, count: u64) -> Self {
        assert_eq!(self.found.dead_states().len() as u64, count, "{}: dead states", self.call);
        self
    }

    /// No deadlock, and every transition can always happen again.
    fn all_live(self) -> Self {
        let live = self.found.live_events(&self.model, &Budget::unlimited()).expect("small");
        assert_eq!(live.len(), self.model.events.len(), "{}: live transitions", self.call);
        self.has_dead_states(0)
    }

    fn stays_safe(self) -> Self {
        assert_eq!(self.found.max_in_variable(), 1, "{}: tokens in a place", self.call);
        self
    }

    fn always(self, what: &str, holds: impl Fn(&Marking<'_>) -> bool) -> Self {
        for number in 0..self.found.state_count() {
            let marking = self.marking(number);
            assert!(holds(&marking), "{}: not always {what}: {marking:?}", self.call);
        }
        self
    }

    fn at_every_end(self, what: &str, holds: impl Fn(&Marking<'_>) -> bool) -> Self {
        for &number in self.found.dead_states() {
            let marking = self.marking(number);
            assert!(holds(&marking), "{}: an end without {what}: {marking:?}", self.call);
        }
        self
    }

    /// No transition of this beginning of a name is ever enabled where `forbids` holds.
    fn never_fires(self, prefix: &str, forbids: impl Fn(&Marking<'_>) -> bool) -> Self {
        let mut tried = 0;
        for event in self.model.events.iter().filter(|event| event.name.starts_with(prefix)) {
            for (number, state) in self.found.states().enumerate() {
                if event.fire(&state).expect("small").is_some() {
                    tried += 1;
                    let marking = self.marking(number);
                    assert!(!forbids(&marking), "{}: {} in {marking:?}", self.call, event.name);
                }
            }
        }
        assert!(tried > 0, "{}: no {prefix} was ever enabled", self.call);
        self
    }

    fn marking(&self, number: usize) -> Marking<'_> {
        let names = self.model.variables.iter().map(|variable| variable.name.as_str());
        names.zip(self.found.state(number)).filter(|(_, tokens)| *tokens > 0).collect()
    }
}

/// The tokens in one place.
fn at(marking: &Marking<'_>, place: &str) -> u64 {
    marking.get(place).copied().unwrap_or(0)
}

/// The tokens in all places whose names begin so.
fn all(marking: &Marking<'_>, prefix: &str) -> u64 {
    marking.iter().filter(|(name, _)| name.starts_with(prefix)).map(|(_, tokens)| tokens).sum()
}

#[test]
fn the_buffer_never_overflows() {
    for [p, c, n] in [[1, 1, 1], [2, 2, 3], [1, 4, 2], [5, 3, 7]] {
        member("producer-consumer", &[p, c, n])
            .has_states((p + 1) * (n + 1) * (c + 1))
            .always("N slots", |m| at(m, "items") + at(m, "free_slots") == n)
            .all_live();
    }
}

#[test]
fn writers_are_alone() {
    for [r, w] in [[1, 1], [3, 2], [2, 5], [6, 4]] {
        member("readers-writers", &[r, w])
            .has_states((r + 1) * (r + 2) / 2 * (w + 1) + (r + 1) * w)
            .always("alone", |m| at(m, "writing") <= 1 && (at(m, "writing") == 0 || at(m, "reading") == 0))
            .all_live();
    }
    // All may read together, and meanwhile all writers may wait.
    let together = member("readers-writers", &[3, 2]);
    let state = [0, 0, 3, 0, 2, 0, 0];
    assert!(together.found.contains(&state), "three readers at once");
}

#[test]
fn one_direction_goes_at_a_time() {
    for n in [2, 3, 4, 6] {
        member("traffic-lights", &[n])
            .has_states(3 * n * 2_u64.pow(n as u32))
            .stays_safe()
            .always("one light that is not red", |m| all(m, "green_") + all(m, "yellow_") <= 1)
            .always("one colour a light", |m| {
                (1..=n).all(|i| {
                    at(m, &format!("red_{i}")) + at(m, &format!("green_{i}")) + at(m, &format!("yellow_{i}"))
                        == 1
                })
            })
            .never_fires("car_drives_1", |m| at(m, "green_1") == 0)
            .all_live();
    }
}

#[test]
fn cars_stand_while_people_walk() {
    for n in [1, 2, 3] {
        member("pedestrian-light", &[n])
            .has_states(8_u64.pow(n as u32))
            .stays_safe()
            .always("cars at red", |m| {
                (1..=n).all(|i| at(m, &format!("people_green_{i}")) <= at(m, &format!("cars_red_{i}")))
            })
            .always("one colour a light", |m| {
                all(m, "cars_green") + all(m, "cars_yellow") + all(m, "cars_red") == n
            })
            .never_fires("stop_cars_1", |m| at(m, "button_pressed_1") == 0)
            .all_live();
    }
}

#[test]
fn the_cabin_moves_with_closed_doors() {
    for f in [2, 3, 5, 8] {
        member("elevator", &[f])
            .has_states(f * 2_u64.pow(f as u32 + 1))
            .stays_safe()
            .always("one floor", |m| all(m, "cabin_at_") == 1)
            .always("open or closed", |m| at(m, "doors_open") + at(m, "doors_closed") == 1)
            .never_fires("move_", |m| at(m, "doors_open") == 1)
            .never_fires("open_doors_at_2", |m| at(m, "called_2") == 0 || at(m, "cabin_at_2") == 0)
            .all_live();
    }
}

#[test]
fn all_participants_decide_alike() {
    for n in [1, 2, 3, 5] {
        let power = |base: u64, exponent: u64| base.pow(exponent as u32);
        member("two-phase-commit", &[n])
            .has_states(1 + power(3, n) + power(2, n) + 2 * n * power(5, n - 1))
            .has_dead_states(1 + n * power(2, n - 1))
            .stays_safe()
            .always("alike", |m| {
                let commits = all(m, "committed_") + at(m, "coordinator_committed");
                commits == 0 || all(m, "aborted_") + at(m, "coordinator_aborted") == 0
            })
            .never_fires("decide_commit", |m| all(m, "yes_") < n)
            .at_every_end("a decision of all", |m| {
                (all(m, "committed_") == n && at(m, "coordinator_committed") == 1)
                    || (all(m, "aborted_") == n && at(m, "coordinator_aborted") == 1)
            });
    }
}

/// The largest members can be written at all; their parameters are not too generous.
#[test]
fn counting_families_take_any_number() {
    let many = i64::MAX as u64;
    for (name, parameters) in [("producer-consumer", &[many; 3][..]), ("readers-writers", &[many; 2])] {
        let net = generate(name, parameters, &Budget::unlimited()).expect(name);
        assert_eq!(net.check(), Ok(()), "{name}");
    }
}
