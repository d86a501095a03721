//! `compile`: a formula in conjunctive normal form as a sentential diagram.

use super::prepare;
use super::states::unknown_text;
use crate::answer::{Answer, Detail};
use crate::arguments::{CompileArguments, GlobalOptions};
use crate::dashes::settle;
use crate::failure::Failure;
use crate::model_source;
use crate::numbers::{self, counted};
use crate::output_file::write_file;
use crate::session::Session;
use crate::table::{Table, printable};
use crate::watch::watch;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use symbolon_checker::{CompileReport, Diagram, DiagramKind, Stop, Unknown};
use symbolon_report as json;
use symbolon_report::Status;

/// Compiles a formula, and writes the diagram and its vtree where that is asked for.
pub(crate) fn compile(
    session: &Arc<Session>,
    global: &GlobalOptions,
    arguments: &CompileArguments,
) -> Result<Box<dyn Answer>, Failure> {
    if !matches!(global.diagram.0, Diagram::Auto | Diagram::Kind(DiagramKind::Sentential)) {
        let hint = "leave out '--diagram': formulas become sentential diagrams";
        return Err(Failure::with_hint(
            "'compile' makes sentential diagrams, and no others",
            Some(hint.to_string()),
        ));
    }
    let shared = Arc::clone(session);
    watch(session, move |unknown| Box::new(CompileAnswer::unknown(&shared, unknown)));
    let compiled = settle(compiled(session, global, arguments))?;
    let report = match compiled {
        Ok(report) => report,
        Err(unknown) => return Ok(Box::new(CompileAnswer::unknown(session, unknown))),
    };
    session.explain(&format!("vtree: {}: {}", report.vtree.name, report.vtree.reason));
    if let Some(file) = &global.save_vtree {
        write_file(file, &report.vtree.text)?;
    }
    if let Some(file) = &arguments.output {
        write_file(file, &report.text)?;
    }
    let formula = session.model.clone().unwrap_or_default();
    let file = arguments.output.clone();
    let time = session.elapsed();
    Ok(Box::new(CompileAnswer { formula, file, outcome: Ok(report), time }))
}

fn compiled(
    session: &Arc<Session>,
    global: &GlobalOptions,
    arguments: &CompileArguments,
) -> Result<CompileReport, Stop> {
    let options = prepare::options(session, global)?;
    let file = model_source::read_formulas(session, &arguments.formula)?;
    session.job.compile(&file.name, &file.bytes, &options)
}

struct CompileAnswer {
    formula: String,
    file: Option<PathBuf>,
    outcome: Result<CompileReport, Unknown>,
    time: Duration,
}

impl CompileAnswer {
    fn unknown(session: &Session, unknown: Unknown) -> CompileAnswer {
        let formula = session.model.clone().unwrap_or_default();
        CompileAnswer { formula, file: None, outcome: Err(unknown), time: session.elapsed() }
    }
}

impl Answer for CompileAnswer {
    fn text(&self, detail: Detail) -> String {
        let report = match &self.outcome {
            Ok(report) => report,
            Err(_) if detail == Detail::Quiet => return "unknown\n".to_string(),
            Err(unknown) => {
                let is_verbose = detail == Detail::Verbose;
                return unknown_text(&self.formula, "models", unknown, self.time, is_verbose);
            }
        };
        if detail == Detail::Quiet {
            return format!("{}\n", report.models);
        }
        let mut table = Table::default();
        table.row("formula", printable(&self.formula));
        table.row(
            "size",
            format!("{}, {}", counted(report.variables, "variable"), counted(report.clauses, "clause")),
        );
        table.row("models", numbers::readable(report.models.to_string(), detail == Detail::Verbose));
        let size = report.size;
        table.row(
            "diagram",
            format!(
                "{}, {}; without signs on edges {} and {}",
                counted(size.elements as u64, "element"),
                counted(size.nodes as u64, "node"),
                size.unsigned_elements,
                size.unsigned_nodes
            ),
        );
        table.row("vtree", printable(&report.vtree.name));
        if let Some(file) = &self.file {
            table.row("file", printable(&file.display().to_string()));
        }
        table.row("time", numbers::seconds(self.time));
        table.to_text()
    }

    fn body(&self) -> json::Body {
        match &self.outcome {
            Ok(report) => {
                let file = self.file.as_ref().map(|file| file.display().to_string());
                json::Body::Compile(Box::new(json::Compile::new(file, report)))
            }
            Err(_) => json::Body::Nothing {},
        }
    }

    fn status(&self) -> Status<'_> {
        match &self.outcome {
            Ok(_) => Status::Ok,
            Err(unknown) => Status::Unknown(unknown),
        }
    }
}
