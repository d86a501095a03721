//! Random place/transition nets, their PNML, and smaller ones.

use crate::names::{escaped, is_plain, names};
use crate::random::Random;
use std::fmt::Write;

/// What an arc does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArcKind {
    /// Takes tokens.
    Input,
    /// Puts tokens.
    Output,
    /// Forbids that many tokens.
    Inhibitor,
    /// Asks for tokens.
    Read,
    /// Empties the place.
    Reset,
}

/// A net.
#[derive(Clone, Debug)]
pub(crate) struct RandomNet {
    /// The identifiers and tokens of places.
    pub(crate) places: Vec<(String, u64)>,
    /// The transitions.
    pub(crate) transitions: Vec<RandomTransition>,
    /// On how many pages the places stand.
    pages: usize,
    /// The nested units, if the file has them.
    units: Option<Units>,
}

/// Units of a net: a root, and units within it.
#[derive(Clone, Debug)]
struct Units {
    /// For each place its unit; 0 is the root.
    of_place: Vec<usize>,
    /// Whether the file claims that at most one place of a unit is marked. It need not be true.
    claims_safety: bool,
}

/// A transition: its identifier and its arcs.
#[derive(Clone, Debug)]
pub(crate) struct RandomTransition {
    pub(crate) id: String,
    arcs: Vec<(ArcKind, usize, u64)>,
}

/// Numbers at which representations of numbers change.
const LARGE: [u64; 8] =
    [1 << 20, (1 << 31) - 1, 1 << 32, (1 << 53) + 1, 1 << 61, 1 << 62, (1 << 63) - 2, (1 << 63) - 1];

impl RandomNet {
    /// A net by chance.
    pub(crate) fn draw(random: &mut Random) -> RandomNet {
        let taken = &mut Vec::new();
        let place_count = random.range(1, 6);
        let places = names(random, 'p', place_count, taken);
        let transition_count = random.range(1, 6);
        let transitions = names(random, 't', transition_count, taken);
        // Some nets lose no tokens and win none, some shrink, some may grow.
        let may_grow = random.percent(25);
        let has_weights = random.percent(40);
        let weight = |random: &mut Random| match has_weights && random.percent(35) {
            true => random.range(2, 4) as u64,
            false => 1,
        };
        let tokens = |random: &mut Random| match random.below(100) {
            0..50 => 0,
            50..80 => 1,
            80..92 => 2,
            _ => random.range(3, 6) as u64,
        };
        let places: Vec<(String, u64)> = places.into_iter().map(|name| (name, tokens(random))).collect();
        let transition = |id: String, random: &mut Random| {
            let mut arcs: Vec<(ArcKind, usize, u64)> = Vec::new();
            let input_count = if random.percent(5) { 0 } else { random.range(1, 3) };
            for _ in 0..input_count {
                let place = random.below(place_count);
                if !arcs.iter().any(|(kind, known, _)| *kind == ArcKind::Input && *known == place) {
                    arcs.push((ArcKind::Input, place, weight(random)));
                }
            }
            let mut budget: u64 = arcs.iter().map(|(_, _, weight)| weight).sum();
            for _ in 0..random.below(4) {
                let place = random.below(place_count);
                let mut weight = weight(random);
                if !may_grow {
                    weight = weight.min(budget);
                    budget -= weight;
                }
                if weight > 0
                    && !arcs.iter().any(|(kind, known, _)| *kind == ArcKind::Output && *known == place)
                {
                    arcs.push((ArcKind::Output, place, weight));
                }
            }
            for (kind, times) in [(ArcKind::Inhibitor, 12), (ArcKind::Read, 12), (ArcKind::Reset, 9)] {
                if random.percent(times) {
                    let place = random.below(place_count);
                    let weight = if kind == ArcKind::Reset { 1 } else { weight(random) };
                    arcs.push((kind, place, weight));
                }
            }
            RandomTransition { id, arcs }
        };
        let transitions = transitions.into_iter().map(|id| transition(id, random)).collect();
        let pages = if random.percent(12) { random.range(2, 3) } else { 1 };
        let can_list = places.iter().all(|(name, _)| is_plain(name));
        let units = (pages == 1 && can_list && random.percent(15)).then(|| Units {
            of_place: (0..place_count).map(|_| random.below(4)).collect(),
            claims_safety: random.percent(50),
        });
        let mut net = RandomNet { places, transitions, pages, units };
        if random.percent(5) {
            net.make_large(random);
        }
        net
    }

    /// Puts a large number at one place: as its tokens, as the weight of its arcs, or both.
    fn make_large(&mut self, random: &mut Random) {
        let place = random.below(self.places.len());
        let large = *random.one(&LARGE);
        if random.percent(60) {
            self.places[place].1 = if random.percent(70) { large } else { large / 2 + 1 };
        }
        for arc in self.transitions.iter_mut().flat_map(|transition| &mut transition.arcs) {
            if arc.1 == place && arc.0 != ArcKind::Reset && random.percent(60) {
                arc.2 = if random.percent(70) { large } else { large / 2 };
            }
        }
    }

    /// The largest number in it.
    pub(crate) fn largest_number(&self) -> u64 {
        let weights =
            self.transitions.iter().flat_map(|transition| &transition.arcs).map(|(_, _, weight)| *weight);
        self.places.iter().map(|(_, tokens)| *tokens).chain(weights).max().unwrap_or(0)
    }

    /// Whether some transition has an arc of this kind.
    pub(crate) fn has(&self, wanted: ArcKind) -> bool {
        self.transitions.iter().flat_map(|transition| &transition.arcs).any(|(kind, ..)| *kind == wanted)
    }

