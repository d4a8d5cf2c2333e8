//! Streams that the program opens: files, descriptors, memory.
//!
//! A stream is an object of the library that looks like an empty `FILE`: macros that
//! look into it find nothing buffered and call us. All of them read and write a descriptor
//! at once. Those about memory have one that the program does not see, above all others.

use exeunt_ir::address::{self, ObjId, Space};
use exeunt_mem::{Bits, Flags};
use exeunt_model::Property;
use libc::{EBADF, EINVAL, ENOENT, ENOSPC};

use super::{Answer, EOF, FILE_SIZE, Standard};
use crate::builtin::Context;
use crate::builtin::{Args, Flow};
use crate::libc::files::{Outcome, plain};
use crate::libc::library;
use crate::stop::Stop;

/// How many streams may be open.
const LIMIT: u16 = 128;
/// The bits of `_flags`, and where the number of the descriptor is, as in glibc.
pub const EOF_SEEN: u64 = 0x10;
pub const ERROR_SEEN: u64 = 0x20;
const DESCRIPTOR: i64 = 112;
/// A byte that was put back, plus 256.
pub const PUT_BACK: i64 = 120;
/// What happens to the contents of a stream about memory.
const MEMORY: i64 = 128;
const ADDRESS: i64 = 136;
const LENGTH: i64 = 144;
/// Where the lock of the stream is kept.
pub const LOCK: u64 = 192;

/// A buffer of the program holds the contents, at once.
const BUFFER: u64 = 1;
/// A buffer of the program gets the contents when the stream is closed.
const GROWING: u64 = 2;
/// Descriptors of streams about memory begin here.
const HIDDEN: usize = 900;

fn slot(index: u16) -> ObjId {
    ObjId::in_arena(Space::ThreadLocal, library::PROCESS, library::STREAMS + index)
}

/// Whether an address is in the place of streams that programs open.
pub fn is_opened(addr: u64) -> bool {
    let id = address::object(addr);
    id.space() == Some(Space::ThreadLocal)
        && id.arena() == library::PROCESS
        && (library::STREAMS..library::STREAMS + LIMIT).contains(&id.slot())
}

impl Context<'_, '_> {
    /// The stream at this address, if the program has opened it and not closed it.
    pub fn opened(&mut self, args: &Args<'_>, addr: u64) -> Result<Option<Standard>, Stop> {
        let id = address::object(addr);
        if !is_opened(addr) || id.at(0) != addr {
            return Ok(None);
        }
        if self.header(id).is_none() {
            let name = self.callee_name(args);
            let message = format!("{name} is called with a stream that was closed");
            return Err(self.fault(Property::Memory, message));
        }
        Ok(Some(Standard::Opened(id)))
    }

    fn stream_word(&mut self, id: ObjId, at: i64) -> Result<u64, Stop> {
        Ok(self.read(id.at(at), 8)?.value)
    }

    pub fn descriptor_of(&mut self, id: ObjId) -> Result<i32, Stop> {
        Ok(self.read(id.at(DESCRIPTOR), 4)?.value as u32 as i32)
    }

    pub fn stream_flags(&mut self, id: ObjId) -> Result<u64, Stop> {
        Ok(self.read(id.at(0), 4)?.value)
    }

    pub fn set_stream_flags(&mut self, id: ObjId, flags: u64) -> Result<(), Stop> {
        self.write(id.at(0), 4, Bits::defined(flags))
    }

    fn new_stream(&mut self, descriptor: i32, memory: [u64; 3]) -> Answer {
        let free = (0..LIMIT).map(slot).find(|&id| self.header(id).is_none());
        let id = free.ok_or_else(|| Stop::unsupported("more than 128 open streams"))?;
        self.create(id, FILE_SIZE as u32, Flags::SHARED);
        self.initialise(id, &[0; FILE_SIZE]);
        self.write(id.at(DESCRIPTOR), 4, Bits::defined(descriptor as u32 as u64))?;
        for (at, word) in [MEMORY, ADDRESS, LENGTH].into_iter().zip(memory) {
            self.keep_word(id.at(at), word)?;
        }
        Ok(Flow::value(id.at(0)))
    }

    /// Writes to a stream; the error if that fails.
    pub fn put_to(&mut self, id: ObjId, bytes: &[u8]) -> Result<bool, Stop> {
        let descriptor = self.descriptor_of(id)?;
        let memory = self.stream_word(id, MEMORY)?;
        let outcome = match memory {
            BUFFER => self.put_to_buffer(id, descriptor, bytes)?,
            _ => self.write_to(descriptor, bytes)?,
        };
        match outcome {
            Outcome::Done(_) => Ok(true),
            Outcome::Failed(code) => {
                self.set_errno(code)?;
                let flags = self.stream_flags(id)?;
                self.set_stream_flags(id, flags | ERROR_SEEN)?;
                Ok(false)
            }
        }
    }

