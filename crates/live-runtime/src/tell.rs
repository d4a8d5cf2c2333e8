//! What the runtime says to the controller: lines of text in a pipe.
//!
//! | line | meaning |
//! |---|---|
//! | `at ACTOR VERB OBJECTS PLACES` | the thread stopped before an operation; where memory is looked at (`look`), each place is followed by the registers of its call: `PLACE:SP:RBX:RBP:R12:R13:R14:R15` |
//! | `step ACTOR REPLY` | the engine let the thread go |
//! | `out STDOUT STDERR` | so many bytes were printed so far |
//! | `maps` | what was said about places in memory is no longer true; it follows anew |
//! | `map LINE` | a line of `/proc/self/maps` |
//! | `storage NUMBER BASE` | what is loaded at this place has thread-local variables, and the loader calls it so |
//! | `source WHAT` | the program asks for what may be different in every run |
//! | `coarse` | a long copy was one step, and its bytes were not looked at |
//! | `needs KEY` | the exploration must begin again with this in its plan |
//! | `progress RUNS STEPS DEPTH` | how far the exploration is |
//! | `found KIND SCHEDULE ACTORS TEXT` | how a run went wrong |
//! | `done HOW RUNS STEPS DEPTH VAIN` | the exploration is over |

use std::ffi::c_void;
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};

use exeunt_model::{ActorId, Reply};

use crate::libraries;
use crate::machine::Machine;
use crate::raw;

/// Where the controller listens.
pub static PIPE: AtomicI32 = AtomicI32::new(-1);

/// Places are told with the registers of their calls.
pub static FRAMES: AtomicBool = AtomicBool::new(false);

/// Says one line.
pub fn line(words: &str) {
    text(&format!("{words}\n"));
}

/// Says some lines, each with its end.
pub fn text(lines: &str) {
    // Under a debugger nobody listens.
    if PIPE.load(Ordering::Relaxed) < 0 {
        return;
    }
    let mut rest = lines.as_bytes();
    while !rest.is_empty() {
        let pipe = PIPE.load(Ordering::Relaxed) as usize;
        let (start, length) = (rest.as_ptr() as usize, rest.len());
        // SAFETY: the bytes are valid for reading.
        let written = unsafe { raw::call(libc::SYS_write, pipe, start, length, 0, 0, 0) };
        match usize::try_from(written) {
            Ok(count) => rest = &rest[count..],
            // The controller has closed its end: nothing is left to do.
            Err(_) => leave(113),
        }
    }
}

/// The exploration must begin again with more in its plan.
pub fn needs(key: &str) -> ! {
    line(&format!("needs {key}"));
    leave(0)
}

/// The same unless the plan says it already.
pub fn needs_of(machine: &Machine, key: &'static str) {
    if !machine.knows.contains(&key) {
        needs(key);
    }
}

/// The program asks for something that may be different in every run. Each
/// process says it once for each source.
pub fn source(machine: &mut Machine, what: &str) {
    if !machine.sources.iter().any(|known| known == what) {
        machine.sources.push(what.to_string());
        line(&format!("source {what}"));
    }
}

/// Something that is said at most once for each run of the process.
pub fn once(machine: &mut Machine, what: &'static str) {
    if !machine.told.contains(&what) {
        machine.told.push(what);
        line(what);
    }
}

/// Ends the process at once.
pub fn leave(code: i32) -> ! {
    loop {
        // SAFETY: does not come back.
        unsafe { raw::call(libc::SYS_exit_group, code as usize, 0, 0, 0, 0, 0) };
    }
}

/// The thread that runs is about to do something to these objects.
pub fn place(machine: &Machine, verb: &str, objects: &[usize]) {
    if !machine.telling {
        return;
    }
    loaded();
    let mut text = format!("at {} {verb} ", machine.world.current);
    for (index, object) in objects.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let _ = write!(text, "{comma}{object:x}");
    }
    text.push(' ');
    let frames = FRAMES.load(Ordering::Relaxed);
    for (index, frame) in backtrace().into_iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let _ = write!(text, "{comma}{:x}", frame.place);
        for register in frame.registers.iter().filter(|_| frames) {
            let _ = write!(text, ":{register:x}");
        }
    }
    line(&text);
}

