//! What variables hold before the first step, and constant expressions.

use exeunt_operator::{wrapping, wrapping_unary};

use crate::code::{Cell, Initial};
use crate::syntax::{Expr, ExprKind, Init, VarDecl};

use super::Checker;
use super::types::{StructId, Type, Variable};

impl Checker<'_> {
    /// What has to be done for a variable before the first step.
    pub(crate) fn initial_values(
        &mut self,
        variable: &Variable,
        decl: &VarDecl,
        out: &mut Vec<Initial>,
    ) {
        let mut cells = Vec::new();
        self.named_cells(variable, &mut cells);
        match &decl.init {
            Init::None => {}
            Init::Channel { .. } => {
                let Some(id) = variable.channel else { return };
                out.extend(cells.iter().map(|named| Initial::Channel(named.cell, id)));
            }
            Init::Value(value) => {
                let value = self.expr(value);
                out.extend(cells.iter().map(|named| Initial::Store(named.cell, value.clone())));
            }
            Init::List(values) => {
                if variable.length.is_none() || values.len() > cells.len() {
                    let message =
                        format!("`{}` does not have {} elements", decl.name, values.len());
                    self.error(decl.pos, message, &[]);
                    return;
                }
                // Like SPIN, the last value also fills the rest.
                for (index, named) in cells.iter().enumerate() {
                    let value = &values[index.min(values.len() - 1)];
                    let value = self.expr(value);
                    out.push(Initial::Store(named.cell, value));
                }
            }
        }
        if let Type::Struct(id) = variable.ty {
            let (size, _) = self.room(&variable.ty);
            for index in 0..variable.length.unwrap_or(1) {
                let base = variable.base + index * size;
                self.struct_initial(id, base, variable, out);
            }
        }
    }

    /// Channels and values that a structure's fields are declared with.
    fn struct_initial(
        &mut self,
        id: StructId,
        base: u32,
        variable: &Variable,
        out: &mut Vec<Initial>,
    ) {
        for field in self.structs[id.0].fields.clone() {
            let (size, _) = self.room(&field.ty);
            for index in 0..field.length.unwrap_or(1) {
                let at = base + field.offset + index * size;
                if let Type::Struct(inner) = field.ty {
                    self.struct_initial(inner, at, variable, out);
                    continue;
                }
                let cell = Cell {
                    space: variable.space,
                    word: at / 64,
                    shift: (at % 64) as u8,
                    width: field.ty.width().expect("a scalar has a width"),
                };
                if let Some(channel) = field.channel {
                    out.push(Initial::Channel(cell, channel));
                } else if let Some(init) = &field.init {
                    let value = self.expr(init);
                    out.push(Initial::Store(cell, value));
                }
            }
        }
    }

    /// The value of an expression that does not depend on the state.
    pub(crate) fn constant(&self, expr: &Expr) -> Option<i32> {
        match &expr.kind {
            ExprKind::Number(number) => Some(*number),
            ExprKind::Unary(op, inner) => Some(wrapping_unary(*op, self.constant(inner)?)),
            ExprKind::Binary(op, left, right) => {
                wrapping(*op, self.constant(left)?, self.constant(right)?)
            }
            ExprKind::Ref(var) => {
                let name = var.simple()?;
                if let Some((value, _)) = self.mtype_values.get(name) {
                    return Some(*value);
                }
                self.globals.get(name)?.constant
            }
            _ => None,
        }
    }
}
