//! Threads other than the one that takes the step.

use exeunt_ir::address::ObjId;
use exeunt_mem::Bits;
use exeunt_model::CompId;

use super::Other;
use crate::machine::{Machine, thread_object};
use crate::memo;
use crate::ops::convention::truncated;
use crate::options::MOST_THREADS;
use crate::stop::Stop;
use crate::thread::frame::{self, Frame, OnReturn};
use crate::thread::{self, Head, Status};

impl<'p> Machine<'p> {
    fn look_at(&mut self, thread: u32) -> &mut Other {
        let comp = self.loaded.thread_comps.get(thread as usize).copied();
        let pool = self.pool;
        let mem = &mut self.mem;
        self.loaded.others[thread as usize].get_or_insert_with(|| {
            let comp = comp.expect("threads without a component were made in this step");
            mem.note_look(thread);
            Other { head: Head::decode(pool.get(comp)).0, changed: false, frames: None }
        })
    }

    /// The component that a thread is in the loaded state.
    pub fn stored_thread(&self, thread: u32) -> CompId {
        self.loaded.thread_comps[thread as usize]
    }

    /// The status of a thread in the loaded state, whoever runs.
    pub fn status_of_stored(&mut self, thread: u32) -> Status {
        self.mem.note_look(memo::STATUS + thread);
        thread::peek_status(self.pool.get(self.loaded.thread_comps[thread as usize]))
    }

    pub fn peek_status(&mut self, thread: u32) -> Status {
        self.status_of_stored(thread)
    }

    pub fn status(&mut self, thread: u32) -> Status {
        if thread == self.thread.me {
            return self.thread.head.status;
        }
        match &self.loaded.others[thread as usize] {
            Some(other) => other.head.status,
            None => self.status_of_stored(thread),
        }
    }

    /// How many threads there are, with those made in this step.
    pub fn known_threads(&self) -> u32 {
        self.loaded.others.len() as u32
    }

    pub fn head_of(&mut self, thread: u32) -> &Head {
        if thread == self.thread.me { &self.thread.head } else { &self.look_at(thread).head }
    }

    pub fn head_mut(&mut self, thread: u32) -> &mut Head {
        if thread == self.thread.me {
            return &mut self.thread.head;
        }
        let other = self.look_at(thread);
        other.changed = true;
        &mut other.head
    }

    /// Whether the next thread gets the number behind all others, whatever
    /// they do before: none of theirs is free, and nobody has it.
    pub fn next_thread_is_certain(&mut self) -> bool {
        let threads = self.system.threads;
        if (0..threads).any(|thread| self.status(thread) == Status::Free) {
            return false;
        }
        let roots = self.roots();
        let roots: Vec<&[u64]> = roots.iter().map(|r| &r[..]).collect();
        !self.mem.is_reserved(thread_object(threads), &roots)
    }

    /// Whether there may be one more thread; said before anything is changed.
    pub fn make_room(&mut self) -> Result<(), Stop> {
        let number = self.free_number();
        match self.session.admits(self.system.alive) && number.is_some() {
            true => Ok(()),
            false => {
                self.session.note_crowd();
                Err(Stop::Beyond)
            }
        }
    }

    /// The lowest number that no thread has.
    fn free_number(&mut self) -> Option<u32> {
        let roots = self.held_roots();
        let roots: Vec<&[u64]> = roots.iter().map(|r| &r[..]).collect();
        (0..MOST_THREADS).find(|&thread| {
            let free = thread >= self.system.threads || self.status(thread) == Status::Free;
            free && !self.mem.is_reserved(thread_object(thread), &roots)
        })
    }

    /// Starts a thread in `function(argument)`; returns its number. There is room for it.
    pub fn spawn(&mut self, function: u32, argument: Bits) -> u32 {
        let number = self.free_number().expect("there is room for one more thread");
        while self.loaded.others.len() <= number as usize {
            let head = Head::free();
            self.loaded.others.push(Some(Other { head, changed: true, frames: None }));
        }
        // What was there before is replaced as a whole.
        if number < self.loaded.system.threads {
            self.mem.note_look(number);
        }
        let frames = self.first_frame(function, argument);
        let mut head = Head::new(function);
        head.atomic = self.vm.atomic[function as usize].into();
        self.loaded.others[number as usize] =
            Some(Other { head, changed: true, frames: Some(frames) });
        self.system.threads = self.system.threads.max(number + 1);
        self.system.alive += 1;
        self.note_born(number);
        // From here on there is somebody to see what this thread does, even
        // if it was alone when the step began.
        self.end_step_soon();
        number
    }

    fn first_frame(&self, function: u32, argument: Bits) -> Vec<u64> {
        let code = self.vm.code(function);
        let mut registers = Vec::new();
        frame::open_window(code.function, &mut registers);
        if code.function.params > 0 {
            let ty = self.vm.program.signature(code.function.signature).params[0];
            registers[0] = truncated(argument, ty);
        }
        let frame = Frame {
            func: function,
            pc: 0,
            base: 0,
            objects: 0,
            varargs: ObjId::NULL,
            on_return: OnReturn::Continue,
        };
        let mut words = Vec::new();
        frame::encode(&frame, true, code.liveness, &registers, &[], &mut words);
        words
    }

    /// The words outside of memory that may still be used behind the operation that runs. They are looked at.
    pub fn roots(&mut self) -> Vec<Vec<u64>> {
        self.note_roots();
        self.held_roots()
    }

    /// All words outside of memory, also those in registers that are not live.
    pub fn all_roots(&mut self) -> Vec<Vec<u64>> {
        self.note_roots();
        let mut roots = self.roots_of_others();
        roots.push(self.roots_below());
        roots.push(bytemuck::cast_slice(&self.thread.registers).to_vec());
        roots
    }

    fn note_roots(&mut self) {
        // Those of the loaded state: the others were made in this step.
        (0..self.loaded.system.threads).for_each(|thread| self.mem.note_look(thread));
    }

    /// What belongs to other threads, or to none.
    pub fn roots_of_others(&self) -> Vec<Vec<u64>> {
        let mut roots = Vec::new();
        for thread in 0..self.loaded.others.len() as u32 {
            if thread == self.thread.me {
                continue;
            }
            match &self.loaded.others[thread as usize] {
                Some(other) if other.changed => {
                    let mut words = Vec::new();
                    other.head.encode(&mut words);
                    words.extend(other.frames.iter().flatten());
                    roots.push(words);
                }
                _ => {}
            }
            if let Some(&comp) = self.loaded.thread_comps.get(thread as usize)
                && comp != CompId(u32::MAX)
            {
                roots.push(self.pool.get(comp).to_vec());
            }
        }
        roots.push(self.system.hidden.iter().map(|id| id.at(0)).collect());
        roots.push(self.system.keys.clone());
        roots.push(self.system.at_exit.iter().map(|entry| entry.argument).collect());
        roots
    }
}
