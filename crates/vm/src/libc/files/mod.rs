//! Files, pipes and event counters: a small file system in memory that is part of the
//! state.
//!
//! The files that exist at first are those that `--file` names, with their contents;
//! standard input is what `--stdin` names. Descriptors lead to open file descriptions
//! (which `dup` shares), and these to nodes. All that is known about them is in one
//! variable of the library; what a node contains is an object of its own. Every call may
//! touch all of it, so every call is a step that depends on all others.

mod calls;
mod event;
mod names;
mod poll;

use exeunt_ir::address::{ObjId, Space};
use exeunt_mem::Flags;

use crate::builtin::Builtin;
use crate::builtin::Context;
use crate::libc::library;
use crate::stop::Stop;

pub use calls::Outcome;

pub const TABLES: [&[Builtin]; 4] = [calls::TABLE, event::TABLE, names::TABLE, poll::TABLE];

/// What a program finds outside if nobody says which files there are.
pub const NONE: &str = "no file existed (--file names some)";

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Input,
    Output,
    Error,
    File,
    Pipe,
    Event,
    /// `/dev/null`
    Null,
}

const KINDS: [Kind; 7] =
    [Kind::Input, Kind::Output, Kind::Error, Kind::File, Kind::Pipe, Kind::Event, Kind::Null];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub kind: Kind,
    /// Empty if it has none (any more).
    pub name: Vec<u8>,
    /// How many bytes it contains; of an event, its counter.
    pub size: u64,
    /// Its contents are what they were at the beginning.
    given: bool,
}

/// An open file description. Nobody has it open if `users` is 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    pub node: usize,
    pub offset: u64,
    /// As `open` was given them, without those that only matter there.
    pub flags: i32,
    users: u64,
}

impl Open {
    pub fn reads(&self) -> bool {
        self.flags & libc::O_ACCMODE != libc::O_WRONLY
    }

    pub fn writes(&self) -> bool {
        self.flags & libc::O_ACCMODE != libc::O_RDONLY
    }

    pub fn waits(&self) -> bool {
        self.flags & libc::O_NONBLOCK == 0
    }
}

/// All that is known about files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// The number of an open file description, and whether `exec` would close it.
    descriptors: Vec<Option<(usize, bool)>>,
    pub opens: Vec<Open>,
    pub nodes: Vec<Node>,
}

/// How many nodes there may be.
const MOST_NODES: usize = 0x200;
/// How many descriptors a process may have.
const MOST_DESCRIPTORS: usize = 1024;

impl Files {
    /// At the beginning: three standard streams, and the files that exist.
    fn initial(stdin: u64, files: impl Iterator<Item = (Vec<u8>, u64)>) -> Files {
        let standard = |kind, size| Node { kind, name: Vec::new(), size, given: true };
        let mut nodes =
            vec![standard(Kind::Input, stdin), standard(Kind::Output, 0), standard(Kind::Error, 0)];
        let node = |(name, size)| Node { kind: Kind::File, name, size, given: true };
        nodes.extend(files.map(node));
        let flags = [libc::O_RDONLY, libc::O_WRONLY, libc::O_WRONLY];
        let open = |(node, flags)| Open { node, offset: 0, flags, users: 1 };
        Files {
            descriptors: (0..3).map(|at| Some((at, false))).collect(),
            opens: flags.into_iter().enumerate().map(open).collect(),
            nodes,
        }
    }

    /// The open file description behind a descriptor.
    pub fn behind(&self, descriptor: i32) -> Option<usize> {
        let at = usize::try_from(descriptor).ok()?;
        Some(self.descriptors.get(at)?.as_ref()?.0)
    }

    pub fn closes_on_exec(&self, descriptor: i32) -> bool {
        let at = usize::try_from(descriptor).unwrap_or(usize::MAX);
        self.descriptors.get(at).is_some_and(|entry| matches!(entry, Some((_, true))))
    }

    pub fn set_close_on_exec(&mut self, descriptor: i32, closes: bool) {
        if let Some(Some(entry)) = self.descriptors.get_mut(descriptor as usize) {
            entry.1 = closes;
        }
    }

    /// Whether somebody could read from a node, or write to it.
    pub fn has(&self, node: usize, way: impl Fn(&Open) -> bool) -> bool {
        self.opens.iter().any(|open| open.users > 0 && open.node == node && way(open))
    }

    /// The lowest free descriptor that is not below `least`, for a description.
    pub fn describe(&mut self, open: usize, least: usize) -> Option<i32> {
        let used = |at: &usize| self.descriptors.get(*at).is_some_and(Option::is_some);
        let at = (least..MOST_DESCRIPTORS).find(|at| !used(at))?;
        self.set(at, open);
        Some(at as i32)
    }

