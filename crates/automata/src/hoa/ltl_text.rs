//! A path formula as text that other translators read.

use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_logic::{Formula, FormulaId, Operator};

/// The name of a proposition in [`ltl_text`]; `read_hoa` gets these names, in order.
pub fn proposition_name(proposition: u32) -> String {
    format!("p{proposition}")
}

/// The path formula in the notation that LTL translators share, fully in parentheses:
/// `G((p0) -> (F(p1)))`.
///
/// The text spells out every occurrence of a subformula and may be much longer than the formula;
/// the budget limits it.
///
/// # Panics
/// If there is a quantifier, a knowledge or strategy operator, or `deadlock` in the formula.
pub fn ltl_text(formula: &Formula<u32>, budget: &Budget) -> Result<String, Interrupted> {
    enum Piece {
        Word(&'static str),
        Formula(FormulaId),
    }
    use Piece::Word;

    let mut meter = Meter::new(budget.clone());
    let mut text = String::new();
    // What is still to be written, the first piece last.
    let mut pieces = vec![Piece::Formula(formula.root())];
    while let Some(piece) = pieces.pop() {
        meter.step()?;
        let id = match piece {
            Word(word) => {
                text.push_str(word);
                continue;
            }
            Piece::Formula(id) => id,
        };
        let operator = formula.operator(id);
        let word = match operator {
            Operator::True => "1",
            Operator::False => "0",
            Operator::Atom(proposition) => {
                text.push_str(&proposition_name(*proposition));
                continue;
            }
            Operator::Not(_) => "!",
            Operator::Next(_) => "X",
            Operator::Finally(_) => "F",
            Operator::Globally(_) => "G",
            Operator::And(..) => ") & (",
            Operator::Or(..) => ") | (",
            Operator::Implies(..) => ") -> (",
            Operator::Equivalent(..) => ") <-> (",
            Operator::Until(..) => ") U (",
            Operator::WeakUntil(..) => ") W (",
            Operator::Release(..) => ") R (",
            Operator::Deadlock
            | Operator::Exists(_)
            | Operator::ForAll(_)
            | Operator::Knows(..)
            | Operator::CanForce(..) => panic!("a path formula speaks about states by propositions alone"),
        };
        let operands: Vec<FormulaId> = operator.operands().collect();
        match operands[..] {
            [] => text.push_str(word),
            [f] => pieces.extend([Word(")"), Piece::Formula(f), Word("("), Word(word)]),
            _ => pieces.extend([
                Word(")"),
                Piece::Formula(operands[1]),
                Word(word),
                Piece::Formula(operands[0]),
                Word("("),
            ]),
        }
    }
    Ok(text)
}
