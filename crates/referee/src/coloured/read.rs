//! Reads the PNML of a coloured net: declarations, places, transitions, arcs.
//!
//! Only `<structure>` counts, never `<text>`. What this reader does not know, it refuses by name.

use super::term::{Colour, Guard, Order, Term};
use super::{Arc, ColouredNet, MOST_COLOURS, Place, Transition, Unknown, token};
use crate::model::Agents;
use crate::xml::{self, Element};
use std::collections::{BTreeMap, BTreeSet};

/// The classes whose product a domain is. A class has a number.
type Domain = Vec<usize>;

/// The declarations of a file.
#[derive(Default)]
struct Declarations {
    /// The names of the members of each class. Class 0 is `dot`.
    classes: Vec<Vec<String>>,
    /// The class of each range of numbers, by its ends.
    ranges: BTreeMap<(i128, i128), usize>,
    /// What sorts with an id mean; a partition means the class that it divides.
    sorts: BTreeMap<String, Domain>,
    /// Constants and partition elements by their id: a class, and positions in it.
    constants: BTreeMap<String, (usize, Vec<usize>)>,
    /// The partitions: for each member of the class the number of its part.
    partitions: BTreeMap<String, (usize, Vec<usize>)>,
    /// Partition elements by their id: the partition, and the number of the part.
    parts: BTreeMap<String, (String, usize)>,
    /// The variables, each with its id and its class.
    variables: Vec<(String, usize)>,
    unknowns: Vec<Unknown>,
}

/// Reads a net.
pub(super) fn net(text: &str) -> Result<ColouredNet, String> {
    let document = xml::read(text)?;
    let find = |name: &str| {
        let mut found = Vec::new();
        document.all(name, &mut found);
        found
    };
    let declarations = Declarations::read(&document)?;
    let mut net = ColouredNet {
        tokens: Vec::new(),
        places: Vec::new(),
        unknowns: declarations.unknowns.clone(),
        transitions: Vec::new(),
        initial: Vec::new(),
        agents: Agents::default(),
    };
    let mut domains: Vec<Domain> = Vec::new();
    for place in find("place") {
        let domain = declarations.domain(structure(place.child("type").ok_or("a place without type")?)?)?;
        let mut positions = BTreeMap::new();
        for colour in declarations.colours(&domain)? {
            let names: Vec<String> = colour
                .iter()
                .zip(&domain)
                .map(|(&value, &class)| declarations.classes[class][value].clone())
                .collect();
            net.tokens.push(token(&attribute(place, "id")?, if domain == [0] { &[] } else { &names }));
            positions.insert(colour, net.initial.len());
            net.initial.push(0);
        }
        if net.initial.len() > MOST_COLOURS {
            return Err("too many colours".to_string());
        }
        if let Some(marking) = place.child("hlinitialMarking") {
            let term = declarations.term_of(structure(marking)?, &domain)?;
            let mut variables = Vec::new();
            term.variables(&mut variables);
            if !variables.is_empty() {
                return Err("an initial marking with a variable".to_string());
            }
            for (colour, number) in term.bag(&Vec::new()) {
                net.initial[positions[&colour]] = number;
            }
        }
        net.places.push(Place { id: attribute(place, "id")?, positions });
        domains.push(domain);
    }
    for transition in find("transition") {
        let guard = match transition.child("condition") {
            Some(condition) => declarations.guard(structure(condition)?)?,
            None => Guard::Constant(true),
        };
        let id = attribute(transition, "id")?;
        net.transitions.push(Transition { id, guard, arcs: Vec::new(), variables: Vec::new() });
    }
    for arc in find("arc") {
        add_arc(&mut net, &declarations, &domains, arc)?;
    }
    for transition in &mut net.transitions {
        let mut found = Vec::new();
        transition.guard.variables(&mut found);
        transition.arcs.iter().for_each(|(.., term)| term.variables(&mut found));
        found.sort_unstable();
        found.dedup();
        transition.variables = found;
    }
    Ok(net)
}

