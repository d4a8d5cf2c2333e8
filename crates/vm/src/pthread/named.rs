//! Named semaphores: `sem_open`, `sem_close`, `sem_unlink`.
//!
//! None exists when the program begins, and no other process uses one. Each is an
//! object of the library: a `sem_t`, how often it is open, whether it still has its
//! name, the name. One that nobody has open keeps its value; its address is then
//! for nobody to use, so the mark of an initialised semaphore is taken away.

use exeunt_ir::address::{self, ObjId, Space};
use exeunt_mem::{Bits, Flags};
use libc::{EEXIST, EINVAL, ENAMETOOLONG, ENOENT};

use super::OK;
use super::semaphore::{MAXIMUM, READY, SIZE};
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, row};
use crate::libc::library;
use crate::machine::Machine;
use crate::stop::Stop;

const FOUND: &str = "no named semaphore existed before, and no other process used one";

pub const TABLE: &[Builtin] = &[
    row("sem_open", "p:pi.", Effect::Visible, open).outside(FOUND),
    row("sem_close", "i:p", Effect::Visible, close),
    row("sem_unlink", "i:p", Effect::Visible, unlink).outside(FOUND),
];

type Answer = Result<Flow, Stop>;

/// How many there may be.
const LIMIT: u16 = 64;
const OPENED: i64 = SIZE as i64;
const LINKED: i64 = OPENED + 4;
const NAME: i64 = LINKED + 4;
const LONGEST: usize = 251;

impl Machine<'_> {
    /// What reports call a named semaphore.
    pub fn semaphore_name(&mut self, id: ObjId) -> Option<String> {
        let named = (library::SEMAPHORES..library::SEMAPHORES + LIMIT).contains(&id.slot());
        let name = if named { self.context().name_of_semaphore(id)? } else { return None };
        Some(format!("`/{}`", String::from_utf8_lossy(&name)))
    }
}

fn slot(index: u16) -> ObjId {
    ObjId::in_arena(Space::ThreadLocal, library::PROCESS, library::SEMAPHORES + index)
}

impl Context<'_, '_> {
    fn number(&mut self, id: ObjId, at: i64) -> Result<u32, Stop> {
        Ok(self.read(id.at(at), 4)?.value as u32)
    }

    fn set_number(&mut self, id: ObjId, at: i64, value: u32) -> Result<(), Stop> {
        self.write(id.at(at), 4, Bits::defined(value.into()))
    }

    /// The semaphore that has this name now.
    fn named_semaphore(&mut self, name: &[u8]) -> Result<Option<ObjId>, Stop> {
        for id in (0..LIMIT).map(slot) {
            if self.name_of_semaphore(id).as_deref() == Some(name) && self.number(id, LINKED)? == 1
            {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    fn name_of_semaphore(&mut self, id: ObjId) -> Option<Vec<u8>> {
        let size = self.header(id)?.size as usize;
        Some(self.object(id)?.data()[NAME as usize..size].to_vec())
    }

    /// Nobody has it open and it has no name: it is gone.
    fn drop_semaphore(&mut self, id: ObjId) -> Result<(), Stop> {
        if self.number(id, OPENED)? == 0 && self.number(id, LINKED)? == 0 {
            self.destroy(id, true);
        }
        Ok(())
    }
}

/// The name without slashes in front, or what is wrong with it.
fn name_of(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Result<Vec<u8>, i32>, Stop> {
    let name = context.string(args, args.ptr(0))?;
    let start = name.iter().position(|&byte| byte != b'/').unwrap_or(name.len());
    let name = name[start..].to_vec();
    Ok(match name.len() {
        0 => Err(EINVAL),
        length if length > LONGEST => Err(ENAMETOOLONG),
        _ if name.contains(&b'/') => Err(EINVAL),
        _ => Ok(name),
    })
}

fn open(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let failed = |context: &mut Context<'_, '_>, code| {
        context.set_errno(code)?;
        Ok(Flow::value(0))
    };
    let name = match name_of(context, args)? {
        Ok(name) => name,
        Err(code) => return failed(context, code),
    };
    let creates = args.i32(1) & libc::O_CREAT != 0;
    if let Some(id) = context.named_semaphore(&name)? {
        if creates && args.i32(1) & libc::O_EXCL != 0 {
            return failed(context, EEXIST);
        }
        let opened = context.number(id, OPENED)?;
        context.set_number(id, OPENED, opened + 1)?;
        context.set_number(id, 4, READY)?;
        return Ok(Flow::value(id.at(0)));
    }
    if !creates {
        return failed(context, ENOENT);
    }
    let Some(value) = args.values.get(3).filter(|value| value.low.undefined == 0) else {
        return Err(
            context.misuse("sem_open creates a semaphore without a value", "give mode and value")
        );
    };
    let value = value.low.value as u32;
    if value > MAXIMUM {
        return failed(context, EINVAL);
    }
    let free = (0..LIMIT).map(slot).find(|&id| context.header(id).is_none());
    let id = free.ok_or_else(|| Stop::unsupported("more than 64 named semaphores"))?;
    context.create(id, (NAME as usize + name.len()) as u32, Flags::SHARED);
    let words = [value, READY, 0, 0, 0, 0, 0, 0, 1, 1].map(u32::to_le_bytes).concat();
    context.initialise(id, &[words, name].concat());
    Ok(Flow::value(id.at(0)))
}

fn close(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let addr = args.ptr(0);
    let id = address::object(addr);
    let known = (0..LIMIT).any(|index| slot(index) == id) && id.at(0) == addr;
    let opened = match known && context.header(id).is_some() {
        true => context.number(id, OPENED)?,
        false => 0,
    };
    if opened == 0 {
        return context.failed(EINVAL);
    }
    context.set_number(id, OPENED, opened - 1)?;
    if opened == 1 {
        context.set_number(id, 4, 0)?;
    }
    context.drop_semaphore(id)?;
    Ok(OK)
}

fn unlink(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let found = match name_of(context, args)? {
        Ok(name) => context.named_semaphore(&name)?,
        Err(ENAMETOOLONG) => return context.failed(ENAMETOOLONG),
        Err(_) => None,
    };
    let Some(id) = found else { return context.failed(ENOENT) };
    context.set_number(id, LINKED, 0)?;
    context.drop_semaphore(id)?;
    Ok(OK)
}
