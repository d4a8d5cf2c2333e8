//! `exeunt explore` in a real browser: the graph unfolds, the search finds, links lead to paths, others are turned
//! away, and Ctrl-C ends it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn states_are_explored_in_a_browser() {
    let modules = root().join("target/browser");
    assert!(modules.join("node_modules/playwright-core").is_dir(), "`./x test` installs it");
    let mut server = Command::new(env!("CARGO_BIN_EXE_exeunt"))
        .args(["explore", "examples/11_partial_deadlock.c"])
        .current_dir(root())
        .stdout(Stdio::piped())
        .spawn()
        .expect("exeunt runs");
    let mut lines = BufReader::new(server.stdout.take().expect("its output")).lines();
    let address = lines.next().expect("an address").expect("a line");
    assert!(address.starts_with("http://127.0.0.1:"), "{address}");
    let browser = ["/usr/bin/chromium", "/usr/bin/chromium-browser"];
    let browser = browser.iter().find(|path| Path::new(path).exists()).expect("a browser");
    let folder = tempfile::tempdir().expect("a folder");
    let looked = Command::new("node")
        .arg(root().join("tests/browser/explore.mjs"))
        .arg(browser)
        .arg(&address)
        .arg(folder.path().join("explore.png"))
        .current_dir(&modules)
        .output()
        .expect("node runs");
    let id = server.id() as libc::pid_t;
    // SAFETY: only sends a signal to the process that was started above.
    unsafe { libc::kill(id, libc::SIGINT) };
    assert_eq!(server.wait().expect("it ends").code(), Some(130));
    let told = String::from_utf8_lossy(&looked.stdout);
    let errors = String::from_utf8_lossy(&looked.stderr);
    assert!(looked.status.success(), "{told}{errors}");
}

/// The page of a native program has the values of its variables.
#[test]
fn native_programs_have_variables_in_the_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("variables");
    let mut compile = Command::new("gcc");
    compile.args(["-g", "-pthread", "tests/live/variables.c", "-o"]).arg(&program);
    assert!(compile.current_dir(root()).status().expect("gcc runs").success());
    let mut server = Command::new(env!("CARGO_BIN_EXE_exeunt"))
        .arg("explore")
        .arg(&program)
        .stdout(Stdio::piped())
        .spawn()
        .expect("exeunt runs");
    let mut lines = BufReader::new(server.stdout.take().expect("its output")).lines();
    let address = lines.next().expect("an address").expect("a line");
    let (host, path) =
        address.trim_start_matches("http://").split_once('/').expect("a host and a path");
    let mut stream = TcpStream::connect(host).expect("it listens");
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
        .expect("it is asked");
    let mut page = String::new();
    let read = stream.read_to_string(&mut page);
    let id = server.id() as libc::pid_t;
    // SAFETY: only sends a signal to the process that was started above.
    unsafe { libc::kill(id, libc::SIGINT) };
    assert_eq!(server.wait().expect("it ends").code(), Some(130));
    read.expect("an answer");
    for part in
        [r#"{"n":"counter","v":"-7"}"#, r#"{"n":"mine","v":"42"}"#, r#"{"n":"nine","v":"9"}"#]
    {
        assert!(page.contains(part), "no {part} in {page}");
    }
}
