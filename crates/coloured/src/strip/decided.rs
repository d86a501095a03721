//! Transitions whose enabling depends on totals alone (COL-S3).
//!
//! If the guard is `true`, and every place that is tested is tested by one arc for one token whose
//! colour no other arc restricts, then any token in each of these places gives a binding. Places
//! with one colour may be tested in any way: their total is the number of tokens of that colour.

use crate::arc::Arc;
use crate::guard::Guard;
use crate::ids::VariableId;
use crate::net::{Net, Transition};
use crate::term::{MemberTerm, MultisetTerm};
use rustc_hash::FxHashMap;

/// Whether the totals decide if `transition` is enabled under some binding.
pub(super) fn by_totals(net: &Net, transition: &Transition) -> bool {
    if transition.guard != Guard::Constant(true) {
        return false;
    }
    let mut uses: FxHashMap<VariableId, u32> = FxHashMap::default();
    for arc in &transition.arcs {
        if let Arc::Input { tokens, .. } | Arc::Read { tokens, .. } | Arc::Inhibitor { tokens, .. } = arc {
            tokens.visit_variables(&mut |variable| *uses.entry(variable).or_default() += 1);
        }
    }
    // COL-6: the arcs at one place follow each other.
    transition.arcs.chunk_by(|a, b| a.place() == b.place()).all(|arcs| {
        let has_one_colour = net.places[arcs[0].place().index()].domain.size(net) == Some(1);
        let is_test =
            |arc: &&Arc| matches!(arc, Arc::Input { .. } | Arc::Read { .. } | Arc::Inhibitor { .. });
        let tests: Vec<&Arc> = arcs.iter().filter(is_test).collect();
        match tests[..] {
            [] => true,
            _ if has_one_colour => tests.iter().all(|arc| is_one_number(arc.tokens())),
            [Arc::Input { tokens, .. } | Arc::Read { tokens, .. }] => is_any_colour(net, tokens, &uses),
            _ => false,
        }
    })
}

/// Whether a term over a domain with one colour surely denotes the same number of tokens under every
/// binding: there is only one way to bind what stands in it.
fn is_one_number(term: &MultisetTerm) -> bool {
    match term {
        MultisetTerm::Empty(_) | MultisetTerm::All(_) | MultisetTerm::Member(_) | MultisetTerm::Part(_) => {
            true
        }
        MultisetTerm::Tuple(terms) | MultisetTerm::Sum(terms) => terms.iter().all(is_one_number),
        MultisetTerm::Difference(_) => false,
        MultisetTerm::Scaled { term, .. } => is_one_number(term),
    }
}

/// Whether a term denotes one colour, and for each colour of the domain there is a binding under
/// which it denotes that one, whatever the variables of other arcs are.
fn is_any_colour(net: &Net, term: &MultisetTerm, uses: &FxHashMap<VariableId, u32>) -> bool {
    match term {
        MultisetTerm::Member(MemberTerm::Variable { variable, .. }) => {
            uses.get(variable) == Some(&1) || net.class_of(*variable).size() == 1
        }
        MultisetTerm::Member(MemberTerm::Constant { class, .. }) => net.classes[class.index()].size() == 1,
        MultisetTerm::Tuple(terms) => terms.iter().all(|term| is_any_colour(net, term, uses)),
        _ => false,
    }
}
