//! The invariants COL-1 to COL-6 of a coloured net, checked in one pass.

use crate::class::{Class, LARGEST_CLASS_SIZE, Partition};
use crate::domain::{Domain, LARGEST_FACTOR_COUNT};
use crate::guard::{Guard, PartTerm};
use crate::ids::{ClassId, PageId};
use crate::net::{Net, Transition};
use crate::term::{MemberTerm, MultisetTerm};
use rustc_hash::FxHashSet;
use symbolon_petri::net::LARGEST_COUNT;

/// Which invariant of [`Net`] is broken, and by what.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BrokenNet {
    /// COL-1: two parts of one kind have the same id.
    #[error("COL-1: the id \"{0}\" occurs twice")]
    DuplicateId(String),
    /// COL-2: the class is empty or too large.
    #[error("COL-2: class \"{0}\" has {1} members, expected 1 to {LARGEST_CLASS_SIZE}")]
    ClassSize(String, u64),
    /// COL-2: black tokens have two classes.
    #[error("COL-2: class \"{0}\" is a second class of black tokens")]
    SecondDot(String),
    /// COL-2: the place has a domain without factors, with too many colours, or of unknown classes.
    #[error(
        "COL-2: the domain of place \"{0}\" has no factor, an unknown one, too many, or more than 2^63 - 1 colours"
    )]
    Domain(String),
    /// COL-3: the partition does not put every member of its class into exactly one part.
    #[error("COL-3: partition \"{0}\" does not have every member of its class in exactly one part")]
    Partition(String),
    /// COL-4: a term has another domain than its place, or a comparison is between classes.
    #[error("COL-4: {place}: {problem}")]
    Type {
        /// Where: a place, or an arc or guard of a transition.
        place: String,
        /// What does not fit.
        problem: TypeProblem,
    },
    /// COL-5: a term or guard is not in the form that COL-5 asks for.
    #[error("COL-5: {0}: a shift, a count, a constant or a list of terms is outside its bounds")]
    Form(String),
    /// COL-5: an initial marking contains a variable.
    #[error("COL-5: the initial marking of place \"{0}\" contains a variable")]
    InitialVariable(String),
    /// COL-6: the arcs of the transition are not in order, or one leads to no place of the net.
    #[error("COL-6: the arcs of transition \"{0}\" do not ascend over the places of the net")]
    ArcOrder(String),
    /// COL-6: a page does not follow its parent, or a node lies on an unknown page.
    #[error("COL-6: page \"{0}\" is unknown or does not follow its parent")]
    Page(String),
}

/// Why a term does not fit where it stands.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TypeProblem {
    /// The term has another domain than the place.
    #[error("found colours of {found}, expected colours of {expected}")]
    OtherDomain {
        /// The domain of the term, in words.
        found: String,
        /// The domain of the place, in words.
        expected: String,
    },
    /// Terms of a sum or a difference, or both sides of a comparison, differ.
    #[error("{left} is combined with {right}")]
    Mixed {
        /// The domain of the first term, in words.
        left: String,
        /// The domain of the other, in words.
        right: String,
    },
    /// A term names a class, a variable or a partition that does not exist.
    #[error("a class, variable or partition does not exist")]
    Unknown,
}

impl Net {
    /// Checks COL-1 to COL-6.
    pub fn check(&self) -> Result<(), BrokenNet> {
        self.check_ids()?;
        self.classes.iter().try_for_each(check_class)?;
        if let Some(second) = self.classes.iter().filter(|class| class.is_dot()).nth(1) {
            return Err(BrokenNet::SecondDot(second.id.clone()));
        }
        self.partitions.iter().try_for_each(|partition| self.check_partition(partition))?;
        for product in &self.products {
            let known = product.domain.0.iter().all(|class| class.index() < self.classes.len());
            if !known || product.domain.0.is_empty() {
                return Err(BrokenNet::Domain(product.id.clone()));
            }
        }
        for variable in &self.variables {
            if variable.class.index() >= self.classes.len() {
                let place = format!("variable \"{}\"", variable.id);
                return Err(BrokenNet::Type { place, problem: TypeProblem::Unknown });
            }
        }
        for (number, page) in self.pages.iter().enumerate() {
            if page.parent.is_some_and(|parent| parent.index() >= number) {
                return Err(BrokenNet::Page(page.id.clone()));
            }
        }
        for place in &self.places {
            let known = place.domain.0.iter().all(|class| class.index() < self.classes.len());
            let factors = place.domain.0.len();
            if !known || !(1..=LARGEST_FACTOR_COUNT).contains(&factors) || place.domain.size(self).is_none() {
                return Err(BrokenNet::Domain(place.id.clone()));
            }
            self.check_page(place.page, &place.id)?;
            self.check_term(&place.initial, &place.domain, || format!("place \"{}\"", place.id))?;
            let mut has_variable = false;
            place.initial.visit_variables(&mut |_| has_variable = true);
            if has_variable {
                return Err(BrokenNet::InitialVariable(place.id.clone()));
            }
        }
        self.transitions.iter().try_for_each(|transition| self.check_transition(transition))
    }

