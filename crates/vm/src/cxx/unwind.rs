//! Unwinding: how an exception leaves calls.
//!
//! A call that an exception may leave has a *pad* in the bytecode, which says where
//! control goes on and which types it accepts. The library's own code
//! (`runtime/cxx/unwind.cpp`) looks for the first pad that accepts an exception,
//! because only it knows how types are compared; it notes in the exception's header
//! what it has found. Going there is done here: the calls in between are left one
//! after the other, and each of them that has something to clean up gets control
//! first. `pthread_exit` and cancellation leave all calls in the same way (as
//! glibc's forced unwinding does), and stop at pads that clean up or accept
//! everything.
//!
//! The header is that of the Itanium C++ ABI: the class of the exception, a function
//! that destroys it, and two words for the unwinder. The first of them holds the depth
//! of the frame that accepts the exception and the number of the clause.

use exeunt_ir::address::{self, Space};
use exeunt_ir::{Clause, Function, Pad, readable_in_full};
use exeunt_mem::{Bits, Flags};
use exeunt_model::{Fault, Location, Property, SectionKind};

use crate::builtin::{Args, Builtin, Context, Effect, Flow, row};
use crate::stop::Stop;
use crate::thread::frame::OnReturn;

type Answer = Result<Flow, Stop>;

/// What a call that is left may have been in.
const LEFT: &[SectionKind] = &[SectionKind::Once, SectionKind::Function];

pub const TABLE: &[Builtin] = &[
    row("__exeunt_next_pad", "i:i", Effect::Local, next_pad),
    row("__exeunt_clause_kind", "i:ii", Effect::Local, clause_kind),
    row("__exeunt_clause_type", "p:ii", Effect::Local, clause_type),
    row("__exeunt_catcher", "l:ii", Effect::Local, catcher),
    row("__exeunt_throws", "v:p", Effect::Local, throws),
    row("__exeunt_uncaught", "v:pppi", Effect::Memory, uncaught),
    row("__exeunt_not_rethrown", "v:", Effect::Local, not_rethrown),
    row("_Unwind_Resume", "v:p", Effect::Unwinds, resume).closes(LEFT).moves_control(),
    row("__cxa_allocate_exception", "p:l", Effect::Local, allocate).allocating(),
    row("__cxa_free_exception", "v:p", Effect::Memory, free),
    row("__cxa_allocate_dependent_exception", "p:", Effect::Local, allocate_dependent).allocating(),
    row("__cxa_free_dependent_exception", "v:p", Effect::Memory, free_dependent),
];

/// The bytes of `__cxa_refcounted_exception` before the object that is thrown, and of
/// `__cxa_dependent_exception`, on x86-64.
const HEADER: u64 = 128;
const DEPENDENT: u64 = 112;

/// Where the words of the header are.
const CLASS: u64 = 0;
const TARGET: u64 = 16;

/// `"GNUCFOR\0"`: glibc's class of the exception that ends a thread.
pub const FORCED: u64 = u64::from_be_bytes(*b"GNUCFOR\0");
/// What a handler may name if it wants to see such an exception.
const FORCED_TYPE: &str = "_ZTIN10__cxxabiv115__forced_unwindE";

/// Where an exception goes next.
struct Landing {
    /// How many frames there are when it has arrived.
    depth: u32,
    /// The number of the clause that accepts it, or 0.
    clause: u32,
}

/// One frame on the way of an exception.
struct Passed<'p> {
    depth: u32,
    pad: Option<&'p Pad>,
    function: &'p Function,
}

