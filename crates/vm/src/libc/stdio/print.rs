//! `printf`: from a format and arguments to bytes.

use exeunt_mem::Bits;
use exeunt_model::Property;

use super::arguments::{Arguments, Kind};
use super::decimal::{self, Real, Style, Value};
use super::directive::{self, Amount, Directive, Length};
use crate::builtin::Args;
use crate::builtin::Context;
use crate::libc::messages;
use crate::ops::{f80, int};
use crate::stop::Stop;

const EILSEQ: i32 = 84;
/// Wider fields than this are nothing that we want to make.
const WIDEST: usize = 1 << 20;

/// What a format became.
pub enum Printed {
    Bytes(Vec<u8>),
    /// A wide character has no byte in the C locale; `errno` says so.
    Failed,
}

/// A directive with its numbers at hand.
struct Field {
    directive: Directive,
    width: usize,
    precision: Option<usize>,
    /// As it stands in the format, for messages.
    text: String,
}

/// A formatter at work.
struct Printer<'c, 'm, 'p, 'a> {
    context: &'c mut Context<'m, 'p>,
    args: &'a Args<'a>,
    arguments: Arguments<'a>,
    out: Vec<u8>,
}

/// Formats `format` (an address) with `arguments`.
pub fn print(
    context: &mut Context<'_, '_>,
    args: &Args<'_>,
    format: u64,
    arguments: Arguments<'_>,
) -> Result<Printed, Stop> {
    let format = context.string(args, format)?;
    let mut printer = Printer { context, args, arguments, out: Vec::new() };
    let mut rest = &format[..];
    while let Some(at) = rest.iter().position(|&byte| byte == b'%') {
        printer.out.extend_from_slice(&rest[..at]);
        let directive = directive::read(&rest[at + 1..]);
        let text = String::from_utf8_lossy(&rest[at..at + 1 + directive.size]).into_owned();
        rest = &rest[at + 1 + directive.size..];
        if !printer.directive(directive, text)? {
            printer.context.set_errno(EILSEQ)?;
            return Ok(Printed::Failed);
        }
    }
    printer.out.extend_from_slice(rest);
    Ok(Printed::Bytes(printer.out))
}

impl Printer<'_, '_, '_, '_> {
    fn take(&mut self, kind: Kind, text: &str) -> Result<u64, Stop> {
        Ok(self.arguments.next(self.context, self.args, kind, text)?.0)
    }

    /// `false` if a character cannot be written.
    fn directive(&mut self, directive: Directive, text: String) -> Result<bool, Stop> {
        if directive.positional {
            return Err(Stop::unsupported("numbered arguments in a format (`%1$d`)"));
        }
        let field = self.measure(directive, text)?;
        match directive.letter {
            b'd' | b'i' => self.signed(&field)?,
            b'u' | b'o' | b'x' | b'X' | b'b' | b'B' => self.unsigned(&field)?,
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => self.real(&field)?,
            b'c' if directive.length != Length::Long => {
                let byte = self.take(Kind::Int, &field.text)? as u8;
                self.pad(&field, &[byte]);
            }
            b's' if directive.length != Length::Long => self.string(&field)?,
            b'c' | b'C' => return self.wide_character(&field),
            b's' | b'S' => return self.wide_string(&field),
            b'p' => self.pointer(&field)?,
            b'n' => self.count(&field)?,
            b'm' => {
                let code = self.context.errno()?;
                let text = messages::error_text(code);
                let shown = field.precision.map_or(&text[..], |n| &text[..n.min(text.len())]);
                self.pad(&field, shown.as_bytes());
            }
            b'%' => self.out.push(b'%'),
            _ => return Err(self.unknown(&field)),
        }
        Ok(true)
    }

    fn unknown(&self, field: &Field) -> Stop {
        let name = self.context.callee_name(self.args);
        let message = match field.directive.letter {
            0 => format!("the format of {name} ends in the middle of `{}`", field.text),
            _ => format!("the format of {name} has an unknown directive `{}`", field.text),
        };
        self.context.fault(Property::Undefined, message)
    }

