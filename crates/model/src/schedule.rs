//! Schedules: the list of choices that a counterexample is.
//!
//! Text form: moves joined by `;`. A move is the actor's number counted from
//! one, `~` before it if the environment could have withheld it, and the
//! values of its choices in brackets: `1;2(0);~1;2(1,0)`.

use std::fmt;
use std::str::FromStr;

use crate::{ActorId, Choice};

/// One step of a schedule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    pub actor: ActorId,
    pub choices: Vec<u32>,
    pub withheld: bool,
}

impl Move {
    pub fn new(actor: ActorId, choices: &[Choice], withheld: bool) -> Self {
        Move { actor, choices: choices.iter().map(|c| c.value).collect(), withheld }
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
        Ok(Move { actor, choices, withheld })
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
        for text in ["", "1", "1;1;2;1", "1;2(0);~1;2(1,0)"] {
            let schedule: Schedule = text.parse().expect(text);
            assert_eq!(schedule.to_string(), text);
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["0", "a", "1;;2", "2(", "2(x)", "-1", "2()"] {
            assert!(text.parse::<Schedule>().is_err(), "{text} was accepted");
        }
    }
}
