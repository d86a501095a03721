//! Formulas as text that [`parse_formula`](crate::parse_formula) reads back as the same formula,
//! with as few brackets as that takes; but LTL keeps those around its path, as in `A (G F p)`,
//! `(AG p) | q` those that keep readers from taking it for `AG (p | q)`, and `!(p = 1)` those that keep
//! them from taking it for `(!p) = 1`.
//!
//! A subformula that occurs twice in the table is written twice, so the text may be long where the
//! table is short; [`Shown::shortened`] stops in time.

use crate::formula::{Formula, FormulaId, Knowledge, Operator};
use crate::fragment::Sorts;
use crate::name::fmt_name;
use std::cell::OnceCell;
use std::fmt::{self, Display, Write};

/// A subformula as text.
pub struct Shown<'a, A> {
    formula: &'a Formula<A>,
    id: FormulaId,
}

impl<A> Formula<A> {
    /// A subformula as text.
    pub fn shown(&self, id: FormulaId) -> Shown<'_, A> {
        Shown { formula: self, id }
    }
}

impl<A: Display> Display for Formula<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shown(self.root()).fmt(f)
    }
}

impl<A: Display> Display for Shown<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_formula(self.formula, self.id, f)
    }
}

impl<A: Display> Shown<'_, A> {
    /// The text, cut off with `…` so that it has at most `limit` characters.
    pub fn shortened(&self, limit: usize) -> String {
        let mut short = Short { text: String::new(), room: limit };
        if write_formula(self.formula, self.id, &mut short).is_err() {
            short.text.pop();
            short.text.push('…');
        }
        short.text
    }
}

/// Text with room for a number of further characters; writing beyond fails.
struct Short {
    text: String,
    room: usize,
}

impl Write for Short {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            self.room = self.room.checked_sub(1).ok_or(fmt::Error)?;
            self.text.push(c);
        }
        Ok(())
    }
}

/// How strongly an operator binds; as in the reader.
type Strength = u8;
const UNTIL: Strength = 5;
const BEFORE_OPERAND: Strength = 6;
const ALONE: Strength = 7;

/// What is still to be written.
enum Task<'a> {
    Text(&'static str),
    Name(&'a str),
    Part(FormulaId, Place),
}

/// Where a subformula stands, which says when it needs brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In brackets already.
    Bracketed,
    /// Behind an operator that is a word.
    BehindWord,
    /// Behind an operator that is a sign.
    BehindSign,
    /// Behind `!`.
    BehindNot,
    /// Left of `& | -> <->`: at least this strong, and no `U`. If what stands right of it speaks
    /// about one state, a temporal operator before its last part would seem to be about that, too.
    LeftOfBoolean(Strength, FormulaId),
    /// Right of `& | -> <->`: at least this strong, and no `U`.
    RightOfBoolean(Strength),
    /// Left and right of `U W R`.
    LeftOfUntil,
    RightOfUntil,
    /// The same in the square brackets of a quantifier, where these are the weakest.
    LeftInSquareBrackets,
    RightInSquareBrackets,
}

/// What the subformulas of a formula speak about, found out where it matters.
struct Kinds<'a, A> {
    formula: &'a Formula<A>,
    sorts: OnceCell<Sorts>,
    is_plain: OnceCell<Vec<bool>>,
}

impl<A> Kinds<'_, A> {
    /// Whether a subformula speaks about a path.
    fn is_path(&self, id: FormulaId) -> bool {
        self.sorts.get_or_init(|| Sorts::of(self.formula)).is_path(id)
    }

    /// Whether a subformula speaks about one state alone.
    fn is_plain(&self, id: FormulaId) -> bool {
        let is_plain = self.is_plain.get_or_init(|| {
            let mut is_plain: Vec<bool> = Vec::with_capacity(self.formula.size());
            for (_, operator) in self.formula.subformulas() {
                let is_alone = operator.is_about_one_state();
                is_plain.push(is_alone && operator.operands().all(|f| is_plain[f.index()]));
            }
            is_plain
        });
        is_plain[id.index()]
    }
}

fn write_formula<A: Display>(formula: &Formula<A>, id: FormulaId, out: &mut dyn Write) -> fmt::Result {
    let kinds = Kinds { formula, sorts: OnceCell::new(), is_plain: OnceCell::new() };
    let mut tasks = vec![Task::Part(id, Place::Bracketed)];
    while let Some(task) = tasks.pop() {
        let (id, place) = match task {
            Task::Text(text) => {
                out.write_str(text)?;
                continue;
            }
            Task::Name(name) => {
                write!(out, "{}", Quoted(name))?;
                continue;
            }
            Task::Part(id, place) => (id, place),
        };
        if let Operator::Atom(atom) = formula.operator(id) {
            write_atom(atom, place, out)?;
            continue;
        }
        let from = tasks.len();
        let needs_brackets = needs_brackets(formula, id, place, &kinds);
        let place = if needs_brackets { Place::Bracketed } else { place };
        tasks.extend(needs_brackets.then_some(Task::Text("(")));
        push_parts(formula, id, place, &kinds, &mut tasks);
        tasks.extend(needs_brackets.then_some(Task::Text(")")));
        // What was pushed stands in the order of the text; the stack wants it the other way round.
        tasks[from..].reverse();
    }
    Ok(())
}

