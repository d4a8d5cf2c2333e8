//! Fewer steps for the same violation: parts of a found schedule are left out, and the program is run along
//! what is left. What still goes wrong in the same way is kept (delta debugging: Zeller and Hildebrandt,
//! Simplifying and Isolating Failure-Inducing Input, 2002). It takes a bounded time, so the result has few
//! steps, not the fewest.

use std::time::{Duration, Instant};

use exeunt_model::{Move, Schedule};

use crate::Options;
use crate::program::{Program, Refusal};
use crate::session::{self, Found};
use crate::story;

/// How long schedules are tried.
const LONGEST: Duration = Duration::from_secs(1);
/// How many are.
const MOST: u32 = 200;

struct Shortening<'p> {
    program: &'p Program,
    options: &'p Options,
    found: &'p Found,
    until: Instant,
    left: u32,
}

/// A schedule with fewer steps that goes wrong as the found one does, or the found one.
pub(crate) fn shorter(
    program: &Program,
    options: &Options,
    found: &Found,
    deadline: Option<Instant>,
) -> Result<Schedule, Refusal> {
    let known = found.schedule.clone();
    // Of two steps that race, the numbers are known, and of the others that they are no violation.
    let other = ["race", "unsupported", "differs", "outside", "livelock"];
    if other.contains(&found.kind.as_str()) || known.moves.len() < 2 {
        return Ok(known);
    }
    let latest = Instant::now() + LONGEST;
    let until = deadline.map_or(latest, |deadline| deadline.min(latest));
    let mut work = Shortening { program, options, found, until, left: MOST };
    let mut moves = work.cut(known.moves)?;
    // First what other threads do, then ever smaller parts.
    let actors = found.actors.clone();
    if !actors.is_empty() {
        let own: Vec<Move> =
            moves.iter().filter(|step| actors.contains(&step.actor)).cloned().collect();
        if own.len() < moves.len() && work.fails(&own)? {
            moves = own;
        }
    }
    let mut size = moves.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        while at < moves.len() {
            let mut rest = moves.clone();
            rest.drain(at..(at + size).min(moves.len()));
            match work.fails(&rest)? {
                true => moves = rest,
                false => at += size,
            }
        }
        size /= 2;
    }
    let moves = work.cut(moves)?;
    Ok(Schedule { moves })
}

impl Shortening<'_> {
    /// Without the steps behind the one with which the threads wait for ever.
    fn cut(&mut self, moves: Vec<Move>) -> Result<Vec<Move>, Refusal> {
        if self.found.kind != "circle" && self.found.kind != "stuck" {
            return Ok(moves);
        }
        let schedule = Schedule { moves };
        let story = story::tell(self.program, &schedule, self.options)?;
        let mut moves = schedule.moves;
        let circle = story.circle.filter(|(_, actors)| self.found.actors == *actors);
        if let Some((steps, _)) = circle.filter(|_| self.found.kind == "circle") {
            moves.truncate(steps);
            return Ok(moves);
        }
        // Threads that wait for ever do so from then on, so the first such step can be searched by halves.
        let (mut low, mut high) = (0, moves.len());
        while low + 1 < high && !self.is_over() {
            let middle = low.midpoint(high);
            match self.fails(&moves[..middle])? {
                true => high = middle,
                false => low = middle,
            }
        }
        moves.truncate(high);
        Ok(moves)
    }

    fn is_over(&self) -> bool {
        self.left == 0 || Instant::now() > self.until
    }

    /// Whether the program goes wrong in the same way along these steps.
    fn fails(&mut self, moves: &[Move]) -> Result<bool, Refusal> {
        if self.is_over() {
            return Ok(false);
        }
        self.left -= 1;
        let schedule = Schedule { moves: moves.to_vec() };
        if self.found.kind == "stuck" {
            let Options { max_depth, .. } = self.options;
            let plan = format!("root={schedule} max-depth={max_depth}{}", self.options.always());
            let alone = Options { jobs: 1, ..self.options.clone() };
            let again = session::explore(self.program, &plan, &alone, None, &mut |_| {})?.found;
            return Ok(again.iter().any(|one| self.is_same(one)));
        }
        let story = story::tell(self.program, &schedule, self.options)?;
        let made = story.trace.steps.len() == moves.len();
        Ok(made && story.found.is_some_and(|one| self.is_same(&one)))
    }

    fn is_same(&self, one: &Found) -> bool {
        let Found { kind, actors, text, .. } = self.found;
        (&one.kind, &one.actors, &one.text) == (kind, actors, text)
    }
}
