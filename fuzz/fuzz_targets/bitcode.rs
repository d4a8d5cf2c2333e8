//! libFuzzer's entry into `targets/bitcode.rs`.

#![no_main]

#[path = "../targets/bitcode.rs"]
mod bitcode;
#[path = "../targets/ir_text.rs"]
mod ir_text;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    bitcode::run(data);
});
