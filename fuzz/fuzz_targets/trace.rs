//! libFuzzer's entry into `targets/trace.rs`.

#![no_main]

#[path = "../targets/trace.rs"]
mod trace;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    trace::run(data);
});
