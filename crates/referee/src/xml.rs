//! A small reader of XML: elements, attributes, text. Enough for nets and formulas; no name spaces,
//! no DTD.

/// An element with what stands in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Element {
    /// Its name, without a prefix.
    pub name: String,
    /// Its attributes in order.
    pub attributes: Vec<(String, String)>,
    /// The elements in it.
    pub children: Vec<Element>,
    /// The text that stands directly in it.
    pub text: String,
}

impl Element {
    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The first child of this name.
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// All elements of this name, at any depth, in document order.
    pub fn all<'a>(&'a self, name: &str, found: &mut Vec<&'a Element>) {
        for child in &self.children {
            if child.name == name {
                found.push(child);
            }
            child.all(name, found);
        }
    }
}

/// Reads a document and returns its outermost element.
pub fn read(text: &str) -> Result<Element, String> {
    let mut open: Vec<Element> = vec![Element::default()];
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        top(&mut open)?.text.push_str(&unescape(&rest[..start])?);
        rest = &rest[start..];
        if let Some(after) = rest.strip_prefix("<!--") {
            let end = after.find("-->").ok_or("a comment does not end")?;
            rest = &after[end + 3..];
            continue;
        }
        let end = rest.find('>').ok_or("a tag does not end")?;
        let tag = &rest[1..end];
        rest = &rest[end + 1..];
        if tag.starts_with('?') || tag.starts_with('!') {
            continue;
        }
        if let Some(name) = tag.strip_prefix('/') {
            let done = open.pop().ok_or("an end tag too many")?;
            if done.name != local(name.trim()) {
                return Err(format!("<{}> ends with </{name}>", done.name));
            }
            top(&mut open)?.children.push(done);
            continue;
        }
        let (tag, is_empty) = match tag.strip_suffix('/') {
            Some(tag) => (tag, true),
            None => (tag, false),
        };
        let element = start_tag(tag)?;
        if is_empty {
            top(&mut open)?.children.push(element);
        } else {
            open.push(element);
        }
    }
    let document = open.pop().filter(|_| open.is_empty()).ok_or("an element does not end")?;
    document.children.into_iter().next().ok_or_else(|| "no element".to_string())
}

fn top(open: &mut [Element]) -> Result<&mut Element, String> {
    open.last_mut().ok_or_else(|| "an end tag too many".to_string())
}

fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

/// A name and its attributes: `arc id="a" source="p"`.
fn start_tag(tag: &str) -> Result<Element, String> {
    let tag = tag.trim();
    let name_end = tag.find(char::is_whitespace).unwrap_or(tag.len());
    let mut element = Element { name: local(&tag[..name_end]).to_string(), ..Element::default() };
    let mut rest = tag[name_end..].trim_start();
    while !rest.is_empty() {
        let equals = rest.find('=').ok_or("an attribute without value")?;
        let name = rest[..equals].trim();
        let value = rest[equals + 1..].trim_start();
        let quote = value.chars().next().filter(|quote| "\"'".contains(*quote)).ok_or("no quote")?;
        let end = value[1..].find(quote).ok_or("a quote is not closed")?;
        element.attributes.push((local(name).to_string(), unescape(&value[1..=end])?));
        rest = value[end + 2..].trim_start();
    }
    Ok(element)
}

/// Replaces `&lt;` and its kind.
fn unescape(text: &str) -> Result<String, String> {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('&') {
        plain.push_str(&rest[..start]);
        let end = rest[start..].find(';').ok_or("an entity does not end")? + start;
        plain.push(match &rest[start + 1..end] {
            "lt" => '<',
            "gt" => '>',
            "amp" => '&',
            "quot" => '"',
            "apos" => '\'',
            other => return Err(format!("unknown entity {other}")),
        });
        rest = &rest[end + 1..];
    }
    plain.push_str(rest);
    Ok(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_nest() {
        let text = "<?xml version='1.0'?><a x=\"1 &lt; 2\"><!-- <no/> --><b/>te<c>&amp;</c>xt</a>";
        let a = read(text).unwrap();
        assert_eq!((a.name.as_str(), a.text.as_str(), a.attribute("x")), ("a", "text", Some("1 < 2")));
        assert_eq!(a.children.len(), 2);
        assert_eq!(a.child("c").unwrap().text, "&");
        assert!(read("<a><b></a></b>").is_err());
    }
}
