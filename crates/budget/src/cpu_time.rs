//! The CPU time of this process.

use std::io::Read;
use std::time::Duration;

/// Linux counts CPU time for programs in units of this many to the second, whatever the kernel
/// counts in.
const TICKS_PER_SECOND: u64 = 100;

/// The CPU time that all threads of this process have used together, where the system reports it
/// (Linux). Allocates nothing.
pub fn cpu_time() -> Option<Duration> {
    let mut buffer = [0; 1024];
    let length = std::fs::File::open("/proc/self/stat").and_then(|mut file| file.read(&mut buffer)).ok()?;
    in_stat_line(&buffer[..length])
}

/// The time in user mode and in the kernel, as `/proc/self/stat` has it. The second field is the name
/// of the program in brackets, and may contain anything, brackets too.
fn in_stat_line(line: &[u8]) -> Option<Duration> {
    let end_of_name = line.iter().rposition(|&byte| byte == b')')?;
    let text = std::str::from_utf8(&line[end_of_name + 1..]).ok()?;
    let mut fields = text.split_ascii_whitespace().skip(11).map(str::parse::<u64>);
    let ticks = fields.next()?.ok()? + fields.next()?.ok()?;
    Some(Duration::from_millis(ticks * (1000 / TICKS_PER_SECOND)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_a_process_is_read() {
        let check = |line: &str, expected| assert_eq!(in_stat_line(line.as_bytes()), expected, "{line}");
        let time = Duration::from_millis(1230);
        check("7 (symbolon) R 1 7 7 0 -1 4194304 99 0 0 0 120 3 8 9 20 0", Some(time));
        check("7 (a) odd (name) R 1 7 7 0 -1 4194304 99 0 0 0 120 3 8 9 20 0", Some(time));
        check("7 (symbolon) R 1 7 7 0 -1 4194304 99 0 0 0 120", None);
        check("", None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn work_takes_time_and_waiting_does_not() {
        let before = cpu_time().expect("Linux reports it");
        let start = std::time::Instant::now();
        while cpu_time().expect("Linux reports it") < before + Duration::from_millis(30) {
            assert!(start.elapsed() < Duration::from_secs(60), "no time passes");
        }
    }
}
