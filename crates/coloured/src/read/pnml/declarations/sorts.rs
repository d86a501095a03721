//! Sorts that are made of others, and sorts where they are used.

use super::{Class, ClassId, Composed, Declared, Domain, Element, FxHashMap, LARGEST_FACTOR_COUNT, Members};
use super::{Product, SORTS, label_of};
use symbolon_source::{Step, likely, shown};

impl Declared<'_> {
    /// Resolves the sorts that are made of others, each once all it refers to is known.
    pub(super) fn compose(&mut self, composed: &[Composed<'_, '_>]) -> Step<()> {
        let number: FxHashMap<&str, usize> =
            composed.iter().enumerate().map(|(number, sort)| (sort.id, number)).collect();
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); composed.len()];
        let mut awaited = vec![0_usize; composed.len()];
        for (user, sort) in composed.iter().enumerate() {
            visit_references(sort.sort, &mut |id| {
                if let Some(&used) = number.get(id) {
                    users[used].push(user);
                    awaited[user] += 1;
                }
            });
        }
        let mut ready: Vec<usize> = (0..composed.len()).rev().filter(|&sort| awaited[sort] == 0).collect();
        while let Some(sort) = ready.pop() {
            let Composed { id, sort: element, .. } = composed[sort];
            let domain = self.sort(element)?;
            self.sorts.insert(id.to_string(), domain);
            for &user in &users[sort] {
                awaited[user] -= 1;
                if awaited[user] == 0 {
                    ready.push(user);
                }
            }
        }
        self.circles(composed, &number, &awaited)?;
        // Named products, in the order of the text.
        for Composed { id, declaration, .. } in composed {
            if let Some(Some(domain)) = self.sorts.get(*id)
                && declaration.name == "namedsort"
                && domain.0.len() > 1
            {
                let (domain, label) = (domain.clone(), label_of(declaration, id));
                self.net.products.push(Product { id: (*id).to_string(), label, domain });
            }
        }
        Ok(())
    }

    /// Notes the circles among sorts that wait for each other.
    fn circles(
        &mut self,
        composed: &[Composed<'_, '_>],
        number: &FxHashMap<&str, usize>,
        awaited: &[usize],
    ) -> Step<()> {
        let mut visited_in = vec![0_usize; composed.len()];
        for first in 0..composed.len() {
            if awaited[first] == 0 {
                continue;
            }
            self.sorts.insert(composed[first].id.to_string(), None);
            // Every sort that waits refers to one that waits, so this walk ends on a circle.
            let mut walk = Vec::new();
            let mut sort = first;
            while visited_in[sort] == 0 {
                visited_in[sort] = first + 1;
                walk.push(sort);
                let mut next = None;
                visit_references(composed[sort].sort, &mut |id| {
                    next = next.or(number.get(id).copied().filter(|&used| awaited[used] > 0));
                });
                match next {
                    Some(used) => sort = used,
                    None => break,
                }
            }
            let Some(start) = walk.iter().position(|&visited| visited == sort) else { continue };
            if visited_in[sort] != first + 1 {
                continue;
            }
            let names: Vec<String> =
                walk[start..].iter().map(|&sort| format!("\"{}\"", shown(composed[sort].id))).collect();
            let message = match &names[..] {
                [name] => format!("the declaration of {name} refers to itself"),
                names if names.len() <= 8 => {
                    format!("the declarations of {} refer to each other in a circle", names.join(", "))
                }
                names => format!(
                    "{} declarations refer to each other in a circle, among them {}",
                    names.len(),
                    names[0]
                ),
            };
            let hint = "a sort must be made of sorts that do not contain it";
            self.findings.error_with_hint(composed[walk[start]].declaration.offset, message, hint)?;
        }
        Ok(())
    }

    /// The domain of a sort where it is used; `None` after an error.
    pub(in super::super) fn sort(&mut self, element: &Element<'_>) -> Step<Option<Domain>> {
        match element.name {
            "usersort" => self.named_sort(element),
            "productsort" => {
                let mut factors = Vec::new();
                for child in &element.children {
                    let Some(domain) = self.sort(child)? else { return Ok(None) };
                    factors.extend(domain.0);
                    if factors.len() > LARGEST_FACTOR_COUNT {
                        let message = format!("the product has more than {LARGEST_FACTOR_COUNT} factors");
                        self.findings.error(element.offset, message)?;
                        return Ok(None);
                    }
                }
                if factors.is_empty() {
                    self.findings.error(element.offset, "the product has no factors")?;
                    return Ok(None);
                }
                Ok(Some(Domain(factors)))
            }
            "dot" => Ok(Some(Domain::of(self.dot()))),
            "finiteintrange" => {
                let Some(members) = self.range(element, None)? else { return Ok(None) };
                Ok(Some(Domain::of(self.class_of_range(members))))
            }
            "cyclicenumeration" | "finiteenumeration" => {
                let message = format!("<{}> is not supported where it is used", element.shown());
                let hint = "declare it by <namedsort>, and refer to it by <usersort>";
                self.findings.error_with_hint(element.offset, message, hint)?;
                Ok(None)
            }
            _ => {
                self.unsupported(element, "as a sort", SORTS)?;
                Ok(None)
            }
        }
    }

    /// The number of factors of a sort; 1 if it is wrong.
    pub(in super::super) fn sort_width(&self, element: &Element<'_>) -> usize {
        match element.name {
            "usersort" => {
                let domain = element.attribute("declaration").and_then(|id| self.sorts.get(id)?.as_ref());
                domain.map_or(1, |domain| domain.0.len())
            }
            "productsort" => element.children.iter().map(|child| self.sort_width(child)).sum(),
            _ => 1,
        }
    }

    /// The number of factors of a variable; 1 if it is wrong.
    pub(in super::super) fn variable_width(&self, element: &Element<'_>) -> usize {
        let variables = element.attribute("refvariable").and_then(|id| self.variables.get(id)?.as_ref());
        variables.map_or(1, Vec::len)
    }

    fn named_sort(&mut self, element: &Element<'_>) -> Step<Option<Domain>> {
        let Some(id) = element.attribute("declaration") else {
            self.findings.error(element.offset, "<usersort> has no declaration")?;
            return Ok(None);
        };
        if let Some(domain) = self.sorts.get(id) {
            return Ok(domain.clone());
        }
        if id == "dot" {
            return Ok(Some(Domain::of(self.dot())));
        }
        let step = self.findings.error(element.offset, format!("unknown sort \"{}\"", shown(id)));
        match likely(id, self.sorts.keys().map(String::as_str)) {
            Some(name) => self.findings.hint(format!("did you mean \"{}\"?", shown(name))),
            None => self.findings.hint("declare it by <namedsort>"),
        }
        step.map(|()| None)
    }

    /// The class of black tokens, which needs no declaration.
    pub(in super::super) fn dot(&mut self) -> ClassId {
        let known = self.net.classes.iter().position(Class::is_dot);
        known.map_or_else(|| self.add_undeclared("dot".into(), Members::Dot), |known| ClassId(known as u32))
    }

    /// The class of a range that is written where it is used: the first declared one that is equal,
    /// or one of its own.
    fn class_of_range(&mut self, members: Members) -> ClassId {
        if let Some(known) = self.net.classes.iter().position(|class| class.members == members) {
            return ClassId(known as u32);
        }
        let id = match members {
            Members::Range { first, last } => format!("{first}..{last}"),
            _ => "range".into(),
        };
        self.add_undeclared(id, members)
    }

    fn add_undeclared(&mut self, mut id: String, members: Members) -> ClassId {
        while self.sorts.contains_key(&id) {
            id.push('_');
        }
        let class = self.net.add_class(Class { id: id.clone(), label: None, members });
        self.sorts.insert(id, Some(Domain::of(class)));
        class
    }
}

/// Calls `visit` with the id of every sort that a sort refers to.
fn visit_references<'e>(sort: &'e Element<'_>, visit: &mut impl FnMut(&'e str)) {
    if sort.name == "usersort"
        && let Some(id) = sort.attribute("declaration")
    {
        visit(id);
    }
    if sort.name == "productsort" {
        sort.children.iter().for_each(|child| visit_references(child, visit));
    }
}
