//! Runs that end whatever the channels hold. A model is explored without the contents of its
//! channels: a receive may take any message that was ever sent to its channel. There are finitely
//! many such states where variables are, and every run of the model is a run among them.
//!
//! A run that never ends stays in one strongly connected component in the end. It receives from a
//! channel for ever only if something is sent there for ever, so in a component without a send to a
//! channel the receives from it are taken finitely often, and can be left out. What is left is cut into
//! components again, and so on. If no cycle remains, every run ends.
//!
//! Who may move depends on what others could do: an atomic sequence goes on if it can, an escape goes before what it
//! escapes from, a process of a higher priority before others. A state stands for channels with more in them, in which others can
//! do more, so nothing possible is missed if each message is looked at alone, at the front and behind other messages.
//!
//! The same can be asked of each process by itself, if none reads a variable that another one writes: a process that
//! moves for ever stays in a component of its own states, and what it receives there for ever is sent for ever by some process
//! in a component of its states.
//!
//! This decides models with narrow counters that wrap around where processes can move in many orders:
//! then there are hundreds of millions of configurations, which differ in what lies in the channels.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use exeunt_promela::code::{self, Action};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use crate::concrete::Concrete;
use crate::config::{Config, Message, Step};
use crate::run::{Machine, Source, Used};
use crate::stop::Stop;

/// States that are looked at, each with the messages that it may receive: as many as a short that wraps around
/// needs, and fewer where a variable is an `int`, which seldom stays small.
const MOST_WORK: usize = 1 << 20;
const MOST_WORK_WITH_INTS: usize = 1 << 13;
/// Different messages of one channel.
const MOST_MESSAGES: usize = 1 << 8;

/// How many states there are without the contents of channels, if every run ends; `None` if that is not known.
pub(crate) fn fades(
    source: Source<'_>,
    interrupt: &AtomicBool,
    until: Option<Instant>,
) -> Option<u64> {
    if receives_in_d_step(source) {
        return None;
    }
    let is_over =
        || interrupt.load(Ordering::Relaxed) || until.is_some_and(|until| Instant::now() > until);
    let look = |alone: bool| {
        let mut shadow = Shadow::new(source, alone);
        let complete = shadow.explore(&is_over).unwrap_or(false);
        let ends = complete && !shadow.interferes() && {
            let states = shadow.configs.len();
            ends(&mut shadow.edges, states, alone)
        };
        ends.then_some(shadow.configs.len() as u64)
    };
    // Processes by themselves have far fewer states than all together.
    let alone = if may_be_alone(source) { look(true) } else { None };
    alone.or_else(|| look(false))
}

/// Whether what a process can do may be seen without the others: the order of steps aside, they meet in buffered
/// channels and variables only.
fn may_be_alone(source: Source<'_>) -> bool {
    let program = source.program;
    let buffered = program.channels.iter().all(|channel| channel.capacity > 0);
    buffered && !program.uses_priority && !program.uses_timeout && program.last.is_none()
}

/// A step without the contents of channels.
struct Edge {
    from: u32,
    to: u32,
    /// The channels that it sends to and receives from, as bits.
    sends: u64,
    receives: u64,
}

struct Shadow<'p> {
    source: Source<'p>,
    /// Whether each process is looked at by itself, from the first state on.
    alone: bool,
    /// By process: the global variables that it uses, if so.
    used: Vec<Used>,
    /// The channels of all are empty.
    configs: Vec<Rc<Config<i64>>>,
    /// Who moves in a state, if each is looked at by itself; otherwise 0.
    movers: Vec<u32>,
    known: HashMap<(u32, Rc<Config<i64>>), u32>,
    edges: Vec<Edge>,
    /// By channel: what was ever sent to it, and the states that wait for something from it.
    sent: Vec<HashSet<Message<i64>>>,
    waiting: Vec<Vec<u32>>,
    open: Vec<Work>,
}

/// A state that is to be looked at, with the message that lies in a channel.
type Work = (u32, Option<(u32, Message<i64>)>);

impl<'p> Shadow<'p> {
    fn new(source: Source<'p>, alone: bool) -> Self {
        let (configs, known, edges) = (Vec::new(), HashMap::new(), Vec::new());
        let (sent, waiting, open) = (Vec::new(), Vec::new(), Vec::new());
        let (movers, used) = (Vec::new(), Vec::new());
        Shadow { source, alone, used, configs, movers, known, edges, sent, waiting, open }
    }

    /// Whether a process reads a variable that another one writes.
    fn interferes(&self) -> bool {
        let pairs = self.used.iter().enumerate().flat_map(|(own, used)| {
            let others = self.used.iter().enumerate().filter(move |(other, _)| *other != own);
            others.map(move |(_, other)| (used, other))
        });
        pairs.into_iter().any(|(own, other)| !own.read.is_disjoint(&other.written))
    }

