//! The program and its libraries in memory, as far as they have variables that people look at: what their debug
//! information says, where they are, and where the variables of each thread are.

use std::sync::Arc;

use crate::debug::{Debug, Global};
use crate::program::Program;
use crate::symbols::{Export, Symbols};

/// Which of the files in memory it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileId(usize);

/// A file with debug information, and what is added to its addresses.
pub(crate) struct Loaded {
    pub(crate) debug: Arc<Debug>,
    pub(crate) bias: u64,
    path: String,
    /// The loader's number of it, if it has thread-local variables.
    storage: Option<u64>,
}

/// All of them; the program is the first.
pub(crate) struct Files {
    all: Vec<Loaded>,
}

/// A variable that is no local one, and where it is.
pub(crate) struct Placed<'f> {
    pub(crate) file: FileId,
    pub(crate) variable: &'f Global,
    pub(crate) address: u64,
    /// Another file has a variable of this name.
    pub(crate) twice: bool,
}

impl Files {
    /// `storages` are the loader's numbers and what is added to addresses.
    pub(crate) fn new(program: &Program, symbols: &mut Symbols, storages: &[(u64, u64)]) -> Files {
        let mut files = Files { all: Vec::new() };
        let own = program.path.to_string_lossy().into_owned();
        let libraries = symbols.libraries().into_iter().filter(|path| *path != own);
        for path in std::iter::once(own.clone()).chain(libraries.collect::<Vec<_>>()) {
            let Some(bias) = symbols.bias(&path) else { continue };
            let debug = program.debug_of(&path);
            let storage =
                storages.iter().find(|(_, base)| *base == bias).map(|(number, _)| *number);
            files.all.push(Loaded { debug, bias, path, storage });
        }
        files
    }

    pub(crate) fn get(&self, id: FileId) -> &Loaded {
        &self.all[id.0]
    }

    pub(crate) fn by_path(&self, path: &str) -> Option<FileId> {
        self.all.iter().position(|file| file.path == path).map(FileId)
    }

    /// The file's own name, without its folders.
    pub(crate) fn name(&self, id: FileId) -> &str {
        self.get(id).path.rsplit('/').next().unwrap_or_default()
    }

    /// All global variables. One that several files define is where the loader has put it; if that is not certain, it
    /// is left out.
    pub(crate) fn globals(&self, symbols: &mut Symbols) -> Vec<Placed<'_>> {
        let mut all: Vec<Placed<'_>> = Vec::new();
        for (id, file) in (0..).map(FileId).zip(&self.all) {
            for variable in &file.debug.globals {
                let Some(address) = self.place(id, variable.address, symbols) else { continue };
                let twice = all.iter().any(|other| other.variable.name == variable.name);
                all.push(Placed { file: id, variable, address, twice });
            }
        }
        all
    }

    fn place(&self, id: FileId, address: u64, symbols: &mut Symbols) -> Option<u64> {
        let own = address.wrapping_add(self.get(id).bias);
        // The program comes first, so its definition is the one that counts.
        if id == FileId(0) {
            return Some(own);
        }
        let Some(Export { name, asks }) = symbols.export(&self.get(id).path, address) else {
            return Some(own);
        };
        let mut others = (0..).map(FileId).zip(&self.all).filter(|(other, _)| *other != id);
        let other = others.find_map(|(at, file)| {
            let place = symbols.exported(&file.path, &name)?;
            Some((at, place.wrapping_add(file.bias)))
        });
        match other {
            None => Some(own),
            // A copy in the program, which the library asks the loader for.
            Some((FileId(0), place)) if asks => Some(place),
            Some(_) => None,
        }
    }

    /// The variables of which a thread has its own. `local` is where the C library keeps what it knows about the thread;
    /// behind the first word there is its table of storages, with a row of two words for each file (Drepper: ELF
    /// Handling For Thread-Local Storage, 2013).
    pub(crate) fn of_thread(
        &self,
        local: u64,
        word: &mut dyn FnMut(u64) -> Option<u64>,
    ) -> Vec<Placed<'_>> {
        const ROW: u64 = 16;
        let mut all: Vec<Placed<'_>> = Vec::new();
        let Some(table) = word(local.wrapping_add(8)) else { return all };
        let rows = word(table.wrapping_sub(ROW)).unwrap_or(0);
        for (id, file) in (0..).map(FileId).zip(&self.all) {
            let Some(number) = file.storage.filter(|number| *number <= rows) else { continue };
            // A storage that the thread has not used yet does not exist.
            let start = word(table.wrapping_add(ROW * number));
            let Some(start) = start.filter(|start| *start != 0 && *start != u64::MAX) else {
                continue;
            };
            for variable in &file.debug.own {
                let address = start.wrapping_add(variable.address);
                let twice = all.iter().any(|other| other.variable.name == variable.name);
                all.push(Placed { file: id, variable, address, twice });
            }
        }
        all
    }

    /// The global variable at an address, with the part of it: `forks[1]`.
    pub(crate) fn global_at(&self, address: u64) -> Option<String> {
        self.all.iter().find_map(|file| file.debug.global_at(address.wrapping_sub(file.bias)))
    }
}
