//! Runs one program to its end, or to a limit, and says what it cost.
//!
//! CPU seconds and peak memory are the kernel's own account of that child (`wait4`), not samples.
//! Limits are enforced from outside: past the wall time or the resident memory, the child and
//! whatever it started are killed. This is the net under programs that keep limits themselves.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use wait4::Wait4;

/// When a child is killed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) wall: Duration,
    pub(crate) resident_bytes: u64,
}

/// What a child left behind.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) ending: Ending,
    pub(crate) wall_seconds: f64,
    pub(crate) cpu_seconds: f64,
    pub(crate) peak_bytes: u64,
}

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// By itself, with this exit status.
    Exit(i32),
    /// By a signal that we did not send.
    Signal,
    /// Killed by us, for its time.
    OutOfTime,
    /// Killed by us, for its memory.
    OutOfMemory,
}

impl Ending {
    /// Whether the child ended by itself with status 0.
    pub(crate) fn is_success(self) -> bool {
        self == Ending::Exit(0)
    }
}

/// Runs `command` with nothing on its standard input and both outputs captured.
pub(crate) fn run(command: &mut Command, limits: Limits) -> Result<Run> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let start = Instant::now();
    let mut child = command.spawn().with_context(|| format!("cannot start {name}"))?;
    let stdout = child.stdout.take().map(|pipe| thread::spawn(move || read_all(pipe)));
    let stderr = child.stderr.take().map(|pipe| thread::spawn(move || read_all(pipe)));

    let mut killed = None;
    let mut pause = Duration::from_micros(500);
    let mut memory_looked_at = start;
    let usage = loop {
        if let Some(usage) = child.try_wait4().with_context(|| format!("cannot wait for {name}"))? {
            break usage;
        }
        if killed.is_none() {
            if start.elapsed() > limits.wall {
                killed = Some(Ending::OutOfTime);
            } else if memory_looked_at.elapsed() > Duration::from_millis(100) {
                memory_looked_at = Instant::now();
                if resident_bytes(&family(child.id())) > limits.resident_bytes {
                    killed = Some(Ending::OutOfMemory);
                }
            }
            if killed.is_some() {
                kill(&family(child.id()));
            }
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    };
    let wall_seconds = start.elapsed().as_secs_f64();

    Ok(Run {
        stdout: stdout.and_then(|reader| reader.join().ok()).unwrap_or_default(),
        stderr: stderr.and_then(|reader| reader.join().ok()).unwrap_or_default(),
        ending: killed.unwrap_or_else(|| usage.status.code().map_or(Ending::Signal, Ending::Exit)),
        wall_seconds,
        cpu_seconds: (usage.rusage.utime + usage.rusage.stime).as_secs_f64(),
        peak_bytes: usage.rusage.maxrss,
    })
}

fn read_all(mut pipe: impl Read) -> String {
    let mut bytes = Vec::new();
    // A broken pipe ends the text like its end does; what came before it counts.
    let _ = pipe.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A process and what it started, each with its resident bytes, ancestors first.
fn family(ancestor: u32) -> Vec<(u32, u64)> {
    let mut children: BTreeMap<u32, Vec<(u32, u64)>> = BTreeMap::new();
    let mut members = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        let Ok(status) = fs::read_to_string(entry.path().join("status")) else { continue };
        let (parent, resident) = parent_and_resident(&status);
        if id == ancestor {
            members.push((id, resident));
        } else {
            children.entry(parent).or_default().push((id, resident));
        }
    }
    let mut next = 0;
    while let Some(&(id, _)) = members.get(next) {
        members.extend(children.remove(&id).unwrap_or_default());
        next += 1;
    }
    members
}

/// The parent's id and the resident bytes, as `/proc/ID/status` gives them.
fn parent_and_resident(status: &str) -> (u32, u64) {
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    let parent = field("PPid:").and_then(|id| u32::try_from(id).ok()).unwrap_or(0);
    (parent, field("VmRSS:").unwrap_or(0) * 1024)
}

