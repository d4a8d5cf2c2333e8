//! Pseudo-random numbers: the very sequences of glibc, whose state becomes
//! part of the program's once it asks for a number.
//!
//! `rand` and `random` are the additive feedback generator of degree 31 (31
//! words and the position of its front pointer); the `48` family is the
//! linear congruence of POSIX.

use exeunt_mem::Bits;

use super::Answer;
use crate::builtin::Context;
use crate::builtin::{Args, Flow};
use crate::libc::library;
use crate::stop::Stop;

const DEGREE: usize = 31;
const SEPARATION: usize = 3;

/// The generator: a ring of words and the index that is added to next.
struct Generator {
    words: [u32; DEGREE],
    front: usize,
}

impl Generator {
    fn seeded(seed: u32) -> Generator {
        let mut words = [0u32; DEGREE];
        words[0] = if seed == 0 { 1 } else { seed };
        for i in 1..DEGREE {
            // 16807 * x mod (2^31 - 1) without overflow, as glibc does it,
            // which for negative x is not the mathematical remainder.
            let word = words[i - 1] as i32 as i64;
            let next = 16807 * (word % 127_773) - 2836 * (word / 127_773);
            words[i] = if next < 0 { next + 2_147_483_647 } else { next } as u32;
        }
        let mut generator = Generator { words, front: SEPARATION };
        for _ in 0..DEGREE * 10 {
            generator.next();
        }
        generator
    }

    fn next(&mut self) -> u32 {
        let rear = (self.front + DEGREE - SEPARATION) % DEGREE;
        self.words[self.front] = self.words[self.front].wrapping_add(self.words[rear]);
        let result = self.words[self.front] >> 1;
        self.front = (self.front + 1) % DEGREE;
        result
    }

    fn to_bytes(&self) -> Vec<u8> {
        let words = self.words.iter().chain(&[self.front as u32]).copied().collect::<Vec<_>>();
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn from_bytes(bytes: &[u8]) -> Generator {
        let word = |i: usize| {
            let bytes = &bytes[4 * i..4 * i + 4];
            u32::from_le_bytes(bytes.try_into().expect("four bytes"))
        };
        Generator { words: std::array::from_fn(word), front: word(DEGREE) as usize % DEGREE }
    }
}

const GENERATOR_BYTES: u64 = 4 * (DEGREE as u64 + 1);

pub fn random(context: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    let place = context.library_variable(library::RANDOM, || Generator::seeded(1).to_bytes());
    let (bytes, _) = context.read_bytes(place, GENERATOR_BYTES)?;
    let mut generator = Generator::from_bytes(&bytes);
    let number = generator.next();
    context.write_bytes(place, &generator.to_bytes(), &[])?;
    Ok(Flow::value(number as u64))
}

/// What a program finds that asks the system for random bytes.
pub const SAME: &str = "the random bytes of the system were the same each time";

/// The most bytes that one call of `getentropy` gives.
const MOST_ENTROPY: u64 = 256;

pub fn getentropy(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    if args.u64(1) > MOST_ENTROPY {
        return context.failed(libc::EIO);
    }
    context.write_bytes(args.ptr(0), &same_bytes(args.u64(1)), &[])?;
    Ok(Flow::int(0))
}

/// As many as are asked for: that the system has none yet is never the case.
pub fn getrandom(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    context.write_bytes(args.ptr(0), &same_bytes(args.u64(1)), &[])?;
    Ok(Flow::value(args.u64(1)))
}

/// Bytes without a zero among them.
fn same_bytes(count: u64) -> Vec<u8> {
    (0..count).map(|at| (at.wrapping_mul(0x9d) as u8) | 1).collect()
}

pub fn seed(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let bytes = Generator::seeded(args.u64(0) as u32).to_bytes();
    let place = context.library_variable(library::RANDOM, || bytes.clone());
    context.write_bytes(place, &bytes, &[])?;
    Ok(Flow::VOID)
}

pub fn rand_r(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let place = args.ptr(0);
    let bits = context.read(place, 4)?;
    if bits.undefined != 0 {
        return Err(context.undefined_text(args));
    }
    let mut next = bits.value as u32;
    let mut draw = || {
        next = next.wrapping_mul(1_103_515_245).wrapping_add(12345);
        next / 65536
    };
    let mut number = draw() % 2048;
    number = (number << 10) ^ (draw() % 1024);
    number = (number << 10) ^ (draw() % 1024);
    context.write(place, 4, Bits::defined(next as u64))?;
    Ok(Flow::value(number as u64))
}

// ---- 48 bits ------------------------------------------------------------------

const MASK: u64 = (1 << 48) - 1;

/// Moves the 48 bits at `place` on.
fn advance(context: &mut Context<'_, '_>, args: &Args<'_>, place: u64) -> Result<u64, Stop> {
    let bits = context.read(place, 6)?;
    if bits.undefined != 0 {
        return Err(context.undefined_text(args));
    }
    let next = bits.value.wrapping_mul(0x5_deec_e66d).wrapping_add(0xb) & MASK;
    context.write(place, 6, Bits::defined(next))?;
    Ok(next)
}

fn own_state(context: &mut Context<'_, '_>) -> u64 {
    context.library_variable(library::RAND48, || vec![0; 6])
}

fn as_double(bits: u64) -> Flow {
    Flow::value((bits as f64 / (MASK + 1) as f64).to_bits())
}

fn as_positive(bits: u64) -> Flow {
    Flow::value(bits >> 17)
}

fn as_signed(bits: u64) -> Flow {
    Flow::value((bits >> 16) as u32 as i32 as i64 as u64)
}

pub fn drand48(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let place = own_state(context);
    Ok(as_double(advance(context, args, place)?))
}

pub fn lrand48(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let place = own_state(context);
    Ok(as_positive(advance(context, args, place)?))
}

pub fn mrand48(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let place = own_state(context);
    Ok(as_signed(advance(context, args, place)?))
}

pub fn erand48(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(as_double(advance(context, args, args.ptr(0))?))
}

pub fn nrand48(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(as_positive(advance(context, args, args.ptr(0))?))
}

pub fn jrand48(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(as_signed(advance(context, args, args.ptr(0))?))
}

pub fn srand48(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let place = own_state(context);
    let seed = (args.u64(0) & u32::MAX as u64) << 16 | 0x330e;
    context.write(place, 6, Bits::defined(seed))?;
    Ok(Flow::VOID)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_the_one_of_glibc() {
        let mut generator = Generator::seeded(1);
        let first: Vec<u32> = (0..3).map(|_| generator.next()).collect();
        assert_eq!(first, [1804289383, 846930886, 1681692777]);
        let mut copy = Generator::from_bytes(&generator.to_bytes());
        assert_eq!(copy.next(), 1714636915);
        assert_eq!(Generator::seeded(42).next(), 71876166);
    }
}
