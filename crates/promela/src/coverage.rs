//! Which statements have been executed, over all workers of a model.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::claim::{Claim, ClaimKind};
use crate::code::{Action, DNode, Proc, Program, Site, SiteId};

#[derive(Debug)]
pub(crate) struct Coverage {
    reached: Vec<AtomicBool>,
}

impl Coverage {
    pub fn new(program: &Program) -> Self {
        Coverage { reached: program.sites.iter().map(|_| AtomicBool::new(false)).collect() }
    }

    #[inline]
    pub fn reach(&self, site: SiteId) {
        let mark = &self.reached[site.0 as usize];
        // Reading first keeps the line shared between workers.
        if !mark.load(Ordering::Relaxed) {
            mark.store(true, Ordering::Relaxed);
        }
    }

    /// Statements of processes that were never executed, in the order of the
    /// source. Jumps are no statements of their own.
    pub fn unreached<'p>(&self, program: &'p Program, claims: &[Claim]) -> Vec<&'p Site> {
        let is_claim = |index: usize| {
            claims.iter().any(|claim| match claim.kind {
                ClaimKind::Never(id) | ClaimKind::Trace(id) | ClaimKind::Notrace(id) => {
                    id.0 as usize == index
                }
                ClaimKind::Ltl { .. } => false,
            })
        };
        let mut sites = BTreeSet::new();
        for (_, proc) in program.procs.iter().enumerate().filter(|(i, _)| !is_claim(*i)) {
            let transitions = proc.states.iter().flat_map(|state| &state.transitions);
            for transition in transitions {
                collect(&transition.action, transition.site, &mut sites);
            }
        }
        let mut out: Vec<&Site> = sites
            .into_iter()
            .filter(|site| !self.reached[*site as usize].load(Ordering::Relaxed))
            .map(|site| &program.sites[site as usize])
            .collect();
        out.sort_by(|a, b| a.location.cmp(&b.location));
        out
    }
}

/// How many statements a process type has.
pub(crate) fn statements(proc: &Proc) -> usize {
    let mut sites = BTreeSet::new();
    for transition in proc.states.iter().flat_map(|state| &state.transitions) {
        collect(&transition.action, transition.site, &mut sites);
    }
    sites.len()
}

fn collect(action: &Action, site: SiteId, out: &mut BTreeSet<u32>) {
    match action {
        Action::Skip => {}
        Action::DStep(program) => {
            for node in &program.nodes {
                if let DNode::Act { action, site, .. } = node {
                    collect(action, *site, out);
                }
            }
        }
        _ => {
            out.insert(site.0);
        }
    }
}
