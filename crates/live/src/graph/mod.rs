//! A native program as a graph of states, for the engines that store states:
//! sections that never end, temporal formulas, invariants.
//!
//! The runtime in the program goes to a state and makes its steps (its module
//! `states`); here is what it said, each state once. A state is known by its
//! number.
//!
//! Invariant: a number stands for one state of one process. If the process must
//! be started again with more in its plan, nothing of the old one is kept.

mod model;
mod proposition;
mod scene;

use std::collections::HashMap;
use std::io::BufRead;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use exeunt_model::{ActorId, Fault, Move, OpenSection, Property, SectionKind, Unsupported};

use crate::Options;
use crate::process::{Output, Running};
use crate::program::{Program, Refusal};
use crate::session::readable;
use crate::symbols::{Symbols, plain};

pub use proposition::Proposition;
pub(crate) use scene::{Scene, Standing};

/// Where a step leads.
#[derive(Clone, Debug)]
pub(crate) enum Goal {
    State(u32),
    /// The program has ended, and these propositions hold from then on.
    Ended(u64),
    Fault(Fault),
    Unsupported(Unsupported),
}

#[derive(Clone, Debug)]
pub(crate) struct Out {
    pub(crate) actor: ActorId,
    pub(crate) choice: u32,
    pub(crate) arity: u32,
    pub(crate) reopens: bool,
    pub(crate) goal: Goal,
}

/// What the runtime says about a state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Info {
    pub(crate) letter: u64,
    pub(crate) sections: Vec<OpenSection>,
}

/// What stands for the number of a state in which the program has ended.
pub(crate) const ENDED: u32 = 0;

/// The program, and everything that was seen of it.
pub struct Graph {
    program: Program,
    options: Options,
    propositions: Vec<Proposition>,
    /// Its workers say what threads do.
    tells: bool,
    inner: Mutex<Inner>,
}

struct Inner {
    plan: String,
    running: Running,
    symbols: Symbols,
    infos: HashMap<u32, Arc<Info>>,
    edges: HashMap<u32, Arc<[Out]>>,
    /// The state and the step from which a state was reached first.
    ways: HashMap<u32, (u32, Move)>,
    scenes: HashMap<u32, Arc<Scene>>,
    /// The names of sections, by their slots.
    names: HashMap<u64, Arc<str>>,
    /// The step into the first state.
    first: Option<Out>,
    /// Why nothing more can be asked.
    broken: Option<String>,
    /// What the plan must have as well.
    needs: Option<String>,
    /// A proposition that has no value.
    wrong: Option<String>,
}

impl Graph {
    /// Starts the program, up to its first state. `Err` also says that a
    /// proposition means nothing in it.
    pub fn start(
        program: &Program,
        options: &Options,
        propositions: Vec<Proposition>,
    ) -> Result<Graph, Refusal> {
        let mut plan = options.always() + &program.must_return();
        loop {
            let mut inner = start(program, options, &plan, &propositions)?;
            match inner.needs.take() {
                Some(key) if !plan.contains(&format!(" {key}=1")) => {
                    plan.push_str(&format!(" {key}=1"));
                }
                _ => {
                    let (program, options) = (program.clone(), options.clone());
                    let inner = Mutex::new(inner);
                    return Ok(Graph { program, options, propositions, tells: false, inner });
                }
            }
        }
    }

    /// Whether the program has turned out to need more in its plan: then it was
    /// started again, and what was found before is void.
    pub fn renewed(&mut self) -> Result<bool, Refusal> {
        let inner = self.inner.get_mut().unwrap_or_else(PoisonError::into_inner);
        let Some(key) = inner.needs.take() else { return Ok(false) };
        let plan = format!("{} {key}=1", inner.plan);
        *inner = start(&self.program, &self.options, &plan, &self.propositions)?;
        Ok(true)
    }

