//! A machine holds one state while a thread of it takes a step.

mod loading;
mod others;
mod place;
mod telling;

use std::collections::HashSet;
use std::rc::Rc;

use exeunt_ir::Pc;
use exeunt_ir::address::{self, ObjId, Space};
use exeunt_mem::{Bits, Flags, Memory};
use exeunt_model::{Choice, CompId, Event, Location, Pool};

use crate::blocks::Transaction;
use crate::builtin::Builtin;
use crate::frame::{Code, Frame};
use crate::meets::Assumed;
use crate::race::{Manner, Races};
use crate::stop::Stop;
use crate::superstep::Superstep;
use crate::system::System;
use crate::thread::{Head, Section};
use crate::vm::Vm;

/// After so many events of one step only sections and output are told.
const MANY_EVENTS: usize = 4096;

/// A thread other than the running one, as far as this step looked at it.
struct Other {
    head: Head,
    changed: bool,
    /// Frames of a thread made in this step; others keep their stored ones.
    frames: Option<Vec<u64>>,
}

pub struct Machine<'p> {
    pub vm: &'p Vm,
    pub pool: &'p dyn Pool,
    pub mem: Memory<'p>,
    pub system: System,
    /// The state that was loaded last.
    state: Vec<CompId>,
    /// Its memory is not loaded yet.
    unloaded: bool,
    system_comp: CompId,
    system_loaded: System,
    directory: Vec<u64>,
    /// `directory` is that of a committed successor.
    directory_changed: bool,
    thread_comps: Vec<CompId>,
    others: Vec<Option<Other>>,

    /// The running thread.
    pub me: u32,
    pub head: Head,
    /// Lower frames that are still encoded.
    lower: &'p [u64],
    pub frames: Vec<Frame>,
    pub registers: Vec<Bits>,
    /// Stack objects of the decoded frames, in order of creation.
    pub objects: Vec<ObjId>,

    /// Bytes that the running thread has on its stack, once somebody asked.
    pub stack_used: Option<u64>,

    /// Choices to take again, then those made newly.
    pub choices: Vec<Choice>,
    pub chosen: usize,
    /// How many of them were made before the operation that runs.
    pub chosen_before: usize,
    /// Whether to tell what happens.
    pub story: bool,
    pub events: Vec<Event>,
    /// A visible operation was executed in this step.
    pub acted: bool,
    /// The instruction that is executed is the first such operation.
    pub acting: bool,
    /// Backward jumps left before the step is cut off.
    pub budget: u32,
    /// What the budget was at the beginning of the step.
    pub allowance: u32,
    /// What may still race, if races are looked for.
    pub races: Option<Box<Races>>,
    /// As what memory is accessed now.
    pub manner: Manner,
    /// Where the thread was when its frames were dropped in this step.
    left_at: Option<Location>,
    /// The state at a recent backward jump, to notice a loop that repeats.
    pub snapshot: Vec<CompId>,
    /// Sections closed in this step, to see whether one is opened again.
    closed: Vec<Section>,
    pub reopens: bool,
    /// A function of a proposition is running, and what it returned.
    pub observing: bool,
    pub observed: Option<Bits>,
    /// It has called something that the machine knows.
    pub observed_builtins: bool,
    words: Vec<u64>,
    /// Section instances opened since the machine was made, and where.
    pub opened: u64,
    pub sites: HashSet<(u32, Pc)>,
    pub superstep: Superstep,
    /// The step went through operations that did not end it.
    pub passed: bool,
    /// Where threads are assumed to meet.
    pub assumed: Rc<Assumed>,
    /// A block operation that is kept apart from memory while it runs.
    pub transaction: Option<Transaction>,
    /// What the abstraction function has matched so far, while it runs.
    pub matching: Option<Vec<u64>>,
    /// The library function whose handler runs.
    pub running: Option<&'static Builtin>,
}

