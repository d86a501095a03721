//! Synchronous steps as partitioned relations.
//!
//! Each choice and each reaction is one conjunct over bits of the state, of actions, and primed
//! bits of what it writes; what no reaction writes stays as it is. The conjuncts are clustered, and
//! actions are taken out of the relation where that keeps it small ([`Partition`]). For questions
//! of strategy the actions of the group in question are kept.
//!
//! Forwards a step is taken from states that are reachable anyway. Backwards it is asked about a
//! universe of states, once that is known, and then by a relation that need only be right between
//! its states.

use super::arithmetic::Formulas;
use super::bits::Bits;
use crate::policy::boolean::{CLUSTER_NODES, INNER_CLUSTER_NODES};
use crate::sets::core::capabilities::RelationSize;
use rustc_hash::FxHashMap;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Functions, Partition, Relation, Root, Variable};
use symbolon_model::{Choice, Event, EventId, Model, Part, Reaction, VariableId};

/// A synchronous step.
pub(crate) struct Step<F: Functions> {
    /// The event that it is.
    pub(crate) event: EventId,
    conjuncts: Vec<Root>,
    partition: Partition<F>,
    /// The relation with the actions of a group kept, by group; between states of the universe, if
    /// there is one.
    keeping: FxHashMap<Vec<VariableId>, Partition<F>>,
    /// Whose action bits there are.
    actions: Vec<VariableId>,
    /// States that the step never leaves, once they are known.
    universe: Option<Root>,
    /// The relation between states of the universe, once it was needed.
    inner: Option<Partition<F>>,
}

/// A relation, and the states that it is right for.
struct Within<'a, F: Functions> {
    relation: &'a Partition<F>,
    universe: Option<&'a Root>,
}

impl<F: Functions> Within<'_, F> {
    /// The states of `within` from which a step leads into `target`.
    fn preimage(&self, kernel: &mut F, target: &Root, within: &Root) -> Result<Root, Interrupted> {
        let before = match self.universe {
            Some(universe) => {
                let target = kernel.and(target, universe)?;
                self.relation.preimage(kernel, &target)?
            }
            None => self.relation.preimage(kernel, target)?,
        };
        kernel.and(&before, within)
    }
}

impl<F: Functions> Step<F> {
    /// How large the relation is that images go through.
    pub(crate) fn relation_size(&self) -> RelationSize {
        RelationSize { conjuncts: self.conjuncts.len(), clusters: self.partition.clusters().len() }
    }

    /// The step that an event is.
    pub(crate) fn new(
        kernel: &mut F,
        bits: &Bits,
        model: &Model,
        id: EventId,
        event: &Event,
    ) -> Result<Step<F>, Interrupted> {
        let mut formulas = Formulas { kernel, bits };
        let mut conjuncts = Vec::new();
        let mut actions = Vec::new();
        let mut is_written = vec![false; model.variables.len()];
        for part in &event.parts {
            match part {
                Part::Choice(choice) => {
                    conjuncts.push(formulas.choice(choice)?);
                    actions.push(choice.action);
                }
                Part::Reaction(reaction) => {
                    conjuncts.push(formulas.reaction(model, reaction)?);
                    reaction.written().iter().for_each(|variable| is_written[variable.index()] = true);
                }
                Part::Local { .. } | Part::General { .. } => {}
            }
        }
        for variable in model.variable_ids().filter(|variable| !is_written[variable.index()]) {
            conjuncts.push(formulas.unchanged(variable)?);
        }
        actions.sort_unstable();
        let partition = partition(kernel, bits, &conjuncts, &actions)?;
        Ok(Step {
            event: id,
            conjuncts,
            partition,
            keeping: FxHashMap::default(),
            actions,
            universe: None,
            inner: None,
        })
    }

    /// From now on, questions about states of `universe` are answered by a relation between its
    /// states. The step leads from none of them to another state.
    pub(crate) fn restrict_to(&mut self, universe: &Root) {
        if self.universe.as_ref() != Some(universe) {
            self.universe = Some(universe.clone());
            self.inner = None;
            self.keeping.clear();
        }
    }

