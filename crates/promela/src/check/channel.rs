//! Channels as they are declared: capacity, fields, and how messages are packed.

use std::sync::Arc;

use crate::code::{ChanDecl, ChanDeclId, MessageField, Width};
use crate::layout::{BIT, BYTE, Packer, room};
use crate::source::Pos;
use crate::syntax::{Init, TypeName, VarDecl};

use super::Checker;
use super::types::Type;

/// SPIN's own limit on the number of slots of a channel.
const MAX_CAPACITY: i32 = 255;

impl Checker<'_> {
    /// The channel declaration behind `= [n] of { … }`.
    pub(super) fn channel_init(&mut self, decl: &VarDecl) -> Option<ChanDeclId> {
        let Init::Channel { capacity, fields } = &decl.init else { return None };
        if decl.ty != TypeName::Chan {
            self.error(decl.pos, format!("`{}` is not declared as a chan", decl.name), &[]);
            return None;
        }
        let capacity = match self.constant(capacity) {
            Some(number) if (0..=MAX_CAPACITY).contains(&number) => number as u32,
            Some(number) => {
                let message = format!("a channel cannot have {number} slots");
                self.error(capacity.pos, message, &["0 to 255 slots are possible"]);
                0
            }
            None => {
                self.error(capacity.pos, "the capacity of a channel must be constant", &[]);
                0
            }
        };
        let mut widths = Vec::new();
        for field in fields {
            self.message_widths(field, decl.pos, &mut widths);
        }
        // SPIN keeps a message of a single bit in a byte.
        if let [(width @ BIT, _)] = widths.as_mut_slice() {
            *width = BYTE;
        }
        let id = ChanDeclId(self.program.channels.len() as u16);
        self.program.channels.push(channel_layout(capacity, &widths));
        Some(id)
    }

    fn message_widths(&mut self, field: &TypeName, pos: Pos, out: &mut Vec<Kind>) {
        if matches!(field, TypeName::Unsigned(_)) {
            self.error(pos, "`unsigned` cannot be a message field", &["use byte, short or int"]);
            return;
        }
        if let Some(ty) = self.resolve_type(field, pos) {
            self.flat_widths(&ty, out);
        }
    }

    fn flat_widths(&self, ty: &Type, out: &mut Vec<Kind>) {
        match ty {
            Type::Struct(id) => {
                for field in &self.structs[id.0].fields {
                    for _ in 0..field.length.unwrap_or(1) {
                        self.flat_widths(&field.ty, out);
                    }
                }
            }
            scalar => out.extend(scalar.width().map(|width| (width, scalar.names()))),
        }
    }
}

/// The width of a field, and which names its values have.
type Kind = (Width, Option<Arc<str>>);

fn channel_layout(capacity: u32, kinds: &[Kind]) -> ChanDecl {
    let mut packer = Packer::default();
    let fields: Vec<MessageField> = kinds
        .iter()
        .map(|(width, mtype)| {
            let size = room(*width);
            let offset = packer.place(size, size, 1);
            MessageField { offset, width: *width, mtype: mtype.clone() }
        })
        .collect();
    let stride = if packer.end <= 64 {
        packer.end.next_power_of_two().max(8)
    } else {
        packer.end.next_multiple_of(64)
    };
    let start = stride.min(64);
    ChanDecl { capacity, fields, start, stride }
}
