//! Random nets with everything that the typed source may contain, whatever it means.

use crate::{
    Arc, Class, ClassId, Constant, Domain, Guard, MemberTerm, Members, MultisetTerm, Net, Page, PageId, Part,
    PartId, PartTerm, Partition, PartitionId, Place, PlaceId, Position, Product, Relation, Transition,
    Variable, VariableId,
};
use symbolon_testkit::RandomNumbers;

/// Names that need quotes, mean something, or look like something else.
const NAMES: &[&str] = &[
    "a",
    "b",
    "c1",
    "c2",
    "c3",
    "c4",
    "x",
    "all",
    "take",
    "1",
    "2",
    "3",
    "01",
    "-1",
    "-2",
    "dot",
    "two words",
    "",
    "a\"b\\",
    "x.y",
    "in",
    "é",
    "p(x)",
    "//",
    "0",
    "c9",
    "c10",
    "#1",
    "1..3",
    "--",
    "\n",
];

/// The net that belongs to a seed.
pub(super) fn net(seed: u64) -> Net {
    let mut maker = Maker { random: RandomNumbers::new(seed), net: Net::default() };
    maker.declarations();
    maker.nodes();
    maker.net
}

struct Maker {
    random: RandomNumbers,
    net: Net,
}

impl Maker {
    /// Different names.
    fn names(&mut self, count: u64) -> Vec<String> {
        let mut names: Vec<String> = NAMES.iter().map(|name| name.to_string()).collect();
        if self.random.percent(60) {
            self.random.shuffle(&mut names);
        }
        let first = self.random.below(names.len() as u64 - count) as usize;
        names[first..first + count as usize].to_vec()
    }

    fn label(&mut self, id: &str) -> Option<Box<str>> {
        let label = *self.random.one_of(NAMES);
        (self.random.percent(25) && label != id).then(|| label.into())
    }

    fn class(&mut self) -> ClassId {
        ClassId(self.random.below(self.net.classes.len() as u64) as u32)
    }

    fn domain(&mut self) -> Domain {
        let length = self.random.between(1, 3);
        Domain((0..length).map(|_| self.class()).collect())
    }

    fn declarations(&mut self) {
        self.net.name = if self.random.percent(50) { self.names(1).remove(0) } else { String::new() };
        let page_count = self.random.below(3);
        for id in self.names(page_count) {
            let count = self.net.pages.len() as u64;
            let parent =
                (count > 0 && self.random.percent(50)).then(|| PageId(self.random.below(count) as u32));
            self.net.pages.push(Page { id, parent });
        }
        // Ids of classes, products and partitions are different.
        let mut ids = self.names(8);
        for _ in 0..self.random.between(1, 4) {
            let mut id = ids.remove(0);
            let has_dot = self.net.classes.iter().any(Class::is_dot);
            let members = match self.random.below(if has_dot { 9 } else { 10 }) {
                0..4 => Members::Cyclic(self.constants()),
                4..7 => Members::Listed(self.constants()),
                7..9 => {
                    let first = self.random.below(9) as i64 - 4;
                    Members::Range { first, last: first + self.random.below(5) as i64 }
                }
                _ => Members::Dot,
            };
            if members == Members::Dot && self.random.percent(70) {
                let is_taken = self.net.classes.iter().any(|class| class.id == "dot");
                id = if is_taken { id } else { "dot".to_string() };
                ids.retain(|id| id != "dot");
            }
            let label = self.label(&id);
            self.net.classes.push(Class { id, label, members });
        }
        if self.random.percent(40)
            && !self.net.classes.iter().any(|class| class.id == "dot" || class.is_dot())
        {
            self.net.classes.push(Class::dot());
            ids.retain(|id| id != "dot");
        }
        for _ in 0..self.random.below(2) {
            let (id, domain) = (ids.remove(0), self.domain());
            let label = self.label(&id);
            self.net.products.push(Product { id, label, domain });
        }
        let part_ids = &mut self.names(6);
        for _ in 0..self.random.below(3) {
            self.partition(&mut ids, part_ids);
        }
        let variable_count = self.random.between(1, 4);
        for id in self.names(variable_count) {
            let (label, class) = (self.label(&id), self.class());
            self.net.variables.push(Variable { id, label, class });
        }
    }

