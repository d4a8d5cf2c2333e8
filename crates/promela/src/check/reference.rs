//! References to variables: `a[i].b` to bits.

use std::sync::Arc;

use crate::code::{Cell, Element, Expr, Place, Space, Subscript, Width};
use crate::source::Pos;
use crate::syntax::{Name, VarRef};

use super::Checker;
use super::types::{Type, Variable};

/// A variable or a part of one, with its indices still to be evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub space: Space,
    pub base: u32,
    pub steps: Vec<Subscript>,
    pub ty: Type,
    /// An array without an index.
    pub length: Option<u32>,
    pub channel: Option<crate::code::ChanDeclId>,
    pub name: Name,
    pub pos: Pos,
}

impl Checker<'_> {
    /// Finds what a reference names. `None` after an error.
    pub(crate) fn find(&mut self, var: &VarRef) -> Option<Found> {
        let first = &var.parts[0];
        let Some(variable) = self.lookup(&first.name).cloned() else {
            self.undeclared(&first.name, var.pos);
            return None;
        };
        self.walk(variable, var)
    }

    fn undeclared(&mut self, name: &Name, pos: Pos) {
        if self.procs.contains_key(name) {
            let help = ["write `run` before it to start a process"];
            self.error(pos, format!("`{name}` is a process type, not a variable"), &help);
        } else {
            let help = ["declare it before its first use, in this block or one around it"];
            self.error(pos, format!("variable `{name}` is not declared"), &help);
        }
    }

    /// Follows indices and fields from a variable.
    pub(crate) fn walk(&mut self, variable: Variable, var: &VarRef) -> Option<Found> {
        let mut found = Found {
            space: variable.space,
            base: variable.base,
            steps: Vec::new(),
            ty: variable.ty,
            length: variable.length,
            channel: variable.channel,
            name: var.to_string().into(),
            pos: var.pos,
        };
        for (depth, part) in var.parts.iter().enumerate() {
            if depth > 0 {
                self.step_into(&mut found, &part.name)?;
            }
            let Some(index) = &part.index else { continue };
            let Some(length) = found.length.take() else {
                self.error(var.pos, format!("`{}` is not an array", part.name), &[]);
                return None;
            };
            let stride = self.room(&found.ty).0;
            let index = self.expr(index);
            match index {
                Expr::Const(number) if (0..length as i32).contains(&number) => {
                    found.base += number as u32 * stride;
                }
                index => {
                    let array = Arc::clone(&part.name);
                    found.steps.push(Subscript { index, length, stride, array });
                }
            }
        }
        Some(found)
    }

    fn step_into(&mut self, found: &mut Found, field: &Name) -> Option<()> {
        if found.length.is_some() {
            self.error(found.pos, format!("`{}` needs an index", found.name), &[]);
            return None;
        }
        let Type::Struct(id) = found.ty else {
            let message = format!("`{}` has no fields, so no field `{field}`", found.name);
            self.error(found.pos, message, &[]);
            return None;
        };
        let known = &self.structs[id.0];
        let Some(own) = known.fields.iter().find(|known| known.name == *field) else {
            let names: Vec<&str> = known.fields.iter().map(|field| &*field.name).collect();
            let help = format!("the fields of `{}` are: {}", known.name, names.join(", "));
            self.error(found.pos, format!("there is no field `{field}`"), &[&help]);
            return None;
        };
        found.base += own.offset;
        found.ty = own.ty.clone();
        found.length = own.length;
        found.channel = own.channel;
        Some(())
    }

    /// The place of a scalar.
    pub(crate) fn scalar(&mut self, found: Found) -> Option<Place> {
        if found.length.is_some() {
            let help = ["write the index of the element that is meant"];
            self.error(found.pos, format!("array `{}` without an index", found.name), &help);
            return None;
        }
        let Some(width) = found.ty.width() else {
            let message = format!("`{}` is a structure, not a single value", found.name);
            self.error(found.pos, message, &["name one of its fields"]);
            return None;
        };
        Some(place(&found, found.base, width))
    }

    /// The places of all scalars of a variable: a structure in a message is
    /// its fields one after the other.
    pub(crate) fn scalars(&mut self, found: Found) -> Option<Vec<Place>> {
        let Type::Struct(id) = found.ty else {
            return self.scalar(found).map(|place| vec![place]);
        };
        if found.length.is_some() {
            self.error(found.pos, format!("array `{}` without an index", found.name), &[]);
            return None;
        }
        let mut out = Vec::new();
        self.flat(&found, id, found.base, &mut out);
        Some(out)
    }

    fn flat(&self, found: &Found, id: super::types::StructId, base: u32, out: &mut Vec<Place>) {
        for field in &self.structs[id.0].fields {
            let (size, _) = self.room(&field.ty);
            for index in 0..field.length.unwrap_or(1) {
                let at = base + field.offset + index * size;
                match field.ty {
                    Type::Struct(inner) => self.flat(found, inner, at, out),
                    _ => {
                        let width = field.ty.width().expect("a scalar has a width");
                        out.push(place(found, at, width));
                    }
                }
            }
        }
    }
}

fn place(found: &Found, base: u32, width: Width) -> Place {
    if found.steps.is_empty() {
        let word = base / 64;
        return Place::Cell(Cell { space: found.space, word, shift: (base % 64) as u8, width });
    }
    Place::Element(Box::new(Element {
        space: found.space,
        base,
        steps: found.steps.clone(),
        width,
    }))
}
