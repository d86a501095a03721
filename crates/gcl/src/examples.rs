//! Programs that come with the product.

/// A program that is built in.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// How it is called.
    pub name: &'static str,
    /// What it is, in a few words.
    pub summary: &'static str,
    /// Its parameters, in the order in which they may be given behind its name.
    pub parameters: &'static [&'static str],
    /// Its text.
    pub text: &'static str,
}

/// All of them.
pub fn examples() -> &'static [Example] {
    EXAMPLES
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "gated-queue",
        summary: "customers wait at a gate that lets in all who wait",
        parameters: &["N"],
        text: include_str!("../models/gated-queue.gcl"),
    },
    Example {
        name: "peterson-correct",
        summary: "Peterson's mutual exclusion of two processes",
        parameters: &[],
        text: include_str!("../models/peterson.gcl"),
    },
    Example {
        name: "peterson-broken",
        summary: "the same with a mistake: the turn is given away too early",
        parameters: &[],
        text: include_str!("../models/peterson-broken.gcl"),
    },
    Example {
        name: "bounded-buffer",
        summary: "a producer and a consumer with a ring of cells between them",
        parameters: &["CELLS", "KINDS"],
        text: include_str!("../models/bounded-buffer.gcl"),
    },
    Example {
        name: "dining-philosophers",
        summary: "philosophers who take their left fork first, and may all wait forever",
        parameters: &["N"],
        text: include_str!("../models/dining-philosophers.gcl"),
    },
];
