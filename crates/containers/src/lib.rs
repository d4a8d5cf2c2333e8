//! Objects of libstdc++ as their users see them: elements of containers, the text of strings, what owning pointers
//! point to.
//!
//! They are known by the names of their types and members. How memory is read and what the types of a program are
//! is a machine's business ([`Objects`]); the virtual machine and native programs both have such objects.
//!
//! Invariant: what does not look as it should, because it is being changed or is not constructed yet, is not shown
//! here (`None`); the machine then shows it member by member.

#![forbid(unsafe_code)]

mod arguments;
mod layout;

pub use arguments::{arguments, unqualified};

use layout::Layout;

/// Elements of an array or a container that are shown.
pub const ELEMENTS: usize = 8;
/// Characters of a string that are shown.
pub const CHARACTERS: u64 = 60;
/// Elements that are counted; a container with more is not shown.
const COUNTED: usize = 4096;

/// A member of a struct, or one of its base classes.
#[derive(Clone, Debug)]
pub struct Member<T> {
    /// Empty for a base class.
    pub name: String,
    pub offset: u64,
    pub ty: T,
}

/// Types and memory of a program.
pub trait Objects {
    type Type: Copy;

    /// The name of a struct or class with its template arguments and without namespaces.
    fn name(&self, ty: Self::Type) -> Option<String>;
    fn members(&self, ty: Self::Type) -> Vec<Member<Self::Type>>;
    fn is_pointer(&self, ty: Self::Type) -> bool;
    /// What a pointer points to.
    fn pointee(&self, ty: Self::Type) -> Option<Self::Type>;
    /// What an array is made of.
    fn element(&self, ty: Self::Type) -> Option<Self::Type>;
    fn size(&self, ty: Self::Type) -> u64;
    /// The type that a template was given as its argument of this number.
    fn argument(&self, ty: Self::Type, index: usize) -> Option<Self::Type>;

    /// Eight bytes, if they are there and have a value.
    fn word(&mut self, at: u64) -> Option<u64>;
    fn byte(&mut self, at: u64) -> Option<u8>;
    /// Whether both places are in one object, the second perhaps just behind it.
    fn within_one(&mut self, from: u64, to: u64) -> bool;

    /// A value as its type shows it, looking into so many containers within each other.
    fn show(&mut self, at: u64, ty: Self::Type, depth: u32) -> String;
    /// A place by its name or its address.
    fn show_place(&mut self, place: u64) -> String;
}

/// A class of the library whose contents can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Vector,
    Text,
    TextView,
    Deque,
    List,
    ForwardList,
    Tree(Kind),
    Hashed(Kind),
    /// Another container in the clothes of a queue or stack.
    Adapter,
    Array,
    Unique,
    Shared,
    Optional,
}

/// What the nodes of a container hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Keys,
    Pairs,
}

impl Class {
    /// The class that a type of this name may be one of; its members say whether it is.
    pub fn of(name: &str) -> Option<Class> {
        let (class, _) = name.split_once('<')?;
        Some(match class {
            "vector" => Class::Vector,
            "basic_string" => Class::Text,
            "basic_string_view" => Class::TextView,
            "deque" => Class::Deque,
            "list" => Class::List,
            "forward_list" => Class::ForwardList,
            "map" | "multimap" => Class::Tree(Kind::Pairs),
            "set" | "multiset" => Class::Tree(Kind::Keys),
            "unordered_map" | "unordered_multimap" => Class::Hashed(Kind::Pairs),
            "unordered_set" | "unordered_multiset" => Class::Hashed(Kind::Keys),
            "queue" | "stack" | "priority_queue" => Class::Adapter,
            "array" => Class::Array,
            "unique_ptr" => Class::Unique,
            "shared_ptr" => Class::Shared,
            "optional" => Class::Optional,
            _ => return None,
        })
    }
}

/// The member of an adapter that is the container it adapts.
const ADAPTED: &str = "c";

/// Whether this member of a class is how the library makes the class, and nothing that users know by name.
pub fn is_internal(class: &str, member: &str) -> bool {
    let reserved = member.is_empty() || member.starts_with("_M_") || member.starts_with("__");
    reserved || is_adapted(class, member)
}

/// Whether this member of a class is the container in a queue or stack.
pub fn is_adapted(class: &str, member: &str) -> bool {
    member == ADAPTED && Class::of(class) == Some(Class::Adapter)
}

/// The contents of a container, string, owning pointer or optional at a place.
pub fn show<O: Objects>(objects: &mut O, at: u64, ty: O::Type, depth: u32) -> Option<String> {
    let class = Class::of(&objects.name(ty)?)?;
    let mut look = Look { objects, at, ty, depth: depth.checked_sub(1)? };
    match class {
        Class::Vector => look.vector(),
        Class::Text => look.text(&["_M_dataplus", "_M_p"], &["_M_string_length"]),
        Class::TextView => look.text(&["_M_str"], &["_M_len"]),
        Class::Deque => look.deque(),
        Class::List => look.list(),
        Class::ForwardList => look.forward_list(),
        Class::Tree(kind) => look.tree(kind),
        Class::Hashed(kind) => look.hashed(kind),
        Class::Adapter => look.inner(&[ADAPTED]),
        Class::Array => look.inner(&["_M_elems"]),
        Class::Unique => {
            let (offset, pointer) = look.objects.first_pointer(ty)?;
            look.owned(offset, pointer)
        }
        Class::Shared => {
            let (offset, pointer) = look.member(&["_M_ptr"])?;
            look.owned(offset, pointer)
        }
        Class::Optional => look.optional(),
    }
}

