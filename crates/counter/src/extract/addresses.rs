//! Computing with addresses: where an object is, is not known.
//!
//! An object of a thread gets any address where it is made, without a word about how it lies to others; a variable has a
//! number that is no address of a real machine. So differences within an object are right, everything else that depends on
//! the number itself is not.

use exeunt_ir::{CmpPred, Inst, IntOp, Pc, Slot};

use super::build::{Builder, Draft};
use crate::Hold;
use crate::address::{Object, Value};

impl Builder<'_> {
    /// The edge of an instruction that computes a number of an address, whose result is arbitrary.
    pub(super) fn of_addresses(
        &mut self,
        (context, pc): (usize, Pc),
        held: &[Hold],
    ) -> Option<Vec<Draft>> {
        let function = self.program.function(self.calls.contexts[context].func);
        let holds = |slot: Slot| self.holds_address(context, slot);
        let depends = if let Inst::Int { op, a, b, .. } = function.code[pc as usize] {
            let is_distance = op == IntOp::Sub && self.in_one_object(context, a, b);
            !is_distance && (holds(a) || holds(b))
        } else if let Inst::Trunc { a, .. } = function.code[pc as usize] {
            holds(a)
        } else {
            false
        };
        if !depends {
            return None;
        }
        let mut draft = self.draft((context, pc + 1), held);
        self.lose(context, pc, "what is computed of an address here is arbitrary".into());
        self.arbitrary(&mut draft, context, pc);
        draft.exact = false;
        Some(vec![draft])
    }

    /// Whether an instruction compares an address whose number is arbitrary with something else than null: it may find
    /// what no run of the program does.
    pub(super) fn compares_addresses(&self, (context, pc): (usize, Pc)) -> bool {
        let function = self.program.function(self.calls.contexts[context].func);
        let Inst::Cmp { pred, a, b, .. } = function.code[pc as usize] else { return false };
        let value = |slot: Slot| self.pointers.at(context, slot);
        let is_null = |slot: Slot| value(slot) == Value::Number(0);
        let order = !matches!(pred, CmpPred::Eq | CmpPred::Ne);
        let is_concerned =
            |slot: Slot| is_made(&value(slot)) || order && self.holds_address(context, slot);
        [a, b].into_iter().any(is_concerned)
            && !is_null(a)
            && !is_null(b)
            && !self.in_one_object(context, a, b)
    }

    /// Two addresses in an object of which there is one at a time.
    fn in_one_object(&self, context: usize, a: Slot, b: Slot) -> bool {
        let (a, b) =
            (self.pointers.at(context, a).objects(), self.pointers.at(context, b).objects());
        let mut both = a.union(&b);
        let (Some(object), None) = (both.next(), both.next()) else { return false };
        let single = match object {
            Object::Global(_) | Object::ThreadLocal(..) => true,
            // What a call that has ended made is not there any more.
            Object::Frame(context, pc) => !self.is_made_again(*context, *pc),
            Object::Heap(context, pc) => {
                self.calls.contexts[*context].once && !self.is_made_again(*context, *pc)
            }
        };
        single && !a.is_empty() && !b.is_empty()
    }

    fn is_made_again(&self, context: usize, pc: Pc) -> bool {
        super::contexts::repeats(self.program.function(self.calls.contexts[context].func), pc)
    }

    fn holds_address(&self, context: usize, slot: Slot) -> bool {
        let value = self.pointers.at(context, slot);
        !value.objects().is_empty() || is_made(&value)
    }
}

/// Whether it is an address that was chosen when the object was made.
fn is_made(value: &Value) -> bool {
    let made = |object: &Object| !matches!(object, Object::Global(_));
    matches!(value, Value::Member(..)) || value.objects().iter().any(made)
}