    /// Has a descriptor mean a description, whatever it meant before.
    pub fn set(&mut self, descriptor: usize, open: usize) {
        self.opens[open].users += 1;
        self.close(descriptor as i32);
        if self.descriptors.len() <= descriptor {
            self.descriptors.resize(descriptor + 1, None);
        }
        self.descriptors[descriptor] = Some((open, false));
    }

    /// A new description of a node, which no descriptor means yet.
    pub fn open(&mut self, node: usize, flags: i32) -> usize {
        let kept = libc::O_ACCMODE | libc::O_APPEND | libc::O_NONBLOCK;
        let open = Open { node, offset: 0, flags: flags & kept, users: 0 };
        match self.opens.iter().position(|open| open.users == 0) {
            Some(at) => {
                self.opens[at] = open;
                at
            }
            None => {
                self.opens.push(open);
                self.opens.len() - 1
            }
        }
    }

    /// `false` if it is not open.
    pub fn close(&mut self, descriptor: i32) -> bool {
        let Some(open) = self.behind(descriptor) else { return false };
        self.descriptors[descriptor as usize] = None;
        while self.descriptors.last() == Some(&None) {
            self.descriptors.pop();
        }
        self.opens[open].users -= 1;
        if self.opens[open].users == 0 {
            self.opens[open] = Open { node: 0, offset: 0, flags: 0, users: 0 };
        }
        while self.opens.last().is_some_and(|open| open.users == 0) {
            self.opens.pop();
        }
        true
    }

    pub fn find(&self, name: &[u8]) -> Option<usize> {
        let found = |node: &Node| node.kind == Kind::File && node.name == name;
        (!name.is_empty()).then(|| self.nodes.iter().position(found))?
    }

    /// A new node. One that nobody can reach any more is used again.
    pub fn make(&mut self, kind: Kind, name: Vec<u8>) -> Result<usize, Stop> {
        let node = Node { kind, name, size: 0, given: false };
        let gone =
            |(at, node): (usize, &Node)| at > 2 && node.name.is_empty() && !self.has(at, |_| true);
        match self.nodes.iter().enumerate().position(gone) {
            Some(at) => {
                self.nodes[at] = node;
                Ok(at)
            }
            None if self.nodes.len() == MOST_NODES => {
                Err(Stop::unsupported("more than 512 files, pipes and events"))
            }
            None => {
                self.nodes.push(node);
                Ok(self.nodes.len() - 1)
            }
        }
    }

    fn encode(&self) -> Vec<u8> {
        let mut words =
            vec![self.descriptors.len() as u64, self.opens.len() as u64, self.nodes.len() as u64];
        let entry = |entry: &Option<(usize, bool)>| match *entry {
            Some((open, closes)) => (open as u64 + 1) << 1 | u64::from(closes),
            None => 0,
        };
        words.extend(self.descriptors.iter().map(entry));
        for open in &self.opens {
            words.extend([open.node as u64, open.offset, open.flags as u64, open.users]);
        }
        for node in &self.nodes {
            let kind = KINDS.iter().position(|&kind| kind == node.kind).unwrap_or(0) as u64;
            let length = node.name.len() as u64;
            words.extend([kind | u64::from(node.given) << 8 | length << 16, node.size]);
        }
        let mut bytes: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
        self.nodes.iter().for_each(|node| bytes.extend(&node.name));
        bytes
    }

    fn decode(bytes: &[u8]) -> Files {
        let mut at = 0;
        let mut next = || {
            at += 8;
            u64::from_le_bytes(bytes[at - 8..at].try_into().expect("eight bytes"))
        };
        let [descriptors, opens, nodes] = [next(), next(), next()];
        let entry = |word: u64| (word != 0).then(|| ((word >> 1) as usize - 1, word & 1 != 0));
        let descriptors = (0..descriptors).map(|_| entry(next())).collect();
        let opens = (0..opens)
            .map(|_| Open {
                node: next() as usize,
                offset: next(),
                flags: next() as i32,
                users: next(),
            })
            .collect();
        let nodes: Vec<(u64, u64)> = (0..nodes).map(|_| (next(), next())).collect();
        let node = |(word, size): (u64, u64)| {
            let length = (word >> 16) as usize;
            at += length;
            Node {
                kind: KINDS[word as usize & 0xff],
                name: bytes[at - length..at].to_vec(),
                size,
                given: word >> 8 & 1 != 0,
            }
        };
        Files { descriptors, opens, nodes: nodes.into_iter().map(node).collect() }
    }
}

