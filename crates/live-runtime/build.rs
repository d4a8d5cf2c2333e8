//! Gives the library the name that instrumented programs ask for, so that the
//! loader finds it in the one that `exeunt live` puts into the process.

fn main() {
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libexeunt-live.so");
    println!("cargo::rerun-if-changed=build.rs");
}
