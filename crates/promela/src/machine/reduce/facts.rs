//! What never changes while a model runs: which variables are never written,
//! and numbers for everything that processes share.

use std::collections::{BTreeSet, HashMap};

use crate::code::{
    Action, Cell, DNode, Element, Expr, Place, ProcId, Program, Slot, Space, StateInfo, Transition,
    header,
};

/// A part of the shared state: a global variable, one end of a channel, or
/// the coming and going of processes.
pub(super) type Atom = u32;

/// Processes start.
pub(super) const BIRTHS: Atom = 0;
/// Processes end.
pub(super) const DEATHS: Atom = 1;
/// How far a `trace` or `notrace` has come.
pub(super) const TRACED: Atom = 2;
/// Processes come to where they offer a rendezvous, or leave.
pub(super) const OFFERS: Atom = 3;
const FIRST_VARIABLE: Atom = 4;

/// More variables than this share numbers, which costs reduction only.
const MOST_VARIABLES: u32 = 2048;
/// Channels of processes have numbers that come and go.
const LOCAL_CHANNELS: u32 = 64;

pub(super) struct Facts {
    /// Global variables that some statement writes, by position in bits.
    variables: HashMap<u32, Atom>,
    first_channel: Atom,
    channels: u32,
    global_channels: u32,
    /// Whether the channels of processes are for rendezvous, if all agree.
    local_rendezvous: Option<bool>,
    pub has_local_channels: bool,
    /// Number of atoms.
    pub count: u32,
    /// For each process type, the bits of its component that keep the values
    /// they had at the start.
    fixed: Vec<Vec<u64>>,
    /// For each process type, those that may run because one of it does.
    pub offspring: Vec<Vec<ProcId>>,
    /// A rendezvous can hand control to the receiver.
    pub hops: bool,
    /// Somewhere it makes a difference whether a partner for a rendezvous is there already.
    pub offers_matter: bool,
    /// Nobody can tell which numbers processes and their channels have.
    pub numbers_hidden: bool,
}

impl Facts {
    /// Numbers count as seen until somebody finds out that they are not.
    pub fn new(program: &Program) -> Self {
        let mut written = Written { globals: BTreeSet::new(), locals: Vec::new() };
        // C code runs, and processes may begin and end in its memory.
        written.globals.extend(program.code_memory.as_ref().map(place_of));
        for proc in &program.procs {
            let mut mask = vec![u64::MAX; proc.words as usize];
            mask[0] &= !(header::STATE_MASK << header::STATE_SHIFT);
            mask[0] &= !(0xff << header::PRIORITY_SHIFT);
            written.locals.push(mask);
            for transition in proc.states.iter().flat_map(|state| &state.transitions) {
                written.action(&transition.action);
            }
        }
        let variables: HashMap<u32, Atom> = (written.globals.iter().enumerate())
            .map(|(index, place)| (*place, FIRST_VARIABLE + index as u32 % MOST_VARIABLES))
            .collect();
        let first_channel = FIRST_VARIABLE + (variables.len() as u32).min(MOST_VARIABLES);
        let has_local_channels = program.procs.iter().any(|proc| !proc.channels.is_empty());
        let global_channels = program.global_channels.len() as u32;
        let channels = global_channels + if has_local_channels { LOCAL_CHANNELS } else { 1 };
        Facts {
            variables,
            first_channel,
            channels,
            global_channels,
            local_rendezvous: local_rendezvous(program),
            has_local_channels,
            count: first_channel + 2 * channels,
            fixed: written.locals,
            offspring: offspring(program),
            hops: hops(program),
            offers_matter: offers_matter(program),
            numbers_hidden: false,
        }
    }

    /// The atom of a global variable; `None` if nothing ever writes it.
    pub fn variable(&self, place: u32) -> Option<Atom> {
        self.variables.get(&place).copied()
    }

