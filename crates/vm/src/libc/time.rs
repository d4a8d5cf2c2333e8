//! `time.h` and `sys/time.h`.
//!
//! How time passes is said in `clock/mod.rs`. Sleeping takes at least the
//! time that was asked for, and a sleeping thread may be resumed at any point. The local
//! time zone is UTC.

mod calendar;

use exeunt_mem::Bits;
use exeunt_model::Property;
use libc::EINVAL;

use self::calendar::Calendar;
use super::library;
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, row};
use crate::clock::{Instant, Part, SECOND};
use crate::stop::Stop;

const CPU_TIME: &str = "the program took no processor time";

pub const TABLE: &[Builtin] = &[
    row("time", "l:p", Effect::Clock, time),
    row("clock", "l:", Effect::Local, clock).outside(CPU_TIME),
    row("gettimeofday", "i:pp", Effect::Clock, gettimeofday),
    row("clock_gettime", "i:ip", Effect::Clock, clock_gettime),
    row("clock_getres", "i:ip", Effect::Memory, clock_getres),
    row("timespec_get", "i:pi", Effect::Clock, timespec_get),
    row("difftime", "d:ll", Effect::Local, difftime).raw_times(),
    row("nanosleep", "i:pp", Effect::Visible, nanosleep).cancels().sleeps(),
    row("clock_nanosleep", "i:iipp", Effect::Visible, clock_nanosleep).cancels().sleeps(),
    row("gmtime", "p:p", Effect::Visible, gmtime),
    row("gmtime_r", "p:pp", Effect::Memory, gmtime_r),
    row("localtime", "p:p", Effect::Visible, localtime).outside("the local time zone was UTC"),
    row("localtime_r", "p:pp", Effect::Memory, localtime_r).outside("the local time zone was UTC"),
    row("mktime", "l:p", Effect::Memory, mktime).outside("the local time zone was UTC"),
    row("timegm", "l:p", Effect::Memory, timegm),
    row("asctime", "p:p", Effect::Visible, asctime),
    row("asctime_r", "p:pp", Effect::Memory, asctime_r),
    row("ctime", "p:p", Effect::Visible, ctime).outside("the local time zone was UTC"),
    row("ctime_r", "p:pp", Effect::Memory, ctime_r).outside("the local time zone was UTC"),
    row("strftime", "l:plpp", Effect::Memory, strftime),
    row("tzset", "v:", Effect::Local, tzset),
];

type Answer = Result<Flow, Stop>;

/// What the clocks show when the program starts: 2001-09-09 01:46:40 UTC, and 1000 seconds after
/// the machine was started.
pub const NOW: i64 = 1_000_000_000;
pub const UPTIME: i64 = 1_000;

// ---- clocks -----------------------------------------------------------------------

/// What a clock shows: seconds, and a part of a second.
fn look(context: &mut Context<'_, '_>, base: i64, part: Part) -> Result<(Bits, Bits), Stop> {
    let look = context.look_at_clock()?;
    Ok((context.shown(base, Part::Seconds, look), context.shown(base, part, look)))
}

fn time(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (seconds, _) = look(context, NOW, Part::Nanoseconds)?;
    if args.ptr(0) != 0 {
        context.write(args.ptr(0), 8, seconds)?;
    }
    Ok(Flow::Return(seconds))
}

fn clock(_: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    Ok(Flow::value(0))
}

fn write_pair(
    context: &mut Context<'_, '_>,
    addr: u64,
    (first, second): (Bits, Bits),
) -> Result<(), Stop> {
    context.write(addr, 8, first)?;
    context.write(addr + 8, 8, second)
}

fn gettimeofday(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    if args.ptr(0) != 0 {
        let shown = look(context, NOW, Part::Microseconds)?;
        write_pair(context, args.ptr(0), shown)?;
    }
    if args.ptr(1) != 0 {
        context.write(args.ptr(1), 8, Bits::defined(0))?;
    }
    Ok(Flow::int(0))
}

/// The seconds that a clock shows at the start of the program.
pub fn reading(clock: i32) -> Option<i64> {
    match clock {
        // CLOCK_REALTIME, _REALTIME_COARSE, _REALTIME_ALARM, _TAI
        0 | 5 | 8 | 11 => Some(NOW),
        // CLOCK_MONOTONIC, _MONOTONIC_RAW, _MONOTONIC_COARSE, _BOOTTIME(_ALARM)
        1 | 4 | 6 | 7 | 9 => Some(UPTIME),
        // CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID
        2 | 3 => Some(0),
        _ => None,
    }
}

/// Processor time is not followed: it does not pass with the other clocks.
fn clock_gettime(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let Some(seconds) = reading(args.i32(0)) else { return context.failed(EINVAL) };
    let shown = match args.i32(0) {
        2 | 3 => {
            context.note_processor_time();
            (Bits::defined(0), Bits::defined(0))
        }
        _ => look(context, seconds, Part::Nanoseconds)?,
    };
    write_pair(context, args.ptr(1), shown)?;
    Ok(Flow::int(0))
}

