//! Answers of the oracle that were refuted by hand.
//!
//! The oracle is what the tools of a contest agreed on, and a verdict that one tool alone gave may be wrong. An entry here says
//! what is true instead, and why anybody can believe it. Such questions count as right or wrong by that.

/// A refuted answer.
struct Disputed {
    question: &'static str,
    known: &'static str,
    /// What is true.
    truth: &'static str,
}

/// - `PolyORBNT-PT-S05J20-LTLCardinality-05` asks for `A X X F G (p U G q)`, which is `A F G q`; `q` says that the sum of all
///   `Perform_Work_B_1_i` is at most `FetchJobB_1`. *Every run is finite*: there are integer weights of places under which
///   every transition lowers the sum (a perceptron finds them in seconds; `symbolon info` finds no T-semiflow, and all).
///   *Every dead marking satisfies `q`*: a token in `Perform_Work_B_1_i` has one in some `CreatedJobs_i_j` beside it (`symbolon check` proves
///   `AG (Perform_Work_B_1_i >= 1 -> CreatedJobs_i_1 + … + CreatedJobs_i_5 >= 1)` by the state equation), and `Run_i_j_1` needs these two alone.
///   So every run ends where `q` holds, and stays there.
const DISPUTED: [Disputed; 1] =
    [Disputed { question: "PolyORBNT-PT-S05J20-LTLCardinality-05", known: "FALSE", truth: "TRUE" }];

/// What is true where the oracle says `known`.
pub(super) fn corrected<'a>(question: &str, known: &'a str) -> &'a str {
    let refuted = DISPUTED.iter().find(|disputed| disputed.question == question && disputed.known == known);
    refuted.map_or(known, |disputed| disputed.truth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_listed_is_corrected() {
        assert_eq!(corrected("PolyORBNT-PT-S05J20-LTLCardinality-05", "FALSE"), "TRUE");
        assert_eq!(corrected("PolyORBNT-PT-S05J20-LTLCardinality-06", "FALSE"), "FALSE");
    }
}
