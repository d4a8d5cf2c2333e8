//! `string.h` and `strings.h`, in the C locale.
//!
//! Measuring and comparing need defined bytes; copying a block keeps what is
//! undefined. Comparisons answer the difference of the first bytes that
//! differ, as glibc does.

mod error;

use exeunt_mem::{Access, Bits};
use exeunt_model::Property;

use super::library;
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, row};
use crate::stop::Stop;

pub const TABLE: &[Builtin] = &[
    row("memcpy", "p:ppl", Effect::Memory, memcpy),
    row("memmove", "p:ppl", Effect::Memory, memmove),
    row("mempcpy", "p:ppl", Effect::Memory, mempcpy),
    row("memccpy", "p:ppil", Effect::Memory, memccpy),
    row("memset", "p:pi?l", Effect::Memory, memset),
    row("explicit_bzero", "v:pl", Effect::Memory, bzero),
    row("bzero", "v:pl", Effect::Memory, bzero),
    row("bcopy", "v:ppl", Effect::Memory, bcopy),
    row("memcmp", "i:ppl", Effect::Memory, memcmp),
    row("bcmp", "i:ppl", Effect::Memory, memcmp),
    row("memchr", "p:pil", Effect::Memory, memchr),
    row("memrchr", "p:pil", Effect::Memory, memrchr),
    row("rawmemchr", "p:pi", Effect::Memory, rawmemchr),
    row("memmem", "p:plpl", Effect::Memory, memmem),
    row("strlen", "l:p", Effect::Memory, strlen),
    row("strnlen", "l:pl", Effect::Memory, strnlen),
    row("strcpy", "p:pp", Effect::Memory, strcpy),
    row("stpcpy", "p:pp", Effect::Memory, stpcpy),
    row("strncpy", "p:ppl", Effect::Memory, strncpy),
    row("stpncpy", "p:ppl", Effect::Memory, stpncpy),
    row("strlcpy", "l:ppl", Effect::Memory, strlcpy),
    row("strcat", "p:pp", Effect::Memory, strcat),
    row("strncat", "p:ppl", Effect::Memory, strncat),
    row("strlcat", "l:ppl", Effect::Memory, strlcat),
    row("strcmp", "i:pp", Effect::Memory, strcmp),
    row("strcoll", "i:pp", Effect::Memory, strcmp),
    row("strncmp", "i:ppl", Effect::Memory, strncmp),
    row("strcasecmp", "i:pp", Effect::Memory, strcasecmp),
    row("strncasecmp", "i:ppl", Effect::Memory, strncasecmp),
    row("strverscmp", "i:pp", Effect::Memory, strverscmp),
    row("strxfrm", "l:ppl", Effect::Memory, strxfrm),
    row("strchr", "p:pi", Effect::Memory, strchr),
    row("index", "p:pi", Effect::Memory, strchr),
    row("strchrnul", "p:pi", Effect::Memory, strchrnul),
    row("strrchr", "p:pi", Effect::Memory, strrchr),
    row("rindex", "p:pi", Effect::Memory, strrchr),
    row("strstr", "p:pp", Effect::Memory, strstr),
    row("strcasestr", "p:pp", Effect::Memory, strcasestr),
    row("strspn", "l:pp", Effect::Memory, strspn),
    row("strcspn", "l:pp", Effect::Memory, strcspn),
    row("strpbrk", "p:pp", Effect::Memory, strpbrk),
    row("strtok", "p:pp", Effect::Indirect, strtok),
    row("strtok_r", "p:ppp", Effect::Indirect, strtok_r),
    row("__strtok_r", "p:ppp", Effect::Indirect, strtok_r),
    row("strsep", "p:pp", Effect::Indirect, strsep),
    row("strdup", "p:p", Effect::Memory, strdup).allocating(),
    row("__strdup", "p:p", Effect::Memory, strdup).allocating(),
    row("strndup", "p:pl", Effect::Memory, strndup).allocating(),
    row("__strndup", "p:pl", Effect::Memory, strndup).allocating(),
    row("strerror", "p:i", Effect::Local, error::strerror),
    row("strerror_r", "p:ipl", Effect::Memory, error::strerror_r),
    row("__xpg_strerror_r", "i:ipl", Effect::Memory, error::xpg_strerror_r),
    row("strsignal", "p:i", Effect::Local, error::strsignal),
    row("ffs", "i:i", Effect::Local, ffs),
    row("ffsl", "i:l", Effect::Local, ffsl),
    row("ffsll", "i:l", Effect::Local, ffsl),
    row("__memcpy_chk", "p:ppll", Effect::Memory, memcpy),
    row("__memmove_chk", "p:ppll", Effect::Memory, memmove),
    row("__mempcpy_chk", "p:ppll", Effect::Memory, mempcpy),
    row("__memset_chk", "p:pi?ll", Effect::Memory, memset),
    row("__explicit_bzero_chk", "v:pll", Effect::Memory, bzero),
    row("__strcpy_chk", "p:ppl", Effect::Memory, strcpy),
    row("__stpcpy_chk", "p:ppl", Effect::Memory, stpcpy),
    row("__strncpy_chk", "p:ppll", Effect::Memory, strncpy),
    row("__stpncpy_chk", "p:ppll", Effect::Memory, stpncpy),
    row("__strlcpy_chk", "l:ppll", Effect::Memory, strlcpy),
    row("__strcat_chk", "p:ppl", Effect::Memory, strcat),
    row("__strncat_chk", "p:ppll", Effect::Memory, strncat),
    row("__strlcat_chk", "l:ppll", Effect::Memory, strlcat),
];

