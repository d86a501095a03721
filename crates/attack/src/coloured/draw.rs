//! Draws coloured nets.

use super::{Class, ClassKind, Domain, Guard, Place, RandomColouredNet, Term, Transition};
use crate::names::names;
use crate::nets::ArcKind;
use crate::random::Random;

/// The comparisons of values; order counts positions in the class.
const COMPARISONS: [&str; 8] = [
    "equality",
    "equality",
    "inequality",
    "inequality",
    "lessthan",
    "lessthanorequal",
    "greaterthan",
    "greaterthanorequal",
];

impl RandomColouredNet {
    /// A net by chance.
    pub(crate) fn draw(random: &mut Random) -> RandomColouredNet {
        let class_count = random.range(1, 3);
        let classes: Vec<Class> = (0..class_count).map(|number| draw_class(random, number)).collect();
        let variable_count = random.range(class_count, class_count + 2);
        // Identifiers and names are the same, or differ as they do in the contest.
        let prefix = if random.percent(50) { "var" } else { "" };
        let letters = ["x", "y", "z", "u", "v"];
        let variable = |number: usize| {
            let name = letters[number].to_string();
            (format!("{prefix}{name}"), name, number % class_count)
        };
        let variables = (0..variable_count).map(variable).collect();
        let taken = &mut Vec::new();
        let place_count = random.range(2, 5);
        let transition_count = random.range(1, 4);
        let places = names(random, 'p', place_count, taken);
        let transitions = names(random, 't', transition_count, taken);
        let mut net = RandomColouredNet {
            classes,
            variables,
            places: Vec::new(),
            transitions: Vec::new(),
            is_terse: random.percent(50),
            is_reversed: random.percent(30),
        };
        for id in places {
            let domain = net.draw_domain(random);
            let marking = random.percent(70).then(|| net.draw_term(random, &domain, false));
            net.places.push(Place { id, domain, marking });
        }
        let may_grow = random.percent(30);
        for id in transitions {
            let transition = net.draw_transition(random, id, may_grow);
            net.transitions.push(transition);
        }
        net
    }

    fn draw_domain(&self, random: &mut Random) -> Domain {
        let count = match random.below(100) {
            0..18 => 0,
            18..68 => 1,
            68..95 => 2,
            _ => 3,
        };
        (0..count).map(|_| random.below(self.classes.len())).collect()
    }

    fn draw_transition(&self, random: &mut Random, id: String, may_grow: bool) -> Transition {
        let mut arcs = Vec::new();
        let input_count = if random.percent(5) { 0 } else { random.range(1, 2) };
        let output_count =
            if may_grow { random.below(4) } else { random.range(input_count.min(1), input_count) };
        let kinds = [(ArcKind::Input, input_count), (ArcKind::Output, output_count)];
        for (kind, count) in kinds {
            for _ in 0..count {
                arcs.push(self.draw_arc(random, kind));
            }
        }
        for (kind, times) in [(ArcKind::Inhibitor, 10), (ArcKind::Read, 10), (ArcKind::Reset, 8)] {
            if random.percent(times) {
                arcs.push(self.draw_arc(random, kind));
            }
        }
        let depth = random.below(3);
        let guard = random.percent(40).then(|| self.draw_guard(random, depth));
        Transition { id, guard, arcs }
    }

    fn draw_arc(&self, random: &mut Random, kind: ArcKind) -> (ArcKind, usize, Term) {
        let place = random.below(self.places.len());
        (kind, place, self.draw_term(random, &self.places[place].domain, true))
    }

    /// A multiset of a domain; without variables if it is a marking.
    fn draw_term(&self, random: &mut Random, domain: &Domain, has_variables: bool) -> Term {
        let colour = |random: &mut Random| self.draw_colour(random, domain, has_variables);
        let some = |random: &mut Random| match random.percent(25) {
            true => Term::Times(random.range(2, 3), Box::new(colour(random))),
            false => colour(random),
        };
        match random.below(100) {
            0..66 => colour(random),
            66..76 => Term::Times(random.range(1, 3), Box::new(colour(random))),
            76..86 => Term::Add(vec![some(random), some(random)]),
            86..91 => Term::All(domain.clone()),
            91..95 => Term::Subtract(Box::new(Term::All(domain.clone())), Box::new(some(random))),
            95..98 => {
                let sum = Term::Add(vec![some(random), some(random), some(random)]);
                Term::Subtract(Box::new(sum), Box::new(some(random)))
            }
            _ => {
                let less = Term::Subtract(Box::new(some(random)), Box::new(colour(random)));
                Term::Add(vec![some(random), Term::Times(2, Box::new(less))])
            }
        }
    }

    /// A colour, or a product of multisets.
    fn draw_colour(&self, random: &mut Random, domain: &Domain, has_variables: bool) -> Term {
        let part = |random: &mut Random, class: usize| match has_variables {
            true => self.draw_component(random, class),
            false => self.draw_fixed(random, class),
        };
        match domain[..] {
            [] => Term::Dot,
            [class] => part(random, class),
            _ => Term::Tuple(domain.iter().map(|&class| part(random, class)).collect()),
        }
    }

