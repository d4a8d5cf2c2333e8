//! The names that `exeunt_search::store` has around the index, from loom.

pub mod sync {
    pub use crate::epoch;
    pub use loom::hint::spin_loop;
    pub use loom::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
    pub use loom::thread::yield_now;

    /// So that already a table of two buckets is copied by several threads.
    pub const PIECE: usize = 1;

    macro_rules! begins_as_zeros {
        ($item:item) => {
            #[derive(Default)]
            $item
        };
    }
    pub(crate) use begins_as_zeros;

    /// As `parking_lot::Mutex`.
    pub struct Mutex<T>(loom::sync::Mutex<T>);

    impl<T: Default> Default for Mutex<T> {
        fn default() -> Self {
            Mutex(loom::sync::Mutex::new(T::default()))
        }
    }

    impl<T> Mutex<T> {
        pub fn try_lock(&self) -> Option<loom::sync::MutexGuard<'_, T>> {
            self.0.try_lock().ok()
        }
    }
}

pub mod pages {
    /// As the large array of zeros.
    pub struct Pages<T>(Box<[T]>);

    impl<T: Default> Pages<T> {
        pub fn zeroed(len: usize) -> Pages<T> {
            Pages((0..len).map(|_| T::default()).collect())
        }
    }

    impl<T> std::ops::Deref for Pages<T> {
        type Target = [T];

        fn deref(&self) -> &[T] {
            &self.0
        }
    }
}

// Parts of it only the search uses.
#[allow(dead_code)]
#[path = "../../../src/store/index/mod.rs"]
pub mod index;