type Answer = Result<Flow, Stop>;

impl Context<'_, '_> {
    /// Fortified variants pass the room at the destination as well, which may
    /// be less than its object has (a member of a struct).
    fn check_room(&self, args: &Args<'_>, plain: usize, needed: u64) -> Result<(), Stop> {
        match args.values.get(plain) {
            Some(room) if room.low.value < needed => {
                let name = self.callee_name(args).trim_start_matches("__");
                let name = name.trim_end_matches("_chk");
                let message = format!(
                    "buffer overflow: {name} writes {needed} bytes where there is room for {}",
                    room.low.value
                );
                Err(self.fault(Property::Memory, message))
            }
            _ => Ok(()),
        }
    }
}

fn found(addr: u64, at: Option<usize>) -> Flow {
    Flow::value(at.map_or(0, |at| addr + at as u64))
}

/// The byte that a C `int` argument means.
fn byte(args: &Args<'_>, index: usize) -> u8 {
    args.u64(index) as u8
}

// ---- blocks -------------------------------------------------------------------

fn copy_block(
    context: &mut Context<'_, '_>,
    args: &Args<'_>,
    may_overlap: bool,
) -> Result<(), Stop> {
    context.check_room(args, 3, args.u64(2))?;
    let bits = |index: usize| args.values[index].low;
    context.copy(bits(0), bits(1), bits(2), may_overlap)
}

fn memcpy(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    copy_block(context, args, false)?;
    Ok(Flow::value(args.ptr(0)))
}

fn memmove(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    copy_block(context, args, true)?;
    Ok(Flow::value(args.ptr(0)))
}

fn mempcpy(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    copy_block(context, args, false)?;
    Ok(Flow::value(args.ptr(0) + args.u64(2)))
}

fn memccpy(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (dst, src, last) = (args.ptr(0), args.ptr(1), byte(args, 2));
    let text = context.scan(args, src, args.u64(3), |byte| byte == last)?;
    context.copy_text(args, dst, src, &text)?;
    let stopped = text.last() == Some(&last);
    Ok(found(dst, stopped.then_some(text.len())))
}

