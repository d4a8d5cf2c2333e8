//! Calls and returns of compiled code: what `ops/call.rs` does, where nothing is special.

use exeunt_ir::address;
use exeunt_ir::{CallSite, Callee};

use crate::machine::Machine;
use crate::thread::frame::OnReturn;

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
