//! Random coloured nets, each a function of its seed.
//!
//! A net has one to three small classes of every kind, partitions, places over products, and
//! transitions that mostly move single tokens from place to place; what turns out to have very many
//! markings, or very few, is drawn again. Sums, differences, `all`, parts and multiplicities are
//! sprinkled over arcs of every kind, variables occur on output arcs alone or in guards alone, and
//! guards have every operator.

use crate::RandomNumbers;
use symbolon_budget::Budget;
use symbolon_coloured::{
    Arc, Class, ClassId, Domain, Guard, MemberTerm, MultisetTerm, Net, Part, PartId, PartTerm, Partition,
    PartitionId, PlaceId, Relation, Transition, UnfoldLimits, VariableId, unfold,
};
use symbolon_explicit::{Options, explore};
use symbolon_petri::lower;

/// The most colours of a place, so that `all` stays small.
const MOST_COLOURS: u64 = 27;

/// The most markings of a random coloured net.
const MOST_MARKINGS: usize = 400;

/// A net is drawn at most this many times.
const MOST_DRAWS: usize = 40;

/// The coloured net that belongs to `seed`. Nearly all have at most 400 markings, and most have ten
/// or more.
pub fn random_coloured_net(seed: u64) -> Net {
    let mut numbers = RandomNumbers::new(seed ^ 0xc010_0000_0000_0000);
    let smallest = match numbers.below(100) {
        0..10 => 1,
        10..35 => 3,
        _ => 10,
    };
    let mut draws = 0;
    loop {
        let mut draw = Draw { net: Net::default(), wild: numbers.below(60), numbers: &mut numbers };
        draw.net.name = format!("random coloured net {seed}");
        draw.classes();
        draw.variables();
        draw.places();
        for _ in 0..draw.numbers.between(2, 4) {
            draw.transition();
        }
        let net = draw.net;
        draws += 1;
        if draws == MOST_DRAWS || marking_count(&net).is_some_and(|count| count >= smallest) {
            return net;
        }
    }
}

/// The number of markings, unless there are more than [`MOST_MARKINGS`].
fn marking_count(net: &Net) -> Option<usize> {
    let budget = Budget::unlimited();
    let unfolded = unfold(net, UnfoldLimits::default(), &budget).ok()?;
    let options = Options { state_limit: Some(MOST_MARKINGS) };
    explore(&lower(&unfolded.net), &options, &budget).ok().map(|found| found.state_count())
}

/// A net under construction.
struct Draw<'d> {
    net: Net,
    /// How many terms of a hundred are more than one colour.
    wild: u64,
    numbers: &'d mut RandomNumbers,
}

/// Which variables a term may contain.
type Allowed<'a> = &'a [VariableId];

