//! What agents know.
//!
//! An agent cannot tell two states apart in which the variables that it sees have the same values.
//! It knows what is true in all reachable states that look the same to it; under fairness
//! constraints, in those from which a fair path starts.

use crate::check::Checker;
use crate::formula::Knowledge;

impl Checker<'_> {
    /// Where `who` knows what `fact` labels.
    pub(crate) fn known(&self, kind: Knowledge, who: &str, fact: &[bool]) -> Result<Vec<bool>, String> {
        let agents = self.graph.model.agents();
        let members = agents.members(who)?;
        let count = self.graph.states.len();
        let looks_same = |agent: usize, one: usize, other: usize| {
            let states = &self.graph.states;
            agents.list[agent].sees.iter().all(|&seen| states[one][seen] == states[other][seen])
        };
        // From each state: every possible state that is linked to it satisfies the fact.
        let everywhere = |fact: &[bool], is_linked: &dyn Fn(usize, usize) -> bool| -> Vec<bool> {
            let possible =
                |here: usize| (0..count).filter(move |&there| self.universe[there] && is_linked(here, there));
            (0..count).map(|here| possible(here).all(|there| fact[there])).collect()
        };
        Ok(match kind {
            Knowledge::Agent | Knowledge::Everyone => {
                everywhere(fact, &|here, there| members.iter().any(|&member| looks_same(member, here, there)))
            }
            Knowledge::Distributed => {
                everywhere(fact, &|here, there| members.iter().all(|&member| looks_same(member, here, there)))
            }
            Knowledge::Correct => everywhere(fact, &|_, there| {
                members.iter().all(|&member| !self.graph.model.is_red(member, &self.graph.states[there]))
            }),
            Knowledge::Common => {
                // Everybody knows it, everybody knows that everybody knows it, and so on.
                let mut known = fact.to_vec();
                loop {
                    let more: Vec<bool> = everywhere(&known, &|here, there| {
                        members.iter().any(|&member| looks_same(member, here, there))
                    });
                    let more: Vec<bool> =
                        more.into_iter().zip(&known).map(|(more, known)| more && *known).collect();
                    if more == known {
                        break;
                    }
                    known = more;
                }
                // In a state without fair path the fact itself need not hold.
                everywhere(&known, &|here, there| {
                    members.iter().any(|&member| looks_same(member, here, there))
                })
            }
        })
    }
}
