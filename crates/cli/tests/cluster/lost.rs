//! A process is killed at some moment: the run says so, and never that something holds which was not
//! established.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use super::{exeunt, numbers, read, report};

const PROGRAM: &str = "bench/programs/lottery.c";

/// The processes that a process has started.
fn children(parent: &Child) -> Vec<String> {
    let id = parent.id();
    let tasks = std::fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
    let list = |task: std::fs::DirEntry| std::fs::read_to_string(task.path().join("children"));
    let lists: Vec<String> = tasks.filter_map(|task| list(task).ok()).collect();
    let words = lists.iter().flat_map(|list| list.split_whitespace());
    words.map(str::to_string).collect()
}

/// Starts a search by three processes, and kills one of them at a moment.
fn kill_one(arguments: &[&str], until: &dyn Fn() -> bool) -> (serde_json::Value, i32) {
    let all = [&[PROGRAM, "--processes", "3", "--format", "json"], arguments].concat();
    let mut run = exeunt(&all);
    let parent = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut victims = Vec::new();
    while victims.len() < 2 {
        std::thread::sleep(Duration::from_millis(2));
        victims = children(&parent);
    }
    let start = Instant::now();
    while !until() && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    let _ = std::process::Command::new("kill").args(["-KILL", &victims[0]]).output();
    let output = parent.wait_with_output().expect("it ends");
    if output.stdout.is_empty() {
        // It was killed before it came.
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        return (serde_json::Value::Null, 2);
    }
    read(&output)
}

#[test]
fn cluster_says_that_a_worker_was_lost() {
    let (whole, code) = report(&[PROGRAM, "--reduction", "tau", "--jobs", "1"]);
    for after in [0, 20, 60, 150, 400] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("search");
        let name = path.to_str().expect("UTF-8");
        let begun = || {
            let begun = folder.path().join("search.0.0").exists();
            std::thread::sleep(Duration::from_millis(if begun { after } else { 0 }));
            begun
        };
        let keeping = ["--checkpoint", name, "--checkpoint-every", "1ms"];
        let (found, ended) = kill_one(&keeping, &begun);
        match ended {
            2 => {}
            3 => {
                let reason = found["reason"].as_str().expect("a reason");
                assert!(reason.contains("was lost"), "{found}");
                assert_eq!(found["verdict"], "inconclusive");
            }
            _ => {
                assert_eq!(ended, code, "{found}");
                assert_eq!(numbers(&found), numbers(&whole), "{found}");
            }
        }
    }
}

#[test]
fn cluster_goes_on_after_a_worker_was_lost() {
    let (whole, code) = report(&[PROGRAM, "--reduction", "tau", "--jobs", "1"]);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("search");
    let name = path.to_str().expect("UTF-8");
    let keeping = ["--checkpoint", name, "--checkpoint-every", "1ms"];
    let part = |process: u8| folder.path().join(format!("search.{process}.0"));
    let (found, lost) = kill_one(&keeping, &|| (0..3).all(|process| part(process).exists()));
    assert_eq!(lost, 3, "{found}");
    assert!(found["reason"].as_str().is_some_and(|why| why.contains("was lost")), "{found}");
    let (resumed, ended) = report(&[PROGRAM, "--processes", "3", "--resume", name]);
    assert_eq!(ended, code, "{resumed}");
    assert_eq!(numbers(&resumed), numbers(&whole), "{resumed}");
}
