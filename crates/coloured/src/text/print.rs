//! Nets printed as text that reads back the same.

use super::parse::KEYWORDS;
use crate::{
    Arc, Class, ClassId, Constant, Domain, Guard, MemberTerm, Members, MultisetTerm, Net, PartId, PartTerm,
    PartitionId, Position, Relation,
};
use rustc_hash::FxHashSet;
use std::fmt::{self, Write};
use symbolon_source::{Quoted, begins_name, continues_name};

/// Writes a net as text.
pub fn write_text(net: &Net, out: &mut impl Write) -> fmt::Result {
    Printer::new(net, out).net()
}

/// A term as it stands in the text of a net; a number for black tokens.
pub fn term_text(net: &Net, term: &MultisetTerm) -> String {
    let mut text = String::new();
    let mut printer = Printer::new(net, &mut text);
    match printer.black_tokens(term) {
        Some(count) => text = count.to_string(),
        // Strings take everything.
        None => drop(printer.term(term, Strength::Any, false)),
    }
    text
}

/// A guard as it stands in the text of a net.
pub fn guard_text(net: &Net, guard: &Guard) -> String {
    let mut text = String::new();
    let _never_fails = Printer::new(net, &mut text).guard(guard, 0);
    text
}

/// The net as text.
pub fn print_text(net: &Net) -> String {
    let mut text = String::new();
    // Strings take everything.
    let _never_fails = write_text(net, &mut text);
    text
}

/// A name, in quotes if it needs them.
struct Plain<'a>(&'a str);

impl fmt::Display for Plain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_word = self.0.starts_with(begins_name) && self.0.chars().all(continues_name);
        if is_word && !KEYWORDS.contains(&self.0) { f.write_str(self.0) } else { Quoted(self.0).fmt(f) }
    }
}

/// The name of a member: digits need no quotes there.
struct MemberName<'a>(&'a str);

impl fmt::Display for MemberName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if is_number(self.0) { f.write_str(self.0) } else { Plain(self.0).fmt(f) }
    }
}

/// Whether a name is written with digits alone.
fn is_number(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit())
}

/// How strongly a term must bind where it stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    /// Anything.
    Any,
    /// Behind `+` or `-`: no sum and no difference.
    Operand,
    /// Behind `2*`: nothing but names and brackets.
    Factor,
}

struct Printer<'a, W> {
    net: &'a Net,
    /// Names that mean a variable wherever they stand alone.
    variables: FxHashSet<&'a str>,
    /// Names that are members of some class, if the net has partitions.
    members: FxHashSet<&'a str>,
    out: &'a mut W,
}

impl<'a, W: Write> Printer<'a, W> {
    fn new(net: &'a Net, out: &'a mut W) -> Self {
        let variables = net.variables.iter().map(|variable| &*variable.id).collect();
        let listed = net.classes.iter().flat_map(Class::constants).map(|constant| &*constant.id);
        // Which names are members matters for parts alone.
        let members =
            if net.partitions.is_empty() { FxHashSet::default() } else { listed.chain(["dot"]).collect() };
        Printer { net, variables, members, out }
    }
}

