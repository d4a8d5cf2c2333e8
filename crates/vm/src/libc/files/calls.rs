//! `fcntl.h`, `unistd.h` and `sys/eventfd.h`: descriptors.
//!
//! Reads and writes are one step. A read of an empty pipe, a write to a full one and
//! a read of an event that is 0 wait, which is a section of the kind `file-wait`. No
//! call is interrupted, and none transfers less than it could.

use exeunt_mem::Bits;
use exeunt_model::{SectionKind, Stream};
use libc::{EAGAIN, EBADF, EEXIST, EFBIG, EINVAL, EISDIR, EMFILE, ENOENT, EPIPE, ESPIPE};

use super::{Files, Kind, NONE, Open, plain};
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, Touches, refused, row};
use crate::libc::stdio;
use crate::stop::{Stop, Waiting};

const WAIT: Effect = Effect::Wait(SectionKind::FileWait);
const V: Effect = Effect::Visible;

pub const TABLE: &[Builtin] = &[
    row("write", "l:ipl", WAIT, write).syncs(Touches::Descriptor).cancels(),
    row("pwrite", "l:ipll", V, write_at).cancels(),
    row("pwrite64", "l:ipll", V, write_at).cancels(),
    row("read", "l:ipl", WAIT, read).cancels().outside_if(reads_input),
    row("pread", "l:ipll", V, read_at).cancels(),
    row("pread64", "l:ipll", V, read_at).cancels(),
    row("open", "i:pi.", V, open).cancels().outside(NONE),
    row("open64", "i:pi.", V, open).cancels().outside(NONE),
    row("creat", "i:pi", V, create).cancels().outside(NONE),
    row("close", "i:i", V, close).cancels(),
    row("lseek", "l:ili", V, seek),
    row("lseek64", "l:ili", V, seek),
    row("ftruncate", "i:il", V, truncate),
    row("ftruncate64", "i:il", V, truncate),
    row("dup", "i:i", V, dup),
    row("dup2", "i:ii", V, dup2),
    row("dup3", "i:iii", V, dup2),
    row("fcntl", "i:ii.", V, control),
    row("fcntl64", "i:ii.", V, control),
    row("pipe", "i:p", V, pipe),
    row("pipe2", "i:pi", V, pipe),
    row("fsync", "i:i", V, on_descriptor).cancels(),
    row("fdatasync", "i:i", V, on_descriptor).cancels(),
    refused("readv", "l:ipi", V, "files (`{}`)").cancels(),
    refused("writev", "l:ipi", V, "files (`{}`)").cancels(),
    refused("openat", "i:ipi.", V, "files (`{}`)").cancels(),
    refused("stat", "i:pp", V, "files (`{}`)"),
    refused("fstat", "i:ip", V, "files (`{}`)"),
    refused("lstat", "i:pp", V, "files (`{}`)"),
    refused("mkdir", "i:pi", V, "files (`{}`)"),
    refused("rmdir", "i:p", V, "files (`{}`)"),
    refused("opendir", "p:p", V, "files (`{}`)"),
    refused("socket", "i:iii", V, "files (`{}`)"),
    refused("socketpair", "i:iiip", V, "files (`{}`)"),
    refused("epoll_create1", "i:i", V, "files (`{}`)"),
    refused("timerfd_create", "i:ii", V, "files (`{}`)"),
    refused("signalfd", "i:ipi", V, "files (`{}`)"),
    refused("ioctl", "i:il.", V, "files (`{}`)"),
];

type Answer = Result<Flow, Stop>;

/// PIPE_BUF: so much is written in one piece.
const PIECE: u64 = 4096;
const PIPE_SIZE: u64 = 65536;

/// What a transfer came to.
pub enum Outcome<T> {
    Done(T),
    /// `errno`
    Failed(i32),
}

use Outcome::{Done, Failed};

