//! Random nets survive writing and reading, and shuffling changes the order and nothing else.

use symbolon_budget::Budget;
use symbolon_petri::read::read_pnml;
use symbolon_petri::write::write_pnml;
use symbolon_petri::{Arc, Net, Place, PlaceId, Transition, Unit, UnitClaim};

struct Random(symbolon_random::Random);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0.next_u64() % bound
    }

    fn name(&mut self, kind: &str, number: usize) -> String {
        const ODD: [&str; 8] = ["", " a", "<&>\"'", "é", "\u{1}b", "]]>", "&amp;", "-->"];
        format!("{kind}{}{number}", ODD[self.below(8) as usize])
    }

    fn count(&mut self) -> u64 {
        match self.below(4) {
            0 => i64::MAX as u64 - self.below(3),
            1 => 1,
            _ => 1 + self.below(5),
        }
    }

    fn arcs(&mut self, place_count: usize) -> Vec<(PlaceId, u64)> {
        (0..place_count as u32)
            .filter(|_| self.below(3) == 0)
            .collect::<Vec<_>>()
            .into_iter()
            .map(|place| (PlaceId(place), self.count()))
            .collect()
    }

    fn net(&mut self) -> Net {
        let (place_count, transition_count) = (self.below(8) as usize, self.below(6) as usize);
        let mut net = Net { name: self.name("net", 0), ..Net::default() };
        for number in 0..place_count {
            let label = (self.below(3) == 0).then(|| self.name("label", number).into());
            let initial = if self.below(2) == 0 { 0 } else { self.count() };
            net.places.push(Place { id: self.name("p", number), label, initial });
        }
        for number in 0..transition_count {
            let label = (self.below(3) == 0).then(|| self.name("label", number).into());
            let id = self.name("t", number);
            let mut transition = Transition::moving(id, self.arcs(place_count), self.arcs(place_count));
            for (place, weight) in self.arcs(place_count) {
                transition.add(Arc::Inhibitor { place, weight });
            }
            for (place, weight) in self.arcs(place_count) {
                transition.add(Arc::Read { place, weight });
            }
            for (place, _) in self.arcs(place_count) {
                transition.add(Arc::Reset { place });
            }
            net.transitions.push(Transition { label, ..transition });
        }
        for number in 0..self.below(5) as usize {
            let parent = (number > 0 && self.below(4) > 0).then(|| self.below(number as u64) as u32);
            net.units.push(Unit { id: self.name("u", number), parent, places: Vec::new() });
        }
        if !net.units.is_empty() {
            let claims = [UnitClaim::Nothing, UnitClaim::UnitSafe, UnitClaim::NestedUnits];
            net.unit_claim = claims[self.below(3) as usize];
            for place in net.place_ids() {
                let unit = self.below(net.units.len() as u64) as usize;
                net.units[unit].places.push(place);
            }
        }
        net
    }
}

fn read_back(net: &Net) -> Net {
    let text = write_pnml(net);
    let reading = read_pnml(text.as_bytes(), &Budget::unlimited()).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(reading.warnings, [], "{text}");
    reading.net
}

/// What a net says, whatever its order.
fn facts(net: &Net) -> Vec<String> {
    let id = |place: &PlaceId| net.places[place.index()].id.clone();
    // Without its place, so that the number of the place does not matter.
    let arc = |arc: &Arc| (id(&arc.place()), arc.at(PlaceId(0)).position(), arc.weight());
    let sorted = |places: &[PlaceId]| {
        let mut list: Vec<_> = places.iter().map(id).collect();
        list.sort();
        list
    };
    let mut facts: Vec<String> = net.places.iter().map(|place| format!("{place:?}")).collect();
    for t in &net.transitions {
        let mut arcs: Vec<_> = t.arcs.iter().map(arc).collect();
        arcs.sort();
        facts.push(format!("{} {:?} {arcs:?}", t.id, t.label));
    }
    for unit in &net.units {
        facts.push(format!("{} {:?} {:?}", unit.id, unit.parent, sorted(&unit.places)));
    }
    facts.sort();
    facts
}

#[test]
fn random_nets_survive() {
    let seed = std::env::var("SYMBOLON_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(20_250_101);
    println!("SYMBOLON_SEED={seed}");
    let mut random = Random(symbolon_random::Random::new(seed));
    for round in 0..1000 {
        let net = random.net();
        assert_eq!(net.check(), Ok(()), "round {round}");
        assert_eq!(read_back(&net), net, "round {round}");
        let shuffled = net.shuffled(round);
        assert_eq!(shuffled.check(), Ok(()), "round {round}");
        assert_eq!(facts(&shuffled), facts(&net), "round {round}");
        assert_eq!(shuffled, net.shuffled(round), "round {round}");
        assert_eq!(read_back(&shuffled), shuffled, "round {round}");
    }
}

#[test]
fn shuffling_reaches_other_orders() {
    let place = |number: u32| Place { id: format!("p{number}"), ..Place::default() };
    let net = Net { places: (0..100).map(place).collect(), ..Net::default() };
    assert_ne!(net.shuffled(1), net);
    assert_ne!(net.shuffled(1), net.shuffled(2));
}
