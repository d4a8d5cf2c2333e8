//! The threads of the program, and the handing over of control between them
//! and the engine.
//!
//! Exactly one thread runs at a time. A thread that reaches an operation says
//! so and gives control to the engine; it comes back with the reply when the
//! engine lets it go on.

use std::collections::VecDeque;
use std::ffi::c_void;
use std::ops::Range;
use std::rc::Rc;

use exeunt_model::{
    ActorId, Arrival, Director, End, MutexKind, Operation, Property, Reply, Standing, Step,
};

use crate::carrier::{self, Carrier};
use crate::debugger;
use crate::hooks;
use crate::libraries;
use crate::pool::{self, Lender};
use crate::real::{Destructor, Routine};
use crate::switch::{self, Context};
use crate::tell;

/// How many threads are lent before the program asks for any.
const PREPARED: usize = 10;

/// What a thread that ends early has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Handler {
    /// C code waits at this buffer to clean up.
    Jump(usize),
    /// The function of the `once` at this address is left.
    Once(usize),
}

/// A section that the program has entered itself, or a function that must
/// return.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Section {
    pub name: Rc<str>,
    pub function: bool,
    /// What tells it from the other open sections of its thread.
    pub slot: u64,
}

/// A thread of the program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Thread {
    pub handle: libc::pthread_t,
    context: Context,
    /// Its kernel thread, if it has one of its own.
    carrier: usize,
    standing: Standing,
    reply: Reply,
    begun: bool,
    /// What it begins with.
    start: Option<(Routine, *mut c_void)>,
    pub result: *mut c_void,
    pub detached: bool,
    pub joined: bool,
    /// What is to be done if it ends early, the innermost last.
    pub handlers: Vec<Handler>,
    /// The robust mutexes that it holds.
    pub robust: Vec<usize>,
    /// The signals that it has blocked, and those that came meanwhile, a bit each.
    pub blocked: u64,
    pub pending: u64,
    /// It waits for a signal to be handled.
    pub suspended: bool,
    /// How often it asked for the time.
    pub ticks: u64,
    /// It ends at a cancellation point if that was asked for.
    pub cancellable: bool,
    /// How many blocks it is in that happen at once.
    pub blocks: u32,
    /// Its last compare-exchange changed nothing.
    pub failed: bool,
    /// How often it was woken without a signal.
    pub woken: u32,
    /// What it has entered and not left.
    pub sections: Vec<Section>,
    /// A section was left and entered again since the last step began.
    pub reopens: bool,
    /// What was left since then.
    left: Vec<u64>,
}

/// What is taken back when the program starts again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct World {
    pub threads: Vec<Thread>,
    /// The thread that runs, or ran last.
    pub current: usize,
    /// Created and not yet run.
    fresh: VecDeque<usize>,
    end: Option<End>,
    pub exit_code: i32,
    /// Words of memory that were freed since the last arrivals.
    pub freed: Vec<Range<u64>>,
    /// How often the object at an address was initialised, and with what.
    pub births: std::collections::BTreeMap<usize, (u16, u32)>,
    pub keys: Vec<(libc::pthread_key_t, usize)>,
    /// Signals for any thread that all had blocked when they came, a bit each.
    pub pending: u64,
}

impl World {
    /// How the program ended, if it did so by itself.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// The same without what makes no difference any more: which thread ran
    /// last, and what it was told.
    pub fn at_rest(&self) -> World {
        let mut world = self.clone();
        world.current = 0;
        world.freed.clear();
        for thread in &mut world.threads {
            (thread.reply, thread.reopens, thread.failed) = (Reply::Done, false, false);
            thread.left.clear();
        }
        world
    }
}

/// Keeps what is needed of a run, and its states if it can.
pub trait Recorder {
    /// Who got where, how the program ended, and which words were freed.
    fn hear(&mut self, arrivals: &[Arrival], end: Option<&End>, freed: &[Range<u64>]);
    /// How many pages must be copied to keep a state; `None` if that is not possible.
    fn cost(&self) -> Option<usize>;
    /// Keeps the present state, in which these threads got somewhere.
    fn keep(&mut self, machine: &Machine, arrivals: &[Arrival]);
}

/// Nothing is needed.
impl Recorder for () {
    fn hear(&mut self, _: &[Arrival], _: Option<&End>, _: &[Range<u64>]) {}

    fn cost(&self) -> Option<usize> {
        None
    }

    fn keep(&mut self, _: &Machine, _: &[Arrival]) {}
}