fn resident_bytes(members: &[(u32, u64)]) -> u64 {
    members.iter().map(|(_, resident)| resident).sum()
}

/// Kills a family, ancestors first: a parent that saw its child die could otherwise go on without it.
fn kill(members: &[(u32, u64)]) {
    let ids = members.iter().map(|(id, _)| id.to_string());
    // Some may have ended by themselves meanwhile; `kill` complains about those and kills the rest.
    let _ = Command::new("kill").arg("-KILL").args(ids).stdout(Stdio::null()).stderr(Stdio::null()).status();
}

/// Reads a size such as `200M` or `8G`, for an option.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    symbolon_budget::parse_size(text)
        .ok_or_else(|| format!("'{text}' is not a size; write one like 200M or 8G"))
}

/// Writes a size in the largest unit that loses nothing.
pub(crate) fn show_size(bytes: u64) -> String {
    let exact = |(shift, _): &(u32, &str)| bytes > 0 && bytes.is_multiple_of(1 << shift);
    let units = [(40, "T"), (30, "G"), (20, "M"), (10, "K")];
    let (shift, unit) = units.into_iter().find(exact).unwrap_or((0, ""));
    format!("{}{unit}", bytes >> shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(script: &str, limits: Limits) -> Run {
        run(Command::new("sh").args(["-c", script]), limits).unwrap()
    }

    const WIDE: Limits = Limits { wall: Duration::from_secs(20), resident_bytes: 1 << 30 };

    #[test]
    fn outputs_and_status_come_back() {
        let run = check("echo answer; echo remark >&2; exit 3", WIDE);
        assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("answer\n", "remark\n"));
        assert_eq!(run.ending, Ending::Exit(3));
        assert!(run.peak_bytes > 100_000, "a shell needs some memory, not {} bytes", run.peak_bytes);
    }

    #[test]
    fn cpu_time_is_the_childs() {
        let run = check("i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done", WIDE);
        assert!(run.cpu_seconds > 0.02, "{} s", run.cpu_seconds);
        assert!(run.cpu_seconds <= run.wall_seconds + 0.1, "{run:?}");
    }

    #[test]
    fn a_crash_is_told_from_an_exit() {
        assert_eq!(check("kill -SEGV $$", WIDE).ending, Ending::Signal);
    }

    #[test]
    fn too_long_a_run_is_killed_with_what_it_started() {
        let limits = Limits { wall: Duration::from_millis(300), ..WIDE };
        let run = check("echo early; (sleep 30; echo late) & wait", limits);
        assert_eq!(run.ending, Ending::OutOfTime);
        assert_eq!(run.stdout, "early\n");
        assert!(run.wall_seconds < 5.0, "{} s", run.wall_seconds);
    }

    #[test]
    fn too_large_a_run_is_killed() {
        let limits = Limits { resident_bytes: 50 << 20, ..WIDE };
        let run = check("x=$(head -c 100000000 /dev/zero | tr '\\0' x); sleep 10", limits);
        assert_eq!(run.ending, Ending::OutOfMemory);
    }

    #[test]
    fn a_flood_of_output_does_not_block() {
        let run = check("head -c 3000000 /dev/zero | tr '\\0' x", WIDE);
        assert_eq!(run.stdout.len(), 3_000_000);
    }

    #[test]
    fn sizes_come_back_as_they_were_written() {
        for text in ["200M", "8G", "17", "1K", "0", "2T"] {
            assert_eq!(size(text).map(show_size).as_deref(), Ok(text));
        }
        assert!(size("8X").is_err());
    }

    #[test]
    fn status_lines_are_read() {
        let text = "Name:\tan odd (name)\nPPid:\t77\nVmRSS:\t    12 kB\n";
        assert_eq!(parent_and_resident(text), (77, 12 * 1024));
        assert_eq!(parent_and_resident("Name:\tkthread\n"), (0, 0));
    }
}