    fn measure(&mut self, mut directive: Directive, text: String) -> Result<Field, Stop> {
        let width = match directive.width {
            Amount::None => 0,
            Amount::Given(width) => width,
            Amount::Argument => {
                let width = self.take(Kind::Int, &text)? as u32 as i32;
                directive.left |= width < 0;
                width.unsigned_abs() as usize
            }
        };
        let precision = match directive.precision {
            Amount::None => None,
            Amount::Given(precision) => Some(precision),
            Amount::Argument => usize::try_from(self.take(Kind::Int, &text)? as u32 as i32).ok(),
        };
        let large = precision.is_some_and(|n| n > WIDEST && !b"sS".contains(&directive.letter));
        if width > WIDEST || large {
            return Err(Stop::unsupported(format!(
                "a field of more than {WIDEST} bytes (`{text}`)"
            )));
        }
        Ok(Field { directive, width, precision, text })
    }

    /// Appends text, filled up with spaces to the width.
    fn pad(&mut self, field: &Field, text: &[u8]) {
        let filler = field.width.saturating_sub(text.len());
        if !field.directive.left {
            self.out.resize(self.out.len() + filler, b' ');
        }
        self.out.extend_from_slice(text);
        if field.directive.left {
            self.out.resize(self.out.len() + filler, b' ');
        }
    }

    /// Appends a number: sign or prefix, zeros if asked for, digits.
    fn number(&mut self, field: &Field, prefix: &str, digits: &str, zeros: bool) {
        let length = prefix.len() + digits.len();
        let zeros = zeros && field.directive.zero && !field.directive.left;
        let filler = if zeros { field.width.saturating_sub(length) } else { 0 };
        self.pad(field, format!("{prefix}{}{digits}", "0".repeat(filler)).as_bytes());
    }

    fn integer(&mut self, field: &Field) -> Result<(u64, u8), Stop> {
        let (kind, width) = match field.directive.length {
            Length::Char => (Kind::Int, 8),
            Length::Short => (Kind::Int, 16),
            Length::Default => (Kind::Int, 32),
            Length::Long | Length::LongLong | Length::LongDouble => (Kind::Long, 64),
        };
        let value = self.take(kind, &field.text)?;
        Ok((value & int::mask(width), width))
    }

    /// Digits with at least as many as the precision says; zero with
    /// precision 0 has none.
    fn digits(field: &Field, value: u64, digits: String) -> String {
        match field.precision {
            Some(0) if value == 0 => String::new(),
            Some(precision) => format!("{digits:0>precision$}"),
            None => digits,
        }
    }

    fn signed(&mut self, field: &Field) -> Result<(), Stop> {
        let (value, width) = self.integer(field)?;
        let value = int::signed(value, width);
        let digits = Self::digits(field, value as u64, value.unsigned_abs().to_string());
        let sign = sign(field, value < 0);
        self.number(field, sign, &digits, field.precision.is_none());
        Ok(())
    }

    fn unsigned(&mut self, field: &Field) -> Result<(), Stop> {
        let (value, _) = self.integer(field)?;
        let digits = match field.directive.letter {
            b'o' => format!("{value:o}"),
            b'x' => format!("{value:x}"),
            b'X' => format!("{value:X}"),
            b'b' | b'B' => format!("{value:b}"),
            _ => value.to_string(),
        };
        let mut digits = Self::digits(field, value, digits);
        let alternate = field.directive.alternate;
        let prefix = match field.directive.letter {
            b'x' if alternate && value != 0 => "0x",
            b'X' if alternate && value != 0 => "0X",
            b'b' if alternate && value != 0 => "0b",
            b'B' if alternate && value != 0 => "0B",
            _ => "",
        };
        if field.directive.letter == b'o' && alternate && !digits.starts_with('0') {
            digits.insert(0, '0');
        }
        self.number(field, prefix, &digits, field.precision.is_none());
        Ok(())
    }

