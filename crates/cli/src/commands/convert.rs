//! `convert`: the model in another format, to a file or to standard output.

use super::prepare;
use super::states::unknown_text;
use crate::answer::{Answer, Detail};
use crate::arguments::{ConvertArguments, ConvertTarget, GlobalOptions};
use crate::dashes::settle;
use crate::failure::Failure;
use crate::numbers::counted;
use crate::output_file::write_file;
use crate::session::Session;
use crate::table::{BOLD, printable};
use crate::watch::watch;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use symbolon_checker::{
    BoundedMethod, Conversion, ConvertReport, ConvertedSize, SatMethod, Target, Unknown, properties_of_texts,
};
use symbolon_report as json;
use symbolon_report::Status;

/// Writes the model in another format.
pub(crate) fn convert(
    session: &Arc<Session>,
    global: &GlobalOptions,
    arguments: &ConvertArguments,
) -> Result<Box<dyn Answer>, Failure> {
    // `-o -` is standard output, as no -o is.
    let file = arguments.output.clone().filter(|path| path.as_os_str() != "-");
    let target = target(arguments.to, file.as_deref())?;
    demand_fitting(arguments, target)?;
    let shared = Arc::clone(session);
    watch(session, move |unknown| Box::new(ConvertAnswer::unknown(&shared, unknown)));

    let answered = prepare::ask(session, global, &arguments.model, |loaded, options, job| match target {
        Written::Model(target) => {
            let conversion = Conversion {
                target,
                drop_dead: arguments.drop_dead,
                drop_redundant: arguments.drop_redundant,
            };
            job.convert(loaded, &conversion, options)
        }
        Written::Formula => {
            let asked = properties_of_texts(loaded, arguments.formula.as_slice(), None)?;
            session.warn(&asked.warnings);
            let method = sat_method(arguments).unwrap_or(SatMethod::Interleaving);
            job.dimacs(loaded, asked.properties.first(), method, arguments.bound.unwrap_or_default())
        }
    });
    let report = match settle(answered)? {
        Ok(report) => report,
        Err(unknown) => return Ok(Box::new(ConvertAnswer::unknown(session, unknown))),
    };
    report.notes.iter().for_each(|note| session.explain(note));
    session.warn(&report.warnings);
    if let Some(file) = &file {
        write_file(file, &report.text)?;
    }
    Ok(Box::new(ConvertAnswer::Done { format: target.name(), file, report }))
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written {
    /// The model in another format.
    Model(Target),
    /// A question about it, as a formula for SAT solvers.
    Formula,
}

impl Written {
    /// What users call the format.
    fn name(self) -> &'static str {
        match self {
            Written::Model(target) => target.name(),
            Written::Formula => "dimacs",
        }
    }
}

/// The method of satisfiability that was asked for.
fn sat_method(arguments: &ConvertArguments) -> Option<SatMethod> {
    match arguments.method? {
        BoundedMethod::Sat(method) if method != SatMethod::Induction => Some(method),
        _ => None,
    }
}

/// Refuses options that would be ignored, and asks for those that are needed.
fn demand_fitting(arguments: &ConvertArguments, target: Written) -> Result<(), Failure> {
    let refused = |message: &str, hint: &str| Err(Failure::with_hint(message, Some(hint.to_string())));
    if target == Written::Formula {
        if arguments.bound.is_none() {
            return refused("a formula needs a number of steps", "add '--bound 10', for instance");
        }
        if arguments.method.is_some() && sat_method(arguments).is_none() {
            return refused(
                "only methods by satisfiability have formulas",
                "one of sat-interleaving, sat-step, sat-chain",
            );
        }
        if arguments.drop_dead {
            return refused("'--drop-dead' changes a net, not a formula", "leave it out");
        }
        if arguments.drop_redundant {
            return refused("'--drop-redundant' changes a net, not a formula", "leave it out");
        }
    } else if arguments.bound.is_some() || arguments.method.is_some() || arguments.formula.is_some() {
        return refused(
            "'--bound', '--method' and '--formula' require '--to dimacs'",
            "say so, or leave them out",
        );
    }
    Ok(())
}

