//! Types as the checker sees them.

use std::sync::Arc;

use crate::code::{ChanDeclId, Space, Width};
use crate::source::Pos;
use crate::syntax::{Expr, Name};

/// A user-defined type of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StructId(pub usize);

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Number(Width),
    Mtype(Option<Name>),
    Chan,
    Struct(StructId),
}

impl Type {
    /// The set of names that its values have, if it is an `mtype`.
    pub fn names(&self) -> Option<Arc<str>> {
        match self {
            Type::Mtype(set) => Some(set.clone().unwrap_or_else(|| Arc::from("_unnamed_"))),
            Type::Number(_) | Type::Chan | Type::Struct(_) => None,
        }
    }

    /// The width of a scalar; `None` for a structure.
    pub fn width(&self) -> Option<Width> {
        match self {
            Type::Number(width) => Some(*width),
            Type::Mtype(_) | Type::Chan => Some(crate::layout::BYTE),
            Type::Struct(_) => None,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Struct {
    pub name: Name,
    pub fields: Vec<Field>,
    /// In bits; a multiple of `align`.
    pub size: u32,
    pub align: u32,
}

#[derive(Clone, Debug)]
pub struct Field {
    pub name: Name,
    pub ty: Type,
    pub length: Option<u32>,
    /// From the start of the structure, in bits.
    pub offset: u32,
    pub channel: Option<ChanDeclId>,
    pub init: Option<Expr>,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Name,
    pub pos: Pos,
    pub ty: Type,
    pub length: Option<u32>,
    pub space: Space,
    /// Offset in its component, in bits.
    pub base: u32,
    /// The declaration of the channel it is initialised with.
    pub channel: Option<ChanDeclId>,
    /// Its initial value if that is a number, for array bounds.
    pub constant: Option<i32>,
}
