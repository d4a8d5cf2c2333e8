//! States come in and successors go out.

use exeunt_model::CompId;

use super::Machine;
use crate::frame::{self, OnReturn};
use crate::race::Manner;
use crate::system::System;
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
        if self.system_comp != state[0] {
            self.system_comp = state[0];
            self.system_loaded.decode(self.pool.get(state[0]));
        }
        if self.system != self.system_loaded {
            self.system.clone_from(&self.system_loaded);
        }
        self.superstep.active = false;
        self.state.clear();
        self.state.extend_from_slice(state);
        if !self.system.ended {
            self.thread_comps.clear();
            self.thread_comps.extend_from_slice(&state[1..=self.system.threads as usize]);
        }
        self.unloaded = true;
    }

    fn load_memory(&mut self) {
        self.unloaded = false;
        self.load_directory();
        let globals = 1 + self.system.threads as usize;
        let dynamic = globals + self.vm.variables;
        let Machine { mem, state, directory, races, pool, .. } = self;
        let mut end = state.len();
        if let Some(races) = races {
            end -= 1;
            races.load(state[end], pool.get(state[end]));
        }
        mem.load(&state[globals..dynamic], directory, &state[dynamic..end]);
    }

    fn load_directory(&mut self) {
        self.directory_changed = false;
        let words = self.pool.get(self.system_comp);
        self.directory.clear();
        self.directory.extend_from_slice(&words[self.system_loaded.directory_start()..]);
    }

    /// Goes back to the state that was loaded last.
    pub fn reload(&mut self) {
        if self.system != self.system_loaded {
            self.system.clone_from(&self.system_loaded);
        }
        if self.unloaded {
            self.load_memory();
        } else {
            self.mem.rollback();
            if let Some(races) = &mut self.races {
                races.rollback();
            }
            if self.directory_changed {
                self.load_directory();
            }
        }
        self.thread_comps.truncate(self.system.threads as usize);
        self.begin();
    }

    /// A fresh step.
    fn begin(&mut self) {
        self.others.clear();
        self.others.resize_with(self.thread_comps.len(), || None);
        self.events.clear();
        self.closed.clear();
        self.left_at = None;
        self.manner = Manner::Data;
        self.reopens = false;
        self.acted = false;
        self.acting = false;
        self.stack_used = None;
        self.chosen = 0;
        self.chosen_before = 0;
        self.frames.clear();
        self.registers.clear();
        self.objects.clear();
    }

    /// Makes a thread of the loaded state the running one.
    pub fn load_thread(&mut self, thread: u32) {
        self.mem.note_look(thread);
        let words = self.pool.get(self.thread_comps[thread as usize]);
        let (head, at) = Head::decode(words);
        self.me = thread;
        self.head = head;
        self.stack_used = None;
        self.lower = &words[at..];
        self.frames.clear();
        self.registers.clear();
        self.objects.clear();
        self.raise_frame();
    }

    /// Decodes the highest frame that is still encoded.
    pub fn raise_frame(&mut self) -> bool {
        let Some((lower, words)) = frame::split_top(self.lower) else { return false };
        let (func, _) = frame::peek(words);
        let code = self.vm.code(func);
        let frame = frame::decode(words, &code, &mut self.registers, &mut self.objects);
        self.frames.push(frame);
        self.lower = lower;
        true
    }

    /// Interns what changed and writes the new state vector.
    pub fn commit(&mut self, out: &mut Vec<CompId>) {
        out.clear();
        out.push(self.system_comp);
        self.encode_me();
        let mine = self.pool.intern(&self.words);
        while self.thread_comps.len() < self.others.len() {
            self.thread_comps.push(CompId(u32::MAX));
        }
        for thread in 0..self.others.len() {
            let comp = if thread == self.me as usize { mine } else { self.commit_other(thread) };
            out.push(comp);
        }
        self.trim_threads(out);
        self.forget_ignored();
        let directory_changed = {
            let Machine { mem, directory, .. } = self;
            mem.commit(out, directory)
        };
        self.directory_changed |= directory_changed;
        if directory_changed || self.system != self.system_loaded {
            self.words.clear();
            self.system.encode(&self.directory, &mut self.words);
            out[0] = self.pool.intern(&self.words);
        }
        self.commit_races(out);
    }

    fn encode_me(&mut self) {
        self.words.clear();
        self.head.encode(&mut self.words);
        if !self.head.is_alive() {
            return;
        }
        self.words.extend_from_slice(self.lower);
        for (i, frame) in self.frames.iter().enumerate() {
            let above = self.frames.get(i + 1);
            let executes = above.is_none_or(|f| f.on_return == OnReturn::Again);
            let code = self.vm.code(frame.func);
            let window = &self.registers[frame.base as usize..];
            let end = above.map_or(self.objects.len(), |f| f.objects as usize);
            let objects = &self.objects[frame.objects as usize..end];
            frame::encode(frame, executes, code.liveness, window, objects, &mut self.words);
        }
    }

    fn commit_other(&mut self, thread: usize) -> CompId {
        let stored = self.thread_comps[thread];
        let Some(other) = self.others[thread].as_ref().filter(|other| other.changed) else {
            return stored;
        };
        self.words.clear();
        other.head.encode(&mut self.words);
        if other.head.is_alive() {
            match &other.frames {
                Some(frames) => self.words.extend_from_slice(frames),
                None => {
                    let words = self.pool.get(stored);
                    let (_, at) = Head::decode(words);
                    self.words.extend_from_slice(&words[at..]);
                }
            }
        }
        self.pool.intern(&self.words)
    }

    /// Drops free threads at the end of the list, so that their number does
    /// not remember how many there once were.
    fn trim_threads(&mut self, out: &mut Vec<CompId>) {
        self.system.threads = self.others.len() as u32;
        let mut dropped = false;
        while self.system.threads > 1 {
            let last = self.system.threads - 1;
            // The last thread of a stored state is not free.
            let same =
                last != self.me && !self.others[last as usize].as_ref().is_some_and(|o| o.changed);
            if same && !dropped || self.status(last) != Status::Free {
                break;
            }
            self.system.threads = last;
            out.pop();
            dropped = true;
        }
    }

    /// Leaves the running thread for a moment, for one that is not there.
    pub fn stand_aside(&mut self, head: Head) {
        self.me = 0;
        self.head = head;
        self.lower = &[];
        self.frames.clear();
        self.registers.clear();
        self.objects.clear();
    }

    /// How many threads the loaded state has.
    pub fn system_threads(&self) -> u32 {
        self.system_loaded.threads
    }

    pub fn thread_count(&self) -> usize {
        self.thread_comps.len()
    }

    /// The state of a program that has ended. Of its memory nothing is kept
    /// but what the propositions say about it.
    pub fn commit_end(&mut self, out: &mut Vec<CompId>) {
        let letter = self.vm.watch.active.then(|| self.last_letter());
        self.words.clear();
        let system = System { ended: true, ..System::default() };
        system.encode(&[], &mut self.words);
        out.clear();
        out.push(self.pool.intern(&self.words));
        if let Some(letter) = letter {
            out.push(self.pool.intern(letter.as_slice()));
        }
    }
}
