//! libFuzzer's entry into `targets/formula.rs`.

#![no_main]

#[path = "../targets/formula.rs"]
mod formula;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    formula::run(data);
});