    /// The atoms of the two ends of a channel: where messages go in, and
    /// where they come out.
    pub fn ends(&self, channel: u32) -> (Atom, Atom) {
        let first = self.first_channel + 2 * (channel % self.channels);
        (first, first + 1)
    }

    pub fn all_channels(&self) -> impl Iterator<Item = u32> + use<> {
        0..self.channels
    }

    /// Whether the channel belongs to a process.
    pub fn is_local(&self, channel: u32) -> bool {
        channel >= self.global_channels
    }

    /// Whether a channel is for rendezvous, as far as that is known for good.
    pub fn rendezvous(&self, program: &Program, channel: u32) -> Option<bool> {
        match program.global_channels.get(channel as usize) {
            Some(decl) => Some(program.channels[decl.0 as usize].capacity == 0),
            None => self.local_rendezvous,
        }
    }

    /// Whether a scalar keeps the value it had at the start of its process.
    pub fn is_fixed(&self, proc: ProcId, place: u32, bits: u8) -> bool {
        let mask = scalar_mask(place, bits);
        let word = self.fixed[proc.0 as usize].get((place / 64) as usize);
        word.is_some_and(|word| word & mask == mask)
    }

    pub fn fixed_bits(&self, proc: ProcId) -> &[u64] {
        &self.fixed[proc.0 as usize]
    }
}

pub(super) fn place_of(cell: &Cell) -> u32 {
    cell.word * 64 + u32::from(cell.shift)
}

/// The places an element can lie at; an index that is known is given.
pub(super) fn places(element: &Element, index: impl Fn(usize) -> Option<u32>) -> Vec<u32> {
    let mut places = vec![element.base];
    for (number, step) in element.steps.iter().enumerate() {
        let range = match index(number) {
            Some(index) => index..index + 1,
            None => 0..step.length,
        };
        places = places
            .iter()
            .flat_map(|place| range.clone().map(move |index| place + index * step.stride))
            .collect();
    }
    places
}

/// The bits of a scalar within its word.
pub(super) fn scalar_mask(place: u32, bits: u8) -> u64 {
    (u64::MAX >> (64 - u32::from(bits))) << (place % 64)
}

/// The bits of its process, which has so many words, that an action may write.
pub(super) fn written_locals(action: &Action, words: usize) -> Vec<u64> {
    let mut written = Written { globals: BTreeSet::new(), locals: vec![vec![u64::MAX; words]] };
    written.action(action);
    written.locals.remove(0).into_iter().map(|kept| !kept).collect()
}

/// The variables that statements write.
struct Written {
    globals: BTreeSet<u32>,
    locals: Vec<Vec<u64>>,
}

impl Written {
    fn action(&mut self, action: &Action) {
        match action {
            Action::Assign(place, _) => self.place(place),
            Action::Code(code) => {
                for cell in code.cells.iter().chain([&code.memory]) {
                    self.scalar(cell.space, place_of(cell), cell.width.bits);
                }
            }
            Action::Receive(receive) => {
                for arg in &receive.args {
                    if let Slot::Store(place) = arg {
                        self.place(place);
                    }
                }
            }
            Action::DStep(program) => {
                for node in &program.nodes {
                    if let DNode::Act { action, .. } = node {
                        self.action(action);
                    }
                }
            }
            Action::Skip
            | Action::Else
            | Action::Guard(_)
            | Action::GuardRun(_)
            | Action::Send(_)
            | Action::Assert(_)
            | Action::Print { .. }
            | Action::PrintMtype(_)
            | Action::SetPriority(_)
            | Action::End => {}
        }
    }

    fn place(&mut self, place: &Place) {
        match place {
            Place::Cell(cell) => self.scalar(cell.space, place_of(cell), cell.width.bits),
            Place::Element(element) => {
                let known = |number: usize| constant(&element.steps[number].index);
                for place in places(element, known) {
                    self.scalar(element.space, place, element.width.bits);
                }
            }
            Place::Nowhere => {}
        }
    }

