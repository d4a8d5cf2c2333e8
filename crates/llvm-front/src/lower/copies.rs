//! Parallel copies in some order that does the same one after another.

use exeunt_ir::Slot;

/// Orders copies `(dst, src)` that are meant to happen all at once. `scratch`
/// gives a slot that is used to break cycles. Destinations are distinct.
pub(super) fn sequentialise(
    copies: &[(Slot, Slot)],
    scratch: &mut dyn FnMut() -> Slot,
) -> Vec<(Slot, Slot)> {
    let mut todo: Vec<(Slot, Slot)> =
        copies.iter().copied().filter(|(dst, src)| dst != src).collect();
    let mut done = Vec::with_capacity(todo.len());
    while !todo.is_empty() {
        // A copy may go first if no other copy still has to read what it overwrites.
        let free = (0..todo.len()).find(|&i| todo.iter().all(|&(_, src)| src != todo[i].0));
        match free {
            Some(i) => done.push(todo.remove(i)),
            None => {
                // Only cycles are left: save one value and read it from there.
                let saved = todo[0].0;
                let spare = scratch();
                done.push((spare, saved));
                todo.iter_mut().filter(|copy| copy.1 == saved).for_each(|copy| copy.1 = spare);
            }
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs the copies on a small register file.
    fn run(copies: &[(Slot, Slot)]) -> Vec<u32> {
        let mut registers: Vec<u32> = (100..120).collect();
        let mut spare = 10;
        let ordered = sequentialise(copies, &mut || {
            spare += 1;
            spare
        });
        for (dst, src) in ordered {
            registers[dst as usize] = registers[src as usize];
        }
        registers[..8].to_vec()
    }

    fn expected(copies: &[(Slot, Slot)]) -> Vec<u32> {
        let mut registers: Vec<u32> = (100..108).collect();
        for &(dst, src) in copies {
            registers[dst as usize] = 100 + src;
        }
        registers
    }

    #[test]
    fn swaps_rotations_and_chains_keep_their_meaning() {
        let cases: [&[(Slot, Slot)]; 7] = [
            &[(0, 1), (1, 0)],
            &[(0, 1), (1, 2), (2, 0)],
            &[(0, 1), (1, 2), (2, 3)],
            &[(2, 3), (1, 2), (0, 1)],
            &[(0, 1), (1, 0), (2, 3), (3, 2), (4, 0)],
            &[(0, 0), (1, 0), (2, 0)],
            &[(0, 1), (1, 0), (2, 1), (3, 1)],
        ];
        for copies in cases {
            assert_eq!(run(copies), expected(copies), "{copies:?}");
        }
    }

    #[test]
    fn all_small_permutations_and_functions() {
        for code in 0..5_u32.pow(5) {
            let copies: Vec<(Slot, Slot)> = (0..5).map(|i| (i, code / 5_u32.pow(i) % 5)).collect();
            assert_eq!(run(&copies), expected(&copies), "{copies:?}");
        }
    }
}
