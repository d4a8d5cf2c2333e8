//! Calls and returns of compiled code: what `ops/call.rs` does, where nothing is special.

use exeunt_ir::address::{self, ObjId};
use exeunt_ir::{CallSite, Callee};
use exeunt_mem::Bits;

use crate::machine::Machine;
use crate::thread::frame::{self, Frame, OnReturn};

impl Machine<'_> {
    /// The function that a call goes to, unless the interpreter has something to say about its pointer.
    pub fn plain_target(&self, site: &CallSite) -> Option<u32> {
        match site.callee {
            Callee::Direct(id) => Some(id.0),
            Callee::Indirect(slot) => {
                let begins = address::offset(self.register(slot).value) == 0;
                self.target_of(site).filter(|_| begins)
            }
        }
    }

    /// Pushes a call to a function with the parameters that it is given. `false` if that cannot be.
    pub fn push_plain_call(&mut self, func: u32, site: &CallSite) -> bool {
        let signature = self.vm.program.signature(site.signature);
        self.push_call(func, site, signature).is_ok()
    }

    /// Makes the frame of a call that compiled code has made on its own: there is room on the stack. Gives the
    /// length of its window.
    pub fn push_made(&mut self, func: u32, registers: &[Bits]) -> usize {
        let function = &self.vm.program.functions[func as usize];
        let reserved = self.reserve_stack(func);
        debug_assert!(reserved.is_ok(), "compiled code has looked");
        let base = self.thread.registers.len();
        frame::open_window(function, &mut self.thread.registers);
        let count = function.registers as usize;
        self.thread.registers[base..base + count].copy_from_slice(&registers[..count]);
        self.thread.frames.push(Frame {
            func,
            pc: 0,
            base: base as u32,
            objects: self.thread.objects.len() as u32,
            varargs: ObjId::NULL,
            on_return: OnReturn::Continue,
        });
        function.window()
    }

    /// Returns from a function that was called as what it is and has no variables in memory; `false` if that
    /// is not so.
    pub fn return_plainly(&mut self, list: u32) -> bool {
        let program = &self.vm.program;
        let frame = *self.top();
        let Some(&caller) = self.thread.frames.iter().nth_back(1) else { return false };
        let function = &program.functions[frame.func as usize];
        let Some(site) = program.functions[caller.func as usize].call_at(caller.pc) else {
            return false;
        };
        let objects = self.thread.objects.len() > frame.objects as usize;
        if objects || frame.on_return != OnReturn::Continue || site.signature != function.signature
        {
            return false;
        }
        for (at, &slot) in function.lists[list as usize].iter().enumerate() {
            let bits = self.thread.registers[(frame.base + slot) as usize];
            self.reserve_returned(&[bits]);
            if let Some(result) = site.result
                && at < site.result_slots as usize
            {
                self.thread.registers[(caller.base + result) as usize + at] = bits;
            }
        }
        self.shrink_stack();
        self.thread.frames.pop();
        self.thread.registers.truncate(frame.base as usize);
        self.set_pc(caller.pc + 1);
        true
    }
}
