//! Rows of the tables of library functions.

use exeunt_model::SectionKind;

use super::{
    Args, Cancel, Chooses, Context, Deed, Effect, Flow, Handler, Kind, Locks, Orders, Outside,
    Touches,
};
use crate::stop::Stop;

/// A row of a header's table.
///
/// `signature` is result, colon, parameters: `v` void, `p` pointer, `b` 1 bit,
/// `c` 8, `h` 16, `i` 32, `l` 64 bits, `f` float, `d` double, `x` long double;
/// a final `.` means variadic; a `?` after a parameter allows it to be
/// undefined.
#[derive(Debug)]
pub struct Builtin {
    pub name: &'static str,
    pub signature: &'static str,
    pub effect: Effect,
    /// It makes objects on the heap: which address they get may depend on what
    /// others have freed.
    pub allocates: bool,
    pub cancel: Cancel,
    pub outside: Outside,
    pub locks: Locks,
    /// Which argument is a stream. If it is one that the program has opened, the call
    /// touches everything.
    pub stream: Option<u8>,
    /// It looks at, or changes, another thread between any two operations of
    /// that thread, so operations cannot be moved.
    pub disturbs: bool,
    /// Its last argument is the address of a time, which it reads.
    /// This is what it answers when that time has come.
    pub timed: Option<i32>,
    /// What kind of operation it is, and what it touches.
    pub kind: Kind,
    pub touches: Touches,
    pub orders: Orders,
    /// The kinds of sections that it enters without waiting for them, and
    /// that it leaves, if it succeeds. Its wait is in `effect`.
    pub opens: &'static [SectionKind],
    pub closes: &'static [SectionKind],
    pub chooses: Chooses,
    pub deed: Deed,
    /// It has functions of the program run before it returns, or never
    /// returns.
    pub moves_control: bool,
    /// It lets time pass.
    pub sleeps: bool,
    /// It gets times as they are, and not as numbers.
    pub raw_times: bool,
    /// Although it is visible, a call changes nothing that anyone can see.
    pub silent: bool,
    /// It reads numbers as C23 does, which knows `0b101`.
    pub c23: bool,
    /// No call of it is supported. What the report names, with `{}` for the name of the function.
    pub refused: Option<&'static str>,
    /// Calls of it that are not supported, as reports name them.
    pub without: &'static [&'static str],
    pub run: Handler,
}

/// Shorthand for a row.
pub const fn row(
    name: &'static str,
    signature: &'static str,
    effect: Effect,
    run: Handler,
) -> Builtin {
    Builtin {
        name,
        signature,
        effect,
        cancel: Cancel::Never,
        outside: Outside::No,
        locks: Locks::No,
        stream: None,
        disturbs: false,
        timed: None,
        kind: Kind::Data,
        touches: Touches::Everything,
        orders: Orders::Nothing,
        opens: &[],
        closes: &[],
        chooses: Chooses::Nothing,
        deed: Deed::None,
        moves_control: false,
        sleeps: false,
        raw_times: false,
        silent: false,
        c23: false,
        allocates: false,
        refused: None,
        without: &[],
        run,
    }
}

/// Shorthand for the row of a function that is known and not supported; `what` is what the report
/// names, with `{}` for the name of the function.
pub const fn refused(
    name: &'static str,
    signature: &'static str,
    effect: Effect,
    what: &'static str,
) -> Builtin {
    let mut row = row(name, signature, effect, refuse);
    row.refused = Some(what);
    row
}

fn refuse(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let builtin = context.builtin_of(args.site).expect("the handler of a row was called");
    Err(Stop::unsupported(builtin.refusal().expect("the row has this handler")))
}

/// What else a row says.
impl Builtin {
    /// What the report names if no call of it is supported.
    pub fn refusal(&self) -> Option<String> {
        self.refused.map(|what| what.replace("{}", self.name))
    }

