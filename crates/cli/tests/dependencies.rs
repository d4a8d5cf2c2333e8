//! What we depend on: known licences, one registry, versions in one place. The
//! rules are those of `deny.toml`, so they are obeyed also where `cargo deny` is
//! not installed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

#[test]
fn every_licence_is_an_allowed_one() {
    let allowed = allowed();
    assert!(allowed.contains("MIT"), "no licences in deny.toml: {allowed:?}");
    for package in packages() {
        let licence = package["license"].as_str().unwrap_or("(none)");
        assert!(satisfied(licence, &allowed), "{}: {licence}", package["name"]);
    }
}

#[test]
fn everything_comes_from_one_registry_or_from_here() {
    for package in packages() {
        let source = package["source"].as_str().unwrap_or("path");
        let known = source == "path" || source.starts_with("registry+");
        assert!(known, "{}: {source}", package["name"]);
    }
}

#[test]
fn versions_are_written_in_the_workspace_only() {
    for manifest in manifests() {
        let text = std::fs::read_to_string(&manifest).expect("a manifest");
        let mut in_dependencies = false;
        for line in text.lines() {
            if line.starts_with('[') {
                in_dependencies = line.trim_end().ends_with("dependencies]");
            } else if in_dependencies && line.contains('=') && !line.starts_with('#') {
                assert!(line.contains("workspace = true"), "{}: {line}", manifest.display());
            }
        }
    }
}

#[test]
fn licence_expressions_are_read() {
    let allowed = ["MIT", "Zlib", "X WITH y"].map(str::to_string).into();
    for good in ["MIT", "GPL-3.0 OR MIT", "MIT/Z", "(MIT OR GPL-3.0) AND Zlib", "X WITH y OR Z"] {
        assert!(satisfied(good, &allowed), "{good}");
    }
    for bad in ["GPL-3.0", "MIT AND GPL-3.0", "(GPL-3.0 OR X) AND MIT", "MIT WITH y", ""] {
        assert!(!satisfied(bad, &allowed), "{bad}");
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn manifests() -> Vec<PathBuf> {
    let crates = std::fs::read_dir(root().join("crates")).expect("crates");
    let mut found: Vec<PathBuf> =
        crates.map(|entry| entry.expect("an entry").path().join("Cargo.toml")).collect();
    found.push(root().join("bench/Cargo.toml"));
    found.retain(|file| file.exists());
    found.sort();
    found
}

/// The packages that are built on the one platform we support.
fn packages() -> Vec<Value> {
    let platform = "--filter-platform=x86_64-unknown-linux-gnu";
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--locked", "--format-version=1", platform])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let data: Value = serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    data["packages"].as_array().expect("packages").clone()
}

/// The list `allow` of the section `[licenses]`.
fn allowed() -> BTreeSet<String> {
    let text = std::fs::read_to_string(root().join("deny.toml")).expect("deny.toml");
    let (_, after) = text.split_once("[licenses]").expect("[licenses]");
    let (_, after) = after.split_once("allow = [").expect("a list");
    let (list, _) = after.split_once(']').expect("its end");
    list.split('"').skip(1).step_by(2).map(str::to_string).collect()
}

/// Whether an SPDX expression can be satisfied by the list, in which a licence
/// with an exception is an entry of its own; `/` is an old spelling of `OR`.
fn satisfied(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    let value = any_of(&mut rest, allowed);
    value && rest.is_empty()
}

fn any_of(words: &mut &[&str], allowed: &BTreeSet<String>) -> bool {
    let mut value = all_of(words, allowed);
    while words.first() == Some(&"OR") {
        *words = &words[1..];
        value |= all_of(words, allowed);
    }
    value
}

fn all_of(words: &mut &[&str], allowed: &BTreeSet<String>) -> bool {
    let mut value = licence(words, allowed);
    while words.first() == Some(&"AND") {
        *words = &words[1..];
        value &= licence(words, allowed);
    }
    value
}

fn licence(words: &mut &[&str], allowed: &BTreeSet<String>) -> bool {
    let Some((first, rest)) = words.split_first() else { return false };
    *words = rest;
    if let ["WITH", exception, ..] = words {
        *words = &words[2..];
        return allowed.contains(&format!("{first} WITH {exception}"));
    }
    if *first != "(" {
        return allowed.contains(*first);
    }
    let value = any_of(words, allowed);
    let closed = words.first() == Some(&")");
    *words = words.get(1..).unwrap_or(&[]);
    value && closed
}
