//! Places in the user's files, as small copyable values.
//!
//! Invariant: every [`Pos`] points into a file that the user can open, also
//! when its token came out of a macro or an included file.

use std::sync::Arc;

use exeunt_model::Location;

/// A file of a [`Sources`] table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FileId(pub u16);

/// A place in the text. Lines and columns count from one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pos {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
}

/// The files a model was read from, by number.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    names: Vec<Arc<str>>,
}

impl Sources {
    /// The number of this file name, which is added if it is new.
    pub fn file(&mut self, name: &str) -> FileId {
        let index = self.names.iter().position(|known| &**known == name).unwrap_or_else(|| {
            self.names.push(Arc::from(name));
            self.names.len() - 1
        });
        FileId(index as u16)
    }

    /// The names of all files.
    pub fn files(&self) -> &[Arc<str>] {
        &self.names
    }

    pub fn location(&self, pos: Pos, function: &str) -> Location {
        let file = self.names.get(pos.file.0 as usize).cloned().unwrap_or_else(|| Arc::from(""));
        Location { file, line: pos.line, column: pos.column, function: Arc::from(function) }
    }
}
