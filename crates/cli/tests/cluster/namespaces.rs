//! Processes on machines of their own, as far as their network is concerned: each is in a network
//! namespace, and they are joined by a bridge.

use std::process::{Command, Output, Stdio};

use super::{exeunt, numbers, read, report};

const PROGRAM: &str = "bench/models/peterson.pml";

/// Runs `ip`; whether that went well.
fn ip(words: &str) -> bool {
    let run = Command::new("ip").args(words.split(' ')).stderr(Stdio::null()).status();
    run.is_ok_and(|status| status.success())
}

/// Network namespaces with addresses 10.117.18.1 and so on. They go away with it.
struct Net {
    names: Vec<String>,
    bridge: String,
}

impl Net {
    /// `None` if this is not allowed here.
    fn new(count: usize) -> Option<Net> {
        let id = std::process::id() % 10_000;
        let net = Net {
            names: (0..count).map(|at| format!("exeunt{id}n{at}")).collect(),
            bridge: format!("ex{id}br"),
        };
        let bridge = &net.bridge;
        let mut works =
            ip(&format!("link add {bridge} type bridge")) && ip(&format!("link set {bridge} up"));
        for (at, name) in net.names.iter().enumerate() {
            let (here, there) = (format!("ex{id}h{at}"), format!("ex{id}t{at}"));
            let address = format!("10.117.18.{}/24", at + 1);
            works = works
                && ip(&format!("netns add {name}"))
                && ip(&format!("link add {here} type veth peer name {there}"))
                && ip(&format!("link set {here} master {bridge} up"))
                && ip(&format!("link set {there} netns {name}"))
                && ip(&format!("-n {name} addr add {address} dev {there}"))
                && ip(&format!("-n {name} link set {there} up"))
                && ip(&format!("-n {name} link set lo up"));
        }
        works.then_some(net)
    }

    /// The check in one of the namespaces.
    fn command(&self, process: usize, program: &str) -> Command {
        let count = self.names.len();
        let workers: Vec<String> = (1..=count).map(|at| format!("10.117.18.{at}:7117")).collect();
        let inner = exeunt(&[
            program,
            "--format",
            "json",
            "--reduction",
            "none",
            "--workers",
            &workers.join(","),
        ]);
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.names[process]]).arg(inner.get_program());
        command.args(inner.get_args()).arg("--process").arg(process.to_string());
        command.current_dir(inner.get_current_dir().expect("it is set"));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// One process in each namespace; what the first one says, and how the others end.
    fn check(&self, programs: &[&str]) -> (Output, Vec<Output>) {
        let start = |process: usize| {
            let program = programs[process.min(programs.len() - 1)];
            self.command(process, program).spawn().expect("ip runs")
        };
        let all: Vec<_> = (0..self.names.len()).map(start).collect();
        let mut ends = all.into_iter().map(|child| child.wait_with_output().expect("it ends"));
        let first = ends.next().expect("there is one");
        (first, ends.collect())
    }
}

impl Drop for Net {
    fn drop(&mut self) {
        for name in &self.names {
            ip(&format!("netns del {name}"));
        }
        ip(&format!("link del {}", self.bridge));
    }
}

#[test]
fn cluster_in_network_namespaces_agrees_with_one_process() {
    let (alone, code) = report(&[PROGRAM, "--reduction", "none", "--jobs", "1"]);
    for count in [2, 4] {
        let Some(net) = Net::new(count) else {
            eprintln!("skipped: network namespaces cannot be made here (`ip netns`, as root)");
            return;
        };
        let (first, others) = net.check(&[PROGRAM]);
        let (found, ended) = read(&first);
        assert_eq!(ended, code, "{found}");
        assert_eq!(numbers(&found), numbers(&alone), "{count} namespaces");
        for other in others {
            assert_eq!(other.status.code(), Some(code), "{other:?}");
            assert!(other.stdout.is_empty(), "only the first process reports: {other:?}");
        }
    }
}

#[test]
fn cluster_of_different_programs_is_refused() {
    let Some(net) = Net::new(2) else {
        eprintln!("skipped: network namespaces cannot be made here (`ip netns`, as root)");
        return;
    };
    let (first, others) = net.check(&[PROGRAM, "bench/models/sort.pml"]);
    for end in [&first, &others[0]] {
        assert_eq!(end.status.code(), Some(2), "{end:?}");
        let errors = String::from_utf8_lossy(&end.stderr);
        assert!(errors.contains("another program"), "{errors}");
    }
}

