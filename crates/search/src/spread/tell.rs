//! What is wrong, told by the first worker: it follows the schedule as a replay does.

use exeunt_model::{OpenSection, Report, Schedule, Session, Verdict, Violation};

use super::path::Spot;
use crate::check::Judge;
use crate::explore::Graph;
use crate::options::Options;
use crate::replay::replay;
use crate::store::ComponentPool;
use crate::story::{self, Outcome};

/// What is wrong at a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// The transition at the place of the spot.
    Fault,
    Deadlock,
    Section(OpenSection),
    /// The program cannot end any more.
    Program,
}

#[derive(Clone, Copy, Debug)]
pub struct Suspect {
    pub spot: Spot,
    pub wrong: Wrong,
}

/// So many states behind the schedule may be looked at to tell a stuck section as a search of one
/// process does, with what repeats for ever.
const LOOKED_AT: u64 = 1 << 20;

/// The violations that a schedule leads to; `Err` if it does not, which is a defect of ours.
pub fn retell(
    session: &dyn Session,
    options: &Options,
    schedule: &Schedule,
    wrong: Wrong,
) -> Result<Vec<Violation>, String> {
    let mut alone = options.clone();
    alone.jobs = 1;
    alone.reduces = false;
    alone.checkpoints = Default::default();
    alone.limits.max_states = Some(LOOKED_AT + schedule.moves.len() as u64);
    let Report { verdict, violations, .. } = replay(session, &alone, schedule, None)?;
    match verdict {
        Verdict::Violated => Ok(violations),
        Verdict::Holds => Err("the schedule does not lead to what was found".to_string()),
        Verdict::Inconclusive => without_cycle(session, options, schedule, wrong),
    }
}

/// Tells what is stuck at the end of a schedule without what repeats, which is too large to be looked
/// at by one process.
fn without_cycle(
    session: &dyn Session,
    options: &Options,
    schedule: &Schedule,
    wrong: Wrong,
) -> Result<Vec<Violation>, String> {
    let pool = ComponentPool::new();
    let mut graph = Graph::new(session.worker(&pool), &pool);
    graph.start().map_err(|fault| fault.message)?;
    let mut state = graph.initial.ok_or("the program has no initial state")?;
    let mut path = vec![state];
    for step in &schedule.moves {
        match story::take(&mut graph, state, step) {
            Some((Outcome::State(next), _)) => state = next,
            _ => return Err(format!("the move `{step}` is not possible")),
        }
        path.push(state);
    }
    let mut trace = story::build(&mut graph, &path, None);
    trace.too_late = Some(path.len() - 1);
    let violation = match wrong {
        Wrong::Section(section) => {
            let chooses = session.facts().may_choose;
            story::section_violation(&mut graph, state, &[section], trace, chooses)
        }
        Wrong::Program => story::termination_violation(&mut graph, state, trace),
        Wrong::Fault | Wrong::Deadlock => return Err("it was not seen again".to_string()),
    };
    let mut judge = Judge::new(options);
    let _ = judge.keep(violation);
    Ok(judge.violations)
}
