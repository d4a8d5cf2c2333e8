//! What the handler of a library function may do: all of it is listed here.
//!
//! A handler cannot reach the machine itself. It accesses memory as the running
//! thread (so that declarations, races and block operations see it), enters and leaves
//! sections, chooses, starts and ends threads, moves control, and says what happened.

use exeunt_ir::address::{ObjId, Space};
use exeunt_ir::{CallSite, CmpPred, Function, Pc, Program};
use exeunt_mem::{Access, Bits, Flags, Header, MemError, ObjectRef};
use exeunt_model::{ChoiceKind, Fault, Property, SectionKind, Stream};

use crate::builtin::Builtin;
use crate::clock::{self, Clock};
use crate::machine::Machine;
use crate::ops::int::Undefined;
use crate::options::VmOptions;
use crate::state::system::{AtExit, System};
use crate::stop::Stop;
use crate::thread::frame::{Frame, OnReturn};
use crate::thread::{Head, Section, Status};
use crate::verifier::SectionNames;

pub struct Context<'m, 'p> {
    machine: &'m mut Machine<'p>,
}

impl<'p> Machine<'p> {
    /// For a handler, or for what the thread library does on behalf of one.
    #[inline]
    pub fn context(&mut self) -> Context<'_, 'p> {
        Context { machine: self }
    }
}

/// Memory, as the running thread accesses it.
impl Context<'_, '_> {
    /// A time that is read is a number from then on.
    pub fn read(&mut self, addr: u64, len: usize) -> Result<Bits, Stop> {
        let bits = self.machine.read(addr, len)?;
        match len {
            8 => Ok(self.machine.number_for(self.machine.running, bits)),
            _ => Ok(bits),
        }
    }

    /// A word that may be a time, and stays one.
    pub fn read_time(&mut self, addr: u64) -> Result<Bits, Stop> {
        self.machine.read(addr, 8)
    }

    /// Compares a word that may be a time, as the program would.
    pub fn decide(&mut self, pred: CmpPred, word: u64, number: u64) -> Result<bool, Stop> {
        self.machine.compare_times(pred, 64, word, number)
    }

    pub fn write(&mut self, addr: u64, len: usize, bits: Bits) -> Result<(), Stop> {
        self.machine.write(addr, len, bits)
    }

    pub fn store(&mut self, addr: u64, bits: u8, low: Bits, high: Bits) -> Result<(), Stop> {
        self.machine.store(addr, bits, low, high)
    }

    pub fn read_bytes(&mut self, addr: u64, len: u64) -> Result<(Vec<u8>, Vec<u8>), Stop> {
        let (mut data, shadow) = self.machine.read_bytes(addr, len)?;
        if self.machine.vm.reads_clock {
            let first = (addr.next_multiple_of(8) - addr) as usize;
            for word in data.get_mut(first..).unwrap_or(&mut []).chunks_exact_mut(8) {
                let bits = Bits::defined(u64::from_le_bytes(word.try_into().expect("8 bytes")));
                let number = self.machine.number_for(self.machine.running, bits);
                word.copy_from_slice(&number.value.to_le_bytes());
            }
        }
        Ok((data, shadow))
    }

    pub fn write_bytes(&mut self, addr: u64, data: &[u8], shadow: &[u8]) -> Result<(), Stop> {
        self.machine.write_bytes(addr, data, shadow)
    }

    pub fn read_string(&mut self, addr: u64, what: &str) -> Result<Vec<u8>, Stop> {
        self.machine.read_string(addr, what)
    }

    pub fn copy(&mut self, dst: Bits, src: Bits, len: Bits, overlap: bool) -> Result<(), Stop> {
        self.machine.copy(dst, src, len, overlap)
    }

    pub fn fill(&mut self, dst: Bits, byte: Bits, len: Bits) -> Result<(), Stop> {
        self.machine.fill(dst, byte, len)
    }

    /// Whether so many bytes are there to be accessed.
    pub fn check(&mut self, addr: u64, len: u64, access: Access) -> Result<(), MemError> {
        self.machine.mem.check(addr, len, access)
    }

    /// Accesses that synchronise, and are no race with each other.
    pub fn as_sync<R>(&mut self, access: impl FnOnce(&mut Context<'_, '_>) -> R) -> R {
        self.machine.as_sync(|machine| access(&mut machine.context()))
    }

    /// Looks that the operation has not declared, because what it does does not
    /// depend on them.
    pub fn unguarded<R>(&mut self, work: impl FnOnce(&mut Context<'_, '_>) -> R) -> R {
        self.machine.unguarded(|machine| work(&mut machine.context()))
    }

