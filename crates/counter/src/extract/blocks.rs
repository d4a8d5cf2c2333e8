//! Blocks of memory that are set or copied: one step for each variable in them, in the order of their
//! addresses.

use exeunt_ir::{Pc, Slot};
use exeunt_smt::Term;

use super::arithmetic::Number;
use super::build::{Builder, Draft};
use super::cells::{Cell, Place, meet};
use super::shape::Shape;
use crate::VarKind;
use crate::address::{Object, Value};

/// With more variables in it than that, a block is written as a whole and to anything.
const MOST_PARTS: usize = 200;

/// What a block becomes.
pub(super) enum Source {
    /// The slot has the byte that each of its bytes becomes.
    Byte(Slot),
    /// The slot has the address of what it becomes.
    From(Slot),
}

impl Builder<'_> {
    pub(super) fn block(
        &mut self,
        draft: Draft,
        (context, pc): (usize, Pc),
        phase: u8,
        (dst, len): (Slot, Slot),
        source: &Source,
    ) -> Vec<Draft> {
        let mut draft = draft;
        let target = self.pointers.at(context, dst);
        let (Value::Address(object, offset), Value::Number(bytes)) =
            (&target, self.pointers.at(context, len))
        else {
            self.wild_write(&mut draft, context, pc, &target, "a block of memory");
            return vec![draft];
        };
        let block = Place { object: *object, offset: *offset, bytes: bytes as i64 };
        let cells = self.cells.known.iter().filter(|(place, _)| meet(place, &block));
        // Lengths of lists and values of semaphores are no bytes.
        let cells = cells.filter(|(place, _)| place.bytes <= 8);
        let parts: Vec<(Place, Cell)> = cells.map(|(place, cell)| (*place, *cell)).collect();
        if parts.len() > MOST_PARTS {
            self.wild_write(&mut draft, context, pc, &target, "a block of memory");
            return vec![draft];
        }
        if phase == 0 {
            self.overwrite(&mut draft, context, pc, block);
            self.may_change_at(block, (context, pc), "a block of memory");
        }
        if let Some((place, cell)) = parts.get(phase as usize) {
            let whole = block.offset <= place.offset
                && place.offset + place.bytes <= block.offset + block.bytes;
            let value = if whole { self.part(context, source, *place, *cell, block) } else { None };
            let term = match value {
                Some(value) => self.arithmetic.read(&value, cell.shape),
                None => {
                    let name = self.vars[cell.var.0 as usize].name.clone();
                    self.lose(context, pc, format!("a block of memory may change `{name}`"));
                    draft.exact = false;
                    Term::var(self.input(&mut draft, cell.shape.range()))
                }
            };
            draft.sets.insert(cell.var, term);
            draft.visible = true;
            draft.text = format!("writes `{}`", self.vars[cell.var.0 as usize].name);
        }
        if parts.len() > phase as usize + 1 {
            draft.to = Some((context, pc, phase + 1));
        }
        vec![draft]
    }

    /// What one variable of a block becomes, if that is known.
    fn part(
        &mut self,
        context: usize,
        source: &Source,
        place: Place,
        cell: Cell,
        block: Place,
    ) -> Option<Number> {
        let shape = Shape { width: 8 * place.bytes as u8, signed: false };
        match source {
            Source::Byte(slot) => {
                let Value::Number(byte) = self.pointers.at(context, *slot) else { return None };
                let all = (0..place.bytes).fold(0u64, |all, _| all << 8 | byte & 0xff);
                let term = self.arithmetic.constant(all, shape.width, false);
                Some(Number { term, shape })
            }
            Source::From(slot) => {
                let Value::Address(from, begin) = self.pointers.at(context, *slot) else {
                    return None;
                };
                let offset = begin + place.offset - block.offset;
                if let Object::Global(id) = from
                    && self.program.global(id).constant
                {
                    let data = &self.program.global(id).data;
                    let at = usize::try_from(offset).ok()?;
                    let bytes = data.get(at..at + place.bytes as usize)?;
                    let all = bytes.iter().rev().fold(0u64, |all, b| all << 8 | u64::from(*b));
                    let term = self.arithmetic.constant(all, shape.width, false);
                    return Some(Number { term, shape });
                }
                let place = Place { object: from, offset, bytes: place.bytes };
                let read = *self.cells.known.get(&place)?;
                // Who reads one shared variable and writes another makes two steps.
                let shared = |cell: &Cell| self.vars[cell.var.0 as usize].kind == VarKind::Shared;
                let twice = shared(&read) && shared(&cell);
                (!twice).then(|| Number { term: Term::var(read.var), shape: read.shape })
            }
        }
    }
}
