//! The net, once the whole document is read.

use super::declarations::Declared;
use super::{Draft, Inscription, NodeDraft};
use crate::arc::Arc;
use crate::domain::Domain;
use crate::guard::Guard;
use crate::ids::{PageId, PlaceId};
use crate::net::{Net, Page, Place, Transition};
use crate::term::{MemberTerm, MultisetTerm};
use symbolon_budget::{Budget, Meter};
use symbolon_petri::read::pnml::nodes::{ArcKind, Nodes};
use symbolon_source::{Findings, Step, shown};

impl Draft<'_> {
    /// The net, once all names lead somewhere. It obeys COL-1 to COL-6 unless an error was noted.
    pub(super) fn finish(mut self, budget: &Budget, findings: &mut Findings) -> Step<Net> {
        let mut meter = Meter::new(budget.clone());
        self.nodes.resolve_references(&mut meter, findings)?;
        let mut declared = Declared::resolve(&self.declarations, findings)?;
        declared.net.name = self.name.take().unwrap_or_else(|| self.id.clone());
        let has_pages = self.pages.len() > 1;
        if has_pages {
            declared.net.pages = self.pages_of_net();
        }
        let page_of = |node: &NodeDraft| node.page.map(PageId).filter(|_| has_pages);

        // Domains that are wrong were noted; the terms at such a place are not looked at.
        let mut domains: Vec<Option<Domain>> = Vec::new();
        for draft in &self.places {
            meter.step()?;
            let node = &draft.node;
            let (id, label) = id_and_label(&self.nodes, node);
            let domain = match &draft.sort {
                Inscription::Is(sort) => match declared.sort(sort)? {
                    Some(domain) if domain.size(&declared.net).is_none() => {
                        let message = format!("place \"{}\" has more than 2^63 - 1 colours", shown(&id));
                        declared.findings.error(sort.offset, message)?;
                        None
                    }
                    domain => domain,
                },
                Inscription::Wrong => None,
                Inscription::Missing => {
                    let message = format!("place \"{}\" has no <type>", shown(&id));
                    let hint = "expected <type><structure><usersort declaration=\"…\"/></structure></type>";
                    declared.findings.error_with_hint(node.offset, message, hint)?;
                    None
                }
            };
            let known = domain.clone().unwrap_or(Domain(Vec::new()));
            let mut initial = MultisetTerm::Empty(known.clone());
            if let (Inscription::Is(element), Some(domain)) = (&draft.initial, &domain)
                && let Some(term) = declared.multiset(element, &domain.0)?
            {
                initial = term;
                let mut variable = None;
                initial.visit_variables(&mut |found| variable = Some(found));
                if let Some(variable) = variable {
                    let name = shown(declared.net.variables[variable.index()].name());
                    let message = format!("variable \"{name}\" in the initial marking of \"{}\"", shown(&id));
                    let hint = "markings are made of constants";
                    declared.findings.error_with_hint(element.offset, message, hint)?;
                }
            }
            let place =
                Place { id, label, domain: known, initial, page: page_of(node), position: node.position };
            declared.net.places.push(place);
            domains.push(domain);
        }

        for draft in &self.transitions {
            meter.step()?;
            let node = &draft.node;
            let (id, label) = id_and_label(&self.nodes, node);
            let guard = match &draft.condition {
                Inscription::Is(condition) => declared.guard(condition)?,
                Inscription::Missing | Inscription::Wrong => None,
            };
            let guard = guard.unwrap_or(Guard::Constant(true));
            let (page, position) = (page_of(node), node.position);
            declared.net.transitions.push(Transition { id, label, guard, arcs: Vec::new(), page, position });
        }

        for draft in &self.arcs {
            meter.step()?;
            let Some(joined) = self.nodes.join(&draft.ends, declared.findings)? else { continue };
            let Some(domain) = &domains[joined.place as usize] else { continue };
            let tokens = match &draft.tokens {
                Inscription::Is(element) => declared.multiset(element, &domain.0)?,
                Inscription::Wrong => None,
                Inscription::Missing => {
                    declared.missing_tokens(draft.ends.kind, draft.ends.offset, joined.place, domain)?
                }
            };
            let Some(tokens) = tokens else { continue };
            let place = PlaceId(joined.place);
            let arc = match draft.ends.kind {
                ArcKind::Ordinary if joined.leads_to_place => Arc::Output { place, tokens },
                ArcKind::Ordinary => Arc::Input { place, tokens },
                ArcKind::Inhibitor => Arc::Inhibitor { place, tokens },
                ArcKind::Read => Arc::Read { place, tokens },
                ArcKind::Reset => Arc::Reset { place, tokens },
            };
            declared.net.transitions[joined.transition as usize].arcs.push(arc);
        }
        let mut net = declared.net;
        for transition in &mut net.transitions {
            transition.arcs.sort_by_key(Arc::position);
        }
        Ok(net)
    }

    fn pages_of_net(&self) -> Vec<Page> {
        let page = |(number, page): (usize, &super::PageDraft)| Page {
            id: if page.id.is_empty() { format!("page {}", number + 1) } else { page.id.clone() },
            parent: page.parent.map(PageId),
        };
        self.pages.iter().enumerate().map(page).collect()
    }
}

impl Declared<'_> {
    /// What an arc without inscription means; `None`, after an error, if that is not clear.
    fn missing_tokens(
        &mut self,
        kind: ArcKind,
        offset: usize,
        place: u32,
        domain: &Domain,
    ) -> Step<Option<MultisetTerm>> {
        if kind == ArcKind::Reset {
            return Ok(Some(MultisetTerm::All(domain.clone())));
        }
        if self.net.is_dot(domain) {
            let class = domain.0[0];
            return Ok(Some(MultisetTerm::Member(MemberTerm::Constant { class, member: 0 })));
        }
        let place = shown(&self.net.places[place as usize].id);
        let message = format!("the arc at place \"{place}\" has no <hlinscription>");
        let hint = format!("expected colours of {}", shown(&self.net.domain_text(domain)));
        self.findings.error_with_hint(offset, message, hint)?;
        Ok(None)
    }
}

fn id_and_label(nodes: &Nodes, node: &NodeDraft) -> (String, Option<Box<str>>) {
    let id = nodes.name(node.symbol).to_string();
    let label = node.label.as_deref().filter(|label| !label.is_empty() && *label != id).map(Box::from);
    (id, label)
}