fn content_of(node: usize) -> ObjId {
    let slot = library::CONTENTS + node as u16;
    ObjId::in_arena(Space::ThreadLocal, library::PROCESS, slot)
}

impl Context<'_, '_> {
    /// What is known about files now.
    pub fn files(&mut self) -> Result<Files, Stop> {
        let id = ObjId::in_arena(Space::ThreadLocal, library::PROCESS, library::FILES);
        match self.header(id) {
            Some(header) => {
                let (bytes, _) = self.read_bytes(id.at(0), header.size.into())?;
                Ok(Files::decode(&bytes))
            }
            None => {
                let options = self.options();
                let stdin = options.stdin.as_ref().map_or(0, |bytes| bytes.len() as u64);
                let files = options.files.iter();
                let files = files.map(|(name, bytes)| (plain(name.as_bytes()), bytes.len() as u64));
                Ok(Files::initial(stdin, files))
            }
        }
    }

    pub fn set_files(&mut self, files: &Files) -> Result<(), Stop> {
        let id = ObjId::in_arena(Space::ThreadLocal, library::PROCESS, library::FILES);
        self.replace(id, &files.encode())
    }

    /// What a node contains.
    pub fn content(&mut self, files: &Files, node: usize) -> Result<Vec<u8>, Stop> {
        let entry = &files.nodes[node];
        if entry.given {
            let options = self.options();
            let given = match node {
                0 => options.stdin.as_deref(),
                _ => node.checked_sub(3).and_then(|at| Some(&*options.files.get(at)?.1)),
            };
            return Ok(given.unwrap_or_default().to_vec());
        }
        match self.header(content_of(node)) {
            Some(_) if entry.size > 0 => Ok(self.read_bytes(content_of(node).at(0), entry.size)?.0),
            Some(_) | None => Ok(Vec::new()),
        }
    }

    pub fn set_content(
        &mut self,
        files: &mut Files,
        node: usize,
        bytes: &[u8],
    ) -> Result<(), Stop> {
        if bytes.len() as u64 > self.options().max_object {
            return Err(Stop::unsupported("a file larger than --max-object allows"));
        }
        files.nodes[node].size = bytes.len() as u64;
        files.nodes[node].given = false;
        self.replace(content_of(node), bytes)
    }

    /// Has an object of the library contain this; it does not exist if that is nothing.
    fn replace(&mut self, id: ObjId, bytes: &[u8]) -> Result<(), Stop> {
        match self.header(id) {
            Some(header) if header.size as usize == bytes.len() => {
                return self.write_bytes(id.at(0), bytes, &[]);
            }
            Some(_) => self.destroy(id, false),
            None => {}
        }
        if !bytes.is_empty() {
            self.create(id, bytes.len() as u32, Flags::SHARED);
            self.initialise(id, bytes);
        }
        Ok(())
    }

    fn known_at(node: usize) -> u64 {
        let slot = library::KNOWN + node as u16;
        ObjId::in_arena(Space::ThreadLocal, library::PROCESS, slot).at(0)
    }

    /// Who reads what another thread has written to a node knows what that thread knew.
    pub fn release_node(&mut self, node: usize) {
        self.note_done_once(Self::known_at(node));
    }

    pub fn acquire_node(&mut self, node: usize) {
        self.note_learnt(Self::known_at(node));
    }
}

/// A path without what means nothing in front.
pub fn plain(path: &[u8]) -> Vec<u8> {
    let mut path = path;
    while let Some(rest) = path.strip_prefix(b"./") {
        path = rest;
    }
    path.to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_survives_encoding() {
        let given = [(b"input.txt".to_vec(), 7)];
        let mut files = Files::initial(3, given.into_iter());
        let pipe = files.make(Kind::Pipe, Vec::new()).unwrap();
        let reader = files.open(pipe, libc::O_RDONLY);
        assert_eq!(files.describe(reader, 0), Some(3));
        let writer = files.open(pipe, libc::O_WRONLY | libc::O_NONBLOCK | libc::O_CREAT);
        assert_eq!(files.describe(writer, 10), Some(10));
        files.set_close_on_exec(10, true);
        assert_eq!(Files::decode(&files.encode()), files);
        assert!(files.has(pipe, Open::writes) && !files.opens[writer].waits());
        assert!(files.close(10) && !files.close(10) && !files.has(pipe, Open::writes));
        assert_eq!(Files::decode(&files.encode()), files);
        assert!(files.close(3));
        // Nobody can reach the pipe: its place is used again.
        assert_eq!(files.make(Kind::Event, Vec::new()).unwrap(), pipe);
        assert_eq!(files.find(b"input.txt"), Some(3));
    }
}
