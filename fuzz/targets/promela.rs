//! Promela models: whatever the text, there is a model or a complaint with a
//! message, and a model can be searched.

use std::time::Duration;

use exeunt_model::{Basis, Model};
use exeunt_promela::PromelaOptions;
use exeunt_search::{Limits, Options};

/// Whether the input is a model.
pub fn run(data: &[u8]) -> bool {
    // An included file is not part of the input, and might be a device.
    if data.windows(7).any(|part| part == b"include") {
        return false;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("model.pml");
    std::fs::write(&file, data).expect("a file");
    let model = match exeunt_promela::load(&file, &PromelaOptions::default()) {
        Ok(model) => model,
        Err(wrong) => {
            assert!(!wrong.is_empty(), "a refusal says why");
            assert!(wrong.iter().all(|wrong| !wrong.message.is_empty()));
            return false;
        }
    };
    let time = Some(Duration::from_millis(500));
    let limits = Limits { max_states: Some(300), time, ..Limits::default() };
    exeunt_search::check(
        &mut *model.open(Basis::Learnt),
        &Options { limits, ..Options::default() },
        &mut |_| {},
    );
    true
}
