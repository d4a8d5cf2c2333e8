//! The crate graph is the one in ARCHITECTURE.md: every crate has a row, every
//! row a crate, and no crate uses another one that its row does not name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

type Graph = BTreeMap<String, BTreeSet<String>>;

#[test]
fn the_crate_graph_is_the_documented_one() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let allowed = table(&text);
    let actual = workspace();
    let names = |graph: &Graph| graph.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&actual), names(&allowed), "crates (left) and rows (right) differ");
    for (name, uses) in &actual {
        let extra: Vec<_> = uses.difference(&allowed[name]).collect();
        assert!(extra.is_empty(), "`{name}` uses {extra:?}, which its row does not allow");
    }
}

#[test]
fn machines_and_engines_meet_only_in_the_model() {
    let graph = workspace();
    assert!(graph["model"].is_empty(), "model uses {:?}", graph["model"]);
    for (name, forbidden) in [
        ("vm", ["search", "llvm-front", "report"].as_slice()),
        ("search", &["vm", "ir", "mem", "llvm-front", "promela", "report"]),
        ("report", &["search", "vm", "ir"]),
    ] {
        for other in forbidden {
            assert!(!graph[name].contains(*other), "`{name}` uses `{other}`");
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The rows "| `name` | … | uses |" of the table of crates; "all" names every
/// crate.
fn table(text: &str) -> Graph {
    let rows = text.lines().skip_while(|line| !line.starts_with("| crate |")).skip(2);
    let rows: Vec<Vec<&str>> = rows
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let name = |row: &Vec<&str>| row[0].trim_matches('`').to_string();
    let all: BTreeSet<String> = rows.iter().map(name).collect();
    rows.iter().map(|row| (name(row), uses(row[row.len() - 1], &all))).collect()
}

fn uses(cell: &str, all: &BTreeSet<String>) -> BTreeSet<String> {
    match cell {
        "all" => all.clone(),
        "nothing of ours" => BTreeSet::new(),
        list => list.split(", ").map(str::to_string).collect(),
    }
}

/// Who uses whom, without what only tests use.
fn workspace() -> Graph {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let data: Value = serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    let packages = data["packages"].as_array().expect("packages");
    packages.iter().map(|package| (short(&package["name"]), dependencies(package))).collect()
}

fn dependencies(package: &Value) -> BTreeSet<String> {
    let list = package["dependencies"].as_array().expect("dependencies");
    let ours = list.iter().filter(|d| d["kind"] != "dev" && is_ours(&d["name"]));
    ours.map(|dependency| short(&dependency["name"])).collect()
}

fn is_ours(name: &Value) -> bool {
    name.as_str().is_some_and(|name| name.starts_with("exeunt-"))
}

fn short(name: &Value) -> String {
    name.as_str().expect("a name").trim_start_matches("exeunt-").to_string()
}
