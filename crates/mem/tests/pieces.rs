//! Large objects, which are kept in pieces, are compared with plain bytes: what is read, what
//! is stored, and that equal contents are one component, after random writes, steps that
//! are taken back, and jumps to other states.

use std::sync::Mutex;

use exeunt_ir::address::{ObjId, Space};
use exeunt_mem::{Bits, Flags, Header, Look, Memory, Root, build, carry, intern};
use exeunt_model::{CompId, Pool};
use exeunt_random::Random;

#[derive(Default)]
struct Kept(Mutex<Vec<&'static [u64]>>);

impl Pool for Kept {
    fn intern(&self, words: &[u64]) -> CompId {
        let mut kept = self.0.lock().expect("nobody panics");
        let at = kept.iter().position(|other| *other == words).unwrap_or_else(|| {
            kept.push(Vec::leak(words.to_vec()));
            kept.len() - 1
        });
        CompId(at as u32)
    }

    fn get(&self, id: CompId) -> &[u64] {
        self.0.lock().expect("nobody panics")[id.0 as usize]
    }
}

/// Data and which bits are undefined.
#[derive(Clone, PartialEq)]
struct Plain {
    data: Vec<u8>,
    undefined: Vec<u8>,
}

impl Plain {
    fn component(&self, pool: &Kept) -> CompId {
        let mut words = Vec::new();
        let header = Header { size: self.data.len() as u32, flags: Flags::default(), site: 0 };
        let defined = self.undefined.iter().all(|&byte| byte == 0);
        build(header, &self.data, if defined { &[] } else { &self.undefined }, &mut words);
        intern(pool, &mut words)
    }

    fn write(&mut self, offset: usize, len: usize, bits: Bits) {
        let value = (bits.value & !bits.undefined).to_le_bytes();
        self.data[offset..offset + len].copy_from_slice(&value[..len]);
        self.undefined[offset..offset + len].copy_from_slice(&bits.undefined.to_le_bytes()[..len]);
    }

    fn read(&self, offset: usize, len: usize) -> Bits {
        let number = |bytes: &[u8]| {
            let mut word = [0; 8];
            word[..len].copy_from_slice(&bytes[offset..offset + len]);
            u64::from_le_bytes(word)
        };
        Bits { value: number(&self.data), undefined: number(&self.undefined) }
    }
}

const OBJECT: ObjId = ObjId(0);

fn address(offset: usize) -> u64 {
    ObjId::new(Space::Global, OBJECT.0).at(offset as i64)
}

fn random_write(memory: &mut Memory<'_>, plain: &mut Plain, random: &mut Random) {
    let len = random.one_of(&[1, 2, 4, 8]);
    let offset = random.below(plain.data.len() - len + 1);
    let mask = if len == 8 { u64::MAX } else { (1 << (8 * len)) - 1 };
    let undefined = if random.one_in(5) { random.bits() & mask } else { 0 };
    let bits = Bits { value: random.below(3u64), undefined };
    memory.write(address(offset), len, bits).expect("it is within the object");
    plain.write(offset, len, bits);
}

fn random_block(memory: &mut Memory<'_>, plain: &mut Plain, random: &mut Random) {
    let offset = random.below(plain.data.len());
    let len = random.below(plain.data.len() - offset + 1);
    memory.write_bytes(address(offset), &vec![7; len], &[]).expect("it is within the object");
    plain.data[offset..offset + len].fill(7);
    plain.undefined[offset..offset + len].fill(0);
}

fn compare(memory: &mut Memory<'_>, plain: &Plain, random: &mut Random) {
    for _ in 0..4 {
        let offset = random.below(plain.data.len() - 7);
        let found = memory.read(address(offset), 8).expect("it is within the object");
        let wanted = plain.read(offset, 8);
        assert_eq!((found.value, found.undefined), (wanted.value, wanted.undefined));
    }
}

#[test]
fn pieces_are_read_and_written_as_one_object() {
    for seed in 0..40 {
        let random = &mut Random::new(seed);
        let pool = Kept::default();
        let size = 513 + random.below(6000usize);
        let start = Plain { data: vec![0; size], undefined: vec![0; size] };
        let constants = [None];
        let mut memory = Memory::new(&pool, &constants, &[0]);
        let mut states = vec![(start.component(&pool), start)];
        for _ in 0..60 {
            let (comp, mut plain) = states[random.below(states.len())].clone();
            memory.load(&[comp], &[], &[]);
            compare(&mut memory, &plain, random);
            if random.one_in(3) {
                let mut lost = plain.clone();
                random_write(&mut memory, &mut lost, random);
                compare(&mut memory, &lost, random);
                memory.rollback();
                compare(&mut memory, &plain, random);
            }
            for _ in 0..random.below(4) {
                random_write(&mut memory, &mut plain, random);
            }
            if random.one_in(6) {
                random_block(&mut memory, &mut plain, random);
            }
            let mut out = Vec::new();
            memory.commit(&mut out, &mut Vec::new(), None);
            assert_eq!(out, [plain.component(&pool)], "seed {seed}");
            compare(&mut memory, &plain, random);
            states.push((out[0], plain));
        }
    }
}

#[test]
fn only_what_is_touched_is_looked_at() {
    let pool = Kept::default();
    let plain = Plain { data: vec![0; 4096], undefined: vec![0; 4096] };
    let constants = [None];
    let mut memory = Memory::new(&pool, &constants, &[0]);
    memory.load(&[plain.component(&pool)], &[], &[]);
    memory.read(address(130), 4).expect("it is there");
    memory.read(address(140), 4).expect("it is there");
    assert_eq!(memory.looks(), [Look::Front(0), Look::Piece(0, 1)]);
    memory.write(address(256), 1, Bits::defined(1)).expect("it is there");
    assert_eq!(memory.looks().last(), Some(&Look::Piece(0, 2)));
    memory.rollback();
    memory.forget_looks();
    memory.read(address(130), 4).expect("it is there");
    assert_eq!(memory.looks(), [Look::Front(0), Look::Piece(0, 1)]);
    // That there is no undefined byte is a fact about all of it.
    memory.write(address(0), 1, Bits { value: 0, undefined: 1 }).expect("it is there");
    assert!(memory.looks().contains(&Look::Object(0)));
}

/// A change that was made in one object, and is made again in another one that is equal in the
/// pieces it depends on, has the result that writing there has.
#[test]
fn changes_can_be_made_again_in_other_objects() {
    for seed in 0..60 {
        let random = &mut Random::new(1000 + seed);
        let pool = Kept::default();
        let undefined = random.one_in(2);
        let mut plain = Plain { data: vec![0; 2048], undefined: vec![0; 2048] };
        if undefined {
            plain.undefined[128 * random.below(2usize)] = 1;
        }
        // Another one, which differs outside of the first two pieces.
        let mut other = plain.clone();
        other.data[1000] = 1;
        other.undefined[1500] = u8::from(undefined);
        let (old, before) = (plain.clone(), other.clone());
        for _ in 0..3 {
            let (at, value) = (random.below(256usize), random.below(2u64));
            let bits = Bits { value, undefined: 0 };
            plain.write(at, 1, bits);
            other.write(at, 1, bits);
        }
        if random.one_in(2) {
            plain.undefined[..256].fill(0);
            other.undefined[..256].fill(0);
        }
        let root = |plain: &Plain| Root::of(pool.get(plain.component(&pool))).expect("it is large");
        let Some((header, pieces)) = root(&old).change_to(&pool, root(&plain)) else {
            panic!("it depends on two pieces");
        };
        let made = root(&before).changed(&pool, header, &pieces);
        assert_eq!(made, other.component(&pool), "seed {seed}");
    }
}

/// The numbers of pieces are those of one pool.
#[test]
fn objects_are_the_same_in_another_pool() {
    for size in [8, 512, 513, 5000, 70_000] {
        let random = &mut Random::new(size as u64);
        let mut plain = Plain { data: vec![0; size], undefined: vec![0; size] };
        for _ in 0..20 {
            plain.data[random.below(size)] = random.below(256) as u8;
        }
        let at = random.below(size);
        (plain.data[at], plain.undefined[at]) = (0, 0xff);
        let (from, to) = (Kept::default(), Kept::default());
        to.intern(&[1, 2, 3]);
        let carried = carry(plain.component(&from), &from, &to);
        assert_eq!(carried, plain.component(&to), "{size} bytes");
    }
}
