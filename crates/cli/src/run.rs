//! `exeunt run`: the program once, under one schedule, with what it prints.

use std::io::Write;

use exeunt_model::{Event, Stream, Verdict};
use exeunt_search::Ending;

use crate::args::{Reuse, RunArgs};
use crate::failure::{self, Failure, INTERRUPTED};
use crate::front;
use crate::interrupt;
use crate::settings::Settings;

pub(crate) fn run(arguments: &RunArgs) -> Result<u8, Failure> {
    let mut settings = Settings::of_run(arguments)?;
    // One run takes the first of all choices, and that is memory which is new.
    settings.program.reuse = Some(Reuse::Never);
    let stop = interrupt::listen();
    let loaded = front::load(&settings)?;
    let ending = exeunt_search::run(&*settings.open(loaded.model()), &stop, &mut print);
    Ok(told(&ending))
}

/// Passes on what the program prints. A reader that went away is no error.
fn print(event: &Event) {
    let Event::Output { stream, bytes } = event else { return };
    let _ = match stream {
        Stream::Out => std::io::stdout().write_all(bytes),
        Stream::Err => std::io::stderr().write_all(bytes),
    };
}

/// Says how the run ended if it did not end well, and gives the exit code.
fn told(ending: &Ending) -> u8 {
    let _ = std::io::stdout().flush();
    match ending {
        Ending::Ended => 0,
        Ending::Fault(fault) => {
            let place = fault.location.as_ref().map_or_else(String::new, |at| format!(" ({at})"));
            failure::error(&format!("{}{place}", fault.message));
            Verdict::Violated.exit_code()
        }
        Ending::Deadlock => {
            failure::error("no thread can move");
            Verdict::Violated.exit_code()
        }
        Ending::Unsupported(what) => {
            failure::error(&what.to_string());
            Verdict::Inconclusive.exit_code()
        }
        Ending::Dropped => {
            failure::error("an assumption of the program does not hold in this run");
            Verdict::Inconclusive.exit_code()
        }
        Ending::Interrupted => INTERRUPTED,
    }
}