    /// Such calls of it are not supported.
    pub const fn without(mut self, calls: &'static [&'static str]) -> Builtin {
        self.without = calls;
        self
    }

    /// POSIX lists it among the cancellation points.
    pub const fn cancels(mut self) -> Builtin {
        self.cancel = Cancel::Always;
        self
    }

    /// POSIX lists it among the functions that may be cancellation points,
    /// and in glibc it sometimes is one.
    pub const fn may_cancel(mut self) -> Builtin {
        self.cancel = Cancel::Maybe;
        self
    }

    /// Its answer comes from outside; `found` says what we answer.
    pub const fn outside(mut self, found: &'static str) -> Builtin {
        self.outside = Outside::Fixed(found);
        self
    }

    /// The same for a function of which only some calls look outside.
    pub const fn outside_if(
        mut self,
        depends: fn(&[Option<u64>]) -> Option<&'static str>,
    ) -> Builtin {
        self.outside = Outside::Depends(depends);
        self
    }

    /// It holds the lock of a stream while it runs.
    pub const fn locks(mut self, stream: Locks) -> Builtin {
        self.locks = stream;
        self
    }

    /// This argument is a `FILE *`.
    pub const fn stream(mut self, index: u8) -> Builtin {
        self.stream = Some(index);
        self
    }

    /// It waits until the time behind its last argument at most, and then
    /// answers this.
    pub const fn until(mut self, answer: i32) -> Builtin {
        self.timed = Some(answer);
        self
    }

    pub const fn disturbs(mut self) -> Builtin {
        self.disturbs = true;
        self
    }

    /// It makes objects on the heap.
    pub const fn allocating(mut self) -> Builtin {
        self.allocates = true;
        self
    }

    const fn touching(mut self, kind: Kind, touches: Touches) -> Builtin {
        self.kind = kind;
        self.touches = touches;
        self
    }

    /// It may have to wait, wakes or chooses, and touches only this.
    pub const fn syncs(self, touches: Touches) -> Builtin {
        self.touching(Kind::Sync, touches)
    }

    /// It gives something back that others wait for.
    pub const fn releases(self, touches: Touches) -> Builtin {
        self.touching(Kind::Release, touches)
    }

    /// It tells whether it would have to wait.
    pub const fn observes(self, touches: Touches) -> Builtin {
        self.touching(Kind::Observe, touches)
    }

    /// It touches only this, as data.
    pub const fn accesses(self, touches: Touches) -> Builtin {
        self.touching(Kind::Data, touches)
    }

    pub const fn orders(mut self, orders: Orders) -> Builtin {
        self.orders = orders;
        self
    }

    pub const fn opens(mut self, kinds: &'static [SectionKind]) -> Builtin {
        self.opens = kinds;
        self
    }

    pub const fn closes(mut self, kinds: &'static [SectionKind]) -> Builtin {
        self.closes = kinds;
        self
    }

    pub const fn chooses(mut self, chooses: Chooses) -> Builtin {
        self.chooses = chooses;
        self
    }

    pub const fn does(mut self, deed: Deed) -> Builtin {
        self.deed = deed;
        self
    }

    /// It computes with times as the program does.
    pub const fn raw_times(mut self) -> Builtin {
        self.raw_times = true;
        self
    }

    /// It lets time pass, and changes nothing else.
    pub const fn sleeps(mut self) -> Builtin {
        self.sleeps = true;
        self.silent()
    }

    /// A scheduling point, but a call changes nothing that anyone can see.
    pub const fn silent(mut self) -> Builtin {
        self.silent = true;
        self
    }

    /// Whether a call can leave a trace beyond the memory that it changes. To
    /// take and to give back a lock leaves none: a loop that looks at a variable
    /// under a lock waits for the variable.
    pub fn leaves_trace(&self) -> bool {
        match self.effect {
            Effect::Local
            | Effect::Memory
            | Effect::Indirect
            | Effect::Specific
            | Effect::Clock
            | Effect::Unwinds => false,
            Effect::Visible | Effect::Wait(_) => {
                let quiet = self.silent || self.touches == Touches::Nothing;
                !quiet && self.kind != Kind::Observe && !self.is_of_lock()
            }
        }
    }

    /// Whether it takes or gives back a lock.
    pub fn is_of_lock(&self) -> bool {
        self.opens.iter().chain(self.closes).any(|kind| kind.is_held())
    }

    pub const fn c23(mut self) -> Builtin {
        self.c23 = true;
        self
    }

    /// Control goes elsewhere: a function of the program is called, or a frame
    /// or the thread is left.
    pub const fn moves_control(mut self) -> Builtin {
        self.moves_control = true;
        self
    }
}
