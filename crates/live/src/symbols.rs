//! From addresses in the running program to source lines and names, by the
//! debug information and the symbol tables of the files it was loaded from.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use addr2line::Loader;
use exeunt_model::Location;
use object::{
    Object, ObjectSegment, ObjectSymbol, ObjectSymbolTable, RelocationTarget, SymbolKind,
};

/// A part of a file in memory.
struct Mapping {
    start: u64,
    end: u64,
    offset: u64,
    path: String,
}

/// What is known about one file.
#[derive(Default)]
struct Module {
    loader: Option<Loader>,
    /// `(offset in the file, size, address)` of its segments.
    segments: Vec<(u64, u64, u64)>,
    /// `(address, size, name)` of its variables and functions.
    symbols: Vec<(u64, u64, String)>,
    functions: BTreeSet<String>,
    /// Addresses of the variables that other files can use, by their names.
    exports: BTreeMap<String, u64>,
    /// What it asks the loader for, though it may have it itself.
    asked: BTreeSet<String>,
}

/// A variable of a library that other files can use.
pub(crate) struct Export {
    pub(crate) name: String,
    /// The library itself asks the loader where it is.
    pub(crate) asks: bool,
}

pub(crate) struct Symbols {
    mappings: Vec<Mapping>,
    modules: BTreeMap<String, Module>,
    directory: PathBuf,
}

/// Names in memory of the library that this project puts there itself.
const OURS: &str = "exeunt-live-runtime";

impl Symbols {
    pub(crate) fn new() -> Symbols {
        let directory = std::env::current_dir().unwrap_or_default();
        Symbols { mappings: Vec::new(), modules: BTreeMap::new(), directory }
    }

    /// The program has opened or closed a library: where files are is told anew.
    pub(crate) fn forget_maps(&mut self) {
        self.mappings.clear();
    }

    /// Takes in a line of `/proc/…/maps`.
    pub(crate) fn map(&mut self, line: &str) {
        let parts: Vec<&str> = line.split_whitespace().collect();
        let [range, _, offset, _, _, path, ..] = parts.as_slice() else { return };
        let Some((start, end)) = range.split_once('-') else { return };
        let number = |text: &str| u64::from_str_radix(text, 16).unwrap_or(0);
        let (start, end, offset) = (number(start), number(end), number(offset));
        self.mappings.push(Mapping { start, end, offset, path: path.to_string() });
    }

    fn module(&mut self, path: &str) -> &Module {
        self.modules.entry(path.to_string()).or_insert_with(|| Module::read(Path::new(path)))
    }

    /// The file that is at an address, and the address as the file says it.
    fn resolve(&mut self, address: u64) -> Option<(String, u64)> {
        let inside = |mapping: &&Mapping| mapping.start <= address && address < mapping.end;
        let mapping = self.mappings.iter().find(inside)?;
        let (path, offset) = (mapping.path.clone(), address - mapping.start + mapping.offset);
        let segments = &self.module(&path).segments;
        let segment =
            segments.iter().find(|(start, size, _)| (*start..start + size).contains(&offset));
        let place = segment.map(|(start, _, base)| base + (offset - start));
        Some((path, place?))
    }

    /// The innermost place of the user's own source among those that a thread
    /// was called from.
    pub(crate) fn place(&mut self, addresses: &[u64]) -> Option<Location> {
        let mut fallback = None;
        for &address in addresses {
            let Some((path, place)) = self.resolve(address) else { continue };
            if path.contains(OURS) {
                continue;
            }
            let directory = self.directory.clone();
            let module = self.module(&path);
            if let Some(location) = module.location(place, &directory) {
                return Some(location);
            }
            let system = path.contains("/libc.so") || path.contains("/ld-linux");
            if fallback.is_none() && !system {
                fallback = module.symbol(place).map(|(name, _)| Location::in_function(&name));
            }
        }
        fallback
    }

