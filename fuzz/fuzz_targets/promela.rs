//! libFuzzer's entry into `targets/promela.rs`.

#![no_main]

#[path = "../targets/promela.rs"]
mod promela;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    promela::run(data);
});
