//! Which functions are operations on lists: those of Linux, of Windows, of C++'s containers,
//! and of our replacement of `<sys/queue.h>`.
//!
//! A list is followed as its length. That elements are in one list at a time, and that
//! lists are not used by two threads at once without a lock, is taken for granted and said in
//! the answer.

use exeunt_ir::{DebugType, Function, Program};

use crate::library::{ListOp, Meaning};

const fn row(op: ListOp, list: usize) -> Meaning {
    Meaning::List { op, list }
}

/// `<linux/list.h>`, where the program has a `struct list_head`.
const LINUX: &[(&str, Meaning)] = &[
    ("INIT_LIST_HEAD", row(ListOp::Init, 0)),
    ("list_add", row(ListOp::Push, 1)),
    ("list_add_tail", row(ListOp::Push, 1)),
    ("list_add_rcu", row(ListOp::Push, 1)),
    ("list_add_tail_rcu", row(ListOp::Push, 1)),
    ("list_del", row(ListOp::Remove, 0)),
    ("list_del_init", row(ListOp::Remove, 0)),
    ("list_del_rcu", row(ListOp::Remove, 0)),
    ("list_move", row(ListOp::Move, 1)),
    ("list_move_tail", row(ListOp::Move, 1)),
    ("list_splice_init", row(ListOp::Append, 0)),
    ("list_splice_tail_init", row(ListOp::Append, 0)),
    ("list_empty", row(ListOp::IsEmpty, 0)),
    ("list_empty_careful", row(ListOp::IsEmpty, 0)),
];

/// `<wdm.h>`, where the program has a `struct _LIST_ENTRY`.
const WINDOWS: &[(&str, Meaning)] = &[
    ("InitializeListHead", row(ListOp::Init, 0)),
    ("InsertHeadList", row(ListOp::Push, 0)),
    ("InsertTailList", row(ListOp::Push, 0)),
    ("RemoveHeadList", row(ListOp::PopAlways, 0)),
    ("RemoveTailList", row(ListOp::PopAlways, 0)),
    ("RemoveEntryList", row(ListOp::Remove, 0)),
    ("IsListEmpty", row(ListOp::IsEmpty, 0)),
    ("ExInterlockedInsertHeadList", row(ListOp::Push, 0)),
    ("ExInterlockedInsertTailList", row(ListOp::Push, 0)),
    ("ExInterlockedRemoveHeadList", row(ListOp::Pop, 0)),
];

/// What the macros of our `<sys/queue.h>` call.
const QUEUE: &[(&str, Meaning)] = &[
    ("exeunt_list_init", row(ListOp::Init, 0)),
    ("exeunt_list_push", row(ListOp::Push, 0)),
    ("exeunt_list_drop", row(ListOp::Drop, 0)),
    ("exeunt_list_remove", row(ListOp::Remove, 0)),
    ("exeunt_list_first", row(ListOp::First, 0)),
    ("exeunt_list_is_empty", row(ListOp::IsEmpty, 0)),
    ("exeunt_list_length", row(ListOp::Length, 0)),
    ("exeunt_list_version", row(ListOp::Version, 0)),
    ("exeunt_list_append", row(ListOp::Append, 1)),
    ("exeunt_list_change", row(ListOp::Change, 0)),
];

/// C++'s containers, with their sizes.
const CONTAINERS: &[(&str, i64)] = &[
    ("std::list", 24),
    ("std::vector", 24),
    ("std::forward_list", 8),
    ("std::deque", 80),
    ("std::queue", 80),
    ("std::stack", 80),
    ("std::priority_queue", 32),
];

/// Members that change nothing.
const LOOKS: &[&str] = &[
    "begin",
    "end",
    "cbegin",
    "cend",
    "rbegin",
    "rend",
    "front",
    "back",
    "top",
    "max_size",
    "at",
    "data",
    "capacity",
    "operator[]",
    "get_allocator",
];

pub(crate) fn meaning(program: &Program, function: &Function) -> Option<Meaning> {
    let find = |table: &[(&str, Meaning)]| {
        table.iter().find(|(name, _)| *name == &*function.name).map(|(_, meaning)| *meaning)
    };
    if function.name.starts_with("_ZNSt") || function.name.starts_with("_ZNKSt") {
        return container(program, function);
    }
    if let Some(found) = find(QUEUE).filter(|_| function.is_declaration()) {
        return Some(found);
    }
    let linux = find(LINUX).filter(|_| has_struct(program, "list_head", ["next", "prev"]));
    let windows =
        || find(WINDOWS).filter(|_| has_struct(program, "_LIST_ENTRY", ["Flink", "Blink"]));
    linux.or_else(windows)
}

/// How many bytes a list of this function has where it begins.
pub(crate) fn bytes(name: &str) -> i64 {
    let class = class_and_member(name).map(|(class, _)| class);
    let known = CONTAINERS.iter().find(|(container, _)| class.as_deref() == Some(container));
    known.map_or(16, |(_, bytes)| *bytes)
}

fn has_struct(program: &Program, wanted: &str, members: [&str; 2]) -> bool {
    program.types.iter().any(|ty| match ty {
        DebugType::Struct { name, fields, .. } => {
            let named = name.strip_prefix("struct ").unwrap_or(name) == wanted;
            named && fields.len() == 2 && members.iter().zip(fields).all(|(m, f)| *m == &*f.name)
        }
        _ => false,
    })
}

fn container(program: &Program, function: &Function) -> Option<Meaning> {
    let (class, member) = class_and_member(&function.name)?;
    if !CONTAINERS.iter().any(|(name, _)| *name == class) {
        return None;
    }
    let params = program.signature(function.signature).params.len();
    let own = class.rsplit("::").next().unwrap_or_default();
    let op = match member.as_str() {
        "push" | "push_back" | "push_front" | "emplace" | "emplace_back" | "emplace_front" => {
            ListOp::Push
        }
        "pop" | "pop_back" | "pop_front" => ListOp::Drop,
        "empty" => ListOp::IsEmpty,
        "size" => ListOp::Length,
        "clear" => ListOp::Init,
        name if name == own && params == 1 => ListOp::Init,
        name if name.starts_with('~') => return Some(Meaning::Pure { answers_zero: false }),
        // They are expanded: what they read in the container is arbitrary.
        name if LOOKS.contains(&name) || name.starts_with('_') => return None,
        _ => ListOp::Change,
    };
    Some(row(op, 0))
}

/// `std::queue` and `push` of a symbol; without template arguments and inline namespaces.
fn class_and_member(symbol: &str) -> Option<(String, String)> {
    let name = exeunt_ir::readable(symbol).replace("std::__cxx11::", "std::");
    let mut plain = String::new();
    let mut depth = 0usize;
    for letter in name.chars() {
        match letter {
            '<' => depth += 1,
            '>' => depth = depth.checked_sub(1)?,
            _ if depth == 0 => plain.push(letter),
            _ => {}
        }
    }
    let (class, member) = plain.rsplit_once("::")?;
    Some((class.to_string(), member.to_string()))
}
