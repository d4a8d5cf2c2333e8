//! What closed claims accept, word by word.

use exeunt_random::Random;

use super::{Automaton, Move};

/// A word: letters, and letters that are repeated for ever.
type Word = (Vec<usize>, Vec<usize>);

/// Whether an automaton accepts a word: pairs of position and state, and from an accepting move a way
/// back to where it was made.
fn accepts(automaton: &Automaton, (stem, cycle): &Word) -> bool {
    let letters: Vec<usize> = stem.iter().chain(cycle).copied().collect();
    let next = |at: usize| if at + 1 < letters.len() { at + 1 } else { stem.len() };
    let steps = |(at, state): (usize, usize)| {
        let moves: &Vec<Move> = &automaton.moves[letters[at]][state];
        moves.iter().map(move |&(target, accepts)| ((next(at), target), accepts))
    };
    let reach = |from: (usize, usize)| {
        let mut found = vec![from];
        let mut at = 0;
        while at < found.len() {
            for (pair, _) in steps(found[at]) {
                if !found.contains(&pair) {
                    found.push(pair);
                }
            }
            at += 1;
        }
        found
    };
    let reachable = reach((0, automaton.start));
    reachable
        .iter()
        .any(|&pair| steps(pair).any(|(target, accepts)| accepts && reach(target).contains(&pair)))
}

fn automaton(random: &mut Random) -> Automaton {
    let states = 1 + random.below(3usize);
    let letters = 2;
    let mut moves = vec![vec![Vec::new(); states]; letters];
    for by_state in &mut moves {
        for row in by_state {
            for target in 0..states {
                if random.chance(50) {
                    row.push((target, target % 2 == 1));
                }
            }
        }
    }
    Automaton { moves, start: 0 }
}

/// All words of so many letters.
fn words(stem: usize, cycle: usize) -> impl Iterator<Item = Word> {
    (0..1usize << (stem + cycle)).map(move |bits| {
        let letters: Vec<usize> = (0..stem + cycle).map(|at| bits >> at & 1).collect();
        (letters[..stem].to_vec(), letters[stem..].to_vec())
    })
}

/// Repeats one letter.
fn stuttered(word: &Word, at: usize) -> Word {
    let (mut stem, mut cycle) = word.clone();
    match at.checked_sub(stem.len()) {
        None => stem.insert(at, stem[at]),
        Some(at) => cycle.insert(at, cycle[at]),
    }
    (stem, cycle)
}

#[test]
fn what_is_closed_accepts_all_or_none() {
    let (mut closed, mut telling) = (0, 0);
    for seed in 0..3000 {
        let automaton = automaton(&mut Random::new(seed));
        let said = automaton.drops_repetitions() && automaton.takes_repetitions();
        let mut differs = None;
        for (stem, cycle) in [(0, 1), (0, 2), (1, 1), (2, 1), (1, 2), (2, 2), (0, 3)] {
            for word in words(stem, cycle) {
                let accepted = accepts(&automaton, &word);
                for at in 0..stem + cycle {
                    if accepts(&automaton, &stuttered(&word, at)) != accepted {
                        differs = Some(word.clone());
                    }
                }
            }
        }
        assert!(!said || differs.is_none(), "seed {seed}: {differs:?} in {:?}", automaton.moves);
        closed += usize::from(said);
        telling += usize::from(differs.is_some());
    }
    assert!(closed > 300 && telling > 300, "{closed} are closed, {telling} can tell");
}

/// Claims as SPIN writes them for formulas without `X`.
#[test]
fn claims_of_formulas_are_closed() {
    // `[]<>p`: letters are !p and p; T0 loops, p leads to an accepting state that leads back.
    let again = Automaton {
        moves: vec![
            vec![vec![(0, false)], vec![(0, false)]],
            vec![vec![(0, false), (1, true)], vec![(0, false)]],
        ],
        start: 0,
    };
    assert!(again.drops_repetitions() && again.takes_repetitions());
    // `X p`: the second letter is p.
    let next = Automaton {
        moves: vec![
            vec![vec![(1, false)], vec![], vec![(2, true)]],
            vec![vec![(1, false)], vec![(2, true)], vec![(2, true)]],
        ],
        start: 0,
    };
    assert!(!(next.drops_repetitions() && next.takes_repetitions()));
}
