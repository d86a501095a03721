//! Whether a command printed what a page says. `[..]` stands for anything within a line, a line
//! `...` for any number of lines; a line that tells the time matches every other that does.

/// Whether `found` is what `expected` describes.
pub(crate) fn matches(expected: &str, found: &str) -> bool {
    let expected: Vec<&str> = expected.lines().map(str::trim_end).collect();
    let found: Vec<&str> = found.lines().map(str::trim_end).collect();
    lines_match(&expected, &found)
}

fn lines_match(expected: &[&str], found: &[&str]) -> bool {
    match expected.split_first() {
        None => found.is_empty(),
        Some((&"...", rest)) => (0..=found.len()).any(|skipped| lines_match(rest, &found[skipped..])),
        Some((line, rest)) => {
            found.first().is_some_and(|first| line_matches(line, first)) && lines_match(rest, &found[1..])
        }
    }
}

fn line_matches(expected: &str, found: &str) -> bool {
    if expected.starts_with("time ") && found.starts_with("time ") {
        return true;
    }
    let mut pieces = expected.split("[..]");
    let first = pieces.next().unwrap_or_default();
    let Some(mut left) = found.strip_prefix(first) else { return false };
    let mut is_whole = true;
    let mut last = "";
    for piece in pieces {
        let Some(position) = left.find(piece) else { return false };
        left = &left[position + piece.len()..];
        last = piece;
        is_whole = false;
    }
    left.is_empty() || !is_whole && found.ends_with(last)
}

/// Seconds and the memory behind them, as the tables of `compare` have them, blotted out.
fn without_costs(line: &str) -> String {
    let is_number = |word: &str| word.parse::<f64>().is_ok() && word.contains('.');
    let is_size =
        |word: &str| word.strip_suffix(['K', 'M', 'G']).is_some_and(|number| number.parse::<f64>().is_ok());
    let mut out = String::new();
    let mut rest = line;
    while let Some(start) = rest.find(|c: char| c != ' ') {
        let words: Vec<&str> = rest[start..].split_whitespace().take(3).collect();
        let last = match words.as_slice() {
            [seconds, size, ..] if is_number(seconds) && is_size(size) => *size,
            [seconds, "s", size] if is_number(seconds) && is_size(size) => *size,
            _ => {
                let end = rest[start..].find(' ').map_or(rest.len(), |end| start + end);
                out.push_str(&rest[..end]);
                rest = &rest[end..];
                continue;
            }
        };
        let end = start + rest[start..].find(last).unwrap_or(0) + last.len();
        out.push_str(&rest[..start]);
        out.push_str("[..]");
        rest = &rest[end..];
    }
    out + rest
}

/// What a command printed, with what changes from run to run blotted out: seconds and sizes of
/// memory, and what is concluded from them.
pub(crate) fn blotted(found: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut is_result = false;
    for line in found.lines() {
        // A result may take several lines, and not always as many.
        if line.starts_with("result: ") {
            lines.extend(["result: [..]".to_string(), "...".to_string()]);
            is_result = true;
        } else if !is_result || !line.starts_with("  ") {
            is_result = false;
            lines.push(line.to_string());
        }
    }
    let found = lines.join("\n");
    let blot = |line: &str| {
        let mut line = without_costs(line);
        if line.starts_with("read '")
            && let (Some(start), Some(end)) = (line.find("' in "), line.find(" s: "))
        {
            line.replace_range(start + "' in ".len()..end, "[..]");
        }
        // Lines of `check` end with the time.
        if let Some((front, time)) = line.rsplit_once("; ")
            && time.strip_suffix(" s").is_some_and(|seconds| seconds.parse::<f64>().is_ok())
        {
            line = format!("{front}; [..] s");
        }
        for key in ["\"seconds\":", "\"peak_bytes\":"] {
            let mut position = 0;
            while let Some(found) = line[position..].find(key) {
                let start = position + found + key.len();
                let end = line[start..].find([',', '}']).map_or(line.len(), |end| start + end);
                line.replace_range(start..end, "[..]");
                position = start;
            }
        }
        line + "\n"
    };
    found.lines().map(str::trim_end).map(blot).collect()
}

#[test]
fn costs_and_results_are_blotted_out() {
    for (found, expected) in [
        ("  mdd  bfs  0.020     16M     81", "  mdd  bfs  [..]     81\n"),
        ("kanban:5  7  0.020 s   16M  0.3 s  1.5G", "kanban:5  7  [..]  [..]\n"),
        (
            "result: quickest is a, 0.1 s;\n  b takes longer\n2 of 2 cells",
            "result: [..]\n...\n2 of 2 cells\n",
        ),
        ("x  3.5 of 7", "x  3.5 of 7\n"),
    ] {
        assert_eq!(blotted(found), expected);
    }
    assert!(matches("result: [..]\n...\nend", "result: a\n  b\n  c\nend"));
}

#[test]
fn what_changes_is_blotted_out() {
    for (found, blotted_out) in [
        ("net: 2 formulas, 1 holds, 1 fails; 0.01 s", "net: 2 formulas, 1 holds, 1 fails; [..] s\n"),
        ("a run: 3 steps; no shorter one exists", "a run: 3 steps; no shorter one exists\n"),
        ("{\"seconds\":1.5,\"a\":[{\"seconds\":2}]}", "{\"seconds\":[..],\"a\":[{\"seconds\":[..]}]}\n"),
    ] {
        assert_eq!(blotted(found), blotted_out);
    }
}

#[test]
fn blots_stand_for_anything() {
    for (expected, found, agrees) in [
        ("a\nb\n", "a\nb\n", true),
        ("a\nb\n", "a\n", false),
        ("took [..] s\n", "took 0.1 s\n", true),
        ("took [..] s\n", "took 0.1 ms\n", false),
        ("time  0.2 s\n", "time  0.1 s\n", true),
        ("[..]\n", "x\n", true),
        ("a[..]b[..]c", "a b b c", true),
        ("a[..]b", "abc", false),
        ("a\n...\nz", "a\nb\nc\nz", true),
        ("a\n...\nz", "a\nb\nc", false),
        ("...", "", true),
    ] {
        assert_eq!(matches(expected, found), agrees, "{expected:?} {found:?}");
    }
}