fn memset(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    context.check_room(args, 3, args.u64(2))?;
    let value = args.values[1].low;
    let value = Bits { value: value.value & 0xff, undefined: value.undefined & 0xff };
    context.fill(args.values[0].low, value, args.values[2].low)?;
    Ok(Flow::value(args.ptr(0)))
}

fn bzero(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    context.check_room(args, 2, args.u64(1))?;
    context.fill(args.values[0].low, Bits::default(), args.values[1].low)?;
    Ok(Flow::VOID)
}

fn bcopy(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let bits = |index: usize| args.values[index].low;
    context.copy(bits(1), bits(0), bits(2), true)?;
    Ok(Flow::VOID)
}

fn memcmp(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (a, b, len) = (args.ptr(0), args.ptr(1), args.u64(2));
    if len == 0 {
        return Ok(Flow::int(0));
    }
    let (left, left_shadow) = context.read_bytes(a, len)?;
    let (right, right_shadow) = context.read_bytes(b, len)?;
    for at in 0..len as usize {
        if left_shadow.get(at).unwrap_or(&0) | right_shadow.get(at).unwrap_or(&0) != 0 {
            return Err(context.undefined_text(args));
        }
        if left[at] != right[at] {
            return Ok(Flow::int(left[at] as i32 - right[at] as i32));
        }
    }
    Ok(Flow::int(0))
}

fn memchr(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let wanted = byte(args, 1);
    let text = context.scan(args, args.ptr(0), args.u64(2), |byte| byte == wanted)?;
    Ok(found(args.ptr(0), text.iter().position(|&byte| byte == wanted)))
}

fn rawmemchr(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let wanted = byte(args, 1);
    let text = context.scan(args, args.ptr(0), u64::MAX, |byte| byte == wanted)?;
    Ok(Flow::value(args.ptr(0) + text.len() as u64 - 1))
}

fn memrchr(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let wanted = byte(args, 1);
    let text = context.defined_bytes(args, args.ptr(0), args.u64(2))?;
    Ok(found(args.ptr(0), text.iter().rposition(|&byte| byte == wanted)))
}

fn memmem(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let needle = context.defined_bytes(args, args.ptr(2), args.u64(3))?;
    if needle.is_empty() {
        return Ok(Flow::value(args.ptr(0)));
    }
    let hay = context.defined_bytes(args, args.ptr(0), args.u64(1))?;
    Ok(found(args.ptr(0), position(&hay, &needle)))
}

fn position(hay: &[u8], needle: &[u8]) -> Option<usize> {
    if needle.is_empty() {
        return Some(0);
    }
    hay.windows(needle.len()).position(|window| window == needle)
}

// ---- measuring and copying strings --------------------------------------------

fn strlen(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let text = context.string(args, args.ptr(0))?;
    Ok(Flow::value(text.len() as u64))
}

fn strnlen(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let text = context.string_up_to(args, args.ptr(0), args.u64(1))?;
    Ok(Flow::value(text.len() as u64))
}

