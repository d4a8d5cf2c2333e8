//! What a process does that says nothing: the kernel tells which system call its
//! threads wait in.

use crate::process::Running;

/// What the program hangs in, as a clause; `None` if the kernel does not say.
pub(crate) fn describe(running: &Running) -> Option<String> {
    // A run may be made by a process of its own, which is a child of the first.
    let process = youngest(running.id());
    let text = std::fs::read_to_string(format!("/proc/{process}/syscall")).ok()?;
    let mut words = text.split_whitespace();
    let first = words.next()?;
    if first == "running" {
        return Some("it computes".to_string());
    }
    let number: i64 = first.parse().ok()?;
    if number < 0 {
        return Some("it computes".to_string());
    }
    let argument =
        words.next().and_then(|word| u64::from_str_radix(word.trim_start_matches("0x"), 16).ok());
    let file = argument.filter(|_| of_file(number)).and_then(|file| {
        let target = std::fs::read_link(format!("/proc/{process}/fd/{file}")).ok()?;
        Some(format!(" on file {file} ({})", target.display()))
    });
    Some(format!("it waits in the system call {}{}", name(number), file.unwrap_or_default()))
}

/// The last process of the chain of children.
fn youngest(process: u32) -> u32 {
    let path = format!("/proc/{process}/task/{process}/children");
    let children = std::fs::read_to_string(path).unwrap_or_default();
    let child = children.split_whitespace().last().and_then(|text| text.parse().ok());
    child.map_or(process, youngest)
}

/// System calls that can last, with whether their first argument is a file.
const NAMES: &[(i64, &str, bool)] = &[
    (libc::SYS_read, "read", true),
    (libc::SYS_write, "write", true),
    (libc::SYS_readv, "readv", true),
    (libc::SYS_writev, "writev", true),
    (libc::SYS_pread64, "pread64", true),
    (libc::SYS_pwrite64, "pwrite64", true),
    (libc::SYS_poll, "poll", false),
    (libc::SYS_ppoll, "ppoll", false),
    (libc::SYS_select, "select", false),
    (libc::SYS_pselect6, "pselect6", false),
    (libc::SYS_epoll_wait, "epoll_wait", true),
    (libc::SYS_epoll_pwait, "epoll_pwait", true),
    (libc::SYS_epoll_pwait2, "epoll_pwait2", true),
    (libc::SYS_accept, "accept", true),
    (libc::SYS_accept4, "accept4", true),
    (libc::SYS_connect, "connect", true),
    (libc::SYS_recvfrom, "recvfrom", true),
    (libc::SYS_recvmsg, "recvmsg", true),
    (libc::SYS_sendto, "sendto", true),
    (libc::SYS_sendmsg, "sendmsg", true),
    (libc::SYS_flock, "flock", true),
    (libc::SYS_fcntl, "fcntl", true),
    (libc::SYS_fsync, "fsync", true),
    (libc::SYS_open, "open", false),
    (libc::SYS_openat, "openat", false),
    (libc::SYS_wait4, "wait4", false),
    (libc::SYS_waitid, "waitid", false),
    (libc::SYS_pause, "pause", false),
    (libc::SYS_rt_sigsuspend, "rt_sigsuspend", false),
    (libc::SYS_rt_sigtimedwait, "rt_sigtimedwait", false),
    (libc::SYS_futex, "futex", false),
    (libc::SYS_msgrcv, "msgrcv", false),
    (libc::SYS_msgsnd, "msgsnd", false),
    (libc::SYS_semop, "semop", false),
    (libc::SYS_semtimedop, "semtimedop", false),
    (libc::SYS_mq_timedreceive, "mq_timedreceive", true),
    (libc::SYS_mq_timedsend, "mq_timedsend", true),
    (libc::SYS_nanosleep, "nanosleep", false),
    (libc::SYS_clock_nanosleep, "clock_nanosleep", false),
    (libc::SYS_io_getevents, "io_getevents", false),
    (libc::SYS_io_uring_enter, "io_uring_enter", true),
];

fn of_file(number: i64) -> bool {
    NAMES.iter().any(|(known, _, file)| *known == number && *file)
}

fn name(number: i64) -> String {
    let known = NAMES.iter().find(|(known, ..)| *known == number);
    known.map_or_else(|| format!("number {number}"), |(_, name, _)| format!("`{name}`"))
}