impl<'p> Context<'_, 'p> {
    /// The frames that an exception passes, innermost first. It does not leave a
    /// handler of `atexit` or of a signal.
    fn passed(&self) -> Vec<Passed<'p>> {
        let mut passed = Vec::new();
        let mut depth = self.depth();
        for (func, pc, on_return) in self.calls() {
            let function = &self.program().functions[func as usize];
            passed.push(Passed { depth, pad: function.pad_at(pc), function });
            depth -= 1;
            match on_return {
                OnReturn::Continue | OnReturn::Again => {}
                OnReturn::Exit | OnReturn::Handled => break,
            }
        }
        passed
    }

    fn pad(&self, up: i32) -> Option<Passed<'p>> {
        self.passed().into_iter().nth(usize::try_from(up).ok()?)
    }

    /// Where an exception goes that knows who accepts it.
    fn landing(&mut self, exception: u64) -> Option<Landing> {
        let word = |context: &mut Self, at| context.peek(exception + at, 8).ok();
        if word(self, CLASS)?.value == FORCED {
            return self.forced_landing();
        }
        let target = word(self, TARGET)?.value;
        let (depth, clause) = ((target >> 32) as u32, target as u32);
        let cleans = |frame: &Passed<'_>| frame.pad.is_some_and(|pad| pad.cleanup);
        let between = |frame: &Passed<'_>| frame.depth > depth;
        let first = self.passed().into_iter().take_while(between).find(cleans);
        Some(match first {
            Some(frame) => Landing { depth: frame.depth, clause: 0 },
            None => Landing { depth, clause },
        })
    }

    /// Where a thread that ends has something to clean up.
    fn forced_landing(&self) -> Option<Landing> {
        self.passed().into_iter().find_map(|frame| {
            let pad = frame.pad?;
            let accepts = |clause: &Clause| match clause {
                Clause::Catch(slot) => {
                    let ty = constant(frame.function, *slot);
                    (ty == 0 || self.is_forced_type(ty)).then(|| address::type_number(ty))
                }
                Clause::Filter(_) => None,
            };
            let clause = pad.clauses.iter().find_map(accepts);
            let clause = clause.or(pad.cleanup.then_some(0))?;
            Some(Landing { depth: frame.depth, clause })
        })
    }

    fn is_forced_type(&self, described_at: u64) -> bool {
        let object = address::object(described_at);
        object.space() == Some(Space::Global)
            && &*self.program().globals[object.index() as usize].name == FORCED_TYPE
    }

    /// Leaves calls and goes on at a pad.
    fn land(&mut self, exception: u64, landing: Landing) -> Result<(), Stop> {
        self.leave_calls(landing.depth)?;
        let frame = *self.top();
        let Some(pad) = self.function().pad_at(frame.pc) else {
            let message = "an exception goes to a call that has already returned";
            return Err(self.fault(Property::Undefined, message));
        };
        self.set_register(&frame, pad.received, Bits::defined(exception));
        self.set_register(&frame, pad.received + 1, Bits::defined(landing.clause.into()));
        self.set_pc(pad.to);
        Ok(())
    }

    /// Whether others can notice that an exception leaves the calls that it leaves
    /// next: something on the stack is shared, or others wait for a routine.
    pub fn is_noticed_unwinding(&mut self, exception: u64) -> bool {
        let Some(landing) = self.landing(exception) else { return true };
        let count = self.depth().saturating_sub(landing.depth) as usize;
        let routine = self.calls().take(count).any(|(_, _, back)| back == OnReturn::Again);
        routine || self.top_frames_are_shared(count)
    }

    /// A thread that ends leaves its calls: `true` if it has something to clean up,
    /// and control is there now. `inner`: the depth of the innermost clean-up
    /// handler of C, which comes first if it is not further out.
    pub fn unwind_forcedly(&mut self, inner: Option<u32>) -> Result<bool, Stop> {
        let Some(exception) = self.forced_exception()? else { return Ok(false) };
        let Some(landing) = self.forced_landing() else { return Ok(false) };
        if inner.is_some_and(|inner| inner >= landing.depth) {
            return Ok(false);
        }
        self.land(exception, landing)?;
        Ok(true)
    }
}

fn constant(function: &Function, slot: u32) -> u64 {
    function.constants[(slot - function.registers) as usize].value
}

/// The first frame from `up` on that has a pad; -1 if there is none.
fn next_pad(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let from = usize::try_from(args.i32(0)).unwrap_or(0);
    let passed = context.passed();
    let found = passed.iter().skip(from).position(|frame| frame.pad.is_some());
    Ok(Flow::int(found.map_or(-1, |at| (from + at) as i32)))
}

/// What an entry of a pad is. A filter is its types and then its end.
const NOTHING: i32 = 0;
const CATCH: i32 = 1;
const FILTER_TYPE: i32 = 2;
const FILTER_END: i32 = 3;

/// The entries of a pad: kind, type, number of the clause.
fn entries(context: &Context<'_, '_>, up: i32) -> Vec<(i32, u64, u32)> {
    let Some(Passed { pad: Some(pad), function, .. }) = context.pad(up) else {
        return Vec::new();
    };
    let mut entries = Vec::new();
    let mut filters = 0_i32;
    for clause in pad.clauses.iter() {
        match clause {
            Clause::Catch(slot) => {
                let ty = constant(function, *slot);
                entries.push((CATCH, ty, address::type_number(ty)));
            }
            Clause::Filter(slots) => {
                filters += 1;
                let types = slots.iter().map(|slot| constant(function, *slot));
                entries.extend(types.map(|ty| (FILTER_TYPE, ty, 0)));
                entries.push((FILTER_END, 0, (-filters) as u32));
            }
        }
    }
    entries
}

fn entry(context: &Context<'_, '_>, args: &Args<'_>) -> (i32, u64, u32) {
    let at = usize::try_from(args.i32(1)).unwrap_or(usize::MAX);
    entries(context, args.i32(0)).get(at).copied().unwrap_or((NOTHING, 0, 0))
}

fn clause_kind(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(Flow::int(entry(context, args).0))
}

fn clause_type(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(Flow::value(entry(context, args).1))
}

/// The word that says who accepts an exception.
fn catcher(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let depth = context.pad(args.i32(0)).map_or(0, |frame| frame.depth);
    let (_, _, clause) = entry(context, args);
    Ok(Flow::value(u64::from(depth) << 32 | u64::from(clause)))
}

