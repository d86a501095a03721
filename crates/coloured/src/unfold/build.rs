//! The unfolded net, once colours and bindings are known.

use super::join::{InitialTokens, Joined, Rows};
use super::slot_term::{SlotTerm, colour_code};
use super::transition::PreparedTransition;
use super::{Instances, InstancesFound, UnfoldError, Unfolded, colour_count};
use crate::colour::ColourNames;
use crate::net::Net;
use rustc_hash::FxHashSet;
use std::fmt::Write;
use symbolon_budget::{Budget, Meter};
use symbolon_petri as petri;
use symbolon_petri::net::LARGEST_COUNT;

/// What a place or a transition takes, besides its arcs.
const NODE_BYTES: u64 = 120;
/// What an arc takes.
const ARC_BYTES: u64 = 16;
/// What the value of a variable takes in a binding.
const BINDING_BYTES: u64 = 4;

/// Builds the net, and the tables of the way back.
pub(super) fn build(found: InstancesFound, arc_limit: u64, budget: &Budget) -> Result<Unfolded, UnfoldError> {
    let InstancesFound { net, prepared, initial, is_constant, joined: Joined { rows, codes } } = found;
    let net = &net;
    let mut builder = Builder {
        net,
        names: ColourNames::of(net),
        places: InstancesOfPlaces::new(net, &codes),
        codes,
        meter: Meter::new(budget.clone()),
        text: String::new(),
    };
    let mut unfolded = Unfolded {
        net: petri::Net { name: net.name.clone(), ..petri::Net::default() },
        first_places: builder.places.first.clone(),
        codes: Vec::new(),
        first_transitions: vec![0],
        variables: Vec::new(),
        bindings: Vec::new(),
        is_constant,
        colour_count: colour_count(net),
    };
    let place_count: usize = builder.codes.iter().map(Vec::len).sum();
    budget.check_room_for(NODE_BYTES * place_count as u64)?;
    unfolded.net.places = builder.places(&initial)?;
    let mut arc_count = 0;
    for (coloured, (transition, rows)) in net.transitions.iter().zip(prepared.iter().zip(rows)) {
        let width = transition.variables.len();
        let count = rows.iter().map(|rows| rows.count).product::<u64>();
        let arc_bytes = ARC_BYTES * transition.arcs.len() as u64;
        budget.check_room_for((NODE_BYTES + arc_bytes + 2 * BINDING_BYTES * width as u64) * count)?;
        let bindings = builder.bindings(transition, rows, count)?;
        unfolded.net.transitions.reserve_exact(count as usize);
        for position in 0..count as usize {
            builder.meter.step()?;
            let binding = &bindings[position * width..(position + 1) * width];
            let arcs = builder.arcs(transition, binding);
            arc_count += arcs.len() as u64;
            if arc_count > arc_limit {
                let count = u128::from(arc_count);
                return Err(UnfoldError::TooLarge { what: Instances::Arcs, count, is_exact: false });
            }
            let too_many = |arc: &petri::Arc| arc.weight().is_some_and(|weight| weight > LARGEST_COUNT);
            if arcs.iter().any(too_many) {
                return Err(UnfoldError::TooManyTokens(coloured.id.clone()));
            }
            let id = builder.transition_text(&coloured.id, transition, binding);
            let label = coloured.label.as_deref();
            let label = label.map(|label| builder.transition_text(label, transition, binding).into());
            unfolded.net.transitions.push(petri::Transition { id, label, arcs });
        }
        unfolded.first_transitions.push(unfolded.net.transitions.len() as u32);
        unfolded.variables.push(transition.variables.clone());
        unfolded.bindings.push(bindings);
    }
    unfolded.net.units = units(net, &builder.places.first);
    unfolded.codes = builder.codes.concat();
    // Ids of instances differ as they should, unless the source has an id that looks like one.
    if net.places.iter().any(|place| place.id.contains('[')) {
        tell_apart(unfolded.net.places.iter_mut().map(|place| &mut place.id));
    }
    if net.transitions.iter().any(|transition| transition.id.contains('(')) {
        tell_apart(unfolded.net.transitions.iter_mut().map(|transition| &mut transition.id));
    }
    Ok(unfolded)
}

