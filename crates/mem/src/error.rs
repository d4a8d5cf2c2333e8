//! What can be wrong with an access.

use exeunt_ir::address::ObjId;

/// What the program wanted to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Read,
    Write,
}

/// A fault of the checked program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemError {
    Null {
        offset: i64,
    },
    /// Not the address of anything.
    Wild {
        address: u64,
    },
    /// The object existed once (heap: freed; stack: its function returned).
    Dead {
        object: ObjId,
        offset: i64,
    },
    /// The object is out of its scope but its function still runs.
    OutOfScope {
        object: ObjId,
    },
    OutOfBounds {
        object: ObjId,
        offset: i64,
        len: u64,
        size: u64,
    },
    ReadOnly {
        object: ObjId,
        offset: i64,
    },
    /// A function or another thing without contents.
    NotData {
        object: ObjId,
    },
}
