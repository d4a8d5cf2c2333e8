//! The program as something that can be run again and again.
//!
//! Usually memory and threads are taken back to what they were, in the beginning
//! or in a state of the run before that the director asked to keep. A program
//! that keeps something in the kernel is run by one child process after another:
//! each begins as a copy of this one, in the state before the first operation. The
//! child decides as its copy of the director says and writes down what the threads
//! arrived at; the parent feeds that to the director itself, which decides the
//! same.

use std::ops::Range;

use exeunt_model::{Arrival, Director, End, Run, Step};

use crate::log::Log;
use crate::machine::{Machine, Recorder, World};
use crate::{libraries, snapshot, tell};

/// The program of this process.
pub struct Native<'m> {
    pub machine: &'m mut Machine,
    method: Method,
}

/// How the program is started again.
enum Method {
    Process(Log, Positions),
    Memory(Memory),
}

/// States that were kept: the one in the beginning, and a stack of others.
struct Memory {
    beginning: World,
    kept: Vec<Kept>,
    spare: Vec<Kept>,
    /// A run was made.
    used: bool,
}

/// A state in the middle of a run.
#[derive(Default)]
struct Kept {
    world: World,
    pages: Vec<u8>,
    arrivals: Vec<Arrival>,
}

impl<'m> Native<'m> {
    /// `processes`: each run is made by a process of its own.
    pub fn new(machine: &'m mut Machine, processes: bool) -> Self {
        if processes {
            return Native { machine, method: Method::Process(Log::new(), Positions::new()) };
        }
        machine.note_stacks();
        let beginning = machine.world.clone();
        let mut own = libraries::own_data();
        own.extend([crate::HEAP.region(), machine.engine_stack()]);
        snapshot::take(&own);
        let memory = Memory { beginning, kept: Vec::new(), spare: Vec::new(), used: false };
        Native { machine, method: Method::Memory(memory) }
    }

    pub fn makes_processes(&self) -> bool {
        matches!(self.method, Method::Process(..))
    }
}

impl Run for Native<'_> {
    fn execute(&mut self, director: &mut dyn Director) -> Result<(), String> {
        match &mut self.method {
            Method::Process(log, positions) => {
                positions.restore();
                execute(self.machine, director, log);
            }
            Method::Memory(memory) => {
                let arrivals = memory.go_back(self.machine, director.resumes());
                let arrivals = arrivals.unwrap_or_else(|| self.machine.begin_run());
                self.machine.run_on(arrivals, director, memory);
            }
        }
        Ok(())
    }
}

impl Memory {
    /// Goes back to the state before which so many were kept; gives the threads
    /// that had just got somewhere, unless that is the beginning.
    fn go_back(&mut self, machine: &mut Machine, left: usize) -> Option<Vec<Arrival>> {
        self.spare.extend(self.kept.drain(left..));
        let snapshot = snapshot::snapshot();
        match self.kept.last() {
            Some(kept) => {
                machine.world.clone_from(&kept.world);
                if let Some(snapshot) = snapshot {
                    snapshot.put_back(&kept.pages);
                }
                Some(kept.arrivals.clone())
            }
            None => {
                if std::mem::replace(&mut self.used, true) {
                    machine.world.clone_from(&self.beginning);
                    if let Some(snapshot) = snapshot {
                        snapshot.restore();
                    }
                }
                None
            }
        }
    }
}

impl Recorder for Memory {
    fn hear(&mut self, _: &[Arrival], _: Option<&End>, _: &[Range<u64>]) {}

    fn cost(&self) -> Option<usize> {
        snapshot::snapshot().map(|snapshot| snapshot.len())
    }

    fn keep(&mut self, machine: &Machine, arrivals: &[Arrival]) {
        let mut kept = self.spare.pop().unwrap_or_default();
        kept.world.clone_from(&machine.world);
        kept.arrivals.clear();
        kept.arrivals.extend_from_slice(arrivals);
        if let Some(snapshot) = snapshot::snapshot() {
            snapshot.copy(&mut kept.pages);
        }
        self.kept.push(kept);
    }
}

/// Where the files are read that were open in the beginning. Processes share
/// that with each other, so it is taken back before each run.
struct Positions(Vec<(i32, i64)>);

impl Positions {
    fn new() -> Positions {
        let entries = std::fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
        let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
        // SAFETY: asks for positions; whatever has none says so.
        let position = |file: i32| (file, unsafe { libc::lseek(file, 0, libc::SEEK_CUR) });
        let usual = numbers.filter(|file| *file > 2).map(position);
        Positions(usual.filter(|(_, position)| *position >= 0).collect())
    }

    fn restore(&self) {
        for (file, position) in &self.0 {
            // SAFETY: a position that the file had before.
            unsafe { libc::lseek(*file, *position, libc::SEEK_SET) };
        }
    }
}

/// One run in a child process.
fn execute(machine: &mut Machine, director: &mut dyn Director, log: &mut Log) {
    log.clear();
    // SAFETY: a plain fork: no handlers run and no lists of threads change.
    let child = unsafe { libc::syscall(libc::SYS_fork) } as i32;
    if child == 0 {
        // SAFETY: asks to be killed when the parent ends.
        unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
        machine.copied();
        machine.run(director, log);
        tell::leave(0);
    }
    let mut status = 0;
    // SAFETY: waits for the child; EINTR is tried again.
    while unsafe { libc::waitpid(child, &mut status, 0) } < 0 && errno() == libc::EINTR {}
    while let Some((arrivals, end, freed)) = log.read() {
        freed.into_iter().for_each(|words| director.freed(words));
        if director.next(&arrivals, end.as_ref()).is_none() {
            return;
        }
    }
    let why = match libc::WIFSIGNALED(status) {
        true => format!("a run that is killed by signal {}", libc::WTERMSIG(status)),
        false => format!("a run that leaves with code {}", libc::WEXITSTATUS(status)),
    };
    let _: Option<Step> = director.next(&[] as &[Arrival], Some(&End::Unsupported(why)));
}

fn errno() -> i32 {
    // SAFETY: the place of `errno` of the present thread.
    unsafe { *libc::__errno_location() }
}