/// Nobody closes a connection when a cable is cut.
#[test]
fn cluster_notices_a_host_that_is_silent() {
    let Some(net) = Net::new(2) else {
        eprintln!("skipped: network namespaces cannot be made here (`ip netns`, as root)");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let kept = folder.path().join("search");
    let start = |process: usize| {
        let mut command = net.command(process, "bench/programs/philosophers.c");
        command.args(["--time", "10m", "--checkpoint-every", "1s", "--checkpoint"]).arg(&kept);
        command.args(["--", "-DSEATS=8"]).spawn().expect("ip runs")
    };
    let all = [start(0), start(1)];
    let begin = std::time::Instant::now();
    while !folder.path().join("search.1.0").exists() && begin.elapsed().as_secs() < 120 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(ip(&format!("link set {} down", net.bridge)));
    let ends = all.map(|child| child.wait_with_output().expect("it ends"));
    let (found, ended) = read(&ends[0]);
    assert_eq!(ended, 3, "{found}");
    assert!(found["reason"].as_str().is_some_and(|reason| reason.contains("was lost")), "{found}");
    assert_ne!(ends[1].status.code(), Some(0), "{:?}", ends[1]);
}

/// Of four processes, each in a namespace of its own, one is killed at a moment that nobody has chosen. The others
/// say so or were done before; all four together go on where they had come to.
#[test]
fn cluster_in_network_namespaces_goes_on_after_one_is_killed() {
    const MOST: u128 = 500;
    let program = "bench/programs/lottery.c";
    let (alone, code) = report(&[program, "--reduction", "none", "--jobs", "1"]);
    let clock = || std::time::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_nanos());
    let mut lost = 0;
    for _ in 0..2 {
        let Some(net) = Net::new(4) else {
            eprintln!("skipped: network namespaces cannot be made here (`ip netns`, as root)");
            return;
        };
        let folder = tempfile::tempdir().expect("a folder");
        let kept = folder.path().join("search");
        let start = |process: usize, how: &[&str]| {
            let mut command = net.command(process, program);
            command.args(how).arg(&kept).spawn().expect("ip runs")
        };
        let keeping = ["--checkpoint-every", "1ms", "--checkpoint"];
        let mut all: Vec<_> = (0..4).map(|process| start(process, &keeping)).collect();
        let begin = std::time::Instant::now();
        while !folder.path().join("search.0.0").exists() && begin.elapsed().as_secs() < 120 {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let (victim, moment) = (clock() / 1_000 % 4, clock() / 7 % MOST);
        std::thread::sleep(std::time::Duration::from_millis(moment as u64));
        let context = format!("process {victim} {moment} ms after the first checkpoint");
        // `ip` has become what it was to run.
        all[victim as usize].kill().expect("it is ours");
        let ends: Vec<_> =
            all.into_iter().map(|child| child.wait_with_output().expect("it ends")).collect();
        for (process, end) in ends.iter().enumerate().filter(|(at, _)| *at != victim as usize) {
            let ended = end.status.code();
            // Not all had met, some were lost, or everything was done.
            assert!(matches!(ended, Some(2 | 3)) || ended == Some(code), "{context}: {end:?}");
            if process == 0 && ended != Some(2) {
                let (found, _) = read(end);
                let reason = found["reason"].as_str().unwrap_or_default();
                let told = reason.contains("was lost") && found["verdict"] == "inconclusive";
                assert!(told || numbers(&found) == numbers(&alone), "{context}: {found}");
                lost += usize::from(told);
            }
        }
        if (0..4).all(|process| folder.path().join(format!("search.{process}.0")).exists()) {
            let all: Vec<_> = (0..4).map(|process| start(process, &["--resume"])).collect();
            let ends: Vec<_> =
                all.into_iter().map(|child| child.wait_with_output().expect("it ends")).collect();
            let (found, ended) = read(&ends[0]);
            assert_eq!(ended, code, "{context}: {found}");
            assert_eq!(numbers(&found), numbers(&alone), "{context}: {found}");
        }
    }
    eprintln!("a loss was told {lost} times");
}
