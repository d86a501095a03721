//! Random formulas, their two notations, and smaller ones.

use crate::names::{escaped, is_plain, quoted};
use crate::random::Random;
use symbolon_referee::formula::{Comparison, Formula, Knowledge, Sum};

/// What formulas about a model can speak of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vocabulary {
    /// Names that stand alone: marked places, true variables, atoms.
    pub(crate) truths: Vec<String>,
    /// Variables with numbers, and a value that is about as large as theirs.
    pub(crate) numbers: Vec<(String, i128)>,
    /// Variables with words.
    pub(crate) words: Vec<(String, Vec<String>)>,
    /// Events.
    pub(crate) events: Vec<String>,
    /// Agents, of which knowledge is asked.
    pub(crate) agents: Vec<String>,
    /// Groups of agents.
    pub(crate) groups: Vec<String>,
    /// Whether groups act, so that strategies can be asked for.
    pub(crate) has_strategies: bool,
    /// Whether `W` and `R` may be used.
    pub(crate) has_weak: bool,
}

/// The logic of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Logic {
    /// `EF p` or `AG p`.
    Reachability,
    /// CTL, with knowledge and strategies where there are agents.
    Ctl,
    /// One quantifier, or none, above a path formula.
    Ltl,
    /// Everything.
    CtlStar,
}

/// What atoms of contest formulas speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtomKind {
    /// Anything.
    Any,
    /// Numbers of tokens.
    Cardinality,
    /// Transitions.
    Fireability,
    /// Atoms of an ISPL file.
    Named,
}

/// Draws formulas.
pub(crate) struct Drawing<'a> {
    pub(crate) words: &'a Vocabulary,
    pub(crate) random: &'a mut Random,
    pub(crate) atoms: AtomKind,
}

fn boxed(formula: Formula) -> Box<Formula> {
    Box::new(formula)
}