/// The engine lets a thread go.
pub fn step(machine: &Machine, actor: ActorId, reply: Reply) {
    if !machine.telling {
        return;
    }
    output();
    let reply = match reply {
        Reply::Done => "done".to_string(),
        Reply::Busy => "busy".to_string(),
        Reply::Held => "held".to_string(),
        Reply::NotHeld => "not-held".to_string(),
        Reply::Deserted => "deserted".to_string(),
        Reply::Broken => "broken".to_string(),
        Reply::Cancelled => "cancelled".to_string(),
        Reply::First => "first".to_string(),
        Reply::Value(value) => value.to_string(),
    };
    line(&format!("step {} {reply}", actor.0));
}

/// How much the program has printed.
pub fn output() {
    // SAFETY: flushes all streams; then asks for positions. No thread is
    // inside the standard I/O library, for none stops there.
    let sizes = unsafe {
        libc::fflush(std::ptr::null_mut());
        [1, 2].map(|stream| libc::lseek(stream, 0, libc::SEEK_CUR).max(0))
    };
    line(&format!("out {} {}", sizes[0], sizes[1]));
}

/// The changes of what is loaded that were told.
static LOADED: AtomicU64 = AtomicU64::new(0);

/// Says which files are where, if the program has opened or closed a library since that was said.
fn loaded() {
    if libraries::changes() != LOADED.load(Ordering::Relaxed) {
        maps();
    }
}

/// Which files are where in memory.
pub fn maps() {
    LOADED.store(libraries::changes(), Ordering::Relaxed);
    line("maps");
    let text = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    for mapping in text.lines() {
        line(&format!("map {mapping}"));
    }
    for (number, base) in libraries::with_local_storage() {
        line(&format!("storage {number} {base:x}"));
    }
}

const DEEPEST: usize = 48;

unsafe extern "C" {
    fn _Unwind_Backtrace(
        visit: extern "C" fn(*mut c_void, *mut c_void) -> i32,
        data: *mut c_void,
    ) -> i32;
    fn _Unwind_GetIPInfo(context: *mut c_void, before: *mut i32) -> usize;
    fn _Unwind_GetCFA(context: *mut c_void) -> usize;
    fn _Unwind_GetGR(context: *mut c_void, register: i32) -> usize;
}

extern "C" fn visit(context: *mut c_void, data: *mut c_void) -> i32 {
    // SAFETY: `data` is the vector that `backtrace` passed.
    let places = unsafe { &mut *data.cast::<Vec<Frame>>() };
    let mut before = 0;
    // SAFETY: the unwinder gives a valid context.
    let place = unsafe { _Unwind_GetIPInfo(context, &mut before) };
    if place == 0 || places.len() >= DEEPEST {
        return 5;
    }
    // A return address is behind the call.
    let place = if before == 0 { place - 1 } else { place };
    // SAFETY: as above. In a call that is being visited, the unwinder has the canonical address of the call before
    // it, which is the stack pointer of this one; registers that calls preserve are always known.
    let registers = unsafe {
        let [rbx, rbp, r12, r13, r14, r15] =
            [3, 6, 12, 13, 14, 15].map(|number| _Unwind_GetGR(context, number));
        [_Unwind_GetCFA(context), rbx, rbp, r12, r13, r14, r15]
    };
    places.push(Frame { place, registers });
    0
}

/// A call: where it is, and its stack pointer, rbx, rbp and r12 to r15.
struct Frame {
    place: usize,
    registers: [usize; 7],
}

/// The calls that the present thread is in, the innermost first.
fn backtrace() -> Vec<Frame> {
    let mut places: Vec<Frame> = Vec::with_capacity(DEEPEST);
    // SAFETY: the callback gets the vector that it expects.
    unsafe { _Unwind_Backtrace(visit, (&raw mut places).cast()) };
    places
}
