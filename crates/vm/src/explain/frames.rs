//! The calls a thread is in, with the source variables of each.

use exeunt_ir::address::ObjId;
use exeunt_ir::variables::variables_at;
use exeunt_ir::{DebugTypeId, Pc, Slot, VariablePlace};
use exeunt_mem::Bits;

use crate::machine::Machine;
use crate::thread::Head;
use crate::thread::frame::{self, OnReturn};

/// Functions with more than this many instructions times variables are not
/// searched for variables.
const LARGE: usize = 4_000_000;

/// A call in progress.
pub(super) struct Call {
    pub(super) func: u32,
    pub(super) pc: Pc,
    /// Whether it executes its instruction; the others wait for a call there.
    executes: bool,
    registers: Vec<Bits>,
    pub(super) objects: Vec<ObjId>,
}

impl Call {
    /// What a register has that still matters.
    pub(super) fn value(&self, slot: Slot) -> Option<u64> {
        let bits = self.registers.get(slot as usize)?;
        (bits.undefined == 0).then_some(bits.value)
    }
}

/// Where a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    Object(ObjId),
    /// It has this value, and no memory of its own.
    Value(Bits),
}

/// A local variable of a call.
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) ty: Option<DebugTypeId>,
    pub(super) holder: Holder,
}

impl Machine<'_> {
    /// The calls of a thread, innermost first; of the running one as it is now.
    pub(super) fn calls_of(&mut self, thread: u32) -> Vec<Call> {
        if thread == self.thread.me && self.thread.head.is_alive() {
            return self.running_calls();
        }
        self.mem.note_look(thread);
        let words = self.pool.get(self.stored_thread(thread));
        let (head, at) = Head::decode(words);
        let mut calls = Vec::new();
        if head.is_alive() {
            self.encoded_calls(&words[at..], &mut calls);
        }
        calls
    }

    pub(super) fn running_calls(&self) -> Vec<Call> {
        let mut calls = Vec::new();
        let frames = &self.thread.frames;
        for (i, frame) in frames.iter().enumerate().rev() {
            let above = frames.get(i + 1);
            let end = above.map_or(self.thread.objects.len(), |above| above.objects as usize);
            let last = above.map_or(self.thread.registers.len(), |above| above.base as usize);
            calls.push(Call {
                func: frame.func,
                pc: frame.pc,
                executes: above.is_none_or(|above| above.on_return == OnReturn::Again),
                registers: self.thread.registers[frame.base as usize..last].to_vec(),
                objects: self.thread.objects[frame.objects as usize..end].to_vec(),
            });
        }
        self.encoded_calls(self.lower_frames(), &mut calls);
        calls
    }

    fn encoded_calls(&self, mut words: &[u64], calls: &mut Vec<Call>) {
        while let Some((lower, top)) = frame::split_top(words) {
            let (func, pc) = frame::peek(top);
            let (mut registers, mut objects) = (Vec::new(), Vec::new());
            frame::decode(top, &self.vm.code(func), &mut registers, &mut objects);
            let executes = frame::executes(top);
            calls.push(Call { func, pc, executes, registers, objects });
            words = lower;
        }
    }

    /// The source variables of a call that have a value now.
    pub(super) fn variables_of(&mut self, call: &Call) -> Vec<Variable> {
        let mut variables = Vec::new();
        for &id in &call.objects {
            if let Some((name, ty)) = self.local_name(id) {
                variables.push(Variable { name, ty, holder: Holder::Object(id) });
            }
        }
        let code = self.vm.code(call.func);
        if code.function.code.len() * code.function.variables.len() > LARGE {
            return variables;
        }
        let live = match call.executes {
            true => code.liveness.before(call.pc),
            false => code.liveness.across(call.pc),
        };
        for row in variables_at(code.function, call.pc) {
            let value = match row.place {
                VariablePlace::Register(slot) if live.contains(&slot) => {
                    call.registers[slot as usize]
                }
                VariablePlace::Constant(value) => Bits::defined(value),
                VariablePlace::Register(_) | VariablePlace::Gone => continue,
            };
            let name = row.name.to_string();
            variables.push(Variable { name, ty: row.ty, holder: Holder::Value(value) });
        }
        variables
    }
}