fn add_arc(
    net: &mut ColouredNet,
    declarations: &Declarations,
    domains: &[Domain],
    arc: &Element,
) -> Result<(), String> {
    let (source, target) = (attribute(arc, "source")?, attribute(arc, "target")?);
    let place = |name: &str| net.places.iter().position(|place| place.id == name);
    let transition = |name: &str| net.transitions.iter().position(|known| known.id == name);
    let (transition, place, is_input) = match (place(&source), transition(&target)) {
        (Some(place), Some(transition)) => (transition, place, true),
        _ => match (transition(&source), place(&target)) {
            (Some(transition), Some(place)) => (transition, place, false),
            _ => return Err(format!("an arc from {source} to {target}")),
        },
    };
    let written = match (arc.child("type"), arc.child("arctype")) {
        (Some(kind), _) => kind.attribute("value").unwrap_or("normal").to_string(),
        (None, Some(kind)) => kind.child("text").map_or("normal", |text| text.text.trim()).to_string(),
        (None, None) => "normal".to_string(),
    };
    let kind = match (written.as_str(), is_input) {
        ("normal", true) => Arc::Input,
        ("normal", false) => Arc::Output,
        ("inhibitor", true) => Arc::Inhibitor,
        ("test" | "read", true) => Arc::Read,
        ("reset", true) => Arc::Reset,
        (other, _) => return Err(format!("an arc of type {other}")),
    };
    let domain = &domains[place];
    let term = match arc.child("hlinscription") {
        Some(inscription) => declarations.term_of(structure(inscription)?, domain)?,
        // One plain token, or everything.
        None if *domain == [0] || kind == Arc::Reset => Term::Colours(declarations.colours(domain)?),
        None => return Err(format!("an arc from {source} to {target} without inscription")),
    };
    net.transitions[transition].arcs.push((kind, place, term));
    Ok(())
}

fn attribute(element: &Element, name: &str) -> Result<String, String> {
    element.attribute(name).map(str::to_string).ok_or_else(|| format!("a <{}> without {name}", element.name))
}

fn integer(element: &Element, name: &str) -> Result<i128, String> {
    let text = attribute(element, name)?;
    text.trim().parse().map_err(|_| format!("not a number: {text}"))
}

/// The one element in `<structure>`.
fn structure(element: &Element) -> Result<&Element, String> {
    let inner = element.child("structure").and_then(|structure| structure.children.first());
    inner.ok_or_else(|| format!("a <{}> without structure", element.name))
}

/// The operands of an operator, each in its `<subterm>`.
fn operands(element: &Element) -> Result<Vec<&Element>, String> {
    let inner = |child: &'_ Element| child.name == "subterm" && child.children.len() == 1;
    match element.children.iter().all(inner) {
        true => Ok(element.children.iter().map(|child| &child.children[0]).collect()),
        false => Err(format!("<{}> has other parts than subterms", element.name)),
    }
}

fn two(element: &Element) -> Result<[&Element; 2], String> {
    operands(element)?.try_into().map_err(|_| format!("<{}> does not have two operands", element.name))
}

/// The names of things, if all of them have different ones without signs that separate colours;
/// otherwise their ids.
fn names(elements: &[&Element]) -> Result<Vec<String>, String> {
    let names: BTreeSet<&str> = elements.iter().filter_map(|one| one.attribute("name")).collect();
    let is_plain = |name: &&str| {
        let separates = |letter: char| ",=[]()\"#".contains(letter) || letter.is_whitespace();
        !name.is_empty() && !name.contains(separates)
    };
    let by_name = names.len() == elements.len() && names.iter().all(is_plain);
    elements.iter().map(|one| attribute(one, if by_name { "name" } else { "id" })).collect()
}

