//! Loads and stores. What the tables say nothing of is asked.

use std::mem::offset_of;

use cranelift_codegen::ir::{InstBuilder, MemFlags, Type, Value, types};
use exeunt_ir::address::Space;
use exeunt_ir::{Access, Pc, Slot};

use super::{Emitted, Emitter};
use crate::context::{Context, ROWS, Row, SPAN, SPAN_BITS};

/// Whether an access is compiled: whole bytes of one register, and nothing that orders threads.
pub(super) fn is_plain(bits: u8, access: Access) -> bool {
    let plain = match access {
        Access::Plain => true,
        Access::Volatile | Access::Atomic(_) => false,
    };
    plain && type_of(bits).is_some()
}

fn type_of(bits: u8) -> Option<Type> {
    match bits {
        8 => Some(types::I8),
        16 => Some(types::I16),
        32 => Some(types::I32),
        64 => Some(types::I64),
        _ => None,
    }
}

/// A row that was found, and the byte of its span.
struct Found {
    row: Value,
    at: Value,
}

/// The bytes with which a pointer with a byte of an access could end: from that of the access on.
struct Around {
    /// Where their span begins in our own memory.
    start: Value,
    last: Value,
    /// Not zero if a byte of the words that they are in could be the top byte of an address.
    tags: Value,
}

impl Emitter<'_, '_> {
    pub(super) fn load(
        &mut self,
        pc: Pc,
        bits: u8,
        pointer: bool,
        dst: Slot,
        addr: Slot,
    ) -> Emitted<()> {
        let ty = type_of(bits).expect("only such accesses are compiled");
        let address = self.get(addr)?;
        let (slow, done) = (self.cold(), self.b.create_block());
        self.b.append_block_param(done, types::I64);
        let table = match pointer && bits == 64 {
            true => offset_of!(Context, pointers.rows),
            false => offset_of!(Context, reads.rows),
        };
        if pointer && bits == 64 {
            let odd = self.b.ins().band_imm(address, 7);
            let aligned = self.b.create_block();
            self.b.ins().brif(odd, slow, &[], aligned, &[]);
            self.b.switch_to_block(aligned);
        }
        let found = self.find(table, address, bits, slow);
        let place = self.place_of(&found);
        let flags = MemFlags::new().with_notrap();
        let value = self.b.ins().load(ty, flags, place, 0);
        let value = match bits {
            64 => value,
            _ => self.b.ins().uextend(types::I64, value),
        };
        self.b.ins().jump(done, &[value.into()]);
        self.b.switch_to_block(slow);
        self.write_back(addr, address);
        self.ask(self.refs.load, pc);
        self.take_results(pc, &[dst]);
        let value = self.b.use_var(self.registers[dst as usize]);
        self.b.ins().jump(done, &[value.into()]);
        self.b.switch_to_block(done);
        let value = self.b.block_params(done)[0];
        self.set(dst, value);
        Ok(())
    }

    pub(super) fn store(&mut self, pc: Pc, bits: u8, src: Slot, addr: Slot) -> Emitted<()> {
        let ty = type_of(bits).expect("only such accesses are compiled");
        let (address, value) = (self.get(addr)?, self.get(src)?);
        let (slow, done) = (self.cold(), self.b.create_block());
        if bits > 8 {
            let odd = self.b.ins().band_imm(address, i64::from(bits / 8) - 1);
            let aligned = self.b.create_block();
            self.b.ins().brif(odd, slow, &[], aligned, &[]);
            self.b.switch_to_block(aligned);
        }
        let found = self.find(offset_of!(Context, writes.rows), address, bits, slow);
        let place = self.place_of(&found);
        let flags = MemFlags::new().with_notrap();
        let low = match bits {
            64 => value,
            _ => self.b.ins().ireduce(ty, value),
        };
        // Without a shadow this is where the value itself goes.
        let distance = self.of_row(&found, offset_of!(Row, shadow));
        let shadow = self.b.ins().iadd(place, distance);
        let nothing = self.b.ins().iconst(ty, 0);
        self.b.ins().store(flags, nothing, shadow, 0);
        self.b.ins().store(flags, low, place, 0);
        let Around { start, last, tags } = self.tags_around(&found, bits);
        let (tagged, points) = (self.cold(), self.cold());
        self.b.ins().brif(tags, tagged, &[], done, &[]);
        // Many numbers have such a byte somewhere, and few of them are addresses.
        self.b.switch_to_block(tagged);
        let call = match bits {
            64 => self.b.ins().call(self.refs.points_whole, &[self.context, found.row, address]),
            _ => self.b.ins().call(self.refs.points, &[start, found.at, last]),
        };
        let windows = self.b.inst_results(call)[0];
        self.b.ins().brif(windows, points, &[], done, &[]);
        self.b.switch_to_block(points);
        self.write_back(addr, address);
        self.ask(self.refs.stored, pc);
        self.b.ins().jump(done, &[]);
        self.b.switch_to_block(slow);
        self.write_back(addr, address);
        self.write_back(src, value);
        self.ask(self.refs.store, pc);
        self.b.ins().jump(done, &[]);
        self.b.switch_to_block(done);
        Ok(())
    }

