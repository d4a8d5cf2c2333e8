//! What the running step has touched so far.

use super::reach::Reach;
use crate::meets::Mobility;
use crate::step::footprint::Footprint;

#[derive(Clone, Debug, Default)]
pub struct Deeds {
    /// By the operation that cannot be moved.
    pub fixed: Reach,
    /// By any operation that others can notice, but for those that commute with
    /// whatever others do.
    pub all: Reach,
    /// Memory was allocated on the heap.
    pub allocates: bool,
}

impl Deeds {
    pub fn clear(&mut self) {
        *self = Deeds::default();
    }

    pub fn note(&mut self, footprint: &Footprint, mobility: Mobility) {
        match mobility {
            Mobility::Fixed => {
                self.fixed.add(footprint);
                self.all.add(footprint);
            }
            Mobility::Left => self.all.add(footprint),
            Mobility::Both => {}
        }
    }
}
