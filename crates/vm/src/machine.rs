//! A machine holds one state while a thread of it takes a step.

use std::rc::Rc;

use exeunt_ir::address::{self, ObjId, Space};
use exeunt_mem::{Flags, Memory};
use exeunt_model::Pool;

use crate::blocks::Transaction;
use crate::builtin::Builtin;
use crate::compiled::Room;
use crate::explain::Tale;
use crate::meets::{Assumed, Settled};
use crate::race::{Manner, Races};
use crate::session::VmSession;
use crate::state::Loaded;
use crate::state::system::System;
use crate::step::superstep::Superstep;
use crate::step::{Awaits, Progress, Turn};
use crate::stop::Stop;
use crate::stubborn::Deeds;
use crate::thread::frame::Code;
use crate::thread::{Running, Section};
use crate::vm::Vm;
use crate::watch::Observation;

pub struct Machine<'p> {
    pub session: &'p VmSession<'p>,
    pub vm: &'p Vm,
    pub pool: &'p dyn Pool,
    pub mem: Memory<'p>,
    pub system: System,
    pub loaded: Loaded,

    pub thread: Running<'p>,
    /// How far the step has come.
    pub progress: Progress,
    /// What it has told.
    pub tale: Tale,
    /// What may still race, if races are looked for.
    pub races: Option<Box<Races>>,
    /// As what memory is accessed now.
    pub manner: Manner,
    pub observation: Observation,
    pub superstep: Superstep,
    /// What the step has touched.
    pub deeds: Deeds,
    pub turn: Turn,
    /// The loops that the thread is in, while a story is told.
    pub awaits: Awaits,
    /// Where threads are assumed to meet.
    pub assumed: Rc<Assumed>,
    /// Accesses that need not be looked at any more.
    pub settled: Settled,
    /// A block operation that is kept apart from memory while it runs.
    pub transaction: Option<Transaction>,
    /// What the abstraction function has matched so far, while it runs.
    pub matching: Option<Vec<u64>>,
    /// That of compiled code, while none runs.
    pub compiled: Option<Box<Room>>,
    /// The library function whose handler runs.
    pub running: Option<&'static Builtin>,
}

impl<'p> Machine<'p> {
    pub fn new(session: &'p VmSession<'p>, pool: &'p dyn Pool) -> Machine<'p> {
        let vm = session.vm;
        Machine {
            session,
            vm,
            pool,
            mem: Memory::new(pool, &vm.constants, &vm.global_entry),
            system: System::default(),
            loaded: Loaded::nothing(),
            thread: Running::default(),
            progress: Progress::default(),
            tale: Tale::default(),
            races: vm.options.races.then(|| Box::new(Races::new(&vm.program))),
            manner: Manner::Data,
            observation: Observation::default(),
            superstep: Superstep::default(),
            deeds: Deeds::default(),
            turn: Turn::default(),
            awaits: Awaits::default(),
            assumed: Rc::new(session.meets.assumed().clone()),
            settled: Settled::default(),
            transaction: None,
            matching: None,
            compiled: None,
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
        // Who has a pointer to what was there can reach it from the beginning.
        let (id, flags) = match self.old_address(space)? {
            Some(old) => (old, Flags::SHARED),
            None => (self.new_address(space)?, Flags::default()),
        };
        let site = match space {
            Space::Stack => self.alloca_site(),
            _ => self.allocation_loc().0,
        };
        self.mem.create(id, size as u32, site, flags, undefined);
        self.deeds.allocates |= space == Space::Heap;
        if let Some(transaction) = &mut self.transaction {
            transaction.made.push(id);
        }
        Ok(id)
    }

    /// The lowest number that nobody could mistake for an older one.
    fn new_address(&mut self, space: Space) -> Result<ObjId, Stop> {
        let roots = if self.mem.needs_roots() { self.held_roots() } else { Vec::new() };
        let roots: Vec<&[u64]> = roots.iter().map(|r| &r[..]).collect();
        let mut id = self.mem.free_slot(space, self.thread.me as u8, &roots);
        if id.is_none() {
            let roots = self.held_roots();
            let roots: Vec<&[u64]> = roots.iter().map(|r| &r[..]).collect();
            self.mem.forget_reserved();
            id = self.mem.free_slot(space, self.thread.me as u8, &roots);
        }
        id.ok_or_else(|| Stop::unsupported("more than 65536 objects of one thread"))
    }

    /// The number of the alloca that is executed, for names.
    fn alloca_site(&self) -> u32 {
        match self.thread.frames.last() {
            Some(frame) => self.vm.locals.site(frame.func, frame.pc),
            None => 0,
        }
    }
}

/// The pseudo-object behind a thread's handle.
pub fn thread_object(thread: u32) -> ObjId {
    ObjId::new(Space::Thread, thread)
}

/// A number for a section that is unique within its thread: 5 bits of kind,
/// 3 of space, 24 of object, 32 of offset.
pub fn slot_of(section: Section) -> u64 {
    let Section { kind, resource, .. } = section;
    let space = (resource >> 56) & 7;
    (kind as u64) << 59 | space << 56 | (resource & 0x00ff_ffff_ffff_ffff)
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
