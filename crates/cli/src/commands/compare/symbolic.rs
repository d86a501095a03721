//! The table of Thierry-Mieg, Ilié and Poitrenaud, "A symbolic symbolic state space representation"
//! (FORTE 2004, section 7), with our figures beside its own: symbolic markings one by one, in
//! diagrams as in the paper, and what `auto` takes.
//!
//! A row is a net. Where the paper prints a wrong number of states, ours is right, and a note says
//! why.

use super::cells::{Axis, Cell, DIAGRAM};
use super::comparison::Comparison;
use super::measure::Measured;
use std::ffi::OsString;

/// A row of the paper.
struct PaperRow {
    /// Its name there.
    name: &'static str,
    /// The built-in family.
    model: &'static str,
    /// States, symbolic markings, nodes, share in percent, average length, seconds.
    figures: [&'static str; 6],
    /// What is wrong with its figures, by number.
    note: Option<usize>,
}

const fn row(
    name: &'static str,
    model: &'static str,
    figures: [&'static str; 6],
    note: Option<usize>,
) -> PaperRow {
    PaperRow { name, model, figures, note }
}

const ROWS: [PaperRow; 18] = [
    row("peterson 7", "peterson-coloured:7", ["692777", "320", "6159", "65.3", "55.5", "15.7"], None),
    row("peterson 10", "peterson-coloured:10", ["3.46e9", "3328", "42442", "85.1", "85.9", "247.0"], None),
    row("peterson 11", "peterson-coloured:11", ["7.19e10", "7168", "74039", "89.4", "97.3", "545.4"], None),
    row(
        "peterson 12",
        "peterson-coloured:12",
        ["1.62e12", "15360", "126807", "92.4", "109.6", "1946.4"],
        None,
    ),
    row("wave 40", "cs-wave:40", ["1.74e20", "5620", "831", "99.3", "23.8", "14.83"], None),
    row("wave 100", "cs-wave:100", ["1.76e49", "35050", "1011", "99.8", "24.0", "127.88"], None),
    row("wave 200", "cs-wave:200", ["1.79e97", "140100", "1313", "99.9", "24.07", "1041.75"], None),
    row("wave 300", "cs-wave:300", ["1.02e371", "315150", "1600", "99.98", "24.09", "12000"], Some(1)),
    row("db 40", "distributed-db:200", ["1.77e97", "20101", "725", "99.8", "27.6", "56.95"], Some(2)),
    row("db 300", "distributed-db:300", ["5.39e370", "45151", "875", "99.93", "27.6", "205.45"], Some(1)),
    row("db 500", "distributed-db:500", ["4.01e622", "125251", "1175", "99.96", "27.6", "1841.68"], Some(1)),
    row("db 700", "distributed-db:700", ["4.89e623", "245351", "1482", "99.97", "27.6", "28800"], Some(1)),
    row("cli.serv. 5 2", "client-server:5,2", ["5484", "82", "884", "67.1", "32.7", "3"], Some(3)),
    row("cli.serv. 10 2", "client-server:10,2", ["1.35e7", "476", "2419", "86.3", "37.11", "28.56"], Some(3)),
    row(
        "cli.serv. 20 2",
        "client-server:20,2",
        ["4.17e13", "3201", "2914", "97.7", "40.4", "116.92"],
        Some(3),
    ),
    row("cli.serv. 6 6", "client-server:6,6", ["2.44e7", "281", "4091", "72.5", "53.1", "21.2"], Some(3)),
    row("cli.serv. 8 8", "client-server:8,8", ["1.12e11", "964", "13123", "80.5", "69.8", "170.4"], Some(3)),
    row("cli.serv. 9 9", "client-server:9,9", ["1.05e13", "1698", "22016", "83.5", "78.8", "450.5"], Some(3)),
];

/// What the notes say, by number.
const NOTES: [&str; 3] = [
    "1: the paper's number of states is a slip; wave N has (N+3)*3^(N-1), db N has 1 + N*3^(N-1)",
    "2: the row that the paper labels 40 has the figures of 200 sites",
    "3: the paper counts an orbit once for every way in which equally loaded servers can be exchanged",
];

/// The ways: a kind of diagram, if it is named, and how symmetry is used.
const WAYS: [(Option<&str>, &str); 3] = [(None, "markings"), (Some("ddd"), "on"), (None, "auto")];

/// How many columns at the left are names.
pub(super) const NAMES: usize = 1;

/// What the cells differ in.
pub(super) fn axes() -> Vec<Axis> {
    vec![
        Axis { key: DIAGRAM, option: "--diagram", values: vec!["ddd".into()] },
        Axis { key: "symmetry", option: "--symmetry", values: WAYS.map(|(_, way)| way.into()).into() },
    ]
}

/// The models, by built-in family.
pub(super) fn models() -> Vec<OsString> {
    ROWS.iter().map(|row| row.model.into()).collect()
}

fn cell(row: &PaperRow, (diagram, symmetry): (Option<&str>, &str)) -> Cell {
    Cell { model: row.model.into(), choices: vec![diagram.map(Into::into), Some(symmetry.into())] }
}

/// The cells of the table.
pub(super) fn cells() -> Vec<Cell> {
    ROWS.iter().flat_map(|row| WAYS.map(|way| cell(row, way))).collect()
}

/// Header and rows: the paper and what was measured here.
pub(super) fn records(comparison: &Comparison) -> Vec<Vec<String>> {
    let header = [
        "net",
        "paper states",
        "SM",
        "nodes",
        "share",
        "length",
        "s",
        "note",
        "states",
        "SM",
        "one by one s",
        "motifs",
        "nodes",
        "share",
        "length",
        "ddd s",
        "auto s",
    ];
    let mut records = vec![header.map(str::to_string).to_vec()];
    for row in &ROWS {
        let answered = |way| {
            let cell = cell(row, way);
            let found = comparison.rows.iter().find(|(known, _)| *known == cell);
            found.map(|(_, measured)| measured).filter(|measured| !measured.answers().is_empty())
        };
        let [one_by_one, ddd, auto] = WAYS.map(answered);
        let figure = |figure: Option<String>| figure.unwrap_or_else(|| "-".to_string());
        let seconds = |measured: Option<&Measured>| {
            figure(measured.map(|measured| format!("{:.2}", measured.cpu_seconds)))
        };
        let any = one_by_one.or(ddd).or(auto);
        let spelled = ddd.and_then(|ddd| ddd.spelled);
        let mut record = vec![row.name.to_string()];
        record.extend(row.figures.map(str::to_string));
        record.push(row.note.map(|note| note.to_string()).unwrap_or_default());
        record.push(figure(any.and_then(|any| any.answers().first()).map(|answer| rounded(&answer.text))));
        record.push(figure(one_by_one.or(ddd).and_then(|found| found.symbolic.clone())));
        record.push(seconds(one_by_one));
        record.push(figure(ddd.and_then(|ddd| ddd.nodes).map(|(nodes, _)| nodes.to_string())));
        record.push(figure(spelled.map(|(nodes, _, _)| nodes.to_string())));
        record.push(figure(spelled.map(|(_, share, _)| format!("{:.2}", 100.0 * share))));
        record.push(figure(spelled.map(|(_, _, length)| format!("{length:.1}"))));
        record.push(seconds(ddd));
        record.push(seconds(auto));
        records.push(record);
    }
    records
}

/// A number of states as the paper writes it: long ones with two digits behind the point.
fn rounded(digits: &str) -> String {
    const MOST_DIGITS: usize = 7;
    match digits.len() > MOST_DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        true => format!("{}.{}e{}", &digits[..1], &digits[1..3], digits.len() - 1),
        false => digits.to_string(),
    }
}

/// What the paper says that is not so.
pub(super) fn remarks() -> String {
    let mut text = String::from("\nThe paper's figures stand on the left; its seconds are those of 2004.\n");
    NOTES.iter().for_each(|note| text.push_str(&format!("  {note}\n")));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_there_once_and_notes_are_explained() {
        let cells = cells();
        assert_eq!(cells.len(), 54);
        for (place, cell) in cells.iter().enumerate() {
            assert_eq!(cell.choices.len(), axes().len());
            assert!(!cells[..place].contains(cell), "{}", cell.describe());
        }
        let notes = ROWS.iter().filter_map(|row| row.note);
        assert!(notes.max().is_some_and(|last| last == NOTES.len()));
        for (digits, expected) in [("5484", "5484"), ("12189696", "1.21e7"), ("692777", "692777")] {
            assert_eq!(rounded(digits), expected);
        }
    }
}
