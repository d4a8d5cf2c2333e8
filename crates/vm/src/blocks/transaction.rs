//! The memory accesses of a block operation while it runs: reads come from a
//! log first, writes are kept apart.

use exeunt_ir::address::{self, ObjId};
use exeunt_mem::{Access, Bits};
use exeunt_model::Event;

use super::{Logged, Piece};
use crate::machine::Machine;
use crate::ops::memory::gather;
use crate::stop::Stop;

/// An access as the operation made it.
#[derive(Clone, Copy, Debug)]
pub struct Accessed {
    pub addr: u64,
    pub len: u64,
    pub write: bool,
}

/// A write that memory does not have yet.
#[derive(Clone, Debug)]
struct Written {
    addr: u64,
    data: Vec<u8>,
    /// Empty: all of it is defined.
    shadow: Vec<u8>,
}

/// What a block operation did so far.
#[derive(Clone, Debug, Default)]
pub struct Transaction {
    /// It is done in pieces; otherwise this is a trial that reads all it wants.
    pieces: bool,
    /// Words that threads meet at, as they were when they were read.
    pub log: Vec<Logged>,
    /// How many of them were used again.
    used: usize,
    /// The word that was read last, which need not be read again.
    last: Option<Logged>,
    /// A word that threads meet at was read in this step.
    pub touched: bool,
    /// It gave up before the second one.
    pub paused: bool,
    /// What was told of that word: all that is told of a step that gives up.
    pub told: Vec<Event>,
    pub accesses: Vec<Accessed>,
    writes: Vec<Written>,
    /// Objects made on the way.
    pub made: Vec<ObjId>,
}

impl Transaction {
    pub fn trial() -> Transaction {
        Transaction::default()
    }

    pub fn resume(log: Vec<Logged>) -> Transaction {
        Transaction { pieces: true, log, ..Transaction::default() }
    }

    /// The writes as parts of aligned words, in the order they were made.
    pub fn pieces(&self) -> Vec<Piece> {
        self.writes.iter().flat_map(Written::pieces).collect()
    }

    /// Lets bytes that were read show what was written since.
    fn overlay(&self, addr: u64, data: &mut [u8], shadow: &mut Vec<u8>) {
        let end = addr + data.len() as u64;
        for written in &self.writes {
            let stop = written.addr + written.data.len() as u64;
            let (from, to) = (addr.max(written.addr), end.min(stop));
            if from >= to {
                continue;
            }
            let here = (from - addr) as usize..(to - addr) as usize;
            let there = (from - written.addr) as usize..(to - written.addr) as usize;
            data[here.clone()].copy_from_slice(&written.data[there.clone()]);
            if shadow.is_empty() && !written.shadow.is_empty() {
                shadow.resize(data.len(), 0);
            }
            if let Some(undefined) = shadow.get_mut(here) {
                match written.shadow.get(there) {
                    Some(shadow) => undefined.copy_from_slice(shadow),
                    None => undefined.fill(0),
                }
            }
        }
    }
}

impl Written {
    fn pieces(&self) -> impl Iterator<Item = Piece> + '_ {
        let skip = address::offset(self.addr).rem_euclid(8) as usize;
        let ends = (8 - skip..).step_by(8).map(|end| end.min(self.data.len()));
        let mut start = 0;
        ends.map_while(move |end| {
            let range = start..end;
            start = end;
            (!range.is_empty()).then(|| Piece {
                addr: self.addr + range.start as u64,
                len: range.len() as u32,
                bits: Bits {
                    value: gather(&self.data[range.clone()]),
                    undefined: self.shadow.get(range).map_or(0, gather),
                },
            })
        })
    }
}

