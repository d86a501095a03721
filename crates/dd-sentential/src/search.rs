//! Searches for a better vtree: which one, when, and what it keeps.

use crate::vtree::VtreeNode;
use symbolon_dd_core::Variable;

/// A move of the vtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// `((a b) c)`, which is this node, becomes `(a (b c))`.
    Right(VtreeNode),
    /// `(a (b c))`, which is this node, becomes `((a b) c)`.
    Left(VtreeNode),
    /// `(a b)`, which is this node, becomes `(b a)`.
    Swap(VtreeNode),
}

/// How to look for a better vtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Minimisation {
    /// Which search.
    pub search: Search,
    /// A search turns back where there are more elements than this percentage of the fewest that
    /// were seen.
    pub growth_percent: usize,
    /// Whether passes are repeated for as long as they gain.
    pub repeat: bool,
}

/// The search for a better vtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// Each block goes through all places.
    Sifting,
    /// Three neighbouring subtrees take all their twelve shapes.
    Fragments,
}

impl Default for Minimisation {
    /// Sifting with room to climb: 140 % was the knee on relations of agents, where 110 % ended
    /// in diagrams five times as large and 200 % took half as long again for the same.
    fn default() -> Minimisation {
        Minimisation::SIFTING
    }
}

impl Minimisation {
    /// Ways to look for the best vtree of a result, where time matters less: sifting alone, and after the
    /// search of fragments. Neither is the better one everywhere.
    pub const THOROUGH: &'static [&'static [Minimisation]] = &[
        &[Minimisation::SIFTING],
        &[
            Minimisation { search: Search::Fragments, growth_percent: 120, repeat: true },
            Minimisation::SIFTING,
        ],
    ];

    const SIFTING: Minimisation = Minimisation { search: Search::Sifting, growth_percent: 140, repeat: true };
}

/// When and how the vtree is changed.
#[derive(Debug)]
pub(crate) struct Minimising {
    /// How, if the growth of the diagrams may start it.
    pub(crate) automatic: Option<Minimisation>,
    /// The stored nodes at which the next one is due.
    pub(crate) threshold: usize,
    /// Nodes ever made at which the running operation is left for it.
    pub(crate) due_at: u64,
    /// How often the running operation was left.
    pub(crate) restarts: u32,
    /// How often the vtree was changed.
    pub(crate) count: u64,
    /// What never is split.
    pub(crate) atoms: Vec<Vec<Variable>>,
    /// What is moved as a whole as well, as long as it is a subtree.
    pub(crate) groups: Vec<Vec<Variable>>,
    /// Nodes made since a move began, if one is under way.
    births: Option<Vec<u32>>,
    /// The moves of the last search that were not taken back.
    pub(crate) turns: Vec<Turn>,
}

impl Default for Minimising {
    fn default() -> Minimising {
        Minimising {
            automatic: None,
            threshold: usize::MAX,
            due_at: u64::MAX,
            restarts: 0,
            count: 0,
            atoms: Vec::new(),
            groups: Vec::new(),
            births: None,
            turns: Vec::new(),
        }
    }
}

impl Minimising {
    #[inline]
    pub(crate) fn note_birth(&mut self, index: u32) {
        if let Some(births) = &mut self.births {
            births.push(index);
        }
    }

    pub(crate) fn log_births(&mut self) {
        self.births = Some(Vec::new());
    }

    pub(crate) fn forget_births(&mut self) {
        self.births = None;
    }

    pub(crate) fn births(&self) -> &[u32] {
        self.births.as_deref().unwrap_or(&[])
    }

    pub(crate) fn take_births(&mut self) -> Vec<u32> {
        self.births.as_mut().map(std::mem::take).unwrap_or_default()
    }
}
