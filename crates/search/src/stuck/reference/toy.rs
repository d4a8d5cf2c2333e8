//! Random control graphs with sections.

use exeunt_model::{
    ActorId, Choice, ChoiceKind, CompId, Detail, Edge, Event, Facts, FixedModel, LeftOut, Location,
    Only, OpenSection, Pool, SearchWorker, SectionKind, Sink, StateStatus, Target, Turn, Watcher,
    Worker,
};

use exeunt_random::Random;

/// What an edge of a random model does to a section of its actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Nothing,
    Open(u8),
    Close(u8),
    /// Closes and opens again on one edge.
    Reopen(u8),
}

#[derive(Clone, Debug)]
pub(super) struct Arc {
    pub(super) actor: u32,
    pub(super) choices: Vec<Choice>,
    pub(super) withheld: bool,
    pub(super) op: Op,
    /// `None`: an assumption drops it.
    pub(super) target: Option<u32>,
}

/// A random control graph; a state is a node and a set of open sections.
#[derive(Clone, Debug)]
pub(super) struct Toy {
    pub(super) nodes: Vec<Vec<Arc>>,
    pub(super) ends: Vec<bool>,
}

pub(super) const SLOTS: u32 = 3;

fn bit(actor: u32, slot: u8) -> u32 {
    1 << (actor * SLOTS + slot as u32)
}

impl Op {
    fn random(random: &mut Random) -> Op {
        match random.below(6) {
            0 | 1 => Op::Open(random.below(2) as u8),
            2 => Op::Close(random.below(2) as u8),
            3 if random.below(2) == 0 => Op::Reopen(random.below(2) as u8),
            _ => Op::Nothing,
        }
    }
}

impl Arc {
    /// The open set behind this edge, if it can be taken.
    fn apply(&self, open: u32) -> Option<u32> {
        match self.op {
            Op::Nothing => Some(open),
            Op::Open(slot) => {
                (open & bit(self.actor, slot) == 0).then(|| open | bit(self.actor, slot))
            }
            Op::Close(slot) => {
                (open & bit(self.actor, slot) != 0).then(|| open & !bit(self.actor, slot))
            }
            Op::Reopen(slot) => (open & bit(self.actor, slot) != 0).then_some(open),
        }
    }

    pub(super) fn closes(&self) -> u32 {
        match self.op {
            Op::Close(slot) | Op::Reopen(slot) => bit(self.actor, slot),
            _ => 0,
        }
    }
}

impl Toy {
    pub(super) fn random(random: &mut Random, nodes: u32, choices: bool) -> Toy {
        let ends: Vec<bool> = (0..nodes).map(|n| n > 0 && random.below(6) == 0).collect();
        let list = (0..nodes as usize)
            .map(|node| if ends[node] { Vec::new() } else { Toy::arcs(random, nodes, choices) })
            .collect();
        Toy { nodes: list, ends }
    }

    fn arcs(random: &mut Random, nodes: u32, choices: bool) -> Vec<Arc> {
        let mut arcs = Vec::new();
        for actor in 0..2 {
            if random.below(4) == 0 {
                continue;
            }
            let drops = choices && random.below(6) == 0;
            for choices in Toy::shape(random, choices) {
                let op = Op::random(random);
                let dropped = drops && random.below(3) == 0;
                let target = (!dropped).then(|| random.below(nodes));
                arcs.push(Arc { actor, choices, withheld: false, op, target });
            }
            if choices && random.below(8) == 0 {
                let target = Some(random.below(nodes));
                arcs.push(Arc {
                    actor,
                    choices: Vec::new(),
                    withheld: true,
                    op: Op::random(random),
                    target,
                });
            }
        }
        arcs
    }

    /// The choices on the edges of one actor, as a machine lists them.
    fn shape(random: &mut Random, choices: bool) -> Vec<Vec<Choice>> {
        use ChoiceKind::{Environment as E, Scheduler as S};
        let one = |kind, value| Choice { kind, arity: 2, value };
        let both = |a, b| {
            (0..2)
                .flat_map(|x| (0..2).map(move |y| (x, y)))
                .map(|(x, y)| vec![one(a, x), one(b, y)])
                .collect()
        };
        if !choices {
            return match random.below(3) {
                0 => vec![vec![one(S, 0)], vec![one(S, 1)]],
                _ => vec![Vec::new()],
            };
        }
        match random.below(6) {
            0 => vec![vec![one(E, 0)], vec![one(E, 1)]],
            1 => vec![vec![one(S, 0)], vec![one(S, 1)]],
            2 => both(E, S),
            3 => both(S, E),
            _ => vec![Vec::new()],
        }
    }