impl Declarations {
    fn read(document: &Element) -> Result<Declarations, String> {
        let find = |name: &str| {
            let mut found = Vec::new();
            document.all(name, &mut found);
            found
        };
        let mut all = Declarations { classes: vec![vec!["dot".to_string()]], ..Declarations::default() };
        for range in find("finiteintrange") {
            let ends = (integer(range, "start")?, integer(range, "end")?);
            if !all.ranges.contains_key(&ends) {
                if ends.1 - ends.0 >= MOST_COLOURS as i128 {
                    return Err("too many colours".to_string());
                }
                all.ranges.insert(ends, all.classes.len());
                all.classes.push((ends.0..=ends.1).map(|number| number.to_string()).collect());
            }
        }
        let sorts = find("namedsort");
        for sort in &sorts {
            let Some(members) = sort.children.iter().find(|child| child.name.ends_with("enumeration")) else {
                continue;
            };
            let members: Vec<&Element> = members.children.iter().collect();
            let class = all.classes.len();
            all.classes.push(names(&members)?);
            all.sorts.insert(attribute(sort, "id")?, vec![class]);
            for (position, member) in members.iter().enumerate() {
                all.constants.insert(attribute(member, "id")?, (class, vec![position]));
            }
        }
        // A sort may be used before its declaration: go round as long as something new is known.
        let others: Vec<&Element> = [sorts, find("partition")].concat();
        for _ in &others {
            for sort in &others {
                let id = attribute(sort, "id")?;
                let definition = sort.children.first().ok_or("an empty declaration")?;
                if !all.sorts.contains_key(&id)
                    && let Ok(domain) = all.domain(definition)
                {
                    all.sorts.insert(id, domain);
                }
            }
        }
        for sort in &others {
            if !all.sorts.contains_key(&attribute(sort, "id")?) {
                all.domain(sort.children.first().ok_or("an empty declaration")?)?;
            }
        }
        for partition in find("partition") {
            all.add_partition(partition)?;
        }
        let variables = find("variabledecl");
        for (variable, name) in variables.iter().zip(names(&variables)?) {
            let sort = variable.children.first().ok_or("a variable without sort")?;
            let [class] = all.domain(sort)?[..] else {
                return Err(format!("the variable {name} ranges over a product"));
            };
            all.variables.push((attribute(variable, "id")?, class));
            all.unknowns.push(Unknown { name, values: all.classes[class].clone() });
        }
        Ok(all)
    }

    fn add_partition(&mut self, partition: &Element) -> Result<(), String> {
        let id = attribute(partition, "id")?;
        let [class] = self.sorts[&id][..] else { return Err(format!("{id} divides a product")) };
        let mut parts = vec![usize::MAX; self.classes[class].len()];
        for (part, element) in partition.children[1..].iter().enumerate() {
            let mut members = Vec::new();
            for member in &element.children {
                match self.term(member)? {
                    (Term::Colours(colours), domain) if domain == [class] => {
                        members.extend(colours.into_iter().flatten());
                    }
                    _ => return Err(format!("{id} has something else than constants of its class")),
                }
            }
            members.iter().for_each(|&member| parts[member] = part);
            self.constants.insert(attribute(element, "id")?, (class, members));
            self.parts.insert(attribute(element, "id")?, (id.clone(), part));
        }
        if parts.contains(&usize::MAX) {
            return Err(format!("{id} does not have every member of its class"));
        }
        self.partitions.insert(id, (class, parts));
        Ok(())
    }

    /// The domain that a sort means.
    fn domain(&self, sort: &Element) -> Result<Domain, String> {
        match sort.name.as_str() {
            "dot" => Ok(vec![0]),
            "usersort" => {
                let id = attribute(sort, "declaration")?;
                match self.sorts.get(&id) {
                    Some(domain) => Ok(domain.clone()),
                    None if id == "dot" => Ok(vec![0]),
                    None => Err(format!("no sort {id}")),
                }
            }
            "finiteintrange" => {
                let ends = (integer(sort, "start")?, integer(sort, "end")?);
                self.ranges.get(&ends).map(|&class| vec![class]).ok_or_else(|| "no such range".to_string())
            }
            "productsort" => {
                let parts = sort.children.iter().map(|part| self.domain(part));
                Ok(parts.collect::<Result<Vec<Domain>, String>>()?.concat())
            }
            other => Err(format!("a sort <{other}>")),
        }
    }

