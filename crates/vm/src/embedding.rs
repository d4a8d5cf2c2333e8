//! A program as a guest of another machine, which calls its functions one at a time.
//!
//! Between calls no function runs: a state is the memory of the program with a thread that has no
//! frames. It is handed out as one component, which lists the components of the state. A call
//! is a function of that component and of the numbers that are passed. A function that would wait,
//! choose, start a thread or end the program is refused.
//!
//! Calls are remembered as steps of threads are ([`Memo`]): a call is a step of a thread whose component is the
//! question (function, caller, numbers), and behind it the component is the answer. So a call is not executed again
//! where the memory differs only in what it does not look at.

use std::ops::ControlFlow;
use std::sync::Mutex;

use exeunt_ir::address::{ObjId, Space};
use exeunt_model::{
    Account, Basis, CompId, Detail, Edge, Event, Fault, Pool, Property, Session, Sink, StateView,
    Target, Unsupported,
};

use crate::machine::Machine;
use crate::memo::{self, Answer, Memo, Recorder, Room};
use crate::session::VmSession;
use crate::state::system::System;
use crate::stop::Stop;
use crate::thread::Status;
use crate::thread::frame::OnReturn;
use crate::vm::Vm;
use crate::worker::VmWorker;

/// Pieces of a run of a function before we say that it does not end. Each has some million
/// instructions, or comes back to where it was.
const LONGEST: u32 = 1 << 6;

/// A program and the functions of it that are called.
pub struct Embedding {
    vm: Vm,
    functions: Vec<u32>,
    /// An array of `int` for numbers that are passed.
    values: ObjId,
    /// An `int` for who calls.
    caller: ObjId,
    /// Variables that hold something only while a function runs: pointers to them are not to be kept.
    passing: Vec<ObjId>,
    /// What was refused first.
    refused: Mutex<Option<Unsupported>>,
}

impl Embedding {
    /// The variables and functions must be in the program, those in `passing` may be. The first function is called at
    /// the start.
    pub fn new(
        vm: Vm,
        functions: &[String],
        [values, caller]: [&str; 2],
        passing: &[String],
    ) -> Result<Self, String> {
        let function = |name: &String| {
            let found = vm.program.find_function(name).map(|id| id.0);
            found.ok_or_else(|| format!("there is no function `{name}`"))
        };
        let variable = |name: &str| {
            let found = vm.program.find_global(name);
            let found = found.ok_or_else(|| format!("there is no variable `{name}`"));
            found.map(|id| ObjId::new(Space::Global, id.0))
        };
        let functions = functions.iter().map(function).collect::<Result<_, _>>()?;
        let (values, caller) = (variable(values)?, variable(caller)?);
        let passing = passing.iter().filter_map(|name| variable(name).ok()).collect();
        Ok(Embedding { functions, values, caller, passing, refused: Mutex::default(), vm })
    }

    pub fn host(&self) -> Host<'_> {
        Host { embedding: self, session: VmSession::new(&self.vm, Basis::Nothing) }
    }

    /// What was assumed about the program.
    pub fn assumptions(&self) -> Vec<String> {
        VmSession::new(&self.vm, Basis::Nothing).assumptions()
    }

    /// Why nothing can be concluded from calls that went well.
    pub fn incompleteness(&self) -> Vec<String> {
        let refused = self.refused.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let inputs = self.vm.sampled.iter().chain(&self.vm.program.caveats).cloned();
        let clock = self.vm.reads_clock.then(|| "C code of the model looks at a clock".to_string());
        inputs.chain(refused.iter().map(Unsupported::to_string)).chain(clock).collect()
    }
}

/// What is called, by whom and with what.
pub struct Asked<'c> {
    pub state: CompId,
    pub function: u32,
    pub caller: u32,
    /// The function may change them.
    pub values: &'c mut Vec<i32>,
    /// Whether output is collected.
    pub story: bool,
}

/// What came of a call.
pub struct Outcome {
    pub state: CompId,
    pub result: i32,
    pub output: String,
}

/// Why a call has no outcome.
pub enum Refusal {
    /// The program went wrong.
    Fault(Box<Fault>),
    /// We cannot execute it.
    Unsupported(Unsupported),
}

