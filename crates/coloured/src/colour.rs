//! Colours: tuples with one member per factor of a domain.
//!
//! A domain is never listed. A colour is either a slice of members or a *code*: its number in the
//! lexical order of the whole domain, in which the last member counts fastest.

use crate::class::{Class, Members};
use crate::domain::Domain;
use crate::ids::{ClassId, PlaceId, TransitionId, VariableId};
use crate::net::Net;
use std::borrow::Cow;
use std::fmt;

impl Domain {
    /// The number of colours; `None` if it exceeds 2^63 − 1.
    pub fn size(&self, net: &Net) -> Option<u64> {
        let mut size: u64 = 1;
        for class in &self.0 {
            size = size.checked_mul(net.classes[class.index()].size())?;
        }
        (size <= i64::MAX as u64).then_some(size)
    }

    /// The code of a colour.
    pub fn code(&self, net: &Net, colour: &[u32]) -> u64 {
        let sizes = self.0.iter().map(|class| net.classes[class.index()].size());
        sizes.zip(colour).fold(0, |code, (size, member)| code * size + u64::from(*member))
    }

    /// The colour that has this code.
    pub fn colour(&self, net: &Net, mut code: u64) -> Vec<u32> {
        let mut colour = vec![0; self.0.len()];
        for (member, class) in colour.iter_mut().zip(&self.0).rev() {
            let size = net.classes[class.index()].size();
            *member = (code % size) as u32;
            code /= size;
        }
        colour
    }
}

/// How the members of a class are shown where they must be told apart: in the names of instances,
/// such as `Think[3]` and `take(x=1,y=2)`.
///
/// They are shown by name if names are distinct and plain in the whole class; else by id, if ids
/// are plain; else by number, as `#1`. A text is plain if it has no white space and none of the
/// characters that separate colours: `,` `=` `[` `]` `(` `)` `"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberNames {
    /// By name.
    Names,
    /// By id.
    Ids,
    /// By number, from 1 on.
    Numbers,
}

impl MemberNames {
    /// How the members of `class` are shown.
    pub fn of(class: &Class) -> MemberNames {
        let (Members::Cyclic(constants) | Members::Listed(constants)) = &class.members else {
            return MemberNames::Names;
        };
        if are_plain_and_distinct(constants.iter().map(|constant| constant.name()).collect()) {
            MemberNames::Names
        } else if are_plain_and_distinct(constants.iter().map(|constant| &*constant.id).collect()) {
            MemberNames::Ids
        } else {
            MemberNames::Numbers
        }
    }

    /// The text of one member of `class`.
    pub fn text(self, class: &Class, member: u32) -> Cow<'_, str> {
        match self {
            MemberNames::Names => class.member_name(member),
            MemberNames::Ids => Cow::Borrowed(&class.constants()[member as usize].id),
            MemberNames::Numbers => Cow::Owned(format!("#{}", member + 1)),
        }
    }
}

fn are_plain_and_distinct(mut texts: Vec<&str>) -> bool {
    texts.sort_unstable();
    texts.iter().all(|text| is_plain(text)) && texts.windows(2).all(|pair| pair[0] != pair[1])
}

fn is_plain(text: &str) -> bool {
    let separates = |c: char| matches!(c, ',' | '=' | '[' | ']' | '(' | ')' | '"' | '#');
    !text.is_empty() && !text.contains(|c: char| separates(c) || c.is_whitespace() || c.is_control())
}

/// The texts of all members of the classes of a net, and of its variables.
#[derive(Clone, Debug)]
pub struct ColourNames {
    of_class: Vec<MemberNames>,
    /// Whether variables are shown by name: they are if names are distinct and plain, else by id.
    variables_by_name: bool,
}

impl ColourNames {
    /// How the classes of `net` show their members.
    pub fn of(net: &Net) -> ColourNames {
        let names = net.variables.iter().map(|variable| variable.name()).collect();
        ColourNames {
            of_class: net.classes.iter().map(MemberNames::of).collect(),
            variables_by_name: are_plain_and_distinct(names),
        }
    }

