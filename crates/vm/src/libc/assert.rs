//! `assert`.

use exeunt_model::Property;

use crate::builtin::Context;
use crate::builtin::{Args, Builtin, Deed, Effect, Flow, row};
use crate::stop::Stop;

pub const TABLE: &[Builtin] = &[
    row("__assert_fail", "v:ppip", Effect::Local, fail).does(Deed::Fails),
    row("__assert", "v:ppi", Effect::Local, fail),
    row("__assert_perror_fail", "v:ipip", Effect::Local, perror_fail),
];

fn fail(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    let text = context.read_string(args.ptr(0), "the text of an assertion")?;
    let text = String::from_utf8_lossy(&text).into_owned();
    Err(context.fault(Property::Assertion, format!("assertion failed: {text}")))
}

fn perror_fail(context: &mut Context<'_, '_>, args: &Args<'_>) -> Result<Flow, Stop> {
    Err(context.fault(Property::Assertion, format!("assertion failed: error {}", args.i32(0))))
}
