//! Whether it makes a difference which numbers processes and their channels have.
//!
//! A process that has come to its end keeps its number until all younger ones are gone, and a new one gets the
//! lowest that is free. So the end of a process and the start of another one do not
//! commute: what follows has other numbers. If no statement and no claim can see numbers, and there are always
//! enough of them, then these states can do the same all the same: leave out of both the
//! processes that are at their end, and they are equal in the order of birth. The
//! end of a process leads from a state to one that is equal in this sense, so it concerns nobody.
//!
//! Channels of processes are numbered in the same way and are gone with their process. They change nothing of
//! that if their numbers only *go down*: a process uses its own ones and hands them to the processes that it starts,
//! which do the same. Whoever knows such a channel is then younger than its owner, so the
//! channel is there as long as somebody can name it. As soon as such a number is assigned, sent, received,
//! compared or computed with, it counts as seen.

use crate::code::{
    Action, Cell, DNode, Element, Expr, Initial, Place, ProcId, Program, Receive, Run, Slot, Space,
};

use super::super::Watched;
use super::facts::{place_of, places, scalar_mask, started};

/// As many processes can be there at a time, and as many channels.
const MOST: usize = 255;

/// Who can see which numbers processes and their channels have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbers {
    Seen,
    /// Nobody, and there are always enough of them.
    Hidden,
    /// Nobody; and there are enough of them in every run if never more processes than these
    /// are there at a time while each of them ends as soon as it can.
    HiddenUpTo(u32),
}

impl Numbers {
    /// Claims are looked at apart.
    pub fn of(program: &Program) -> Numbers {
        let mut seen = Seen::new(program);
        loop {
            seen.grown = false;
            seen.everything();
            if !seen.grown {
                break;
            }
        }
        seen.numbers |= program.code_memory.is_some() || program.last.is_some();
        if seen.numbers || program.uses_priority {
            return Numbers::Seen;
        }
        match (total(program), most_at_a_time(program)) {
            (Some(total), _) if suffice(program, total) => Numbers::Hidden,
            (_, Some(most)) => Numbers::HiddenUpTo(most),
            (_, None) => Numbers::Seen,
        }
    }
}

/// Whether what is watched cannot see them.
pub(super) fn are_hidden_from(program: &Program, watched: &Watched) -> bool {
    let mut seen = Seen::new(program);
    match watched {
        Watched::Condition(condition) => seen.expr(&condition.expr),
        Watched::Marking(_) => seen.numbers = true,
    }
    !seen.numbers
}

/// Whether there are numbers for so many processes at a time, and for their channels.
fn suffice(program: &Program, processes: usize) -> bool {
    let own = program.procs.iter().map(|proc| proc.channels.len()).max().unwrap_or(0);
    processes <= MOST && program.global_channels.len() + own * processes <= MOST
}

/// How many processes there are in a run, if the text of the model tells.
fn total(program: &Program) -> Option<usize> {
    let mut all = 0;
    for (proc, _) in &program.active {
        all += 1 + births(program, *proc, &mut Vec::new())?;
    }
    Some(all)
}

/// For processes that start each other, but none of them in a loop: so many may be there at a time, if each ends as
/// soon as it can, for all to have numbers if none ends. When a process starts, those it
/// descends from are there: they are older. So at most as many generations were seen as processes at a time, and each process starts
/// at most as many others as its text has `run`s.
fn most_at_a_time(program: &Program) -> Option<u32> {
    let mut runs = 0;
    for (number, proc) in program.procs.iter().enumerate() {
        let own = own_births(program, ProcId(number as u16))?;
        runs = runs.max(own.len());
        debug_assert!(!proc.states.is_empty() || own.is_empty(), "runs are in states");
    }
    let roots = program.active.len();
    let (mut generation, mut all, mut most) = (roots, 0, 0);
    while all + generation <= MOST && suffice(program, all + generation) && most < MOST as u32 {
        all += generation;
        generation = generation.saturating_mul(runs);
        most += 1;
    }
    (most as usize > roots).then_some(most)
}

