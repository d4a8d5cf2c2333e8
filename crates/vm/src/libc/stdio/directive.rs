//! The directives of `printf`: what stands between `%` and its letter.

/// The size of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// `hh`
    Char,
    /// `h`
    Short,
    Default,
    /// `l`, `ll`, `j`, `z`, `t`, `q`: all of 64 bits, but only the first
    /// makes `%c` and `%s` wide.
    Long,
    LongLong,
    /// `L`
    LongDouble,
}

/// A number in a directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    None,
    Given(usize),
    /// `*`: the next argument.
    Argument,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Directive {
    pub left: bool,
    pub plus: bool,
    pub space: bool,
    pub alternate: bool,
    pub zero: bool,
    pub width: Amount,
    pub precision: Amount,
    pub length: Length,
    /// The letter; 0 if the format ends before it.
    pub letter: u8,
    /// `%2$d`: which we do not know.
    pub positional: bool,
    /// How many bytes it takes, without the `%`.
    pub size: usize,
}

/// Reads the directive behind a `%`.
pub fn read(text: &[u8]) -> Directive {
    let mut directive = Directive {
        left: false,
        plus: false,
        space: false,
        alternate: false,
        zero: false,
        width: Amount::None,
        precision: Amount::None,
        length: Length::Default,
        letter: 0,
        positional: false,
        size: 0,
    };
    let mut at = 0;
    while let Some(&flag) = text.get(at) {
        match flag {
            b'-' => directive.left = true,
            b'+' => directive.plus = true,
            b' ' => directive.space = true,
            b'#' => directive.alternate = true,
            b'0' => directive.zero = true,
            // The C locale does not group digits and has no others.
            b'\'' | b'I' => {}
            _ => break,
        }
        at += 1;
    }
    (directive.width, at) = amount(text, at);
    if text.get(at) == Some(&b'$') {
        directive.positional = true;
    }
    if text.get(at) == Some(&b'.') {
        (directive.precision, at) = amount(text, at + 1);
        if directive.precision == Amount::None {
            // A point without digits means 0; a negative number means none.
            directive.precision = Amount::Given(0);
            if text.get(at) == Some(&b'-') {
                (_, at) = amount(text, at + 1);
                directive.precision = Amount::None;
            }
        }
    }
    let (length, size) = length(&text[at..]);
    directive.length = length;
    at += size;
    directive.letter = text.get(at).copied().unwrap_or(0);
    directive.size = (at + 1).min(text.len());
    directive
}

fn amount(text: &[u8], at: usize) -> (Amount, usize) {
    if text.get(at) == Some(&b'*') {
        return (Amount::Argument, at + 1);
    }
    let count = text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if count == 0 {
        return (Amount::None, at);
    }
    let digits = &text[at..at + count];
    let value =
        digits.iter().fold(0usize, |n, d| n.saturating_mul(10).saturating_add((d - b'0') as usize));
    (Amount::Given(value), at + count)
}

/// A length modifier and how many bytes it takes; `scanf` has the same.
pub fn length(text: &[u8]) -> (Length, usize) {
    match text {
        [b'h', b'h', ..] => (Length::Char, 2),
        [b'h', ..] => (Length::Short, 1),
        [b'l', b'l', ..] => (Length::LongLong, 2),
        [b'l', ..] => (Length::Long, 1),
        [b'j' | b'z' | b't' | b'q' | b'Z', ..] => (Length::LongLong, 1),
        [b'L', ..] => (Length::LongDouble, 1),
        _ => (Length::Default, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_parts_are_found() {
        let directive = read(b"-+08.3lld rest");
        assert!(directive.left && directive.plus && directive.zero && !directive.alternate);
        assert_eq!(directive.width, Amount::Given(8));
        assert_eq!(directive.precision, Amount::Given(3));
        assert_eq!((directive.length, directive.letter), (Length::LongLong, b'd'));
        assert_eq!(directive.size, 9);
        let directive = read(b"*.*f");
        assert_eq!((directive.width, directive.precision), (Amount::Argument, Amount::Argument));
        assert_eq!(read(b".f").precision, Amount::Given(0));
        assert_eq!(read(b"5").letter, 0);
        assert!(read(b"1$d").positional);
    }
}
