//! `errno`: one word for each thread.

use exeunt_ir::address::{ObjId, Space};
use exeunt_mem::{Bits, Flags};

use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, row};
use crate::stop::Stop;

pub const TABLE: &[Builtin] = &[row("__errno_location", "p:", Effect::Local, location)];

/// The last thread-local slot is never a variable of the program.
const SLOT: u16 = u16::MAX;

impl Context<'_, '_> {
    fn errno_address(&mut self) -> u64 {
        let id = ObjId::in_arena(Space::ThreadLocal, self.me() as u8, SLOT);
        if self.header(id).is_none() {
            self.create(id, 4, Flags::default());
        }
        id.at(0)
    }

    pub fn set_errno(&mut self, code: i32) -> Result<(), Stop> {
        let addr = self.errno_address();
        self.write(addr, 4, Bits::defined(code as u32 as u64))
    }

    pub fn errno(&mut self) -> Result<i32, Stop> {
        let addr = self.errno_address();
        Ok(self.read(addr, 4)?.value as u32 as i32)
    }
}

fn location(context: &mut Context<'_, '_>, _: &Args<'_>) -> Result<Flow, Stop> {
    Ok(Flow::value(context.errno_address()))
}
