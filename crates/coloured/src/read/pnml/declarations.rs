//! Declarations: sorts, partitions and variables, in any order.
//!
//! Sorts refer to sorts that may be declared later. Classes are numbered first, in the order of the
//! text; then the sorts that are made of others are resolved, each once all it refers to is known.
//! What is left at the end refers to itself.

mod sorts;

use super::element::Element;
use crate::class::{Class, Constant, LARGEST_CLASS_SIZE, Members, Part, PartId, Partition};
use crate::domain::{Domain, LARGEST_FACTOR_COUNT};
use crate::ids::{ClassId, PartitionId, VariableId};
use crate::net::{Net, Product, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use symbolon_petri::read::pnml::document::single_spaced;
use symbolon_source::{Findings, Step, likely, shown};

/// What the ids of declarations stand for.
pub(super) struct Declared<'d> {
    pub(super) findings: &'d mut Findings,
    /// Classes, partitions, products and variables; the rest of the net is empty so far.
    pub(super) net: Net,
    /// The domain of each sort; `None` if its declaration is wrong, which was noted.
    sorts: FxHashMap<String, Option<Domain>>,
    operators: FxHashMap<String, Operator>,
    /// The variables of each declared variable, one per factor; `None` if its sort is wrong.
    variables: FxHashMap<String, Option<Vec<VariableId>>>,
}

/// What a `<useroperator>` can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    /// A member of a class.
    Constant(ClassId, u32),
    /// A part of a partition.
    Part(PartId),
}

/// A sort that is made of others.
struct Composed<'e, 'a> {
    id: &'e str,
    /// What it is made of: a product, another sort, or the sort that a partition cuts.
    sort: &'e Element<'a>,
    declaration: &'e Element<'a>,
}

impl<'d> Declared<'d> {
    /// Resolves what stands in the `<declarations>` elements.
    pub(super) fn resolve(lists: &[Element<'_>], findings: &'d mut Findings) -> Step<Declared<'d>> {
        let mut declared = Declared {
            findings,
            net: Net::default(),
            sorts: FxHashMap::default(),
            operators: FxHashMap::default(),
            variables: FxHashMap::default(),
        };
        let mut composed: Vec<Composed<'_, '_>> = Vec::new();
        let (mut partitions, mut variables) = (Vec::new(), Vec::new());
        let mut ids: FxHashSet<&str> = FxHashSet::default();
        for list in lists {
            if list.name != "declarations" {
                declared.unsupported(list, "in a declaration", &["declarations"])?;
                continue;
            }
            for declaration in &list.children {
                let kinds = ["namedsort", "partition", "variabledecl"];
                if !kinds.contains(&declaration.name) {
                    declared.unsupported(declaration, "in declarations", &kinds)?;
                    continue;
                }
                let Some(id) = declared.id_of(declaration)? else { continue };
                if declaration.name == "variabledecl" {
                    variables.push((id, declaration));
                    continue;
                }
                if !ids.insert(id) {
                    declared.taken(declaration, id)?;
                    continue;
                }
                let Some(sort) = declaration.children.first() else {
                    let message = format!("<{}> \"{}\" has no sort", declaration.shown(), shown(id));
                    declared.findings.error(declaration.offset, message)?;
                    declared.sorts.insert(id.to_string(), None);
                    continue;
                };
                if declaration.name == "partition" {
                    partitions.push((id, declaration));
                }
                if declaration.name == "partition" || matches!(sort.name, "productsort" | "usersort") {
                    composed.push(Composed { id, sort, declaration });
                } else {
                    let class = declared.class(id, declaration, sort)?;
                    declared.sorts.insert(id.to_string(), class.map(Domain::of));
                }
            }
        }
        declared.compose(&composed)?;
        for (id, declaration) in partitions {
            declared.partition(id, declaration)?;
        }
        for (id, declaration) in variables {
            declared.variable(id, declaration)?;
        }
        declared.tell_variables_apart();
        Ok(declared)
    }

