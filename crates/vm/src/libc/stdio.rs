//! `stdio.h`: the standard streams, those that a program opens, formatting.
//!
//! Output is not part of a state. Handlers with a `va_list` are always
//! visible, because what its arguments point to cannot be seen at the call.

mod arguments;
mod decimal;
mod directive;
mod input;
mod lock;
mod print;
mod scan;
pub mod stream;

use std::sync::Arc;

use exeunt_ir::address::{self, ObjId, Space};
use exeunt_ir::{Global, GlobalId, LocId, Program};
use exeunt_mem::Bits;
use exeunt_model::{Property, SectionKind, Stream};
use libc::{EBADF, EBUSY};

use self::arguments::Arguments;
use self::print::Printed;
use super::files::{NONE, Outcome};
use super::messages;
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, Locks, STREAM, refused, row};
use crate::stop::Stop;

/// What reading from outside finds.
pub const EMPTY: &str = "standard input was empty";

/// What is entered with a lock.
const HELD: &[SectionKind] = &[SectionKind::Critical];

pub const TABLE: &[Builtin] = &[
    row("printf", "i:p.", Effect::Memory, printf).may_cancel().locks(Locks::Output),
    row("__printf_chk", "i:ip.", Effect::Memory, printf_chk).may_cancel().locks(Locks::Output),
    row("fprintf", "i:pp.", Effect::Memory, fprintf)
        .may_cancel()
        .locks(Locks::Argument(0))
        .stream(0),
    row("__fprintf_chk", "i:pip.", Effect::Memory, fprintf_chk)
        .may_cancel()
        .locks(Locks::Argument(0))
        .stream(0),
    row("dprintf", "i:ip.", Effect::Visible, dprintf).may_cancel(),
    row("sprintf", "i:pp.", Effect::Memory, sprintf),
    row("__sprintf_chk", "i:pilp.", Effect::Memory, sprintf_chk),
    row("snprintf", "i:plp.", Effect::Memory, snprintf),
    row("__snprintf_chk", "i:plilp.", Effect::Memory, snprintf_chk),
    row("asprintf", "i:pp.", Effect::Memory, asprintf).allocating(),
    row("__asprintf_chk", "i:pip.", Effect::Memory, asprintf_chk).allocating(),
    row("vprintf", "i:pp", Effect::Indirect, vprintf).may_cancel().locks(Locks::Output),
    row("__vprintf_chk", "i:ipp", Effect::Indirect, vprintf_chk).may_cancel().locks(Locks::Output),
    row("vfprintf", "i:ppp", Effect::Indirect, vfprintf)
        .may_cancel()
        .locks(Locks::Argument(0))
        .stream(0),
    row("__vfprintf_chk", "i:pipp", Effect::Indirect, vfprintf_chk)
        .may_cancel()
        .locks(Locks::Argument(0))
        .stream(0),
    row("vdprintf", "i:ipp", Effect::Indirect, vdprintf).may_cancel(),
    row("vsprintf", "i:ppp", Effect::Indirect, vsprintf),
    row("__vsprintf_chk", "i:pilpp", Effect::Indirect, vsprintf_chk),
    row("vsnprintf", "i:plpp", Effect::Indirect, vsnprintf),
    row("__vsnprintf_chk", "i:plilpp", Effect::Indirect, vsnprintf_chk),
    row("vasprintf", "i:ppp", Effect::Indirect, vasprintf).allocating(),
    row("__vasprintf_chk", "i:pipp", Effect::Indirect, vasprintf_chk).allocating(),
    row("puts", "i:p", Effect::Memory, puts).may_cancel().locks(Locks::Output),
    row("putchar", "i:i", Effect::Local, putchar).may_cancel().locks(Locks::Output),
    row("putchar_unlocked", "i:i", Effect::Local, putchar).may_cancel(),
    row("putc", "i:ip", Effect::Local, fputc).may_cancel().locks(Locks::Argument(1)).stream(1),
    row("fputc", "i:ip", Effect::Local, fputc).may_cancel().locks(Locks::Argument(1)).stream(1),
    row("_IO_putc", "i:ip", Effect::Local, fputc).may_cancel().locks(Locks::Argument(1)).stream(1),
    row("putc_unlocked", "i:ip", Effect::Local, fputc).may_cancel().stream(1),
    row("fputc_unlocked", "i:ip", Effect::Local, fputc).may_cancel().stream(1),
    row("__overflow", "i:pi", Effect::Local, overflow).may_cancel().stream(0),
    row("fputs", "i:pp", Effect::Memory, fputs).may_cancel().locks(Locks::Argument(1)).stream(1),
    row("fputs_unlocked", "i:pp", Effect::Memory, fputs).may_cancel().stream(1),
    row("fwrite", "l:pllp", Effect::Memory, fwrite)
        .may_cancel()
        .locks(Locks::Argument(3))
        .stream(3),
    row("fwrite_unlocked", "l:pllp", Effect::Memory, fwrite).may_cancel().stream(3),
    row("perror", "v:p", Effect::Memory, perror).may_cancel().locks(Locks::Error),
    row("fflush", "i:p", Effect::Local, fflush).may_cancel().locks(Locks::Argument(0)).stream(0),
    row("fflush_unlocked", "i:p", Effect::Local, fflush).may_cancel().stream(0),
    row("setvbuf", "i:ppil", Effect::Local, settings).locks(Locks::Argument(0)).stream(0),
    row("setbuf", "v:pp", Effect::Local, settings).locks(Locks::Argument(0)).stream(0),
    row("setbuffer", "v:ppl", Effect::Local, settings).locks(Locks::Argument(0)),
    row("setlinebuf", "v:p", Effect::Local, settings).locks(Locks::Argument(0)),
    row("fwide", "i:pi", Effect::Local, settings),
    row("flockfile", "v:p", Effect::Wait(SectionKind::MutexWait), lock::lock)
        .syncs(STREAM)
        .opens(HELD),
    row("ftrylockfile", "i:p", Effect::Visible, lock::try_lock).observes(STREAM).opens(HELD),
    row("funlockfile", "v:p", Effect::Visible, lock::unlock).releases(STREAM).closes(HELD),
    row("fileno", "i:p", Effect::Local, fileno).stream(0),
    row("fileno_unlocked", "i:p", Effect::Local, fileno).stream(0),
    row("getchar", "i:", Effect::Visible, input::getchar)
        .may_cancel()
        .locks(Locks::Input)
        .outside(EMPTY),
    row("getchar_unlocked", "i:", Effect::Visible, input::getchar).may_cancel().outside(EMPTY),
    row("getc", "i:p", Effect::Visible, input::fgetc)
        .may_cancel()
        .locks(Locks::Argument(0))
        .outside(EMPTY)
        .stream(0),
    row("fgetc", "i:p", Effect::Visible, input::fgetc)
        .may_cancel()
        .locks(Locks::Argument(0))
        .outside(EMPTY)
        .stream(0),
    row("_IO_getc", "i:p", Effect::Visible, input::fgetc)
        .may_cancel()
        .locks(Locks::Argument(0))
        .outside(EMPTY)
        .stream(0),
    row("getc_unlocked", "i:p", Effect::Visible, input::fgetc)
        .may_cancel()
        .outside(EMPTY)
        .stream(0),
    row("fgetc_unlocked", "i:p", Effect::Visible, input::fgetc)
        .may_cancel()
        .outside(EMPTY)
        .stream(0),
    row("__uflow", "i:p", Effect::Visible, input::fgetc).may_cancel().outside(EMPTY).stream(0),
    row("ungetc", "i:ip", Effect::Visible, input::ungetc).locks(Locks::Argument(1)),
    row("fgets", "p:pip", Effect::Visible, input::fgets)
        .may_cancel()
        .locks(Locks::Argument(2))
        .outside(EMPTY)
        .stream(2),
    row("__fgets_chk", "p:plip", Effect::Visible, input::fgets_chk)
        .may_cancel()
        .locks(Locks::Argument(3))
        .outside(EMPTY)
        .stream(3),
    row("fread", "l:pllp", Effect::Visible, input::fread)
        .may_cancel()
        .locks(Locks::Argument(3))
        .outside(EMPTY)
        .stream(3),
    row("getline", "l:ppp", Effect::Visible, input::getline)
        .allocating()
        .may_cancel()
        .locks(Locks::Argument(2))
        .outside(EMPTY)
        .stream(2),
    row("getdelim", "l:ppip", Effect::Visible, input::getdelim)
        .allocating()
        .may_cancel()
        .locks(Locks::Argument(3))
        .outside(EMPTY)
        .stream(3),
    row("__getdelim", "l:ppip", Effect::Visible, input::getdelim)
        .allocating()
        .may_cancel()
        .locks(Locks::Argument(3))
        .outside(EMPTY)
        .stream(3),
    row("feof", "i:p", Effect::Visible, input::feof).locks(Locks::Argument(0)),
    row("feof_unlocked", "i:p", Effect::Visible, input::feof),
    row("ferror", "i:p", Effect::Local, input::ferror).locks(Locks::Argument(0)).stream(0),
    row("ferror_unlocked", "i:p", Effect::Local, input::ferror),
    row("clearerr", "v:p", Effect::Visible, input::clearerr).locks(Locks::Argument(0)),
    row("scanf", "i:p.", Effect::Visible, input::scanf)
        .allocating()
        .may_cancel()
        .locks(Locks::Input)
        .outside(EMPTY),
    row("__isoc99_scanf", "i:p.", Effect::Visible, input::scanf)
        .allocating()
        .may_cancel()
        .locks(Locks::Input)
        .outside(EMPTY),
    row("__isoc23_scanf", "i:p.", Effect::Visible, input::scanf)
        .c23()
        .allocating()
        .may_cancel()
        .locks(Locks::Input)
        .outside(EMPTY),
    row("fscanf", "i:pp.", Effect::Visible, input::fscanf)
        .allocating()
        .may_cancel()
        .locks(Locks::Argument(0))
        .outside(EMPTY)
        .stream(0),
    row("__isoc99_fscanf", "i:pp.", Effect::Visible, input::fscanf)
        .allocating()
        .may_cancel()
        .locks(Locks::Argument(0))
        .outside(EMPTY)
        .stream(0),
    row("__isoc23_fscanf", "i:pp.", Effect::Visible, input::fscanf)
        .c23()
        .allocating()
        .may_cancel()
        .locks(Locks::Argument(0))
        .outside(EMPTY)
        .stream(0),
    row("sscanf", "i:pp.", Effect::Memory, scan::sscanf).allocating(),
    row("__isoc99_sscanf", "i:pp.", Effect::Memory, scan::sscanf).allocating(),
    row("__isoc23_sscanf", "i:pp.", Effect::Memory, scan::sscanf).c23().allocating(),
    row("vsscanf", "i:ppp", Effect::Indirect, scan::vsscanf).allocating(),
    row("__isoc99_vsscanf", "i:ppp", Effect::Indirect, scan::vsscanf).allocating(),
    row("__isoc23_vsscanf", "i:ppp", Effect::Indirect, scan::vsscanf).c23().allocating(),
    row("fopen", "p:pp", Effect::Visible, stream::fopen).outside(NONE),
    row("fopen64", "p:pp", Effect::Visible, stream::fopen).outside(NONE),
    row("fdopen", "p:ip", Effect::Visible, stream::fdopen),
    row("fclose", "i:p", Effect::Visible, stream::fclose).allocating(),
    row("tmpfile", "p:", Effect::Visible, stream::tmpfile),
    row("tmpfile64", "p:", Effect::Visible, stream::tmpfile),
    row("open_memstream", "p:pp", Effect::Visible, stream::open_memstream),
    row("fmemopen", "p:plp", Effect::Visible, stream::fmemopen),
    row("fseek", "i:pli", Effect::Visible, stream::fseek).locks(Locks::Argument(0)),
    row("fseeko", "i:pli", Effect::Visible, stream::fseek).locks(Locks::Argument(0)),
    row("fseeko64", "i:pli", Effect::Visible, stream::fseek).locks(Locks::Argument(0)),
    row("ftell", "l:p", Effect::Visible, stream::ftell).locks(Locks::Argument(0)),
    row("ftello", "l:p", Effect::Visible, stream::ftell).locks(Locks::Argument(0)),
    row("ftello64", "l:p", Effect::Visible, stream::ftell).locks(Locks::Argument(0)),
    row("rewind", "v:p", Effect::Visible, stream::rewind).locks(Locks::Argument(0)),
    row("remove", "i:p", Effect::Visible, stream::remove).outside(NONE),
    row("rename", "i:pp", Effect::Visible, stream::rename).outside(NONE),
    refused("freopen", "p:ppp", Effect::Local, "files (`{}`)"),
    refused("popen", "p:pp", Effect::Local, "files (`{}`)"),
    refused("fgetpos", "i:pp", Effect::Local, "files (`{}`)"),
    refused("fsetpos", "i:pp", Effect::Local, "files (`{}`)"),
];

