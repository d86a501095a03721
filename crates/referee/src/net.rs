//! Place/transition nets, read from PNML and played by the firing rule.
//!
//! A transition is enabled if every input place holds at least the weight of its arc, every read
//! arc likewise, and every place with an inhibitor arc holds fewer tokens than the weight. Firing
//! takes the tokens of the input arcs, empties the places with reset arcs, and then puts the tokens
//! of the output arcs.
//!
//! In a net with nested units (NUPN) each unit is an agent that sees its own places and those of
//! the units within it. In one without units but with several pages, each page is an agent. Neither
//! acts; those with nothing within them are the group `all`.

use crate::model::{Agent, Agents, Kind, Model, State, Step, Variable};
use crate::xml::{self, Element};

/// What an arc does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arc {
    Input,
    Output,
    Inhibitor,
    Read,
    Reset,
}

/// A transition with its arcs: what each does, at which place, with which weight.
#[derive(Clone, Debug)]
struct Transition {
    id: String,
    arcs: Vec<(Arc, usize, i128)>,
}

/// A net.
#[derive(Clone, Debug)]
pub struct Net {
    places: Vec<Variable>,
    transitions: Vec<Transition>,
    initial: State,
    pages: Agents,
}

impl Net {
    /// Reads PNML.
    pub fn read(text: &str) -> Result<Net, String> {
        let document = xml::read(text)?;
        let find = |name: &str| {
            let mut found = Vec::new();
            document.all(name, &mut found);
            found
        };
        let mut net = Net {
            places: Vec::new(),
            transitions: Vec::new(),
            initial: Vec::new(),
            pages: Agents::default(),
        };
        for place in find("place") {
            net.places.push(Variable { name: id(place)?, kind: Kind::Number });
            net.initial.push(match place.child("initialMarking") {
                Some(marking) => number(marking)?,
                None => 0,
            });
        }
        let units = find("unit");
        let pages = find("page");
        match units.is_empty() {
            false => net.read_units(&units)?,
            true if pages.len() > 1 => net.read_pages(&pages)?,
            true => (),
        }
        for transition in find("transition") {
            net.transitions.push(Transition { id: id(transition)?, arcs: Vec::new() });
        }
        for arc in find("arc") {
            net.add_arc(arc)?;
        }
        Ok(net)
    }

    fn add_agent(&mut self, name: String, places: &[String], is_innermost: bool) -> Result<(), String> {
        let position = |place: &String| self.position(place).ok_or_else(|| format!("no place {place}"));
        let sees = places.iter().map(position).collect::<Result<Vec<usize>, String>>()?;
        self.pages.list.push(Agent { name: name.clone(), sees, acts: None });
        if is_innermost {
            self.pages.groups.entry("all".to_string()).or_default().push(name);
        }
        Ok(())
    }

    fn read_pages(&mut self, pages: &[&Element]) -> Result<(), String> {
        for page in pages {
            let mut places = Vec::new();
            page.all("place", &mut places);
            let places = places.iter().map(|place| id(place)).collect::<Result<Vec<String>, String>>()?;
            self.add_agent(id(page)?, &places, true)?;
        }
        Ok(())
    }

    fn read_units(&mut self, units: &[&Element]) -> Result<(), String> {
        let words = |unit: &Element, name: &str| -> Vec<String> {
            let text = unit.child(name).map_or("", |list| list.text.as_str());
            text.split_whitespace().map(str::to_string).collect()
        };
        for unit in units {
            // The places of the unit and of everything within it.
            let mut places = Vec::new();
            let mut waiting = vec![id(unit)?];
            while let Some(name) = waiting.pop() {
                let found = units.iter().find(|unit| unit.attribute("id") == Some(&name));
                let found = found.ok_or_else(|| format!("no unit {name}"))?;
                places.extend(words(found, "places"));
                waiting.extend(words(found, "subunits"));
            }
            self.add_agent(id(unit)?, &places, words(unit, "subunits").is_empty())?;
        }
        Ok(())
    }

    fn add_arc(&mut self, arc: &Element) -> Result<(), String> {
        let end = |name| arc.attribute(name).ok_or("an arc without end").map(str::to_string);
        let (source, target) = (end("source")?, end("target")?);
        let place = |name: &str| self.places.iter().position(|place| place.name == name);
        let transition = |name: &str| self.transitions.iter().position(|known| known.id == name);
        let weight = match arc.child("inscription") {
            Some(weight) => number(weight)?,
            None => 1,
        };
        let written = match (arc.child("type"), arc.child("arctype")) {
            (Some(kind), _) => kind.attribute("value").unwrap_or("normal").to_string(),
            (None, Some(kind)) => kind.child("text").map_or("normal", |text| text.text.trim()).to_string(),
            (None, None) => "normal".to_string(),
        };
        let (transition, place, is_input) = match (place(&source), transition(&target)) {
            (Some(place), Some(transition)) => (transition, place, true),
            _ => match (transition(&source), place(&target)) {
                (Some(transition), Some(place)) => (transition, place, false),
                _ => return Err(format!("an arc from {source} to {target}")),
            },
        };
        let kind = match (written.as_str(), is_input) {
            ("normal", true) => Arc::Input,
            ("normal", false) => Arc::Output,
            ("inhibitor", true) => Arc::Inhibitor,
            ("test" | "read", true) => Arc::Read,
            ("reset", true) => Arc::Reset,
            (other, _) => return Err(format!("an arc of type {other}")),
        };
        self.transitions[transition].arcs.push((kind, place, weight));
        Ok(())
    }

