//! The numbers of components in columns, as one thread has met them: a small
//! table in front of the columns, which are shared and have more to do to find
//! a number.

use crossbeam_epoch::Guard;
use exeunt_model::CompId;

use super::records::Shape;

const SLOTS: usize = 1 << 13;
const UNKNOWN: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Slot {
    /// Length of the vector and column, plus one; zero: empty.
    column: u32,
    component: u32,
    number: u32,
}

pub struct Numbers {
    slots: Box<[Slot]>,
    /// By length of vector and column: the component of each number.
    components: Vec<Vec<Vec<u32>>>,
}

impl Default for Numbers {
    fn default() -> Numbers {
        let empty = Slot { column: 0, component: 0, number: 0 };
        Numbers { slots: vec![empty; SLOTS].into_boxed_slice(), components: Vec::new() }
    }
}

impl Numbers {
    /// The number of a component in a column.
    #[inline]
    pub fn number(&mut self, shape: &Shape, at: usize, comp: CompId, guard: &Guard) -> u32 {
        let len = shape.len();
        if len >= 1 << 16 {
            return shape.column(at).number(comp.0, guard);
        }
        let column = (len << 16 | at) as u32 + 1;
        let key = u64::from(comp.0) << 32 | u64::from(column);
        let place = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 51) as usize & (SLOTS - 1);
        let slot = &mut self.slots[place];
        if slot.column == column && slot.component == comp.0 {
            return slot.number;
        }
        let number = shape.column(at).number(comp.0, guard);
        *slot = Slot { column, component: comp.0, number };
        number
    }

    /// The component of a number that is in some record.
    #[inline]
    pub fn component(&mut self, shape: &Shape, at: usize, number: u32) -> CompId {
        let known = self.components.get(shape.len()).and_then(|columns| columns.get(at));
        match known.and_then(|known| known.get(number as usize)) {
            Some(&component) if component != UNKNOWN => CompId(component),
            _ => self.look_up(shape, at, number),
        }
    }

    #[cold]
    fn look_up(&mut self, shape: &Shape, at: usize, number: u32) -> CompId {
        let len = shape.len();
        if self.components.len() <= len {
            self.components.resize_with(len + 1, Vec::new);
        }
        self.components[len].resize_with(len, Vec::new);
        let known = &mut self.components[len][at];
        if known.len() <= number as usize {
            known.resize((number as usize + 1).next_power_of_two(), UNKNOWN);
        }
        known[number as usize] = shape.column(at).value(number);
        CompId(known[number as usize])
    }
}
