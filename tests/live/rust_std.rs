//! Mutexes, conditions, readers-writer locks and channels of the standard library.
use std::sync::{Arc, Condvar, Mutex, RwLock, mpsc};
fn main() {
    let m = Arc::new((Mutex::new(0), Condvar::new()));
    let (tx, rx) = mpsc::channel();
    let l = Arc::new(RwLock::new(1));
    let hs: Vec<_> = (0..3)
        .map(|i| {
            let (m, tx, l) = (m.clone(), tx.clone(), l.clone());
            std::thread::spawn(move || {
                *m.0.lock().unwrap() += *l.read().unwrap();
                m.1.notify_all();
                tx.send(i).unwrap();
            })
        })
        .collect();
    drop(tx);
    let mut n = m.0.lock().unwrap();
    while *n < 3 {
        n = m.1.wait(n).unwrap();
    }
    drop(n);
    let mut all: Vec<i32> = rx.iter().collect();
    all.sort();
    assert_eq!(all, [0, 1, 2]);
    for h in hs {
        h.join().unwrap();
    }
}