    /// What is wrong with a proposition that has no value in some state.
    pub fn wrong(&self) -> Option<String> {
        self.lock().wrong.clone()
    }

    /// The names of sections, by their slots.
    pub(crate) fn names(&self) -> HashMap<u64, Arc<str>> {
        self.lock().names.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn info(&self, id: u32) -> Arc<Info> {
        self.lock().infos.get(&id).cloned().unwrap_or_default()
    }

    pub(crate) fn edges(&self, id: u32) -> Arc<[Out]> {
        let mut inner = self.lock();
        if let Some(known) = inner.edges.get(&id) {
            return Arc::clone(known);
        }
        let edges: Arc<[Out]> = inner.ask(&format!("expand {id}"), &self.options).into();
        inner.edges.insert(id, Arc::clone(&edges));
        let first = inner.first.as_ref().and_then(scene::target);
        for out in edges.iter().filter(|_| self.tells) {
            if let Some(target) = scene::target(out).filter(|target| Some(*target) != first) {
                inner.ways.entry(target).or_insert_with(|| (id, scene::step(out)));
            }
        }
        edges
    }
}

fn start(
    program: &Program,
    options: &Options,
    plan: &str,
    propositions: &[Proposition],
) -> Result<Inner, Refusal> {
    let cannot =
        |why: std::io::Error| Refusal::new(format!("cannot run {}: {why}", program.path.display()));
    let running = Running::start_asked(program, plan, Output::Dropped).map_err(cannot)?;
    let mut inner = Inner {
        plan: plan.to_string(),
        running,
        symbols: Symbols::new(),
        infos: HashMap::new(),
        edges: HashMap::new(),
        ways: HashMap::new(),
        scenes: HashMap::new(),
        names: HashMap::new(),
        first: None,
        broken: None,
        needs: None,
        wrong: None,
    };
    let mut registered: HashMap<String, (u64, u64)> = HashMap::new();
    let mut begun = false;
    while let Some(line) = inner.line(options) {
        begun = true;
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "map" => inner.symbols.map(rest),
            "ready" => break,
            "proposition" => {
                let mut words = rest.splitn(3, ' ');
                let mut number = || u64::from_str_radix(words.next()?, 16).ok();
                let place = (number().unwrap_or(0), number().unwrap_or(0));
                registered.insert(words.next().unwrap_or("").to_string(), place);
            }
            _ => inner.hear(word, rest, &mut Vec::new()),
        }
    }
    if !begun {
        let message = format!("the runtime cannot be loaded into {}", program.path.display());
        return Err(
            Refusal::new(message).help("it needs a program that uses glibc's shared library")
        );
    }
    if inner.needs.is_some() {
        return Ok(inner);
    }
    // If the program cannot be asked, the step into its first state says so.
    let asked = if inner.broken.is_none() { propositions } else { &[] };
    for proposition in asked {
        let line = proposition.resolve(&mut inner.symbols, program, &registered)?;
        inner.say(&line);
    }
    inner.first = inner.ask("start", options).pop();
    Ok(inner)
}

impl Inner {
    fn say(&mut self, line: &str) {
        if self.running.say(line).is_err() && self.broken.is_none() {
            self.broken = Some("the process ended before the exploration did".to_string());
        }
    }

    /// One line of the runtime; `None` if there is none.
    fn line(&mut self, options: &Options) -> Option<String> {
        let heard = Instant::now();
        while !readable(&self.running) {
            if options.interrupt.load(Ordering::Relaxed) {
                self.broken = Some("interrupted".to_string());
                return None;
            }
            if heard.elapsed() > options.patience + Duration::from_millis(200) {
                self.broken = Some(silence(options));
                return None;
            }
        }
        let mut text = String::new();
        if self.running.lines.read_line(&mut text).unwrap_or(0) == 0 {
            let ended = || "the process ended before the exploration did".to_string();
            if self.needs.is_none() {
                self.broken.get_or_insert_with(ended);
            }
            return None;
        }
        text.truncate(text.trim_end_matches('\n').len());
        Some(text)
    }