fn reads_input(args: &[Option<u64>]) -> Option<&'static str> {
    match args.first().copied().flatten() {
        Some(0) => Some(stdio::EMPTY),
        // Seen when it happens (`Context::bytes_from`).
        Some(_) | None => None,
    }
}

fn answer(context: &mut Context<'_, '_>, outcome: Outcome<u64>) -> Answer {
    match outcome {
        Done(value) => Ok(Flow::value(value)),
        Failed(code) => context.failed(code),
    }
}

// ---- transfers --------------------------------------------------------------------

impl Context<'_, '_> {
    pub fn waits_for(&self, descriptor: i32, what: &'static str) -> Stop {
        Stop::Blocked(Waiting::Descriptor { descriptor, what })
    }

    fn is_input_told(&self) -> bool {
        self.options().stdin.is_some() || self.options().fixed_outside
    }

    /// What could be read now, without taking it: at most so much. Waits for something.
    pub fn bytes_from(
        &mut self,
        files: &Files,
        descriptor: i32,
        most: u64,
    ) -> Result<Outcome<Vec<u8>>, Stop> {
        let Some(open) = files.behind(descriptor) else { return Ok(Failed(EBADF)) };
        let open = files.opens[open].clone();
        if !open.reads() {
            return Ok(Failed(EBADF));
        }
        let node = &files.nodes[open.node];
        match node.kind {
            Kind::Input if !self.is_input_told() => {
                Err(Stop::unsupported("reading an unknown standard input (see --stdin)"))
            }
            Kind::Input | Kind::File => {
                let content = self.content(files, open.node)?;
                let from = (open.offset as usize).min(content.len());
                let to = from.saturating_add(most as usize).min(content.len());
                Ok(Done(content[from..to].to_vec()))
            }
            Kind::Null => Ok(Done(Vec::new())),
            Kind::Pipe if node.size == 0 && most > 0 && files.has(open.node, Open::writes) => {
                match open.waits() {
                    true => Err(self.waits_for(descriptor, "something to read from a pipe")),
                    false => Ok(Failed(EAGAIN)),
                }
            }
            Kind::Pipe => {
                let mut content = self.content(files, open.node)?;
                content.truncate(most as usize);
                Ok(Done(content))
            }
            Kind::Event => Ok(Failed(EINVAL)),
            Kind::Output | Kind::Error => Ok(Failed(EBADF)),
        }
    }

    /// Waits if more can still come from a descriptor than is there.
    pub fn wait_for_more(&self, files: &Files, descriptor: i32) -> Result<(), Stop> {
        let Some(open) = files.behind(descriptor) else { return Ok(()) };
        let open = &files.opens[open];
        let pipe = files.nodes[open.node].kind == Kind::Pipe;
        match pipe && files.has(open.node, Open::writes) {
            true if open.waits() => Err(self.waits_for(descriptor, "more to read from a pipe")),
            true => Err(Stop::unsupported("stdio on a pipe that does not wait")),
            false => Ok(()),
        }
    }

    /// Takes what was read.
    pub fn take_from(
        &mut self,
        files: &mut Files,
        descriptor: i32,
        count: u64,
    ) -> Result<(), Stop> {
        let Some(open) = files.behind(descriptor) else { return Ok(()) };
        let node = files.opens[open].node;
        if files.nodes[node].kind == Kind::Pipe {
            let content = self.content(files, node)?;
            self.set_content(files, node, &content[count as usize..])?;
        } else {
            files.opens[open].offset += count;
        }
        self.acquire_node(node);
        self.set_files(files)
    }

