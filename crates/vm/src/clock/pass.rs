//! How time passes: looks at the clock, sleeping, and deadlines of waits.

use std::hash::{Hash, Hasher};

use exeunt_mem::Bits;
use exeunt_model::ChoiceKind;
use rustc_hash::FxHasher;

use super::{CauseId, Instant, Lesson, Part, Reading, SECOND, Site, Term};
use crate::builtin::{Context, Flow};
use crate::libc::time::{NOW, UPTIME};
use crate::state::system::Wake;
use crate::stop::{Stop, Waiting};

/// What a look at the clock showed.
#[derive(Clone, Copy)]
pub struct Look {
    instant: Instant,
    cause: CauseId,
    site: Site,
}

/// Looks at the clock.
impl Context<'_, '_> {
    /// What the clock shows now, or something later.
    pub fn look_at_clock(&mut self) -> Result<Look, Stop> {
        let site = self.site();
        let (now, cause) = (self.times().now, self.times().cause);
        let clock = self.clock();
        let later = clock.later(site, now, &self.times().looked);
        let beyond = clock.gives_up() as u32;
        let chosen = self.choose(ChoiceKind::Scheduler, later.len() as u32 + 1 + beyond)?;
        let look = match chosen.checked_sub(1).map(|index| later.get(index as usize)) {
            None => Look { instant: now, cause, site },
            Some(Some(point)) => {
                // What comes later would be raised with it.
                self.pass_time(point.instant, clock.cause_through(site, point.cause));
                Look { instant: point.instant, cause: point.cause, site }
            }
            Some(None) => {
                let what = "a clock that shows more instants than are followed";
                return Err(Stop::unsupported(what));
            }
        };
        self.note_look(look);
        Ok(look)
    }

    /// A thread looks at the clock: the first time here, or once more.
    fn note_look(&mut self, look: Look) {
        if !self.clock().moves() {
            return;
        }
        let entry = (look.site, look.instant);
        match self.times().looked.binary_search_by_key(&look.site, |&(site, _)| site) {
            Ok(at) => {
                self.times().looked[at] = entry;
                if self.clock().note_repeated(look.site) == Lesson::New {
                    self.refute();
                }
            }
            Err(at) => self.times().looked.insert(at, entry),
        }
    }

    /// The thread and the call that runs, with its callers.
    fn site(&self) -> Site {
        let mut hasher = FxHasher::default();
        self.me().hash(&mut hasher);
        self.call_stack().iter().take(4).for_each(|place| place.hash(&mut hasher));
        hasher.finish() as u32
    }

    /// A part of what a clock showed, as a word of the program.
    pub fn shown(&mut self, base: i64, part: Part, look: Look) -> Bits {
        let Look { instant, cause, site } = look;
        let reading = Reading { base, part, instant, site, cause };
        let followed = !self.options().fixed_outside;
        let term = followed.then(|| self.clock().intern(Term::Shown(reading))).flatten();
        Bits::defined(term.unwrap_or_else(|| reading.number()))
    }

    /// At least so much time has passed.
    fn pass_time(&mut self, instant: Instant, cause: CauseId) {
        if self.times_matter() && instant > self.times().now {
            self.times().now = instant;
            self.times().cause = cause;
        }
    }

    /// Whether it is kept when waits end.
    fn times_matter(&self) -> bool {
        self.clock().moves() || self.options().real_time
    }

    /// Processor time does not pass as other time does.
    pub fn note_processor_time(&mut self) {
        if !self.options().fixed_outside {
            self.note_unfollowed("the program asks for processor time");
        }
    }
}

/// Sleeping.
impl Context<'_, '_> {
    /// Sleeps for some time.
    pub fn sleep(&mut self, time: Instant) -> Result<Flow, Stop> {
        let until = self.times().now.saturating_add(time);
        self.sleep_until(until)
    }

    /// Sleeps until an instant. Where time passes, this is two steps, because
    /// threads sleep at the same time.
    pub fn sleep_until(&mut self, until: Instant) -> Result<Flow, Stop> {
        if !self.times_matter() {
            self.tell(|_| "sleeps".to_string());
            return Ok(Flow::int(0));
        }
        match self.wake_time() {
            None => {
                let cause = self.times().cause;
                self.set_wake(until, cause);
                self.tell(|_| "goes to sleep".to_string());
                self.note_act();
                Err(Stop::Waits)
            }
            Some(wake) if self.is_woken_before(wake.until) => Err(Stop::Blocked(Waiting::Sleep)),
            Some(wake) => {
                self.end_wait(Some(wake));
                self.tell(|_| "wakes up".to_string());
                Ok(Flow::int(0))
            }
        }
    }