/// What guests of one program share.
pub struct Host<'v> {
    embedding: &'v Embedding,
    session: VmSession<'v>,
}

impl Host<'_> {
    pub fn guest<'a>(&'a self, pool: &'a dyn Pool) -> Guest<'a> {
        let machine = Machine::new(&self.session, pool);
        Guest {
            embedding: self.embedding,
            machine,
            state: Vec::new(),
            before: Vec::new(),
            passed: Vec::new(),
            question: Vec::new(),
            target: Told::default(),
            memo: Memo::default(),
            room: Room::default(),
            remembered: 0,
        }
    }
}

/// Calls functions of a program on states that are kept in a pool. Its machine keeps what it has loaded from
/// one call to the next, which differ in little.
pub struct Guest<'a> {
    embedding: &'a Embedding,
    machine: Machine<'a>,
    /// For states that come and go, and for what is passed.
    state: Vec<CompId>,
    before: Vec<CompId>,
    passed: Vec<u8>,
    /// The state with the question, and with the answer.
    question: Vec<CompId>,
    target: Told,
    memo: Memo,
    room: Room,
    /// Calls whose answers were remembered.
    remembered: u64,
}

/// The place of the thread in a state.
const THREAD: usize = 1;

/// Keeps the state that an edge leads to.
#[derive(Default)]
struct Told(Vec<CompId>);

impl Sink for Told {
    fn edge(&mut self, _: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        if let Target::State(state) = target {
            self.0.clear();
            self.0.extend_from_slice(state);
        }
        ControlFlow::Continue(())
    }
}