    /// What a state's machine can do: one process of it, or all.
    fn steps(&self, machine: &mut Machine<'_, Concrete>, mover: u32) -> Result<Vec<Step>, Stop> {
        if !self.alone {
            return machine.steps();
        }
        let mut steps = machine.own_steps(mover)?;
        // Its end is the end of what it does, whenever it may come.
        let transitions = machine.transitions(mover);
        steps.retain(|step| {
            !matches!(transitions[usize::from(step.transition)].action, Action::End)
        });
        Ok(steps)
    }

    fn machine(&self, config: Config<i64>, hidden: bool) -> Machine<'p, Concrete> {
        let mut machine = Machine::new(self.source, Concrete::search(), config);
        machine.ignore_channels();
        if hidden {
            machine.hide_fronts();
        }
        if self.alone {
            machine.isolate();
        }
        machine
    }

    /// `false` if there is too much; `Err` if something goes wrong on the way or depends on what
    /// lies in channels.
    fn explore(&mut self, is_over: &dyn Fn() -> bool) -> Result<bool, Stop> {
        let first = Machine::initial(self.source, Concrete::search())?;
        let movers = if self.alone { first.config.processes.len() as u32 } else { 1 };
        self.used = vec![Used::default(); movers as usize];
        for mover in 0..movers {
            self.reach(first.config.clone(), mover)?;
        }
        let frames = std::iter::once(&self.source.layout.globals).chain(&self.source.layout.locals);
        let ints = frames.flat_map(|frame| &frame.slots).any(|slot| slot.width.bits == 32);
        let most = if ints { MOST_WORK_WITH_INTS } else { MOST_WORK };
        let mut work = 0;
        while let Some((state, message)) = self.open.pop() {
            work += 1;
            let much = work > most
                || self.sent.len() > u64::BITS as usize
                || self.sent.iter().any(|sent| sent.len() > MOST_MESSAGES);
            if much || work % 256 == 0 && is_over() {
                return Ok(false);
            }
            self.expand(state, message)?;
        }
        Ok(true)
    }

    fn expand(&mut self, state: u32, message: Option<(u32, Message<i64>)>) -> Result<(), Stop> {
        let mut config = (*self.configs[state as usize]).clone();
        let receives = message.is_some();
        if let Some((channel, message)) = message {
            config.channels[channel as usize].messages.push_back(message);
        }
        self.follow(state, &config, receives, false)?;
        // Behind other messages a message is found by random receives only, and a receive from the front that waits for
        // it keeps nobody from moving.
        match receives {
            true => self.follow(state, &config, true, true),
            false => Ok(()),
        }
    }

    /// Follows the receives, or everything, that is possible with what lies in channels, at their fronts or behind.
    fn follow(
        &mut self,
        state: u32,
        config: &Config<i64>,
        receives: bool,
        hidden: bool,
    ) -> Result<(), Stop> {
        let mover = self.movers[state as usize];
        let mut machine = self.machine(config.clone(), hidden);
        let steps = self.steps(&mut machine, mover)?;
        self.note_used(mover, &mut machine);
        for step in steps {
            let transitions = machine.transitions(step.pid);
            let action = &transitions[usize::from(step.transition)].action;
            // All others are those of the state with empty channels.
            if receives && !matches!(action, Action::Receive(_)) {
                continue;
            }
            let mut next = self.machine(config.clone(), hidden);
            next.count_traffic();
            next.take_step(&step)?;
            let traffic = next.take_traffic();
            let (mut sends, mut takes) = (0, 0);
            for (channel, traffic) in traffic.iter().enumerate() {
                let bit = 1u64.checked_shl(channel as u32).unwrap_or(0);
                takes |= if traffic.received.is_empty() { 0 } else { bit };
                sends |= if traffic.sent.is_empty() { 0 } else { bit };
                traffic.sent.iter().for_each(|sent| self.note(channel, sent));
            }
            let new = next.config.channels.iter().skip(traffic.len());
            if new.into_iter().any(|channel| !channel.messages.is_empty()) {
                return Err(Stop::unknown("a step that sends to a channel it has made"));
            }
            self.note_used(mover, &mut next);
            let to = self.reach(next.config, mover)?;
            self.edges.push(Edge { from: state, to, sends, receives: takes });
        }
        Ok(())
    }

    fn note_used(&mut self, mover: u32, machine: &mut Machine<'_, Concrete>) {
        if self.alone {
            let Used { read, written } = machine.take_used();
            let own = &mut self.used[mover as usize];
            own.read.extend(read);
            own.written.extend(written);
        }
    }

    /// Notes a message that was sent: all who wait for one may get it.
    fn note(&mut self, channel: usize, message: &[i64]) {
        let message: Message<i64> = message.into();
        if self.sent[channel].insert(message.clone()) {
            let open = self.waiting[channel].iter();
            self.open.extend(open.map(|state| (*state, Some((channel as u32, message.clone())))));
        }
    }

    /// The number of a state, which is looked at if it is new.
    fn reach(&mut self, mut config: Config<i64>, mover: u32) -> Result<u32, Stop> {
        config.channels.iter_mut().for_each(|channel| channel.messages.clear());
        if self.alone {
            // Others may come between the steps of an atomic sequence that waits.
            config.holder = None;
        }
        let key = (mover, Rc::new(config));
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let config = key.1.clone();
        let state = self.configs.len() as u32;
        self.known.insert(key, state);
        self.configs.push(config.clone());
        self.movers.push(mover);
        self.open.push((state, None));
        let channels = config.channels.len().max(self.sent.len());
        self.sent.resize_with(channels, HashSet::new);
        self.waiting.resize_with(channels, Vec::new);
        for channel in self.machine((*config).clone(), false).awaited()? {
            self.waiting[channel as usize].push(state);
            let sent = self.sent[channel as usize].iter();
            self.open.extend(sent.map(|message| (state, Some((channel, message.clone())))));
        }
        Ok(state)
    }
}

