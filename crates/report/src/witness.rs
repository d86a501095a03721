//! Witnesses: runs, trees of runs, and strategies.

use crate::values::{Integer, Pairs, Shown};
use serde::Serialize;
use symbolon_checker::{Shape, ShownValue, WitnessLink};

/// Evidence.
#[derive(Serialize)]
pub(crate) struct Witness {
    shape: &'static str,
    shortest: bool,
    initial: Pairs<Shown>,
    steps: Vec<Step>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loop_start: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    strategy: Option<Strategy>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    branches: Vec<Branch>,
}

/// Evidence that explains a state of other evidence.
#[derive(Serialize)]
struct Branch {
    position: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    agents: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sees: Option<Pairs<Shown>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    differ: Option<Vec<String>>,
    witness: Witness,
}

impl Branch {
    fn new(branch: &symbolon_checker::WitnessBranch) -> Branch {
        let (link, agents) = match &branch.link {
            WitnessLink::Path => (None, Vec::new()),
            WitnessLink::Alike(agents) => (Some("alike"), agents.clone()),
            WitnessLink::Correct(agent) => (Some("correct"), vec![agent.clone()]),
        };
        let is_alike = matches!(branch.link, WitnessLink::Alike(_));
        let seen = branch.seen.iter().map(|(name, value)| (name.clone(), Shown(value.clone())));
        Branch {
            position: branch.position,
            link,
            agents,
            sees: is_alike.then(|| Pairs(seen.collect())),
            differ: is_alike.then(|| branch.differing.clone()),
            witness: Witness::new(&branch.witness),
        }
    }
}

/// What a group does.
#[derive(Serialize)]
struct Strategy {
    agents: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    against: Vec<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    fair: bool,
    rows: Vec<StrategyRow>,
    outcomes: Integer,
}

#[derive(Serialize)]
struct StrategyRow {
    when: Pairs<Vec<Shown>>,
    actions: Pairs<String>,
    states: Integer,
}

impl Strategy {
    fn new(strategy: &symbolon_checker::StrategyTable) -> Strategy {
        let rows = strategy.rows.iter().map(|row| {
            let shown = |(name, values): &(String, Vec<ShownValue>)| {
                (name.clone(), values.iter().cloned().map(Shown).collect())
            };
            StrategyRow {
                when: Pairs(row.when.iter().map(shown).collect()),
                actions: Pairs(row.actions.clone()),
                states: Integer(row.states as u64),
            }
        });
        Strategy {
            agents: strategy.members.clone(),
            against: strategy.against.clone(),
            fair: strategy.is_fair,
            rows: rows.collect(),
            outcomes: Integer(strategy.state_count as u64),
        }
    }
}

#[derive(Serialize)]
struct Step {
    event: Happening,
    changes: Pairs<[Shown; 2]>,
}

/// What happened in a step: an event, or what each agent did.
#[derive(Serialize)]
#[serde(untagged)]
enum Happening {
    Event(String),
    Actions(Pairs<String>),
}

impl Happening {
    fn new(step: &symbolon_checker::WitnessStep) -> Happening {
        match step.actions.is_empty() {
            true => Happening::Event(step.event.clone()),
            false => Happening::Actions(Pairs(step.actions.clone())),
        }
    }
}

impl Witness {
    pub(crate) fn new(witness: &symbolon_checker::Witness) -> Witness {
        let initial = witness.initial.iter().map(|(name, value)| (name.clone(), Shown(value.clone())));
        let steps = witness.steps.iter().map(|step| Step {
            event: Happening::new(step),
            changes: Pairs(
                step.changes
                    .iter()
                    .map(|(name, old, new)| (name.clone(), [Shown(old.clone()), Shown(new.clone())]))
                    .collect(),
            ),
        });
        Witness {
            shape: match witness.shape {
                Shape::Trace => "trace",
                Shape::Lasso => "lasso",
                Shape::Tree => "tree",
                Shape::Epistemic => "epistemic",
                Shape::Strategy => "strategy",
            },
            shortest: witness.shortest,
            initial: Pairs(initial.collect()),
            steps: steps.collect(),
            loop_start: witness.loop_start,
            strategy: witness.strategy.as_ref().map(Strategy::new),
            branches: witness.branches.iter().map(Branch::new).collect(),
        }
    }
}
