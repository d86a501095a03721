//! Nets with one bit a place, for kernels of binary diagrams that know nothing of nets.
//!
//! An event of a safe net tests some bits and sets some. Its image needs no second copy of the
//! variables: the states in which it is enabled, without the bits that it sets, with their new
//! values.

use symbolon_budget::Budget;
use symbolon_engine::order::{self, Blocks, Effort, Heuristic, Interaction};
use symbolon_model::{Change, Event, Part};
use symbolon_petri::analysis::{AnalysisOptions, analyse};
use symbolon_petri::{families, lower_with};

/// Bits with a value.
pub type Literals = Vec<(u32, bool)>;

/// A net whose places hold at most one token, as bits in a good order.
#[derive(Clone, Debug)]
pub struct SafeNet {
    /// The number of bits; bit 0 stands highest.
    pub bit_count: u32,
    /// The initial state.
    pub initial: Literals,
    /// For each event what it needs, and what it sets.
    pub moves: Vec<(Literals, Literals)>,
}

impl SafeNet {
    /// The net of a family, such as `philosophers:30`, with places in the order `force`.
    pub fn new(call: &str) -> SafeNet {
        let budget = Budget::unlimited();
        let (family, parameters) = families::parse(call).expect("a built-in family");
        let net = family.generate(&parameters, &budget).expect("parameters in range");
        let analysis = analyse(&net, &AnalysisOptions::default(), &budget).expect("the budget is unlimited");
        let model = lower_with(&net, &analysis);
        let is_safe = |bound: &Option<u64>| bound.is_some_and(|bound| bound <= 1);
        assert!(model.facts.upper_bounds.iter().all(is_safe), "{call} is not known to be safe");
        let blocks = Blocks::single(&model);
        let interaction = Interaction::new(&model, &blocks);
        let order = order::compute(&interaction, Heuristic::Force.into(), Effort::Normal, &budget);
        let order = order.expect("the budget is unlimited").expect("this heuristic declines no model");
        let mut bit_of = vec![0; model.variables.len()];
        for (bit, &block) in order.blocks.iter().enumerate() {
            blocks.block(block).iter().for_each(|place| bit_of[place.index()] = bit as u32);
        }
        let initial = model.initial[0].iter().zip(&bit_of).map(|(&tokens, &bit)| (bit, tokens > 0)).collect();
        // From the lowest up, so that chaining meets neighbours one after another.
        let mut moves: Vec<(Literals, Literals)> =
            model.events.iter().map(|event| as_move(event, &bit_of)).collect();
        let top = |one: &(Literals, Literals)| one.0.iter().chain(&one.1).map(|&(bit, _)| bit).min();
        moves.sort_by_key(|one| std::cmp::Reverse(top(one)));
        SafeNet { bit_count: bit_of.len() as u32, initial, moves }
    }
}

fn as_move(event: &Event, bit_of: &[u32]) -> (Literals, Literals) {
    let (mut needs, mut sets) = (Vec::new(), Vec::new());
    for part in &event.parts {
        let Part::Local { variable, at_least, at_most, change } = part else {
            panic!("a net has local parts only");
        };
        let bit = bit_of[variable.index()];
        let after = match change {
            Change::Add(0) => None,
            Change::Add(tokens) => Some(*tokens > 0),
            Change::Set(tokens) => Some(*tokens > 0),
        };
        if *at_least > 0 {
            needs.push((bit, true));
        } else if *at_most == 0 || matches!(change, Change::Add(1..)) {
            needs.push((bit, false));
        }
        sets.extend(after.map(|value| (bit, value)));
    }
    (needs, sets)
}
