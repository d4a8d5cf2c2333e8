//! Where a program enters sections, read off its calls without running it.

use exeunt_ir::{Arg, Callee, Function, Inst, Program, readable};
use exeunt_model::{Location, SectionKind};

use crate::builtin::{self, Effect, Touches};
use crate::callers::Callers;
use crate::cxx::primitive::{Primitive, Role};
use crate::pthread::futex;

/// Every place that opens a section, with its kind, in program order. A call
/// that waits and then holds is a place of both kinds.
pub fn section_sites(program: &Program) -> Vec<(SectionKind, Location)> {
    let callers = Callers::new(program);
    let mut sites = Vec::new();
    for (id, function) in program.functions.iter().enumerate() {
        if function.must_return && !function.is_declaration() {
            let unknown = || Location::in_function(&readable(&function.name));
            let location = program.location(function.loc).unwrap_or_else(unknown);
            sites.push((SectionKind::Function, location));
        }
        for (inst, loc) in function.code.iter().zip(&function.locs) {
            let kinds = opened_at(program, function, inst);
            if !kinds.is_empty() && callers.is_used(id as u32) {
                for (place, called) in callers.calls(id as u32, *loc) {
                    let kinds = match kinds.contains(&SectionKind::FutexWait) {
                        true => vec![futex_wait(program, called)],
                        false => kinds.clone(),
                    };
                    sites.extend(kinds.into_iter().map(|kind| (kind, place.clone())));
                }
            }
        }
    }
    sites
}

/// What a wait at a futex is that the user enters by a call of this function.
fn futex_wait(program: &Program, called: u32) -> SectionKind {
    let role = Role::of(&program.functions[called as usize]);
    role.primitive.map_or(SectionKind::FutexWait, Primitive::wait)
}

/// The kinds of sections that an instruction opens.
fn opened_at(program: &Program, function: &Function, inst: &Inst) -> Vec<SectionKind> {
    let Some(call) = inst.call() else { return Vec::new() };
    let site = &function.calls[call as usize];
    let Callee::Direct(callee) = site.callee else { return Vec::new() };
    let callee = program.function(callee);
    let constant = |arg: &Arg| {
        let at = arg.slot.checked_sub(function.registers)?;
        function.constants.get(at as usize).map(|constant| constant.value)
    };
    let words: Vec<Option<u64>> = site.args.iter().map(constant).collect();
    if builtin::find(&callee.name).is_some_and(|row| row.touches == Touches::SystemCall)
        && !futex::may_wait(&words)
    {
        return Vec::new();
    }
    if callee.is_declaration() { opened_by(&callee.name) } else { Vec::new() }
}

/// The kinds of sections that a call of this function opens: its wait, and
/// what it holds then.
fn opened_by(name: &str) -> Vec<SectionKind> {
    let Some(builtin) = builtin::find(name) else { return Vec::new() };
    let wait = match builtin.effect {
        Effect::Wait(kind) => Some(kind),
        Effect::Local
        | Effect::Memory
        | Effect::Indirect
        | Effect::Specific
        | Effect::Clock
        | Effect::Unwinds
        | Effect::Visible => None,
    };
    wait.into_iter().chain(builtin.opens.iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_waited_for_and_held() {
        let kinds = [SectionKind::MutexWait, SectionKind::Critical];
        assert_eq!(opened_by("pthread_mutex_lock"), kinds);
        assert_eq!(opened_by("mtx_lock"), kinds);
        assert_eq!(opened_by("pthread_join"), [SectionKind::Join]);
        assert_eq!(opened_by("pthread_mutex_trylock"), [SectionKind::Critical]);
        assert_eq!(opened_by("cnd_timedwait"), [SectionKind::CondWait]);
        assert_eq!(opened_by("pthread_mutex_unlock"), []);
        assert_eq!(opened_by("unheard_of"), []);
    }
}
