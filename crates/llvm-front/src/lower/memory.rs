//! Memory: allocation, accesses, address arithmetic, atomics.

use exeunt_ir::{
    Access, Inst, IntOp, LocalName, Order, RmwOp, Scalar, Slot, VariableName, VariablePlace,
};

use super::body::{Body, Slots};
use super::constants::sign_extend;
use super::ints::pieces;
use super::layout::Leaves;
use super::{Lowered, Unit, unsupported};
use crate::llvm::{Opcode, Ordering, RmwBinOp, Type, TypeKind, Value};

/// Address arithmetic that is still being added up.
struct Place {
    base: Slot,
    offset: i64,
}

impl<'m> Body<'_, 'm> {
    // ---- allocation --------------------------------------------------------------

    /// Copies `byval` parameters and collects the names of local variables.
    pub fn prologue(&mut self) -> Lowered<()> {
        self.collect_local_names();
        for (index, param) in self.function.params().into_iter().enumerate() {
            let Some(ty) = self.function.param_by_value(index as u32) else { continue };
            let (size, src) = (self.byte_size(ty)?, self.scalar(param)?);
            let (one, len) = (self.constant(1), self.constant(size.into()));
            let dst = self.fresh(1);
            self.name_local(param);
            self.emit(Inst::Alloca { dst, size, count: one });
            self.emit(Inst::MemCopy { dst, src, len, may_overlap: false, volatile: false });
            self.alias(param, [dst].into());
        }
        Ok(())
    }

    fn collect_local_names(&mut self) {
        for block in self.function.blocks() {
            for instruction in block.instructions() {
                for (address, variable) in instruction.declared_variables() {
                    if let Some(named) = self.unit.local_variable(variable) {
                        self.local_names.entry(address).or_insert(named);
                    }
                }
            }
        }
    }

    /// The next instruction allocates the object at `address`.
    fn name_local(&mut self, address: Value<'m>) {
        let named = self.local_names.get(&address).cloned().or_else(|| {
            let name = address.name();
            let name = name.strip_suffix(".addr").unwrap_or(&name);
            (!name.is_empty()).then(|| (name.into(), None))
        });
        if let Some((name, ty)) = named {
            self.out.locals.push(LocalName { pc: self.pc(), name, ty });
        }
    }

    /// Notes which variables change their place before an instruction.
    pub fn name_values(&mut self, instruction: Value<'m>) {
        for (value, variable, expression) in instruction.valued_variables() {
            let Some((name, ty)) = self.unit.local_variable(variable) else { continue };
            let plain = self.unit.is_plain(expression);
            let place = value.filter(|_| plain).map(|value| self.place_of(value));
            let next = self.variables.len() as u32;
            let number = *self.variables.entry(variable).or_insert(next);
            let place = place.unwrap_or(VariablePlace::Gone);
            let row = VariableName { pc: self.pc(), variable: number, name, ty, place };
            self.out.variables.push(row);
        }
    }

    fn place_of(&mut self, value: Value<'m>) -> VariablePlace {
        match self.values.get(&value).map(|slots| &**slots) {
            Some(&[slot]) if !self.is_constant_slot(slot) => VariablePlace::Register(slot),
            Some(_) => VariablePlace::Gone,
            None if value.is_constant() => match self.unit.constant(value).as_deref() {
                Ok(&[constant]) if constant.undefined == 0 => {
                    VariablePlace::Constant(constant.value)
                }
                _ => VariablePlace::Gone,
            },
            None => VariablePlace::Gone,
        }
    }

    fn byte_size(&self, ty: Type<'m>) -> Lowered<u32> {
        let size = ty.size(self.unit.module).and_then(|size| u32::try_from(size).ok());
        size.map_or_else(|| unsupported(format!("an object of type {ty} on the stack")), Ok)
    }

    pub fn alloca(&mut self, value: Value<'m>) -> Lowered<()> {
        let size = self.byte_size(value.allocated_type())?;
        let count = self.scalar(value.operand(0))?;
        let dst = self.result(value)?;
        self.name_local(value);
        self.emit(Inst::Alloca { dst: dst[0], size, count });
        Ok(())
    }

    // ---- loads and stores ----------------------------------------------------------

    fn access_kind(&self, value: Value<'m>) -> Access {
        if let Some(order) = memory_order(value.ordering()) {
            Access::Atomic(order)
        } else if value.is_volatile() {
            Access::Volatile
        } else {
            Access::Plain
        }
    }

    pub fn load(&mut self, value: Value<'m>) -> Lowered<()> {
        let access = self.access_kind(value);
        let addr = self.scalar(value.operand(0))?;
        let leaves = self.unit.leaves(value.ty())?;
        if leaves.iter().any(|leaf| leaf.packed) {
            return self.load_packed(value, addr, access);
        }
        let dst = self.result(value)?;
        for (leaf, &dst) in leaves.iter().zip(dst.iter()) {
            let addr = self.offset(addr, (leaf.bit_offset / 8) as i64);
            let pointer = leaf.ty == Scalar::Ptr;
            self.emit(Inst::Load { bits: leaf.ty.bits(), pointer, access, dst, addr });
        }
        Ok(())
    }

    pub fn store(&mut self, value: Value<'m>) -> Lowered<()> {
        let access = self.access_kind(value);
        let (stored, addr) = (value.operand(0), self.scalar(value.operand(1))?);
        let leaves = self.unit.leaves(stored.ty())?;
        let src = self.operand(stored)?;
        if leaves.iter().any(|leaf| leaf.packed) {
            return self.store_packed(stored, &src, addr, access);
        }
        for (leaf, &src) in leaves.iter().zip(src.iter()) {
            let addr = self.offset(addr, (leaf.bit_offset / 8) as i64);
            let pointer = leaf.ty == Scalar::Ptr;
            self.emit(Inst::Store { bits: leaf.ty.bits(), pointer, access, src, addr });
        }
        Ok(())
    }

    /// A vector whose elements share bytes is one integer in memory.
    fn packed_width(&self, ty: Type<'m>, leaves: &Leaves) -> Lowered<u8> {
        let bits: u32 = leaves.iter().map(|leaf| u32::from(leaf.ty.bits())).sum();
        let is_vector = ty.kind() == TypeKind::LLVMVectorTypeKind;
        if !is_vector || bits > 128 {
            return unsupported(format!("{ty} in memory"));
        }
        Ok(bits as u8)
    }

    fn load_packed(&mut self, value: Value<'m>, addr: Slot, access: Access) -> Lowered<()> {
        let leaves = self.unit.leaves(value.ty())?;
        let bits = self.packed_width(value.ty(), &leaves)?;
        let whole = Scalar::Int(bits);
        let dst = self.fresh(whole.slots());
        self.emit(Inst::Load { bits, pointer: false, access, dst, addr });
        let types = self.unit.scalars(value.ty())?;
        let slots = self.repack(&pieces(&[dst], &[whole]), &types);
        self.alias(value, slots);
        Ok(())
    }

    fn store_packed(
        &mut self,
        stored: Value<'m>,
        src: &Slots,
        addr: Slot,
        access: Access,
    ) -> Lowered<()> {
        let leaves = self.unit.leaves(stored.ty())?;
        let bits = self.packed_width(stored.ty(), &leaves)?;
        let types = self.unit.scalars(stored.ty())?;
        let src = self.repack(&pieces(src, &types), &[Scalar::Int(bits)])[0];
        self.emit(Inst::Store { bits, pointer: false, access, src, addr });
        Ok(())
    }

    // ---- addresses -----------------------------------------------------------------

    /// `base + offset` for any offset.
    pub fn offset(&mut self, base: Slot, offset: i64) -> Slot {
        if offset == 0 {
            return base;
        }
        let dst = self.fresh(1);
        match i32::try_from(offset) {
            Ok(offset) => self.emit(Inst::PtrAdd { dst, base, offset }),
            Err(_) => {
                let index = self.constant(offset as u64);
                self.emit(Inst::PtrIndex { dst, base, index, width: 64, scale: 1 });
            }
        }
        dst
    }

    pub fn gep(&mut self, value: Value<'m>) -> Lowered<()> {
        let slots = self.gep_slots(value)?;
        self.alias(value, slots);
        Ok(())
    }

    /// The address (or vector of addresses) of a `getelementptr`.
    pub fn gep_slots(&mut self, gep: Value<'m>) -> Lowered<Slots> {
        let mut operands = Vec::new();
        for operand in gep.operands() {
            operands.push(self.operand(operand)?);
        }
        let lanes = self.unit.leaves(gep.ty())?.len();
        let mut slots = Vec::with_capacity(lanes);
        for lane in 0..lanes {
            let of_lane: Vec<Slot> = operands
                .iter()
                .map(|slots| if slots.len() == 1 { slots[0] } else { slots[lane] })
                .collect();
            slots.push(self.gep_lane(gep, &of_lane)?);
        }
        Ok(slots.into())
    }

    fn gep_lane(&mut self, gep: Value<'m>, slots: &[Slot]) -> Lowered<Slot> {
        let mut place = Place { base: slots[0], offset: 0 };
        let mut ty = gep.gep_source_type();
        for (position, index) in gep.operands().enumerate().skip(1) {
            if position == 1 {
                self.index(&mut place, ty, index, slots[position])?;
            } else if ty.kind() == TypeKind::LLVMStructTypeKind {
                let field = field_number(index);
                let known = ty.size(self.unit.module).is_some();
                let field = field.filter(|&field| known && u64::from(field) < ty.len());
                let Some(field) = field else {
                    return unsupported("a field that is chosen at run time");
                };
                let offset = ty.field_offset(self.unit.module, field);
                place.offset = place.offset.wrapping_add(offset as i64);
                ty = ty.field(field);
            } else {
                let Some(element) = ty.element() else {
                    return unsupported(format!("an index into {ty}"));
                };
                ty = element;
                self.index(&mut place, ty, index, slots[position])?;
            }
        }
        Ok(self.offset(place.base, place.offset))
    }

    fn index(
        &mut self,
        place: &mut Place,
        ty: Type<'m>,
        index: Value<'m>,
        slot: Slot,
    ) -> Lowered<()> {
        let Some(size) = ty.size(self.unit.module) else {
            return unsupported(format!("address arithmetic over {ty}"));
        };
        let width = super::ints::int_width(index.ty())?.min(64);
        if let Some(constant) = index.int_bits() {
            let step = sign_extend(constant, width.into()).wrapping_mul(size as i64);
            place.offset = place.offset.wrapping_add(step);
            return Ok(());
        }
        let dst = self.fresh(1);
        let base = place.base;
        match i32::try_from(size) {
            Ok(scale) => self.emit(Inst::PtrIndex { dst, base, index: slot, width, scale }),
            Err(_) => {
                let (wide, factor) = (self.fresh(1), self.constant(size));
                self.emit(Inst::SExt { from: width, to: 64, dst: wide, a: slot });
                self.int(IntOp::Mul, 64, wide, wide, factor);
                self.emit(Inst::PtrIndex { dst, base, index: wide, width: 64, scale: 1 });
            }
        }
        place.base = dst;
        Ok(())
    }

    // ---- atomics -------------------------------------------------------------------

    pub fn compare_exchange(&mut self, value: Value<'m>) -> Lowered<()> {
        let bits = self.access_width(value.operand(1).ty())?;
        let addr = self.scalar(value.operand(0))?;
        let expected = self.scalar(value.operand(1))?;
        let new = self.scalar(value.operand(2))?;
        let dst = self.result(value)?;
        let list = self.list(vec![expected, new]);
        let (dst, ok) = (dst[0], dst[1]);
        let (order, failure) = value.exchange_orderings();
        let order = memory_order(order).unwrap_or(Order::SeqCst);
        let failure = memory_order(failure).unwrap_or(Order::SeqCst);
        let weak = value.is_weak();
        self.emit(Inst::CmpXchg { bits, weak, order, failure, dst, ok, addr, list });
        Ok(())
    }

    fn access_width(&self, ty: Type<'m>) -> Lowered<u8> {
        match *self.unit.scalars(ty)? {
            [scalar] => Ok(scalar.bits()),
            _ => unsupported(format!("an atomic access to {ty}")),
        }
    }

    pub fn read_modify_write(&mut self, value: Value<'m>) -> Lowered<()> {
        let op = rmw_op(value.rmw_operation())?;
        let bits = self.access_width(value.ty())?;
        let is_float = matches!(op, RmwOp::FAdd | RmwOp::FSub | RmwOp::FMax | RmwOp::FMin);
        if is_float {
            // Refuses what only looks like a float by its width.
            super::floats::float_kind(value.ty())?;
        }
        let (addr, src) = (self.scalar(value.operand(0))?, self.scalar(value.operand(1))?);
        let dst = self.result(value)?[0];
        let order = memory_order(value.ordering()).unwrap_or(Order::SeqCst);
        self.emit(Inst::Rmw { op, bits, order, dst, addr, src });
        Ok(())
    }

    pub fn fence(&mut self, value: Value<'m>) -> Lowered<()> {
        let order = match value.is_single_thread() {
            true => Order::Relaxed,
            false => memory_order(value.ordering()).unwrap_or(Order::SeqCst),
        };
        self.emit(Inst::Fence { order });
        Ok(())
    }
}

