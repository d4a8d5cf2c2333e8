//! Source-level types, kept only so that stories can say `q.items[3]` instead
//! of "4 bytes at offset 28".

use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DebugTypeId(pub u32);

/// A member of a struct or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebugField {
    pub name: Arc<str>,
    /// In bytes (bit-fields: of the byte that the field starts in).
    pub offset: u64,
    pub ty: DebugTypeId,
}

/// A source-level type as far as naming places and showing values needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DebugType {
    Int {
        bytes: u8,
        signed: bool,
    },
    Bool,
    Char {
        signed: bool,
    },
    Float {
        bytes: u8,
    },
    /// `to` is what it points to; `None` for `void` and functions.
    Pointer {
        to: Option<DebugTypeId>,
    },
    Enum {
        bytes: u8,
        names: Vec<(i64, Arc<str>)>,
    },
    Struct {
        name: Arc<str>,
        bytes: u64,
        fields: Vec<DebugField>,
    },
    Array {
        element: DebugTypeId,
        element_bytes: u64,
        count: u64,
    },
    Other {
        bytes: u64,
    },
}
