//! Letting the controller look at the program between two steps of a run that is told: what is open, who can move,
//! and any memory it asks for. Values are the controller's business, since it knows the debug information.
//!
//! | line | meaning |
//! |---|---|
//! | `open ACTOR KIND wait OBJECT` | a thread that cannot go on waits for this |
//! | `open ACTOR KIND held OBJECT` | a thread holds a lock |
//! | `open ACTOR KIND name NAME` | a thread is inside of a section of the program's own |
//! | `local ACTOR PLACE` | where the C library keeps what it knows about a thread |
//! | `look ACTORS` | these threads can move; the controller may ask now |
//! | `memory BYTES` | the answer to `peek`; nothing if that memory cannot be read |
//!
//! The controller says `peek PLACE SIZE` (hexadecimal) as often as it wants, then anything else.

use std::cell::RefCell;
use std::fmt::Write;
use std::ops::Range;

use exeunt_model::{ActorId, Arrival, Director, End, Operation, Reply, SectionKind, Step};
use exeunt_search::{Explorer, Standings};

use crate::machine::Machine;
use crate::restart::Recorder;
use crate::states::Input;
use crate::{raw, tell};

/// What is known along the run, and where the controller asks.
pub struct Onlooker {
    standings: Standings,
    last: Option<(ActorId, Operation)>,
    input: Input,
}

impl Onlooker {
    pub fn new(commands: i32) -> RefCell<Onlooker> {
        let input = Input::new(commands);
        RefCell::new(Onlooker { standings: Standings::default(), last: None, input })
    }

    /// Says what there is to be seen, and answers until the controller has seen enough.
    pub fn pause(&mut self, machine: &Machine) {
        let enabled: Vec<ActorId> = self.standings.enabled().into_iter().map(|one| one.0).collect();
        let mut text = String::new();
        // What is above an address says how often the object began.
        let place = |object: exeunt_model::ObjectId| object.0 & ((1 << 48) - 1);
        for (actor, kind, object) in self.standings.waits() {
            if !enabled.contains(&actor) {
                let _ = writeln!(
                    text,
                    "open {actor} {} wait {:x}",
                    kind as u8,
                    place(object),
                    actor = actor.0
                );
            }
        }
        for (actor, kind, object) in self.standings.holdings() {
            let _ = writeln!(text, "open {} {} held {:x}", actor.0, kind as u8, place(object));
        }
        for (actor, thread) in machine.world.threads.iter().enumerate() {
            // With the C library of Linux, a handle is the base of the thread's storage.
            let _ = writeln!(text, "local {actor} {:x}", thread.handle);
            for section in &thread.sections {
                let kind = if section.function { SectionKind::Function } else { SectionKind::User };
                let name = section.name.replace('\n', " ");
                let _ = writeln!(text, "open {actor} {} name {name}", kind as u8);
            }
        }
        let numbers: Vec<String> = enabled.iter().map(|actor| actor.0.to_string()).collect();
        let _ = writeln!(text, "look {}", numbers.join(","));
        tell::text(&text);
        while let Some(line) = self.input.line() {
            let Some(asked) = line.strip_prefix("peek ") else { return };
            let mut numbers = asked.split(' ').map(|n| usize::from_str_radix(n, 16).unwrap_or(0));
            let (place, size) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
            let mut answer = String::from("memory ");
            for byte in read(place, size.min(MOST)) {
                let _ = write!(answer, "{byte:02x}");
            }
            tell::line(&answer);
        }
    }
}

/// So many bytes are read at once.
const MOST: usize = 1 << 16;

/// Memory of this process, as much of it as there is at this place. The kernel reads, so that a wild address is
/// no fault.
fn read(place: usize, size: usize) -> Vec<u8> {
    let mut bytes = vec![0u8; size];
    let own = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: size };
    let other = libc::iovec { iov_base: place as *mut _, iov_len: size };
    // SAFETY: the kernel writes at most `size` bytes to the vector.
    let got = unsafe {
        let process = raw::call(libc::SYS_getpid, 0, 0, 0, 0, 0, 0) as usize;
        let (own, other) = (&raw const own as usize, &raw const other as usize);
        raw::call(libc::SYS_process_vm_readv, process, own, 1, other, 1, 0)
    };
    bytes.truncate(usize::try_from(got).unwrap_or(0));
    bytes
}

impl Recorder for &RefCell<Onlooker> {
    fn hear(&mut self, arrivals: &[Arrival], _: Option<&End>, _: &[Range<u64>]) {
        let mut onlooker = self.borrow_mut();
        let last = onlooker.last.take();
        onlooker.standings.absorb(last, arrivals);
    }

    fn cost(&self) -> Option<usize> {
        Some(0)
    }

    /// The state is not kept but looked at.
    fn keep(&mut self, machine: &Machine, _: &[Arrival]) {
        self.borrow_mut().pause(machine);
    }
}

/// The explorer that follows a schedule, and keeps the onlooker informed.
pub struct Watched<'a> {
    pub explorer: &'a mut Explorer,
    pub onlooker: &'a RefCell<Onlooker>,
}

impl Director for Watched<'_> {
    fn next(&mut self, arrivals: &[Arrival], end: Option<&End>) -> Option<Step> {
        let step = self.explorer.next(arrivals, end)?;
        let choice = match step.reply {
            Reply::Value(value) => value,
            Reply::Done
            | Reply::Busy
            | Reply::Held
            | Reply::NotHeld
            | Reply::Deserted
            | Reply::Broken
            | Reply::Cancelled
            | Reply::First => 0,
        };
        let mut onlooker = self.onlooker.borrow_mut();
        // A step against the rules is the last one.
        if let Ok((operation, _)) = onlooker.standings.make(step.actor, choice) {
            onlooker.last = Some((step.actor, operation));
        }
        Some(step)
    }

    fn freed(&mut self, words: Range<u64>) {
        self.explorer.freed(words);
    }

    fn keeps(&mut self, _: usize) -> bool {
        true
    }
}