    fn constants(&mut self) -> Vec<Constant> {
        let count = self.random.between(1, 6);
        let names = self.names(count);
        names.into_iter().map(|id| Constant { label: self.label(&id), id }).collect()
    }

    fn partition(&mut self, ids: &mut Vec<String>, part_ids: &mut Vec<String>) {
        let class = self.class();
        let mut parts: Vec<Vec<u32>> = vec![Vec::new(); 2];
        for member in 0..self.net.classes[class.index()].size() as u32 {
            parts[self.random.below(2) as usize].push(member);
        }
        parts.retain(|part| !part.is_empty());
        let mut part = |members: Vec<u32>| {
            let id = part_ids.remove(0);
            Part { label: self.label(&id), id, members }
        };
        let parts = parts.into_iter().map(&mut part).collect();
        let id = ids.remove(0);
        let label = self.label(&id);
        self.net.partitions.push(Partition { id, label, class, parts });
    }

    fn page(&mut self) -> Option<PageId> {
        let count = self.net.pages.len() as u64;
        (count > 0 && self.random.percent(50)).then(|| PageId(self.random.below(count) as u32))
    }

    fn position(&mut self) -> Option<Position> {
        let coordinate = |random: &mut RandomNumbers| random.below(2000) as i32 - 500;
        self.random
            .percent(20)
            .then(|| Position { x: coordinate(&mut self.random), y: coordinate(&mut self.random) })
    }

    fn nodes(&mut self) {
        let place_count = self.random.between(1, 4);
        for id in self.names(place_count) {
            let domain = self.domain();
            let initial = match self.random.percent(40) {
                true => MultisetTerm::Empty(domain.clone()),
                false => self.term(&domain.0, 3, false),
            };
            let (label, page, position) = (self.label(&id), self.page(), self.position());
            self.net.places.push(Place { id, label, domain, initial, page, position });
        }
        let transition_count = self.random.below(4);
        for id in self.names(transition_count) {
            let guard = if self.random.percent(50) { self.guard(3) } else { Guard::Constant(true) };
            let arcs = (0..self.random.below(6)).map(|_| self.arc()).collect();
            let (label, page, position) = (self.label(&id), self.page(), self.position());
            self.net.transitions.push(Transition {
                label,
                page,
                position,
                ..Transition::new(id, guard, arcs)
            });
        }
    }

    fn arc(&mut self) -> Arc {
        let place = PlaceId(self.random.below(self.net.places.len() as u64) as u32);
        let domain = self.net.places[place.index()].domain.clone();
        let tokens = self.term(&domain.0, 3, true);
        match self.random.below(5) {
            0 => Arc::Input { place, tokens },
            1 => Arc::Read { place, tokens },
            2 => Arc::Inhibitor { place, tokens },
            3 => Arc::Reset { place, tokens },
            _ => Arc::Output { place, tokens },
        }
    }

