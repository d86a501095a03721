//! Synchronous steps, and questions about agents, over any kind of state sets that follows
//! relations.
//!
//! A step is taken in **phases** over states that have room for actions: choices of actions, then
//! reactions, and with the last reaction that reads an action that action is forgotten. A reaction
//! must see the values from before the step; so a reaction that reads a variable comes before those
//! that write it, and reactions that read each other's variables react together. A choice is made
//! when it is first needed: before a reaction that reads the action, or that writes what the choice
//! reads.
//!
//! Backwards, each phase is taken back inside what the phases before it have made of the given set;
//! these *waypoints* are kept, because fixpoints ask again and again inside the same set.

use crate::components::components;
use crate::sets::core::StateSets;
use crate::sets::residual::Residuals;
use symbolon_budget::Interrupted;
use symbolon_model::{Choice, Event, EventId, Model, Part, Reaction, VariableId};

/// State sets that follow relations, which are known by their residuals.
pub(crate) trait Related: StateSets {
    /// What a relation leads to from `from`.
    fn follow(&mut self, relation: u32, from: &Self::Set) -> Result<Self::Set, Interrupted>;

    /// The states of `within` from which a relation leads into `target`.
    fn follow_back(
        &mut self,
        relation: u32,
        target: &Self::Set,
        within: &Self::Set,
    ) -> Result<Self::Set, Interrupted>;

    /// Where relations are made.
    fn with_residuals<T>(&mut self, make: impl FnOnce(&mut Residuals) -> T) -> T;

    /// What the last step backwards has kept.
    fn waypoints(&mut self) -> &mut Option<Waypoints<Self::Set>>;
}

/// What the phases of a step have made of a set, one after another; the set itself comes first.
pub(crate) struct Waypoints<S> {
    phases: Vec<u32>,
    sets: Vec<S>,
}

/// A synchronous step as relations.
#[derive(Clone, Debug)]
pub(crate) struct SynchronousStep {
    /// The event that it is.
    pub(crate) event: EventId,
    /// The relations to follow, one after another.
    pub(crate) phases: Vec<u32>,
    /// The same with all choices first, and with actions kept to the end: how many choices there
    /// are, and all phases but the last, in which actions are forgotten.
    choice_count: usize,
    keeping: Vec<u32>,
    actions: Vec<VariableId>,
}

impl SynchronousStep {
    /// The step that an event of a model is.
    pub(crate) fn new(
        model: &Model,
        id: EventId,
        residuals: &mut Residuals,
    ) -> Result<SynchronousStep, Interrupted> {
        let event = model.event(id);
        let mut keeping = Vec::new();
        for choice in choices(event) {
            keeping.push(residuals.choice(choice)?);
        }
        let choice_count = keeping.len();
        let together = reactions_together(model, event);
        for reactions in &together {
            keeping.push(residuals.reactions(reactions, &[])?);
        }
        let phases = phases(model, event, &together, residuals)?;
        let actions = choices(event).map(|choice| choice.action).collect();
        Ok(SynchronousStep { event: id, phases, choice_count, keeping, actions })
    }
}

fn choices(event: &Event) -> impl Iterator<Item = &Choice> {
    event.parts.iter().filter_map(|part| if let Part::Choice(choice) = part { Some(&**choice) } else { None })
}

fn reactions(event: &Event) -> impl Iterator<Item = &Reaction> {
    event
        .parts
        .iter()
        .filter_map(|part| if let Part::Reaction(reaction) = part { Some(&**reaction) } else { None })
}

/// The reactions of a step in an order in which they can be taken; those that read each other's
/// variables are one.
fn reactions_together<'e>(model: &Model, event: &'e Event) -> Vec<Vec<&'e Reaction>> {
    let all: Vec<&Reaction> = reactions(event).collect();
    let mut writers: Vec<Vec<usize>> = vec![Vec::new(); model.variables.len()];
    for (number, reaction) in all.iter().enumerate() {
        reaction.written().iter().for_each(|variable| writers[variable.index()].push(number));
    }
    // A reaction that writes what another one reads comes after it.
    let mut edges: Vec<(usize, usize)> = Vec::new();
    for (number, reaction) in all.iter().enumerate() {
        let read = reaction.variables().into_iter().filter_map(|variable| writers.get(variable.index()));
        let mut after: Vec<usize> = read.flatten().copied().filter(|&other| other != number).collect();
        after.sort_unstable();
        after.dedup();
        edges.extend(after.into_iter().map(|other| (number, other)));
    }
    // Components come after those that they lead to.
    components(all.len(), &edges)
        .into_iter()
        .rev()
        .map(|component| component.into_iter().map(|number| all[number]).collect())
        .collect()
}