impl<W: Write> Printer<'_, W> {
    fn net(&mut self) -> fmt::Result {
        let net = self.net;
        if !net.name.is_empty() {
            writeln!(self.out, "net {}\n", Plain(&net.name))?;
        }
        for page in &net.pages {
            write!(self.out, "page {}", Plain(&page.id))?;
            if let Some(parent) = page.parent {
                write!(self.out, " in {}", Plain(&net.pages[parent.index()].id))?;
            }
            writeln!(self.out)?;
        }
        let hides_dot = self.hides_dot();
        for class in &net.classes {
            if !(class.is_dot() && hides_dot) {
                self.class(class)?;
            }
        }
        for product in &net.products {
            write!(self.out, "class ")?;
            self.declared(&product.id, product.label.as_deref())?;
            write!(self.out, " = ")?;
            self.domain(&product.domain)?;
            writeln!(self.out)?;
        }
        for partition in &net.partitions {
            write!(self.out, "partition ")?;
            self.declared(&partition.id, partition.label.as_deref())?;
            let class = &net.classes[partition.class.index()];
            write!(self.out, " of {}:", Plain(&class.id))?;
            for (number, part) in partition.parts.iter().enumerate() {
                self.out.write_str(if number == 0 { " " } else { ", " })?;
                self.declared(&part.id, part.label.as_deref())?;
                let members = part.members.iter().map(|&member| class.member_id(member)).collect::<Vec<_>>();
                write!(self.out, " = {{")?;
                self.entries(members.iter().map(|id| (&**id, None)))?;
                write!(self.out, "}}")?;
            }
            writeln!(self.out)?;
        }
        self.variables()?;
        if !net.places.is_empty() {
            writeln!(self.out)?;
        }
        for place in &net.places {
            write!(self.out, "place ")?;
            self.node(&place.id, place.label.as_deref(), place.page, place.position)?;
            if !(net.is_dot(&place.domain) && self.is_first_dot(&place.domain)) {
                write!(self.out, ": ")?;
                self.domain(&place.domain)?;
            }
            match &place.initial {
                // COL-4: the domain of the term is that of the place.
                MultisetTerm::Empty(_) => (),
                initial => {
                    write!(self.out, " = ")?;
                    match self.black_tokens(initial) {
                        Some(count) => write!(self.out, "{count}")?,
                        None => self.term(initial, Strength::Any, false)?,
                    }
                }
            }
            writeln!(self.out)?;
        }
        self.transitions()
    }

    /// Whether the reader adds the class of black tokens by itself, in its place.
    fn hides_dot(&self) -> bool {
        let net = self.net;
        let dots: Vec<usize> = (0..net.classes.len()).filter(|&class| net.classes[class].is_dot()).collect();
        let [dot] = dots[..] else { return false };
        let class = ClassId(dot as u32);
        let is_plain = net.classes[dot].id == "dot" && net.classes[dot].label.is_none();
        is_plain
            && dot + 1 == net.classes.len()
            && net.places.iter().any(|place| place.domain.0.contains(&class))
            && !net.products.iter().any(|product| product.domain.0.contains(&class))
            && !net.variables.iter().any(|variable| variable.class == class)
            && !net.partitions.iter().any(|partition| partition.class == class)
    }

    /// Whether black tokens of this class are meant where no domain is written.
    fn is_first_dot(&self, domain: &Domain) -> bool {
        let first = self.net.classes.iter().position(Class::is_dot);
        first == Some(domain.0[0].index())
    }

    fn declared(&mut self, id: &str, label: Option<&str>) -> fmt::Result {
        write!(self.out, "{}", Plain(id))?;
        match label {
            Some(label) => write!(self.out, " as {}", Plain(label)),
            None => Ok(()),
        }
    }

    fn node(
        &mut self,
        id: &str,
        label: Option<&str>,
        page: Option<crate::PageId>,
        position: Option<Position>,
    ) -> fmt::Result {
        self.declared(id, label)?;
        if let Some(page) = page {
            write!(self.out, " on {}", Plain(&self.net.pages[page.index()].id))?;
        }
        if let Some(Position { x, y }) = position {
            write!(self.out, " at ({x}, {y})")?;
        }
        Ok(())
    }

    fn class(&mut self, class: &Class) -> fmt::Result {
        write!(self.out, "class ")?;
        self.declared(&class.id, class.label.as_deref())?;
        write!(self.out, " = ")?;
        let named = |constant: &'_ Constant| (constant.id.clone(), constant.label.clone());
        let (start, constants) = match &class.members {
            Members::Dot => return writeln!(self.out, "black"),
            Members::Range { first, last } => return writeln!(self.out, "range {first}..{last}"),
            Members::Cyclic(constants) => ("cyclic ", constants),
            Members::Listed(constants) => ("", constants),
        };
        let constants: Vec<_> = constants.iter().map(named).collect();
        self.out.write_str(start)?;
        let is_run = !start.is_empty() && {
            let unlabelled = constants.iter().all(|(_, label)| label.is_none());
            unlabelled
                && run_length(constants.iter().map(|(id, _)| &**id)) == constants.len()
                && constants.len() > 2
        };
        if !is_run {
            self.out.write_str("{")?;
        }
        self.entries(constants.iter().map(|(id, label)| (&**id, label.as_deref())))?;
        self.out.write_str(if is_run { "\n" } else { "}\n" })
    }

    /// Members of a list, with runs such as `c1..c9` where at least three follow each other.
    fn entries<'a>(&mut self, members: impl Iterator<Item = (&'a str, Option<&'a str>)>) -> fmt::Result {
        let members: Vec<_> = members.collect();
        let mut next = 0;
        while next < members.len() {
            if next > 0 {
                self.out.write_str(", ")?;
            }
            let unlabelled =
                members[next..].iter().take_while(|(_, label)| label.is_none()).map(|(id, _)| *id);
            let length = run_length(unlabelled);
            if length > 2 {
                let (first, last) = (members[next].0, members[next + length - 1].0);
                write!(self.out, "{}..{}", Signed(first), Signed(last))?;
                next += length;
                continue;
            }
            let (id, label) = members[next];
            write!(self.out, "{}", Signed(id))?;
            if let Some(label) = label {
                write!(self.out, " as {}", Plain(label))?;
            }
            next += 1;
        }
        Ok(())
    }

    fn domain(&mut self, domain: &Domain) -> fmt::Result {
        for (number, class) in domain.0.iter().enumerate() {
            self.out.write_str(if number == 0 { "" } else { " x " })?;
            write!(self.out, "{}", Plain(&self.net.classes[class.index()].id))?;
        }
        Ok(())
    }

    /// Variables of one class that follow each other share a line.
    fn variables(&mut self) -> fmt::Result {
        for group in self.net.variables.chunk_by(|one, other| one.class == other.class) {
            for (number, variable) in group.iter().enumerate() {
                self.out.write_str(if number == 0 { "var " } else { ", " })?;
                self.declared(&variable.id, variable.label.as_deref())?;
            }
            writeln!(self.out, ": {}", Plain(&self.net.classes[group[0].class.index()].id))?;
        }
        Ok(())
    }

    fn transitions(&mut self) -> fmt::Result {
        for transition in &self.net.transitions {
            write!(self.out, "\ntransition ")?;
            self.node(&transition.id, transition.label.as_deref(), transition.page, transition.position)?;
            if transition.guard != Guard::Constant(true) {
                write!(self.out, " [")?;
                self.guard(&transition.guard, 0)?;
                write!(self.out, "]")?;
            }
            self.out.write_str(if transition.arcs.is_empty() { "\n" } else { ":\n" })?;
            for kind in ["take", "read", "inhibit", "reset", "put"] {
                let mut is_first = true;
                for arc in transition.arcs.iter().filter(|arc| word(arc) == kind) {
                    match is_first {
                        true => write!(self.out, "  {kind} ")?,
                        false => write!(self.out, ", ")?,
                    }
                    is_first = false;
                    self.arc(arc)?;
                }
                if !is_first {
                    writeln!(self.out)?;
                }
            }
        }
        Ok(())
    }

    fn arc(&mut self, arc: &Arc) -> fmt::Result {
        let place = &self.net.places[arc.place().index()];
        write!(self.out, "{}", Plain(&place.id))?;
        let is_reset = matches!(arc, Arc::Reset { .. });
        let is_black = self.net.is_dot(&place.domain);
        match arc.tokens() {
            MultisetTerm::All(_) if is_reset => return Ok(()),
            MultisetTerm::Member(MemberTerm::Constant { .. }) if is_black && !is_reset => return Ok(()),
            _ => (),
        }
        match arc.tokens() {
            tokens @ MultisetTerm::Tuple(_) => self.term(tokens, Strength::Any, false),
            tokens => {
                self.out.write_str("(")?;
                match self.black_tokens(tokens).filter(|count| *count != 1) {
                    Some(count) => write!(self.out, "{count}")?,
                    None => self.term(tokens, Strength::Any, false)?,
                }
                self.out.write_str(")")
            }
        }
    }

    /// The number of black tokens, if a number stands for the term.
    fn black_tokens(&self, term: &MultisetTerm) -> Option<u64> {
        let is_token = |term: &MultisetTerm| match term {
            MultisetTerm::Member(MemberTerm::Constant { class, .. }) => {
                self.net.classes[class.index()].is_dot()
            }
            _ => false,
        };
        match term {
            MultisetTerm::Scaled { count, term } if *count != 1 && is_token(term) => Some(*count),
            term if is_token(term) => Some(1),
            _ => None,
        }
    }

    fn term(&mut self, term: &MultisetTerm, strength: Strength, in_tuple: bool) -> fmt::Result {
        let needs_brackets = match term {
            MultisetTerm::Sum(_) | MultisetTerm::Difference(_) => strength > Strength::Any,
            MultisetTerm::Scaled { .. } => strength > Strength::Operand,
            _ => false,
        };
        if needs_brackets {
            self.out.write_str("(")?;
        }
        match term {
            MultisetTerm::Empty(domain) => self.whole("empty", domain, in_tuple)?,
            MultisetTerm::All(domain) => self.whole("all", domain, in_tuple)?,
            MultisetTerm::Member(member) => self.member(*member, true)?,
            MultisetTerm::Part(part) => self.part(*part)?,
            MultisetTerm::Tuple(terms) => {
                self.out.write_str("(")?;
                for (number, term) in terms.iter().enumerate() {
                    self.out.write_str(if number == 0 { "" } else { ", " })?;
                    self.term(term, Strength::Any, true)?;
                }
                self.out.write_str(")")?;
            }
            MultisetTerm::Sum(terms) => {
                for (number, term) in terms.iter().enumerate() {
                    self.out.write_str(if number == 0 { "" } else { " + " })?;
                    // A difference may come first, where it is read first.
                    let is_first = number == 0 && matches!(term, MultisetTerm::Difference(_));
                    let strength = if is_first { Strength::Any } else { Strength::Operand };
                    self.term(term, strength, in_tuple)?;
                }
            }
            MultisetTerm::Difference(both) => {
                self.term(&both[0], Strength::Any, in_tuple)?;
                self.out.write_str(" - ")?;
                self.term(&both[1], Strength::Operand, in_tuple)?;
            }
            MultisetTerm::Scaled { count, term } => {
                write!(self.out, "{count}*")?;
                self.term(term, Strength::Factor, in_tuple)?;
            }
        }
        if needs_brackets { self.out.write_str(")") } else { Ok(()) }
    }

    /// `all`, with its domain where that is not clear: as a part of a tuple it stands for one class.
    fn whole(&mut self, word: &str, domain: &Domain, in_tuple: bool) -> fmt::Result {
        self.out.write_str(word)?;
        if !in_tuple || domain.0.len() == 1 {
            return Ok(());
        }
        self.out.write_str("(")?;
        self.domain(domain)?;
        self.out.write_str(")")
    }

    /// A member; `is_typed` where the reader knows which class is meant.
    fn member(&mut self, member: MemberTerm, is_typed: bool) -> fmt::Result {
        let (id, shift) = match member {
            MemberTerm::Variable { variable, shift } => {
                write!(self.out, "{}", Plain(&self.net.variables[variable.index()].id))?;
                (None, shift)
            }
            MemberTerm::Constant { class, member } => {
                let class = &self.net.classes[class.index()];
                let id = class.member_id(member).into_owned();
                // A number alone is never a variable, nor are black tokens counted by it here.
                let is_hidden = self.variables.contains(&*id) && !is_number(&id);
                if !is_typed || is_hidden {
                    write!(self.out, "{}.", Plain(&class.id))?;
                }
                (Some(id), 0)
            }
        };
        if let Some(id) = id {
            write!(self.out, "{}", Signed(&id))?;
        }
        match shift {
            0 => Ok(()),
            1 => self.out.write_str("++"),
            -1 => self.out.write_str("--"),
            2.. => write!(self.out, "++{shift}"),
            _ => write!(self.out, "--{}", shift.unsigned_abs()),
        }
    }

    /// A part, with its partition where the name alone means something else.
    fn part(&mut self, part: PartId) -> fmt::Result {
        let partition = &self.net.partitions[part.partition.index()];
        let id = &partition.parts[part.part as usize].id;
        let class = &self.net.classes[partition.class.index()];
        let is_member = (0..class.size() as u32).any(|member| class.member_id(member) == **id);
        if is_member || is_number(id) || self.variables.contains(&**id) {
            write!(self.out, "{}.", Plain(&partition.id))?;
        }
        write!(self.out, "{}", Plain(id))
    }

    /// A guard; `level` is 0 where anything may stand, 1 below `->`, 2 below `|`, 3 below `&`.
    fn guard(&mut self, guard: &Guard, level: u8) -> fmt::Result {
        let own = match guard {
            Guard::Implies(_) => 0,
            Guard::Or(_) => 1,
            Guard::And(_) => 2,
            Guard::Constant(_) | Guard::Compare { .. } | Guard::CompareParts { .. } | Guard::Not(_) => 3,
        };
        if own < level {
            self.out.write_str("(")?;
        }
        match guard {
            Guard::Constant(truth) => write!(self.out, "{truth}")?,
            Guard::Compare { left, relation, right } => {
                // If neither side is a variable, each says its class.
                let is_typed = [left, right].iter().any(|side| matches!(side, MemberTerm::Variable { .. }));
                self.member(*left, is_typed)?;
                write!(self.out, " {} ", sign(*relation))?;
                self.member(*right, is_typed)?;
            }
            Guard::CompareParts { partition, left, relation, right } => {
                self.parts(*partition, *left, *relation, *right)?;
            }
            Guard::Not(inner) => {
                self.out.write_str("!(")?;
                self.guard(inner, 0)?;
                self.out.write_str(")")?;
            }
            Guard::And(guards) => self.joined(guards, " & ", 3)?,
            Guard::Or(guards) => self.joined(guards, " | ", 2)?,
            Guard::Implies(both) => {
                self.guard(&both[0], 1)?;
                self.out.write_str(" -> ")?;
                self.guard(&both[1], 0)?;
            }
        }
        if own < level { self.out.write_str(")") } else { Ok(()) }
    }

    fn joined(&mut self, guards: &[Guard], sign: &str, level: u8) -> fmt::Result {
        for (number, guard) in guards.iter().enumerate() {
            self.out.write_str(if number == 0 { "" } else { sign })?;
            self.guard(guard, level)?;
        }
        Ok(())
    }

    fn parts(
        &mut self,
        partition: PartitionId,
        left: PartTerm,
        relation: Relation,
        right: PartTerm,
    ) -> fmt::Result {
        if let (PartTerm::Of(member), Relation::Equal, PartTerm::Part(part)) = (left, relation, right) {
            self.member(member, true)?;
            self.out.write_str(" in ")?;
            let id = &self.net.partitions[partition.index()].parts[part as usize].id;
            let is_other =
                self.variables.contains(&**id) || self.members.contains(&**id) || id.parse::<i64>().is_ok();
            return if is_other {
                self.named_part(partition, part)
            } else {
                write!(self.out, "{}", Plain(id))
            };
        }
        for (number, term) in [left, right].into_iter().enumerate() {
            if number > 0 {
                write!(self.out, " {} ", sign(relation))?;
            }
            match term {
                PartTerm::Part(part) => self.named_part(partition, part)?,
                PartTerm::Of(member) => {
                    write!(self.out, "{}(", Plain(&self.net.partitions[partition.index()].id))?;
                    self.member(member, true)?;
                    self.out.write_str(")")?;
                }
            }
        }
        Ok(())
    }

    /// A part with its partition, which is never anything else.
    fn named_part(&mut self, partition: PartitionId, part: u32) -> fmt::Result {
        let partition = &self.net.partitions[partition.index()];
        write!(self.out, "{}.{}", Plain(&partition.id), Plain(&partition.parts[part as usize].id))
    }
}

