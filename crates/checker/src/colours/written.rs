//! Names as formulas write them: `p`, `p[c1,s2]`, `t` and `t(x=c1)`.

use crate::error::InputError;
use rustc_hash::FxHashMap;
use symbolon_coloured::{
    ClassId, ColourNames, Net, PartialBinding, PlaceColour, PlaceId, Singles, TransitionId, VariableId,
};
use symbolon_source::{likely, shown};

/// The most members of a class that a hint lists.
const MOST_LISTED: usize = 8;

/// What is wrong with the name of a colour or of a binding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ColourMistake {
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl From<ColourMistake> for InputError {
    fn from(mistake: ColourMistake) -> InputError {
        InputError { hint: mistake.hint, ..InputError::plain(mistake.message) }
    }
}

/// The names of the places and transitions of a coloured net, and of their members.
#[derive(Clone, Debug)]
pub(crate) struct WrittenNames {
    members: ColourNames,
    places: FxHashMap<String, PlaceId>,
    transitions: FxHashMap<String, TransitionId>,
}

/// What the name of a place means.
pub(super) enum WrittenPlace {
    /// All colours together.
    Whole(PlaceId),
    /// One of them.
    Colour(PlaceColour),
}

/// What the name of a transition means.
pub(super) enum WrittenTransition {
    /// Any binding.
    Whole(TransitionId),
    /// Some of them.
    Bound(PartialBinding),
}

impl WrittenNames {
    pub(crate) fn of(net: &Net) -> WrittenNames {
        WrittenNames {
            members: ColourNames::of(net),
            places: net.place_ids().map(|id| (net.places[id.index()].id.clone(), id)).collect(),
            transitions: net
                .transition_ids()
                .map(|id| (net.transitions[id.index()].id.clone(), id))
                .collect(),
        }
    }

    /// The single colours and bindings among these names; others mean nothing, or whole places and
    /// transitions.
    pub(crate) fn singles(&self, net: &Net, names: &[String]) -> Singles {
        let mut singles = Singles::default();
        for name in names {
            if let Some(Ok(WrittenPlace::Colour(colour))) = self.place(net, name)
                && !singles.colours.contains(&colour)
            {
                singles.colours.push(colour);
            }
            if let Some(Ok(WrittenTransition::Bound(binding))) = self.transition(net, name)
                && !singles.bindings.contains(&binding)
            {
                singles.bindings.push(binding);
            }
        }
        singles
    }

    /// A place, or one of its colours; `None` if no place has this name.
    pub(super) fn place(&self, net: &Net, text: &str) -> Option<Result<WrittenPlace, ColourMistake>> {
        if let Some(&place) = self.places.get(text) {
            return Some(Ok(WrittenPlace::Whole(place)));
        }
        let (base, index) = text.strip_suffix(']')?.rsplit_once('[')?;
        let place = *self.places.get(base)?;
        Some(self.colour(net, place, index).map(|colour| WrittenPlace::Colour(PlaceColour { place, colour })))
    }

    fn colour(&self, net: &Net, place: PlaceId, index: &str) -> Result<Vec<u32>, ColourMistake> {
        let written = &net.places[place.index()];
        let items: Vec<&str> = index.split(',').map(str::trim).collect();
        let classes = &written.domain.0;
        if net.is_dot(&written.domain) {
            let message = format!("the tokens of '{}' have no colour", written.id);
            return Err(ColourMistake { message, hint: Some(format!("write {}", written.id)) });
        }
        if items.len() != classes.len() {
            let domain = net.domain_text(&written.domain);
            let message = match classes.len() {
                1 => format!(
                    "a colour of '{}' is a member of {domain}, but {} were given",
                    written.id,
                    items.len()
                ),
                count => format!(
                    "a colour of '{}' has {count} components, {domain}, but {} {} given",
                    written.id,
                    items.len(),
                    if items.len() == 1 { "was" } else { "were" },
                ),
            };
            return Err(ColourMistake { message, hint: None });
        }
        items.iter().zip(classes).map(|(item, &class)| self.member(net, class, item)).collect()
    }

    /// A transition, or some of its bindings; `None` if no transition has this name.
    pub(super) fn transition(
        &self,
        net: &Net,
        text: &str,
    ) -> Option<Result<WrittenTransition, ColourMistake>> {
        if let Some(&transition) = self.transitions.get(text) {
            return Some(Ok(WrittenTransition::Whole(transition)));
        }
        let (base, binding) = text.strip_suffix(')')?.rsplit_once('(')?;
        let transition = *self.transitions.get(base)?;
        let members = self.binding(net, transition, binding);
        Some(members.map(|members| WrittenTransition::Bound(PartialBinding { transition, members })))
    }

    fn binding(
        &self,
        net: &Net,
        transition: TransitionId,
        binding: &str,
    ) -> Result<Vec<(VariableId, u32)>, ColourMistake> {
        let written = &net.transitions[transition.index()];
        let variables = written.variables();
        let variable_name = |variable: &VariableId| net.variables[variable.index()].name();
        let mut members = Vec::new();
        for pair in binding.split(',') {
            let Some((variable, colour)) = pair.split_once('=') else {
                let message = format!("'{}' is not a binding of '{}'", shown(pair.trim()), written.id);
                return Err(ColourMistake { message, hint: Some("a binding is written x=c1,y=c2".into()) });
            };
            let (variable, colour) = (variable.trim(), colour.trim());
            let Some(&found) = variables.iter().find(|one| variable_name(one) == variable) else {
                let message = format!("transition '{}' has no variable '{}'", written.id, shown(variable));
                let known: Vec<&str> = variables.iter().map(variable_name).collect();
                let hint = match (likely(variable, known.iter().copied()), &known[..]) {
                    (Some(near), _) => format!("did you mean '{near}'?"),
                    (None, []) => "it has no variables".to_string(),
                    (None, _) => format!("its variables are {}", known.join(", ")),
                };
                return Err(ColourMistake { message, hint: Some(hint) });
            };
            let class = net.variables[found.index()].class;
            members.push((found, self.member(net, class, colour)?));
        }
        Ok(members)
    }

    /// The member of a class with this name.
    fn member(&self, net: &Net, class: ClassId, text: &str) -> Result<u32, ColourMistake> {
        if let Some(member) = self.members.find(net, class, text) {
            return Ok(member);
        }
        let written = &net.classes[class.index()];
        let message = format!("class '{}' has no member '{}'", written.name(), shown(text));
        let count = written.size() as usize;
        let members: Vec<String> = (0..count.min(1000))
            .map(|member| self.members.member(net, class, member as u32).into_owned())
            .collect();
        let hint = match likely(text, members.iter().map(String::as_str)) {
            Some(near) => format!("did you mean '{near}'?"),
            None if count <= MOST_LISTED => format!("its members are {}", members.join(", ")),
            None => {
                let last = self.members.member(net, class, count as u32 - 1);
                format!("it has {count} members, from '{}' to '{last}'", members[0])
            }
        };
        Err(ColourMistake { message, hint: Some(hint) })
    }
}