impl Draw<'_> {
    fn classes(&mut self) {
        self.net.add_class(Class::dot());
        for number in 0..self.numbers.between(1, 3) {
            let id = format!("C{number}");
            let names = |count: u64| (0..count).map(move |member| format!("c{number}_{member}"));
            let class = match self.numbers.below(10) {
                0..5 => Class::cyclic(id, names(self.numbers.between(1, 4))),
                5..7 => Class::listed(id, names(self.numbers.between(2, 3))),
                _ => {
                    let first = self.numbers.below(4) as i64 - 1;
                    Class::range(id, first, first + self.numbers.below(4) as i64)
                }
            };
            let class = self.net.add_class(class);
            if self.numbers.percent(50) {
                self.partition(class);
            }
        }
    }

    /// Cuts a class into at most three parts.
    fn partition(&mut self, class: ClassId) {
        let number = self.net.partitions.len();
        let size = self.net.classes[class.index()].size() as u32;
        let mut parts: Vec<Vec<u32>> = vec![Vec::new(); 3];
        for member in 0..size {
            parts[self.numbers.below(3) as usize].push(member);
        }
        parts.retain(|members| !members.is_empty());
        let part =
            |(position, members)| Part { id: format!("part{number}_{position}"), label: None, members };
        let parts = parts.into_iter().enumerate().map(part).collect();
        self.net.partitions.push(Partition { id: format!("partition{number}"), label: None, class, parts });
    }

    fn variables(&mut self) {
        let class_count = self.net.classes.len() as u64;
        for number in 0..self.numbers.between(2, 5) {
            let class = ClassId(self.numbers.between(1, class_count - 1) as u32);
            self.net.add_variable(format!("x{number}"), class);
        }
    }

    fn places(&mut self) {
        for number in 0..self.numbers.between(2, 4) {
            let class_count = self.net.classes.len() as u64;
            let mut domain = Domain::of(ClassId(0));
            if self.numbers.percent(80) {
                let factors = *self.numbers.one_of(&[1, 1, 1, 2, 2, 3]);
                let class =
                    |_| ClassId(self.numbers.between(u64::from(factors == 1), class_count - 1) as u32);
                domain = Domain((0..factors).map(class).collect());
                while domain.size(&self.net).is_none_or(|size| size > MOST_COLOURS) {
                    domain.0.pop();
                }
            }
            let initial = match self.numbers.below(10) {
                0..3 => MultisetTerm::Empty(domain.clone()),
                3..5 => MultisetTerm::All(domain.clone()),
                5..9 => self.colour(&domain, &[], 10),
                _ => self.term(&domain, &[]),
            };
            self.net.add_place(format!("p{number}"), domain, initial);
        }
    }

    fn transition(&mut self) {
        let all: Vec<VariableId> = (0..self.net.variables.len() as u32).map(VariableId).collect();
        let count = self.numbers.between(1, 3).min(all.len() as u64) as usize;
        let mut allowed = all;
        self.numbers.shuffle(&mut allowed);
        allowed.truncate(count);
        let mut arcs = Vec::new();
        for _ in 0..self.numbers.between(1, 2) {
            // Half of the outputs may have variables of their own.
            let (from, to) = (self.place(), self.place());
            if self.numbers.percent(97) {
                let tokens = self.arc_term(from, &allowed);
                arcs.push(Arc::Input { place: from, tokens });
            }
            if self.numbers.percent(90) {
                let tokens = self.arc_term(to, &allowed);
                arcs.push(Arc::Output { place: to, tokens });
            }
        }
        if self.numbers.percent(25) {
            // What is taken is given back, sometimes everywhere.
            let place = self.place();
            let tokens = self.arc_term(place, &allowed);
            arcs.push(Arc::Input { place, tokens: tokens.clone() });
            arcs.push(Arc::Output { place, tokens });
        }
        for kind in 0..3 {
            if self.numbers.percent(20) {
                let place = self.place();
                let tokens = self.arc_term(place, &allowed);
                arcs.push(match kind {
                    0 => Arc::Read { place, tokens },
                    1 => Arc::Inhibitor { place, tokens },
                    _ => Arc::Reset { place, tokens },
                });
            }
        }
        let guard = if self.numbers.percent(50) { self.guard(&allowed, 2) } else { Guard::Constant(true) };
        let id = format!("t{}", self.net.transitions.len());
        self.net.add_transition(Transition::new(id, guard, arcs));
    }

    fn place(&mut self) -> PlaceId {
        PlaceId(self.numbers.below(self.net.places.len() as u64) as u32)
    }

    /// The term of an arc: mostly one colour.
    fn arc_term(&mut self, place: PlaceId, allowed: Allowed<'_>) -> MultisetTerm {
        let domain = self.net.places[place.index()].domain.clone();
        if self.numbers.percent(self.wild) {
            self.term(&domain, allowed)
        } else {
            self.colour(&domain, allowed, self.wild / 6)
        }
    }

    /// Any term over a domain.
    fn term(&mut self, domain: &Domain, allowed: Allowed<'_>) -> MultisetTerm {
        match self.numbers.below(10) {
            0 => MultisetTerm::Empty(domain.clone()),
            1 => MultisetTerm::All(domain.clone()),
            2..5 => {
                let mut sum = self.colour(domain, allowed, 20);
                for _ in 0..self.numbers.between(1, 2) {
                    sum = sum.plus(match self.numbers.below(8) {
                        0 => self.difference(domain, allowed),
                        1 => self.colour(domain, allowed, 20).times(self.numbers.below(3)),
                        _ => self.colour(domain, allowed, 20),
                    });
                }
                sum
            }
            5..8 => self.difference(domain, allowed),
            _ => self.colour(domain, allowed, 30).times(self.numbers.below(4)),
        }
    }

    fn difference(&mut self, domain: &Domain, allowed: Allowed<'_>) -> MultisetTerm {
        let first = match self.numbers.below(4) {
            0 => self.colour(domain, allowed, 20).plus(self.colour(domain, allowed, 20)),
            1 => self.colour(domain, allowed, 40).times(2),
            _ => MultisetTerm::All(domain.clone()),
        };
        first.minus(self.colour(domain, allowed, 20))
    }

    /// A tuple of members, in which sets stand with this probability in percent.
    fn colour(&mut self, domain: &Domain, allowed: Allowed<'_>, sets: u64) -> MultisetTerm {
        let mut components = Vec::new();
        for &class in &domain.0 {
            let component = if self.numbers.percent(sets) {
                self.set(class, allowed)
            } else {
                MultisetTerm::Member(self.member(class, allowed))
            };
            components.push(component);
        }
        match components.len() {
            1 => components.remove(0),
            _ => MultisetTerm::Tuple(components),
        }
    }

    /// Some members of a class.
    fn set(&mut self, class: ClassId, allowed: Allowed<'_>) -> MultisetTerm {
        let partitions: Vec<usize> = (0..self.net.partitions.len())
            .filter(|&number| self.net.partitions[number].class == class)
            .collect();
        match (self.numbers.below(3), &partitions[..]) {
            (0, &[partition]) => {
                let parts = self.net.partitions[partition].parts.len() as u64;
                let part = self.numbers.below(parts) as u32;
                MultisetTerm::Part(PartId { partition: PartitionId(partition as u32), part })
            }
            (1, _) => {
                let members = [self.member(class, allowed), self.member(class, allowed)];
                MultisetTerm::Sum(members.map(MultisetTerm::Member).into())
            }
            _ => MultisetTerm::All(Domain::of(class)),
        }
    }

    fn member(&mut self, class: ClassId, allowed: Allowed<'_>) -> MemberTerm {
        let known = &self.net.classes[class.index()];
        let (size, is_cyclic) = (known.size(), known.is_cyclic());
        let of_class: Vec<VariableId> = allowed
            .iter()
            .copied()
            .filter(|variable| self.net.variables[variable.index()].class == class)
            .collect();
        if of_class.is_empty() || self.numbers.percent(15) {
            return MemberTerm::Constant { class, member: self.numbers.below(size) as u32 };
        }
        let variable = MemberTerm::variable(*self.numbers.one_of(&of_class));
        if is_cyclic && self.numbers.percent(25) {
            variable.shifted(size, *self.numbers.one_of(&[1, -1, 2]))
        } else {
            variable
        }
    }

    fn guard(&mut self, allowed: Allowed<'_>, depth: u32) -> Guard {
        let choice = if depth == 0 { 9 } else { self.numbers.below(14) };
        let inner = |draw: &mut Self| draw.guard(allowed, depth.saturating_sub(1));
        match choice {
            0 | 1 => Guard::And(vec![inner(self), inner(self)]),
            2 | 3 => Guard::Or(vec![inner(self), inner(self)]),
            4 => Guard::Not(Box::new(inner(self))),
            5 => Guard::Implies(Box::new([inner(self), inner(self)])),
            6 => Guard::Constant(self.numbers.percent(80)),
            _ => self.comparison(allowed),
        }
    }

    fn comparison(&mut self, allowed: Allowed<'_>) -> Guard {
        let relations = [
            Relation::Equal,
            Relation::Equal,
            Relation::Unequal,
            Relation::Less,
            Relation::LessOrEqual,
            Relation::Greater,
            Relation::GreaterOrEqual,
        ];
        let relation = *self.numbers.one_of(&relations);
        if !self.net.partitions.is_empty() && self.numbers.percent(25) {
            let number = self.numbers.below(self.net.partitions.len() as u64) as usize;
            let class = self.net.partitions[number].class;
            let parts = self.net.partitions[number].parts.len() as u64;
            let left = PartTerm::Of(self.member(class, allowed));
            let right = match self.numbers.percent(60) {
                true => PartTerm::Part(self.numbers.below(parts) as u32),
                false => PartTerm::Of(self.member(class, allowed)),
            };
            return Guard::CompareParts { partition: PartitionId(number as u32), left, relation, right };
        }
        let variable = *self.numbers.one_of(allowed);
        let class = self.net.variables[variable.index()].class;
        let (left, right) = (self.member(class, allowed), self.member(class, allowed));
        Guard::Compare { left, relation, right }
    }
}