    /// Keeps the buffer of `fmemopen` up to date, with a zero byte behind if there is room.
    fn put_to_buffer(
        &mut self,
        id: ObjId,
        descriptor: i32,
        bytes: &[u8],
    ) -> Result<Outcome<u64>, Stop> {
        let (addr, room) = (self.stream_word(id, ADDRESS)?, self.stream_word(id, LENGTH)?);
        let Outcome::Done(from) = self.seek_in(descriptor, 0, libc::SEEK_CUR)? else {
            return Ok(Outcome::Failed(EBADF));
        };
        if from + bytes.len() as u64 > room {
            return Ok(Outcome::Failed(ENOSPC));
        }
        let outcome = self.write_to(descriptor, bytes)?;
        if matches!(outcome, Outcome::Done(_)) {
            let Outcome::Done(end) = self.seek_in(descriptor, 0, libc::SEEK_CUR)? else {
                return Ok(outcome);
            };
            let start = end - bytes.len() as u64;
            self.write_bytes(addr + start, bytes, &[])?;
            if end < room {
                self.write(addr + end, 1, Bits::defined(0))?;
            }
        }
        Ok(outcome)
    }
}

/// The flags of `open` for a mode of `fopen`; `None` if it is not one.
fn flags_of(mode: &[u8]) -> Option<i32> {
    let (&first, rest) = mode.split_first()?;
    let both = rest.contains(&b'+');
    let access = if both { libc::O_RDWR } else { libc::O_WRONLY };
    let exclusive = if rest.contains(&b'x') { libc::O_EXCL } else { 0 };
    let closes = if rest.contains(&b'e') { libc::O_CLOEXEC } else { 0 };
    let flags = match first {
        b'r' if both => libc::O_RDWR,
        b'r' => libc::O_RDONLY,
        b'w' => access | libc::O_CREAT | libc::O_TRUNC | exclusive,
        b'a' => access | libc::O_CREAT | libc::O_APPEND | exclusive,
        _ => return None,
    };
    Some(flags | closes)
}

fn null(context: &mut Context<'_, '_>, code: i32) -> Answer {
    context.set_errno(code)?;
    Ok(Flow::value(0))
}

fn mode(context: &mut Context<'_, '_>, args: &Args<'_>, index: usize) -> Result<Option<i32>, Stop> {
    let mode = context.string(args, args.ptr(index))?;
    Ok(flags_of(&mode))
}

pub fn fopen(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let path = context.string(args, args.ptr(0))?;
    let Some(flags) = mode(context, args, 1)? else { return null(context, EINVAL) };
    match context.open_file(&path, flags)? {
        Outcome::Done(descriptor) => context.new_stream(descriptor as i32, [0; 3]),
        Outcome::Failed(code) => null(context, code),
    }
}

pub fn fdopen(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let descriptor = args.i32(0);
    let Some(flags) = mode(context, args, 1)? else { return null(context, EINVAL) };
    let files = context.files()?;
    let Some(open) = files.behind(descriptor) else { return null(context, EBADF) };
    let open = &files.opens[open];
    let reads = flags & libc::O_ACCMODE != libc::O_WRONLY;
    let writes = flags & libc::O_ACCMODE != libc::O_RDONLY;
    if reads && !open.reads() || writes && !open.writes() {
        return null(context, EINVAL);
    }
    context.new_stream(descriptor, [0; 3])
}

pub fn tmpfile(context: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    match context.open_nameless(0)? {
        Outcome::Done(descriptor) => context.new_stream(descriptor as i32, [0; 3]),
        Outcome::Failed(code) => null(context, code),
    }
}

pub fn open_memstream(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    match context.open_nameless(HIDDEN)? {
        Outcome::Done(descriptor) => {
            context.new_stream(descriptor as i32, [GROWING, args.ptr(0), args.ptr(1)])
        }
        Outcome::Failed(code) => null(context, code),
    }
}

/// For reading, all of the buffer is there; for writing, it is empty.
pub fn fmemopen(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (addr, size) = (args.ptr(0), args.u64(1));
    let text = context.string(args, args.ptr(2))?;
    let Some(flags) = flags_of(&text) else { return null(context, EINVAL) };
    if addr == 0 || flags & libc::O_APPEND != 0 {
        return Err(Stop::unsupported("fmemopen without a buffer, or to append"));
    }
    let truncates = flags & libc::O_TRUNC != 0;
    let content = match truncates {
        true => Vec::new(),
        false => context.defined_bytes(args, addr, size)?,
    };
    if truncates && size > 0 {
        context.write(addr, 1, Bits::defined(0))?;
    }
    let Outcome::Done(descriptor) = context.open_nameless(HIDDEN)? else {
        return null(context, EINVAL);
    };
    let mut files = context.files()?;
    if let Some(open) = files.behind(descriptor as i32) {
        files.opens[open].flags = flags & libc::O_ACCMODE;
        let node = files.opens[open].node;
        context.set_content(&mut files, node, &content)?;
        context.set_files(&files)?;
    }
    context.new_stream(descriptor as i32, [BUFFER, addr, size])
}