    /// The class that a sort of its own declares.
    fn class(&mut self, id: &str, declaration: &Element<'_>, sort: &Element<'_>) -> Step<Option<ClassId>> {
        let members = match sort.name {
            "dot" => {
                // All black tokens are alike, whatever their class is called.
                if let Some(known) = self.net.classes.iter().position(Class::is_dot) {
                    return Ok(Some(ClassId(known as u32)));
                }
                Some(Members::Dot)
            }
            "finiteintrange" => self.range(sort, Some(id))?,
            "cyclicenumeration" => self.constants(sort)?.map(Members::Cyclic),
            "finiteenumeration" => self.constants(sort)?.map(Members::Listed),
            _ => {
                self.unsupported(sort, "as a sort", SORTS)?;
                None
            }
        };
        let Some(members) = members else { return Ok(None) };
        let class =
            self.net.add_class(Class { id: id.to_string(), label: label_of(declaration, id), members });
        let count = self.net.classes[class.index()].constants().len();
        for member in 0..count {
            let constant = &self.net.classes[class.index()].constants()[member];
            let operator = Operator::Constant(class, member as u32);
            if self.operators.insert(constant.id.clone(), operator).is_some() {
                let id = constant.id.clone();
                let element = sort.children.iter().find(|child| child.attribute("id") == Some(&id));
                self.taken(element.unwrap_or(sort), &id)?;
            }
        }
        Ok(Some(class))
    }

    fn constants(&mut self, sort: &Element<'_>) -> Step<Option<Vec<Constant>>> {
        let mut constants = Vec::new();
        let mut ids = FxHashSet::default();
        let mut is_right = true;
        for child in &sort.children {
            if child.name != "feconstant" {
                self.unsupported(child, "in an enumeration", &["feconstant"])?;
                is_right = false;
                continue;
            }
            let Some(id) = self.id_of(child)? else {
                is_right = false;
                continue;
            };
            if !ids.insert(id) {
                self.taken(child, id)?;
                is_right = false;
            }
            constants.push(Constant { id: id.to_string(), label: label_of(child, id) });
        }
        if is_right && constants.is_empty() {
            self.findings.error(sort.offset, format!("<{}> has no <feconstant>", sort.shown()))?;
            is_right = false;
        }
        if constants.len() as u64 > LARGEST_CLASS_SIZE {
            self.too_large(sort, None, constants.len() as u128)?;
            is_right = false;
        }
        Ok(is_right.then_some(constants))
    }

    /// The members of a `<finiteintrange>`; `class` is the id of the class, if it has one.
    fn range(&mut self, sort: &Element<'_>, class: Option<&str>) -> Step<Option<Members>> {
        let Some((first, last)) = self.range_ends(sort)? else { return Ok(None) };
        let size = i128::from(last) - i128::from(first) + 1;
        if size < 1 {
            let message = format!("the range from {first} to {last} is empty");
            self.findings.error(sort.offset, message)?;
            return Ok(None);
        }
        if size > i128::from(LARGEST_CLASS_SIZE) {
            self.too_large(sort, class, size.unsigned_abs())?;
            return Ok(None);
        }
        Ok(Some(Members::Range { first, last }))
    }

    /// The first and the last integer of a `<finiteintrange>`.
    pub(super) fn range_ends(&mut self, sort: &Element<'_>) -> Step<Option<(i64, i64)>> {
        let mut ends = [0; 2];
        for (end, name) in ends.iter_mut().zip(["start", "end"]) {
            *end = match sort.attribute(name).map(str::parse::<i64>) {
                Some(Ok(value)) => value,
                Some(Err(_)) => {
                    let text = shown(sort.attribute(name).unwrap_or_default());
                    let message =
                        format!("the {name} \"{text}\" of the range is not a whole number of 64 bits");
                    self.findings.error(sort.offset, message)?;
                    return Ok(None);
                }
                None => {
                    self.findings.error(sort.offset, format!("<{}> has no {name}", sort.shown()))?;
                    return Ok(None);
                }
            };
        }
        Ok(Some((ends[0], ends[1])))
    }

    fn too_large(&mut self, sort: &Element<'_>, class: Option<&str>, size: u128) -> Step<()> {
        let name = class.map(|id| format!(" \"{}\"", shown(id))).unwrap_or_default();
        let message = format!("class{name} has {size} members, at most {LARGEST_CLASS_SIZE} are supported");
        self.findings.error_with_hint(
            sort.offset,
            message,
            "choose a smaller range: each member may become a place",
        )
    }