/// How many processes one of this type starts, with those that they start. `None` if there is no bound,
/// or too many.
fn births(program: &Program, proc: ProcId, above: &mut Vec<ProcId>) -> Option<usize> {
    if above.contains(&proc) {
        return None;
    }
    above.push(proc);
    let mut sum = 0;
    for child in own_births(program, proc)? {
        sum += 1 + births(program, child, above)?;
        if sum > MOST {
            return None;
        }
    }
    above.pop();
    Some(sum)
}

/// The processes that the statements of a type start, each of them at most once. `None` if one may start several.
fn own_births(program: &Program, proc: ProcId) -> Option<Vec<ProcId>> {
    let states = &program.procs[proc.0 as usize].states;
    let mut all = Vec::new();
    for (at, state) in states.iter().enumerate() {
        for transition in &state.transitions {
            let before = all.len();
            started(&transition.action, &mut |child| all.push(child));
            let loops = || {
                matches!(transition.action, Action::DStep(_))
                    || reaches(program, proc, transition.target, at as u16)
            };
            if all.len() > before && loops() {
                return None;
            }
        }
    }
    Some(all)
}

fn reaches(program: &Program, proc: ProcId, from: u16, to: u16) -> bool {
    let states = &program.procs[proc.0 as usize].states;
    let mut found = vec![false; states.len()];
    let mut work = vec![from];
    while let Some(at) = work.pop() {
        let new = found.get_mut(usize::from(at)).is_some_and(|f| !std::mem::replace(f, true));
        if new {
            let state = &states[usize::from(at)];
            work.extend(state.transitions.iter().map(|transition| transition.target));
        }
    }
    found.get(usize::from(to)).copied().unwrap_or(false)
}

/// Looks for numbers that are seen.
struct Seen<'p> {
    program: &'p Program,
    /// The process type that is looked at.
    proc: usize,
    /// For each process type the bits of its variables that may hold numbers of channels of processes.
    held: Vec<Vec<u64>>,
    /// More of them were found.
    grown: bool,
    numbers: bool,
}

impl<'p> Seen<'p> {
    fn new(program: &'p Program) -> Self {
        let held = program.procs.iter().map(|proc| vec![0; proc.words as usize]).collect();
        let mut seen = Seen { program, proc: 0, held, grown: false, numbers: false };
        for (number, proc) in program.procs.iter().enumerate() {
            for initial in &proc.initial {
                match initial {
                    Initial::Channel(cell, _) => seen.hold(number, cell),
                    Initial::Store(..) => {}
                }
            }
        }
        seen
    }

    fn everything(&mut self) {
        let program = self.program;
        self.initial(&program.initial);
        for (number, proc) in program.procs.iter().enumerate() {
            self.proc = number;
            self.initial(&proc.initial);
            let actions = proc.states.iter().flat_map(|state| &state.transitions);
            actions.for_each(|transition| self.action(&transition.action));
            proc.provided.iter().for_each(|expr| self.expr(expr));
            // Who claims a channel is alive.
            self.numbers |= !proc.exclusive.is_empty();
        }
    }

    /// A variable of a process type may hold such a number.
    fn hold(&mut self, proc: usize, cell: &Cell) {
        let place = place_of(cell);
        let mask = scalar_mask(place, cell.width.bits);
        match self.held[proc].get_mut((place / 64) as usize) {
            Some(word) => {
                self.grown |= *word & mask != mask;
                *word |= mask;
            }
            None => self.numbers = true,
        }
    }

    fn holds(&self, space: Space, place: u32, bits: u8) -> bool {
        let word = || self.held.get(self.proc)?.get((place / 64) as usize);
        space == Space::Local && word().is_some_and(|word| word & scalar_mask(place, bits) != 0)
    }

    fn cell_holds(&self, cell: &Cell) -> bool {
        self.holds(cell.space, place_of(cell), cell.width.bits)
    }

