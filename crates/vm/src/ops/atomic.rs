//! Atomic read-modify-write and compare-exchange.

use exeunt_ir::{IntOp, Order, RmwOp};
use exeunt_mem::Bits;
use exeunt_model::ChoiceKind;

use crate::machine::Machine;
use crate::ops::{int, wide};
use crate::options::WeakFailures;
use crate::stop::Stop;

const WEAK_FAILURE: &str = "a weak compare-exchange fails here although the values are equal, \
which the C and C++ standards allow; `--weak-failures never` assumes that it fails only if the \
values differ";

const DEMONIC_FAILURE: &str = "a weak compare-exchange fails here although the values are equal, \
which the C and C++ standards allow any number of times: every loop that only retries one can go \
on for ever; `--weak-failures fair` assumes that it succeeds some time";

impl Machine<'_> {
    fn pair(&self, base: usize, slot: u32, bits: u8) -> (Bits, Bits) {
        let low = self.thread.registers[base + slot as usize];
        let high = if bits > 64 {
            self.thread.registers[base + slot as usize + 1]
        } else {
            Bits::default()
        };
        (low, high)
    }

    fn set_pair(&mut self, base: usize, slot: u32, bits: u8, value: (Bits, Bits)) {
        self.thread.registers[base + slot as usize] = value.0;
        if bits > 64 {
            self.thread.registers[base + slot as usize + 1] = value.1;
        }
    }

    fn atomic_address(&mut self, base: usize, slot: u32) -> Result<u64, Stop> {
        let addr = self.thread.registers[base + slot as usize];
        if addr.undefined != 0 {
            return Err(self.undefined_use("the address of an atomic operation"));
        }
        Ok(addr.value)
    }

    pub fn atomic_load(&mut self, addr: u64, bits: u8, order: Order) -> Result<(Bits, Bits), Stop> {
        let value = self.atomically(|machine| machine.load(addr, bits))?;
        self.note_atomic_read(addr, order);
        Ok(value)
    }

    pub fn atomic_store(
        &mut self,
        addr: u64,
        bits: u8,
        value: (Bits, Bits),
        order: Order,
    ) -> Result<(), Stop> {
        self.atomically(|machine| machine.store(addr, bits, value.0, value.1))?;
        self.note_atomic_write(addr, u64::from(bits).div_ceil(8), order, false);
        Ok(())
    }

    /// The write of an operation that has read the variable.
    fn atomic_change(
        &mut self,
        addr: u64,
        bits: u8,
        value: (Bits, Bits),
        order: Order,
    ) -> Result<(), Stop> {
        self.atomically(|machine| machine.store(addr, bits, value.0, value.1))?;
        self.note_atomic_read(addr, order);
        self.note_atomic_write(addr, u64::from(bits).div_ceil(8), order, true);
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "the fields of one instruction")]
    pub fn rmw(
        &mut self,
        base: usize,
        op: RmwOp,
        bits: u8,
        order: Order,
        dst: u32,
        addr: u32,
        src: u32,
    ) -> Result<(), Stop> {
        let addr = self.atomic_address(base, addr)?;
        let operand = self.pair(base, src, bits);
        let old = self.atomically(|machine| machine.load(addr, bits))?;
        let old = (self.number_for(None, old.0), old.1);
        let new = if bits > 64 {
            let (old, operand) =
                (wide::Wide::join(old.0, old.1), wide::Wide::join(operand.0, operand.1));
            updated_wide(op, bits, old, operand).map_err(Stop::unsupported)?.split()
        } else {
            (updated(op, bits, old.0, operand.0).map_err(Stop::unsupported)?, Bits::default())
        };
        self.atomic_change(addr, bits, new, order)?;
        self.set_pair(base, dst, bits, old);
        self.tell(|machine| {
            let len = (bits.min(64) as usize).div_ceil(8);
            let place = machine.name_place(addr).trim_matches('`').to_string();
            let (old, new) = (
                machine.show_value(addr, old.0.value, len),
                machine.show_value(addr, new.0.value, len),
            );
            format!("atomically {place} = {new} (was {old})")
        });
        self.tell_atomic(addr, new.0 != old.0 || new.1 != old.1);
        Ok(())
    }

    /// An update that leaves the value as it is counts as a read.
    fn tell_atomic(&mut self, addr: u64, changed: bool) {
        if self.tale.is_told() {
            let place = self.name_place(addr).trim_matches('`').to_string();
            self.tell_accessed(addr, &place, changed);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the fields of one instruction")]
    pub fn compare_exchange(
        &mut self,
        base: usize,
        bits: u8,
        weak: bool,
        (order, failure): (Order, Order),
        dst: u32,
        ok: u32,
        addr: u32,
        list: u32,
    ) -> Result<(), Stop> {
        let addr = self.atomic_address(base, addr)?;
        let operands = &self.function().lists[list as usize];
        let expected = self.pair(base, operands[0], bits);
        let new = self.pair(base, operands[1], bits);
        let old = self.atomically(|machine| machine.load(addr, bits))?;
        let equality = equality(
            wide::Wide::join(self.number(old.0), old.1),
            wide::Wide::join(self.number(expected.0), expected.1),
            wide::mask(bits),
        );
        if equality == Equality::Undefined {
            return Err(self.undefined_use("a compare-exchange"));
        }
        let equal = equality != Equality::Different;
        // A weak one may fail although the values are equal.
        let may_fail = match self.vm.options.weak_failures {
            _ if !equal || !weak => None,
            WeakFailures::Demonic => Some(ChoiceKind::Environment),
            WeakFailures::Fair => Some(ChoiceKind::Scheduler),
            WeakFailures::Never => None,
        };
        let success = match (equality, may_fail) {
            (Equality::Different | Equality::Undefined, _) => false,
            (Equality::InPadding | Equality::Equal, Some(kind)) => self.choose(kind, 2)? == 0,
            (Equality::InPadding, None) => self.choose(ChoiceKind::Scheduler, 2)? == 0,
            (Equality::Equal, None) => true,
        };
        if success {
            self.atomic_change(addr, bits, new, order)?;
        } else {
            self.note_atomic_read(addr, failure);
        }
        self.set_pair(base, dst, bits, old);
        self.thread.registers[base + ok as usize] = Bits::defined(success as u64);
        self.tell(|machine| {
            let len = (bits.min(64) as usize).div_ceil(8);
            let place = machine.name_place(addr).trim_matches('`').to_string();
            let old = machine.show_value(addr, old.0.value, len);
            if success {
                let new = machine.show_value(addr, new.0.value, len);
                format!("compare-exchange {place} = {new} (was {old})")
            } else if equality == Equality::InPadding {
                format!("compare-exchange on {place} fails (bytes of padding differ)")
            } else if equal {
                format!("weak compare-exchange on {place} fails although it is {old}")
            } else {
                format!("compare-exchange on {place} fails (it is {old})")
            }
        });
        if let (Some(kind), false) = (may_fail, success) {
            self.tell_whim(match kind {
                ChoiceKind::Environment => DEMONIC_FAILURE,
                ChoiceKind::Scheduler => WEAK_FAILURE,
            });
        }
        self.tell_atomic(addr, success);
        Ok(())
    }
}

/// How an expected value compares with the one in memory, bit by bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Equality {
    Equal,
    Different,
    /// What is defined is equal, and some other bits are defined on one side
    /// only: padding, which may be equal or not.
    InPadding,
    /// One of them was never written.
    Undefined,
}

