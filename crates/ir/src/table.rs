//! The instruction table: what each instruction is made of and what it does,
//! said once.
//!
//! `instructions!` hands all rows to a macro of the module that asks for
//! them: `inst.rs` makes the enum, `operands.rs` lists slots and successors,
//! `touch.rs` lists effects, `text/insts.rs` reads and writes. A row is
//!
//! ```text
//! Name { field: role, … } => effect(…), … ends;
//! ```
//!
//! Roles of fields:
//!
//! | role | the field is |
//! |---|---|
//! | `def`, `def(n)` | the first of `n` slots that are written (one if not said) |
//! | `arg`, `arg(n)` | the first of `n` slots that are read |
//! | `label` | a slot that is read; control goes to a label of the function |
//! | `pc` | an instruction that control may go to |
//! | `list(n)` | a row of `Function::lists`, the first of `n` slots each, that are read |
//! | `call`, `switch`, `message` | a row of `Function::calls`, `switches`, `unsupported` |
//! | `global` | the number of a global variable |
//! | `word(T)`, `number(T)`, `flag`, `trap` | data of this type |
//!
//! Effects are the variants of [`crate::Touch`], in lower case. `ends` says that
//! control does not go on behind the instruction, `ends if` that it sometimes
//! does not. Expressions may use the fields of their row.

