//! `scanf`: text to values, with glibc's rules about what is read before a
//! conversion fails.

use exeunt_mem::Bits;
use exeunt_model::Property;
use rustc_apfloat::Float;
use rustc_apfloat::ieee::{Double, Single};

use super::arguments::{Arguments, Kind};
use super::directive::{self, Length};
use super::{Answer, EOF};
use crate::builtin::Context;
use crate::builtin::{Args, Flow};
use crate::libc::stdlib::number::{self, is_space};
use crate::ops::f80::F80;
use crate::stop::Stop;

pub fn sscanf(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let input = context.string(args, args.ptr(0))?;
    let scanned = scan(context, args, &input, 1, Arguments::of_call(args, 2))?;
    Ok(Flow::int(scanned.result))
}

pub fn vsscanf(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let input = context.string(args, args.ptr(0))?;
    let scanned = scan(context, args, &input, 1, Arguments::of_list(args.ptr(2)))?;
    Ok(Flow::int(scanned.result))
}

/// How a scan went.
pub struct Scanned {
    /// What the function answers.
    pub result: i32,
    /// How much of the input it took.
    pub used: usize,
    /// It came to the end of the input.
    pub at_end: bool,
}

/// Why a scan stops before the end of its format.
enum Halt {
    /// The input is at its end.
    Input,
    /// The input is not what the format wants.
    Matching,
    Stop(Stop),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        Halt::Stop(stop)
    }
}

struct Scanner<'c, 'm, 'p, 'a> {
    context: &'c mut Context<'m, 'p>,
    args: &'a Args<'a>,
    arguments: Arguments<'a>,
    input: &'a [u8],
    at: usize,
    at_end: bool,
    assigned: i32,
}

/// A conversion of the format.
struct Conversion<'f> {
    suppress: bool,
    allocate: bool,
    width: Option<usize>,
    length: Length,
    letter: u8,
    set: Set<'f>,
    text: String,
}

/// The bytes of a `%[` conversion.
struct Set<'f> {
    inverted: bool,
    bytes: &'f [u8],
}

impl Set<'_> {
    fn has(&self, byte: u8) -> bool {
        let mut found = false;
        let mut at = 0;
        while at < self.bytes.len() {
            match self.bytes[at..] {
                [low, b'-', high, ..] if low <= high => {
                    found |= (low..=high).contains(&byte);
                    at += 3;
                }
                [one, ..] => {
                    found |= one == byte;
                    at += 1;
                }
                [] => break,
            }
        }
        found != self.inverted
    }
}

/// Reads `input` as the format (argument `format`) says.
pub fn scan(
    context: &mut Context<'_, '_>,
    args: &Args<'_>,
    input: &[u8],
    format: usize,
    arguments: Arguments<'_>,
) -> Result<Scanned, Stop> {
    let format = context.string(args, args.ptr(format))?;
    let mut scanner =
        Scanner { context, args, arguments, input, at: 0, at_end: false, assigned: 0 };
    let halted = scanner.run(&format);
    let result = match halted {
        Err(Halt::Stop(stop)) => return Err(stop),
        Err(Halt::Input) if scanner.assigned == 0 => EOF,
        _ => scanner.assigned,
    };
    Ok(Scanned { result, used: scanner.at, at_end: scanner.at_end })
}

impl Scanner<'_, '_, '_, '_> {
    fn run(&mut self, format: &[u8]) -> Result<(), Halt> {
        let mut rest = format;
        while let Some((&byte, tail)) = rest.split_first() {
            rest = tail;
            if is_space(byte) {
                self.skip_space();
            } else if byte == b'%' {
                let (conversion, size) = self.read_conversion(rest)?;
                rest = &rest[size..];
                self.convert(&conversion)?;
            } else {
                self.literal(byte)?;
            }
        }
        Ok(())
    }

    // ---- input ------------------------------------------------------------------

    fn peek(&mut self) -> Option<u8> {
        let byte = self.input.get(self.at).copied();
        self.at_end |= byte.is_none();
        byte
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(is_space) {
            self.at += 1;
        }
    }

    fn literal(&mut self, byte: u8) -> Result<(), Halt> {
        match self.peek() {
            None => Err(Halt::Input),
            Some(next) if next == byte => {
                self.at += 1;
                Ok(())
            }
            Some(_) => Err(Halt::Matching),
        }
    }

