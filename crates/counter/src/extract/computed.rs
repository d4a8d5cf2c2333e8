//! What instructions compute: edges that write numbers to registers.

use exeunt_ir::{IntOp, Pc, Slot};
use exeunt_smt::{Formula, Term, Var};

use super::arithmetic::Number;
use super::bits;
use super::build::{Builder, Draft};
use super::shape::Shape;

impl Builder<'_> {
    /// The edges of an operation on two registers.
    pub(super) fn computed(
        &mut self,
        mut next: Draft,
        (context, pc): (usize, Pc),
        (op, width): (IntOp, u8),
        dst: Slot,
        operands: [Slot; 2],
    ) -> Vec<Draft> {
        let [a, b] = operands.map(|slot| self.number(context, slot, width));
        let to = self.shape(context, dst);
        if let Some(term) = self.arithmetic.int(op, width, &a, &b, to) {
            self.define(&mut next, context, dst, &Number { term, shape: to });
            return vec![next];
        }
        if let Some((near, term)) = self.arithmetic.shift(op, width, &a, &b, to) {
            // What a shift by the width or more gives is not defined.
            let mut far = next.clone();
            (next.guard, far.guard, far.exact) = (near.clone(), near.negated(), false);
            self.define(&mut next, context, dst, &Number { term, shape: to });
            self.define_any(&mut far, context, dst);
            return vec![next, far].into_iter().filter(|d| d.guard != Formula::False).collect();
        }
        let shape = Shape { width, signed: to.signed };
        let result = self.bounded(&mut next, (context, pc), (op, shape), &a, &b);
        self.define(&mut next, context, dst, &result);
        vec![next]
    }

    /// Writes a result, or anything if there is none.
    pub(super) fn define_if_known(
        &mut self,
        draft: &mut Draft,
        (context, pc): (usize, Pc),
        dst: Slot,
        result: Option<Number>,
    ) {
        match result {
            Some(result) => self.define(draft, context, dst, &result),
            None => {
                self.lose(context, pc, "the result of a computation is arbitrary".into());
                self.arbitrary(draft, context, pc);
                draft.exact = false;
            }
        }
    }

    /// Any number that the result of an operation may be, if possible read in this shape.
    pub(super) fn bounded(
        &mut self,
        draft: &mut Draft,
        (context, pc): (usize, Pc),
        (op, wanted): (IntOp, Shape),
        a: &Number,
        b: &Number,
    ) -> Number {
        let width = wanted.width;
        let unsigned = Shape { width, signed: false };
        let ranges = self.vars.iter().enumerate();
        let ranges = ranges.filter_map(|(var, row)| Some((Var(var as u32), row.range?))).collect();
        let range = |number: &Number| self.arithmetic.read(number, unsigned).range(&ranges);
        let (op, range) = bits::narrowed(op, width, range(a), range(b));
        let result = Term::var(self.input(draft, range));
        let facts = self.arithmetic.facts(op, width, a, b, &result);
        self.lose(
            context,
            pc,
            match facts {
                Formula::True => format!("the result of `{op:?}` is arbitrary"),
                _ => format!("of the result of `{op:?}` only bounds are known"),
            },
        );
        draft.guard = draft.guard.clone().both(crate::lifted(&facts));
        draft.exact = false;
        let same = range.1 < 1 << (width - 1);
        Number { term: result, shape: if same { wanted } else { unsigned } }
    }
}
