//! Formulas as trees.

/// A comparison sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

impl Comparison {
    /// Whether the comparison is true of two numbers.
    pub fn holds(self, left: i128, right: i128) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::Unequal => left != right,
            Comparison::Less => left < right,
            Comparison::AtMost => left <= right,
            Comparison::Greater => left > right,
            Comparison::AtLeast => left >= right,
        }
    }
}

/// A sum: numbers, each multiplied by a variable or standing alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sum(pub Vec<(i128, Option<String>)>);

/// A kind of knowledge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knowledge {
    /// `K`: one agent knows.
    Agent,
    /// `GK`: everybody in the group knows.
    Everyone,
    /// `GCK`: it is common knowledge.
    Common,
    /// `DK`: the group would know together.
    Distributed,
    /// `O`: it is so wherever the agent behaves as it should.
    Correct,
}

/// A formula of CTL* with knowledge and strategies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// `true`, `false`
    Constant(bool),
    /// `deadlock`
    Deadlock,
    /// A name alone.
    Name(String),
    /// A comparison of sums.
    Compare(Sum, Comparison, Sum),
    /// `fireable(t, u)`
    Fireable(Vec<String>),
    /// `!f`
    Not(Box<Formula>),
    /// `f & g`
    And(Box<Formula>, Box<Formula>),
    /// `f | g`
    Or(Box<Formula>, Box<Formula>),
    /// `f -> g`
    Implies(Box<Formula>, Box<Formula>),
    /// `f <-> g`
    Same(Box<Formula>, Box<Formula>),
    /// `A f`
    All(Box<Formula>),
    /// `E f`
    Exists(Box<Formula>),
    /// `X f`
    Next(Box<Formula>),
    /// `F f`
    Finally(Box<Formula>),
    /// `G f`
    Globally(Box<Formula>),
    /// `f U g`
    Until(Box<Formula>, Box<Formula>),
    /// `f W g`
    WeakUntil(Box<Formula>, Box<Formula>),
    /// `f R g`
    Release(Box<Formula>, Box<Formula>),
    /// `K(agent, f)` and its kind.
    Knows(Knowledge, String, Box<Formula>),
    /// `<group> f`, where `f` is `X g`, `F g`, `G g` or `g U h`.
    Forces(String, Box<Formula>),
}

impl Formula {
    /// The formulas directly below.
    pub fn operands(&self) -> Vec<&Formula> {
        use Formula::*;
        match self {
            Constant(_) | Deadlock | Name(_) | Compare(..) | Fireable(_) => vec![],
            Not(f) | All(f) | Exists(f) | Next(f) | Finally(f) | Globally(f) => vec![f],
            Knows(_, _, f) | Forces(_, f) => vec![f],
            And(f, g) | Or(f, g) | Implies(f, g) | Same(f, g) => vec![f, g],
            Until(f, g) | WeakUntil(f, g) | Release(f, g) => vec![f, g],
        }
    }

    /// Whether it is one of `X F G U W R`.
    pub fn is_temporal(&self) -> bool {
        use Formula::*;
        matches!(self, Next(_) | Finally(_) | Globally(_) | Until(..) | WeakUntil(..) | Release(..))
    }

    /// Whether it quantifies over paths.
    pub fn is_quantifier(&self) -> bool {
        matches!(self, Formula::All(_) | Formula::Exists(_) | Formula::Forces(..))
    }

    /// Whether it speaks about a path: a temporal operator stands in it with no quantifier between.
    pub fn is_path(&self) -> bool {
        match self {
            Formula::Knows(..) => false,
            other if other.is_quantifier() => false,
            other => other.is_temporal() || other.operands().into_iter().any(Formula::is_path),
        }
    }

    /// How many operators and atoms it has.
    pub fn size(&self) -> usize {
        1 + self.operands().into_iter().map(Formula::size).sum::<usize>()
    }

    /// Whether some subformula, or the formula itself, is like this.
    pub fn any(&self, is_wanted: &dyn Fn(&Formula) -> bool) -> bool {
        is_wanted(self) || self.operands().into_iter().any(|operand| operand.any(is_wanted))
    }

    /// Whether every temporal operator stands directly below a quantifier, and every quantifier
    /// above one.
    pub fn is_ctl(&self) -> bool {
        let fits = |formula: &Formula| {
            formula.operands().iter().all(|operand| operand.is_temporal() == formula.is_quantifier())
        };
        !self.is_temporal() && !self.any(&|formula| !fits(formula))
    }

    /// Whether it is LTL: one `A` or `E` above everything else, or none at all.
    pub fn is_ltl(&self) -> bool {
        let has_quantifier = |formula: &Formula| formula.any(&Formula::is_quantifier);
        match self {
            Formula::All(f) | Formula::Exists(f) => !has_quantifier(f),
            other => other.is_path() && !has_quantifier(other),
        }
    }
}
