//! Variables in functions of C++ that are made once: a guard is a lock while the variable is made, and a byte that says
//! that it was. Code of the program reads this byte; only the two functions of the library write it.

use exeunt_smt::{Formula, Term};

use super::arithmetic::Number;
use super::build::{Builder, Draft};
use super::calls::Here;
use super::cells::{Cell, Place};
use crate::address::Value;
use crate::{Hold, LockId, Mode, Wait};

impl Builder<'_> {
    /// The lock and the byte of a guard.
    fn guard(&self, here: Here) -> Option<(LockId, Cell)> {
        let function = self.program.function(self.calls.contexts[here.context].func);
        let slot = function.calls[here.call as usize].args.first()?.slot;
        let value = self.pointers.at(here.context, slot);
        let Value::Address(object, offset) = value else { return None };
        let cell = self.cells.known.get(&Place { object, offset, bytes: 1 })?;
        Some((self.lock_at(&value)?, *cell))
    }

    /// Whoever comes first makes the variable; the others wait until it is there. `None` if the guard is not known.
    pub(super) fn first_of_all(&mut self, draft: &Draft, here: Here) -> Option<Vec<Draft>> {
        let (lock, cell) = self.guard(here)?;
        let made = Formula::zero(Term::var(cell.var)).negated();
        let mut first = self.answering(draft.clone(), here, Some(1));
        first.guard = first.guard.both(made.negated());
        first.visible = true;
        first.waits = Wait::Lock(lock);
        first.text = "begins to make a static variable".into();
        let again = first.held.iter().any(|hold| hold.lock == lock);
        first.held.push(Hold { lock, mode: Mode::Exclusive, count: 1 });
        first.held.sort_unstable();
        let mut later = self.answering(draft.clone(), here, Some(0));
        later.guard = later.guard.both(made);
        later.visible = true;
        // A variable that needs itself is never there.
        Some(if again { vec![later] } else { vec![first, later] })
    }

    /// The variable was made.
    pub(super) fn made(&mut self, mut draft: Draft, here: Here) -> Option<Draft> {
        let (lock, cell) = self.guard(here)?;
        let number = Number { term: Term::number(1), shape: cell.shape };
        let term = self.arithmetic.read(&number, cell.shape);
        draft.sets.insert(cell.var, term);
        draft.visible = true;
        draft.text = "has made a static variable".into();
        if !draft.held.iter().any(|hold| hold.lock == lock) {
            draft.wrong_unlock = Some(lock);
        }
        draft.held.retain(|hold| hold.lock != lock);
        Some(draft)
    }
}