/// Everything of the runtime. There is one, and it does not lie in memory that
/// is taken back.
pub struct Machine {
    pub world: World,
    lenders: Vec<Lender>,
    /// Where the stacks of the lenders are.
    stacks: Vec<Range<usize>>,
    /// Where the objects of system libraries are.
    system: Vec<Range<usize>>,
    engine: Context,
    /// The kernel thread of the engine, if the threads of the program have their own.
    engine_carrier: Option<&'static Carrier>,
    engine_handle: libc::pthread_t,
    quick: bool,
    pub exploring: bool,
    /// Every operation is told with the places it was called from.
    pub telling: bool,
    pub body: fn(&mut Machine),
    /// Accesses to memory are scheduling points.
    pub instrumented: bool,
    /// What was said already and is not said again.
    pub told: Vec<&'static str>,
    /// What may be different in every run, and was told.
    pub sources: Vec<String>,
    /// What the plan says that was found out in an earlier exploration.
    pub knows: Vec<&'static str>,
    /// Data races are looked for.
    pub races: bool,
    /// Cancellation points are scheduling points.
    pub cancels: bool,
    /// The end of a thread is a scheduling point.
    pub asks_for_ends: bool,
    /// The main thread ends before the program, which the last thread ends.
    pub main_left: bool,
    /// How often a thread may be woken without a signal.
    pub spurious: u32,
    /// Signals that the program catches itself.
    pub caught: Vec<i32>,
    /// The process number that the program sees.
    pub process: i32,
    /// Names that the program gave to its variables, for formulas, with their
    /// addresses and sizes.
    pub propositions: Vec<(String, usize, usize)>,
    /// The functions that must return lie there.
    pub must_return: Range<usize>,
    /// A list to be used again.
    arrivals: Vec<Arrival>,
}

static mut MACHINE: *mut Machine = std::ptr::null_mut();

/// The machine, once the program has begun.
pub fn machine() -> Option<&'static mut Machine> {
    // SAFETY: set once before there is a second thread, and only one thread
    // runs at a time. References do not outlive a hand-over.
    unsafe { MACHINE.as_mut() }
}

/// Calls a function while there is no machine: what it does is not watched.
pub fn unwatched<T>(call: impl FnOnce() -> T) -> T {
    // SAFETY: as in `machine`; no thread of the program runs meanwhile.
    let kept = unsafe { MACHINE };
    // SAFETY: as above.
    unsafe { MACHINE = std::ptr::null_mut() };
    let result = call();
    // SAFETY: as above.
    unsafe { MACHINE = kept };
    result
}

/// The machine, unless the object is one of the system libraries' own: what
/// the unwinder locks is no step of the program.
pub fn watching(place: usize) -> Option<&'static mut Machine> {
    machine().filter(|machine| !machine.system.iter().any(|range| range.contains(&place)))
}

impl Machine {
    /// Makes the machine; the calling thread is the main thread.
    pub fn install(telling: bool, body: fn(&mut Machine)) {
        // SAFETY: getauxval has no preconditions. Bit 1: FSGSBASE may be used.
        let quick = unsafe { libc::getauxval(libc::AT_HWCAP2) } & 2 != 0;
        // SAFETY: no preconditions.
        let handle = unsafe { libc::pthread_self() };
        let main = thread(handle, Context::default(), None);
        let world = World { threads: vec![main], ..World::default() };
        let lenders = (0..=PREPARED).filter_map(|_| pool::lend(std::ptr::null()).ok()).collect();
        let engine = Context::default();
        // SAFETY: a system call without arguments.
        let process = unsafe { libc::syscall(libc::SYS_getpid) } as i32;
        let machine = Machine {
            world,
            lenders,
            stacks: Vec::new(),
            system: libraries::system_data(),
            instrumented: false,
            told: Vec::new(),
            sources: Vec::new(),
            knows: Vec::new(),
            races: false,
            cancels: false,
            asks_for_ends: false,
            main_left: false,
            spurious: 0,
            engine_handle: 0,
            engine,
            engine_carrier: None,
            quick,
            exploring: false,
            telling,
            body,
            caught: Vec::new(),
            process,
            propositions: Vec::new(),
            must_return: 0..0,
            arrivals: Vec::new(),
        };
        // SAFETY: see `machine`.
        unsafe { MACHINE = Box::leak(Box::new(machine)) };
    }