    /// The innermost place of the user's own source, and those it was called
    /// from, from the inside to `main` or the function of the thread.
    pub(crate) fn stack(&mut self, addresses: &[u64]) -> (Option<Location>, Vec<Location>) {
        let mut all: Vec<Location> = Vec::new();
        for &address in addresses {
            let Some((path, place)) = self.resolve(address) else { continue };
            if path.contains(OURS) {
                continue;
            }
            let directory = self.directory.clone();
            all.extend(self.module(&path).location(place, &directory));
        }
        let innermost = self.place(addresses);
        let outer = if all.is_empty() { all } else { all.split_off(1) };
        (innermost, outer)
    }

    /// The variable or function at an address, and how far into it.
    pub(crate) fn name(&mut self, address: u64) -> Option<(String, u64, u64)> {
        let (path, place) = match self.resolve(address) {
            Some(found) => found,
            None => self.beyond(address)?,
        };
        let module = self.module(&path);
        let symbols = module.symbols.iter();
        let (start, size, name) = symbols
            .filter(|(start, size, _)| (*start..start + (*size).max(1)).contains(&place))
            .min_by_key(|(_, size, _)| *size)?;
        Some((name.clone(), place - start, *size))
    }

    /// What is added to addresses of a file, where it is in memory.
    pub(crate) fn bias(&mut self, path: &str) -> Option<u64> {
        let mapping = self.mappings.iter().find(|mapping| mapping.path == path)?;
        let (start, offset) = (mapping.start, mapping.offset);
        let segments = &self.module(path).segments;
        let (_, _, base) =
            segments.iter().find(|(at, size, _)| (*at..at + size).contains(&offset))?;
        Some(start - (base - base % 4096))
    }

    /// The libraries in memory that are no part of the system.
    pub(crate) fn libraries(&self) -> Vec<String> {
        const SYSTEM: [&str; 3] = ["/usr/lib/", "/lib/", "/lib64/"];
        let foreign = |path: &str| {
            path.starts_with('/')
                && !path.contains(OURS)
                && !SYSTEM.iter().any(|folder| path.starts_with(folder))
        };
        let paths = self.mappings.iter().map(|mapping| mapping.path.clone());
        let distinct: BTreeSet<String> = paths.filter(|path| foreign(path)).collect();
        distinct.into_iter().collect()
    }

    /// The variable that a file exports at one of its addresses.
    pub(crate) fn export(&mut self, path: &str, address: u64) -> Option<Export> {
        let module = self.module(path);
        let (name, _) = module.exports.iter().find(|(_, place)| **place == address)?;
        Some(Export { name: name.clone(), asks: module.asked.contains(name) })
    }

    /// Where a file has a variable of this name, if others can use it.
    pub(crate) fn exported(&mut self, path: &str, name: &str) -> Option<u64> {
        self.module(path).exports.get(name).copied()
    }

    /// A call of the user's own source: its place, the address as the file says it, and the file.
    pub(crate) fn call(&mut self, address: u64) -> Option<(Location, u64, String)> {
        let (path, place) = self.resolve(address).filter(|(path, _)| !path.contains(OURS))?;
        let directory = self.directory.clone();
        let location = self.module(&path).location(place, &directory)?;
        Some((location, place, path))
    }

    /// Where a variable or function of a file is, its size, and whether it is a
    /// function.
    pub(crate) fn find(&mut self, path: &str, name: &str) -> Option<(u64, u64, bool)> {
        let bias = self.bias(path)?;
        let module = self.module(path);
        let named = |symbol: &&(u64, u64, String)| plain(&symbol.2) == name || symbol.2 == name;
        let (place, size, full) = module.symbols.iter().find(named)?.clone();
        Some((bias + place, size, module.functions.contains(&full)))
    }

    /// Variables without an initial value lie behind what is in the file.
    fn beyond(&mut self, address: u64) -> Option<(String, u64)> {
        let before = |mapping: &&Mapping| mapping.end <= address && mapping.path.starts_with('/');
        let mapping = self.mappings.iter().filter(before).max_by_key(|mapping| mapping.end)?;
        let (path, last, offset) = (mapping.path.clone(), mapping.start, mapping.offset);
        let segments = &self.module(&path).segments;
        let (start, _, base) = *segments.iter().rfind(|(start, ..)| *start <= offset + 4095)?;
        let bias = last - (base + offset - start) / 4096 * 4096;
        Some((path, address - bias))
    }
}

