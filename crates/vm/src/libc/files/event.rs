//! `sys/eventfd.h`: counters that threads wait for.

use exeunt_mem::Bits;
use exeunt_model::SectionKind;
use libc::{EAGAIN, EBADF, EINVAL, EMFILE};

use super::Outcome::{self, Done, Failed};
use super::{Files, Kind};
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, row};
use crate::stop::Stop;

const WAIT: Effect = Effect::Wait(SectionKind::FileWait);
const V: Effect = Effect::Visible;

pub const TABLE: &[Builtin] = &[
    row("eventfd", "i:ii", V, event),
    row("eventfd_read", "i:ip", WAIT, read_event).cancels(),
    row("eventfd_write", "i:il", WAIT, write_event).cancels(),
];

type Answer = Result<Flow, Stop>;

const EVENT_MOST: u64 = u64::MAX - 1;
/// Marks an event with EFD_SEMAPHORE.
const SEMAPHORE: &[u8] = b"\0semaphore";

impl Context<'_, '_> {
    pub fn add_to_event(
        &mut self,
        files: &mut Files,
        descriptor: i32,
        bytes: &[u8],
    ) -> Result<Outcome<u64>, Stop> {
        let Ok(word) = <[u8; 8]>::try_from(bytes.get(..8).unwrap_or_default()) else {
            return Ok(Failed(EINVAL));
        };
        let added = u64::from_le_bytes(word);
        let Some(at) = files.behind(descriptor) else { return Ok(Failed(EBADF)) };
        let node = files.opens[at].node;
        let counter = files.nodes[node].size;
        if added > EVENT_MOST {
            return Ok(Failed(EINVAL));
        }
        if counter.checked_add(added).is_none_or(|sum| sum > EVENT_MOST) {
            return match files.opens[at].waits() {
                true => Err(self.waits_for(descriptor, "a reader of an event")),
                false => Ok(Failed(EAGAIN)),
            };
        }
        files.nodes[node].size = counter + added;
        self.release_node(node);
        self.set_files(files)?;
        self.tell(|_| format!("adds {added} to event {descriptor} (now {})", counter + added));
        Ok(Done(8))
    }

    /// Takes from an event; `None` if the descriptor is not one.
    pub fn take_event(&mut self, descriptor: i32) -> Result<Option<Outcome<u64>>, Stop> {
        let mut files = self.files()?;
        let Some(at) = files.behind(descriptor) else { return Ok(Some(Failed(EBADF))) };
        let node = files.opens[at].node;
        if files.nodes[node].kind != Kind::Event {
            return Ok(None);
        }
        let counter = files.nodes[node].size;
        if counter == 0 {
            return match files.opens[at].waits() {
                true => Err(self.waits_for(descriptor, "an event, which is 0")),
                false => Ok(Some(Failed(EAGAIN))),
            };
        }
        // A semaphore has a name, which no path is.
        let taken = if files.nodes[node].name == SEMAPHORE { 1 } else { counter };
        files.nodes[node].size = counter - taken;
        self.acquire_node(node);
        self.set_files(&files)?;
        self.tell(|_| format!("takes {taken} from event {descriptor}"));
        Ok(Some(Done(taken)))
    }
}

fn event(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let flags = args.i32(1);
    if flags & !(libc::EFD_CLOEXEC | libc::EFD_NONBLOCK | libc::EFD_SEMAPHORE) != 0 {
        return context.failed(EINVAL);
    }
    let mut files = context.files()?;
    let name = if flags & libc::EFD_SEMAPHORE != 0 { SEMAPHORE.to_vec() } else { Vec::new() };
    let node = files.make(Kind::Event, name)?;
    files.nodes[node].size = args.u64(0) & u64::from(u32::MAX);
    let open = files.open(node, libc::O_RDWR | flags);
    let Some(descriptor) = files.describe(open, 0) else { return context.failed(EMFILE) };
    files.set_close_on_exec(descriptor, flags & libc::EFD_CLOEXEC != 0);
    context.set_files(&files)?;
    Ok(Flow::int(descriptor))
}

fn read_event(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    context.check_writable(args.ptr(1), 8)?;
    match context.take_event(args.i32(0))? {
        Some(Done(value)) => {
            context.write(args.ptr(1), 8, Bits::defined(value))?;
            Ok(Flow::int(0))
        }
        Some(Failed(code)) => {
            context.set_errno(code)?;
            Ok(Flow::int(-1))
        }
        None => Err(Stop::unsupported("eventfd_read of what is no event")),
    }
}

fn write_event(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    match context.write_to(args.i32(0), &args.u64(1).to_le_bytes())? {
        Done(_) => Ok(Flow::int(0)),
        Failed(code) => {
            context.set_errno(code)?;
            Ok(Flow::int(-1))
        }
    }
}
