//! Variables of C that stand for what the model has itself: not to be shown, and not to be pointed to in between.

use super::scan;
use crate::check::Checker;
use crate::syntax::Spec;

impl Checker<'_> {
    /// The variables of processes. (Where addresses of global ones are taken, all code has all of them.) What a
    /// process has by `c_state` may be pointed to, so of its type that is only asked if code could point to others.
    pub(super) fn passing_names(&self, spec: &Spec) -> Vec<String> {
        let mixed = |index: usize, name: &str| {
            let variables = self.locals[index].iter().map(|variable| &*variable.name);
            let own: Vec<&str> = variables.collect();
            let pointer = format!("P{name}");
            spec.codes.iter().any(|text| {
                scan::takes_address_of(text, &pointer)
                    && scan::names(text).any(|(name, _)| own.contains(&name))
            })
        };
        let types = spec.proctypes.iter().enumerate();
        let types =
            types.filter(|(at, proc)| !self.pieces.is_local(&proc.name) || mixed(*at, &proc.name));
        types.map(|(_, proc)| format!("exeunt_c_frames_{}", proc.name)).collect()
    }

    /// The pointers to processes, and hidden variables.
    pub(super) fn own_names(&self, spec: &Spec) -> Vec<String> {
        let pointers = spec.proctypes.iter().map(|proc| format!("P{}", proc.name));
        let globals = spec.globals.iter().map(|variable| variable.name.to_string());
        pointers.chain(globals).collect()
    }
}
