//! Coloured nets as PNML.

use super::{ClassKind, Domain, Guard, RandomColouredNet, Term};
use crate::names::escaped;
use crate::nets::ArcKind;
use std::collections::BTreeSet;
use std::fmt::Write;

fn tag(name: &str, inner: &str) -> String {
    format!("<{name}>{inner}</{name}>")
}

/// An operator with its operands, each in its `<subterm>`.
fn operator(name: &str, operands: &[String]) -> String {
    tag(name, &operands.iter().map(|operand| tag("subterm", operand)).collect::<String>())
}

fn structure(name: &str, inner: &str) -> String {
    tag(name, &tag("structure", inner))
}

impl RandomColouredNet {
    /// The net as PNML.
    pub(crate) fn text(&self) -> String {
        let mut text = String::from(
            "<?xml version=\"1.0\"?>\n<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n\
             <net id=\"net\" type=\"http://www.pnml.org/version-2009/grammar/symmetricnet\">\n<page id=\"page\">\n",
        );
        for place in &self.places {
            let marking =
                place.marking.as_ref().map(|term| structure("hlinitialMarking", &self.multiset(term)));
            let _ = writeln!(
                text,
                "<place id=\"{}\">{}{}</place>",
                escaped(&place.id),
                structure("type", &self.sort(&place.domain)),
                marking.unwrap_or_default()
            );
        }
        for transition in &self.transitions {
            let guard = transition.guard.as_ref().map(|guard| structure("condition", &self.guard(guard)));
            let _ = writeln!(
                text,
                "<transition id=\"{}\">{}</transition>",
                escaped(&transition.id),
                guard.unwrap_or_default()
            );
        }
        let mut number = 0;
        for transition in &self.transitions {
            for (kind, place, term) in &transition.arcs {
                let (place, transition) = (escaped(&self.places[*place].id), escaped(&transition.id));
                let (source, target) =
                    if *kind == ArcKind::Output { (transition, place) } else { (place, transition) };
                let kind = match kind {
                    ArcKind::Input | ArcKind::Output => "",
                    ArcKind::Inhibitor => "<type value=\"inhibitor\"/>",
                    ArcKind::Read => "<type value=\"test\"/>",
                    ArcKind::Reset => "<arctype><text>reset</text></arctype>",
                };
                let term = structure("hlinscription", &self.multiset(term));
                let _ = writeln!(
                    text,
                    "<arc id=\"arc {number}\" source=\"{source}\" target=\"{target}\">{term}{kind}</arc>"
                );
                number += 1;
            }
        }
        text.push_str("</page>\n");
        text.push_str(&structure("declaration", &tag("declarations", &self.declarations())));
        text.push_str("\n</net></pnml>\n");
        text
    }

    fn declarations(&self) -> String {
        let mut sorts = vec!["<namedsort id=\"dot\" name=\"Dot\"><dot/></namedsort>\n".to_string()];
        for class in &self.classes {
            let constant =
                |(id, name): &(String, String)| format!("<feconstant id=\"{id}\" name=\"{name}\"/>");
            let constants: String = class.members.iter().map(constant).collect();
            let members = match class.kind {
                ClassKind::Cyclic => tag("cyclicenumeration", &constants),
                ClassKind::Listed => tag("finiteenumeration", &constants),
                ClassKind::Range(_) => self.sort_of_range(&class.members),
            };
            sorts.push(format!("<namedsort id=\"{0}\" name=\"{0}\">{members}</namedsort>\n", class.id));
        }
        for domain in self.products() {
            let factors: String = domain.iter().map(|&class| self.sort(&vec![class])).collect();
            let (id, product) = (product_id(&domain), tag("productsort", &factors));
            sorts.push(format!("<namedsort id=\"{id}\" name=\"{id}\">{product}</namedsort>\n"));
        }
        if self.is_reversed {
            sorts.reverse();
        }
        for (number, class) in self.classes.iter().enumerate().filter(|(_, class)| !class.parts.is_empty()) {
            let mut parts = String::new();
            for (part, members) in class.parts.iter().enumerate() {
                let members: String =
                    members.iter().map(|&member| self.term(&Term::Constant(number, member))).collect();
                let _ = write!(
                    parts,
                    "<partitionelement id=\"{0}part{part}\" name=\"part{part}\">{members}</partitionelement>",
                    class.id
                );
            }
            let (id, class) = (&class.id, self.sort(&vec![number]));
            sorts.push(format!("<partition id=\"{id}parts\" name=\"parts\">{class}{parts}</partition>\n"));
        }
        for (id, name, class) in &self.variables {
            let sort = self.sort(&vec![*class]);
            sorts.push(format!("<variabledecl id=\"{id}\" name=\"{name}\">{sort}</variabledecl>\n"));
        }
        sorts.concat()
    }

