//! C code of a model, executed on its memory, which is one component of the state.
//!
//! A call is a function of the memory, the values of the variables that it sees and the number
//! of its process, so what came of earlier calls is remembered.

use std::cell::RefCell;
use std::hash::BuildHasher;

use exeunt_model::{CompId, Pool, StateView, Unsupported};
use rustc_hash::FxBuildHasher;

use crate::PromelaModel;
use crate::code::{Code, FunctionId, SiteId};
use crate::embedded::{Call, Called, Hands, Host, Wrong};

use super::trouble::Trouble;
use super::{Frame, Machine};

/// Places for calls that are remembered. Most memories are met once and asked a few things then, so the last calls
/// are enough.
const PLACES: usize = 1 << 12;

/// What a call depends on: memory, function, process, values.
type Question = (CompId, u32, u32, Vec<i32>);

/// What executes the C code of a model, and what it answered.
pub(super) struct Foreign<'a> {
    hands: Option<Box<dyn Hands + 'a>>,
    /// By hash.
    known: Vec<Option<(Question, Called, Vec<i32>)>>,
}

impl<'a> Foreign<'a> {
    pub fn new(model: &'a PromelaModel, pool: &'a dyn Pool) -> RefCell<Self> {
        let hands = model.embedded.as_ref().map(|embedded| embedded.hands(pool));
        RefCell::new(Foreign { hands, known: Vec::new() })
    }

    /// What a worker of a search has.
    pub fn of_search(host: &'a dyn Host, pool: &'a dyn Pool) -> RefCell<Self> {
        RefCell::new(Foreign { hands: Some(host.hands(pool)), known: Vec::new() })
    }

    fn hands(&mut self) -> Result<&mut (dyn Hands + 'a), Wrong> {
        match &mut self.hands {
            Some(hands) => Ok(&mut **hands),
            None => {
                let construct = "embedded C code".to_string();
                Err(Wrong::Unsupported(Unsupported { construct, location: None }))
            }
        }
    }

    fn call(&mut self, question: Question, story: bool) -> Result<(Called, Vec<i32>), Wrong> {
        let place = FxBuildHasher.hash_one(&question) as usize >> 32 & (PLACES - 1);
        if !story
            && let Some(Some((known, called, after))) = self.known.get(place)
            && *known == question
        {
            return Ok((called.clone(), after.clone()));
        }
        let (memory, function, process, values) = &question;
        let mut values = values.clone();
        let call = Call {
            memory: *memory,
            function: *function,
            process: *process,
            values: &mut values,
            story,
        };
        let called = self.hands()?.call(call)?;
        if !story {
            self.known.resize(PLACES, None);
            self.known[place] = Some((question, called.clone(), values.clone()));
        }
        Ok((called, values))
    }
}

/// Which variables code may change is read off its text, and here that was wrong.
fn unnamed_change() -> Unsupported {
    let construct = "C code that changes a variable of the model without naming it".to_string();
    Unsupported { construct, location: None }
}

