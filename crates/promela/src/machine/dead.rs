//! Local variables whose values no statement needs any more. Where a process comes to a place
//! behind which a variable is always written before it is read, the variable is set to zero, so that
//! states which differ in it only are one.
//!
//! Liveness is computed backwards over the transition table of each process type, bit by bit. A
//! variable is read wherever an expression of the process has it; it is written for certain only by an
//! assignment or a receive into a scalar. What others look at (remote references, `provided`,
//! `xr` and `xs`) is always live, and so is what is never written: it is the same in all states.

use crate::claim::ClaimKind;
use crate::code::{
    Action, Cell, DNode, Element, Expr, Place, Proc, ProcId, Receive, RemoteVar, Slot, Space,
    header,
};

use super::reduce::{fixed_locals, local_mask, local_places};
use super::{Machine, Watched};

/// For each process type and place the bits of its component that are kept.
pub(super) struct Kept(Vec<Vec<Vec<u64>>>);

impl Kept {
    /// The bits that are kept where a process of this type comes to this place.
    pub(super) fn at(&self, proc: ProcId, state: u16) -> &[u64] {
        &self.0[proc.0 as usize][state as usize]
    }
}

impl Machine<'_> {
    /// What is kept where; nothing is forgotten if the model does not allow it.
    pub(super) fn kept(&self) -> Kept {
        let program = self.program;
        let mut always = fixed_locals(program);
        let mut seen = Vec::new();
        for proc in &program.procs {
            for transition in proc.states.iter().flat_map(|state| &state.transitions) {
                in_action(&transition.action, &mut |expr| remote(expr, &mut seen));
            }
        }
        for claim in &self.model.claims {
            if let ClaimKind::Ltl { conditions, .. } = &claim.kind {
                conditions.iter().for_each(|condition| remote(&condition.expr, &mut seen));
            }
        }
        for watched in &self.model.watched {
            if let Watched::Condition(condition) = watched {
                remote(&condition.expr, &mut seen);
            }
        }
        for var in seen {
            mark(&mut always[var.proc.0 as usize], &var.place);
        }
        let procs = program.procs.iter().zip(always);
        Kept(procs.map(|(proc, always)| life(proc, always)).collect())
    }

    /// Sets what is dead from here on to zero.
    pub(super) fn forget(&mut self, pid: u32) {
        let Some(kept) = &self.kept else { return };
        let process = self.memory.process(pid);
        let (proc, base) = (process.proc, process.base);
        let kept = kept.at(proc, self.memory.state_of(pid));
        for (at, mask) in kept.iter().enumerate() {
            let index = base + at as u32;
            let word = self.memory.word(index);
            if word & !mask != 0 {
                self.memory.write(index, word & mask);
            }
        }
    }
}

/// The bits that are live at each place of a process type.
fn life(proc: &Proc, mut always: Vec<u64>) -> Vec<Vec<u64>> {
    let first = (1u64 << header::FIRST_LOCAL) - 1;
    always[0] |= first;
    if let Some(provided) = &proc.provided {
        uses(provided, &mut always);
    }
    proc.exclusive.iter().for_each(|claim| uses(&claim.chan, &mut always));
    let mut live = vec![always; proc.states.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (at, state) in proc.states.iter().enumerate().rev() {
            for transition in &state.transitions {
                let mut before = live[transition.target as usize].clone();
                kill(&transition.action, &mut before);
                in_action(&transition.action, &mut |expr| uses(expr, &mut before));
                in_code(&transition.action, &mut |cell| use_cell(cell, &mut before));
                for (own, more) in live[at].iter_mut().zip(before) {
                    changed |= more & !*own != 0;
                    *own |= more;
                }
            }
        }
    }
    live
}

