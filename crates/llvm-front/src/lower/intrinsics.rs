//! LLVM's intrinsic functions.

use exeunt_ir::{
    CastOp, CmpPred, Const, FloatKind, FloatOp, FloatPred, FloatUnOp, Inst, IntOp, IntUnOp,
    OverflowOp, Slot, TrapKind, varargs,
};

use super::body::Body;
use super::floats::float_kind;
use super::ints::int_width;
use super::layout::mask;
use super::{Lowered, unsupported};
use crate::llvm::Value;

impl<'m> Body<'_, 'm> {
    /// Lowers a call of the intrinsic `name` (without type suffixes).
    pub fn intrinsic(&mut self, call: Value<'m>, name: &str) -> Lowered<()> {
        let args = call.args();
        let short = name.strip_prefix("llvm.").unwrap_or(name);
        if let Some(operation) = short.strip_prefix("experimental.constrained.") {
            return self.constrained(call, operation, &args);
        }
        self.intrinsic_of(call, short, &args)
    }

    fn intrinsic_of(&mut self, call: Value<'m>, short: &str, args: &[Value<'m>]) -> Lowered<()> {
        if let Some(op) = int_operation(short) {
            return self.int_intrinsic(call, args[0], args[1], op);
        }
        if let Some(op) = int_unary(short) {
            return self.int_unary_intrinsic(call, args[0], op);
        }
        if let Some(op) = overflow_operation(short) {
            return self.overflow(call, args[0], args[1], op);
        }
        if let Some(op) = float_unary(short) {
            return self.float_unary(call, args[0], op);
        }
        if let Some(op) = float_operation(short) {
            return self.float_binary(call, args[0], args[1], op);
        }
        if let Some(kind) = short.strip_prefix("vector.reduce.") {
            return self.reduction(call, kind);
        }
        if short.starts_with("vector.") || short.starts_with("masked.") {
            return self.vector_intrinsic(call, short, args);
        }
        self.other_intrinsic(call, short, args)
    }

    /// Floating-point operations under `#pragma STDC FENV_ACCESS`. Nothing
    /// can change the rounding mode here, so they are the ordinary ones; the
    /// last arguments say what the optimiser may assume.
    fn constrained(&mut self, call: Value<'m>, name: &str, args: &[Value<'m>]) -> Lowered<()> {
        match name {
            "fadd" => self.float_binary(call, args[0], args[1], FloatOp::Add),
            "fsub" => self.float_binary(call, args[0], args[1], FloatOp::Sub),
            "fmul" => self.float_binary(call, args[0], args[1], FloatOp::Mul),
            "fdiv" => self.float_binary(call, args[0], args[1], FloatOp::Div),
            "frem" => self.float_binary(call, args[0], args[1], FloatOp::Rem),
            "fma" => self.multiply_add(call, &args[..3], true),
            "fmuladd" => self.multiply_add(call, &args[..3], false),
            "fptosi" => self.float_conversion(call, args[0], CastOp::FloatToSigned),
            "fptoui" => self.float_conversion(call, args[0], CastOp::FloatToUnsigned),
            "sitofp" => self.float_conversion(call, args[0], CastOp::SignedToFloat),
            "uitofp" => self.float_conversion(call, args[0], CastOp::UnsignedToFloat),
            "fpext" | "fptrunc" => self.float_conversion(call, args[0], CastOp::FloatToFloat),
            "fcmp" | "fcmps" => {
                match args[2].metadata_text().as_deref().and_then(predicate_named) {
                    Some(pred) => self.float_comparison(call, args[0], args[1], pred),
                    None => unsupported(format!("llvm.experimental.constrained.{name}")),
                }
            }
            _ => self.intrinsic_of(call, name, args),
        }
    }

    fn other_intrinsic(&mut self, call: Value<'m>, short: &str, args: &[Value<'m>]) -> Lowered<()> {
        match short {
            // What helps optimisers and debuggers says nothing to us.
            "assume"
            | "donothing"
            | "prefetch"
            | "dbg.declare"
            | "dbg.value"
            | "dbg.assign"
            | "dbg.label"
            | "var.annotation"
            | "sideeffect"
            | "pseudoprobe"
            | "fake.use"
            | "invariant.end"
            | "experimental.noalias.scope.decl" => Ok(()),
            "expect"
            | "expect.with.probability"
            | "annotation"
            | "ptr.annotation"
            | "ssa.copy"
            | "launder.invariant.group"
            | "strip.invariant.group"
            | "arithmetic.fence" => {
                let slots = self.operand(args[0])?;
                self.alias(call, slots);
                Ok(())
            }
            "invariant.start" => {
                let null = self.constant(0);
                self.alias(call, [null].into());
                Ok(())
            }
            "eh.typeid.for" => self.type_number(call, args[0]),
            "lifetime.start" | "lifetime.end" => self.lifetime(short, args),
            "stacksave" => {
                let dst = self.result(call)?[0];
                self.emit(Inst::StackSave { dst });
                Ok(())
            }
            "stackrestore" => {
                let src = self.scalar(args[0])?;
                self.emit(Inst::StackRestore { src });
                Ok(())
            }
            "memcpy" | "memcpy.inline" => self.copy_memory(args, false),
            "memmove" => self.copy_memory(args, true),
            "memset" | "memset.inline" => self.set_memory(args),
            "fshl" => self.funnel(call, args, true),
            "fshr" => self.funnel(call, args, false),
            "ucmp" => self.three_way(call, args, CmpPred::Ult, CmpPred::Ugt),
            "scmp" => self.three_way(call, args, CmpPred::Slt, CmpPred::Sgt),
            "fma" => self.multiply_add(call, args, true),
            "fmuladd" => self.multiply_add(call, args, false),
            "fptosi.sat" => self.float_conversion(call, args[0], CastOp::FloatToSignedSat),
            "fptoui.sat" => self.float_conversion(call, args[0], CastOp::FloatToUnsignedSat),
            "lrint" | "llrint" => self.round_to_int(call, args[0], FloatUnOp::Rint),
            "lround" | "llround" => self.round_to_int(call, args[0], FloatUnOp::Round),
            "is.fpclass" => match args[1].int_bits() {
                Some(mask) => self.float_class(call, args[0], mask as u16),
                None => unsupported("llvm.is.fpclass with a mask that is not constant"),
            },
            "is.constant" => self.known_result(call, 0),
            "objectsize" => {
                // An object that is not known: "no answer" is the maximum or 0.
                let minimum = args[1].int_bits() == Some(1);
                let unknown = if minimum { 0 } else { u64::MAX };
                let size = self.unit.bytes_from(args[0]).unwrap_or(unknown);
                self.known_result(call, size)
            }
            "threadlocal.address" => self.thread_local_address(call, args[0]),
            "va_start" => self.start_varargs(args[0]),
            "va_end" => {
                let list = self.scalar(args[0])?;
                self.emit(Inst::VaEnd { list });
                Ok(())
            }
            "va_copy" => {
                let (dst, src) = (self.scalar(args[0])?, self.scalar(args[1])?);
                let len = self.constant(varargs::LIST);
                self.emit(Inst::MemCopy { dst, src, len, may_overlap: true, volatile: false });
                Ok(())
            }
            "trap" => self.trap(TrapKind::Trap),
            "debugtrap" => self.trap(TrapKind::Debug),
            "ubsantrap" => {
                let check = args[0].int_bits().unwrap_or(0) as u8;
                self.trap(TrapKind::Undefined(check))
            }
            "clear_cache" => Ok(()),
            "modf" => self.split_float(call, args[0]),
            "frexp" => self.split_exponent(call, args[0]),
            "sincos" => self.sine_and_cosine(call, args[0]),
            "ptrmask" => self.pointer_mask(call, args),
            // Differences of addresses mean nothing where addresses are objects.
            "load.relative" => unsupported("a table of relative addresses (compile with -fno-pic)"),
            "allow.ubsan.check" | "allow.runtime.check" => self.known_result(call, 1),
            "get.rounding" => self.known_result(call, 1),
            "frameaddress" | "returnaddress" | "addressofreturnaddress" | "sponentry" => {
                unsupported(format!("llvm.{short} (there is no machine stack)"))
            }
            "x86.sse2.pause" => {
                self.emit(Inst::SpinHint {});
                Ok(())
            }
            "x86.sse2.mfence" | "x86.sse2.lfence" | "x86.sse.sfence" => {
                self.emit(Inst::Fence { order: exeunt_ir::Order::SeqCst });
                Ok(())
            }
            _ => unsupported(format!("the intrinsic llvm.{short}")),
        }
    }

    fn trap(&mut self, kind: TrapKind) -> Lowered<()> {
        self.emit(Inst::Trap { kind });
        Ok(())
    }

    /// A number of some width as a constant operand (a pair if it is wide).
    pub fn wide_constant(&mut self, value: u64, width: u8) -> Slot {
        let low = Const::defined(value & mask(width.into()));
        self.constant_slot(low, (width > 64).then(|| Const::defined(0)))
    }

    pub fn undefined(&mut self, width: u8) -> Slot {
        let slot = |bits: u8| Const { value: 0, undefined: mask(bits.into()) };
        self.constant_slot(slot(width.min(64)), (width > 64).then(|| slot(width - 64)))
    }

    fn known_result(&mut self, call: Value<'m>, value: u64) -> Lowered<()> {
        let width = int_width(call.ty())?;
        let slot = self.wide_constant(value, width);
        self.alias(call, [slot].into());
        Ok(())
    }

    // ---- integers ------------------------------------------------------------------

    fn int_intrinsic(
        &mut self,
        call: Value<'m>,
        a: Value<'m>,
        b: Value<'m>,
        op: IntOp,
    ) -> Lowered<()> {
        let width = int_width(call.ty())?;
        self.lanewise(call, &[a, b], |body, dst, src| body.int(op, width, dst, src[0], src[1]))
    }

    fn int_unary_intrinsic(&mut self, call: Value<'m>, a: Value<'m>, op: IntUnOp) -> Lowered<()> {
        let width = int_width(call.ty())?;
        self.lanewise(call, &[a], |body, dst, src| {
            let a = src[0];
            body.emit(match width {
                ..=64 => Inst::IntUn { op, width, dst, a },
                _ => Inst::WideIntUn { op, width, dst, a },
            });
        })
    }

    /// The result is `{ value, carry }`, of vectors lane by lane.
    fn overflow(
        &mut self,
        call: Value<'m>,
        a: Value<'m>,
        b: Value<'m>,
        op: OverflowOp,
    ) -> Lowered<()> {
        let width = int_width(a.ty())?;
        let (a, b) = (self.operand(a)?, self.operand(b)?);
        let results = self.result(call)?;
        let lanes = a.len();
        for lane in 0..lanes {
            let (dst, carry, a, b) = (results[lane], results[lanes + lane], a[lane], b[lane]);
            self.emit(match width {
                ..=64 => Inst::Overflow { op, width, dst, carry, a, b },
                _ => Inst::WideOverflow { op, width, dst, carry, a, b },
            });
        }
        Ok(())
    }

    fn funnel(&mut self, call: Value<'m>, args: &[Value<'m>], left: bool) -> Lowered<()> {
        let width = int_width(call.ty())?;
        self.lanewise(call, args, |body, dst, src| {
            let (a, b, amount) = (src[0], src[1], src[2]);
            body.emit(match width {
                ..=64 => Inst::Funnel { left, width, dst, a, b, amount },
                _ => Inst::WideFunnel { left, width, dst, a, b, amount },
            });
        })
    }

    /// -1, 0 or 1.
    fn three_way(
        &mut self,
        call: Value<'m>,
        args: &[Value<'m>],
        less: CmpPred,
        greater: CmpPred,
    ) -> Lowered<()> {
        let (width, to) = (int_width(args[0].ty())?, int_width(call.ty())?);
        if to > 64 {
            return unsupported("a three-way comparison with a wide result");
        }
        self.lanewise(call, args, |body, dst, src| {
            let (below, above) = (body.fresh(1), body.fresh(1));
            body.compare(less, width, below, src[0], src[1]);
            body.compare(greater, width, above, src[0], src[1]);
            body.int(IntOp::Sub, to, dst, above, below);
        })
    }

    // ---- floats --------------------------------------------------------------------

    fn round_to_int(&mut self, call: Value<'m>, a: Value<'m>, how: FloatUnOp) -> Lowered<()> {
        let (kind, width) = (float_kind(a.ty())?, int_width(call.ty())?);
        self.lanewise(call, &[a], |body, dst, src| {
            let rounded = body.fresh(if kind == FloatKind::F80 { 2 } else { 1 });
            body.emit(Inst::FloatUn { op: how, kind, dst: rounded, a: src[0] });
            let op = CastOp::FloatToSigned;
            body.emit(Inst::FloatCast { op, kind, to: kind, width, dst, a: rounded });
        })
    }

    /// `{ fraction, whole }`, both with the sign of the value; an infinity has
    /// no fraction.
    fn split_float(&mut self, call: Value<'m>, a: Value<'m>) -> Lowered<()> {
        const INFINITE: u16 = 0x204;
        let kind = float_kind(a.ty())?;
        let zero = self.wide_constant(0, if kind == FloatKind::F80 { 80 } else { 64 });
        let slots = if kind == FloatKind::F80 { 2 } else { 1 };
        let values = self.operand(a)?;
        let results = self.result(call)?;
        let lanes = values.len();
        for (lane, &a) in values.iter().enumerate() {
            let (fraction, whole) = (results[lane], results[lanes + lane]);
            let infinite = self.fresh(1);
            self.emit(Inst::FloatUn { op: FloatUnOp::Trunc, kind, dst: whole, a });
            self.emit(Inst::Float { op: FloatOp::Sub, kind, dst: fraction, a, b: whole });
            self.emit(Inst::FloatClass { mask: INFINITE, kind, dst: infinite, a });
            for half in 0..slots {
                let (dst, a) = (fraction + half, zero + half);
                self.emit(Inst::Select { dst, cond: infinite, a, b: dst });
            }
            let (dst, op) = (fraction, FloatOp::CopySign);
            self.emit(Inst::Float { op, kind, dst, a: fraction, b: a });
        }
        Ok(())
    }

    fn sine_and_cosine(&mut self, call: Value<'m>, a: Value<'m>) -> Lowered<()> {
        let kind = float_kind(a.ty())?;
        let values = self.operand(a)?;
        let results = self.result(call)?;
        for (lane, &a) in values.iter().enumerate() {
            let (sine, cosine) = (results[lane], results[values.len() + lane]);
            self.emit(Inst::FloatUn { op: FloatUnOp::Sin, kind, dst: sine, a });
            self.emit(Inst::FloatUn { op: FloatUnOp::Cos, kind, dst: cosine, a });
        }
        Ok(())
    }

    // ---- memory --------------------------------------------------------------------

    /// The address is the last argument; older LLVMs had the size before it.
    fn lifetime(&mut self, short: &str, args: &[Value<'m>]) -> Lowered<()> {
        let Some(&address) = args.last() else {
            return unsupported("a lifetime of nothing");
        };
        let addr = self.scalar(address)?;
        self.emit(match short {
            "lifetime.start" => Inst::LifetimeStart { addr },
            _ => Inst::LifetimeEnd { addr },
        });
        Ok(())
    }

    /// A length as 64 bits: slots are zero-extended, as lengths are.
    fn copy_memory(&mut self, args: &[Value<'m>], may_overlap: bool) -> Lowered<()> {
        let (dst, src) = (self.scalar(args[0])?, self.scalar(args[1])?);
        let len = self.scalar(args[2])?;
        let volatile = args[3].int_bits() == Some(1);
        self.emit(Inst::MemCopy { dst, src, len, may_overlap, volatile });
        Ok(())
    }

    fn set_memory(&mut self, args: &[Value<'m>]) -> Lowered<()> {
        let (dst, byte) = (self.scalar(args[0])?, self.scalar(args[1])?);
        let len = self.scalar(args[2])?;
        let volatile = args[3].int_bits() == Some(1);
        self.emit(Inst::MemSet { dst, byte, len, volatile });
        Ok(())
    }

    fn thread_local_address(&mut self, call: Value<'m>, global: Value<'m>) -> Lowered<()> {
        // An operand that is a thread-local global becomes its address here.
        let mut target = global;
        while let Some(aliasee) = target.aliasee() {
            target = aliasee;
        }
        let slots = self.operand(target)?;
        self.alias(call, slots);
        Ok(())
    }

    fn pointer_mask(&mut self, call: Value<'m>, args: &[Value<'m>]) -> Lowered<()> {
        self.lanewise(call, args, |body, dst, src| body.int(IntOp::And, 64, dst, src[0], src[1]))
    }

    // ---- vectors -------------------------------------------------------------------

    fn reduction(&mut self, call: Value<'m>, kind: &str) -> Lowered<()> {
        let args = call.args();
        if let Some(op) = reduction_of_ints(kind) {
            let width = int_width(call.ty())?;
            let lanes = self.operand(args[0])?;
            return self.reduce(call, &lanes, None, |body, dst, a, b| {
                body.int(op, width, dst, a, b);
            });
        }
        let (op, start) = match kind {
            "fadd" => (FloatOp::Add, true),
            "fmul" => (FloatOp::Mul, true),
            "fmin" => (FloatOp::MinNum, false),
            "fmax" => (FloatOp::MaxNum, false),
            "fminimum" => (FloatOp::Minimum, false),
            "fmaximum" => (FloatOp::Maximum, false),
            _ => return unsupported(format!("the intrinsic llvm.vector.reduce.{kind}")),
        };
        let float = float_kind(call.ty())?;
        let first = if start { Some(self.scalar(args[0])?) } else { None };
        let lanes = self.operand(args[usize::from(start)])?;
        self.reduce(call, &lanes, first, |body, dst, a, b| {
            body.emit(Inst::Float { op, kind: float, dst, a, b });
        })
    }
}

/// Predicates as `llvm.experimental.constrained.fcmp` spells them.
fn predicate_named(name: &str) -> Option<FloatPred> {
    Some(match name {
        "oeq" => FloatPred::Oeq,
        "ogt" => FloatPred::Ogt,
        "oge" => FloatPred::Oge,
        "olt" => FloatPred::Olt,
        "ole" => FloatPred::Ole,
        "one" => FloatPred::One,
        "ord" => FloatPred::Ord,
        "ueq" => FloatPred::Ueq,
        "ugt" => FloatPred::Ugt,
        "uge" => FloatPred::Uge,
        "ult" => FloatPred::Ult,
        "ule" => FloatPred::Ule,
        "une" => FloatPred::Une,
        "uno" => FloatPred::Uno,
        _ => return None,
    })
}

fn reduction_of_ints(kind: &str) -> Option<IntOp> {
    Some(match kind {
        "add" => IntOp::Add,
        "mul" => IntOp::Mul,
        "and" => IntOp::And,
        "or" => IntOp::Or,
        "xor" => IntOp::Xor,
        "smax" => IntOp::SMax,
        "smin" => IntOp::SMin,
        "umax" => IntOp::UMax,
        "umin" => IntOp::UMin,
        _ => return None,
    })
}

fn int_operation(name: &str) -> Option<IntOp> {
    Some(match name {
        "umin" => IntOp::UMin,
        "umax" => IntOp::UMax,
        "smin" => IntOp::SMin,
        "smax" => IntOp::SMax,
        "uadd.sat" => IntOp::USatAdd,
        "sadd.sat" => IntOp::SSatAdd,
        "usub.sat" => IntOp::USatSub,
        "ssub.sat" => IntOp::SSatSub,
        "ushl.sat" => IntOp::USatShl,
        "sshl.sat" => IntOp::SSatShl,
        _ => return None,
    })
}

fn int_unary(name: &str) -> Option<IntUnOp> {
    Some(match name {
        "ctpop" => IntUnOp::PopCount,
        "ctlz" => IntUnOp::LeadingZeros,
        "cttz" => IntUnOp::TrailingZeros,
        "bswap" => IntUnOp::ByteSwap,
        "bitreverse" => IntUnOp::BitReverse,
        "abs" => IntUnOp::Abs,
        _ => return None,
    })
}

fn overflow_operation(name: &str) -> Option<OverflowOp> {
    Some(match name {
        "uadd.with.overflow" => OverflowOp::UAdd,
        "sadd.with.overflow" => OverflowOp::SAdd,
        "usub.with.overflow" => OverflowOp::USub,
        "ssub.with.overflow" => OverflowOp::SSub,
        "umul.with.overflow" => OverflowOp::UMul,
        "smul.with.overflow" => OverflowOp::SMul,
        _ => return None,
    })
}

fn float_unary(name: &str) -> Option<FloatUnOp> {
    Some(match name {
        "fabs" => FloatUnOp::Abs,
        "sqrt" => FloatUnOp::Sqrt,
        "floor" => FloatUnOp::Floor,
        "ceil" => FloatUnOp::Ceil,
        "trunc" => FloatUnOp::Trunc,
        "round" => FloatUnOp::Round,
        "roundeven" => FloatUnOp::RoundEven,
        "rint" => FloatUnOp::Rint,
        "nearbyint" => FloatUnOp::NearbyInt,
        "sin" => FloatUnOp::Sin,
        "cos" => FloatUnOp::Cos,
        "tan" => FloatUnOp::Tan,
        "asin" => FloatUnOp::Asin,
        "acos" => FloatUnOp::Acos,
        "atan" => FloatUnOp::Atan,
        "sinh" => FloatUnOp::Sinh,
        "cosh" => FloatUnOp::Cosh,
        "tanh" => FloatUnOp::Tanh,
        "exp" => FloatUnOp::Exp,
        "exp2" => FloatUnOp::Exp2,
        "exp10" => FloatUnOp::Exp10,
        "log" => FloatUnOp::Log,
        "log2" => FloatUnOp::Log2,
        "log10" => FloatUnOp::Log10,
        "canonicalize" => FloatUnOp::Canonicalize,
        _ => return None,
    })
}

fn float_operation(name: &str) -> Option<FloatOp> {
    Some(match name {
        "minnum" | "minimumnum" => FloatOp::MinNum,
        "maxnum" | "maximumnum" => FloatOp::MaxNum,
        "minimum" => FloatOp::Minimum,
        "maximum" => FloatOp::Maximum,
        "copysign" => FloatOp::CopySign,
        "pow" => FloatOp::Pow,
        "powi" => FloatOp::PowI,
        "ldexp" => FloatOp::LdExp,
        "atan2" => FloatOp::Atan2,
        _ => return None,
    })
}
