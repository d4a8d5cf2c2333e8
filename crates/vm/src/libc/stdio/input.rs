//! Reading from streams. Standard input is what `--stdin` names, or empty.
//!
//! What is read is looked at first and taken when it is complete, so that a call that
//! has to wait for a pipe has changed nothing. Whether the end was seen is remembered,
//! for programs that ask `feof`.

use exeunt_ir::address;
use exeunt_mem::Bits;

use super::arguments::Arguments;
use super::stream::{EOF_SEEN, ERROR_SEEN, PUT_BACK};
use super::{Answer, EBADF, EOF, Standard, scan};
use crate::builtin::Context;
use crate::builtin::{Args, Flow};
use crate::libc::files::Outcome;
use crate::libc::library;
use crate::libc::stdlib::heap;
use crate::stop::Stop;

/// What the library knows about a stream for input.
struct Input {
    ended: bool,
    put_back: Option<u8>,
}

impl Context<'_, '_> {
    fn input_place(&mut self) -> u64 {
        self.library_variable(library::STANDARD_INPUT, || vec![0; 3])
    }

    fn input(&mut self, stream: Standard) -> Result<Input, Stop> {
        if let Standard::Opened(id) = stream {
            let ended = self.stream_flags(id)? & EOF_SEEN != 0;
            let back = self.read(id.at(PUT_BACK), 4)?.value;
            return Ok(Input { ended, put_back: (back != 0).then_some(back as u8) });
        }
        let place = self.input_place();
        let word = self.read(place, 3)?.value;
        let put_back = (word >> 8 & 1 != 0).then_some((word >> 16) as u8);
        Ok(Input { ended: word & 1 != 0, put_back })
    }

    fn set_input(&mut self, stream: Standard, input: Input) -> Result<(), Stop> {
        if let Standard::Opened(id) = stream {
            let others = self.stream_flags(id)? & !EOF_SEEN;
            self.set_stream_flags(id, others | if input.ended { EOF_SEEN } else { 0 })?;
            let back = input.put_back.map_or(0, |byte| 0x100 | u64::from(byte));
            return self.write(id.at(PUT_BACK), 4, Bits::defined(back));
        }
        let place = self.input_place();
        let byte = input.put_back.map_or(0, |byte| 1 << 8 | (byte as u64) << 16);
        self.write(place, 3, Bits::defined(input.ended as u64 | byte))?;
        // `feof_unlocked` is a macro that looks into the file.
        match self.program().find_global("_IO_2_1_stdin_") {
            Some(id) => {
                let flags = if input.ended { EOF_SEEN } else { 0 };
                self.write(address::global(id, 0), 4, Bits::defined(flags))
            }
            None => Ok(()),
        }
    }

    /// The descriptor behind a stream; `None` for a standard input that is empty.
    fn source(&mut self, stream: Standard) -> Result<Option<i32>, Stop> {
        match stream {
            Standard::Opened(id) => Ok(Some(self.descriptor_of(id)?)),
            Standard::Input => Ok(self.options().stdin.is_some().then_some(0)),
            Standard::Output(_) => Ok(None),
        }
    }

    /// The next bytes of a stream, at most so many, up to the first that is `last`. Fewer
    /// only if it ends before. Takes nothing, and waits for a pipe until they are there.
    fn look(
        &mut self,
        stream: Standard,
        most: u64,
        last: impl Fn(u8) -> bool,
    ) -> Result<Outcome<Vec<u8>>, Stop> {
        let mut bytes: Vec<u8> = self.input(stream)?.put_back.into_iter().collect();
        let complete = |bytes: &[u8]| {
            let end = bytes.iter().position(|&byte| last(byte)).map(|at| at + 1);
            end.or((bytes.len() as u64 >= most).then_some(most as usize))
        };
        if complete(&bytes).is_none()
            && let Some(descriptor) = self.source(stream)?
        {
            let files = self.files()?;
            let wanted = most - bytes.len() as u64;
            match self.bytes_from(&files, descriptor, wanted)? {
                Outcome::Done(more) => bytes.extend(more),
                Outcome::Failed(code) => return Ok(Outcome::Failed(code)),
            }
            if complete(&bytes).is_none() {
                self.wait_for_more(&files, descriptor)?;
            }
        }
        let end = complete(&bytes).unwrap_or(bytes.len());
        bytes.truncate(end);
        Ok(Outcome::Done(bytes))
    }

