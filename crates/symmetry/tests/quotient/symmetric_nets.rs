//! Random nets that are symmetric on purpose.
//!
//! Two or three classes, places over pairs and triples of them, and a transition that builds graphs.
//! Everything else is like in `testkit`'s random coloured nets, except that constants, parts and
//! order are rare.

use symbolon_coloured::{
    Arc, Class, ClassId, Domain, Guard, MemberTerm, MultisetTerm, Net, Part, PartId, Partition, PartitionId,
    PlaceId, Relation, Transition, VariableId,
};
use symbolon_testkit::RandomNumbers;

/// The net that belongs to `seed`.
pub(super) fn random_symmetric_net(seed: u64) -> Net {
    let mut numbers = RandomNumbers::new(seed ^ 0x5a5a_0000_0000_0000);
    let mut draw = Draw { net: Net::default(), numbers: &mut numbers, asymmetry: 0 };
    draw.net.name = format!("random symmetric net {seed}");
    // How many constructs of a hundred break symmetries.
    draw.asymmetry = *draw.numbers.one_of(&[0, 0, 0, 3, 10]);
    draw.declare();
    if draw.numbers.percent(80) {
        draw.builder();
    }
    for _ in 0..draw.numbers.between(1, 4) {
        draw.transition();
    }
    draw.net
}

struct Draw<'d> {
    net: Net,
    numbers: &'d mut RandomNumbers,
    asymmetry: u64,
}