impl Drawing<'_> {
    /// A formula of a logic, with about `size` operators.
    pub(crate) fn formula(&mut self, logic: Logic, size: usize) -> Formula {
        match logic {
            Logic::Reachability => {
                let inner = self.plain(size);
                match self.random.percent(50) {
                    true => Formula::Exists(boxed(Formula::Finally(boxed(inner)))),
                    false => Formula::All(boxed(Formula::Globally(boxed(inner)))),
                }
            }
            Logic::Ctl => self.state(size, false),
            Logic::Ltl => {
                let path = self.path(size, false);
                match self.random.below(5) {
                    0 => Formula::Exists(boxed(path)),
                    1 | 2 => Formula::All(boxed(path)),
                    _ => path,
                }
            }
            Logic::CtlStar => self.state(size, true),
        }
    }

    /// A path formula of LTL, to be read below `A`.
    pub(crate) fn ltl(&mut self, size: usize) -> Formula {
        self.path(size, false)
    }

    /// A formula of LTL in an ISPL file.
    pub(crate) fn ltl_in_file(&mut self, size: usize) -> Formula {
        self.path(size.max(2), false)
    }

    /// A formula of CTL* in an ISPL file: a quantifier stands above it, and no strategies in it.
    pub(crate) fn formula_in_file(&mut self, size: usize) -> Formula {
        let path = self.path(size.max(2), false);
        if self.random.percent(50) { Formula::Exists(boxed(path)) } else { Formula::All(boxed(path)) }
    }

    /// A statement about one state.
    pub(crate) fn plain(&mut self, size: usize) -> Formula {
        if size < 2 {
            return self.atom();
        }
        self.connected(size, &mut |drawing, size| drawing.plain(size))
    }

    /// A connective above formulas that `draw` makes.
    fn connected(&mut self, size: usize, draw: &mut dyn FnMut(&mut Self, usize) -> Formula) -> Formula {
        if self.random.percent(30) {
            return Formula::Not(boxed(draw(self, size - 1)));
        }
        let left_size = self.random.range(1, (size - 1).max(1));
        let (left, right) =
            (boxed(draw(self, left_size)), boxed(draw(self, size.saturating_sub(left_size + 1).max(1))));
        match self.random.below(10) {
            0..4 => Formula::And(left, right),
            4..7 => Formula::Or(left, right),
            7..9 => Formula::Implies(left, right),
            _ if self.atoms == AtomKind::Named => Formula::Implies(left, right),
            _ => Formula::Same(left, right),
        }
    }

    fn state(&mut self, size: usize, is_star: bool) -> Formula {
        if size < 2 {
            return self.atom();
        }
        let has_agents = !self.words.agents.is_empty();
        match self.random.below(100) {
            0..25 => self.connected(size, &mut |drawing, size| drawing.state(size, is_star)),
            25..50 if has_agents => self.agents(size, is_star),
            _ => {
                let path = match is_star {
                    true => self.path(size - 1, true),
                    false => self.ctl_path(size - 1),
                };
                if self.random.percent(50) { Formula::Exists(boxed(path)) } else { Formula::All(boxed(path)) }
            }
        }
    }

    fn agents(&mut self, size: usize, is_star: bool) -> Formula {
        if self.words.has_strategies && !self.words.groups.is_empty() && self.random.percent(50) {
            let group = self.random.one(&self.words.groups).clone();
            let path = match self.random.below(4) {
                0 => Formula::Next(boxed(self.state(size - 1, is_star))),
                1 => Formula::Finally(boxed(self.state(size - 1, is_star))),
                2 => Formula::Globally(boxed(self.state(size - 1, is_star))),
                _ => {
                    let half = size.div_ceil(2);
                    Formula::Until(boxed(self.state(half, is_star)), boxed(self.state(half - 1, is_star)))
                }
            };
            return Formula::Forces(group, boxed(path));
        }
        let known = self.state(size - 1, is_star);
        let kind = *self.random.one(&[
            Knowledge::Agent,
            Knowledge::Agent,
            Knowledge::Everyone,
            Knowledge::Everyone,
            Knowledge::Common,
            Knowledge::Common,
            Knowledge::Distributed,
            Knowledge::Correct,
        ]);
        let is_one = matches!(kind, Knowledge::Agent | Knowledge::Correct);
        if is_one || self.words.groups.is_empty() {
            let kind = if kind == Knowledge::Correct { kind } else { Knowledge::Agent };
            let who = self.random.one(&self.words.agents).clone();
            return Formula::Knows(kind, who, boxed(known));
        }
        // The last groups have several members.
        let groups = &self.words.groups;
        let groups = if self.random.percent(80) { &groups[groups.len() / 2..] } else { groups };
        let who = self.random.one(groups).clone();
        Formula::Knows(kind, who, boxed(known))
    }

    fn ctl_path(&mut self, size: usize) -> Formula {
        let half = size.div_ceil(2);
        let limit = if self.words.has_weak { 12 } else { 10 };
        match self.random.below(limit) {
            0..2 => Formula::Next(boxed(self.state(size, false))),
            2..5 => Formula::Finally(boxed(self.state(size, false))),
            5..8 => Formula::Globally(boxed(self.state(size, false))),
            8..10 => Formula::Until(boxed(self.state(half, false)), boxed(self.state(half, false))),
            10 => Formula::WeakUntil(boxed(self.state(half, false)), boxed(self.state(half, false))),
            _ => Formula::Release(boxed(self.state(half, false)), boxed(self.state(half, false))),
        }
    }

    fn path(&mut self, size: usize, is_star: bool) -> Formula {
        if size < 2 {
            return self.atom();
        }
        if is_star && self.random.percent(20) {
            return self.state(size, true);
        }
        let half = size.div_ceil(2);
        let limit = if self.words.has_weak { 17 } else { 15 };
        match self.random.below(limit) {
            0..3 => self.connected(size, &mut |drawing, size| drawing.path(size, is_star)),
            3..6 => Formula::Next(boxed(self.path(size - 1, is_star))),
            6..9 => Formula::Finally(boxed(self.path(size - 1, is_star))),
            9..12 => Formula::Globally(boxed(self.path(size - 1, is_star))),
            12..15 => Formula::Until(boxed(self.path(half, is_star)), boxed(self.path(half, is_star))),
            15 => Formula::WeakUntil(boxed(self.path(half, is_star)), boxed(self.path(half, is_star))),
            _ => Formula::Release(boxed(self.path(half, is_star)), boxed(self.path(half, is_star))),
        }
    }

    /// An atom; now and then one that is always or never true.
    fn atom(&mut self) -> Formula {
        let can_fire = self.atoms != AtomKind::Cardinality && !self.words.events.is_empty();
        if self.atoms == AtomKind::Fireability && can_fire {
            return self.fireable();
        }
        if self.atoms == AtomKind::Named {
            return Formula::Name(self.random.one(&self.words.truths).clone());
        }
        match self.random.below(100) {
            0..6 => Formula::Constant(self.random.percent(50)),
            6..10 if self.atoms == AtomKind::Any => Formula::Deadlock,
            10..20 if can_fire => self.fireable(),
            20..45 if self.atoms == AtomKind::Any && !self.words.truths.is_empty() => {
                Formula::Name(self.random.one(&self.words.truths).clone())
            }
            45..60 if !self.words.words.is_empty() => {
                let (name, words) = self.random.one(&self.words.words).clone();
                let word = self.random.one(&words).clone();
                let sign = if self.random.percent(70) { Comparison::Equal } else { Comparison::Unequal };
                Formula::Compare(Sum(vec![(1, Some(name))]), sign, Sum(vec![(1, Some(word))]))
            }
            _ if !self.words.numbers.is_empty() => self.comparison(),
            _ if !self.words.truths.is_empty() => Formula::Name(self.random.one(&self.words.truths).clone()),
            _ => Formula::Constant(true),
        }
    }

    fn fireable(&mut self) -> Formula {
        let count = if self.random.percent(80) { 1 } else { 2 };
        Formula::Fireable((0..count).map(|_| self.random.one(&self.words.events).clone()).collect())
    }

    fn comparison(&mut self) -> Formula {
        let (name, size) = self.random.one(&self.words.numbers).clone();
        let signs = [
            Comparison::Equal,
            Comparison::Unequal,
            Comparison::Less,
            Comparison::AtMost,
            Comparison::Greater,
            Comparison::AtLeast,
        ];
        let comparison = match self.atoms {
            AtomKind::Cardinality if self.random.percent(70) => Comparison::AtMost,
            _ => *self.random.one(&signs),
        };
        let factors =
            if self.atoms == AtomKind::Cardinality { &[1, 1, 1][..] } else { &[1, 1, 1, 2, 3, -1][..] };
        let mut left = vec![(*self.random.one(factors), Some(name.clone()))];
        while self.random.percent(25) {
            let more = self.random.one(&self.words.numbers).0.clone();
            left.push((*self.random.one(factors), Some(more)));
        }
        let right = match self.random.below(10) {
            0..7 => {
                let near = [0, 1, 1, 2, 3, size, size + 1, size - 1];
                // Numbers in formulas fit in 64 bits.
                let number = (*self.random.one(&near)).clamp(0, i128::from(i64::MAX));
                vec![(1, None), (number - 1, None)]
            }
            // Often the same variable: a comparison that is always or never true.
            7 => vec![(1, Some(name))],
            _ => vec![(1, Some(self.random.one(&self.words.numbers).0.clone()))],
        };
        let mut right = Sum(right);
        let constant: i128 =
            right.0.iter().filter(|(_, name)| name.is_none()).map(|(number, _)| number).sum();
        right.0.retain(|(_, name)| name.is_some());
        if right.0.is_empty() || constant != 0 {
            right.0.push((constant, None));
        }
        if self.atoms == AtomKind::Cardinality && self.random.percent(40) {
            return Formula::Compare(right, comparison, Sum(left));
        }
        Formula::Compare(Sum(left), comparison, right)
    }
}

