//! Declarations, sorts, terms and guards as elements.

use crate::class::{Members, PartId};
use crate::domain::Domain;
use crate::guard::{Guard, PartTerm, Relation};
use crate::ids::{ClassId, PartitionId};
use crate::net::Net;
use crate::term::{MemberTerm, MultisetTerm};
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::fmt::{Result, Write};
use symbolon_petri::write::xml_text::escape;

/// What is needed to write terms: the net, and ids that tell all constants and parts apart.
pub(super) struct Structure<'s> {
    net: &'s Net,
    /// The ids of the constants of each class.
    constants: Vec<Vec<Cow<'s, str>>>,
}

impl<'s> Structure<'s> {
    pub(super) fn new(net: &'s Net) -> Structure<'s> {
        let parts = net.partitions.iter().flat_map(|partition| &partition.parts);
        let mut taken: FxHashSet<Cow<'_, str>> = parts.map(|part| Cow::Borrowed(&*part.id)).collect();
        let mut constants = Vec::new();
        for class in &net.classes {
            let mut ids: Vec<Cow<'_, str>> = Vec::new();
            for constant in class.constants() {
                let mut id = Cow::Borrowed(&*constant.id);
                while !taken.insert(id.clone()) {
                    id = Cow::Owned(format!("{}.{id}", class.id));
                }
                ids.push(id);
            }
            constants.push(ids);
        }
        Structure { net, constants }
    }

    pub(super) fn declarations(&self, out: &mut String) -> Result {
        for (number, class) in self.net.classes.iter().enumerate() {
            open("namedsort", &class.id, class.label.as_deref(), out)?;
            match &class.members {
                Members::Dot => out.push_str("<dot/>"),
                Members::Range { first, last } => {
                    write!(out, "<finiteintrange start=\"{first}\" end=\"{last}\"/>")?;
                }
                Members::Cyclic(_) | Members::Listed(_) => {
                    let is_cyclic = matches!(class.members, Members::Cyclic(_));
                    let kind = if is_cyclic { "cyclicenumeration" } else { "finiteenumeration" };
                    write!(out, "<{kind}>")?;
                    for (constant, id) in class.constants().iter().zip(&self.constants[number]) {
                        let name = constant.label.as_deref().unwrap_or(&constant.id);
                        write!(out, "<feconstant id=\"{}\" name=\"{}\"/>", escape(id), escape(name))?;
                    }
                    write!(out, "</{kind}>")?;
                }
            }
            out.push_str("</namedsort>\n");
        }
        for product in &self.net.products {
            open("namedsort", &product.id, product.label.as_deref(), out)?;
            self.product(&product.domain, out)?;
            out.push_str("</namedsort>\n");
        }
        for partition in &self.net.partitions {
            open("partition", &partition.id, partition.label.as_deref(), out)?;
            self.class(partition.class, out)?;
            for part in &partition.parts {
                open("partitionelement", &part.id, part.label.as_deref(), out)?;
                for &member in &part.members {
                    self.constant(partition.class, member, out)?;
                }
                out.push_str("</partitionelement>");
            }
            out.push_str("</partition>\n");
        }
        for variable in &self.net.variables {
            open("variabledecl", &variable.id, variable.label.as_deref(), out)?;
            self.class(variable.class, out)?;
            out.push_str("</variabledecl>\n");
        }
        Ok(())
    }

    /// A sort where it is used: by name, if it has one.
    pub(super) fn domain(&self, domain: &Domain, out: &mut String) -> Result {
        let product = self.net.products.iter().find(|product| product.domain == *domain);
        match (&domain.0[..], product) {
            (&[class], _) => self.class(class, out),
            (_, Some(product)) => write!(out, "<usersort declaration=\"{}\"/>", escape(&product.id)),
            (_, None) => self.product(domain, out),
        }
    }

    fn product(&self, domain: &Domain, out: &mut String) -> Result {
        out.push_str("<productsort>");
        domain.0.iter().try_for_each(|class| self.class(*class, out))?;
        out.push_str("</productsort>");
        Ok(())
    }

    fn class(&self, class: ClassId, out: &mut String) -> Result {
        write!(out, "<usersort declaration=\"{}\"/>", escape(&self.net.classes[class.index()].id))
    }

    /// A term that stands for a multiset: single colours get a `<numberof>`.
    pub(super) fn multiset(&self, term: &MultisetTerm, out: &mut String) -> Result {
        match term {
            MultisetTerm::Member(_) | MultisetTerm::Part(_) | MultisetTerm::Tuple(_) => {
                self.scaled("numberof", 1, out, |out| self.term(term, out))
            }
            MultisetTerm::Sum(terms) => operator("add", terms, out, |term, out| self.multiset(term, out)),
            MultisetTerm::Difference(terms) => {
                operator("subtract", &terms[..], out, |term, out| self.multiset(term, out))
            }
            _ => self.term(term, out),
        }
    }

    /// A term as it stands in a tuple or behind a number.
    fn term(&self, term: &MultisetTerm, out: &mut String) -> Result {
        match term {
            MultisetTerm::Empty(domain) | MultisetTerm::All(domain) => {
                let name = if matches!(term, MultisetTerm::All(_)) { "all" } else { "empty" };
                write!(out, "<{name}>")?;
                self.domain(domain, out)?;
                write!(out, "</{name}>")
            }
            MultisetTerm::Member(member) => self.member(*member, out),
            MultisetTerm::Part(part) => self.part(*part, out),
            MultisetTerm::Tuple(terms) => operator("tuple", terms, out, |term, out| self.term(term, out)),
            MultisetTerm::Sum(terms) => operator("add", terms, out, |term, out| self.term(term, out)),
            MultisetTerm::Difference(terms) => {
                operator("subtract", &terms[..], out, |term, out| self.term(term, out))
            }
            MultisetTerm::Scaled { count, term } => {
                let name = match **term {
                    MultisetTerm::Sum(_) | MultisetTerm::Difference(_) | MultisetTerm::Scaled { .. } => {
                        "scalarproduct"
                    }
                    _ => "numberof",
                };
                self.scaled(name, *count, out, |out| {
                    if name == "numberof" { self.term(term, out) } else { self.multiset(term, out) }
                })
            }
        }
    }

    fn scaled(
        &self,
        name: &str,
        count: u64,
        out: &mut String,
        inner: impl FnOnce(&mut String) -> Result,
    ) -> Result {
        let kind = if count > 0 { "positive" } else { "natural" };
        write!(
            out,
            "<{name}><subterm><numberconstant value=\"{count}\"><{kind}/></numberconstant></subterm>"
        )?;
        out.push_str("<subterm>");
        inner(out)?;
        write!(out, "</subterm></{name}>")
    }

    fn member(&self, member: MemberTerm, out: &mut String) -> Result {
        match member {
            MemberTerm::Constant { class, member } => self.constant(class, member, out),
            MemberTerm::Variable { variable, shift } => {
                let name = if shift < 0 { "predecessor" } else { "successor" };
                for _ in 0..shift.unsigned_abs() {
                    write!(out, "<{name}><subterm>")?;
                }
                let id = &self.net.variables[variable.index()].id;
                write!(out, "<variable refvariable=\"{}\"/>", escape(id))?;
                for _ in 0..shift.unsigned_abs() {
                    write!(out, "</subterm></{name}>")?;
                }
                Ok(())
            }
        }
    }

    fn constant(&self, class: ClassId, member: u32, out: &mut String) -> Result {
        match self.net.classes[class.index()].members {
            Members::Dot => write!(out, "<dotconstant/>"),
            Members::Range { first, last } => {
                let value = first + i64::from(member);
                write!(out, "<finiteintrangeconstant value=\"{value}\">")?;
                write!(out, "<finiteintrange start=\"{first}\" end=\"{last}\"/></finiteintrangeconstant>")
            }
            Members::Cyclic(_) | Members::Listed(_) => {
                let id = &self.constants[class.index()][member as usize];
                write!(out, "<useroperator declaration=\"{}\"/>", escape(id))
            }
        }
    }

    fn part(&self, id: PartId, out: &mut String) -> Result {
        let part = &self.net.partitions[id.partition.index()].parts[id.part as usize];
        write!(out, "<useroperator declaration=\"{}\"/>", escape(&part.id))
    }

    pub(super) fn guard(&self, guard: &Guard, out: &mut String) -> Result {
        match guard {
            Guard::Constant(truth) => write!(out, "<booleanconstant value=\"{truth}\"/>"),
            Guard::Compare { left, relation, right } => {
                let name = match relation {
                    Relation::Equal => "equality",
                    Relation::Unequal => "inequality",
                    Relation::Less => "lessthan",
                    Relation::LessOrEqual => "lessthanorequal",
                    Relation::Greater => "greaterthan",
                    Relation::GreaterOrEqual => "greaterthanorequal",
                };
                operator(name, &[*left, *right], out, |member, out| self.member(*member, out))
            }
            Guard::CompareParts { partition, left, relation, right } => {
                let name = match relation {
                    Relation::Equal => "equality",
                    Relation::Unequal => "inequality",
                    Relation::Less => "ltp",
                    Relation::LessOrEqual => "lessthanorequal",
                    Relation::Greater => "gtp",
                    Relation::GreaterOrEqual => "greaterthanorequal",
                };
                operator(name, &[*left, *right], out, |part, out| self.part_term(*partition, *part, out))
            }
            Guard::Not(inner) => {
                operator("not", std::slice::from_ref(&**inner), out, |guard, out| self.guard(guard, out))
            }
            Guard::And(guards) => operator("and", guards, out, |guard, out| self.guard(guard, out)),
            Guard::Or(guards) => operator("or", guards, out, |guard, out| self.guard(guard, out)),
            Guard::Implies(both) => operator("imply", &both[..], out, |guard, out| self.guard(guard, out)),
        }
    }

    fn part_term(&self, partition: PartitionId, part: PartTerm, out: &mut String) -> Result {
        match part {
            PartTerm::Part(part) => self.part(PartId { partition, part }, out),
            PartTerm::Of(member) => {
                let id = &self.net.partitions[partition.index()].id;
                write!(out, "<partitionelementof refpartition=\"{}\"><subterm>", escape(id))?;
                self.member(member, out)?;
                out.push_str("</subterm></partitionelementof>");
                Ok(())
            }
        }
    }
}

/// The start tag of a declaration.
fn open(kind: &str, id: &str, label: Option<&str>, out: &mut String) -> Result {
    write!(out, "<{kind} id=\"{}\" name=\"{}\">", escape(id), escape(label.unwrap_or(id)))
}

/// An operator with its operands.
fn operator<T>(
    name: &str,
    operands: &[T],
    out: &mut String,
    mut write_operand: impl FnMut(&T, &mut String) -> Result,
) -> Result {
    write!(out, "<{name}>")?;
    for operand in operands {
        out.push_str("<subterm>");
        write_operand(operand, out)?;
        out.push_str("</subterm>");
    }
    write!(out, "</{name}>")
}
