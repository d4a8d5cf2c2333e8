//! When a cycle finds its messages for ever: the words of a channel.
//!
//! One round of a cycle takes `n` messages from a channel that held `l` of
//! them, and adds `m`. With `n <= m`, and the first round having been run, the
//! messages are always there in time. Which message is taken when is settled
//! by numbers alone: the receive with number `k` in its round meets, besides
//! what lay in the channel at first, exactly the sends with a number `j` in
//! their round such that `k` and `j + l` differ by a multiple of `gcd(n, m)`.
//! The proof is in `docs/prove.md`.

/// What one round does to a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Flow {
    /// Messages before the first round.
    pub length: usize,
    pub taken: usize,
    pub added: usize,
}

impl Flow {
    pub fn grows(&self) -> bool {
        self.added > self.taken
    }

    /// How many classes of messages there are: those of one class meet the
    /// same receives.
    pub fn classes(&self) -> usize {
        gcd(self.taken, self.added).max(1)
    }

    /// The class of the message that a round's receive `index` takes, and of
    /// the message that lies at this place before the round.
    pub fn class_at(&self, index: usize) -> usize {
        index % self.classes()
    }

    /// The class of the message that a round's send `index` adds.
    pub fn class_of_send(&self, index: usize) -> usize {
        (self.length + index) % self.classes()
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use exeunt_random::Random;

    use super::*;

    /// Whether a cycle that takes the word `taken` and adds the word `added` to a
    /// channel that first holds `queue` finds its messages for ever, if it does
    /// in the first round. Exact.
    fn repeats_for_ever<T: PartialEq>(queue: &[T], taken: &[T], added: &[T]) -> bool {
        let flow = Flow { length: queue.len(), taken: taken.len(), added: added.len() };
        if taken.is_empty() {
            return true;
        }
        if added.len() < taken.len() {
            return false;
        }
        let at_first =
            queue.iter().enumerate().all(|(place, message)| *message == taken[place % taken.len()]);
        at_first
            && added.iter().enumerate().all(|(index, message)| {
                let class = flow.class_of_send(index);
                taken.iter().skip(class).step_by(flow.classes()).all(|wanted| wanted == message)
            })
    }

    /// Runs rounds: all sends first, so that only the words count.
    fn runs(queue: &[u8], taken: &[u8], added: &[u8], rounds: usize) -> bool {
        let mut channel: std::collections::VecDeque<u8> = queue.iter().copied().collect();
        for _ in 0..rounds {
            channel.extend(added);
            for wanted in taken {
                if channel.pop_front() != Some(*wanted) {
                    return false;
                }
            }
        }
        true
    }

    /// All words over two letters up to a length.
    fn words(longest: usize) -> Vec<Vec<u8>> {
        let mut all = vec![Vec::new()];
        let mut last = all.clone();
        for _ in 0..longest {
            let longer = |word: &Vec<u8>| {
                [0, 1].map(|letter| {
                    let mut next = word.clone();
                    next.push(letter);
                    next
                })
            };
            last = last.iter().flat_map(longer).collect();
            all.extend(last.clone());
        }
        all
    }

    /// Every small problem, against running many rounds. After
    /// `length + taken * added` rounds each pair of places has met.
    #[test]
    fn the_criterion_is_what_runs_show() {
        let mut held = 0;
        for queue in words(3) {
            for taken in words(4) {
                for added in words(4) {
                    let rounds = queue.len() + (taken.len() + 1) * (added.len() + 1) + 1;
                    let expected = runs(&queue, &taken, &added, rounds);
                    let found = repeats_for_ever(&queue, &taken, &added);
                    assert_eq!(found, expected, "{queue:?} {taken:?} {added:?}");
                    held += usize::from(found);
                }
            }
        }
        assert!(held > 100, "only {held} problems repeat");
    }

    /// Longer words that often repeat: powers of a common word.
    #[test]
    fn powers_of_a_word_agree_with_runs() {
        let mut random = Random::new(7);
        let mut next = |below: u64| random.below(below);
        let mut held = 0;
        for _ in 0..4000 {
            let base: Vec<u8> = (0..1 + next(4)).map(|_| next(2) as u8).collect();
            let power = |count: u64| base.repeat(count as usize);
            let (mut queue, mut taken, mut added) =
                (power(next(3)), power(next(4)), power(next(5)));
            let start = next(base.len() as u64) as usize;
            queue.drain(..start.min(queue.len()));
            if next(3) == 0 && !added.is_empty() {
                let place = next(added.len() as u64) as usize;
                added[place] ^= 1;
            }
            if next(3) == 0 && !taken.is_empty() {
                let by = next(taken.len() as u64) as usize;
                taken.rotate_left(by);
            }
            let rounds = queue.len() + (taken.len() + 1) * (added.len() + 1) + 1;
            let expected = runs(&queue, &taken, &added, rounds);
            let found = repeats_for_ever(&queue, &taken, &added);
            assert_eq!(found, expected, "{queue:?} {taken:?} {added:?}");
            held += usize::from(found && !taken.is_empty());
        }
        assert!(held > 200, "only {held} problems repeat");
    }
}