    fn wake_time(&mut self) -> Option<Wake> {
        let me = self.me();
        self.times().wakes.iter().find(|wake| wake.thread == me).copied()
    }

    /// The thread sleeps, or waits at most, until then.
    fn set_wake(&mut self, until: Instant, cause: CauseId) {
        let thread = self.me();
        let wakes = &mut self.times().wakes;
        wakes.retain(|wake| wake.thread != thread);
        wakes.push(Wake { thread, until, cause });
        wakes.sort_unstable();
    }

    /// With `--real-time`: whether another thread wakes up before one that
    /// sleeps until then.
    fn is_woken_before(&mut self, until: Instant) -> bool {
        let real_time = self.options().real_time;
        real_time && self.times().wakes.iter().any(|wake| wake.until < until)
    }

    /// A wait of this thread ends, because its time has come if there is one.
    fn end_wait(&mut self, passed: Option<Wake>) {
        let me = self.me();
        self.times().wakes.retain(|wake| wake.thread != me);
        if let Some(Wake { until, cause, .. }) = passed {
            self.pass_time(until, cause);
        }
        // Where nobody looks at the clock, only what is left of each wait matters.
        if !self.clock().moves() {
            let times = self.times();
            let now = std::mem::take(&mut times.now);
            times.wakes.iter_mut().for_each(|wake| wake.until = (wake.until - now).max(0));
        }
    }
}

/// Waits with deadlines.
impl Context<'_, '_> {
    /// The wait that begins has a deadline.
    pub fn set_deadline(&mut self, time: u64) -> Result<(), Stop> {
        if self.clock().moves() {
            let (until, cause) = self.deadline_at(time)?;
            self.set_wake(until, cause);
        }
        Ok(())
    }

    /// The wait that begins lasts at most so long.
    pub fn set_patience(&mut self, time: u64) -> Result<(), Stop> {
        if self.clock().moves() {
            let (now, cause) = (self.times().now, self.times().cause);
            let until = now.saturating_add(self.time_at(time, 0)?);
            self.set_wake(until, cause);
        }
        Ok(())
    }

    /// The wait of this thread is over before its deadline.
    pub fn wait_is_early(&mut self) {
        self.end_wait(None);
    }

    /// The deadline of the wait that this thread is in, if there is one, has passed.
    pub fn wait_times_out(&mut self) {
        let wake = self.wake_time();
        self.end_wait(wake);
    }

    /// A deadline has passed.
    pub fn time_out(&mut self, time: u64) -> Result<(), Stop> {
        if self.clock().moves() {
            let (until, cause) = self.deadline_at(time)?;
            self.pass_time(until, cause);
        }
        Ok(())
    }

    /// The instant of a deadline, and what made it so. Of which clock it is shows in
    /// its size.
    fn deadline_at(&mut self, addr: u64) -> Result<(Instant, CauseId), Stop> {
        let words = [self.read_time(addr)?.value, self.read_time(addr.wrapping_add(8))?.value];
        let cause = self.clock().cause_of(&words);
        let seconds = self.read(addr, 8)?.value as i64;
        let base = if seconds > NOW / 2 { NOW } else { UPTIME };
        Ok((self.time_at(addr, base)?, cause))
    }

    /// How long a `timespec`, or with 1000 nanoseconds as its unit a `timeval`, is.
    pub fn duration_at(&mut self, addr: u64, unit: i64) -> Result<Instant, Stop> {
        let seconds = self.read(addr, 8)?.value as i64;
        let parts = self.read(addr.wrapping_add(8), 8)?.value as i64;
        Ok(seconds.saturating_mul(SECOND).saturating_add(parts.saturating_mul(unit)))
    }

    /// The instant that a `timespec` of a clock names.
    pub fn time_at(&mut self, addr: u64, base: i64) -> Result<Instant, Stop> {
        let seconds = self.read(addr, 8)?.value as i64;
        let nanoseconds = self.read(addr.wrapping_add(8), 8)?.value as i64;
        let seconds = seconds.saturating_sub(base).saturating_mul(SECOND);
        Ok(seconds.saturating_add(nanoseconds))
    }
}
