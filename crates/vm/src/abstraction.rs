//! Data abstraction: memory that is part of a state but is not compared.
//!
//! After Zaks and Joshi, Verifying Multi-threaded C Programs with SPIN, 2008,
//! section 3.1. `exeunt_ignore` and `--ignore` leave
//! memory out; `--abstract FUNCTION` leaves all data out and compares what the
//! function matches instead. Where the threads are, what they wait for and
//! the sections they are in is always compared.

use exeunt_ir::Program;
use exeunt_ir::address::{self, ObjId, Space};
use exeunt_mem::Access;
use exeunt_model::{CompId, Detail};

use crate::builtin::Deed;
use crate::machine::Machine;
use crate::options::VmOptions;
use crate::state::system::System;
use crate::stop::Stop;
use crate::thread::Head;
use crate::thread::frame::OnReturn;
use crate::vm::Vm;

/// Which abstraction is asked for.
#[derive(Default)]
pub struct Abstraction {
    /// Numbers of globals that are ignored.
    globals: Vec<u32>,
    function: Option<u32>,
}

impl Abstraction {
    pub fn of(program: &Program, options: &VmOptions) -> Result<Abstraction, String> {
        let find = |name: &String| {
            let found = program.find_variable(name).map(|id| id.0 as usize);
            match found.filter(|&at| !program.globals[at].thread_local) {
                Some(at) => Ok(at as u32),
                None => Err(format!("there is no global variable `{name}` (--ignore)")),
            }
        };
        let globals = options.ignored.iter().map(find).collect::<Result<_, _>>()?;
        let function = options.abstraction.as_ref().map(|name| {
            let id = program.find_function(name);
            match id.filter(|&id| !program.function(id).is_declaration()) {
                Some(id) if program.function(id).params == 0 => Ok(id.0),
                Some(_) => Err(format!("`{name}` has parameters, and --abstract has none to give")),
                None => Err(format!("there is no function `{name}` in the program (--abstract)")),
            }
        });
        Ok(Abstraction { globals, function: function.transpose()? })
    }

    /// What is left out, in words.
    pub fn describe(&self, vm: &Vm) -> Option<String> {
        let mut parts = Vec::new();
        if let Some(function) = self.function {
            let name = &vm.program.functions[function as usize].name;
            parts.push(format!("of all data only what `{name}` matches was compared"));
        }
        if !self.globals.is_empty() {
            let name = |&at: &u32| format!("`{}`", vm.program.globals[at as usize].name);
            let names: Vec<String> = self.globals.iter().map(name).collect();
            parts.push(format!("{} was ignored", names.join(", ")));
        }
        if vm.builtins.iter().flatten().any(|builtin| builtin.deed == Deed::Ignores) {
            parts.push("memory that the program gave to exeunt_ignore was ignored".to_string());
        }
        (!parts.is_empty()).then(|| parts.join(", and "))
    }
}

/// Why the function of an abstraction could not be evaluated.
fn failure(vm: &Vm, function: u32, stop: &Stop) -> String {
    let name = &vm.program.functions[function as usize].name;
    let why = match stop {
        Stop::Fault(fault) => fault.message.clone(),
        Stop::Unsupported(what) => format!("{what} is not supported"),
        Stop::Blocked(_) | Stop::Waits => "it waits".to_string(),
        Stop::Dropped | Stop::Beyond | Stop::Exit | Stop::Pause | Stop::Moved => {
            "it chooses, or does not end soon".to_string()
        }
    };
    format!("the abstraction `{name}` could not be evaluated everywhere: {why}")
}