/// How a formula is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Style {
    /// Brackets everywhere, or only where they are needed.
    pub(crate) all_brackets: bool,
    /// `and`, `or`, `not` instead of signs.
    pub(crate) words: bool,
    /// `A[f U g]` instead of `A (f U g)`.
    pub(crate) square: bool,
    /// Names such as `X` without quotes, where no operand follows.
    pub(crate) bare_letters: bool,
    /// `!` also where there are words, as ISPL writes it.
    pub(crate) is_ispl: bool,
}

impl Style {
    pub(crate) fn draw(random: &mut Random) -> Style {
        Style {
            all_brackets: random.percent(40),
            words: random.percent(20),
            square: random.percent(50),
            bare_letters: random.percent(50),
            is_ispl: false,
        }
    }

    /// As ISPL files write formulas.
    pub(crate) fn of_ispl() -> Style {
        Style { all_brackets: true, words: true, square: false, bare_letters: false, is_ispl: true }
    }

    /// The formula as text.
    pub(crate) fn text(self, formula: &Formula) -> String {
        let text = self.write(formula, 0);
        // On the command line a minus at the beginning would be an option.
        if text.starts_with('-') { format!("({text})") } else { text }
    }

    /// A name where a comparison or a closing bracket follows.
    fn name(self, name: &str) -> String {
        let letters = ["A", "E", "X", "F", "G", "U", "W", "R", "K", "O", "AG", "EF"];
        // In square brackets `X W < 3 U p` would be an until of `X`.
        let is_until = self.square && ["U", "W", "R"].contains(&name);
        match self.bare_letters && !is_until && letters.contains(&name) {
            true => name.to_string(),
            false => quoted(name),
        }
    }

