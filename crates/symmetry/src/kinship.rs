//! Members of place/transition nets: which places belong to processes that can be exchanged.
//!
//! A net that was unfolded from a coloured one, or written by a script, has a place per process and
//! says nowhere that they are alike. Places with equal surroundings are found by refinement: two
//! places are told apart as soon as their tokens, or the transitions around them, differ. The places
//! of one cell of that partition may be the members of a class. If the place of one member is marked
//! out and the refinement is done again, the places that look different from before are those that
//! belong to the member, and *how* they look says at which position of a colour it stands:
//!
//! ```text
//!  marked out      idle_1   idle_2   …           waits_1_2 looks special to 1 and to 2, in two ways:
//!  looks special   busy_1   busy_2               it is a colour (1,2) of a place `waits`
//! ```
//!
//! All of this is a guess; [`regroup`] checks it, and refuses what is not exactly symmetric. It also
//! refuses transitions that treat several members alike, such as one that sends a message to all
//! others: a binding would have to name each of them.

use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_coloured::{Belonging, Colouring, Regrouped, regroup};
use symbolon_petri::{Arc, Net};

/// Cells of fewer places are no class: with so few members there is little to gain, and positions
/// of colours could be confused.
const SMALLEST_CLASS: usize = 4;
/// The most cells that are tried as classes.
const MOST_TRIALS: usize = 8;
/// The most factors of a colour.
const MOST_FACTORS: usize = 3;
/// The most numbers that are compared for one cell: its places times all places.
const MOST_LOOKS: usize = 20_000_000;

/// A place/transition net as a coloured net with members that can be exchanged; `None` if none are
/// found.
pub fn find_members(net: &Net, budget: &Budget) -> Result<Option<Regrouped>, Interrupted> {
    let mut search = Search { net, meter: Meter::new(budget.clone()) };
    let stable = search.stable()?;
    let mut colouring = Colouring::default();
    colouring.places.resize(net.places.len(), Belonging::default());
    let mut families: Vec<Vec<u64>> = stable.places.iter().map(|&look| vec![look]).collect();
    for cell in cells(&stable.places).into_iter().take(MOST_TRIALS) {
        if !colouring.places[cell[0]].members.is_empty() {
            continue;
        }
        let Some(found) = search.members(&stable, &cell)? else { continue };
        let class = colouring.class_sizes.len() as u32;
        colouring.class_sizes.push(cell.len() as u32);
        for (place, (looks, members)) in found.into_iter().enumerate() {
            families[place].extend(looks);
            colouring.places[place].members.extend(members.into_iter().map(|member| (class, member)));
        }
    }
    if colouring.class_sizes.is_empty() {
        return Ok(None);
    }
    let mut numbers: FxHashMap<Vec<u64>, u32> = FxHashMap::default();
    let mut met: FxHashMap<Belonging, FxHashMap<Vec<u64>, u64>> = FxHashMap::default();
    for (belonging, mut family) in colouring.places.iter_mut().zip(families) {
        // Places that look alike to all members are families of their own.
        let alike = met.entry(belonging.clone()).or_default();
        let count = alike.entry(family.clone()).or_default();
        let number = *count;
        *count += 1;
        family.push(number);
        let next = numbers.len() as u32;
        belonging.family = *numbers.entry(family).or_insert(next);
    }
    let regrouped = regroup(net, &colouring, budget)?;
    // A transition that several bindings mean would be counted several times.
    Ok(regrouped.filter(|found| found.net.transition_ids().all(|id| found.repeats(id) == 1)))
}

/// The cells of a partition that may be classes, small ones first.
fn cells(looks: &[u64]) -> Vec<Vec<usize>> {
    let mut by_look: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    for (place, &look) in looks.iter().enumerate() {
        by_look.entry(look).or_default().push(place);
    }
    let mut cells: Vec<Vec<usize>> =
        by_look.into_values().filter(|cell| cell.len() >= SMALLEST_CLASS).collect();
    cells.sort_unstable_by_key(|cell| (cell.len(), cell[0]));
    cells
}

/// How places and transitions look: equal numbers where nothing tells them apart.
#[derive(Clone, Debug)]
struct Looks {
    places: Vec<u64>,
    transitions: Vec<u64>,
}