/// The relations of a step, with choices as late and actions forgotten as early as can be.
fn phases(
    model: &Model,
    event: &Event,
    together: &[Vec<&Reaction>],
    residuals: &mut Residuals,
) -> Result<Vec<u32>, Interrupted> {
    let reads = |reaction: &&Reaction| reaction.variables();
    let mut last_reader = vec![None; model.actions.len()];
    for (number, reactions) in together.iter().enumerate() {
        for variable in reactions.iter().flat_map(reads) {
            if let Some(action) = variable.index().checked_sub(model.variables.len()) {
                last_reader[action] = Some(number);
            }
        }
    }
    let reader_of = |action: VariableId| last_reader[action.index() - model.variables.len()];
    let mut open: Vec<&Choice> = choices(event).collect();
    let mut phases = Vec::new();
    // An action that no reaction reads must still be there.
    for choice in open.extract_if(.., |choice| reader_of(choice.action).is_none()) {
        phases.push(residuals.choice(choice)?);
        phases.push(residuals.forget(&[choice.action])?);
    }
    for (number, reactions) in together.iter().enumerate() {
        let touched: Vec<VariableId> = reactions.iter().flat_map(reads).collect();
        let written: Vec<VariableId> = reactions.iter().flat_map(|reaction| reaction.written()).collect();
        let is_due = |choice: &Choice| {
            touched.contains(&choice.action)
                || choice.variables().iter().any(|variable| written.contains(variable))
        };
        for choice in open.extract_if(.., |choice| is_due(choice)) {
            phases.push(residuals.choice(choice)?);
        }
        let done: Vec<VariableId> = model.action_ids().filter(|&id| reader_of(id) == Some(number)).collect();
        phases.push(residuals.reactions(reactions, &done)?);
    }
    Ok(phases)
}

/// All successors of `from` in a step.
pub(crate) fn image<S: Related>(
    sets: &mut S,
    step: &SynchronousStep,
    from: &S::Set,
) -> Result<S::Set, Interrupted> {
    let mut current = from.clone();
    for &phase in &step.phases {
        if sets.is_empty(&current) {
            break;
        }
        current = sets.follow(phase, &current)?;
        sets.collect_if_due();
    }
    Ok(current)
}

/// The states of `within` from which a step leads into `target`; into anything, if there is no
/// target.
pub(crate) fn preimage<S: Related>(
    sets: &mut S,
    step: &SynchronousStep,
    target: Option<&S::Set>,
    within: &S::Set,
) -> Result<S::Set, Interrupted> {
    let waypoints = follow_all(sets, &step.phases, within)?;
    let last = &waypoints[step.phases.len()];
    let target = match target {
        Some(target) => sets.intersection(target, last)?,
        None => last.clone(),
    };
    back_to(sets, &step.phases, &waypoints, 0, target)
}

/// What phases make of a set, one after another.
fn follow_all<S: Related>(sets: &mut S, phases: &[u32], from: &S::Set) -> Result<Vec<S::Set>, Interrupted> {
    if let Some(known) = sets.waypoints()
        && known.phases == phases
        && known.sets.first() == Some(from)
    {
        return Ok(known.sets.clone());
    }
    *sets.waypoints() = None;
    let mut all = vec![from.clone()];
    for &phase in phases {
        let last = all.last().unwrap_or(from).clone();
        all.push(sets.follow(phase, &last)?);
        sets.collect_if_due();
    }
    *sets.waypoints() = Some(Waypoints { phases: phases.to_vec(), sets: all.clone() });
    Ok(all)
}

/// From `target`, behind the last phase, back to before the phase with the number `first`.
fn back_to<S: Related>(
    sets: &mut S,
    phases: &[u32],
    waypoints: &[S::Set],
    first: usize,
    target: S::Set,
) -> Result<S::Set, Interrupted> {
    let mut current = target;
    for number in (first..phases.len()).rev() {
        if sets.is_empty(&current) {
            break;
        }
        current = sets.follow_back(phases[number], &current, &waypoints[number])?;
        sets.collect_if_due();
    }
    Ok(current)
}