    /// The formula, in brackets if something stronger than `least` is expected.
    fn write(self, formula: &Formula, least: usize) -> String {
        let (level, text) = match formula {
            Formula::Constant(truth) => (6, truth.to_string()),
            Formula::Deadlock => (6, "deadlock".to_string()),
            Formula::Name(name) if !is_plain(name) && self.bare_letters => {
                return format!("({})", self.name(name));
            }
            Formula::Name(name) => (6, quoted(name)),
            Formula::Compare(left, sign, right) => {
                let text = format!("{} {} {}", self.sum(left), comparison(*sign), self.sum(right));
                // `AG -p = 0` would compare `AG - p`.
                (if text.starts_with('-') { 0 } else { 5 }, text)
            }
            Formula::Fireable(events) => {
                let events: Vec<String> = events.iter().map(|event| quoted(event)).collect();
                (6, format!("fireable({})", events.join(", ")))
            }
            Formula::Not(f) => {
                (5, format!("{}{}", if self.words && !self.is_ispl { "not " } else { "!" }, self.write(f, 5)))
            }
            Formula::And(f, g) => (
                3,
                format!(
                    "{} {} {}",
                    self.beside(f, 3),
                    if self.words { "and" } else { "&" },
                    self.beside(g, 4)
                ),
            ),
            Formula::Or(f, g) => (
                2,
                format!(
                    "{} {} {}",
                    self.beside(f, 2),
                    if self.words { "or" } else { "|" },
                    self.beside(g, 3)
                ),
            ),
            Formula::Implies(f, g) => (1, format!("{} -> {}", self.beside(f, 2), self.beside(g, 1))),
            Formula::Same(f, g) => (0, format!("{} <-> {}", self.beside(f, 1), self.beside(g, 0))),
            Formula::Until(f, g) => {
                // In ISPL `!` binds weaker than `U`.
                let least = if self.is_ispl { 6 } else { 5 };
                (4, format!("{} U {}", self.write(f, least), self.write(g, least)))
            }
            Formula::WeakUntil(f, g) => (4, format!("{} W {}", self.write(f, 5), self.write(g, 5))),
            Formula::Release(f, g) => (4, format!("{} R {}", self.write(f, 5), self.write(g, 5))),
            Formula::Next(f) => (5, format!("X {}", self.write(f, 5))),
            Formula::Finally(f) => (5, format!("F {}", self.write(f, 5))),
            Formula::Globally(f) => (5, format!("G {}", self.write(f, 5))),
            Formula::All(f) => (5, self.quantified("A", f)),
            Formula::Exists(f) => (5, self.quantified("E", f)),
            Formula::Knows(kind, who, f) => {
                let kind = match kind {
                    Knowledge::Agent => "K",
                    Knowledge::Everyone => "GK",
                    Knowledge::Common => "GCK",
                    Knowledge::Distributed => "DK",
                    Knowledge::Correct => "O",
                };
                (6, format!("{kind}({who}, {})", self.write(f, 0)))
            }
            Formula::Forces(group, f) => match &**f {
                Formula::Until(..) => (5, format!("<{group}> ({})", self.write(f, 0))),
                _ => (5, format!("<{group}> {}", self.write(f, 5))),
            },
        };
        let is_open = level < least || self.all_brackets && level < 5 && least > 0;
        if is_open { format!("({text})") } else { text }
    }

