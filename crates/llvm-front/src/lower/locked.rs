//! Inline assembly that is one instruction on memory: what libraries write for x86-64 where
//! compilers had no atomics (`mov`, `xchg`, `lock xadd`, `lock cmpxchg`, `lock cmpxchg16b`, `lock add`…).
//!
//! The text is that of AT&T; `$0` and `$1` are the operands of the call in the order of its
//! constraints. A plain `mov` is an atomic access as x86 makes it: a load acquires, a store
//! releases. Whatever is not understood completely is refused.

use exeunt_ir::{Access, Inst, Order, RmwOp, Slot};

use super::Lowered;
use super::body::Body;
use crate::llvm::Value;

/// One instruction, and perhaps a second one that keeps whether the values were equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    name: Name,
    bits: u8,
    /// What is read, if the text names it, and what is changed.
    source: Option<Word>,
    target: Word,
    /// `sete $k`: the operand that gets it.
    equal: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    Move,
    Exchange,
    ExchangeAdd,
    CompareExchange,
    /// Of 16 bytes, in four registers: `cmpxchg16b`.
    CompareExchangePair,
    Update(RmwOp),
}

/// A word of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Operand(usize),
    Number(i64),
}

/// Reads the text; `None` if it is anything else.
pub fn read(text: &str) -> Option<Instruction> {
    let text = text.to_lowercase();
    let mut lines = text.split([';', '\n']).map(str::trim).filter(|line| !line.is_empty());
    let mut line = lines.next()?;
    let mut locked = false;
    if let Some(rest) = line.strip_prefix("lock") {
        locked = true;
        line = if rest.trim().is_empty() { lines.next()? } else { rest.trim() };
    }
    let mut instruction = one(line, locked)?;
    match lines.next().map(|line| line.split_once(char::is_whitespace)) {
        None => {}
        Some(Some(("sete" | "setz", operand))) if instruction.compares() => {
            let Word::Operand(at) = word(operand)? else { return None };
            instruction.equal = Some(at);
        }
        Some(_) => return None,
    }
    lines.next().is_none().then_some(instruction)
}

impl Instruction {
    fn compares(self) -> bool {
        matches!(self.name, Name::CompareExchange | Name::CompareExchangePair)
    }
}

fn one(line: &str, locked: bool) -> Option<Instruction> {
    let (name, operands) = line.split_once(char::is_whitespace)?;
    if name == "cmpxchg16b" && locked {
        let (name, target) = (Name::CompareExchangePair, word(operands)?);
        return Some(Instruction { name, bits: 128, source: None, target, equal: None });
    }
    let (name, suffix) = name.split_at_checked(name.len().checked_sub(1)?)?;
    let bits = match suffix {
        "b" => 8,
        "w" => 16,
        "l" => 32,
        "q" => 64,
        _ => return None,
    };
    let name = match (name, locked) {
        ("mov", false) => Name::Move,
        // This one is locked in any case.
        ("xchg", _) => Name::Exchange,
        ("cmpxchg", true) => Name::CompareExchange,
        ("xadd", true) => Name::ExchangeAdd,
        ("add" | "inc", true) => Name::Update(RmwOp::Add),
        ("sub" | "dec", true) => Name::Update(RmwOp::Sub),
        ("or", true) => Name::Update(RmwOp::Or),
        ("and", true) => Name::Update(RmwOp::And),
        ("xor", true) => Name::Update(RmwOp::Xor),
        _ => return None,
    };
    let alone = line.starts_with("inc") || line.starts_with("dec");
    let (source, target) = match operands.split_once(',') {
        Some((source, target)) if !alone => (Some(word(source)?), word(target)?),
        None if alone => (Some(Word::Number(1)), word(operands)?),
        Some(_) | None => return None,
    };
    Some(Instruction { name, bits, source, target, equal: None })
}

fn word(text: &str) -> Option<Word> {
    let text = text.trim().strip_prefix('$')?;
    match text.strip_prefix('$') {
        Some(number) => number.parse().ok().map(Word::Number),
        None => text.parse().ok().map(Word::Operand),
    }
}

/// An operand of the call.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Operand {
    /// A result of the call, by its number, and the register it is in, if that is named.
    Output(usize, String),
    Memory(Slot),
    /// A value, and what its constraint says: the number of an output, a register.
    Input(Slot, String),
}