impl Machine<'_> {
    /// Writes what of a state is compared; `false` if that is everything.
    pub fn matched(&mut self, state: &[CompId], out: &mut Vec<CompId>) -> bool {
        let vm = self.vm;
        self.tale.listen(Detail::Targets);
        self.load_state(state);
        if self.system.ended {
            return false;
        }
        if let Some(function) = vm.abstraction.function {
            return match self.evaluate(function) {
                Ok(words) => {
                    self.load_state(state);
                    self.match_control(&words, out);
                    true
                }
                Err(stop) => {
                    self.session.note_unmatched(failure(vm, function, &stop));
                    false
                }
            };
        }
        if vm.abstraction.globals.is_empty() && self.system.ignored.is_empty() {
            return false;
        }
        self.mask_ignored(state, out);
        true
    }

    /// The state without what is ignored.
    fn mask_ignored(&mut self, state: &[CompId], out: &mut Vec<CompId>) {
        let vm = self.vm;
        for &global in &vm.abstraction.globals {
            let id = ObjId::new(Space::Global, global);
            self.mem.mask(id, 0, u64::MAX);
        }
        for (addr, len) in self.system.ignored.clone() {
            self.mem.mask(address::object(addr), address::offset(addr) as u64, len);
        }
        let globals = 1 + self.system.threads as usize;
        out.extend_from_slice(&state[..globals]);
        // What is masked neither begins nor ends.
        self.mem.commit(out, &mut Vec::new(), None);
        self.commit_races(out);
    }

    /// Where the threads are, and the words that stand for the data.
    fn match_control(&mut self, words: &[u64], out: &mut Vec<CompId>) {
        let mut system = Vec::new();
        let known = System { ignored: Vec::new(), seed: 0, ..self.system.clone() };
        known.encode(&[], &mut system);
        out.push(self.pool.intern(&system));
        for thread in 0..self.system.threads {
            self.load_thread(thread);
            let mut control = Vec::new();
            let head = Head { result: 0, keys: Vec::new(), ..self.thread.head.clone() };
            head.encode(&mut control);
            if head.is_alive() {
                let place = |&(func, pc): &(u32, u32)| func as u64 | (pc as u64) << 32;
                control.extend(self.call_stack().iter().map(place));
            }
            out.push(self.pool.intern(&control));
        }
        out.push(self.pool.intern(words));
    }

    /// Runs a function on the loaded state, whose changes are forgotten, and
    /// collects what it matches.
    fn evaluate(&mut self, function: u32) -> Result<Vec<u64>, Stop> {
        self.reload();
        self.thread.me = 0;
        self.thread.head = Head::new(function);
        self.thread.head.atomic = 1;
        self.forget_frames();
        self.progress.forget_choices();
        self.matching = Some(Vec::new());
        self.push_internal(function, &[], OnReturn::Continue);
        let result = self.step();
        let words = self.matching.take().unwrap_or_default();
        self.progress.forget_choices();
        match result {
            Err(Stop::Exit) => Ok(words),
            Ok(()) => Err(Stop::Pause),
            Err(stop) => Err(stop),
        }
    }

    /// Bytes that the abstraction function wants compared, with their
    /// definedness.
    pub fn match_memory(&mut self, addr: u64, len: u64) -> Result<(), Stop> {
        let (data, shadow) = self.read_bytes(addr, len)?;
        let mut words = vec![len | ((!shadow.is_empty()) as u64) << 63];
        for chunk in data.chunks(8).chain(shadow.chunks(8)) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            words.push(u64::from_le_bytes(word));
        }
        self.match_words(&words);
        Ok(())
    }

    /// Outside of the abstraction function this means nothing.
    pub fn match_words(&mut self, words: &[u64]) {
        if let Some(matching) = &mut self.matching {
            matching.extend_from_slice(words);
        }
    }

    /// From now on these bytes are not compared.
    pub fn ignore_memory(&mut self, addr: u64, len: u64) -> Result<(), Stop> {
        if len == 0 {
            return Ok(());
        }
        if let Err(error) = self.mem.check(addr, len, Access::Read) {
            return Err(self.memory_fault(error, Access::Read, len));
        }
        if !self.system.ignored.contains(&(addr, len)) {
            self.system.ignored.push((addr, len));
            self.system.ignored.sort_unstable();
        }
        self.tell(|m| format!("has {} ignored", m.name_place(addr)));
        Ok(())
    }

    /// What has ended is not ignored any more: its number may come again.
    pub fn forget_ignored(&mut self) {
        if self.system.ignored.is_empty() {
            return;
        }
        let mem = &mut self.mem;
        self.system.ignored.retain(|(addr, _)| mem.header(address::object(*addr)).is_some());
    }
}