    /// The names of the transitions.
    pub fn transitions(&self) -> impl Iterator<Item = &str> {
        self.transitions.iter().map(|transition| transition.id.as_str())
    }

    fn is_enabled(transition: &Transition, marking: &[i128]) -> bool {
        // Several input arcs of one place add up.
        let mut needed = vec![0; marking.len()];
        for (arc, place, weight) in &transition.arcs {
            if *arc == Arc::Input {
                needed[*place] += weight;
            }
        }
        let tests = transition.arcs.iter().all(|&(arc, place, weight)| match arc {
            Arc::Read => marking[place] >= weight,
            Arc::Inhibitor => marking[place] < weight,
            Arc::Input | Arc::Output | Arc::Reset => true,
        });
        tests && needed.iter().zip(marking).all(|(needed, tokens)| tokens >= needed)
    }

    fn fire(transition: &Transition, marking: &[i128]) -> State {
        let mut next = marking.to_vec();
        let arcs = |wanted: Arc| transition.arcs.iter().filter(move |(arc, ..)| *arc == wanted);
        arcs(Arc::Input).for_each(|&(_, place, weight)| next[place] -= weight);
        arcs(Arc::Reset).for_each(|&(_, place, _)| next[place] = 0);
        arcs(Arc::Output).for_each(|&(_, place, weight)| next[place] += weight);
        next
    }
}

fn id(element: &Element) -> Result<String, String> {
    element.attribute("id").map(str::to_string).ok_or_else(|| format!("a <{}> without id", element.name))
}

/// The number in `<text>`.
fn number(element: &Element) -> Result<i128, String> {
    let text = element.child("text").map_or("", |text| text.text.trim());
    text.parse().map_err(|_| format!("not a number: {text}"))
}

impl Model for Net {
    fn variables(&self) -> &[Variable] {
        &self.places
    }

    fn initial_states(&self) -> Vec<State> {
        vec![self.initial.clone()]
    }

    fn steps(&self, state: &[i128]) -> Vec<Step> {
        let enabled = self.transitions.iter().filter(|transition| Net::is_enabled(transition, state));
        enabled.map(|one| Step { label: vec![one.id.clone()], to: Net::fire(one, state) }).collect()
    }

    fn is_true(&self, name: &str, state: &[i128]) -> Result<bool, String> {
        self.position(name).map(|place| state[place] > 0).ok_or_else(|| format!("no place {name}"))
    }

    fn is_fireable(&self, event: &str, state: &[i128]) -> Result<bool, String> {
        let transition = self.transitions.iter().find(|transition| transition.id == event);
        transition.map(|one| Net::is_enabled(one, state)).ok_or_else(|| format!("no transition {event}"))
    }

    fn agents(&self) -> &Agents {
        &self.pages
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn net(arcs: &str) -> Net {
        Net::read(&format!(
            "<pnml><net id='n' type='ptnet'><page id='g'><place id='p'><initialMarking><text>2</text></initialMarking>\
             </place><place id='q'/><transition id='t'/>{arcs}</page></net></pnml>"
        ))
        .unwrap()
    }

    fn next(arcs: &str) -> Vec<State> {
        let net = net(arcs);
        net.steps(&net.initial).into_iter().map(|step| step.to).collect()
    }

    #[test]
    fn arcs_do_what_their_names_say() {
        let take = "<arc id='a' source='p' target='t'><inscription><text>2</text></inscription></arc>";
        let put = "<arc id='b' source='t' target='q'/>";
        assert_eq!(next(&format!("{take}{put}")), [[0, 1]]);
        let read = "<arc id='c' source='p' target='t'><inscription><text>2</text></inscription><type value='test'/></arc>";
        assert_eq!(next(&format!("{read}{put}")), [[2, 1]]);
        let stop = read.replace("test", "inhibitor");
        assert!(next(&format!("{stop}{put}")).is_empty(), "two tokens are not fewer than two");
        assert_eq!(next(&format!("{}{put}", stop.replace("<text>2", "<text>3"))), [[2, 1]]);
        let reset = "<arc id='d' source='p' target='t'><arctype><text>reset</text></arctype></arc>";
        assert_eq!(next(&format!("{reset}{put}")), [[0, 1]]);
        assert_eq!(next(&format!("{reset}<arc id='e' source='t' target='p'/>")), [[1, 0]]);
    }
}
