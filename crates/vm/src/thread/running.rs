//! The thread that takes a step, decoded as far as it is needed.

use exeunt_ir::address::ObjId;
use exeunt_mem::Bits;

use super::frame::Frame;
use super::{Head, Lower};

pub struct Running<'p> {
    /// Its number.
    pub me: u32,
    pub head: Head,
    /// Frames that are still encoded.
    pub lower: Lower<'p>,
    pub frames: Vec<Frame>,
    pub registers: Vec<Bits>,
    /// Stack objects of the decoded frames, in order of creation.
    pub objects: Vec<ObjId>,
    /// Bytes that it has on its stack, once somebody asked.
    pub stack_used: Option<u64>,
}

impl Default for Running<'_> {
    fn default() -> Self {
        Running {
            me: 0,
            head: Head::free(),
            lower: Lower::default(),
            frames: Vec::new(),
            registers: Vec::new(),
            objects: Vec::new(),
            stack_used: None,
        }
    }
}
