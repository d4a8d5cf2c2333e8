//! The game of fair simulation.
//!
//! One player moves in the first automaton, the other answers in the second with the same letter. The second
//! player wins if it can always answer, and accepts again and again if the first one does. That is a parity game with
//! three colours, whose winning pairs are a fixpoint nested three times (Emerson and Jutla, Tree automata,
//! mu-calculus and determinacy, 1991).

use super::Move;

/// Larger games are given up.
const MOST_PAIRS: usize = 40_000;
const MOST_WORK: u64 = 20_000_000;

/// An automaton's moves, by letter and state.
pub type Table = Vec<Vec<Vec<Move>>>;

/// Whether the second automaton simulates the first, both from their start. `false` also if the game is too large.
pub fn simulates(first: &Table, second: &Table, start: usize) -> bool {
    let states = |table: &Table| table.first().map_or(0, Vec::len);
    let (rows, columns) = (states(first), states(second));
    if rows * columns > MOST_PAIRS {
        return false;
    }
    let mut game = Game { first, second, columns, pairs: rows * columns, work: 0 };
    let won = game.won();
    won.is_some_and(|won| won.get(start * columns + start) == Some(&true))
}

struct Game<'g> {
    first: &'g Table,
    second: &'g Table,
    columns: usize,
    pairs: usize,
    work: u64,
}

/// Which pairs a step may lead to: behind an answer that accepts, behind a move that does while the answer does not, and
/// behind all others.
struct Sets<'s> {
    answered: &'s [bool],
    owed: &'s [bool],
    others: &'s [bool],
}

impl Game<'_> {
    /// The pairs that the second player wins; `None` if that is too much work. The largest set `answered` such that, with
    /// finitely many acceptances in between (the smallest `owed`) and anything else for ever (the largest `others`), it is come
    /// back to.
    fn won(&mut self) -> Option<Vec<bool>> {
        let mut answered = vec![true; self.pairs];
        loop {
            let mut owed = vec![false; self.pairs];
            loop {
                let mut others = vec![true; self.pairs];
                loop {
                    let sets = Sets { answered: &answered, owed: &owed, others: &others };
                    let next = self.step(&sets)?;
                    if next == others {
                        break;
                    }
                    others = next;
                }
                if others == owed {
                    break;
                }
                owed = others;
            }
            if owed == answered {
                return Some(answered);
            }
            answered = owed;
        }
    }

    fn step(&mut self, sets: &Sets<'_>) -> Option<Vec<bool>> {
        let next = (0..self.pairs).map(|pair| self.holds(pair, sets)).collect();
        (self.work <= MOST_WORK).then_some(next)
    }

    /// Whether each move of the first player has an answer.
    fn holds(&mut self, pair: usize, sets: &Sets<'_>) -> bool {
        let (row, column) = (pair / self.columns, pair % self.columns);
        let mut letters = self.first.iter().zip(self.second);
        letters.all(|(moves, answers)| {
            self.work += (moves[row].len() * (1 + answers[column].len())) as u64;
            moves[row].iter().all(|&(row, accepts)| {
                answers[column].iter().any(|&(column, answers)| {
                    let set = match (answers, accepts) {
                        (true, _) => sets.answered,
                        (false, true) => sets.owed,
                        (false, false) => sets.others,
                    };
                    set[row * self.columns + column]
                })
            })
        })
    }
}
