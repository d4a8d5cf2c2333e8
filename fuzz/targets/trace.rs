//! Trace files: what is read is written so that it is read as the same again.

/// Whether the input is a trace file.
pub fn run(data: &[u8]) -> bool {
    let Ok(text) = exeunt_cli::read_trace(data) else { return false };
    let again = exeunt_cli::read_trace(text.as_bytes()).expect("what was written is a trace");
    assert_eq!(again, text);
    true
}
