//! What an instruction does to memory and to the order of accesses, read off
//! the instruction table.
//!
//! Visibility, footprints, races, propositions and the verifier are loops over
//! these effects: none of them knows a single instruction.

use crate::{Access, Inst, Order, Slot, TrapKind};

/// One effect of an instruction. Addresses and sizes are slots or constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    /// Reads this many bytes.
    Reads {
        addr: Slot,
        size: Size,
        access: Access,
    },
    Writes {
        addr: Slot,
        size: Size,
        access: Access,
    },
    /// Reads and writes in one atomic operation.
    Updates {
        addr: Slot,
        size: Size,
        order: Order,
        failure: Option<Failure>,
    },
    /// The life of the object behind the address begins or ends.
    Lives {
        addr: Slot,
    },
    /// Allocates `size * count` bytes in the frame.
    Allocates {
        size: u32,
        count: Slot,
    },
    /// Frees the objects of the frame but the first so many; `None`: the
    /// function returns.
    Unwinds {
        keep: Option<Slot>,
    },
    /// Does what the function does that it calls (row of `Function::calls`).
    Calls {
        call: u32,
    },
    /// Orders the accesses before and behind it.
    Orders {
        order: Order,
    },
}

/// An atomic operation that may only read, because it compares first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The memory order of one that fails.
    pub order: Order,
    /// It may fail although the values are equal.
    pub spurious: bool,
}

/// How many bytes are touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    Bytes(u8),
    /// As many as the slot says.
    Slot(Slot),
}

impl Touch {
    /// The memory that is read or written: address, size and how.
    #[inline]
    pub fn accessed(self) -> Option<(Slot, Size, Access)> {
        match self {
            Touch::Reads { addr, size, access } | Touch::Writes { addr, size, access } => {
                Some((addr, size, access))
            }
            Touch::Updates { addr, size, order, .. } => Some((addr, size, Access::Atomic(order))),
            Touch::Lives { .. }
            | Touch::Allocates { .. }
            | Touch::Unwinds { .. }
            | Touch::Calls { .. }
            | Touch::Orders { .. } => None,
        }
    }
}

fn bytes(bits: u8) -> Size {
    Size::Bytes(bits.div_ceil(8))
}

fn plain(volatile: bool) -> Access {
    if volatile { Access::Volatile } else { Access::Plain }
}

/// The effect that a row of the table names.
macro_rules! effect {
    (reads($addr:expr, $size:expr, $access:expr)) => {
        Touch::Reads { addr: $addr, size: $size, access: $access }
    };
    (writes($addr:expr, $size:expr, $access:expr)) => {
        Touch::Writes { addr: $addr, size: $size, access: $access }
    };
    (updates($addr:expr, $size:expr, $order:expr, $failure:expr)) => {
        Touch::Updates { addr: $addr, size: $size, order: $order, failure: $failure }
    };
    (lives($addr:expr)) => {
        Touch::Lives { addr: $addr }
    };
    (allocates($size:expr, $count:expr)) => {
        Touch::Allocates { size: $size, count: $count }
    };
    (unwinds($keep:expr)) => {
        Touch::Unwinds { keep: $keep }
    };
    (calls($call:expr)) => {
        Touch::Calls { call: $call }
    };
    (orders($order:expr)) => {
        Touch::Orders { order: $order }
    };
}

/// Whether another thread could notice an effect of this kind.
macro_rules! noticeable {
    (reads) => {
        true
    };
    (writes) => {
        true
    };
    (updates) => {
        true
    };
    (lives) => {
        true
    };
    (allocates) => {
        false
    };
    (unwinds) => {
        true
    };
    (calls) => {
        true
    };
    (orders) => {
        false
    };
}

macro_rules! list {
    ($(
        $(#[$doc:meta])*
        $name:ident { $($field:ident: $role:ident $(($($arg:tt)*))?),* }
        $(=> $($effect:ident ($($what:tt)*)),+)?
        $(ends $(if $end:expr)?)?;
    )*) => {
        impl Inst {
            /// Whether one of the effects is like this; they come in the order
            /// of the table.
            #[inline(always)]
            #[allow(unused_variables)]
            pub fn any_touch(&self, mut is: impl FnMut(Touch) -> bool) -> bool {
                match *self {
                    $(Inst::$name { $($field),* } => {
                        false $($(|| is(effect!($effect($($what)*))))+)?
                    })*
                }
            }

            /// Whether another thread may be able to notice the instruction.
            #[inline(always)]
            pub fn is_noticeable(&self) -> bool {
                match self {
                    $(Inst::$name { .. } => false $($(|| noticeable!($effect))+)?,)*
                }
            }

            /// Whether control never goes on behind the instruction.
            #[inline]
            #[allow(unused_variables)]
            pub fn ends_block(&self) -> bool {
                match *self {
                    $(Inst::$name { $($field),* } => false $(|| ends!($($end)?))?,)*
                }
            }
        }
    };
}

macro_rules! ends {
    () => {
        true
    };
    ($end:expr) => {
        $end
    };
}

instructions!(list);

impl Inst {
    /// Visits all effects, in the order of the table.
    #[inline(always)]
    pub fn touches(&self, mut visit: impl FnMut(Touch)) {
        self.any_touch(|touch| {
            visit(touch);
            false
        });
    }

    /// The row of `Function::calls`, if this is a call.
    #[inline]
    pub fn call(&self) -> Option<u32> {
        let mut row = None;
        self.touches(|touch| {
            if let Touch::Calls { call } = touch {
                row = Some(call);
            }
        });
        row
    }

    /// Whether the environment chooses what the instruction does.
    pub fn may_choose(&self) -> bool {
        self.any_touch(|touch| match touch {
            Touch::Updates { failure, .. } => failure.is_some_and(|failure| failure.spurious),
            Touch::Reads { .. }
            | Touch::Writes { .. }
            | Touch::Lives { .. }
            | Touch::Allocates { .. }
            | Touch::Unwinds { .. }
            | Touch::Calls { .. }
            | Touch::Orders { .. } => false,
        })
    }

    /// Whether the function returns here.
    #[inline]
    pub fn returns(&self) -> bool {
        self.any_touch(|touch| touch == Touch::Unwinds { keep: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_writes_one_place_and_reads_another() {
        let copy = Inst::MemCopy { dst: 1, src: 2, len: 3, may_overlap: false, volatile: true };
        let mut seen = Vec::new();
        copy.touches(|touch| seen.push(touch));
        let (size, access) = (Size::Slot(3), Access::Volatile);
        assert_eq!(
            seen,
            [Touch::Writes { addr: 1, size, access }, Touch::Reads { addr: 2, size, access }]
        );
        assert!(copy.is_noticeable() && !copy.ends_block());
    }

    #[test]
    fn what_only_computes_touches_nothing() {
        let add = Inst::PtrAdd { dst: 0, base: 1, offset: 8 };
        assert!(!add.any_touch(|_| true) && !add.is_noticeable());
        let fence = Inst::Fence { order: Order::SeqCst };
        assert!(fence.any_touch(|_| true) && !fence.is_noticeable());
    }

    #[test]
    fn a_trap_ends_only_where_nothing_comes_behind() {
        assert!(Inst::Trap { kind: TrapKind::Unreachable }.ends_block());
        assert!(!Inst::Trap { kind: TrapKind::Debug }.ends_block());
        assert!(Inst::Return { list: 0 }.ends_block() && Inst::Return { list: 0 }.returns());
        assert_eq!(Inst::Call { call: 7 }.call(), Some(7));
    }
}