/// Where the element is in a node of a list, and in one of a tree; the children of the latter.
const LIST_VALUE: u64 = 16;
const TREE_VALUE: u64 = 32;
const TREE_LEFT: u64 = 16;
const TREE_RIGHT: u64 = 24;
/// In a node with one pointer to the next one, the element is behind that.
const SINGLE_VALUE: u64 = 8;
/// The bytes of a block of a deque that holds several elements.
const BLOCK: u64 = 512;

struct Look<'o, O: Objects> {
    objects: &'o mut O,
    at: u64,
    ty: O::Type,
    /// Of what is inside.
    depth: u32,
}

impl<O: Objects> Look<'_, O> {
    fn member(&self, path: &[&str]) -> Option<(u64, O::Type)> {
        self.objects.member(self.ty, path)
    }

    /// The word in a member.
    fn word(&mut self, path: &[&str]) -> Option<u64> {
        let (offset, _) = self.member(path)?;
        self.objects.word(self.at + offset)
    }

    fn vector(&mut self) -> Option<String> {
        let (_, pointer) = self.member(&["_M_impl", "_M_start"])?;
        let element = self.objects.pointee(pointer)?;
        let start = self.word(&["_M_impl", "_M_start"])?;
        let finish = self.word(&["_M_impl", "_M_finish"])?;
        let size = self.objects.size(element).max(1);
        let bytes = finish.checked_sub(start)?;
        (bytes.is_multiple_of(size) && self.objects.within_one(start, finish)).then_some(())?;
        let count = (bytes / size) as usize;
        let places: Vec<u64> = (0..count.min(ELEMENTS) as u64).map(|i| start + i * size).collect();
        Some(self.elements(&places, count, Some(element)))
    }

    fn deque(&mut self) -> Option<String> {
        let (_, pointer) = self.member(&["_M_impl", "_M_start", "_M_cur"])?;
        let element = self.objects.pointee(pointer)?;
        let size = self.objects.size(element).max(1);
        let block = (BLOCK / size).max(1) * size;
        let mut cursor = self.word(&["_M_impl", "_M_start", "_M_cur"])?;
        let mut last = self.word(&["_M_impl", "_M_start", "_M_last"])?;
        let mut node = self.word(&["_M_impl", "_M_start", "_M_node"])?;
        let finish = self.word(&["_M_impl", "_M_finish", "_M_cur"])?;
        let mut places = Vec::new();
        while cursor != finish {
            places.push(cursor);
            (places.len() < COUNTED).then_some(())?;
            cursor = cursor.checked_add(size)?;
            if cursor == last {
                node = node.checked_add(8)?;
                cursor = self.objects.word(node)?;
                last = cursor.checked_add(block)?;
            }
        }
        Some(self.elements(&places, places.len(), Some(element)))
    }

    fn list(&mut self) -> Option<String> {
        let (head, _) = self.member(&["_M_impl", "_M_node"])?;
        let head = self.at + head;
        let first = self.objects.word(head)?;
        let nodes = self.chain(first, head)?;
        let element = self.objects.argument(self.ty, 0);
        let places: Vec<u64> = nodes.iter().map(|node| node.wrapping_add(LIST_VALUE)).collect();
        Some(self.elements(&places, places.len(), element))
    }

    fn forward_list(&mut self) -> Option<String> {
        let first = self.word(&["_M_impl", "_M_head", "_M_next"])?;
        let nodes = self.chain(first, 0)?;
        let element = self.objects.argument(self.ty, 0);
        let places = self.behind_next(&nodes, element);
        Some(self.elements(&places, places.len(), element))
    }

    /// The nodes from one on, each of which begins with a pointer to the next.
    fn chain(&mut self, first: u64, end: u64) -> Option<Vec<u64>> {
        let (mut nodes, mut node) = (Vec::new(), first);
        while node != end && node != 0 {
            nodes.push(node);
            (nodes.len() < COUNTED).then_some(())?;
            node = self.objects.word(node)?;
        }
        Some(nodes)
    }

    fn behind_next(&self, nodes: &[u64], element: Option<O::Type>) -> Vec<u64> {
        let alignment = element.map_or(1, |element| self.objects.alignment(element));
        let offset = SINGLE_VALUE.next_multiple_of(alignment.max(1));
        nodes.iter().map(|node| node.wrapping_add(offset)).collect()
    }

    fn tree(&mut self, kind: Kind) -> Option<String> {
        let mut places = Vec::new();
        // A node is looked at when all on its left were.
        let mut above = Vec::new();
        let mut node = self.word(&["_M_t", "_M_impl", "_M_header", "_M_parent"])?;
        while node != 0 || !above.is_empty() {
            (places.len() + above.len() < COUNTED).then_some(())?;
            if node != 0 {
                above.push(node);
                node = self.objects.word(node.checked_add(TREE_LEFT)?)?;
            } else {
                let last: u64 = above.pop()?;
                places.push(last.checked_add(TREE_VALUE)?);
                node = self.objects.word(last.checked_add(TREE_RIGHT)?)?;
            }
        }
        Some(self.keyed(&places, kind))
    }

    fn hashed(&mut self, kind: Kind) -> Option<String> {
        let first = self.word(&["_M_h", "_M_before_begin", "_M_nxt"])?;
        let count = self.word(&["_M_h", "_M_element_count"])?;
        let nodes = self.chain(first, 0)?;
        (nodes.len() as u64 == count).then_some(())?;
        let (key, value) = (self.objects.argument(self.ty, 0), self.objects.argument(self.ty, 1));
        let alignment = |ty: Option<O::Type>| ty.map_or(1, |ty| self.objects.alignment(ty));
        let wider = match kind {
            Kind::Pairs if alignment(value) > alignment(key) => value,
            Kind::Pairs | Kind::Keys => key,
        };
        let places = self.behind_next(&nodes, wider);
        Some(self.keyed(&places, kind))
    }

    /// The keys at these places, or the keys and the values behind them.
    fn keyed(&mut self, places: &[u64], kind: Kind) -> String {
        let key = self.objects.argument(self.ty, 0);
        let value = self.objects.argument(self.ty, 1);
        let (key, value) = match (kind, key, value) {
            (Kind::Keys, key, _) => return self.elements(places, places.len(), key),
            (Kind::Pairs, Some(key), Some(value)) => (key, value),
            (Kind::Pairs, _, _) => return counted(places.len()),
        };
        let alignment = self.objects.alignment(value).max(1);
        let behind = self.objects.size(key).next_multiple_of(alignment);
        let (objects, depth) = (&mut *self.objects, self.depth);
        let pair = |at: &u64| {
            let (first, second) = (
                objects.show(*at, key, depth),
                objects.show(at.wrapping_add(behind), value, depth),
            );
            format!("{first}: {second}")
        };
        let parts: Vec<String> = places.iter().take(ELEMENTS).map(pair).collect();
        format!("{{{}}}", with_rest(parts, places.len()))
    }

    fn inner(&mut self, path: &[&str]) -> Option<String> {
        let (offset, ty) = self.member(path)?;
        Some(self.objects.show(self.at + offset, ty, self.depth))
    }

    fn optional(&mut self) -> Option<String> {
        let (engaged, _) = self.member(&["_M_payload", "_M_engaged"])?;
        match self.objects.byte(self.at + engaged)? {
            0 => Some("nothing".to_string()),
            1 => self.inner(&["_M_payload", "_M_payload", "_M_value"]),
            _ => None,
        }
    }

    /// What a pointer that owns something points to.
    fn owned(&mut self, offset: u64, pointer: O::Type) -> Option<String> {
        let to = self.objects.word(self.at + offset)?;
        if to == 0 {
            return Some("0".to_string());
        }
        let place = self.objects.show_place(to);
        Some(match self.objects.pointee(pointer) {
            Some(pointee) if self.depth > 0 => {
                format!("{place} -> {}", self.objects.show(to, pointee, self.depth))
            }
            Some(_) | None => place,
        })
    }

    fn text(&mut self, start: &[&str], length: &[&str]) -> Option<String> {
        let (_, pointer) = self.member(start)?;
        let character = self.objects.pointee(pointer)?;
        (self.objects.size(character) == 1).then_some(())?;
        let (start, length) = (self.word(start)?, self.word(length)?);
        let end = start.checked_add(length.min(CHARACTERS))?;
        let bytes: Option<Vec<u8>> = (start..end).map(|at| self.objects.byte(at)).collect();
        let more = if length > CHARACTERS { "…" } else { "" };
        Some(format!("{:?}{more}", String::from_utf8_lossy(&bytes?)))
    }

    fn elements(&mut self, places: &[u64], count: usize, ty: Option<O::Type>) -> String {
        let Some(ty) = ty else { return counted(count) };
        let (objects, depth) = (&mut *self.objects, self.depth);
        let shown = places.iter().take(ELEMENTS);
        let parts = shown.map(|&at| objects.show(at, ty, depth)).collect();
        format!("[{}]", with_rest(parts, count))
    }
}

/// The parts that are shown, and how many more there are.
fn with_rest(mut parts: Vec<String>, count: usize) -> String {
    if count > parts.len() {
        parts.push(format!("… {} more", count - parts.len()));
    }
    parts.join(", ")
}

fn counted(count: usize) -> String {
    match count {
        0 => "[]".to_string(),
        1 => "1 element".to_string(),
        _ => format!("{count} elements"),
    }
}
