//! Standard input, which is empty: only what `ungetc` puts back can be read.
//!
//! Whether its end was seen is remembered, for programs that ask `feof`.

use exeunt_ir::address;
use exeunt_mem::Bits;

use super::arguments::Arguments;
use super::{Answer, EBADF, EOF, Standard, scan};
use crate::builtin::Context;
use crate::builtin::{Args, Flow};
use crate::libc::library;
use crate::stop::Stop;

/// The bit of `_flags` in a `FILE`.
const EOF_SEEN: u64 = 0x10;

/// What the library knows about standard input.
struct Input {
    ended: bool,
    put_back: Option<u8>,
}

impl Context<'_, '_> {
    fn input_place(&mut self) -> u64 {
        self.library_variable(library::STANDARD_INPUT, || vec![0; 3])
    }

    fn input(&mut self) -> Result<Input, Stop> {
        let place = self.input_place();
        let word = self.read(place, 3)?.value;
        let put_back = (word >> 8 & 1 != 0).then_some((word >> 16) as u8);
        Ok(Input { ended: word & 1 != 0, put_back })
    }

    fn set_input(&mut self, input: Input) -> Result<(), Stop> {
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

    /// Reads a byte from standard input, if one was put back.
    fn input_byte(&mut self) -> Result<Option<u8>, Stop> {
        let input = self.input()?;
        let ended = input.put_back.is_none() || input.ended;
        self.set_input(Input { ended, put_back: None })?;
        Ok(input.put_back)
    }

    /// Whether a stream can be read; if not, `errno` says so.
    fn readable(&mut self, args: &Args<'_>, index: usize) -> Result<bool, Stop> {
        let readable = self.stream(args, index)? == Standard::Input;
        if !readable {
            self.set_errno(EBADF)?;
        }
        Ok(readable)
    }
}

pub fn getchar(context: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    Ok(Flow::int(context.input_byte()?.map_or(EOF, i32::from)))
}

pub fn fgetc(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    if !context.readable(args, 0)? {
        return Ok(Flow::int(EOF));
    }
    getchar(context, args)
}

pub fn ungetc(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let readable = context.readable(args, 1)?;
    if args.i32(0) == EOF || !readable {
        return Ok(Flow::int(EOF));
    }
    if context.input()?.put_back.is_some() {
        return Err(Stop::unsupported("ungetc of more than one byte"));
    }
    let byte = args.u64(0) as u8;
    context.set_input(Input { ended: false, put_back: Some(byte) })?;
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
    if !context.readable(args, stream)? || room <= 0 {
        return Ok(Flow::value(0));
    }
    let mut line = Vec::new();
    while (line.len() as i32) < room - 1 && line.last() != Some(&b'\n') {
        match context.input_byte()? {
            Some(byte) => line.push(byte),
            None if line.is_empty() => return Ok(Flow::value(0)),
            None => break,
        }
    }
    line.push(0);
    context.write_bytes(addr, &line, &[])?;
    Ok(Flow::value(addr))
}

pub fn fread(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (size, count) = (args.u64(1), args.u64(2));
    if size == 0 || count == 0 || !context.readable(args, 3)? {
        return Ok(Flow::value(0));
    }
    let wanted = size.saturating_mul(count);
    let mut taken = 0;
    while taken < wanted {
        let Some(byte) = context.input_byte()? else { break };
        context.write(args.ptr(0) + taken, 1, Bits::defined(byte as u64))?;
        taken += 1;
    }
    Ok(Flow::value(taken / size))
}

pub fn getline(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    read_delimited(context, args, 2)
}

pub fn getdelim(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    read_delimited(context, args, 3)
}

fn read_delimited(context: &mut Context<'_, '_>, args: &Args<'_>, stream: usize) -> Answer {
    if context.readable(args, stream)? && context.input_byte()?.is_some() {
        return Err(Stop::unsupported("getline after ungetc"));
    }
    Ok(Flow::value(u64::MAX))
}

pub fn feof(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let ended = context.stream(args, 0)? == Standard::Input && context.input()?.ended;
    Ok(Flow::int(ended as i32))
}

pub fn ferror(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    context.stream(args, 0)?;
    Ok(Flow::int(0))
}

pub fn clearerr(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    if context.stream(args, 0)? == Standard::Input {
        let input = context.input()?;
        context.set_input(Input { ended: false, ..input })?;
    }
    Ok(Flow::VOID)
}

// ---- scanf ------------------------------------------------------------------------

fn scan_input(context: &mut Context<'_, '_>, args: &Args<'_>, format: usize) -> Answer {
    let input = context.input()?;
    let bytes: Vec<u8> = input.put_back.into_iter().collect();
    let arguments = Arguments::of_call(args, format + 1);
    let scanned = scan::scan(context, args, &bytes, format, arguments)?;
    let put_back = input.put_back.filter(|_| scanned.used == 0);
    context.set_input(Input { ended: input.ended || scanned.at_end, put_back })?;
    Ok(Flow::int(scanned.result))
}

pub fn scanf(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    scan_input(context, args, 0)
}

pub fn fscanf(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    if !context.readable(args, 0)? {
        return Ok(Flow::int(EOF));
    }
    scan_input(context, args, 1)
}
