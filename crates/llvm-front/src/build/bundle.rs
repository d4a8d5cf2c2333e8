//! The form of the bitcode of one source inside of a section.
//!
//! A linker writes sections one behind the other and may put zeros between them, so each record
//! says where it begins and how long it is. A checksum tells damage, because LLVM's reader may
//! abort on damaged bitcode. The bitcode is packed: build systems look for words in
//! objects, such as the name of the compiler, and clang's answers must not be among them.

/// How a record begins; the last byte is the version of this form.
const MAGIC: [u8; 8] = *b"\x7fEXEUNT\x01";
const HEAD: usize = MAGIC.len() + 16;
/// Quick, and small enough.
const LEVEL: u8 = 3;
/// More than any bitcode has.
const MOST: usize = 1 << 30;

/// What is known about one source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The source as it was named to the compiler.
    pub file: String,
    pub content: Content,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    Bitcode(Vec<u8>),
    /// What clang said about a source that only the native compiler takes.
    Refused(String),
}

/// A record as it is in a section.
pub(super) fn encode(unit: &Unit) -> Vec<u8> {
    let (kind, bytes) = match &unit.content {
        Content::Bitcode(bytes) => (0, &bytes[..]),
        Content::Refused(message) => (1, message.as_bytes()),
    };
    let mut plain = vec![kind];
    plain.extend((unit.file.len() as u64).to_le_bytes());
    plain.extend(unit.file.as_bytes());
    plain.extend(bytes);
    let packed = miniz_oxide::deflate::compress_to_vec(&plain, LEVEL);
    let mut record = MAGIC.to_vec();
    record.extend((packed.len() as u64).to_le_bytes());
    record.extend(checksum(&packed).to_le_bytes());
    record.extend(packed);
    record
}

/// All records of a section.
pub(super) fn decode(mut section: &[u8]) -> Result<Vec<Unit>, String> {
    let mut units = Vec::new();
    loop {
        let zeros = section.iter().take_while(|byte| **byte == 0).count();
        section = &section[zeros..];
        if section.is_empty() {
            return Ok(units);
        }
        let (unit, rest) = record(section)?;
        units.push(unit);
        section = rest;
    }
}

fn record(section: &[u8]) -> Result<(Unit, &[u8]), String> {
    let damaged = || "its bitcode is damaged".to_string();
    let (head, rest) = section.split_at_checked(HEAD).ok_or_else(damaged)?;
    let number = |from: usize| {
        u64::from_le_bytes(head[from..from + 8].try_into().expect("eight bytes of the head"))
    };
    if head[..MAGIC.len() - 1] != MAGIC[..MAGIC.len() - 1] {
        return Err(damaged());
    }
    if head[..MAGIC.len()] != MAGIC {
        return Err("its bitcode was kept by another version of exeunt".to_string());
    }
    let length = usize::try_from(number(MAGIC.len())).map_err(|_| damaged())?;
    let (packed, rest) = rest.split_at_checked(length).ok_or_else(damaged)?;
    if checksum(packed) != number(MAGIC.len() + 8) {
        return Err(damaged());
    }
    let plain = miniz_oxide::inflate::decompress_to_vec_with_limit(packed, MOST);
    Ok((unit(&plain.map_err(|_| damaged())?).ok_or_else(damaged)?, rest))
}

fn unit(plain: &[u8]) -> Option<Unit> {
    let (kind, rest) = plain.split_first()?;
    let (length, rest) = rest.split_first_chunk::<8>()?;
    let (file, bytes) =
        rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    let file = String::from_utf8(file.to_vec()).ok()?;
    let content = match kind {
        0 => Content::Bitcode(bytes.to_vec()),
        1 => Content::Refused(String::from_utf8_lossy(bytes).into_owned()),
        _ => return None,
    };
    Some(Unit { file, content })
}

/// FNV-1a.
fn checksum(bytes: &[u8]) -> u64 {
    let step = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> Vec<Unit> {
        let unit = |file: &str, content| Unit { file: file.into(), content };
        vec![
            unit("a.c", Content::Bitcode(vec![7; 1000])),
            unit("b.cpp", Content::Refused("error: nested functions".into())),
        ]
    }

    #[test]
    fn records_are_read_back_with_padding_between_them() {
        let units = two();
        let section = [encode(&units[0]), vec![0; 5], encode(&units[1]), vec![0; 3]].concat();
        assert_eq!(decode(&section).expect("whole"), units);
        assert_eq!(decode(&[0; 9]).expect("empty"), []);
    }

    #[test]
    fn damage_is_noticed() {
        let section = encode(&two()[0]);
        for at in 0..section.len() {
            let mut bad = section.clone();
            bad[at] ^= 0x55;
            assert!(decode(&bad).is_err(), "byte {at}");
            assert!(at == 0 || decode(&section[..at]).is_err(), "cut at {at}");
        }
    }
}
