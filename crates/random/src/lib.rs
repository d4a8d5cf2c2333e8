//! Random numbers and random Promela models, for tests only.
//!
//! Invariant: the same seed gives the same numbers for ever, on every machine.
//! Seeds of random programs are quoted in the changelog, in commits and in
//! tests, and must stay valid. This is why no crate for random numbers is
//! used: those keep their streams only within one version.
//!
//! The generator is xorshift (Marsaglia: Xorshift RNGs, 2003).

#![forbid(unsafe_code)]

pub mod embedded;
pub mod meetings;
pub mod promela;

/// A stream of random numbers.
pub struct Random {
    /// Never zero: zero is followed by zero.
    state: u64,
}

impl Random {
    /// The stream of a seed; neighbouring seeds have unrelated streams.
    pub fn new(seed: u64) -> Random {
        let mixed = seed.wrapping_add(1).wrapping_mul(0x2545_f491_4f6c_dd1d);
        Random::from_state(0x9e37_79b9_7f4a_7c15 ^ mixed)
    }

    /// The stream that follows a state, which is not zero. States with few bits
    /// set begin with small numbers.
    pub fn from_state(state: u64) -> Random {
        assert_ne!(state, 0, "zero is followed by zero");
        Random { state }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }

    /// A number from 0 up to, and without, the limit.
    pub fn below<N: Number>(&mut self, limit: N) -> N {
        // The low bits of xorshift are its weakest.
        N::from_bits((self.bits() >> 33) % limit.to_bits())
    }

    /// True once in so many times.
    pub fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// True so many times in a hundred.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of some things, which are not none.
    pub fn one_of<T: Copy>(&mut self, things: &[T]) -> T {
        things[self.below(things.len())]
    }
}

/// The types of numbers that there are limits of. Limits are at most 2^31.
pub trait Number: Copy {
    fn to_bits(self) -> u64;
    fn from_bits(bits: u64) -> Self;
}

macro_rules! numbers {
    ($($name:ident)*) => {$(
        impl Number for $name {
            fn to_bits(self) -> u64 {
                self.try_into().expect("a limit is positive")
            }

            fn from_bits(bits: u64) -> $name {
                bits.try_into().expect("smaller than a limit of this type")
            }
        }
    )*};
}

numbers!(i32 u8 u32 u64 usize);

/// Which random programs a test tries: the usual number of them from 0 on, or
/// as many as EXEUNT_RANDOM says from EXEUNT_RANDOM_FROM on (`./x fuzz` sets
/// both).
pub fn seeds(usual: u64) -> std::ops::Range<u64> {
    let first = number("EXEUNT_RANDOM_FROM").unwrap_or(0);
    first..first + number("EXEUNT_RANDOM").unwrap_or(usual)
}

/// The number in an environment variable.
pub fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published seeds depend on these numbers.
    #[test]
    fn streams_never_change() {
        let mut random = Random::new(34996);
        let first: Vec<u64> = (0..6).map(|_| random.below(1000)).collect();
        assert_eq!(first, [183, 723, 3, 578, 512, 370]);
        let mut random = Random::from_state(88_172_645_463_325_252);
        assert_eq!(random.bits(), 8_748_534_153_485_358_512);
        assert_eq!(random.bits(), 3_040_900_993_826_735_515);
    }

    #[test]
    fn numbers_are_spread_evenly() {
        let mut random = Random::new(0);
        let mut seen = [0; 7];
        (0..7000).for_each(|_| seen[random.below(7usize)] += 1);
        assert!(seen.iter().all(|count| (900..1100).contains(count)), "{seen:?}");
    }

    /// Every model is a text of its own, and the same each time.
    #[test]
    fn models_depend_on_their_seed_only() {
        let models: Vec<String> = (0..20).map(promela::model).collect();
        let again: Vec<String> = (0..20).map(promela::model).collect();
        assert_eq!(models, again);
        assert!((1..20).all(|at| models[at] != models[at - 1]));
    }
}