    fn real(&mut self, field: &Field) -> Result<(), Stop> {
        let real = if field.directive.length == Length::LongDouble {
            let (low, high) =
                self.arguments.next(self.context, self.args, Kind::LongDouble, &field.text)?;
            Real::from_f80(f80::from_bits((high as u128) << 64 | low as u128))
        } else {
            Real::from_f64(f64::from_bits(self.take(Kind::Double, &field.text)?))
        };
        let letter = field.directive.letter;
        let style = Style {
            letter: letter.to_ascii_lowercase(),
            precision: field.precision,
            alternate: field.directive.alternate,
        };
        let mut text = decimal::text(real, style);
        let finite = matches!(real.value, Value::Finite { .. });
        let mut prefix = sign(field, real.negative).to_string();
        // Zeros come between 0x and the digits.
        if finite && let Some(digits) = text.strip_prefix("0x") {
            prefix.push_str("0x");
            text = digits.to_string();
        }
        if letter.is_ascii_uppercase() {
            text.make_ascii_uppercase();
            prefix.make_ascii_uppercase();
        }
        self.number(field, &prefix, &text, finite);
        Ok(())
    }

    fn string(&mut self, field: &Field) -> Result<(), Stop> {
        let addr = self.take(Kind::Pointer, &field.text)?;
        if addr == 0 {
            let fits = field.precision.is_none_or(|precision| precision >= 6);
            self.pad(field, if fits { b"(null)" } else { b"" });
            return Ok(());
        }
        let limit = field.precision.map_or(u64::MAX, |precision| precision as u64);
        let text = self.context.string_up_to(self.args, addr, limit)?;
        self.pad(field, &text);
        Ok(())
    }

    fn wide_character(&mut self, field: &Field) -> Result<bool, Stop> {
        let character = self.take(Kind::Int, &field.text)?;
        if character > 0x7f {
            return Ok(false);
        }
        self.pad(field, &[character as u8]);
        Ok(true)
    }

    fn wide_string(&mut self, field: &Field) -> Result<bool, Stop> {
        let addr = self.take(Kind::Pointer, &field.text)?;
        if addr == 0 {
            let fits = field.precision.is_none_or(|precision| precision >= 6);
            self.pad(field, if fits { b"(null)" } else { b"" });
            return Ok(true);
        }
        let mut text = Vec::new();
        while field.precision.is_none_or(|precision| text.len() < precision) {
            let character = self.context.read(addr + 4 * text.len() as u64, 4)?;
            if character.undefined != 0 {
                return Err(self.context.undefined_text(self.args));
            }
            match character.value {
                0 => break,
                1..0x80 => text.push(character.value as u8),
                _ => return Ok(false),
            }
        }
        self.pad(field, &text);
        Ok(true)
    }

    fn pointer(&mut self, field: &Field) -> Result<(), Stop> {
        let addr = self.take(Kind::Pointer, &field.text)?;
        if addr == 0 {
            self.pad(field, b"(nil)");
            return Ok(());
        }
        // From here on anyone who reads the text knows the address.
        self.context.share(exeunt_ir::address::object(addr));
        let digits = Self::digits(field, addr, format!("{addr:x}"));
        let prefix = format!("{}0x", sign(field, false));
        self.number(field, &prefix, &digits, field.precision.is_none());
        Ok(())
    }

    /// `%n`: how much was written so far.
    fn count(&mut self, field: &Field) -> Result<(), Stop> {
        let addr = self.take(Kind::Pointer, &field.text)?;
        let size = match field.directive.length {
            Length::Char => 1,
            Length::Short => 2,
            Length::Default => 4,
            Length::Long | Length::LongLong | Length::LongDouble => 8,
        };
        self.context.write(addr, size, Bits::defined(self.out.len() as u64))
    }
}

fn sign(field: &Field, negative: bool) -> &'static str {
    match (negative, field.directive.plus, field.directive.space) {
        (true, _, _) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    }
}