/// What a comparison has between its sides.
const COMPARED: [&str; 6] = [" = ", " != ", " < ", " <= ", " > ", " >= "];

/// Writes an atom. One that begins with a sign must not be taken for a subtraction from the word
/// before it, and of a comparison not only the first side for what is negated.
fn write_atom<A: Display>(atom: &A, place: Place, out: &mut dyn Write) -> fmt::Result {
    let needs_brackets: fn(&str) -> bool = match place {
        Place::BehindWord => |text| text.starts_with('-'),
        Place::BehindNot => |text| COMPARED.iter().any(|sign| text.contains(sign)),
        _ => return write!(out, "{atom}"),
    };
    let text = atom.to_string();
    if needs_brackets(&text) { write!(out, "({text})") } else { out.write_str(&text) }
}

/// The parts of a subformula, in the order of the text.
fn push_parts<'a, A>(
    formula: &'a Formula<A>,
    id: FormulaId,
    place: Place,
    kinds: &Kinds<'_, A>,
    tasks: &mut Vec<Task<'a>>,
) {
    let mut binary = |f: FormulaId, left: Place, word: &'static str, g: FormulaId, right: Place| {
        tasks.extend([Task::Part(f, left), Task::Text(word), Task::Part(g, right)]);
    };
    match formula.operator(id) {
        Operator::True => tasks.push(Task::Text("true")),
        Operator::False => tasks.push(Task::Text("false")),
        Operator::Deadlock => tasks.push(Task::Text("deadlock")),
        Operator::Atom(_) => {}
        Operator::Not(f) => tasks.extend([Task::Text("!"), Task::Part(*f, Place::BehindNot)]),
        Operator::And(f, g) => {
            binary(*f, Place::LeftOfBoolean(4, *g), " & ", *g, Place::RightOfBoolean(UNTIL));
        }
        Operator::Or(f, g) => {
            binary(*f, Place::LeftOfBoolean(3, *g), " | ", *g, Place::RightOfBoolean(4));
        }
        Operator::Implies(f, g) => {
            binary(*f, Place::LeftOfBoolean(3, *g), " -> ", *g, Place::RightOfBoolean(2));
        }
        Operator::Equivalent(f, g) => {
            binary(*f, Place::LeftOfBoolean(2, *g), " <-> ", *g, Place::RightOfBoolean(1));
        }
        Operator::Next(f) => tasks.extend([Task::Text("X "), Task::Part(*f, Place::BehindWord)]),
        Operator::Finally(f) => tasks.extend([Task::Text("F "), Task::Part(*f, Place::BehindWord)]),
        Operator::Globally(f) => tasks.extend([Task::Text("G "), Task::Part(*f, Place::BehindWord)]),
        Operator::Until(f, g) | Operator::WeakUntil(f, g) | Operator::Release(f, g) => {
            let word = match formula.operator(id) {
                Operator::Until(..) => " U ",
                Operator::WeakUntil(..) => " W ",
                _ => " R ",
            };
            if place == Place::RightInSquareBrackets {
                binary(*f, Place::LeftInSquareBrackets, word, *g, Place::RightInSquareBrackets);
            } else {
                binary(*f, Place::LeftOfUntil, word, *g, Place::RightOfUntil);
            }
        }
        Operator::Exists(f) => push_quantifier(formula, "E", *f, kinds, tasks),
        Operator::ForAll(f) => push_quantifier(formula, "A", *f, kinds, tasks),
        Operator::Knows(knowledge, group, f) => {
            let word = match knowledge {
                Knowledge::Agent => "K(",
                Knowledge::Everyone => "GK(",
                Knowledge::Common => "GCK(",
                Knowledge::Distributed => "DK(",
                Knowledge::Correct => "O(",
            };
            tasks.extend([Task::Text(word), Task::Name(group), Task::Text(", ")]);
            tasks.extend([Task::Part(*f, Place::Bracketed), Task::Text(")")]);
        }
        Operator::CanForce(group, f) => {
            tasks.extend([Task::Text("<"), Task::Name(group), Task::Text("> ")]);
            tasks.push(Task::Part(*f, Place::BehindSign));
        }
    }
}

