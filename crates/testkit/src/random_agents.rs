//! Random systems of agents who see a part of the state, and random formulas about what they know
//! and can bring about.

use crate::{RandomNumbers, random_predicate, random_synchronous_model};
use symbolon_logic::{Builder, Formula, FormulaId, Knowledge, Operator};
use symbolon_model::{
    Atom, Comparison, Expr, Group, Model, Observer, ObserverId, Part, Predicate, VariableId,
};

/// The system of agents that belongs to `seed`: a synchronous model in which every agent sees its
/// own variables, those on which their offers depend, and sometimes more; with two groups.
pub fn random_agents(seed: u64) -> Model {
    let mut model = random_synchronous_model(seed);
    let numbers = &mut RandomNumbers::new(seed ^ 0xa6e7_0000_0000_0000);
    let all: Vec<VariableId> = model.variable_ids().collect();
    for (number, action) in model.action_ids().enumerate() {
        let mut seen = model.components[number + 1].variables.clone();
        for part in model.events.iter().flat_map(|event| &event.parts) {
            if let Part::Choice(choice) = part
                && choice.action == action
            {
                choice.offers.iter().for_each(|(condition, _)| condition.collect_variables(&mut seen));
            }
        }
        seen.extend(all.iter().filter(|_| numbers.percent(15)));
        seen.sort_unstable();
        seen.dedup();
        let red = if numbers.percent(50) { Predicate::False } else { random_predicate(numbers, &all, 1) };
        let name = model.components[number + 1].name.clone();
        model.observers.list.push(Observer { name, variables: seen, action: Some(action), red });
    }
    let ids: Vec<ObserverId> = model.observers.ids().collect();
    for name in ["some", "others"] {
        let mut members: Vec<ObserverId> = ids.iter().copied().filter(|_| numbers.percent(60)).collect();
        if members.is_empty() {
            members.push(*numbers.one_of(&ids));
        }
        model.observers.groups.push(Group { name: name.into(), members });
    }
    model
}

/// The formula about agents that belongs to `seed`, with about `size` operators and atoms: CTL with
/// knowledge and strategies.
pub fn random_agent_formula(model: &Model, size: usize, seed: u64) -> Formula<Atom> {
    let numbers = RandomNumbers::new(seed ^ 0xf0a6_0000_0000_0000);
    let mut drawing = Drawing { model, numbers, builder: Builder::default() };
    let root = drawing.formula(size.max(2));
    drawing.builder.finish(root)
}

/// The same with a strategy at the head: what some group can bring about.
pub fn random_strategy_formula(model: &Model, size: usize, seed: u64) -> Formula<Atom> {
    let numbers = RandomNumbers::new(seed ^ 0x57a7_0000_0000_0000);
    let mut drawing = Drawing { model, numbers, builder: Builder::default() };
    let group = drawing.group();
    let path = drawing.path(size.max(2));
    let root = drawing.builder.add(Operator::CanForce(group.into(), path));
    drawing.builder.finish(root)
}

struct Drawing<'a> {
    model: &'a Model,
    numbers: RandomNumbers,
    builder: Builder<Atom>,
}

impl Drawing<'_> {
    fn formula(&mut self, size: usize) -> FormulaId {
        if size < 2 {
            return self.atom();
        }
        let operator = match self.numbers.below(100) {
            0..8 => Operator::Not(self.formula(size - 1)),
            8..28 => {
                let (left, right) = self.two(size);
                match self.numbers.below(3) {
                    0 => Operator::And(left, right),
                    1 => Operator::Or(left, right),
                    _ => Operator::Implies(left, right),
                }
            }
            28..52 => {
                let path = self.path(size - 1);
                if self.numbers.percent(50) { Operator::Exists(path) } else { Operator::ForAll(path) }
            }
            52..80 => {
                let knowledge = *self.numbers.one_of(&[
                    Knowledge::Agent,
                    Knowledge::Everyone,
                    Knowledge::Common,
                    Knowledge::Distributed,
                    Knowledge::Correct,
                ]);
                let who: String = match knowledge {
                    Knowledge::Agent | Knowledge::Correct => {
                        self.numbers.one_of(&self.model.observers.list).name.clone()
                    }
                    _ => self.group(),
                };
                Operator::Knows(knowledge, who.into(), self.formula(size - 1))
            }
            _ => {
                let group = self.group();
                Operator::CanForce(group.into(), self.path(size - 1))
            }
        };
        self.builder.add(operator)
    }

    fn group(&mut self) -> String {
        self.numbers.one_of(&self.model.observers.groups).name.clone()
    }

    fn path(&mut self, size: usize) -> FormulaId {
        let operator = match self.numbers.below(if size < 3 { 3 } else { 5 }) {
            0 => Operator::Next(self.formula(size.saturating_sub(1))),
            1 => Operator::Finally(self.formula(size.saturating_sub(1))),
            2 => Operator::Globally(self.formula(size.saturating_sub(1))),
            _ => {
                let (left, right) = self.two(size);
                Operator::Until(left, right)
            }
        };
        self.builder.add(operator)
    }

    fn two(&mut self, size: usize) -> (FormulaId, FormulaId) {
        let left = self.numbers.between(1, (size as u64).saturating_sub(2).max(1)) as usize;
        let left_formula = self.formula(left);
        (left_formula, self.formula(size.saturating_sub(1 + left)))
    }

    fn atom(&mut self) -> FormulaId {
        let variable = VariableId(self.numbers.below(self.model.variables.len() as u64) as u32);
        let count = self.model.values_of(variable).count().unwrap_or(2);
        let value = Expr::Constant(self.numbers.below(count) as i64);
        let comparison = *self.numbers.one_of(&[Comparison::Equal, Comparison::NotEqual]);
        let predicate = Predicate::Compare(Expr::Variable(variable), comparison, value);
        self.builder.add(Operator::Atom(Atom::Holds(predicate)))
    }
}
