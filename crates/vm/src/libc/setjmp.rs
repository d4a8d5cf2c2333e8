//! `setjmp` and `longjmp`.
//!
//! A context is written into the program's buffer: the depth of the frame,
//! its function and the call, and a mark. Jumping drops the frames above and
//! completes that call once more.

use exeunt_mem::Bits;
use exeunt_model::Property;

use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, row};
use crate::stop::Stop;
use crate::thread::frame::OnReturn;

pub const TABLE: &[Builtin] = &[
    row("setjmp", "i:p", Effect::Memory, save),
    row("_setjmp", "i:p", Effect::Memory, save),
    row("__sigsetjmp", "i:pi", Effect::Memory, save),
    row("sigsetjmp", "i:pi", Effect::Memory, save),
    row("longjmp", "v:pi", Effect::Visible, long_jump).moves_control().disturbs(),
    row("_longjmp", "v:pi", Effect::Visible, long_jump).moves_control().disturbs(),
    row("siglongjmp", "v:pi", Effect::Visible, long_jump).moves_control().disturbs(),
    row("__longjmp_chk", "v:pi", Effect::Visible, long_jump).moves_control().disturbs(),
];

const MARK: u64 = 0x6a6d_7062_7566_0001;
/// The same, of a buffer that has the mask of signals behind it.
const MARK_WITH_MASK: u64 = 0x6a6d_7062_7566_0002;

fn save(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let buffer = args.ptr(0);
    let depth = context.depth() as u64 | (context.me() as u64) << 32;
    let frame = *context.top();
    context.write(buffer, 8, Bits::defined(depth))?;
    context.write(buffer + 8, 8, Bits::defined(frame.func as u64 | (frame.pc as u64) << 32))?;
    let with_mask = args.values.len() > 1 && args.i32(1) != 0;
    context.write(buffer + 16, 8, Bits::defined(if with_mask { MARK_WITH_MASK } else { MARK }))?;
    if with_mask {
        let mask = context.signal_mask()?;
        context.write(buffer + 24, 8, Bits::defined(mask))?;
    }
    Ok(Flow::int(0))
}

fn long_jump(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let value = if args.i32(1) == 0 { 1 } else { args.i32(1) };
    context.jump(args.ptr(0), value)?;
    Err(Stop::Moved)
}

impl Context<'_, '_> {
    /// Goes back to a saved context, whose call returns `value`.
    pub fn jump(&mut self, buffer: u64, value: i32) -> Result<(), Stop> {
        self.jump_by(buffer, value, Context::drop_to)
    }

    /// Goes to a clean-up handler of a thread that ends.
    pub fn unwind_to_handler(&mut self, buffer: u64) -> Result<(), Stop> {
        self.jump_by(buffer, 1, Context::unwind_to)
    }

    /// How many frames there were where a context was saved.
    pub fn saved_depth(&mut self, buffer: u64) -> Result<u32, Stop> {
        Ok(self.read(buffer, 8)?.value as u32)
    }

    /// Drops the frames above a depth: they are just gone.
    fn drop_to(&mut self, depth: u32) -> Result<(), Stop> {
        while self.depth() > depth {
            self.leave_atomic(self.top().func);
            let frame = self.pop_frame();
            if frame.on_return == OnReturn::Handled {
                self.forget_handler()?;
            }
            if self.frames().is_empty() {
                self.raise_frame();
            }
        }
        Ok(())
    }

    fn jump_by(
        &mut self,
        buffer: u64,
        value: i32,
        leave: fn(&mut Self, u32) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let depth = self.read(buffer, 8)?;
        let place = self.read(buffer + 8, 8)?;
        let mark = self.read(buffer + 16, 8)?;
        let marked = [MARK, MARK_WITH_MASK].map(Bits::defined).contains(&mark);
        if !marked || depth.value >> 32 != self.me() as u64 {
            return Err(self.fault(
                Property::Undefined,
                "longjmp to a buffer that this thread has not set with setjmp",
            ));
        }
        let depth = depth.value as u32;
        let mask =
            if mark.value == MARK_WITH_MASK { Some(self.read(buffer + 24, 8)?) } else { None };
        leave(self, depth)?;
        if let Some(mask) = mask {
            self.restore_signal_mask(mask.value)?;
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