    /// Gives control to the engine for the first time: the program has reached
    /// the state that every run begins with.
    fn begin(&mut self) {
        self.exploring = true;
        let lender = self.lenders.remove(0);
        self.engine_handle = lender.handle;
        // SAFETY: the stack was lent and is used by nobody else.
        self.engine = unsafe { switch::prepare(lender.top, lender.local, engine_main) };
        self.engine_carrier = Carrier::of(lender.carrier);
        if let Some(engine) = self.engine_carrier {
            engine.aim(self.engine.stack);
            let main = Carrier::new();
            main.leave_to(engine);
            self.world.threads[0].carrier = main.address();
        }
    }

    /// Creates a thread; it runs when its creator has come to an operation.
    pub fn create(
        &mut self,
        attributes: *const libc::pthread_attr_t,
        routine: Routine,
        argument: *mut c_void,
    ) -> Result<libc::pthread_t, i32> {
        if !self.exploring {
            self.begin();
        }
        let used = self.world.threads.len() - 1;
        let plain = attributes.is_null();
        let lender = match self.lenders.get(used) {
            Some(lender) if plain != lender.custom => *lender,
            _ => {
                let lender = pool::lend(attributes)?;
                let at = used.min(self.lenders.len());
                self.lenders.insert(at, lender);
                lender
            }
        };
        // SAFETY: the stack was lent and no other thread of this run has it.
        let context = unsafe { switch::prepare(lender.top, lender.local, thread_main) };
        let index = self.world.threads.len();
        let blocked = self.current().blocked;
        let new = thread(lender.handle, context, Some((routine, argument)));
        self.world.threads.push(Thread { blocked, carrier: lender.carrier, ..new });
        self.world.fresh.push_back(index);
        Ok(lender.handle)
    }

    /// Stops before an operation until the engine lets the thread go on.
    pub fn reach(&mut self, operation: Operation) -> Reply {
        let index = self.world.current;
        self.world.threads[index].standing = Standing::Before(operation);
        self.give_up_control();
        debugger::goes_on(self);
        self.world.threads[self.world.current].reply
    }

    /// The program is over.
    pub fn end(&mut self, end: End) -> ! {
        if !matches!(end, End::Exited { .. }) {
            debugger::stops(self, false);
        }
        self.world.end = Some(end);
        self.give_up_control();
        unreachable!("a program that has ended does not go on");
    }

    /// The present thread is over.
    fn end_thread(&mut self) -> ! {
        self.world.threads[self.world.current].standing = Standing::Ended;
        self.give_up_control();
        unreachable!("a thread that has ended does not go on");
    }

    fn give_up_control(&mut self) {
        if !self.exploring {
            self.begin();
        }
        let engine = self.engine;
        let carrier = Carrier::of(self.world.threads[self.world.current].carrier);
        let context = &mut self.world.threads[self.world.current].context;
        if let Some(carrier) = carrier {
            context.local = switch::local();
            let place: *mut usize = &mut context.stack;
            // SAFETY: the carrier saved its stack when it let this thread run.
            unsafe { switch::exchange(place, carrier.own_stack(), 0, 0) };
            return;
        }
        let context: *mut Context = context;
        // SAFETY: the engine's context was saved when it let this thread go.
        // The thread table is not changed before the context is saved.
        unsafe { switch::switch(&mut *context, engine, self.quick) };
    }

    /// This process is a copy that makes one run.
    pub fn copied(&self) {
        if let Some(engine) = self.engine_carrier {
            carrier::copied(engine);
        }
    }

    /// Lets a thread run to its next operation.
    fn let_go(&mut self, index: usize) {
        self.world.current = index;
        self.world.threads[index].begun = true;
        let context = self.world.threads[index].context;
        if let (Some(carrier), Some(engine)) =
            (Carrier::of(self.world.threads[index].carrier), self.engine_carrier)
        {
            carrier.aim(context.stack);
            carrier.open(engine);
            engine.wait();
            return;
        }
        let engine: *mut Context = &mut self.engine;
        // SAFETY: the context was saved when the thread gave up control.
        unsafe { switch::switch(&mut *engine, context, self.quick) };
    }

    /// Runs new threads up to their first operations, and says who got where.
    fn settle(&mut self, first: usize) -> Vec<Arrival> {
        let mut arrived = std::mem::take(&mut self.arrivals);
        arrived.clear();
        let mut arrival = |machine: &mut Machine, index: usize| {
            let thread = &mut machine.world.threads[index];
            let failed = std::mem::take(&mut thread.failed);
            let (actor, standing) = (ActorId(index as u32), thread.standing);
            arrived.push(Arrival { actor, standing, failed });
        };
        arrival(self, first);
        while self.world.end.is_none()
            && let Some(index) = self.world.fresh.pop_front()
        {
            self.let_go(index);
            arrival(self, index);
        }
        arrived.sort_unstable_by_key(|arrival| arrival.actor);
        arrived
    }

