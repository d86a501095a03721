//! What Yu, Ciardo and Lüttgen, "Decision-diagram-based techniques for bounded reachability
//! checking of asynchronous systems" (STTT 11, 2009), measured on a Pentium of 3 GHz: Tables 1 and
//! 2, all rows.
//!
//! A net is recognised by the name of its file: `hs_100` and `fms_dl_10` are hs(100) and fms(10).

use std::path::Path;

/// What the paper says of one method on one net.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Figures {
    /// The smallest sufficient bound, or the one at which time ran out; none where it is not known.
    pub(super) bound: Option<u64>,
    /// Seconds; none where these were more than 600.
    pub(super) seconds: Option<f64>,
    /// Megabytes; none for SAT solvers and where time ran out.
    pub(super) megabytes: Option<f64>,
}

/// The methods of the tables, in the order of their columns: the approximate ones, then the exact
/// ones.
pub(super) const METHODS: [&str; 10] = [
    "edd-approx",
    "evbdd-approx",
    "mdd-local",
    "mdd-global",
    "mdd-chain",
    "sat-step",
    "sat-chain",
    "sat-interleaving",
    "edd-exact",
    "add-exact",
];

/// The name of a net, the columns of Table 1 (bound, seconds and, of diagrams, megabytes for each
/// method), and those of Table 2 (the bound, seconds of SAT, seconds and megabytes of the two
/// others). `>` is more than 600 seconds.
const ROWS: [(&str, &str, &str); 22] = [
    (
        "byzagr4_2a",
        "49 2.23 2.41 49 9.14 3.43 2 2.15 1.47 2 3.24 4.18 6 7.3 9.24 8 0.79 2 2.07",
        "? > > - > -",
    ),
    (
        "mmgt_3",
        "9 0.11 0.2 8 1.28 0.34 2 0.06 0.11 3 0.2 0.46 5 0.07 0.16 7 0.09 3 1.04",
        "10 1.37 0.32 0.55 0.41 0.33",
    ),
    (
        "mmgt_4",
        "17 1.22 1.15 17 2.15 1.67 2 0.4 0.56 2 0.6 1.41 3 0.11 0.2 8 0.23 4 5.52",
        "20 1.24 4.36 3.12 12.87 3.61",
    ),
    (
        "dac_15",
        "4 0.01 0.0 4 0.03 0.01 2 0.01 0.01 2 0.01 0.01 2 0.01 0.01 3 0.01 2 0.04",
        "20 0.01 0.03 0.05 0.06 0.04",
    ),
    (
        "hs_75",
        "151 0.01 0.03 151 0.36 0.05 3 0.03 0.03 4 0.03 0.07 93 0.08 0.53 151 5.84 1 0.07",
        "151 7.94 0.15 0.03 0.13 0.34",
    ),
    (
        "hs_100",
        "201 0.03 0.04 201 0.78 0.07 2 0.05 0.03 3 0.05 0.09 116 0.14 0.78 201 14.85 1 0.13",
        "201 20.31 0.3 0.04 0.23 0.58",
    ),
    (
        "sentest_75",
        "45 0.0 0.02 45 0.21 0.03 2 0.02 0.01 3 0.03 0.03 32 0.03 0.21 83 4.27 3 0.13",
        "88 8.51 0.06 0.02 0.08 0.14",
    ),
    (
        "sentest_100",
        "61 0.01 0.03 61 0.34 0.05 2 0.03 0.02 3 0.03 0.04 73 0.07 0.47 108 10.71 4 0.29",
        "113 21.85 0.12 0.03 0.22 0.25",
    ),
    (
        "speed_1",
        "4 0.01 0.02 2 0.24 0.01 3 0.0 0.01 4 0.01 0.04 3 0.01 0.04 4 0.01 2 0.03",
        "7 0.02 0.1 0.04 0.02 0.01",
    ),
    (
        "dp_12",
        "2 0.01 0.02 2 0.02 0.03 1 0.01 0.02 1 0.01 0.01 1 0.0 0.01 1 0.0 1 0.02",
        "12 0.06 0.96 1.77 0.33 0.12",
    ),
    (
        "q_1",
        "9 0.01 0.03 8 1.45 0.04 2 0.03 0.04 3 0.05 0.11 7 0.06 0.14 9 0.13 1 0.07",
        "21 0.83 0.08 0.15 0.19 0.13",
    ),
    (
        "elevator_3",
        "8 15.07 9.46 7 28.5 9.83 3 5.94 2.1 4 23.44 14.33 6 0.87 0.58 8 0.42 2 3.77",
        "20 2.74 > - 7.54 1.83",
    ),
    (
        "key_2",
        "13 0.06 0.14 18 0.16 0.19 3 0.07 0.12 4 0.06 0.19 14 0.07 0.2 36 2.88 2 0.05",
        "50 > 0.15 0.2 0.22 0.34",
    ),
    (
        "key_3",
        "17 0.2 0.48 17 0.55 0.71 2 0.26 0.38 2 0.18 0.42 14 0.21 0.52 37 4.39 2 0.1",
        "50 > 0.62 0.67 2.8 1.64",
    ),
    (
        "key_4",
        "17 0.69 1.48 15 2.4 1.39 2 1.35 1.56 3 3.43 5.75 17 0.67 1.54 38 4.21 2 0.18",
        "50 > 2.02 2.11 9.71 3.15",
    ),
    (
        "key_5",
        "17 2.04 4.15 17 5.97 6.66 2 2.88 3.38 3 26.74 23.72 15 1.73 3.37 39 8.07 2 0.25",
        "50 > 16.87 10.52 33.65 10.03",
    ),
    (
        "fms_3",
        "9 0.06 0.02 5 0.74 0.02 6 0.0 0.02 8 0.0 0.06 7 0.01 0.08 10 0.75 3 1.25",
        "30 > 0.07 0.06 0.05 0.14",
    ),
    (
        "fms_7",
        "19 0.07 0.26 11 4.4 0.69 14 0.04 0.28 16 0.12 1.29 15 0.24 2.58 18 > 6 >",
        "70 > 0.8 2.2 1.12 4.7",
    ),
    (
        "fms_10",
        "28 0.12 0.99 6 > - 20 0.15 1.14 22 0.51 5.69 21 1.35 14.75 16 > 7 >",
        "100 > 5.37 14.37 5.24 24.11",
    ),
    (
        "kanban_1",
        "28 0.04 0.0 27 0.33 0.01 10 0.0 0.0 12 0.0 0.01 13 0.0 0.01 19 0.05 5 0.09",
        "40 16.56 0.08 0.0 0.01 0.01",
    ),
    (
        "kanban_3",
        "82 0.05 0.06 79 5.34 0.34 30 0.01 0.05 32 0.12 0.64 19 0.03 0.23 12 > 3 >",
        "120 > 0.1 0.07 0.27 0.64",
    ),
    (
        "kanban_10",
        "271 0.84 10.43 1 > - 100 1.69 8.48 102 46.96 317.48 54 2.83 29.29 1 > 1 >",
        "400 > 14.4 10.46 51.76 187.9",
    ),
];

