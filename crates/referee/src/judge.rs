//! Whether a run shows a verdict, and whether it is as short as it says.
//!
//! `E f` is shown by a lasso that satisfies `f`, or by the beginning of a path after which nothing
//! can go wrong: every path that begins like this satisfies `f`, and there is one. `A f` is refuted
//! by what shows `E !f`.
//!
//! A run is *shortest* if no shorter one settles everything that the formula demands of a path,
//! from any initial state.

mod fair_play;

use crate::check::{Checker, Semantics, Sight};
use crate::formula::{Formula, Knowledge};
use crate::paths::{PathFormula, Paths};
use crate::witness::{Branch, Link, Row, Run, Table};
use std::collections::{BTreeMap, BTreeSet};

/// What was found out about a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// Whether a claim to be shortest was compared.
    pub is_shortest_checked: bool,
}

/// A path formula that a run satisfies: the formula, or its negation.
type Shown<'f> = (&'f Formula, bool);

/// Judges a run that is shown for a verdict.
pub fn judge(checker: &Checker<'_>, formula: &Formula, holds: bool, run: &Run) -> Result<Judgement, String> {
    let judge = Judge { checker };
    let start = judge.number(&run.states[0])?;
    let label = checker.label(formula)?;
    if label[start] != holds {
        return Err("the formula has another truth value where the run begins".to_string());
    }
    if !checker.initial().contains(&start) {
        return Err("no fair path starts where the run begins".to_string());
    }
    let mut shown = Vec::new();
    if !judge.shows(run, formula, holds, &mut shown)? {
        return Err("the run does not show the verdict".to_string());
    }
    judge.branches(run, formula)?;
    judge.strategies(run, formula)?;
    // No run is shorter than one without steps.
    let mut judgement = Judgement { is_shortest_checked: run.is_shortest && run.length() == 0 };
    if run.is_shortest && run.length() > 0 && run.loop_start.is_none() && !shown.is_empty() {
        let mut least = None;
        // A run must not end where no path goes on, unless a state that is reached counts anyway.
        let goes_on = match checker.semantics {
            Semantics::Steps => vec![true; label.len()],
            _ => checker.some_path(&Formula::Constant(true), false)?,
        };
        // Where another run must exist in turn, the run may go on with that one, and what is
        // shortest is not clear; the other parts alone say nothing about a run that shows this one.
        if shown.iter().any(|(path, is_negated)| asks_for_runs(path, !is_negated)) {
            shown.clear();
        }
        for &(path, is_negated) in &shown {
            // The run may begin wherever the same could be shown.
            let reason = checker.some_path(path, is_negated)?;
            let starts: Vec<usize> =
                checker.initial().into_iter().filter(|&one| label[one] == holds && reason[one]).collect();
            let length =
                checker.path_formula(path, is_negated)?.least_steps(&checker.paths, &starts, &goes_on);
            least = least.max(length);
        }
        if least.is_some_and(|least| least < run.length()) {
            let least = least.unwrap_or_default();
            return Err(format!(
                "the run has {} steps and is said to be shortest, but {least} are enough",
                run.length()
            ));
        }
        judgement.is_shortest_checked = !shown.is_empty();
    }
    Ok(judgement)
}

/// Whether a formula speaks about one state alone.
fn is_plain(formula: &Formula) -> bool {
    !formula.any(&|part| part.is_temporal() || part.is_quantifier() || matches!(part, Formula::Knows(..)))
}

/// Whether a formula that is to be true, or false, says somewhere that a path exists.
fn asks_for_runs(formula: &Formula, truth: bool) -> bool {
    match formula {
        Formula::Not(f) => asks_for_runs(f, !truth),
        Formula::Implies(f, g) => asks_for_runs(f, !truth) || asks_for_runs(g, truth),
        Formula::Same(f, g) => [f, g].iter().any(|f| asks_for_runs(f, true) || asks_for_runs(f, false)),
        Formula::Exists(f) => truth || asks_for_runs(f, truth),
        Formula::All(f) => !truth || asks_for_runs(f, truth),
        Formula::Knows(..) | Formula::Forces(..) => true,
        other => other.operands().into_iter().any(|operand| asks_for_runs(operand, truth)),
    }
}

