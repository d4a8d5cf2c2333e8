//! Inline assembly: barriers, spin hints, what only hides a value, and single instructions
//! on memory (`locked.rs`).

use exeunt_ir::{Inst, Order};

use super::body::Body;
use super::locked;
use super::{Lowered, unsupported};
use crate::llvm::Value;

/// What a piece of assembly text means.
enum Meaning {
    /// Nothing is executed.
    Empty,
    Spin,
    Fence,
    Unknown,
}

fn meaning(text: &str) -> Meaning {
    let mut fence = false;
    let mut spin = false;
    let text = text.replace(['\t', '\n', ';'], " ").to_lowercase();
    let mut words = text.split_whitespace().filter(|word| *word != "nop").peekable();
    while let Some(word) = words.next() {
        match word {
            "mfence" | "lfence" | "sfence" => fence = true,
            "pause" => spin = true,
            // `rep; nop` is an old way to write `pause`.
            "rep" | "repz" | "repe" => match words.peek() {
                None => spin = true,
                Some(_) => return Meaning::Unknown,
            },
            "lock" => match lock_of_nothing(&words.by_ref().collect::<Vec<_>>().join(" ")) {
                true => fence = true,
                false => return Meaning::Unknown,
            },
            _ => return Meaning::Unknown,
        }
    }
    match (fence, spin) {
        (true, _) => Meaning::Fence,
        (false, true) => Meaning::Spin,
        (false, false) => Meaning::Empty,
    }
}

/// `addl $0, (%rsp)` and its likes: a locked instruction that changes nothing.
fn lock_of_nothing(rest: &str) -> bool {
    let mut words = rest.split([' ', ',']).filter(|word| !word.is_empty());
    let adds = matches!(words.next(), Some("addl" | "addq" | "orl" | "orq" | "addb" | "orb"));
    let zero = matches!(words.next(), Some("$0" | "$$0" | "$0x0" | "$$0x0"));
    let on_stack = words.next().is_some_and(|word| word.contains("%rsp") || word.contains("%esp"));
    adds && zero && on_stack && words.next().is_none()
}

impl<'m> Body<'_, 'm> {
    pub fn inline_asm(&mut self, call: Value<'m>, text: &str, constraints: &str) -> Lowered<()> {
        match meaning(text) {
            Meaning::Empty => self.empty_asm(call, constraints)?,
            Meaning::Spin if call.args().is_empty() => self.emit(Inst::SpinHint {}),
            Meaning::Fence if call.args().is_empty() => {
                self.emit(Inst::Fence { order: Order::SeqCst });
            }
            Meaning::Unknown | Meaning::Spin | Meaning::Fence => {
                let understood = match locked::read(text) {
                    Some(instruction) => self.locked(call, instruction, constraints)?,
                    None => false,
                };
                if !understood {
                    return unsupported(format!("inline assembly \"{}\"", text.trim()));
                }
            }
        }
        Ok(())
    }

    /// Assembly without instructions: a compiler barrier, or a way to hide a
    /// value from the optimiser (`"+r"(x)`), which then comes back unchanged.
    fn empty_asm(&mut self, call: Value<'m>, constraints: &str) -> Lowered<()> {
        let parts: Vec<&str> = constraints.split(',').collect();
        if parts.iter().any(|part| part.starts_with("~{memory}")) {
            self.emit(Inst::Fence { order: Order::Relaxed });
        }
        let outputs = parts.iter().filter(|part| part.starts_with('=') && !part.contains('*'));
        let outputs = outputs.count();
        if outputs == 0 {
            return Ok(());
        }
        // Operands without outputs in memory: inputs follow the outputs in
        // the order of the arguments, and a tied input is the output's number.
        let inputs = parts.iter().filter(|part| {
            !part.starts_with('~') && (!part.starts_with('=') || part.contains('*'))
        });
        let mut values = vec![None; outputs];
        for (input, arg) in inputs.zip(call.args()) {
            if let Ok(number) = input.trim_start_matches('{').trim_end_matches('}').parse::<usize>()
                && let Some(value) = values.get_mut(number)
            {
                *value = Some(self.operand(arg)?);
            }
        }
        let Some(values) = values.into_iter().collect::<Option<Vec<_>>>() else {
            return unsupported("inline assembly that leaves a value to chance");
        };
        let slots = values.iter().flat_map(|slots| slots.iter().copied()).collect();
        self.alias(call, slots);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn barriers_and_hints_are_recognised() {
        assert!(matches!(meaning(""), Meaning::Empty));
        assert!(matches!(meaning("nop"), Meaning::Empty));
        assert!(matches!(meaning("pause\n\t"), Meaning::Spin));
        assert!(matches!(meaning("rep; nop"), Meaning::Spin));
        assert!(matches!(meaning("mfence"), Meaning::Fence));
        assert!(matches!(meaning("lock; addl $$0,0(%rsp)"), Meaning::Fence));
        assert!(matches!(meaning("lock orq $$0, (%rsp)"), Meaning::Fence));
    }

    #[test]
    fn everything_else_is_not() {
        for text in ["cpuid", "lock; xaddl $0, $1", "rep movsb", "lock addl $1, (%rsp)", "int3"] {
            assert!(matches!(meaning(text), Meaning::Unknown), "{text}");
        }
    }
}
