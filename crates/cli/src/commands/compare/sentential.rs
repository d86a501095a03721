//! The tables of the thesis on sentential diagrams in MCMAS (chapter 4), with our figures beside its
//! own: all rows whose models are public or can be generated.
//!
//! A row of a table here is one cell of a table there: a model, a kind of diagram, and what was varied.
//! Times of the thesis are seconds of a machine of 2014 for the whole command, so that ranks can be
//! compared and seconds cannot.

use super::cells::{Axis, Cell, DIAGRAM, VARIABLE_ORDER};
use super::comparison::Comparison;
use super::measure::Measured;
use std::ffi::OsString;

/// The models by their names in the thesis.
const MODELS: [(&str, &str); 16] = [
    ("btp", "bit-transmission"),
    ("cryptos4", "dining-cryptographers:4,enum"),
    ("cryptos5", "dining-cryptographers:5,enum"),
    ("cryptos6", "dining-cryptographers:6,enum"),
    ("cryptos7", "dining-cryptographers:7,enum"),
    ("cryptos8", "dining-cryptographers:8,enum"),
    ("cryptos9", "dining-cryptographers:9,enum"),
    ("cryptos12", "dining-cryptographers:12,enum"),
    ("cryptos15", "dining-cryptographers:15,enum"),
    ("pris3", "prisoners:3,enum"),
    ("pris5", "prisoners:5,enum"),
    ("pris6", "prisoners:6,enum"),
    ("pris7", "prisoners:7,enum"),
    ("pris8", "prisoners:8,enum"),
    ("pris9", "prisoners:9,enum"),
    ("pris10", "prisoners:10,enum"),
];
/// Those that are larger than the others of their kind.
const LARGE_MODELS: [(&str, &str); 2] = [("pris11", "prisoners:11,enum"), ("pris12", "prisoners:12,enum")];

/// A table of times and the one of memory that belongs to it.
struct PaperTable {
    /// Their numbers.
    numbers: &'static str,
    /// What is varied, column by column.
    columns: &'static [Column],
    /// The models, the seconds of each column, and the megabytes; `-` where the thesis has none.
    rows: &'static [(&'static str, &'static str, &'static str)],
}

/// What stands in a column.
#[derive(Clone, Copy)]
struct Column {
    diagram: &'static str,
    order: &'static str,
    /// None for binary diagrams.
    vtree: Option<&'static str>,
    reorder: &'static str,
    /// None but where it is varied.
    quantification: Option<&'static str>,
}

const fn bdd(order: &'static str) -> Column {
    Column { diagram: "bdd", order, vtree: None, reorder: "off", quantification: None }
}

const fn sdd(order: &'static str, vtree: &'static str) -> Column {
    Column { diagram: "sentential", order, vtree: Some(vtree), reorder: "off", quantification: None }
}

const fn dynamic(column: Column) -> Column {
    Column { reorder: "dynamic", ..column }
}

const fn quantified(column: Column, way: &'static str) -> Column {
    Column { quantification: Some(way), ..column }
}