impl Draw<'_> {
    fn declare(&mut self) {
        self.net.add_class(Class::dot());
        for number in 0..self.numbers.between(2, 3) {
            let size = self.numbers.between(2, 4);
            let names = (0..size).map(|member| format!("c{number}_{member}"));
            let class = match self.numbers.below(3) {
                0 => Class::listed(format!("C{number}"), names),
                1 => Class::cyclic(format!("C{number}"), names),
                _ => Class::range(format!("C{number}"), 1, size as i64),
            };
            let class = self.net.add_class(class);
            let part = |number: u64, members: Vec<u32>| Part {
                id: format!("part{}_{number}", class.0),
                label: None,
                members,
            };
            let cut = self.numbers.between(1, size - 1) as u32;
            let parts = vec![part(0, (0..cut).collect()), part(1, (cut..size as u32).collect())];
            self.net.partitions.push(Partition {
                id: format!("partition{number}"),
                label: None,
                class,
                parts,
            });
            for copy in 0..2 {
                self.net.add_variable(format!("x{number}_{copy}"), class);
            }
        }
        for number in 0..self.numbers.between(2, 5) {
            let factors = *self.numbers.one_of(&[0, 1, 1, 1, 2, 2, 2, 3]);
            let mut classes: Vec<ClassId> = (0..factors).map(|_| self.class()).collect();
            if classes.is_empty() || self.numbers.percent(5) {
                classes.push(ClassId(0));
            }
            let domain = Domain(classes);
            let initial = match self.numbers.below(10) {
                0..4 => MultisetTerm::Empty(domain.clone()),
                4..8 if domain.0.len() < 3 => MultisetTerm::All(domain.clone()),
                8 => self.diagonal(&domain),
                _ => self.colour(&domain, &[]),
            };
            self.net.add_place(format!("p{number}"), domain, initial);
        }
    }

    fn class(&mut self) -> ClassId {
        ClassId(self.numbers.between(1, self.net.classes.len() as u64 - 1) as u32)
    }

    /// The diagonal of a pair of a class, or all but the diagonal; `all` for other domains.
    fn diagonal(&mut self, domain: &Domain) -> MultisetTerm {
        let all = MultisetTerm::All(domain.clone());
        match domain.0[..] {
            [first, second] if first == second && first.0 > 0 => {
                let size = self.net.classes[first.index()].size() as u32;
                let both = |member| [MemberTerm::Constant { class: first, member }; 2];
                let points = (0..size).map(|member| MultisetTerm::colour(both(member)));
                let diagonal = MultisetTerm::Sum(points.collect());
                if self.numbers.percent(50) { diagonal } else { all.minus(diagonal) }
            }
            _ => all,
        }
    }

    /// A transition that puts tuples into a place, some times.
    fn builder(&mut self) {
        let (first, second) = (self.class(), self.class());
        let domain = Domain(vec![first, second]);
        let graph = self.net.add_place("graph", domain.clone(), MultisetTerm::Empty(domain.clone()));
        let black = MemberTerm::Constant { class: ClassId(0), member: 0 };
        let steps = self.numbers.between(2, 3);
        let initial = MultisetTerm::Member(black).times(steps);
        let left = self.net.add_place("left", Domain::of(ClassId(0)), initial);
        let variables = self.variables();
        let arcs = vec![
            Arc::Input { place: left, tokens: MultisetTerm::Member(black) },
            Arc::Output { place: graph, tokens: self.colour(&domain, &variables) },
        ];
        let guard = if self.numbers.percent(30) { self.guard(&variables) } else { Guard::Constant(true) };
        self.net.add_transition(Transition::new("build", guard, arcs));
    }

    fn variables(&mut self) -> Vec<VariableId> {
        let mut all: Vec<VariableId> = (0..self.net.variables.len() as u32).map(VariableId).collect();
        self.numbers.shuffle(&mut all);
        let count = self.numbers.between(2, 4).min(all.len() as u64);
        all.truncate(count as usize);
        all
    }

    fn transition(&mut self) {
        let variables = self.variables();
        let mut arcs = Vec::new();
        for _ in 0..self.numbers.between(1, 2) {
            let (from, to) = (self.place(), self.place());
            arcs.push(Arc::Input { place: from, tokens: self.term(from, &variables) });
            if self.numbers.percent(85) {
                arcs.push(Arc::Output { place: to, tokens: self.term(to, &variables) });
            }
        }
        for kind in 0..3 {
            if self.numbers.percent(15) {
                let place = self.place();
                let tokens = self.term(place, &variables);
                arcs.push(match kind {
                    0 => Arc::Read { place, tokens },
                    1 => Arc::Inhibitor { place, tokens },
                    _ => Arc::Reset { place, tokens },
                });
            }
        }
        let guard = if self.numbers.percent(40) { self.guard(&variables) } else { Guard::Constant(true) };
        let id = format!("t{}", self.net.transitions.len());
        if self.numbers.percent(50) {
            // The way back, so that there are cycles.
            let back = |arc: &Arc| match arc.clone() {
                Arc::Input { place, tokens } => Arc::Output { place, tokens },
                Arc::Output { place, tokens } => Arc::Input { place, tokens },
                arc => arc,
            };
            let arcs = arcs.iter().map(back).collect();
            self.net.add_transition(Transition::new(format!("{id}_back"), guard.clone(), arcs));
        }
        self.net.add_transition(Transition::new(id, guard, arcs));
    }

    fn place(&mut self) -> PlaceId {
        PlaceId(self.numbers.below(self.net.places.len() as u64) as u32)
    }

    fn term(&mut self, place: PlaceId, allowed: &[VariableId]) -> MultisetTerm {
        let domain = self.net.places[place.index()].domain.clone();
        let one = self.colour(&domain, allowed);
        match self.numbers.below(20) {
            0..14 => one,
            14 => one.times(2),
            15 => one.plus(self.colour(&domain, allowed)),
            16 => MultisetTerm::All(domain),
            17 => self.diagonal(&domain),
            18 => MultisetTerm::All(domain).minus(one),
            _ => one.plus(self.colour(&domain, allowed)).minus(self.colour(&domain, allowed)),
        }
    }

    fn colour(&mut self, domain: &Domain, allowed: &[VariableId]) -> MultisetTerm {
        let mut components: Vec<MultisetTerm> =
            domain.0.iter().map(|&class| self.component(class, allowed)).collect();
        if components.len() == 1 { components.remove(0) } else { MultisetTerm::Tuple(components) }
    }

    fn component(&mut self, class: ClassId, allowed: &[VariableId]) -> MultisetTerm {
        let all = MultisetTerm::All(Domain::of(class));
        let of_class: Vec<VariableId> = allowed
            .iter()
            .copied()
            .filter(|variable| self.net.variables[variable.index()].class == class)
            .collect();
        let size = self.net.classes[class.index()].size();
        let member = self.numbers.below(size) as u32;
        let constant = MultisetTerm::Member(MemberTerm::Constant { class, member });
        if class.0 > 0 && self.numbers.percent(self.asymmetry) {
            let part = self.numbers.below(2) as u32;
            return match self.numbers.below(3) {
                0 => constant,
                1 => MultisetTerm::Part(PartId { partition: PartitionId(class.0 - 1), part }),
                _ => all.minus(constant),
            };
        }
        if of_class.is_empty() {
            return all;
        }
        let term = MemberTerm::variable(*self.numbers.one_of(&of_class));
        let is_cyclic = self.net.classes[class.index()].is_cyclic();
        if is_cyclic && self.numbers.percent(self.asymmetry) {
            return MultisetTerm::Member(term.shifted(size, 1));
        }
        match self.numbers.below(12) {
            0 => all.minus(MultisetTerm::Member(term)),
            _ => MultisetTerm::Member(term),
        }
    }

    fn guard(&mut self, allowed: &[VariableId]) -> Guard {
        let left = *self.numbers.one_of(allowed);
        let class = self.net.variables[left.index()].class;
        let alike: Vec<VariableId> = allowed
            .iter()
            .copied()
            .filter(|other| *other != left && self.net.variables[other.index()].class == class)
            .collect();
        let member = self.numbers.below(self.net.classes[class.index()].size()) as u32;
        let right = match alike.is_empty() || self.numbers.percent(self.asymmetry) {
            true if self.asymmetry == 0 => return Guard::Constant(true),
            true => MemberTerm::Constant { class, member },
            false => MemberTerm::variable(*self.numbers.one_of(&alike)),
        };
        let relation = *self.numbers.one_of(&[Relation::Equal, Relation::Unequal, Relation::Unequal]);
        let one = Guard::Compare { left: MemberTerm::variable(left), relation, right };
        match self.numbers.below(6) {
            0 => Guard::Or(vec![one, self.guard(allowed)]),
            1 => Guard::Not(Box::new(one)),
            2 => Guard::Implies(Box::new([one, self.guard(allowed)])),
            _ => one,
        }
    }
}
