//! Who calls a function directly, to name places in the user's source for
//! what happens in library code, which has none.

use std::collections::{BTreeMap, BTreeSet};

use exeunt_ir::{Callee, FuncId, LocId, Program, address, readable};
use exeunt_model::Location;

pub struct Callers<'p> {
    program: &'p Program,
    /// By function: the caller and the position of the call.
    of: Vec<Vec<(u32, LocId)>>,
}

impl<'p> Callers<'p> {
    pub fn new(program: &'p Program) -> Callers<'p> {
        let mut of = vec![Vec::new(); program.functions.len()];
        for (caller, function) in program.functions.iter().enumerate() {
            for (inst, loc) in function.code.iter().zip(&function.locs) {
                let Some(call) = inst.call() else { continue };
                if let Callee::Direct(FuncId(callee)) = function.calls[call as usize].callee {
                    of[callee as usize].push((caller as u32, *loc));
                }
            }
        }
        Callers { program, of }
    }

    /// The place of an instruction at `loc` of a function: its own or, in
    /// library code, the places from which control comes there. At least one.
    pub fn places(&self, function: u32, loc: LocId) -> Vec<Location> {
        self.calls(function, loc).into_iter().map(|(location, _)| location).collect()
    }

    /// The same, with the function that is called at each place, or the function itself.
    pub fn calls(&self, function: u32, loc: LocId) -> Vec<(Location, u32)> {
        if let Some(location) = self.known(loc) {
            return vec![(location, function)];
        }
        let mut seen = BTreeSet::from([function]);
        let mut work = vec![function];
        let mut places = BTreeMap::new();
        while let Some(at) = work.pop() {
            for &(caller, loc) in &self.of[at as usize] {
                match self.known(loc) {
                    Some(location) => drop(places.entry(location).or_insert(at)),
                    None if seen.insert(caller) => work.push(caller),
                    None => {}
                }
            }
        }
        if places.is_empty() {
            let name = &self.program.functions[function as usize].name;
            places.insert(Location::in_function(&readable(name)), function);
        }
        places.into_iter().collect()
    }

    /// Whether anything calls the function or has its address: parts of the
    /// library come with functions that the program does not use.
    pub fn is_used(&self, function: u32) -> bool {
        let program = self.program;
        let id = FuncId(function);
        let address = address::function(id);
        let started = program.main.iter().chain(&program.constructors).chain(&program.destructors);
        let constants = program.functions.iter().flat_map(|function| &function.constants);
        let words = program.globals.iter().flat_map(|global| global.data.chunks_exact(8));
        !self.of[function as usize].is_empty()
            || started.into_iter().any(|other| *other == id)
            || constants.into_iter().any(|constant| constant.value == address)
            || words.into_iter().any(|word| word == address.to_le_bytes())
    }

    fn known(&self, loc: LocId) -> Option<Location> {
        self.program.location(loc).filter(Location::is_known)
    }
}
