//! Properties: formulas about the variables and events of a model.

use crate::error::InputError;
use symbolon_logic::{Formula, FormulaId, NamedAtom, Operator, Paths};
use symbolon_model::Atom;

/// A formula about a model.
#[derive(Clone, Debug)]
pub struct Property {
    /// The name of the property; empty if it has none.
    pub(crate) name: String,
    /// The formula as text.
    pub(crate) text: String,
    /// The formula as it was written, if it comes from a text.
    pub(crate) named: Option<Formula<NamedAtom>>,
    /// The formula, about the variables and events of the model.
    pub(crate) formula: Formula<Atom>,
    /// What paths it speaks about.
    pub(crate) paths: Paths,
    /// The formula as it stands, where another one says on these paths what is meant.
    pub(crate) as_it_stands: Option<Formula<Atom>>,
    /// Whether it was written without a quantifier.
    pub(crate) is_linear: bool,
}

impl Property {
    /// The name of the property; empty if it has none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The formula as text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What paths it speaks about.
    pub fn paths(&self) -> Paths {
        self.paths
    }

    /// A property that was not written by a user: for tests, which know the types of the formula.
    #[doc(hidden)]
    pub fn new(name: impl Into<String>, formula: Formula<Atom>, paths: Paths) -> Property {
        Property {
            name: name.into(),
            text: String::new(),
            named: None,
            formula,
            paths,
            as_it_stands: None,
            is_linear: false,
        }
    }

    /// A property that came with a model.
    pub(crate) fn written(
        name: String,
        text: String,
        named: Formula<NamedAtom>,
        as_it_stands: Formula<Atom>,
        (formula, paths): (Formula<Atom>, Paths),
    ) -> Property {
        Property {
            name,
            text,
            named: Some(named),
            formula,
            paths,
            as_it_stands: Some(as_it_stands),
            is_linear: false,
        }
    }

    /// The same about other paths, as it stands.
    pub fn on(self, paths: Paths) -> Property {
        let formula = self.as_it_stands.unwrap_or(self.formula);
        Property { formula, paths, as_it_stands: None, ..self }
    }

    /// Whether it is about what groups of agents can bring about.
    pub fn speaks_of_strategies(&self) -> bool {
        self.formula.subformulas().any(|(_, operator)| matches!(operator, Operator::CanForce(..)))
    }

    /// A subformula as text.
    pub(crate) fn subformula_text(&self, id: FormulaId) -> String {
        // Parts that were written differently may mean the same; they are one subformula here.
        match &self.named {
            Some(_) if id == self.formula.root() && self.is_linear => self.text.clone(),
            Some(named) if named.size() == self.formula.size() => named.subformula(id).to_string(),
            _ => format!("subformula {}", id.index() + 1),
        }
    }
}

/// The properties of a file, and what is odd about it.
#[derive(Clone, Debug)]
pub struct PropertyFile {
    /// The properties, in the order of the file.
    pub properties: Vec<Property>,
    /// What its reader wants to say.
    pub warnings: Vec<InputError>,
}

/// A file with formulas.
#[derive(Clone, Debug)]
pub struct FormulaFile {
    /// Its name, for messages.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}
