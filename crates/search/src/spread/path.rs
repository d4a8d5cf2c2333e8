//! The schedule that leads to a state, put together across workers: each knows where its states
//! were reached from, and tells the first worker the moves.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use exeunt_model::{Detail, Edge, Move, Schedule, Sink, Target};

use super::explore::{Hand, Lost};
use super::part::{Kind, Number};
use super::post::Turn;
use super::wire::{Reader, put, put_text};

/// A state, and one of its transitions by its place, if it is part of the path.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    pub worker: usize,
    pub state: Number,
    pub place: Option<u16>,
}

const BACK: u8 = 0;
const MOVE: u8 = 1;

/// The moves that lead to a state of some worker. Only the first worker gets them.
pub fn path_to(hand: &mut Hand<'_, '_>, spot: Spot) -> Result<Schedule, Lost> {
    let me = hand.post.index();
    let mut moves: BTreeMap<u64, Move> = BTreeMap::new();
    hand.post.begin();
    if spot.worker == me {
        walk_back(hand, spot.state, spot.place, 0);
    }
    loop {
        while let Some((_, letter)) = hand.post.receive() {
            let mut reader = Reader(&letter[1..]);
            match letter[0] {
                BACK => {
                    let (state, place) = (reader.take() as Number, reader.take());
                    let step = reader.take();
                    walk_back(hand, state, place.checked_sub(1).map(|place| place as u16), step);
                }
                MOVE => {
                    let step = reader.take();
                    let text = reader.text().parse().expect("a move is written as it is read");
                    moves.insert(step, text);
                }
                tag => unreachable!("no letter about a path begins with {tag}"),
            }
        }
        match hand.post.turn(true) {
            Turn::Going => {}
            Turn::Over => break,
            Turn::Lost { process } => return Err(Lost { process }),
        }
    }
    Ok(Schedule { moves: moves.into_values().rev().collect() })
}

/// Tells the moves backwards from a state as far as they are those of this worker.
fn walk_back(hand: &mut Hand<'_, '_>, state: Number, place: Option<u16>, step: u64) {
    let (mut state, mut place, mut step) = (state, place, step);
    loop {
        if let Some(place) = place {
            let taken = move_at(hand, state, place);
            let mut letter = vec![MOVE];
            put(&mut letter, step);
            put_text(&mut letter, &taken.to_string());
            hand.post.send(0, letter);
            step += 1;
        }
        let origin = hand.part.first_origin(state);
        if origin.kind == Kind::Initial {
            return;
        }
        if origin.worker != hand.post.index() {
            let mut letter = vec![BACK];
            put(&mut letter, u64::from(origin.state));
            put(&mut letter, u64::from(origin.place) + 1);
            put(&mut letter, step);
            hand.post.send(origin.worker, letter);
            return;
        }
        (state, place) = (origin.state, Some(origin.place));
    }
}

fn move_at(hand: &mut Hand<'_, '_>, state: Number, place: u16) -> Move {
    let mut components = Vec::new();
    hand.part.load(state, &mut components);
    let mut sink = At { left: place, found: None };
    hand.worker.expand(&components, Detail::Targets, None, &mut sink);
    sink.found.expect("a state has the same transitions every time")
}

/// Finds the transition at a place.
struct At {
    left: u16,
    found: Option<Move>,
}

impl Sink for At {
    fn edge(&mut self, edge: &Edge<'_>, _: Target<'_>) -> ControlFlow<()> {
        if self.left == 0 {
            self.found = Some(Move::of(edge));
            return ControlFlow::Break(());
        }
        self.left -= 1;
        ControlFlow::Continue(())
    }
}
