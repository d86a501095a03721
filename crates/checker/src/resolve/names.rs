//! The names in formulas, looked up in the model.

use crate::colours::{ColourMistake, Colours};
use crate::error::InputError;
use crate::labels::{Labelled, Labels};
use crate::loaded::{Language, Loaded, ProgramSource};
use crate::property::Property;
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::convert::Infallible;
use symbolon_budget::Budget;
use symbolon_ispl::at_dead_states;
use symbolon_logic::{
    Formula, FormulaError, Fragment, Knowledge, LinearExpr, Name, NamedAtom, Operator, Parsed, Paths,
    meant_by_name, parse_formula,
};
use symbolon_model::{Atom, Comparison, EventId, Expr, Model, Predicate, Values, VariableId};
use symbolon_source::{likely, resembling_names, shown};

use super::text::Text;

/// The names of a model.
pub(super) struct Names<'a> {
    model: &'a Model,
    variables: FxHashMap<&'a str, VariableId>,
    events: FxHashMap<&'a str, EventId>,
    /// Places, colours, transitions and bindings of a coloured net.
    colours: Option<&'a Colours>,
    /// Statements that the source names.
    atoms: FxHashMap<&'a str, &'a Predicate>,
    /// What formulas about agents can be about.
    pub(super) agents: Agents,
    /// Whether only fair paths count.
    has_fairness: bool,
    words: Words,
    loaded: &'a Loaded,
    /// Names beside identifiers, once one was needed.
    labels: OnceCell<Labels>,
}

/// What users of a language call its models, their variables and their events.
struct Words {
    model: &'static str,
    variable: &'static str,
    event: &'static str,
}

impl Words {
    fn of(language: Language) -> Words {
        let (model, variable, event) = match language {
            Language::Net => ("net", "place", "transition"),
            Language::Agents => ("system", "atom or variable", "event"),
            Language::Commands => ("program", "variable", "command"),
        };
        Words { model, variable, event }
    }
}

/// The agents that formulas about a model can mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Agents {
    /// The agents it was written with.
    Written,
    /// The units of a net, which know things and do nothing.
    Units,
    /// There are no agents.
    Absent,
}