    /// Takes the next byte if it is wanted and the width allows it.
    fn take(&mut self, left: &mut usize, wanted: impl Fn(u8) -> bool) -> Option<u8> {
        if *left == 0 {
            return None;
        }
        let byte = self.peek().filter(|&byte| wanted(byte))?;
        *left -= 1;
        self.at += 1;
        Some(byte)
    }

    // ---- the format -------------------------------------------------------------

    fn read_conversion<'f>(&mut self, text: &'f [u8]) -> Result<(Conversion<'f>, usize), Halt> {
        let mut at = 0;
        let (mut suppress, mut allocate) = (false, false);
        while let Some(b'*' | b'\'' | b'I' | b'm') = text.get(at) {
            suppress |= text[at] == b'*';
            allocate |= text[at] == b'm';
            at += 1;
        }
        let digits = text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let width = text[at..at + digits]
            .iter()
            .fold(0usize, |n, d| n.saturating_mul(10).saturating_add((d - b'0') as usize));
        at += digits;
        if digits > 0 && text.get(at) == Some(&b'$') {
            let what = "numbered arguments in a format (`%1$d`)";
            return Err(Stop::unsupported(what).into());
        }
        while text.get(at) == Some(&b'm') {
            allocate = true;
            at += 1;
        }
        let (length, size) = directive::length(&text[at..]);
        at += size;
        let letter = text.get(at).copied().unwrap_or(0);
        at = (at + 1).min(text.len());
        let mut set = Set { inverted: false, bytes: &[] };
        if letter == b'[' {
            set.inverted = text.get(at) == Some(&b'^');
            at += set.inverted as usize;
            // A bracket at the very beginning belongs to the set.
            let first = (text.get(at) == Some(&b']')) as usize;
            let close = text[at + first..].iter().position(|&byte| byte == b']');
            let Some(close) = close else { return Err(Halt::Matching) };
            set.bytes = &text[at..at + first + close];
            at += first + close + 1;
        }
        let text = format!("`%{}`", String::from_utf8_lossy(&text[..at]));
        let width = (width > 0).then_some(width);
        Ok((Conversion { suppress, allocate, width, length, letter, set, text }, at))
    }

    fn convert(&mut self, conversion: &Conversion<'_>) -> Result<(), Halt> {
        let wide = conversion.length == Length::Long && b"cs[".contains(&conversion.letter);
        if wide || matches!(conversion.letter, b'C' | b'S') {
            let what = format!("wide characters in a format ({})", conversion.text);
            return Err(Stop::unsupported(what).into());
        }
        if !matches!(conversion.letter, b'[' | b'c' | b'n') {
            self.skip_space();
        }
        match conversion.letter {
            b'%' => self.literal(b'%'),
            b'n' => self.count(conversion),
            b'c' => self.characters(conversion),
            b's' => self.text(conversion, |byte| !is_space(byte)),
            b'[' => self.text(conversion, |byte| conversion.set.has(byte)),
            b'd' => self.integer(conversion, 10, true),
            b'i' => self.integer(conversion, 0, true),
            b'u' => self.integer(conversion, 10, false),
            b'o' => self.integer(conversion, 8, false),
            b'x' | b'X' => self.integer(conversion, 16, false),
            b'b' => self.integer(conversion, 2, false),
            b'p' => self.integer(conversion, 16, false),
            b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => self.real(conversion),
            _ => {
                let name = self.context.callee_name(self.args);
                let message =
                    format!("the format of {name} has an unknown conversion {}", conversion.text);
                Err(self.context.fault(Property::Undefined, message).into())
            }
        }
    }

    // ---- conversions ------------------------------------------------------------

    fn destination(&mut self, conversion: &Conversion<'_>) -> Result<u64, Halt> {
        let text = &conversion.text;
        Ok(self.arguments.next(self.context, self.args, Kind::Pointer, text)?.0)
    }

    /// Stores bytes where the next argument points, or a new block there.
    fn store(&mut self, conversion: &Conversion<'_>, bytes: &[u8]) -> Result<(), Halt> {
        if conversion.suppress {
            return Ok(());
        }
        let mut addr = self.destination(conversion)?;
        if conversion.allocate {
            let block = self.context.heap_block(bytes.len() as u64, false)?;
            self.context.write(addr, 8, Bits::defined(block))?;
            if block == 0 {
                return Err(Halt::Input);
            }
            addr = block;
        }
        self.context.write_bytes(addr, bytes, &[])?;
        self.assigned += 1;
        Ok(())
    }

    fn count(&mut self, conversion: &Conversion<'_>) -> Result<(), Halt> {
        if conversion.suppress {
            return Ok(());
        }
        let addr = self.destination(conversion)?;
        let used = Bits::defined(self.at as u64);
        self.context.write(addr, bytes_of(conversion.length), used)?;
        Ok(())
    }

    fn characters(&mut self, conversion: &Conversion<'_>) -> Result<(), Halt> {
        let mut left = conversion.width.unwrap_or(1);
        let begin = self.at;
        while self.take(&mut left, |_| true).is_some() {}
        if self.at == begin {
            return Err(Halt::Input);
        }
        let input = self.input;
        self.store(conversion, &input[begin..self.at])
    }

    fn text(
        &mut self,
        conversion: &Conversion<'_>,
        belongs: impl Fn(u8) -> bool,
    ) -> Result<(), Halt> {
        let mut left = conversion.width.unwrap_or(usize::MAX);
        let mut text = Vec::new();
        while let Some(byte) = self.take(&mut left, &belongs) {
            text.push(byte);
        }
        if text.is_empty() {
            return Err(self.nothing());
        }
        text.push(0);
        self.store(conversion, &text)
    }

    /// No byte fits: because there is none, or because it is another one.
    fn nothing(&mut self) -> Halt {
        if self.peek().is_none() { Halt::Input } else { Halt::Matching }
    }

    fn integer(
        &mut self,
        conversion: &Conversion<'_>,
        base: u32,
        signed: bool,
    ) -> Result<(), Halt> {
        if self.peek().is_none() {
            return Err(Halt::Input);
        }
        let binary = self.context.running().is_some_and(|builtin| builtin.c23);
        let (digits, base) = self.integer_text(conversion, base, binary);
        let digits = match digits {
            Some(digits) => digits,
            None if conversion.letter == b'p' && self.nil() => b"0".to_vec(),
            None => return Err(Halt::Matching),
        };
        let number = number::integer(&digits, base, false);
        let value = if signed { number.signed().0 as u64 } else { number.unsigned().0 };
        let pointer = conversion.letter == b'p';
        let size = if pointer { 8 } else { bytes_of(conversion.length) };
        self.store(conversion, &value.to_le_bytes()[..size])
    }

    /// Sign, prefix and digits as they stand there; `None` without digits.
    /// The letter of a prefix is taken even if no digit follows.
    fn integer_text(
        &mut self,
        conversion: &Conversion<'_>,
        mut base: u32,
        binary: bool,
    ) -> (Option<Vec<u8>>, u32) {
        let mut left = conversion.width.unwrap_or(usize::MAX);
        let mut text: Vec<u8> =
            self.take(&mut left, |byte| matches!(byte, b'+' | b'-')).into_iter().collect();
        let signs = text.len();
        if let Some(zero) = self.take(&mut left, |byte| byte == b'0') {
            text.push(zero);
            let hex = matches!(base, 0 | 16)
                && self.take(&mut left, |byte| matches!(byte, b'x' | b'X')).is_some();
            let two = !hex
                && binary
                && matches!(base, 0 | 2)
                && self.take(&mut left, |byte| matches!(byte, b'b' | b'B')).is_some();
            if base == 0 {
                base = if hex { 16 } else { 8 };
            }
            if two {
                base = 2;
            }
        }
        if base == 0 {
            base = 10;
        }
        while let Some(digit) = self.take(&mut left, |byte| (byte as char).is_digit(base)) {
            text.push(digit);
        }
        ((text.len() > signs).then_some(text), base)
    }

    /// What `printf` writes for a null pointer.
    fn nil(&mut self) -> bool {
        let rest = &self.input[self.at..];
        let found = rest.len() >= 5 && rest[..5].eq_ignore_ascii_case(b"(nil)");
        self.at += if found { 5 } else { 0 };
        found
    }

    fn real(&mut self, conversion: &Conversion<'_>) -> Result<(), Halt> {
        if self.peek().is_none() {
            return Err(Halt::Input);
        }
        let text = self.real_text(conversion)?;
        let (bytes, used) = match conversion.length {
            Length::Long => {
                let number = number::real::<Double>(&text);
                (number.value.to_bits().to_le_bytes()[..8].to_vec(), number.used)
            }
            Length::LongDouble | Length::LongLong => {
                let number = number::real::<F80>(&text);
                (number.value.to_bits().to_le_bytes()[..10].to_vec(), number.used)
            }
            Length::Default | Length::Short | Length::Char => {
                let number = number::real::<Single>(&text);
                (number.value.to_bits().to_le_bytes()[..4].to_vec(), number.used)
            }
        };
        if used == 0 {
            return Err(Halt::Matching);
        }
        self.store(conversion, &bytes)
    }

    /// The bytes that could belong to a number; more may be taken than
    /// `strtod` then uses ("1e" is 1).
    fn real_text(&mut self, conversion: &Conversion<'_>) -> Result<Vec<u8>, Halt> {
        let mut left = conversion.width.unwrap_or(usize::MAX);
        let mut text: Vec<u8> =
            self.take(&mut left, |byte| matches!(byte, b'+' | b'-')).into_iter().collect();
        let signs = text.len();
        match self.peek().map(|byte| byte.to_ascii_lowercase()).filter(|_| left > 0) {
            Some(b'n') => {
                self.word(&mut left, b"nan", &mut text)?;
                return Ok(text);
            }
            Some(b'i') => {
                self.word(&mut left, b"inf", &mut text)?;
                if left > 0 && self.peek().is_some_and(|byte| byte.eq_ignore_ascii_case(&b'i')) {
                    self.word(&mut left, b"inity", &mut text)?;
                }
                return Ok(text);
            }
            _ => {}
        }
        let mut hexadecimal = false;
        if let Some(zero) = self.take(&mut left, |byte| byte == b'0') {
            text.push(zero);
            if let Some(x) = self.take(&mut left, |byte| matches!(byte, b'x' | b'X')) {
                text.push(x);
                hexadecimal = true;
            }
        }
        self.real_digits(&mut left, hexadecimal, &mut text);
        if text.len() == signs || hexadecimal && text.len() == signs + 2 {
            return Err(Halt::Matching);
        }
        Ok(text)
    }

    fn word(&mut self, left: &mut usize, word: &[u8], text: &mut Vec<u8>) -> Result<(), Halt> {
        for letter in word {
            let taken = self.take(left, |byte| byte.eq_ignore_ascii_case(letter));
            text.push(taken.ok_or(Halt::Matching)?);
        }
        Ok(())
    }

    fn real_digits(&mut self, left: &mut usize, hexadecimal: bool, text: &mut Vec<u8>) {
        let mark = if hexadecimal { b'p' } else { b'e' };
        let mut digit = text.last() == Some(&b'0');
        let (mut point, mut exponent) = (false, false);
        loop {
            let after_mark =
                exponent && text.last().is_some_and(|byte| byte.eq_ignore_ascii_case(&mark));
            let (seen_digit, seen_point, seen_exponent) = (digit, point, exponent);
            let taken = self.take(left, |byte| {
                byte.is_ascii_digit()
                    || hexadecimal && !seen_exponent && byte.is_ascii_hexdigit()
                    || after_mark && matches!(byte, b'+' | b'-')
                    || seen_digit && !seen_exponent && byte.eq_ignore_ascii_case(&mark)
                    || !seen_point && byte == b'.'
            });
            let Some(byte) = taken else { return };
            if byte == b'.' {
                point = true;
            } else if !exponent && digit && byte.eq_ignore_ascii_case(&mark) {
                exponent = true;
                point = true;
            } else {
                digit = true;
            }
            text.push(byte);
        }
    }
}

fn bytes_of(length: Length) -> usize {
    match length {
        Length::Char => 1,
        Length::Short => 2,
        Length::Default => 4,
        Length::Long | Length::LongLong | Length::LongDouble => 8,
    }
}