/// The place of a net in the tables, by the name of its file.
pub(super) fn row_of(model: &str) -> Option<usize> {
    let stem = Path::new(model).file_stem()?.to_str()?.replace("_dl_", "_");
    ROWS.iter().position(|row| row.0 == stem)
}

/// What the paper says of a method on a net.
pub(super) fn figures(model: &str, method: &str) -> Option<Figures> {
    let (_, approximate, exact) = ROWS[row_of(model)?];
    let number = |word: &str| word.parse::<f64>().ok();
    let bound = |word: &str| word.parse::<u64>().ok();
    let mut words = approximate.split(' ');
    for name in &METHODS[..7] {
        let is_sat = name.starts_with("sat-");
        let found = Figures {
            bound: bound(words.next()?),
            seconds: number(words.next()?),
            megabytes: if is_sat { None } else { number(words.next()?) },
        };
        if *name == method {
            return Some(found);
        }
    }
    let words: Vec<&str> = exact.split(' ').collect();
    let (seconds, megabytes) = match method {
        "sat-interleaving" => (number(words[1]), None),
        "edd-exact" => (number(words[2]), number(words[3])),
        "add-exact" => (number(words[4]), number(words[5])),
        _ => return None,
    };
    Some(Figures { bound: bound(words[0]), seconds, megabytes })
}

/// Why the distance on a net of ours is not the paper's, where that is known.
pub(super) fn difference(model: &str) -> Option<&'static str> {
    let (name, ..) = ROWS[row_of(model)?];
    match name {
        "dac_15" => Some("the paper measured a variant of its own"),
        _ => None,
    }
}

/// What is wrong with the number of states that Soltész' thesis of 2015, Table 6.1, has for a model.
pub(super) fn thesis_note(model: &str) -> Option<&'static str> {
    match model {
        "kanban:5" => Some("the number of states in the thesis is a misprint; there are 2546432"),
        "dekker:20" => Some("the number of states in the thesis is a misprint; there are 11534336"),
        "philosophers:100" => Some("the number of states in the thesis is a misprint; there are 3^100"),
        "token-ring:20" => Some("the number of states in the thesis is a misprint; there are 24466267459"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_whole() {
        for (name, approximate, exact) in ROWS {
            assert_eq!(approximate.split(' ').count(), 19, "{name}");
            assert_eq!(exact.split(' ').count(), 6, "{name}");
            for method in METHODS {
                assert!(figures(name, method).is_some(), "{name} {method}");
            }
        }
    }

    #[test]
    fn nets_are_recognised_by_their_files() {
        let check = |file: &str, method: &str, expected: Option<(Option<u64>, Option<f64>, Option<f64>)>| {
            let found = figures(file, method).map(|found| (found.bound, found.seconds, found.megabytes));
            assert_eq!(found, expected, "{file} {method}");
        };
        check("nets/kanban_dl_10.pnml", "mdd-global", Some((Some(102), Some(46.96), Some(317.48))));
        check("kanban_dl_10.pnml", "add-exact", Some((Some(400), Some(51.76), Some(187.9))));
        check("hs_100.pnml", "sat-step", Some((Some(201), Some(14.85), None)));
        check("fms_dl_10.pnml", "evbdd-approx", Some((Some(6), None, None)));
        check("byzagr4_2a.pnml", "edd-exact", Some((None, None, None)));
        check("dp_12.pnml", "auto", None);
        check("other.pnml", "edd-exact", None);
    }
}
