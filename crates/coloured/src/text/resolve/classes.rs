//! Classes, products and partitions.

use super::{Made, Resolver, Sort, id_and_label, unless_stopped};
use crate::text::tree::{self, Declared, Definition, Entry, Name, Tree};
use crate::{
    Class, ClassId, Constant, Domain, LARGEST_CLASS_SIZE, Members, Part, PartId, Partition, PartitionId,
    Product,
};
use rustc_hash::FxHashMap;
use symbolon_source::Step;

impl Resolver<'_> {
    pub(super) fn classes(&mut self, tree: &Tree) -> Step<()> {
        for (declared, definition) in &tree.classes {
            self.meter.step()?;
            self.no_drawing(declared, "class")?;
            unless_stopped(self.class(declared, definition))?;
        }
        // Products may be made of others, in any order: go on as long as one can be resolved.
        let mut left: Vec<(&Declared, &Vec<Name>)> = tree
            .classes
            .iter()
            .filter_map(|(declared, definition)| match definition {
                Definition::Product(factors) => Some((declared, factors)),
                _ => None,
            })
            .collect();
        let declared: FxHashMap<&str, ()> = left.iter().map(|(product, _)| (&*product.id.text, ())).collect();
        loop {
            let (ready, waiting): (Vec<_>, Vec<_>) = left.into_iter().partition(|(_, factors)| {
                let is_open = |name: &Name| {
                    declared.contains_key(&*name.text) && !self.names.sorts.contains_key(&name.text)
                };
                !factors.iter().any(is_open)
            });
            for (product, factors) in &ready {
                self.meter.step()?;
                unless_stopped(self.product(product, factors))?;
            }
            if ready.is_empty() {
                for (product, _) in waiting {
                    let message = format!("the class '{}' is made of itself", product.id.text);
                    unless_stopped(self.broken::<()>(&product.id, message, None))?;
                }
                break;
            }
            left = waiting;
        }
        // Products stand in the order of the text.
        self.sort_products(tree);
        for partition in &tree.partitions {
            self.meter.step()?;
            self.no_drawing(&partition.declared, "partition")?;
            unless_stopped(self.partition(partition))?;
        }
        Ok(())
    }

    fn sort_products(&mut self, tree: &Tree) {
        let order: FxHashMap<&str, usize> =
            tree.classes.iter().enumerate().map(|(number, (class, _))| (&*class.id.text, number)).collect();
        self.net.products.sort_by_key(|product| order.get(&*product.id).copied());
        for (number, product) in self.net.products.iter().enumerate() {
            self.names.sorts.insert(product.id.clone(), Sort::Product(number));
        }
    }

    fn class(&mut self, declared: &Declared, definition: &Definition) -> Made<()> {
        let members = match definition {
            Definition::Product(_) => return Ok(()),
            Definition::Black => {
                if let Some(known) = self.net.classes.iter().find(|class| class.is_dot()) {
                    let message = format!("the class '{}' is black already, expected one at most", known.id);
                    return self.broken(&declared.id, message, None);
                }
                Members::Dot
            }
            Definition::Cyclic(entries) => Members::Cyclic(self.constants(declared, entries)?),
            Definition::Listed(entries) => Members::Listed(self.constants(declared, entries)?),
            Definition::Range { first, last } => Members::Range { first: *first, last: *last },
        };
        let (id, label) = id_and_label(declared);
        let class = Class { id, label, members };
        let size = class.size();
        if size == 0 || size > LARGEST_CLASS_SIZE {
            let message = format!(
                "the class '{}' has {size} members, expected 1 to {LARGEST_CLASS_SIZE}",
                declared.id.text
            );
            return self.broken(&declared.id, message, None);
        }
        let mut by_id = FxHashMap::default();
        for (number, constant) in class.constants().iter().enumerate() {
            if by_id.insert(constant.id.clone(), number as u32).is_some() {
                let message = format!("the class '{}' has '{}' twice", declared.id.text, constant.id);
                return self.broken(&declared.id, message, None);
            }
        }
        self.names.members.push(by_id);
        let number = self.net.add_class(class);
        self.declare_sort(&declared.id, Sort::Class(number))
    }

    fn declare_sort(&mut self, name: &Name, sort: Sort) -> Made<()> {
        let is_known = self.names.partitions.contains_key(&name.text);
        match self.names.sorts.insert(name.text.clone(), sort) {
            None if !is_known => Ok(()),
            _ => self.twice("class", name),
        }
    }

    fn product(&mut self, declared: &Declared, factors: &[Name]) -> Made<()> {
        let domain = self.domain(factors)?;
        if domain.size(&self.net).is_none() {
            let message = format!("the product '{}' has more than 2^63 - 1 colours", declared.id.text);
            return self.broken(&declared.id, message, None);
        }
        let (id, label) = id_and_label(declared);
        self.net.products.push(Product { id, label, domain });
        self.declare_sort(&declared.id, Sort::Product(self.net.products.len() - 1))
    }

    /// The constants that a list declares.
    fn constants(&mut self, declared: &Declared, entries: &[Entry]) -> Made<Vec<Constant>> {
        let mut constants = Vec::new();
        for entry in entries {
            match entry {
                Entry::One(name, label) => {
                    let label = label.as_deref().filter(|label| *label != name.text).map(Box::from);
                    constants.push(Constant { id: name.text.clone(), label });
                }
                Entry::Run(first, last) => {
                    constants.extend(self.run(first, last)?.into_iter().map(Constant::new));
                }
            }
            if constants.len() as u64 > LARGEST_CLASS_SIZE {
                let message =
                    format!("the class '{}' has more than {LARGEST_CLASS_SIZE} members", declared.id.text);
                return self.broken(&declared.id, message, None);
            }
        }
        Ok(constants)
    }

    /// The names from one to the other: `1..3`, `c1..c3`.
    fn run(&mut self, first: &Name, last: &Name) -> Made<Vec<String>> {
        let ends = match (first.text.parse::<i64>(), last.text.parse::<i64>()) {
            (Ok(from), Ok(to)) => Some((String::new(), from, to)),
            _ => match (with_number(&first.text), with_number(&last.text)) {
                (Some((word, from)), Some((other, to))) if word == other => {
                    Some((word.to_string(), from, to))
                }
                _ => None,
            },
        };
        let Some((word, from, to)) = ends else {
            let message = format!("'{}..{}' is not a run of names", first.text, last.text);
            let hint = "write '1..3', or 'c1..c3' for c1, c2, c3".to_string();
            return self.broken(first, message, Some(hint));
        };
        if from > to {
            let message = format!("the run '{}..{}' has no members", first.text, last.text);
            return self.broken(first, message, None);
        }
        if to.abs_diff(from) >= LARGEST_CLASS_SIZE {
            let message =
                format!("the run has {} members, expected at most {LARGEST_CLASS_SIZE}", to.abs_diff(from));
            return self.broken(first, message, None);
        }
        Ok((from..=to).map(|number| format!("{word}{number}")).collect())
    }

    fn partition(&mut self, partition: &tree::Partition) -> Made<()> {
        let name = &partition.declared.id;
        let Domain(classes) = self.domain(std::slice::from_ref(&partition.class))?;
        let [class] = classes[..] else {
            let message = format!("'{}' is a product, and a partition divides a class", partition.class.text);
            return self.broken(&partition.class, message, None);
        };
        let number = self.net.partitions.len();
        let mut parts: Vec<Part> = Vec::new();
        let mut part_of: Vec<Option<usize>> = vec![None; self.net.classes[class.index()].size() as usize];
        for (declared, entries) in &partition.parts {
            self.no_drawing(declared, "part")?;
            let mut members = Vec::new();
            for (at, member) in self.part_members(class, entries)? {
                if part_of[member as usize].replace(parts.len()).is_some() {
                    let text = self.net.classes[class.index()].member_name(member).to_string();
                    return self.broken(&at, format!("'{text}' lies in a part already"), None);
                }
                members.push(member);
            }
            members.sort_unstable();
            let (id, label) = id_and_label(declared);
            if self.names.parts.contains_key(&id) || parts.iter().any(|part| part.id == id) {
                return self.twice("part", &declared.id);
            }
            parts.push(Part { id, label, members });
        }
        if let Some(member) = part_of.iter().position(Option::is_none) {
            let text = self.net.classes[class.index()].member_name(member as u32).to_string();
            let hint = "every member lies in exactly one part".to_string();
            return self.broken(name, format!("'{text}' lies in no part of '{}'", name.text), Some(hint));
        }
        // From here on the partition is right, and its parts can be named.
        for (part, known) in parts.iter().enumerate() {
            let id = PartId { partition: PartitionId(number as u32), part: part as u32 };
            self.names.parts.insert(known.id.clone(), id);
        }
        let (id, label) = id_and_label(&partition.declared);
        self.net.partitions.push(Partition { id, label, class, parts });
        let is_sort = self.names.sorts.contains_key(&name.text);
        match self.names.partitions.insert(name.text.clone(), number) {
            None if !is_sort => Ok(()),
            _ => self.twice("class or partition", name),
        }
    }

    /// The members that a list names, each with the entry that names it.
    fn part_members(&mut self, class: ClassId, entries: &[Entry]) -> Made<Vec<(Name, u32)>> {
        let mut members = Vec::new();
        for entry in entries {
            match entry {
                Entry::One(name, None) => members.push((name.clone(), self.member(class, name, &name.text)?)),
                Entry::One(name, Some(_)) => {
                    return self.broken(name, "a member has its label in its class".to_string(), None);
                }
                Entry::Run(first, last) => {
                    for text in self.run(first, last)? {
                        members.push((first.clone(), self.member(class, first, &text)?));
                    }
                }
            }
        }
        Ok(members)
    }

    /// The member of a class with this text, which stands at `name` or begins there.
    pub(super) fn member(&mut self, class: ClassId, name: &Name, text: &str) -> Made<u32> {
        match self.find_member(class, text) {
            Some(member) => Ok(member),
            None => {
                let known: Vec<String> =
                    self.net.classes[class.index()].constants().iter().map(|one| one.id.clone()).collect();
                let what = format!("member of '{}' called", self.net.classes[class.index()].id);
                let name = Name { text: text.to_string(), ..name.clone() };
                self.unknown(&what, &name, &known)
            }
        }
    }

    /// The member of a class with this text, if it has one.
    pub(super) fn find_member(&self, class: ClassId, text: &str) -> Option<u32> {
        if self.net.lists_members(class) {
            return self.names.members[class.index()].get(text).copied();
        }
        let class = &self.net.classes[class.index()];
        match class.members {
            Members::Range { first, .. } => {
                let value = text.parse::<i64>().ok().filter(|value| value.to_string() == text)?;
                let member = i128::from(value) - i128::from(first);
                u32::try_from(member).ok().filter(|member| u64::from(*member) < class.size())
            }
            _ => (text == "dot").then_some(0),
        }
    }
}

/// A word that ends with a number: `c12` is `c` and 12. A number with zeros before it is part of
/// the word.
fn with_number(text: &str) -> Option<(&str, i64)> {
    let word = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &text[word.len()..];
    let is_plain = digits == "0" || !digits.starts_with('0');
    digits.parse().ok().filter(|_| is_plain).map(|number| (word, number))
}
