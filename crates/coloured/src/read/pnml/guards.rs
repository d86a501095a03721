//! Guards.
//!
//! Both sides of a comparison are members of one class, tuples of them, or parts of one partition. A
//! member beside a part means the part in which the member lies, which is how some tools write that
//! a variable ranges over a part.

use super::declarations::{Declared, Operator};
use super::element::Element;
use crate::class::PartId;
use crate::domain::Domain;
use crate::guard::{Guard, PartTerm, Relation};
use crate::ids::{ClassId, PartitionId};
use crate::term::MemberTerm;
use symbolon_source::{Step, shown};

/// The operators that can stand in a guard.
const OPERATORS: &[&str] = &[
    "equality",
    "inequality",
    "lessthan",
    "lessthanorequal",
    "greaterthan",
    "greaterthanorequal",
    "ltp",
    "gtp",
    "and",
    "or",
    "not",
    "imply",
    "booleanconstant",
];

/// One side of a comparison.
enum Side {
    Members(Vec<(ClassId, MemberTerm)>),
    Part(PartId),
    PartOf(PartitionId, MemberTerm),
}

impl Declared<'_> {
    /// A guard; `None` after an error.
    pub(super) fn guard(&mut self, element: &Element<'_>) -> Step<Option<Guard>> {
        let operands = element.operands();
        match element.name {
            "and" | "or" => {
                let mut guards = Vec::new();
                for operand in &operands {
                    guards.extend(self.guard(operand)?);
                }
                if guards.len() < operands.len() {
                    return Ok(None);
                }
                Ok(match guards.len() {
                    0 => return self.operand_count(element, "at least 1", 0).map(|()| None),
                    1 => guards.pop(),
                    _ if element.name == "and" => Some(Guard::And(guards)),
                    _ => Some(Guard::Or(guards)),
                })
            }
            "not" => {
                let [operand] = operands[..] else {
                    return self.operand_count(element, "1", operands.len()).map(|()| None);
                };
                Ok(self.guard(operand)?.map(|guard| Guard::Not(Box::new(guard))))
            }
            "imply" => {
                let [left, right] = operands[..] else {
                    return self.operand_count(element, "2", operands.len()).map(|()| None);
                };
                let both = (self.guard(left)?, self.guard(right)?);
                Ok(both.0.zip(both.1).map(|(left, right)| Guard::Implies(Box::new([left, right]))))
            }
            "booleanconstant" => match element.attribute("value") {
                Some("true") => Ok(Some(Guard::Constant(true))),
                Some("false") => Ok(Some(Guard::Constant(false))),
                _ => {
                    let message = "the value of <booleanconstant> is neither \"true\" nor \"false\"";
                    self.findings.error(element.offset, message).map(|()| None)
                }
            },
            name => match relation_named(name) {
                Some(relation) => self.comparison(element, &operands, relation),
                None => self.unsupported(element, "in a guard", OPERATORS).map(|()| None),
            },
        }
    }

    fn comparison(
        &mut self,
        element: &Element<'_>,
        operands: &[&Element<'_>],
        relation: Relation,
    ) -> Step<Option<Guard>> {
        let &[left, right] = operands else {
            return self.operand_count(element, "2", operands.len()).map(|()| None);
        };
        // A constant of a range has the class of the other side, which is therefore read first.
        let (left_side, right_side) = if holds_range_constant(left) {
            let right_side = self.side(right, None)?;
            (self.side(left, right_side.as_ref())?, right_side)
        } else {
            let left_side = self.side(left, None)?;
            let right_side = self.side(right, left_side.as_ref())?;
            (left_side, right_side)
        };
        match (left_side, right_side) {
            (Some(Side::Members(left)), Some(Side::Members(right))) => {
                self.compare_members(element, &left, relation, &right)
            }
            (Some(left), Some(right)) => self.compare_parts(element, &left, relation, &right),
            _ => Ok(None),
        }
    }

    fn side(&mut self, element: &Element<'_>, other: Option<&Side>) -> Step<Option<Side>> {
        match element.name {
            "tuple" => {
                let mut members = Vec::new();
                for operand in element.operands() {
                    let expected = match other {
                        Some(Side::Members(other)) => other.get(members.len()).map(|(class, _)| *class),
                        _ => None,
                    };
                    if operand.name == "tuple" || operand.name == "variable" {
                        match self.side(operand, None)? {
                            Some(Side::Members(inner)) => members.extend(inner),
                            _ => return Ok(None),
                        }
                    } else {
                        match self.member(operand, expected)? {
                            Some(member) => members.push(member),
                            None => return Ok(None),
                        }
                    }
                }
                Ok(Some(Side::Members(members)))
            }
            "variable" => {
                let Some(variables) = self.variables(element)? else { return Ok(None) };
                let member = |variable| {
                    let term = MemberTerm::variable(variable);
                    (term.class(&self.net), term)
                };
                Ok(Some(Side::Members(variables.into_iter().map(member).collect())))
            }
            "useroperator" => Ok(self.operator(element)?.map(|operator| match operator {
                Operator::Constant(class, member) => {
                    Side::Members(vec![(class, MemberTerm::Constant { class, member })])
                }
                Operator::Part(part) => Side::Part(part),
            })),
            "partitionelementof" => {
                let Some(partition) = self.partition_named(element)? else { return Ok(None) };
                let operands = element.operands();
                let [operand] = operands[..] else {
                    return self.operand_count(element, "1", operands.len()).map(|()| None);
                };
                let class = self.net.partitions[partition.index()].class;
                let member = self.member(operand, Some(class))?;
                Ok(member.map(|(_, member)| Side::PartOf(partition, member)))
            }
            _ => {
                let expected = match other {
                    Some(Side::Members(other)) if other.len() == 1 => Some(other[0].0),
                    _ => None,
                };
                Ok(self.member(element, expected)?.map(|member| Side::Members(vec![member])))
            }
        }
    }

    fn partition_named(&mut self, element: &Element<'_>) -> Step<Option<PartitionId>> {
        let id = element.attribute("refpartition").unwrap_or_default();
        let position = self.net.partitions.iter().position(|partition| partition.id == id);
        if position.is_none() {
            let message = format!("unknown partition \"{}\"", shown(id));
            self.findings.error(element.offset, message)?;
        }
        Ok(position.map(|position| PartitionId(position as u32)))
    }

    fn compare_members(
        &mut self,
        element: &Element<'_>,
        left: &[(ClassId, MemberTerm)],
        relation: Relation,
        right: &[(ClassId, MemberTerm)],
    ) -> Step<Option<Guard>> {
        let classes = |side: &[(ClassId, MemberTerm)]| Domain(side.iter().map(|(class, _)| *class).collect());
        if classes(left) != classes(right) {
            let text = |side| shown(&self.net.domain_text(&classes(side)));
            let message = format!("a colour of {} is compared with one of {}", text(left), text(right));
            return self.findings.error(element.offset, message).map(|()| None);
        }
        let mut guards: Vec<Guard> = left
            .iter()
            .zip(right)
            .map(|(&(_, left), &(_, right))| Guard::Compare { left, relation, right })
            .collect();
        match (guards.len(), relation) {
            (1, _) => Ok(guards.pop()),
            (0, _) => self.findings.error(element.offset, "empty tuples are compared").map(|()| None),
            (_, Relation::Equal) => Ok(Some(Guard::And(guards))),
            (_, Relation::Unequal) => Ok(Some(Guard::Or(guards))),
            _ => {
                let message = format!("<{}> is not supported for tuples", element.shown());
                let hint = "tuples can be compared by <equality> and <inequality>";
                self.findings.error_with_hint(element.offset, message, hint).map(|()| None)
            }
        }
    }

    fn compare_parts(
        &mut self,
        element: &Element<'_>,
        left: &Side,
        relation: Relation,
        right: &Side,
    ) -> Step<Option<Guard>> {
        let partition_of = |side: &Side| match side {
            Side::Part(part) => Some(part.partition),
            Side::PartOf(partition, _) => Some(*partition),
            Side::Members(_) => None,
        };
        let partitions = [partition_of(left), partition_of(right)];
        let Some(partition) = partitions[0].or(partitions[1]) else { return Ok(None) };
        let class = self.net.partitions[partition.index()].class;
        let part = |side: &Side| match side {
            Side::Part(part) if part.partition == partition => Some(PartTerm::Part(part.part)),
            Side::PartOf(of, member) if *of == partition && member.class(&self.net) == class => {
                Some(PartTerm::Of(*member))
            }
            Side::Members(members) => match members[..] {
                [(found, member)] if found == class => Some(PartTerm::Of(member)),
                _ => None,
            },
            _ => None,
        };
        match (part(left), part(right)) {
            (Some(left), Some(right)) => Ok(Some(Guard::CompareParts { partition, left, relation, right })),
            _ => {
                let id = shown(&self.net.partitions[partition.index()].id);
                let message = format!("a part of partition \"{id}\" is compared with something else");
                let hint = "expected another part of it, or a member of its class";
                self.findings.error_with_hint(element.offset, message, hint).map(|()| None)
            }
        }
    }
}

fn relation_named(name: &str) -> Option<Relation> {
    Some(match name {
        "equality" => Relation::Equal,
        "inequality" => Relation::Unequal,
        "lessthan" | "ltp" => Relation::Less,
        "lessthanorequal" => Relation::LessOrEqual,
        "greaterthan" | "gtp" => Relation::Greater,
        "greaterthanorequal" => Relation::GreaterOrEqual,
        _ => return None,
    })
}

/// Whether the class of a side depends on that of the other side.
fn holds_range_constant(element: &Element<'_>) -> bool {
    element.name == "finiteintrangeconstant" || element.children.iter().any(holds_range_constant)
}