struct Builder<'b> {
    net: &'b Net,
    names: ColourNames,
    places: InstancesOfPlaces,
    /// The colours of the instances of each place.
    codes: Vec<Vec<u64>>,
    meter: Meter,
    text: String,
}

/// Which instances a place has.
struct InstancesOfPlaces {
    /// The first instance of each place; one more at the end.
    first: Vec<u32>,
    /// Whether every colour of the domain has an instance; then its code is its position.
    is_whole: Vec<bool>,
}

impl InstancesOfPlaces {
    fn new(net: &Net, codes: &[Vec<u64>]) -> InstancesOfPlaces {
        let mut first = vec![0];
        let mut is_whole = Vec::new();
        for (place, codes) in net.places.iter().zip(codes) {
            first.push(first.last().copied().unwrap_or(0) + codes.len() as u32);
            is_whole.push(place.domain.size(net) == Some(codes.len() as u64));
        }
        InstancesOfPlaces { first, is_whole }
    }
}

impl Builder<'_> {
    /// The instance of a place for a colour.
    fn instance(&self, place: crate::PlaceId, code: u64) -> Option<petri::PlaceId> {
        let index = place.index();
        let position = if self.places.is_whole[index] {
            code as u32
        } else {
            self.codes[index].binary_search(&code).ok()? as u32
        };
        Some(petri::PlaceId(self.places.first[index] + position))
    }

    fn places(&mut self, initial: &InitialTokens) -> Result<Vec<petri::Place>, UnfoldError> {
        let mut places = Vec::with_capacity(self.codes.iter().map(Vec::len).sum());
        for (number, coloured) in self.net.places.iter().enumerate() {
            let mut tokens = initial[number].iter().copied().peekable();
            let is_dot = self.net.is_dot(&coloured.domain);
            for position in 0..self.codes[number].len() {
                self.meter.step()?;
                let code = self.codes[number][position];
                // Both lists ascend.
                let initial = tokens.next_if(|(token, _)| *token == code).map_or(0, |(_, count)| count);
                let mut name = |text: &str| {
                    self.text.clear();
                    self.text.push_str(text);
                    if !is_dot {
                        let colour = coloured.domain.colour(self.net, code);
                        self.text.push('[');
                        // Writing to a string cannot fail.
                        let _ = self.names.write_colour(self.net, &coloured.domain, &colour, &mut self.text);
                        self.text.push(']');
                    }
                    self.text.as_str().to_string()
                };
                let id = name(&coloured.id);
                let label = coloured.label.as_deref().map(|label| name(label).into());
                places.push(petri::Place { id, label, initial });
            }
        }
        Ok(places)
    }

    fn transition_text(&mut self, name: &str, transition: &PreparedTransition, binding: &[u32]) -> String {
        self.text.clear();
        self.text.push_str(name);
        for (position, (&variable, &member)) in transition.variables.iter().zip(binding).enumerate() {
            let value = self.names.member(self.net, self.net.variables[variable.index()].class, member);
            let name = self.names.variable(self.net, variable);
            let sign = if position == 0 { '(' } else { ',' };
            // Writing to a string cannot fail.
            let _ = write!(self.text, "{sign}{name}={value}");
        }
        if !binding.is_empty() {
            self.text.push(')');
        }
        self.text.as_str().to_string()
    }

    /// The arcs of an instance.
    fn arcs(&self, transition: &PreparedTransition, binding: &[u32]) -> Vec<petri::Arc> {
        let mut arcs = Vec::with_capacity(transition.arcs.len());
        for (arc, term) in &transition.arcs {
            let place = arc.place();
            let mut add = |code: u64, weight: u64| {
                // Inhibitor and reset arcs at colours that are never marked do nothing.
                if weight > 0
                    && let Some(instance) = self.instance(place, code)
                {
                    arcs.push(arc.instance(instance, weight));
                }
            };
            let known = &self.codes[place.index()];
            match term {
                SlotTerm::Colour(members) => add(colour_code(members, binding), 1),
                SlotTerm::Scaled(weight, inner) if matches!(**inner, SlotTerm::Colour(_)) => {
                    if let SlotTerm::Colour(members) = &**inner {
                        add(colour_code(members, binding), *weight);
                    }
                }
                _ => match term.codes(binding, known.len() as u64) {
                    Ok(codes) => codes.into_iter().for_each(|(code, weight)| add(code, weight)),
                    // More colours than are ever marked: ask for each of these.
                    Err(_) => known.iter().for_each(|&code| add(code, term.multiplicity(code, binding))),
                },
            }
        }
        petri::tidy_arcs(&mut arcs);
        arcs.shrink_to_fit();
        arcs
    }

    /// All `count` combinations of the bindings of the components, in lexical order.
    fn bindings(
        &mut self,
        transition: &PreparedTransition,
        rows: Vec<Rows>,
        count: u64,
    ) -> Result<Vec<u32>, UnfoldError> {
        let width = transition.variables.len();
        if count == 0 {
            return Ok(Vec::new());
        }
        let mut all = vec![0; width];
        let mut all_count = 1;
        for (component, rows) in transition.components.iter().zip(rows) {
            let slots = &component.slots;
            if slots.is_empty() {
                continue;
            }
            if slots.len() == width {
                all = rows.values;
                all_count = rows.count as usize;
                continue;
            }
            let mut next = Vec::with_capacity(all_count * rows.count as usize * width);
            for left in all.chunks_exact(width) {
                for right in rows.values.chunks_exact(slots.len()) {
                    self.meter.step()?;
                    let begin = next.len();
                    next.extend_from_slice(left);
                    for (&slot, &value) in slots.iter().zip(right) {
                        next[begin + slot as usize] = value;
                    }
                }
            }
            all_count *= rows.count as usize;
            all = next;
        }
        sort_rows(&mut all, &transition.sizes);
        Ok(all)
    }
}

