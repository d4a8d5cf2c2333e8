//! Walking through a model statement by statement, as SPIN's simulator does.
//!
//! A step of the model may be several statements (atomic sequences, both halves of a handshake);
//! here each of them is told with the process that executed it.

use std::sync::Arc;

use exeunt_model::{CompId, Describe, Fault, Location, Move, Pool};

use crate::PromelaModel;
use crate::machine::{Machine, Passed, Taken};

/// A statement that a process executes.
#[derive(Clone, Debug)]
pub struct Statement {
    pub pid: u32,
    /// The type of the process.
    pub process: Arc<str>,
    pub priority: u8,
    /// The number that SPIN gives the statement in its process type.
    pub state: u32,
    pub location: Location,
    pub text: Arc<str>,
    /// The messages that it sends and receives.
    pub passed: Vec<Passed>,
    /// What it prints.
    pub output: String,
    /// The processes that it starts.
    pub started: Vec<u32>,
    /// Whether it is the end of its process.
    pub ends: bool,
}

/// A possible step with its statements.
#[derive(Clone, Debug)]
pub struct Step {
    pub step: Move,
    pub statements: Vec<Statement>,
    pub fault: Option<Fault>,
    target: Option<Vec<CompId>>,
}

/// A process as it stands.
#[derive(Clone, Debug)]
pub struct Standing {
    pub pid: u32,
    pub process: Arc<str>,
    pub priority: u8,
    pub state: u32,
    pub location: Option<Location>,
    pub valid_end: bool,
}

/// A state of a model, and the way on.
pub struct Simulation<'m> {
    model: &'m PromelaModel,
    machine: Machine<'m>,
    state: Vec<CompId>,
}

impl<'m> Simulation<'m> {
    /// At the first state; `None` if the model cannot start.
    pub fn new(model: &'m PromelaModel, pool: &'m dyn Pool) -> Option<Self> {
        let mut machine = Machine::new(model, pool);
        let state = machine.first_state()?;
        Some(Simulation { model, machine, state })
    }

    /// All steps that are possible.
    pub fn steps(&mut self) -> Vec<Step> {
        let standing = self.processes();
        let recorded = self.machine.record(&self.state);
        let tell = |path: &[Taken]| path.iter().map(|taken| self.told(taken, &standing)).collect();
        recorded
            .into_iter()
            .map(|edge| Step {
                statements: tell(&edge.path),
                step: edge.step,
                fault: edge.fault,
                target: edge.target,
            })
            .collect()
    }

    /// Goes on by a step; `false` if nothing comes behind it, because it goes wrong.
    pub fn take(&mut self, step: &Step) -> bool {
        match &step.target {
            Some(target) => self.state.clone_from(target),
            None => return false,
        }
        true
    }

    /// All processes, in the order of their numbers.
    pub fn processes(&mut self) -> Vec<Standing> {
        self.machine.standing(&self.state)
    }

    /// Globals, channels and local variables with their values.
    pub fn variables(&mut self) -> Vec<(String, String)> {
        self.machine.variables(&self.state)
    }

    /// The values of a message that passes in this state, as SPIN prints them.
    pub fn message(&mut self, passed: &Passed) -> String {
        self.machine.load(&self.state);
        self.machine.message_text(passed.channel.wrapping_sub(1), &passed.values)
    }

    /// The channels that buffer: their numbers, names and messages as SPIN prints them.
    pub fn queues(&mut self) -> Vec<(u32, String, String)> {
        self.machine.load(&self.state);
        self.machine.queues()
    }

    /// A statement in words. One of a process that is started on the way is of that process.
    fn told(&self, taken: &Taken, standing: &[Standing]) -> Statement {
        let site = &self.model.program.sites[taken.site.0 as usize];
        let process = site.location.function.clone();
        let own = standing.iter().find(|known| known.pid == taken.pid);
        let procs = self.model.program.procs.iter();
        let first = procs.into_iter().find(|proc| proc.name == process);
        let first = first.map_or(0, |proc| proc.first_statement);
        Statement {
            pid: taken.pid,
            process,
            priority: own.map_or(1, |known| known.priority),
            state: taken.number.saturating_sub(first) + 1,
            location: site.location.clone(),
            text: site.text.clone(),
            passed: taken.passed.clone(),
            output: taken.output.clone(),
            started: taken.started.clone(),
            ends: *site.text == *crate::flow::END,
        }
    }
}