type Answer = Result<Flow, Stop>;

const EOF: i32 = -1;

// ---- streams ----------------------------------------------------------------------

/// A stream: one of the three that there are, or another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    Input,
    Output(Stream),
    /// One that the program has opened.
    Opened(ObjId),
}

/// The variables `stdin`, `stdout` and `stderr`, and glibc's names of what
/// they point to.
const STREAMS: [(&str, &str); 3] =
    [("stdin", "_IO_2_1_stdin_"), ("stdout", "_IO_2_1_stdout_"), ("stderr", "_IO_2_1_stderr_")];
const FILE_SIZE: usize = 216;

/// Defines the streams that a program only declares.
///
/// Macros and inline functions look into a `FILE`. An empty one has empty
/// buffers, so they call `__overflow` and `__uflow`, which are ours. The
/// variables and the files for output are constants, so that reading them is
/// nothing that others could notice; standard input has flags.
pub fn define(program: &mut Program) {
    for (name, file) in STREAMS {
        let Some(id) = program.find_global(name) else { continue };
        if !program.global(id).external || program.find_global(file).is_some() {
            continue;
        }
        let addr = address::global(GlobalId(program.globals.len() as u32), 0);
        let global = &mut program.globals[id.0 as usize];
        global.data = addr.to_le_bytes().to_vec();
        global.undefined = Vec::new();
        global.constant = true;
        global.external = false;
        program.globals.push(Global {
            name: Arc::from(file),
            data: vec![0; FILE_SIZE],
            undefined: Vec::new(),
            constant: name != "stdin",
            thread_local: false,
            external: false,
            loc: LocId::NONE,
            ty: None,
        });
    }
}