    /// Every colour of a domain.
    fn colours(&self, domain: &[usize]) -> Result<Vec<Colour>, String> {
        let mut colours: Vec<Colour> = vec![Vec::new()];
        for &class in domain {
            let size = self.classes[class].len();
            if colours.len() * size > MOST_COLOURS {
                return Err("too many colours".to_string());
            }
            let longer = |start: Colour| (0..size).map(move |value| [start.as_slice(), &[value]].concat());
            colours = colours.into_iter().flat_map(longer).collect();
        }
        Ok(colours)
    }

    /// A term of a domain.
    fn term_of(&self, element: &Element, domain: &Domain) -> Result<Term, String> {
        let (term, found) = self.term(element)?;
        if found == *domain { Ok(term) } else { Err(format!("<{}> is of another domain", element.name)) }
    }

    /// A term, and its domain.
    fn term(&self, element: &Element) -> Result<(Term, Domain), String> {
        let sort = || element.children.first().ok_or_else(|| format!("<{}> without a sort", element.name));
        let parts = || -> Result<Vec<(Term, Domain)>, String> {
            operands(element)?.into_iter().map(|part| self.term(part)).collect()
        };
        let same = || {
            let parts = parts()?;
            let domain = parts.first().ok_or_else(|| format!("<{}> of nothing", element.name))?.1.clone();
            match parts.iter().all(|(_, other)| *other == domain) {
                true => Ok((parts.into_iter().map(|(term, _)| term).collect(), domain)),
                false => Err(format!("<{}> of several domains", element.name)),
            }
        };
        Ok(match element.name.as_str() {
            "variable" => {
                let id = attribute(element, "refvariable")?;
                let number = self.variables.iter().position(|(known, _)| *known == id);
                let number = number.ok_or_else(|| format!("no variable {id}"))?;
                (Term::Variable(number), vec![self.variables[number].1])
            }
            "useroperator" => {
                let id = attribute(element, "declaration")?;
                let (class, members) = self.constants.get(&id).ok_or_else(|| format!("no constant {id}"))?;
                (Term::Colours(members.iter().map(|&member| vec![member]).collect()), vec![*class])
            }
            "dotconstant" => (Term::Colours(vec![vec![0]]), vec![0]),
            "finiteintrangeconstant" => {
                let range = element.child("finiteintrange").ok_or("a constant without its range")?;
                let (start, end) = (integer(range, "start")?, integer(range, "end")?);
                let value = integer(element, "value")?;
                if !(start..=end).contains(&value) {
                    return Err(format!("{value} is not in its range"));
                }
                (Term::Colours(vec![vec![(value - start) as usize]]), self.domain(range)?)
            }
            "all" => {
                let domain = self.domain(sort()?)?;
                (Term::Colours(self.colours(&domain)?), domain)
            }
            "empty" => (Term::Colours(Vec::new()), self.domain(sort()?)?),
            "add" => {
                let (terms, domain) = same()?;
                (Term::Add(terms), domain)
            }
            "subtract" => {
                let (terms, domain) = same()?;
                (Term::Subtract(terms), domain)
            }
            "numberof" | "scalarproduct" => {
                let (number, part) = match operands(element)?[..] {
                    [part] => (1, part),
                    [number, part] if number.name == "numberconstant" => (integer(number, "value")?, part),
                    _ => return Err(format!("<{}> without a number", element.name)),
                };
                if number < 0 {
                    return Err(format!("a negative number of tokens: {number}"));
                }
                let (term, domain) = self.term(part)?;
                (Term::Times(number, Box::new(term)), domain)
            }
            "tuple" => {
                let (terms, domains): (Vec<Term>, Vec<Domain>) = parts()?.into_iter().unzip();
                (Term::Tuple(terms), domains.concat())
            }
            "successor" | "predecessor" => {
                let Ok([(term, domain)]) = <[(Term, Domain); 1]>::try_from(parts()?) else {
                    return Err(format!("<{}> does not have one operand", element.name));
                };
                let [class] = domain[..] else { return Err(format!("a {} of a tuple", element.name)) };
                let size = self.classes[class].len();
                let step = if element.name == "successor" { 1 } else { size.saturating_sub(1) };
                (Term::Shift { term: Box::new(term), step, size }, domain)
            }
            other => return Err(format!("a term <{other}>")),
        })
    }

