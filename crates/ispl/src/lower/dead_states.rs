//! What formulas of CTL mean where states may be dead.
//!
//! The established checker of this language computes fixpoints over steps and adds none at dead
//! states. So nothing is next there, and no path stays anywhere forever; but a state that is
//! reached counts, whether or not a path goes on from it: `EF p` holds in a dead state with `p`.
//! That is neither of the path semantics of [`Paths`]. On maximal paths, where dead states end
//! paths, it is said by
//!
//! ```text
//! EG f         EG (f & !deadlock)
//! AF f         AF (f | deadlock)
//! A (f U g)    ! E (!g U (!f & !g))  &  AF (g | deadlock)
//! ```
//!
//! and all other operators as they are. Where no state is dead, all of them say the same.

use std::hash::Hash;
use symbolon_logic::{Formula, Operator, Paths};

/// The formula that says on maximal paths what a formula of CTL says to the established checker,
/// and those paths.
pub fn at_dead_states<A: Eq + Hash + Clone>(formula: &Formula<A>) -> (Formula<A>, Paths) {
    let rewritten = formula.rewrite(|builder, _, operator| {
        let deadlock = |builder: &mut symbolon_logic::Builder<A>| builder.add(Operator::Deadlock);
        let (is_exists, path) = match operator {
            Operator::Exists(path) => (true, path),
            Operator::ForAll(path) => (false, path),
            other => return builder.add(other),
        };
        match (is_exists, builder.operator(path).clone()) {
            (true, Operator::Globally(f)) => {
                let dead = deadlock(builder);
                let alive = builder.add(Operator::Not(dead));
                let both = builder.add(Operator::And(f, alive));
                let path = builder.add(Operator::Globally(both));
                builder.add(Operator::Exists(path))
            }
            (false, Operator::Finally(f)) => {
                let dead = deadlock(builder);
                let either = builder.add(Operator::Or(f, dead));
                let path = builder.add(Operator::Finally(either));
                builder.add(Operator::ForAll(path))
            }
            (false, Operator::Until(f, g)) => {
                let (not_f, not_g) = (builder.not(f), builder.not(g));
                let neither = builder.add(Operator::And(not_f, not_g));
                let failing = builder.add(Operator::Until(not_g, neither));
                let failing = builder.add(Operator::Exists(failing));
                let never_fails = builder.not(failing);
                let dead = deadlock(builder);
                let over = builder.add(Operator::Or(g, dead));
                let comes = builder.add(Operator::Finally(over));
                let comes = builder.add(Operator::ForAll(comes));
                builder.add(Operator::And(never_fails, comes))
            }
            _ => builder.add(operator),
        }
    });
    (rewritten, Paths::Maximal)
}
