//! Large objects in pieces, so that a write costs its piece and not the object.
//!
//! The words of a large object are cut into pieces of equal length, and a tree of
//! components leads to the pieces: a node holds the numbers of its children, two in a
//! word. The component of the object itself is its header, the root of its data, and,
//! if it has a shadow, the root of that.
//!
//! Invariant: the shape of a tree depends only on how many words there are, so equal
//! contents have equal roots, and two trees differ only below nodes that differ.

use exeunt_model::{CompId, Pool};
use smallvec::SmallVec;

use crate::object::{self, Flags, Header};

/// Objects with up to so many words of data are one component.
const WHOLE: usize = 64;
/// Words of a piece.
pub const PIECE: usize = 16;
/// Children of a node.
const FAN: usize = 16;
/// In the place of a child that is not there.
const NONE: u32 = u32::MAX;

type Node = SmallVec<[u64; FAN / 2]>;

/// Whether objects with this header are kept in pieces.
#[inline]
pub fn is_large(header: Header) -> bool {
    header.words() > WHOLE
}

/// How many pieces so many words are.
pub fn count(words: usize) -> u32 {
    words.div_ceil(PIECE) as u32
}

/// Makes a component of a whole object, which becomes canonical.
pub fn intern(pool: &dyn Pool, words: &mut Vec<u64>) -> CompId {
    object::normalise(words);
    let header = Header::unpack(words[0]);
    if !is_large(header) {
        return pool.intern(words);
    }
    let (data, shadow) = words[1..].split_at(header.words());
    let data = build(pool, data);
    let shadow = header.flags.has(Flags::SHADOW).then(|| build(pool, shadow));
    Root { header, data, shadow }.intern(pool)
}

/// Stores an object of one pool in another one.
pub fn carry(comp: CompId, from: &dyn Pool, to: &dyn Pool) -> CompId {
    let words = from.get(comp);
    let Some(root) = Root::of(words) else { return to.intern(words) };
    let height = height(root.pieces());
    let data = carry_node(root.data, height, from, to);
    let shadow = root.shadow.map(|shadow| carry_node(shadow, height, from, to));
    Root { data, shadow, ..root }.intern(to)
}

fn carry_node(node: CompId, height: u32, from: &dyn Pool, to: &dyn Pool) -> CompId {
    let words = from.get(node);
    if height == 0 {
        return to.intern(words);
    }
    // Most of a large object is the same as before.
    if let Some(known) = to.carried(node, height) {
        return known;
    }
    let carried = children(words).map(|child| carry_node(child, height - 1, from, to));
    let here = to.intern(&pack(&carried.collect::<SmallVec<[CompId; FAN]>>()));
    to.note_carried(node, height, here);
    here
}

/// The component of a large object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Root {
    pub header: Header,
    pub data: CompId,
    pub shadow: Option<CompId>,
}

impl Root {
    /// The component, if it is that of a large object.
    pub fn of(words: &[u64]) -> Option<Root> {
        let header = Header::unpack(words[0]);
        let shadow = header.flags.has(Flags::SHADOW);
        is_large(header).then(|| Root {
            header,
            data: CompId(words[1] as u32),
            shadow: shadow.then(|| CompId((words[1] >> 32) as u32)),
        })
    }

    pub fn intern(self, pool: &dyn Pool) -> CompId {
        let shadow = self.shadow.map_or(NONE, |root| root.0);
        pool.intern(&[self.header.pack(), self.data.0 as u64 | (shadow as u64) << 32])
    }

    /// How many pieces its data has; the numbers of those of the shadow follow.
    pub fn pieces(self) -> u32 {
        count(self.header.words())
    }

    /// A piece of the data or of the shadow. Without a shadow there is none.
    pub fn piece(self, pool: &dyn Pool, piece: u32) -> Option<CompId> {
        let pieces = self.pieces();
        match piece.checked_sub(pieces) {
            None => Some(leaf(pool, self.data, pieces, piece)),
            Some(piece) => self.shadow.map(|root| leaf(pool, root, pieces, piece)),
        }
    }

    /// What makes another object of this one: its header, and its pieces where they differ.
    /// `None` if that depends on pieces in which they do not.
    pub fn change_to(self, pool: &dyn Pool, other: Root) -> Option<(Header, Vec<(u32, CompId)>)> {
        let mut other = other;
        if self.shadow.is_some() && other.shadow.is_none() {
            other.shadow = Some(zeros(pool, other.header.words()));
            other.header.flags |= Flags::SHADOW;
        }
        let alike = self.header.size == other.header.size
            && self.shadow.is_some() == other.shadow.is_some();
        alike.then(|| (other.header, self.differences(pool, other)))
    }

    /// The component of the object that a change makes of this one.
    pub fn changed(self, pool: &dyn Pool, header: Header, pieces: &[(u32, CompId)]) -> CompId {
        self.with(pool, header, pieces).canonical(pool).intern(pool)
    }

    /// A shadow without a one is none.
    pub fn canonical(mut self, pool: &dyn Pool) -> Root {
        if self.shadow.is_some_and(|shadow| shadow == zeros(pool, self.header.words())) {
            self.shadow = None;
            self.header.flags.0 &= !Flags::SHADOW.0;
        }
        self
    }

