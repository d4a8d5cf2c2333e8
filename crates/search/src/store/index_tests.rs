//! Tests of the index with real threads; `tests/loom` explores schedules.

use std::sync::atomic::{AtomicU32, Ordering};

use super::index::{Index, Keyed};

struct Numbers;

fn hash(n: u32) -> u64 {
    super::mix(n as u64 + 1)
}

impl Keyed for Numbers {
    fn hash_of(&self, id: u32) -> u64 {
        hash(id)
    }
}

#[test]
fn what_is_inserted_is_found() {
    let index = Index::default();
    let guard = crossbeam_epoch::pin();
    for n in 0..50_000 {
        let insert = || index.find_or_insert(hash(n), &guard, &Numbers, |id| id == n, || n);
        assert_eq!(insert(), (n, true));
        assert_eq!(insert(), (n, false));
    }
    for n in 0..50_000 {
        let again = index.find_or_insert(hash(n), &guard, &Numbers, |id| id == n, || n);
        assert_eq!(again, (n, false));
    }
}

#[test]
fn threads_that_insert_the_same_agree() {
    let index = Index::default();
    let made: Vec<AtomicU32> = (0..200_000).map(|_| AtomicU32::new(0)).collect();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (index, made) = (&index, &made);
            scope.spawn(move || {
                for i in 0..200_000u32 {
                    let n = if thread % 2 == 0 { i } else { 199_999 - i };
                    let guard = crossbeam_epoch::pin();
                    let make = || {
                        made[n as usize].fetch_add(1, Ordering::Relaxed);
                        n
                    };
                    let found = index.find_or_insert(hash(n), &guard, &Numbers, |id| id == n, make);
                    assert_eq!(found.0, n);
                }
            });
        }
    });
    assert!(made.iter().all(|count| count.load(Ordering::Relaxed) == 1));
}