impl<'a> Names<'a> {
    pub(super) fn new(loaded: &'a Loaded) -> Names<'a> {
        let model = &loaded.model;
        Names {
            variables: model
                .variable_ids()
                .map(|id| (model.variables[id.index()].name.as_str(), id))
                .collect(),
            events: model.event_ids().map(|id| (model.event(id).name.as_str(), id)).collect(),
            atoms: loaded
                .questions
                .atoms
                .iter()
                .map(|(name, predicate)| (name.as_str(), predicate))
                .collect(),
            colours: loaded.colours.as_deref(),
            model,
            has_fairness: !loaded.questions.fairness.is_empty(),
            words: Words::of(loaded.language()),
            loaded,
            labels: OnceCell::new(),
            agents: match loaded.language() {
                Language::Agents => Agents::Written,
                Language::Net if !model.observers.list.is_empty() => Agents::Units,
                Language::Net | Language::Commands => Agents::Absent,
            },
        }
    }

    /// Reads a formula that was typed; of a program, in the words of its own properties.
    pub(super) fn read(&self, text: &str) -> Result<Parsed, Vec<FormulaError>> {
        let in_its_words = |program: &ProgramSource| program.vocabulary.formula(text, &Budget::unlimited());
        self.loaded.program().and_then(in_its_words).unwrap_or_else(|| parse_formula(text))
    }

    /// A parsed formula as a property of the model, or its mistakes.
    pub(super) fn property(
        &self,
        name: String,
        parsed: &Parsed,
        paths: Option<Paths>,
        text: &Text<'_>,
    ) -> Result<Property, Vec<InputError>> {
        let named = &parsed.formula;
        let agents = self.speaks_of_agents(parsed).map(|error| text.mistake(&error));
        let formula = match (self.resolve(named), agents) {
            (Ok(formula), None) => formula,
            (outcome, agents) => {
                let errors = outcome.err().unwrap_or_default();
                return Err(errors.iter().map(|error| text.mistake(error)).chain(agents).collect());
            }
        };
        let is_ctl = || matches!(formula.fragment(), Fragment::Propositional | Fragment::Ctl);
        let paths = match (paths, self.agents) {
            (Some(paths), _) => paths,
            (None, Agents::Written) if is_ctl() && !parsed.is_linear && !self.has_fairness => {
                // As the same formula is understood where it stands in the file.
                let meant = at_dead_states(&formula);
                return Ok(Property::written(name, parsed.text(), named.clone(), formula, meant));
            }
            (None, Agents::Written) => Paths::Infinite,
            (None, Agents::Units | Agents::Absent) => usual_paths(parsed),
        };
        Ok(Property {
            name,
            text: parsed.text(),
            named: Some(named.clone()),
            formula,
            paths,
            as_it_stands: None,
            is_linear: parsed.is_linear,
        })
    }

    /// The name of a proposition as a formula about states, or what is wrong with it.
    pub(super) fn proposition(&self, name: &str) -> Result<Formula<Atom>, Vec<FormulaError>> {
        let parsed = parse_formula(name)?;
        if parsed.is_linear {
            let message = format!(
                "proposition \"{}\" is about a path, expected a formula about one state",
                shown(name)
            );
            let error = FormulaError::new(parsed.span(parsed.formula.root()), message);
            return Err(vec![error.with_hint("put a quantifier (A or E) before it")]);
        }
        if let Some(error) = self.speaks_of_agents(&parsed) {
            return Err(vec![error]);
        }
        self.resolve(&parsed.formula)
    }

    /// What is wrong with a formula that names an agent or a group which the model does not have.
    fn unknown_agent(&self, parsed: &Parsed) -> Option<FormulaError> {
        let observers = &self.model.observers;
        let agents = || observers.list.iter().map(|observer| observer.name.as_str());
        let groups = || observers.groups.iter().map(|group| group.name.as_str()).chain(agents());
        parsed.formula.subformulas().find_map(|(id, operator)| {
            let (what, name, known): (_, _, Vec<&str>) = match operator {
                Operator::Knows(Knowledge::Agent | Knowledge::Correct, name, _) => {
                    ("agent", name, agents().collect())
                }
                Operator::Knows(_, name, _) | Operator::CanForce(name, _) => {
                    ("group", name, groups().collect())
                }
                _ => return None,
            };
            if known.contains(&&**name) {
                return None;
            }
            let what = if self.agents == Agents::Units && what == "agent" { "unit" } else { what };
            let error = FormulaError::new(parsed.span(id), format!("there is no {what} \"{}\"", shown(name)));
            let hint = match likely(name, known.iter().copied()) {
                Some(near) => format!("did you mean \"{}\"?", shown(near)),
                None if what == "group" => {
                    format!("groups, and agents that stand for themselves, are {}", some_of(&known))
                }
                None => format!("{what}s are {}", some_of(&known)),
            };
            Some(error.with_hint(hint))
        })
    }

    /// What is wrong with a formula about agents where there are none, or none of that name.
    fn speaks_of_agents(&self, parsed: &Parsed) -> Option<FormulaError> {
        let (id, about) = parsed.formula.subformulas().find_map(|(id, operator)| match operator {
            Operator::Knows(..) => Some((id, "knowledge")),
            Operator::CanForce(..) => Some((id, "strategies")),
            _ => None,
        })?;
        let error = |message| FormulaError::new(parsed.span(id), message);
        let hint = match self.words.model {
            "net" => {
                "without agents, formulas are made of places, fireable(t), deadlock and the operators of CTL*"
            }
            _ => "without agents, formulas are made of variables, deadlock and the operators of CTL*",
        };
        match self.agents {
            Agents::Written => self.unknown_agent(parsed),
            Agents::Units => {
                let strategy = parsed.formula.subformulas().find_map(|(id, operator)| match operator {
                    Operator::CanForce(..) => Some(id),
                    _ => None,
                });
                let refused = strategy.map(|id| {
                    let message = "the units of a net do not act, so they have no strategies";
                    FormulaError::new(parsed.span(id), message)
                        .with_hint("what they know can be asked: K(unit, formula)")
                });
                refused.or_else(|| self.unknown_agent(parsed))
            }
            Agents::Absent => {
                let message = match self.words.model {
                    "net" => format!(
                        "the formula speaks about {about}, and the net has no units or pages that could be agents"
                    ),
                    _ => format!("the formula speaks about {about} of agents, and the model has no agents"),
                };
                Some(error(message).with_hint(hint))
            }
        }
    }

    /// The formula about the model itself, or what is wrong with its names.
    fn resolve(&self, formula: &Formula<NamedAtom>) -> Result<Formula<Atom>, Vec<FormulaError>> {
        let mut errors = Vec::new();
        let resolved = formula.map_atoms(|_, atom| {
            // A formula with a wrong atom is not used.
            let nothing = Atom::Fireable(Vec::new());
            Ok::<Atom, Infallible>(self.atom(atom, &mut errors).unwrap_or(nothing))
        });
        let Ok(resolved) = resolved;
        if errors.is_empty() { Ok(resolved) } else { Err(errors) }
    }

    fn labels(&self) -> &Labels {
        self.labels.get_or_init(|| Labels::of(self.loaded))
    }

    /// Whether something that has values is called so.
    fn is_value(&self, name: &str) -> bool {
        self.variables.contains_key(name)
            || self.atoms.contains_key(name)
            || self.colours.is_some_and(|colours| colours.place_tokens(name).is_some())
    }

    /// Whether an event, or a transition of a coloured net, is called so.
    fn is_event(&self, name: &str) -> bool {
        self.events.contains_key(name)
            || self.colours.is_some_and(|colours| colours.transition_events(name).is_some())
    }

    /// The name by which the model knows a place or a variable: `p[1].pc` of a program is `p.1.pc`, and
    /// the label of one place means that place. A name that means nothing stays as it is.
    fn known_value(&self, name: &Name) -> Name {
        let is_known = |name: &str| self.is_value(name);
        self.known(name, is_known, |labels, name| labels.place(name))
    }

    /// The same for transitions and commands.
    fn known_event(&self, name: &Name) -> Name {
        let is_known = |name: &str| self.is_event(name);
        self.known(name, is_known, |labels, name| labels.transition(name))
    }

    fn known(
        &self,
        name: &Name,
        is_known: impl Fn(&str) -> bool,
        labelled: impl Fn(&Labels, &str) -> Labelled,
    ) -> Name {
        if is_known(&name.text) {
            return name.clone();
        }
        let dotted = without_brackets(&name.text).filter(|dotted| is_known(dotted));
        let meant = dotted.or_else(|| match labelled(self.labels(), &name.text) {
            Labelled::One(id) => Some(id).filter(|id| is_known(id)),
            Labelled::Nothing | Labelled::Several(_) => None,
        });
        match meant {
            Some(meant) => Name::new(meant, name.span),
            None => name.clone(),
        }
    }

    /// The sum with the names by which the model knows its terms; values of enumerations stay.
    fn known_sum(&self, sum: &LinearExpr) -> LinearExpr {
        let terms = sum.terms.iter().map(|(factor, name)| (*factor, self.known_value(name)));
        LinearExpr { terms: terms.collect(), constant: sum.constant }
    }

    fn atom(&self, atom: &NamedAtom, errors: &mut Vec<FormulaError>) -> Option<Atom> {
        let known = match atom {
            NamedAtom::Named(name) => NamedAtom::Named(self.known_value(name)),
            NamedAtom::Compare(left, comparison, right) => {
                NamedAtom::Compare(self.known_sum(left), *comparison, self.known_sum(right))
            }
            NamedAtom::Fireable(names) => {
                NamedAtom::Fireable(names.iter().map(|name| self.known_event(name)).collect())
            }
        };
        match &known {
            NamedAtom::Named(name) if self.atoms.contains_key(&*name.text) => {
                Some(Atom::Holds(self.atoms[&*name.text].clone()))
            }
            // A place alone means that it is marked.
            NamedAtom::Named(name) => {
                let (value, zero) = (self.value(name, errors)?, Expr::Constant(0));
                Some(Atom::Holds(Predicate::Compare(value, Comparison::Greater, zero)))
            }
            NamedAtom::Compare(left, comparison, right)
                if self.is_named_value(left) || self.is_named_value(right) =>
            {
                self.named_value(left, *comparison, right, errors)
            }
            NamedAtom::Compare(left, comparison, right) => {
                let (left, right) = (self.sum(left, errors), self.sum(right, errors));
                Some(Atom::Holds(Predicate::Compare(left?, *comparison, right?)))
            }
            NamedAtom::Fireable(names) => {
                let events: Vec<Option<Vec<EventId>>> =
                    names.iter().map(|name| self.events(name, errors)).collect();
                let events: Vec<Vec<EventId>> = events.into_iter().collect::<Option<_>>()?;
                let mut events = events.concat();
                events.sort_unstable();
                events.dedup();
                Some(Atom::Fireable(events))
            }
        }
    }

    /// Whether a sum is one variable whose values have names.
    fn is_named_value(&self, sum: &LinearExpr) -> bool {
        let id = single_name(sum).and_then(|name| self.variables.get(&*name.text));
        id.is_some_and(|id| matches!(self.model.values_of(*id), Values::Named(_)))
    }

    /// A variable whose values have names, compared with one of them or with another such variable.
    fn named_value(
        &self,
        left: &LinearExpr,
        comparison: Comparison,
        right: &LinearExpr,
        errors: &mut Vec<FormulaError>,
    ) -> Option<Atom> {
        let is_turned = !self.is_named_value(left);
        let (variable, other) = if is_turned { (right, left) } else { (left, right) };
        let name = single_name(variable)?;
        let id = self.variable(name, errors)?;
        let Values::Named(values) = self.model.values_of(id) else { return None };
        if !matches!(comparison, Comparison::Equal | Comparison::NotEqual) {
            let message = format!("the values of \"{}\" have names, and no order", shown(&name.text));
            errors.push(FormulaError::new(name.span, message).with_hint("compare it by = or !="));
            return None;
        }
        let value = match single_name(other) {
            Some(other) => match values.iter().position(|value| **value == *other.text) {
                Some(position) => Expr::Constant(position as i64),
                None if self.variables.contains_key(&*other.text) => {
                    Expr::Variable(self.variable(other, errors)?)
                }
                None => {
                    let message =
                        format!("\"{}\" is not a value of \"{}\"", shown(&other.text), shown(&name.text));
                    let near = likely(&other.text, values.iter().map(String::as_str));
                    let hint = match near {
                        Some(near) => format!("did you mean \"{near}\"?"),
                        None => format!("its values are {}", shown(&values.join(", "))),
                    };
                    errors.push(FormulaError::new(other.span, message).with_hint(hint));
                    return None;
                }
            },
            None => {
                let message = format!("the values of \"{}\" are names", shown(&name.text));
                let hint = format!("compare it with one of {}", shown(&values.join(", ")));
                errors.push(FormulaError::new(name.span, message).with_hint(hint));
                return None;
            }
        };
        Some(Atom::Holds(Predicate::Compare(Expr::Variable(id), comparison, value)))
    }

    fn sum(&self, sum: &LinearExpr, errors: &mut Vec<FormulaError>) -> Option<Expr> {
        let term = |(factor, name): &(i64, Name)| {
            let value = self.value(name, errors)?;
            Some(match factor {
                1 => value,
                _ => Expr::Product(Box::new(Expr::Constant(*factor)), Box::new(value)),
            })
        };
        let terms: Vec<Option<Expr>> = sum.terms.iter().map(term).collect();
        let mut terms: Vec<Expr> = terms.into_iter().collect::<Option<_>>()?;
        if sum.constant != 0 || terms.is_empty() {
            terms.push(Expr::Constant(sum.constant));
        }
        Some(if terms.len() == 1 { terms.remove(0) } else { Expr::Sum(terms) })
    }

    /// What a name means as a number: a variable, or the tokens of a place over its colours.
    fn value(&self, name: &Name, errors: &mut Vec<FormulaError>) -> Option<Expr> {
        if let Some(tokens) = self.colours.and_then(|colours| colours.place_tokens(&name.text)) {
            return Some(accepted(tokens, name, errors)?.into_expr());
        }
        let id = self.variable(name, errors)?;
        Some(match self.model.values_of(id) {
            // States hold the distance from the smallest value.
            Values::Range { least, .. } if *least != 0 => {
                Expr::Sum(vec![Expr::Variable(id), Expr::Constant(*least)])
            }
            _ => Expr::Variable(id),
        })
    }

    fn variable(&self, name: &Name, errors: &mut Vec<FormulaError>) -> Option<VariableId> {
        let found = self.variables.get(&*name.text).copied();
        if found.is_none() {
            // The step that all agents take at once has a generated name, not one from the source.
            let has_event = self.events.contains_key(&*name.text)
                || self.colours.is_some_and(|colours| colours.transition_events(&name.text).is_some());
            let is_event = has_event && !self.model.is_synchronous();
            let Words { variable, event, .. } = self.words;
            let other = is_event
                .then(|| format!("\"{}\" is {}: write fireable({name})", shown(&name.text), one(event)));
            let other = other.or_else(|| several(self.labels().place(&name.text)));
            let known = self.variables.keys().chain(self.atoms.keys()).copied();
            let known = known.chain(self.colours.into_iter().flat_map(Colours::place_names));
            let known = known.chain(self.labels().of_places());
            errors.push(self.unknown_name(variable, name, other, known));
        }
        found
    }

    /// The events that a name means: one, or those of a transition under some bindings.
    fn events(&self, name: &Name, errors: &mut Vec<FormulaError>) -> Option<Vec<EventId>> {
        match self.colours.and_then(|colours| colours.transition_events(&name.text)) {
            Some(events) => accepted(events, name, errors),
            None => self.event(name, errors).map(|event| vec![event]),
        }
    }

    fn event(&self, name: &Name, errors: &mut Vec<FormulaError>) -> Option<EventId> {
        let found = self.events.get(&*name.text).copied();
        if found.is_none() {
            let is_place = self.variables.contains_key(&*name.text)
                || self.colours.is_some_and(|colours| colours.place_tokens(&name.text).is_some());
            let Words { variable, event, .. } = self.words;
            let other = is_place
                .then(|| format!("\"{}\" is {}: write {name} >= 1", shown(&name.text), one(variable)));
            let other = other.or_else(|| several(self.labels().transition(&name.text)));
            let known = self.events.keys().copied();
            let known = known.chain(self.colours.into_iter().flat_map(Colours::transition_names));
            let known = known.chain(self.labels().of_transitions());
            errors.push(self.unknown_name(event, name, other, known));
        }
        found
    }

    /// The mistake that nothing of a kind has this name.
    fn unknown_name<'k>(
        &self,
        what: &str,
        name: &Name,
        other: Option<String>,
        known: impl Iterator<Item = &'k str> + Clone,
    ) -> FormulaError {
        let message = format!("the {} has no {what} \"{}\"", self.words.model, shown(&name.text));
        let error = FormulaError::new(name.span, message);
        let near =
            || likely(&name.text, known.clone()).map(|near| format!("did you mean \"{}\"?", shown(near)));
        let owned = || {
            let is_own = |known: &&str| known.rsplit_once('.').is_some_and(|(_, own)| own == &*name.text);
            let mut owned: Vec<&str> = known.clone().filter(is_own).collect();
            owned.sort_unstable();
            (!owned.is_empty()).then(|| format!("whose? there is {}", some_of(&owned)))
        };
        let alike = || {
            let names = resembling_names(&name.text, known.clone());
            let quoted: Vec<String> = names.iter().map(|name| format!("\"{}\"", shown(name))).collect();
            (!names.is_empty()).then(|| format!("names like it: {}", quoted.join(", ")))
        };
        match other.or_else(|| meant_by_name(&name.text)).or_else(owned).or_else(near).or_else(alike) {
            Some(hint) => error.with_hint(hint),
            None => error,
        }
    }
}