    /// Writes all of it, or waits, or fails.
    pub fn write_to(&mut self, descriptor: i32, bytes: &[u8]) -> Result<Outcome<u64>, Stop> {
        let mut files = self.files()?;
        let Some(at) = files.behind(descriptor) else { return Ok(Failed(EBADF)) };
        let open = files.opens[at].clone();
        if !open.writes() {
            return Ok(Failed(EBADF));
        }
        let count = bytes.len() as u64;
        let node = files.nodes[open.node].clone();
        match node.kind {
            Kind::Output => self.output(Stream::Out, bytes),
            Kind::Error => self.output(Stream::Err, bytes),
            Kind::Null => {}
            Kind::Input => return Ok(Failed(EBADF)),
            Kind::Event => return self.add_to_event(&mut files, descriptor, bytes),
            Kind::File => {
                let mut content = self.content(&files, open.node)?;
                let appends = open.flags & libc::O_APPEND != 0;
                let from = if appends { node.size } else { open.offset };
                put(&mut content, from, bytes)?;
                self.set_content(&mut files, open.node, &content)?;
                files.opens[at].offset = from + count;
            }
            Kind::Pipe => {
                if !files.has(open.node, Open::reads) {
                    return self.broken_pipe();
                }
                if node.size + count > PIPE_SIZE {
                    return match open.waits() {
                        _ if count > PIECE => {
                            Err(Stop::unsupported("a write of more than PIPE_BUF bytes that waits"))
                        }
                        true => Err(self.waits_for(descriptor, "room in a pipe")),
                        false => Ok(Failed(EAGAIN)),
                    };
                }
                let mut content = self.content(&files, open.node)?;
                content.extend(bytes);
                self.set_content(&mut files, open.node, &content)?;
            }
        }
        self.release_node(open.node);
        self.set_files(&files)?;
        Ok(Done(count))
    }

    /// Nobody can read it: the program gets SIGPIPE.
    fn broken_pipe(&mut self) -> Result<Outcome<u64>, Stop> {
        match self.ignores_signal(libc::SIGPIPE)? {
            true => Ok(Failed(EPIPE)),
            false => Err(self.dies_of(libc::SIGPIPE)),
        }
    }
}

/// Overwrites contents; what is between their end and there is 0.
fn put(content: &mut Vec<u8>, from: u64, bytes: &[u8]) -> Result<(), Stop> {
    let end = from.saturating_add(bytes.len() as u64);
    if end > u64::from(u32::MAX) {
        return Err(Stop::unsupported("a file of more than 4 GiB"));
    }
    if content.len() < end as usize {
        content.resize(end as usize, 0);
    }
    content[from as usize..end as usize].copy_from_slice(bytes);
    Ok(())
}

fn write(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let bytes = context.defined_bytes(args, args.ptr(1), args.u64(2))?;
    // These two cannot be closed or replaced.
    let stream = match args.i32(0) {
        1 => Stream::Out,
        2 => Stream::Err,
        descriptor => {
            let outcome = context.write_to(descriptor, &bytes)?;
            return answer(context, outcome);
        }
    };
    context.output(stream, &bytes);
    Ok(Flow::value(args.u64(2)))
}

fn read(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (descriptor, place, most) = (args.i32(0), args.ptr(1), args.u64(2));
    let mut files = context.files()?;
    // The row has said that this one asks outside.
    let slot = args.site.args.first().map_or(0, |arg| arg.slot);
    let said = slot >= context.function().registers;
    if descriptor == 0 && said && context.options().stdin.is_none() {
        return Ok(Flow::value(0));
    }
    let event = files.behind(descriptor).map(|open| files.opens[open].node);
    if event.is_some_and(|node| files.nodes[node].kind == Kind::Event) {
        if most < 8 {
            return context.failed(EINVAL);
        }
        context.check_writable(place, 8)?;
        return match context.take_event(descriptor)? {
            Some(Done(value)) => {
                context.write(place, 8, Bits::defined(value))?;
                Ok(Flow::value(8))
            }
            Some(Failed(code)) => context.failed(code),
            None => context.failed(EBADF),
        };
    }
    match context.bytes_from(&files, descriptor, most)? {
        Done(bytes) => {
            if !bytes.is_empty() {
                context.write_bytes(place, &bytes, &[])?;
            }
            context.take_from(&mut files, descriptor, bytes.len() as u64)?;
            Ok(Flow::value(bytes.len() as u64))
        }
        Failed(code) => context.failed(code),
    }
}