/// Whether some `d_step` receives: what it does would depend on several messages.
fn receives_in_d_step(source: Source<'_>) -> bool {
    let states = source.program.procs.iter().flat_map(|proc| &proc.states);
    let transitions = states.flat_map(|state| &state.transitions);
    let steps = transitions.filter(|transition| matches!(transition.action, Action::DStep(_)));
    steps.flat_map(|step| step.action.messages()).any(|message| match message {
        code::Message::Receive(_) => true,
        code::Message::Send(_) => false,
    })
}

/// Whether no run goes along these edges for ever. If each process is looked at by itself, what one receives
/// another may send, in a component of its own.
fn ends(edges: &mut Vec<Edge>, states: usize, alone: bool) -> bool {
    loop {
        let component = components(edges, states);
        edges.retain(|edge| component[edge.from as usize] == component[edge.to as usize]);
        let mut sends = vec![0u64; states];
        edges.iter().for_each(|edge| sends[component[edge.from as usize] as usize] |= edge.sends);
        if alone {
            let all = sends.iter().fold(0, |all, own| all | own);
            sends.fill(all);
        }
        let before = edges.len();
        edges.retain(|edge| edge.receives & !sends[component[edge.from as usize] as usize] == 0);
        if edges.len() == before {
            return edges.is_empty();
        }
    }
}

fn components(edges: &[Edge], states: usize) -> Vec<u32> {
    let mut graph = DiGraph::<(), ()>::with_capacity(states, edges.len());
    (0..states).for_each(|_| {
        graph.add_node(());
    });
    edges.iter().for_each(|edge| {
        graph.add_edge(edge.from.into(), edge.to.into(), ());
    });
    let mut component = vec![0; states];
    for (number, members) in kosaraju_scc(&graph).into_iter().enumerate() {
        members.into_iter().for_each(|member| component[member.index()] = number as u32);
    }
    component
}

#[cfg(test)]
mod tests {
    use exeunt_random::Random;

    use super::*;
    use crate::layout::Layout;
    use crate::search::Search;

    fn edge(from: u32, to: u32, sends: u64, receives: u64) -> Edge {
        Edge { from, to, sends, receives }
    }

    #[test]
    fn receives_without_sends_end() {
        assert!(ends(&mut vec![edge(0, 1, 1, 0), edge(1, 1, 0, 1)], 2, false));
        assert!(!ends(&mut vec![edge(0, 1, 1, 0), edge(1, 0, 0, 1)], 2, false));
        assert!(!ends(&mut vec![edge(0, 0, 0, 0)], 1, false));
        // What the inner cycle sends to is received from in the outer one only, which ends with channel 1.
        let mut edges = vec![edge(0, 1, 2, 0), edge(1, 0, 0, 1), edge(1, 1, 0, 2)];
        assert!(ends(&mut edges, 2, false));
        // Two processes that send to each other, looked at one by one.
        let both = || vec![edge(0, 0, 1, 2), edge(1, 1, 2, 1)];
        assert!(ends(&mut both(), 2, false) && !ends(&mut both(), 2, true));
    }

