//! Propositions in a state. Functions are executed by the machine itself, on
//! top of the state and without a trace: what they change is an error.

use exeunt_ir::address;
use exeunt_ir::{Inst, Scalar, Touch};
use exeunt_mem::Bits;
use exeunt_model::{CompId, Detail, Fault, Pool, Property, Watcher};
use exeunt_operator::{Binary, Unary, Wrong, binary, unary};
use smallvec::SmallVec;

use super::{Observation, Proposition, Term};
use crate::builtin::Effect;
use crate::machine::Machine;
use crate::session::VmSession;
use crate::stop::Stop;
use crate::thread::Head;
use crate::thread::frame::OnReturn;

/// Pieces of a run of a function before we say that it does not end.
const LONGEST: u32 = 1 << 20;

pub(crate) struct VmWatcher<'p> {
    machine: Machine<'p>,
    out: Vec<CompId>,
}

impl<'p> VmWatcher<'p> {
    pub(crate) fn new(session: &'p VmSession<'p>, pool: &'p dyn Pool) -> Self {
        VmWatcher { machine: Machine::new(session, pool), out: Vec::new() }
    }
}

impl Watcher for VmWatcher<'_> {
    fn letter(&mut self, state: &[CompId]) -> Result<u64, Fault> {
        self.machine.tale.listen(Detail::Targets);
        self.machine.load_state(state);
        if self.machine.system.ended {
            // Evaluated when the program ended.
            let words = self.machine.pool.get(state[1]);
            return match words {
                [letter] => Ok(*letter),
                _ => Err(Fault::new(
                    Property::Misuse,
                    "a proposition has no value at the end of the program",
                )),
            };
        }
        let vm = self.machine.vm;
        let mut letter = 0;
        for (number, proposition) in vm.options.watched.iter().enumerate() {
            let before = Some(state);
            let value = self.machine.proposition(proposition, before, &mut self.out)?;
            letter |= u64::from(value) << number;
        }
        Ok(letter)
    }
}

