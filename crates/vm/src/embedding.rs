//! A program as a guest of another machine, which calls its functions one at a time.
//!
//! Between calls no function runs: a state is the memory of the program with a thread that has no
//! frames. It is handed out as one component, which lists the components of the state. A call
//! is a function of that component and of the numbers that are passed. A function that would wait,
//! choose, start a thread or end the program is refused.

use std::sync::Mutex;

use exeunt_ir::address::{ObjId, Space};
use exeunt_model::{
    Account, Basis, CompId, Detail, Event, Fault, Pool, Property, Session, Unsupported,
};

use crate::machine::Machine;
use crate::session::VmSession;
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
    /// What was refused first.
    refused: Mutex<Option<Unsupported>>,
}

impl Embedding {
    /// The variables and functions must be in the program. The first function is called at the start.
    pub fn new(vm: Vm, functions: &[String], values: &str, caller: &str) -> Result<Self, String> {
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
        Ok(Embedding { functions, values, caller, refused: Mutex::default(), vm })
    }

    pub fn open<'a>(&'a self, pool: &'a dyn Pool) -> Guest<'a> {
        Guest { embedding: self, session: VmSession::new(&self.vm, Basis::Nothing), pool }
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

/// Calls functions of a program on states that are kept in a pool.
pub struct Guest<'a> {
    embedding: &'a Embedding,
    session: VmSession<'a>,
    pool: &'a dyn Pool,
}

impl Guest<'_> {
    /// The state before the first call.
    pub fn start(&mut self) -> Result<CompId, Refusal> {
        let vm = &self.embedding.vm;
        let mut machine = Machine::new(&self.session, self.pool);
        machine.start().map_err(|stop| self.embedding.refusal(&machine, stop))?;
        machine.forget_frames();
        let mut state = Vec::new();
        machine.commit(&mut state);
        drop(machine);
        let mut state = self.pool.intern(&listed(&state));
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
        let Embedding { values, caller, .. } = *self.embedding;
        let mut machine = Machine::new(&self.session, self.pool);
        machine.tale.listen(if asked.story { Detail::Story } else { Detail::Targets });
        machine.load_state(&unlisted(self.pool.get(asked.state)));
        machine.load_thread(0);
        let passed: Vec<u8> = asked.values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let nothing = vec![0; passed.len()];
        let mut call = || {
            machine.write_bytes(caller.at(0), &asked.caller.to_le_bytes(), &[])?;
            machine.write_bytes(values.at(0), &passed, &[])?;
            let result = machine.run_to_end(asked.function)?;
            machine.write_bytes(caller.at(0), &[0; 4], &[])?;
            let (after, shadow) = machine.read_bytes(values.at(0), passed.len() as u64)?;
            if shadow.iter().any(|byte| *byte != 0) {
                return Err(undefined("a variable of the model gets").into());
            }
            machine.write_bytes(values.at(0), &nothing, &[])?;
            Ok((result, after))
        };
        let (result, after) = call().map_err(|stop| self.embedding.refusal(&machine, stop))?;
        for (value, bytes) in asked.values.iter_mut().zip(after.chunks_exact(4)) {
            *value = i32::from_le_bytes(bytes.try_into().expect("four bytes"));
        }
        let output = machine.tale.events().iter().filter_map(|event| match event {
            Event::Output { bytes, .. } => Some(String::from_utf8_lossy(bytes).into_owned()),
            _ => None,
        });
        let output = output.collect();
        let mut state = Vec::new();
        machine.commit(&mut state);
        Ok(Outcome { state: self.pool.intern(&listed(&state)), result, output })
    }

    /// What of a state is compared with others.
    pub fn matched(&mut self, state: CompId) -> CompId {
        let own = unlisted(self.pool.get(state));
        let mut machine = Machine::new(&self.session, self.pool);
        let mut out = Vec::new();
        match machine.matched(&own, &mut out) {
            true => self.pool.intern(&listed(&out)),
            false => state,
        }
    }

    /// Stores a state of one pool in another one.
    pub fn carry(&self, state: CompId, from: &dyn Pool, to: &dyn Pool) -> CompId {
        let worker = VmWorker::new(&self.session, self.pool);
        let carried = worker.carry(&unlisted(from.get(state)), from, to);
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
        self.observation.begin();
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

fn unlisted(words: &[u64]) -> Vec<CompId> {
    words.iter().map(|&word| CompId(word as u32)).collect()
}
