//! A round that goes backwards over the stored transitions: a state that has lost something
//! tells the states before it, here and at other workers, until nobody has anything to tell.

use super::explore::{Hand, Lost, STOP};
use super::part::{Kind, Number};
use super::post::Turn;
use super::wire::{Reader, put};

/// What states lose in such a round.
pub trait Losing<'h, 'm> {
    /// What a state tells of itself.
    type News: Copy;

    fn hand(&mut self) -> &mut Hand<'h, 'm>;

    /// A state that has something to tell.
    fn next(&mut self) -> Option<Number>;

    fn is_idle(&self) -> bool;

    fn news(&self, state: Number) -> Self::News;

    fn write(&mut self, news: Self::News, to: usize, letter: &mut Vec<u8>);

    fn read(&mut self, from: usize, letter: &mut Reader<'_>) -> Self::News;

    /// What is told holds behind a transition of this state: one that cannot be prevented, or the one at
    /// a place.
    fn hear(&mut self, state: Number, place: Option<u16>, news: Self::News);
}

/// How many states tell before letters are looked at.
const BATCH: usize = 4096;
const LONG: usize = 1 << 15;

/// Goes on until all was told, or somebody has stopped: then nothing that states have is
/// of use.
pub fn run<'h, 'm, L: Losing<'h, 'm>>(losing: &mut L) -> Result<(), Lost> {
    let mut letters = vec![Vec::new(); losing.hand().post.peers()];
    let mut idle = false;
    losing.hand().post.begin();
    loop {
        while let Some((from, letter)) = losing.hand().post.receive() {
            idle = false;
            read(losing, from, &letter);
        }
        // Whoever is idle may send nothing.
        if !idle && !losing.hand().stopped && losing.hand().meter_looks() {
            losing.hand().stop();
        }
        for _ in 0..BATCH {
            let next = if losing.hand().stopped { None } else { losing.next() };
            let Some(state) = next else { break };
            tell(losing, state, &mut letters);
        }
        let stopped = losing.hand().stopped;
        idle = stopped || losing.is_idle();
        for (to, letter) in letters.iter_mut().enumerate() {
            if stopped {
                letter.clear();
            } else if letter.len() >= LONG || (idle && !letter.is_empty()) {
                losing.hand().post.send(to, std::mem::take(letter));
            }
        }
        match losing.hand().post.turn(idle) {
            Turn::Going => {}
            Turn::Over => return Ok(()),
            Turn::Lost { process } => return Err(Lost { process }),
        }
    }
}

fn read<'h, 'm, L: Losing<'h, 'm>>(losing: &mut L, from: usize, letter: &[u8]) {
    // All others are longer.
    if *letter == [STOP] {
        losing.hand().stopped = true;
        return;
    }
    let mut letter = Reader(letter);
    while !letter.is_empty() {
        let (state, code) = (letter.take() as Number, letter.take());
        let news = losing.read(from, &mut letter);
        losing.hear(state, code.checked_sub(1).map(|place| place as u16), news);
    }
}

/// Tells the states before this one.
fn tell<'h, 'm, L: Losing<'h, 'm>>(losing: &mut L, state: Number, letters: &mut [Vec<u8>]) {
    let (me, news) = (losing.hand().post.index(), losing.news(state));
    let origins: Vec<_> = losing.hand().part.origins(state).collect();
    for origin in origins {
        let place = match origin.kind {
            Kind::Withheld | Kind::Initial => continue,
            Kind::Forced => None,
            Kind::Chosen => Some(origin.place),
        };
        if origin.worker == me {
            losing.hear(origin.state, place, news);
            continue;
        }
        let letter = &mut letters[origin.worker];
        put(letter, u64::from(origin.state));
        put(letter, place.map_or(0, |place| u64::from(place) + 1));
        losing.write(news, origin.worker, letter);
    }
}
