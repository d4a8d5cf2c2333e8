//! What a pointer may be: objects, addresses in them, and sets of those.
//!
//! Taken for granted: pointer arithmetic stays inside its object, as C demands.

use std::collections::BTreeSet;

use exeunt_ir::address::{self, Space};
use exeunt_ir::{FuncId, GlobalId, Pc};

/// A call, expanded: the function, who called it from where.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    pub func: FuncId,
    pub thread: usize,
    pub caller: Option<(usize, Pc)>,
    /// An instance of its thread comes here at most once.
    pub once: bool,
}

/// A memory object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Object {
    Global(GlobalId),
    /// A variable that each thread has for itself: of the thread with this index.
    ThreadLocal(u32, usize),
    /// What `alloca` or an allocation function makes at this place.
    Frame(usize, Pc),
    Heap(usize, Pc),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Value {
    Nothing,
    Number(u64),
    Address(Object, i64),
    /// Somewhere in one of these.
    Somewhere(BTreeSet<Object>),
    /// Somewhere in an element that was seen in the list which begins there.
    Member(Object, i64),
    /// Whatever can be read from memory.
    Unknown,
}

impl Value {
    pub(crate) fn of_constant(value: u64) -> Value {
        let object = address::object(value);
        match object.space() {
            Some(Space::Global) => {
                Value::Address(Object::Global(GlobalId(object.index())), address::offset(value))
            }
            _ => Value::Number(value),
        }
    }

    /// The function whose address it is.
    pub(crate) fn function(&self) -> Option<FuncId> {
        match self {
            Value::Number(number) => {
                let object = address::object(*number);
                (object.space() == Some(Space::Function)).then(|| FuncId(object.index()))
            }
            Value::Nothing
            | Value::Address(..)
            | Value::Somewhere(_)
            | Value::Member(..)
            | Value::Unknown => None,
        }
    }

    pub(crate) fn joined(&self, other: &Value) -> Value {
        match (self, other) {
            (a, b) if a == b => a.clone(),
            (Value::Nothing, b) => b.clone(),
            (a, Value::Nothing) => a.clone(),
            (Value::Unknown, _) | (_, Value::Unknown) => Value::Unknown,
            (Value::Number(_), Value::Number(_)) => Value::Unknown,
            // Null is not followed.
            (Value::Number(0), address @ Value::Address(..))
            | (address @ Value::Address(..), Value::Number(0)) => address.clone(),
            // A number is no address.
            (member @ Value::Member(..), Value::Number(_))
            | (Value::Number(_), member @ Value::Member(..)) => member.clone(),
            (Value::Member(..), _) | (_, Value::Member(..)) => Value::Unknown,
            (a, b) => Value::Somewhere(a.objects().into_iter().chain(b.objects()).collect()),
        }
    }

    pub(crate) fn objects(&self) -> BTreeSet<Object> {
        match self {
            Value::Address(object, _) => BTreeSet::from([*object]),
            Value::Somewhere(objects) => objects.clone(),
            Value::Nothing | Value::Number(_) | Value::Unknown | Value::Member(..) => {
                BTreeSet::new()
            }
        }
    }

    pub(crate) fn moved(&self, by: Option<i64>) -> Value {
        match (self, by) {
            (Value::Address(object, offset), Some(by)) => Value::Address(*object, offset + by),
            (Value::Address(object, _), None) => Value::Somewhere(BTreeSet::from([*object])),
            (Value::Number(number), Some(by)) => Value::Number(number.wrapping_add(by as u64)),
            (Value::Number(_), None) => Value::Unknown,
            (Value::Nothing | Value::Somewhere(_) | Value::Unknown | Value::Member(..), _) => {
                self.clone()
            }
        }
    }
}