const TABLES: [PaperTable; 10] = [
    PaperTable {
        numbers: "4.1, 4.2",
        columns: &[
            bdd("agents-1"),
            sdd("agents-1", "right-linear"),
            bdd("agents-2"),
            sdd("agents-2", "right-linear"),
            bdd("agents-3"),
            sdd("agents-3", "right-linear"),
            bdd("agents-4"),
            sdd("agents-4", "right-linear"),
        ],
        rows: &[
            ("cryptos7", "2.06 12.35 2.64 6.39 3.33 12.77 3.83 15.186", "198 782 160 306 248 656 272 791"),
            (
                "cryptos8",
                "11.85 56.02 17.24 30.42 20.41 58.70 23.85 69.54",
                "758 3120 647 1308 1024 2630 1120 3166",
            ),
            (
                "cryptos9",
                "853.17 221.16 98.95 145.313 617.32 266.84 911.70 305.17",
                "3001 11556 2850 5566 4246 10134 4690 11927",
            ),
            ("pris9", "50.14 - 11.47 252.21 12.52 369.83 17.31 -", "594 - 313 7658 3502 12382 4349 -"),
            ("pris10", "236.15 - 35.11 - 42.12 - 52.13 -", "1955 - 847 - 968 - 1218 -"),
        ],
    },
    PaperTable {
        numbers: "4.3, 4.4",
        columns: &[
            bdd("agents-2"),
            sdd("agents-1", "left-linear"),
            sdd("agents-2", "left-linear"),
            sdd("agents-3", "left-linear"),
            sdd("agents-4", "left-linear"),
            sdd("agents-1", "vertical"),
            sdd("agents-2", "vertical"),
            sdd("agents-3", "vertical"),
            sdd("agents-4", "vertical"),
        ],
        rows: &[
            ("btp", "0.02 44.3 8.36 6.42 6.56 0.61 0.13 0.09 0.10", "9 559 176 122 121 15 4 4 4"),
            ("cryptos4", "0.02 - - - - - 21.72 57.67 47.15", "11 - - - - - 267 522 407"),
            ("pris3", "0.01 - - - - 1267.91 3.14 4.56 4.34", "9 - - - - 7272 48 73 55"),
            ("pris5", "0.04 - - - - - - - -", "13 - - - - - - - -"),
        ],
    },
    PaperTable {
        numbers: "4.5, 4.6",
        columns: &[
            bdd("agents-1"),
            sdd("agents-1", "balanced"),
            sdd("agents-2", "balanced"),
            sdd("agents-3", "balanced"),
            sdd("agents-4", "balanced"),
        ],
        rows: &[
            ("cryptos5", "0.06 0.92 23.56 13.78 8.38", "18 29 610 329 229"),
            ("cryptos6", "0.44 5.78 254.3 109.28 62.26", "45 136 4314 1687 1402"),
            ("cryptos7", "2.06 40.76 - 2514.66 714.31", "198 612 - 8900 8134"),
            ("pris5", "0.04 43.01 2.46 2.23 4.46", "14 1562 45 33 59"),
            ("pris6", "0.15 - 16.55 11.37 50.20", "31 - 178 120 215"),
            ("pris9", "50.14 - - 3182.7 -", "594 - - 8827 -"),
        ],
    },
    PaperTable {
        numbers: "4.7, 4.8",
        columns: &[
            bdd("agents-2"),
            sdd("agents-2", "agent-given"),
            sdd("agents-2", "agent-inverse"),
            sdd("agents-2", "agent-ascending"),
            sdd("agents-2", "agent-interleaved-given"),
            sdd("agents-2", "agent-interleaved-inverse"),
            sdd("agents-2", "agent-interleaved-ascending"),
        ],
        rows: &[
            ("cryptos4", "0.02 2.41 1.31 1.31 0.24 0.15 0.15", "11 59 44 44 6 3 3"),
            ("cryptos5", "0.06 31.32 32.08 32.08 0.68 0.31 0.31", "18 673 574 574 31 7 7"),
            ("cryptos6", "0.44 993.71 - - 4.05 1.01 1.01", "45 8716 - - 196 33 33"),
            ("cryptos7", "2.64 - - - 34.59 5.84 5.04", "160 - - - 1367 170 165"),
            ("cryptos8", "17.24 - - - - 36.94 32.91", "647 - - - - 997 974"),
            ("cryptos9", "98.95 - - - - 271.16 248.18", "2850 - - - - 5270 5066"),
            ("pris6", "0.15 7.43 3.94 2.52 2.02 2.16 1.03", "31 76 45 52 42 31 29"),
            ("pris7", "0.57 48.01 21.36 10.22 8.31 8.63 3.61", "48 316 141 158 127 88 83"),
            ("pris8", "2.08 303.73 96.39 48.76 24.64 23.17 9.43", "102 1558 483 744 387 116 233"),
            ("pris9", "11.47 - 3259.27 256.0 120.17 109.24 38.75", "313 - 9000 3052 1418 700 724"),
            ("pris10", "35.11 - - - 445.36 347.23 128.1", "847 - - - 5255 2059 2435"),
        ],
    },
    PaperTable {
        numbers: "4.9, 4.10",
        columns: &[
            bdd("agents-2"),
            sdd("agents-2", "bounded-log-1"),
            sdd("agents-2", "bounded-sqrt-1"),
            sdd("agents-2", "bounded-2log-1"),
        ],
        rows: &[
            ("cryptos7", "2.64 1.51 1.21 1.02", "160 65 56 51"),
            ("cryptos8", "17.24 5.70 4.78 4.90", "647 216 188 154"),
            ("cryptos9", "98.95 30.46 27.51 63.06", "2850 1117 886 1350"),
            ("pris9", "11.47 42.17 32.86 27.98", "313 1086 718 698"),
            ("pris10", "35.11 157.01 112.781 102.0", "847 3464 2576 2262"),
        ],
    },
    PaperTable {
        numbers: "4.11, 4.12",
        columns: &[
            bdd("agents-2"),
            sdd("agents-2", "bounded-sqrt-1"),
            sdd("agents-2", "bounded-sqrt-2"),
            sdd("agents-2", "bounded-sqrt-3"),
        ],
        rows: &[
            ("cryptos7", "2.64 1.21 1.33 2.26", "160 56 47 95"),
            ("cryptos8", "17.24 4.78 4.09 8.36", "647 188 175 350"),
            ("cryptos9", "98.95 27.51 20.343 42.60", "2850 886 732 1751"),
            ("pris9", "11.47 32.86 41.14 86.98", "313 1086 844 2796"),
            ("pris10", "35.11 112.78 105.16 -", "847 3464 1919 -"),
        ],
    },
    PaperTable {
        numbers: "4.13",
        columns: &[bdd("agents-2"), sdd("agents-2", "per-bit")],
        rows: &[
            ("cryptos7", "2.64 1.41", "160 75"),
            ("cryptos8", "17.24 5.05", "647 264"),
            ("cryptos9", "98.95 20.36", "2825 969"),
            ("pris9", "11.47 59.88", "313 1516"),
            ("pris10", "35.11 197.95", "847 4341"),
        ],
    },
    PaperTable {
        numbers: "4.14, 4.15",
        columns: &[
            dynamic(sdd("agents-2", "right-linear")),
            dynamic(sdd("agents-2", "balanced")),
            dynamic(sdd("agents-2", "left-linear")),
            dynamic(sdd("agents-2", "vertical")),
            dynamic(sdd("agents-2", "agent-interleaved-ascending")),
            dynamic(sdd("agents-2", "bounded-sqrt-2")),
            dynamic(sdd("agents-2", "agent-right-linear")),
        ],
        rows: &[
            ("cryptos9", "6.62 4.60 12.41 12.96 2.42 1.74 3.17", "10 12 26 22 4 4 4"),
            ("cryptos12", "52.74 3.22 26.2 65.18 6.63 15.21 15.54", "87 3 38 36 6 12 8"),
            ("cryptos15", "19.93 66.07 257.09 - 12.58 21.15 22.35", "32 1175 735 - 15 14 15"),
            ("pris10", "22.4 77.33 465.14 48.35 90.8 107.9 32.91", "8 17 23 15 12 44 10"),
            ("pris11", "218.45 115.85 283.67 186.15 103.97 268.32 157.3", "34 619 64 25 106 70 15"),
            ("pris12", "219.98 585.11 983.0 162.6 344.76 290.53 151.26", "31 45 89 40 46 30 23"),
        ],
    },
    PaperTable {
        numbers: "4.18",
        columns: &[dynamic(bdd("agents-2")), sdd("auto", "auto")],
        rows: &[
            ("cryptos9", "0.33 1.74", "12 4"),
            ("cryptos12", "0.90 3.22", "13 3"),
            ("cryptos15", "7.19 12.58", "32 15"),
            ("pris10", "0.61 22.4", "32 8"),
            ("pris11", "0.94 103.97", "44 106"),
            ("pris12", "1.61 151.26", "47 23"),
        ],
    },
    PaperTable {
        numbers: "4.19",
        columns: &[
            quantified(sdd("agents-2", "right-linear"), "recursive"),
            quantified(sdd("agents-2", "right-linear"), "one-by-one"),
            quantified(sdd("agents-2", "right-linear"), "one-pass"),
            quantified(sdd("agents-2", "bounded-log-1"), "recursive"),
            quantified(sdd("agents-2", "bounded-log-1"), "one-by-one"),
            quantified(sdd("agents-2", "bounded-log-1"), "one-pass"),
        ],
        rows: &[
            // Not a row of the thesis: the one that its quantifiers are compared on here.
            ("cryptos7", "- - - - - -", "- - - - - -"),
            ("cryptos8", "30.51 30.42 - 10.49 5.70 -", "- - - - - -"),
            ("cryptos9", "149.08 145.313 - 53.59 30.46 -", "- - - - - -"),
            ("pris8", "69.73 64.43 - 43.67 29.696 -", "- - - - - -"),
            ("pris9", "- 252.21 - - 42.17 -", "- - - - - -"),
        ],
    },
];

