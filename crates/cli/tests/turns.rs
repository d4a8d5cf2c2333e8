//! Threads that take turns (`search/src/bound/turns.rs`), and guided walks (`search/src/bound/guided.rs`),
//! find nothing in the C programs of the UI suite that hold: turns and walks are sequences of steps, so what
//! they find is real.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use exeunt_llvm_front::Inputs;
use exeunt_model::{Basis, Model};
use exeunt_search::{GuidedWalk, Limits, Options, Plan, Rule, TurnBounds, Turns};
use exeunt_vm::{Reduction, Vm, VmOptions};

fn programs(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            programs(&path, out);
        } else if path.extension().is_some_and(|ending| ending == "c") && is_plain(&path) {
            out.push(path);
        }
    }
}

/// Whether a program holds, as it is and without options.
fn is_plain(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).expect("a program");
    let has = |directive: &str| text.lines().any(|line| line.starts_with(directive));
    has("// verdict: holds") && !has("// exeunt:") && !has("// files:")
}

/// What turns and walks find in a program that they should not; `None` if it cannot be loaded so simply.
fn look(file: &Path, first: u8) -> Option<Vec<String>> {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime");
    let inputs = Inputs {
        files: vec![file.to_path_buf()],
        include: runtime.clone(),
        library: Some(runtime.clone()),
        kept: Vec::new(),
        ..Inputs::default()
    };
    let program = exeunt_llvm_front::load(&inputs).ok()?;
    let options = VmOptions { reduction: Reduction::Movers, ..VmOptions::default() };
    let vm = Vm::new(program, options).ok()?;
    let limits = Limits { max_states: Some(1_000), ..Limits::default() };
    let options = Options { all: true, limits, shortens: false, ..Options::default() };
    let mut session = vm.open(Basis::Learnt);
    let bounds = TurnBounds { most: 2, first, credit: 1 << 20 };
    let mut turns = Turns::new(&mut *session, bounds);
    let mut found = exeunt_search::check(&mut turns, &options, &mut |_| {}).violations;
    let walks = [
        Plan { rule: Rule::Crowd, seed: 1, length: 12 },
        Plan { rule: Rule::Priorities { changes: 2 }, seed: 2, length: 24 },
        Plan { rule: Rule::Chance, seed: 3, length: 5 },
    ];
    for plan in walks {
        let mut walk = GuidedWalk::new(&mut *session, plan);
        found.extend(exeunt_search::check(&mut walk, &options, &mut |_| {}).violations);
    }
    let name = file.display();
    Some(found.iter().map(|v| format!("{name}: {}", v.message)).collect())
}

#[test]
fn turns_and_walks_find_nothing_in_programs_that_hold() {
    let mut files = Vec::new();
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/ui/c");
    programs(&suite, &mut files);
    files.sort();
    let (next, looked) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let first = 1 + (file.as_os_str().len() % 3) as u8;
                    if let Some(found) = look(file, first) {
                        looked.fetch_add(1, Ordering::Relaxed);
                        wrong.lock().expect("not poisoned").extend(found);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("not poisoned");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let looked = looked.into_inner();
    assert!(looked >= 150, "only {looked} of {} programs were looked at", files.len());
}
