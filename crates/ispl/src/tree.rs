//! The syntax tree of a multi-agent system, as it was written.
//!
//! Names and numbers know where they stand, but two trees are equal if they read the same, wherever
//! their parts stand: so a printed tree that is read again is equal to itself. Chains of one
//! operator are one node, so that long ones are not deep.

use symbolon_logic::{Name, Parsed, Span};
use symbolon_model::Comparison;

/// A file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct System {
    /// How evolution lines are combined, where the file says so.
    pub semantics: Option<Semantics>,
    /// The agent called `Environment`, where there is one.
    pub environment: Option<Agent>,
    /// All other agents.
    pub agents: Vec<Agent>,
    /// The atoms of formulas.
    pub evaluation: Vec<Definition>,
    /// The states in which the system may start.
    pub initial: Condition,
    /// Agents that formulas speak of together.
    pub groups: Vec<Members>,
    /// What holds again and again on every path that counts.
    pub fairness: Vec<FormulaLine>,
    /// What is asked.
    pub formulae: Vec<FormulaLine>,
}

/// How the lines of an evolution are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Semantics {
    /// One line is taken, with all its assignments.
    #[default]
    MultiAssignment,
    /// Every variable has lines of its own, of which one is taken.
    SingleAssignment,
}

/// One agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// What it is called.
    pub name: Name,
    /// Variables that everyone sees (`Obsvars`); only the environment has some.
    pub observed: Vec<Declaration>,
    /// Variables of the environment that this agent sees (`Lobsvars`), where the section is
    /// present.
    pub local_observed: Option<Vec<Name>>,
    /// Variables that it alone sees.
    pub variables: Vec<Declaration>,
    /// The states in which it behaves as it should not, where the section is present.
    pub red: Option<RedStates>,
    /// What it can do.
    pub actions: Vec<Name>,
    /// When it may do what.
    pub protocol: Vec<ProtocolLine>,
    /// What it may do where no line of the protocol applies.
    pub otherwise: Option<Vec<Name>>,
    /// How its variables change.
    pub evolution: Vec<EvolutionLine>,
}

/// The section `RedStates`, which may say nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedStates {
    /// The red states.
    pub condition: Option<Condition>,
}

/// A variable and its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// What it is called.
    pub name: Name,
    /// Its values.
    pub domain: Domain,
}

/// The values of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// `boolean`
    Boolean,
    /// `least .. largest`
    Range {
        /// The smallest value.
        least: i64,
        /// The largest value.
        largest: i64,
    },
    /// `{ a, b, c }`
    Names(Vec<Name>),
}

/// `condition : { a, b };`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProtocolLine {
    /// Where it applies.
    pub condition: Condition,
    /// What may be done there.
    pub actions: Vec<Name>,
}

/// `x = e and y = e if guard;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvolutionLine {
    /// What changes.
    pub assignments: Vec<Assignment>,
    /// When it may.
    pub guard: Condition,
}

/// `x = e`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The variable.
    pub target: Name,
    /// Its new value.
    pub value: Value,
}

/// `atom if condition;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// What formulas call it.
    pub name: Name,
    /// What it means.
    pub condition: Condition,
}

/// `group = { a, b };`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Members {
    /// What formulas call it.
    pub name: Name,
    /// Who belongs to it.
    pub members: Vec<Name>,
}

/// A formula of the file.
#[derive(Clone, Debug)]
pub struct FormulaLine {
    /// In which logic it is written.
    pub dialect: Dialect,
    /// The formula as written: one of LTL speaks about paths, without a quantifier.
    pub formula: Parsed,
    /// The agents and groups that it speaks of.
    pub mentions: Vec<Mention>,
    /// Where it stands.
    pub place: Place,
}

/// The logic that a formula is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// CTL with knowledge and strategies.
    Ctlk,
    /// `LTL` with knowledge.
    Ltl,
    /// `CTL*` with knowledge.
    CtlStar,
}

/// An agent or a group in a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// Who.
    pub name: Name,
    /// Whether a group is expected there.
    pub is_group: bool,
}

/// A statement about the state, and in evolutions also about what agents do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// `e = e` and the like.
    Compare(Value, Comparison, Value),
    /// `Action = a`, of this agent or of another one.
    Acts {
        /// The agent whose action it is; the agent itself where none is named.
        agent: Option<Name>,
        /// Which.
        action: Name,
    },
    /// `! c`
    Not(Box<Condition>),
    /// `c and c`
    And(Vec<Condition>),
    /// `c or c`
    Or(Vec<Condition>),
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Number(i64, Place),
    /// `true` or `false`.
    Truth(bool, Place),
    /// A variable, or a value of one that has names for its values.
    Name(Reference),
    /// `~ e`
    Not(Box<Value>, Place),
    /// Operators that bind equally strongly, from left to right.
    Chain(Box<Value>, Vec<(Operator, Value)>),
}

/// `v` or `Agent.v`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Whose variable, where that is said.
    pub agent: Option<Name>,
    /// The variable.
    pub name: Name,
}

/// What joins two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `&`
    And,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`
    Divided,
}

/// Where something stands. All places are equal, so that trees are compared by what they say.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place(pub Span);

impl PartialEq for Place {
    fn eq(&self, _: &Place) -> bool {
        true
    }
}

impl Eq for Place {}

impl PartialEq for FormulaLine {
    fn eq(&self, other: &FormulaLine) -> bool {
        self.dialect == other.dialect
            && self.formula.formula == other.formula.formula
            && self.mentions == other.mentions
    }
}

impl Eq for FormulaLine {}

impl Operator {
    /// How strongly it binds: from 0, the weakest, to 3.
    pub fn strength(self) -> u8 {
        match self {
            Operator::Or | Operator::Xor => 0,
            Operator::And => 1,
            Operator::Plus | Operator::Minus => 2,
            Operator::Times | Operator::Divided => 3,
        }
    }

    /// How it is written.
    pub fn sign(self) -> &'static str {
        match self {
            Operator::Or => "|",
            Operator::Xor => "^",
            Operator::And => "&",
            Operator::Plus => "+",
            Operator::Minus => "-",
            Operator::Times => "*",
            Operator::Divided => "/",
        }
    }
}

impl Reference {
    /// Where it stands.
    pub fn span(&self) -> Span {
        self.agent.as_ref().map_or(self.name.span, |agent| agent.span.to(self.name.span))
    }
}

impl Value {
    /// Where it stands, without brackets around it.
    pub fn span(&self) -> Span {
        match self {
            Value::Number(_, place) | Value::Truth(_, place) => place.0,
            Value::Name(reference) => reference.span(),
            Value::Not(operand, place) => place.0.to(operand.span()),
            Value::Chain(first, rest) => {
                rest.last().map_or(first.span(), |(_, last)| first.span().to(last.span()))
            }
        }
    }
}

impl System {
    /// All agents, the environment first where there is one.
    pub fn all_agents(&self) -> impl Iterator<Item = &Agent> {
        self.environment.iter().chain(&self.agents)
    }
}