impl Guest<'_> {
    /// The state before the first call.
    pub fn start(&mut self) -> Result<CompId, Refusal> {
        let vm = &self.embedding.vm;
        let started = self.machine.start();
        started.map_err(|stop| self.refused(stop))?;
        self.machine.forget_frames();
        let mut state = self.committed();
        let first = self.embedding.functions.first().copied();
        let constructors = vm.program.constructors.iter().map(|id| id.0);
        for function in constructors.chain(first) {
            let values = &mut Vec::new();
            let asked = Asked { state, function, caller: 0, values, story: false };
            state = self.call_function(asked)?.state;
        }
        Ok(state)
    }

    /// Calls a function by its number among those that are called.
    pub fn call(&mut self, asked: Asked<'_>) -> Result<Outcome, Refusal> {
        let function = self.embedding.functions[asked.function as usize];
        self.call_function(Asked { function, ..asked })
    }

    fn call_function(&mut self, asked: Asked<'_>) -> Result<Outcome, Refusal> {
        let pool = self.machine.pool;
        unlisted(pool.get(asked.state), &mut self.state);
        if asked.story {
            return self.perform(asked);
        }
        let Asked { function, caller, .. } = asked;
        let mut question = vec![u64::from(self.state[THREAD].0), function.into(), caller.into()];
        question.extend(asked.values.iter().map(|&value| u64::from(value as u32)));
        self.question.clone_from(&self.state);
        self.question[THREAD] = pool.intern(&question);
        let threads = System::thread_count(pool.get(self.state[0]));
        let step = memo::Asked { state: &self.question, thread: 0, threads };
        match self.memo.ask(step, pool) {
            Answer::Known(known) => {
                self.room.leave();
                let _ = self.memo.tell(known, step, &mut self.room, pool, &mut self.target);
                Ok(self.answered(asked))
            }
            Answer::Execute => self.perform(asked),
            Answer::Learn => {
                let Asked { state, function, caller, values, story } = asked;
                let asked = Asked { state, function, caller, values: &mut *values, story };
                let outcome = self.perform(asked)?;
                self.learn(&outcome, values, threads);
                Ok(outcome)
            }
        }
    }

    /// What was remembered of a call: `target` has it.
    fn answered(&mut self, asked: Asked<'_>) -> Outcome {
        let pool = self.machine.pool;
        let target = &mut self.target.0;
        let [thread, result, values @ ..] = pool.get(target[THREAD]) else {
            unreachable!("an answer begins with the thread and the result");
        };
        target[THREAD] = CompId(*thread as u32);
        let same = *target == self.state;
        let state = if same { asked.state } else { pool.intern(&listed(target)) };
        let outcome = Outcome { state, result: *result as u32 as i32, output: String::new() };
        let mut before = std::mem::take(asked.values);
        asked.values.extend(values.iter().map(|&value| value as u32 as i32));
        self.remembered += 1;
        // In tests some are executed all the same, the first ones too.
        if cfg!(debug_assertions) && (self.remembered < 1000 || self.remembered.is_multiple_of(64))
        {
            let again = self.perform(Asked { values: &mut before, ..asked });
            let same =
                |again: Outcome| (again.state, again.result) == (outcome.state, outcome.result);
            assert!(
                again.is_ok_and(same) && before == *asked.values,
                "a call is remembered wrongly"
            );
        }
        outcome
    }

    /// Remembers a call that was just executed.
    fn learn(&mut self, outcome: &Outcome, values: &[i32], threads: u32) {
        let pool = self.machine.pool;
        let mut answer = vec![0, u64::from(outcome.result as u32)];
        answer.extend(values.iter().map(|&value| u64::from(value as u32)));
        let mut target = Vec::new();
        unlisted(pool.get(outcome.state), &mut target);
        answer[0] = target[THREAD].0.into();
        target[THREAD] = pool.intern(&answer);
        let mut recorder = Recorder::new(&self.question, pool, &mut self.target);
        let _ = recorder.edge(&Edge::initial(), Target::State(&target));
        let step = memo::Asked { state: &self.question, thread: 0, threads };
        self.memo.learn(step, self.machine.mem.looks(), 0, recorder);
    }

    /// Executes a function on the state that is at hand.
    fn perform(&mut self, asked: Asked<'_>) -> Result<Outcome, Refusal> {
        let machine = &mut self.machine;
        machine.tale.listen(if asked.story { Detail::Story } else { Detail::Targets });
        machine.load_state(&self.state);
        machine.mem.forget_looks();
        machine.load_thread(0);
        self.passed.clear();
        self.passed.extend(asked.values.iter().flat_map(|value| value.to_le_bytes()));
        let called = self.execute(asked.function, asked.caller);
        let result = called.map_err(|stop| self.refused(stop))?;
        for (value, bytes) in asked.values.iter_mut().zip(self.passed.chunks_exact(4)) {
            *value = i32::from_le_bytes(bytes.try_into().expect("four bytes"));
        }
        let output = self.machine.tale.events().iter().filter_map(|event| match event {
            Event::Output { bytes, .. } => Some(String::from_utf8_lossy(bytes).into_owned()),
            _ => None,
        });
        let output = output.collect();
        // Where nothing has changed, as behind a condition, the list is the same.
        let mut before = std::mem::take(&mut self.before);
        std::mem::swap(&mut before, &mut self.state);
        self.machine.commit(&mut self.state);
        let same = before == self.state;
        self.before = before;
        let state = if same { asked.state } else { self.machine.pool.intern(&listed(&self.state)) };
        Ok(Outcome { state, result, output })
    }

    /// Runs a function with what is passed, which it may change. What it was passed through is zero afterwards.
    fn execute(&mut self, function: u32, caller: u32) -> Result<i32, Stop> {
        let Embedding { values, caller: place, .. } = *self.embedding;
        let Guest { machine, passed, .. } = self;
        if caller != 0 {
            machine.write_bytes(place.at(0), &caller.to_le_bytes(), &[])?;
        }
        if !passed.is_empty() {
            machine.write_bytes(values.at(0), passed, &[])?;
        }
        let result = machine.run_to_end(function)?;
        if machine.mem.came_to_point_to(&self.embedding.passing) {
            return Err(Stop::unsupported(
                "C code that keeps a pointer to a variable of a process in a model",
            ));
        }
        if caller != 0 {
            machine.write_bytes(place.at(0), &[0; 4], &[])?;
        }
        if !passed.is_empty() {
            let (after, shadow) = machine.read_bytes(values.at(0), passed.len() as u64)?;
            if shadow.iter().any(|byte| *byte != 0) {
                return Err(undefined("a variable of the model gets").into());
            }
            passed.fill(0);
            machine.write_bytes(values.at(0), passed, &[])?;
            passed.copy_from_slice(&after);
        }
        Ok(result)
    }

    /// The state that the machine has come to, as one component.
    fn committed(&mut self) -> CompId {
        self.machine.commit(&mut self.state);
        self.machine.pool.intern(&listed(&self.state))
    }

    /// Why there is no outcome. The machine may have stopped in the middle of something, so there is a new one.
    fn refused(&mut self, stop: Stop) -> Refusal {
        let refusal = self.embedding.refusal(&self.machine, stop);
        self.machine = Machine::new(self.machine.session, self.machine.pool);
        refusal
    }

    /// What of a state is compared with others.
    pub fn matched(&mut self, state: CompId) -> CompId {
        let machine = &mut self.machine;
        unlisted(machine.pool.get(state), &mut self.state);
        let mut out = Vec::new();
        match machine.matched(&self.state, &mut out) {
            true => machine.pool.intern(&listed(&out)),
            false => state,
        }
    }

    /// All that can be looked at.
    pub fn look(&mut self, state: CompId) -> StateView {
        unlisted(self.machine.pool.get(state), &mut self.state);
        self.machine.snapshot(&self.state)
    }

    /// Stores a state of one pool in another one.
    pub fn carry(&self, state: CompId, from: &dyn Pool, to: &dyn Pool) -> CompId {
        let worker = VmWorker::new(self.machine.session, self.machine.pool);
        let mut own = Vec::new();
        unlisted(from.get(state), &mut own);
        let carried = worker.carry(&own, from, to);
        to.intern(&listed(&carried))
    }
}