    /// An operand of a connective: until beside one needs brackets.
    fn beside(self, formula: &Formula, least: usize) -> String {
        let least = match formula {
            Formula::Until(..) | Formula::WeakUntil(..) | Formula::Release(..) => 5,
            _ => least,
        };
        self.write(formula, least)
    }

    fn quantified(self, quantifier: &str, path: &Formula) -> String {
        let until = |sign: &str, f: &Formula, g: &Formula| match self.square {
            true => {
                // In `p > AG R -q < 3` the name `AG` would have the operand `R - q < 3`.
                let least = if matches!(g, Formula::Compare(..)) { 1 } else { 0 };
                format!("{quantifier}[{} {sign} {}]", self.write(f, 0), self.write(g, least))
            }
            false => {
                let least = if self.is_ispl { 6 } else { 5 };
                format!("{quantifier} ({} {sign} {})", self.write(f, least), self.write(g, least))
            }
        };
        match path {
            Formula::Next(f) => format!("{quantifier}X {}", self.write(f, 5)),
            Formula::Finally(f) => format!("{quantifier}F {}", self.write(f, 5)),
            Formula::Globally(f) => format!("{quantifier}G {}", self.write(f, 5)),
            Formula::Until(f, g) => until("U", f, g),
            Formula::WeakUntil(f, g) => until("W", f, g),
            Formula::Release(f, g) => until("R", f, g),
            other => format!("{quantifier} ({})", self.write(other, 0)),
        }
    }

    fn sum(self, sum: &Sum) -> String {
        let mut text = String::new();
        // A minus behind a letter would begin its operand.
        let style = Style { bare_letters: self.bare_letters && sum.0.len() == 1, ..self };
        for (number, (factor, name)) in sum.0.iter().enumerate() {
            let sign = match (number, *factor < 0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            let size = factor.abs();
            let term = match name {
                None => size.to_string(),
                Some(name) if size == 1 => style.name(name),
                Some(name) => format!("{size}*{}", style.name(name)),
            };
            text.push_str(sign);
            text.push_str(&term);
        }
        text
    }
}

fn comparison(sign: Comparison) -> &'static str {
    match sign {
        Comparison::Equal => "=",
        Comparison::Unequal => "!=",
        Comparison::Less => "<",
        Comparison::AtMost => "<=",
        Comparison::Greater => ">",
        Comparison::AtLeast => ">=",
    }
}

/// The formula in the contest's XML.
pub(crate) fn xml(formula: &Formula) -> String {
    let tag = |name: &str, inner: String| format!("<{name}>{inner}</{name}>");
    match formula {
        Formula::Constant(truth) => format!("<{truth}/>"),
        Formula::Deadlock => "<deadlock/>".to_string(),
        Formula::Name(name) => {
            let marked = Sum(vec![(1, Some(name.clone()))]);
            tag("integer-le", format!("{}{}", xml_sum(&Sum(vec![(1, None)])), xml_sum(&marked)))
        }
        Formula::Compare(left, sign, right) => {
            let name = match sign {
                Comparison::Equal => "integer-eq",
                Comparison::Unequal => "integer-ne",
                Comparison::Less => "integer-lt",
                Comparison::AtMost => "integer-le",
                Comparison::Greater => "integer-gt",
                Comparison::AtLeast => "integer-ge",
            };
            tag(name, format!("{}{}", xml_sum(left), xml_sum(right)))
        }
        Formula::Fireable(events) => {
            let events = events.iter().map(|event| tag("transition", escaped(event)));
            tag("is-fireable", events.collect())
        }
        Formula::Not(f) => tag("negation", xml(f)),
        Formula::And(f, g) => tag("conjunction", format!("{}{}", xml(f), xml(g))),
        Formula::Or(f, g) => tag("disjunction", format!("{}{}", xml(f), xml(g))),
        Formula::Implies(f, g) => tag("implication", format!("{}{}", xml(f), xml(g))),
        Formula::Same(f, g) => tag("equivalence", format!("{}{}", xml(f), xml(g))),
        Formula::All(f) => tag("all-paths", xml(f)),
        Formula::Exists(f) => tag("exists-path", xml(f)),
        Formula::Next(f) => tag("next", xml(f)),
        Formula::Finally(f) => tag("finally", xml(f)),
        Formula::Globally(f) => tag("globally", xml(f)),
        // The contest has no weak operators; no contest formula is drawn with one.
        Formula::Until(f, g) | Formula::WeakUntil(f, g) | Formula::Release(f, g) => {
            tag("until", format!("{}{}", tag("before", xml(f)), tag("reach", xml(g))))
        }
        Formula::Knows(_, _, f) | Formula::Forces(_, f) => xml(f),
    }
}