    /// What memory holds, without an access of the program.
    pub fn peek(&mut self, addr: u64, len: usize) -> Result<Bits, MemError> {
        self.machine.mem.read(addr, len)
    }
}

/// Objects.
impl Context<'_, '_> {
    pub fn allocate(&mut self, space: Space, size: u64, undefined: bool) -> Result<ObjId, Stop> {
        self.machine.allocate(space, size, undefined)
    }

    pub fn destroy(&mut self, id: ObjId, may_dangle: bool) {
        self.machine.destroy(id, may_dangle);
    }

    pub fn note_freed(&mut self, id: ObjId) -> Result<(), Stop> {
        self.machine.note_freed(id)
    }

    pub fn remember_freed(&mut self, id: ObjId, flags: Flags) {
        self.machine.remember_freed(id, flags);
    }

    /// Whether the row of the running function says that it allocates.
    pub fn is_declared_allocation(&self) -> bool {
        self.machine.is_declared_allocation()
    }

    pub fn header(&mut self, id: ObjId) -> Option<Header> {
        self.machine.mem.header(id)
    }

    pub fn object(&mut self, id: ObjId) -> Option<ObjectRef<'_>> {
        self.machine.mem.object(id)
    }

    /// An object of the library itself, at a place of its own.
    pub fn create(&mut self, id: ObjId, size: u32, flags: Flags) {
        self.machine.mem.create(id, size, 0, flags, false);
    }

    /// Writes to an object that the library has just made.
    pub fn initialise(&mut self, id: ObjId, data: &[u8]) {
        self.machine.mem.write_bytes(id.at(0), data, &[]).expect("the object was just made");
    }

    pub fn set_flags(&mut self, id: ObjId, flags: Flags) {
        self.machine.mem.set_flags(id, flags);
    }

    /// Other threads can reach this object from now on.
    pub fn share(&mut self, id: ObjId) {
        self.machine.mem.share(id);
    }
}

/// Sections, choices, and what is told.
impl Context<'_, '_> {
    pub fn open(&mut self, kind: SectionKind, resource: u64) {
        self.machine.open(kind, resource);
    }

    pub fn close(&mut self, kind: SectionKind, resource: u64) -> bool {
        self.machine.close(kind, resource)
    }

    pub fn tell_opened(&mut self, section: Section) {
        self.machine.tell_opened(section);
    }

    pub fn note_kept_open(&mut self, section: Section) {
        self.machine.note_kept_open(section);
    }

    pub fn wait_is_over(&mut self, section: Section) {
        self.machine.wait_is_over(section);
    }

    /// A wait at a futex begins: that of the class of the C++ library that the thread is in.
    pub fn tell_opened_wait(&mut self, futex: u64) {
        let section = self.machine.wait_at(futex);
        self.machine.tell_opened(section);
    }

    pub fn tell_freed(&mut self, id: ObjId) {
        self.machine.tell_freed(id);
    }

    /// Tells who was woken from a wait, perhaps nobody.
    pub fn tell_signal(&mut self, wait: Section, woken: &[u32]) {
        self.machine.tell_signal(wait, woken);
    }

    /// The same of a futex: the wait is that of the class that the thread is in.
    pub fn tell_signal_at(&mut self, futex: u64, woken: &[u32]) {
        let wait = self.machine.wait_at(futex);
        self.machine.tell_signal(wait, woken);
    }

    /// The future whose function the user called, behind a blank, or nothing.
    pub fn name_future(&mut self) -> String {
        self.machine.name_future()
    }

    /// What a futex is to its user: "latch `done`".
    pub fn call_futex(&mut self, futex: u64) -> String {
        self.machine.call_futex(futex)
    }

    /// That the thread waits at a futex, which has a value.
    pub fn describe_futex_wait(&mut self, futex: u64, value: u32) -> String {
        match self.machine.primitive() {
            Some(_) => self.machine.describe_futex(futex),
            None => format!("waits at {}, which is {value}", self.machine.call_futex(futex)),
        }
    }

    pub fn futex_wait_is_over(&mut self, futex: u64) {
        let section = self.machine.wait_at(futex);
        self.machine.wait_is_over(section);
    }

    /// What the thread knows is known to whoever learns from this object.
    pub fn note_done_once(&mut self, control: u64) {
        self.machine.note_done_once(control);
    }

    pub fn note_learnt(&mut self, object: u64) {
        self.machine.note_learnt(object);
    }

    /// The operation had its effect: the step ends behind it.
    pub fn note_act(&mut self) {
        self.machine.progress.note_act();
    }

    pub fn has_acted(&self) -> bool {
        self.machine.has_acted()
    }

    pub fn choose(&mut self, kind: ChoiceKind, arity: u32) -> Result<u32, Stop> {
        self.machine.choose(kind, arity)
    }