    /// The pieces in which another object of the same size, and with a shadow if this one has
    /// one, differs from this one, in order, as the other has them.
    pub fn differences(self, pool: &dyn Pool, other: Root) -> Vec<(u32, CompId)> {
        let mut found = Vec::new();
        let (pieces, height) = (self.pieces(), height(self.pieces()));
        diff(pool, (self.data, other.data), height, 0, &mut |at, leaf| found.push((at, leaf)));
        if let (Some(old), Some(new)) = (self.shadow, other.shadow) {
            diff(pool, (old, new), height, pieces, &mut |at, leaf| found.push((at, leaf)));
        }
        found
    }

    /// This object with another header, and with other pieces where they are given, in order.
    pub fn with(self, pool: &dyn Pool, header: Header, pieces: &[(u32, CompId)]) -> Root {
        let count = self.pieces();
        let (data, shadow) = pieces.split_at(pieces.partition_point(|&(at, _)| at < count));
        let height = height(count);
        let data = replace(pool, self.data, height, 0, data);
        let shadow = self.shadow.map(|root| replace(pool, root, height, count, shadow));
        Root { header, data, shadow }
    }
}

/// Levels of nodes above so many pieces.
pub fn height(mut count: u32) -> u32 {
    let mut height = 0;
    while count > 1 {
        count = count.div_ceil(FAN as u32);
        height += 1;
    }
    height
}

/// How many pieces are below a node.
fn span(height: u32) -> u32 {
    (FAN as u32).pow(height)
}

fn pack(children: &[CompId]) -> Node {
    let pair = |pair: &[CompId]| {
        let second = pair.get(1).map_or(NONE, |child| child.0);
        pair[0].0 as u64 | (second as u64) << 32
    };
    children.chunks(2).map(pair).collect()
}

/// The children of a node.
pub fn children(node: &[u64]) -> impl Iterator<Item = CompId> + '_ {
    let both = node.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]);
    both.filter(|&child| child != NONE).map(CompId)
}

fn child(node: &[u64], at: u32) -> CompId {
    CompId((node[at as usize / 2] >> (32 * (at % 2))) as u32)
}

fn build(pool: &dyn Pool, words: &[u64]) -> CompId {
    let mut level: Vec<CompId> = words.chunks(PIECE).map(|piece| pool.intern(piece)).collect();
    while level.len() > 1 {
        level = level.chunks(FAN).map(|children| pool.intern(&pack(children))).collect();
    }
    level[0]
}

/// The tree of so many zeros, which are more than one piece.
pub fn zeros(pool: &dyn Pool, words: usize) -> CompId {
    let mut count = count(words) as usize;
    // All nodes of a level are equal but the last.
    let mut full = pool.intern(&[0; PIECE]);
    let mut last = pool.intern(&vec![0; words - (count - 1) * PIECE]);
    while count > 1 {
        let groups = count.div_ceil(FAN);
        let mut children = vec![full; count - (groups - 1) * FAN];
        *children.last_mut().expect("a group is not empty") = last;
        last = pool.intern(&pack(&children));
        full = if groups > 1 { pool.intern(&pack(&[full; FAN])) } else { last };
        count = groups;
    }
    last
}

fn leaf(pool: &dyn Pool, root: CompId, count: u32, piece: u32) -> CompId {
    let mut node = root;
    let mut piece = piece;
    for height in (0..height(count)).rev() {
        node = child(pool.get(node), piece / span(height));
        piece %= span(height);
    }
    node
}

/// Shows the pieces in which two trees of one shape differ, as the second has them.
pub fn diff(
    pool: &dyn Pool,
    (old, new): (CompId, CompId),
    height: u32,
    first: u32,
    each: &mut dyn FnMut(u32, CompId),
) {
    if old == new {
        return;
    }
    if height == 0 {
        return each(first, new);
    }
    let pairs = children(pool.get(old)).zip(children(pool.get(new)));
    for (at, pair) in pairs.enumerate() {
        diff(pool, pair, height - 1, first + at as u32 * span(height - 1), each);
    }
}

fn replace(
    pool: &dyn Pool,
    root: CompId,
    height: u32,
    first: u32,
    mut pieces: &[(u32, CompId)],
) -> CompId {
    let Some(&(_, leaf)) = pieces.first() else { return root };
    if height == 0 {
        return leaf;
    }
    let mut node = Node::from_slice(pool.get(root));
    while let Some(&(piece, _)) = pieces.first() {
        let at = (piece - first) / span(height - 1);
        let first = first + at * span(height - 1);
        let end = pieces.partition_point(|&(piece, _)| piece < first + span(height - 1));
        let new = replace(pool, child(&node, at), height - 1, first, &pieces[..end]);
        let (word, shift) = (&mut node[at as usize / 2], 32 * (at % 2));
        *word = *word & !(0xffff_ffff << shift) | (new.0 as u64) << shift;
        pieces = &pieces[end..];
    }
    pool.intern(&node)
}
