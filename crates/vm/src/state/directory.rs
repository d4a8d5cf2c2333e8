//! The list of the numbers of dynamic objects that have a place in a state, in few words.
//!
//! A thread takes the lowest free number of its arena, so numbers that are in use are close
//! together: a word has a bit for each of 32 neighbours, and says which ones they are above.
//! A thousand nodes of a list take 32 words.
//!
//! Invariant: no word has no bits, and words grow; so equal lists have equal words.

use exeunt_ir::address::ObjId;

/// The numbers of one word have these bits in common.
const GROUP: u32 = 5;

/// Appends the words of a sorted list.
pub fn encode(objects: &[u64], out: &mut Vec<u64>) {
    let mut last: Option<u64> = None;
    for &id in objects {
        let (group, bit) = (id >> GROUP, 1 << (id & ((1 << GROUP) - 1)));
        match out.last_mut() {
            Some(word) if last == Some(group) => *word |= bit,
            _ => out.push(group << 32 | bit),
        }
        last = Some(group);
    }
}

/// The sorted list.
pub fn decode(words: &[u64], out: &mut Vec<u64>) {
    out.clear();
    for &word in words {
        let first = word >> 32 << GROUP;
        let mut bits = word as u32;
        while bits != 0 {
            out.push(first | bits.trailing_zeros() as u64);
            bits &= bits - 1;
        }
    }
}

/// How many numbers are in the list before this one, if it is there.
pub fn place(words: &[u64], ObjId(id): ObjId) -> Option<usize> {
    let group = u64::from(id >> GROUP);
    let at = words.binary_search_by_key(&group, |word| word >> 32).ok()?;
    let (bits, bit) = (words[at] as u32, 1 << (id & ((1 << GROUP) - 1)));
    let before = words[..at].iter().map(|&word| (word as u32).count_ones()).sum::<u32>();
    (bits & bit != 0).then(|| (before + (bits & (bit - 1)).count_ones()) as usize)
}

/// The numbers of an arena (`exeunt_mem::arena_key`) with their positions in the list.
pub fn places_of(words: &[u64], arena: u32) -> impl Iterator<Item = (u32, usize)> + '_ {
    let first = words.partition_point(|word| word >> 32 << GROUP < u64::from(arena));
    let mut before = count(&words[..first]);
    let ours = move |word: &&u64| (**word >> 32 << GROUP) as u32 & !0xffff == arena;
    words[first..].iter().take_while(ours).flat_map(move |&word| {
        let start = before;
        before += (word as u32).count_ones() as usize;
        let bits = (0..1u32 << GROUP).filter(move |bit| word >> bit & 1 != 0);
        bits.enumerate().map(move |(at, bit)| ((word >> 32 << GROUP) as u32 | bit, start + at))
    })
}

/// How many numbers are in the list.
pub fn count(words: &[u64]) -> usize {
    words.iter().map(|&word| (word as u32).count_ones() as usize).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists() -> Vec<Vec<u64>> {
        let ends = [0, 1, 31, 32, 33, 63, 64, 0xffff, 0x10000, 0x0302_0000, u32::MAX as u64];
        let some = |bits: u32| {
            let kept = ends.iter().enumerate().filter(move |(at, _)| bits >> at & 1 != 0);
            kept.map(|(_, id)| *id).collect::<Vec<u64>>()
        };
        let mut all: Vec<Vec<u64>> = (0..1 << ends.len()).map(some).collect();
        all.push((0x0200_0001..0x0200_03e9).collect());
        all
    }

    #[test]
    fn lists_come_back() {
        for list in lists() {
            // What is in front of the list is no part of it.
            let mut words = vec![list.first().map_or(7, |id| id >> GROUP << 32)];
            encode(&list, &mut words);
            let mut back = vec![1];
            decode(&words[1..], &mut back);
            assert_eq!(back, list);
            assert_eq!(count(&words[1..]), list.len());
        }
    }

    #[test]
    fn places_are_those_of_the_list() {
        let all = lists();
        for list in &all {
            let mut words = Vec::new();
            encode(list, &mut words);
            for id in all.iter().flatten().take(2000) {
                let expected = list.binary_search(id).ok();
                assert_eq!(place(&words, ObjId(*id as u32)), expected);
            }
        }
    }

    #[test]
    fn the_places_of_an_arena_are_those_of_the_list() {
        for list in lists() {
            let mut words = Vec::new();
            encode(&list, &mut words);
            for arena in [0, 0x10000, 0x0200_0000, 0x0302_0000, 0xffff_0000u32] {
                let ours = list.iter().map(|&id| id as u32).zip(0..);
                let ours = ours.filter(|(id, _)| id & !0xffff == arena);
                assert!(places_of(&words, arena).eq(ours));
            }
        }
    }

    #[test]
    fn a_thousand_neighbours_take_few_words() {
        let mut words = Vec::new();
        encode(&(0x0200_0000..0x0200_03e8).collect::<Vec<u64>>(), &mut words);
        assert_eq!(words.len(), 32);
    }
}