fn clock_getres(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    if reading(args.i32(0)).is_none() {
        return context.failed(EINVAL);
    }
    if args.ptr(1) != 0 {
        write_pair(context, args.ptr(1), (Bits::defined(0), Bits::defined(1)))?;
    }
    Ok(Flow::int(0))
}

fn timespec_get(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    const TIME_UTC: i32 = 1;
    if args.i32(1) != TIME_UTC {
        return Ok(Flow::int(0));
    }
    let shown = look(context, NOW, Part::Nanoseconds)?;
    write_pair(context, args.ptr(0), shown)?;
    Ok(Flow::int(TIME_UTC))
}

fn difftime(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (after, before) = (args.u64(0), args.u64(1));
    if let Some(followed) = context.difference(after, before) {
        return Ok(Flow::value(followed));
    }
    let difference = (after as i64 as i128 - before as i64 as i128) as f64;
    Ok(Flow::value(difference.to_bits()))
}

// ---- sleeping -----------------------------------------------------------------------

/// The nanoseconds of a `timespec`, if it is one.
fn duration(
    context: &mut Context<'_, '_>,
    args: &Args<'_>,
    addr: u64,
) -> Result<Option<Instant>, Stop> {
    let seconds = context.read(addr, 8)?;
    let nanoseconds = context.read(addr + 8, 8)?;
    if (seconds.undefined | nanoseconds.undefined) != 0 {
        return Err(context.undefined_text(args));
    }
    let (seconds, nanoseconds) = (seconds.value as i64, nanoseconds.value as i64);
    let valid = (0..SECOND).contains(&nanoseconds) && seconds >= 0;
    Ok(valid.then(|| seconds.saturating_mul(SECOND).saturating_add(nanoseconds)))
}

fn nanosleep(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    match duration(context, args, args.ptr(0))? {
        Some(time) => context.sleep(time),
        None => context.failed(EINVAL),
    }
}

/// Answers the error instead of setting `errno`.
fn clock_nanosleep(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    const TIMER_ABSTIME: i32 = 1;
    match (reading(args.i32(0)), duration(context, args, args.ptr(2))?) {
        (Some(base), Some(time)) if args.i32(1) & TIMER_ABSTIME != 0 => {
            let until = time.saturating_sub(base.saturating_mul(SECOND));
            context.sleep_until(until)
        }
        (Some(_), Some(time)) => context.sleep(time),
        (None, _) | (_, None) => Ok(Flow::int(EINVAL)),
    }
}

/// Which zone a date is in. The local one is UTC.
#[derive(Clone, Copy)]
enum Zone {
    Universal,
    Local,
}

// ---- dates --------------------------------------------------------------------------

impl Context<'_, '_> {
    fn instant(&mut self, args: &Args<'_>, index: usize) -> Result<i64, Stop> {
        let word = self.read(args.ptr(index), 8)?;
        if word.undefined != 0 {
            return Err(self.undefined_text(args));
        }
        Ok(word.value as i64)
    }

    /// Writes a `struct tm`; its zone is named as glibc names it.
    fn write_calendar(&mut self, zone: Zone, addr: u64, calendar: &Calendar) -> Result<(), Stop> {
        for (i, field) in calendar.fields().into_iter().enumerate() {
            self.write(addr + 4 * i as u64, 4, Bits::defined(field as u32 as u64))?;
        }
        let (slot, name) = match zone {
            Zone::Universal => (library::ZONE_GMT, b"GMT\0"),
            Zone::Local => (library::ZONE_UTC, b"UTC\0"),
        };
        let zone = self.library_table(slot, |_| name.to_vec());
        self.write(addr + 36, 4, Bits::UNDEFINED)?;
        self.write(addr + 40, 8, Bits::defined(0))?;
        self.write(addr + 48, 8, Bits::defined(zone))
    }

    /// Reads the fields of a `struct tm`; those that were never set are only
    /// an error if somebody asks for them.
    fn read_calendar(&mut self, addr: u64) -> Result<[Option<i32>; 9], Stop> {
        let mut fields = [None; 9];
        for (i, field) in fields.iter_mut().enumerate() {
            let bits = self.read(addr + 4 * i as u64, 4)?;
            *field = (bits.undefined == 0).then_some(bits.value as u32 as i32);
        }
        Ok(fields)
    }

    fn whole_calendar(&mut self, args: &Args<'_>, index: usize) -> Result<Calendar, Stop> {
        let fields = self.read_calendar(args.ptr(index))?;
        let mut known = [0; 9];
        for (field, value) in known.iter_mut().zip(fields) {
            *field = value.unwrap_or(calendar::UNKNOWN);
        }
        Ok(Calendar::from_fields(known))
    }
}

