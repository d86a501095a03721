//! Printing and reading are inverse to each other, for formulas with every operator and with all
//! kinds of names.

use symbolon_logic::{
    Builder, Formula, FormulaId, Knowledge, LinearExpr, NamedAtom, Operator, parse_formula,
};
use symbolon_model::Comparison;
use symbolon_testkit::{RandomNumbers, seeds};

#[test]
fn what_is_printed_is_read_back() {
    for seed in seeds(3000) {
        let formula = random_formula(&mut RandomNumbers::new(seed));
        let text = formula.to_string();
        let again = parse_formula(&text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        assert_eq!(again.formula, formula, "{text}");
        assert_eq!(again.spans.len(), again.formula.size());
        let root = formula.root();
        let length = text.chars().count();
        for limit in [1, 10, length, length + 1] {
            let short = formula.shown(root).shortened(limit);
            assert!(short.chars().count() <= limit && (limit < length) == short.ends_with('…'), "{short}");
        }
    }
}

/// Any text is read or refused with errors that point into it, and what is read is printed and read
/// again.
#[test]
fn soup_of_words_is_digested() {
    const WORDS: &[&str] = &[
        "p",
        "q",
        "AG",
        "E",
        "X",
        "U",
        "K",
        "(",
        ")",
        "[",
        "]",
        "!",
        "&",
        "->",
        "<->",
        "<",
        ">",
        "<=",
        "=",
        "+",
        "-",
        "*",
        "1",
        "2",
        ",",
        "fireable",
        "fireable(",
        "K(a,",
        "<g>",
        "\"a b\"",
        "\"",
        "true",
        "deadlock",
        "and",
        "#",
        "é",
        "1p",
        "A[",
        "p U q",
        "99999999999999999999",
        ".",
        "\\",
        "\n",
    ];
    let mut read_count = 0;
    for seed in seeds(20_000) {
        let numbers = &mut RandomNumbers::new(seed);
        let mut text = String::new();
        for _ in 0..numbers.between(1, 12) {
            let word: &&str = numbers.one_of(WORDS);
            text.push_str(word);
            text.push_str(if numbers.percent(70) { " " } else { "" });
        }
        match parse_formula(&text) {
            Ok(parsed) => {
                read_count += 1;
                assert!(parsed.spans.iter().all(|span| text.get(span.start..span.end).is_some()), "{text}");
                let again = parse_formula(&parsed.formula.to_string()).map(|again| again.formula);
                assert_eq!(again, Ok(parsed.formula), "{text}");
            }
            Err(errors) => {
                let points_into = |span: symbolon_logic::Span| text.get(span.start..span.end).is_some();
                assert!(!errors.is_empty() && errors.iter().all(|error| points_into(error.span)), "{text}");
            }
        }
    }
    assert!(read_count > 100 || std::env::var("SYMBOLON_SEED").is_ok(), "{read_count}");
}

/// No bracket can be left out: without it the text is wrong, or another formula.
#[test]
fn no_bracket_is_in_vain() {
    for seed in seeds(500) {
        let formula = random_formula(&mut RandomNumbers::new(seed));
        let text = formula.to_string();
        let mut open = Vec::new();
        let (mut is_quoted, mut is_escaped) = (false, false);
        for (close, c) in text.char_indices() {
            if is_escaped {
                is_escaped = false;
                continue;
            }
            match c {
                '\\' => is_escaped = true,
                '"' => is_quoted = !is_quoted,
                '(' if !is_quoted => open.push(close),
                ')' if !is_quoted => {
                    let open = open.pop().expect("brackets match");
                    let without =
                        format!("{} {} {}", &text[..open], &text[open + 1..close], &text[close + 1..]);
                    let same = parse_formula(&without).is_ok_and(|parsed| parsed.formula == formula);
                    // The printer brackets `A p` before `U`, though `A (-p < 1)` would be clear
                    // without that. Brackets also stand around `-p` behind `AX`, where only `X`
                    // needs them.
                    let is_odd =
                        text.contains("A (-") || text.contains("E (-") || text[open + 1..].starts_with('-');
                    // LTL keeps its brackets, though `A G F p` would be read.
                    let is_ltl = ["A ", "E "].iter().any(|letter| text[..open].ends_with(letter))
                        && ["X ", "F ", "G "].iter().any(|letter| text[open + 1..].starts_with(letter));
                    // A temporal operator seems to be about what stands right of `(AG p) | q`.
                    let is_left = [" & ", " | ", " -> ", " <-> "];
                    let is_left = is_left.iter().any(|sign| text[close + 1..].starts_with(sign));
                    // `!p = 1` seems to be about `!p`.
                    let is_negated = text[..open].ends_with('!');
                    let inner = &text[open + 1..close];
                    let seems_wide = is_left && ["X ", "F ", "G "].iter().any(|word| inner.contains(word));
                    assert!(!same || is_odd || is_ltl || seems_wide || is_negated, "{text} is {without}");
                }
                _ => {}
            }
        }
    }
}

const NAMES: &[&str] = &[
    "p",
    "critical_1",
    "agent.state",
    "place 1",
    "AG",
    "X",
    "U",
    "true",
    "a\"b\\",
    "größe",
    "",
    "1",
    "\n",
    "p-q",
];

fn random_formula(numbers: &mut RandomNumbers) -> Formula<NamedAtom> {
    let mut draw = Draw { builder: Builder::default(), is_path: Vec::new(), numbers };
    let depth = draw.numbers.between(0, 6);
    let mut root = draw.formula(depth);
    if draw.is_path[root.index()] {
        root = draw.add(Operator::ForAll(root));
    }
    draw.builder.finish(root)
}

struct Draw<'a> {
    builder: Builder<NamedAtom>,
    is_path: Vec<bool>,
    numbers: &'a mut RandomNumbers,
}