    fn check_ids(&self) -> Result<(), BrokenNet> {
        let classes = self.classes.iter().map(|class| &*class.id);
        let products = self.products.iter().map(|product| &*product.id);
        let partitions = self.partitions.iter().map(|partition| &*partition.id);
        distinct(classes.chain(products).chain(partitions))?;
        for class in &self.classes {
            distinct(class.constants().iter().map(|constant| &*constant.id))?;
        }
        distinct(self.partitions.iter().flat_map(|partition| &partition.parts).map(|part| &*part.id))?;
        distinct(self.variables.iter().map(|variable| &*variable.id))?;
        distinct(self.places.iter().map(|place| &*place.id))?;
        distinct(self.transitions.iter().map(|transition| &*transition.id))
    }

    fn check_partition(&self, partition: &Partition) -> Result<(), BrokenNet> {
        let broken = || BrokenNet::Partition(partition.id.clone());
        let class = self.classes.get(partition.class.index()).ok_or_else(broken)?;
        let mut members: Vec<u32> = Vec::new();
        for part in &partition.parts {
            if part.members.is_empty() || !part.members.is_sorted_by(|a, b| a < b) {
                return Err(broken());
            }
            members.extend(&part.members);
        }
        members.sort_unstable();
        if members.iter().copied().ne(0..class.size() as u32) { Err(broken()) } else { Ok(()) }
    }

    fn check_page(&self, page: Option<PageId>, node: &str) -> Result<(), BrokenNet> {
        match page {
            Some(page) if page.index() >= self.pages.len() => Err(BrokenNet::Page(node.to_string())),
            _ => Ok(()),
        }
    }

    fn check_transition(&self, transition: &Transition) -> Result<(), BrokenNet> {
        let is_ascending = transition.arcs.is_sorted_by_key(|arc| arc.position());
        let last = transition.arcs.last();
        if !is_ascending || last.is_some_and(|arc| arc.place().index() >= self.places.len()) {
            return Err(BrokenNet::ArcOrder(transition.id.clone()));
        }
        self.check_page(transition.page, &transition.id)?;
        for arc in &transition.arcs {
            let place = &self.places[arc.place().index()];
            let at = || format!("arc between transition \"{}\" and place \"{}\"", transition.id, place.id);
            self.check_term(arc.tokens(), &place.domain, at)?;
        }
        let at = || format!("guard of transition \"{}\"", transition.id);
        self.check_guard(&transition.guard).map_err(|problem| problem.at(at()))
    }

    fn check_term(
        &self,
        term: &MultisetTerm,
        domain: &Domain,
        at: impl Fn() -> String,
    ) -> Result<(), BrokenNet> {
        let found = self.domain_of(term).map_err(|problem| problem.at(at()))?;
        if found == *domain {
            return Ok(());
        }
        let problem =
            TypeProblem::OtherDomain { found: self.domain_text(&found), expected: self.domain_text(domain) };
        Err(BrokenNet::Type { place: at(), problem })
    }

    /// The domain of a term, or why it has none.
    fn domain_of(&self, term: &MultisetTerm) -> Result<Domain, Problem> {
        match term {
            MultisetTerm::Empty(domain) | MultisetTerm::All(domain) => {
                let known = domain.0.iter().all(|class| class.index() < self.classes.len());
                if known && !domain.0.is_empty() {
                    Ok(domain.clone())
                } else {
                    Err(TypeProblem::Unknown.into())
                }
            }
            MultisetTerm::Member(member) => Ok(Domain::of(self.check_member(*member)?)),
            MultisetTerm::Part(id) => match self.partitions.get(id.partition.index()) {
                Some(partition) if (id.part as usize) < partition.parts.len() => {
                    Ok(Domain::of(partition.class))
                }
                _ => Err(TypeProblem::Unknown.into()),
            },
            MultisetTerm::Tuple(terms) => {
                let is_flat = terms.iter().all(|term| !matches!(term, MultisetTerm::Tuple(_)));
                if terms.len() < 2 || !is_flat {
                    return Err(Problem::Form);
                }
                let mut classes = Vec::new();
                for term in terms {
                    classes.extend(self.domain_of(term)?.0);
                }
                Ok(Domain(classes))
            }
            MultisetTerm::Sum(terms) => {
                let is_flat = terms.iter().all(|term| !matches!(term, MultisetTerm::Sum(_)));
                if terms.len() < 2 || !is_flat {
                    return Err(Problem::Form);
                }
                self.common_domain(terms)
            }
            MultisetTerm::Difference(terms) => self.common_domain(&terms[..]),
            MultisetTerm::Scaled { count, term } => {
                if *count > LARGEST_COUNT {
                    return Err(Problem::Form);
                }
                self.domain_of(term)
            }
        }
    }

