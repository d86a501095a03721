//! A program as it was written.
//!
//! Two trees are equal if they read the same, wherever their parts stand in a text: places ([`At`])
//! are all equal.

use symbolon_model::Comparison;

/// Where something was written, in bytes from the beginning of the text. All places are equal.
#[derive(Clone, Copy, Debug, Default)]
pub struct At(pub usize);

impl PartialEq for At {
    fn eq(&self, _: &At) -> bool {
        true
    }
}

impl Eq for At {}

/// A name, without quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// How it reads.
    pub text: String,
    /// Where it stands.
    pub at: At,
}

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Name { text: text.to_string(), at: At::default() }
    }
}

/// A whole program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// What the model is called, if it says so.
    pub name: Option<Name>,
    /// What it declares, in the order of the text.
    pub items: Vec<Item>,
}

/// One declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// `const N = 3` or `param N = 3`
    Constant(Constant),
    /// `enum phase = {idle, busy}`
    Enumeration(Enumeration),
    /// `var x, y[3]: 0..5 = 0`
    Variables(Variables),
    /// `initially x + y <= 3`
    Initially(Expr),
    /// `name: guard -> x' = 1`
    Command(Command),
    /// `for i in 0..2 { … }`
    Loop(Loop),
    /// `process left { … }` or `process worker[i in 0..2] { … }`
    Process(Process),
    /// `component left in whole: x, y`
    Component(Component),
    /// `property safe: AG x <= 3`
    Property(Property),
}

/// A name for a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Whether users may give it another value.
    pub is_parameter: bool,
    /// Its name.
    pub name: Name,
    /// Its value.
    pub value: Expr,
}

/// A name for a list of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enumeration {
    /// Its name.
    pub name: Name,
    /// The names of its values.
    pub values: Vec<Name>,
}

/// Variables of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variables {
    /// Their names; an array has a length.
    pub names: Vec<(Name, Option<Expr>)>,
    /// What they may be.
    pub domain: Domain,
    /// What they are in the beginning.
    pub initial: Option<Initial>,
}

/// What a variable may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// `nat`
    Natural,
    /// `bool`
    Boolean,
    /// `0..N`
    Range(Expr, Expr),
    /// `{idle, busy}`
    Values(Vec<Name>),
    /// The name of an enumeration.
    Named(Name),
}

/// What a variable is in the beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initial {
    /// This.
    Value(Expr),
    /// Anything from the first to the second: `0..3`.
    Range(Expr, Expr),
    /// One of these: `{1, 3}`.
    OneOf(Vec<Expr>),
    /// Each element of an array this: `[0, 1, 0]`.
    Each(Vec<Expr>),
    /// Any of its values: `any`.
    Any,
}

/// A guarded command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// Its name.
    pub name: Name,
    /// Where it may happen.
    pub guard: Expr,
    /// What it does; nothing is written `skip`.
    pub updates: Vec<Update>,
}

/// `x' = e`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// What is changed.
    pub target: Reference,
    /// What it becomes.
    pub value: Expr,
}

/// The same for many values of some names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The names and their values; at least one.
    pub binders: Vec<Binder>,
    /// Commands and loops.
    pub items: Vec<Item>,
}

/// `i in 0..N-1`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binder {
    /// The name.
    pub name: Name,
    /// Its first value.
    pub from: Expr,
    /// Its last value.
    pub to: Expr,
}

/// Variables and commands of their own, once or once for each value of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its name.
    pub name: Name,
    /// The numbers of its copies, if it has several.
    pub binder: Option<Binder>,
    /// Variables, commands and loops.
    pub items: Vec<Item>,
}

/// Variables that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// Its name.
    pub name: Name,
    /// The component around it.
    pub parent: Option<Name>,
    /// What belongs to it directly.
    pub variables: Vec<Reference>,
}

/// A named formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name.
    pub name: Name,
    /// Its formula: the words and signs of the text. `symbolon-logic` reads them once names and
    /// constants are known.
    pub words: Vec<FormulaWord>,
}

/// A piece of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaWord {
    /// How it was written.
    pub text: String,
    /// Whether nothing stood before it, not even a space.
    pub is_glued: bool,
    /// Where it stands.
    pub at: At,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it begins.
    pub at: At,
}

/// The kinds of expressions. Chains of one operator are lists, so that their length costs no depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A number.
    Number(i64),
    /// `true` or `false`
    Truth(bool),
    /// A variable, a constant, a bound name, or a value of an enumeration.
    Reference(Reference),
    /// `-e`
    Negative(Box<Expr>),
    /// `!e`
    Not(Box<Expr>),
    /// `a + b - c`: each but the first with its sign; two operands at least.
    Sum(Box<Expr>, Vec<(Added, Expr)>),
    /// `a * b / c % d`: from left to right; two operands at least.
    Product(Box<Expr>, Vec<(Factor, Expr)>),
    /// `a <= b`
    Compare(Box<Expr>, Comparison, Box<Expr>),
    /// `a & b & c`; two operands at least.
    And(Vec<Expr>),
    /// `a | b | c`; two operands at least.
    Or(Vec<Expr>),
    /// `a -> b -> c`: to the right; two operands at least.
    Implies(Vec<Expr>),
    /// `a <-> b <-> c`: from left to right; two operands at least.
    Equivalent(Vec<Expr>),
    /// `if c then a else b`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `forall i in 0..N-1 (e)`
    Quantified(Quantifier, Box<Binder>, Box<Expr>),
}

/// How an operand of a sum counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// `+`
    Plus,
    /// `-`
    Minus,
}

/// What an operand of a product does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// `*`
    Times,
    /// `/`, rounded towards 0.
    Over,
    /// `%`, with the sign of what is divided.
    Remainder,
}

/// What is said of all values of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// All of them.
    Forall,
    /// One of them.
    Exists,
    /// Their sum.
    Sum,
}

/// A name with indices, parts with dots between them: `x`, `x[i]`, `worker[i].state`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The parts; one, or two for what belongs to a process.
    pub parts: Vec<ReferencePart>,
}

/// One part of a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferencePart {
    /// Its name.
    pub name: Name,
    /// Its index.
    pub index: Option<Box<Expr>>,
}

impl Reference {
    /// A plain name.
    pub fn plain(name: impl Into<Name>) -> Reference {
        Reference { parts: vec![ReferencePart { name: name.into(), index: None }] }
    }

    /// Where it begins.
    pub fn at(&self) -> usize {
        self.parts.first().map_or(0, |part| part.name.at.0)
    }
}

impl From<ExprKind> for Expr {
    fn from(kind: ExprKind) -> Expr {
        Expr { kind, at: At::default() }
    }
}

impl Expr {
    /// A number; negative ones are written with a sign before them.
    pub fn number(number: i64) -> Expr {
        match number.checked_abs() {
            Some(magnitude) if number < 0 => {
                ExprKind::Negative(Box::new(ExprKind::Number(magnitude).into())).into()
            }
            // The smallest number has no magnitude of its own: one more, and one less.
            None => ExprKind::Sum(
                Box::new(Expr::number(i64::MIN + 1)),
                vec![(Added::Minus, ExprKind::Number(1).into())],
            )
            .into(),
            Some(_) => ExprKind::Number(number).into(),
        }
    }

    /// A plain name.
    pub fn name(name: impl Into<Name>) -> Expr {
        ExprKind::Reference(Reference::plain(name)).into()
    }

    /// A comparison of two expressions.
    pub fn compare(left: Expr, comparison: Comparison, right: Expr) -> Expr {
        ExprKind::Compare(Box::new(left), comparison, Box::new(right)).into()
    }
}
