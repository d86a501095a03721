//! The dining cryptographers: did one of us pay, without saying who?

use super::{Family, Parameter, Variant, joined};
use std::fmt::Write;

pub(super) const FAMILY: Family = Family {
    name: "dining-cryptographers",
    summary: "did one of us pay? an answer that does not tell who",
    description: "N cryptographers sit round a table. The bill is paid, by one of them or by a stranger. Each tosses a \
        coin that only it and its right neighbour see. Each says whether the two coins that it sees are the same or \
        different; one who paid says the opposite. The number of those who say 'different' is odd if and only if one of \
        them paid, and no one learns who. There are 5 · (N + 1) · 2^N states.",
    origin: "D. Chaum, Journal of Cryptology 1988; numbers of states as in the thesis on sentential diagrams in MCMAS",
    parameters: &[Parameter {
        name: "N",
        meaning: "cryptographers",
        smallest: 3,
        largest: 300,
        example: 5,
        default: None,
    }],
    variants: &[
        Variant { name: "xor", meaning: "statements are booleans, counted by exclusive or", largest: None },
        Variant { name: "enum", meaning: "all odd combinations of statements are listed", largest: Some(15) },
        Variant { name: "sum", meaning: "statements are 0 or 1, counted by addition", largest: None },
    ],
    write,
};

fn write(parameters: &[u64], variant: &'static str) -> String {
    let n = parameters[0];
    let (no, yes) = if variant == "sum" { ("0", "1") } else { ("false", "true") };
    let odd = parity(n, variant, 1);
    let even = parity(n, variant, 0);
    let mut text = format!("-- {n} dining cryptographers, who count their statements by {variant}.\n");
    // Writing to a string never fails.
    let _ = write_environment(&mut text, n, variant, [no, yes], [&even, &odd]);
    for i in 1..=n {
        let _ = write_cryptographer(&mut text, i, if i == 1 { n } else { i - 1 });
    }
    let _ = write_questions(&mut text, n, no);
    text
}

/// That the number of those who say "different" is odd (`rest` 1) or even (`rest` 0).
fn parity(n: u64, variant: &str, rest: u64) -> String {
    match variant {
        "sum" => {
            let sum = joined(n, " + ", |i| format!("differs{i}"));
            let counts: Vec<String> =
                (0..=n).filter(|count| count % 2 == rest).map(|count| format!("{sum} = {count}")).collect();
            format!("({})", counts.join(" or "))
        }
        "enum" => {
            let fitting = (0..1_u64 << n).filter(|bits| u64::from(bits.count_ones()) % 2 == rest);
            let case = |bits: u64| {
                let said = joined(n, " and ", |i| format!("differs{i} = {}", bits >> (i - 1) & 1 == 1));
                format!("({said})")
            };
            format!("({})", fitting.map(case).collect::<Vec<_>>().join(" or\n      "))
        }
        _ => format!("{} = {}", joined(n, " ^ ", |i| format!("differs{i}")), rest == 1),
    }
}

fn write_environment(
    text: &mut String,
    n: u64,
    variant: &str,
    [no, yes]: [&str; 2],
    [even, odd]: [&str; 2],
) -> std::fmt::Result {
    let domain = if variant == "sum" { "0 .. 1" } else { "boolean" };
    writeln!(text, "Semantics = SingleAssignment;\n\nAgent Environment\n  Obsvars:")?;
    writeln!(text, "    stage : {{ look, speak, count, done }};\n    result : {{ open, even, odd }};")?;
    writeln!(text, "  end Obsvars\n  Vars:")?;
    for i in 1..=n {
        writeln!(text, "    coin{i} : {{ heads, tails }};")?;
    }
    for i in 1..=n {
        writeln!(text, "    differs{i} : {domain};")?;
    }
    // The tally is kept all the time; before anybody spoke it may be anything.
    writeln!(text, "    tally : boolean;\n  end Vars")?;
    writeln!(
        text,
        "  Actions = {{ wait }};\n  Protocol:\n    Other : {{ wait }};\n  end Protocol\n  Evolution:"
    )?;
    for (from, to) in [("look", "speak"), ("speak", "count"), ("count", "done")] {
        writeln!(text, "    stage = {to} if stage = {from};")?;
    }
    for i in 1..=n {
        writeln!(text, "    differs{i} = {yes} if Cryptographer{i}.Action = say_different;")?;
        writeln!(text, "    differs{i} = {no} if Cryptographer{i}.Action = say_same;")?;
    }
    writeln!(text, "    tally = false if {even};\n    tally = true if {odd};")?;
    writeln!(text, "    result = even if stage = count and {even};")?;
    writeln!(text, "    result = odd if stage = count and {odd};\n  end Evolution\nend Agent\n")
}

