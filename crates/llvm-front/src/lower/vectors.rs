//! Vectors and aggregates, which only exist as their leaves.

use exeunt_ir::{Access, CmpPred, Inst, Scalar, Slot};

use super::body::{Body, Slots};
use super::ints::int_width;
use super::{Lowered, unsupported};
use crate::llvm::Value;

impl<'m> Body<'_, 'm> {
    pub fn extract_value(&mut self, value: Value<'m>) -> Lowered<()> {
        let aggregate = value.operand(0);
        let (first, part) = self.unit.leaf_position(aggregate.ty(), &value.indices())?;
        let count = self.unit.leaves(part)?.len();
        let slots = self.operand(aggregate)?;
        self.alias(value, slots[first..first + count].into());
        Ok(())
    }

    pub fn insert_value(&mut self, value: Value<'m>) -> Lowered<()> {
        let (first, _) = self.unit.leaf_position(value.ty(), &value.indices())?;
        let mut slots = self.operand(value.operand(0))?.to_vec();
        let part = self.operand(value.operand(1))?;
        slots[first..first + part.len()].copy_from_slice(&part);
        self.alias(value, slots.into());
        Ok(())
    }

    pub fn shuffle(&mut self, value: Value<'m>) -> Lowered<()> {
        let mut lanes = self.operand(value.operand(0))?.to_vec();
        lanes.extend_from_slice(&self.operand(value.operand(1))?);
        let leaves = self.unit.leaves(value.ty())?;
        let mut slots = Vec::new();
        for (leaf, lane) in leaves.iter().zip(value.shuffle_mask()) {
            slots.push(match lane {
                Some(lane) => lanes[lane as usize],
                None => self.undefined(leaf.ty.bits()),
            });
        }
        self.alias(value, slots.into());
        Ok(())
    }

    pub fn extract_element(&mut self, value: Value<'m>) -> Lowered<()> {
        let (vector, index) = (value.operand(0), value.operand(1));
        let lanes = self.operand(vector)?;
        if let Some(index) = index.int_bits() {
            let slot = match lanes.get(index as usize) {
                Some(&slot) => slot,
                None => self.undefined(self.unit.leaves(value.ty())?[0].ty.bits()),
            };
            self.alias(value, [slot].into());
            return Ok(());
        }
        let ty = self.unit.leaves(value.ty())?[0].ty;
        let (slot, width) = (self.scalar(index)?, int_width(index.ty())?);
        let dst = self.result(value)?[0];
        let nothing = self.undefined(ty.bits());
        self.mov(ty.bits(), dst, nothing);
        for (i, &lane) in lanes.iter().enumerate() {
            let here = self.is_lane(slot, width, i);
            for half in 0..ty.slots() {
                let (dst, a) = (dst + half, lane + half);
                self.emit(Inst::Select { dst, cond: here, a, b: dst });
            }
        }
        Ok(())
    }

    pub fn insert_element(&mut self, value: Value<'m>) -> Lowered<()> {
        let lanes = self.operand(value.operand(0))?;
        let element = self.scalar(value.operand(1))?;
        let index = value.operand(2);
        if let Some(index) = index.int_bits() {
            let mut slots = lanes.to_vec();
            if let Some(lane) = slots.get_mut(index as usize) {
                *lane = element;
            }
            self.alias(value, slots.into());
            return Ok(());
        }
        let (slot, width) = (self.scalar(index)?, int_width(index.ty())?);
        let leaves = self.unit.leaves(value.ty())?;
        let dst = self.result(value)?;
        for (i, leaf) in leaves.iter().enumerate() {
            let here = self.is_lane(slot, width, i);
            for half in 0..leaf.ty.slots() {
                let (a, b) = (element + half, lanes[i] + half);
                self.emit(Inst::Select { dst: dst[i] + half, cond: here, a, b });
            }
        }
        Ok(())
    }

    /// One bit: the index in `slot` is `lane`.
    fn is_lane(&mut self, slot: Slot, width: u8, lane: usize) -> Slot {
        let (dst, number) = (self.fresh(1), self.wide_constant(lane as u64, width));
        self.compare(CmpPred::Eq, width, dst, slot, number);
        dst
    }

    /// Folds all lanes into one with `join(self, dst, a, b)`, in order.
    pub fn reduce(
        &mut self,
        value: Value<'m>,
        lanes: &Slots,
        start: Option<Slot>,
        mut join: impl FnMut(&mut Self, Slot, Slot, Slot),
    ) -> Lowered<()> {
        let ty = self.unit.leaves(value.ty())?[0].ty;
        let mut rest = start.into_iter().chain(lanes.iter().copied());
        let Some(mut sum) = rest.next() else {
            return unsupported("a vector without lanes");
        };
        for lane in rest {
            let dst = self.fresh(ty.slots());
            join(self, dst, sum, lane);
            sum = dst;
        }
        self.alias(value, [sum].into());
        Ok(())
    }

    // ---- intrinsics ----------------------------------------------------------------

    pub fn vector_intrinsic(
        &mut self,
        call: Value<'m>,
        short: &str,
        args: &[Value<'m>],
    ) -> Lowered<()> {
        let mut rows = Vec::new();
        match short {
            "masked.load" | "masked.store" | "masked.gather" | "masked.scatter" => {
                return self.masked_access(call, short, args);
            }
            "vector.insert"
            | "vector.extract"
            | "vector.reverse"
            | "vector.interleave2"
            | "vector.deinterleave2" => {}
            _ => return unsupported(format!("the intrinsic llvm.{short}")),
        }
        for &arg in args {
            rows.push(self.operand(arg)?);
        }
        let position = args.last().and_then(|arg| arg.int_bits()).unwrap_or(0) as usize;
        let first = rows[0].clone();
        let slots: Vec<Slot> = match short {
            "vector.insert" => {
                let mut all = first.to_vec();
                match all.get_mut(position..position + rows[1].len()) {
                    Some(place) => place.copy_from_slice(&rows[1]),
                    None => return unsupported("a vector that is inserted out of bounds"),
                }
                all
            }
            "vector.extract" => {
                let count = self.unit.leaves(call.ty())?.len();
                match first.get(position..position + count) {
                    Some(part) => part.to_vec(),
                    None => return unsupported("a vector that is extracted out of bounds"),
                }
            }
            "vector.reverse" => first.iter().rev().copied().collect(),
            "vector.interleave2" => {
                first.iter().zip(rows[1].iter()).flat_map(|(&a, &b)| [a, b]).collect()
            }
            _ => {
                let (even, odd) = (first.iter().step_by(2), first.iter().skip(1).step_by(2));
                even.chain(odd).copied().collect()
            }
        };
        self.alias(call, slots.into());
        Ok(())
    }

    /// Each lane is accessed only if its bit of the mask is set.
    fn masked_access(&mut self, call: Value<'m>, short: &str, args: &[Value<'m>]) -> Lowered<()> {
        // Older modules have the alignment among the arguments.
        let args: Vec<Value<'m>> =
            args.iter().copied().filter(|arg| arg.ty().int_width() == 0).collect();
        let &[first, second, third] = &args[..] else {
            return unsupported(format!("the intrinsic llvm.{short}"));
        };
        let stores = matches!(short, "masked.store" | "masked.scatter");
        let (value, address, mask) =
            if stores { (first, second, third) } else { (third, first, second) };
        let leaves = self.unit.leaves(value.ty())?;
        if leaves.iter().any(|leaf| leaf.packed) {
            return unsupported(format!("{} in memory", value.ty()));
        }
        let (data, masks) = (self.operand(value)?, self.operand(mask)?);
        let addresses = self.operand(address)?;
        let results = if stores { data.clone() } else { self.result(call)? };
        for (lane, leaf) in leaves.iter().enumerate() {
            let addr = match addresses.len() {
                1 => self.offset(addresses[0], (leaf.bit_offset / 8) as i64),
                _ => addresses[lane],
            };
            let (bits, pointer) = (leaf.ty.bits(), leaf.ty == Scalar::Ptr);
            let (access, slot) = (Access::Plain, results[lane]);
            if !stores {
                self.mov(bits, slot, data[lane]);
            }
            let (yes, no) = (self.new_label(), self.new_label());
            self.emit(Inst::Branch { cond: masks[lane], yes, no });
            self.place(yes);
            self.emit(match stores {
                true => Inst::Store { bits, pointer, access, src: slot, addr },
                false => Inst::Load { bits, pointer, access, dst: slot, addr },
            });
            self.place(no);
        }
        Ok(())
    }
}