    /// Takes what was looked at; `wanted` more than there was is the end.
    fn take(&mut self, stream: Standard, count: usize, at_end: bool) -> Result<(), Stop> {
        let input = self.input(stream)?;
        let back = usize::from(input.put_back.is_some() && count > 0);
        if count > back
            && let Some(descriptor) = self.source(stream)?
        {
            let mut files = self.files()?;
            self.take_from(&mut files, descriptor, (count - back) as u64)?;
        }
        let put_back = input.put_back.filter(|_| back == 0);
        self.set_input(stream, Input { ended: input.ended || at_end, put_back })
    }

    /// The stream, if it can be read; if not, `errno` says so.
    fn readable(&mut self, args: &Args<'_>, index: usize) -> Result<Option<Standard>, Stop> {
        match self.stream(args, index)? {
            Standard::Output(_) => {
                self.set_errno(EBADF)?;
                Ok(None)
            }
            stream @ (Standard::Input | Standard::Opened(_)) => Ok(Some(stream)),
        }
    }

    /// Bytes up to one that is `last`, taken; `None` if reading failed.
    fn take_up_to(
        &mut self,
        stream: Standard,
        most: u64,
        last: impl Fn(u8) -> bool,
    ) -> Result<Option<Vec<u8>>, Stop> {
        match self.look(stream, most, &last)? {
            Outcome::Done(bytes) => {
                let short = (bytes.len() as u64) < most;
                let at_end = short && !bytes.last().is_some_and(|&byte| last(byte));
                self.take(stream, bytes.len(), at_end)?;
                Ok(Some(bytes))
            }
            Outcome::Failed(code) => {
                self.set_errno(code)?;
                if let Standard::Opened(id) = stream {
                    let flags = self.stream_flags(id)?;
                    self.set_stream_flags(id, flags | ERROR_SEEN)?;
                }
                Ok(None)
            }
        }
    }

    fn input_byte(&mut self, stream: Standard) -> Answer {
        let bytes = self.take_up_to(stream, 1, |_| false)?.unwrap_or_default();
        Ok(Flow::int(bytes.first().map_or(EOF, |&byte| i32::from(byte))))
    }

    /// Whether a byte was put back to the stream that is the first argument.
    pub fn put_back_of(&mut self, args: &Args<'_>) -> Result<bool, Stop> {
        let stream = self.stream(args, 0)?;
        Ok(self.input(stream)?.put_back.is_some())
    }

    /// The stream was positioned.
    pub fn forget_position(&mut self, args: &Args<'_>) -> Result<(), Stop> {
        let stream = self.stream(args, 0)?;
        self.set_input(stream, Input { ended: false, put_back: None })
    }
}

pub fn getchar(context: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    context.input_byte(Standard::Input)
}

pub fn fgetc(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    match context.readable(args, 0)? {
        Some(stream) => context.input_byte(stream),
        None => Ok(Flow::int(EOF)),
    }
}

pub fn ungetc(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let Some(stream) = context.readable(args, 1)?.filter(|_| args.i32(0) != EOF) else {
        return Ok(Flow::int(EOF));
    };
    if context.input(stream)?.put_back.is_some() {
        return Err(Stop::unsupported("ungetc of more than one byte"));
    }
    let byte = args.u64(0) as u8;
    context.set_input(stream, Input { ended: false, put_back: Some(byte) })?;
    Ok(Flow::int(byte as i32))
}

pub fn fgets(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    read_line(context, args, args.i32(1), 2)
}

pub fn fgets_chk(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    read_line(context, args, args.i32(2), 3)
}

fn read_line(context: &mut Context<'_, '_>, args: &Args<'_>, room: i32, stream: usize) -> Answer {
    let addr = args.ptr(0);
    let Some(stream) = context.readable(args, stream)? else { return Ok(Flow::value(0)) };
    if room <= 0 {
        return Ok(Flow::value(0));
    }
    let most = room as u64 - 1;
    let line = context.take_up_to(stream, most, |byte| byte == b'\n')?;
    let Some(mut line) = line.filter(|line| most == 0 || !line.is_empty()) else {
        return Ok(Flow::value(0));
    };
    line.push(0);
    context.write_bytes(addr, &line, &[])?;
    Ok(Flow::value(addr))
}

