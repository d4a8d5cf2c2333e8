//! The construction of Štill and Barnat ("Local Nontermination Detection for
//! Parallel C++ Programs", 2019) on real programs: activate one instance of a
//! section nondeterministically, and look for terminal components of the
//! expanded graph in which it stays active. Deliberately naive, and written
//! against nothing but the model: what it finds in every small program of the
//! section suite is what `check` finds.

mod expanded;
mod plain;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use exeunt_ir::Program;
use exeunt_llvm_front::Inputs;
use exeunt_model::{Basis, Model, Property, SectionKind};
use exeunt_search::{ComponentPool, Options, SectionFilter};
use exeunt_vm::{Reduction, Vm, VmOptions, WeakFailures};

/// The expanded graph is explored with quadratic means.
const MOST_STATES: usize = 1500;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn compile(file: &Path) -> Option<Program> {
    let runtime = root().join("runtime");
    let inputs = Inputs {
        files: vec![file.to_path_buf()],
        include: runtime.clone(),
        library: Some(runtime),
        kept: Vec::new(),
        ..Inputs::default()
    };
    exeunt_llvm_front::load(&inputs).ok()
}

/// The program without what the environment may do or not: the paper knows
/// the scheduler only.
fn machine(program: Program, reduction: Reduction) -> Option<Vm> {
    let options = VmOptions {
        reduction,
        spurious: false,
        weak_failures: WeakFailures::Never,
        ..VmOptions::default()
    };
    Vm::new(program, options).ok().filter(|vm| !vm.open(Basis::Learnt).facts().may_choose)
}

fn by_the_paper(vm: &Vm) -> Option<BTreeSet<SectionKind>> {
    let pool = ComponentPool::new();
    let graph = plain::Graph::explore(vm, &pool, MOST_STATES)?;
    let kinds = expanded::stuck(&graph).into_iter().map(|section| section.kind);
    Some(kinds.filter(is_theirs).collect())
}

fn by_check(vm: &Vm) -> BTreeSet<SectionKind> {
    let sections = SectionFilter { kinds: SectionKind::ALL.to_vec() };
    let options = Options { sections, all: true, reduces: true, ..Options::default() };
    let report = exeunt_search::check(&mut *vm.open(Basis::Learnt), &options, &mut |_| {});
    let stuck = report
        .violations
        .iter()
        .filter(|violation| matches!(violation.property, Property::Section | Property::Deadlock));
    let kinds = stuck.flat_map(|violation| &violation.sections).map(|section| section.kind);
    kinds.filter(is_theirs).collect()
}

/// Whether the construction knows when such a section ends: it looks at states, and what
/// ends a busy wait is a step.
fn is_theirs(kind: &SectionKind) -> bool {
    *kind != SectionKind::Await
}

#[test]
fn the_construction_of_the_paper_agrees_on_every_small_program() {
    let mut files: Vec<PathBuf> = ["tests/ui/c/sections", "examples"]
        .iter()
        .flat_map(|directory| std::fs::read_dir(root().join(directory)).expect("a directory"))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "c"))
        .collect();
    files.sort();
    let (mut compared, mut stuck) = (0, 0);
    for file in files {
        let Some(program) = compile(&file) else { continue };
        let Some(vm) = machine(program.clone(), Reduction::Tau) else { continue };
        let Some(expected) = by_the_paper(&vm) else { continue };
        compared += 1;
        stuck += usize::from(!expected.is_empty());
        for reduction in [
            Reduction::Tau,
            Reduction::Superstep,
            Reduction::Movers,
            Reduction::Full,
            Reduction::Stubborn,
        ] {
            let vm = machine(program.clone(), reduction).expect("as above");
            assert_eq!(by_check(&vm), expected, "{} under {reduction:?}", file.display());
        }
    }
    println!("{compared} programs, something is stuck in {stuck}");
    assert!(compared >= 80 && stuck >= 40, "{compared} programs, stuck {stuck}");
}
