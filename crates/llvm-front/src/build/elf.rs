//! Objects, archives, shared libraries and programs with bitcode inside.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use object::elf::{DT_NEEDED, DT_RPATH, DT_RUNPATH, FileHeader64};
use object::read::archive::ArchiveFile;
use object::read::elf::{Dyn, FileHeader};
use object::{Object as _, ObjectKind, ObjectSection, ObjectSymbol, SymbolKind};

use super::SECTION;
use super::bundle::{Unit, decode};
use crate::FrontError;

/// A file that a linker made or takes.
pub(crate) enum Built {
    /// An object, a program or a shared library.
    Object(Object),
    /// Objects of which those are taken that are needed.
    Archive(Vec<Object>),
}

/// One file of machine code.
pub(crate) struct Object {
    /// For messages: `libfoo.a(bar.o)`.
    pub name: String,
    pub units: Vec<Unit>,
    /// The names that others can refer to.
    pub defined: BTreeSet<String>,
    /// Those that are functions.
    pub functions: BTreeSet<String>,
    /// How many functions run before `main`, of a program that is linked dynamically.
    pub constructors: usize,
    /// The shared libraries that it is linked with, as far as they are found where it
    /// says.
    pub needed: Vec<PathBuf>,
    /// It is linked, and leaves what the system has to shared libraries.
    pub dynamic: bool,
}

const ELF: &[u8] = b"\x7fELF";
const ARCHIVES: [&[u8]; 2] = [b"!<arch>\n", b"!<thin>\n"];

/// Whether a file is machine code, or libtool's stand-in for a program.
pub fn is_built(file: &Path) -> bool {
    beginning(file).is_some_and(|start| is_machine_code(&start)) || behind_libtool(file).is_some()
}

/// Whether a file is a program or a shared library without any bitcode inside.
pub fn is_native_only(file: &Path) -> bool {
    let native = beginning(file).is_some_and(|start| start.starts_with(ELF));
    native && matches!(read(file), Ok(Built::Object(object)) if object.units.is_empty())
}

fn is_machine_code(start: &[u8]) -> bool {
    start.starts_with(ELF) || ARCHIVES.iter().any(|magic| start.starts_with(magic))
}

fn beginning(file: &Path) -> Option<[u8; 8]> {
    use std::io::Read;
    let mut start = [0; 8];
    fs::File::open(file).ok()?.read_exact(&mut start).ok()?;
    Some(start)
}

/// libtool makes a script in the place of a program whose libraries are not installed.
fn behind_libtool(file: &Path) -> Option<PathBuf> {
    if !beginning(file)?.starts_with(b"#!") {
        return None;
    }
    let text = fs::read(file).ok()?;
    let text = String::from_utf8_lossy(&text[..text.len().min(4096)]).into_owned();
    let real = file.parent()?.join(".libs").join(file.file_name()?);
    (text.contains("temporary wrapper script for") && real.is_file()).then_some(real)
}

/// Reads a file and the bitcode in it.
pub(crate) fn read(file: &Path) -> Result<Built, FrontError> {
    let real = behind_libtool(file).unwrap_or_else(|| file.to_path_buf());
    let bad = |why: String| FrontError::NotBuilt { file: file.to_path_buf(), why };
    let bytes = fs::read(&real).map_err(|error| bad(error.to_string()))?;
    if ARCHIVES.iter().any(|magic| bytes.starts_with(magic)) {
        return members(file, &bytes).map(Built::Archive).map_err(bad);
    }
    let name = file.display().to_string();
    Ok(Built::Object(object(name, &real, &bytes).map_err(bad)?))
}

fn members(file: &Path, bytes: &[u8]) -> Result<Vec<Object>, String> {
    let archive = ArchiveFile::parse(bytes).map_err(|error| error.to_string())?;
    let mut objects = Vec::new();
    for member in archive.members() {
        let member = member.map_err(|error| error.to_string())?;
        let name = String::from_utf8_lossy(member.name()).into_owned();
        // A thin archive only names its members.
        let apart = file.parent().unwrap_or(Path::new("")).join(&name);
        let content = match member.is_thin() {
            true => fs::read(&apart).map_err(|error| format!("{}: {error}", apart.display()))?,
            false => member.data(bytes).map_err(|error| error.to_string())?.to_vec(),
        };
        if content.starts_with(ELF) {
            objects.push(object(format!("{}({name})", file.display()), file, &content)?);
        }
    }
    Ok(objects)
}

fn object(name: String, path: &Path, bytes: &[u8]) -> Result<Object, String> {
    let file = object::File::parse(bytes).map_err(|error| error.to_string())?;
    let section = file.section_by_name(SECTION).map(|section| section.data()).transpose();
    let section = section.map_err(|error| error.to_string())?;
    let is_linked = matches!(file.kind(), ObjectKind::Executable | ObjectKind::Dynamic);
    let symbols = file.symbols().chain(file.dynamic_symbols());
    let named = symbols.filter(|symbol| symbol.is_global() && symbol.is_definition());
    let named: Vec<_> =
        named.filter_map(|symbol| Some((symbol.name().ok()?, symbol.kind()))).collect();
    let text = named.iter().filter(|(_, kind)| *kind == SymbolKind::Text);
    let before_main = file.section_by_name(".init_array").map_or(0, |section| section.size());
    let libraries = if is_linked { libraries(bytes, path) } else { None };
    Ok(Object {
        name,
        units: section.map_or(Ok(Vec::new()), decode)?,
        functions: text.map(|(name, _)| name.to_string()).collect(),
        defined: named.iter().map(|(name, _)| name.to_string()).collect(),
        constructors: (before_main / 8) as usize,
        dynamic: libraries.is_some(),
        needed: libraries.unwrap_or_default(),
    })
}

/// The libraries that a program names, looked for where it says and where
/// `LD_LIBRARY_PATH` says; none if it is not linked dynamically.
fn libraries(bytes: &[u8], path: &Path) -> Option<Vec<PathBuf>> {
    let header = FileHeader64::<object::Endianness>::parse(bytes).ok()?;
    let endian = header.endian().ok()?;
    let sections = header.sections(endian, bytes).ok()?;
    let (rows, link) = sections.dynamic(endian, bytes).ok()??;
    let strings = sections.strings(endian, bytes, link).ok()?;
    let (mut names, mut places) = (Vec::new(), Vec::new());
    for row in rows {
        let text =
            row.string(endian, strings).ok().map(|text| String::from_utf8_lossy(text).into_owned());
        match (row.d_tag.get(endian), text) {
            (DT_NEEDED, Some(text)) => names.push(text),
            (DT_RUNPATH | DT_RPATH, Some(text)) => places.push(text),
            _ => {}
        }
    }
    let origin = fs::canonicalize(path).ok()?.parent()?.to_string_lossy().into_owned();
    let by_user = std::env::var("LD_LIBRARY_PATH").unwrap_or_default();
    let places: Vec<PathBuf> = places
        .iter()
        .chain([&by_user])
        .flat_map(|text| text.split(':'))
        .filter(|place| !place.is_empty())
        .map(|place| {
            PathBuf::from(place.replace("${ORIGIN}", "$ORIGIN").replace("$ORIGIN", &origin))
        })
        .collect();
    let find =
        |name: &String| places.iter().map(|place| place.join(name)).find(|file| file.is_file());
    Some(names.iter().filter_map(find).collect())
}