impl Context<'_, '_> {
    /// Faults if so many bytes cannot be written there.
    pub fn check_writable(&mut self, addr: u64, len: u64) -> Result<(), Stop> {
        let access = exeunt_mem::Access::Write;
        match self.check(addr, len, access) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.memory_fault(error, access, len)),
        }
    }
}

/// A regular file that is open in this way, and its node.
fn regular(files: &Files, descriptor: i32, way: impl Fn(&Open) -> bool) -> Result<usize, i32> {
    let open = &files.opens[files.behind(descriptor).ok_or(EBADF)?];
    match files.nodes[open.node].kind {
        _ if !way(open) => Err(EBADF),
        Kind::File | Kind::Input => Ok(open.node),
        Kind::Output | Kind::Error | Kind::Pipe | Kind::Event | Kind::Null => Err(ESPIPE),
    }
}

fn read_at(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let files = context.files()?;
    let node = match regular(&files, args.i32(0), Open::reads) {
        Ok(node) => node,
        Err(code) => return context.failed(code),
    };
    let content = context.content(&files, node)?;
    let from = (args.u64(3) as usize).min(content.len());
    let to = from.saturating_add(args.u64(2) as usize).min(content.len());
    if from < to {
        context.write_bytes(args.ptr(1), &content[from..to], &[])?;
    }
    context.acquire_node(node);
    Ok(Flow::value((to - from) as u64))
}

fn write_at(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let bytes = context.defined_bytes(args, args.ptr(1), args.u64(2))?;
    let mut files = context.files()?;
    let node = match regular(&files, args.i32(0), Open::writes) {
        Ok(node) => node,
        Err(code) => return context.failed(code),
    };
    let mut content = context.content(&files, node)?;
    put(&mut content, args.u64(3), &bytes)?;
    context.set_content(&mut files, node, &content)?;
    context.release_node(node);
    context.set_files(&files)?;
    Ok(Flow::value(bytes.len() as u64))
}

fn seek(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let outcome = context.seek_in(args.i32(0), args.u64(1) as i64, args.i32(2))?;
    answer(context, outcome)
}

impl Context<'_, '_> {
    pub fn seek_in(
        &mut self,
        descriptor: i32,
        offset: i64,
        whence: i32,
    ) -> Result<Outcome<u64>, Stop> {
        let mut files = self.files()?;
        let node = match regular(&files, descriptor, |_| true) {
            Ok(node) => node,
            Err(code) => return Ok(Failed(code)),
        };
        let Some(at) = files.behind(descriptor) else { return Ok(Failed(EBADF)) };
        let base = match whence {
            libc::SEEK_SET => 0,
            libc::SEEK_CUR => files.opens[at].offset as i64,
            libc::SEEK_END => files.nodes[node].size as i64,
            _ => return Ok(Failed(EINVAL)),
        };
        let Some(target) = base.checked_add(offset).filter(|&target| target >= 0) else {
            return Ok(Failed(EINVAL));
        };
        files.opens[at].offset = target as u64;
        self.set_files(&files)?;
        Ok(Done(target as u64))
    }

    pub fn close_descriptor(&mut self, descriptor: i32) -> Result<bool, Stop> {
        if (0..=2).contains(&descriptor) {
            return Err(Stop::unsupported("closing a standard stream"));
        }
        let mut files = self.files()?;
        let open = files.behind(descriptor);
        let node = open.map(|open| files.opens[open].node);
        if !files.close(descriptor) {
            return Ok(false);
        }
        // What nobody can reach any more is not kept.
        let gone =
            |node: &usize| files.nodes[*node].kind == Kind::Pipe && !files.has(*node, |_| true);
        if let Some(node) = node.filter(gone) {
            self.set_content(&mut files, node, &[])?;
        }
        if let Some(node) = node {
            self.release_node(node);
        }
        self.set_files(&files)?;
        Ok(true)
    }
}