impl Context<'_, '_> {
    /// The stream that a `FILE *` means.
    pub fn stream(&mut self, args: &Args<'_>, index: usize) -> Result<Standard, Stop> {
        let addr = args.ptr(index);
        if let Some(stream) = self.standard(addr) {
            return Ok(stream);
        }
        if let Some(stream) = self.opened(args, addr)? {
            return Ok(stream);
        }
        let name = self.callee_name(args);
        let what = if addr == 0 { "a null stream" } else { "something that is not a stream" };
        Err(self.fault(Property::Memory, format!("{name} is called with {what}")))
    }

    fn standard(&self, addr: u64) -> Option<Standard> {
        let object = address::object(addr);
        if object.space() != Some(Space::Global) || address::offset(addr) != 0 {
            return None;
        }
        let global = self.program().globals.get(object.index() as usize);
        match global.map_or("", |global| &*global.name) {
            "_IO_2_1_stdin_" => Some(Standard::Input),
            "_IO_2_1_stdout_" => Some(Standard::Output(Stream::Out)),
            "_IO_2_1_stderr_" => Some(Standard::Output(Stream::Err)),
            _ => None,
        }
    }

    /// Writes to a stream; `false` (and `errno`) if it is not for writing.
    fn put(&mut self, stream: Standard, bytes: &[u8]) -> Result<bool, Stop> {
        match stream {
            Standard::Output(stream) => {
                self.output(stream, bytes);
                Ok(true)
            }
            Standard::Opened(id) => self.put_to(id, bytes),
            Standard::Input => {
                self.set_errno(EBADF)?;
                Ok(false)
            }
        }
    }
}

