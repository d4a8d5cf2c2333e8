//! Accesses to one of several variables whose addresses are known: elements of arrays by an index, and what
//! a pointer to one of several variables points to. There is an edge for each variable, which asks whether the
//! address is that of the variable.
//!
//! Taken for granted, as C demands: an access stays inside of its object. Where an object has parts of
//! several sizes, there is an edge for addresses of other parts, too, with arbitrary results.

use exeunt_ir::address;
use exeunt_ir::{DebugType, DebugTypeId, GlobalId, Pc, Program, Slot};
use exeunt_smt::{Formula, Int, Term};

use super::arithmetic::Number;
use super::build::{Builder, Draft};
use super::cells::{Cell, Place};
use super::shape::Shape;
use crate::address::{Object, Value};

/// Of more variables than that, none is told apart.
const MOST_ELEMENTS: usize = 16;

/// Where an access may go.
pub(super) struct Elements {
    pub places: Vec<Place>,
    /// It may go elsewhere in these objects, too.
    mixed: bool,
}

/// An edge for each variable, and perhaps one for the rest.
type Cases = (Vec<(Draft, Cell)>, Option<Draft>);

/// The places in variables that an access of so many bytes may mean; `None` if they are not known.
pub(super) fn elements(program: &Program, value: &Value, bytes: i64) -> Option<Elements> {
    let Value::Somewhere(objects) = value else { return None };
    let mut found = Elements { places: Vec::new(), mixed: false };
    for object in objects {
        let Object::Global(id) = *object else { return None };
        let global = program.global(id);
        if global.constant || global.external {
            return None;
        }
        let mut leaves = Vec::new();
        parts(program, global.ty?, 0, &mut leaves)?;
        leaves.sort_unstable();
        // Members of unions lie in the same place.
        if leaves.windows(2).any(|pair| pair[0].0 + pair[0].1 > pair[1].0) {
            return None;
        }
        // What the type does not name may be accessed, too, such as the elements of a flexible array.
        let named: i64 = leaves.iter().map(|(_, size)| *size).sum();
        found.mixed |= named != global.data.len() as i64;
        found.mixed |= leaves.iter().any(|(_, size)| *size != bytes);
        let own = leaves.into_iter().filter(|(_, size)| *size == bytes);
        found.places.extend(own.map(|(offset, bytes)| Place { object: *object, offset, bytes }));
    }
    (1..=MOST_ELEMENTS).contains(&found.places.len()).then_some(found)
}

/// The numbers and pointers in a type, with their offsets and sizes. `None` if it has other parts, or
/// very many.
fn parts(
    program: &Program,
    ty: DebugTypeId,
    offset: i64,
    leaves: &mut Vec<(i64, i64)>,
) -> Option<()> {
    let bytes = match &program.types[ty.0 as usize] {
        DebugType::Int { bytes, .. }
        | DebugType::Float { bytes }
        | DebugType::Enum { bytes, .. } => *bytes,
        DebugType::Bool | DebugType::Char { .. } => 1,
        DebugType::Pointer { .. } => 8,
        DebugType::Struct { fields, .. } => {
            for field in fields {
                parts(program, field.ty, offset + field.offset as i64, leaves)?;
            }
            return Some(());
        }
        DebugType::Array { element, element_bytes, count } => {
            for index in 0..*count {
                parts(program, *element, offset + (index * element_bytes) as i64, leaves)?;
            }
            return Some(());
        }
        DebugType::Other { .. } => return None,
    };
    leaves.push((offset, i64::from(bytes)));
    (leaves.len() <= 8 * MOST_ELEMENTS).then_some(())
}

impl Builder<'_> {
    /// The edges of an access to one of several variables: those with a variable, and one for the rest.
    fn cases(&mut self, next: &Draft, (context, addr): (usize, Slot), bits: u8) -> Option<Cases> {
        let value = self.pointers.at(context, addr);
        let found = elements(self.program, &value, i64::from(bits.div_ceil(8)))?;
        let address = self.number(context, addr, 64);
        let address = self.arithmetic.read(&address, Shape { width: 64, signed: false });
        let mut cases = Vec::new();
        let mut rest = next.clone();
        for place in &found.places {
            let Object::Global(GlobalId(id)) = place.object else { return None };
            let cell = *self.cells.known.get(place)?;
            let constant = address::global(GlobalId(id), place.offset);
            let same = Formula::equal(&address, &Term::number(Int::from(constant)));
            let mut draft = next.clone();
            draft.guard = draft.guard.both(same.clone());
            rest.guard = rest.guard.both(same.negated());
            cases.push((draft, cell));
        }
        Some((cases, found.mixed.then_some(rest)))
    }

    /// A load from one of several variables.
    pub(super) fn load_element(
        &mut self,
        next: &Draft,
        (context, pc): (usize, Pc),
        bits: u8,
        dst: Slot,
        addr: Slot,
    ) -> Option<Vec<Draft>> {
        let (cases, rest) = self.cases(next, (context, addr), bits)?;
        let mut drafts = Vec::new();
        for (mut draft, cell) in cases {
            let value = Number { term: Term::var(cell.var), shape: cell.shape };
            self.define(&mut draft, context, dst, &value);
            draft.visible = self.is_shared(cell.var);
            draft.text = format!("reads `{}`", self.vars[cell.var.0 as usize].name);
            drafts.push(draft);
        }
        if let Some(mut rest) = rest {
            self.lose(context, pc, "what is read here may be arbitrary".into());
            self.arbitrary(&mut rest, context, pc);
            rest.exact = false;
            drafts.push(rest);
        }
        Some(drafts)
    }

    /// A store to one of several variables.
    pub(super) fn store_element(
        &mut self,
        next: &Draft,
        (context, pc): (usize, Pc),
        bits: u8,
        src: Slot,
        addr: Slot,
    ) -> Option<Vec<Draft>> {
        let (cases, rest) = self.cases(next, (context, addr), bits)?;
        let value = self.number(context, src, bits);
        let mut drafts = Vec::new();
        for (mut draft, cell) in cases {
            let term = self.arithmetic.read(&value, cell.shape);
            draft.sets.insert(cell.var, term);
            draft.visible = self.is_shared(cell.var);
            draft.text = format!("writes `{}`", self.vars[cell.var.0 as usize].name);
            drafts.push(draft);
        }
        if let Some(mut rest) = rest {
            let target = self.pointers.at(context, addr);
            self.wild_write(&mut rest, context, pc, &target, "a store through a pointer");
            rest.exact = false;
            drafts.push(rest);
        }
        Some(drafts)
    }
}
