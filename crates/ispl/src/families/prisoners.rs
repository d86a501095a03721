//! Prisoners and a light bulb: has everyone been in the room?

use super::{Family, Parameter, Variant, joined};
use std::fmt::Write;

pub(super) const FAMILY: Family = Family {
    name: "prisoners",
    summary: "has everyone been in the room? a light bulb is all they can talk by",
    description: "N prisoners sit in cells of their own. Again and again the warden takes one of them to a room with a \
        light bulb. If one of them says that all have been there, all are released if that is true and executed if \
        not. They agreed on a counter: every other prisoner switches the light on, once, when it is off; the counter \
        switches it off, and announces when it has seen it on N − 1 times.",
    origin: "a riddle of unknown origin; numbers of states as in the thesis on sentential diagrams in MCMAS",
    parameters: &[Parameter {
        name: "N",
        meaning: "prisoners, the counter among them",
        smallest: 2,
        largest: 300,
        example: 5,
        default: None,
    }],
    variants: &[
        Variant { name: "range", meaning: "the counter has a number", largest: None },
        Variant { name: "enum", meaning: "the counter has a name for each number", largest: None },
    ],
    write,
};

fn write(parameters: &[u64], variant: &'static str) -> String {
    let n = parameters[0];
    let number = |count: u64| if variant == "enum" { format!("seen{count}") } else { count.to_string() };
    let mut text = format!("-- {n} prisoners and a light bulb. Prisoner 1 is the counter.\n");
    // Writing to a string never fails.
    let _ = write_room(&mut text, n);
    let _ = write_counter(&mut text, n, variant, number);
    for i in 2..=n {
        let _ = write_prisoner(&mut text, i);
    }
    let _ = write_questions(&mut text, n, &number(0));
    text
}

/// The environment, which takes prisoners to the room, and the prison, which keeps the books.
fn write_room(text: &mut String, n: u64) -> std::fmt::Result {
    let all_visited = joined(n, " and ", |i| format!("visited{i} = true"));
    writeln!(text, "Semantics = SingleAssignment;\n\nAgent Environment\n  Obsvars:\n    light : boolean;")?;
    writeln!(text, "    inside : {{ nobody, {} }};", joined(n, ", ", |i| format!("prisoner{i}")))?;
    writeln!(text, "  end Obsvars\n  Actions = {{ wait, {} }};", joined(n, ", ", |i| format!("take{i}")))?;
    writeln!(text, "  Protocol:\n    inside = nobody : {{ {} }};", joined(n, ", ", |i| format!("take{i}")))?;
    writeln!(text, "    Other : {{ wait }};\n  end Protocol\n  Evolution:")?;
    for i in 1..=n {
        writeln!(text, "    inside = prisoner{i} if Action = take{i} and Prison.Action = open;")?;
    }
    writeln!(text, "    inside = nobody if Action = wait and Prison.Action = open;")?;
    if n > 1 {
        let switched =
            (2..=n).map(|i| format!("Prisoner{i}.Action = switch_on")).collect::<Vec<_>>().join(" or ");
        writeln!(text, "    light = true if {switched};")?;
    }
    writeln!(text, "    light = false if Counter.Action = switch_off;\n  end Evolution\nend Agent\n")?;

    writeln!(text, "Agent Prison\n  Vars:")?;
    for i in 1..=n {
        writeln!(text, "    visited{i} : boolean;")?;
    }
    writeln!(text, "    fate : {{ open, released, executed }};\n  end Vars\n  Actions = {{ open, close }};")?;
    writeln!(
        text,
        "  Protocol:\n    fate = open : {{ open }};\n    Other : {{ close }};\n  end Protocol\n  Evolution:"
    )?;
    for i in 1..=n {
        writeln!(text, "    visited{i} = true if Action = open and Environment.Action = take{i};")?;
    }
    writeln!(text, "    fate = released if Counter.Action = announce and {all_visited};")?;
    writeln!(text, "    fate = executed if Counter.Action = announce and !({all_visited});")?;
    writeln!(text, "  end Evolution\nend Agent\n")
}

fn write_counter(
    text: &mut String,
    n: u64,
    variant: &str,
    number: impl Fn(u64) -> String,
) -> std::fmt::Result {
    let last = n - 1;
    let domain = match variant {
        "enum" => format!("{{ {} }}", (0..=last).map(&number).collect::<Vec<_>>().join(", ")),
        _ => format!("0 .. {last}"),
    };
    let sees_light = "Environment.inside = prisoner1 and Environment.light = true";
    writeln!(text, "Agent Counter\n  Vars:\n    count : {domain};\n  end Vars")?;
    writeln!(text, "  Actions = {{ wait, switch_off, announce }};\n  Protocol:")?;
    if last > 1 {
        let early: Vec<String> = (0..last - 1).map(|count| format!("count = {}", number(count))).collect();
        writeln!(text, "    {sees_light} and ({}) : {{ switch_off }};", early.join(" or "))?;
    }
    writeln!(text, "    {sees_light} and count = {} : {{ announce }};", number(last - 1))?;
    writeln!(text, "    Other : {{ wait }};\n  end Protocol\n  Evolution:")?;
    for count in 0..last - 1 {
        let (from, to) = (number(count), number(count + 1));
        writeln!(text, "    count = {to} if count = {from} and Action = switch_off;")?;
    }
    writeln!(text, "    count = {} if Action = announce;\n  end Evolution\nend Agent\n", number(last))
}

fn write_prisoner(text: &mut String, i: u64) -> std::fmt::Result {
    let may_signal =
        format!("Environment.inside = prisoner{i} and Environment.light = false and signalled = false");
    writeln!(text, "Agent Prisoner{i}\n  Vars:\n    signalled : boolean;\n  end Vars")?;
    writeln!(text, "  Actions = {{ wait, switch_on }};\n  Protocol:\n    {may_signal} : {{ switch_on }};")?;
    writeln!(text, "    Other : {{ wait }};\n  end Protocol\n  Evolution:")?;
    writeln!(text, "    signalled = true if Action = switch_on;\n  end Evolution\nend Agent\n")
}

fn write_questions(text: &mut String, n: u64, zero: &str) -> std::fmt::Result {
    writeln!(
        text,
        "Evaluation\n  released if Prison.fate = released;\n  executed if Prison.fate = executed;"
    )?;
    writeln!(text, "  all_visited if {};", joined(n, " and ", |i| format!("Prison.visited{i} = true")))?;
    writeln!(
        text,
        "end Evaluation\n\nInitStates\n  Environment.light = false and Environment.inside = nobody"
    )?;
    writeln!(text, "  and {}", joined(n, " and ", |i| format!("Prison.visited{i} = false")))?;
    writeln!(text, "  and Prison.fate = open and Counter.count = {zero}")?;
    let signalled = (2..=n).map(|i| format!("Prisoner{i}.signalled = false")).collect::<Vec<_>>();
    writeln!(text, "  and {};\nend InitStates\n", signalled.join(" and "))?;
    let others = (2..=n).map(|i| format!("Prisoner{i}")).collect::<Vec<_>>().join(", ");
    writeln!(
        text,
        "Groups\n  inmates = {{ Counter, {others} }};\n  warden = {{ Environment }};\nend Groups\n"
    )?;
    writeln!(text, "Formulae\n  AF released;\n  EF released;\n  EF executed;\n  AG !executed;")?;
    writeln!(
        text,
        "  AG (released -> K(Counter, all_visited));\n  AG (all_visited -> K(Counter, all_visited));"
    )?;
    writeln!(text, "  <inmates> F released;\n  <warden> G !released;\nend Formulae")
}
