//! Knowledge compilation: a formula in conjunctive normal form as a sentential diagram.

use crate::deep_stack;
use crate::explore::choose_vtree::VtreePlan;
use crate::policy::sentential::{LARGEST_CACHE_BITS, LEVELS_PER_BIT};
use crate::sets::bdd::Reordering;
use crate::sets::sentential::shape::{VtreeChoice, VtreeShape};
use crate::sets::sentential::size::DiagramSize;
use num_bigint::BigUint;
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_dd_sentential::{Cnf, Limits, Minimisation, Sdd, Vtree};

/// A formula that was compiled.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// How many assignments of its variables make it true.
    pub models: BigUint,
    /// The decision nodes of its diagram, and their elements.
    pub size: DiagramSize,
    /// The most nodes that were stored at once.
    pub peak_nodes: usize,
    /// A deterministic measure of the work done.
    pub steps: u64,
    /// The vtree, as it is in the end.
    pub vtree: VtreePlan,
    /// The diagram as text.
    pub text: String,
}

/// Why a formula was not compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotCompiled {
    /// The budget ran out.
    Interrupted(Interrupted),
    /// The vtree is one of models, which have more than clauses.
    NoSuchVtree(VtreeShape),
    /// The vtree of a file has this many leaves.
    Leaves(usize),
}

impl From<Interrupted> for NotCompiled {
    fn from(why: Interrupted) -> NotCompiled {
        NotCompiled::Interrupted(why)
    }
}

/// The shapes of vtrees that clauses alone determine.
pub const SHAPES_OF_FORMULAS: [VtreeShape; 5] = [
    VtreeShape::MinFill,
    VtreeShape::RightLinear,
    VtreeShape::LeftLinear,
    VtreeShape::Balanced,
    VtreeShape::Vertical,
];

/// Compiles a formula.
pub fn compile_cnf(
    cnf: &Cnf,
    choice: &VtreeChoice,
    reordering: Reordering,
    budget: &Budget,
) -> Result<Compiled, NotCompiled> {
    let (vtree, name, why) = vtree_of(cnf, choice, budget)?;
    let levels = LEVELS_PER_BIT * vtree.variable_count();
    let compiled = deep_stack::run(levels, budget, || {
        let limits = Limits { largest_cache_bits: LARGEST_CACHE_BITS, ..Limits::default() };
        let mut sdd = Sdd::new(vtree, Meter::new(budget.clone()), limits)?;
        sdd.minimise_automatically((reordering == Reordering::Dynamic).then(Minimisation::default));
        let all = sdd.compile(cnf)?;
        sdd.minimise_automatically(None);
        if reordering != Reordering::Off {
            sdd.minimise_for(&[&all], Minimisation::THOROUGH)?;
        }
        budget.check()?;
        let variables: Vec<_> = cnf.variables().into_iter().take(cnf.variable_count as usize).collect();
        let (unsigned_nodes, unsigned_elements) = sdd.signed_size([&all]);
        let statistics = sdd.statistics();
        Ok(Compiled {
            models: sdd.count(&all, &variables),
            size: DiagramSize {
                nodes: sdd.node_count([&all]),
                elements: sdd.element_count([&all]),
                unsigned_nodes,
                unsigned_elements,
            },
            peak_nodes: statistics.peak_nodes,
            steps: statistics.steps,
            vtree: VtreePlan { name, why, text: sdd.vtree().to_text(), size: None },
            text: sdd.to_text(&all),
        })
    });
    Ok(compiled?)
}

fn vtree_of(
    cnf: &Cnf,
    choice: &VtreeChoice,
    budget: &Budget,
) -> Result<(Vtree, String, String), NotCompiled> {
    let variables = cnf.variables();
    let (shape, why) = match choice {
        VtreeChoice::Auto => (VtreeShape::MinFill, "clauses tie few variables together, mostly"),
        VtreeChoice::Named(shape) => (*shape, "as asked for"),
        VtreeChoice::Given(vtree) => {
            cnf.fits(vtree).map_err(|_| NotCompiled::Leaves(vtree.variable_count()))?;
            return Ok((Vtree::clone(vtree), "file".to_string(), "as asked for".to_string()));
        }
    };
    let vtree = match shape {
        VtreeShape::MinFill => cnf.min_fill_vtree(budget)?,
        VtreeShape::RightLinear => Vtree::right_linear(&variables),
        VtreeShape::LeftLinear => Vtree::left_linear(&variables),
        VtreeShape::Balanced => Vtree::balanced(&variables),
        VtreeShape::Vertical => Vtree::vertical(&variables),
        other => return Err(NotCompiled::NoSuchVtree(other)),
    };
    Ok((vtree, shape.name().to_string(), why.to_string()))
}