/// Sorts rows with one value below each of `sizes`.
fn sort_rows(values: &mut Vec<u32>, sizes: &[u32]) {
    let width = sizes.len();
    if width == 0 {
        return;
    }
    let code_count = sizes.iter().try_fold(1_u64, |product, size| product.checked_mul(u64::from(*size)));
    if code_count.is_some() {
        let code = |row: &[u32]| {
            row.iter()
                .zip(sizes)
                .fold(0_u64, |code, (value, size)| code * u64::from(*size) + u64::from(*value))
        };
        let mut codes: Vec<u64> = values.chunks_exact(width).map(code).collect();
        codes.sort_unstable();
        for (row, mut code) in values.chunks_exact_mut(width).zip(codes) {
            for (value, size) in row.iter_mut().zip(sizes).rev() {
                *value = (code % u64::from(*size)) as u32;
                code /= u64::from(*size);
            }
        }
    } else {
        let mut rows: Vec<&[u32]> = values.chunks_exact(width).collect();
        rows.sort_unstable();
        *values = rows.concat();
    }
}

/// Pages as units, if there are several.
fn units(net: &Net, first_places: &[u32]) -> Vec<petri::Unit> {
    let mut units: Vec<petri::Unit> = net
        .pages
        .iter()
        .map(|page| petri::Unit {
            id: page.id.clone(),
            parent: page.parent.map(|parent| parent.0),
            places: Vec::new(),
        })
        .collect();
    for (number, place) in net.places.iter().enumerate() {
        if let Some(page) = place.page {
            let range = first_places[number]..first_places[number + 1];
            units[page.index()].places.extend(range.map(petri::PlaceId));
        }
    }
    units
}

/// Makes ids distinct (PETRI-P1).
fn tell_apart<'i>(ids: impl Iterator<Item = &'i mut String>) {
    let mut seen: FxHashSet<String> = FxHashSet::default();
    for id in ids {
        while !seen.insert(id.clone()) {
            id.push('\'');
        }
    }
}
