//! `unistd.h`: names of files.

use libc::ENOENT;

use super::{NONE, plain};
use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Effect, Flow, row};
use crate::stop::Stop;

const V: Effect = Effect::Visible;

pub const TABLE: &[Builtin] = &[
    row("access", "i:pi", V, access).outside(NONE),
    row("unlink", "i:p", V, unlink).outside(NONE),
];

type Answer = Result<Flow, Stop>;

fn access(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let path = context.string(args, args.ptr(0))?;
    match context.files()?.find(&plain(&path)) {
        // Anything but execution is allowed.
        Some(_) if args.i32(1) & libc::X_OK == 0 => Ok(Flow::int(0)),
        Some(_) => context.failed(libc::EACCES),
        None => context.failed(ENOENT),
    }
}

fn unlink(context: &mut Context<'_, '_>, args: &Args<'_>) -> Answer {
    let path = context.string(args, args.ptr(0))?;
    match context.remove_file(&path)? {
        true => Ok(Flow::int(0)),
        false => context.failed(ENOENT),
    }
}

impl Context<'_, '_> {
    pub fn remove_file(&mut self, path: &[u8]) -> Result<bool, Stop> {
        let mut files = self.files()?;
        let Some(node) = files.find(&plain(path)) else { return Ok(false) };
        files.nodes[node].name.clear();
        if !files.has(node, |_| true) {
            self.set_content(&mut files, node, &[])?;
        }
        self.set_files(&files)?;
        Ok(true)
    }
}
