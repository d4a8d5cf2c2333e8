//! Starting the program with the runtime in it, and making sure that nothing
//! of it stays behind.
//!
//! The runtime is handed over in memory, so there is no file to remove. The
//! program and the processes it makes end with this one, also if this one is
//! killed: each asks the kernel for that.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use crate::atomics;
use crate::program::Program;

pub(crate) const RUNTIME: &[u8] = include_bytes!(env!("EXEUNT_LIVE_RUNTIME"));

/// The kernel must not write to memory of threads on its own, and the heap has
/// room enough from the beginning, so that small programs need no more of it.
pub(crate) const TUNABLES: &str =
    "glibc.pthread.rseq=0:glibc.malloc.arena_max=1:glibc.malloc.top_pad=4194304";

/// A program that runs, and the lines its runtime says.
pub(crate) struct Running {
    child: Child,
    pub(crate) lines: BufReader<File>,
    /// Where the runtime listens, if it does.
    commands: Option<File>,
}

/// Where the output of the program goes.
pub(crate) enum Output {
    Dropped,
    Kept { out: File, err: File },
}

impl Running {
    /// The same with a way to ask the runtime.
    pub(crate) fn start_asked(
        program: &Program,
        plan: &str,
        output: Output,
    ) -> io::Result<Running> {
        let (reader, writer) = io::pipe()?;
        let file = reader.as_raw_fd();
        let plan = format!("commands={file} {plan}");
        let mut running = Running::start_with(program, &plan, output, &[file])?;
        running.commands = Some(File::from(OwnedFd::from(writer)));
        Ok(running)
    }

    /// Says one line to the runtime.
    pub(crate) fn say(&mut self, line: &str) -> io::Result<()> {
        match &mut self.commands {
            Some(commands) => commands.write_all(format!("{line}\n").as_bytes()),
            None => Ok(()),
        }
    }

    pub(crate) fn start(program: &Program, plan: &str, output: Output) -> io::Result<Running> {
        Running::start_with(program, plan, output, &[])
    }

    pub(crate) fn start_with(
        program: &Program,
        plan: &str,
        output: Output,
        more: &[RawFd],
    ) -> io::Result<Running> {
        let library = memory_file(c"exeunt-live-runtime")?;
        library.try_clone()?.write_all(RUNTIME)?;
        let (reader, writer) = io::pipe()?;
        let (library_fd, writer_fd) = (library.as_raw_fd(), writer.as_raw_fd());
        let sites = memory_file(c"exeunt-live-sites")?;
        let sites_fd = sites.as_raw_fd();
        let mut plan = plan.to_string();
        if atomics::are_steps(&plan) {
            sites.try_clone()?.write_all(program.sites().as_bytes())?;
            plan.push_str(&format!(" sites=/proc/self/fd/{sites_fd}"));
        }
        let mut command = Command::new(&program.path);
        command
            .args(&program.arguments)
            .env("LD_PRELOAD", format!("/proc/self/fd/{library_fd}"))
            .env("EXEUNT_LIVE", format!("pipe={writer_fd} {plan}"))
            .env("GLIBC_TUNABLES", TUNABLES)
            // Functions are looked up once, not in each run again.
            .env("LD_BIND_NOW", "1")
            .stdin(Stdio::null());
        match output {
            Output::Dropped => command.stdout(Stdio::null()).stderr(Stdio::null()),
            Output::Kept { out, err } => command.stdout(out).stderr(err),
        };
        let inherited = [&[library_fd, writer_fd, sites_fd], more].concat();
        // SAFETY: only calls that are allowed between fork and exec.
        unsafe {
            command.pre_exec(move || {
                prepare(&inherited);
                Ok(())
            });
        }
        let child = command.spawn()?;
        drop(writer);
        let reader = File::from(OwnedFd::from(reader));
        Ok(Running { child, lines: BufReader::new(reader), commands: None })
    }

    /// Ends the program and everything it started.
    pub(crate) fn stop(&mut self) {
        let group = self.child.id() as i32;
        // SAFETY: the group was made for the program and is not reused before
        // the child has been waited for.
        unsafe { libc::kill(-group, libc::SIGKILL) };
        let _ = self.child.wait();
    }

    /// The process that was started.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn pipe(&self) -> RawFd {
        self.lines.get_ref().as_raw_fd()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A file that exists only as long as a process has it open.
pub(crate) fn memory_file(name: &std::ffi::CStr) -> io::Result<File> {
    // SAFETY: a name that ends with a zero byte.
    let fd = unsafe { libc::memfd_create(name.as_ptr(), libc::MFD_CLOEXEC) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the descriptor is new and ours.
    Ok(unsafe { File::from_raw_fd(fd) })
}

/// In the new process: same addresses in every run, an end together with the
/// controller, a process group of its own.
fn prepare(inherited: &[RawFd]) {
    // SAFETY: system calls without memory.
    unsafe {
        libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        libc::setpgid(0, 0);
        for fd in inherited {
            libc::fcntl(*fd, libc::F_SETFD, 0);
        }
    }
}
