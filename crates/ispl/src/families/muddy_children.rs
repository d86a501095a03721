//! The muddy children: what one learns from others not knowing.

use super::{Family, Parameter, joined};
use std::fmt::Write;

pub(super) const FAMILY: Family = Family {
    name: "muddy-children",
    summary: "what one learns from others who do not know",
    description: "N children have played, and some of them have mud on their foreheads. Each sees the others, not itself. \
        Their father says that at least one of them is muddy, and asks again and again who knows whether it is muddy. All \
        answer at once. With k muddy children nobody knows for k − 1 rounds; in the next, those who are muddy know. There \
        are (N + 2) · 2^(N−1) − 1 states.",
    origin: "Fagin, Halpern, Moses, Vardi, Reasoning about Knowledge, 1995",
    parameters: &[Parameter {
        name: "N",
        meaning: "children",
        smallest: 2,
        largest: 300,
        example: 3,
        default: None,
    }],
    variants: &[],
    write,
};

fn write(parameters: &[u64], _: &'static str) -> String {
    let n = parameters[0];
    let mut text =
        format!("-- {n} muddy children: the father has said that at least one of them is muddy.\n");
    // Writing to a string never fails.
    let _ = write_father(&mut text, n);
    for i in 1..=n {
        let _ = write_child(&mut text, n, i);
    }
    let _ = write_questions(&mut text, n);
    text
}

/// How many muddy children child `i` sees.
fn seen(n: u64, i: u64) -> String {
    let others: Vec<String> =
        (1..=n).filter(|&other| other != i).map(|j| format!("Environment.muddy{j}")).collect();
    others.join(" + ")
}

/// The father, who counts the rounds in which nobody knew.
fn write_father(text: &mut String, n: u64) -> std::fmt::Result {
    let somebody = joined(n, " or ", |i| format!("Child{i}.Action = yes"));
    writeln!(text, "Semantics = MultiAssignment;\n\nAgent Environment\n  Obsvars:")?;
    writeln!(text, "    silent_rounds : 0 .. {};\n    heard : boolean;\n  end Obsvars\n  Vars:", n - 1)?;
    for i in 1..=n {
        writeln!(text, "    muddy{i} : 0 .. 1;")?;
    }
    writeln!(
        text,
        "  end Vars\n  Actions = {{ ask }};\n  Protocol:\n    Other : {{ ask }};\n  end Protocol\n  Evolution:"
    )?;
    writeln!(text, "    heard = true if heard = false and ({somebody});")?;
    writeln!(
        text,
        "    silent_rounds = silent_rounds + 1 if heard = false and silent_rounds < {} and !({somebody});",
        n - 1
    )?;
    writeln!(text, "  end Evolution\nend Agent\n")
}

/// A child, who knows once more rounds were silent than it sees muddy foreheads, or just as many.
fn write_child(text: &mut String, n: u64, i: u64) -> std::fmt::Result {
    let others: Vec<String> =
        (1..=n).filter(|&other| other != i).map(|other| format!("muddy{other}")).collect();
    let knows = format!("{} <= Environment.silent_rounds", seen(n, i));
    writeln!(text, "Agent Child{i}\n  Lobsvars = {{ {} }};\n  Vars:", others.join(", "))?;
    writeln!(text, "    answered : {{ nothing, no, yes }};\n  end Vars\n  Actions = {{ yes, no, quiet }};")?;
    writeln!(text, "  Protocol:\n    Environment.heard = false and {knows} : {{ yes }};")?;
    writeln!(text, "    Environment.heard = false and !({knows}) : {{ no }};")?;
    writeln!(text, "    Other : {{ quiet }};\n  end Protocol\n  Evolution:")?;
    writeln!(text, "    answered = yes if Action = yes;\n    answered = no if Action = no;")?;
    writeln!(text, "  end Evolution\nend Agent\n")
}

fn write_questions(text: &mut String, n: u64) -> std::fmt::Result {
    writeln!(text, "Evaluation\n  over if Environment.heard = true;")?;
    for i in 1..=n {
        writeln!(text, "  muddy{i} if Environment.muddy{i} = 1;\n  yes{i} if Child{i}.answered = yes;")?;
        writeln!(text, "  ready{i} if {} <= Environment.silent_rounds;", seen(n, i))?;
    }
    writeln!(text, "end Evaluation\n\nInitStates")?;
    writeln!(text, "  ({})", joined(n, " or ", |i| format!("Environment.muddy{i} = 1")))?;
    writeln!(text, "  and Environment.silent_rounds = 0 and Environment.heard = false")?;
    writeln!(text, "  and {};", joined(n, " and ", |i| format!("Child{i}.answered = nothing")))?;
    writeln!(text, "end InitStates\n\nGroups\n  all = {{ {} }};", joined(n, ", ", |i| format!("Child{i}")))?;
    writeln!(text, "end Groups\n\nFormulae\n  AF over;")?;
    writeln!(
        text,
        "  AG (yes1 -> K(Child1, muddy1));\n  AG (ready1 -> K(Child1, muddy1) or K(Child1, !muddy1));"
    )?;
    writeln!(text, "  AG (over -> GK(all, {}));", joined(n, " or ", |i| format!("muddy{i}")))?;
    writeln!(text, "  AG (muddy1 -> AF K(Child1, muddy1));\n  AG (K(Child1, muddy1) -> ready1);")?;
    writeln!(text, "  AG GCK(all, {});\nend Formulae", joined(n, " or ", |i| format!("muddy{i}")))
}