    fn common_domain(&self, terms: &[MultisetTerm]) -> Result<Domain, Problem> {
        let mut domains = terms.iter().map(|term| self.domain_of(term));
        let first = domains.next().unwrap_or(Err(Problem::Form))?;
        for other in domains {
            let other = other?;
            if other != first {
                let (left, right) = (self.domain_text(&first), self.domain_text(&other));
                return Err(TypeProblem::Mixed { left, right }.into());
            }
        }
        Ok(first)
    }

    fn check_member(&self, member: MemberTerm) -> Result<ClassId, Problem> {
        match member {
            MemberTerm::Constant { class, member } => match self.classes.get(class.index()) {
                Some(known) if u64::from(member) < known.size() => Ok(class),
                Some(_) => Err(Problem::Form),
                None => Err(TypeProblem::Unknown.into()),
            },
            MemberTerm::Variable { variable, shift } => {
                let Some(known) = self.variables.get(variable.index()) else {
                    return Err(TypeProblem::Unknown.into());
                };
                let class = &self.classes[known.class.index()];
                let may_shift = class.is_cyclic() && u64::from(shift.unsigned_abs()) < class.size();
                if shift == 0 || may_shift { Ok(known.class) } else { Err(Problem::Form) }
            }
        }
    }

    fn check_guard(&self, guard: &Guard) -> Result<(), Problem> {
        match guard {
            Guard::Constant(_) => Ok(()),
            Guard::Compare { left, right, .. } => {
                let (left, right) = (self.check_member(*left)?, self.check_member(*right)?);
                if left == right {
                    return Ok(());
                }
                let text = |class| self.domain_text(&Domain::of(class));
                Err(TypeProblem::Mixed { left: text(left), right: text(right) }.into())
            }
            Guard::CompareParts { partition, left, right, .. } => {
                let Some(partition) = self.partitions.get(partition.index()) else {
                    return Err(TypeProblem::Unknown.into());
                };
                for term in [left, right] {
                    match term {
                        PartTerm::Part(part) if (*part as usize) < partition.parts.len() => {}
                        PartTerm::Part(_) => return Err(TypeProblem::Unknown.into()),
                        PartTerm::Of(member) => {
                            let class = self.check_member(*member)?;
                            if class != partition.class {
                                let text = |class| self.domain_text(&Domain::of(class));
                                let (left, right) = (text(class), text(partition.class));
                                return Err(TypeProblem::Mixed { left, right }.into());
                            }
                        }
                    }
                }
                Ok(())
            }
            Guard::Not(inner) => self.check_guard(inner),
            Guard::And(guards) | Guard::Or(guards) if guards.len() < 2 => Err(Problem::Form),
            Guard::And(guards) | Guard::Or(guards) => {
                guards.iter().try_for_each(|guard| self.check_guard(guard))
            }
            Guard::Implies(both) => both.iter().try_for_each(|guard| self.check_guard(guard)),
        }
    }

    /// A domain in words: `Client x Server`.
    pub fn domain_text(&self, domain: &Domain) -> String {
        let names: Vec<&str> = domain.0.iter().map(|class| self.classes[class.index()].name()).collect();
        names.join(" x ")
    }
}

/// What is wrong with a term, before it is known where it stands.
enum Problem {
    Type(TypeProblem),
    Form,
}

impl From<TypeProblem> for Problem {
    fn from(problem: TypeProblem) -> Self {
        Problem::Type(problem)
    }
}

impl Problem {
    fn at(self, place: String) -> BrokenNet {
        match self {
            Problem::Type(problem) => BrokenNet::Type { place, problem },
            Problem::Form => BrokenNet::Form(place),
        }
    }
}

fn check_class(class: &Class) -> Result<(), BrokenNet> {
    match class.size() {
        1..=LARGEST_CLASS_SIZE => Ok(()),
        size => Err(BrokenNet::ClassSize(class.id.clone(), size)),
    }
}

fn distinct<'a>(ids: impl Iterator<Item = &'a str>) -> Result<(), BrokenNet> {
    let mut seen = FxHashSet::default();
    for id in ids {
        if !seen.insert(id) {
            return Err(BrokenNet::DuplicateId(id.to_string()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