    /// A term of one class, most often a variable.
    fn draw_component(&self, random: &mut Random, class: usize) -> Term {
        let variable = self.draw_variable(random, class);
        match random.below(100) {
            0..14 if self.has_successors(class) => Term::Shift(random.percent(50), variable),
            14..30 => self.draw_fixed(random, class),
            30..33 => Term::Add(vec![Term::Variable(variable), self.draw_fixed(random, class)]),
            33..35 => Term::Subtract(Box::new(Term::All(vec![class])), Box::new(Term::Variable(variable))),
            _ => Term::Variable(variable),
        }
    }

    /// A term of one class without variables.
    fn draw_fixed(&self, random: &mut Random, class: usize) -> Term {
        let parts = self.classes[class].parts.len();
        match random.below(100) {
            0..25 => Term::All(vec![class]),
            25..50 if parts > 0 => Term::Part(class, random.below(parts)),
            50..60 => Term::Add(vec![self.draw_constant(random, class), self.draw_constant(random, class)]),
            _ => self.draw_constant(random, class),
        }
    }

    fn draw_constant(&self, random: &mut Random, class: usize) -> Term {
        Term::Constant(class, random.below(self.classes[class].members.len()))
    }

    /// A variable of a class; every class has one.
    fn draw_variable(&self, random: &mut Random, class: usize) -> usize {
        let of_class = |&variable: &usize| self.variables[variable].2 == class;
        let variables: Vec<usize> = (0..self.variables.len()).filter(of_class).collect();
        *random.one(&variables)
    }

    fn has_successors(&self, class: usize) -> bool {
        self.classes[class].kind != ClassKind::Listed
    }

    fn draw_guard(&self, random: &mut Random, depth: usize) -> Guard {
        if depth > 0 && random.percent(75) {
            let inner = |random: &mut Random| self.draw_guard(random, depth - 1);
            return match random.below(10) {
                0..2 => Guard::Not(Box::new(inner(random))),
                2..5 => Guard::Join("and", vec![inner(random), inner(random)]),
                5..8 => Guard::Join("or", vec![inner(random), inner(random)]),
                _ => Guard::Join("imply", vec![inner(random), inner(random)]),
            };
        }
        let variable = random.below(self.variables.len());
        let class = self.variables[variable].2;
        let parts = self.classes[class].parts.len();
        if parts > 0 && random.percent(35) {
            let sign = *random.one(&["equality", "inequality", "gtp", "ltp"]);
            let right = match random.percent(60) {
                true => Term::Part(class, random.below(parts)),
                false => Term::Variable(self.draw_variable(random, class)),
            };
            return Guard::CompareParts(sign, variable, right);
        }
        let shifted =
            |random: &mut Random, variable: usize| match self.has_successors(class) && random.percent(15) {
                true => Term::Shift(random.percent(50), variable),
                false => Term::Variable(variable),
            };
        let left = shifted(random, variable);
        let right = match random.percent(50) {
            true => self.draw_constant(random, class),
            false => {
                let other = self.draw_variable(random, class);
                shifted(random, other)
            }
        };
        let (left, right) = if random.percent(30) { (right, left) } else { (left, right) };
        let sign = *random.one(&COMPARISONS);
        if random.percent(3) {
            Guard::Constant(random.percent(70))
        } else {
            Guard::Compare(sign, left, right)
        }
    }
}

fn draw_class(random: &mut Random, number: usize) -> Class {
    let letter = ['c', 'd', 'e'][number];
    let size = match random.below(100) {
        0..10 => 1,
        10..55 => 2,
        55..88 => 3,
        _ => 4,
    };
    let kind = match random.below(100) {
        0..45 => ClassKind::Cyclic,
        45..75 => ClassKind::Listed,
        // Classes of numbers differ, as ranges with the same ends would be one class.
        _ => ClassKind::Range(10 * number + random.below(3)),
    };
    let naming = random.below(100);
    let member = |position: usize| {
        if let ClassKind::Range(start) = kind {
            let value = (start + position).to_string();
            return (value.clone(), value);
        }
        let id = format!("{letter}{}", position + 1);
        let name = match naming {
            0..40 => id.clone(),
            40..90 => (position + 1).to_string(),
            // Names that say nothing: ids are used.
            _ => "same".to_string(),
        };
        (id, name)
    };
    let mut parts: Vec<Vec<usize>> = vec![Vec::new(); 2];
    if size > 1 && random.percent(35) {
        (0..size).for_each(|position| parts[random.below(2)].push(position));
    }
    parts.retain(|part| !part.is_empty());
    Class { id: format!("class{letter}"), kind, members: (0..size).map(member).collect(), parts }
}