    /// The units, or the pages if there are several and each has a place: they are agents.
    pub(crate) fn page_names(&self) -> Vec<String> {
        if self.units.is_some() {
            return [0].into_iter().chain(self.inner_units()).map(|unit| format!("u{unit}")).collect();
        }
        let count = if self.places.len() < self.pages || self.pages < 2 { 0 } else { self.pages };
        (0..count).map(|page| format!("page{page}")).collect()
    }

    /// The units within the root that have places.
    fn inner_units(&self) -> Vec<usize> {
        let used = |unit: &usize| self.units.as_ref().is_some_and(|units| units.of_place.contains(unit));
        (1..4).filter(used).collect()
    }

    /// The section of nested units, as the contest has it.
    fn write_units(&self, units: &Units, text: &mut String) {
        let arcs: usize = self.transitions.iter().map(|transition| transition.arcs.len()).sum();
        let inner = self.inner_units();
        let _ = writeln!(
            text,
            "<toolspecific tool=\"nupn\" version=\"1.1\"><size places=\"{}\" transitions=\"{}\" arcs=\"{arcs}\"/>\n\
             <structure units=\"{}\" root=\"u0\" safe=\"{}\">",
            self.places.len(),
            self.transitions.len(),
            inner.len() + 1,
            units.claims_safety
        );
        for unit in [0].into_iter().chain(inner.iter().copied()) {
            let own = (0..self.places.len()).filter(|&place| units.of_place[place] == unit);
            let own: Vec<&str> = own.map(|place| self.places[place].0.as_str()).collect();
            let below: Vec<String> = match unit {
                0 => inner.iter().map(|unit| format!("u{unit}")).collect(),
                _ => Vec::new(),
            };
            let _ = writeln!(
                text,
                "<unit id=\"u{unit}\"><places>{}</places><subunits>{}</subunits></unit>",
                own.join(" "),
                below.join(" ")
            );
        }
        text.push_str("</structure></toolspecific>\n");
    }

    /// The net as PNML.
    pub(crate) fn text(&self) -> String {
        let mut text = "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n<net id=\"net\" \
                        type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\n"
            .to_string();
        // A string takes everything that is written to it.
        for page in 0..self.pages {
            let _ = writeln!(text, "<page id=\"page{page}\">");
            for (number, (id, tokens)) in self.places.iter().enumerate() {
                if number % self.pages != page {
                    continue;
                }
                let _ = match tokens {
                    0 => writeln!(text, "<place id=\"{}\"/>", escaped(id)),
                    _ => writeln!(
                        text,
                        "<place id=\"{}\"><initialMarking><text>{tokens}</text></initialMarking></place>",
                        escaped(id)
                    ),
                };
            }
            if page == 0 {
                self.write_transitions(&mut text);
                if let Some(units) = &self.units {
                    self.write_units(units, &mut text);
                }
            }
            text.push_str("</page>\n");
        }
        text.push_str("</net></pnml>\n");
        text
    }

    fn write_transitions(&self, text: &mut String) {
        let mut number = 0;
        for transition in &self.transitions {
            let _ = writeln!(text, "<transition id=\"{}\"/>", escaped(&transition.id));
        }
        for transition in &self.transitions {
            for (kind, place, weight) in &transition.arcs {
                let (place, transition) = (escaped(&self.places[*place].0), escaped(&transition.id));
                let (source, target) =
                    if *kind == ArcKind::Output { (transition, place) } else { (place, transition) };
                let _ = write!(text, "<arc id=\"arc {number}\" source=\"{source}\" target=\"{target}\">");
                number += 1;
                if *weight != 1 {
                    let _ = write!(text, "<inscription><text>{weight}</text></inscription>");
                }
                text.push_str(match kind {
                    ArcKind::Input | ArcKind::Output => "",
                    ArcKind::Inhibitor => "<type value=\"inhibitor\"/>",
                    ArcKind::Read => "<type value=\"test\"/>",
                    ArcKind::Reset => "<arctype><text>reset</text></arctype>",
                });
                text.push_str("</arc>\n");
            }
        }
    }

    /// Nets with something taken away, the largest pieces first.
    pub(crate) fn smaller(&self) -> Vec<RandomNet> {
        let mut found = Vec::new();
        for number in 0..self.transitions.len() {
            let mut net = self.clone();
            net.transitions.remove(number);
            found.push(net);
        }
        for number in 0..self.places.len() {
            let mut net = self.clone();
            net.places.remove(number);
            if let Some(units) = &mut net.units {
                units.of_place.remove(number);
            }
            for transition in &mut net.transitions {
                transition.arcs.retain(|(_, place, _)| *place != number);
                transition.arcs.iter_mut().filter(|arc| arc.1 > number).for_each(|arc| arc.1 -= 1);
            }
            found.push(net);
        }
        for (number, transition) in self.transitions.iter().enumerate() {
            for arc in 0..transition.arcs.len() {
                let mut net = self.clone();
                net.transitions[number].arcs.remove(arc);
                found.push(net);
                if transition.arcs[arc].2 > 1 {
                    let mut net = self.clone();
                    net.transitions[number].arcs[arc].2 = 1;
                    found.push(net);
                }
            }
        }
        for (number, (_, tokens)) in self.places.iter().enumerate() {
            for fewer in [0, 1, tokens / 2, tokens.saturating_sub(1)] {
                if fewer < *tokens {
                    let mut net = self.clone();
                    net.places[number].1 = fewer;
                    found.push(net);
                }
            }
        }
        if self.units.is_some() {
            found.push(RandomNet { units: None, ..self.clone() });
        }
        if self.pages > 1 {
            found.push(RandomNet { pages: 1, ..self.clone() });
        }
        found
    }
}
