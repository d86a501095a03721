//! What the system says about memory and CPU time: of the machine and of this process (Linux;
//! elsewhere nothing).

use std::fs;
use std::time::Duration;
use symbolon_checker::ProcessLimits;

/// What of a limit of CPU time that the system set is left for the answer: a part of it, but at least
/// so much. At the limit itself the system may kill the process.
const ANSWER_PARTS: u32 = 16;
const LEAST_ANSWER_TIME: Duration = Duration::from_millis(500);

/// The limits that the shell, or a batch system, set on this process (`ulimit -v`, `-d` and `-t`).
pub(crate) fn process_limits() -> ProcessLimits {
    ProcessLimits {
        address_space: symbolon_process::address_space_limit(),
        data: symbolon_process::data_limit(),
        cpu_time: symbolon_process::cpu_time_limit().map(for_work),
    }
}

/// What of a limit of CPU time is for work.
fn for_work(limit: Duration) -> Duration {
    limit.saturating_sub((limit / ANSWER_PARTS).max(LEAST_ANSWER_TIME))
}

/// Whether the system reports the CPU time of this process.
pub(crate) fn reports_cpu_time() -> bool {
    symbolon_checker::cpu_time().is_some()
}

/// The memory limit if the user gives none: 80 % of what the machine, or the container, has.
pub(crate) fn default_memory_limit() -> Option<u64> {
    physical_memory().map(|bytes| bytes / 10 * 8)
}

/// The most memory this process ever had resident.
pub(crate) fn peak_resident_bytes() -> Option<u64> {
    kilobytes(&fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

/// The memory of the machine, or of the control group if that is less.
fn physical_memory() -> Option<u64> {
    let machine = kilobytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemTotal:")?;
    let group = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
        .iter()
        .filter_map(|file| fs::read_to_string(file).ok()?.trim().parse::<u64>().ok())
        .min();
    Some(group.map_or(machine, |group| group.min(machine)))
}

/// The bytes of a line such as `VmHWM:   1234 kB`.
fn kilobytes(text: &str, label: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(label))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kilobytes_are_read_by_label() {
        let text = "Name:\tx\nVmPeak:\t    10 kB\nVmHWM:\t  1234 kB\n";
        assert_eq!(kilobytes(text, "VmHWM:"), Some(1234 * 1024));
        assert_eq!(kilobytes(text, "VmRSS:"), None);
        assert_eq!(kilobytes("VmHWM: many kB", "VmHWM:"), None);
    }
}