fn truncate(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let mut files = context.files()?;
    let node = match regular(&files, args.i32(0), Open::writes) {
        Ok(node) => node,
        Err(code) => return context.failed(if code == ESPIPE { EINVAL } else { code }),
    };
    let size = args.u64(1);
    if size as i64 > i64::from(u32::MAX) {
        return context.failed(EFBIG);
    }
    if (size as i64) < 0 {
        return context.failed(EINVAL);
    }
    let mut content = context.content(&files, node)?;
    content.resize(size as usize, 0);
    context.set_content(&mut files, node, &content)?;
    context.set_files(&files)?;
    Ok(Flow::int(0))
}

// ---- descriptors ------------------------------------------------------------------

fn open(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let path = context.string(args, args.ptr(0))?;
    let outcome = context.open_file(&path, args.i32(1))?;
    answer(context, outcome)
}

fn create(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let path = context.string(args, args.ptr(0))?;
    let outcome = context.open_file(&path, libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC)?;
    answer(context, outcome)
}

impl Context<'_, '_> {
    pub fn open_file(&mut self, path: &[u8], flags: i32) -> Result<Outcome<u64>, Stop> {
        if flags & libc::O_TMPFILE == libc::O_TMPFILE || flags & libc::O_PATH != 0 {
            return Err(Stop::unsupported("open with O_TMPFILE or O_PATH"));
        }
        if flags & libc::O_DIRECTORY != 0 {
            return Err(Stop::unsupported("directories"));
        }
        let name = plain(path);
        let mut files = self.files()?;
        let found = files.find(&name);
        let node = match found {
            _ if name.is_empty() => return Ok(Failed(ENOENT)),
            _ if name == b"/dev/null" => files.make(Kind::Null, Vec::new())?,
            Some(_) if flags & libc::O_CREAT != 0 && flags & libc::O_EXCL != 0 => {
                return Ok(Failed(EEXIST));
            }
            Some(node) => node,
            None if flags & libc::O_CREAT == 0 => return Ok(Failed(ENOENT)),
            None if name.ends_with(b"/") => return Ok(Failed(EISDIR)),
            None => files.make(Kind::File, name)?,
        };
        let open = files.open(node, flags);
        if found.is_some() && flags & libc::O_TRUNC != 0 && files.opens[open].writes() {
            self.set_content(&mut files, node, &[])?;
        }
        let descriptor = files.describe(open, 0);
        let Some(descriptor) = descriptor else { return Ok(Failed(EMFILE)) };
        files.set_close_on_exec(descriptor, flags & libc::O_CLOEXEC != 0);
        self.set_files(&files)?;
        Ok(Done(descriptor as u64))
    }

    /// A file without a name, with a descriptor that is not below this.
    pub fn open_nameless(&mut self, least: usize) -> Result<Outcome<u64>, Stop> {
        let mut files = self.files()?;
        let node = files.make(Kind::File, Vec::new())?;
        let open = files.open(node, libc::O_RDWR);
        let Some(descriptor) = files.describe(open, least) else { return Ok(Failed(EMFILE)) };
        self.set_content(&mut files, node, &[])?;
        self.set_files(&files)?;
        Ok(Done(descriptor as u64))
    }
}

fn close(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    match context.close_descriptor(args.i32(0))? {
        true => Ok(Flow::int(0)),
        false => context.failed(EBADF),
    }
}

fn on_descriptor(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let files = context.files()?;
    let Some(open) = files.behind(args.i32(0)) else { return context.failed(EBADF) };
    match files.nodes[files.opens[open].node].kind {
        Kind::Pipe | Kind::Event => context.failed(EINVAL),
        Kind::Input | Kind::Output | Kind::Error | Kind::File | Kind::Null => Ok(Flow::int(0)),
    }
}

