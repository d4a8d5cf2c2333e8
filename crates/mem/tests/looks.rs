//! Memory notes what of the loaded state it was asked for, once each: whoever
//! remembers what came of it must know what it depended on.

use std::sync::Mutex;

use exeunt_ir::address::{ObjId, Space};
use exeunt_mem::{ABSENT, Bits, Flags, Group, Header, Look, Memory, build};
use exeunt_model::{CompId, Pool};

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

fn object(pool: &Kept, byte: u8) -> CompId {
    let mut words = Vec::new();
    let header = Header { size: 8, flags: Flags::default(), site: 0 };
    build(header, &[byte; 8], &[], &mut words);
    pool.intern(&words)
}

fn global(number: u32) -> u64 {
    ObjId::new(Space::Global, number).at(0)
}

#[test]
fn every_object_is_noted_when_it_is_first_asked_for() {
    let pool = Kept::default();
    let globals = [object(&pool, 1), object(&pool, 2), object(&pool, 3)];
    let heap = ObjId::in_arena(Space::Heap, 0, 0);
    let constants = [None, None, None];
    let mut memory = Memory::new(&pool, &constants, &[0, 1, 2]);
    memory.load(&globals, &[heap.0 as u64], &[object(&pool, 4)]);
    assert_eq!(memory.looks(), []);
    memory.read(global(2), 4).expect("it is there");
    memory.write(global(0), 4, Bits::defined(7)).expect("it is there");
    memory.read(global(0), 4).expect("it is there");
    assert_eq!(memory.looks(), [Look::Front(2), Look::Front(0)]);
    memory.rollback();
    memory.destroy(heap, false);
    assert_eq!(memory.looks(), [Look::Front(2), Look::Front(0), Look::Front(3)]);
    memory.rollback();
    memory.forget_looks();
    memory.read(global(2), 4).expect("it is there");
    assert_eq!(memory.looks(), [Look::Front(2)]);
}

#[test]
fn a_new_number_depends_on_the_pointers_into_its_arena() {
    let pool = Kept::default();
    let globals = [object(&pool, 1)];
    let constants = [None];
    let mut memory = Memory::new(&pool, &constants, &[0]);
    memory.load(&globals, &[], &[]);
    let first = ObjId::in_arena(Space::Heap, 1, 0);
    // A pointer to what does not exist keeps its number.
    let root = [first.at(0)];
    let roots: [&[u64]; 1] = [&root];
    let second = ObjId::in_arena(Space::Heap, 1, 1);
    assert_eq!(memory.free_slot(Space::Heap, 1, &roots), Some(second));
    assert_eq!(memory.looks(), [Look::Pointers(first.0)]);
    assert_eq!(memory.free_slot(Space::Stack, 1, &roots).map(|id| id.slot()), Some(0));
    let stack = ObjId::in_arena(Space::Stack, 1, 0);
    assert_eq!(memory.looks(), [Look::Pointers(first.0), Look::Pointers(stack.0)]);
    memory.note_look(5);
    memory.note_look(5);
    assert_eq!(memory.looks().len(), 3);
}

/// Places of a group: two objects, and six where there is none.
fn group(pool: &Kept) -> (ObjId, Vec<u64>, Vec<CompId>) {
    let first = ObjId::in_arena(Space::Heap, 0, 0);
    let places = (u64::from(first.0)..).take(Group::SIZE).collect();
    let mut comps = vec![pool.intern(ABSENT); Group::SIZE];
    (comps[1], comps[4]) = (object(pool, 1), object(pool, 2));
    (first, places, comps)
}

#[test]
fn that_an_object_is_not_there_is_a_look_at_its_place() {
    let pool = Kept::default();
    let (ObjId(first), places, comps) = group(&pool);
    let mut memory = Memory::new(&pool, &[], &[]);
    memory.load(&[], &places, &comps);
    assert!(memory.header(ObjId(first)).is_none());
    assert!(memory.read(ObjId(first + 3).at(0), 1).is_err());
    assert!(memory.read(ObjId(first + 100).at(0), 1).is_err());
    assert_eq!(memory.looks(), [Look::Front(0), Look::Front(3)]);
    memory.forget_looks();
    let there = memory.objects_of(Space::Heap, 0);
    assert_eq!(there, [ObjId(first + 1), ObjId(first + 4)]);
    assert_eq!(memory.looks(), [0, 1, 2, 3, 4, 5, 6, 7].map(Look::Presence));
}

#[test]
fn places_stay_while_another_object_of_the_group_is_there() {
    let pool = Kept::default();
    let (ObjId(first), mut places, comps) = group(&pool);
    let before = places.clone();
    let mut memory = Memory::new(&pool, &[], &[]);
    memory.load(&[], &places, &comps);
    memory.destroy(ObjId(first + 1), false);
    let mut out = Vec::new();
    assert!(!memory.commit(&mut out, &mut places, Some(&[])));
    assert_eq!(places, before);
    assert_eq!(out[1], out[0]);
    assert_eq!(out[4], comps[4]);
    // Which of the others is there decides it.
    let looks = [1, 0, 2, 3, 4].map(Look::Presence);
    assert_eq!(memory.looks()[0], Look::Front(1));
    assert!(looks.iter().all(|look| memory.looks().contains(look)));
    memory.destroy(ObjId(first + 4), false);
    out.clear();
    assert!(memory.commit(&mut out, &mut places, Some(&[])));
    assert!(out.is_empty() && places.is_empty());
    assert!((0..8).all(|at| memory.looks().contains(&Look::Presence(at))));
    memory.rollback();
    assert!(memory.exists(ObjId(first + 1)) && memory.exists(ObjId(first + 4)));
}

#[test]
fn kept_groups_have_places_without_objects() {
    let pool = Kept::default();
    let (first, mut places, comps) = group(&pool);
    let mut memory = Memory::new(&pool, &[], &[]);
    memory.load(&[], &places, &comps);
    memory.destroy(ObjId(first.0 + 1), false);
    memory.destroy(ObjId(first.0 + 4), false);
    memory.forget_looks();
    let mut out = Vec::new();
    assert!(!memory.commit(&mut out, &mut places, Some(&[Group::of(first)])));
    assert_eq!(out, [comps[0]; Group::SIZE]);
    assert_eq!(memory.looks(), []);
    // What is made there needs no other places.
    memory.rollback();
    memory.create(first, 8, 0, Flags::default(), false);
    out.clear();
    assert!(!memory.commit(&mut out, &mut places, Some(&[])));
    assert_ne!(out[0], comps[0]);
    memory.rollback();
    assert!(!memory.exists(first));
}
