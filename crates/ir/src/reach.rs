//! What can be executed at all: functions that are reached from `main`, from what
//! runs before and behind it, and through addresses that reached code or data holds.
//!
//! An address counts wherever its eight bytes stand. One that is hidden better than
//! that leads to a function without code, which is a limit and no wrong answer.

use crate::address::{self, Space};
use crate::{Callee, FuncId, Function, Program, is_meant};

/// Functions and globals that can be reached.
#[derive(Clone, Debug)]
pub struct Reached {
    functions: Vec<bool>,
    globals: Vec<bool>,
    work: Vec<Item>,
}

#[derive(Clone, Copy, Debug)]
enum Item {
    Function(usize),
    Global(usize),
}

impl Reached {
    /// `named`: functions that somebody asks for by name.
    pub fn of(program: &Program, named: &[String]) -> Reached {
        let mut reached = Reached {
            functions: vec![false; program.functions.len()],
            globals: vec![false; program.globals.len()],
            work: Vec::new(),
        };
        let runs = program.main.iter().chain(&program.constructors).chain(&program.destructors);
        runs.for_each(|id| reached.function(*id));
        for (id, function) in program.functions.iter().enumerate() {
            let asked = named.iter().any(|name| is_meant(&function.name, name));
            if asked || function.must_return {
                reached.function(FuncId(id as u32));
            }
        }
        // Every thread has its own copies, which code need not name by their address.
        for (id, global) in program.globals.iter().enumerate() {
            if global.thread_local {
                reached.item(Item::Global(id));
            }
        }
        while let Some(item) = reached.work.pop() {
            match item {
                Item::Function(id) => reached.code(&program.functions[id]),
                Item::Global(id) => reached.data(&program.globals[id].data),
            }
        }
        reached
    }

    pub fn has_function(&self, id: FuncId) -> bool {
        self.functions[id.0 as usize]
    }

    fn function(&mut self, id: FuncId) {
        self.item(Item::Function(id.0 as usize));
    }

    fn item(&mut self, item: Item) {
        let known = match item {
            Item::Function(id) => self.functions.get_mut(id),
            Item::Global(id) => self.globals.get_mut(id),
        };
        if let Some(known) = known.filter(|known| !**known) {
            *known = true;
            self.work.push(item);
        }
    }

    fn code(&mut self, function: &Function) {
        for site in &function.calls {
            if let Callee::Direct(id) = site.callee {
                self.function(id);
            }
        }
        function.constants.iter().for_each(|constant| self.word(constant.value));
    }

    fn data(&mut self, data: &[u8]) {
        for bytes in data.windows(8) {
            self.word(u64::from_le_bytes(bytes.try_into().expect("eight bytes")));
        }
    }

    fn word(&mut self, word: u64) {
        let object = address::object(word);
        match object.space() {
            Some(Space::Function) => self.item(Item::Function(object.index() as usize)),
            Some(Space::Global) => self.item(Item::Global(object.index() as usize)),
            Some(
                Space::Heap | Space::Stack | Space::ThreadLocal | Space::Thread | Space::Opaque,
            )
            | None => {}
        }
    }
}

impl Program {
    /// Leaves out the code of functions that nothing reaches. What they used but
    /// nobody defined is not missing then.
    pub fn drop_unreached(&mut self, named: &[String]) -> Reached {
        let reached = Reached::of(self, named);
        for (id, function) in self.functions.iter_mut().enumerate() {
            if !reached.functions[id] && !function.is_declaration() {
                let (loc, library) = (function.loc, function.library);
                *function = Function::declaration(function.name.clone(), function.signature);
                (function.loc, function.library) = (loc, library);
            }
        }
        for (id, global) in self.globals.iter_mut().enumerate() {
            global.external &= reached.globals[id];
        }
        reached
    }
}