impl Machine<'_> {
    /// What holds at the end of the program: nobody is anywhere any more, and
    /// variables keep their last values. `None` if a proposition has none.
    pub(crate) fn last_letter(&mut self) -> Option<u64> {
        let vm = self.vm;
        self.thread.head = Head::free();
        let mut letter = 0;
        for (number, proposition) in vm.options.watched.iter().enumerate() {
            let value = self.proposition(proposition, None, &mut Vec::new()).ok()?;
            letter |= u64::from(value) << number;
        }
        Some(letter)
    }

    /// `state` is what is loaded; `None` at the end of the program.
    fn proposition(
        &mut self,
        proposition: &Proposition,
        state: Option<&[CompId]>,
        out: &mut Vec<CompId>,
    ) -> Result<bool, Fault> {
        let value = self.term(&proposition.term, state, out).map_err(|mut fault| {
            fault.message = format!("proposition `{}`: {}", proposition.text, fault.message);
            fault
        })?;
        Ok(value != 0)
    }

    fn term(
        &mut self,
        term: &Term,
        state: Option<&[CompId]>,
        out: &mut Vec<CompId>,
    ) -> Result<i128, Fault> {
        match term {
            Term::Constant(value) => Ok(*value),
            Term::Variable { object, offset, bytes, signed } => {
                self.scalar_at(object.at(*offset), *bytes, *signed)
            }
            Term::Call { function, args } => {
                let args = args.iter().map(|arg| self.term(arg, state, out));
                let args = args.collect::<Result<Vec<i128>, Fault>>()?;
                self.observe(*function, &args, state, out)
            }
            Term::Not(inner) => defined(unary(Unary::Not, self.term(inner, state, out)?)),
            Term::Negative(inner) => defined(unary(Unary::Negate, self.term(inner, state, out)?)),
            Term::Binary(op, left, right) => {
                let a = self.term(left, state, out)?;
                // As in C, the right side may have no value then.
                match op {
                    Binary::And if a == 0 => return Ok(0),
                    Binary::Or if a != 0 => return Ok(1),
                    _ => {}
                }
                defined(binary(*op, a, self.term(right, state, out)?))
            }
            Term::At { thread, function, line } => Ok(i128::from(
                state.is_some() && self.anybody(*thread, |m| m.is_at(*function, *line)),
            )),
            Term::Open { thread, kind, name } => {
                let open = |machine: &mut Self, thread: u32| {
                    let sections = machine.sections_of(thread);
                    let mut named = sections.into_iter().filter(|section| section.kind == *kind);
                    named.any(|section| {
                        name.as_ref().is_none_or(|name| *name == machine.name_section(section))
                    })
                };
                let threads = self.system.threads;
                let open = (0..threads)
                    .filter(|number| thread.is_none_or(|wanted| wanted == *number))
                    .collect::<Vec<u32>>()
                    .into_iter()
                    .any(|number| state.is_some() && open(self, number));
                Ok(i128::from(open))
            }
        }
    }

    /// Whether the thread, or any, is alive and satisfies a test when loaded.
    fn anybody(&mut self, thread: Option<u32>, test: impl Fn(&mut Self) -> bool) -> bool {
        (0..self.system.threads).any(|number| {
            if thread.is_some_and(|wanted| wanted != number) {
                return false;
            }
            self.load_thread(number);
            self.thread.head.is_alive() && test(self)
        })
    }

    fn is_at(&mut self, function: u32, line: Option<u32>) -> bool {
        let stack = self.call_stack();
        stack.iter().any(|&(func, pc)| {
            let here = || {
                let loc = self.vm.program.functions[func as usize].locs.get(pc as usize);
                loc.and_then(|loc| self.vm.program.locs.get(loc.0 as usize)).map(|loc| loc.line)
            };
            func == function && line.is_none_or(|line| here() == Some(line))
        })
    }

    fn scalar_at(&mut self, addr: u64, bytes: u8, signed: bool) -> Result<i128, Fault> {
        let bits = self
            .mem
            .read(addr, usize::from(bytes))
            .map_err(|_| Fault::new(Property::Misuse, "it cannot be read"))?;
        if bits.undefined != 0 {
            return Err(Fault::new(Property::Misuse, "its value is undefined"));
        }
        Ok(widened(self.number(bits).value, u32::from(bytes) * 8, signed))
    }

    /// Calls a function and undoes everything; it must not have changed what
    /// was there before.
    fn observe(
        &mut self,
        function: u32,
        args: &[i128],
        state: Option<&[CompId]>,
        out: &mut Vec<CompId>,
    ) -> Result<i128, Fault> {
        let name = self.vm.program.functions[function as usize].name.clone();
        let signature = self.vm.program.functions[function as usize].signature;
        let Scalar::Int(width) = self.vm.program.signature(signature).results[0] else {
            unreachable!("checked when the proposition was read")
        };
        if state.is_some() {
            self.reload();
        }
        self.start_observing(function, args);
        let ended = self.run_observed();
        let Observation { result, calls_builtins: builtins, .. } =
            std::mem::take(&mut self.observation);
        let complaint = ended.err();
        if complaint.is_none()
            && builtins
            && let Some(state) = state
        {
            self.thread.head = Head::free();
            self.commit(out);
            let kept = 1 + self.thread_count();
            if out.len() != state.len() || out[kept..] != state[kept..] {
                return Err(effect(&name, "changes memory through a function that it calls"));
            }
        }
        if state.is_some() {
            self.reload();
        }
        match (complaint, result) {
            (Some(fault), _) => Err(fault),
            (None, Some(bits)) if bits.undefined == 0 => {
                Ok(widened(bits.value, u32::from(width), width > 1))
            }
            _ => Err(Fault::new(Property::Misuse, format!("`{name}` returns an undefined value"))),
        }
    }

    fn start_observing(&mut self, function: u32, args: &[i128]) {
        self.stand_aside(Head { atomic: 1, ..Head::new(function) });
        self.observation.begin();
        self.progress.forget_choices();
        let args: Vec<Bits> = args.iter().map(|arg| Bits::defined(*arg as u64)).collect();
        self.push_internal(function, &args, OnReturn::Continue);
    }

    fn run_observed(&mut self) -> Result<(), Fault> {
        let name = self.vm.program.functions[self.top().func as usize].name.clone();
        for _ in 0..LONGEST {
            match self.resume() {
                Ok(()) => {}
                Err(Stop::Exit) if self.observation.result.is_some() => return Ok(()),
                Err(Stop::Exit) => return Err(effect(&name, "ends the program")),
                Err(Stop::Fault(fault)) => return Err(*fault),
                Err(Stop::Unsupported(what)) => {
                    return Err(Fault::new(Property::Misuse, format!("{what} is not supported")));
                }
                Err(Stop::Blocked(_) | Stop::Waits) => return Err(effect(&name, "waits")),
                Err(Stop::Pause | Stop::Moved) => {}
                Err(Stop::Dropped) => return Err(effect(&name, "assumes something")),
                Err(Stop::Beyond) => return Err(effect(&name, "creates a thread")),
            }
            if !self.progress.choices().is_empty() {
                return Err(effect(&name, "makes a choice"));
            }
            if !self.thread.head.is_alive() || self.thread.frames.is_empty() {
                return Err(effect(&name, "ends a thread"));
            }
        }
        Err(effect(&name, "does not come to an end"))
    }

    /// While a function is observed: an instruction that would change what
    /// was there before.
    pub(crate) fn forbid_effects(&mut self, inst: &Inst) -> Result<(), Stop> {
        let mut effects: SmallVec<[Touch; 2]> = SmallVec::new();
        inst.touches(|touch| effects.push(touch));
        effects.into_iter().try_for_each(|touch| self.forbid_effect(touch))
    }

    fn forbid_effect(&mut self, touch: Touch) -> Result<(), Stop> {
        match touch {
            Touch::Writes { addr, .. } | Touch::Updates { addr, .. } => {
                let base = self.top().base as usize;
                self.forbid_write(self.thread.registers[base + addr as usize].value)
            }
            Touch::Calls { call } => {
                let site = &self.function().calls[call as usize];
                let Some(builtin) = self.builtin_of(site) else { return Ok(()) };
                self.observation.calls_builtins = true;
                match builtin.effect {
                    Effect::Local | Effect::Memory | Effect::Specific => Ok(()),
                    Effect::Indirect
                    | Effect::Clock
                    | Effect::Unwinds
                    | Effect::Visible
                    | Effect::Wait(_) => {
                        Err(self.side_effect(format!("`{}` is called", builtin.name)))
                    }
                }
            }
            // What lives and dies is its own.
            Touch::Reads { .. }
            | Touch::Lives { .. }
            | Touch::Allocates { .. }
            | Touch::Unwinds { .. }
            | Touch::Orders { .. } => Ok(()),
        }
    }

    fn forbid_write(&mut self, addr: u64) -> Result<(), Stop> {
        match self.thread.objects.contains(&address::object(addr)) {
            true => Ok(()),
            false => {
                let place = self.name_place(addr);
                Err(self.side_effect(format!("{place} is written")))
            }
        }
    }

    fn side_effect(&self, what: String) -> Stop {
        self.misuse(format!("{what}, but a proposition must not change anything"), HELP)
    }
}

const HELP: &str = "compute the condition from the variables alone, in local variables";

fn effect(name: &str, what: &str) -> Fault {
    let message = format!("`{name}` {what}, but a proposition must not change anything");
    Fault::new(Property::Misuse, message).help(HELP)
}

fn widened(value: u64, bits: u32, signed: bool) -> i128 {
    let shift = 64 - bits;
    match signed {
        true => i128::from(((value << shift) as i64) >> shift),
        false => i128::from(value << shift >> shift),
    }
}

fn defined(value: Result<i128, Wrong>) -> Result<i128, Fault> {
    value.map_err(|wrong| {
        let why = match wrong {
            Wrong::DivisionByZero => "division by zero",
            Wrong::ShiftTooFar => "a shift by too much",
            Wrong::TooLarge => "the numbers are too large",
        };
        Fault::new(Property::Misuse, why.to_string())
    })
}