impl<'m> Body<'_, 'm> {
    /// Lowers such an instruction; `false` if its operands are not as they have to be.
    pub fn locked(
        &mut self,
        call: Value<'m>,
        instruction: Instruction,
        constraints: &str,
    ) -> Lowered<bool> {
        let Some(operands) = self.asm_operands(call, constraints)? else { return Ok(false) };
        let outputs = operands.iter().filter(|one| matches!(one, Operand::Output(..))).count();
        let results = if outputs > 0 { self.result(call)? } else { Vec::new().into() };
        if results.len() != outputs {
            return Ok(false);
        }
        let Instruction { name, bits, source, target, .. } = instruction;
        let at = |word: Word| match word {
            Word::Operand(at) => operands.get(at),
            Word::Number(_) => None,
        };
        // `xchg` may name its operands in any order.
        let (source, target) = match (source, at(target)) {
            (Some(memory), Some(Operand::Output(..))) if name == Name::Exchange => {
                (Some(target), memory)
            }
            _ => (source, target),
        };
        let order = Order::SeqCst;
        let kept = |number: usize| results.get(number).copied();
        match (name, source.map(|word| (word, at(word))), at(target)) {
            (Name::Move, Some((_, Some(Operand::Input(src, _)))), Some(&Operand::Memory(addr))) => {
                let access = Access::Atomic(Order::Release);
                self.emit(Inst::Store { bits, pointer: bits == 64, access, addr, src: *src });
                Ok(outputs == 0)
            }
            (
                Name::Move,
                Some((_, Some(&Operand::Memory(addr)))),
                Some(Operand::Output(number, _)),
            ) => {
                let Some(dst) = kept(*number) else { return Ok(false) };
                let access = Access::Atomic(Order::Acquire);
                self.emit(Inst::Load { bits, pointer: bits == 64, access, dst, addr });
                Ok(outputs == 1)
            }
            (
                Name::Exchange | Name::ExchangeAdd,
                Some((_, Some(Operand::Output(number, _)))),
                Some(&Operand::Memory(addr)),
            ) => {
                let (Some(dst), Some(src)) = (kept(*number), tied(&operands, *number)) else {
                    return Ok(false);
                };
                let op = if name == Name::Exchange { RmwOp::Xchg } else { RmwOp::Add };
                self.emit(Inst::Rmw { op, bits, order, dst, addr, src });
                Ok(outputs == 1)
            }
            (Name::Update(op), Some((word, operand)), Some(&Operand::Memory(addr))) => {
                let src = match (word, operand) {
                    (Word::Number(number), _) => self.constant(number as u64 & mask(bits)),
                    (Word::Operand(_), Some(Operand::Input(src, _))) => *src,
                    (Word::Operand(_), _) => return Ok(false),
                };
                let dst = self.fresh(1);
                self.emit(Inst::Rmw { op, bits, order, dst, addr, src });
                Ok(outputs == 0)
            }
            (
                Name::CompareExchange,
                Some((_, Some(Operand::Input(new, _)))),
                Some(&Operand::Memory(addr)),
            ) => {
                let new = *new;
                self.locked_exchange(instruction, &operands, &results, new, addr)
            }
            (Name::CompareExchangePair, None, Some(&Operand::Memory(addr))) => {
                self.locked_pair(instruction, &operands, &results, addr)
            }
            _ => Ok(false),
        }
    }

    /// The expected value is in `dx` and `ax`, where the old one comes back, the new one in
    /// `cx` and `bx`.
    fn locked_pair(
        &mut self,
        instruction: Instruction,
        operands: &[Operand],
        results: &[Slot],
        addr: Slot,
    ) -> Lowered<bool> {
        let input = |wanted: &str| {
            operands.iter().find_map(|operand| match operand {
                Operand::Input(slot, register) if register == wanted => Some(*slot),
                Operand::Input(..) | Operand::Output(..) | Operand::Memory(_) => None,
            })
        };
        let output = |wanted: &str| {
            operands.iter().find_map(|operand| match operand {
                Operand::Output(number, register) if register == wanted => Some(*number),
                Operand::Input(..) | Operand::Output(..) | Operand::Memory(_) => None,
            })
        };
        let begins = |wanted: &str| match output(wanted) {
            Some(number) => tied(operands, number).or_else(|| input(wanted)),
            None => input(wanted),
        };
        let flag = operands.iter().enumerate().find_map(|(at, operand)| match operand {
            Operand::Output(number, register) => {
                (instruction.equal == Some(at) || register == "@ccz" || register == "@cce")
                    .then_some(*number)
            }
            Operand::Input(..) | Operand::Memory(_) => None,
        });
        let known = [output("ax"), output("dx"), flag].into_iter().flatten().count();
        let (Some(low), Some(high), Some(new_low), Some(new_high)) =
            (begins("ax"), begins("dx"), input("bx"), input("cx"))
        else {
            return Ok(false);
        };
        if known != results.len() {
            return Ok(false);
        }
        let [expected, new, dst] = [self.fresh(2), self.fresh(2), self.fresh(2)];
        for (dst, src) in
            [(expected, low), (expected + 1, high), (new, new_low), (new + 1, new_high)]
        {
            self.emit(Inst::Mov { dst, src });
        }
        let ok = flag.map_or_else(|| self.fresh(1), |number| results[number]);
        let list = self.list(vec![expected, new]);
        let (bits, order) = (instruction.bits, Order::SeqCst);
        self.emit(Inst::CmpXchg { bits, weak: false, order, failure: order, dst, ok, addr, list });
        for (register, src) in [("ax", dst), ("dx", dst + 1)] {
            if let Some(number) = output(register) {
                self.emit(Inst::Mov { dst: results[number], src });
            }
        }
        Ok(true)
    }

    fn locked_exchange(
        &mut self,
        instruction: Instruction,
        operands: &[Operand],
        results: &[Slot],
        new: Slot,
        addr: Slot,
    ) -> Lowered<bool> {
        let (mut old, mut equal, mut known) = (None, None, 0);
        for (at, operand) in operands.iter().enumerate() {
            let Operand::Output(number, register) = operand else { continue };
            let place = match &**register {
                _ if instruction.equal == Some(at) => &mut equal,
                "ax" => &mut old,
                "@ccz" | "@cce" => &mut equal,
                _ => return Ok(false),
            };
            *place = Some(*number);
            known += 1;
        }
        let of_output = old.and_then(|number| tied(operands, number));
        let of_register = operands.iter().find_map(|operand| match operand {
            Operand::Input(slot, register) if register == "ax" => Some(*slot),
            Operand::Input(..) | Operand::Output(..) | Operand::Memory(_) => None,
        });
        let Some(expected) = of_output.or(of_register).or(only_tied(operands)) else {
            return Ok(false);
        };
        if known != results.len() {
            return Ok(false);
        }
        let (bits, order) = (instruction.bits, Order::SeqCst);
        let dst = old.map_or_else(|| self.fresh(1), |number| results[number]);
        let ok = equal.map_or_else(|| self.fresh(1), |number| results[number]);
        let list = self.list(vec![expected, new]);
        self.emit(Inst::CmpXchg { bits, weak: false, order, failure: order, dst, ok, addr, list });
        Ok(true)
    }

    /// The operands of a call, as its constraints say; `None` if one is not understood.
    fn asm_operands(
        &mut self,
        call: Value<'m>,
        constraints: &str,
    ) -> Lowered<Option<Vec<Operand>>> {
        let mut arguments = call.args().into_iter();
        let (mut operands, mut outputs) = (Vec::new(), 0);
        for part in constraints.split(',').filter(|part| !part.starts_with('~')) {
            let plain = part.trim_start_matches(['=', '&', '+']);
            let register = plain.trim_start_matches('{').trim_end_matches('}').to_string();
            if part.starts_with('=') && !part.contains('*') {
                operands.push(Operand::Output(outputs, register));
                outputs += 1;
                continue;
            }
            let Some(argument) = arguments.next() else { return Ok(None) };
            let slot = match &*self.operand(argument)? {
                [slot] => *slot,
                _ => return Ok(None),
            };
            operands.push(match part.contains('*') {
                true => Operand::Memory(slot),
                false => Operand::Input(slot, register),
            });
        }
        Ok(arguments.next().is_none().then_some(operands))
    }
}