struct Judge<'c, 'g> {
    checker: &'c Checker<'g>,
}

impl Judge<'_, '_> {
    fn number(&self, state: &[i128]) -> Result<usize, String> {
        self.checker.graph.number(state).ok_or_else(|| "a state that cannot be reached".to_string())
    }

    fn numbers(&self, run: &Run) -> Result<Vec<usize>, String> {
        run.states.iter().map(|state| self.number(state)).collect()
    }

    /// Whether the run shows that the formula is true, or false, where it begins. What its path
    /// shows goes to `shown`.
    fn shows<'f>(
        &self,
        run: &Run,
        formula: &'f Formula,
        truth: bool,
        shown: &mut Vec<Shown<'f>>,
    ) -> Result<bool, String> {
        let start = self.number(&run.states[0])?;
        if self.checker.label(formula)?[start] != truth {
            return Ok(false);
        }
        match formula {
            plain if is_plain(plain) => Ok(true),
            path if path.is_path() => Ok(!truth && self.walks(run, path, true, shown)?),
            Formula::Not(f) => self.shows(run, f, !truth, shown),
            Formula::Exists(f) | Formula::All(f) if !f.is_path() => {
                let is_exists = matches!(formula, Formula::Exists(_));
                let is_path = is_exists == truth && self.walks(run, f, !is_exists, shown)?;
                Ok(is_path || self.shows(run, f, truth, shown)?)
            }
            Formula::And(f, g) => self.shows_parts(run, [(f, truth), (g, truth)], !truth, shown),
            Formula::Or(f, g) => self.shows_parts(run, [(f, truth), (g, truth)], truth, shown),
            Formula::Implies(f, g) => self.shows_parts(run, [(f, !truth), (g, truth)], truth, shown),
            Formula::Same(f, g) => {
                let label = |f: &Formula| Ok::<_, String>(self.checker.label(f)?[start]);
                self.shows_parts(run, [(f, label(f)?), (g, label(g)?)], false, shown)
            }
            Formula::Exists(path) if truth => Ok(self.walks(run, path, false, shown)?
                || self.branch_at_start(run, formula)?
                || self.strategy_suffices(run, path, false, shown)?),
            Formula::All(path) if !truth => Ok(self.walks(run, path, true, shown)?
                || self.branch_at_start(run, formula)?
                || self.strategy_suffices(run, path, true, shown)?),
            Formula::Knows(kind, who, f) if !truth => {
                let here = run.branches.iter().filter(|branch| branch.position == 0);
                // What is false is not known; correct behaviour is judged by states that are
                // green.
                let members = self.checker.graph.model.agents().members(who)?;
                let is_red = |&member: &usize| self.checker.graph.model.is_red(member, &run.states[0]);
                let counts = *kind != Knowledge::Correct || !members.iter().any(is_red);
                let mut any = counts && !self.checker.label(f)?[start];
                for branch in here {
                    any |= self.doubts(branch, *kind, who, f)?;
                }
                Ok(any)
            }
            Formula::Forces(group, path) if !truth => match &run.strategy {
                Some(table) => Ok(self.prevents(start, table, group, path).is_ok()),
                None => Ok(self.branch_at_start(run, formula)? || self.shows_below(run, path, shown)?),
            },
            Formula::Forces(group, path) => match &run.strategy {
                // The strategy may be one for another part of the formula (`strategies`).
                Some(table) => Ok(self.wins(start, table, group, path).is_ok()),
                None => self.branch_at_start(run, formula),
            },
            // No run shows that all paths are like this. But what stands below may be all that
            // matters: `A[false W EX p]` is `EX p`.
            Formula::All(path) | Formula::Exists(path) => self.shows_below(run, path, shown),
            Formula::Knows(_, _, f) => self.shows_below(run, f, shown),
            _ => Ok(false),
        }
    }

    /// Whether the run shows that operands have these truth values: one of them if that is enough,
    /// or both. Where both are needed, a run is a reason for at least one of them, unless it has no
    /// steps at all.
    fn shows_parts<'f>(
        &self,
        run: &Run,
        parts: [(&'f Formula, bool); 2],
        one_is_enough: bool,
        shown: &mut Vec<Shown<'f>>,
    ) -> Result<bool, String> {
        let mut any = false;
        for (part, truth) in parts {
            let counts = one_is_enough || !is_plain(part);
            any |= self.shows(run, part, truth, shown)? && counts;
        }
        Ok(any || !one_is_enough && run.length() == 0)
    }

    /// Whether the run shows some quantified formula that stands below, where it begins. Which of
    /// them matters is not said, so all that it shows go to `shown`.
    fn shows_below<'f>(
        &self,
        run: &Run,
        formula: &'f Formula,
        shown: &mut Vec<Shown<'f>>,
    ) -> Result<bool, String> {
        let start = self.number(&run.states[0])?;
        let is_quantified = formula.is_quantifier() || matches!(formula, Formula::Knows(..));
        let mut any =
            is_quantified && self.shows(run, formula, self.checker.label(formula)?[start], shown)?;
        for operand in formula.operands() {
            any |= self.shows_below(run, operand, shown)?;
        }
        Ok(any)
    }

    /// Whether a branch that begins where the run begins shows the formula.
    fn branch_at_start(&self, run: &Run, formula: &Formula) -> Result<bool, String> {
        for branch in run.branches.iter().filter(|one| one.position == 0 && one.link == Link::Begins) {
            let start = self.number(&branch.run.states[0])?;
            let truth = self.checker.label(formula)?[start];
            if self.shows(&branch.run, formula, truth, &mut Vec::new())? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the first state alone settles the path formula, or its negation, and a strategy shows
    /// what matters there: `E[false U <g> F p]` is `<g> F p`.
    fn strategy_suffices<'f>(
        &self,
        run: &Run,
        path: &'f Formula,
        is_negated: bool,
        shown: &mut Vec<Shown<'f>>,
    ) -> Result<bool, String> {
        let start = self.number(&run.states[0])?;
        Ok(run.strategy.is_some()
            && self.beginning_suffices(&[start], path, is_negated)?
            && self.shows_below(run, path, shown)?)
    }

    /// Whether the run is, or begins, a path that satisfies the path formula or its negation.
    fn walks<'f>(
        &self,
        run: &Run,
        path: &'f Formula,
        is_negated: bool,
        shown: &mut Vec<Shown<'f>>,
    ) -> Result<bool, String> {
        if run.strategy.is_some() {
            return Ok(false);
        }
        let numbers = self.numbers(run)?;
        let found = match run.loop_start {
            Some(start) => self.lasso_satisfies(&numbers, start, path, is_negated)?,
            None => false,
        };
        let found = found || self.beginning_suffices(&numbers, path, is_negated)?;
        if found {
            shown.push((path, is_negated));
        }
        Ok(found)
    }

    /// Whether the one path that a lasso is satisfies the formula.
    fn lasso_satisfies(
        &self,
        states: &[usize],
        loop_start: usize,
        path: &Formula,
        is_negated: bool,
    ) -> Result<bool, String> {
        // The last state is the one where the loop begins, so positions are those before it.
        let count = states.len() - 1;
        let next = (0..count).map(|at| vec![if at + 1 == count { loop_start } else { at + 1 }]).collect();
        let at_positions =
            |label: Vec<bool>| -> Vec<bool> { states[..count].iter().map(|&state| label[state]).collect() };
        let mut paths = Paths::infinite(next);
        paths.fair = self.checker.paths.fair.iter().cloned().map(at_positions).collect();
        let label = &mut |formula: &Formula| Ok(at_positions(self.checker.label(formula)?));
        Ok(PathFormula::new(path, is_negated, label)?.exists(&paths)?[0])
    }

    /// Whether every path that begins like this satisfies the formula, and there is one.
    fn beginning_suffices(&self, states: &[usize], path: &Formula, is_negated: bool) -> Result<bool, String> {
        let checker = self.checker;
        if checker.semantics == Semantics::Steps && self.settled_by_steps(states, path, is_negated)? {
            return Ok(true);
        }
        let goes_on = checker.path_formula(&Formula::Constant(true), false)?;
        let opposite = checker.path_formula(path, !is_negated)?;
        Ok(goes_on.exists_after(&checker.paths, states)? && !opposite.exists_after(&checker.paths, states)?)
    }

    /// Whether a beginning settles the formula without regard to how the path goes on: it may end
    /// anywhere.
    fn settled_by_steps(&self, states: &[usize], path: &Formula, is_negated: bool) -> Result<bool, String> {
        // What must hold for ever is not shown by steps to a dead state.
        let formula = self.checker.path_formula(path, is_negated)?;
        Ok(formula.settles(states))
    }

    /// Every branch must be a reason for something that the formula says.
    fn branches(&self, run: &Run, formula: &Formula) -> Result<(), String> {
        for branch in &run.branches {
            let mut any = false;
            let mut waiting = vec![formula];
            while let Some(part) = waiting.pop().filter(|_| !any) {
                waiting.extend(part.operands());
                any = match (part, &branch.link) {
                    (Formula::Knows(kind, who, f), Link::Alike(_) | Link::Correct(_)) => {
                        self.doubts(branch, *kind, who, f)?
                    }
                    (_, Link::Begins) if !part.is_path() => {
                        let start = self.number(&branch.run.states[0])?;
                        let truth = self.checker.label(part)?[start];
                        self.shows(&branch.run, part, truth, &mut Vec::new())?
                    }
                    _ => false,
                };
            }
            if !any {
                return Err(format!(
                    "the branch at step {} shows nothing that the formula says",
                    branch.position
                ));
            }
            self.branches(&branch.run, formula)?;
        }
        Ok(())
    }

    /// Every strategy, here and in the branches, must win what the formula says that its group can
    /// force.
    fn strategies(&self, run: &Run, formula: &Formula) -> Result<(), String> {
        if let Some(table) = &run.strategy {
            let start = self.number(&run.states[0])?;
            let mut complaint = Some("a strategy for a formula without any".to_string());
            let mut waiting = vec![formula];
            while let Some(part) = waiting.pop().filter(|_| complaint.is_some()) {
                waiting.extend(part.operands());
                if let Formula::Forces(group, path) = part {
                    complaint = match self.checker.label(part)?[start] {
                        true => self.wins(start, table, group, path).err(),
                        false => self.prevents(start, table, group, path).err(),
                    };
                }
            }
            if let Some(complaint) = complaint {
                return Err(complaint);
            }
        }
        run.branches.iter().try_for_each(|branch| self.strategies(&branch.run, formula))
    }

    /// Whether a branch leads to a state that refutes knowledge of `f`.
    fn doubts(&self, branch: &Branch, kind: Knowledge, who: &str, f: &Formula) -> Result<bool, String> {
        let agents = self.checker.graph.model.agents();
        let members: BTreeSet<usize> = agents.members(who)?.into_iter().collect();
        let (names, is_alike) = match &branch.link {
            Link::Alike(names) => (names, true),
            Link::Correct(names) => (names, false),
            Link::Begins => return Ok(false),
        };
        let named: BTreeSet<usize> = names
            .iter()
            .filter_map(|name| agents.list.iter().position(|agent| agent.name == *name))
            .collect();
        let is_fit = match kind {
            Knowledge::Correct => !is_alike && named == members,
            Knowledge::Distributed => is_alike && named == members,
            Knowledge::Agent | Knowledge::Everyone | Knowledge::Common => {
                is_alike && named.len() == 1 && named.is_subset(&members)
            }
        };
        if !is_fit {
            return Ok(false);
        }
        let end = self.number(branch.run.last())?;
        if !self.checker.universe[end] {
            return Err("a branch ends where no fair path starts".to_string());
        }
        if !self.checker.label(f)?[end] {
            return Ok(true);
        }
        // Common knowledge fails along a chain: it fails at the end of the branch, too.
        Ok(kind == Knowledge::Common && !self.checker.known(kind, who, &self.checker.label(f)?)?[end])
    }

    /// Follows a counter-strategy: whatever the group does, what the others answer keeps it from what
    /// the formula says. Where the model leaves something open, one of its ways is enough.
    fn prevents(&self, start: usize, table: &Table, group: &str, path: &Formula) -> Result<(), String> {
        let checker = self.checker;
        let agents = checker.graph.model.agents();
        let acting = |name: &String| agents.list.iter().position(|agent| agent.name == *name);
        let members: BTreeSet<usize> = agents.members(group)?.into_iter().collect();
        let against: Vec<usize> = table.against.iter().filter_map(acting).collect();
        let is_whole = |&member: &usize| against.contains(&member) || agents.list[member].acts.is_none();
        if against.is_empty()
            || !against.iter().all(|one| members.contains(one))
            || !members.iter().all(is_whole)
        {
            return Err(format!("the counter-strategy is against {:?}, not {group}", table.against));
        }
        let others: Vec<usize> = table.agents.iter().filter_map(acting).collect();
        if others.iter().any(|other| members.contains(other)) {
            return Err("a member of the group plays against it".to_string());
        }
        if !checker.paths.fair.is_empty() {
            return self.prevents_fairly(start, table, (&against, &others), path);
        }
        let both: Vec<usize> = against.iter().chain(&others).copied().collect();
        let moves = checker.moves(&both);
        let count = checker.graph.states.len();
        // For each state and each pick of the group, the states that the answer may lead to.
        let mut answered: Vec<Vec<BTreeSet<usize>>> = vec![Vec::new(); count];
        for (state, picks) in moves.iter().enumerate() {
            let mut by_own: BTreeMap<&[String], BTreeSet<usize>> = BTreeMap::new();
            for (pick, next) in picks {
                let (own, answer) = pick.split_at(against.len());
                let values = &checker.graph.states[state];
                let fits = |row: &&Row| {
                    row.when.iter().all(|(variable, allowed)| allowed.contains(&values[*variable]))
                        && row.after.iter().all(|(position, allowed)| allowed.contains(&own[*position]))
                };
                let known = by_own.entry(own).or_default();
                if table.rows.iter().filter(fits).any(|row| row.actions == answer) {
                    known.extend(next);
                }
            }
            answered[state] = by_own.into_values().collect();
        }
        let answers =
            |good: &[bool], state: usize| answered[state].iter().all(|next| next.iter().any(|&to| good[to]));
        let prevented = match path {
            Formula::Next(f) => {
                let bad: Vec<bool> = checker.label(f)?.iter().map(|&holds| !holds).collect();
                answers(&bad, start)
            }
            Formula::Finally(_) | Formula::Until(..) => {
                let (until, goal) = match path {
                    Formula::Until(f, g) => (checker.label(f)?, checker.label(g)?),
                    Formula::Finally(g) => (vec![true; count], checker.label(g)?),
                    _ => return Err("no strategy".to_string()),
                };
                fixpoint(vec![true; count], |good, state| {
                    !goal[state] && (!until[state] || answers(good, state))
                })[start]
            }
            Formula::Globally(f) => {
                let kept = checker.label(f)?;
                fixpoint(vec![false; count], |good, state| !kept[state] || answers(good, state))[start]
            }
            other => return Err(format!("no strategy for {other:?}")),
        };
        if prevented {
            Ok(())
        } else {
            Err("the counter-strategy does not keep the group from it".to_string())
        }
    }

    /// Follows a strategy to all its outcomes.
    fn wins(&self, start: usize, table: &Table, group: &str, path: &Formula) -> Result<(), String> {
        let checker = self.checker;
        let agents = checker.graph.model.agents();
        let members = agents.members(group)?;
        let named: BTreeSet<String> = table.agents.iter().cloned().collect();
        let expected: BTreeSet<String> =
            members.iter().map(|&member| agents.list[member].name.clone()).collect();
        if !named.is_subset(&expected) {
            return Err(format!("the strategy is one of {named:?}, not of {expected:?}"));
        }
        let order: Vec<usize> = table
            .agents
            .iter()
            .map(|name| agents.list.iter().position(|agent| agent.name == *name).unwrap_or_default())
            .collect();
        if !checker.paths.fair.is_empty() {
            let starts = self.possible_starts(start, &members);
            return self.wins_fairly(&starts, table, &order, path);
        }
        let moves = checker.moves(&order);
        let truth = vec![true; checker.graph.states.len()];
        // Where the strategy has done its work, and what must be true until then.
        let (until, done, must_end) = match path {
            Formula::Next(f) => (truth.clone(), checker.label(f)?, true),
            Formula::Finally(f) => (truth.clone(), checker.label(f)?, true),
            Formula::Until(f, g) => (checker.label(f)?, checker.label(g)?, true),
            Formula::Globally(f) => (checker.label(f)?, vec![false; truth.len()], false),
            other => return Err(format!("no strategy for {other:?}")),
        };
        let starts = self.possible_starts(start, &members);
        let is_next = matches!(path, Formula::Next(_));
        let mut waiting: Vec<(usize, usize)> = starts.iter().map(|&state| (state, 0)).collect();
        let mut edges: Vec<Vec<usize>> = vec![Vec::new(); truth.len()];
        let mut seen: BTreeSet<(usize, usize)> = waiting.iter().copied().collect();
        while let Some((state, depth)) = waiting.pop() {
            // `X f` is one step, and what follows does not matter; depth tells the two apart.
            if is_next && depth == 1 {
                if !done[state] {
                    return Err("the strategy of the group does not lead where it should".to_string());
                }
                continue;
            }
            if !is_next && done[state] {
                continue;
            }
            if !until[state] {
                return Err(
                    "the strategy of the group leads to a state where the formula is violated".to_string()
                );
            }
            let fits = |row: &&Row| {
                let values = &checker.graph.states[state];
                row.when.iter().all(|(variable, allowed)| allowed.contains(&values[*variable]))
            };
            let rows: Vec<&Row> = table.rows.iter().filter(fits).collect();
            let [row] = rows.as_slice() else {
                return Err(format!("{} rows of the strategy fit a state", rows.len()));
            };
            let next = moves[state].get(&row.actions);
            let next = next.ok_or_else(|| format!("{:?} is not possible in a state", row.actions))?;
            for &to in next {
                edges[state].push(to);
                let to = (to, if is_next { 1 } else { 0 });
                if seen.insert(to) {
                    waiting.push(to);
                }
            }
        }
        // A state in which `X f` begins may also be the one to which it leads.
        let outcomes = seen.iter().map(|(state, _)| state).collect::<BTreeSet<_>>().len();
        if outcomes != table.outcomes {
            return Err(format!("the strategy leads to {outcomes} states, not to {}", table.outcomes));
        }
        if must_end && !is_next && has_cycle(&edges) {
            return Err("the strategy of the group may go round for ever".to_string());
        }
        Ok(())
    }

    /// The states in which a strategy must win: the present one, or all that a member cannot tell
    /// from it.
    fn possible_starts(&self, start: usize, members: &[usize]) -> Vec<usize> {
        let checker = self.checker;
        if checker.sight == Sight::Everything {
            return vec![start];
        }
        let agents = &checker.graph.model.agents().list;
        let states = &checker.graph.states;
        let alike = |one: usize| {
            members.iter().any(|&member| {
                agents[member].sees.iter().all(|&variable| states[one][variable] == states[start][variable])
            })
        };
        (0..states.len()).filter(|&one| checker.universe[one] && alike(one)).collect()
    }
}

/// The labelling that no longer changes, from this one on.
fn fixpoint(mut labels: Vec<bool>, better: impl Fn(&[bool], usize) -> bool) -> Vec<bool> {
    loop {
        let next: Vec<bool> = (0..labels.len()).map(|state| better(&labels, state)).collect();
        if next == labels {
            return labels;
        }
        labels = next;
    }
}

/// Whether some way leads back to where it began.
fn has_cycle(edges: &[Vec<usize>]) -> bool {
    // Take away what leads nowhere, again and again; a cycle remains.
    let mut alive = vec![true; edges.len()];
    loop {
        let leads = |vertex: usize| edges[vertex].iter().any(|&to| alive[to]);
        let fewer: Vec<bool> = (0..edges.len()).map(|vertex| alive[vertex] && leads(vertex)).collect();
        if fewer == alive {
            return alive.contains(&true);
        }
        alive = fewer;
    }
}

#[cfg(test)]
mod tests;