/// `AG f` where that is CTL, `A[f U g]`, `A (G f)`, or `A f`.
fn push_quantifier<'a, A>(
    formula: &'a Formula<A>,
    letter: &'static str,
    operand: FormulaId,
    kinds: &Kinds<'_, A>,
    tasks: &mut Vec<Task<'a>>,
) {
    tasks.push(Task::Text(letter));
    match formula.operator(operand) {
        // The letter of the temporal operator follows without a space.
        Operator::Next(f) | Operator::Finally(f) | Operator::Globally(f) if !kinds.is_path(*f) => {
            tasks.push(Task::Part(operand, Place::Bracketed));
        }
        // `AG F p` would be read, too, but LTL is not written like that.
        Operator::Next(_) | Operator::Finally(_) | Operator::Globally(_) => {
            tasks.extend([Task::Text(" ("), Task::Part(operand, Place::Bracketed), Task::Text(")")]);
        }
        Operator::Until(..) | Operator::WeakUntil(..) | Operator::Release(..) => {
            tasks.push(Task::Text("["));
            tasks.push(Task::Part(operand, Place::RightInSquareBrackets));
            tasks.push(Task::Text("]"));
        }
        _ => tasks.extend([Task::Text(" "), Task::Part(operand, Place::BehindWord)]),
    }
}

fn needs_brackets<A>(formula: &Formula<A>, id: FormulaId, place: Place, kinds: &Kinds<'_, A>) -> bool {
    let strength = strength(formula.operator(id));
    match place {
        Place::Bracketed | Place::RightInSquareBrackets => false,
        Place::BehindWord | Place::BehindSign | Place::BehindNot => strength < BEFORE_OPERAND,
        Place::LeftOfBoolean(least, right) => {
            strength < least
                || strength == UNTIL
                || ends_in_scope(formula, id, kinds) && kinds.is_plain(right)
        }
        Place::RightOfBoolean(least) => strength < least || strength == UNTIL,
        Place::LeftOfUntil => strength <= UNTIL || ends_openly(formula, id),
        Place::RightOfUntil => strength < UNTIL,
        Place::LeftInSquareBrackets => strength == UNTIL || ends_openly(formula, id),
    }
}

/// Whether the text ends in what a temporal operator is about, without brackets around that.
fn ends_in_scope<A>(formula: &Formula<A>, id: FormulaId, kinds: &Kinds<'_, A>) -> bool {
    let mut id = id;
    loop {
        let (last, place) = match *formula.operator(id) {
            Operator::Next(f) | Operator::Finally(f) | Operator::Globally(f) => {
                return strength(formula.operator(f)) >= BEFORE_OPERAND;
            }
            // `A (G F p)` has brackets of its own.
            Operator::Exists(path) | Operator::ForAll(path) => match *formula.operator(path) {
                Operator::Next(f) | Operator::Finally(f) | Operator::Globally(f) if kinds.is_path(f) => {
                    return false;
                }
                Operator::Until(..) | Operator::WeakUntil(..) | Operator::Release(..) => return false,
                _ => (path, BEFORE_OPERAND),
            },
            Operator::Not(f) | Operator::CanForce(_, f) => (f, BEFORE_OPERAND),
            Operator::And(_, g) => (g, UNTIL),
            Operator::Or(_, g) => (g, 4),
            Operator::Implies(_, g) => (g, 2),
            Operator::Equivalent(_, g) => (g, 1),
            _ => return false,
        };
        if strength(formula.operator(last)) < place {
            return false;
        }
        id = last;
    }
}

/// Whether this is written `A f` or `E f`, without a bracket behind the letter: `E p U q` can be
/// read in two ways.
fn ends_openly<A>(formula: &Formula<A>, id: FormulaId) -> bool {
    let (Operator::Exists(f) | Operator::ForAll(f)) = *formula.operator(id) else { return false };
    let operand = formula.operator(f);
    !operand.is_temporal() && strength(operand) >= BEFORE_OPERAND
}

fn strength<A>(operator: &Operator<A>) -> Strength {
    match operator {
        Operator::Equivalent(..) => 1,
        Operator::Implies(..) => 2,
        Operator::Or(..) => 3,
        Operator::And(..) => 4,
        Operator::Until(..) | Operator::WeakUntil(..) | Operator::Release(..) => UNTIL,
        Operator::Not(_)
        | Operator::Next(_)
        | Operator::Finally(_)
        | Operator::Globally(_)
        | Operator::Exists(_)
        | Operator::ForAll(_)
        | Operator::CanForce(..) => BEFORE_OPERAND,
        Operator::True | Operator::False | Operator::Deadlock | Operator::Atom(_) | Operator::Knows(..) => {
            ALONE
        }
    }
}

struct Quoted<'a>(&'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt_name(self.0, f)
    }
}