/// The value that an output begins with.
fn tied(operands: &[Operand], output: usize) -> Option<Slot> {
    let at =
        operands.iter().position(|one| matches!(one, Operand::Output(n, _) if *n == output))?;
    operands.iter().find_map(|operand| match operand {
        Operand::Input(slot, number) if number.parse() == Ok(at) => Some(*slot),
        Operand::Input(..) | Operand::Output(..) | Operand::Memory(_) => None,
    })
}

/// The only value that an output begins with.
fn only_tied(operands: &[Operand]) -> Option<Slot> {
    let mut found = operands.iter().filter_map(|operand| match operand {
        Operand::Input(slot, number) if number.parse::<usize>().is_ok() => Some(*slot),
        Operand::Input(..) | Operand::Output(..) | Operand::Memory(_) => None,
    });
    let first = found.next();
    first.filter(|_| found.next().is_none())
}

fn mask(bits: u8) -> u64 {
    u64::MAX >> (64 - u32::from(bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_instruction_is_read() {
        let exchange = read("xchgq $0, $1").expect("it is one");
        assert_eq!((exchange.name, exchange.bits), (Name::Exchange, 64));
        let compare = read("lock ; cmpxchgl $2, $1;sete $0;").expect("it is one");
        assert_eq!(
            (compare.name, compare.bits, compare.equal),
            (Name::CompareExchange, 32, Some(0))
        );
        let pair = read("lock cmpxchg16b $1\n\tsetz $0").expect("it is one");
        assert_eq!((pair.name, pair.bits, pair.equal), (Name::CompareExchangePair, 128, Some(0)));
        let count = read("lock incw $0").expect("it is one");
        assert_eq!((count.name, count.source), (Name::Update(RmwOp::Add), Some(Word::Number(1))));
        assert_eq!(read("lock; addl $$-1, $0").expect("it is one").source, Some(Word::Number(-1)));
        assert_eq!(read("movb $1, $0").expect("it is one").name, Name::Move);
    }

    #[test]
    fn everything_else_is_refused() {
        for text in [
            "xaddl $0, $1",
            "cmpxchgq $2, $1",
            "cmpxchg16b $0",
            "movl %eax, $0",
            "cpuid",
            "addl $1, $0",
            "movl $1, $0; movl $1, $0",
            "lock xaddl ${0:k}, $1",
            "lock movl $0, $1",
            "incl $0",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