/// What cannot be had, and why.
const LEFT_OUT: [&str; 5] = [
    "nspk1, 2, 4, 5, 6 in all tables: their files were not published",
    "4.16, 4.17 (limits of growth 1.01, 1.1, 1.4): sifting here has one limit, 1.4",
    "4.18, column SDDs: the shortest of all runs there; here the default, without dynamic search",
    "4.19, columns BDDs: binary diagrams here quantify in one pass only",
    "Figure 4.1 (a vtree found by search): drawn there, not written down",
];

const VTREE: &str = "vtree";
const REORDER: &str = "reorder";
const QUANTIFICATION: &str = "quantification";

/// What the cells differ in.
pub(super) fn axes() -> Vec<Axis> {
    let all = || TABLES.iter().flat_map(|table| table.columns);
    let values = |of: fn(&Column) -> Option<&'static str>| {
        let mut values: Vec<OsString> = Vec::new();
        for value in all().filter_map(of).map(OsString::from) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        values
    };
    vec![
        Axis { key: DIAGRAM, option: "--diagram", values: values(|column| Some(column.diagram)) },
        Axis { key: VARIABLE_ORDER, option: "--variable-order", values: values(|column| Some(column.order)) },
        Axis { key: VTREE, option: "--vtree", values: values(|column| column.vtree) },
        Axis { key: REORDER, option: "--reorder", values: values(|column| Some(column.reorder)) },
        Axis {
            key: QUANTIFICATION,
            option: "--quantification",
            values: values(|column| column.quantification),
        },
    ]
}

