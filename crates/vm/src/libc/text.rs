//! Text in the program's memory: reading it is bounded by its object, and
//! what decides where it ends must be defined.

use exeunt_ir::address;
use exeunt_model::{Fault, Property};

use crate::builtin::Args;
use crate::builtin::Context;
use crate::stop::Stop;

impl Context<'_, '_> {
    /// The name of the function that is being called.
    pub fn callee_name(&self, args: &Args<'_>) -> &'static str {
        self.builtin_of(args.site).map_or("a library function", |builtin| builtin.name)
    }

    /// What the called function answers depends on an undefined byte.
    pub fn undefined_text(&self, args: &Args<'_>) -> Stop {
        self.undefined_use(&format!("what {} does", self.callee_name(args)))
    }

    /// The bytes at `addr` up to and including the first that `is_last`
    /// accepts, but at most `limit`. Each of them has to be defined.
    pub fn scan(
        &mut self,
        args: &Args<'_>,
        addr: u64,
        limit: u64,
        mut is_last: impl FnMut(u8) -> bool,
    ) -> Result<Vec<u8>, Stop> {
        if limit == 0 {
            return Ok(Vec::new());
        }
        self.read(addr, 1)?;
        let start = address::offset(addr) as usize;
        let mut text = Vec::new();
        let mut undefined = false;
        if let Some(object) = self.object(address::object(addr)) {
            let size = object.header().size as usize;
            let shadow = object.shadow();
            let end = size.min(start.saturating_add(limit as usize));
            for (at, &byte) in object.data()[..end].iter().enumerate().skip(start) {
                if shadow.is_some_and(|shadow| shadow[at] != 0) {
                    undefined = true;
                    break;
                }
                text.push(byte);
                if is_last(byte) {
                    return Ok(text);
                }
            }
        }
        if undefined {
            return Err(self.undefined_text(args));
        }
        if (text.len() as u64) < limit {
            // The object ends before the text does.
            self.read(address::add(addr, text.len() as i64), 1)?;
        }
        Ok(text)
    }

    /// A string without its end.
    pub fn string(&mut self, args: &Args<'_>, addr: u64) -> Result<Vec<u8>, Stop> {
        let mut text = self.scan(args, addr, u64::MAX, |byte| byte == 0)?;
        text.pop();
        Ok(text)
    }

    /// A string that ends at its zero byte or after `limit` bytes.
    pub fn string_up_to(
        &mut self,
        args: &Args<'_>,
        addr: u64,
        limit: u64,
    ) -> Result<Vec<u8>, Stop> {
        let mut text = self.scan(args, addr, limit, |byte| byte == 0)?;
        if text.last() == Some(&0) {
            text.pop();
        }
        Ok(text)
    }

    /// A block that has to be defined as a whole.
    pub fn defined_bytes(&mut self, args: &Args<'_>, addr: u64, len: u64) -> Result<Vec<u8>, Stop> {
        if len == 0 {
            return Ok(Vec::new());
        }
        let (data, shadow) = self.read_bytes(addr, len)?;
        if shadow.is_empty() { Ok(data) } else { Err(self.undefined_text(args)) }
    }

    /// Writes text that was read at `src`, which must not overlap.
    pub fn copy_text(
        &mut self,
        args: &Args<'_>,
        dst: u64,
        src: u64,
        text: &[u8],
    ) -> Result<(), Stop> {
        if !text.is_empty() && dst.abs_diff(src) < text.len() as u64 {
            let message = format!("{} between strings that overlap", self.callee_name(args));
            let fault = Fault::new(Property::Undefined, message).help("use memmove");
            return Err(self.located(fault).into());
        }
        self.write_bytes(dst, text, &[])
    }
}
