//! Waits inside of the C++ library, in the words of its users: a thread that waits at a futex
//! waits for a future, a latch or an atomic variable.
//!
//! Which class it is, and which object, is read off the calls that the thread is in
//! (`cxx/primitive.rs`). What a state does not say, how far a latch counted at first, is noted when
//! a story is told.

use exeunt_ir::readable;
use exeunt_model::words::Wait;

use crate::cxx::primitive::{self, Primitive};
use crate::machine::Machine;
use crate::thread::Section;

/// Classes whose constructor says how many must arrive, and their constructors.
const COUNTING: [&str; 2] = ["std::latch::latch", "std::barrier"];

impl Machine<'_> {
    /// What the loaded thread is inside of, if it is inside of the C++ library.
    pub fn primitive(&self) -> Option<Primitive> {
        let roles = self.call_stack().into_iter().map(|(func, _)| self.vm.roles[func as usize]);
        primitive::outermost(roles).map(|(_, primitive)| primitive)
    }

    /// A wait at a futex as a section.
    pub fn wait_at(&self, addr: u64) -> Section {
        let kind = self.primitive().map_or(exeunt_model::SectionKind::FutexWait, Primitive::wait);
        Section::new(kind, addr)
    }

    /// The object of the C++ library whose function the user called, if the loaded thread
    /// is in one. `word` is the futex that it waits at.
    fn object_called(&mut self, word: Option<u64>) -> Option<u64> {
        let calls = self.running_calls();
        let roles = calls.iter().map(|call| self.vm.roles[call.func as usize]);
        let (at, primitive) = primitive::outermost(roles)?;
        let first = calls[at].value(0)?;
        // A function that returns an object gets its place first.
        let second = calls[at].value(1).filter(|_| primitive == Primitive::Future);
        let Some(second) = second else { return Some(first) };
        let shares = |machine: &mut Self, future: u64| match word {
            Some(word) => machine.pointer_at(future).is_some_and(|state| state >> 32 == word >> 32),
            None => machine.pointer_at(future).is_some_and(|state| state != 0),
        };
        [first, second].into_iter().find(|&future| shares(self, future))
    }

    fn pointer_at(&mut self, addr: u64) -> Option<u64> {
        let bits = self.context().peek(addr, 8).ok()?;
        (bits.undefined == 0).then_some(bits.value)
    }

    /// The object that a futex belongs to, as its user knows it.
    pub(super) fn name_awaited(&mut self, addr: u64) -> String {
        if let Some(object) = self.object_called(Some(addr)) {
            let name = self.name_resource(object);
            if !name.contains(' ') {
                return name;
            }
        }
        let name = self.name_resource(addr);
        // The state that a future and its promise share is behind a pointer.
        name.strip_prefix("`*").map(|pointer| format!("`{pointer}")).unwrap_or(name)
    }

    /// The future whose function the user called.
    pub fn name_future(&mut self) -> String {
        let object = self.object_called(None);
        let name = object.map(|object| self.name_resource(object));
        name.filter(|name| !name.contains(' ')).map_or(String::new(), |name| format!(" {name}"))
    }

    /// "mutex", or the class of the C++ library that it is.
    pub(super) fn class_or(&self, noun: &str) -> String {
        match self.primitive() {
            Some(Primitive::Named(class)) => format!("`{class}`"),
            Some(
                Primitive::Atomic
                | Primitive::Barrier
                | Primitive::Future
                | Primitive::Latch
                | Primitive::Semaphore
                | Primitive::StopCallback,
            )
            | None => noun.to_string(),
        }
    }

    /// What a futex is to the thread that runs: "latch `done`".
    pub fn call_futex(&mut self, addr: u64) -> String {
        let noun = match self.primitive() {
            Some(Primitive::Atomic) => "atomic",
            Some(Primitive::Barrier) => "barrier",
            Some(Primitive::Future) => "future",
            Some(Primitive::Latch) => "latch",
            Some(Primitive::Semaphore) => "semaphore",
            Some(Primitive::StopCallback) => "stop callback",
            Some(Primitive::Named(_)) | None => {
                return format!("futex {}", self.name_resource(addr));
            }
        };
        format!("{noun} {}", self.name_awaited(addr))
    }

    /// A wait at a futex.
    pub fn describe_futex(&mut self, addr: u64) -> String {
        let object = self.call_futex(addr);
        let value = self.context().peek(addr, 4).ok().filter(|bits| bits.undefined == 0);
        let value = value.map(|bits| bits.value as u32 as i32);
        match (self.primitive(), value) {
            (Some(Primitive::Future), _) => {
                let why = self.why_not_ready(addr);
                format!("waits for {object}, which is not ready: {why}")
            }
            (Some(Primitive::Latch), Some(missing)) if missing > 0 => {
                let counts = self.describe_latch(addr, missing);
                format!("waits for {object}, which {counts}")
            }
            (Some(Primitive::Barrier), _) => {
                let expects = self.counted(Some(addr));
                let expects = expects.map_or(String::new(), |n| format!(", which {n} must reach,"));
                format!("waits at {object}{expects} for other threads to arrive")
            }
            (Some(Primitive::Semaphore), Some(value)) if value > 0 => {
                format!("waits for {object}, which is {value}: it missed the wake-up")
            }
            (Some(Primitive::Semaphore), _) => format!("waits for {object}, which is 0"),
            (Some(Primitive::Atomic), Some(value)) if self.is_itself(addr) => {
                format!("waits for a notification of {object}, which is {value}")
            }
            (Some(Primitive::Atomic), _) => format!("waits for a notification of {object}"),
            (Some(Primitive::StopCallback), _) => {
                format!("waits for the end of {object}, which another thread runs")
            }
            (Some(Primitive::Latch), _) => format!("waits for {object}"),
            (Some(Primitive::Named(_)) | None, _) => Wait::Futex(&self.name_resource(addr)).words(),
        }
    }

    /// Whether a futex is in the object that the user waits for, and not one that stands for it.
    fn is_itself(&mut self, addr: u64) -> bool {
        self.object_called(Some(addr)).is_none_or(|object| object >> 32 == addr >> 32)
    }

    fn describe_latch(&mut self, addr: u64, missing: i32) -> String {
        let arrived = self.counted(Some(addr)).map(|count| (count, count - i64::from(missing)));
        match arrived {
            Some((count, 0)) => format!("counts {count}, and nobody has arrived"),
            Some((count, arrived)) if arrived > 0 => {
                let has = if arrived == 1 { "has" } else { "have" };
                format!("counts {count}, and only {arrived} {has} arrived")
            }
            Some(_) | None => {
                let plural = if missing == 1 { "" } else { "s" };
                format!("needs {missing} more count_down{plural}")
            }
        }
    }

    /// Why a future is not ready: by what shares its state, as the type of the state says.
    fn why_not_ready(&mut self, addr: u64) -> &'static str {
        let state = self.object_called(Some(addr)).and_then(|future| self.pointer_at(future));
        let table = state.and_then(|state| self.pointer_at(state));
        let table = table.map(|table| self.name_object(exeunt_ir::address::object(table)));
        let is = |class: &str| table.as_ref().is_some_and(|name| name.contains(class));
        match () {
            () if is("_Task_state") => "nobody has run its task",
            () if is("_Async_state") => "its function has not returned",
            () => "nobody has set its promise",
        }
    }

    /// How many must arrive at the latch or barrier that the thread waits for.
    fn counted(&mut self, word: Option<u64>) -> Option<i64> {
        let object = self.object_called(word)?;
        let told = self.tale.counted(object);
        told.or_else(|| self.counted_from_the_start(object))
    }

    /// What a latch that is a variable of the program is initialised with, if no constructor runs.
    fn counted_from_the_start(&self, object: u64) -> Option<i64> {
        use exeunt_ir::address;
        let id = address::object(object);
        let global = self.vm.program.globals.get(id.index() as usize)?;
        let at = usize::try_from(object.checked_sub(id.at(0))?).ok()?;
        let is_global = id.space() == Some(address::Space::Global);
        let bytes = global.data.get(at..at + 4).filter(|_| is_global)?;
        let count = i32::from_le_bytes(bytes.try_into().expect("four bytes"));
        (count > 0).then_some(count.into())
    }

    /// A function is entered while a story is told: constructors say how far an object counts.
    pub fn note_entered(&mut self, func: u32) {
        let role = self.vm.roles[func as usize];
        if !matches!(role.primitive, Some(Primitive::Latch | Primitive::Barrier)) {
            return;
        }
        let name = readable(&self.vm.program.functions[func as usize].name);
        let constructs =
            name == COUNTING[0] || name.starts_with(COUNTING[1]) && name.ends_with(">::barrier");
        let window = &self.thread.registers[self.top().base as usize..];
        if let [object, count, ..] = window
            && constructs
            && object.undefined | count.undefined == 0
        {
            let (object, count) = (object.value, count.value as i64);
            self.tale.note_counted(object, count);
        }
    }
}