pub fn fclose(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let Standard::Opened(id) = context.stream(args, 0)? else {
        return Err(Stop::unsupported("closing a standard stream"));
    };
    let descriptor = context.descriptor_of(id)?;
    if context.stream_word(id, MEMORY)? == GROWING {
        give_contents(context, id, descriptor)?;
    }
    let closed = context.close_descriptor(descriptor)?;
    context.destroy(id, true);
    match closed {
        true => Ok(Flow::int(0)),
        false => {
            context.set_errno(EBADF)?;
            Ok(Flow::int(EOF))
        }
    }
}

/// The contents of `open_memstream`, in memory that the program frees.
fn give_contents(context: &mut Context<'_, '_>, id: ObjId, descriptor: i32) -> Result<(), Stop> {
    let files = context.files()?;
    let Some(open) = files.behind(descriptor) else { return Ok(()) };
    let mut content = context.content(&files, files.opens[open].node)?;
    let length = content.len() as u64;
    content.push(0);
    let block = context.heap_block(content.len() as u64, false)?;
    if block != 0 {
        context.write_bytes(block, &content, &[])?;
        let (place, size) = (context.stream_word(id, ADDRESS)?, context.stream_word(id, LENGTH)?);
        context.write(place, 8, Bits::defined(block))?;
        context.write(size, 8, Bits::defined(length))?;
    }
    Ok(())
}

impl Context<'_, '_> {
    /// Nothing is buffered; what `open_memstream` gives before it is closed is not modelled.
    pub fn flush(&mut self, stream: Standard) -> Result<(), Stop> {
        match stream {
            Standard::Opened(id) if self.stream_word(id, MEMORY)? == GROWING => {
                Err(Stop::unsupported("fflush of an open_memstream (fclose is supported)"))
            }
            Standard::Opened(_) | Standard::Input | Standard::Output(_) => Ok(()),
        }
    }

    /// The number of the descriptor, as the program sees it.
    pub fn shown_descriptor(&mut self, id: ObjId) -> Result<Option<i32>, Stop> {
        let memory = self.stream_word(id, MEMORY)?;
        Ok(if memory == 0 { Some(self.descriptor_of(id)?) } else { None })
    }
}

pub fn fseek(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let Some(descriptor) = seekable(context, args)? else { return Ok(Flow::int(-1)) };
    let mut offset = args.u64(1) as i64;
    if args.i32(2) == libc::SEEK_CUR && context.put_back_of(args)? {
        offset -= 1;
    }
    match context.seek_in(descriptor, offset, args.i32(2))? {
        Outcome::Done(_) => {
            context.forget_position(args)?;
            Ok(Flow::int(0))
        }
        Outcome::Failed(code) => {
            context.set_errno(code)?;
            Ok(Flow::int(-1))
        }
    }
}

pub fn ftell(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let Some(descriptor) = seekable(context, args)? else {
        return Ok(Flow::Return(Bits::defined(u64::MAX)));
    };
    let back = u64::from(context.put_back_of(args)?);
    match context.seek_in(descriptor, 0, libc::SEEK_CUR)? {
        Outcome::Done(at) => Ok(Flow::value(at - back.min(at))),
        Outcome::Failed(code) => context.failed(code),
    }
}

pub fn rewind(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    if let Some(descriptor) = seekable(context, args)? {
        context.seek_in(descriptor, 0, libc::SEEK_SET)?;
        context.forget_position(args)?;
        if let Standard::Opened(id) = context.stream(args, 0)? {
            context.set_stream_flags(id, 0)?;
        }
    }
    Ok(Flow::VOID)
}

/// The descriptor of a stream that can be positioned; else `errno` says why not.
fn seekable(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Option<i32>, Stop> {
    match context.stream(args, 0)? {
        Standard::Opened(id) => Ok(Some(context.descriptor_of(id)?)),
        Standard::Input => Ok(Some(0)),
        Standard::Output(_) => {
            context.set_errno(libc::ESPIPE)?;
            Ok(None)
        }
    }
}

pub fn remove(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let path = context.string(args, args.ptr(0))?;
    match context.remove_file(&path)? {
        true => Ok(Flow::int(0)),
        false => {
            context.set_errno(ENOENT)?;
            Ok(Flow::int(-1))
        }
    }
}

pub fn rename(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (from, to) = (context.string(args, args.ptr(0))?, context.string(args, args.ptr(1))?);
    let found = context.files()?.find(&plain(&from));
    if found.is_none() {
        context.set_errno(ENOENT)?;
        return Ok(Flow::int(-1));
    }
    if plain(&from) != plain(&to) {
        context.remove_file(&to)?;
        let mut files = context.files()?;
        if let Some(node) = files.find(&plain(&from)) {
            files.nodes[node].name = plain(&to);
        }
        context.set_files(&files)?;
    }
    Ok(Flow::int(0))
}