macro_rules! instructions {
    ($rows:ident) => {
        $rows! {
            // ---- values ---------------------------------------------------
            Mov { dst: def, src: arg };
            /// `cond` is one bit.
            Select { dst: def, cond: arg, a: arg, b: arg };
            /// An undefined value becomes some fixed defined one.
            Freeze { dst: def, src: arg };
            /// `ptrtoint`: like `Mov`, but from here on anyone may know the address.
            Expose { dst: def, src: arg };

            // ---- integers of up to 64 bits --------------------------------
            Int { op: word(IntOp), width: number(u8), dst: def, a: arg, b: arg };
            IntUn { op: word(IntUnOp), width: number(u8), dst: def, a: arg };
            Overflow {
                op: word(OverflowOp), width: number(u8), dst: def, carry: def, a: arg, b: arg
            };
            /// The high (`left`) or low `width` bits of `a:b` shifted by `amount`.
            Funnel { left: flag, width: number(u8), dst: def, a: arg, b: arg, amount: arg };
            Cmp { pred: word(CmpPred), width: number(u8), dst: def, a: arg, b: arg };
            /// Keeps the low `width` bits (also of the low half of a wide value).
            Trunc { width: number(u8), dst: def, a: arg };
            /// Sign-extends from `from` to `to` bits (`to` up to 64).
            SExt { from: number(u8), to: number(u8), dst: def, a: arg };

            // ---- integers of 65 to 128 bits -------------------------------
            WideInt { op: word(IntOp), width: number(u8), dst: def(2), a: arg(2), b: arg(2) };
            WideIntUn { op: word(IntUnOp), width: number(u8), dst: def(2), a: arg(2) };
            WideOverflow {
                op: word(OverflowOp), width: number(u8), dst: def(2), carry: def, a: arg(2),
                b: arg(2)
            };
            WideFunnel {
                left: flag, width: number(u8), dst: def(2), a: arg(2), b: arg(2), amount: arg(2)
            };
            WideCmp { pred: word(CmpPred), width: number(u8), dst: def, a: arg(2), b: arg(2) };
            /// Sign-extends one slot (or a narrower wide value) to `to` bits.
            WideSExt { from: number(u8), to: number(u8), dst: def(2), a: arg(slots(from)) };

            // ---- floating point (F80 in slot pairs) -----------------------
            Float {
                op: word(FloatOp), kind: word(FloatKind), dst: def(kind.slots()),
                a: arg(kind.slots()), b: arg(op.second_slots(kind))
            };
            FloatUn {
                op: word(FloatUnOp), kind: word(FloatKind), dst: def(kind.slots()),
                a: arg(kind.slots())
            };
            /// `a * b + c`, rounded once.
            FloatMulAdd {
                kind: word(FloatKind), dst: def(kind.slots()), a: arg(kind.slots()),
                b: arg(kind.slots()), c: arg(kind.slots())
            };
            FloatCmp {
                pred: word(FloatPred), kind: word(FloatKind), dst: def, a: arg(kind.slots()),
                b: arg(kind.slots())
            };
            /// Integer to float: from `width` bits to `kind`. Float to integer: from
            /// `kind` to `width` bits. Float to float: from `kind` to `to`.
            FloatCast {
                op: word(CastOp), kind: word(FloatKind), to: word(FloatKind), width: number(u8),
                dst: def(op.result_slots(kind, to, width)), a: arg(op.source_slots(kind, width))
            };
            /// llvm.is.fpclass
            FloatClass {
                mask: number(u16), kind: word(FloatKind), dst: def, a: arg(kind.slots())
            };

            // ---- memory ---------------------------------------------------
            /// `size * count` bytes on the stack; freed when the function returns.
            Alloca { dst: def, size: number(u32), count: arg } => allocates(size, count);
            /// The current top of the stack, for `StackRestore`.
            StackSave { dst: def };
            StackRestore { src: arg } => unwinds(Some(src));
            /// The object's contents become undefined; it is alive from here.
            LifetimeStart { addr: arg } => lives(addr);
            /// Using the object afterwards is an error.
            LifetimeEnd { addr: arg } => lives(addr);
            /// Reads `bits` bits (in `ceil(bits / 8)` bytes); more than 64 into a pair.
            Load {
                bits: number(u8), pointer: flag, access: word(Access), dst: def(slots(bits)),
                addr: arg
            } => reads(addr, bytes(bits), access);
            Store {
                bits: number(u8), pointer: flag, access: word(Access), src: arg(slots(bits)),
                addr: arg
            } => writes(addr, bytes(bits), access);
            /// `base + sign_extend(index, width) * scale`
            PtrIndex {
                dst: def, base: arg, index: arg, width: number(u8), scale: number(i32)
            };
            PtrAdd { dst: def, base: arg, offset: number(i32) };
            MemCopy { dst: arg, src: arg, len: arg, may_overlap: flag, volatile: flag }
                => writes(dst, Size::Slot(len), plain(volatile)),
                   reads(src, Size::Slot(len), plain(volatile));
            MemSet { dst: arg, byte: arg, len: arg, volatile: flag }
                => writes(dst, Size::Slot(len), plain(volatile));
            Rmw {
                op: word(RmwOp), bits: number(u8), order: word(Order), dst: def(slots(bits)),
                addr: arg, src: arg(slots(bits))
            } => updates(addr, bytes(bits), order, None);
            /// `dst` gets the old value, `ok` one bit; `list` (a row of
            /// `Function::lists`) holds the slots of the expected and the new value.
            /// `order` counts if it succeeds, `failure` if it fails.
            CmpXchg {
                bits: number(u8), weak: flag, order: word(Order), failure: word(Order),
                dst: def(slots(bits)), ok: def, addr: arg, list: list(slots(bits))
            } => updates(addr, bytes(bits), order, Some(Failure { order: failure, spurious: weak }));
            /// One of order `Relaxed` concerns only the compiler.
            Fence { order: word(Order) } => orders(order);
            /// The current thread's copy of a thread-local global (by `GlobalId`).
            TlsAddr { dst: def, global: global };
            /// The address of the area with this call's variadic arguments, which
            /// lie there as the caller's `Arg::place` says.
            VaArea { dst: def };
            VaEnd { list: arg };

            // ---- control --------------------------------------------------
            Jump { to: pc } ends;
            /// `cond` is one bit.
            Branch { cond: arg, yes: pc, no: pc } ends;
            Switch { value: arg, table: switch } ends;
            /// To a label address (see `address::label`).
            IndirectJump { addr: label } ends;
            /// Returns the slots of a list.
            Return { list: list(1) } => unwinds(None) ends;
            /// Row of `Function::calls`.
            Call { call: call } => calls(call);
            /// A hint that this is a spin loop (`pause`, `sched_yield`-like).
            SpinHint {};
            Trap { kind: trap } ends if kind == TrapKind::Unreachable;
            /// What could not be lowered; row of `Function::unsupported`.
            Unsupported { what: message } ends;
        }
    };
}
