//! Schedules: the list of choices that a counterexample is.
//!
//! Text form: moves joined by `;`. A move is the actor's number counted from
//! one, `~` before it if the environment could have withheld it, the
//! values of its choices in brackets, and `*` with the number of the operation before
//! which it ends if it is a turn of the actor: `1;2(0);~1;2(1,0);3*1999`.

use std::fmt;
use std::str::FromStr;

use crate::{ActorId, Edge, Only};

/// One step of a schedule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    pub actor: ActorId,
    pub choices: Vec<u32>,
    pub withheld: bool,
    /// Where a turn ends ([`Turn::until`](crate::Turn)); 0 for a step.
    pub turn: u64,
}

impl Move {
    /// The move that an edge is.
    pub fn of(edge: &Edge<'_>) -> Self {
        let choices = edge.choices.iter().map(|c| c.value).collect();
        Move { actor: edge.actor, choices, withheld: edge.withheld, turn: edge.turn.until }
    }

    /// A step without choices.
    pub fn step(actor: ActorId) -> Self {
        Move { actor, choices: Vec::new(), withheld: false, turn: 0 }
    }

    /// Asks a worker for this move alone.
    pub fn only(&self) -> Only<'_> {
        let Move { actor, choices, withheld, turn } = self;
        Only { actor: *actor, choices, withheld: *withheld, turn: *turn }
    }
}

/// A finite run, as the choices that lead along it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Schedule {
    pub moves: Vec<Move>,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.withheld {
            f.write_str("~")?;
        }
        write!(f, "{}", self.actor)?;
        if !self.choices.is_empty() {
            let values: Vec<String> = self.choices.iter().map(u32::to_string).collect();
            write!(f, "({})", values.join(","))?;
        }
        if self.turn > 0 {
            write!(f, "*{}", self.turn)?;
        }
        Ok(())
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.moves.iter().enumerate() {
            if i > 0 {
                f.write_str(";")?;
            }
            write!(f, "{step}")?;
        }
        Ok(())
    }
}

/// Says which part of the text is not a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseScheduleError(pub String);

impl fmt::Display for ParseScheduleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a move of a schedule (expected for example `2` or `2(0,1)`)", self.0)
    }
}

impl std::error::Error for ParseScheduleError {}

impl FromStr for Move {
    type Err = ParseScheduleError;

    fn from_str(text: &str) -> Result<Self, ParseScheduleError> {
        let bad = || ParseScheduleError(text.to_string());
        let (withheld, rest) = match text.strip_prefix('~') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (turn, rest) = match rest.split_once('*') {
            Some((rest, operations)) => (operations.parse().map_err(|_| bad())?, rest),
            None => (0, rest),
        };
        let (actor, choices) = match rest.split_once('(') {
            None => (rest, Vec::new()),
            Some((actor, values)) => {
                let values = values.strip_suffix(')').ok_or_else(bad)?;
                let parsed: Result<Vec<u32>, _> = values.split(',').map(str::parse).collect();
                (actor, parsed.map_err(|_| bad())?)
            }
        };
        let number: u32 = actor.parse().map_err(|_| bad())?;
        let actor = ActorId(number.checked_sub(1).ok_or_else(bad)?);
        Ok(Move { actor, choices, withheld, turn })
    }
}

impl FromStr for Schedule {
    type Err = ParseScheduleError;

    fn from_str(text: &str) -> Result<Self, ParseScheduleError> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Schedule::default());
        }
        let moves = text.split(';').map(|part| part.trim().parse()).collect::<Result<_, _>>()?;
        Ok(Schedule { moves })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_form_round_trips() {
        for text in ["", "1", "1;1;2;1", "1;2(0);~1;2(1,0)", "1;2*7;3(1)*1"] {
            let schedule: Schedule = text.parse().expect(text);
            assert_eq!(schedule.to_string(), text);
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["0", "a", "1;;2", "2(", "2(x)", "-1", "2()", "*", "2*", "2*x", "2*1(1)"] {
            assert!(text.parse::<Schedule>().is_err(), "{text} was accepted");
        }
    }
}
