//! Loads, stores, blocks of memory, stack objects.
//!
//! Stores also keep the sharing facts: a pointer that gets into shared memory
//! shares what it points to.

use exeunt_ir::address::{self, ObjId, Space};
use exeunt_ir::{self as ir, CallSite, GlobalId, Slot};
use exeunt_mem::{Access, Bits, Flags, Window};
use exeunt_model::{Fault, Property};

use crate::builtin::Value;
use crate::machine::Machine;
use crate::ops::int;
use crate::stop::Stop;

impl Machine<'_> {
    /// Reads up to 8 bytes.
    pub fn read(&mut self, addr: u64, len: usize) -> Result<Bits, Stop> {
        if self.transaction.is_some() {
            let (data, shadow) = self.read_apart(addr, len as u64)?;
            return Ok(Bits { value: gather(&data), undefined: gather(&shadow) });
        }
        self.note_access(addr, len as u64, false)?;
        match self.mem.read(addr, len) {
            Ok(bits) => {
                self.note_taken_apart(addr, len as u64);
                Ok(bits)
            }
            Err(error) => Err(self.memory_fault(error, Access::Read, len as u64)),
        }
    }

    /// A thread that reads a part of a pointer can pass it on in pieces.
    #[inline]
    pub fn note_taken_apart(&mut self, addr: u64, len: u64) {
        for window in self.mem.taken_apart(addr, len) {
            self.mem.share(window.target);
        }
    }

    /// Writes up to 8 bytes.
    pub fn write(&mut self, addr: u64, len: usize, bits: Bits) -> Result<(), Stop> {
        if self.transaction.is_some() {
            let data = (bits.value & !bits.undefined).to_le_bytes();
            return self.write_apart(addr, &data[..len], &bits.undefined.to_le_bytes()[..len]);
        }
        self.note_access(addr, len as u64, true)?;
        if self.watches_awaits() {
            let (data, shadow) = (bits.value.to_le_bytes(), bits.undefined.to_le_bytes());
            self.note_change(addr, &data[..len], &shadow[..len]);
        }
        match self.mem.write(addr, len, bits) {
            Err(error) => Err(self.memory_fault(error, Access::Write, len as u64)),
            Ok(false) => Ok(()),
            Ok(true) => {
                self.note_stored(addr, len as u64);
                Ok(())
            }
        }
    }

    /// Bytes were written: pointers that have some of them are there now, also
    /// those that are put together from pieces. Tells whether there are any.
    pub fn note_stored(&mut self, addr: u64, len: u64) -> bool {
        let windows = self.mem.windows(addr, len);
        let any = !windows.is_empty();
        for window in windows {
            self.note_pointer(window);
        }
        any
    }

    fn note_pointer(&mut self, Window { addr, target }: Window) {
        let holder = address::object(addr);
        if address::offset(addr) % 8 != 0 {
            self.mem.set_flags(holder, Flags::UNALIGNED);
        }
        let shared = self.mem.header(holder).is_some_and(|h| h.flags.has(Flags::SHARED));
        let on_stack = target.space() == Some(Space::Stack);
        // Otherwise it does not matter what it points to (compiled code does not look, either).
        if !shared && !on_stack || self.mem.header(target).is_none() {
            return;
        }
        if on_stack {
            self.mem.set_flags(target, Flags::STORED);
        }
        if shared {
            self.mem.share(target);
        }
    }

    pub fn read_bytes(&mut self, addr: u64, len: u64) -> Result<(Vec<u8>, Vec<u8>), Stop> {
        if self.transaction.is_some() && len > 0 {
            return self.read_apart(addr, len);
        }
        self.note_access(addr, len, false)?;
        self.progress.note_block(len);
        match self.mem.read_bytes(addr, len) {
            Ok(bytes) => {
                self.note_taken_apart(addr, len);
                Ok(bytes)
            }
            Err(error) => Err(self.memory_fault(error, Access::Read, len)),
        }
    }

    /// Writes a block; an empty shadow means that all of it is defined.
    pub fn write_bytes(&mut self, addr: u64, data: &[u8], shadow: &[u8]) -> Result<(), Stop> {
        if data.is_empty() {
            return Ok(());
        }
        if self.transaction.is_some() {
            return self.write_apart(addr, data, shadow);
        }
        self.note_access(addr, data.len() as u64, true)?;
        self.put_bytes(addr, data, shadow)
    }

    /// Writes a block that others were told of.
    pub fn put_bytes(&mut self, addr: u64, data: &[u8], shadow: &[u8]) -> Result<(), Stop> {
        self.progress.note_block(data.len() as u64);
        if self.watches_awaits() {
            self.note_change(addr, data, shadow);
        }
        if let Err(error) = self.mem.write_bytes(addr, data, shadow) {
            return Err(self.memory_fault(error, Access::Write, data.len() as u64));
        }
        self.note_stored(addr, data.len() as u64);
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

    /// Loads into slots.
    pub fn load_slots(
        &mut self,
        base: usize,
        addr: Slot,
        dst: Slot,
        bits: u8,
        pointer: bool,
        access: ir::Access,
    ) -> Result<(), Stop> {
        let addr = self.address(base, addr, "an address that is read")?;
        let (low, high) = match access {
            ir::Access::Plain | ir::Access::Volatile => self.load(addr, bits)?,
            ir::Access::Atomic(order) => self.atomic_load(addr, bits, order)?,
        };
        if !pointer && bits >= 64 {
            self.note_integer_load(addr, (bits as u64).div_ceil(8));
        }
        self.thread.registers[base + dst as usize] = low;
        if bits > 64 {
            self.thread.registers[base + dst as usize + 1] = high;
        }
        self.tell_access(addr, bits, low, None);
        Ok(())
    }

    /// Stores what is in slots.
    pub fn store_slots(
        &mut self,
        base: usize,
        addr: Slot,
        src: Slot,
        bits: u8,
        access: ir::Access,
    ) -> Result<(), Stop> {
        let addr = self.address(base, addr, "an address that is written")?;
        let low = self.thread.registers[base + src as usize];
        let old = if self.tale.is_told() {
            self.mem.read(addr, (bits.min(64) as usize).div_ceil(8)).ok()
        } else {
            None
        };
        let high = if bits > 64 { self.thread.registers[base + src as usize + 1] } else { low };
        match access {
            ir::Access::Plain | ir::Access::Volatile => self.store(addr, bits, low, high)?,
            ir::Access::Atomic(order) => self.atomic_store(addr, bits, (low, high), order)?,
        }
        self.tell_access(addr, bits, low, Some(old));
        Ok(())
    }

    fn address(&mut self, base: usize, slot: u32, what: &str) -> Result<u64, Stop> {
        let addr = self.thread.registers[base + slot as usize];
        if addr.undefined != 0 {
            return Err(self.undefined_use(what));
        }
        Ok(addr.value)
    }

    /// Private memory read as an integer may be a pointer in disguise.
    fn note_integer_load(&mut self, addr: u64, len: u64) {
        if address::object(addr).space() != Some(Space::Global) {
            for window in self.mem.windows(addr, len) {
                self.mem.share(window.target);
            }
        }
    }

    pub fn load(&mut self, addr: u64, bits: u8) -> Result<(Bits, Bits), Stop> {
        let bytes = (bits as usize).div_ceil(8);
        self.keep_time_whole(addr, bytes)?;
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
        self.keep_time_whole(addr, bytes)?;
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
        if !self.tale.is_told() || self.is_in_library() || !self.is_shared(addr) {
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
        self.tell_access_to(&place, old.is_some(), text);
        self.tell_accessed(addr, &place, old.is_some());
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
        if self.is_told_in_pieces() {
            return Ok(());
        }
        self.tell_of_memory(|machine| {
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
        self.grow_stack(bytes)?;
        let id = self.allocate(Space::Stack, bytes, true)?;
        self.thread.objects.push(id);
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
        let id = ObjId::in_arena(Space::ThreadLocal, self.thread.me as u8, slot);
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
            self.note_stored(id.at(0), variable.data.len() as u64);
        }
        Ok(Bits::defined(id.at(0)))
    }

    /// Frees this thread's thread-local objects.
    pub fn drop_thread_locals(&mut self) {
        for id in self.mem.objects_of(Space::ThreadLocal, self.thread.me as u8) {
            self.destroy(id, true);
        }
    }

    // ---- variadic arguments ---------------------------------------------------

    /// Lays the arguments behind the first `fixed` out where the call site
    /// says. What is passed by value lies in an object that the caller made
    /// for it, which no other thread knows.
    pub fn pack_varargs(&mut self, site: &CallSite, fixed: usize) -> Result<ObjId, Stop> {
        let values = self.arguments(site);
        let mut area = Area::default();
        for (arg, value) in site.args.iter().zip(&values).skip(fixed) {
            let Some(place) = arg.place else {
                let message = "a variadic function is called as one that is not variadic";
                return Err(self.fault(Property::Undefined, message));
            };
            if arg.by_value > 0 {
                let (data, shadow) = self.read_bytes(value.low.value, arg.by_value.into())?;
                area.put(place, &data, &shadow);
            } else {
                area.put_value(place, value);
            }
        }
        let id = self.allocate(Space::Stack, area.data.len() as u64, false)?;
        self.write_bytes(id.at(0), &area.data, &area.shadow)?;
        Ok(id)
    }
}

/// Variadic arguments at their places; what lies between is undefined.
#[derive(Default)]
struct Area {
    data: Vec<u8>,
    shadow: Vec<u8>,
}

impl Area {
    fn put(&mut self, place: u32, data: &[u8], shadow: &[u8]) {
        let (start, end) = (place as usize, place as usize + data.len());
        let whole = end.next_multiple_of(8).max(self.data.len());
        self.data.resize(whole, 0);
        self.shadow.resize(whole, 0xff);
        self.data[start..end].copy_from_slice(data);
        match shadow.is_empty() {
            true => self.shadow[start..end].fill(0),
            false => self.shadow[start..end].copy_from_slice(shadow),
        }
    }

    fn put_value(&mut self, place: u32, value: &Value) {
        let bits = value.ty.bits();
        let bytes = |low: u64, high: u64| (u128::from(high) << 64 | u128::from(low)).to_le_bytes();
        let (low, high) = (value.low, value.high);
        let mut shadow = bytes(low.undefined, high.undefined);
        let len = (bits as usize).div_ceil(8);
        if !bits.is_multiple_of(8) {
            shadow[len - 1] |= 0xff << (bits % 8);
        }
        self.put(place, &bytes(low.value, high.value)[..len], &shadow[..len]);
    }
}

/// Up to eight bytes, little end first.
pub fn gather(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}