fn dup(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    duplicate(context, args.i32(0), 0, false)
}

fn duplicate(context: &mut Context<'_, '_>, from: i32, least: usize, closes: bool) -> Answer {
    let mut files = context.files()?;
    let Some(open) = files.behind(from) else { return context.failed(EBADF) };
    let Some(descriptor) = files.describe(open, least) else { return context.failed(EMFILE) };
    files.set_close_on_exec(descriptor, closes);
    context.set_files(&files)?;
    Ok(Flow::value(descriptor as u64))
}

fn dup2(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (from, to) = (args.i32(0), args.i32(1));
    let mut files = context.files()?;
    let Some(open) = files.behind(from) else { return context.failed(EBADF) };
    if !(0..1024).contains(&to) {
        return context.failed(EBADF);
    }
    if from == to {
        return if args.values.len() > 2 { context.failed(EINVAL) } else { Ok(Flow::int(to)) };
    }
    if to <= 2 {
        return Err(Stop::unsupported("replacing a standard stream (dup2)"));
    }
    files.set(to as usize, open);
    let closes = args.values.len() > 2 && args.i32(2) & libc::O_CLOEXEC != 0;
    files.set_close_on_exec(to, closes);
    context.set_files(&files)?;
    Ok(Flow::int(to))
}

fn control(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (descriptor, command) = (args.i32(0), args.i32(1));
    let argument = args.values.get(2).map_or(0, |value| value.low.value as i32);
    let mut files = context.files()?;
    let Some(open) = files.behind(descriptor) else { return context.failed(EBADF) };
    let changeable = libc::O_APPEND | libc::O_NONBLOCK;
    match command {
        libc::F_GETFL => return Ok(Flow::int(files.opens[open].flags)),
        libc::F_SETFL => {
            let flags = &mut files.opens[open].flags;
            *flags = *flags & !changeable | argument & changeable;
        }
        libc::F_GETFD => return Ok(Flow::int(files.closes_on_exec(descriptor).into())),
        libc::F_SETFD => files.set_close_on_exec(descriptor, argument & libc::FD_CLOEXEC != 0),
        libc::F_DUPFD | libc::F_DUPFD_CLOEXEC => {
            return match usize::try_from(argument) {
                Ok(least) => {
                    duplicate(context, descriptor, least, command == libc::F_DUPFD_CLOEXEC)
                }
                Err(_) => context.failed(EINVAL),
            };
        }
        libc::F_GETPIPE_SZ if files.nodes[files.opens[open].node].kind == Kind::Pipe => {
            return Ok(Flow::value(PIPE_SIZE));
        }
        _ => return Err(Stop::unsupported(format!("fcntl with command {command}"))),
    }
    context.set_files(&files)?;
    Ok(Flow::int(0))
}

fn pipe(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let flags = if args.values.len() > 1 { args.i32(1) } else { 0 };
    if flags & !(libc::O_CLOEXEC | libc::O_NONBLOCK) != 0 {
        return context.failed(EINVAL);
    }
    let mut files = context.files()?;
    let node = files.make(Kind::Pipe, Vec::new())?;
    let mut ends = [0; 2];
    for (end, way) in ends.iter_mut().zip([libc::O_RDONLY, libc::O_WRONLY]) {
        let open = files.open(node, way | flags);
        let Some(descriptor) = files.describe(open, 0) else { return context.failed(EMFILE) };
        files.set_close_on_exec(descriptor, flags & libc::O_CLOEXEC != 0);
        *end = descriptor as u64;
    }
    context.write(args.ptr(0), 4, Bits::defined(ends[0]))?;
    context.write(args.ptr(0).wrapping_add(4), 4, Bits::defined(ends[1]))?;
    context.set_content(&mut files, node, &[])?;
    context.set_files(&files)?;
    context.tell(|_| format!("opens a pipe from {} to {}", ends[1], ends[0]));
    Ok(Flow::int(0))
}