impl<'m> Unit<'m> {
    /// How many bytes there are from an address to the end of its object, if
    /// that can be seen: local and global variables at constant offsets.
    pub(super) fn bytes_from(&self, address: Value<'m>) -> Option<u64> {
        if address.is_global() && !address.is_declaration() {
            return address.value_type().size(self.module);
        }
        if address.constant_opcode() == Some(Opcode::LLVMGetElementPtr) {
            return self.bytes_behind(address);
        }
        if !address.is_instruction() {
            return None;
        }
        match address.opcode() {
            Opcode::LLVMAlloca => {
                let count = address.operand(0).int_bits()?;
                address.allocated_type().size(self.module)?.checked_mul(count)
            }
            Opcode::LLVMGetElementPtr => self.bytes_behind(address),
            _ => None,
        }
    }

    fn bytes_behind(&self, gep: Value<'m>) -> Option<u64> {
        let whole = self.bytes_from(gep.operand(0))?;
        let offset = self.constant_offset(gep).ok()?;
        let rest = whole.checked_sub(u64::try_from(offset).ok()?);
        Some(rest.unwrap_or(0))
    }
}

/// The number of a struct's field: a constant, or a vector of equal ones.
fn field_number(index: Value<'_>) -> Option<u32> {
    let number = match index.ty().kind() {
        TypeKind::LLVMVectorTypeKind => index.aggregate_element(0)?.int_bits()?,
        _ => index.int_bits()?,
    };
    u32::try_from(number).ok()
}

