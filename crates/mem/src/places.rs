//! Which dynamic objects have a place in the vector of a state.
//!
//! If only objects that exist had one, every object that is made or ends would move those
//! behind it: where threads do so independently, as with guards of locks on their stacks, nearly
//! every state would have a list of its own. So numbers come in groups, and if one object
//! of a group exists, all of its numbers have a place. Where there is no object, the component is [`ABSENT`].
//!
//! Invariant: the places are a function of the objects (and of the groups that are kept
//! anyway), so equal states have equal vectors.

use exeunt_ir::address::ObjId;
use exeunt_model::CompId;

/// The numbers of a group have all but these bits in common.
const GROUP: u32 = 3;

/// In the place of an object that is not there. It reads as an object without bytes, and
/// no object has these flags.
pub const ABSENT: &[u64] = &[0xff << 32];

/// A group of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Group(u32);

impl Group {
    /// How many numbers a group has.
    pub const SIZE: usize = 1 << GROUP;

    pub fn of(ObjId(id): ObjId) -> Group {
        Group(id >> GROUP)
    }

    fn numbers(self) -> impl Iterator<Item = u64> {
        let first = u64::from(self.0) << GROUP;
        first..first + (1 << GROUP)
    }
}

/// The sorted numbers that have a place if these objects, which are sorted, exist, and these
/// groups are kept.
pub(crate) fn places(objects: &[(ObjId, CompId)], kept: &[Group]) -> Vec<u64> {
    let mut groups: Vec<Group> = objects.iter().map(|(id, _)| Group::of(*id)).collect();
    groups.extend_from_slice(kept);
    groups.sort_unstable();
    groups.dedup();
    groups.into_iter().flat_map(Group::numbers).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_a_group_have_places_together() {
        let object = |id| (ObjId(id), CompId(0));
        assert_eq!(places(&[], &[]), []);
        let two: Vec<u64> = (8..16).chain(24..32).collect();
        assert_eq!(places(&[object(9), object(15), object(24)], &[]), two);
        assert_eq!(places(&[object(9)], &[Group::of(ObjId(31)), Group::of(ObjId(8))]), two);
    }
}
