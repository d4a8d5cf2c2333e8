//! Builds the runtime, which travels inside the binary. It is a library of its
//! own kind (it defines the functions of the thread library), so no crate can
//! depend on it as on others.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for part in ["crates/live-runtime", "crates/search", "crates/model", "crates/ltl"] {
        watch(&root.join(part));
    }
    for part in ["Cargo.lock", "Cargo.toml"] {
        println!("cargo::rerun-if-changed={}", root.join(part).display());
    }
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    let target = out.join("runtime");
    let status = Command::new(std::env::var_os("CARGO").expect("cargo sets it"))
        .args(["build", "--quiet", "--release", "-p", "exeunt-live-runtime", "--manifest-path"])
        .arg(root.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&target)
        // The explorer and the machine are different crates and one hot loop: 42 against
        // 25 microseconds of processor time for a run of 65 steps.
        .env("CARGO_PROFILE_RELEASE_LTO", "fat")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "0")
        .env("CARGO_PROFILE_RELEASE_STRIP", "symbols")
        .env("CARGO_PROFILE_RELEASE_PANIC", "abort")
        // What the outer build is checked with is no concern of this one.
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .env_remove("RUSTC_WRAPPER")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .status()
        .expect("cargo runs");
    assert!(status.success(), "the runtime of `exeunt live` could not be built");
    let library = target.join("release/libexeunt_live_runtime.so");
    println!("cargo::rustc-env=EXEUNT_LIVE_RUNTIME={}", library.display());
}

/// Every file and every folder by its name: a folder's own time changes when a
/// file comes or goes, a file's when it is written.
fn watch(path: &Path) {
    println!("cargo::rerun-if-changed={}", path.display());
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    let mut all: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    all.sort();
    all.iter().for_each(|path| watch(path));
}