/// `from`, and what steps reach from it; `settle` closes a set under all other events.
pub(crate) fn saturate<S: Related>(
    sets: &mut S,
    steps: &[SynchronousStep],
    reached: &mut S::Set,
    mut settle: impl FnMut(&mut S, &S::Set) -> Result<S::Set, Interrupted>,
) -> Result<(), Interrupted> {
    *reached = settle(sets, reached)?;
    let mut frontier = reached.clone();
    loop {
        let mut grown = reached.clone();
        for step in steps {
            let found = image(sets, step, &frontier)?;
            grown = sets.union(&grown, &found)?;
        }
        if grown == *reached {
            return Ok(());
        }
        let grown = settle(sets, &grown)?;
        frontier = sets.difference(&grown, reached)?;
        *reached = grown;
        sets.collect_if_due();
    }
}

/// The states of `within` that agree with some state of `set` on `variables`: all others are made 0
/// in `set`, and found again in `within`.
pub(crate) fn same_observation<S: Related>(
    sets: &mut S,
    set: &S::Set,
    variables: &[VariableId],
    within: &S::Set,
    variable_count: usize,
) -> Result<S::Set, Interrupted> {
    let all = (0..variable_count as u32).map(VariableId);
    let hidden: Vec<VariableId> = all.filter(|variable| !variables.contains(variable)).collect();
    let hide = sets.with_residuals(|residuals| residuals.forget(&hidden))?;
    let seen = sets.follow(hide, set)?;
    sets.follow_back(hide, &seen, within)
}

/// The states of `within` in which those who own the actions `group` can see to it that the next
/// state lies in `target`. No agent chooses what other events than steps do.
pub(crate) fn can_force<S: Related>(
    sets: &mut S,
    steps: &[SynchronousStep],
    group: &[VariableId],
    target: &S::Set,
    within: &S::Set,
) -> Result<S::Set, Interrupted> {
    let mut forcing = match steps {
        [] => {
            let dead = sets.dead(within)?;
            sets.difference(within, &dead)?
        }
        [first, ..] => can_force_by(sets, first, group, target, within)?,
    };
    let is_first = |event: EventId| steps.first().is_some_and(|step| step.event == event);
    for event in sets.events_for_chaining().into_iter().filter(|&event| !is_first(event)) {
        let successors = sets.image(event, &forcing)?;
        let elsewhere = sets.difference(&successors, target)?;
        let may_miss = sets.preimage(event, &elsewhere, &forcing)?;
        forcing = sets.difference(&forcing, &may_miss)?;
        sets.collect_if_due();
    }
    Ok(forcing)
}

/// The same for one step, and nothing else.
fn can_force_by<S: Related>(
    sets: &mut S,
    step: &SynchronousStep,
    group: &[VariableId],
    target: &S::Set,
    within: &S::Set,
) -> Result<S::Set, Interrupted> {
    let others: Vec<VariableId> =
        step.actions.iter().copied().filter(|action| !group.contains(action)).collect();
    let (forget_others, forget_all) = sets.with_residuals(|residuals| {
        Ok::<_, Interrupted>((residuals.forget(&others)?, residuals.forget(&step.actions)?))
    })?;
    let mut phases = step.keeping.clone();
    phases.push(forget_all);
    let waypoints = follow_all(sets, &phases, within)?;

    // Pairs of a state and a joint action: those that lead anywhere, and those that may lead
    // elsewhere.
    let successors = waypoints[phases.len()].clone();
    let elsewhere = sets.difference(&successors, target)?;
    let may_miss = back_to(sets, &phases, &waypoints, step.choice_count, elsewhere)?;
    let leads_on = back_to(sets, &phases, &waypoints, step.choice_count, successors)?;

    // What the others do is not for the group to say.
    let may_miss = sets.follow(forget_others, &may_miss)?;
    let leads_on = sets.follow(forget_others, &leads_on)?;
    let forcing = sets.difference(&leads_on, &may_miss)?;
    sets.follow(forget_all, &forcing)
}
