//! Large arrays of zeros. Looking things up at random places of gigabytes is
//! bound by the translation of addresses: large arrays ask for large pages.

use std::marker::PhantomData;
use std::ops::Deref;

use bytemuck::{AnyBitPattern, NoUninit, Zeroable};
use memmap2::MmapMut;

/// Smaller arrays come from the ordinary allocator.
const LARGE: usize = 1 << 20;

/// An array whose entries begin as zeros. Pages that were never touched cost
/// nothing.
pub enum Pages<T> {
    Small(Box<[T]>),
    Large { map: MmapMut, entries: PhantomData<T> },
}

impl<T: Zeroable> Pages<T> {
    pub fn zeroed(len: usize) -> Pages<T> {
        let bytes = len * size_of::<T>();
        if bytes >= LARGE
            && let Ok(map) = MmapMut::map_anon(bytes)
        {
            // It is only advice: without large pages all works, but slower.
            #[cfg(target_os = "linux")]
            let _ = map.advise(memmap2::Advice::HugePage);
            return Pages::Large { map, entries: PhantomData };
        }
        Pages::Small(bytemuck::allocation::zeroed_slice_box(len))
    }
}

impl<T: AnyBitPattern> Pages<T> {
    pub fn as_mut_slice(&mut self) -> &mut [T]
    where
        T: NoUninit,
    {
        match self {
            Pages::Small(entries) => entries,
            Pages::Large { map, .. } => bytemuck::cast_slice_mut(map),
        }
    }
}

impl<T> Deref for Pages<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match self {
            Pages::Small(entries) => entries,
            Pages::Large { map, .. } => {
                const { assert!(align_of::<T>() <= 4096) };
                let len = map.len() / size_of::<T>();
                // SAFETY: the map is aligned to a page, lives as long as
                // `self`, began as zeros, which is a `T` (only `zeroed` makes
                // one), and is only ever reached through this slice.
                #[allow(unsafe_code)]
                unsafe {
                    std::slice::from_raw_parts(map.as_ptr().cast(), len)
                }
            }
        }
    }
}