/// The format that was asked for: by name, or by the name of the file.
fn target(to: Option<ConvertTarget>, file: Option<&Path>) -> Result<Written, Failure> {
    let model = |target| Ok(Written::Model(target));
    match (to, file) {
        (Some(ConvertTarget::Ready(target)), _) => model(target),
        (Some(ConvertTarget::Dimacs), _) => Ok(Written::Formula),
        (None, None) => model(Target::Pnml),
        (None, Some(file)) => {
            let extension = file.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
            match extension.as_str() {
                "pnml" | "xml" => model(Target::Pnml),
                "ll_net" => model(Target::LlNet),
                "dot" | "gv" => model(Target::Dot),
                "gcl" => model(Target::Gcl),
                "cnet" => model(Target::Cnet),
                "cnf" | "dimacs" => Ok(Written::Formula),
                "ispl" => model(Target::Ispl),
                _ => Err(Failure::with_hint(
                    format!("the name '{}' does not determine the format", file.display()),
                    Some(format!("add --to pnml, or one of {}", ready_names())),
                )),
            }
        }
    }
}

fn ready_names() -> String {
    let name = |target: &ConvertTarget| match target {
        ConvertTarget::Ready(target) => target.name(),
        ConvertTarget::Dimacs => "dimacs",
    };
    let names: Vec<&str> = ConvertTarget::ALL.iter().map(name).collect();
    names.join(", ")
}

fn size_text(size: &ConvertedSize) -> String {
    let parts = match *size {
        ConvertedSize::Net { places, transitions, arcs } => {
            vec![(places, "place"), (transitions, "transition"), (arcs, "arc")]
        }
        ConvertedSize::Agents { agents, variables, formulas } => {
            vec![(agents, "agent"), (variables, "variable"), (formulas, "formula")]
        }
        ConvertedSize::Formula { variables, clauses } => vec![(variables, "variable"), (clauses, "clause")],
    };
    let parts: Vec<String> = parts.into_iter().map(|(count, noun)| counted(count, noun)).collect();
    parts.join(", ")
}

enum ConvertAnswer {
    Done { format: &'static str, file: Option<PathBuf>, report: ConvertReport },
    Unknown { model: String, unknown: Unknown, time: Duration },
}

impl ConvertAnswer {
    fn unknown(session: &Session, unknown: Unknown) -> ConvertAnswer {
        let model = session.model.clone().unwrap_or_default();
        ConvertAnswer::Unknown { model, unknown, time: session.elapsed() }
    }
}

impl Answer for ConvertAnswer {
    fn text(&self, detail: Detail) -> String {
        match self {
            ConvertAnswer::Done { file: None, report, .. } => report.text.to_string(),
            ConvertAnswer::Done { .. } if detail == Detail::Quiet => String::new(),
            ConvertAnswer::Done { format, file: Some(file), report } => format!(
                "wrote {BOLD}{}{BOLD:#} ({format}): {}\n",
                printable(&file.display().to_string()),
                size_text(&report.size),
            ),
            ConvertAnswer::Unknown { .. } if detail == Detail::Quiet => "unknown\n".to_string(),
            ConvertAnswer::Unknown { model, unknown, time } => {
                unknown_text(model, "convert", unknown, *time, detail == Detail::Verbose)
            }
        }
    }

    fn is_verbatim(&self) -> bool {
        matches!(self, ConvertAnswer::Done { file: None, .. })
    }

    fn body(&self) -> json::Body {
        match self {
            ConvertAnswer::Done { format, file, report } => {
                let file = file.as_ref().map(|file| file.display().to_string());
                json::Body::Convert(json::Convert::new(format, file, report))
            }
            ConvertAnswer::Unknown { .. } => json::Body::Nothing {},
        }
    }

    fn status(&self) -> Status<'_> {
        match self {
            ConvertAnswer::Done { .. } => Status::Ok,
            ConvertAnswer::Unknown { unknown, .. } => Status::Unknown(unknown),
        }
    }
}
