//! From a state to the next states: single steps, and chains of steps where
//! an atomic sequence keeps control.
//!
//! States inside an atomic sequence are not handed over, except where the
//! sequence blocks. A chain that has gone on for very long, or has branched
//! very often, is cut: the state in the middle is handed over with a note of
//! who holds control, so that an endless loop in an atomic sequence shows up
//! as a cycle of states. Where a chain is cut depends only on the choices
//! along it, so that a schedule replays.

use std::ops::ControlFlow;

use exeunt_model::{Choice, ChoiceKind, Edge, Move, Only, Sink, Target, Turn};

use super::execute::Done;
use super::memory::Mark;
use super::trouble::{Outcome, Trouble};
use super::{Machine, Recorded, actor};

/// One place on the way of a chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pid: u32,
    /// Its part of `entries`, and the next to be tried.
    first: u32,
    end: u32,
    next: u32,
    mark: Mark,
    choices: u32,
    events: u32,
    path: u32,
    closed: u32,
    /// Roughly how many chains of this length there are, as a power of two.
    spread: u32,
    /// How many steps before it were taken because no other process observes them.
    merged: u32,
}

const LONGEST_CHAIN: usize = 20_000;
const WIDEST_CHAIN: u32 = 22;
/// How far a chain goes on because no other process observes its steps.
const MOST_MERGED: u32 = 32;
const WIDEST_MERGED: u32 = 6;

/// How an expansion is restricted and where its edges go.
pub(super) struct Run<'s, 'o> {
    pub only: Option<Only<'o>>,
    pub sink: &'s mut dyn Sink,
    pub edges: u64,
}