    fn tags_around(&mut self, found: &Found, bits: u8) -> Around {
        let start = self.of_row(found, offset_of!(Row, start));
        let last = self.bound_of_row(found, offset_of!(Row, last));
        let reach = self.b.ins().iadd_imm(found.at, i64::from(bits / 8) + 6);
        let last = self.b.ins().smin(reach, last);
        let mut tags = Vec::new();
        for byte in [found.at, last] {
            let word = self.b.ins().band_imm(byte, !7);
            let place = self.b.ins().iadd(start, word);
            let word = self.b.ins().load(types::I64, MemFlags::new().with_notrap(), place, 0);
            tags.push(self.tags_in(word));
        }
        Around { start, last, tags: self.b.ins().bor(tags[0], tags[1]) }
    }

    /// Not zero if a byte could be the top byte of an address; all eight are compared at once.
    fn tags_in(&mut self, word: Value) -> Value {
        const ONES: u64 = 0x0101_0101_0101_0101;
        const BELOW: u64 = Space::Heap as u64 - 1;
        const ABOVE: u64 = Space::Thread as u64 + 1;
        let low = self.b.ins().band_imm(word, (ONES * 0x7f) as i64);
        let ceiling = self.number(ONES.wrapping_mul(127 + ABOVE));
        let under = self.b.ins().isub(ceiling, low);
        let over = self.b.ins().iadd_imm(low, (ONES * (127 - BELOW)) as i64);
        let both = self.b.ins().band(under, over);
        let both = self.b.ins().band_not(both, word);
        self.b.ins().band_imm(both, (ONES * 0x80) as i64)
    }

    /// Finds the row of an address, and goes the slow way if there is none that covers the access.
    fn find(
        &mut self,
        table: usize,
        address: Value,
        bits: u8,
        slow: cranelift_codegen::ir::Block,
    ) -> Found {
        let number = self.b.ins().ushr_imm(address, SPAN_BITS as i64);
        let object = self.b.ins().ushr_imm(address, 32);
        let mixed = self.b.ins().bxor(number, object);
        let at = self.b.ins().band_imm(mixed, ROWS as i64 - 1);
        let offset = self.b.ins().imul_imm(at, size_of::<Row>() as i64);
        // The rows of a table stay where they are.
        let flags = MemFlags::trusted().with_readonly();
        let rows = self.b.ins().load(types::I64, flags, self.context, table as i32);
        let row = self.b.ins().iadd(rows, offset);
        let found = Found { row, at: self.b.ins().band_imm(address, SPAN as i64 - 1) };
        let known = self.of_row(&found, offset_of!(Row, number));
        let low = self.bound_of_row(&found, offset_of!(Row, low));
        let end = self.bound_of_row(&found, offset_of!(Row, end));
        let behind = self.b.ins().iadd_imm(found.at, i64::from(bits / 8));
        // Negative if the access begins before what can be accessed, or ends behind it.
        let before = self.b.ins().isub(found.at, low);
        let beyond = self.b.ins().isub(end, behind);
        let outside = self.b.ins().bor(before, beyond);
        let outside = self.b.ins().ushr_imm(outside, 63);
        let other = self.b.ins().bxor(known, number);
        let out = self.b.ins().bor(outside, other);
        let go_on = self.b.create_block();
        self.b.ins().brif(out, slow, &[], go_on, &[]);
        self.b.switch_to_block(go_on);
        found
    }

    fn of_row(&mut self, found: &Found, offset: usize) -> Value {
        self.b.ins().load(types::I64, MemFlags::trusted(), found.row, offset as i32)
    }

    fn bound_of_row(&mut self, found: &Found, offset: usize) -> Value {
        self.b.ins().sload16(types::I64, MemFlags::trusted(), found.row, offset as i32)
    }

    /// The address in our own memory.
    fn place_of(&mut self, found: &Found) -> Value {
        let start = self.of_row(found, offset_of!(Row, start));
        self.b.ins().iadd(start, found.at)
    }
}
