//! What a job is doing, in one word.

/// A phase of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// A model or a file of formulas is read.
    Reading,
    /// Members of a coloured net that can be exchanged are counted.
    Folding,
    /// A coloured net is unfolded.
    Unfolding,
    /// Proofs about a net are looked for.
    Proving,
    /// Walks look for evidence.
    Walking,
    /// The reachable states are computed.
    Exploring,
    /// A question is answered from the reachable states.
    Answering,
    /// States within a bound are searched.
    Searching,
    /// A run that shows a verdict is looked for.
    Witnessing,
    /// A picture is drawn.
    Drawing,
    /// A model is written in another format.
    Writing,
}

impl Phase {
    /// All phases.
    pub const ALL: [Phase; 11] = [
        Phase::Reading,
        Phase::Folding,
        Phase::Unfolding,
        Phase::Proving,
        Phase::Walking,
        Phase::Exploring,
        Phase::Answering,
        Phase::Searching,
        Phase::Witnessing,
        Phase::Drawing,
        Phase::Writing,
    ];

    /// Its name in progress events.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Reading => "reading",
            Phase::Folding => "folding",
            Phase::Unfolding => "unfolding",
            Phase::Proving => "proving",
            Phase::Walking => "walking",
            Phase::Exploring => "exploring",
            Phase::Answering => "answering",
            Phase::Searching => "searching",
            Phase::Witnessing => "witnessing",
            Phase::Drawing => "drawing",
            Phase::Writing => "writing",
        }
    }
}
