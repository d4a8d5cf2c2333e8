//! Large arrays of zeros. Looking things up at random places of gigabytes is
//! bound by the translation of addresses: large arrays ask for large pages.

use std::ops::Deref;
use std::ptr::NonNull;

use bytemuck::{AnyBitPattern, NoUninit, Zeroable};
use memmap2::MmapMut;

/// Smaller arrays come from the ordinary allocator.
const LARGE: usize = 1 << 20;

/// An array whose entries begin as zeros. Pages that were never touched cost
/// nothing.
pub struct Pages<T> {
    /// All entries, wherever they are: to ask the owner for each access takes longer than the access.
    entries: NonNull<[T]>,
    /// A map for large arrays; a small one is a box, which is owned through `entries`.
    map: Option<MmapMut>,
}

// SAFETY: it owns its entries, like a box.
#[allow(unsafe_code)]
unsafe impl<T: Send> Send for Pages<T> {}
// SAFETY: as above.
#[allow(unsafe_code)]
unsafe impl<T: Sync> Sync for Pages<T> {}

impl<T: Zeroable> Pages<T> {
    pub fn zeroed(len: usize) -> Pages<T> {
        const { assert!(align_of::<T>() <= 4096 && size_of::<T>() > 0) };
        let bytes = len * size_of::<T>();
        if bytes >= LARGE
            && let Ok(mut map) = MmapMut::map_anon(bytes)
        {
            // It is only advice: without large pages all works, but slower.
            #[cfg(target_os = "linux")]
            let _ = map.advise(memmap2::Advice::HugePage);
            let first = NonNull::new(map.as_mut_ptr().cast()).expect("a map has an address");
            let entries = NonNull::slice_from_raw_parts(first, len);
            return Pages { entries, map: Some(map) };
        }
        let entries = Box::leak(bytemuck::allocation::zeroed_slice_box(len));
        Pages { entries: NonNull::from(entries), map: None }
    }
}

impl<T: AnyBitPattern + NoUninit> Pages<T> {
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, and nobody else has `self`.
        #[allow(unsafe_code)]
        unsafe {
            self.entries.as_mut()
        }
    }
}

impl<T> Deref for Pages<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: only `zeroed` makes one: the entries are those of a box or of a map that is aligned to
        // a page and has room for them, which began as zeros, so each is a `T`. They live as long
        // as `self` and are only ever reached through it.
        #[allow(unsafe_code)]
        unsafe {
            self.entries.as_ref()
        }
    }
}

impl<T> Drop for Pages<T> {
    fn drop(&mut self) {
        if self.map.is_none() {
            // SAFETY: without a map the entries are those of the box that `zeroed` made.
            #[allow(unsafe_code)]
            drop(unsafe { Box::from_raw(self.entries.as_ptr()) });
        }
    }
}