    /// One value or one tuple, whatever the binding.
    fn value(&self, element: &Element) -> Result<(Term, Domain), String> {
        fn is_single(term: &Term) -> bool {
            match term {
                Term::Variable(_) => true,
                Term::Colours(colours) => colours.len() == 1,
                Term::Tuple(terms) => terms.iter().all(is_single),
                Term::Shift { term, .. } | Term::Part(term, _) => is_single(term),
                Term::Add(_) | Term::Subtract(_) | Term::Times(..) => false,
            }
        }
        let (term, domain) = self.term(element)?;
        if is_single(&term) { Ok((term, domain)) } else { Err(format!("a guard with <{}>", element.name)) }
    }

    /// The number of a part, and the partition: a part by its name, or the part of a value.
    fn part(&self, element: &Element) -> Result<Option<(Term, String)>, String> {
        if element.name == "useroperator" {
            let found = self.parts.get(&attribute(element, "declaration")?);
            return Ok(found.map(|(partition, part)| (Term::Colours(vec![vec![*part]]), partition.clone())));
        }
        if element.name != "partitionelementof" {
            return Ok(None);
        }
        let id = attribute(element, "refpartition")?;
        let (class, parts) = self.partitions.get(&id).ok_or_else(|| format!("no partition {id}"))?;
        let [value] = operands(element)?[..] else { return Err("a part of several values".to_string()) };
        match self.value(value)? {
            (term, domain) if domain == [*class] => Ok(Some((Term::Part(Box::new(term), parts.clone()), id))),
            _ => Err(format!("a part of a value that {id} does not divide")),
        }
    }

    /// Two values of one class, or two parts of one partition, or two tuples. The number is the
    /// length of the tuples.
    fn both(&self, element: &Element) -> Result<(Term, Term, usize), String> {
        let [left, right] = two(element)?;
        if let (Some((left, of)), Some((right, other))) = (self.part(left)?, self.part(right)?) {
            return match of == other {
                true => Ok((left, right, 1)),
                false => Err(format!("<{}> of two partitions", element.name)),
            };
        }
        let ((left, domain), (right, other)) = (self.value(left)?, self.value(right)?);
        match domain == other {
            true => Ok((left, right, domain.len())),
            false => Err(format!("<{}> of two sorts", element.name)),
        }
    }

    fn guard(&self, element: &Element) -> Result<Guard, String> {
        let parts = || {
            operands(element)?
                .into_iter()
                .map(|part| self.guard(part))
                .collect::<Result<Vec<Guard>, String>>()
        };
        let ordered = |order: Order| match self.both(element)? {
            (left, right, 1) => Ok(Guard::Ordered(left, order, right)),
            _ => Err(format!("<{}> of tuples", element.name)),
        };
        Ok(match element.name.as_str() {
            "booleanconstant" => Guard::Constant(attribute(element, "value")? == "true"),
            "and" => Guard::And(parts()?),
            "or" => Guard::Or(parts()?),
            "not" => {
                let [part] = operands(element)?[..] else { return Err("<not> of several".to_string()) };
                Guard::Not(Box::new(self.guard(part)?))
            }
            "imply" => {
                let [first, second] = two(element)?;
                Guard::Imply(Box::new(self.guard(first)?), Box::new(self.guard(second)?))
            }
            "equality" => {
                let (left, right, _) = self.both(element)?;
                Guard::Equal(left, right)
            }
            "inequality" => {
                let (left, right, _) = self.both(element)?;
                Guard::Not(Box::new(Guard::Equal(left, right)))
            }
            "lessthan" | "ltp" => ordered(Order::Less)?,
            "lessthanorequal" => ordered(Order::AtMost)?,
            "greaterthan" | "gtp" => ordered(Order::Greater)?,
            "greaterthanorequal" => ordered(Order::AtLeast)?,
            other => return Err(format!("a guard <{other}>")),
        })
    }
}
