//! Looking at states from outside: conditions of formulas, labels, and the
//! moves of never claims. What a product of model and claim needs.

use exeunt_model::{ClaimMove, CompId, Fault, Pool, Watcher};

use crate::claim::{Claim, ClaimKind, Condition};
use crate::code::{Action, ProcId, SiteId, StateInfo};
use crate::{Marking, PromelaModel};

use super::trouble::Trouble;
use super::{Frame, Machine};

/// A claim looks at a state and belongs to no process.
const OUTSIDE: Frame = Frame { pid: u32::MAX, base: 0 };

/// The most steps of an atomic sequence in a claim; real ones are far shorter.
const LONGEST_SEQUENCE: usize = 1000;

/// Something that has a number in the letters of a watcher.
#[derive(Clone, Debug)]
pub(crate) enum Watched {
    Condition(Condition),
    Marking(Marking),
}

/// Evaluates claims in states of a model.
pub struct Observer<'a> {
    machine: Machine<'a>,
    /// An assertion of the claim failed in the state looked at last.
    failed: bool,
}

impl PromelaModel {
    /// Looks at states whose components are in `pool`.
    pub fn observer<'a>(&'a self, pool: &'a dyn Pool) -> Observer<'a> {
        Observer { machine: Machine::new(self, pool), failed: false }
    }

    /// The state a never claim begins in; `None` for other claims.
    pub fn claim_start(&self, claim: &Claim) -> Option<u16> {
        let ClaimKind::Never(proc) = claim.kind else { return None };
        Some(self.program.procs[proc.0 as usize].start)
    }

    /// Whether a state of a never claim is accepting.
    pub fn claim_accepts(&self, claim: &Claim, state: u16) -> bool {
        self.claim_state(claim, state).is_some_and(|info| info.accept)
    }

    /// Whether a never claim has been completed: what must not happen has
    /// happened.
    pub fn claim_completed(&self, claim: &Claim, state: u16) -> bool {
        let info = self.claim_state(claim, state);
        info.is_some_and(|info| {
            info.transitions.iter().any(|transition| matches!(transition.action, Action::End))
        })
    }

    fn claim_state(&self, claim: &Claim, state: u16) -> Option<&StateInfo> {
        let ClaimKind::Never(ProcId(proc)) = claim.kind else { return None };
        self.program.procs[proc as usize].states.get(state as usize)
    }
}

impl Observer<'_> {
    /// Whether a condition of a formula holds in a state.
    pub fn holds(&mut self, state: &[CompId], condition: &Condition) -> bool {
        self.machine.memory.load_state(state, self.machine.pool);
        let outside = Frame { pid: u32::MAX, base: 0 };
        let value = self.machine.eval(&condition.expr, outside);
        self.machine.take_trouble();
        value != 0
    }

    /// Whether some process stands at a place with this label.
    pub fn is_marked(&mut self, state: &[CompId], marking: Marking) -> bool {
        self.machine.memory.load_state(state, self.machine.pool);
        self.machine.any_marked(marking)
    }

    /// The states a never claim can move to when it looks at `state`.
    /// `stuck` says that no process can move there, which `timeout` means.
    pub fn claim_moves(
        &mut self,
        state: &[CompId],
        claim: &Claim,
        from: u16,
        stuck: bool,
    ) -> Result<Vec<u16>, Fault> {
        let ClaimKind::Never(proc) = claim.kind else { return Ok(Vec::new()) };
        self.machine.memory.load_state(state, self.machine.pool);
        self.machine.timeout = stuck;
        self.failed = false;
        let mut targets = Vec::new();
        let moved = self.follow(proc, from, &mut targets, 0);
        self.machine.timeout = false;
        moved.map(|()| targets)
    }

    /// An atomic sequence of a claim looks at one state throughout.
    fn follow(
        &mut self,
        proc: ProcId,
        from: u16,
        targets: &mut Vec<u16>,
        length: usize,
    ) -> Result<(), Fault> {
        let program = self.machine.program;
        let info = &program.procs[proc.0 as usize].states[from as usize];
        let mut moved = false;
        for transition in &info.transitions {
            let enabled = match &transition.action {
                Action::Else => !moved,
                Action::Guard(expr) => self.value(expr, transition.site)? != 0,
                Action::Assert(expr) => {
                    self.failed |= self.value(expr, transition.site)? == 0;
                    true
                }
                Action::Skip | Action::Print { .. } | Action::PrintMtype(_) => true,
                // The end of the claim is no move of it.
                Action::End => false,
                _ => return Err(self.no_condition(transition.site)),
            };
            if !enabled {
                continue;
            }
            moved = true;
            match transition.atomic && length < LONGEST_SEQUENCE {
                true => self.follow(proc, transition.target, targets, length + 1)?,
                false => targets.push(transition.target),
            }
        }
        Ok(())
    }

    fn value(&mut self, expr: &crate::code::Expr, site: SiteId) -> Result<i32, Fault> {
        let value = self.machine.eval(expr, OUTSIDE);
        match self.machine.take_trouble() {
            Some(trouble) => Err(self.complaint(&trouble, site)),
            None => Ok(value),
        }
    }

    fn complaint(&self, trouble: &Trouble, site: SiteId) -> Fault {
        trouble.fault(self.machine.program.sites[site.0 as usize].location.clone())
    }

    fn no_condition(&self, site: SiteId) -> Fault {
        let site = &self.machine.program.sites[site.0 as usize];
        let message = format!("a never claim only looks; `{}` does something", site.text);
        let mut fault = Fault::new(exeunt_model::Property::Misuse, message);
        fault.location = Some(site.location.clone());
        fault
    }
}

impl Watcher for Observer<'_> {
    fn letter(&mut self, state: &[CompId]) -> Result<u64, Fault> {
        self.machine.memory.load_state(state, self.machine.pool);
        let model = self.machine.model;
        let mut letter = 0;
        for (number, watched) in model.watched.iter().enumerate() {
            let holds = match watched {
                Watched::Marking(marking) => self.machine.any_marked(*marking),
                Watched::Condition(condition) => {
                    let value = self.machine.eval(&condition.expr, OUTSIDE);
                    if let Some(trouble) = self.machine.take_trouble() {
                        return Err(trouble.fault(condition.location.clone()));
                    }
                    value != 0
                }
            };
            letter |= u64::from(holds) << number;
        }
        Ok(letter)
    }

    fn claim_start(&mut self, claim: u32) -> u32 {
        let model = self.machine.model;
        u32::from(model.claim_start(&model.claims[claim as usize]).unwrap_or(0))
    }

    fn claim_moves(
        &mut self,
        claim: u32,
        state: &[CompId],
        from: u32,
        stuck: bool,
        out: &mut Vec<ClaimMove>,
    ) -> Result<(), Fault> {
        let model = self.machine.model;
        let claim = &model.claims[claim as usize];
        let moves = Observer::claim_moves(self, state, claim, from as u16, stuck)?;
        // Labels of processes are as good as those of the claim.
        let marked = self.machine.any_marked(Marking::Accept);
        out.extend(moves.into_iter().map(|target| ClaimMove {
            target: u32::from(target),
            accepting: marked || model.claim_accepts(claim, target),
            completed: model.claim_completed(claim, target),
        }));
        if self.failed {
            out.push(ClaimMove { target: from, accepting: true, completed: true });
        }
        Ok(())
    }
}
