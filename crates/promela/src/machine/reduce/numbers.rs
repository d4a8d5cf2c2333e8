//! Whether it makes a difference which numbers processes have.
//!
//! A process that has come to its end keeps its number until all younger ones are gone, and a new one gets the
//! lowest that is free. So the end of a process and the start of another one do not
//! commute: what follows has other numbers. If no statement and no claim can see numbers, and there are always
//! enough of them, then these states can do the same all the same: leave out of both the
//! processes that are at their end, and they are equal in the order of birth. The
//! end of a process leads from a state to one that is equal in this sense, so it concerns nobody.

use crate::code::{Action, DNode, Element, Expr, Initial, Place, ProcId, Program, Receive, Slot};

use super::super::Watched;
use super::facts::started;

/// As many processes can be there at a time.
const MOST: usize = 255;

/// Whether nobody can see which numbers processes have. Claims are looked at apart.
pub(super) fn are_hidden(program: &Program) -> bool {
    let mut seen = Seen { numbers: false };
    seen.initial(&program.initial);
    for proc in &program.procs {
        seen.initial(&proc.initial);
        let actions = proc.states.iter().flat_map(|state| &state.transitions);
        actions.for_each(|transition| seen.action(&transition.action));
        proc.provided.iter().for_each(|expr| seen.expr(expr));
        // Channels of processes have numbers, too; and who claims one is alive.
        seen.numbers |= !proc.channels.is_empty() || !proc.exclusive.is_empty();
    }
    seen.numbers |= program.code_memory.is_some() || program.last.is_some();
    !seen.numbers && !program.uses_priority && suffice(program)
}

/// Whether what is watched cannot see them either.
pub(super) fn are_hidden_from(watched: &Watched) -> bool {
    let mut seen = Seen { numbers: false };
    match watched {
        Watched::Condition(condition) => seen.expr(&condition.expr),
        Watched::Marking(_) => seen.numbers = true,
    }
    !seen.numbers
}

/// Whether there can never be too many processes, even if none ends.
fn suffice(program: &Program) -> bool {
    let mut all = 0;
    for (proc, _) in &program.active {
        match births(program, *proc, &mut Vec::new()) {
            Some(births) => all += 1 + births,
            None => return false,
        }
    }
    all <= MOST
}

/// How many processes one of this type starts, with those that they start. `None` if there is no bound,
/// or too many.
fn births(program: &Program, proc: ProcId, above: &mut Vec<ProcId>) -> Option<usize> {
    if above.contains(&proc) {
        return None;
    }
    above.push(proc);
    let states = &program.procs[proc.0 as usize].states;
    let mut sum = 0;
    for (at, state) in states.iter().enumerate() {
        for transition in &state.transitions {
            let mut children = Vec::new();
            started(&transition.action, &mut |child| children.push(child));
            if children.is_empty() {
                continue;
            }
            let loops = matches!(transition.action, Action::DStep(_))
                || reaches(program, proc, transition.target, at as u16);
            for child in children {
                sum += 1 + births(program, child, above)?;
            }
            if loops || sum > MOST {
                return None;
            }
        }
    }
    above.pop();
    Some(sum)
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

struct Seen {
    numbers: bool,
}

impl Seen {
    fn initial(&mut self, initial: &[Initial]) {
        for initial in initial {
            match initial {
                Initial::Store(_, expr) => self.expr(expr),
                Initial::Channel(..) => {}
            }
        }
    }

    fn action(&mut self, action: &Action) {
        match action {
            Action::Skip | Action::Else | Action::End => {}
            // That it starts is all that the condition says.
            Action::GuardRun(Expr::Run(run)) => run.args.iter().for_each(|arg| self.expr(arg)),
            Action::Guard(expr)
            | Action::GuardRun(expr)
            | Action::Assert(expr)
            | Action::PrintMtype(expr) => self.expr(expr),
            Action::Assign(place, expr) => {
                self.place(place);
                self.expr(expr);
            }
            Action::Send(send) => {
                self.expr(&send.chan);
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
        self.expr(&receive.chan);
        for arg in &receive.args {
            match arg {
                Slot::Match(expr) => self.expr(expr),
                Slot::Store(place) => self.place(place),
            }
        }
    }

    fn place(&mut self, place: &Place) {
        match place {
            Place::Element(element) => self.element(element),
            Place::Cell(_) | Place::Nowhere => {}
        }
    }

    fn element(&mut self, element: &Element) {
        element.steps.iter().for_each(|step| self.expr(&step.index));
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Const(_)
            | Expr::Cell(_)
            | Expr::CellConst(..)
            | Expr::Timeout
            | Expr::Anything => {}
            Expr::Element(element) => self.element(element),
            Expr::Unary(_, inner) | Expr::Probe(_, inner) => self.expr(inner),
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
