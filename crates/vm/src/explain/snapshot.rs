//! A state for people to look at: threads with their calls and variables, globals,
//! the heap, locks with owners and waiters.

use std::collections::{BTreeMap, HashMap};

use exeunt_ir::address::{self, ObjId, Space};
use exeunt_ir::{DebugType, DebugTypeId, short};
use exeunt_mem::Bits;
use exeunt_model::{
    ActorId, ActorState, CompId, Detail, FrameState, Lock, Nature, Noun, Object, SectionState,
    StateView, Variable, Wait,
};

use super::frames::{Call, Holder};
use crate::machine::Machine;

/// Parts of an object that are shown.
const PARTS: usize = 32;

/// The objects of the heap, by their numbers: where each is in the list.
type Index = HashMap<ObjId, usize>;

impl Machine<'_> {
    pub fn snapshot(&mut self, state: &[CompId]) -> StateView {
        self.tale.listen(Detail::Targets);
        self.load_state(state);
        let mut view = StateView { noun: Noun::Thread, ..StateView::default() };
        if self.system.ended {
            return view;
        }
        let (objects, index) = self.heap_objects();
        for thread in 0..self.system.threads {
            view.actors.extend(self.thread_state(state, thread, &index));
        }
        self.load_state(state);
        view.globals = self.global_variables(&index);
        let types = self.heap_types();
        for id in objects {
            let parts = self.parts(id, types.get(&id).copied(), &index);
            let name = self.name_object(id);
            view.objects.push(Object { id: id.0.into(), name, parts });
        }
        self.add_sections(&mut view);
        view
    }

    fn thread_state(&mut self, state: &[CompId], thread: u32, index: &Index) -> Option<ActorState> {
        let view = self.view_thread(state, thread)?;
        let on = self.released_by(state, thread);
        let waits = view.blocked.map(|text| Wait { text, on });
        self.load_state(state);
        self.load_thread(thread);
        let mut calls = if view.ended { Vec::new() } else { self.calls_of(thread) };
        self.leave_out_starts(&mut calls);
        let frames = calls.iter().map(|call| self.frame(call, index)).collect();
        let own = if view.ended { Vec::new() } else { self.own_variables(thread, index) };
        let (actor, name, ended) = (view.actor, view.name, view.ended);
        Some(ActorState { actor, name, ended, frames, own, waits })
    }

    /// Leaves out the calls by which the C++ library starts the function of a thread.
    fn leave_out_starts(&self, calls: &mut Vec<Call>) {
        let own = |call: &Call| !self.vm.roles[call.func as usize].library;
        if let Some(own) = calls.iter().rposition(own) {
            calls.truncate(own + 1);
        }
    }

    /// The thread-local variables that a thread has used: its copies are made then.
    fn own_variables(&mut self, thread: u32, index: &Index) -> Vec<Variable> {
        let mut own = Vec::new();
        for (id, name, ty) in self.shown_globals(Some(thread)) {
            if self.mem.header(id).is_some() {
                own.push(self.stored(name, id, 0, ty, index));
            }
        }
        own
    }

    fn frame(&mut self, call: &Call, index: &Index) -> FrameState {
        let location = self.vm.program.location(self.loc_at(call.func, call.pc));
        let variables = self.variables_of(call);
        let locals = variables
            .into_iter()
            .map(|variable| self.variable(variable.name, variable.ty, variable.holder, index));
        let locals = locals.collect();
        FrameState { function: short(&self.vm.code(call.func).function.name), location, locals }
    }

    fn variable(
        &mut self,
        name: String,
        ty: Option<DebugTypeId>,
        holder: Holder,
        index: &Index,
    ) -> Variable {
        match holder {
            Holder::Object(id) => self.stored(name, id, 0, ty, index),
            Holder::Value(bits) => {
                let target = self.pointee_of(ty, bits, index);
                let value = match bits.undefined {
                    0 => self.show_register(ty, bits.value),
                    _ => "uninitialised".to_string(),
                };
                Variable { name, value, target }
            }
        }
    }

    /// A variable, member or element in memory.
    fn stored(
        &mut self,
        name: String,
        id: ObjId,
        offset: u64,
        ty: Option<DebugTypeId>,
        index: &Index,
    ) -> Variable {
        let value = match ty {
            Some(ty) => self.show_part(id, offset, ty),
            None => {
                let size = self.mem.header(id).map_or(0, |header| header.size as u64);
                self.show_bytes(id, offset, size.saturating_sub(offset).min(8))
            }
        };
        let word = self.word_at(id, offset).map_or(Bits::UNDEFINED, Bits::defined);
        Variable { name, value, target: self.pointee_of(ty, word, index) }
    }

    /// The object that a pointer points to.
    fn pointee_of(&self, ty: Option<DebugTypeId>, bits: Bits, index: &Index) -> Option<usize> {
        let pointer = ty.is_none_or(|ty| {
            matches!(self.vm.program.types[ty.0 as usize], DebugType::Pointer { .. })
        });
        let id = address::object(bits.value);
        (pointer && bits.undefined == 0).then(|| index.get(&id).copied()).flatten()
    }

    fn heap_objects(&mut self) -> (Vec<ObjId>, Index) {
        let heap = |id: &ObjId| id.space() == Some(Space::Heap);
        let mut objects: Vec<ObjId> = self.mem.dynamic_objects().filter(heap).collect();
        objects.sort_unstable_by_key(|id| id.0);
        let index = objects.iter().enumerate().map(|(at, &id)| (id, at)).collect();
        (objects, index)
    }

    fn global_variables(&mut self, index: &Index) -> Vec<Variable> {
        let mut shown = Vec::new();
        for (id, name, ty) in self.shown_globals(None) {
            shown.push(self.stored(name, id, 0, ty, index));
        }
        shown
    }

    /// The members of an object, the elements of an array, or its words.
    fn parts(&mut self, id: ObjId, ty: Option<DebugTypeId>, index: &Index) -> Vec<Variable> {
        let size = self.mem.header(id).map_or(0, |header| header.size as u64);
        let places = match ty {
            Some(ty) => self.vm.places_in(ty, size),
            None => (0..size.div_ceil(8)).map(|i| (format!("+{}", 8 * i), 8 * i, None)).collect(),
        };
        let some = places.into_iter().take(PARTS);
        some.map(|(name, offset, ty)| self.stored(name, id, offset, ty, index)).collect()
    }

    fn add_sections(&mut self, view: &mut StateView) {
        let mut locks: BTreeMap<u64, Lock> = BTreeMap::new();
        for thread in 0..self.system.threads {
            let actor = ActorId(thread);
            let blocked = view.actors.iter().any(|a| a.actor == actor && a.waits.is_some());
            for section in self.sections_of(thread) {
                let name = self.name_section(section);
                let kind = section.kind;
                if let Some(noun) = kind.thing() {
                    let new = || Lock {
                        kind: noun,
                        name: name.clone(),
                        owners: Vec::new(),
                        waiters: Vec::new(),
                    };
                    let lock = locks.entry(section.resource).or_insert_with(new);
                    match kind.nature() {
                        Nature::Lock => lock.owners.push(actor),
                        Nature::Wait if blocked => lock.waiters.push(actor),
                        Nature::Wait | Nature::Part => {}
                    }
                }
                // A wait that has not to wait is no section to look at.
                if kind.nature() != Nature::Wait || blocked {
                    view.sections.push(SectionState { actor, kind, name });
                }
            }
        }
        let used = |lock: &Lock| !lock.owners.is_empty() || !lock.waiters.is_empty();
        view.locks = locks.into_values().filter(used).collect();
    }
}
