//! How long a comparison will still take: each cell that is left takes as long as those with the
//! same choices took on other models, on average.

use std::ffi::OsString;

/// A cell that is done.
pub(super) struct Finished<'a> {
    /// Its choices.
    pub(super) choices: &'a [Option<OsString>],
    /// How long it took, by the clock.
    pub(super) seconds: f64,
}

/// Fewer cells say nothing.
const FEWEST: usize = 3;

/// The time that cells with these choices will take, in words; none while too little is known.
pub(super) fn time_left<'a>(
    finished: &[Finished<'_>],
    left: impl Iterator<Item = &'a [Option<OsString>]>,
    jobs: usize,
) -> Option<String> {
    if finished.len() < FEWEST {
        return None;
    }
    let average = |seconds: &mut dyn Iterator<Item = f64>| {
        let (count, sum) = seconds.fold((0_u32, 0.0), |(count, sum), seconds| (count + 1, sum + seconds));
        (count > 0).then(|| sum / f64::from(count))
    };
    let overall = average(&mut finished.iter().map(|cell| cell.seconds))?;
    let expected = |choices: &[Option<OsString>]| {
        let alike = finished.iter().filter(|cell| cell.choices == choices);
        average(&mut alike.map(|cell| cell.seconds)).unwrap_or(overall)
    };
    let seconds: f64 = left.map(expected).sum();
    Some(in_words(seconds / jobs.max(1) as f64))
}

/// A time, as exactly as it is known.
fn in_words(seconds: f64) -> String {
    match seconds {
        ..1.5 => "a moment left".to_string(),
        ..90.0 => format!("about {seconds:.0} s left"),
        ..5400.0 => format!("about {:.0} min left", seconds / 60.0),
        ..172_800.0 => format!("about {:.0} h left", seconds / 3600.0),
        _ => format!("about {:.0} days left", seconds / 86_400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_takes_as_long_as_what_is_alike() {
        let (quick, slow, other) = ([Some("bfs".into())], [Some("chaining".into())], [None::<OsString>]);
        let finished = [
            Finished { choices: &quick, seconds: 1.0 },
            Finished { choices: &quick, seconds: 3.0 },
            Finished { choices: &slow, seconds: 100.0 },
        ];
        let check = |left: &[&[Option<OsString>]], jobs, expected: &str| {
            assert_eq!(time_left(&finished, left.iter().copied(), jobs).as_deref(), Some(expected));
        };
        check(&[], 1, "a moment left");
        check(&[&quick, &quick], 1, "about 4 s left");
        check(&[&slow, &slow], 1, "about 3 min left");
        check(&[&slow, &slow], 4, "about 50 s left");
        // The average of all, where nothing is alike.
        check(&[&other], 1, "about 35 s left");
        assert_eq!(time_left(&finished[..2], [&quick[..]].into_iter(), 1), None);
    }

    #[test]
    fn times_are_rounded() {
        for (seconds, expected) in [
            (0.2, "a moment left"),
            (89.0, "about 89 s left"),
            (600.0, "about 10 min left"),
            (36_000.0, "about 10 h left"),
            (864_000.0, "about 10 days left"),
        ] {
            assert_eq!(in_words(seconds), expected);
        }
    }
}
