//! The keys of `bounds`.

use serde::Serialize;
use symbolon_checker::BoundReport;

/// The keys of `bounds`, which are there also when some bound is unknown.
#[derive(Serialize)]
pub struct Bounds {
    bounds: Vec<Bound>,
}

#[derive(Serialize)]
struct Bound {
    place: String,
    bound: Option<String>,
    at_least: String,
    at_most: Option<String>,
    method: Option<&'static str>,
    proof: Option<String>,
}

impl Bounds {
    /// The keys of these bounds.
    pub fn new(bounds: &[BoundReport]) -> Bounds {
        let bound = |found: &BoundReport| Bound {
            place: found.name.clone(),
            bound: found.bound_text(),
            at_least: found.at_least_text(),
            at_most: found.at_most_text(),
            method: found.method.map(|method| method.word()),
            proof: found.proof.as_ref().map(ToString::to_string),
        };
        Bounds { bounds: bounds.iter().map(bound).collect() }
    }
}
