//! From commands to events.
//!
//! ```text
//! guard ─▶ conditions ┐
//! x' = e ─▶ cases ────┴─▶ one event for each case ─▶ parts without a variable in common (GCL-Y3)
//! ```
//!
//! What an assignment leaves the range of its variable by becomes a condition, so that the event
//! cannot happen there; a warning says so, unless the guard already rules it out. Conditions on one
//! variable and changes by a constant become local parts (GCL-Y4), unless the variable also occurs
//! in a condition or assignment of another form: then all of that becomes one general part.

use super::Lowering;
use super::algebra::{Bounds, Interval, as_interval, compare, conjuncts, sum};
use super::meaning::{MOST_CASES, join};
use super::scope::{Around, Kind};
use crate::mistakes::Made;
use crate::tree::{Command, Update};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use symbolon_model::{Change, Comparison, Event, Expr, Part, Predicate, Values, VariableId};
use symbolon_source::shown;

/// One way in which a command can happen.
#[derive(Clone, Debug, Default)]
struct Way {
    when: Vec<Predicate>,
    updates: Vec<(VariableId, Expr)>,
    /// Where in the text each update stands.
    places: Vec<usize>,
}

impl Lowering<'_> {
    /// Adds the events of a command. `prefix` is the name of the process around it.
    pub(super) fn command(&mut self, command: &Command, prefix: &str, around: &Around) -> Made<()> {
        self.meter.step()?;
        let group = format!("{prefix}{}", command.name.text);
        let in_loop = around.bound.len() > self.outer_binders;
        let mut name = group.clone();
        for (_, value) in &around.bound[self.outer_binders..] {
            name.push_str(&format!(".{value}"));
        }
        let guard = self.truth(&command.guard, around)?.holds;
        let possible = guard != Predicate::False;
        let mut ways = vec![Way { when: conjuncts(guard), ..Way::default() }];
        for update in &command.updates {
            ways = self.with_update(ways, update, around)?;
        }
        let mut events = Vec::with_capacity(ways.len());
        for way in ways.into_iter().filter(|_| possible) {
            if let Some(parts) = self.parts(way) {
                events.push(parts);
            }
        }
        if events.is_empty() {
            // In a loop guards choose among the copies; elsewhere a command that never happens is a
            // mistake worth a word.
            if in_loop {
                self.remember(&[&group, &name], None);
                return Ok(());
            }
            let message = format!("'{}' never happens", shown(&name));
            let hint = "its guard never holds, or it always leaves a range";
            self.mistakes.warn(command.guard.at.0, "never", message, hint);
            events.push(vec![Part::General { guard: Box::new(Predicate::False), updates: Vec::new() }]);
        }
        let several = events.len() > 1;
        for (number, parts) in events.into_iter().enumerate() {
            let event = if several { format!("{name}.case{}", number + 1) } else { name.clone() };
            if !self.event_names.insert(event.clone()) {
                let message = format!("there is another command '{}' before this one", shown(&event));
                return self.mistakes.broken(command.name.at.0, message, None);
            }
            self.remember(&[&group, &name], Some(&event));
            self.model.events.push(Event { name: event, parts });
        }
        Ok(())
    }

    /// Notes which events a property means by the name of a command.
    fn remember(&mut self, names: &[&String], event: Option<&str>) {
        for (number, name) in names.iter().enumerate() {
            if number > 0 && names[number - 1] == *name {
                continue;
            }
            let events = self.events_by_command.entry((*name).clone()).or_default();
            events.extend(event.map(str::to_string));
        }
    }

    /// The ways with one assignment more.
    fn with_update(&mut self, ways: Vec<Way>, update: &Update, around: &Around) -> Made<Vec<Way>> {
        let at = update.value.at.0;
        let (targets, declared) = self.targets(&update.target, around)?;
        let value = self.value(&update.value, around, declared.listing.as_ref())?;
        if value.kind != declared.kind() {
            let message = format!(
                "'{}' is {} and cannot become {}",
                shown(&update.target.to_string()),
                declared.kind().described(),
                value.kind.described()
            );
            return self.mistakes.broken(at, message, None);
        }
        let offset = Expr::Constant(-declared.offset());
        self.charge(ways.len().saturating_mul(targets.len()).saturating_mul(value.cases.len()), at)?;
        let mut longer = Vec::new();
        let mut twice = None;
        for way in &ways {
            for (when, variable) in &targets {
                let Some(with_target) = join(way.when.clone(), when) else { continue };
                if way.updates.iter().any(|(known, _)| known == variable) {
                    twice = Some(*variable);
                    continue;
                }
                for case in &value.cases {
                    let Some(when) = join(with_target.clone(), &case.when) else { continue };
                    if Bounds::under(&self.values, &when).is_contradictory() {
                        continue;
                    }
                    let mut way = Way { when, updates: way.updates.clone(), places: way.places.clone() };
                    let coded = match declared.kind() {
                        Kind::Number => sum(vec![case.value.clone(), offset.clone()]),
                        Kind::Truth | Kind::Named(_) => case.value.clone(),
                    };
                    way.updates.push((*variable, coded));
                    way.places.push(at);
                    longer.push(way);
                }
            }
            if longer.len() > MOST_CASES {
                return self.too_many_cases(at);
            }
        }
        if let Some(variable) = twice {
            let name = shown(&self.model.variables[variable.index()].name);
            if longer.is_empty() {
                return self.mistakes.broken(update.target.at(), format!("'{name}' is assigned twice"), None);
            }
            let hint = "the command is disabled there; add the condition to its guard";
            self.mistakes.warn(update.target.at(), "twice", format!("'{name}' may be assigned twice"), hint);
        }
        Ok(longer)
    }

    /// The parts of an event that happens in one way; `None` if it never does.
    fn parts(&mut self, way: Way) -> Option<Vec<Part>> {
        let Way { mut when, updates, places } = way;
        // What is known of the state before helps to see that new values stay in range.
        let values = Arc::clone(&self.values);
        let mut limits = Vec::new();
        {
            let bounds = Bounds::under(&values, &when);
            if bounds.is_contradictory() {
                return None;
            }
            for ((variable, expr), &at) in updates.iter().zip(&places) {
                let found = bounds.of_expr(expr);
                let Interval { low, high } = Bounds::new(&values).of(*variable);
                let is_natural = values.get(variable.index()) == Some(&Values::Natural);
                if found.low >= low && (found.high <= high || is_natural) {
                    continue;
                }
                self.warn_of_range(*variable, found, Interval::new(low, high), at);
                let domains = Bounds::new(&values);
                if found.low < low {
                    limits.push(compare(
                        expr.clone(),
                        Comparison::GreaterOrEqual,
                        Expr::Constant(0),
                        &domains,
                    ));
                }
                if found.high > high && !is_natural {
                    let largest = Expr::Constant(i64::try_from(high).unwrap_or(i64::MAX));
                    limits.push(compare(expr.clone(), Comparison::LessOrEqual, largest, &domains));
                }
            }
        }
        for limit in limits {
            when = join(when, &conjuncts(limit))?;
        }
        split(&values, when, updates)
    }

    fn warn_of_range(&mut self, variable: VariableId, found: Interval, domain: Interval, at: usize) {
        let name = shown(&self.model.variables[variable.index()].name);
        let range = match self.values.get(variable.index()) {
            Some(Values::Range { least, largest }) => format!("{least}..{largest}"),
            _ => "the natural numbers".to_string(),
        };
        let always = found.high < domain.low || found.low > domain.high;
        let word = if always { "always leaves" } else { "may leave" };
        let message = format!("this {word} the range of '{name}', {range}");
        let hint = if always {
            "the command never happens"
        } else {
            "the command is disabled there; add the condition to its guard"
        };
        self.mistakes.warn(at, "range", message, hint);
    }
}

