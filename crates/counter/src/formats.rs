//! Output functions that write to memory: `%n` stores how much was written so far.

use exeunt_ir::{FuncId, Program};

use crate::address::{Object, Value};

/// Output functions, with the argument that has the format.
const FORMATTED: &[(&str, usize)] = &[("printf", 0), ("fprintf", 1)];

/// Whether a call with these arguments may write behind the arguments of its format.
pub(crate) fn may_write(program: &Program, callee: FuncId, args: &[Value]) -> bool {
    let name = &*program.function(callee).name;
    let row = FORMATTED.iter().find(|(known, _)| *known == name);
    let Some((_, index)) = row else { return false };
    match args.get(*index).and_then(|format| text(program, format)) {
        Some(format) => counts(format),
        None => args.len() > index + 1,
    }
}

/// A string that nobody changes.
fn text<'p>(program: &'p Program, value: &Value) -> Option<&'p [u8]> {
    let Value::Address(Object::Global(id), offset) = value else { return None };
    let global = program.globals.get(id.0 as usize).filter(|global| global.constant)?;
    global.data.get(usize::try_from(*offset).ok()?..)
}

/// Between the sign and the letter of a conversion: flags, width, length.
const BETWEEN: &[u8] = b"0123456789#- +'*.$hljztLq";

/// Whether a conversion is `%n`, perhaps with a width and a length.
fn counts(format: &[u8]) -> bool {
    let mut rest = format.split(|byte| *byte == 0).next().unwrap_or_default();
    while let Some(sign) = rest.iter().position(|byte| *byte == b'%') {
        let behind = &rest[sign + 1..];
        let skipped = behind.iter().take_while(|byte| BETWEEN.contains(byte)).count();
        match behind.get(skipped) {
            Some(b'n') => return true,
            Some(_) => rest = &behind[skipped + 1..],
            None => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::counts;

    #[test]
    fn counting_is_seen() {
        for format in ["%n", "a%d%hhn", "%%%n", "%5ln\0"] {
            assert!(counts(format.as_bytes()), "{format}");
        }
        for format in ["", "n", "%d n", "%%n", "%ldn", "%s\0%n", "%%%%n"] {
            assert!(!counts(format.as_bytes()), "{format}");
        }
    }
}
