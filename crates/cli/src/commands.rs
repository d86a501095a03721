//! The commands, one a file. Each takes the session and its arguments and hands back an answer.

mod bounds;
mod check;
mod compare;
mod completions;
mod convert;
mod deadlock;
mod demo;
mod draw;
mod help;
mod info;
mod man;
mod mcc;
mod models;
mod prepare;
mod simulate;
mod states;
mod text_answer;
mod trace_text;
mod welcome;

pub(crate) use bounds::bounds;
pub(crate) use check::check;
pub(crate) use compare::compare;
pub(crate) use completions::completions;
pub(crate) use convert::convert;
pub(crate) use deadlock::deadlock;
pub(crate) use demo::demo;
pub(crate) use draw::draw;
pub(crate) use help::help;
pub(crate) use info::info;
pub(crate) use man::man;
pub(crate) use mcc::mcc;
pub(crate) use models::models;
pub(crate) use simulate::simulate;
pub(crate) use states::states;
pub(crate) use text_answer::TextAnswer;
pub(crate) use welcome::welcome;
