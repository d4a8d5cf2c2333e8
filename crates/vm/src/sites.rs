//! Where a program enters sections, read off its calls without running it.

use exeunt_ir::{Callee, Function, Inst, Program};
use exeunt_model::{Location, SectionKind};

use crate::builtin::{self, Effect};

/// Every place that opens a section, with its kind, in program order. A call
/// that waits and then holds is a place of both kinds.
pub fn section_sites(program: &Program) -> Vec<(SectionKind, Location)> {
    let mut sites = Vec::new();
    for function in program.functions.iter().filter(|f| !f.is_declaration()) {
        if function.must_return {
            let unknown = || Location::in_function(&function.name);
            let location = program.location(function.loc).unwrap_or_else(unknown);
            sites.push((SectionKind::Function, location));
        }
        sites.extend(calls(program, function));
    }
    sites
}

fn calls(program: &Program, function: &Function) -> Vec<(SectionKind, Location)> {
    let mut sites = Vec::new();
    for (inst, loc) in function.code.iter().zip(&function.locs) {
        let Inst::Call { call } = inst else { continue };
        let Callee::Direct(callee) = function.calls[*call as usize].callee else { continue };
        let unknown = || Location::in_function(&function.name);
        let location = program.location(*loc).unwrap_or_else(unknown);
        let callee = program.function(callee);
        if callee.is_declaration() {
            sites.extend(opened_by(&callee.name).into_iter().map(|kind| (kind, location.clone())));
        }
    }
    sites
}

/// The kinds of sections that a call of this function opens.
fn opened_by(name: &str) -> Vec<SectionKind> {
    let Some(builtin) = builtin::find(name) else { return Vec::new() };
    match builtin.effect {
        Effect::Wait(SectionKind::MutexWait) => vec![SectionKind::MutexWait, SectionKind::Critical],
        Effect::Wait(SectionKind::RwlockWait) => {
            vec![SectionKind::RwlockWait, SectionKind::RwlockHeld]
        }
        Effect::Wait(SectionKind::SpinWait) => vec![SectionKind::SpinWait, SectionKind::SpinHeld],
        Effect::Wait(kind) => vec![kind],
        Effect::Local | Effect::Memory | Effect::Visible => {
            OPENERS.iter().filter(|(opener, _)| *opener == name).map(|(_, kind)| *kind).collect()
        }
    }
}

/// Functions that open a section without being blocked as their effect says.
const OPENERS: &[(&str, SectionKind)] = &[
    ("pthread_mutex_trylock", SectionKind::Critical),
    ("mtx_trylock", SectionKind::Critical),
    ("pthread_rwlock_tryrdlock", SectionKind::RwlockHeld),
    ("pthread_rwlock_trywrlock", SectionKind::RwlockHeld),
    ("pthread_spin_trylock", SectionKind::SpinHeld),
    ("pthread_cond_wait", SectionKind::CondWait),
    ("pthread_cond_timedwait", SectionKind::CondWait),
    ("pthread_cond_clockwait", SectionKind::CondWait),
    ("cnd_wait", SectionKind::CondWait),
    ("cnd_timedwait", SectionKind::CondWait),
    ("pthread_barrier_wait", SectionKind::BarrierWait),
    ("exeunt_section_begin", SectionKind::User),
    ("exeunt_wait_begin", SectionKind::User),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opener_is_a_function_we_know() {
        for (name, kind) in OPENERS {
            assert_eq!(opened_by(name), [*kind], "{name}");
        }
    }

    #[test]
    fn a_lock_is_waited_for_and_held() {
        let kinds = [SectionKind::MutexWait, SectionKind::Critical];
        assert_eq!(opened_by("pthread_mutex_lock"), kinds);
        assert_eq!(opened_by("mtx_lock"), kinds);
        assert_eq!(opened_by("pthread_join"), [SectionKind::Join]);
        assert_eq!(opened_by("pthread_mutex_unlock"), []);
        assert_eq!(opened_by("unheard_of"), []);
    }
}