/// One cryptographer, who sees its own coin and that of its left neighbour.
fn write_cryptographer(text: &mut String, i: u64, left: u64) -> std::fmt::Result {
    writeln!(text, "Agent Cryptographer{i}\n  Lobsvars = {{ coin{i}, coin{left} }};\n  Vars:")?;
    writeln!(text, "    paid : boolean;\n    sees : {{ nothing, same, different }};\n  end Vars")?;
    writeln!(text, "  Actions = {{ say_same, say_different, wait }};\n  Protocol:")?;
    for (says, honest, lying) in [("say_same", "same", "different"), ("say_different", "different", "same")] {
        let truth = format!("paid = false and sees = {honest}");
        let lie = format!("paid = true and sees = {lying}");
        writeln!(text, "    Environment.stage = speak and ({truth} or {lie}) : {{ {says} }};")?;
    }
    writeln!(text, "    Other : {{ wait }};\n  end Protocol\n  Evolution:")?;
    for (sees, sign) in [("same", "="), ("different", "<>")] {
        let coins = format!("Environment.coin{i} {sign} Environment.coin{left}");
        writeln!(text, "    sees = {sees} if Environment.stage = look and {coins};")?;
    }
    writeln!(text, "  end Evolution\nend Agent\n")
}

fn write_questions(text: &mut String, n: u64, no: &str) -> std::fmt::Result {
    writeln!(text, "Evaluation")?;
    for i in 1..=n {
        writeln!(text, "  paid{i} if Cryptographer{i}.paid = true;")?;
    }
    writeln!(
        text,
        "  odd if Environment.result = odd;\n  even if Environment.result = even;\nend Evaluation\n"
    )?;

    let payer = |payer: u64| joined(n, " and ", |i| format!("Cryptographer{i}.paid = {}", i == payer));
    let payers: Vec<String> = (0..=n).map(|i| format!("({})", payer(i))).collect();
    writeln!(text, "InitStates\n  ({})", payers.join(" or\n   "))?;
    writeln!(text, "  and Environment.stage = look and Environment.result = open")?;
    writeln!(text, "  and {}", joined(n, " and ", |i| format!("Environment.differs{i} = {no}")))?;
    writeln!(text, "  and {};", joined(n, " and ", |i| format!("Cryptographer{i}.sees = nothing")))?;
    writeln!(text, "end InitStates\n")?;

    writeln!(text, "Groups\n  all = {{ {} }};", joined(n, ", ", |i| format!("Cryptographer{i}")))?;
    writeln!(text, "  two = {{ Cryptographer1, Cryptographer2 }};\nend Groups\n")?;
    let others = (2..=n).map(|i| format!("paid{i}")).collect::<Vec<_>>().join(" or ");
    let secret = (2..=n).map(|i| format!("!K(Cryptographer1, paid{i})")).collect::<Vec<_>>().join(" and ");
    writeln!(text, "Formulae")?;
    writeln!(text, "  AG (odd and !paid1 -> K(Cryptographer1, {others}) and {secret});")?;
    writeln!(text, "  AG (even -> GCK(all, !(paid1 or {others})));")?;
    writeln!(text, "  AF (odd or even);\n  EF K(Cryptographer1, paid2);\nend Formulae")
}