// ---- printing -----------------------------------------------------------------------

/// Where formatted text goes.
enum Target {
    Stream(Standard),
    Descriptor(i32),
    /// A buffer with so much room.
    Buffer(u64, u64),
    /// A new string on the heap, whose address goes here.
    Fresh(u64),
}

const STDOUT: Target = Target::Stream(Standard::Output(Stream::Out));

fn print_to(
    context: &mut Context<'_, '_>,
    args: &Args<'_>,
    target: Target,
    format: usize,
    arguments: Arguments<'_>,
) -> Answer {
    let printed = print::print(context, args, args.ptr(format), arguments)?;
    let Printed::Bytes(mut bytes) = printed else { return Ok(Flow::int(EOF)) };
    let length = bytes.len() as i32;
    let done = match target {
        Target::Stream(stream) => context.put(stream, &bytes)?,
        Target::Descriptor(number @ 1..=2) => {
            let stream = if number == 1 { Stream::Out } else { Stream::Err };
            context.put(Standard::Output(stream), &bytes)?
        }
        Target::Descriptor(number) => match context.write_to(number, &bytes)? {
            Outcome::Done(_) => true,
            Outcome::Failed(code) => {
                context.set_errno(code)?;
                false
            }
        },
        Target::Buffer(_, 0) => true,
        Target::Buffer(addr, room) => {
            bytes.truncate(usize::try_from(room - 1).unwrap_or(usize::MAX));
            bytes.push(0);
            context.write_bytes(addr, &bytes, &[])?;
            true
        }
        Target::Fresh(place) => {
            bytes.push(0);
            let block = context.heap_block(bytes.len() as u64, false)?;
            if block != 0 {
                context.write_bytes(block, &bytes, &[])?;
                context.write(place, 8, Bits::defined(block))?;
            }
            block != 0
        }
    };
    Ok(Flow::int(if done { length } else { EOF }))
}