    fn element_holds(&self, element: &Element) -> bool {
        let mut all = places(element, |_| None).into_iter();
        all.any(|place| self.holds(element.space, place, element.width.bits))
    }

    fn initial(&mut self, initial: &[Initial]) {
        for initial in initial {
            match initial {
                Initial::Store(cell, expr) => {
                    self.numbers |= self.cell_holds(cell);
                    self.expr(expr);
                }
                Initial::Channel(..) => {}
            }
        }
    }

    /// An expression where numbers of channels may stand. Whether it is one.
    fn channel(&mut self, chan: &Expr) -> bool {
        match chan {
            Expr::Cell(cell) if self.cell_holds(cell) => true,
            Expr::Element(element) if self.element_holds(element) => {
                self.subscripts(element);
                true
            }
            _ => {
                self.expr(chan);
                false
            }
        }
    }

    fn start(&mut self, run: &Run) {
        let program = self.program;
        let child = run.proc.0 as usize;
        for (arg, param) in run.args.iter().zip(&program.procs[child].params) {
            if self.channel(arg) {
                self.hold(child, param);
            }
        }
    }

    fn action(&mut self, action: &Action) {
        match action {
            Action::Skip | Action::Else | Action::End => {}
            // That it starts is all that the condition says.
            Action::GuardRun(Expr::Run(run)) => self.start(run),
            Action::Guard(expr)
            | Action::GuardRun(expr)
            | Action::Assert(expr)
            | Action::PrintMtype(expr) => self.expr(expr),
            Action::Assign(place, expr) => {
                self.place(place);
                self.expr(expr);
            }
            Action::Send(send) => {
                self.channel(&send.chan);
                send.args.iter().for_each(|arg| self.expr(arg));
            }
            Action::Receive(receive) => self.receive(receive),
            Action::Print { args, .. } => args.iter().for_each(|arg| self.expr(arg)),
            Action::SetPriority(_) | Action::Code(_) => self.numbers = true,
            Action::DStep(program) => {
                for node in &program.nodes {
                    if let DNode::Act { action, .. } = node {
                        self.action(action);
                    }
                }
            }
        }
    }

    fn receive(&mut self, receive: &Receive) {
        self.channel(&receive.chan);
        for arg in &receive.args {
            match arg {
                Slot::Match(expr) => self.expr(expr),
                Slot::Store(place) => self.place(place),
            }
        }
    }

    /// Something is stored there.
    fn place(&mut self, place: &Place) {
        match place {
            Place::Element(element) => self.element(element),
            Place::Cell(cell) => self.numbers |= self.cell_holds(cell),
            Place::Nowhere => {}
        }
    }

    fn element(&mut self, element: &Element) {
        self.numbers |= self.element_holds(element);
        self.subscripts(element);
    }

    fn subscripts(&mut self, element: &Element) {
        element.steps.iter().for_each(|step| self.expr(&step.index));
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Const(_) | Expr::Timeout | Expr::Anything => {}
            Expr::Cell(cell) | Expr::CellConst(_, cell, _) => {
                self.numbers |= self.cell_holds(cell);
            }
            Expr::Element(element) => self.element(element),
            Expr::Unary(_, inner) => self.expr(inner),
            Expr::Probe(_, chan) => {
                self.channel(chan);
            }
            Expr::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            Expr::Cond(parts) => {
                let (condition, yes, no) = &**parts;
                [condition, yes, no].into_iter().for_each(|part| self.expr(part));
            }
            Expr::Poll(receive) => self.receive(receive),
            Expr::Run(_)
            | Expr::Enabled(_)
            | Expr::PcValue(_)
            | Expr::GetPriority(_)
            | Expr::NonProgress
            | Expr::Pid
            | Expr::RunningProcesses
            | Expr::RemoteLabel(_)
            | Expr::RemoteVar(_)
            | Expr::Code(_) => self.numbers = true,
        }
    }
}
