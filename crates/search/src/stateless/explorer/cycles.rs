//! Runs that were cut off while they went round in circles.
//!
//! The operations of threads are compared, not the states of the program, so
//! what is found is suspected and never proven: a counter may grow unseen.

use exeunt_model::{Action, ActorId, Reply};

use super::{Event, Explorer};

/// How often the same steps must come in a row.
const TIMES: usize = 3;

impl Explorer {
    /// The threads that repeat the same operations at the end of the present
    /// run and get nowhere, if no other thread could have moved; and how many
    /// steps they repeat.
    pub fn livelock(&self) -> Option<(Vec<ActorId>, usize)> {
        let period = (1..=self.events.len() / TIMES).find(|&period| self.repeats(period))?;
        let round = &self.events[self.events.len() - period..];
        let mut actors: Vec<ActorId> = round.iter().map(|event| event.key.actor).collect();
        actors.sort_unstable();
        actors.dedup();
        let fair = self.enabled().iter().all(|actor| actors.contains(actor));
        let vain = |actor: &ActorId| {
            let own = || round.iter().filter(|event| event.key.actor == *actor);
            own().any(in_vain) || own().all(only_reads)
        };
        (fair && actors.iter().all(vain)).then_some((actors, period))
    }

    /// Threads that wait for mutexes in a circle, or for one whose owner has
    /// ended: no other thread can wake them.
    pub(super) fn circle(&self) -> Option<Vec<ActorId>> {
        self.unfinished().find_map(|start| {
            let mut seen = vec![start];
            loop {
                let owner = self.blocker(*seen.last().expect("it begins with one"))?;
                if owner == start || self.actors[owner.0 as usize].next.is_none() {
                    return Some(seen);
                }
                if seen.contains(&owner) {
                    return None;
                }
                seen.push(owner);
            }
        })
    }

    /// Who holds the mutex that this thread is blocked on.
    fn blocker(&self, actor: ActorId) -> Option<ActorId> {
        if self.is_enabled(actor) {
            return None;
        }
        let operation = self.actors[actor.0 as usize].next?;
        match operation.accesses() {
            [access] if matches!(access.action, Action::Lock(_)) => {
                self.objects.owner(access.object)
            }
            _ => None,
        }
    }

    fn repeats(&self, period: usize) -> bool {
        let rest = &self.events[self.events.len() - TIMES * period..];
        let same =
            |a: &Event, b: &Event| (a.key, a.announced, a.reply) == (b.key, b.announced, b.reply);
        (period..rest.len()).all(|index| same(&rest[index], &rest[index - period]))
    }
}

/// The step gave way, or did not get what it wanted.
fn in_vain(event: &Event) -> bool {
    event.reply == Reply::Busy || event.announced.everything
}

fn only_reads(event: &Event) -> bool {
    let accesses = event.announced.accesses();
    !accesses.is_empty()
        && accesses.iter().all(|access| access.action.is_memory() && !access.action.writes())
}
