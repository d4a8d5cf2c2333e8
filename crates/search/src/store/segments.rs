//! An array that grows without moving, so that it can be read while others
//! append: segments of doubling size, each allocated when it is first needed.
//! Pages that were never touched cost nothing.

use std::sync::OnceLock;

use bytemuck::Zeroable;

use super::pages::Pages;

/// Entries of the first segment.
const FIRST: u32 = 1 << 10;
const SEGMENTS: usize = 23;

/// Entries are zero until they are written.
pub struct Segments<T> {
    segments: [OnceLock<Pages<T>>; SEGMENTS],
}

impl<T> Default for Segments<T> {
    fn default() -> Self {
        Segments { segments: [const { OnceLock::new() }; SEGMENTS] }
    }
}

/// The segment of an entry and its place there.
#[inline]
fn place(at: u32) -> (usize, usize) {
    let shifted = at as u64 + FIRST as u64;
    let top = 63 - shifted.leading_zeros();
    ((top - FIRST.trailing_zeros()) as usize, (shifted - (1 << top)) as usize)
}

impl<T: Zeroable> Segments<T> {
    /// An entry, which exists from now on.
    #[inline]
    pub fn at(&self, at: u32) -> &T {
        let (segment, offset) = place(at);
        let segment =
            self.segments[segment].get_or_init(|| Pages::zeroed((FIRST as usize) << segment));
        &segment[offset]
    }

    /// Some entries, if they lie side by side, which nearly all do.
    #[inline]
    pub fn run(&self, at: u32, len: usize) -> Option<&[T]> {
        let (segment, offset) = place(at);
        let segment =
            self.segments[segment].get_or_init(|| Pages::zeroed((FIRST as usize) << segment));
        segment.get(offset..offset + len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn entries_have_places_of_their_own() {
        let segments: Segments<AtomicU32> = Segments::default();
        for at in 0..10_000 {
            assert_eq!(segments.at(at).swap(at + 1, Ordering::Relaxed), 0);
        }
        for at in 0..10_000 {
            assert_eq!(segments.at(at).load(Ordering::Relaxed), at + 1);
        }
        assert_eq!(place(u32::MAX), (22, (1 << 10) - 1));
    }
}