fn to_calendar(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Calendar, Stop> {
    let instant = context.instant(args, 0)?;
    Calendar::at(instant).ok_or_else(|| Stop::unsupported("dates after the year 2147483647"))
}

fn gmtime(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    broken_down(context, args, Zone::Universal)
}

fn localtime(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    broken_down(context, args, Zone::Local)
}

fn broken_down(context: &mut Context<'_, '_>, args: &Args<'_>, zone: Zone) -> Answer {
    let calendar = to_calendar(context, args)?;
    let addr = context.library_variable(library::BROKEN_DOWN_TIME, || vec![0; 56]);
    context.write_calendar(zone, addr, &calendar)?;
    Ok(Flow::value(addr))
}

fn gmtime_r(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    broken_down_into(context, args, Zone::Universal)
}

fn localtime_r(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    broken_down_into(context, args, Zone::Local)
}

fn broken_down_into(context: &mut Context<'_, '_>, args: &Args<'_>, zone: Zone) -> Answer {
    let calendar = to_calendar(context, args)?;
    context.write_calendar(zone, args.ptr(1), &calendar)?;
    Ok(Flow::value(args.ptr(1)))
}

fn mktime(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    put_together(context, args, Zone::Local)
}

fn timegm(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    put_together(context, args, Zone::Universal)
}

/// Fields may be out of their ranges; they are brought back into them.
fn put_together(context: &mut Context<'_, '_>, args: &Args<'_>, zone: Zone) -> Answer {
    let fields = context.read_calendar(args.ptr(0))?;
    let needed = &fields[..6];
    if needed.iter().any(Option::is_none) {
        return Err(context.undefined_text(args));
    }
    let fields = fields.map(Option::unwrap_or_default);
    let instant = Calendar::from_fields(fields).instant();
    let Some(calendar) = Calendar::at(instant) else {
        return Err(Stop::unsupported("dates after the year 2147483647"));
    };
    context.write_calendar(zone, args.ptr(0), &calendar)?;
    Ok(Flow::value(instant as u64))
}

/// The text of `asctime`, or a fault for a date that it cannot write.
fn date_text(
    context: &mut Context<'_, '_>,
    args: &Args<'_>,
    calendar: &Calendar,
) -> Result<Vec<u8>, Stop> {
    if calendar.fields()[..7].contains(&calendar::UNKNOWN) {
        return Err(context.undefined_text(args));
    }
    let text = calendar.text();
    if text.len() > 25 {
        let name = context.callee_name(args);
        let message = format!("{name} overflows its buffer: {}", text.trim_end());
        return Err(context.fault(Property::Undefined, message));
    }
    Ok([text.as_bytes(), b"\0"].concat())
}

fn put_text(context: &mut Context<'_, '_>, addr: u64, text: &[u8]) -> Answer {
    context.write_bytes(addr, text, &[])?;
    Ok(Flow::value(addr))
}

fn text_buffer(context: &mut Context<'_, '_>) -> u64 {
    context.library_variable(library::TIME_TEXT, || vec![0; 26])
}

fn asctime(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let calendar = context.whole_calendar(args, 0)?;
    let text = date_text(context, args, &calendar)?;
    let buffer = text_buffer(context);
    put_text(context, buffer, &text)
}

fn asctime_r(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let calendar = context.whole_calendar(args, 0)?;
    let text = date_text(context, args, &calendar)?;
    put_text(context, args.ptr(1), &text)
}

fn ctime(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let calendar = to_calendar(context, args)?;
    let text = date_text(context, args, &calendar)?;
    let buffer = text_buffer(context);
    put_text(context, buffer, &text)
}

fn ctime_r(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let calendar = to_calendar(context, args)?;
    let text = date_text(context, args, &calendar)?;
    put_text(context, args.ptr(1), &text)
}

fn strftime(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (buffer, room) = (args.ptr(0), args.u64(1));
    let format = context.string(args, args.ptr(2))?;
    let calendar = context.whole_calendar(args, 3)?;
    let zone = if format.contains(&b'Z') { zone_name(context, args)? } else { Vec::new() };
    let zone = String::from_utf8_lossy(&zone);
    let text = match calendar.format(&format, &zone) {
        Ok(text) => text,
        Err(calendar::Unformatted::Undefined) => return Err(context.undefined_text(args)),
        Err(calendar::Unformatted::Unknown(directive)) => {
            let what = format!("`%{}` in a format of strftime", directive as char);
            return Err(Stop::unsupported(what));
        }
    };
    if text.len() as u64 >= room {
        return Ok(Flow::value(0));
    }
    context.write_bytes(buffer, &[&text[..], b"\0"].concat(), &[])?;
    Ok(Flow::value(text.len() as u64))
}

/// The name that a `struct tm` carries; nothing if it has none.
fn zone_name(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Vec<u8>, Stop> {
    let zone = context.read(args.ptr(3) + 48, 8)?;
    match zone {
        Bits { undefined: 0, value: 0 } => Ok(Vec::new()),
        Bits { undefined: 0, value } => context.string(args, value),
        _ => Err(context.undefined_text(args)),
    }
}

fn tzset(_: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    Ok(Flow::VOID)
}
