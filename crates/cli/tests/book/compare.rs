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

/// What a command printed, with what changes from run to run blotted out: seconds and sizes of
/// memory.
pub(crate) fn blotted(found: &str) -> String {
    let blot = |line: &str| {
        let mut line = line.to_string();
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
