//! Messages in channels.
//!
//! A channel's component begins with the number of its messages; the messages
//! follow, the oldest first. Bits behind the last message are zero, so that
//! equal channels are equal components.

use crate::code::{ChanDecl, Expr, MessageField, Receive, Slot};

use super::memory::extract;
use super::trouble::Trouble;
use super::{Frame, Machine};

/// A channel of the current state: its number counted from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChannelId(pub u32);

impl Machine<'_> {
    /// The channel an expression names.
    #[inline]
    pub(super) fn channel_of(&self, chan: &Expr, frame: Frame) -> Option<ChannelId> {
        let number = self.eval(chan, frame);
        let index = (number as u32).wrapping_sub(1);
        if index >= self.memory.channel_count() {
            self.complain(Trouble::NoChannel { number });
            return None;
        }
        Some(ChannelId(index))
    }

    #[inline]
    pub(super) fn shape(&self, channel: ChannelId) -> &ChanDecl {
        let decl = self.memory.channel(channel.0).decl;
        &self.program.channels[decl.0 as usize]
    }

    pub(super) fn is_rendezvous(&self, channel: ChannelId) -> bool {
        self.memory.channel(channel.0).base == u32::MAX
    }

    /// Whether a message is just passing through this rendezvous channel.
    pub(super) fn is_passing(&self, channel: ChannelId) -> bool {
        self.handshake.channel == channel.0 + 1
    }

    #[inline]
    pub(super) fn length(&self, channel: ChannelId) -> u32 {
        match self.memory.channel(channel.0).base {
            u32::MAX => u32::from(self.is_passing(channel)),
            base => (self.memory.word(base) & 0xff) as u32,
        }
    }

    #[inline]
    fn field(&self, base: u32, shape: &ChanDecl, slot: u32, field: &MessageField) -> i32 {
        let bits = shape.start + slot * shape.stride + field.offset;
        let word = self.memory.word(base + bits / 64);
        extract(word, (bits % 64) as u8, field.width.bits, field.width.signed)
    }

    pub(super) fn message_field(&self, channel: ChannelId, slot: u32, index: usize) -> i32 {
        let base = self.memory.channel(channel.0).base;
        if base == u32::MAX {
            return self.handshake.message.get(index).copied().unwrap_or(0);
        }
        let shape = self.shape(channel);
        self.field(base, shape, slot, &shape.fields[index])
    }

    /// The slot of the message that a receive would take.
    pub(super) fn find_message(
        &self,
        channel: ChannelId,
        receive: &Receive,
        frame: Frame,
    ) -> Option<u32> {
        let length = self.length(channel);
        if length == 0 {
            return None;
        }
        let wanted = self.shape(channel).fields.len();
        if receive.args.len() != wanted {
            self.complain(Trouble::Fields { wanted, given: receive.args.len() });
            return None;
        }
        let candidates = if receive.random { length } else { 1 };
        (0..candidates).find(|slot| {
            receive.args.iter().enumerate().all(|(index, arg)| match arg {
                Slot::Store(_) => true,
                Slot::Match(expr) => {
                    self.eval(expr, frame) == self.message_field(channel, *slot, index)
                }
            })
        })
    }

    /// Puts a message in; the caller knows that there is room.
    /// Whether a message can be sent; where messages are lost, it can be to a full channel, too.
    pub(super) fn has_room(&self, channel: ChannelId) -> bool {
        self.program.rules.loses || self.length(channel) < self.shape(channel).capacity
    }

    pub(super) fn put(&mut self, channel: ChannelId, message: &[i32], sorted: bool) {
        let shape = self.shape(channel);
        let length = self.length(channel);
        if length == shape.capacity {
            return;
        }
        let slot = if sorted { self.sorted_place(channel, message, length) } else { length };
        let (start, stride) = (shape.start, shape.stride);
        let base = self.memory.channel(channel.0).base;
        for from in (slot..length).rev() {
            self.copy_slot(base, start, stride, from, from + 1);
        }
        let decl = self.memory.channel(channel.0).decl;
        let program = self.program;
        for (field, value) in program.channels[decl.0 as usize].fields.iter().zip(message) {
            let bits = start + slot * stride + field.offset;
            let (word, shift) = (base + bits / 64, (bits % 64) as u8);
            self.memory.store_bits(word, shift, field.width.bits, *value);
        }
        self.memory.store_bits(base, 0, 8, length as i32 + 1);
    }

    /// Before the first message that is not smaller, field by field.
    fn sorted_place(&self, channel: ChannelId, message: &[i32], length: u32) -> u32 {
        let shape = self.shape(channel);
        let base = self.memory.channel(channel.0).base;
        let stored: Vec<i32> = message
            .iter()
            .zip(&shape.fields)
            .map(|(value, field)| field.width.truncate(*value))
            .collect();
        (0..length)
            .find(|slot| {
                let fields = shape.fields.iter().map(|field| self.field(base, shape, *slot, field));
                fields.cmp(stored.iter().copied()).is_ge()
            })
            .unwrap_or(length)
    }

    /// Takes the message in `slot` out; later ones move up.
    pub(super) fn take(&mut self, channel: ChannelId, slot: u32) {
        let length = self.length(channel);
        let shape = self.shape(channel);
        let (start, stride) = (shape.start, shape.stride);
        let base = self.memory.channel(channel.0).base;
        for from in slot + 1..length {
            self.copy_slot(base, start, stride, from, from - 1);
        }
        self.clear_slot(base, start, stride, length - 1);
        self.memory.store_bits(base, 0, 8, length as i32 - 1);
    }

    fn copy_slot(&mut self, base: u32, start: u32, stride: u32, from: u32, to: u32) {
        let (from, to) = (start + from * stride, start + to * stride);
        if stride < 64 {
            let mask = (1u64 << stride) - 1;
            let value = self.memory.word(base + from / 64) >> (from % 64) & mask;
            self.write_slot(base + to / 64, to % 64, mask, value);
            return;
        }
        for word in 0..stride / 64 {
            let value = self.memory.word(base + from / 64 + word);
            self.memory.write(base + to / 64 + word, value);
        }
    }

    fn clear_slot(&mut self, base: u32, start: u32, stride: u32, slot: u32) {
        let at = start + slot * stride;
        if stride < 64 {
            self.write_slot(base + at / 64, at % 64, (1u64 << stride) - 1, 0);
            return;
        }
        for word in 0..stride / 64 {
            self.memory.write(base + at / 64 + word, 0);
        }
    }

    fn write_slot(&mut self, index: u32, shift: u32, mask: u64, value: u64) {
        let old = self.memory.word(index);
        self.memory.write(index, old & !(mask << shift) | value << shift);
    }
}