    /// All successors of `from`.
    pub(crate) fn image(&self, kernel: &mut F, from: &Root) -> Result<Root, Interrupted> {
        self.partition.image(kernel, from)
    }

    /// The states of `within` from which the step leads into `target`.
    pub(crate) fn preimage(
        &mut self,
        kernel: &mut F,
        target: &Root,
        within: &Root,
    ) -> Result<Root, Interrupted> {
        if let Some(universe) = &self.universe
            && is_inside(kernel, within, universe)?
        {
            if self.inner.is_none() {
                self.inner = Some(self.partition.simplified(kernel, universe, INNER_CLUSTER_NODES)?);
            }
            let relation = self.inner.as_ref().expect("just made");
            return Within { relation, universe: Some(universe) }.preimage(kernel, target, within);
        }
        Within { relation: &self.partition, universe: None }.preimage(kernel, target, within)
    }

    /// The states of `within` from which the step leads to the state that these literals of primed
    /// bits are.
    pub(crate) fn preimage_of_state(
        &self,
        kernel: &mut F,
        after: &[(Variable, bool)],
        within: &Root,
    ) -> Result<Root, Interrupted> {
        let after = kernel.cube(after)?;
        self.partition.preimage_within(kernel, within, &after)
    }

    /// The states of `within` from which the step leads anywhere.
    pub(crate) fn enabled(&mut self, kernel: &mut F, within: &Root) -> Result<Root, Interrupted> {
        let anything = kernel.constant(true);
        self.preimage(kernel, &anything, within)
    }

    /// The states in which those who choose the actions `group` can see to it that the step leads
    /// into `target`.
    pub(crate) fn can_force(
        &mut self,
        kernel: &mut F,
        bits: &Bits,
        group: &[VariableId],
        target: &Root,
        within: &Root,
    ) -> Result<Root, Interrupted> {
        let mut kept: Vec<VariableId> = group.to_vec();
        kept.retain(|action| self.actions.contains(action));
        if let Some(universe) = &self.universe
            && !is_inside(kernel, within, universe)?
        {
            // A question about other states.
            self.universe = None;
            self.inner = None;
            self.keeping.clear();
        }
        let universe = self.universe.as_ref();
        kept.sort_unstable();
        kept.dedup();
        if !self.keeping.contains_key(&kept) {
            let others: Vec<VariableId> =
                self.actions.iter().copied().filter(|action| !kept.contains(action)).collect();
            let mut relation = partition(kernel, bits, &self.conjuncts, &others)?;
            if let Some(universe) = universe {
                relation = relation.simplified(kernel, universe, INNER_CLUSTER_NODES)?;
            }
            self.keeping.insert(kept.clone(), relation);
        }
        let relation = Within { relation: &self.keeping[&kept], universe };
        // Pairs of a state and the group's actions: those that lead to the target, and those that
        // may lead elsewhere.
        let elsewhere = kernel.not(target);
        let misses = relation.preimage(kernel, &elsewhere, within)?;
        let reaches = relation.preimage(kernel, target, within)?;
        let forces = kernel.minus(&reaches, &misses)?;
        let own: Vec<Variable> = kept.iter().flat_map(|&action| bits.of(action).iter().copied()).collect();
        let own = kernel.known_set(&own);
        kernel.exists(&forces, own)
    }
}

/// Whether all states of `a` are states of `b`.
fn is_inside<F: Functions>(kernel: &mut F, a: &Root, b: &Root) -> Result<bool, Interrupted> {
    Ok(a == b || kernel.minus(a, b)?.node().is_empty())
}