impl Draw<'_> {
    fn add(&mut self, operator: Operator<NamedAtom>) -> FormulaId {
        let is_path = match &operator {
            Operator::Exists(_) | Operator::ForAll(_) | Operator::CanForce(..) | Operator::Knows(..) => false,
            operator => operator.is_temporal() || operator.operands().any(|f| self.is_path[f.index()]),
        };
        let id = self.builder.add(operator);
        if id.index() == self.is_path.len() {
            self.is_path.push(is_path);
        }
        id
    }

    fn name(&mut self) -> &'static str {
        let name: &&'static str = self.numbers.one_of(NAMES);
        name
    }

    fn sum(&mut self) -> LinearExpr {
        let term_count = self.numbers.below(4);
        let terms = (0..term_count)
            .map(|_| (self.numbers.below(7) as i64 - 3, (*self.numbers.one_of(NAMES)).into()))
            .collect();
        let constants = [0, 1, -1, 42, i64::MAX, -i64::MAX];
        LinearExpr { terms, constant: *self.numbers.one_of(&constants) }
    }

    fn atom(&mut self) -> NamedAtom {
        let comparisons = [
            Comparison::Equal,
            Comparison::NotEqual,
            Comparison::Less,
            Comparison::LessOrEqual,
            Comparison::Greater,
            Comparison::GreaterOrEqual,
        ];
        match self.numbers.below(3) {
            0 => NamedAtom::Named(self.name().into()),
            1 => {
                let (left, right) = (self.sum(), self.sum());
                NamedAtom::Compare(left, *self.numbers.one_of(&comparisons), right)
            }
            _ => {
                let count = self.numbers.between(1, 3);
                NamedAtom::Fireable((0..count).map(|_| self.name().into()).collect())
            }
        }
    }

    fn formula(&mut self, depth: u64) -> FormulaId {
        let choice = if depth == 0 { self.numbers.below(5) } else { self.numbers.below(30) };
        let operator = match choice {
            0 => Operator::True,
            1 => Operator::Deadlock,
            2..5 => Operator::Atom(self.atom()),
            _ => {
                let f = self.formula(depth - 1);
                match choice {
                    5 | 6 => Operator::Not(f),
                    7 => Operator::Next(f),
                    8 => Operator::Finally(f),
                    9 => Operator::Globally(f),
                    10..13 => Operator::Exists(f),
                    13..16 => Operator::ForAll(f),
                    16 => Operator::CanForce(self.name().into(), f),
                    17 => {
                        let f = if self.is_path[f.index()] { self.add(Operator::Exists(f)) } else { f };
                        let kinds = [
                            Knowledge::Agent,
                            Knowledge::Everyone,
                            Knowledge::Common,
                            Knowledge::Distributed,
                            Knowledge::Correct,
                        ];
                        Operator::Knows(*self.numbers.one_of(&kinds), self.name().into(), f)
                    }
                    _ => {
                        let g = self.formula(depth - 1);
                        match choice {
                            18 | 19 => Operator::And(f, g),
                            20 | 21 => Operator::Or(f, g),
                            22 | 23 => Operator::Implies(f, g),
                            24 => Operator::Equivalent(f, g),
                            25 => Operator::WeakUntil(f, g),
                            26 => Operator::Release(f, g),
                            _ => Operator::Until(f, g),
                        }
                    }
                }
            }
        };
        self.add(operator)
    }
}
