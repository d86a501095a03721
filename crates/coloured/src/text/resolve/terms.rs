//! Terms and guards. A term is read for a domain, which says what `all` is and which class a name
//! belongs to.

use super::{Made, Resolver, Sort};
use crate::text::tree::{self, Name, Reference, Side, Term, TermKind};
use crate::{ClassId, Domain, Guard, MemberTerm, MultisetTerm, PartId, PartTerm, PartitionId, Relation};

/// What a reference means.
enum Found {
    Member(MemberTerm),
    Part(PartId),
}

impl Resolver<'_> {
    /// A term over the domain with these classes.
    pub(super) fn term(&mut self, term: &Term, expected: &[ClassId]) -> Made<MultisetTerm> {
        self.meter.step()?;
        match &term.kind {
            TermKind::Reference(reference, steps) => {
                let [class] = expected[..] else {
                    let message = format!(
                        "expected a colour of {}, found the single '{}'",
                        self.net.domain_text(&Domain(expected.to_vec())),
                        reference.name.text
                    );
                    let hint = "write a tuple, such as (x, y)".to_string();
                    return self.broken(&reference.name, message, Some(hint));
                };
                if self.net.classes[class.index()].is_dot()
                    && reference.is_number
                    && reference.owner.is_none()
                {
                    return self.black_tokens(&reference.name, class);
                }
                match self.reference(reference, *steps, Some(class))? {
                    Found::Member(member) => Ok(MultisetTerm::Member(member)),
                    Found::Part(part) => Ok(MultisetTerm::Part(part)),
                }
            }
            TermKind::All(names) => Ok(MultisetTerm::All(self.written_domain(term.at, names, expected)?)),
            TermKind::Empty(names) => Ok(MultisetTerm::Empty(self.written_domain(term.at, names, expected)?)),
            TermKind::Tuple(terms) => self.tuple(term.at, terms, expected),
            TermKind::Sum(terms) => {
                let terms = terms.iter().map(|term| self.term(term, expected)).collect::<Made<Vec<_>>>()?;
                Ok(MultisetTerm::Sum(terms))
            }
            TermKind::Difference(both) => {
                let [left, right] = &**both;
                Ok(MultisetTerm::Difference(Box::new([
                    self.term(left, expected)?,
                    self.term(right, expected)?,
                ])))
            }
            TermKind::Scaled(count, term) => {
                let term = Box::new(self.term(term, expected)?);
                Ok(MultisetTerm::Scaled { count: *count, term })
            }
        }
    }

    /// A number of black tokens: `3`.
    fn black_tokens(&mut self, name: &Name, class: ClassId) -> Made<MultisetTerm> {
        let token = MultisetTerm::Member(MemberTerm::Constant { class, member: 0 });
        match name.text.parse::<i64>() {
            Ok(count) if count >= 0 => Ok(token.times(count.unsigned_abs())),
            _ => self.broken(name, format!("'{}' is not a number of tokens", name.text), None),
        }
    }

    /// The domain behind `all`, or the expected one.
    fn written_domain(&mut self, at: usize, names: &[Name], expected: &[ClassId]) -> Made<Domain> {
        let expected = Domain(expected.to_vec());
        if names.is_empty() {
            return Ok(expected);
        }
        let domain = self.domain(names)?;
        if domain == expected {
            return Ok(domain);
        }
        let (found, wanted) = (self.net.domain_text(&domain), self.net.domain_text(&expected));
        let name = Name { text: String::new(), at, length: 3 };
        self.broken(&name, format!("found colours of {found}, expected colours of {wanted}"), None)
    }

    /// A tuple: each component takes as many classes as it is long.
    fn tuple(&mut self, at: usize, terms: &[Term], expected: &[ClassId]) -> Made<MultisetTerm> {
        let mut spans = Vec::new();
        for term in terms {
            spans.push(self.span(term)?.unwrap_or(1));
        }
        let total: usize = spans.iter().sum();
        if total != expected.len() {
            let name = Name { text: String::new(), at, length: 1 };
            let domain = self.net.domain_text(&Domain(expected.to_vec()));
            let message =
                format!("the tuple has {total} components, and a colour of {domain} has {}", expected.len());
            return self.broken(&name, message, None);
        }
        let mut rest = expected;
        let mut components = Vec::new();
        for (term, span) in terms.iter().zip(spans) {
            let (here, behind) = rest.split_at(span);
            components.push(self.term(term, here)?);
            rest = behind;
        }
        Ok(MultisetTerm::Tuple(components))
    }

    /// How many classes the domain of a term has, as far as the term says it.
    fn span(&mut self, term: &Term) -> Made<Option<usize>> {
        Ok(match &term.kind {
            TermKind::Reference(..) => Some(1),
            TermKind::All(names) | TermKind::Empty(names) if names.is_empty() => None,
            TermKind::All(names) | TermKind::Empty(names) => Some(self.domain(names)?.0.len()),
            TermKind::Tuple(terms) => {
                let mut total = 0;
                for term in terms {
                    total += self.span(term)?.unwrap_or(1);
                }
                Some(total)
            }
            TermKind::Sum(terms) => self.first_span(terms)?,
            TermKind::Difference(both) => self.first_span(&**both)?,
            TermKind::Scaled(_, term) => self.span(term)?,
        })
    }

    fn first_span(&mut self, terms: &[Term]) -> Made<Option<usize>> {
        for term in terms {
            if let Some(span) = self.span(term)? {
                return Ok(Some(span));
            }
        }
        Ok(None)
    }

    /// What a name means: a variable, a member of the expected class, or a part of it.
    fn reference(&mut self, reference: &Reference, steps: i64, expected: Option<ClassId>) -> Made<Found> {
        let name = &reference.name;
        let found = match &reference.owner {
            Some(owner) => self.owned(owner, name)?,
            None => self.bare(reference, expected)?,
        };
        let class = match found {
            Found::Member(member) => member.class(&self.net),
            Found::Part(part) => self.net.partitions[part.partition.index()].class,
        };
        if let Some(expected) = expected.filter(|expected| *expected != class) {
            let (found, wanted) =
                (&self.net.classes[class.index()].id, &self.net.classes[expected.index()].id);
            let message = format!("'{}' is of class '{found}', expected a colour of '{wanted}'", name.text);
            return self.broken(name, message, None);
        }
        if steps == 0 {
            return Ok(found);
        }
        let known = &self.net.classes[class.index()];
        let (is_cyclic, size, id) = (known.is_cyclic(), known.size(), known.id.clone());
        match found {
            Found::Member(member) if is_cyclic => {
                // COL-2: classes are small, so what is left fits.
                Ok(Found::Member(member.shifted(size, (steps % size as i64) as i32)))
            }
            Found::Member(_) => {
                let hint = format!("declare it as 'class {id} = cyclic {{…}}'");
                self.broken(name, format!("the members of '{id}' have no successors"), Some(hint))
            }
            Found::Part(_) => {
                self.broken(name, format!("'{}' is a part, which has no successor", name.text), None)
            }
        }
    }

    /// `C.a`, or `halves.low`.
    fn owned(&mut self, owner: &Name, name: &Name) -> Made<Found> {
        if let Some(&partition) = self.names.partitions.get(&owner.text) {
            return Ok(Found::Part(self.part_of(partition, name)?));
        }
        match self.domain(std::slice::from_ref(owner))?.0[..] {
            [class] => {
                let member = self.member(class, name, &name.text)?;
                Ok(Found::Member(MemberTerm::Constant { class, member }))
            }
            _ => self.broken(
                owner,
                format!("'{}' is a product, and has no names for its members", owner.text),
                None,
            ),
        }
    }

    /// The part of a partition with this name.
    fn part_of(&mut self, partition: usize, name: &Name) -> Made<PartId> {
        match self.names.parts.get(&name.text).filter(|part| part.partition.index() == partition) {
            Some(part) => Ok(*part),
            None => {
                let known = &self.net.partitions[partition];
                let parts: Vec<String> = known.parts.iter().map(|part| part.id.clone()).collect();
                let what = format!("part of '{}' called", known.id);
                self.unknown(&what, name, &parts)
            }
        }
    }

    /// A name without the class that it belongs to.
    fn bare(&mut self, reference: &Reference, expected: Option<ClassId>) -> Made<Found> {
        let name = &reference.name;
        if !reference.is_number
            && let Some(&variable) = self.names.variables.get(&name.text)
        {
            return Ok(Found::Member(MemberTerm::variable(variable)));
        }
        let classes: Vec<ClassId> = match expected {
            Some(class) => vec![class],
            None => self.net.class_ids().collect(),
        };
        let constant = |class: &ClassId| {
            let member = self.find_member(*class, &name.text)?;
            Some(MemberTerm::Constant { class: *class, member })
        };
        let found: Vec<MemberTerm> = classes.iter().filter_map(constant).collect();
        match found[..] {
            [member] => return Ok(Found::Member(member)),
            [first, _, ..] => {
                let class = &self.net.classes[first.class(&self.net).index()].id;
                let hint = format!("write which one is meant: '{class}.{}'", name.text);
                return self.broken(
                    name,
                    format!("several classes have a member '{}'", name.text),
                    Some(hint),
                );
            }
            [] => (),
        }
        let part = self.names.parts.get(&name.text).copied();
        let is_expected = |part: &PartId| {
            expected.is_none_or(|class| self.net.partitions[part.partition.index()].class == class)
        };
        if let Some(part) = part.filter(is_expected) {
            return Ok(Found::Part(part));
        }
        let mut known: Vec<String> = self.net.variables.iter().map(|variable| variable.id.clone()).collect();
        for class in &classes {
            known.extend(self.net.classes[class.index()].constants().iter().map(|one| one.id.clone()));
            known.extend(
                self.net
                    .partitions_of(*class)
                    .flat_map(|(_, one)| one.parts.iter().map(|part| part.id.clone())),
            );
        }
        let what = match expected {
            Some(class) => {
                format!("variable, and no member of '{}', called", self.net.classes[class.index()].id)
            }
            None => "variable or colour".to_string(),
        };
        self.unknown(&what, name, &known)
    }

    pub(super) fn guard(&mut self, guard: &tree::Guard) -> Made<Guard> {
        self.meter.step()?;
        let mut all =
            |guards: &[tree::Guard]| guards.iter().map(|guard| self.guard(guard)).collect::<Made<Vec<_>>>();
        Ok(match guard {
            tree::Guard::Constant(truth) => Guard::Constant(*truth),
            tree::Guard::And(guards) => Guard::And(all(guards)?),
            tree::Guard::Or(guards) => Guard::Or(all(guards)?),
            tree::Guard::Not(inner) => Guard::Not(Box::new(self.guard(inner)?)),
            tree::Guard::Implies(both) => {
                Guard::Implies(Box::new([self.guard(&both[0])?, self.guard(&both[1])?]))
            }
            tree::Guard::Within(side, part) => {
                let Found::Part(part) = self.reference(part, 0, None)? else {
                    let message = format!("'{}' is not a part of a partition", part.name.text);
                    return self.broken(&part.name, message, None);
                };
                let left = self.side_part(side, part.partition)?;
                let right = PartTerm::Part(part.part);
                Guard::CompareParts { partition: part.partition, left, relation: Relation::Equal, right }
            }
            tree::Guard::Compare(left, relation, right) => self.comparison(left, *relation, right)?,
        })
    }

    fn comparison(&mut self, left: &Side, relation: Relation, right: &Side) -> Made<Guard> {
        let partition = match (self.partition_of(left)?, self.partition_of(right)?) {
            (Some(partition), _) | (None, Some(partition)) => Some(partition),
            (None, None) => None,
        };
        if let Some(partition) = partition {
            let sides = [self.part_term(left, partition)?, self.part_term(right, partition)?];
            return Ok(Guard::CompareParts { partition, left: sides[0], relation, right: sides[1] });
        }
        let expected = self.class_of(left).or_else(|| self.class_of(right));
        let left_term = self.side(left, expected)?;
        let right_term = self.side(right, expected.or(Some(left_term.class(&self.net))))?;
        Ok(Guard::Compare { left: left_term, relation, right: right_term })
    }

    /// The partition that a side names: `halves(x)`, `halves.low`.
    fn partition_of(&mut self, side: &Side) -> Made<Option<PartitionId>> {
        let number = |number: &usize| PartitionId(*number as u32);
        let owner = side.reference.owner.as_ref().filter(|_| side.part_of.is_none());
        if let Some(owner) = owner {
            return Ok(self.names.partitions.get(&owner.text).map(number));
        }
        let Some(name) = &side.part_of else { return Ok(None) };
        match self.names.partitions.get(&name.text) {
            Some(partition) => Ok(Some(number(partition))),
            None => {
                let known: Vec<String> = self.net.partitions.iter().map(|one| one.id.clone()).collect();
                self.unknown("partition", name, &known)
            }
        }
    }

    /// A side of a comparison of parts: `halves(x)`, or a part of the partition.
    fn part_term(&mut self, side: &Side, partition: PartitionId) -> Made<PartTerm> {
        if side.part_of.is_some() {
            if self.partition_of(side)? != Some(partition) {
                let message = "the two sides are parts of different partitions".to_string();
                return self.broken(&side.reference.name, message, None);
            }
            return self.side_part(side, partition);
        }
        if let Some(owner) = &side.reference.owner
            && self.names.partitions.get(&owner.text) != Some(&partition.index())
        {
            let message = format!("expected a part of '{}'", self.net.partitions[partition.index()].id);
            return self.broken(owner, message, None);
        }
        Ok(PartTerm::Part(self.part_of(partition.index(), &side.reference.name)?.part))
    }

    /// The part in which the member of a side lies.
    fn side_part(&mut self, side: &Side, partition: PartitionId) -> Made<PartTerm> {
        let class = self.net.partitions[partition.index()].class;
        Ok(PartTerm::Of(self.side(side, Some(class))?))
    }

    /// The class of a side, if its name alone says it.
    fn class_of(&self, side: &Side) -> Option<ClassId> {
        let name = &side.reference.name.text;
        match &side.reference.owner {
            Some(owner) => match self.names.sorts.get(&owner.text)? {
                Sort::Class(class) => Some(*class),
                Sort::Product(_) => None,
            },
            None if side.reference.is_number => None,
            None => self.names.variables.get(name).map(|variable| self.net.variables[variable.index()].class),
        }
    }

    /// A member on one side of a comparison.
    fn side(&mut self, side: &Side, expected: Option<ClassId>) -> Made<MemberTerm> {
        match self.reference(&side.reference, side.steps, expected)? {
            Found::Member(member) => Ok(member),
            Found::Part(_) => {
                let name = &side.reference.name;
                let hint = format!("write 'x in {}'", name.text);
                self.broken(name, format!("'{}' is a part, expected a member", name.text), Some(hint))
            }
        }
    }
}
