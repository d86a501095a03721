//! Elements with all that is in them.
//!
//! Declarations may follow what they declare, so the insides of `<structure>` are kept until the
//! whole document is read, and get their meaning then.

use std::borrow::Cow;
use symbolon_source::{Step, Tag, Xml, shown};

/// An element, its attributes and its children; text is dropped.
pub(super) struct Element<'a> {
    pub(super) name: &'a str,
    /// Where `<` stands.
    pub(super) offset: usize,
    attributes: Vec<(&'a str, Cow<'a, str>)>,
    pub(super) children: Vec<Element<'a>>,
}

impl<'a> Element<'a> {
    /// Reads the element that `tag` opened, which it leaves. Its depth is limited by that of the
    /// document.
    pub(super) fn read(xml: &mut Xml<'a>, tag: &Tag<'a>) -> Step<Element<'a>> {
        let mut attributes = Vec::new();
        xml.attributes(tag, |key, value| attributes.push((key, value)))?;
        let mut children = Vec::new();
        while let Some(child) = xml.child()? {
            if matches!(child.name, "toolspecific" | "graphics") {
                xml.skip()?;
            } else {
                children.push(Element::read(xml, &child)?);
            }
        }
        Ok(Element { name: tag.name, offset: tag.offset, attributes, children })
    }

    /// The value of an attribute, without white space around it.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(key, _)| *key == name);
        found.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
    }

    /// The name as messages show it.
    pub(super) fn shown(&self) -> String {
        shown(self.name)
    }

    /// The operands: what stands in the `<subterm>` elements, or the children themselves where a
    /// tool leaves `<subterm>` out.
    pub(super) fn operands(&self) -> Vec<&Element<'a>> {
        self.children
            .iter()
            .flat_map(|child| match child.name {
                "subterm" => &child.children[..],
                _ => std::slice::from_ref(child),
            })
            .collect()
    }
}
