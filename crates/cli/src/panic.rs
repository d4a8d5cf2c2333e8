//! A panic of ours is a bug of ours: it is said so and never becomes a
//! verdict.

use std::panic::{PanicHookInfo, UnwindSafe, catch_unwind, set_hook};

/// The exit code of a bug in exeunt.
pub const BUG: u8 = 101;

/// Runs `work`; a panic in it ends in a message and [`BUG`].
pub(crate) fn guarded(work: impl FnOnce() -> u8 + UnwindSafe) -> u8 {
    set_hook(Box::new(tell));
    catch_unwind(work).unwrap_or(BUG)
}

fn tell(info: &PanicHookInfo<'_>) {
    let payload = info.payload();
    let text = payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| payload.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    crate::failure::error(&format!("this is a bug in exeunt: {text}"));
    if let Some(place) = info.location() {
        anstream::eprintln!("  at {place}");
    }
    anstream::eprintln!(
        "  nothing is concluded about the checked program\n  \
         please report it with the program and the command line; \
         RUST_BACKTRACE=1 adds where it happened"
    );
    if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
        anstream::eprintln!("{}", std::backtrace::Backtrace::force_capture());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_has_its_own_exit_code() {
        let code = guarded(|| panic!("on purpose"));
        let _ = std::panic::take_hook();
        assert_eq!(code, BUG);
        assert_eq!(guarded(|| 3), 3);
        let _ = std::panic::take_hook();
    }
}
