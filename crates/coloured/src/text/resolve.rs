//! Trees made into nets: names are looked up, and every term gets its domain.

mod classes;
mod terms;

use super::parse::{Broken, Made, unless_stopped};
use super::tree::{self, ArcKind, Declared, Name, Tree};
use crate::{
    Arc, Class, ClassId, Domain, Guard, LARGEST_FACTOR_COUNT, MemberTerm, Members, MultisetTerm, Net, Page,
    PageId, Partition, Place, PlaceId, Position, Transition, Variable, VariableId,
};
use rustc_hash::FxHashMap;
use symbolon_budget::Meter;
use symbolon_source::{Findings, Step, did_you_mean, near_names};

/// Makes the net that a tree describes; what is wrong is among the findings.
pub(super) fn resolve(tree: &Tree, meter: &mut Meter, findings: &mut Findings) -> Step<Net> {
    let mut resolver = Resolver { net: Net::default(), names: Names::default(), meter, findings };
    resolver.net.name = tree.name.as_ref().map(|name| name.text.clone()).unwrap_or_default();
    resolver.pages(tree)?;
    resolver.classes(tree)?;
    resolver.variables(tree)?;
    resolver.places(tree)?;
    for transition in &tree.transitions {
        unless_stopped(resolver.transition(transition))?;
    }
    let net = resolver.net;
    if !findings.has_errors()
        && let Err(broken) = net.check()
    {
        findings.error(None, broken.to_string())?;
    }
    Ok(net)
}

/// What a name in a domain means.
#[derive(Clone, Copy)]
enum Sort {
    Class(ClassId),
    /// A product, by its position.
    Product(usize),
}

/// What is declared, by id.
#[derive(Default)]
struct Names {
    pages: FxHashMap<String, PageId>,
    sorts: FxHashMap<String, Sort>,
    /// The members of each class that lists them.
    members: Vec<FxHashMap<String, u32>>,
    partitions: FxHashMap<String, usize>,
    parts: FxHashMap<String, crate::PartId>,
    variables: FxHashMap<String, VariableId>,
    places: FxHashMap<String, PlaceId>,
    transitions: FxHashMap<String, ()>,
}

struct Resolver<'m> {
    net: Net,
    names: Names,
    meter: &'m mut Meter,
    findings: &'m mut Findings,
}

