//! How markings are written inside pictures. Names are not shortened here: the layout, which
//! measures text, does that.

use symbolon_model::{Model, Values, VariableId};

/// Lines of a marking are broken at about this many characters.
const LINE_WIDTH: usize = 32;
/// A marking has at most this many lines; the last of them counts the rest.
const MOST_LINES: usize = 10;

/// The label of an arc of this weight: a weight of 1 is not shown.
pub(super) fn weight_label(weight: u64) -> Option<String> {
    (weight > 1).then(|| weight.to_string())
}

/// The variables of a state that are not 0, such as `think_1` or, with two tokens, `fork_2 2`.
pub(super) fn marked(model: &Model, state: &[u64]) -> Vec<String> {
    let word = |(id, &value): (VariableId, &u64)| {
        let name = &model.variables[id.index()].name;
        match (model.values_of(id), value) {
            (Values::Natural, 0) => None,
            (Values::Natural, 1) => Some(name.clone()),
            (Values::Natural, _) => Some(format!("{name} {value}")),
            (values, _) => Some(format!("{name} = {}", values.text(value))),
        }
    };
    model.variable_ids().zip(state).filter_map(word).collect()
}

/// Words as the lines of a box.
pub(super) fn lines(words: &[String]) -> Vec<String> {
    if words.is_empty() {
        return vec!["empty".to_string()];
    }
    let mut lines: Vec<String> = vec![String::new()];
    for (index, word) in words.iter().enumerate() {
        let is_last = index + 1 == words.len();
        let line = lines.last_mut().expect("there is a line");
        let room = word.chars().count() + usize::from(!line.is_empty()) + usize::from(!is_last);
        if !line.is_empty() && line.chars().count() + room > LINE_WIDTH {
            if lines.len() == MOST_LINES {
                let rest = words.len() - index;
                lines.push(format!("… and {rest} more"));
                break;
            }
            lines.push(String::new());
        }
        let line = lines.last_mut().expect("there is a line");
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if !is_last {
            line.push(',');
        }
    }
    lines
}

/// What a model is called in a title: a file by its name, without folders and ending, or by its
/// folder if every model is called so.
pub(super) fn called(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = file.trim_end_matches(".gz");
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    match name.rsplit(['/', '\\']).nth(1) {
        Some(folder) if stem == "model" && !folder.is_empty() => folder,
        _ if stem.is_empty() => name,
        _ => stem,
    }
}

/// A number and its noun: `1 place`, `2 places`.
pub(super) fn counted(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_name_models_shortly() {
        for (name, expected) in [
            ("philosophers:3", "philosophers:3"),
            ("../mutex-ok.ispl", "mutex-ok"),
            ("net.pnml.gz", "net"),
            ("/mcc/Raft-PT-02/model.pnml", "Raft-PT-02"),
            ("-", "-"),
            (".pnml", ".pnml"),
        ] {
            assert_eq!(called(name), expected);
        }
    }

    #[test]
    fn markings_are_broken_into_lines() {
        let words = |count: usize| (0..count).map(|index| format!("place_{index:02}")).collect::<Vec<_>>();
        assert_eq!(lines(&[]), ["empty"]);
        assert_eq!(lines(&words(1)), ["place_00"]);
        assert_eq!(lines(&words(4)), ["place_00, place_01, place_02,", "place_03"]);
        for line in lines(&words(30)) {
            assert!(line.chars().count() <= LINE_WIDTH, "{line}");
        }
        assert_eq!(lines(&words(33)).last().map(String::as_str), Some("… and 3 more"));
        let wide = "w".repeat(50);
        assert_eq!(lines(&[wide.clone(), wide.clone()]), [format!("{wide},"), wide]);
    }
}