    fn partition(&mut self, id: &str, declaration: &Element<'_>) -> Step<()> {
        let Some(Some(domain)) = self.sorts.get(id) else { return Ok(()) };
        let &[class] = &domain.0[..] else {
            let message = format!("partition \"{}\" cuts a product, expected a class", shown(id));
            return self.findings.error(declaration.offset, message);
        };
        let number = PartitionId(self.net.partitions.len() as u32);
        let (mut parts, mut is_right) = (Vec::new(), true);
        let mut part_of: FxHashMap<u32, u32> = FxHashMap::default();
        for element in declaration.children.iter().skip(1) {
            if element.name != "partitionelement" {
                self.unsupported(element, "in a partition", &["partitionelement"])?;
                is_right = false;
                continue;
            }
            let Some(part_id) = self.id_of(element)? else {
                is_right = false;
                continue;
            };
            let part_number = parts.len() as u32;
            let mut members = Vec::new();
            for child in element.operands() {
                let Some(member) = self.constant(child, class)? else {
                    is_right = false;
                    continue;
                };
                if part_of.insert(member, part_number).is_some() {
                    let name = self.net.classes[class.index()].member_name(member).into_owned();
                    let message = format!("\"{}\" is already in a part of this partition", shown(&name));
                    self.findings.error(child.offset, message)?;
                    is_right = false;
                }
                members.push(member);
            }
            if members.is_empty() && is_right {
                let message = format!("part \"{}\" has no members", shown(part_id));
                self.findings.error(element.offset, message)?;
                is_right = false;
            }
            members.sort_unstable();
            let operator = Operator::Part(PartId { partition: number, part: part_number });
            if self.operators.insert(part_id.to_string(), operator).is_some() {
                self.taken(element, part_id)?;
            }
            parts.push(Part { id: part_id.to_string(), label: label_of(element, part_id), members });
        }
        let members = &self.net.classes[class.index()];
        if is_right && part_of.len() as u64 != members.size() {
            let missing = (0..members.size() as u32).find(|member| !part_of.contains_key(member));
            let name = missing.map(|member| members.member_name(member).into_owned()).unwrap_or_default();
            let message = format!("\"{}\" is in no part of partition \"{}\"", shown(&name), shown(id));
            let hint = "every member of the class must be in one part";
            self.findings.error_with_hint(declaration.offset, message, hint)?;
        }
        // Kept even if it is wrong, so that its parts are known.
        let label = label_of(declaration, id);
        self.net.partitions.push(Partition { id: id.to_string(), label, class, parts });
        Ok(())
    }

    /// A constant of `class` in a partition.
    fn constant(&mut self, element: &Element<'_>, class: ClassId) -> Step<Option<u32>> {
        let found = match element.name {
            "useroperator" => match self.operator(element)? {
                Some(Operator::Constant(other, member)) if other == class => return Ok(Some(member)),
                Some(_) => shown(element.attribute("declaration").unwrap_or_default()),
                None => return Ok(None),
            },
            "finiteintrangeconstant" => match self.range_constant(element)? {
                Some((value, ..)) => match self.member_of_range(class, value) {
                    Some(member) => return Ok(Some(member)),
                    None => value.to_string(),
                },
                None => return Ok(None),
            },
            "dotconstant" if self.net.classes[class.index()].is_dot() => return Ok(Some(0)),
            _ => {
                let known = ["useroperator", "finiteintrangeconstant", "dotconstant"];
                self.unsupported(element, "in a part", &known)?;
                return Ok(None);
            }
        };
        let name = shown(self.net.classes[class.index()].name());
        let message = format!("\"{found}\" is not a member of class \"{name}\"");
        self.findings.error(element.offset, message)?;
        Ok(None)
    }

    fn variable(&mut self, id: &str, declaration: &Element<'_>) -> Step<()> {
        if self.variables.contains_key(id) {
            return self.taken(declaration, id);
        }
        let domain = match declaration.children.first() {
            Some(sort) => self.sort(sort)?,
            None => {
                let message = format!("variable \"{}\" has no sort", shown(id));
                self.findings.error(declaration.offset, message)?;
                None
            }
        };
        let label = label_of(declaration, id);
        let variables = domain.map(|domain| match domain.0[..] {
            [class] => {
                self.net.variables.push(Variable { id: id.to_string(), label, class });
                vec![VariableId(self.net.variables.len() as u32 - 1)]
            }
            // A variable of a product is one variable per factor.
            ref factors => {
                let mut numbers = Vec::new();
                for (position, &class) in factors.iter().enumerate() {
                    let part = |text: &str| format!("{text}.{}", position + 1);
                    let label = label.as_deref().map(|label| part(label).into());
                    self.net.variables.push(Variable { id: part(id), label, class });
                    numbers.push(VariableId(self.net.variables.len() as u32 - 1));
                }
                numbers
            }
        });
        self.variables.insert(id.to_string(), variables);
        Ok(())
    }

    /// Gives a factor of a product another id, where a variable has the same: COL-1.
    fn tell_variables_apart(&mut self) {
        let mut ids: FxHashSet<String> = self.variables.keys().cloned().collect();
        for variable in &mut self.net.variables {
            if !self.variables.contains_key(&variable.id) {
                while !ids.insert(variable.id.clone()) {
                    variable.id.push('_');
                }
            }
        }
    }