impl Machine<'_> {
    /// Sets up the memory of the C code for the first state.
    pub(super) fn start_code(&mut self) {
        let Some(cell) = self.program.code_memory else { return };
        let started = self.foreign.borrow_mut().hands().and_then(|hands| hands.start());
        match started {
            Ok(memory) => self.memory.store(&cell, 0, memory.0 as i32),
            Err(wrong) => self.complain(wrong.into()),
        }
    }

    /// What a piece of code gets to see.
    fn code_values(&self, code: &Code, frame: Frame) -> Vec<i32> {
        let cells = code.cells.iter().map(|cell| self.memory.load(cell, frame.base));
        cells.chain(code.counts.then(|| self.memory.process_count() as i32)).collect()
    }

    /// The value of a `c_expr`, which must not change anything.
    pub(super) fn code_value(&self, code: &Code, frame: Frame) -> i32 {
        let values = self.code_values(code, frame);
        let memory = CompId(self.memory.load(&code.memory, 0) as u32);
        let question = (memory, code.function.0, frame.pid, values.clone());
        match self.foreign.borrow_mut().call(question, false) {
            Ok((called, after)) if called.memory == memory && after == values => called.result,
            Ok(_) => {
                let construct = "a `c_expr` that changes memory or variables".to_string();
                self.complain(Trouble::Limit(Unsupported { construct, location: None }));
                0
            }
            Err(wrong) => {
                self.complain(wrong.into());
                0
            }
        }
    }

    /// Executes a `c_code`.
    pub(super) fn run_code(&mut self, code: &Code, frame: Frame, site: SiteId) {
        self.tell(site, None);
        let values = self.code_values(code, frame);
        let Some((result, after)) = self.call_code(code.function, frame.pid, values) else {
            return;
        };
        // Only starting and ending processes changes their number.
        let counted = after.get(code.cells.len());
        let running = self.memory.process_count() as i32;
        if result < 0 || counted.is_some_and(|counted| *counted != running) {
            self.complain(Trouble::Limit(unnamed_change()));
            return;
        }
        if result > 0 {
            let condition = code.condition.clone().unwrap_or_default();
            self.complain(Trouble::Precondition(condition));
            return;
        }
        for (cell, value) in code.cells.iter().zip(after) {
            self.memory.store(cell, frame.base, value);
        }
    }

    /// The C part of a process begins.
    pub(super) fn begin_code(&mut self, pid: u32) {
        let proc = self.memory.process(pid).proc;
        if let Some((begin, _)) = self.program.code_life(proc) {
            self.call_code(begin, pid, Vec::new());
        }
    }

    /// The C part of a process ends.
    pub(super) fn end_code(&mut self, pid: u32) {
        let proc = self.memory.process(pid).proc;
        if let Some((_, end)) = self.program.code_life(proc) {
            self.call_code(end, pid, Vec::new());
        }
    }

    /// Calls a function, which may change the memory; its result, and the values afterwards.
    fn call_code(
        &mut self,
        function: FunctionId,
        pid: u32,
        values: Vec<i32>,
    ) -> Option<(i32, Vec<i32>)> {
        let cell = self.program.code_memory?;
        let memory = CompId(self.memory.load(&cell, 0) as u32);
        let story = self.storytelling || self.recorded.is_some();
        let question = (memory, function.0, pid, values);
        let answer = self.foreign.borrow_mut().call(question, story);
        match answer {
            Ok((called, after)) => {
                self.memory.store(&cell, 0, called.memory.0 as i32);
                if !called.output.is_empty() {
                    self.output(called.output);
                }
                Some((called.result, after))
            }
            Err(wrong) => {
                self.complain(wrong.into());
                None
            }
        }
    }

    /// What of a state is compared: all but what the C code has declared to be of no account.
    pub(super) fn match_code(&mut self, state: &[CompId], out: &mut Vec<CompId>) -> bool {
        let Some(cell) = self.program.code_memory else { return false };
        if !self.model.ignores_code() {
            return false;
        }
        self.memory.load_state(state, self.pool);
        let memory = CompId(self.memory.load(&cell, 0) as u32);
        let Ok(matched) = self.foreign.borrow_mut().hands().map(|hands| hands.matched(memory))
        else {
            return false;
        };
        let mark = self.memory.mark();
        self.memory.store(&cell, 0, matched.0 as i32);
        out.extend_from_slice(self.memory.target(self.pool));
        self.memory.undo(mark);
        true
    }

    /// Variables and objects of the C code, in the state that is loaded.
    pub(super) fn look_at_code(&self) -> StateView {
        let look = |cell| {
            let memory = CompId(self.memory.load(&cell, 0) as u32);
            let mut foreign = self.foreign.borrow_mut();
            foreign.hands().map_or_else(|_| StateView::default(), |hands| hands.look(memory))
        };
        self.program.code_memory.map_or_else(StateView::default, look)
    }

    /// Stores a state of one pool in another one, with the memory of the C code.
    pub(super) fn carry_code(
        &self,
        state: &[CompId],
        from: &dyn Pool,
        to: &dyn Pool,
    ) -> Vec<CompId> {
        let mut carried = exeunt_model::carry_plain(state, from, to);
        let Some(cell) = self.program.code_memory else { return carried };
        let Ok(hands) = self.foreign.try_borrow() else { return carried };
        if let Some(hands) = &hands.hands {
            let (component, word) = self.memory.part_of(cell.word);
            let mut words = from.get(state[component]).to_vec();
            words[word] = u64::from(hands.carry(CompId(words[word] as u32), from, to).0);
            carried[component] = to.intern(&words);
        }
        carried
    }
}
