//! The tour of libraries (`examples/libraries`): each client holds, its seeded bug is found, and its
//! row in the table says so. The libraries are packages that `./x` installs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/libraries")
}

/// Name, flags that its head names, and the property that its bug violates by the table.
struct Client {
    file: String,
    flags: Vec<String>,
    bug: String,
}

fn clients() -> Vec<Client> {
    let table = fs::read_to_string(directory().join("README.md")).expect("the tour");
    let mut clients = Vec::new();
    for entry in fs::read_dir(directory()).expect("the tour") {
        let path = entry.expect("an entry").path();
        let file = path.file_name().expect("a name").to_string_lossy().into_owned();
        if file == "README.md" {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a client");
        let flags = text.lines().find_map(|line| line.strip_prefix("// flags: "));
        let flags = flags.unwrap_or("").split_whitespace().map(str::to_string).collect();
        let row = table.lines().find(|line| line.contains(&format!("]({file})")));
        let row = row.unwrap_or_else(|| panic!("the table has no row for {file}"));
        let bug = row.trim_matches('|').split('|').next_back().expect("cells").trim();
        let bug = bug.split('`').nth(1).unwrap_or_else(|| panic!("{row}")).to_string();
        clients.push(Client { file, flags, bug });
    }
    clients
}

fn check(client: &Client, more: &[&str]) -> (String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
    command.current_dir(directory()).args(["check", &client.file, "--format", "json"]);
    let output = command.args(&client.flags).args(more).output().expect("exeunt runs");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|why| panic!("{}: no report ({why}): {output:?}", client.file));
    let word = |value: &serde_json::Value| value.as_str().unwrap_or("").to_string();
    (word(&report["verdict"]), word(&report["violations"][0]["property"]))
}

#[test]
fn libraries_hold_and_seeded_bugs_are_found() {
    let clients = clients();
    assert!(clients.len() >= 27, "{} clients", clients.len());
    for client in clients {
        let (verdict, _) = check(&client, &[]);
        assert_eq!(verdict, "holds", "{}", client.file);
        let (verdict, property) = check(&client, &["-DBUG"]);
        assert_eq!((&*verdict, property), ("violated", client.bug), "{} -DBUG", client.file);
    }
}