/// The models.
pub(super) fn models() -> Vec<OsString> {
    MODELS.iter().chain(&LARGE_MODELS).map(|(_, model)| model.into()).collect()
}

/// The cells, model by model.
pub(super) fn cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    for (name, _) in MODELS.iter().chain(&LARGE_MODELS) {
        for table in &TABLES {
            for (model, _, _) in table.rows.iter().filter(|(model, _, _)| model == name) {
                cells.extend(table.columns.iter().map(|column| cell_of(model, column)));
            }
        }
    }
    let mut known: Vec<Cell> = Vec::new();
    for cell in cells {
        if !known.contains(&cell) {
            known.push(cell);
        }
    }
    known
}

fn cell_of(name: &str, column: &Column) -> Cell {
    let model = MODELS.iter().chain(&LARGE_MODELS).find(|(known, _)| *known == name).map(|(_, model)| *model);
    let choices =
        [Some(column.diagram), Some(column.order), column.vtree, Some(column.reorder), column.quantification];
    Cell {
        model: model.unwrap_or(name).into(),
        choices: choices.into_iter().map(|choice| choice.map(OsString::from)).collect(),
    }
}

/// How many columns at the left are names.
pub(super) const NAMES: usize = 7;

/// Header and rows: the thesis and what was measured here.
pub(super) fn records(comparison: &Comparison) -> Vec<Vec<String>> {
    let header = [
        "tables",
        "model",
        "diagram",
        "order",
        "vtree",
        "reorder",
        "quantification",
        "thesis_s",
        "thesis_MB",
        "outcome",
        "cpu_s",
        "MB",
        "nodes",
    ];
    let mut records = vec![header.map(str::to_string).to_vec()];
    for table in &TABLES {
        for (model, seconds, megabytes) in table.rows {
            let published = seconds.split(' ').zip(megabytes.split(' '));
            for (column, (seconds, megabytes)) in table.columns.iter().zip(published) {
                let cell = cell_of(model, column);
                let found = comparison.rows.iter().find(|(known, _)| *known == cell);
                let measured = found.map(|(_, measured)| measured);
                let figure = |figure: Option<String>| figure.unwrap_or_else(|| "-".to_string());
                let mut record = vec![table.numbers.to_string(), (*model).to_string()];
                record.extend(cell.choice_names().into_iter().map(figure));
                record.extend([seconds.to_string(), megabytes.to_string()]);
                record.push(measured.map_or("not run", Measured::outcome).to_string());
                let is_answered = |measured: &&Measured| !measured.answers().is_empty();
                let answered = measured.filter(is_answered);
                record.push(figure(answered.map(|measured| format!("{:.3}", measured.cpu_seconds))));
                let bytes = answered.and_then(|measured| measured.peak_bytes);
                record.push(figure(bytes.map(|bytes| bytes.div_ceil(1 << 20).to_string())));
                record.push(figure(
                    answered.and_then(|measured| measured.nodes).map(|nodes| nodes.0.to_string()),
                ));
                records.push(record);
            }
        }
    }
    records
}

