//! What guards say about members: truth tables, comparisons by order, successors.

use super::Findings;
use crate::reason::Reason;
use symbolon_budget::{Interrupted, Meter};
use symbolon_coloured::{Guard, MemberTerm, Net, PartTerm, Relation, TransitionId, VariableId};

/// Adds what the guards of a net say.
pub(super) fn add_guards(net: &Net, findings: &mut Findings, meter: &mut Meter) -> Result<(), Interrupted> {
    for (number, transition) in net.transition_ids().zip(&net.transitions) {
        let mut reader = Reader { net, transition: number, findings, meter };
        reader.guard(&transition.guard)?;
    }
    Ok(())
}

struct Reader<'r> {
    net: &'r Net,
    transition: TransitionId,
    findings: &'r mut Findings,
    meter: &'r mut Meter,
}

impl Reader<'_> {
    fn guard(&mut self, guard: &Guard) -> Result<(), Interrupted> {
        match variables_of(guard)[..] {
            [] => Ok(()),
            [variable] => self.table(guard, variable),
            _ => match guard {
                Guard::Constant(_) => Ok(()),
                Guard::Compare { left, relation, right } => {
                    self.compare(guard, *left, *relation, *right);
                    Ok(())
                }
                Guard::CompareParts { left, right, .. } => {
                    self.parts(guard, left)?;
                    self.parts(guard, right)
                }
                Guard::Not(inner) => self.guard(inner),
                Guard::And(guards) => self.operands(guards, Guard::And),
                Guard::Or(guards) => self.operands(guards, Guard::Or),
                Guard::Implies(both) => both.iter().try_for_each(|guard| self.guard(guard)),
            },
        }
    }

    /// Reads the operands of a conjunction or disjunction: those about one variable together, so that
    /// `x = a | x = b` tells two members from the others, but not from each other.
    fn operands(&mut self, guards: &[Guard], join: impl Fn(Vec<Guard>) -> Guard) -> Result<(), Interrupted> {
        let mut by_variable: Vec<(VariableId, Vec<Guard>)> = Vec::new();
        for guard in guards {
            let [variable] = variables_of(guard)[..] else {
                self.guard(guard)?;
                continue;
            };
            match by_variable.iter_mut().find(|(known, _)| *known == variable) {
                Some((_, group)) => group.push(guard.clone()),
                None => by_variable.push((variable, vec![guard.clone()])),
            }
        }
        for (variable, mut group) in by_variable {
            let joined = if group.len() == 1 { group.remove(0) } else { join(group) };
            self.table(&joined, variable)?;
        }
        Ok(())
    }

    /// A condition on one variable splits its class into the members for which it holds and the
    /// others. Successors are no matter here.
    fn table(&mut self, guard: &Guard, variable: VariableId) -> Result<(), Interrupted> {
        let class = self.net.variables[variable.index()].class;
        let size = self.net.classes[class.index()].size() as u32;
        let mut table = Vec::with_capacity(size as usize);
        for member in 0..size {
            self.meter.step()?;
            table.push(u64::from(guard.holds(self.net, &|_| member)));
        }
        let transition = self.transition;
        self.findings.split(class, &table, || Reason::Condition { transition, condition: guard.clone() });
        Ok(())
    }

    /// A comparison of two variables.
    fn compare(&mut self, guard: &Guard, left: MemberTerm, relation: Relation, right: MemberTerm) {
        let class = left.class(self.net);
        let transition = self.transition;
        match relation {
            Relation::Equal | Relation::Unequal if steps(self.net, left) == steps(self.net, right) => {}
            Relation::Equal | Relation::Unequal => {
                let reason = || Reason::SuccessorInGuard { transition, comparison: guard.clone() };
                self.findings.order(class, reason);
            }
            Relation::Less | Relation::LessOrEqual | Relation::Greater | Relation::GreaterOrEqual => {
                self.findings.fix(class, || Reason::Order { transition, comparison: guard.clone() });
            }
        }
    }

    /// One side of a comparison of parts of two variables: members in different parts differ.
    fn parts(&mut self, guard: &Guard, side: &PartTerm) -> Result<(), Interrupted> {
        let (Guard::CompareParts { partition, .. }, PartTerm::Of(term)) = (guard, side) else {
            return Ok(());
        };
        let partition = &self.net.partitions[partition.index()];
        let size = self.net.classes[partition.class.index()].size();
        let mut part_of = vec![0; size as usize];
        for (number, part) in partition.parts.iter().enumerate() {
            part.members.iter().for_each(|&member| part_of[member as usize] = number as u64);
        }
        let mut table = Vec::with_capacity(size as usize);
        for member in 0..size as u32 {
            self.meter.step()?;
            table.push(part_of[term.value(self.net, |_| member) as usize]);
        }
        let transition = self.transition;
        let reason = || Reason::Parts { transition, comparison: guard.clone() };
        self.findings.split(partition.class, &table, reason);
        Ok(())
    }
}

/// How many steps a term lies behind its variable, in the circle of its class.
fn steps(net: &Net, term: MemberTerm) -> u32 {
    match term {
        MemberTerm::Constant { .. } => 0,
        MemberTerm::Variable { variable, shift } => net.class_of(variable).shifted(0, shift),
    }
}

/// The variables of a guard, each once.
fn variables_of(guard: &Guard) -> Vec<VariableId> {
    let mut variables = Vec::new();
    guard.visit_variables(&mut |variable| {
        if !variables.contains(&variable) {
            variables.push(variable);
        }
    });
    variables
}