    pub fn tell(&mut self, text: impl FnOnce(&mut Context<'_, '_>) -> String) {
        self.machine.tell(|machine| text(&mut machine.context()));
    }

    /// Tells what happens to memory, unless the C++ library does it for itself.
    pub fn tell_of_memory(&mut self, text: impl FnOnce(&mut Context<'_, '_>) -> String) {
        self.machine.tell_of_memory(|machine| text(&mut machine.context()));
    }

    pub fn output(&mut self, stream: Stream, bytes: &[u8]) {
        self.machine.output(stream, bytes);
    }

    pub fn match_memory(&mut self, addr: u64, len: u64) -> Result<(), Stop> {
        self.machine.match_memory(addr, len)
    }

    pub fn match_words(&mut self, words: &[u64]) {
        self.machine.match_words(words);
    }

    pub fn ignore_memory(&mut self, addr: u64, len: u64) -> Result<(), Stop> {
        self.machine.ignore_memory(addr, len)
    }
}

/// What goes wrong, and what things are called.
impl Context<'_, '_> {
    pub fn fault(&self, property: Property, message: impl Into<String>) -> Stop {
        self.machine.fault(property, message)
    }

    pub fn misuse(&self, message: impl Into<String>, help: &str) -> Stop {
        self.machine.misuse(message, help)
    }

    pub fn memory_fault(&mut self, error: MemError, access: Access, len: u64) -> Stop {
        self.machine.memory_fault(error, access, len)
    }

    pub fn arithmetic_fault(&self, error: Undefined) -> Stop {
        self.machine.arithmetic_fault(error)
    }

    /// Something undefined that every implementation we know of does in the
    /// same way.
    pub fn harmless(&mut self, message: String) -> Result<(), Stop> {
        self.machine.harmless(message)
    }

    pub fn undefined_use(&self, what: &str) -> Stop {
        self.machine.undefined_use(what)
    }

    pub fn located(&self, fault: Fault) -> Fault {
        self.machine.located(fault)
    }

    pub fn name_object(&mut self, id: ObjId) -> String {
        self.machine.name_object(id)
    }

    pub fn name_place(&mut self, addr: u64) -> String {
        self.machine.name_place(addr)
    }

    pub fn name_resource(&mut self, addr: u64) -> String {
        self.machine.name_resource(addr)
    }

    pub fn section_names(&self) -> &SectionNames {
        &self.machine.session.section_names
    }
}

/// Threads.
impl Context<'_, '_> {
    /// The running thread.
    pub fn me(&self) -> u32 {
        self.machine.thread.me
    }

    /// What the running thread keeps besides its stack.
    pub fn own(&self) -> &Head {
        &self.machine.thread.head
    }

    pub fn own_mut(&mut self) -> &mut Head {
        &mut self.machine.thread.head
    }

    /// The same of any thread.
    pub fn head_of(&mut self, thread: u32) -> &Head {
        self.machine.head_of(thread)
    }

    pub fn head_mut(&mut self, thread: u32) -> &mut Head {
        self.machine.head_mut(thread)
    }

    pub fn status(&mut self, thread: u32) -> Status {
        self.machine.status(thread)
    }

    /// What a thread is called.
    pub fn thread_name(&mut self, thread: u32) -> String {
        self.machine.thread_name(thread)
    }

    /// How many numbers of threads are in use.
    pub fn threads(&self) -> u32 {
        self.machine.system.threads
    }

    /// No other thread is left.
    pub fn alone(&self) -> bool {
        self.machine.alone()
    }

    /// Whether there may be one more thread; asked before anything is changed.
    pub fn make_room(&mut self) -> Result<(), Stop> {
        self.machine.make_room()
    }

    pub fn spawn(&mut self, function: u32, argument: Bits) -> u32 {
        self.machine.spawn(function, argument)
    }

    /// Keys of thread-specific data, with their destructors.
    pub fn keys(&self) -> &[u64] {
        &self.machine.system.keys
    }

    pub fn keys_mut(&mut self) -> &mut Vec<u64> {
        &mut self.machine.system.keys
    }
}