    fn scalar(&mut self, space: Space, place: u32, bits: u8) {
        if space == Space::Global {
            self.globals.insert(place);
            return;
        }
        let mask = scalar_mask(place, bits);
        let own = self.locals.last_mut().expect("a process type is being looked at");
        if let Some(word) = own.get_mut((place / 64) as usize) {
            *word &= !mask;
        }
    }
}

fn constant(index: &Expr) -> Option<u32> {
    match index {
        Expr::Const(value) => u32::try_from(*value).ok(),
        _ => None,
    }
}

fn local_rendezvous(program: &Program) -> Option<bool> {
    let mut kinds = program
        .procs
        .iter()
        .flat_map(|proc| &proc.channels)
        .map(|decl| program.channels[decl.0 as usize].capacity == 0);
    let first = kinds.next()?;
    kinds.all(|kind| kind == first).then_some(first)
}

fn transitions(program: &Program, proc: ProcId) -> impl Iterator<Item = &Transition> {
    program.procs[proc.0 as usize].states.iter().flat_map(|state| &state.transitions)
}

fn offspring(program: &Program) -> Vec<Vec<ProcId>> {
    let all = (0..program.procs.len()).map(|index| ProcId(index as u16));
    all.map(|proc| {
        let mut found = vec![proc];
        let mut next = 0;
        while next < found.len() {
            for transition in transitions(program, found[next]) {
                started(&transition.action, &mut |child| {
                    if !found.contains(&child) {
                        found.push(child);
                    }
                });
            }
            next += 1;
        }
        found
    })
    .collect()
}

/// The process types that an action starts.
pub(super) fn started(action: &Action, found: &mut dyn FnMut(ProcId)) {
    match action {
        Action::GuardRun(Expr::Run(run)) | Action::Assign(_, Expr::Run(run)) => found(run.proc),
        Action::DStep(program) => {
            for node in &program.nodes {
                if let DNode::Act { action, .. } = node {
                    started(action, found);
                }
            }
        }
        _ => {}
    }
}

/// Whether some receive keeps control and may be one half of a rendezvous.
fn hops(program: &Program) -> bool {
    let any_rendezvous = program.channels.iter().any(|shape| shape.capacity == 0);
    any_rendezvous
        && program.procs.iter().flat_map(|proc| &proc.states).any(|state| {
            state.transitions.iter().any(|transition| {
                transition.atomic
                    && matches!(transition.action, Action::Receive(_) | Action::DStep(_))
            })
        })
}

/// Whether it matters in a state *when* one of its statements becomes enabled, and not only what it then
/// does: an `else` is not enabled any more, or an escape takes over.
pub(super) fn is_alert(state: &StateInfo) -> bool {
    let alert = |transition: &Transition| {
        matches!(transition.action, Action::Else) || transition.escape != 0
    };
    state.transitions.iter().any(alert)
}

/// Whether sends or receives stand beside an `else` or an escape, or inside of an atomic sequence, in a model with
/// rendezvous channels.
fn offers_matter(program: &Program) -> bool {
    let any_rendezvous = program.channels.iter().any(|shape| shape.capacity == 0);
    any_rendezvous
        && program.procs.iter().any(|proc| {
            let transitions = proc.states.iter().flat_map(|state| &state.transitions);
            let inside = transitions.filter(|transition| transition.atomic);
            let inside = inside.map(|transition| &proc.states[transition.target as usize]);
            let alert = proc.states.iter().filter(|state| is_alert(state));
            inside.chain(alert).any(communicates)
                || proc.states.iter().flat_map(|state| &state.transitions).any(|transition| {
                    matches!(transition.action, Action::DStep(_))
                        && !transition.action.messages().is_empty()
                })
        })
}

fn communicates(state: &StateInfo) -> bool {
    state.transitions.iter().any(|transition| !transition.action.messages().is_empty())
}
