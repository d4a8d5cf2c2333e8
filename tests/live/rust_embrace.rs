//! Two mutexes of the standard library, locked in both orders; with the argument
//! `right` in one.
use std::sync::{Arc, Mutex};

fn main() {
    let right = std::env::args().nth(1).is_some();
    let a = Arc::new(Mutex::new(0));
    let b = Arc::new(Mutex::new(0));
    let (first, second) = if right { (b.clone(), a.clone()) } else { (a.clone(), b.clone()) };
    let other = std::thread::spawn(move || {
        let mut x = first.lock().unwrap();
        let mut y = second.lock().unwrap();
        *x += 1;
        *y += 1;
    });
    {
        let mut y = b.lock().unwrap();
        let mut x = a.lock().unwrap();
        *x += 1;
        *y += 1;
    }
    other.join().unwrap();
    assert_eq!(*a.lock().unwrap() + *b.lock().unwrap(), 4);
}