    /// Runs all threads up to their first operations.
    pub fn begin_run(&mut self) -> Vec<Arrival> {
        self.settle(0)
    }

    /// Lets one thread make a step.
    pub fn step(&mut self, Step { actor, reply }: Step) -> Vec<Arrival> {
        let index = actor.0 as usize;
        tell::step(self, actor, reply);
        let thread = &mut self.world.threads[index];
        (thread.reply, thread.reopens) = (reply, false);
        thread.left.clear();
        self.let_go(index);
        self.settle(index)
    }

    /// One run from the present state, as directed.
    pub fn run(&mut self, director: &mut dyn Director, recorder: &mut dyn Recorder) {
        let arrivals = self.begin_run();
        self.run_on(arrivals, director, recorder);
    }

    /// The same where these threads got somewhere and the director was not told.
    pub fn run_on(
        &mut self,
        mut arrivals: Vec<Arrival>,
        director: &mut dyn Director,
        recorder: &mut dyn Recorder,
    ) {
        loop {
            let end = self.world.end.clone();
            let freed = std::mem::take(&mut self.world.freed);
            recorder.hear(&arrivals, end.as_ref(), &freed);
            freed.into_iter().for_each(|words| director.freed(words));
            if end.is_none()
                && let Some(cost) = recorder.cost()
                && director.keeps(cost)
            {
                recorder.keep(self, &arrivals);
            }
            let Some(step) = director.next(&arrivals, end.as_ref()) else { return };
            let next = self.step(step);
            self.arrivals = std::mem::replace(&mut arrivals, next);
        }
    }

    /// The parts of all stacks that are below what is in use.
    pub fn dead_stacks(&self) -> Vec<Range<usize>> {
        let main = crate::snapshot::snapshot().and_then(|snapshot| snapshot.main_stack());
        let others = self.stacks.iter().cloned().map(Some);
        let ranges = std::iter::once(main).chain(others);
        let threads = self.world.threads.iter();
        let tops = std::iter::once(None).chain(self.lenders.iter().map(|one| Some(one.top)));
        let dead = |((thread, range), top): ((&Thread, Option<Range<usize>>), Option<usize>)| {
            // Nothing of a thread that has ended is used any more.
            let over = thread.standing == Standing::Ended && thread.begun;
            let used = top.filter(|_| over).unwrap_or(thread.context.stack);
            range.map(|range| range.start..used.clamp(range.start, range.end))
        };
        threads.zip(ranges).zip(tops).filter_map(dead).collect()
    }

    /// Notes where the stacks are, before memory must stay as it is.
    pub fn note_stacks(&mut self) {
        self.stacks = self.lenders.iter().map(|lender| stack_of(lender.handle)).collect();
    }

    /// The stack of the engine and the storage at its end.
    pub fn engine_stack(&self) -> Range<usize> {
        stack_of(self.engine_handle)
    }

    /// Whether the engine runs, and not a thread of the program.
    pub fn in_engine(&self) -> bool {
        self.exploring && switch::local() == self.engine.local
    }

    /// Whether this thread has not ended.
    pub fn lives(&self, index: usize) -> bool {
        let thread = &self.world.threads[index];
        thread.standing != Standing::Ended || thread.is_new() || index == self.world.current
    }

    /// Whether every other thread has ended.
    pub fn is_alone(&self) -> bool {
        let others = self.world.threads.iter().enumerate();
        let mut others = others.filter(|(index, _)| *index != self.world.current);
        others.all(|(_, thread)| thread.standing == Standing::Ended && !thread.is_new())
    }

    /// Whether the present thread may once more be woken without a signal.
    pub fn may_wake(&mut self) -> bool {
        self.current().woken < self.spurious
    }

    /// The number of the thread with this handle.
    pub fn find(&self, handle: libc::pthread_t) -> Option<usize> {
        self.world.threads.iter().position(|thread| thread.handle == handle)
    }

    pub fn current(&mut self) -> &mut Thread {
        &mut self.world.threads[self.world.current]
    }
}

/// The stack of a thread and the storage at its end.
fn stack_of(handle: libc::pthread_t) -> Range<usize> {
    // SAFETY: the attributes of a thread that exists.
    unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        libc::pthread_getattr_np(handle, &mut attributes);
        let (mut start, mut size) = (std::ptr::null_mut(), 0);
        libc::pthread_attr_getstack(&attributes, &mut start, &mut size);
        libc::pthread_attr_destroy(&mut attributes);
        start as usize..(start as usize + size).next_multiple_of(4096)
    }
}

