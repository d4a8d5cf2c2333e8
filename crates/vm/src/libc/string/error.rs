//! `strerror` and its like: texts of error and signal numbers in memory.

use crate::builtin::Context;
use crate::builtin::{Args, Flow};
use crate::libc::{library, messages};
use crate::stop::Stop;

type Answer = Result<Flow, Stop>;

const EINVAL: i32 = 22;
const ERANGE: i32 = 34;

impl Context<'_, '_> {
    /// A message in memory: known ones are process-wide constants, others
    /// are written into a buffer of the thread.
    fn message(&mut self, slot: Option<u16>, mut text: Vec<u8>) -> Result<u64, Stop> {
        text.push(0);
        match slot {
            Some(slot) => Ok(self.library_table(slot, |_| text)),
            None => {
                let buffer = self.thread_variable(library::UNKNOWN_TEXT, || vec![0; 40]);
                self.write_bytes(buffer, &text, &[])?;
                Ok(buffer)
            }
        }
    }
}

pub fn strerror(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let code = args.i32(0);
    let slot = messages::error(code).map(|_| library::ERROR_TEXTS + code as u16);
    let text = messages::error_text(code);
    Ok(Flow::value(context.message(slot, text.into_bytes())?))
}

/// The GNU variant answers a constant text where there is one.
pub fn strerror_r(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (code, buffer, room) = (args.i32(0), args.ptr(1), args.u64(2));
    if messages::error(code).is_some() {
        return strerror(context, args);
    }
    let text = messages::error_text(code).into_bytes();
    write_cut(context, buffer, room, &text)?;
    Ok(Flow::value(buffer))
}

pub fn xpg_strerror_r(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let (code, buffer, room) = (args.i32(0), args.ptr(1), args.u64(2));
    let text = messages::error_text(code).into_bytes();
    write_cut(context, buffer, room, &text)?;
    let known = messages::error(code).is_some();
    Ok(Flow::int(match (known, (text.len() as u64) < room) {
        (false, _) => EINVAL,
        (true, false) => ERANGE,
        (true, true) => 0,
    }))
}

fn write_cut(
    context: &mut Context<'_, '_>,
    buffer: u64,
    room: u64,
    text: &[u8],
) -> Result<(), Stop> {
    if room == 0 {
        return Ok(());
    }
    let mut cut = text[..text.len().min(room as usize - 1)].to_vec();
    cut.push(0);
    context.write_bytes(buffer, &cut, &[])
}

pub fn strsignal(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let signal = args.i32(0);
    let slot = messages::signal(signal).map(|_| library::SIGNAL_TEXTS + signal as u16);
    let text = messages::signal_text(signal);
    Ok(Flow::value(context.message(slot, text.into_bytes())?))
}
