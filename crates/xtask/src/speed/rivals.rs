//! The rivals: their figures, as kept in `bench/rivals.toml`, and how one of them is called.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;

/// The file with the figures; what else stands there is for people.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Rivals {
    figure: Vec<Figure>,
}

/// What a rival needed for a row.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Figure {
    pub(super) row: String,
    pub(super) rival: String,
    pub(super) origin: Origin,
    /// CPU seconds of the whole process; absent if it did not finish.
    pub(super) cpu_seconds: Option<f64>,
    /// The part of them spent on reachability alone.
    #[allow(dead_code, reason = "kept for people; the whole process is what is compared")]
    pub(super) reachability_seconds: Option<f64>,
    pub(super) peak_mb: Option<f64>,
}

/// Where a figure comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Origin {
    /// From this very call.
    #[serde(skip)]
    Live,
    /// Measured for this project on the machine that the file names.
    Measured,
    /// Taken from a published text.
    Quoted,
    /// A prototype's figure: a target, and no rival.
    Trial,
}

impl Origin {
    /// The word for it in a table.
    pub(super) fn word(self) -> &'static str {
        match self {
            Origin::Live => "live",
            Origin::Measured => "measured",
            Origin::Quoted => "quoted",
            Origin::Trial => "trial",
        }
    }
}

impl Rivals {
    /// Reads the file with the figures.
    pub(super) fn read(path: &Path) -> Result<Rivals> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        toml::from_str(&text).with_context(|| format!("cannot understand {}", path.display()))
    }

    /// The best figure of a rival for a row; a measured one before a quoted one.
    pub(super) fn best(&self, row: &str) -> Option<&Figure> {
        let figures = self.figure.iter().filter(|figure| figure.row == row && figure.origin != Origin::Trial);
        figures.min_by(|one, other| {
            let time = |figure: &Figure| figure.cpu_seconds.unwrap_or(f64::INFINITY);
            one.origin.cmp(&other.origin).then(time(one).total_cmp(&time(other)))
        })
    }
}

/// The rival's program for a row, if it has one: saturation, its own variable order.
pub(super) fn meddly(folder: &Path, row: &str) -> Option<Command> {
    let (family, size) = row.split_once(':')?;
    let (program, arguments) = match family {
        "kanban" => ("kanban", vec!["-sat1".to_string(), size.to_string()]),
        "philosophers-left-right" => ("dining_phils", vec![format!("-n{size}"), "-sat1".to_string()]),
        "slotted-ring" => ("slot", vec![size.to_string(), "-sat1".to_string()]),
        _ => return None,
    };
    let mut command = Command::new(folder.join(program));
    command.args(arguments);
    Some(command)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project;

    #[test]
    fn the_kept_figures_are_readable() {
        let rivals = Rivals::read(&project::root().join("bench/rivals.toml")).unwrap();
        for row in ["kanban:50", "slotted-ring:100", "philosophers-left-right:10000"] {
            let figure = rivals.best(row).unwrap_or_else(|| panic!("no figure for {row}"));
            assert_eq!((figure.rival.as_str(), figure.origin), ("Meddly", Origin::Measured), "{row}");
        }
        let rows = super::super::BUILT_IN.iter().chain(&super::super::FROM_CORPUS);
        for figure in &rivals.figure {
            assert!(rows.clone().any(|row| *row == figure.row), "{} is not a row", figure.row);
        }
    }

    #[test]
    fn a_measured_figure_goes_before_a_quoted_one() {
        let text = r#"
            figure = [
              { row = "a", rival = "R", origin = "quoted", cpu_seconds = 1.0 },
              { row = "a", rival = "R", origin = "measured", cpu_seconds = 3.0 },
              { row = "a", rival = "S", origin = "measured", cpu_seconds = 2.0 },
              { row = "a", rival = "T", origin = "measured" },
              { row = "a", rival = "P", origin = "trial", cpu_seconds = 0.1 },
              { row = "b", rival = "P", origin = "trial", cpu_seconds = 0.1 },
            ]"#;
        let rivals: Rivals = toml::from_str(text).unwrap();
        assert_eq!(rivals.best("a").map(|figure| figure.rival.as_str()), Some("S"));
        assert_eq!(rivals.best("b"), None);
    }

    #[test]
    fn rows_with_a_rival_program() {
        let line = |row: &str| {
            let command = meddly(Path::new("/r"), row)?;
            let words = [command.get_program()].into_iter().chain(command.get_args());
            Some(words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(line("kanban:50").as_deref(), Some("/r/kanban -sat1 50"));
        assert_eq!(line("philosophers-left-right:9").as_deref(), Some("/r/dining_phils -n9 -sat1"));
        assert_eq!(line("slotted-ring:20").as_deref(), Some("/r/slot 20 -sat1"));
        assert_eq!(line("fms:20"), None);
        assert_eq!(line("Kanban-PT-00050"), None);
    }
}
