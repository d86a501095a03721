//! The automaton of a formula accepts a word if and only if the word satisfies the formula.

use symbolon_automata::translate;
use symbolon_budget::Budget;
use symbolon_logic::Formula;
use symbolon_testkit::{RandomNumbers, seeds};

use crate::formulas::{negated, polish, random_formula, to_polish};
use crate::words::Word;

/// Compares on each word; the number of words that satisfy the formula.
fn check(formula: &Formula<u32>, words: &[Word]) -> usize {
    let automaton = translate(formula, &Budget::unlimited()).unwrap();
    let mut satisfied = 0;
    for word in words {
        let expected = word.satisfies(formula);
        let text = to_polish(formula);
        assert_eq!(word.is_accepted(&automaton), expected, "{text}\non {word:?}\nby\n{automaton}");
        satisfied += usize::from(expected);
    }
    satisfied
}

#[test]
fn random_formulas_on_random_words() {
    let (mut satisfied, mut all) = (0, 0);
    for seed in seeds(3000) {
        let mut numbers = RandomNumbers::new(seed);
        let proposition_count = numbers.between(1, 4);
        let size = numbers.between(2, 12);
        let formula = random_formula(&mut numbers, size, proposition_count);
        let words: Vec<Word> = (0..20).map(|_| Word::random(&mut numbers, proposition_count)).collect();
        satisfied += check(&formula, &words);
        all += words.len();
        check(&negated(&formula), &words);
    }
    println!("{satisfied} of {all} words satisfy their formula");
    if all > 100 {
        assert!((all / 4..all * 3 / 4).contains(&satisfied), "both verdicts occur often");
    }
}

#[test]
fn formulas_that_once_looked_wrong() {
    let words: Vec<Word> = seeds(200).map(|seed| Word::random(&mut RandomNumbers::new(seed), 3)).collect();
    for text in [
        // The obligation F p1 is implied at every step; it must be kept, since its promise is what
        // is watched.
        "G F & p0 X F p1",
        "G F & p0 X X F & p1 X F p2",
        "U p0 p1",
        "& U p0 p2 U p1 p2",
        "F G | p0 X p1",
        "R X p0 | p1 F p2",
        "t",
        "f",
    ] {
        check(&polish(text), &words);
    }
}
