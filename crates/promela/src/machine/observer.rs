//! Looking at states from outside: conditions of formulas, labels, and the
//! moves of never claims. What a product of model and claim needs.

use exeunt_model::{CompId, Pool};

use crate::claim::{Claim, ClaimKind, Condition};
use crate::code::{Action, ProcId, StateInfo};
use crate::{Marking, PromelaModel};

use super::{Frame, Machine};

/// Evaluates claims in states of a model.
pub struct Observer<'a> {
    machine: Machine<'a>,
}

impl PromelaModel {
    /// Looks at states whose components are in `pool`.
    pub fn observer<'a>(&'a self, pool: &'a dyn Pool) -> Observer<'a> {
        Observer { machine: Machine::new(self, pool) }
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
    ) -> Vec<u16> {
        let ClaimKind::Never(proc) = claim.kind else { return Vec::new() };
        self.machine.memory.load_state(state, self.machine.pool);
        self.machine.timeout = stuck;
        let outside = Frame { pid: u32::MAX, base: 0 };
        let program = self.machine.program;
        let info = &program.procs[proc.0 as usize].states[from as usize];
        let mut moved = false;
        let mut targets = Vec::new();
        for transition in &info.transitions {
            let enabled = match &transition.action {
                Action::Else => !moved,
                Action::Guard(expr) => self.machine.eval(expr, outside) != 0,
                Action::Skip | Action::Print { .. } | Action::Assert(_) => true,
                _ => false,
            };
            self.machine.take_trouble();
            if enabled {
                moved = true;
                targets.push(transition.target);
            }
        }
        self.machine.timeout = false;
        targets
    }
}
