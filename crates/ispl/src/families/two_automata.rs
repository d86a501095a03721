//! Two automata with two states each, and what becomes of their product when they run freely,
//! together, or guarded.

use super::{Family, Variant};

pub(super) const FAMILY: Family = Family {
    name: "two-automata",
    summary: "the product of two automata: free, synchronised or guarded",
    description: "Two automata go around their two states, m1, m2 and s1, s2. A scheduler says who moves next. Free, they \
        reach all four pairs. Synchronised, they move together wherever their states have the same number, so that they \
        always agree. Guarded, the second moves only while the first is in m2: all pairs are reached, but by a longer way.",
    origin: "I. Majzik, V. Molnár, lecture on symbolic model checking (products of automata)",
    parameters: &[],
    variants: &[
        Variant { name: "free", meaning: "one of them moves in each step", largest: None },
        Variant {
            name: "synchronised",
            meaning: "they move together where their numbers agree",
            largest: None,
        },
        Variant { name: "guarded", meaning: "the second moves only while the first is in m2", largest: None },
    ],
    write,
};

fn write(_: &[u64], variant: &'static str) -> String {
    // What must hold for an automaton to move besides its turn, and what makes it move out of turn.
    let (guard, together) = match variant {
        "synchronised" => (
            "",
            "((First.Action = from_m1 and Second.Action = from_s1) or (First.Action = from_m2 and Second.Action = from_s2))",
        ),
        "guarded" => (" and First.Action = from_m2", ""),
        _ => ("", ""),
    };
    let moves = |turn: &str, guard: &str| match together {
        "" => format!("Environment.Action = {turn}{guard}"),
        together => format!("(Environment.Action = {turn} or {together})"),
    };
    // An agent calls its own action by no name.
    let first = moves("first", "").replace("First.Action", "Action");
    let second = moves("second", guard).replace("Second.Action", "Action");
    format!(
        "\
-- Two automata, {variant}: what an automaton does tells where it is, so that the other one can wait for it.
Agent Environment
  Vars:
  end Vars
  Actions = {{ first, second }};
  Protocol:
  end Protocol
  Evolution:
  end Evolution
end Agent

Agent First
  Vars:
    at : {{ m1, m2 }};
  end Vars
  Actions = {{ from_m1, from_m2 }};
  Protocol:
    at = m1 : {{ from_m1 }};
    at = m2 : {{ from_m2 }};
  end Protocol
  Evolution:
    at = m2 if at = m1 and {first};
    at = m1 if at = m2 and {first};
  end Evolution
end Agent

Agent Second
  Vars:
    at : {{ s1, s2 }};
  end Vars
  Actions = {{ from_s1, from_s2 }};
  Protocol:
    at = s1 : {{ from_s1 }};
    at = s2 : {{ from_s2 }};
  end Protocol
  Evolution:
    at = s2 if at = s1 and {second};
    at = s1 if at = s2 and {second};
  end Evolution
end Agent

Evaluation
  m1 if First.at = m1;
  m2 if First.at = m2;
  s1 if Second.at = s1;
  s2 if Second.at = s2;
end Evaluation

InitStates
  First.at = m1 and Second.at = s1;
end InitStates

Groups
  both = {{ First, Second }};
end Groups

Formulae
  EF (m1 and s2);
  AG ((m1 and s1) -> AX !s2);
  AG ((m1 and s1) -> AX (m2 and s2));
  AG (K(First, s1) or K(First, s2));
end Formulae
"
    )
}
