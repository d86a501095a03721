//! What several names have in common: `Think_*` for `Think_1`, `Think_2`, `Think_3`.

/// The one name that stands for all of these, with `*` where their numbers differ; `None` if other
/// letters do.
pub(super) fn pattern<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let mut names = names.into_iter();
    let first = pieces(names.next()?);
    let mut differs = vec![false; first.len()];
    for name in names {
        let other = pieces(name);
        if other.len() != first.len() {
            return None;
        }
        for ((a, b), differs) in first.iter().zip(&other).zip(&mut differs) {
            if a != b {
                if !(is_number(a) && is_number(b)) {
                    return None;
                }
                *differs = true;
            }
        }
    }
    Some(first.iter().zip(differs).map(|(piece, differs)| if differs { "*" } else { *piece }).collect())
}

fn is_number(piece: &str) -> bool {
    piece.starts_with(|c: char| c.is_ascii_digit())
}

/// A name as numbers and what stands between them.
fn pieces(name: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let digits = first.is_ascii_digit();
        let end = rest.find(|c: char| c.is_ascii_digit() != digits).unwrap_or(rest.len());
        pieces.push(&rest[..end]);
        rest = &rest[end..];
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_differ_letters_may_not() {
        for (names, expected) in [
            (&["Think_1"][..], Some("Think_1")),
            (&["Think_1", "Think_2", "Think_10"], Some("Think_*")),
            (&["p1_2", "p1_3"], Some("p1_*")),
            (&["1a2", "3a4"], Some("*a*")),
            (&["größe1", "größe2"], Some("größe*")),
            (&["Think_1", "Eat_1"], None),
            (&["Think_1", "Think_"], None),
            (&["Think_1", "Think_1a"], None),
            (&["7", "a"], None),
            (&["", ""], Some("")),
            (&[], None),
        ] {
            assert_eq!(pattern(names.iter().copied()).as_deref(), expected, "{names:?}");
        }
    }
}
