//! Variables as slots: the tables of a model address bits, values here have
//! no width.

use exeunt_promela::code::{Cell, NamedCell, Program, Space, Width};

/// A variable as people know it.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub name: String,
    pub width: Width,
    pub mtype: Option<String>,
    pub is_chan: bool,
}

/// The variables of one space, by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    pub slots: Vec<Slot>,
    /// From bit offsets to slots.
    at: Vec<u16>,
}

/// The globals and the locals of every process type.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub globals: Frame,
    pub locals: Vec<Frame>,
}

const NOTHING: u16 = u16::MAX;

impl Layout {
    pub fn new(program: &Program) -> Self {
        let mut globals = Frame::default();
        program.variables.iter().for_each(|named| globals.add(named));
        if let Some(cell) = program.last {
            let (name, mtype) = ("_last".into(), None);
            globals.add(&NamedCell { name, cell, mtype, is_chan: false });
        }
        let locals = program.procs.iter().map(|proc| {
            let mut frame = Frame::default();
            proc.variables.iter().for_each(|named| frame.add(named));
            frame
        });
        Layout { globals, locals: locals.collect() }
    }
}

impl Frame {
    /// Variables of the same name, from different blocks, are told apart by
    /// a number.
    fn add(&mut self, named: &NamedCell) {
        let offset = offset(&named.cell) as usize;
        if self.at.len() <= offset {
            self.at.resize(offset + 1, NOTHING);
        }
        self.at[offset] = self.slots.len() as u16;
        let stem = format!("{}#", named.name);
        let same = |slot: &&Slot| *slot.name == *named.name || slot.name.starts_with(&stem);
        let name = match self.slots.iter().filter(same).count() {
            0 => named.name.to_string(),
            before => format!("{}#{}", named.name, before + 1),
        };
        let mtype = named.mtype.as_ref().map(|set| set.to_string());
        self.slots.push(Slot { name, width: named.cell.width, mtype, is_chan: named.is_chan });
    }

    /// The slot of the scalar that starts at this bit.
    pub fn slot(&self, offset: u32) -> usize {
        let slot = self.at.get(offset as usize).copied().unwrap_or(NOTHING);
        assert_ne!(slot, NOTHING, "every scalar has a name");
        usize::from(slot)
    }
}

pub(crate) fn offset(cell: &Cell) -> u32 {
    cell.word * 64 + u32::from(cell.shift)
}

pub(crate) fn is_local(space: Space) -> bool {
    space == Space::Local
}
