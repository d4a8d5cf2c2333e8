//! libFuzzer's entry into `targets/ir_text.rs`.

#![no_main]

#[path = "../targets/ir_text.rs"]
mod ir_text;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    ir_text::run(data);
});