/// What is known of one variable, and done to it.
struct Local {
    interval: Interval,
    change: Option<Change>,
    /// The group of variables that general conditions tie together.
    group: Option<usize>,
}

/// Conditions and assignments that have variables in common.
#[derive(Default)]
struct Tied {
    guard: Vec<Predicate>,
    updates: Vec<(VariableId, Expr)>,
}

/// The conditions and assignments as parts without a variable in common; `None` if they exclude
/// each other.
fn split(values: &[Values], when: Vec<Predicate>, updates: Vec<(VariableId, Expr)>) -> Option<Vec<Part>> {
    let domains = Bounds::new(values);
    let mut locals: FxHashMap<VariableId, Local> = FxHashMap::default();
    let mut ties = Ties::default();
    let mut conditions = Vec::new();
    let mut assignments = Vec::new();

    // An inequality at the end of a domain is an interval, too.
    let narrowed = Bounds::under(values, &when);
    for condition in when {
        let interval = match &condition {
            Predicate::Compare(Expr::Variable(variable), Comparison::NotEqual, Expr::Constant(number)) => {
                let left = narrowed.of(*variable);
                let number = i128::from(*number);
                (number < left.low || number > left.high).then_some((*variable, left))
            }
            other => as_interval(other),
        };
        match interval {
            Some((variable, interval)) => {
                let local = local_of(&mut locals, &domains, variable);
                local.interval = local.interval.meet(interval);
                if local.interval.is_empty() {
                    return None;
                }
            }
            None => {
                let mut found = Vec::new();
                condition.collect_variables(&mut found);
                ties.tie(&found);
                conditions.push(condition);
            }
        }
    }
    for (variable, expr) in updates {
        match change_of(variable, &expr) {
            Some(change) => local_of(&mut locals, &domains, variable).change = Some(change),
            None => {
                let mut found = vec![variable];
                expr.collect_variables(&mut found);
                ties.tie(&found);
                assignments.push((variable, expr));
            }
        }
    }

    // What is tied becomes general, all of it.
    let mut touched: Vec<VariableId> = locals.keys().copied().collect();
    touched.sort_unstable();
    let mut general: Vec<Tied> = Vec::new();
    let mut place: FxHashMap<usize, usize> = FxHashMap::default();
    let mut group_of = |ties: &mut Ties, variable: VariableId, general: &mut Vec<Tied>| -> usize {
        let root = ties.root(variable);
        *place.entry(root).or_insert_with(|| {
            general.push(Tied::default());
            general.len() - 1
        })
    };
    let mut constant_conditions = Vec::new();
    for condition in conditions {
        let mut found = Vec::new();
        condition.collect_variables(&mut found);
        match found.first() {
            Some(variable) => {
                let group = group_of(&mut ties, *variable, &mut general);
                general[group].guard.push(condition);
            }
            None => constant_conditions.push(condition),
        }
    }
    for (variable, expr) in assignments {
        let group = group_of(&mut ties, variable, &mut general);
        general[group].updates.push((variable, expr));
    }
    for &variable in &touched {
        if ties.is_tied(variable) {
            let group = group_of(&mut ties, variable, &mut general);
            if let Some(local) = locals.get_mut(&variable) {
                local.group = Some(group);
            }
        }
    }

    let mut parts = Vec::new();
    for variable in touched {
        let Some(Local { interval, change, group }) = locals.remove(&variable) else { continue };
        let domain = domains.of(variable);
        let Some(group) = group else {
            let tests = interval != domain;
            let change = change.unwrap_or(Change::Add(0));
            if tests || change != Change::Add(0) {
                parts.push(Part::Local {
                    variable,
                    at_least: u64::try_from(interval.low).unwrap_or(0),
                    at_most: if interval.high < domain.high {
                        u64::try_from(interval.high).unwrap_or(0)
                    } else {
                        u64::MAX
                    },
                    change,
                });
            }
            continue;
        };
        let Tied { guard, updates } = &mut general[group];
        let number = |number: i128| Expr::Constant(i64::try_from(number).unwrap_or(i64::MAX));
        let is = |comparison, bound| Predicate::Compare(Expr::Variable(variable), comparison, number(bound));
        if interval.low == interval.high {
            guard.push(is(Comparison::Equal, interval.low));
        } else {
            if interval.low > domain.low {
                guard.push(is(Comparison::GreaterOrEqual, interval.low));
            }
            if interval.high < domain.high {
                guard.push(is(Comparison::LessOrEqual, interval.high));
            }
        }
        match change {
            None | Some(Change::Add(0)) => {}
            Some(Change::Add(added)) => {
                updates.push((variable, sum(vec![Expr::Variable(variable), Expr::Constant(added)])));
            }
            Some(Change::Set(value)) => updates.push((variable, number(i128::from(value)))),
        }
    }
    for Tied { guard, mut updates } in general {
        updates.sort_by_key(|(variable, _)| *variable);
        parts.push(Part::General { guard: Box::new(Predicate::all(guard)), updates });
    }
    if !constant_conditions.is_empty() {
        parts.push(Part::General {
            guard: Box::new(Predicate::all(constant_conditions)),
            updates: Vec::new(),
        });
    }
    Some(parts)
}