    /// The domains that need a name.
    fn products(&self) -> BTreeSet<Domain> {
        let domains = self.places.iter().map(|place| place.domain.clone());
        domains.filter(|domain| domain.len() > 1).collect()
    }

    fn sort(&self, domain: &Domain) -> String {
        let id = match domain[..] {
            [] => "dot".to_string(),
            [class] => self.classes[class].id.clone(),
            _ => product_id(domain),
        };
        format!("<usersort declaration=\"{id}\"/>")
    }

    fn sort_of_range(&self, members: &[(String, String)]) -> String {
        let ends = [&members[0].0, &members[members.len() - 1].0];
        format!("<finiteintrange start=\"{}\" end=\"{}\"/>", ends[0], ends[1])
    }

    /// A term where a multiset stands.
    fn multiset(&self, term: &Term) -> String {
        match term {
            Term::Dot | Term::Variable(_) | Term::Constant(..) | Term::Shift(..) | Term::Tuple(_)
                if !self.is_terse =>
            {
                self.times(1, term)
            }
            Term::Add(terms) => {
                let terms: Vec<String> = terms.iter().map(|term| self.multiset(term)).collect();
                operator("add", &terms)
            }
            Term::Subtract(left, right) => operator("subtract", &[self.multiset(left), self.multiset(right)]),
            _ => self.term(term),
        }
    }

    fn times(&self, times: usize, term: &Term) -> String {
        let number = format!("<numberconstant value=\"{times}\"><positive/></numberconstant>");
        operator("numberof", &[number, self.term(term)])
    }

    fn term(&self, term: &Term) -> String {
        match term {
            Term::Dot => "<dotconstant/>".to_string(),
            Term::Variable(variable) => {
                format!("<variable refvariable=\"{}\"/>", self.variables[*variable].0)
            }
            Term::Constant(class, member) => {
                let class = &self.classes[*class];
                let id = &class.members[*member].0;
                match class.kind {
                    ClassKind::Range(_) => {
                        let range = self.sort_of_range(&class.members);
                        format!("<finiteintrangeconstant value=\"{id}\">{range}</finiteintrangeconstant>")
                    }
                    ClassKind::Cyclic | ClassKind::Listed => format!("<useroperator declaration=\"{id}\"/>"),
                }
            }
            Term::Part(class, part) => {
                format!("<useroperator declaration=\"{}part{part}\"/>", self.classes[*class].id)
            }
            Term::All(domain) => tag("all", &self.sort(domain)),
            Term::Shift(is_successor, variable) => {
                let name = if *is_successor { "successor" } else { "predecessor" };
                operator(name, &[self.term(&Term::Variable(*variable))])
            }
            Term::Add(terms) => {
                operator("add", &terms.iter().map(|term| self.term(term)).collect::<Vec<_>>())
            }
            Term::Subtract(left, right) => operator("subtract", &[self.term(left), self.term(right)]),
            Term::Times(times, term) => self.times(*times, term),
            Term::Tuple(terms) => {
                operator("tuple", &terms.iter().map(|term| self.term(term)).collect::<Vec<_>>())
            }
        }
    }

    fn guard(&self, guard: &Guard) -> String {
        match guard {
            Guard::Constant(truth) => format!("<booleanconstant value=\"{truth}\"/>"),
            Guard::Compare(sign, left, right) => operator(sign, &[self.term(left), self.term(right)]),
            Guard::CompareParts(sign, left, right) => {
                let part_of = |variable: usize| {
                    let class = &self.classes[self.variables[variable].2];
                    let inner = tag("subterm", &self.term(&Term::Variable(variable)));
                    format!(
                        "<partitionelementof refpartition=\"{}parts\">{inner}</partitionelementof>",
                        class.id
                    )
                };
                let right = match right {
                    Term::Variable(variable) => part_of(*variable),
                    part => self.term(part),
                };
                operator(sign, &[part_of(*left), right])
            }
            Guard::Not(inner) => operator("not", &[self.guard(inner)]),
            Guard::Join(sign, parts) => {
                operator(sign, &parts.iter().map(|part| self.guard(part)).collect::<Vec<_>>())
            }
        }
    }
}

fn product_id(domain: &Domain) -> String {
    let numbers: Vec<String> = domain.iter().map(|class| class.to_string()).collect();
    format!("product{}", numbers.join("x"))
}