/// `None` for what is not atomic.
fn memory_order(ordering: Ordering) -> Option<Order> {
    use Ordering::*;
    Some(match ordering {
        LLVMAtomicOrderingNotAtomic => return None,
        LLVMAtomicOrderingUnordered | LLVMAtomicOrderingMonotonic => Order::Relaxed,
        LLVMAtomicOrderingAcquire => Order::Acquire,
        LLVMAtomicOrderingRelease => Order::Release,
        LLVMAtomicOrderingAcquireRelease => Order::AcqRel,
        LLVMAtomicOrderingSequentiallyConsistent => Order::SeqCst,
    })
}

fn rmw_op(op: RmwBinOp) -> Lowered<RmwOp> {
    use RmwBinOp::*;
    Ok(match op {
        LLVMAtomicRMWBinOpXchg => RmwOp::Xchg,
        LLVMAtomicRMWBinOpAdd => RmwOp::Add,
        LLVMAtomicRMWBinOpSub => RmwOp::Sub,
        LLVMAtomicRMWBinOpAnd => RmwOp::And,
        LLVMAtomicRMWBinOpNand => RmwOp::Nand,
        LLVMAtomicRMWBinOpOr => RmwOp::Or,
        LLVMAtomicRMWBinOpXor => RmwOp::Xor,
        LLVMAtomicRMWBinOpMax => RmwOp::Max,
        LLVMAtomicRMWBinOpMin => RmwOp::Min,
        LLVMAtomicRMWBinOpUMax => RmwOp::UMax,
        LLVMAtomicRMWBinOpUMin => RmwOp::UMin,
        LLVMAtomicRMWBinOpFAdd => RmwOp::FAdd,
        LLVMAtomicRMWBinOpFSub => RmwOp::FSub,
        LLVMAtomicRMWBinOpFMax => RmwOp::FMax,
        LLVMAtomicRMWBinOpFMin => RmwOp::FMin,
        LLVMAtomicRMWBinOpUIncWrap => RmwOp::UIncWrap,
        LLVMAtomicRMWBinOpUDecWrap => RmwOp::UDecWrap,
        LLVMAtomicRMWBinOpUSubCond => RmwOp::USubCond,
        LLVMAtomicRMWBinOpUSubSat => RmwOp::USubSat,
        _ => return unsupported("this atomic read-modify-write operation"),
    })
}