impl Machine<'_> {
    fn running(&mut self) -> &mut Transaction {
        self.transaction.as_mut().expect("only called inside one")
    }

    /// Reads bytes inside a transaction.
    pub fn read_apart(&mut self, addr: u64, len: u64) -> Result<(Vec<u8>, Vec<u8>), Stop> {
        if let Err(error) = self.mem.check(addr, len, Access::Read) {
            return Err(self.memory_fault(error, Access::Read, len));
        }
        self.running().accesses.push(Accessed { addr, len, write: false });
        let (mut data, mut shadow) = (vec![0; len as usize], vec![0; len as usize]);
        let object = address::object(addr);
        let offset = address::offset(addr);
        for word in offset.div_euclid(8)..=(offset + len as i64 - 1).div_euclid(8) {
            let from = (word * 8).max(offset);
            let to = (word * 8 + 8).min(offset + len as i64);
            let bits = self.read_word_apart(object, from, to)?;
            let (values, unknown) = (bits.value.to_le_bytes(), bits.undefined.to_le_bytes());
            for byte in 0..8 {
                let at = word * 8 + byte as i64 - offset;
                if (0..len as i64).contains(&at) {
                    data[at as usize] = values[byte];
                    shadow[at as usize] = unknown[byte];
                }
            }
        }
        if shadow.iter().all(|&byte| byte == 0) {
            shadow.clear();
        }
        self.running().overlay(addr, &mut data, &mut shadow);
        Ok((data, shadow))
    }

    /// Reads bytes `from..to` of one aligned word. If threads may meet there, all
    /// of the word is read at once, as far as the object has it, and need not be
    /// read again: a machine reads text by words. Only the bytes that were asked
    /// for count as an access.
    fn read_word_apart(&mut self, object: ObjId, from: i64, to: i64) -> Result<Bits, Stop> {
        let start = from.div_euclid(8) * 8;
        let size = self.mem.header(object).map_or(0, |header| header.size as i64);
        let (addr, len) = (object.at(start), (size - start).min(8) as usize);
        if !(self.running().pieces && self.may_meet(addr, len as u64)) {
            return Ok(self.mem.unguarded(|mem| mem.read(addr, len)).expect("it was checked"));
        }
        let alone = self.alone();
        let transaction = self.running();
        let logged = transaction.log.get(transaction.used);
        if let Some(last) = transaction.last.filter(|last| last.addr == addr) {
            if transaction.used == transaction.log.len() && transaction.touched {
                self.note_access(object.at(from), (to - from) as u64, false)?;
            }
            return Ok(last.bits);
        }
        if let Some(&logged) = logged.filter(|logged| logged.addr == addr) {
            transaction.used += 1;
            transaction.last = Some(logged);
            return Ok(logged.bits);
        }
        if transaction.touched && !alone {
            transaction.paused = true;
            return Err(Stop::Pause);
        }
        self.note_access(object.at(from), (to - from) as u64, false)?;
        let bits = self.mem.unguarded(|mem| mem.read(addr, len)).expect("it was checked");
        let untold = self.tale.events().len();
        self.tell_piece(addr, len, bits, false);
        let told = self.tale.events()[untold..].to_vec();
        let logged = Logged { addr, bits };
        let transaction = self.running();
        transaction.told = told;
        transaction.touched = true;
        transaction.log.truncate(transaction.used);
        transaction.used += 1;
        transaction.log.push(logged);
        transaction.last = Some(logged);
        Ok(bits)
    }

    /// Tells of a piece that other threads may see.
    pub fn tell_piece(&mut self, addr: u64, len: usize, bits: Bits, write: bool) {
        if !self.tale.is_told() || self.is_in_library() {
            return;
        }
        let place = self.name_place(addr).trim_matches('`').to_string();
        let value = match bits.undefined {
            0 => self.show_value(addr, bits.value, len),
            _ => "uninitialised".to_string(),
        };
        let text = match write {
            true => format!("{place} = {value}, as part of a block"),
            false => format!("reads {place} = {value}, as part of a block"),
        };
        self.tell_access_to(&place, write, text);
        self.tell_accessed(addr, &place, write);
    }

    /// Whether the operation that runs is told piece by piece.
    pub fn is_told_in_pieces(&self) -> bool {
        self.transaction.as_ref().is_some_and(|transaction| transaction.pieces)
    }

    /// Writes bytes inside a transaction.
    pub fn write_apart(&mut self, addr: u64, data: &[u8], shadow: &[u8]) -> Result<(), Stop> {
        let len = data.len() as u64;
        if let Err(error) = self.mem.check(addr, len, Access::Write) {
            return Err(self.memory_fault(error, Access::Write, len));
        }
        let written = Written { addr, data: data.to_vec(), shadow: shadow.to_vec() };
        let transaction = self.running();
        transaction.accesses.push(Accessed { addr, len, write: true });
        transaction.writes.push(written);
        Ok(())
    }

    /// No other thread can meet the words of a trial: its writes are applied.
    pub fn accept(&mut self, trial: Transaction) -> Result<(), Stop> {
        let mut words = 0;
        for access in &trial.accesses {
            let skip = address::offset(access.addr).rem_euclid(8) as u64;
            words += u64::from(self.is_shared(access.addr)) * (skip + access.len).div_ceil(8);
        }
        for access in trial.accesses {
            let Accessed { addr, len, write } = access;
            self.note_touch(addr, len, write, words > 1);
            self.note_access(addr, len, write)?;
            if !write {
                self.note_taken_apart(addr, len);
            }
        }
        for Written { addr, data, shadow } in trial.writes {
            self.put_bytes(addr, &data, &shadow)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(addr: u64, data: &[u8]) -> Written {
        Written { addr, data: data.to_vec(), shadow: Vec::new() }
    }

    #[test]
    fn pieces_never_cross_a_word() {
        let base = 1 << 40;
        let bytes: Vec<u8> = (1..=13).collect();
        let pieces: Vec<Piece> = written(base + 6, &bytes).pieces().collect();
        let shape: Vec<_> = pieces.iter().map(|p| (p.addr - base, p.len)).collect();
        assert_eq!(shape, [(6, 2), (8, 8), (16, 3)]);
        assert_eq!(pieces[0].bits.value, 0x0201);
        assert_eq!(pieces[2].bits.value, 0x0d_0c0b);
    }

    #[test]
    fn later_writes_show_in_reads() {
        let mut transaction = Transaction::trial();
        transaction.writes.push(written(100, &[1, 2, 3, 4]));
        transaction.writes.push(Written { addr: 103, data: vec![9], shadow: vec![0xff] });
        let (mut data, mut shadow) = (vec![0; 4], vec![]);
        transaction.overlay(102, &mut data, &mut shadow);
        assert_eq!((data, shadow), (vec![3, 9, 0, 0], vec![0, 0xff, 0, 0]));
    }
}
