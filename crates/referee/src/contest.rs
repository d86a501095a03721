//! Formulas in the XML of the Model Checking Contest.

use crate::formula::{Comparison, Formula, Sum};
use crate::xml::{self, Element};

/// The formulas of a file, each with its identifier.
pub fn formulas(text: &str) -> Result<Vec<(String, Formula)>, String> {
    properties(text)?.iter().map(|(id, body)| Ok((id.clone(), formula(body)?))).collect()
}

/// The places of which `UpperBounds` asks the largest sum, each list with its identifier.
pub fn bounds(text: &str) -> Result<Vec<(String, Vec<String>)>, String> {
    let places = |body: &Element| body.children.iter().map(|place| place.text.trim().to_string()).collect();
    Ok(properties(text)?.iter().map(|(id, body)| (id.clone(), places(body))).collect())
}

/// What stands in the `<formula>` of each property.
fn properties(text: &str) -> Result<Vec<(String, Element)>, String> {
    let document = xml::read(text)?;
    let mut found = Vec::new();
    document.all("property", &mut found);
    let body = |property: &Element| {
        let id = property.child("id").ok_or("a property without id")?.text.trim().to_string();
        let formula = property.child("formula").and_then(|formula| formula.children.first());
        Ok((id, formula.ok_or("a property without formula")?.clone()))
    };
    found.into_iter().map(body).collect()
}

fn formula(element: &Element) -> Result<Formula, String> {
    let operand = |number: usize| -> Result<Box<Formula>, String> {
        let child = element.children.get(number).ok_or_else(|| format!("<{}> lacks a part", element.name))?;
        Ok(Box::new(formula(child)?))
    };
    let only = || operand(0);
    let number = |number: usize| sum(element.children.get(number).ok_or("a comparison lacks a part")?);
    let compare =
        |comparison: Comparison| Ok::<_, String>(Formula::Compare(number(0)?, comparison, number(1)?));
    // Conjunctions and disjunctions have any number of parts.
    let fold = |join: fn(Box<Formula>, Box<Formula>) -> Formula| -> Result<Formula, String> {
        let mut parts = element.children.iter().map(formula).collect::<Result<Vec<_>, _>>()?.into_iter();
        let first = parts.next().ok_or("nothing to join")?;
        Ok(parts.fold(first, |left, right| join(Box::new(left), Box::new(right))))
    };
    Ok(match element.name.as_str() {
        "all-paths" => Formula::All(only()?),
        "exists-path" => Formula::Exists(only()?),
        "globally" => Formula::Globally(only()?),
        "finally" => Formula::Finally(only()?),
        "next" => Formula::Next(only()?),
        "until" => {
            let part = |name: &str| {
                let part = element.child(name).and_then(|part| part.children.first());
                formula(part.ok_or("an until lacks a part")?).map(Box::new)
            };
            Formula::Until(part("before")?, part("reach")?)
        }
        "negation" => Formula::Not(only()?),
        "conjunction" => fold(Formula::And)?,
        "disjunction" => fold(Formula::Or)?,
        "implication" => Formula::Implies(operand(0)?, operand(1)?),
        "equivalence" => Formula::Same(operand(0)?, operand(1)?),
        "exclusive-disjunction" => Formula::Not(Box::new(Formula::Same(operand(0)?, operand(1)?))),
        "true" => Formula::Constant(true),
        "false" => Formula::Constant(false),
        "deadlock" => Formula::Deadlock,
        "is-fireable" => {
            Formula::Fireable(element.children.iter().map(|one| one.text.trim().to_string()).collect())
        }
        "integer-le" => compare(Comparison::AtMost)?,
        "integer-lt" => compare(Comparison::Less)?,
        "integer-ge" => compare(Comparison::AtLeast)?,
        "integer-gt" => compare(Comparison::Greater)?,
        "integer-eq" => compare(Comparison::Equal)?,
        "integer-ne" => compare(Comparison::Unequal)?,
        other => return Err(format!("unknown element <{other}>")),
    })
}

fn sum(element: &Element) -> Result<Sum, String> {
    Ok(match element.name.as_str() {
        "integer-constant" => {
            let text = element.text.trim();
            Sum(vec![(text.parse().map_err(|_| format!("not a number: {text}"))?, None)])
        }
        "tokens-count" => {
            Sum(element.children.iter().map(|place| (1, Some(place.text.trim().to_string()))).collect())
        }
        "integer-sum" => {
            let parts = element.children.iter().map(sum).collect::<Result<Vec<_>, _>>()?;
            Sum(parts.into_iter().flat_map(|part| part.0).collect())
        }
        other => return Err(format!("unknown element <{other}>")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xml_means_what_text_means() {
        let text = "<property-set><property><id>one</id><description/><formula><all-paths><until><before><negation>\
            <deadlock/></negation></before><reach><integer-le><integer-constant>2</integer-constant><tokens-count>\
            <place>p</place><place>q</place></tokens-count></integer-le></reach></until></all-paths></formula>\
            </property></property-set>";
        let read = formulas(text).unwrap();
        assert_eq!(read, [("one".to_string(), crate::parse::formula("A (!deadlock U 2 <= p + q)").unwrap())]);
    }
}
