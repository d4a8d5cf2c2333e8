//! The running thread comes out of its component and goes back into it.
//!
//! Only the highest frame is decoded at first; what is below it stays encoded
//! until control returns there.

use super::frame::{self, OnReturn};
use super::{Head, Lower};
use crate::machine::Machine;

impl Machine<'_> {
    /// Makes a thread of the loaded state the running one.
    pub fn load_thread(&mut self, thread: u32) {
        self.mem.note_look(thread);
        let words = self.pool.get(self.stored_thread(thread));
        let (head, at) = Head::decode(words);
        self.thread.me = thread;
        self.thread.head = head;
        self.thread.stack_used = None;
        self.thread.lower = Lower(&words[at..]);
        self.thread.frames.clear();
        self.thread.registers.clear();
        self.thread.objects.clear();
        self.raise_frame();
    }

    /// Decodes the highest frame that is still encoded.
    pub fn raise_frame(&mut self) -> bool {
        let Some((lower, words)) = frame::split_top(self.thread.lower.0) else { return false };
        let (func, _) = frame::peek(words);
        let code = self.vm.code(func);
        let frame =
            frame::decode(words, &code, &mut self.thread.registers, &mut self.thread.objects);
        self.thread.frames.push(frame);
        self.thread.lower = Lower(lower);
        true
    }

    /// Encodes the running thread.
    pub fn encode_thread(&self, words: &mut Vec<u64>) {
        words.clear();
        self.thread.head.encode(words);
        if !self.thread.head.is_alive() {
            return;
        }
        words.extend_from_slice(self.thread.lower.0);
        for (i, frame) in self.thread.frames.iter().enumerate() {
            let above = self.thread.frames.get(i + 1);
            let executes = above.is_none_or(|f| f.on_return == OnReturn::Again);
            let code = self.vm.code(frame.func);
            let window = &self.thread.registers[frame.base as usize..];
            let end = above.map_or(self.thread.objects.len(), |f| f.objects as usize);
            let objects = &self.thread.objects[frame.objects as usize..end];
            frame::encode(frame, executes, code.liveness, window, objects, words);
        }
    }

    /// Leaves the running thread for a moment, for one that is not there.
    pub fn stand_aside(&mut self, head: Head) {
        self.thread.me = 0;
        self.thread.head = head;
        self.thread.lower = Lower::default();
        self.thread.frames.clear();
        self.thread.registers.clear();
        self.thread.objects.clear();
    }

    /// What the running thread has outside of its decoded frames.
    pub fn roots_below(&self) -> Vec<u64> {
        let mut mine = Vec::new();
        self.thread.head.encode(&mut mine);
        mine.extend_from_slice(self.thread.lower.0);
        mine
    }
}
