//! A small generator of random numbers, always the same.

pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(0x9e37_79b9_7f4a_7c15 ^ (seed + 1).wrapping_mul(0x2545_f491_4f6c_dd1d))
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) % n
    }

    pub(crate) fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn one_of<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.below(texts.len() as u64) as usize]
    }
}

/// Which programs are tried: so many, and from which number on. EXEUNT_RANDOM
/// and EXEUNT_RANDOM_FROM ask for more and for others (`./x fuzz` sets them).
pub(crate) fn seeds(usual: u64) -> std::ops::Range<u64> {
    let first = number("EXEUNT_RANDOM_FROM").unwrap_or(0);
    first..first + number("EXEUNT_RANDOM").unwrap_or(usual)
}

/// A number that the environment says.
pub(crate) fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}