    /// What a `<useroperator>` names.
    pub(super) fn operator(&mut self, element: &Element<'_>) -> Step<Option<Operator>> {
        let Some(id) = element.attribute("declaration") else {
            self.findings.error(element.offset, "<useroperator> has no declaration")?;
            return Ok(None);
        };
        if let Some(&operator) = self.operators.get(id) {
            return Ok(Some(operator));
        }
        let step = self.findings.error(element.offset, format!("unknown colour \"{}\"", shown(id)));
        let mut constants = self.net.classes.iter().flat_map(|class| class.constants());
        let named = constants.find(|constant| constant.name() == id).map(|constant| constant.id.clone());
        match (named, likely(id, self.operators.keys().map(String::as_str))) {
            (Some(named), _) => {
                self.findings
                    .hint(format!("that is a name; the id of this constant is \"{}\"", shown(&named)));
            }
            (None, Some(near)) => self.findings.hint(format!("did you mean \"{}\"?", shown(near))),
            (None, None) => self.findings.hint("declare it by <feconstant>"),
        }
        step.map(|()| None)
    }

    /// The variables that a `<variable>` stands for: one, or one per factor of a product.
    pub(super) fn variables(&mut self, element: &Element<'_>) -> Step<Option<Vec<VariableId>>> {
        let Some(id) = element.attribute("refvariable") else {
            self.findings.error(element.offset, "<variable> has no refvariable")?;
            return Ok(None);
        };
        if let Some(variables) = self.variables.get(id) {
            return Ok(variables.clone());
        }
        let step = self.findings.error(element.offset, format!("variable \"{}\" is not declared", shown(id)));
        match likely(id, self.variables.keys().map(String::as_str)) {
            Some(name) => self.findings.hint(format!("did you mean \"{}\"?", shown(name))),
            None => self.findings.hint("declare it by <variabledecl>"),
        }
        step.map(|()| None)
    }

    /// The value of a `<finiteintrangeconstant>`, and the ends of its range.
    pub(super) fn range_constant(&mut self, element: &Element<'_>) -> Step<Option<(i64, i64, i64)>> {
        let value = element.attribute("value").and_then(|value| value.parse::<i64>().ok());
        let range = element.children.iter().find(|child| child.name == "finiteintrange");
        match (value, range) {
            (Some(value), Some(range)) => {
                Ok(self.range_ends(range)?.map(|(first, last)| (value, first, last)))
            }
            (None, _) => {
                let message = "<finiteintrangeconstant> has no value that is a whole number";
                self.findings.error(element.offset, message).map(|()| None)
            }
            (_, None) => {
                let message = "<finiteintrangeconstant> has no <finiteintrange>";
                self.findings.error(element.offset, message).map(|()| None)
            }
        }
    }

    /// The member of `class` that is this integer, if the class is a range that has it.
    pub(super) fn member_of_range(&self, class: ClassId, value: i64) -> Option<u32> {
        match self.net.classes[class.index()].members {
            Members::Range { first, last } if (first..=last).contains(&value) => {
                Some(value.abs_diff(first) as u32)
            }
            _ => None,
        }
    }

    /// Refuses an element by its name.
    pub(super) fn unsupported(&mut self, element: &Element<'_>, place: &str, known: &[&str]) -> Step<()> {
        let message = format!("<{}> is not supported {place}", element.shown());
        let near = likely(element.name, known.iter().copied());
        let hint = match near {
            Some(name) => format!("did you mean <{name}>?"),
            None => {
                let names: Vec<String> = known.iter().map(|name| format!("<{name}>")).collect();
                format!("supported are {}", names.join(", "))
            }
        };
        self.findings.error_with_hint(element.offset, message, hint)?;
        if near.is_none() {
            // Other kinds of high-level nets have it.
            self.findings.not_yet();
        }
        Ok(())
    }

    fn id_of<'e>(&mut self, element: &'e Element<'_>) -> Step<Option<&'e str>> {
        let id = element.attribute("id");
        if id.is_none() {
            self.findings.error(element.offset, format!("<{}> has no id", element.shown()))?;
        }
        Ok(id)
    }

    fn taken(&mut self, element: &Element<'_>, id: &str) -> Step<()> {
        let message = format!("the id \"{}\" of this <{}> is already taken", shown(id), element.shown());
        self.findings.error_with_hint(element.offset, message, "ids of declarations must be distinct")
    }
}

/// The name of a declaration, where it differs from the id.
fn label_of(element: &Element<'_>, id: &str) -> Option<Box<str>> {
    let name = single_spaced(element.attribute("name")?.to_string());
    (name != id).then(|| name.into())
}

/// The sorts that can be read.
const SORTS: &[&str] =
    &["cyclicenumeration", "finiteenumeration", "finiteintrange", "dot", "productsort", "usersort"];