impl<'p> Machine<'p> {
    pub fn new(vm: &'p Vm, pool: &'p dyn Pool) -> Machine<'p> {
        Machine {
            vm,
            pool,
            mem: Memory::new(pool, &vm.constants, &vm.global_entry),
            system: System::default(),
            state: Vec::new(),
            unloaded: false,
            system_comp: CompId(u32::MAX),
            system_loaded: System::default(),
            directory: Vec::new(),
            directory_changed: false,
            thread_comps: Vec::new(),
            others: Vec::new(),
            me: 0,
            head: Head::free(),
            lower: &[],
            frames: Vec::new(),
            registers: Vec::new(),
            objects: Vec::new(),
            stack_used: None,
            choices: Vec::new(),
            chosen: 0,
            chosen_before: 0,
            story: false,
            events: Vec::new(),
            acted: false,
            acting: false,
            budget: 0,
            allowance: 0,
            passed: false,
            races: vm.options.races.then(|| Box::new(Races::new(&vm.program))),
            manner: Manner::Data,
            left_at: None,
            snapshot: Vec::new(),
            closed: Vec::new(),
            reopens: false,
            observing: false,
            observed: None,
            observed_builtins: false,
            words: Vec::new(),
            opened: 0,
            sites: HashSet::new(),
            superstep: Superstep::default(),
            assumed: Rc::new(vm.meets.assumed()),
            transaction: None,
            matching: None,
            running: None,
        }
    }

    /// Makes an object. Its number is one that nobody could mistake for an older
    /// one, or that of an object which is gone and still pointed to (`reuse.rs`).
    pub fn allocate(&mut self, space: Space, size: u64, undefined: bool) -> Result<ObjId, Stop> {
        if size > self.vm.options.max_object {
            return Err(Stop::unsupported(format!(
                "an object of {size} bytes (the limit is {}; see --max-object)",
                self.vm.options.max_object
            )));
        }
        if size >= address::MAX_OBJECT {
            return Err(Stop::unsupported(format!(
                "an object of {size} bytes (an object has less than {})",
                address::MAX_OBJECT
            )));
        }
        let id = match self.old_address(space)? {
            Some(old) => old,
            None => self.new_address(space)?,
        };
        let site = match space {
            Space::Stack => self.alloca_site(),
            _ => self.nearest_loc().0,
        };
        self.mem.create(id, size as u32, site, Flags::default(), undefined);
        if let Some(transaction) = &mut self.transaction {
            transaction.made.push(id);
        }
        Ok(id)
    }

    /// The lowest number that nobody could mistake for an older one.
    fn new_address(&mut self, space: Space) -> Result<ObjId, Stop> {
        let roots = if self.mem.needs_roots() { self.unnoticed_roots() } else { Vec::new() };
        let roots: Vec<&[u64]> = roots.iter().map(|r| &r[..]).collect();
        let mut id = self.mem.free_slot(space, self.me as u8, &roots);
        if id.is_none() {
            let roots = self.unnoticed_roots();
            let roots: Vec<&[u64]> = roots.iter().map(|r| &r[..]).collect();
            self.mem.forget_reserved();
            id = self.mem.free_slot(space, self.me as u8, &roots);
        }
        id.ok_or_else(|| Stop::unsupported("more than 65536 objects of one thread"))
    }

    /// The number of the alloca that is executed, for names.
    fn alloca_site(&self) -> u32 {
        match self.frames.last() {
            Some(frame) => self.vm.locals.site(frame.func, frame.pc),
            None => 0,
        }
    }
}

/// The pseudo-object behind a thread's handle.
pub fn thread_object(thread: u32) -> ObjId {
    ObjId::new(Space::Thread, thread)
}

/// A number for a section that is unique within its thread: 4 bits of kind,
/// 3 of space, 24 of object, 32 of offset.
pub fn slot_of(section: Section) -> u64 {
    let Section { kind, resource, .. } = section;
    let space = (resource >> 56) & 7;
    (kind as u64) << 60 | space << 56 | (resource & 0x00ff_ffff_ffff_ffff)
}

impl Vm {
    /// A function with its tables.
    pub fn code(&self, func: u32) -> Code<'_> {
        Code {
            function: &self.program.functions[func as usize],
            liveness: &self.liveness[func as usize],
        }
    }
}
