//! How the machine computes and decides with times.

use exeunt_ir::{CastOp, Class, CmpPred, Computation, FloatKind, FloatPred, Inst, IntOp};
use exeunt_mem::Bits;

use super::term::Op;
use super::{Lesson, Term, is_term, raise};
use crate::builtin::{Builtin, Locks, Touches};
use crate::machine::Machine;
use crate::ops::{float, int};
use crate::stop::Stop;

impl Machine<'_> {
    /// Whether a thread is asleep.
    pub fn sleeps(&self, thread: u32) -> bool {
        self.system.wakes.iter().any(|wake| wake.thread == thread)
    }

    /// Refuses an access to a part of a time: its bytes are not those of the number.
    #[inline]
    pub fn keep_time_whole(&mut self, addr: u64, bytes: usize) -> Result<(), Stop> {
        let whole = bytes >= 8 && addr.is_multiple_of(8);
        if !self.vm.reads_clock || whole {
            return Ok(());
        }
        let ends = [addr & !7, addr.wrapping_add(bytes as u64 - 1) & !7];
        let is_time = |at: &u64| {
            let word = self.mem.unguarded(|mem| mem.read(*at, 8));
            word.is_ok_and(|word| {
                word.undefined == 0 && self.session.clock.value(word.value).is_some()
            })
        };
        match ends.iter().any(is_time) {
            true => Err(Stop::unsupported("an access to a part of a time")),
            false => Ok(()),
        }
    }

    /// Whether an instruction computes with a time, so that `follow` has to look
    /// at it. What only moves words is executed as ever.
    pub fn computes_with_time(&self, inst: &Inst, base: usize) -> bool {
        let (any, addr) = match inst.class() {
            Class::Copies | Class::HandsOn => return false,
            Class::Stores { bits: 64, addr } => (false, Some(addr)),
            Class::Stores { .. } | Class::Computes(_) | Class::ComputesOtherwise | Class::Acts => {
                (true, None)
            }
        };
        let mut found = addr.is_some_and(|addr| self.is_time_at(base, addr));
        if any {
            inst.operands(self.function(), &mut |operand| {
                let slots = operand.slot..operand.slot + operand.count;
                found |= !operand.write && slots.into_iter().any(|s| self.is_time_at(base, s));
            });
        }
        found
    }

    fn is_time_at(&self, base: usize, slot: u32) -> bool {
        let word = self.thread.registers[base + slot as usize];
        word.undefined == 0 && is_term(word.value) && self.session.clock.value(word.value).is_some()
    }

    /// Executes an instruction that computes with a time; `false` if what it does
    /// is not followed, and it is to be executed with numbers.
    pub fn follow(&mut self, inst: &Inst, base: usize) -> Result<bool, Stop> {
        let word = |machine: &Self, slot: u32| {
            let bits = machine.thread.registers[base + slot as usize];
            (bits.undefined == 0).then_some(bits.value)
        };
        let Class::Computes(computation) = inst.class() else { return Ok(false) };
        let (op, dst, a, b) = match computation {
            Computation::Int { op, width, dst, a, b } => (Op::Int(op, width), dst, a, Some(b)),
            Computation::Trunc { width, .. } if width < 32 => return Ok(false),
            Computation::Trunc { width, dst, a } => (Op::Trunc(width), dst, a, None),
            Computation::SExt { from, to, dst, a } => (Op::SExt(from, to), dst, a, None),
            Computation::Float { op, kind, dst, a, b } => (Op::Float(op, kind), dst, a, Some(b)),
            Computation::FloatUn { op, kind, dst, a } => (Op::FloatUn(op, kind), dst, a, None),
            Computation::FloatCast { op, kind, to, width, dst, a } => {
                (Op::Cast(op, kind, to, width), dst, a, None)
            }
            Computation::Cmp { pred, width, dst, a, b } => {
                let (Some(a), Some(b)) = (word(self, a), word(self, b)) else { return Ok(false) };
                let result = self.compare_times(pred, width, a, b)?;
                self.thread.registers[base + dst as usize] = Bits::defined(result as u64);
                return Ok(true);
            }
            Computation::FloatCmp { pred, kind, dst, a, b } => {
                let (Some(a), Some(b)) = (word(self, a), word(self, b)) else { return Ok(false) };
                let result = self.compare_float_times(pred, kind, a, b)?;
                self.thread.registers[base + dst as usize] = result;
                return Ok(true);
            }
        };
        let Some(a) = word(self, a) else { return Ok(false) };
        let Some(b) = b.map_or(Some(0), |b| word(self, b)) else { return Ok(false) };
        let Some(result) = self.session.clock.intern(Term::Computed(op, a, b)) else {
            return Ok(false);
        };
        self.thread.registers[base + dst as usize] = Bits::defined(result);
        Ok(true)
    }

    /// Makes numbers of the times that an instruction reads: what it does with
    /// them is not followed.
    pub fn lose_times(&mut self, inst: &Inst, base: usize) {
        let mut slots = Vec::new();
        inst.operands(self.function(), &mut |operand| {
            if !operand.write {
                slots.extend(operand.slot..operand.slot + operand.count);
            }
        });
        for slot in slots {
            let word = self.thread.registers[base + slot as usize];
            if word.undefined == 0
                && let Some(value) = self.session.clock.value(word.value)
            {
                self.thread.registers[base + slot as usize] = Bits::defined(value);
            }
        }
        self.note_unfollowed("a time is used");
    }

    /// The difference of two times as a floating-point number, if one of them is
    /// followed.
    pub fn difference_of_times(&mut self, after: u64, before: u64) -> Option<u64> {
        let clock = &self.session.clock;
        clock.value(after).or(clock.value(before))?;
        let seconds = clock.intern(Term::Computed(Op::Int(IntOp::Sub, 64), after, before))?;
        let cast = Op::Cast(CastOp::SignedToFloat, FloatKind::F64, FloatKind::F64, 64);
        clock.intern(Term::Computed(cast, seconds, 0))
    }

    pub fn note_unfollowed(&mut self, what: &'static str) {
        self.session.clock.note_unfollowed(self.location(), what);
    }

    /// The number behind a word.
    pub fn number(&self, word: Bits) -> Bits {
        let time = (word.undefined == 0).then(|| self.session.clock.value(word.value));
        time.flatten().map_or(word, Bits::defined)
    }

    /// The number behind a word that a library function looks at.
    pub fn number_for(&mut self, row: Option<&'static Builtin>, word: Bits) -> Bits {
        let number = self.number(word);
        if number != word && !row.is_some_and(takes_times) {
            self.note_unfollowed("a time is passed to a library function");
        }
        number
    }

    /// Decides a comparison, and learns which other instants would decide it
    /// otherwise.
    pub fn compare_times(
        &mut self,
        pred: CmpPred,
        width: u8,
        a: u64,
        b: u64,
    ) -> Result<bool, Stop> {
        let equality = matches!(pred, CmpPred::Eq | CmpPred::Ne);
        let mask = int::mask(width);
        self.learn(a, b, &|a, b| match equality {
            true => int::signed(a & mask, width).cmp(&int::signed(b & mask, width)) as i8,
            false => {
                int::compare(pred, width, Bits::defined(a & mask), Bits::defined(b & mask)).value
                    as i8
            }
        })?;
        let (a, b) = (self.number(Bits::defined(a)), self.number(Bits::defined(b)));
        Ok(int::compare(pred, width, a, b).value & 1 != 0)
    }

    fn compare_float_times(
        &mut self,
        pred: FloatPred,
        kind: FloatKind,
        a: u64,
        b: u64,
    ) -> Result<Bits, Stop> {
        self.learn(a, b, &|a, b| {
            let mut window = [Bits::defined(a), Bits::defined(b), Bits::default()];
            float::compare(pred, kind, 2, 0, 1, &mut window);
            window[2].value as i8
        })?;
        let (a, b) = (self.number(Bits::defined(a)), self.number(Bits::defined(b)));
        let mut window = [a, b, Bits::default()];
        float::compare(pred, kind, 2, 0, 1, &mut window);
        Ok(window[2])
    }

    fn learn(&mut self, a: u64, b: u64, compare: &dyn Fn(u64, u64) -> i8) -> Result<(), Stop> {
        let turns = self.session.clock.with_terms(|terms| terms.turning_points((a, b), compare));
        match self.session.clock.learn(&turns) {
            Lesson::Known => {}
            Lesson::New => raise(&self.session.meets.refuted),
            Lesson::Impossible => {
                return Err(Stop::unsupported("a decision by the clock in a search of this kind"));
            }
        }
        Ok(())
    }
}

/// Whether a function does with times only what is known: it waits until one,
/// sleeps, or prints.
fn takes_times(row: &Builtin) -> bool {
    row.timed.is_some() || row.silent || row.touches == Touches::Nothing || row.locks != Locks::No
}