/// A relation in which these actions are quantified away.
fn partition<F: Functions>(
    kernel: &mut F,
    bits: &Bits,
    conjuncts: &[Root],
    actions: &[VariableId],
) -> Result<Partition<F>, Interrupted> {
    let twins: Vec<(Variable, Variable)> =
        bits.variables().flat_map(|variable| bits.pairs(variable).collect::<Vec<_>>()).collect();
    let choices: Vec<Variable> = actions.iter().flat_map(|&action| bits.of(action).iter().copied()).collect();
    let relation =
        Relation { parts: conjuncts, twins: &twins, choices: &choices, cluster_nodes: CLUSTER_NODES };
    Partition::new(kernel, &relation)
}

impl<F: Functions> Formulas<'_, F> {
    /// The states and actions that a choice allows.
    fn choice(&mut self, choice: &Choice) -> Result<Root, Interrupted> {
        let mut allowed = Vec::new();
        let mut conditions = Vec::new();
        for (condition, actions) in &choice.offers {
            let condition = self.holds(condition)?;
            let offered = self.one_of(choice.action, actions)?;
            allowed.push(self.kernel.and(&condition, &offered)?);
            conditions.push(condition);
        }
        let some = self.any(conditions)?;
        let otherwise = self.one_of(choice.action, &choice.otherwise)?;
        allowed.push(self.kernel.minus(&otherwise, &some)?);
        self.any(allowed)
    }

    fn one_of(&mut self, action: VariableId, values: &[u64]) -> Result<Root, Interrupted> {
        let bits = self.bits.of(action);
        let mut all = Vec::with_capacity(values.len());
        for &value in values {
            let literals: Vec<(Variable, bool)> =
                bits.iter().enumerate().map(|(place, &bit)| (bit, value >> place & 1 == 1)).collect();
            all.push(self.kernel.cube(&literals)?);
        }
        self.any(all)
    }

    /// The states, actions and next values that a reaction allows.
    fn reaction(&mut self, model: &Model, reaction: &Reaction) -> Result<Root, Interrupted> {
        let written = reaction.written();
        let mut unchanged = FxHashMap::default();
        for &variable in &written {
            unchanged.insert(variable, self.unchanged(variable)?);
        }
        let mut allowed = Vec::new();
        let mut guards = Vec::new();
        for line in &reaction.lines {
            let guard = self.holds(&line.guard)?;
            let mut effect = vec![guard.clone()];
            guards.push(guard);
            for (place, (variable, expr)) in line.updates.iter().enumerate() {
                let number = self.number(expr)?;
                // Of several assignments to one variable the last counts, but all must have a
                // value.
                let is_last = line.updates[place + 1..].iter().all(|(other, _)| other != variable);
                if is_last {
                    effect.push(self.is_held(&number, self.bits.primed(*variable))?);
                } else {
                    let negative = self.is_negative(&number);
                    effect.push(self.kernel.not(&negative));
                }
                effect.push(number.defined.clone());
                if let Some(count) = model.values_of(*variable).count() {
                    let exceeds = self.exceeds(&number, count.saturating_sub(1))?;
                    effect.push(self.kernel.not(&exceeds));
                }
            }
            let is_kept =
                |variable: &&VariableId| line.updates.iter().all(|(written, _)| written != *variable);
            effect.extend(written.iter().filter(is_kept).map(|variable| unchanged[variable].clone()));
            allowed.push(self.all(effect)?);
        }
        let some = self.any(guards)?;
        let none = self.kernel.not(&some);
        let mut nothing: Vec<Root> = written.iter().map(|variable| unchanged[variable].clone()).collect();
        nothing.push(none);
        allowed.push(self.all(nothing)?);
        self.any(allowed)
    }

    /// A variable keeps its value.
    fn unchanged(&mut self, variable: VariableId) -> Result<Root, Interrupted> {
        let mut same = Vec::new();
        for (bit, twin) in self.bits.pairs(variable).collect::<Vec<_>>() {
            let (bit, twin) = (self.kernel.variable(bit)?, self.kernel.variable(twin)?);
            same.push(self.kernel.iff(&bit, &twin)?);
        }
        self.all(same)
    }
}