    /// Processes with small counters that wrap around and send, receive and pass on in any order, some of them in
    /// atomic sequences, with escapes or with priorities.
    fn model(random: &mut Random) -> String {
        let mut text = String::from("chan a = [3] of { byte }; chan b = [3] of { byte }; bit g;\n");
        let ranked = random.below(4u64) == 0;
        for number in 0..2 + random.below(2u64) {
            let mut options = String::new();
            for _ in 0..1 + random.below(3u64) {
                let guard = random.one_of(&[
                    "n > 0", "n != 2", "n < 3", "a?_", "b?_", "a??1", "b?n", "a?<n>", "else",
                    "a?2", "b??2", "g == 0", "g == 1",
                ]);
                let count = random.one_of(&["n++", "n--", "n = n + 2", "skip", "n--", "g = 1 - g"]);
                let send = random.one_of(&["a!1", "b!!n", "a!!2", "skip", "skip", "b!1; a!n"]);
                let then = random.one_of(&["skip", "a?1", "b?2", "a??2"]);
                options += &match random.below(4u64) {
                    0 => format!(" :: atomic {{ {guard} -> {count}; {send}; {then} }}"),
                    _ => format!(" :: {guard} -> {count}; {send}"),
                };
            }
            // Only one `else` is allowed.
            let more = options.matches("else").count().saturating_sub(1);
            let options = options.replacen("else", "n == 1", more);
            let escape = random.one_of(&["", "", "", " unless { a?2 }", " unless { b?1; b?2 }"]);
            let rank = match ranked {
                true => format!(" priority {}", 1 + random.below(3u64)),
                false => String::new(),
            };
            text += &format!(
                "active proctype P{number}(){rank} {{ unsigned n : 2 = {}; {{ do{options} od }}{escape} }}\n",
                random.below(4u64)
            );
        }
        text
    }

    /// In the channel lies 1 in front of 2. What waits for 2 at the front waits for ever, and the others go on for ever; if
    /// 2 were alone in the channel, they would be stopped.
    #[test]
    fn a_receive_from_the_front_hides_no_random_one() {
        let models = [
            "active proctype P() { a!1; a!2; { do :: a??2 -> a!2 od } unless { a?2 } }",
            "bit stop; active proctype P() priority 2 { a!1; a!2; a?2; stop = 1 }
             active proctype Q() { do :: stop == 0 -> a??2 -> a!2 od }",
        ];
        for model in models {
            let text = format!("chan a = [3] of {{ byte }}; {model}");
            assert_eq!(fading(&text), None, "{text}");
        }
    }

    /// Each counter comes to its end by itself, and is set back by the other process.
    #[test]
    fn processes_that_set_each_other_back_do_not_end() {
        let model = |other: &str| {
            format!(
                "byte i = 1, j; active proctype P() {{ do :: i > 0 -> i--; j = 2 od }}
                 active proctype Q() {{ do :: j > 0 -> j--; {other} od }}"
            )
        };
        assert_eq!(fading(&model("i = 2")), None);
        assert!(fading(&model("skip")).is_some());
        // Alone, neither writes what the other one reads.
        let apart = "active [2] proctype P() { byte i = 1; do :: i > 0 -> i-- od }";
        assert_eq!(fading(apart), Some(6), "as many as both have, not their product");
    }

    fn fading(text: &str) -> Option<u64> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("model.pml");
        std::fs::write(&path, text).expect("a model");
        let model = exeunt_promela::load(&path, &Default::default()).expect("it is right");
        let layout = Layout::new(model.program());
        let source = Source { program: model.program(), layout: &layout };
        fades(source, &AtomicBool::new(false), None)
    }

    /// Whether a random run has thousands of steps: with so few states it never ends, or can be made not to.
    fn walks(source: Source<'_>, random: &mut Random) -> bool {
        let mut machine = Machine::initial(source, Concrete::search()).expect("it starts");
        (0..4000).all(|_| {
            let steps = machine.steps().expect("nothing goes wrong");
            !steps.is_empty() && machine.take_step(&random.one_of(&steps)).is_ok()
        })
    }

    /// A cycle that the search meets, among configurations with their channels, is a run that never ends.
    #[test]
    fn what_fades_has_no_cycle() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("model.pml");
        let (mut faded, mut cyclic) = (0, 0);
        for seed in 0..400 {
            let text = model(&mut Random::new(seed));
            std::fs::write(&path, &text).expect("a model");
            let model = exeunt_promela::load(&path, &Default::default()).expect("it is right");
            let layout = Layout::new(model.program());
            let source = Source { program: model.program(), layout: &layout };
            let mut search = Search::new(source, Default::default()).expect("it starts");
            let mut whole = false;
            while search.progress.states < 3_000 && !whole {
                whole = search.advance().is_none();
            }
            let cycles = !search.exact_cycles().is_empty();
            let fades = fades(source, &AtomicBool::new(false), None).is_some();
            assert!(!(cycles && fades), "{text}");
            let walk = |seed| walks(source, &mut Random::new(seed));
            assert!(!fades || !(0..10).any(walk), "{text}");
            faded += u32::from(fades);
            cyclic += u32::from(cycles);
        }
        assert!(faded > 40 && cyclic > 40, "{faded} fade, {cyclic} have cycles");
    }
}