/// What the ways to quantify take, and what is left out.
pub(super) fn remarks(comparison: &Comparison) -> String {
    let mut text = String::from("\n");
    for vtree in ["right-linear", "bounded-log-1"] {
        let seconds = |way: &'static str| {
            let cell = cell_of("cryptos7", &quantified(sdd("agents-2", vtree), way));
            let found = comparison.rows.iter().find(|(known, _)| *known == cell);
            found
                .filter(|(_, measured)| !measured.answers().is_empty())
                .map(|(_, measured)| measured.cpu_seconds)
        };
        if let (Some(one_pass), Some(one_by_one)) = (seconds("one-pass"), seconds("one-by-one")) {
            text.push_str(&format!(
                "cryptos7 {vtree}: one pass {one_pass:.3} s, one variable by one {one_by_one:.3} s, {:.1} times\n",
                one_by_one / one_pass.max(0.001)
            ));
        }
    }
    text.push_str("\nNot reproduced:\n");
    LEFT_OUT.iter().for_each(|line| text.push_str(&format!("  {line}\n")));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_figure_for_each_column() {
        for table in &TABLES {
            for (model, seconds, megabytes) in table.rows {
                assert_eq!(seconds.split(' ').count(), table.columns.len(), "{} {model}", table.numbers);
                assert_eq!(megabytes.split(' ').count(), table.columns.len(), "{} {model}", table.numbers);
                assert!(MODELS.iter().chain(&LARGE_MODELS).any(|(known, _)| known == model), "{model}");
            }
        }
    }

    #[test]
    fn cells_are_there_once_with_a_choice_for_each_axis() {
        let (cells, axes) = (cells(), axes());
        assert!(cells.len() > 200, "{}", cells.len());
        for (place, cell) in cells.iter().enumerate() {
            assert_eq!(cell.choices.len(), axes.len());
            assert!(!cells[..place].contains(cell), "{}", cell.describe());
        }
    }
}