impl Resolver<'_> {
    /// Notes an error about a name, after which what was asked for is missing.
    fn broken<T>(&mut self, name: &Name, message: String, hint: Option<String>) -> Made<T> {
        let step = self.findings.error(name.at, message);
        self.findings.length(name.length);
        if let Some(hint) = hint {
            self.findings.hint(hint);
        }
        step?;
        Err(Broken::Noted)
    }

    /// Notes that nothing has this name, with those that were perhaps meant.
    fn unknown<T>(&mut self, what: &str, name: &Name, known: &[String]) -> Made<T> {
        let near = near_names(&name.text, known.iter().map(String::as_str));
        let hint = did_you_mean(&near);
        self.broken(name, format!("there is no {what} '{}'", name.text), hint)
    }

    fn pages(&mut self, tree: &Tree) -> Step<()> {
        for (name, parent) in &tree.pages {
            let parent = match parent {
                None => None,
                Some(parent) => unless_stopped(self.page(parent))?,
            };
            let id = PageId(self.net.pages.len() as u32);
            if self.names.pages.insert(name.text.clone(), id).is_some() {
                unless_stopped(self.twice::<()>("page", name))?;
            }
            self.net.pages.push(Page { id: name.text.clone(), parent });
        }
        Ok(())
    }

    fn page(&mut self, name: &Name) -> Made<PageId> {
        match self.names.pages.get(&name.text) {
            Some(page) => Ok(*page),
            None => {
                let known: Vec<String> = self.net.pages.iter().map(|page| page.id.clone()).collect();
                self.unknown("page", name, &known)
            }
        }
    }

    fn twice<T>(&mut self, what: &str, name: &Name) -> Made<T> {
        self.broken(name, format!("the {what} '{}' is declared twice", name.text), None)
    }

    fn variables(&mut self, tree: &Tree) -> Step<()> {
        for (declared, class) in &tree.variables {
            self.meter.step()?;
            let Some(Domain(classes)) = unless_stopped(self.domain(std::slice::from_ref(class)))? else {
                continue;
            };
            let [class_id] = classes[..] else {
                let hint = "declare a variable for each factor".to_string();
                let message = format!("'{}' is a product, and a variable ranges over one class", class.text);
                unless_stopped(self.broken::<()>(class, message, Some(hint)))?;
                continue;
            };
            let id = VariableId(self.net.variables.len() as u32);
            if self.names.variables.insert(declared.id.text.clone(), id).is_some() {
                unless_stopped(self.twice::<()>("variable", &declared.id))?;
            }
            self.no_drawing(declared, "variable")?;
            let (id, label) = id_and_label(declared);
            self.net.variables.push(Variable { id, label, class: class_id });
        }
        Ok(())
    }

    /// Pages and positions are for places and transitions.
    fn no_drawing(&mut self, declared: &Declared, what: &str) -> Step<()> {
        if declared.page.is_some() || declared.position.is_some() {
            let message = format!("a {what} lies on no page and has no position");
            unless_stopped(self.broken::<()>(&declared.id, message, None))?;
        }
        Ok(())
    }

    /// The page and the position of a node.
    fn drawing(&mut self, declared: &Declared) -> Made<(Option<PageId>, Option<Position>)> {
        let page = match &declared.page {
            Some(page) => Some(self.page(page)?),
            None => None,
        };
        Ok((page, declared.position.map(|(x, y)| Position { x, y })))
    }

    fn places(&mut self, tree: &Tree) -> Step<()> {
        for place in &tree.places {
            self.meter.step()?;
            unless_stopped(self.place(place))?;
        }
        Ok(())
    }

    fn place(&mut self, place: &tree::Place) -> Made<()> {
        let declared = &place.declared;
        let number = PlaceId(self.net.places.len() as u32);
        let is_known = self.names.places.insert(declared.id.text.clone(), number).is_some();
        let domain = match place.domain.is_empty() {
            true => self.dot(&declared.id).map(Domain::of),
            false => self.domain(&place.domain),
        };
        // A place with a wrong domain or marking stays, so that what mentions it is not wrong, too.
        let (domain, is_right) = match unless_stopped(domain)? {
            Some(domain) => (domain, true),
            None => (Domain(Vec::new()), false),
        };
        let mut initial = MultisetTerm::Empty(domain.clone());
        if let (Some(term), true) = (&place.initial, is_right)
            && let Some(term) = unless_stopped(self.term(term, &domain.0))?
        {
            let mut has_variable = false;
            term.visit_variables(&mut |_| has_variable = true);
            if has_variable {
                let message = format!("the initial marking of '{}' has a variable", declared.id.text);
                let hint = "name colours, or write 'all'".to_string();
                unless_stopped(self.broken::<()>(&declared.id, message, Some(hint)))?;
            }
            initial = term;
        }
        let (page, position) = unless_stopped(self.drawing(declared))?.unwrap_or_default();
        if is_right && domain.size(&self.net).is_none() {
            let message = format!("the place '{}' has more than 2^63 - 1 colours", declared.id.text);
            unless_stopped(self.broken::<()>(&declared.id, message, None))?;
        }
        let (id, label) = id_and_label(declared);
        self.net.places.push(Place { id, label, domain, initial, page, position });
        if is_known { self.twice("place", &declared.id) } else { Ok(()) }
    }

    /// The class of black tokens: the one that is declared, or a new one behind all others. It is
    /// `name` that needs it.
    fn dot(&mut self, name: &Name) -> Made<ClassId> {
        if let Some(declared) = self.net.classes.iter().position(Class::is_dot) {
            return Ok(ClassId(declared as u32));
        }
        if self.names.sorts.contains_key("dot") || self.names.partitions.contains_key("dot") {
            let message =
                format!("'{}' has black tokens, and 'dot' is declared as something else", name.text);
            let hint = "declare their class by another name: 'class token = black'".to_string();
            return self.broken(name, message, Some(hint));
        }
        self.names.members.push(FxHashMap::default());
        let class = self.net.add_class(Class::dot());
        self.names.sorts.insert("dot".to_string(), Sort::Class(class));
        Ok(class)
    }

    /// The domain that names of classes and products mean.
    fn domain(&mut self, names: &[Name]) -> Made<Domain> {
        let mut classes = Vec::new();
        for name in names {
            match self.names.sorts.get(&name.text) {
                Some(Sort::Class(class)) => classes.push(*class),
                Some(Sort::Product(product)) => classes.extend(&self.net.products[*product].domain.0),
                None if name.text == "dot" && !self.names.partitions.contains_key("dot") => {
                    classes.push(self.dot(name)?);
                }
                None if self.names.partitions.contains_key(&name.text) => {
                    let message = format!("'{}' is a partition, expected a class", name.text);
                    return self.broken(name, message, None);
                }
                None => {
                    let known: Vec<String> = self.names.sorts.keys().cloned().collect();
                    return self.unknown("class", name, &known);
                }
            }
            if classes.len() > LARGEST_FACTOR_COUNT {
                let message = format!("the domain has more than {LARGEST_FACTOR_COUNT} factors");
                return self.broken(name, message, None);
            }
        }
        Ok(Domain(classes))
    }

    fn transition(&mut self, transition: &tree::Transition) -> Made<()> {
        self.meter.step()?;
        let declared = &transition.declared;
        let mut arcs = Vec::new();
        for arc in &transition.arcs {
            self.meter.step()?;
            arcs.extend(unless_stopped(self.arc(arc))?);
        }
        let guard = match &transition.guard {
            Some(guard) => unless_stopped(self.guard(guard))?.unwrap_or(Guard::Constant(true)),
            None => Guard::Constant(true),
        };
        let (page, position) = unless_stopped(self.drawing(declared))?.unwrap_or_default();
        let (id, label) = id_and_label(declared);
        self.net.add_transition(Transition { label, page, position, ..Transition::new(id, guard, arcs) });
        match self.names.transitions.insert(declared.id.text.clone(), ()) {
            None => Ok(()),
            Some(()) => self.twice("transition", &declared.id),
        }
    }

    fn arc(&mut self, arc: &tree::Arc) -> Made<Arc> {
        let Some(&place) = self.names.places.get(&arc.place.text) else {
            let known: Vec<String> = self.net.places.iter().map(|place| place.id.clone()).collect();
            return self.unknown("place", &arc.place, &known);
        };
        let Some(domain) = self.net.places.get(place.index()).map(|place| place.domain.clone()) else {
            return Err(Broken::Noted);
        };
        if domain.0.is_empty() {
            // The place is wrong, and said to be.
            return Err(Broken::Noted);
        }
        let tokens = match (&arc.tokens, arc.kind) {
            (Some(term), _) => self.term(term, &domain.0)?,
            (None, ArcKind::Reset) => MultisetTerm::All(domain),
            (None, _) if self.net.is_dot(&domain) => {
                MultisetTerm::Member(MemberTerm::Constant { class: domain.0[0], member: 0 })
            }
            (None, _) => {
                let name = &arc.place.text;
                let message =
                    format!("which tokens of '{name}'? its domain is {}", self.net.domain_text(&domain));
                let variables: Vec<&str> =
                    ["x", "y", "z"].iter().copied().cycle().take(domain.0.len()).collect();
                let hint = format!("write '{name}({})' or '{name}(all)'", variables.join(", "));
                return self.broken(&arc.place, message, Some(hint));
            }
        };
        Ok(match arc.kind {
            ArcKind::Take => Arc::Input { place, tokens },
            ArcKind::Read => Arc::Read { place, tokens },
            ArcKind::Inhibit => Arc::Inhibitor { place, tokens },
            ArcKind::Reset => Arc::Reset { place, tokens },
            ArcKind::Put => Arc::Output { place, tokens },
        })
    }
}

/// The id, and the label if it differs.
fn id_and_label(declared: &Declared) -> (String, Option<Box<str>>) {
    let id = declared.id.text.clone();
    let label = declared.label.as_deref().filter(|label| *label != id).map(Box::from);
    (id, label)
}

impl Net {
    /// Whether members of a class are listed, so that they are found by their ids.
    fn lists_members(&self, class: ClassId) -> bool {
        matches!(self.classes[class.index()].members, Members::Cyclic(_) | Members::Listed(_))
    }

    /// The partitions of a class.
    fn partitions_of(&self, class: ClassId) -> impl Iterator<Item = (usize, &Partition)> {
        self.partitions.iter().enumerate().filter(move |(_, partition)| partition.class == class)
    }
}
