//! `setjmp` and `longjmp`.
//!
//! A context is written into the program's buffer: the depth of the frame,
//! its function and the call, and a mark. Jumping drops the frames above and
//! completes that call once more.

use exeunt_mem::Bits;
use exeunt_model::Property;

use crate::builtin::{Args, Builtin, Effect, Flow, row};
use crate::machine::Machine;
use crate::stop::Stop;

pub const TABLE: &[Builtin] = &[
    row("setjmp", "i:p", Effect::Memory, save),
    row("_setjmp", "i:p", Effect::Memory, save),
    row("__sigsetjmp", "i:pi", Effect::Memory, save),
    row("sigsetjmp", "i:pi", Effect::Memory, save),
    row("longjmp", "v:pi", Effect::Visible, long_jump),
    row("_longjmp", "v:pi", Effect::Visible, long_jump),
    row("siglongjmp", "v:pi", Effect::Visible, long_jump),
    row("__longjmp_chk", "v:pi", Effect::Visible, long_jump),
];

const MARK: u64 = 0x6a6d_7062_7566_0001;

fn save(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let buffer = args.ptr(0);
    let depth = machine.depth() as u64 | (machine.me as u64) << 32;
    let frame = *machine.top();
    machine.write(buffer, 8, Bits::defined(depth))?;
    machine.write(buffer + 8, 8, Bits::defined(frame.func as u64 | (frame.pc as u64) << 32))?;
    machine.write(buffer + 16, 8, Bits::defined(MARK))?;
    Ok(Flow::int(0))
}

fn long_jump(machine: &mut Machine<'_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let value = if args.i32(1) == 0 { 1 } else { args.i32(1) };
    machine.jump(args.ptr(0), value)?;
    Err(Stop::Moved)
}

impl Machine<'_> {
    /// Goes back to a saved context, whose call returns `value`.
    pub fn jump(&mut self, buffer: u64, value: i32) -> Result<(), Stop> {
        let depth = self.read(buffer, 8)?;
        let place = self.read(buffer + 8, 8)?;
        let mark = self.read(buffer + 16, 8)?;
        if mark != Bits::defined(MARK) || depth.value >> 32 != self.me as u64 {
            return Err(self.fault(
                Property::Undefined,
                "longjmp to a buffer that this thread has not set with setjmp",
            ));
        }
        let depth = depth.value as u32;
        while self.depth() > depth {
            self.leave_atomic(self.top().func);
            self.pop_frame();
            if self.frames.is_empty() {
                self.raise_frame();
            }
        }
        let frame = *self.top();
        if self.depth() < depth || place.value as u32 != frame.func {
            return Err(
                self.fault(Property::Undefined, "longjmp to a function that has already returned")
            );
        }
        self.set_pc((place.value >> 32) as u32);
        self.finish_call(Bits::defined(value as u32 as u64));
        Ok(())
    }
}
