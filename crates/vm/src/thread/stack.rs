//! How many bytes a thread has on its stack, and where that ends.
//!
//! A frame is what a compiler without optimisation makes of it: a fixed part
//! for the return address and saved registers, and all local variables of the
//! function, from the moment it is called. What is allocated as the function
//! runs (arrays of variable length, `alloca`) comes on top when that happens.
//! Real frames differ by some bytes, so the exact depth at which a stack
//! overflows is an approximation (docs/limits.md).

use exeunt_ir::{Function, Touch, readable};
use exeunt_model::{Fault, Property};

use crate::machine::Machine;
use crate::stop::Stop;
use crate::thread::frame;

/// Return address, saved frame pointer, spilled registers, alignment.
const OVERHEAD: u64 = 48;

/// What a call of a function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameSize {
    bytes: u64,
    /// It also allocates as it runs.
    grows: bool,
}

impl FrameSize {
    /// Its bytes, if it is always so large.
    pub fn fixed(self) -> Option<u32> {
        u32::try_from(self.bytes).ok().filter(|_| !self.grows)
    }

    pub fn of(function: &Function) -> FrameSize {
        let straight = function.code.iter().take_while(|inst| !inst.ends_block()).count();
        let mut size = FrameSize { bytes: OVERHEAD, grows: false };
        for (pc, inst) in function.code.iter().enumerate() {
            inst.touches(|touch| {
                let Touch::Allocates { size: bytes, count } = touch else { return };
                match fixed_count(function, count).filter(|_| pc < straight) {
                    Some(count) => {
                        let bytes = u64::from(bytes).saturating_mul(count);
                        size.bytes = size.bytes.saturating_add(bytes.next_multiple_of(8));
                    }
                    None => size.grows = true,
                }
            });
        }
        size
    }
}

fn fixed_count(function: &Function, slot: u32) -> Option<u64> {
    let constant = slot.checked_sub(function.registers)?;
    function.constants.get(constant as usize).map(|constant| constant.value)
}

impl Machine<'_> {
    fn stack_limit(&self) -> u64 {
        if self.thread.head.stack == 0 { self.vm.options.stack } else { self.thread.head.stack }
    }

    /// Bytes of all frames. Those of a function that allocates as it runs are
    /// looked up.
    fn stack_bytes(&mut self) -> u64 {
        if let Some(known) = self.thread.stack_used {
            return known;
        }
        let mut bytes = 0;
        for at in 0..self.thread.frames.len() {
            let size = self.vm.frame_sizes[self.thread.frames[at].func as usize];
            bytes += size.bytes;
            if size.grows {
                let end = self
                    .thread
                    .frames
                    .get(at + 1)
                    .map_or(self.thread.objects.len(), |f| f.objects as usize);
                let objects = self.thread.frames[at].objects as usize..end;
                bytes += objects.map(|i| self.object_bytes(self.thread.objects[i])).sum::<u64>();
            }
        }
        let mut lower = self.lower_frames();
        while let Some((rest, words)) = frame::split_top(lower) {
            let size = self.vm.frame_sizes[frame::peek(words).0 as usize];
            bytes += size.bytes;
            if size.grows {
                bytes += frame::objects_of(words).map(|id| self.object_bytes(id)).sum::<u64>();
            }
            lower = rest;
        }
        self.thread.stack_used = Some(bytes);
        bytes
    }

    fn object_bytes(&mut self, id: exeunt_ir::address::ObjId) -> u64 {
        self.mem.header(id).map_or(0, |header| u64::from(header.size))
    }

    /// Bytes that are left of the stack.
    pub fn stack_left(&mut self) -> u64 {
        self.stack_limit().saturating_sub(self.stack_bytes())
    }

    /// A function is about to be called.
    pub fn reserve_stack(&mut self, func: u32) -> Result<(), Stop> {
        let most = self.vm.options.max_frames;
        let many = self.thread.frames.len().is_multiple_of(64) && self.depth() >= most;
        if self.thread.frames.len() as u32 >= most || many {
            return Err(Stop::unsupported(format!("more than {most} nested calls")));
        }
        let used = self.stack_bytes().saturating_add(self.vm.frame_sizes[func as usize].bytes);
        self.within_stack(used, func)?;
        self.thread.stack_used = Some(used);
        Ok(())
    }

    /// The function on top allocates some bytes.
    pub fn grow_stack(&mut self, bytes: u64) -> Result<(), Stop> {
        let func = self.top().func;
        let mut used = self.stack_bytes();
        if self.vm.frame_sizes[func as usize].grows {
            used = used.saturating_add(bytes.next_multiple_of(8));
        }
        self.within_stack(used, func)?;
        self.thread.stack_used = Some(used);
        Ok(())
    }

    /// The frame on top is about to go.
    pub fn shrink_stack(&mut self) {
        let size = self.vm.frame_sizes[self.top().func as usize];
        let known = self.thread.stack_used.filter(|_| !size.grows);
        self.thread.stack_used = known.map(|used| used.saturating_sub(size.bytes));
    }

    fn within_stack(&mut self, used: u64, func: u32) -> Result<(), Stop> {
        let limit = self.stack_limit();
        if used <= limit {
            return Ok(());
        }
        let name = readable(&self.vm.program.functions[func as usize].name);
        let message =
            format!("stack overflow: `{name}` needs {used} bytes of a stack that has {limit}");
        let fault = Fault::new(Property::Memory, message).help(
            "a recursion has no end, or the stack is too small: --stack sets its size, \
             pthread_attr_setstacksize that of one thread",
        );
        Err(self.located(fault).into())
    }
}