/// A compare-exchange compares all bytes, also those of padding. Bits that are
/// undefined on both sides were copied along with the value, as a loop does
/// that loads a struct and exchanges it: they are equal.
fn equality(old: wide::Wide, expected: wide::Wide, mask: u128) -> Equality {
    let either = (old.undefined | expected.undefined) & mask;
    let (here, there) = (old.undefined & mask, expected.undefined & mask);
    match () {
        () if (old.value ^ expected.value) & mask & !either != 0 => Equality::Different,
        () if either == 0 => Equality::Equal,
        () if here == mask || there == mask => Equality::Undefined,
        () if here == there => Equality::Equal,
        () => Equality::InPadding,
    }
}

/// The integer operation behind a read-modify-write, where there is one.
fn integer_op(op: RmwOp) -> Option<IntOp> {
    Some(match op {
        RmwOp::Add => IntOp::Add,
        RmwOp::Sub => IntOp::Sub,
        RmwOp::And | RmwOp::Nand => IntOp::And,
        RmwOp::Or => IntOp::Or,
        RmwOp::Xor => IntOp::Xor,
        RmwOp::Max => IntOp::SMax,
        RmwOp::Min => IntOp::SMin,
        RmwOp::UMax => IntOp::UMax,
        RmwOp::UMin => IntOp::UMin,
        RmwOp::USubSat => IntOp::USatSub,
        _ => return None,
    })
}

fn updated(op: RmwOp, bits: u8, old: Bits, operand: Bits) -> Result<Bits, String> {
    if let Some(int_op) = integer_op(op) {
        let value = int::binary(int_op, bits, old, operand).expect("not a division");
        let flip = if op == RmwOp::Nand { int::mask(bits) & !value.undefined } else { 0 };
        return Ok(Bits { value: value.value ^ flip, undefined: value.undefined });
    }
    if op == RmwOp::Xchg {
        return Ok(operand);
    }
    let undefined = if old.undefined | operand.undefined != 0 { int::mask(bits) } else { 0 };
    let (a, b) = (old.value, operand.value);
    let value = match op {
        RmwOp::UIncWrap => {
            if a >= b {
                0
            } else {
                a + 1
            }
        }
        RmwOp::UDecWrap => {
            if a == 0 || a > b {
                b
            } else {
                a - 1
            }
        }
        RmwOp::USubCond => {
            if a >= b {
                a - b
            } else {
                a
            }
        }
        RmwOp::FAdd | RmwOp::FSub | RmwOp::FMax | RmwOp::FMin => float_update(op, bits, a, b)?,
        _ => unreachable!("handled above"),
    };
    Ok(Bits { value: value & int::mask(bits) & !undefined, undefined })
}

fn float_update(op: RmwOp, bits: u8, a: u64, b: u64) -> Result<u64, String> {
    match bits {
        32 => {
            let (a, b) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            let value = match op {
                RmwOp::FAdd => a + b,
                RmwOp::FSub => a - b,
                RmwOp::FMax => a.max(b),
                _ => a.min(b),
            };
            Ok(value.to_bits() as u64)
        }
        64 => {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            let value = match op {
                RmwOp::FAdd => a + b,
                RmwOp::FSub => a - b,
                RmwOp::FMax => a.max(b),
                _ => a.min(b),
            };
            Ok(value.to_bits())
        }
        _ => Err(format!("an atomic floating-point operation on {bits} bits")),
    }
}

fn updated_wide(
    op: RmwOp,
    bits: u8,
    old: wide::Wide,
    operand: wide::Wide,
) -> Result<wide::Wide, String> {
    if op == RmwOp::Xchg {
        return Ok(operand);
    }
    let int_op = integer_op(op).ok_or_else(|| format!("an atomic {op:?} on {bits} bits"))?;
    let mut value = wide::binary(int_op, bits, old, operand).expect("not a division");
    if op == RmwOp::Nand {
        value.value ^= wide::mask(bits) & !value.undefined;
    }
    Ok(value)
}