    /// The text of a variable.
    pub fn variable<'n>(&self, net: &'n Net, variable: VariableId) -> &'n str {
        let variable = &net.variables[variable.index()];
        if self.variables_by_name { variable.name() } else { &variable.id }
    }

    /// The text of a member.
    pub fn member<'n>(&self, net: &'n Net, class: ClassId, member: u32) -> Cow<'n, str> {
        self.of_class[class.index()].text(&net.classes[class.index()], member)
    }

    /// The member of `class` with this text.
    pub fn find(&self, net: &Net, class: ClassId, text: &str) -> Option<u32> {
        let names = self.of_class[class.index()];
        let class = &net.classes[class.index()];
        match &class.members {
            Members::Range { first, .. } => {
                let value: i64 = text.parse().ok()?;
                let member = u64::try_from(i128::from(value) - i128::from(*first)).ok()?;
                (member < class.size() && value.to_string() == text).then_some(member as u32)
            }
            _ => (0..class.size() as u32).find(|&member| names.text(class, member) == text),
        }
    }

    /// A place with a colour, as unfolding names their instance: `Think[3]`. Places of black tokens
    /// keep their name.
    pub fn place_instance(&self, net: &Net, place: PlaceId, code: u64) -> String {
        let place = &net.places[place.index()];
        let mut text = place.id.clone();
        if !net.is_dot(&place.domain) {
            text.push('[');
            // Writing to a string cannot fail.
            let _ = self.write_colour(net, &place.domain, &place.domain.colour(net, code), &mut text);
            text.push(']');
        }
        text
    }

    /// A transition with a binding, as unfolding names their instance: `take(x=1,y=2)`. Transitions
    /// without variables keep their name.
    pub fn transition_instance(&self, net: &Net, transition: TransitionId, binding: &[u32]) -> String {
        let transition = &net.transitions[transition.index()];
        let mut text = transition.id.clone();
        for (position, (variable, &member)) in transition.variables().into_iter().zip(binding).enumerate() {
            let class = net.variables[variable.index()].class;
            text.push(if position == 0 { '(' } else { ',' });
            text.push_str(self.variable(net, variable));
            text.push('=');
            text.push_str(&self.member(net, class, member));
        }
        if !binding.is_empty() {
            text.push(')');
        }
        text
    }

    /// Writes a colour, its members separated by commas: `c1,s2`.
    pub fn write_colour(
        &self,
        net: &Net,
        domain: &Domain,
        colour: &[u32],
        out: &mut impl fmt::Write,
    ) -> fmt::Result {
        for (position, (&class, &member)) in domain.0.iter().zip(colour).enumerate() {
            if position > 0 {
                out.write_char(',')?;
            }
            out.write_str(&self.member(net, class, member))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_count_colours_in_lexical_order() {
        let mut net = Net::default();
        let two = net.add_class(Class::listed("two", ["a", "b"]));
        let three = net.add_class(Class::range("three", -1, 1));
        let domain = Domain(vec![two, three, two]);
        assert_eq!(domain.size(&net), Some(12));
        let colours: Vec<Vec<u32>> = (0..12).map(|code| domain.colour(&net, code)).collect();
        assert!(colours.is_sorted_by(|a, b| a < b));
        for (code, colour) in colours.iter().enumerate() {
            assert_eq!(domain.code(&net, colour), code as u64);
        }
        let wide = Domain(vec![two; 62]);
        assert_eq!((wide.size(&net), Domain(vec![two; 63]).size(&net)), (Some(1 << 62), None));
    }

    #[test]
    fn texts_lead_back_to_members() {
        let mut net = Net::default();
        let named = net.add_class(Class::listed("named", ["a", "b", "1"]));
        let range = net.add_class(Class::range("range", -2, 3));
        let odd = net.add_class(Class::cyclic("odd", ["x y", "[z]"]));
        let dot = net.add_class(Class::dot());
        let names = ColourNames::of(&net);
        for class in [named, range, odd, dot] {
            for member in 0..net.classes[class.index()].size() as u32 {
                let text = names.member(&net, class, member);
                assert_eq!(names.find(&net, class, &text), Some(member), "{text}");
            }
        }
        for (class, text) in [(named, "c"), (range, "4"), (range, "-3"), (range, "+1"), (odd, "x y")] {
            assert_eq!(names.find(&net, class, text), None, "{text}");
        }
    }
}