    /// The edges of a state that can be taken, with the state behind.
    pub(super) fn edges(&self, (node, open): (u32, u32)) -> Vec<(&Arc, Option<(u32, u32)>)> {
        let behind = |arc: &Arc, open| arc.target.map(|target| (target, open));
        self.nodes[node as usize]
            .iter()
            .filter_map(|arc| Some((arc, behind(arc, arc.apply(open)?))))
            .collect()
    }

    fn has(&self, test: impl Fn(&Arc) -> bool) -> bool {
        self.nodes.iter().flatten().any(test)
    }

    pub(super) fn chooses(&self) -> bool {
        self.has(|arc| arc.choices.iter().any(|c| c.kind == ChoiceKind::Environment))
    }

    /// Whether nothing can move somewhere (the environment may withhold).
    pub(super) fn has_deadlock(&self) -> bool {
        self.reachable().iter().any(|&state| {
            !self.ends[state.0 as usize] && self.edges(state).iter().all(|(arc, _)| arc.withheld)
        })
    }

    pub(super) fn withholds(&self) -> bool {
        self.has(|arc| arc.withheld)
    }

    pub(super) fn reachable(&self) -> Vec<(u32, u32)> {
        let mut states = vec![(0, 0)];
        let mut at = 0;
        while at < states.len() {
            for next in self.edges(states[at]).into_iter().filter_map(|(_, next)| next) {
                if !states.contains(&next) {
                    states.push(next);
                }
            }
            at += 1;
        }
        states
    }
}

pub(super) fn section(number: u32) -> OpenSection {
    OpenSection {
        actor: ActorId(number / SLOTS),
        slot: (number % SLOTS) as u64,
        kind: SectionKind::User,
    }
}

impl FixedModel for Toy {
    fn facts(&self) -> Facts {
        Facts {
            may_choose: true,
            has_sections: true,
            left_out: LeftOut::None,
            has_turns: false,
            abstraction: None,
        }
    }

    fn watcher<'a>(&'a self, _: &'a dyn Pool) -> Option<Box<dyn Watcher + 'a>> {
        None
    }

    fn worker<'a>(&'a self, pool: &'a dyn Pool) -> Box<dyn SearchWorker + 'a> {
        Box::new(ToyWorker { toy: self, pool })
    }
}

struct ToyWorker<'a> {
    toy: &'a Toy,
    pool: &'a dyn Pool,
}

impl ToyWorker<'_> {
    fn decode(&self, state: &[CompId]) -> (u32, u32) {
        (self.pool.get(state[0])[0] as u32, self.pool.get(state[1])[0] as u32)
    }

    fn encode(&self, (node, open): (u32, u32)) -> [CompId; 2] {
        [self.pool.intern(&[node as u64]), self.pool.intern(&[open as u64])]
    }
}

exeunt_model::bare_worker!([] ToyWorker<'_>);

impl Worker for ToyWorker<'_> {
    fn initial(&mut self, sink: &mut dyn Sink) {
        let edge = Edge::initial();
        let _ = sink.edge(&edge, Target::State(&self.encode((0, 0))));
    }

    fn expand(
        &mut self,
        state: &[CompId],
        _: Detail,
        _: Option<Only<'_>>,
        sink: &mut dyn Sink,
    ) -> StateStatus {
        let at = self.decode(state);
        if self.toy.ends[at.0 as usize] {
            return StateStatus::Ended;
        }
        for (arc, target) in self.toy.edges(at) {
            let closed = (0..2 * SLOTS).filter(|n| arc.closes() >> n & 1 != 0).map(|n| {
                Event::Closed { section: section(n), location: Location::in_function("toy") }
            });
            let events: Vec<Event> = closed.collect();
            let edge = Edge {
                actor: ActorId(arc.actor),
                choices: &arc.choices,
                withheld: arc.withheld,
                reopens: matches!(arc.op, Op::Reopen(_)),
                turn: Turn::default(),
                events: &events,
            };
            let target = target.map(|target| self.encode(target));
            let target = target.as_ref().map_or(Target::Dropped, |vector| Target::State(vector));
            if sink.edge(&edge, target).is_break() {
                break;
            }
        }
        StateStatus::Running
    }

    fn open_sections(&mut self, state: &[CompId], out: &mut Vec<OpenSection>) {
        let (node, open) = self.decode(state);
        if !self.toy.ends[node as usize] {
            out.extend((0..2 * SLOTS).filter(|n| open >> n & 1 != 0).map(section));
        }
        out.sort_unstable();
    }
}