    fn term(&mut self, domain: &[ClassId], depth: u64, has_variables: bool) -> MultisetTerm {
        let whole = Domain(domain.to_vec());
        if depth > 0 && self.random.percent(45) {
            let inner = |maker: &mut Maker| maker.term(domain, depth - 1, has_variables);
            return match self.random.below(4) {
                0 => {
                    let terms = [inner(self), inner(self)];
                    let flat = terms.into_iter().flat_map(|term| match term {
                        MultisetTerm::Sum(terms) => terms,
                        term => vec![term],
                    });
                    MultisetTerm::Sum(flat.collect())
                }
                1 => MultisetTerm::Difference(Box::new([inner(self), inner(self)])),
                _ => {
                    let term = Box::new(inner(self));
                    MultisetTerm::Scaled { count: self.random.below(4), term }
                }
            };
        }
        match self.random.below(10) {
            0 => MultisetTerm::All(whole),
            1 => MultisetTerm::Empty(whole),
            _ if domain.len() > 1 => {
                // Now and then a component takes several classes.
                let first = self.random.between(1, domain.len() as u64 - 1) as usize;
                let (left, right) = domain.split_at(first);
                let mut terms = Vec::new();
                for part in [left, right] {
                    match self.term(part, depth.saturating_sub(1), has_variables) {
                        MultisetTerm::Tuple(inner) => terms.extend(inner),
                        term => terms.push(term),
                    }
                }
                MultisetTerm::Tuple(terms)
            }
            2..4 => {
                let partitions = self.net.partitions.iter().enumerate();
                let found: Vec<usize> =
                    partitions.filter(|(_, one)| one.class == domain[0]).map(|(number, _)| number).collect();
                match found[..] {
                    [] => MultisetTerm::Member(self.member(domain[0], has_variables)),
                    [partition, ..] => {
                        let part =
                            self.random.below(self.net.partitions[partition].parts.len() as u64) as u32;
                        MultisetTerm::Part(PartId { partition: PartitionId(partition as u32), part })
                    }
                }
            }
            _ => MultisetTerm::Member(self.member(domain[0], has_variables)),
        }
    }

    fn member(&mut self, class: ClassId, has_variables: bool) -> MemberTerm {
        let known = self.net.classes[class.index()].clone();
        let variables: Vec<u32> = (0..self.net.variables.len() as u32)
            .filter(|&variable| self.net.variables[variable as usize].class == class)
            .collect();
        if has_variables && !variables.is_empty() && self.random.percent(70) {
            let variable = VariableId(*self.random.one_of(&variables));
            let most = known.size() as i32 - 1;
            let shift = match known.is_cyclic() && self.random.percent(40) {
                true => self.random.below(2 * most as u64 + 1) as i32 - most,
                false => 0,
            };
            return MemberTerm::Variable { variable, shift };
        }
        MemberTerm::Constant { class, member: self.random.below(known.size()) as u32 }
    }

    fn guard(&mut self, depth: u64) -> Guard {
        if depth > 0 && self.random.percent(60) {
            let inner = |maker: &mut Maker| maker.guard(depth - 1);
            return match self.random.below(4) {
                0 => Guard::Not(Box::new(inner(self))),
                1 => Guard::And(vec![inner(self), inner(self), inner(self)]),
                2 => Guard::Or(vec![inner(self), inner(self)]),
                _ => Guard::Implies(Box::new([inner(self), inner(self)])),
            };
        }
        let relations = [
            Relation::Equal,
            Relation::Unequal,
            Relation::Less,
            Relation::LessOrEqual,
            Relation::Greater,
            Relation::GreaterOrEqual,
        ];
        let relation = *self.random.one_of(&relations);
        if self.random.percent(10) {
            return Guard::Constant(self.random.percent(50));
        }
        if !self.net.partitions.is_empty() && self.random.percent(40) {
            let partition = PartitionId(self.random.below(self.net.partitions.len() as u64) as u32);
            let (left, right) = (self.part(partition), self.part(partition));
            return Guard::CompareParts { partition, left, relation, right };
        }
        let class = self.class();
        Guard::Compare { left: self.member(class, true), relation, right: self.member(class, true) }
    }

    fn part(&mut self, partition: PartitionId) -> PartTerm {
        let known = &self.net.partitions[partition.index()];
        let (class, count) = (known.class, known.parts.len() as u64);
        match self.random.percent(50) {
            true => PartTerm::Part(self.random.below(count) as u32),
            false => PartTerm::Of(self.member(class, true)),
        }
    }
}
