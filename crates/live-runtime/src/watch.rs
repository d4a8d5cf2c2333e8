//! Propositions: what of the program's memory formulas speak of.
//!
//! The controller has read the texts; here are addresses. A function of the
//! program is called while no thread runs and no operation is watched; what it
//! writes is taken back.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::machine;

/// A function of the program is being asked.
pub static ASKING: AtomicBool = AtomicBool::new(false);

enum Watch {
    /// So many bytes, compared with a number.
    Bytes { place: usize, size: usize, value: u64, equal: bool },
    /// A function without arguments.
    Call { place: usize, value: u64, equal: bool },
}

#[derive(Default)]
pub struct Watches {
    all: Vec<Watch>,
    /// Asking may change memory.
    pub may_write: bool,
}

impl Watches {
    /// `PLACE SIZE VALUE EQUAL`, numbers in hexadecimal; a size of zero is a function.
    pub fn add(&mut self, text: &str) {
        let numbers = text.split(' ').map(|word| u64::from_str_radix(word, 16).unwrap_or(0));
        let numbers: Vec<u64> = numbers.collect();
        let [place, size, value, equal] = numbers[..] else { return };
        let (place, equal) = (place as usize, equal != 0);
        self.may_write |= size == 0;
        self.all.push(match size {
            0 => Watch::Call { place, value, equal },
            size => Watch::Bytes { place, size: size as usize, value, equal },
        });
    }

    /// The propositions that hold now, as bits.
    pub fn letter(&self) -> u64 {
        let bits = self.all.iter().enumerate();
        bits.fold(0, |letter, (bit, watch)| letter | u64::from(watch.holds()) << bit)
    }
}

impl Watch {
    fn holds(&self) -> bool {
        match *self {
            Watch::Bytes { place, size, value, equal } => {
                let mut bytes = [0u8; 8];
                // SAFETY: the symbol table says that there are so many bytes
                // of a variable, at most eight.
                unsafe { bytes.as_mut_ptr().copy_from(place as *const u8, size) };
                let mask = u64::MAX >> (64 - 8 * size);
                (u64::from_ne_bytes(bytes) == value & mask) == equal
            }
            Watch::Call { place, value, equal } => {
                // SAFETY: a function of the program, by its symbol.
                let call: extern "C" fn() -> i32 = unsafe { std::mem::transmute(place) };
                ASKING.store(true, Ordering::Relaxed);
                let answer = machine::unwatched(|| call());
                ASKING.store(false, Ordering::Relaxed);
                (answer as u32 == value as u32) == equal
            }
        }
    }
}
