//! What an agent does: its protocol as a choice, its evolution as reactions.

use super::conditions::{Typed, equal, sum};
use super::scope::{Names, Scope, Unknown, suggest};
use super::{LineSource, is_single, warnings};
use crate::tree::{Agent, Assignment, EvolutionLine, Semantics};
use symbolon_model::{Choice, Expr, Line, ObserverId, Part, Predicate, Reaction, Values, VariableId};
use symbolon_source::{Findings, Step, shown};

/// The choice that a protocol is; none where the agent has no actions. An empty protocol offers
/// everything.
pub(super) fn choice(
    names: &Names<'_>,
    index: usize,
    agent: &Agent,
    findings: &mut Findings,
) -> Step<Option<Choice>> {
    let mut offers = Vec::new();
    for line in &agent.protocol {
        let condition = names.condition(&line.condition, Scope::state_of(index), findings)?;
        offers.push((condition, offered(names, index, &line.actions, findings)?));
    }
    let is_empty = agent.protocol.is_empty() && agent.otherwise.is_none();
    let otherwise = match &agent.otherwise {
        Some(actions) => offered(names, index, actions, findings)?,
        None if is_empty => (0..agent.actions.len() as u64).collect(),
        None => Vec::new(),
    };
    let Some(action) = names.agents[index].action else { return Ok(None) };
    let choice = Choice { action, offers, otherwise };
    if !findings.has_errors()
        && let Some(state) = warnings::nothing_offered(names, &choice)
    {
        let message = format!("the protocol of agent {} offers nothing{state}", shown(&agent.name.text));
        findings.warning(agent.name.span.start, message);
        findings
            .hint("add a last line Other : { ... }; where an agent has no action, the whole system stops");
    }
    Ok(Some(choice))
}

fn offered(
    names: &Names<'_>,
    index: usize,
    actions: &[symbolon_logic::Name],
    findings: &mut Findings,
) -> Step<Vec<u64>> {
    let mut numbers = Vec::new();
    for action in actions {
        numbers.extend(names.action(index, action, findings)?.map(|number| number as u64));
    }
    numbers.sort_unstable();
    numbers.dedup();
    Ok(numbers)
}

/// A reaction, and for each of its lines the evolution line that it comes from.
pub(super) struct Sourced {
    pub(super) part: Part,
    pub(super) lines: Vec<LineSource>,
}

/// The reactions that an evolution is: one, or with single assignment one for each variable that it
/// assigns. `choice` is what the agent's protocol is.
pub(super) fn reactions(
    names: &Names<'_>,
    index: usize,
    agent: &Agent,
    semantics: Semantics,
    choice: Option<&Choice>,
    findings: &mut Findings,
) -> Step<Vec<Sourced>> {
    let mut reactions: Vec<(Option<VariableId>, Reaction, Vec<LineSource>)> = Vec::new();
    for (item, line) in agent.evolution.iter().enumerate() {
        let (assigned, lines) = evolution_line(names, index, line, semantics, choice, findings)?;
        let place = line.assignments.first().map_or_else(Default::default, |first| first.target.span);
        let source = LineSource { agent: ObserverId(index as u32), item, span: place };
        let key = if is_single(semantics) { assigned } else { None };
        let sources = std::iter::repeat_n(source, lines.len());
        match reactions.iter_mut().find(|(known, ..)| *known == key) {
            Some((_, reaction, known)) => {
                known.extend(sources);
                reaction.lines.extend(lines);
            }
            None => {
                let sources = sources.collect();
                reactions.push((key, Reaction { lines }, sources));
            }
        }
    }
    let sourced = |(_, reaction, lines)| Sourced { part: Part::Reaction(Box::new(reaction)), lines };
    Ok(reactions.into_iter().map(sourced).collect())
}