struct Search<'n> {
    net: &'n Net,
    meter: Meter,
}

/// For each place, how it looks to the members that it belongs to, and these members; in the order of
/// the looks.
type Members = Vec<(Vec<u64>, Vec<u32>)>;

impl Search<'_> {
    /// The partition that only tokens and arcs tell apart.
    fn stable(&mut self) -> Result<Looks, Interrupted> {
        let places = self.net.places.iter().map(|place| mixed(&(0_u8, place.initial))).collect();
        let mut looks = Looks { places, transitions: vec![0; self.net.transitions.len()] };
        self.refine_to_the_end(&mut looks)?;
        Ok(looks)
    }

    /// Refines until nothing more is told apart. Returns the number of rounds.
    fn refine_to_the_end(&mut self, looks: &mut Looks) -> Result<usize, Interrupted> {
        let mut count = distinct(&looks.places);
        let mut rounds = 0;
        loop {
            self.refine(looks)?;
            rounds += 1;
            let now = distinct(&looks.places);
            if now == count {
                return Ok(rounds);
            }
            count = now;
        }
    }

    /// One round: what is around a node becomes part of how it looks.
    fn refine(&mut self, looks: &mut Looks) -> Result<(), Interrupted> {
        let mut around_places = vec![0_u64; looks.places.len()];
        for (number, transition) in self.net.transitions.iter().enumerate() {
            self.meter.step()?;
            let mut around = 0_u64;
            for arc in &transition.arcs {
                around = around.wrapping_add(mixed(&(kind(*arc), looks.places[arc.place().index()])));
            }
            looks.transitions[number] = mixed(&(looks.transitions[number], around));
            for arc in &transition.arcs {
                let place = &mut around_places[arc.place().index()];
                *place = place.wrapping_add(mixed(&(kind(*arc), looks.transitions[number])));
            }
        }
        for (look, around) in looks.places.iter_mut().zip(around_places) {
            *look = mixed(&(*look, around));
        }
        Ok(())
    }

    /// The members that each place belongs to, if the places of `cell` are one member each; `None` if
    /// that is no good guess.
    fn members(&mut self, stable: &Looks, cell: &[usize]) -> Result<Option<Members>, Interrupted> {
        let place_count = self.net.places.len();
        if cell.len().saturating_mul(place_count) > MOST_LOOKS {
            return Ok(None);
        }
        let mut rounds = None;
        let mut looks: Vec<Vec<u64>> = Vec::with_capacity(cell.len());
        for &place in cell {
            let mut marked = stable.clone();
            marked.places[place] = mixed(&(1_u8, marked.places[place]));
            // Looks can be compared after equally many rounds.
            match rounds {
                None => rounds = Some(self.refine_to_the_end(&mut marked)?),
                Some(rounds) => (0..rounds).try_for_each(|_| self.refine(&mut marked))?,
            }
            looks.push(marked.places);
        }
        let mut found = Vec::with_capacity(place_count);
        for place in 0..place_count {
            let to_members: Vec<u64> = looks.iter().map(|looks| looks[place]).collect();
            let usual = most_frequent(&to_members);
            let mut special: Vec<(u64, u32)> =
                to_members.into_iter().zip(0..).filter(|(look, _)| *look != usual).collect();
            special.sort_unstable();
            let is_clear = special.windows(2).all(|pair| pair[0].0 != pair[1].0);
            if special.len() > MOST_FACTORS || 2 * special.len() >= cell.len() || !is_clear {
                return Ok(None);
            }
            found.push(special.into_iter().unzip());
        }
        Ok(Some(found))
    }
}

fn kind(arc: Arc) -> (u8, u64) {
    match arc {
        Arc::Input { weight, .. } => (0, weight),
        Arc::Read { weight, .. } => (1, weight),
        Arc::Inhibitor { weight, .. } => (2, weight),
        Arc::Reset { .. } => (3, 0),
        Arc::Output { weight, .. } => (4, weight),
    }
}

fn mixed(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    // Sums of hashes must not cancel out.
    let mixed = hasher.finish();
    let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

fn distinct(values: &[u64]) -> usize {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

fn most_frequent(values: &[u64]) -> u64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted.chunk_by(|a, b| a == b).max_by_key(|run| run.len()).map_or(0, |run| run[0])
}
