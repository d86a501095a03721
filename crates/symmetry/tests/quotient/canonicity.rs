//! Nets that build every graph with a few edges: canonical forms of graphs are the hard case.

use super::quotient;
use num_bigint::BigUint;
use symbolon_budget::Budget;
use symbolon_coloured::text::read_text;

/// A net that puts up to `edges` tokens into a place of pairs, in all ways.
fn graphs(classes: &str, pair: &str, edges: u32) -> (usize, BigUint) {
    let text =
        format!("{classes}\nplace q: {pair}\nplace left = {edges}\ntransition t: take left put q(x, y)");
    let net = read_text(text.as_bytes(), &Budget::unlimited()).expect("a net").net;
    let found = quotient(&net);
    (found.symbolic_count(), found.figures().markings.clone())
}

/// The number of ways to choose `k` of `n`.
fn choose(n: u32, k: u32) -> BigUint {
    (0..k).fold(BigUint::from(1_u32), |product, step| product * (n - step) / (step + 1))
}

#[test]
fn directed_graphs_are_counted_once_each() {
    for (n, k, symbolic) in [(3, 2, 13), (3, 3, 44), (4, 3, 61), (4, 4, 259), (5, 4, 334)] {
        let found = graphs(&format!("class C = {{c1..c{n}}}\nvar x, y: C"), "C x C", k);
        assert_eq!(found, (symbolic, choose(n * n + k, k)), "{n} {k}");
    }
}

#[test]
fn bipartite_graphs_are_counted_once_each() {
    for (n, k, symbolic) in [(3, 3, 16), (3, 4, 40), (4, 4, 49), (4, 5, 127), (4, 6, 351)] {
        let classes = format!("class C = {{c1..c{n}}}\nclass S = {{s1..s{n}}}\nvar x: C\nvar y: S");
        let found = graphs(&classes, "C x S", k);
        assert_eq!(found, (symbolic, choose(n * n + k, k)), "{n} {k}");
    }
}

#[test]
fn necklaces_are_counted_once_each() {
    // Two colours of beads on a ring of n places, of which some are dark: rotations alone.
    for (n, necklaces) in [(3_u32, 4), (4, 6), (5, 8), (6, 14), (7, 20), (12, 352)] {
        let text = format!(
            "class C = cyclic 1..{n}\nvar x: C\nplace white: C = all\nplace dark: C\nplace one: C\n\
             transition t: take white(x) put dark(x)\n\
             transition never: take one(x) put one(x++)"
        );
        let net = read_text(text.as_bytes(), &Budget::unlimited()).expect("a net").net;
        let found = quotient(&net);
        assert_eq!(found.symbolic_count(), necklaces, "{n}");
        assert_eq!(found.figures().markings, BigUint::from(2_u32).pow(n), "{n}");
    }
}

#[test]
fn blocks_that_look_alike_may_still_differ() {
    // A cycle of three and one of four: every member has one edge in and one out, so colours do not
    // separate them. Seven numberings in 3 · 4 are the same.
    let names = ["a", "b", "c", "d", "e", "f", "g"];
    let pairs = (0..7).flat_map(|first| (first + 1..7).map(move |second| (first, second)));
    let distinct: Vec<String> = pairs.map(|(a, b)| format!("{} != {}", names[a], names[b])).collect();
    let text = format!(
        "class C = {{c1..c7}}\nvar a, b, c, d, e, f, g: C\nplace q: C x C\nplace left = 1\n\
         transition t [{}]: take left put q(a,b), q(b,c), q(c,a), q(d,e), q(e,f), q(f,g), q(g,d)",
        distinct.join(" & ")
    );
    let net = read_text(text.as_bytes(), &Budget::unlimited()).expect("a net").net;
    let found = quotient(&net);
    assert_eq!((found.symbolic_count(), found.automorphisms(1)), (2, 12));
    assert_eq!(found.figures().markings, BigUint::from(1 + 5040_u32 / 12));
}