/// Removes what an action writes for certain.
fn kill(action: &Action, live: &mut [u64]) {
    let mut written = |place: &Place| {
        if let Place::Cell(cell) = place
            && cell.space == Space::Local
        {
            clear(live, cell);
        }
    };
    match action {
        Action::Assign(place, _) => written(place),
        Action::Receive(receive) => {
            for arg in &receive.args {
                if let Slot::Store(place) = arg {
                    written(place);
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
        | Action::Code(_)
        | Action::DStep(_)
        | Action::End => {}
    }
}

fn clear(live: &mut [u64], cell: &Cell) {
    let (word, mask) = local_mask(cell);
    if let Some(own) = live.get_mut(word) {
        *own &= !mask;
    }
}

/// Every expression of an action, also those that say where something is stored.
fn in_action(action: &Action, found: &mut dyn FnMut(&Expr)) {
    match action {
        Action::Skip | Action::Else | Action::Code(_) | Action::End => {}
        Action::Guard(expr)
        | Action::GuardRun(expr)
        | Action::Assert(expr)
        | Action::PrintMtype(expr) => found(expr),
        Action::Assign(place, value) => {
            found(value);
            in_place(place, found);
        }
        Action::Send(send) => {
            found(&send.chan);
            send.args.iter().for_each(found);
        }
        Action::Receive(receive) => in_receive(receive, found),
        Action::Print { args, .. } => args.iter().for_each(found),
        Action::SetPriority(parts) => {
            found(&parts.0);
            found(&parts.1);
        }
        Action::DStep(program) => {
            for node in &program.nodes {
                if let DNode::Act { action, .. } = node {
                    in_action(action, found);
                }
            }
        }
    }
}

/// The variables that the C code of an action sees.
fn in_code(action: &Action, found: &mut dyn FnMut(&Cell)) {
    match action {
        Action::Code(code) => code.cells.iter().for_each(found),
        Action::DStep(program) => {
            for node in &program.nodes {
                if let DNode::Act { action, .. } = node {
                    in_code(action, found);
                }
            }
        }
        Action::Skip
        | Action::Else
        | Action::Guard(_)
        | Action::GuardRun(_)
        | Action::Assign(..)
        | Action::Send(_)
        | Action::Receive(_)
        | Action::Assert(_)
        | Action::Print { .. }
        | Action::PrintMtype(_)
        | Action::SetPriority(_)
        | Action::End => {}
    }
}

fn in_receive(receive: &Receive, found: &mut dyn FnMut(&Expr)) {
    found(&receive.chan);
    for arg in &receive.args {
        match arg {
            Slot::Match(expr) => found(expr),
            Slot::Store(place) => in_place(place, found),
        }
    }
}

fn in_place(place: &Place, found: &mut dyn FnMut(&Expr)) {
    if let Place::Element(element) = place {
        element.steps.iter().for_each(|step| found(&step.index));
    }
}

/// The parts of an expression, itself first.
pub(crate) fn parts(expr: &Expr, found: &mut dyn FnMut(&Expr)) {
    found(expr);
    let mut inner = |part: &Expr| parts(part, found);
    match expr {
        Expr::Const(_)
        | Expr::Cell(_)
        | Expr::CellConst(..)
        | Expr::Timeout
        | Expr::NonProgress
        | Expr::Anything
        | Expr::Pid
        | Expr::Code(_)
        | Expr::RunningProcesses => {}
        Expr::Element(element) => element.steps.iter().for_each(|step| inner(&step.index)),
        Expr::Unary(_, part)
        | Expr::Probe(_, part)
        | Expr::Enabled(part)
        | Expr::PcValue(part)
        | Expr::GetPriority(part) => inner(part),
        Expr::Binary(_, left, right) => {
            inner(left);
            inner(right);
        }
        Expr::Cond(three) => {
            let (test, yes, no) = &**three;
            [test, yes, no].into_iter().for_each(inner);
        }
        Expr::Run(run) => run.args.iter().for_each(inner),
        Expr::Poll(receive) => in_receive(receive, &mut inner),
        Expr::RemoteLabel(label) => label.pid.iter().for_each(inner),
        Expr::RemoteVar(var) => {
            var.pid.iter().for_each(&mut inner);
            in_place(&var.place, &mut inner);
        }
    }
}

/// The variables of other processes that an expression looks at.
fn remote(expr: &Expr, seen: &mut Vec<RemoteVar>) {
    parts(expr, &mut |part| {
        if let Expr::RemoteVar(var) = part {
            seen.push((**var).clone());
        }
    });
}

/// Adds the local variables that an expression reads.
fn uses(expr: &Expr, live: &mut [u64]) {
    parts(expr, &mut |part| match part {
        Expr::Cell(cell) | Expr::CellConst(_, cell, _) if cell.space == Space::Local => {
            let (word, mask) = local_mask(cell);
            live[word] |= mask;
        }
        Expr::Element(element) if element.space == Space::Local => whole(element, live),
        Expr::Code(code) => code.cells.iter().for_each(|cell| use_cell(cell, live)),
        _ => {}
    });
}

fn use_cell(cell: &Cell, live: &mut [u64]) {
    if cell.space == Space::Local {
        let (word, mask) = local_mask(cell);
        live[word] |= mask;
    }
}

/// All that an element with some index can be.
fn whole(element: &Element, live: &mut [u64]) {
    for (word, mask) in local_places(element) {
        if let Some(own) = live.get_mut(word) {
            *own |= mask;
        }
    }
}

fn mark(live: &mut [u64], place: &Place) {
    match place {
        Place::Cell(cell) => {
            let (word, mask) = local_mask(cell);
            live[word] |= mask;
        }
        Place::Element(element) => whole(element, live),
        Place::Nowhere => {}
    }
}