pub fn fread(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (size, count) = (args.u64(1), args.u64(2));
    let stream = context.readable(args, 3)?;
    let Some(stream) = stream.filter(|_| size > 0 && count > 0) else {
        return Ok(Flow::value(0));
    };
    let wanted = size.saturating_mul(count);
    let bytes = context.take_up_to(stream, wanted, |_| false)?.unwrap_or_default();
    if !bytes.is_empty() {
        context.write_bytes(args.ptr(0), &bytes, &[])?;
    }
    Ok(Flow::value(bytes.len() as u64 / size))
}

pub fn getline(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    read_delimited(context, args, b'\n', 2)
}

pub fn getdelim(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    read_delimited(context, args, args.u64(2) as u8, 3)
}

/// Glibc's first buffer.
const LEAST: u64 = 120;

fn read_delimited(
    context: &mut Context<'_, '_>,
    args: &Args<'_>,
    delimiter: u8,
    stream: usize,
) -> Answer {
    let failed = Ok(Flow::Return(Bits::defined(u64::MAX)));
    let Some(stream) = context.readable(args, stream)? else { return failed };
    let Outcome::Done(line) = context.look(stream, u64::MAX, |byte| byte == delimiter)? else {
        return failed;
    };
    let (buffer, room) = (context.read(args.ptr(0), 8)?, context.read(args.ptr(1), 8)?);
    if buffer.undefined != 0 || buffer.value != 0 && room.undefined != 0 {
        return Err(context.undefined_text(args));
    }
    let at_end = line.last() != Some(&delimiter);
    if line.is_empty() {
        context.take(stream, 0, true)?;
        return failed;
    }
    let needed = line.len() as u64 + 1;
    let mut place = buffer.value;
    if place == 0 || room.value < needed {
        let size = needed.max(LEAST);
        let Flow::Return(new) = heap::resize(context, place, size)? else { return failed };
        if new.value == 0 {
            return failed;
        }
        place = new.value;
        context.write(args.ptr(0), 8, new)?;
        context.write(args.ptr(1), 8, Bits::defined(size))?;
    }
    context.take(stream, line.len(), at_end)?;
    context.write_bytes(place, &[&line[..], &[0]].concat(), &[])?;
    Ok(Flow::value(line.len() as u64))
}

pub fn feof(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let ended = match context.stream(args, 0)? {
        Standard::Output(_) => false,
        stream @ (Standard::Input | Standard::Opened(_)) => context.input(stream)?.ended,
    };
    Ok(Flow::int(ended as i32))
}

pub fn ferror(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let wrong = match context.stream(args, 0)? {
        Standard::Opened(id) => context.stream_flags(id)? & ERROR_SEEN != 0,
        Standard::Input | Standard::Output(_) => false,
    };
    Ok(Flow::int(wrong as i32))
}

pub fn clearerr(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    match context.stream(args, 0)? {
        Standard::Output(_) => {}
        Standard::Opened(id) => {
            let flags = context.stream_flags(id)?;
            context.set_stream_flags(id, flags & !(EOF_SEEN | ERROR_SEEN))?;
        }
        Standard::Input => {
            let input = context.input(Standard::Input)?;
            context.set_input(Standard::Input, Input { ended: false, ..input })?;
        }
    }
    Ok(Flow::VOID)
}

// ---- scanf ------------------------------------------------------------------------

fn scan_input(
    context: &mut Context<'_, '_>,
    args: &Args<'_>,
    stream: Standard,
    format: usize,
) -> Answer {
    if let Some(descriptor) = context.source(stream)? {
        let files = context.files()?;
        if context.wait_for_more(&files, descriptor).is_err() {
            return Err(Stop::unsupported("scanf from a pipe"));
        }
    }
    let Outcome::Done(bytes) = context.look(stream, u64::MAX, |_| false)? else {
        return Ok(Flow::int(EOF));
    };
    let arguments = Arguments::of_call(args, format + 1);
    let scanned = scan::scan(context, args, &bytes, format, arguments)?;
    context.take(stream, scanned.used, scanned.at_end)?;
    Ok(Flow::int(scanned.result))
}

pub fn scanf(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    scan_input(context, args, Standard::Input, 0)
}

pub fn fscanf(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    match context.readable(args, 0)? {
        Some(stream) => scan_input(context, args, stream, 1),
        None => Ok(Flow::int(EOF)),
    }
}