fn xml_sum(sum: &Sum) -> String {
    let places: Vec<&String> = sum.0.iter().filter_map(|(_, name)| name.as_ref()).collect();
    if places.is_empty() {
        let constant: i128 = sum.0.iter().map(|(number, _)| number).sum();
        return format!("<integer-constant>{constant}</integer-constant>");
    }
    let places: String = places.iter().map(|place| format!("<place>{}</place>", escaped(place))).collect();
    format!("<tokens-count>{places}</tokens-count>")
}

/// Formulas with something taken away. What stood below a quantifier may stand alone afterwards.
pub(crate) fn smaller(formula: &Formula) -> Vec<Formula> {
    let mut found: Vec<Formula> = Vec::new();
    if !matches!(formula, Formula::Constant(_)) {
        found.push(Formula::Constant(true));
        found.push(Formula::Constant(false));
    }
    for operand in formula.operands() {
        // A quantifier keeps its path.
        if !(formula.is_quantifier() && operand.is_temporal()) {
            found.push(operand.clone());
        }
        if formula.is_quantifier() {
            found.extend(operand.operands().into_iter().filter(|inner| !inner.is_path()).cloned());
        }
    }
    if let Formula::Compare(left, sign, right) = formula {
        for number in 0..left.0.len() {
            let mut fewer = left.clone();
            fewer.0.remove(number);
            if !fewer.0.is_empty() {
                found.push(Formula::Compare(fewer, *sign, right.clone()));
            }
        }
    }
    let operands: Vec<Formula> = formula.operands().into_iter().cloned().collect();
    for (number, operand) in operands.iter().enumerate() {
        for less in smaller(operand) {
            // Below a quantifier of CTL a temporal operator stays.
            if formula.is_quantifier() && operand.is_temporal() && !less.is_temporal() {
                continue;
            }
            found.push(with_operand(formula, number, less));
        }
    }
    found
}

/// The formula with another operand.
fn with_operand(formula: &Formula, number: usize, new: Formula) -> Formula {
    let mut operands: Vec<Formula> = formula.operands().into_iter().cloned().collect();
    operands[number] = new;
    let mut operands = operands.into_iter().map(boxed);
    let mut next = || operands.next().unwrap_or_else(|| boxed(Formula::Constant(true)));
    match formula {
        Formula::Not(_) => Formula::Not(next()),
        Formula::And(..) => Formula::And(next(), next()),
        Formula::Or(..) => Formula::Or(next(), next()),
        Formula::Implies(..) => Formula::Implies(next(), next()),
        Formula::Same(..) => Formula::Same(next(), next()),
        Formula::All(_) => Formula::All(next()),
        Formula::Exists(_) => Formula::Exists(next()),
        Formula::Next(_) => Formula::Next(next()),
        Formula::Finally(_) => Formula::Finally(next()),
        Formula::Globally(_) => Formula::Globally(next()),
        Formula::Until(..) => Formula::Until(next(), next()),
        Formula::WeakUntil(..) => Formula::WeakUntil(next(), next()),
        Formula::Release(..) => Formula::Release(next(), next()),
        Formula::Knows(kind, who, _) => Formula::Knows(*kind, who.clone(), next()),
        Formula::Forces(group, _) => Formula::Forces(group.clone(), next()),
        atom => atom.clone(),
    }
}