/// Where control goes.
impl<'p> Context<'_, 'p> {
    pub fn begin_thread_exit(&mut self, result: u64) -> Result<(), Stop> {
        self.machine.begin_thread_exit(result)
    }

    pub fn begin_process_exit(&mut self, code: u64) -> Result<(), Stop> {
        self.machine.begin_process_exit(code)
    }

    pub fn exit_program(&mut self) -> Result<(), Stop> {
        self.machine.exit_program()
    }

    pub fn function_behind(&mut self, addr: u64, what: &str) -> Result<u32, Stop> {
        self.machine.function_behind(addr, what)
    }

    /// The function of this name, if the program has its code.
    pub fn defined_function(&self, name: &str) -> Option<u32> {
        let id = self.program().find_function(name)?;
        (!self.program().function(id).is_declaration()).then_some(id.0)
    }

    /// Has a function of the program called.
    pub fn push_internal(&mut self, func: u32, args: &[Bits], on_return: OnReturn) {
        self.machine.push_internal(func, args, on_return);
    }

    pub fn finish_call(&mut self, result: Bits) {
        self.machine.finish_call(result);
    }

    pub fn leave_atomic(&mut self, func: u32) {
        self.machine.leave_atomic(func);
    }

    pub fn set_pc(&mut self, pc: Pc) {
        self.machine.set_pc(pc);
    }

    pub fn pop_frame(&mut self) -> Frame {
        self.machine.pop_frame()
    }

    /// Makes the frame below those that are decoded one of them.
    pub fn raise_frame(&mut self) -> bool {
        self.machine.raise_frame()
    }

    pub fn frames(&self) -> &[Frame] {
        &self.machine.thread.frames
    }

    pub fn register(&self, frame: &Frame, slot: u32) -> Bits {
        self.machine.thread.registers[(frame.base + slot) as usize]
    }

    pub fn set_register(&mut self, frame: &Frame, slot: u32, bits: Bits) {
        self.machine.thread.registers[(frame.base + slot) as usize] = bits;
    }

    /// Leaves the calls above a depth as `pthread_exit` and cancellation do.
    pub fn unwind_to(&mut self, depth: u32) -> Result<(), Stop> {
        self.machine.unwind_to(depth)
    }

    /// Leaves the calls above a depth because of an exception.
    pub fn leave_calls(&mut self, depth: u32) -> Result<(), Stop> {
        self.machine.leave_calls(depth)
    }

    /// Functions and positions of all frames, innermost first, and what happens when
    /// each of them returns.
    pub fn calls(&self) -> impl Iterator<Item = (u32, Pc, OnReturn)> + use<'p> {
        self.machine.calls()
    }

    pub fn top_frames_are_shared(&mut self, count: usize) -> bool {
        self.machine.top_frames_are_shared(count)
    }

    /// What ends this thread, as an exception, if the program can receive it.
    pub fn forced_exception(&mut self) -> Result<Option<u64>, Stop> {
        self.machine.forced_exception()
    }

    /// The frame of the caller.
    pub fn top(&self) -> &Frame {
        self.machine.top()
    }

    pub fn depth(&self) -> u32 {
        self.machine.depth()
    }

    pub fn function(&self) -> &'p Function {
        self.machine.function()
    }
}

/// What is known about the program and the call.
impl<'p> Context<'_, 'p> {
    pub fn program(&self) -> &'p Program {
        &self.machine.vm.program
    }

    /// What the clock may show.
    pub fn clock(&self) -> &'p Clock {
        &self.machine.session.clock
    }

    /// What is known about the time in the present state.
    pub fn times(&mut self) -> &mut System {
        &mut self.machine.system
    }

    /// A new instant matters: the search begins again.
    pub fn refute(&self) {
        clock::raise(&self.machine.session.meets.refuted);
    }

    /// Functions and positions of all frames, innermost first.
    pub fn call_stack(&self) -> Vec<(u32, Pc)> {
        self.machine.call_stack()
    }

    /// Something is done with a time that is not followed.
    pub fn note_unfollowed(&mut self, what: &'static str) {
        self.machine.note_unfollowed(what);
    }

    /// A difference of two times, as the program computes it.
    pub fn difference(&mut self, after: u64, before: u64) -> Option<u64> {
        self.machine.difference_of_times(after, before)
    }

    pub fn options(&self) -> &'p VmOptions {
        &self.machine.vm.options
    }

    pub fn deletes_keys(&self) -> bool {
        self.machine.vm.deletes_keys
    }

    /// Whether the program can have mutexes that the end of a thread gives back.
    pub fn has_robust_mutexes(&self) -> bool {
        self.machine.vm.robust
    }

    /// Whether the program can read the names of threads.
    pub fn tells_names(&self) -> bool {
        self.machine.vm.tells_names
    }

    /// The function whose handler runs.
    pub fn running(&self) -> Option<&'static Builtin> {
        self.machine.running
    }

    pub fn builtin_of(&self, site: &CallSite) -> Option<&'static Builtin> {
        self.machine.builtin_of(site)
    }

    /// The functions that run when the program exits, the last one first.
    pub fn at_exit_mut(&mut self) -> &mut Vec<AtExit> {
        &mut self.machine.system.at_exit
    }
}
