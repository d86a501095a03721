//! Formulas of tests: written in Polish notation (`G > p0 F p1`), or random.

use symbolon_logic::{Builder, Formula, FormulaId, Operator};
use symbolon_testkit::RandomNumbers;

/// The formula of a text in Polish notation: `t f pN ! & | > = X F G U W R`.
pub(crate) fn polish(text: &str) -> Formula<u32> {
    let mut builder = Builder::default();
    let mut stack: Vec<FormulaId> = Vec::new();
    // From right to left, operands come before their operator.
    for word in text.split_whitespace().rev() {
        let mut operand = || stack.pop().unwrap_or_else(|| panic!("an operand is missing in '{text}'"));
        let operator = match word {
            "t" => Operator::True,
            "f" => Operator::False,
            "!" => Operator::Not(operand()),
            "&" => Operator::And(operand(), operand()),
            "|" => Operator::Or(operand(), operand()),
            ">" => Operator::Implies(operand(), operand()),
            "=" => Operator::Equivalent(operand(), operand()),
            "X" => Operator::Next(operand()),
            "F" => Operator::Finally(operand()),
            "G" => Operator::Globally(operand()),
            "U" => Operator::Until(operand(), operand()),
            "W" => Operator::WeakUntil(operand(), operand()),
            "R" => Operator::Release(operand(), operand()),
            name => {
                let number = name.strip_prefix('p').and_then(|number| number.parse().ok());
                Operator::Atom(number.unwrap_or_else(|| panic!("'{name}' in '{text}'")))
            }
        };
        stack.push(builder.add(operator));
    }
    assert_eq!(stack.len(), 1, "'{text}' is one formula");
    builder.finish(stack[0])
}

/// A subformula in Polish notation.
pub(crate) fn to_polish(formula: &Formula<u32>) -> String {
    let mut texts: Vec<String> = Vec::new();
    for (_, operator) in formula.subformulas() {
        let name = match operator {
            Operator::True => "t".to_string(),
            Operator::False => "f".to_string(),
            Operator::Atom(number) => format!("p{number}"),
            Operator::Not(_) => "!".to_string(),
            Operator::And(..) => "&".to_string(),
            Operator::Or(..) => "|".to_string(),
            Operator::Implies(..) => ">".to_string(),
            Operator::Equivalent(..) => "=".to_string(),
            Operator::Next(_) => "X".to_string(),
            Operator::Finally(_) => "F".to_string(),
            Operator::Globally(_) => "G".to_string(),
            Operator::Until(..) => "U".to_string(),
            Operator::WeakUntil(..) => "W".to_string(),
            Operator::Release(..) => "R".to_string(),
            other => panic!("{other:?} is not of LTL"),
        };
        let operands = operator.operands().map(|operand| texts[operand.index()].as_str());
        let text = std::iter::once(name.as_str()).chain(operands).collect::<Vec<_>>().join(" ");
        texts.push(text);
    }
    texts.pop().expect("a formula is not empty")
}

/// A random formula of about `size` operators over so many propositions.
pub(crate) fn random_formula(numbers: &mut RandomNumbers, size: u64, proposition_count: u64) -> Formula<u32> {
    let mut builder = Builder::default();
    let root = random_part(&mut builder, numbers, size, proposition_count);
    builder.finish(root)
}

fn random_part(builder: &mut Builder<u32>, numbers: &mut RandomNumbers, size: u64, count: u64) -> FormulaId {
    if size <= 1 {
        let leaf = match numbers.below(20) {
            0 => Operator::True,
            1 => Operator::False,
            _ => Operator::Atom(numbers.below(count) as u32),
        };
        return builder.add(leaf);
    }
    if size == 2 || numbers.percent(45) {
        let f = random_part(builder, numbers, size - 1, count);
        let operator = match numbers.below(9) {
            0 | 1 => Operator::Next(f),
            2 | 3 => Operator::Finally(f),
            4 | 5 => Operator::Globally(f),
            _ => Operator::Not(f),
        };
        return builder.add(operator);
    }
    let left = numbers.between(1, size - 2);
    let f = random_part(builder, numbers, left, count);
    let g = random_part(builder, numbers, size - 1 - left, count);
    let operator = match numbers.below(14) {
        0..3 => Operator::And(f, g),
        3..6 => Operator::Or(f, g),
        6 => Operator::Implies(f, g),
        7 => Operator::Equivalent(f, g),
        8..11 => Operator::Until(f, g),
        11 => Operator::WeakUntil(f, g),
        _ => Operator::Release(f, g),
    };
    builder.add(operator)
}

/// The negation of a formula.
pub(crate) fn negated(formula: &Formula<u32>) -> Formula<u32> {
    let mut builder = Builder::default();
    let root = builder.add_formula(formula);
    let root = builder.add(Operator::Not(root));
    builder.finish(root)
}

#[test]
fn polish_notation_goes_there_and_back() {
    for text in ["G > p0 F p1", "U ! p0 & t | f p12", "= X W p0 p1 R p1 p0"] {
        assert_eq!(to_polish(&polish(text)), text);
    }
}
