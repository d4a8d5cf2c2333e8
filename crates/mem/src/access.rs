//! Reading and writing memory by addresses.
//!
//! An access finds its object, checks its bounds, and touches only the bytes it names: of a
//! large object only their pieces are looked at or copied.

use exeunt_ir::address::{self, ObjId, Space};

use crate::object::{Flags, Header, ObjectRef};
use crate::{Access, Bits, MemError, Memory};

impl Memory<'_> {
    /// Finds the bytes behind an address or says what is wrong with it.
    #[inline]
    fn locate(&mut self, addr: u64, len: u64, access: Access) -> Result<(usize, usize), MemError> {
        let id = address::object(addr);
        let offset = address::offset(addr);
        let Some(entry) = self.find(id) else {
            return Err(self.missing(addr, len, access));
        };
        let header = self.header_of(entry);
        if offset < 0 || (offset as u64).saturating_add(len) > header.size as u64 {
            let size = header.size as u64;
            return Err(MemError::OutOfBounds { object: id, offset, len, size });
        }
        if header.flags.has(Flags::OUT_OF_SCOPE) {
            return Err(MemError::OutOfScope { object: id });
        }
        self.check_declared((id, header), addr, len, access);
        Ok((entry, offset as usize))
    }

    #[cold]
    fn missing(&self, addr: u64, len: u64, access: Access) -> MemError {
        let (object, offset) = (address::object(addr), address::offset(addr));
        if let Some(words) = self.constant(object) {
            let size = Header::unpack(words[0]).size as u64;
            if offset < 0 || (offset as u64).saturating_add(len) > size {
                return MemError::OutOfBounds { object, offset, len, size };
            }
            debug_assert_eq!(access, Access::Write);
            return MemError::ReadOnly { object, offset };
        }
        match object.space() {
            None if addr < 1 << 20 || (addr as i64) < 0 && (addr as i64) > -(1 << 20) => {
                MemError::Null { offset: addr as i64 }
            }
            None => MemError::Wild { address: addr },
            Some(Space::Heap | Space::Stack | Space::ThreadLocal) => {
                MemError::Dead { object, offset }
            }
            Some(Space::Function | Space::Thread | Space::Opaque) => MemError::NotData { object },
            Some(Space::Global) => MemError::Wild { address: addr },
        }
    }

    /// The object words and byte offset for reading `len` bytes.
    #[inline]
    fn source(&mut self, addr: u64, len: u64) -> Result<(ObjectRef<'_>, usize), MemError> {
        let id = address::object(addr);
        if self.find(id).is_none()
            && let Some(words) = self.constant(id)
        {
            let offset = address::offset(addr);
            let size = Header::unpack(words[0]).size as u64;
            if offset < 0 || (offset as u64).saturating_add(len) > size {
                return Err(MemError::OutOfBounds { object: id, offset, len, size });
            }
            return Ok((ObjectRef::new(words), offset as usize));
        }
        let (entry, offset) = self.locate(addr, len, Access::Read)?;
        Ok((ObjectRef::new(self.part(entry, offset, len as usize)), offset))
    }

    /// Reads up to 8 bytes, little end first.
    #[inline]
    pub fn read(&mut self, addr: u64, len: usize) -> Result<Bits, MemError> {
        let (object, offset) = self.source(addr, len as u64)?;
        let value = gather(object.data(), offset, len);
        let undefined = object.shadow().map_or(0, |shadow| gather(shadow, offset, len));
        Ok(Bits { value, undefined })
    }

    /// Writes the low `len` (up to 8) bytes. Says whether eight bytes, some of
    /// them among these, could be a pointer now.
    #[inline]
    pub fn write(&mut self, addr: u64, len: usize, bits: Bits) -> Result<bool, MemError> {
        let (entry, offset) = self.locate(addr, len as u64, Access::Write)?;
        let mask = if len == 8 { u64::MAX } else { (1 << (len * 8)) - 1 };
        let undefined = bits.undefined & mask;
        let words = self.part_mut(entry, offset, len, undefined != 0);
        let header = Header::unpack(words[0]);
        let data = header.words();
        let value = (bits.value & !bits.undefined).to_le_bytes();
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut words[1..]);
        bytes[offset..offset + len].copy_from_slice(&value[..len]);
        if header.flags.has(Flags::SHADOW) {
            let offset = offset + data * 8;
            bytes[offset..offset + len].copy_from_slice(&undefined.to_le_bytes()[..len]);
        }
        Ok(crate::windows::may_touch(&words[1..1 + data], offset, len))
    }

    /// Checks that `len` bytes could be accessed.
    pub fn check(&mut self, addr: u64, len: u64, access: Access) -> Result<(), MemError> {
        match access {
            Access::Read => self.source(addr, len).map(|_| ()),
            Access::Write => self.locate(addr, len, access).map(|_| ()),
        }
    }

    /// Copies bytes out, with their shadow (empty if all are defined).
    pub fn read_bytes(&mut self, addr: u64, len: u64) -> Result<(Vec<u8>, Vec<u8>), MemError> {
        let (object, offset) = self.source(addr, len)?;
        let range = offset..offset + len as usize;
        let data = object.data()[range.clone()].to_vec();
        let shadow = object.shadow().map_or_else(Vec::new, |s| s[range].to_vec());
        let shadow = if shadow.iter().all(|&b| b == 0) { Vec::new() } else { shadow };
        Ok((data, shadow))
    }

    /// Writes bytes; an empty shadow means that all are defined.
    pub fn write_bytes(&mut self, addr: u64, data: &[u8], shadow: &[u8]) -> Result<(), MemError> {
        let (entry, offset) = self.locate(addr, data.len() as u64, Access::Write)?;
        let words = self.part_mut(entry, offset, data.len(), !shadow.is_empty());
        let header = Header::unpack(words[0]);
        let behind = header.words() * 8 + offset;
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut words[1..]);
        bytes[offset..offset + data.len()].copy_from_slice(data);
        if header.flags.has(Flags::SHADOW) {
            let target = &mut bytes[behind..behind + data.len()];
            if shadow.is_empty() {
                target.fill(0);
            } else {
                target.copy_from_slice(shadow);
                for (byte, &undefined) in bytes[offset..offset + data.len()].iter_mut().zip(shadow)
                {
                    *byte &= !undefined;
                }
            }
        }
        Ok(())
    }

    /// Makes part of an object's contents zero and defined, as far as it is
    /// there.
    pub fn mask(&mut self, id: ObjId, offset: u64, len: u64) {
        let Some(entry) = self.find(id) else { return };
        let size = self.header_of(entry).size as u64;
        let (start, end) = (offset.min(size), offset.saturating_add(len).min(size));
        let words = self.part_mut(entry, start as usize, (end - start) as usize, false);
        let header = Header::unpack(words[0]);
        let shadow = header.words() as u64 * 8;
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut words[1..]);
        bytes[start as usize..end as usize].fill(0);
        if header.flags.has(Flags::SHADOW) {
            bytes[(shadow + start) as usize..(shadow + end) as usize].fill(0);
        }
    }

    /// Makes all of an object's contents undefined.
    pub fn undefine(&mut self, id: ObjId) {
        let Some(entry) = self.find(id) else { return };
        let size = self.header_of(entry).size as usize;
        let words = self.part_mut(entry, 0, size, true);
        let header = Header::unpack(words[0]);
        let (data, size) = (header.words(), header.size as usize);
        words[1..1 + data].fill(0);
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut words[1 + data..]);
        bytes[..size].fill(0xff);
    }
}

#[inline]
fn gather(bytes: &[u8], offset: usize, len: usize) -> u64 {
    // Data is padded to whole words, so an aligned access never overruns.
    if len == 4 {
        let mut word = [0; 4];
        word.copy_from_slice(&bytes[offset..offset + 4]);
        return u32::from_le_bytes(word) as u64;
    }
    let mut word = [0; 8];
    word[..len].copy_from_slice(&bytes[offset..offset + len]);
    u64::from_le_bytes(word)
}
