//! The hierarchy of components that set diagrams would have, or had, for reports.

use crate::ask::{explore_options, on_deep_stack};
use crate::loaded::Loaded;
use crate::options::Options;
use crate::report::HierarchyReport;
use crate::stop::Stop;
use symbolon_budget::Budget;
use symbolon_engine::{HierarchyPlan, Plan, hierarchy, plan_hierarchy};

/// The order and the hierarchy that set diagrams would have.
pub(crate) fn planned_hierarchy(
    loaded: &Loaded,
    options: &Options,
    budget: &Budget,
) -> Result<(Plan, HierarchyPlan), Stop> {
    let wish = explore_options(loaded, options)?;
    let plan = || plan_hierarchy(&loaded.model, &wish, budget);
    Ok(on_deep_stack(loaded, budget, plan, Ok)?)
}

/// The hierarchy that set diagrams would have, for reports: as asked for, or what `auto` would
/// choose.
pub(crate) fn hierarchy_plan(
    loaded: &Loaded,
    options: &Options,
    budget: &Budget,
) -> Result<HierarchyReport, Stop> {
    let (plan, hierarchy) = planned_hierarchy(loaded, options, budget)?;
    Ok(hierarchy_report(loaded, &plan, &hierarchy))
}

/// A hierarchy with its text.
pub(crate) fn hierarchy_report(loaded: &Loaded, plan: &Plan, chosen: &HierarchyPlan) -> HierarchyReport {
    let text = hierarchy::save(&loaded.model, &plan.blocks, &chosen.tree);
    HierarchyReport { text, ..hierarchy_summary(chosen) }
}

/// A hierarchy without its text, which is long for a large model.
pub(crate) fn hierarchy_summary(chosen: &HierarchyPlan) -> HierarchyReport {
    let (components, depth) = chosen.tree.size();
    HierarchyReport {
        name: chosen.name.clone(),
        reason: chosen.why.clone(),
        text: String::new(),
        components: components as u64,
        depth: depth as u64,
    }
}