fn local_of<'l>(
    locals: &'l mut FxHashMap<VariableId, Local>,
    domains: &Bounds<'_>,
    variable: VariableId,
) -> &'l mut Local {
    let new = || Local { interval: domains.of(variable), change: None, group: None };
    locals.entry(variable).or_insert_with(new)
}

/// The change by a constant that an assignment is.
fn change_of(variable: VariableId, expr: &Expr) -> Option<Change> {
    match expr {
        Expr::Constant(number) => u64::try_from(*number).ok().map(Change::Set),
        Expr::Variable(same) if *same == variable => Some(Change::Add(0)),
        Expr::Sum(terms) => match terms.as_slice() {
            [Expr::Variable(same), Expr::Constant(number)] if *same == variable => Some(Change::Add(*number)),
            _ => None,
        },
        _ => None,
    }
}

/// Which variables general conditions and assignments tie together: a forest whose roots are the
/// groups.
#[derive(Default)]
struct Ties {
    parents: FxHashMap<usize, usize>,
}

impl Ties {
    fn tie(&mut self, variables: &[VariableId]) {
        let Some((first, rest)) = variables.split_first() else { return };
        self.parents.entry(first.index()).or_insert(first.index());
        for variable in rest {
            self.parents.entry(variable.index()).or_insert(variable.index());
            let (a, b) = (self.root(*first), self.root(*variable));
            self.parents.insert(a.max(b), a.min(b));
        }
    }

    fn is_tied(&self, variable: VariableId) -> bool {
        self.parents.contains_key(&variable.index())
    }

    fn root(&mut self, variable: VariableId) -> usize {
        let mut at = variable.index();
        while let Some(&parent) = self.parents.get(&at)
            && parent != at
        {
            // Halving the way keeps the forest flat.
            let above = self.parents.get(&parent).copied().unwrap_or(parent);
            self.parents.insert(at, above);
            at = above;
        }
        at
    }
}