    /// Asks for steps. If the program cannot be asked any more, the one step
    /// says so.
    fn ask(&mut self, command: &str, options: &Options) -> Vec<Out> {
        let mut edges = Vec::new();
        if self.broken.is_none() && self.needs.is_none() {
            self.say(command);
            while let Some(line) = self.line(options) {
                if line == "expanded" {
                    return edges;
                }
                let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
                self.hear(word, rest, &mut edges);
            }
        }
        let why = self.broken.clone().unwrap_or_else(|| "the plan".to_string());
        let goal = Goal::Unsupported(Unsupported { construct: why, location: None });
        vec![Out { actor: ActorId(0), choice: 0, arity: 1, reopens: false, goal }]
    }

    fn hear(&mut self, word: &str, rest: &str, edges: &mut Vec<Out>) {
        match word {
            "edge" => edges.extend(edge(rest)),
            "state" => self.state(rest),
            "name" => {
                let (slot, name) = rest.split_once(' ').unwrap_or((rest, ""));
                let place = name.strip_prefix('@').and_then(|at| u64::from_str_radix(at, 16).ok());
                let known = place.and_then(|place| self.symbols.name(place));
                let name = known.map_or_else(|| name.to_string(), |(name, ..)| plain(&name));
                self.names.insert(slot.parse().unwrap_or(0), Arc::from(name));
            }
            "needs" => self.needs = Some(rest.to_string()),
            "wrong" => {
                self.wrong = Some(rest.to_string());
                self.broken = Some(rest.to_string());
            }
            "impure" => {
                self.broken = Some(format!(
                    "a system call whose effect cannot be taken back (number {rest}), where states \
                     are compared,"
                ));
            }
            _ => {}
        }
    }

    /// `ID LETTER ACTOR:KIND:SLOT…`
    fn state(&mut self, rest: &str) {
        let mut words = rest.split(' ');
        let id = words.next().and_then(|word| word.parse().ok()).unwrap_or(ENDED);
        let letter = words.next().and_then(|word| u64::from_str_radix(word, 16).ok());
        let section = |word: &str| {
            let mut parts = word.split(':');
            let actor = ActorId(parts.next()?.parse().ok()?);
            let kind = SectionKind::from_u8(parts.next()?.parse().ok()?)?;
            Some(OpenSection { actor, kind, slot: parts.next()?.parse().ok()? })
        };
        let sections = words.filter_map(section).collect();
        self.infos.insert(id, Arc::new(Info { letter: letter.unwrap_or(0), sections }));
    }
}

fn silence(options: &Options) -> String {
    format!(
        "a thread that runs for {:?} without coming to an operation of the thread library",
        options.patience
    )
}

/// `ACTOR CHOICE ARITY REOPENS`, then `state ID`, `ended LETTER`,
/// `fault PROPERTY TEXT` or `unsupported TEXT`.
fn edge(rest: &str) -> Option<Out> {
    let mut words = rest.splitn(6, ' ');
    let mut number = || words.next()?.parse::<u32>().ok();
    let (actor, choice, arity, reopens) = (number()?, number()?, number()?, number()?);
    let (kind, text) = (words.next()?, words.next().unwrap_or(""));
    let goal = match kind {
        "state" => Goal::State(text.parse().ok()?),
        "ended" => Goal::Ended(u64::from_str_radix(text, 16).ok()?),
        "fault" => {
            let (name, message) = text.split_once(' ').unwrap_or((text, ""));
            let known = Property::ALL.into_iter().find(|property| property.name() == name);
            Goal::Fault(Fault::new(known.unwrap_or(Property::Assertion), message))
        }
        _ => Goal::Unsupported(Unsupported { construct: text.to_string(), location: None }),
    };
    Some(Out { actor: ActorId(actor), choice, arity, reopens: reopens != 0, goal })
}