/// Variadic: the format is argument `format`, its arguments follow.
fn print_call(
    context: &mut Context<'_, '_>,
    args: &Args<'_>,
    target: Target,
    format: usize,
) -> Answer {
    print_to(context, args, target, format, Arguments::of_call(args, format + 1))
}

/// With a `va_list` behind the format.
fn print_list(
    context: &mut Context<'_, '_>,
    args: &Args<'_>,
    target: Target,
    format: usize,
) -> Answer {
    print_to(context, args, target, format, Arguments::of_list(args.ptr(format + 1)))
}

fn printf(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    print_call(context, args, STDOUT, 0)
}

fn printf_chk(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    print_call(context, args, STDOUT, 1)
}

fn vprintf(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    print_list(context, args, STDOUT, 0)
}

fn vprintf_chk(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    print_list(context, args, STDOUT, 1)
}

fn fprintf(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let stream = context.stream(args, 0)?;
    print_call(context, args, Target::Stream(stream), 1)
}

fn fprintf_chk(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let stream = context.stream(args, 0)?;
    print_call(context, args, Target::Stream(stream), 2)
}

fn vfprintf(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let stream = context.stream(args, 0)?;
    print_list(context, args, Target::Stream(stream), 1)
}

fn vfprintf_chk(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let stream = context.stream(args, 0)?;
    print_list(context, args, Target::Stream(stream), 2)
}

fn dprintf(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    print_call(context, args, Target::Descriptor(args.i32(0)), 1)
}

fn vdprintf(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    print_list(context, args, Target::Descriptor(args.i32(0)), 1)
}

fn sprintf(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    print_call(context, args, Target::Buffer(args.ptr(0), u64::MAX), 1)
}

