//! Loads, stores, blocks of memory, stack objects.
//!
//! Stores also keep the sharing facts: a pointer that gets into shared memory
//! shares what it points to.

use exeunt_ir::address::{self, ObjId, Space};
use exeunt_ir::{self as ir, GlobalId, Inst, Scalar};
use exeunt_mem::{Access, Bits, Flags};
use exeunt_model::{Fault, Property};

use crate::builtin::Value;
use crate::machine::Machine;
use crate::ops::int;
use crate::stop::Stop;

impl Machine<'_> {
    /// Reads up to 8 bytes.
    pub fn read(&mut self, addr: u64, len: usize) -> Result<Bits, Stop> {
        self.note_access(addr, len as u64, false)?;
        match self.mem.read(addr, len) {
            Ok(bits) => Ok(bits),
            Err(error) => Err(self.memory_fault(error, Access::Read, len as u64)),
        }
    }

    /// Writes up to 8 bytes.
    pub fn write(&mut self, addr: u64, len: usize, bits: Bits) -> Result<(), Stop> {
        self.note_access(addr, len as u64, true)?;
        match self.mem.write(addr, len, bits) {
            Err(error) => Err(self.memory_fault(error, Access::Write, len as u64)),
            Ok(pointer) => {
                if len == 8 && bits.undefined == 0 {
                    self.note_stored(addr, bits.value);
                } else if pointer {
                    self.note_assembled(addr);
                }
                Ok(())
            }
        }
    }

    /// A pointer may be put together from smaller pieces.
    fn note_assembled(&mut self, addr: u64) {
        let word_at = addr - address::offset(addr).rem_euclid(8) as u64;
        let Ok(word) = self.mem.read(word_at, 8) else { return };
        if word.undefined == 0 && exeunt_mem::pointee(word.value).is_some() {
            self.note_stored(word_at, word.value);
        }
    }

    /// A word that may be a pointer was written to memory.
    pub fn note_stored(&mut self, addr: u64, word: u64) {
        let Some(target) = exeunt_mem::pointee(word) else { return };
        if self.mem.header(target).is_none() {
            return;
        }
        let holder = address::object(addr);
        if address::offset(addr) % 8 != 0 {
            self.mem.set_flags(holder, Flags::UNALIGNED);
        }
        if target.space() == Some(Space::Stack) {
            self.mem.set_flags(target, Flags::STORED);
        }
        let shared = self.mem.header(holder).is_some_and(|h| h.flags.has(Flags::SHARED));
        if shared {
            self.mem.share(target);
        }
    }

    /// Like `note_stored` for a whole block at `addr`.
    fn note_stored_block(&mut self, addr: u64, data: &[u8]) {
        let skip = (8 - address::offset(addr).rem_euclid(8)) as usize % 8;
        let Some(aligned) = data.get(skip..) else { return };
        for (i, chunk) in aligned.chunks_exact(8).enumerate() {
            let word = u64::from_le_bytes(chunk.try_into().expect("chunks of 8"));
            self.note_stored(addr + (skip + 8 * i) as u64, word);
        }
    }

    pub fn read_bytes(&mut self, addr: u64, len: u64) -> Result<(Vec<u8>, Vec<u8>), Stop> {
        self.note_access(addr, len, false)?;
        match self.mem.read_bytes(addr, len) {
            Ok(bytes) => Ok(bytes),
            Err(error) => Err(self.memory_fault(error, Access::Read, len)),
        }
    }

    /// Writes a block; an empty shadow means that all of it is defined.
    pub fn write_bytes(&mut self, addr: u64, data: &[u8], shadow: &[u8]) -> Result<(), Stop> {
        self.note_access(addr, data.len() as u64, true)?;
        if data.is_empty() {
            return Ok(());
        }
        if let Err(error) = self.mem.write_bytes(addr, data, shadow) {
            return Err(self.memory_fault(error, Access::Write, data.len() as u64));
        }
        if address::object(addr).space() != Some(Space::Global) || data.len() >= 8 {
            self.note_stored_block(addr, data);
        }
        Ok(())
    }

    /// A zero-terminated string, which must be defined up to its end.
    pub fn read_string(&mut self, addr: u64, what: &str) -> Result<Vec<u8>, Stop> {
        let mut text = Vec::new();
        loop {
            let byte = self.read(addr.wrapping_add(text.len() as u64), 1)?;
            if byte.undefined != 0 {
                return Err(self.undefined_use(what));
            }
            if byte.value == 0 {
                return Ok(text);
            }
            text.push(byte.value as u8);
        }
    }

    pub fn load_or_store(&mut self, inst: &Inst, base: usize) -> Result<(), Stop> {
        match *inst {
            Inst::Load { bits, dst, addr, pointer, access } => {
                let addr = self.address(base, addr, "an address that is read")?;
                let (low, high) = match access {
                    ir::Access::Plain | ir::Access::Volatile => self.load(addr, bits)?,
                    ir::Access::Atomic(order) => self.atomic_load(addr, bits, order)?,
                };
                if !pointer && bits == 64 {
                    self.note_integer_load(addr, low);
                }
                self.registers[base + dst as usize] = low;
                if bits > 64 {
                    self.registers[base + dst as usize + 1] = high;
                }
                self.tell_access(addr, bits, low, None);
            }
            Inst::Store { bits, src, addr, access, .. } => {
                let addr = self.address(base, addr, "an address that is written")?;
                let low = self.registers[base + src as usize];
                let old = if self.story {
                    self.mem.read(addr, (bits.min(64) as usize).div_ceil(8)).ok()
                } else {
                    None
                };
                let high = if bits > 64 { self.registers[base + src as usize + 1] } else { low };
                match access {
                    ir::Access::Plain | ir::Access::Volatile => {
                        self.store(addr, bits, low, high)?;
                    }
                    ir::Access::Atomic(order) => {
                        self.atomic_store(addr, bits, (low, high), order)?
                    }
                }
                self.tell_access(addr, bits, low, Some(old));
            }
            _ => unreachable!("only loads and stores come here"),
        }
        Ok(())
    }

    fn address(&mut self, base: usize, slot: u32, what: &str) -> Result<u64, Stop> {
        let addr = self.registers[base + slot as usize];
        if addr.undefined != 0 {
            return Err(self.undefined_use(what));
        }
        Ok(addr.value)
    }

    /// Private memory read as an integer may be a pointer in disguise.
    fn note_integer_load(&mut self, addr: u64, bits: Bits) {
        if let Some(target) = exeunt_mem::pointee(bits.value)
            && address::object(addr).space() != Some(Space::Global)
        {
            self.mem.share(target);
        }
    }

    pub fn load(&mut self, addr: u64, bits: u8) -> Result<(Bits, Bits), Stop> {
        let bytes = (bits as usize).div_ceil(8);
        if bytes <= 8 {
            let mask = int::mask(bits);
            let word = self.read(addr, bytes)?;
            return Ok((
                Bits { value: word.value & mask, undefined: word.undefined & mask },
                Bits::default(),
            ));
        }
        if let Err(error) = self.mem.check(addr, bytes as u64, Access::Read) {
            return Err(self.memory_fault(error, Access::Read, bytes as u64));
        }
        let mask = int::mask(bits - 64);
        let low = self.read(addr, 8)?;
        let high = self.read(addr + 8, bytes - 8)?;
        Ok((low, Bits { value: high.value & mask, undefined: high.undefined & mask }))
    }

    pub fn store(&mut self, addr: u64, bits: u8, low: Bits, high: Bits) -> Result<(), Stop> {
        let bytes = (bits as usize).div_ceil(8);
        if bytes <= 8 {
            return self.write(addr, bytes, low);
        }
        if let Err(error) = self.mem.check(addr, bytes as u64, Access::Write) {
            return Err(self.memory_fault(error, Access::Write, bytes as u64));
        }
        self.write(addr, 8, low)?;
        self.write(addr + 8, bytes - 8, high)
    }

    fn tell_access(&mut self, addr: u64, bits: u8, value: Bits, old: Option<Option<Bits>>) {
        if !self.story || !self.is_shared(addr) {
            return;
        }
        let len = (bits.min(64) as usize).div_ceil(8);
        let place = self.name_place(addr).trim_matches('`').to_string();
        let shown = |machine: &mut Self, bits: Bits| match bits.undefined {
            0 => machine.show_value(addr, bits.value, len),
            _ => "uninitialised".to_string(),
        };
        let new = shown(self, value);
        let text = match old {
            None => format!("reads {place} = {new}"),
            Some(Some(old)) => {
                let old = shown(self, old);
                format!("{place} = {new} (was {old})")
            }
            Some(None) => format!("{place} = {new}"),
        };
        self.tell(|_| text);
        self.tell_accessed(&place, old.is_some());
    }

    // ---- blocks -------------------------------------------------------------

    fn block_len(&mut self, len: Bits) -> Result<u64, Stop> {
        if len.undefined != 0 {
            return Err(self.undefined_use("the length of a block of memory"));
        }
        Ok(len.value)
    }

    /// memcpy and memmove.
    pub fn copy(&mut self, dst: Bits, src: Bits, len: Bits, may_overlap: bool) -> Result<(), Stop> {
        let len = self.block_len(len)?;
        if (dst.undefined | src.undefined) != 0 {
            return Err(self.undefined_use("the address of a block of memory"));
        }
        if len == 0 || dst.value == src.value {
            return Ok(());
        }
        if let Err(error) = self.mem.check(dst.value, len, Access::Write) {
            return Err(self.memory_fault(error, Access::Write, len));
        }
        if !may_overlap && dst.value.abs_diff(src.value) < len {
            let fault = Fault::new(Property::Undefined, "memcpy between blocks that overlap")
                .help("use memmove");
            return Err(self.located(fault).into());
        }
        let (data, shadow) = self.read_bytes(src.value, len)?;
        self.write_bytes(dst.value, &data, &shadow)?;
        if !dst.value.wrapping_sub(src.value).is_multiple_of(8) {
            self.mem.set_flags(address::object(dst.value), Flags::UNALIGNED);
        }
        self.tell(|machine| {
            let (to, from) = (machine.name_place(dst.value), machine.name_place(src.value));
            format!("copies {len} bytes from {from} to {to}")
        });
        Ok(())
    }

    /// memset.
    pub fn fill(&mut self, dst: Bits, byte: Bits, len: Bits) -> Result<(), Stop> {
        let len = self.block_len(len)?;
        if len == 0 {
            return Ok(());
        }
        if dst.undefined != 0 {
            return Err(self.undefined_use("the address of a block of memory"));
        }
        if let Err(error) = self.mem.check(dst.value, len, Access::Write) {
            return Err(self.memory_fault(error, Access::Write, len));
        }
        let data = vec![byte.value as u8; len as usize];
        let undefined = byte.undefined as u8;
        let shadow = if undefined == 0 { Vec::new() } else { vec![undefined; len as usize] };
        self.write_bytes(dst.value, &data, &shadow)
    }

    // ---- objects ------------------------------------------------------------

    pub fn alloca(&mut self, size: u32, count: Bits) -> Result<Bits, Stop> {
        if count.undefined != 0 {
            return Err(self.undefined_use("the size of a local array"));
        }
        let bytes = (size as u64).saturating_mul(count.value);
        if bytes > 8 << 20 {
            let message = format!("stack exhaustion: a local object of {bytes} bytes");
            return Err(self.fault(Property::Memory, message));
        }
        let id = self.allocate(Space::Stack, bytes, true)?;
        self.objects.push(id);
        Ok(Bits::defined(id.at(0)))
    }

    /// This thread's copy of a thread-local global, made on first use.
    pub fn thread_local(&mut self, global: u32) -> Result<Bits, Stop> {
        let variable = self.vm.program.global(GlobalId(global));
        // The numbers behind are the library's own objects.
        if global >= 0x8000 {
            return Err(Stop::unsupported("a thread-local variable behind 32768 globals"));
        }
        let slot = global as u16;
        let id = ObjId::in_arena(Space::ThreadLocal, self.me as u8, slot);
        if self.mem.header(id).is_none() {
            self.mem.create(
                id,
                variable.data.len() as u32,
                variable.loc.0,
                Flags::default(),
                false,
            );
            if let Err(error) = self.mem.write_bytes(id.at(0), &variable.data, &variable.undefined)
            {
                return Err(self.memory_fault(error, Access::Write, variable.data.len() as u64));
            }
            self.note_stored_block(id.at(0), &variable.data);
        }
        Ok(Bits::defined(id.at(0)))
    }

    /// Frees this thread's thread-local objects.
    pub fn drop_thread_locals(&mut self) {
        let mine: Vec<ObjId> = self
            .mem
            .dynamic_objects()
            .filter(|id| id.space() == Some(Space::ThreadLocal) && id.arena() == self.me as u8)
            .collect();
        for id in mine {
            self.destroy(id, true);
        }
    }

    // ---- variadic arguments ---------------------------------------------------

    /// Lays variadic arguments out as the System V ABI does in its overflow
    /// area: every argument in its own eightbytes.
    pub fn pack_varargs(&mut self, values: &[Value]) -> Result<ObjId, Stop> {
        let mut data: Vec<u8> = Vec::new();
        let mut shadow: Vec<u8> = Vec::new();
        for value in values {
            let wide = value.ty.slots() == 2;
            if wide && !data.len().is_multiple_of(16) {
                data.extend([0; 8]);
                shadow.extend([0xff; 8]);
            }
            if value.by_value > 0 {
                let (bytes, undefined) = self.read_bytes(value.low.value, value.by_value as u64)?;
                data.extend(&bytes);
                shadow.extend(if undefined.is_empty() { vec![0; bytes.len()] } else { undefined });
                let padding = data.len().next_multiple_of(8) - data.len();
                data.extend(vec![0; padding]);
                shadow.extend(vec![0xff; padding]);
                continue;
            }
            let upper = !int::mask(value.ty.bits().min(64));
            data.extend(value.low.value.to_le_bytes());
            shadow.extend(
                (value.low.undefined | if value.ty == Scalar::Ptr { 0 } else { upper })
                    .to_le_bytes(),
            );
            if wide {
                data.extend(value.high.value.to_le_bytes());
                shadow.extend(value.high.undefined.to_le_bytes());
            }
        }
        let id = self.allocate(Space::Stack, data.len() as u64, false)?;
        self.write_bytes(id.at(0), &data, &shadow)?;
        Ok(id)
    }

    /// Fills a `va_list`: all register slots count as used up, so that every
    /// argument is fetched from the overflow area.
    pub fn va_start(&mut self, list: Bits) -> Result<(), Stop> {
        if list.undefined != 0 {
            return Err(self.undefined_use("the address of a va_list"));
        }
        let area = self.top().varargs;
        self.write(list.value, 4, Bits::defined(48))?;
        self.write(list.value + 4, 4, Bits::defined(176))?;
        self.write(list.value + 8, 8, Bits::defined(area.at(0)))?;
        self.write(list.value + 16, 8, Bits::defined(0))
    }
}
