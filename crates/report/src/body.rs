//! The keys that belong to one command.

use crate::bounds::Bounds;
use crate::check::Check;
use crate::compare::Compare;
use crate::compile::Compile;
use crate::convert::Convert;
use crate::deadlock::Deadlock;
use crate::draw::Draw;
use crate::info::Info;
use crate::info_of_agents::AgentsInfo;
use crate::info_of_commands::CommandsInfo;
use crate::mcmas::Mcmas;
use crate::models::Model;
use crate::overflow::{OverflowBase, OverflowReport, WithOverflow};
use crate::simulate::Simulate;
use crate::states::States;
use serde::Serialize;

/// The keys that only one command has.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Body {
    /// No keys of its own.
    Nothing {},
    /// Of `states`.
    States(Box<States>),
    /// Of `deadlock`.
    Deadlock(Deadlock),
    /// Of `check`.
    Check(Check),
    /// Of `compare`.
    Compare(Compare),
    /// Of `compile`.
    Compile(Box<Compile>),
    /// Of `convert`.
    Convert(Convert),
    /// Of `simulate`.
    Simulate(Simulate),
    /// Of `draw`.
    Draw(Draw),
    /// Of `info`.
    Info(Box<Info>),
    /// Of `info` for a multi-agent system.
    AgentsInfo(Box<AgentsInfo>),
    /// Of `info` for a program of guarded commands.
    CommandsInfo(Box<CommandsInfo>),
    /// Of `bounds`.
    Bounds(Bounds),
    /// Of a command with `--overflow`.
    WithOverflow(WithOverflow),
    /// Of `models`.
    Models {
        /// The families.
        models: Vec<Model>,
    },
    /// Of `mcc`.
    Mcc {
        /// The examination.
        examination: String,
        /// The contest's lines.
        lines: Vec<String>,
    },
    /// Of `mcmas`.
    Mcmas(Mcmas),
    /// Of commands that print a text.
    Text {
        /// The text.
        text: String,
    },
}

impl Body {
    /// The same keys together with those of `--overflow`.
    pub fn with_overflow(self, report: Option<&symbolon_checker::OverflowReport>) -> Body {
        let base = match self {
            Body::Check(check) => OverflowBase::Check(check),
            Body::States(states) => OverflowBase::States(states),
            _ => OverflowBase::Nothing {},
        };
        Body::WithOverflow(WithOverflow::new(base, report.map(OverflowReport::new)))
    }
}