fn sprintf_chk(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    print_call(context, args, Target::Buffer(args.ptr(0), u64::MAX), 3)
}

fn vsprintf(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    print_list(context, args, Target::Buffer(args.ptr(0), u64::MAX), 1)
}

fn vsprintf_chk(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    print_list(context, args, Target::Buffer(args.ptr(0), u64::MAX), 3)
}

fn snprintf(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    print_call(context, args, Target::Buffer(args.ptr(0), args.u64(1)), 2)
}

fn snprintf_chk(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    print_call(context, args, Target::Buffer(args.ptr(0), args.u64(1)), 4)
}

fn vsnprintf(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    print_list(context, args, Target::Buffer(args.ptr(0), args.u64(1)), 2)
}

fn vsnprintf_chk(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    print_list(context, args, Target::Buffer(args.ptr(0), args.u64(1)), 4)
}

fn asprintf(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    print_call(context, args, Target::Fresh(args.ptr(0)), 1)
}

fn asprintf_chk(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    print_call(context, args, Target::Fresh(args.ptr(0)), 2)
}

fn vasprintf(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    print_list(context, args, Target::Fresh(args.ptr(0)), 1)
}

fn vasprintf_chk(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    print_list(context, args, Target::Fresh(args.ptr(0)), 2)
}

// ---- plain output -------------------------------------------------------------------

fn puts(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let mut text = context.string(args, args.ptr(0))?;
    text.push(b'\n');
    context.output(Stream::Out, &text);
    Ok(Flow::int(text.len() as i32))
}

fn putchar(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let byte = args.u64(0) as u8;
    context.output(Stream::Out, &[byte]);
    Ok(Flow::int(byte as i32))
}

fn put_byte(context: &mut Context<'_, '_>, stream: Standard, byte: u8) -> Answer {
    let done = context.put(stream, &[byte])?;
    Ok(Flow::int(if done { byte as i32 } else { EOF }))
}

fn fputc(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let stream = context.stream(args, 1)?;
    put_byte(context, stream, args.u64(0) as u8)
}

/// What `putc_unlocked` calls when the buffer is full, as it always is.
fn overflow(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let stream = context.stream(args, 0)?;
    put_byte(context, stream, args.u64(1) as u8)
}

fn fputs(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let stream = context.stream(args, 1)?;
    let text = context.string(args, args.ptr(0))?;
    let done = context.put(stream, &text)?;
    Ok(Flow::int(if done { 1 } else { EOF }))
}

fn fwrite(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let stream = context.stream(args, 3)?;
    let (size, count) = (args.u64(1), args.u64(2));
    let bytes = context.defined_bytes(args, args.ptr(0), size.saturating_mul(count))?;
    let done = !bytes.is_empty() && context.put(stream, &bytes)?;
    Ok(Flow::value(if done { count } else { 0 }))
}

fn perror(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let mut text = match args.ptr(0) {
        0 => Vec::new(),
        addr => context.string(args, addr)?,
    };
    if !text.is_empty() {
        text.extend(b": ");
    }
    let code = context.errno()?;
    text.extend(messages::error_text(code).into_bytes());
    text.push(b'\n');
    context.output(Stream::Err, &text);
    Ok(Flow::VOID)
}

/// Nothing is buffered.
fn fflush(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    if args.ptr(0) != 0 {
        let stream = context.stream(args, 0)?;
        context.flush(stream)?;
    }
    Ok(Flow::int(0))
}

/// Buffering makes no difference.
fn settings(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    context.stream(args, 0)?;
    Ok(Flow::int(0))
}

fn fileno(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(Flow::int(match context.stream(args, 0)? {
        Standard::Input => 0,
        Standard::Output(Stream::Out) => 1,
        Standard::Output(Stream::Err) => 2,
        Standard::Opened(id) => match context.shown_descriptor(id)? {
            Some(descriptor) => descriptor,
            None => {
                context.set_errno(EBADF)?;
                -1
            }
        },
    }))
}