impl Embedding {
    /// Why a call has no outcome, as it is told; what we cannot do is noted.
    fn refusal(&self, machine: &Machine<'_>, stop: Stop) -> Refusal {
        let construct = match stop {
            Stop::Fault(fault) => return Refusal::Fault(fault),
            Stop::Unsupported(what) => what.to_string(),
            Stop::Blocked(_) | Stop::Waits => "C code that waits in a model".to_string(),
            Stop::Beyond => "C code that starts a thread in a model".to_string(),
            Stop::Exit => "C code that ends the program in a model".to_string(),
            Stop::Dropped => "C code that assumes something in a model".to_string(),
            Stop::Pause | Stop::Moved => "C code that chooses in a model".to_string(),
        };
        let limit = Unsupported { construct, location: Some(machine.location()) };
        let mut refused = self.refused.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        refused.get_or_insert_with(|| limit.clone());
        Refusal::Unsupported(limit)
    }
}

impl Machine<'_> {
    /// Calls a function of the loaded state, whose thread has no frames, and runs it to its end.
    fn run_to_end(&mut self, function: u32) -> Result<i32, Stop> {
        self.progress.forget_choices();
        self.observation.begin_call();
        self.push_internal(function, &[], OnReturn::Continue);
        for _ in 0..LONGEST {
            let ended = self.go_further();
            if !self.progress.choices().is_empty() {
                return Err(Stop::Pause);
            }
            match ended {
                Ok(()) => {}
                Err(Stop::Exit) => {
                    let result = self.observation.end().ok_or(Stop::Exit)?;
                    return match result.undefined & u64::from(u32::MAX) {
                        0 => Ok(result.value as i32),
                        _ => Err(undefined("the condition depends on").into()),
                    };
                }
                Err(stop) => return Err(stop),
            }
            if !self.thread.head.is_alive() || self.thread.frames.is_empty() {
                return Err(Stop::Exit);
            }
            if self.thread.head.status != Status::Ready {
                return Err(Stop::Waits);
            }
        }
        Err(Stop::unsupported("C code that does not come to an end soon"))
    }
}

/// The place is that of the call, which the caller knows.
fn undefined(what: &str) -> Fault {
    Fault::new(Property::Memory, format!("{what} an uninitialised value"))
        .help("some variable or part of an allocation is read before it was written")
}

/// A state as one component.
fn listed(state: &[CompId]) -> Vec<u64> {
    state.iter().map(|comp| u64::from(comp.0)).collect()
}

fn unlisted(words: &[u64], out: &mut Vec<CompId>) {
    out.clear();
    out.extend(words.iter().map(|&word| CompId(word as u32)));
}
