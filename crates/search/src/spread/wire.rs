//! What letters are made of: numbers in groups of seven bits, and text.
//!
//! Letters come from the same program, which wrote them: one that cannot be read
//! is a defect of ours.

use std::sync::Arc;

use exeunt_model::{Label, Location, Unsupported};

/// Appends a number.
#[inline]
pub fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

pub fn put_text(out: &mut Vec<u8>, text: &str) {
    put(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

pub fn put_all<T>(out: &mut Vec<u8>, all: &[T], each: impl Fn(&mut Vec<u8>, &T)) {
    put(out, all.len() as u64);
    all.iter().for_each(|one| each(out, one));
}

pub fn put_location(out: &mut Vec<u8>, location: &Location) {
    put_text(out, &location.file);
    put_text(out, &location.function);
    put(out, u64::from(location.line));
    put(out, u64::from(location.column));
}

pub fn put_label(out: &mut Vec<u8>, label: &Label) {
    put_location(out, &label.location);
    put_text(out, &label.text);
}

pub fn put_unsupported(out: &mut Vec<u8>, limit: &Unsupported) {
    put_text(out, &limit.construct);
    put(out, u64::from(limit.location.is_some()));
    limit.location.iter().for_each(|location| put_location(out, location));
}

/// Reads what was put.
pub struct Reader<'l>(pub &'l [u8]);

impl Reader<'_> {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[inline]
    pub fn take(&mut self) -> u64 {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first().expect("a letter is whole");
            self.0 = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return value;
            }
        }
        panic!("a number in a letter is too long");
    }

    pub fn text(&mut self) -> String {
        let len = self.take() as usize;
        let (text, rest) = self.0.split_at(len);
        self.0 = rest;
        String::from_utf8_lossy(text).into_owned()
    }

    pub fn all<T>(&mut self, each: impl Fn(&mut Self) -> T) -> Vec<T> {
        (0..self.take()).map(|_| each(self)).collect()
    }

    pub fn location(&mut self) -> Location {
        let file = Arc::from(self.text());
        let function = Arc::from(self.text());
        let (line, column) = (self.take() as u32, self.take() as u32);
        Location { file, line, column, function }
    }

    pub fn label(&mut self) -> Label {
        Label { location: self.location(), text: self.text() }
    }

    pub fn unsupported(&mut self) -> Unsupported {
        let construct = self.text();
        let location = (self.take() != 0).then(|| self.location());
        Unsupported { construct, location }
    }
}