impl Machine<'_> {
    /// Hands over all edges of one process.
    pub(super) fn explore(&mut self, pid: u32, run: &mut Run<'_, '_>) -> ControlFlow<()> {
        self.choices.clear();
        self.events.clear();
        self.path.clear();
        self.closed.clear();
        let mark = self.memory.mark();
        let flow = match self.link(pid, 0, 0) {
            true => self.follow(pid, run),
            false => ControlFlow::Continue(()),
        };
        // A sink that has enough leaves in the middle of a chain.
        self.memory.undo(mark);
        self.entries.clear();
        self.chain.clear();
        self.troubles.clear();
        flow
    }

    /// Adds a place to the chain; `false` if the process cannot move there.
    fn link(&mut self, pid: u32, spread: u32, merged: u32) -> bool {
        let first = self.entries.len() as u32;
        self.collect(pid);
        let end = self.entries.len() as u32;
        if first == end {
            return false;
        }
        self.chain.push(Link {
            pid,
            first,
            end,
            next: first,
            mark: self.memory.mark(),
            choices: self.choices.len() as u32,
            events: self.events.len() as u32,
            path: self.path.len() as u32,
            closed: self.closed.len() as u32,
            spread: spread + (end - first).ilog2(),
            merged,
        });
        true
    }

    fn follow(&mut self, mover: u32, run: &mut Run<'_, '_>) -> ControlFlow<()> {
        while let Some(link) = self.chain.last_mut() {
            if link.next == link.end {
                let (mark, first) = (link.mark, link.first);
                self.chain.pop();
                self.entries.truncate(first as usize);
                self.memory.undo(mark);
                // The place before is where the next of its entries starts.
                if let Some(before) = self.chain.last() {
                    let mark = before.mark;
                    self.memory.undo(mark);
                }
                continue;
            }
            let index = link.next;
            link.next += 1;
            let link = *link;
            self.choices.truncate(link.choices as usize);
            self.events.truncate(link.events as usize);
            self.path.truncate(link.path as usize);
            self.closed.truncate(link.closed as usize);
            self.choose(link, index);
            if !self.wanted(&run.only, link.choices as usize) {
                continue;
            }
            self.step(mover, link, index, run)?;
        }
        ControlFlow::Continue(())
    }

    /// Executes one entry and goes on from there or hands over an edge.
    fn step(
        &mut self,
        mover: u32,
        link: Link,
        index: u32,
        run: &mut Run<'_, '_>,
    ) -> ControlFlow<()> {
        let entry = self.entries[index as usize];
        let transition = &self.transitions(link.pid)[entry.transition as usize];
        let deterministic =
            self.program.procs[self.memory.process(link.pid).proc.0 as usize].deterministic;
        if deterministic && index > link.first {
            self.fault(mover, &Trouble::NotDeterministic, transition.site, run)?;
        }
        let done = match self.execute(link.pid, transition, entry) {
            Ok(done) => done,
            Err(failed) => {
                self.fault(mover, &failed.trouble, failed.site, run)?;
                let goes_on =
                    self.model.past_assertions && matches!(failed.trouble, Trouble::Assertion(_));
                if !goes_on {
                    self.memory.undo(link.mark);
                    return ControlFlow::Continue(());
                }
                Done { pid: link.pid, keeps_control: transition.atomic }
            }
        };
        if done.keeps_control {
            if self.chain.len() >= LONGEST_CHAIN || link.spread >= WIDEST_CHAIN {
                self.memory.set_holder(Some(done.pid));
            } else if self.link(done.pid, link.spread, link.merged) {
                return ControlFlow::Continue(());
            }
        } else if self.link_private(done.pid, mover, link) {
            return ControlFlow::Continue(());
        }
        let flow = self.hand_over(mover, run);
        self.memory.undo(link.mark);
        flow
    }

    /// Goes on with a process that has just moved if its next step concerns
    /// nobody else.
    fn link_private(&mut self, pid: u32, mover: u32, link: Link) -> bool {
        if self.private.is_empty() || link.merged >= MOST_MERGED || link.spread >= WIDEST_MERGED {
            return false;
        }
        [pid, mover].into_iter().any(|pid| {
            pid < self.memory.process_count()
                && self.private[self.memory.process(pid).proc.0 as usize]
                    [self.memory.state_of(pid) as usize]
                && self.link(pid, link.spread, link.merged + 1)
        })
    }

    /// Notes which of several possibilities an entry is.
    fn choose(&mut self, link: Link, index: u32) {
        if link.end - link.first == 1 {
            return;
        }
        let all = &self.entries[link.first as usize..link.end as usize];
        let own = all[(index - link.first) as usize];
        let (arity, value) =
            rank(all.iter().map(|entry| u32::from(entry.transition)), u32::from(own.transition));
        push(&mut self.choices, ChoiceKind::Environment, arity, value);
        let Some((pid, number)) = own.partner else { return };
        let same = all.iter().filter(|entry| entry.transition == own.transition);
        let partners = same.filter_map(|entry| entry.partner);
        let (arity, value) = rank(partners.clone().map(|(pid, _)| pid), pid);
        push(&mut self.choices, ChoiceKind::Scheduler, arity, value);
        let steps =
            partners.filter(|(other, _)| *other == pid).map(|(_, number)| u32::from(number));
        let (arity, value) = rank(steps, u32::from(number));
        push(&mut self.choices, ChoiceKind::Environment, arity, value);
    }

    /// Whether the choices made so far are those that were asked for.
    fn wanted(&self, only: &Option<Only<'_>>, from: usize) -> bool {
        let Some(only) = only else { return true };
        let made = self.choices[from..].iter().map(|choice| choice.value);
        let asked = only.choices.get(from..).unwrap_or(&[]).iter().copied();
        let count = self.choices.len() - from;
        only.choices.len() >= self.choices.len() && made.eq(asked.take(count))
    }

    fn is_complete(&self, only: &Option<Only<'_>>) -> bool {
        only.as_ref().is_none_or(|only| only.choices.len() == self.choices.len())
    }

    pub(super) fn hand_over(&mut self, mover: u32, run: &mut Run<'_, '_>) -> ControlFlow<()> {
        if !self.is_complete(&run.only) {
            return ControlFlow::Continue(());
        }
        run.edges += 1;
        let reopens = !self.closed.is_empty() && self.reopens();
        let target = self.memory.target(self.pool);
        let edge = Edge {
            actor: actor(mover),
            choices: &self.choices,
            withheld: false,
            reopens,
            turn: Turn::default(),
            events: &self.events,
        };
        if let Some(recorded) = &mut self.recorded {
            let path = self.path.clone();
            let target = Some(target.to_vec());
            recorded.push(Recorded { step: Move::of(&edge), path, target, fault: None });
        }
        run.sink.edge(&edge, Target::State(target))
    }

    fn fault(
        &mut self,
        mover: u32,
        trouble: &Trouble,
        site: crate::code::SiteId,
        run: &mut Run<'_, '_>,
    ) -> ControlFlow<()> {
        if !self.is_complete(&run.only) {
            return ControlFlow::Continue(());
        }
        run.edges += 1;
        let outcome = trouble.outcome(&self.program.sites[site.0 as usize].location);
        let edge = Edge {
            actor: actor(mover),
            choices: &self.choices,
            withheld: false,
            reopens: false,
            turn: Turn::default(),
            events: &self.events,
        };
        let fault = match outcome {
            Outcome::Fault(fault) => fault,
            Outcome::Limit(limit) => return run.sink.edge(&edge, Target::Unsupported(&limit)),
        };
        if let Some(recorded) = &mut self.recorded {
            let path = self.path.clone();
            let fault = Some(fault.clone());
            recorded.push(Recorded { step: Move::of(&edge), path, target: None, fault });
        }
        run.sink.edge(&edge, Target::Fault(&fault))
    }
}

/// How many different values there are, and the place of one among them.
fn rank(values: impl Iterator<Item = u32>, own: u32) -> (u32, u32) {
    let mut arity = 0;
    let mut place = 0;
    let mut last = None;
    for value in values {
        if last != Some(value) {
            if value == own {
                place = arity;
            }
            arity += 1;
            last = Some(value);
        }
    }
    (arity, place)
}

fn push(choices: &mut Vec<Choice>, kind: ChoiceKind, arity: u32, value: u32) {
    if arity > 1 {
        choices.push(Choice { kind, arity, value });
    }
}