/// Copies a whole string; gives the number of bytes before its end.
fn copy_string(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<u64, Stop> {
    let (dst, src) = (args.ptr(0), args.ptr(1));
    let text = context.scan(args, src, u64::MAX, |byte| byte == 0)?;
    context.check_room(args, 2, text.len() as u64)?;
    context.copy_text(args, dst, src, &text)?;
    Ok(text.len() as u64 - 1)
}

fn strcpy(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    copy_string(context, args)?;
    Ok(Flow::value(args.ptr(0)))
}

fn stpcpy(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let length = copy_string(context, args)?;
    Ok(Flow::value(args.ptr(0) + length))
}

/// Copies at most `n` bytes and fills up with zeros; gives the length copied.
fn copy_padded(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<u64, Stop> {
    let (dst, src, room) = (args.ptr(0), args.ptr(1), args.u64(2));
    context.check_room(args, 3, room)?;
    let mut text = context.string_up_to(args, src, room)?;
    let length = text.len() as u64;
    if length < room {
        // Padding may be long; the destination is checked before it is made.
        if let Err(error) = context.check(dst, room, Access::Write) {
            return Err(context.memory_fault(error, Access::Write, room));
        }
        text.resize(room as usize, 0);
    }
    let overlap = (room.min(length + 1)) as usize;
    context.copy_text(args, dst, src, &text[..overlap])?;
    context.write_bytes(dst, &text, &[])?;
    Ok(length)
}

fn strncpy(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    copy_padded(context, args)?;
    Ok(Flow::value(args.ptr(0)))
}

fn stpncpy(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let length = copy_padded(context, args)?;
    Ok(Flow::value(args.ptr(0) + length))
}

fn strlcpy(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (dst, src, room) = (args.ptr(0), args.ptr(1), args.u64(2));
    context.check_room(args, 3, room)?;
    let text = context.string(args, src)?;
    if room > 0 {
        let mut copied = text[..text.len().min(room as usize - 1)].to_vec();
        copied.push(0);
        context.copy_text(args, dst, src, &copied)?;
    }
    Ok(Flow::value(text.len() as u64))
}

fn append(
    context: &mut Context<'_, '_>,
    args: &Args<'_>,
    mut text: Vec<u8>,
    room: usize,
) -> Answer {
    let (dst, src) = (args.ptr(0), args.ptr(1));
    let end = context.string(args, dst)?.len() as u64;
    text.push(0);
    context.check_room(args, room, end + text.len() as u64)?;
    context.copy_text(args, dst + end, src, &text)?;
    Ok(Flow::value(dst))
}

fn strcat(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let text = context.string(args, args.ptr(1))?;
    append(context, args, text, 2)
}

fn strncat(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let text = context.string_up_to(args, args.ptr(1), args.u64(2))?;
    append(context, args, text, 3)
}

fn strlcat(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (dst, src, room) = (args.ptr(0), args.ptr(1), args.u64(2));
    context.check_room(args, 3, room)?;
    let old = context.string_up_to(args, dst, room)?.len() as u64;
    let text = context.string(args, src)?;
    if old < room {
        let mut copied = text[..text.len().min((room - old - 1) as usize)].to_vec();
        copied.push(0);
        context.copy_text(args, dst + old, src, &copied)?;
    }
    Ok(Flow::value(old + text.len() as u64))
}

/// In the C locale a string is its own key.
fn strxfrm(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (dst, src, room) = (args.ptr(0), args.ptr(1), args.u64(2));
    let text = context.scan(args, src, u64::MAX, |byte| byte == 0)?;
    let copied = text.len().min(room as usize);
    context.copy_text(args, dst, src, &text[..copied])?;
    Ok(Flow::value(text.len() as u64 - 1))
}

// ---- comparing ------------------------------------------------------------------

/// Compares byte by byte after `fold`; bytes behind the first difference do
/// not matter.
fn compare(
    context: &mut Context<'_, '_>,
    args: &Args<'_>,
    limit: u64,
    fold: fn(u8) -> u8,
) -> Result<i32, Stop> {
    let (a, b) = (args.ptr(0), args.ptr(1));
    for at in 0..limit {
        let left = context.read(a.wrapping_add(at), 1)?;
        let right = context.read(b.wrapping_add(at), 1)?;
        if (left.undefined | right.undefined) & 0xff != 0 {
            return Err(context.undefined_text(args));
        }
        let (left, right) = (fold(left.value as u8), fold(right.value as u8));
        if left != right || left == 0 {
            return Ok(left as i32 - right as i32);
        }
    }
    Ok(0)
}

fn same(byte: u8) -> u8 {
    byte
}

fn lower(byte: u8) -> u8 {
    byte.to_ascii_lowercase()
}

fn strcmp(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(Flow::int(compare(context, args, u64::MAX, same)?))
}

fn strncmp(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(Flow::int(compare(context, args, args.u64(2), same)?))
}

fn strcasecmp(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(Flow::int(compare(context, args, u64::MAX, lower)?))
}

fn strncasecmp(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(Flow::int(compare(context, args, args.u64(2), lower)?))
}

fn strverscmp(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let a = context.string(args, args.ptr(0))?;
    let b = context.string(args, args.ptr(1))?;
    Ok(Flow::int(compare_versions(&a, &b)))
}

/// glibc's automaton of `strverscmp`: digits compare as numbers, except that
/// leading zeros make them fractions.
fn compare_versions(a: &[u8], b: &[u8]) -> i32 {
    // States: 0 normal, 3 integral part, 6 fractional part, 9 leading zeros.
    const NEXT: [u8; 12] = [0, 3, 9, 0, 3, 3, 0, 6, 6, 0, 6, 9];
    const CMP: i8 = 2;
    const LEN: i8 = 3;
    #[rustfmt::skip]
    const RESULT: [i8; 36] = [
        CMP, CMP, CMP, CMP, LEN, CMP, CMP, CMP, CMP,
        CMP, -1, -1, 1, LEN, LEN, 1, LEN, LEN,
        CMP, CMP, CMP, CMP, CMP, CMP, CMP, CMP, CMP,
        CMP, 1, 1, -1, CMP, CMP, -1, CMP, CMP,
    ];
    let class = |c: u8| (c == b'0') as usize + c.is_ascii_digit() as usize;
    let at = |text: &[u8], i: usize| text.get(i).copied().unwrap_or(0);
    let mut i = 1;
    let (mut c1, mut c2) = (at(a, 0), at(b, 0));
    let mut state = class(c1);
    let mut diff = c1 as i32 - c2 as i32;
    while diff == 0 {
        if c1 == 0 {
            return 0;
        }
        state = NEXT[state] as usize;
        (c1, c2) = (at(a, i), at(b, i));
        i += 1;
        state += class(c1);
        diff = c1 as i32 - c2 as i32;
    }
    match RESULT[state * 3 + class(c2)] {
        CMP => diff,
        LEN => {
            let (mut left, mut right) = (i, i);
            while at(a, left).is_ascii_digit() {
                if !at(b, right).is_ascii_digit() {
                    return 1;
                }
                left += 1;
                right += 1;
            }
            if at(b, right).is_ascii_digit() { -1 } else { diff }
        }
        sign => sign as i32,
    }
}

// ---- searching --------------------------------------------------------------------

fn strchr(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let wanted = byte(args, 1);
    let text = context.scan(args, args.ptr(0), u64::MAX, |byte| byte == wanted || byte == 0)?;
    Ok(found(args.ptr(0), text.iter().position(|&byte| byte == wanted)))
}

fn strchrnul(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let wanted = byte(args, 1);
    let text = context.scan(args, args.ptr(0), u64::MAX, |byte| byte == wanted || byte == 0)?;
    Ok(Flow::value(args.ptr(0) + text.len() as u64 - 1))
}

fn strrchr(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let wanted = byte(args, 1);
    let text = context.scan(args, args.ptr(0), u64::MAX, |byte| byte == 0)?;
    Ok(found(args.ptr(0), text.iter().rposition(|&byte| byte == wanted)))
}

fn strstr(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let hay = context.string(args, args.ptr(0))?;
    let needle = context.string(args, args.ptr(1))?;
    Ok(found(args.ptr(0), position(&hay, &needle)))
}

fn strcasestr(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let hay = context.string(args, args.ptr(0))?.to_ascii_lowercase();
    let needle = context.string(args, args.ptr(1))?.to_ascii_lowercase();
    Ok(found(args.ptr(0), position(&hay, &needle)))
}

/// How many bytes at `addr` are (or are not) in the set.
fn span(
    context: &mut Context<'_, '_>,
    args: &Args<'_>,
    addr: u64,
    set: &[u8],
    inside: bool,
) -> Result<usize, Stop> {
    let text =
        context.scan(args, addr, u64::MAX, |byte| byte == 0 || set.contains(&byte) != inside)?;
    Ok(text.len() - 1)
}

fn strspn(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let set = context.string(args, args.ptr(1))?;
    Ok(Flow::value(span(context, args, args.ptr(0), &set, true)? as u64))
}

fn strcspn(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let set = context.string(args, args.ptr(1))?;
    Ok(Flow::value(span(context, args, args.ptr(0), &set, false)? as u64))
}

fn strpbrk(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let set = context.string(args, args.ptr(1))?;
    let addr = args.ptr(0);
    let text = context.scan(args, addr, u64::MAX, |byte| byte == 0 || set.contains(&byte))?;
    let hit = text.last() != Some(&0);
    Ok(found(addr, hit.then_some(text.len() - 1)))
}

/// The next token at `start` and where to go on after it.
fn token(context: &mut Context<'_, '_>, args: &Args<'_>, start: u64) -> Result<(u64, u64), Stop> {
    let set = context.string(args, args.ptr(1))?;
    let begin = start + span(context, args, start, &set, true)? as u64;
    if context.read(begin, 1)?.value == 0 {
        return Ok((0, begin));
    }
    let end = begin + span(context, args, begin, &set, false)? as u64;
    if context.read(end, 1)?.value == 0 {
        return Ok((begin, end));
    }
    context.write(end, 1, Bits::defined(0))?;
    Ok((begin, end + 1))
}

/// The place where `strtok` remembers its position is process-wide.
fn strtok(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let place = context.library_variable(library::STRTOK, || vec![0; 8]);
    let start = if args.ptr(0) != 0 { args.ptr(0) } else { context.kept_word(place)? };
    let (begin, next) = token(context, args, start)?;
    context.keep_word(place, next)?;
    Ok(Flow::value(begin))
}

fn strtok_r(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let place = args.ptr(2);
    let start = if args.ptr(0) != 0 { args.ptr(0) } else { pointer_at(context, args, place)? };
    let (begin, next) = token(context, args, start)?;
    context.write(place, 8, Bits::defined(next))?;
    Ok(Flow::value(begin))
}

fn pointer_at(context: &mut Context<'_, '_>, args: &Args<'_>, place: u64) -> Result<u64, Stop> {
    let word = context.read(place, 8)?;
    if word.undefined != 0 {
        return Err(context.undefined_text(args));
    }
    Ok(word.value)
}

fn strsep(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let place = args.ptr(0);
    let begin = pointer_at(context, args, place)?;
    if begin == 0 {
        return Ok(Flow::value(0));
    }
    let set = context.string(args, args.ptr(1))?;
    let end = begin + span(context, args, begin, &set, false)? as u64;
    let last = context.read(end, 1)?.value == 0;
    if !last {
        context.write(end, 1, Bits::defined(0))?;
    }
    context.write(place, 8, Bits::defined(if last { 0 } else { end + 1 }))?;
    Ok(Flow::value(begin))
}

// ---- new strings --------------------------------------------------------------------

fn duplicate(context: &mut Context<'_, '_>, mut text: Vec<u8>) -> Answer {
    text.push(0);
    let copy = context.heap_block(text.len() as u64, false)?;
    if copy != 0 {
        context.write_bytes(copy, &text, &[])?;
    }
    Ok(Flow::value(copy))
}

fn strdup(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let text = context.string(args, args.ptr(0))?;
    duplicate(context, text)
}

fn strndup(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let text = context.string_up_to(args, args.ptr(0), args.u64(1))?;
    duplicate(context, text)
}

// ---- bits ---------------------------------------------------------------------------

fn first_set(value: u64) -> Flow {
    Flow::int(if value == 0 { 0 } else { value.trailing_zeros() as i32 + 1 })
}

fn ffs(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(first_set(args.u64(0) & u32::MAX as u64))
}

fn ffsl(_: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(first_set(args.u64(0)))
}