/// The id of a member, or a number that may be negative.
struct Signed<'a>(&'a str);

impl fmt::Display for Signed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_negative = self.0.starts_with('-') && self.0.parse::<i64>().is_ok_and(|number| number < 0);
        let is_canonical = is_negative && !self.0.starts_with("-0");
        if is_canonical { f.write_str(self.0) } else { MemberName(self.0).fmt(f) }
    }
}

fn word(arc: &Arc) -> &'static str {
    match arc {
        Arc::Input { .. } => "take",
        Arc::Read { .. } => "read",
        Arc::Inhibitor { .. } => "inhibit",
        Arc::Reset { .. } => "reset",
        Arc::Output { .. } => "put",
    }
}

fn sign(relation: Relation) -> &'static str {
    match relation {
        Relation::Equal => "=",
        Relation::Unequal => "!=",
        Relation::Less => "<",
        Relation::LessOrEqual => "<=",
        Relation::Greater => ">",
        Relation::GreaterOrEqual => ">=",
    }
}

/// How many names from the first on are one word with numbers that count up.
fn run_length<'a>(mut names: impl Iterator<Item = &'a str>) -> usize {
    let Some((word, first)) = names.next().and_then(counted) else { return 0 };
    let counts_up = |(name, number): &(&str, i64)| counted(name) == Some((word, *number));
    let rest = names.zip(first + 1..).take_while(counts_up).count();
    1 + rest
}

/// A plain word with a number behind it, or a number alone, written as the reader counts.
fn counted(name: &str) -> Option<(&str, i64)> {
    let word = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &name[word.len()..];
    let is_plain = word.is_empty() || word.starts_with(begins_name) && word.chars().all(continues_name);
    let is_counted = digits == "0" || !digits.starts_with('0');
    digits
        .parse::<i64>()
        .ok()
        .filter(|number| is_plain && is_counted && *number < i64::MAX)
        .map(|number| (word, number))
}

impl Class {
    /// The text by which a term refers to a member: the id of a constant, or a number.
    fn member_id(&self, member: u32) -> std::borrow::Cow<'_, str> {
        match self.constants().get(member as usize) {
            Some(constant) => std::borrow::Cow::Borrowed(&constant.id),
            None => self.member_name(member),
        }
    }
}
