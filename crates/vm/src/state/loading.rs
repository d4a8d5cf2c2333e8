//! States come in and successors go out.

use exeunt_ir::address::{ObjId, Space};
use exeunt_mem::Group;
use exeunt_model::CompId;

use super::system::System;
use super::{Loaded, directory};
use crate::machine::Machine;
use crate::race::Manner;
use crate::thread::{Head, Status};

impl<'p> Machine<'p> {
    /// Loads the process-wide part of a state.
    pub fn load_state(&mut self, state: &[CompId]) {
        self.aim_at(state);
        if !self.system.ended {
            self.load_memory();
            self.begin();
        }
    }

    /// Makes a state the one that `reload` goes back to, but looks only at
    /// its first component: there may be no need to look at the others.
    pub fn aim_at(&mut self, state: &[CompId]) {
        // Where nothing was executed since, it is as it was loaded: to compare it takes long with many objects.
        let mut changed = !self.loaded.unloaded;
        if self.loaded.system_comp != state[0] {
            self.loaded.system_comp = state[0];
            self.loaded.system.decode(self.pool.get(state[0]));
            changed = true;
        }
        if changed && self.system != self.loaded.system {
            self.system.clone_from(&self.loaded.system);
        }
        debug_assert_eq!(self.system, self.loaded.system, "what is not loaded is not changed");
        self.superstep.active = false;
        self.loaded.state.clear();
        self.loaded.state.extend_from_slice(state);
        if !self.system.ended {
            self.loaded.thread_comps.clear();
            self.loaded.thread_comps.extend_from_slice(&state[1..=self.system.threads as usize]);
        }
        self.loaded.unloaded = true;
    }

    fn load_memory(&mut self) {
        self.loaded.unloaded = false;
        self.load_places();
        let globals = 1 + self.system.threads as usize;
        let dynamic = globals + self.vm.variables;
        let Machine { mem, loaded: Loaded { state, places, .. }, races, pool, .. } = self;
        let mut end = state.len();
        if let Some(races) = races {
            end -= 1;
            races.load(state[end], pool.get(state[end]));
        }
        mem.load(&state[globals..dynamic], places, &state[dynamic..end]);
    }

    fn load_places(&mut self) {
        let Loaded { places_of, places_changed, system_comp, .. } = &mut self.loaded;
        if places_of.replace(*system_comp) == Some(*system_comp) && !*places_changed {
            return;
        }
        *places_changed = false;
        let words = self.pool.get(*system_comp);
        let words = &words[self.loaded.system.directory_start()..];
        directory::decode(words, &mut self.loaded.places);
    }

    /// Goes back to the state that was loaded last.
    pub fn reload(&mut self) {
        if self.system != self.loaded.system {
            self.system.clone_from(&self.loaded.system);
        }
        if self.loaded.unloaded {
            self.load_memory();
        } else {
            self.mem.rollback();
            if let Some(races) = &mut self.races {
                races.rollback();
            }
            if self.loaded.places_changed {
                self.load_places();
            }
        }
        self.loaded.thread_comps.truncate(self.system.threads as usize);
        self.begin();
    }

    /// A fresh step.
    fn begin(&mut self) {
        self.loaded.others.clear();
        self.loaded.others.resize_with(self.loaded.thread_comps.len(), || None);
        self.tale.begin();
        self.progress.begin();
        self.deeds.clear();
        self.manner = Manner::Data;
        self.thread.stack_used = None;
        self.thread.frames.clear();
        self.thread.registers.clear();
        self.thread.objects.clear();
    }

    /// Interns what changed and writes the new state vector.
    pub fn commit(&mut self, out: &mut Vec<CompId>) {
        out.clear();
        out.push(self.loaded.system_comp);
        let mut words = std::mem::take(&mut self.loaded.words);
        self.encode_thread(&mut words);
        let mine = self.pool.intern(&words);
        self.loaded.words = words;
        while self.loaded.thread_comps.len() < self.loaded.others.len() {
            self.loaded.thread_comps.push(CompId(u32::MAX));
        }
        for thread in 0..self.loaded.others.len() {
            let comp =
                if thread == self.thread.me as usize { mine } else { self.commit_other(thread) };
            out.push(comp);
        }
        self.trim_threads(out);
        self.forget_ignored();
        let others = self.system.threads != self.loaded.system.threads;
        let kept = (others || self.mem.has_other_objects()).then(|| self.kept_places());
        {
            let Machine { mem, loaded, .. } = self;
            let changed = mem.commit(out, &mut loaded.places, kept.as_deref());
            loaded.places_changed |= changed;
        }
        if self.loaded.places_changed || self.system != self.loaded.system {
            self.loaded.words.clear();
            self.system.encode(&self.loaded.places, &mut self.loaded.words);
            out[0] = self.pool.intern(&self.loaded.words);
        }
        self.commit_races(out);
    }

    /// Numbers that have a place although they need not: those that the stack of a thread begins with. So its
    /// calls, which come and go, do not move other places.
    pub(crate) fn kept_places(&self) -> Vec<Group> {
        let threads = if self.vm.threads_have_objects { self.system.threads } else { 0 };
        let first = |thread| ObjId::in_arena(Space::Stack, thread as u8, 0);
        (1..threads).map(|thread| Group::of(first(thread))).collect()
    }

    fn commit_other(&mut self, thread: usize) -> CompId {
        let stored = self.loaded.thread_comps[thread];
        let Some(other) = self.loaded.others[thread].as_ref().filter(|other| other.changed) else {
            return stored;
        };
        self.loaded.words.clear();
        other.head.encode(&mut self.loaded.words);
        if other.head.is_alive() {
            match &other.frames {
                Some(frames) => self.loaded.words.extend_from_slice(frames),
                None => {
                    let words = self.pool.get(stored);
                    let (_, at) = Head::decode(words);
                    self.loaded.words.extend_from_slice(&words[at..]);
                }
            }
        }
        self.pool.intern(&self.loaded.words)
    }

    /// Drops free threads at the end of the list, so that their number does
    /// not remember how many there once were.
    fn trim_threads(&mut self, out: &mut Vec<CompId>) {
        self.system.threads = self.loaded.others.len() as u32;
        let mut dropped = false;
        while self.system.threads > 1 {
            let last = self.system.threads - 1;
            // The last thread of a stored state is not free.
            let same = last != self.thread.me
                && !self.loaded.others[last as usize].as_ref().is_some_and(|o| o.changed);
            if same && !dropped || self.status(last) != Status::Free {
                break;
            }
            self.system.threads = last;
            out.pop();
            dropped = true;
        }
    }

    /// The state that `reload` goes back to.
    pub fn loaded_state(&self) -> &[CompId] {
        &self.loaded.state
    }

    /// How many threads the loaded state has.
    pub fn system_threads(&self) -> u32 {
        self.loaded.system.threads
    }

    pub fn thread_count(&self) -> usize {
        self.loaded.thread_comps.len()
    }

    /// The state of a program that has ended. Of its memory nothing is kept
    /// but what the propositions say about it.
    pub fn commit_end(&mut self, out: &mut Vec<CompId>) {
        let letter = self.vm.watch.active.then(|| self.last_letter());
        self.loaded.words.clear();
        let system = System { ended: true, ..System::default() };
        system.encode(&[], &mut self.loaded.words);
        out.clear();
        out.push(self.pool.intern(&self.loaded.words));
        if let Some(letter) = letter {
            out.push(self.pool.intern(letter.as_slice()));
        }
    }
}