fn resume(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let exception = args.ptr(0);
    if context.peek(exception + CLASS, 8).is_ok_and(|class| class.value == FORCED) {
        let result = context.own().result;
        context.unwind_thread(result)?;
        return Err(Stop::Moved);
    }
    let Some(landing) = context.landing(exception) else {
        return Err(context.fault(Property::Undefined, "something is thrown that is no exception"));
    };
    context.land(exception, landing)?;
    Err(Stop::Moved)
}

// ---- what is told ---------------------------------------------------------------

/// The type that the library calls by this name.
fn type_named(context: &mut Context<'_, '_>, name: u64) -> Result<String, Stop> {
    let mangled = context.read_string(name, "the name of a type")?;
    // The name of a type that is local to its file begins with a star.
    let mangled = String::from_utf8_lossy(&mangled).trim_start_matches('*').to_string();
    let described = readable_in_full(&format!("_ZTI{mangled}"));
    Ok(described.strip_prefix("typeinfo for ").map_or(mangled, str::to_string))
}

fn throws(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let name = type_named(context, args.ptr(0))?;
    context.tell(|_| format!("throws `{name}`"));
    Ok(Flow::VOID)
}

/// The exception that nobody catches or (if it was already on its way) that leaves a
/// function which must not throw, at the line that throws it. The arguments: name of its type, text, the object, whether it was
/// on its way.
fn uncaught(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let name = type_named(context, args.ptr(0))?;
    let text = match args.ptr(1) {
        0 => String::new(),
        text => {
            let text = context.read_string(text, "the text of an exception")?;
            format!(" ({})", String::from_utf8_lossy(&text))
        }
    };
    let object = address::object(args.ptr(2));
    let thrown = context.header(object).and_then(|header| thrown_at(context, header.site));
    let what = match args.i32(3) {
        0 => "nobody catches it",
        _ => "it leaves a function that must not throw",
    };
    if name == "std::future_error" && text.contains(BROKEN_PROMISE) {
        let found = broken_promise(context, thrown, &text, what);
        return Err(context.located(found).into());
    }
    let message = format!("`{name}` is thrown{text}, and {what}");
    let mut fault = Fault::new(Property::Exception, message);
    if args.i32(3) != 0 {
        let left = context.located(fault.clone()).location;
        let left = left.filter(|left| left.line > 0 && Some(left) != thrown.as_ref());
        if let Some(left) = left {
            fault = fault.label(left, "here it leaves a function that must not throw");
        }
        fault =
            fault.help("the function is `noexcept` or a destructor, so std::terminate is called");
    }
    fault.location = thrown;
    Err(context.located(fault).into())
}

/// The text of the exception that a future without a result ends in.
const BROKEN_PROMISE: &str = "Broken promise";

/// A future without a result, where its user asks for it. The exception was made where the
/// promise was destroyed.
fn broken_promise(
    context: &mut Context<'_, '_>,
    destroyed: Option<Location>,
    text: &str,
    what: &str,
) -> Fault {
    let future = context.name_future();
    let end = match &destroyed {
        Some(place) => {
            let function = match &*place.function {
                "" => String::new(),
                function => format!(" in `{function}`"),
            };
            format!("{function} (line {})", place.line)
        }
        None => String::new(),
    };
    let message = format!("future{future} is never made ready: its promise was destroyed{end}");
    let fault = Fault::new(Property::Exception, message)
        .help(format!("`std::future_error` is thrown{text}, and {what}"));
    match destroyed {
        Some(place) => fault.label(place, "here its promise is destroyed without a result"),
        None => fault,
    }
}

/// Where the memory of an exception was allocated, if that is in the user's source.
fn thrown_at(context: &Context<'_, '_>, site: u32) -> Option<Location> {
    context.program().location(exeunt_ir::LocId(site)).filter(|location| location.line > 0)
}

fn not_rethrown(context: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    let message = "`catch (...)` keeps a thread from ending";
    let help = "pthread_exit and cancellation unwind the stack like an exception; \
                a handler that catches everything must throw it again (`throw;`)";
    Err(context.located(Fault::new(Property::Exception, message).help(help)).into())
}

// ---- memory ---------------------------------------------------------------------

/// Exceptions have memory even if nothing else has: the library keeps some in reserve.
fn new_exception(context: &mut Context<'_, '_>, header: u64, size: u64) -> Result<u64, Stop> {
    let id = context.allocate(Space::Heap, header + size, true)?;
    // Nobody can know it yet, whatever points to its number.
    context.unguarded(|context| context.initialise(id, &vec![0; header as usize]));
    Ok(id.at(header as i64))
}

fn allocate(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    Ok(Flow::value(new_exception(context, HEADER, args.u64(0))?))
}

fn allocate_dependent(context: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    let behind = new_exception(context, DEPENDENT, 0)?;
    Ok(Flow::value(address::add(behind, -(DEPENDENT as i64))))
}

fn free(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    context.free_block(address::add(args.ptr(0), -(HEADER as i64)), Flags(0))?;
    Ok(Flow::VOID)
}

fn free_dependent(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    context.free_block(args.ptr(0), Flags(0))?;
    Ok(Flow::VOID)
}