impl Thread {
    /// Where its registers lie while it does not run; zero if it has ended.
    pub fn saved_stack(&self) -> usize {
        let over = self.standing == Standing::Ended && !self.is_new();
        if over { 0 } else { self.context.stack }
    }

    /// Enters a section.
    pub fn enter(&mut self, section: Section) {
        self.reopens |= self.left.contains(&section.slot);
        self.sections.push(section);
    }

    /// Leaves the innermost section with this slot; `false` if there is none.
    pub fn leave(&mut self, slot: u64) -> bool {
        let at = self.sections.iter().rposition(|section| section.slot == slot);
        if let Some(at) = at {
            self.sections.remove(at);
            self.left.push(slot);
        }
        at.is_some()
    }

    /// Whether it has not come to its first operation yet.
    fn is_new(&self) -> bool {
        self.start.is_some() && !self.begun
    }
}

fn thread(
    handle: libc::pthread_t,
    context: Context,
    start: Option<(Routine, *mut c_void)>,
) -> Thread {
    Thread {
        handle,
        context,
        carrier: 0,
        standing: Standing::Ended,
        reply: Reply::Done,
        begun: false,
        start,
        result: std::ptr::null_mut(),
        detached: false,
        joined: false,
        handlers: Vec::new(),
        robust: Vec::new(),
        blocked: 0,
        pending: 0,
        suspended: false,
        ticks: 0,
        cancellable: true,
        blocks: 0,
        failed: false,
        woken: 0,
        sections: Vec::new(),
        reopens: false,
        left: Vec::new(),
    }
}

/// The engine's side of the machine, on a stack of its own.
extern "C" fn engine_main() -> ! {
    let machine = machine().expect("the machine was installed");
    (machine.body)(machine);
    tell::leave(0)
}

/// Where every thread but the main one begins.
extern "C" fn thread_main() -> ! {
    let machine = machine().expect("the machine was installed");
    let (routine, argument) = machine.current().start.expect("a new thread has a routine");
    let result = routine(argument);
    finish(result)
}

/// The present thread ends with this result.
pub fn finish(result: *mut c_void) -> ! {
    run_destructors();
    hooks::mutex::desert();
    let machine = machine().expect("the machine was installed");
    machine.current().result = result;
    if machine.asks_for_ends {
        hooks::announce_end(machine);
    }
    // The last thread ends the program, where that need not be the main one.
    if machine.main_left && machine.is_alone() {
        hooks::process::exit(0);
    }
    machine.end_thread()
}

/// C++ thread-local objects, then values with keys, as the C library does it.
fn run_destructors() {
    let place = crate::real::find(c"__call_tls_dtors");
    if !place.is_null() {
        // SAFETY: the C library's function, which takes nothing.
        let call: unsafe extern "C" fn() = unsafe { std::mem::transmute(place) };
        // SAFETY: called once, by the thread that ends.
        unsafe { call() };
    }
    for _ in 0..4 {
        // Destructors make steps, and a run may be resumed there: nothing of the
        // runtime's own memory may be held meanwhile.
        let (mut any, mut at) = (false, 0);
        while let Some((key, destructor)) =
            machine().and_then(|machine| machine.world.keys.get(at).copied())
        {
            at += 1;
            // SAFETY: the key exists; its destructor was given with it.
            unsafe {
                let value = libc::pthread_getspecific(key);
                if !value.is_null() && destructor != 0 {
                    libc::pthread_setspecific(key, std::ptr::null());
                    let call: Destructor = std::mem::transmute(destructor);
                    call.expect("it is not zero")(value);
                    any = true;
                }
            }
        }
        if !any {
            break;
        }
    }
}

/// What the kind in a mutex says; `None` if it was destroyed.
pub fn mutex_kind(mutex: *const libc::pthread_mutex_t) -> Option<MutexKind> {
    // SAFETY: glibc keeps the kind sixteen bytes into every mutex.
    let kind = unsafe { *mutex.cast::<i32>().add(4) };
    match (kind, kind & 3) {
        (-1, _) => None,
        (_, 1) => Some(MutexKind::Recursive),
        (_, 2) => Some(MutexKind::ErrorCheck),
        _ => Some(MutexKind::Normal),
    }
}

/// Ends the run because of what the program did.
pub fn fault(property: Property, message: impl Into<String>) -> ! {
    let machine = machine().expect("only running programs fail");
    tell::place(machine, "fault", &[]);
    machine.end(End::Fault { property, message: message.into() })
}