impl Module {
    fn read(path: &Path) -> Module {
        let mut module = Module { loader: Loader::new(path).ok(), ..Module::default() };
        let Ok(data) = std::fs::read(path) else { return module };
        let Ok(file) = object::File::parse(data.as_slice()) else { return module };
        for segment in file.segments() {
            let (offset, size) = segment.file_range();
            module.segments.push((offset, size, segment.address()));
        }
        let all = file.symbols().chain(file.dynamic_symbols());
        for symbol in all.filter(|symbol| symbol.is_definition()) {
            if matches!(symbol.kind(), SymbolKind::Data | SymbolKind::Text) {
                let name = symbol.name().unwrap_or("").to_string();
                if symbol.kind() == SymbolKind::Text {
                    module.functions.insert(name.clone());
                }
                module.symbols.push((symbol.address(), symbol.size(), name));
            }
        }
        let variables = file.dynamic_symbols().filter(|one| one.is_definition());
        for symbol in variables.filter(|one| one.kind() == SymbolKind::Data) {
            module.exports.insert(symbol.name().unwrap_or("").to_string(), symbol.address());
        }
        let relocations = file.dynamic_relocations().into_iter().flatten();
        for (_, relocation) in relocations {
            if let RelocationTarget::Symbol(index) = relocation.target()
                && let Some(table) = file.dynamic_symbol_table()
                && let Ok(symbol) = table.symbol_by_index(index)
            {
                module.asked.insert(symbol.name().unwrap_or("").to_string());
            }
        }
        module
    }

    fn symbol(&self, place: u64) -> Option<(String, u64)> {
        let inside = |(start, size, _): &&(u64, u64, String)| {
            *start <= place && place < start + (*size).max(1)
        };
        self.symbols.iter().find(inside).map(|(start, _, name)| (plain(name), place - start))
    }

    /// The source line, if it is in the user's own source.
    fn location(&self, place: u64, directory: &Path) -> Option<Location> {
        let mut frames = self.loader.as_ref()?.find_frames(place).ok()?;
        while let Ok(Some(frame)) = frames.next() {
            let Some(at) = frame.location else { continue };
            let (Some(file), Some(line)) = (at.file, at.line) else { continue };
            if is_system(file) || line == 0 {
                continue;
            }
            let name = frame.function.and_then(|name| Some(name.demangle().ok()?.into_owned()));
            let function = plain(&name.unwrap_or_default());
            return Some(Location {
                file: Arc::from(short(file, directory)),
                line,
                column: at.column.unwrap_or(0),
                function: Arc::from(function),
            });
        }
        None
    }
}

/// Headers and libraries of the system, whose lines are not shown.
pub(crate) fn is_system(file: &str) -> bool {
    const PARTS: [&str; 5] =
        ["/usr/include/", "/usr/lib/", "/rustc/", "/library/std/", "../sysdeps/"];
    let header = file.ends_with("/exeunt.h") || file == "exeunt.h";
    header || PARTS.iter().any(|part| file.contains(part)) || file.starts_with("./")
}

/// Files below the present directory by their short names.
fn short(file: &str, directory: &Path) -> String {
    match Path::new(file).strip_prefix(directory) {
        Ok(rest) => rest.display().to_string(),
        Err(_) => file.to_string(),
    }
}

/// A function without its parameters, a local variable without its number.
pub(crate) fn plain(name: &str) -> String {
    // To a demangler a C variable `a` is the type `signed char`.
    let name = match ["_Z", "_R"].iter().any(|start| name.starts_with(start)) {
        true => addr2line::demangle_auto(name.into(), None),
        false => name.into(),
    };
    let name = name.split('(').next().unwrap_or(&name);
    match name.rsplit_once('.') {
        Some((stem, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
            stem.to_string()
        }
        _ => name.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn only_mangled_names_are_demangled() {
        // These letters are types in mangled names.
        for name in ["a", "b", "c", "i", "lock", "St", "mutex_x"] {
            assert_eq!(plain(name), name);
        }
        assert_eq!(plain("counter.3"), "counter");
        assert_eq!(plain("_ZN4Pool6submitEv"), "Pool::submit");
        assert_eq!(plain("_ZL1a"), "a");
    }
}
