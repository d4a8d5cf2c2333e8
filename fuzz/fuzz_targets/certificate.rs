//! libFuzzer's entry into `targets/certificate.rs`.

#![no_main]

#[path = "../targets/certificate.rs"]
mod certificate;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    certificate::run(data);
});
