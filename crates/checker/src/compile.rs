//! `compile`: a formula in conjunctive normal form as a sentential diagram.

use crate::error::{Error, InputError};
use crate::options::{Options, ReorderChoice};
use crate::report::VtreeReport;
use crate::stop::Stop;
use crate::vtrees::vtree_choice;
use num_bigint::BigUint;
use symbolon_budget::Budget;
use symbolon_engine::{
    Cnf, DiagramSize, NotCompiled, Reordering, SHAPES_OF_FORMULAS, VtreeShape, compile_cnf,
};

/// The answer of `compile`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileReport {
    /// Variables of the formula.
    pub variables: u64,
    /// Its clauses.
    pub clauses: u64,
    /// How many assignments make it true.
    pub models: BigUint,
    /// How large its diagram is.
    pub size: DiagramSize,
    /// The most nodes that were stored at once.
    pub nodes_peak: u64,
    /// A deterministic measure of the work done.
    pub steps: u64,
    /// The vtree, as it is in the end.
    pub vtree: VtreeReport,
    /// The diagram as text.
    pub text: String,
}

/// Compiles the formula of a DIMACS text; `name` is what messages call it.
pub(crate) fn compile(
    name: &str,
    bytes: &[u8],
    options: &Options,
    budget: &Budget,
) -> Result<CompileReport, Stop> {
    let in_file = |line: Option<u32>, what: String| -> Stop {
        let error = InputError { file: Some(name.to_string()), line, ..InputError::plain(what) };
        Error::Input(vec![error]).into()
    };
    let text = std::str::from_utf8(bytes)
        .map_err(|_| in_file(None, "this is no text; a formula in DIMACS format was expected".to_string()))?;
    let cnf = Cnf::from_dimacs(text).map_err(|error| in_file(error.line, error.what))?;
    let reordering = match options.reorder {
        ReorderChoice::Off => Reordering::Off,
        ReorderChoice::Result => Reordering::Result,
        ReorderChoice::Dynamic => Reordering::Dynamic,
    };
    let compiled = compile_cnf(&cnf, &vtree_choice(&options.vtree)?, reordering, budget).map_err(|why| {
        let refused = |message: String, hint: String| InputError::plain(message).with_hint(&hint).into();
        match why {
            NotCompiled::Interrupted(why) => Stop::from(why),
            NotCompiled::NoSuchVtree(shape) => {
                let names: Vec<&str> = SHAPES_OF_FORMULAS.into_iter().map(VtreeShape::name).collect();
                refused(
                    format!("the vtree '{}' is made of what models have and formulas do not", shape.name()),
                    format!("vtrees of formulas: auto, {}", names.join(", ")),
                )
            }
            NotCompiled::Leaves(leaves) => refused(
                format!(
                    "the vtree has {leaves} leaves, but the formula has {} variables",
                    cnf.variable_count
                ),
                "a vtree has one leaf for each variable, also for those that occur in no clause".to_string(),
            ),
        }
    })?;
    Ok(CompileReport {
        variables: u64::from(cnf.variable_count),
        clauses: cnf.clauses.len() as u64,
        models: compiled.models,
        size: compiled.size,
        nodes_peak: compiled.peak_nodes as u64,
        steps: compiled.steps,
        vtree: VtreeReport {
            name: compiled.vtree.name,
            reason: compiled.vtree.why,
            text: compiled.vtree.text,
            size: Some(compiled.size),
        },
        text: compiled.text,
    })
}
