//! What the next step of an actor touches, for engines that ask which steps commute.

use crate::ActorId;

/// A range of places that is read or written. Only the machine knows what they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub start: u64,
    pub end: u64,
    pub write: bool,
}

/// What the next step of an actor touches. Steps of different actors that do not
/// conflict commute, and none of them makes the other possible or impossible.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// It conflicts with every step of other actors.
    pub everything: bool,
    /// Actors begin or are forgotten by it: how the next one is called depends on that.
    pub actors: bool,
    /// Others notice an actor that waits before it.
    pub announced: bool,
    pub spans: Vec<Span>,
}

impl Touched {
    pub fn everything() -> Touched {
        Touched { everything: true, ..Touched::default() }
    }

    /// Whether the order of two steps of different actors may matter.
    pub fn conflicts(&self, other: &Touched) -> bool {
        let meets = |a: &Span| {
            let meet = |b: &Span| (a.write || b.write) && a.start < b.end && b.start < a.end;
            other.spans.iter().any(meet)
        };
        self.everything
            || other.everything
            || (self.actors && other.actors)
            || self.spans.iter().any(meets)
    }
}

/// An actor that has not ended, with what its next step touches.
pub type Next = (ActorId, Touched);
