//! What is watched: which operations could change a proposition, so that a
//! step must end before them even where no other thread could notice.

use exeunt_ir::address::{self, ObjId, Space};
use exeunt_ir::{Callee, Function, Inst, Pc, Program};
use exeunt_mem::Flags;
use exeunt_model::SectionKind;

use super::{Proposition, Term};
use crate::builtin::{self, Effect};
use crate::machine::Machine;
use crate::step::footprint::Footprint;

/// What the propositions of a machine depend on.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    /// There are propositions at all.
    pub active: bool,
    /// A function is evaluated: it may read whatever globals lead to.
    everything: bool,
    /// Variables that are read, by number of the global.
    globals: Vec<bool>,
    /// Where threads are matters: calls and returns are noticed.
    pub calls: bool,
    /// Instructions that are noticed, by function.
    places: Vec<Vec<bool>>,
}

impl Watch {
    pub fn new(program: &Program, propositions: &[Proposition]) -> Watch {
        let mut watch = Watch { active: !propositions.is_empty(), ..Watch::default() };
        watch.globals.resize(program.globals.len(), false);
        for proposition in propositions {
            proposition.term.visit(&mut |term| watch.add(program, term));
        }
        watch
    }

    fn add(&mut self, program: &Program, term: &Term) {
        match term {
            Term::Variable { object, .. } => self.globals[object.index() as usize] = true,
            Term::Call { .. } => self.everything = true,
            Term::At { function, line, .. } => {
                self.calls = true;
                if let Some(line) = line {
                    let code = &program.functions[*function as usize];
                    let here = |pc: usize| line_at(program, code, pc) == *line;
                    self.notice(program, *function as usize, &here);
                }
            }
            Term::Open { kind, .. } => self.add_section(program, *kind),
            _ => {}
        }
    }

    /// A wait is open from the moment its call is next; what is held changes
    /// in calls only.
    fn add_section(&mut self, program: &Program, kind: SectionKind) {
        self.calls = true;
        for (number, function) in program.functions.iter().enumerate() {
            let waits = |pc: usize| {
                let call = function.code[pc].call();
                call.is_some_and(|call| may_wait(program, function, call, kind))
            };
            self.notice(program, number, &waits);
        }
    }

    /// Notices instructions of a function and those before them: what comes
    /// before is what makes them the next one.
    fn notice(&mut self, program: &Program, function: usize, wanted: &dyn Fn(usize) -> bool) {
        let code = &program.functions[function];
        if self.places.len() <= function {
            self.places.resize(program.functions.len(), Vec::new());
        }
        let mut noticed = std::mem::take(&mut self.places[function]);
        noticed.resize(code.code.len(), false);
        for (pc, inst) in code.code.iter().enumerate() {
            let mut before = wanted(pc);
            inst.successors(code, pc as Pc, &mut |to| before |= wanted(to as usize));
            noticed[pc] |= before;
        }
        self.places[function] = noticed;
    }

    /// Whether being at an instruction is noticed.
    #[inline]
    pub fn is_place(&self, function: u32, pc: Pc) -> bool {
        let places = self.places.get(function as usize);
        places.is_some_and(|places| places.get(pc as usize).copied().unwrap_or(false))
    }

    /// Whether a proposition may depend on an object.
    pub fn is_object(&self, id: ObjId, flags: Flags) -> bool {
        match id.space() {
            Some(Space::Global) => {
                self.everything || self.globals.get(id.index() as usize).copied().unwrap_or(false)
            }
            _ => self.everything && flags.has(Flags::SHARED),
        }
    }
}

fn line_at(program: &Program, function: &Function, pc: usize) -> u32 {
    let loc = function.locs.get(pc).and_then(|loc| program.locs.get(loc.0 as usize));
    loc.map_or(0, |loc| loc.line)
}

fn may_wait(program: &Program, function: &Function, call: u32, kind: SectionKind) -> bool {
    match function.calls[call as usize].callee {
        Callee::Direct(id) => {
            let target = program.function(id);
            target.is_declaration()
                && builtin::find(&target.name).is_some_and(|b| b.effect == Effect::Wait(kind))
        }
        Callee::Indirect(_) => true,
    }
}

impl Machine<'_> {
    /// Whether an instruction could change what a proposition says about
    /// where threads are.
    pub fn is_noticed(&self, inst: &Inst, function: u32, pc: Pc) -> bool {
        let watch = &self.vm.watch;
        watch.calls && (inst.call().is_some() || inst.returns()) || watch.is_place(function, pc)
    }

    /// Whether the next instruction could change what a proposition says.
    pub fn is_watched(&mut self, inst: &Inst, footprint: &Footprint) -> bool {
        let frame = *self.top();
        footprint.everything
            || self.is_noticed(inst, frame.func, frame.pc)
            || footprint.ranges.iter().filter(|range| range.write).any(|range| {
                let id = address::object(range.start);
                let flags = self.mem.header(id).map_or(Flags::SHARED, |header| header.flags);
                self.vm.watch.is_object(id, flags)
            })
    }
}
