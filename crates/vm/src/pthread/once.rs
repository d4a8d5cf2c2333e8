//! One-time initialisation. The word is 0 (not done), 1 (running, with the
//! number of the thread that runs it above) or 2 (done). The routine runs in a
//! frame above the call, which is then executed again.
//!
//! The section of the call stays open while its own thread runs the routine.

use exeunt_model::SectionKind;
use exeunt_model::words::Doing;

use super::OK;
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, ONCE, Orders, row};
use crate::stop::{Stop, Waiting};
use crate::thread::Section;
use crate::thread::frame::OnReturn;

pub const TABLE: &[Builtin] = &[
    row("pthread_once", "i:pp", Effect::Wait(SectionKind::Once), once)
        .syncs(ONCE)
        .orders(Orders::AcquiresAlways)
        .moves_control(),
    row("call_once", "v:pp", Effect::Wait(SectionKind::Once), once)
        .syncs(ONCE)
        .orders(Orders::AcquiresAlways)
        .moves_control(),
];

const RUNNING: u32 = 1;
const DONE: u32 = 2;
/// How far up the number of the thread is.
const RUNNER: u32 = 8;

fn once(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let addr = args.ptr(0);
    match context.field(addr, 0, "once control")? {
        DONE => Ok(OK),
        0 => {
            let routine = context.function_behind(args.ptr(1), "the routine of pthread_once")?;
            context.set_field(addr, 0, RUNNING | context.me() << RUNNER)?;
            context.tell(|m| Doing::BeginsOnce(&m.name_resource(addr)).words());
            context.stay_in_once(addr);
            context.push_internal(routine, &[], OnReturn::Again);
            Ok(Flow::Moved)
        }
        running => Err(Stop::Blocked(Waiting::Once { addr, runner: running >> RUNNER })),
    }
}

impl Context<'_, '_> {
    /// The thread initialises itself: the section of its call is not left yet.
    pub fn stay_in_once(&mut self, addr: u64) {
        let section = Section::new(SectionKind::Once, addr);
        self.own_mut().sections.push(section);
        self.note_kept_open(section);
    }

    /// The control word of the `pthread_once` that the top frame is in, if
    /// this thread runs its routine.
    fn running_once(&mut self) -> Result<Option<u64>, Stop> {
        let frame = *self.top();
        let Some(site) = self.function().call_at(frame.pc) else { return Ok(None) };
        let once =
            self.builtin_of(site).is_some_and(|b| b.effect == Effect::Wait(SectionKind::Once));
        // A guard of C++ has no routine.
        if !once || site.args.len() < 2 {
            return Ok(None);
        }
        let addr = self.register(&frame, site.args[0].slot).value;
        // A constructor that ran before `main` began is not its routine.
        let runs = self.as_sync(|context| context.read(addr, 4))?.value as u32
            == RUNNING | self.me() << RUNNER;
        Ok(runs.then_some(addr))
    }

    /// A frame that has its caller execute the call again has returned: if
    /// that is a once routine, the initialisation is complete. Doing this
    /// with the return is invisible to others: they could only have waited.
    pub fn routine_returned(&mut self) -> Result<(), Stop> {
        let Some(addr) = self.running_once()? else { return Ok(()) };
        self.set_field(addr, 0, DONE)?;
        self.note_done_once(addr);
        // The call is pending again, and with it its section.
        let section = Section::new(SectionKind::Once, addr);
        self.own_mut().sections.retain(|open| *open != section);
        self.tell(|m| Doing::CompletesOnce(&m.name_resource(addr)).words());
        Ok(())
    }

    /// The routine was left by `pthread_exit` or cancellation: it counts as
    /// not run, and the next thread that comes by runs it.
    pub fn routine_abandoned(&mut self) -> Result<(), Stop> {
        let Some(addr) = self.running_once()? else { return Ok(()) };
        self.set_field(addr, 0, 0)?;
        self.close(SectionKind::Once, addr);
        self.tell(|m| Doing::AbandonsOnce(&m.name_resource(addr)).words());
        Ok(())
    }
}
