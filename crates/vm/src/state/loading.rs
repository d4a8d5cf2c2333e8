//! States come in and successors go out.

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
        if self.loaded.system_comp != state[0] {
            self.loaded.system_comp = state[0];
            self.loaded.system.decode(self.pool.get(state[0]));
        }
        if self.system != self.loaded.system {
            self.system.clone_from(&self.loaded.system);
        }
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
        self.load_directory();
        let globals = 1 + self.system.threads as usize;
        let dynamic = globals + self.vm.variables;
        let Machine { mem, loaded: Loaded { state, directory, .. }, races, pool, .. } = self;
        let mut end = state.len();
        if let Some(races) = races {
            end -= 1;
            races.load(state[end], pool.get(state[end]));
        }
        mem.load(&state[globals..dynamic], directory, &state[dynamic..end]);
    }

    fn load_directory(&mut self) {
        self.loaded.directory_changed = false;
        let words = self.pool.get(self.loaded.system_comp);
        let words = &words[self.loaded.system.directory_start()..];
        directory::decode(words, &mut self.loaded.directory);
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
            if self.loaded.directory_changed {
                self.load_directory();
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
        let directory_changed = {
            let Machine { mem, loaded, .. } = self;
            mem.commit(out, &mut loaded.directory)
        };
        self.loaded.directory_changed |= directory_changed;
        if directory_changed || self.system != self.loaded.system {
            self.loaded.words.clear();
            self.system.encode(&self.loaded.directory, &mut self.loaded.words);
            out[0] = self.pool.intern(&self.loaded.words);
        }
        self.commit_races(out);
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