/// The instances that a name means, or the mistake in it.
fn accepted<T>(found: Result<T, ColourMistake>, name: &Name, errors: &mut Vec<FormulaError>) -> Option<T> {
    found
        .map_err(|ColourMistake { message, hint }| {
            let error = FormulaError::new(name.span, message);
            errors.push(match hint {
                Some(hint) => error.with_hint(hint),
                None => error,
            });
        })
        .ok()
}

/// The hint where a name is the label of several nodes.
fn several(labelled: Labelled) -> Option<String> {
    match labelled {
        Labelled::Several(ids) => {
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            Some(format!("several are called so: give the id, {}", some_of(&ids)))
        }
        Labelled::Nothing | Labelled::One(_) => None,
    }
}

/// An element or a copy as the model calls it: `p[1].x[2]` is `p.1.x.2`. `None` where there are no
/// brackets with a plain index.
pub(crate) fn without_brackets(name: &str) -> Option<String> {
    let is_index = |index: &str| {
        let digits = index.strip_prefix('-').unwrap_or(index);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let (first, mut rest) = name.split_once('[')?;
    let mut dotted = first.trim_end().to_string();
    loop {
        let (index, behind) = rest.split_once(']')?;
        let index = index.trim();
        if !is_index(index) {
            return None;
        }
        dotted.push('.');
        dotted.push_str(index);
        match behind.split_once('[') {
            Some((between, inner)) => {
                dotted.push_str(between.trim_end());
                rest = inner;
            }
            None => {
                dotted.push_str(behind);
                return Some(dotted);
            }
        }
    }
}

/// A noun with its article.
fn one(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// A few names, and how many more there are.
fn some_of(names: &[&str]) -> String {
    const MOST: usize = 6;
    let shown: Vec<String> = names.iter().take(MOST).map(|name| shown(name)).collect();
    match names.len().saturating_sub(MOST) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// The name that a sum consists of.
fn single_name(sum: &LinearExpr) -> Option<&Name> {
    match (sum.terms.front(), sum.terms.len(), sum.constant) {
        (Some((1, name)), 1, 0) => Some(name),
        _ => None,
    }
}

/// What paths a formula of no other source speaks about: LTL as in the contest, the rest as CTL of
/// the contest.
fn usual_paths(parsed: &Parsed) -> Paths {
    match parsed.formula.fragment() {
        _ if parsed.is_linear => Paths::Stutter,
        Fragment::Ltl => Paths::Stutter,
        Fragment::Propositional | Fragment::Ctl | Fragment::CtlStar => Paths::Maximal,
    }
}
