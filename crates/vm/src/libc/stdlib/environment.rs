//! Environment variables: those that `--env` gives. Each that is set is
//! an object `NAME=value` of the library; `putenv` copies its string.

use exeunt_ir::address::{ObjId, Space};
use exeunt_mem::Flags;
use libc::EINVAL;

use super::Answer;
use crate::builtin::Context;
use crate::builtin::{Args, Flow};
use crate::libc::library;
use crate::stop::Stop;

/// What was set before the program began.
pub const UNSET: &str = "no environment variables were set from outside";
/// How many variables a program may set.
const LIMIT: u16 = 1000;

fn slot(index: u16) -> ObjId {
    ObjId::in_arena(Space::ThreadLocal, library::PROCESS, library::ENVIRONMENT + index)
}

impl Context<'_, '_> {
    /// The variables that the program is given are there once it looks.
    fn begin_environment(&mut self) -> Result<(), Stop> {
        let id = ObjId::in_arena(Space::ThreadLocal, library::PROCESS, library::HAS_ENVIRONMENT);
        let Some(given) = self.options().environment.as_ref() else { return Ok(()) };
        if self.header(id).is_some() {
            return Ok(());
        }
        self.create(id, 1, Flags::SHARED);
        for (name, value) in given {
            self.set_variable(name.as_bytes(), value.as_bytes())?;
        }
        Ok(())
    }

    /// The object that holds a variable.
    fn variable(&mut self, name: &[u8]) -> Option<ObjId> {
        (0..LIMIT).map(slot).find(|&id| {
            self.object(id).is_some_and(|object| {
                let data = object.data();
                data.starts_with(name) && data.get(name.len()) == Some(&b'=')
            })
        })
    }

    fn set_variable(&mut self, name: &[u8], value: &[u8]) -> Result<(), Stop> {
        if let Some(old) = self.variable(name) {
            self.destroy(old, true);
        }
        let free = (0..LIMIT).map(slot).find(|&id| self.header(id).is_none());
        let id = free.ok_or_else(|| Stop::unsupported("more than 1000 environment variables"))?;
        let text = [name, b"=", value, b"\0"].concat();
        self.create(id, text.len() as u32, Flags::SHARED);
        self.write_bytes(id.at(0), &text, &[])
    }
}

pub fn getenv(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    context.begin_environment()?;
    let name = context.string(args, args.ptr(0))?;
    let found = context.variable(&name);
    Ok(Flow::value(found.map_or(0, |id| id.at(name.len() as i64 + 1))))
}

fn name_of(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Option<Vec<u8>>, Stop> {
    if args.ptr(0) != 0 {
        let name = context.string(args, args.ptr(0))?;
        if !name.is_empty() && !name.contains(&b'=') {
            return Ok(Some(name));
        }
    }
    context.set_errno(EINVAL)?;
    Ok(None)
}

pub fn setenv(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    context.begin_environment()?;
    let Some(name) = name_of(context, args)? else { return Ok(Flow::int(-1)) };
    let value = context.string(args, args.ptr(1))?;
    if args.i32(2) != 0 || context.variable(&name).is_none() {
        context.set_variable(&name, &value)?;
    }
    Ok(Flow::int(0))
}

pub fn putenv(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    context.begin_environment()?;
    let text = context.string(args, args.ptr(0))?;
    match text.iter().position(|&byte| byte == b'=') {
        Some(at) => context.set_variable(&text[..at], &text[at + 1..])?,
        None => remove(context, &text),
    }
    Ok(Flow::int(0))
}

fn remove(context: &mut Context<'_, '_>, name: &[u8]) {
    if let Some(id) = context.variable(name) {
        context.destroy(id, true);
    }
}

pub fn unsetenv(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    context.begin_environment()?;
    let Some(name) = name_of(context, args)? else { return Ok(Flow::int(-1)) };
    remove(context, &name);
    Ok(Flow::int(0))
}

pub fn clearenv(context: &mut Context<'_, '_>, _: &Args<'_>) -> Answer {
    context.begin_environment()?;
    for id in (0..LIMIT).map(slot) {
        context.destroy(id, true);
    }
    Ok(Flow::int(0))
}