/// The lines of the model that a line is, and a variable that it assigns. There are several where a
/// variable gets the value of another one whose values are named otherwise: one for each name.
fn evolution_line(
    names: &Names<'_>,
    index: usize,
    line: &EvolutionLine,
    semantics: Semantics,
    choice: Option<&Choice>,
    findings: &mut Findings,
) -> Step<(Option<VariableId>, Vec<Line>)> {
    let guard = names.condition(&line.guard, Scope::step_of(index), findings)?;
    let mut lines = vec![Line { guard, updates: Vec::new() }];
    let mut assigned: Vec<VariableId> = Vec::new();
    if let (true, Some(second)) = (is_single(semantics), line.assignments.get(1)) {
        let message = "there is a second assignment in this line, expected one with single assignment";
        findings.error(second.target.span.start, message)?;
        findings.hint("write a line for each variable, or Semantics = MultiAssignment; at the top");
    }
    for assignment in &line.assignments {
        let target = &assignment.target;
        let Some(variable) = names.agents[index].variable(&target.text) else {
            let agent = shown(names.agents[index].name);
            findings
                .error(target.span.start, format!("agent {agent} has no variable {}", shown(&target.text)))?;
            let own = names.agents[index].variables().filter_map(|id| {
                names.variables[id.index()].name.rsplit_once('.').map(|(_, variable)| variable)
            });
            suggest(&target.text, own, findings);
            continue;
        };
        if assigned.contains(&variable) {
            let message = format!("{} is assigned twice in this line", shown(&target.text));
            findings.error(target.span.start, message)?;
        }
        assigned.push(variable);
        match updates(names, index, variable, assignment, findings) {
            Ok(cases) => lines = combined(lines, variable, &cases),
            Err(Unknown::Noted) => {}
            Err(Unknown::Stop(stop)) => return Err(stop),
        }
    }
    if !findings.has_errors() {
        for (assignment, &variable) in line.assignments.iter().zip(&assigned) {
            let state = lines.iter().find_map(|line| warnings::leaves_range(names, line, variable, choice));
            if let Some(state) = state {
                let name = &names.variables[variable.index()].name;
                let message = format!("this line can give {name} a value outside its range{state}");
                findings.warning(assignment.target.span.start, message);
                findings.hint("where such a state is reached, the step cannot be taken: guard the line, or widen the range");
            }
        }
    }
    Ok((assigned.first().copied(), lines))
}

/// Each line with each case of one more assignment.
fn combined(lines: Vec<Line>, variable: VariableId, cases: &[(Predicate, Expr)]) -> Vec<Line> {
    let mut combined = Vec::with_capacity(lines.len() * cases.len());
    for line in lines {
        for (condition, value) in cases {
            let guard = match condition {
                Predicate::True => line.guard.clone(),
                condition => Predicate::And(vec![line.guard.clone(), condition.clone()]),
            };
            let mut updates = line.updates.clone();
            updates.push((variable, value.clone()));
            combined.push(Line { guard, updates });
        }
    }
    combined
}

/// The new value of a variable as the state holds it, by cases.
fn updates(
    names: &Names<'_>,
    index: usize,
    variable: VariableId,
    assignment: &Assignment,
    findings: &mut Findings,
) -> Result<Vec<(Predicate, Expr)>, Unknown> {
    let always = |expr: Expr| vec![(Predicate::True, expr)];
    let value = names.value(&assignment.value, Scope::step_of(index), findings)?;
    match (names.values(variable), value) {
        (Values::Boolean, Typed::Boolean(expr)) => Ok(always(expr)),
        (Values::Range { least, .. }, Typed::Integer(expr)) => {
            Ok(always(sum(vec![expr, Expr::Constant(-*least)])))
        }
        (Values::Named(_), Typed::Literal(name)) => {
            let number = names.named_value(variable, &name, Scope::step_of(index), findings)?;
            Ok(always(Expr::Constant(number)))
        }
        (Values::Named(own), Typed::Named(other)) => {
            let theirs = names.value_names(other);
            if own == theirs {
                return Ok(always(Expr::Variable(other)));
            }
            // A name that the variable does not have lies outside its range.
            let number = |name: &String| own.iter().position(|known| known == name).unwrap_or(own.len());
            let case = |(value, name): (usize, &String)| {
                (equal(Expr::Variable(other), value as i64), Expr::Constant(number(name) as i64))
            };
            Ok(theirs.iter().enumerate().map(case).collect())
        }
        (_, Typed::Literal(name)) => {
            names.unknown_name(&name, Scope::step_of(index), findings)?;
            Err(Unknown::Noted)
        }
        (values, _) => {
            let expected = match values {
                Values::Boolean => "a boolean",
                Values::Named(_) => "one of its values",
                _ => "a number",
            };
            let message =
                format!("{} is assigned something else than {expected}", shown(&assignment.target.text));
            findings.error(assignment.value.span().start, message)?;
            Err(Unknown::Noted)
        }
    }
}
