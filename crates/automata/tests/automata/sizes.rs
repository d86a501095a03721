//! How large the automata of well-known formulas are. Smaller is better: a change that makes one
//! smaller edits the table.

use symbolon_automata::translate;
use symbolon_budget::Budget;

use crate::formulas::polish;

fn check(text: &str, expected: (usize, usize, u32)) {
    let automaton = translate(&polish(text), &Budget::unlimited()).unwrap();
    let size = (automaton.state_count(), automaton.edges().len(), automaton.mark_count());
    assert_eq!(size, expected, "states, edges and marks of {text}\n{automaton}");
}

#[test]
fn well_known_formulas() {
    check("t", (1, 1, 0));
    check("f", (0, 0, 0));
    check("& p0 ! p0", (0, 0, 0));
    check("p0", (2, 2, 0));
    check("X p0", (3, 3, 0));
    check("F p0", (2, 3, 1));
    check("G p0", (1, 1, 0));
    check("U p0 p1", (2, 3, 1));
    check("W p0 p1", (2, 3, 0));
    check("R p0 p1", (2, 3, 0));
    check("G F p0", (1, 2, 1));
    check("F G p0", (2, 3, 1));
    check("G > p0 F p1", (2, 5, 1));
    check("G > p0 X p1", (2, 4, 0));
    check("& G F p0 G F p1", (1, 4, 2));
    check("> G F p0 G F p1", (3, 5, 1));
    check("! > G F p0 G F p1", (2, 4, 1));
    check("| G p0 G p1", (2, 2, 0));
    check("& F p0 F p1", (4, 9, 1));
    check("G | p0 G F p1", (2, 3, 1));
    check("F & p0 G F p1", (2, 4, 1));
    check("U p0 U p1 p2", (3, 6, 1));
    check("U U p0 p1 p2", (4, 10, 1));
    check("G > p0 U p1 p2", (2, 5, 1));
    check("= G F p0 G F p1", (3, 7, 2));
    check("& U p0 p1 U p2 p3", (4, 9, 1));
    check("F G | p0 X p1", (3, 7, 1));
    check("X X X X X p0", (7, 7, 0));
    check("G & > p0 X X p1 F p2", (4, 16, 1));
}
