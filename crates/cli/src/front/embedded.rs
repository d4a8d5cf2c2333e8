//! The C code of Promela models: compiled by clang, executed by the virtual machine.

use std::path::{Path, PathBuf};

use exeunt_llvm_front::Inputs;
use exeunt_model::{CompId, Fault, Location, Pool, StateView, Unsupported};
use exeunt_promela::{
    Call, Called, Embedded, EmbeddedSource, Hands, Host, PROCESS, PromelaModel, VALUES, Wrong,
};
use exeunt_vm::{Asked, Embedding, Guest, Refusal, Vm, VmOptions};

use super::llvm;
use crate::failure::Failure;
use crate::runtime::Runtime;

/// How the functions begin that a model's code is put into.
const OURS: &str = "exeunt_c_";

/// Compiled C code. The directory with the header lives as long, because source lines may be there.
struct Compiled {
    embedding: Embedding,
    own: Vec<String>,
    _runtime: Runtime,
}

impl std::fmt::Debug for Compiled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("compiled C code")
    }
}

/// Compiles the C code of a model, if it has some, with further files of C.
pub(super) fn embed(
    model: &mut PromelaModel,
    files: &[PathBuf],
    clang_args: &[String],
) -> Result<(), Failure> {
    let Some(source) = model.embedded_source() else {
        return match files.first() {
            None => Ok(()),
            Some(file) => {
                let message = format!("{} is of no use: the model has no C code", file.display());
                Err(Failure::bad(message)
                    .help("a Promela model is one file; use #include for the rest"))
            }
        };
    };
    let compiled = compile(source, model.path(), files, clang_args)?;
    model.embed(Box::new(compiled));
    Ok(())
}

fn compile(
    source: &EmbeddedSource,
    model: &Path,
    files: &[PathBuf],
    clang_args: &[String],
) -> Result<Compiled, Failure> {
    let runtime = Runtime::new()?;
    let file = runtime.directory().join("embedded.c");
    std::fs::write(&file, &source.text).map_err(|why| Failure::file("write", &file, &why))?;
    let folder = model.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).display().to_string();
    let own = ["-w".to_string(), format!("-iquote{folder}"), format!("-I{folder}")];
    let all: Vec<PathBuf> = [file].into_iter().chain(files.iter().cloned()).collect();
    let inputs = Inputs {
        clang_args: own.into_iter().chain(clang_args.iter().cloned()).collect(),
        kept: source.functions.clone(),
        ..Inputs::default()
    };
    let program = llvm::compiled(&all, inputs, &runtime)?;
    let options = VmOptions {
        named: source.functions.clone(),
        max_threads: 1,
        // Which of several addresses an allocation gets would be a choice.
        reuse: false,
        ..VmOptions::default()
    };
    let vm = Vm::new(program, options).map_err(Failure::bad)?;
    llvm::tell_undefined(&vm.program, false)?;
    let passes = [VALUES, PROCESS];
    let embedding = Embedding::new(vm, &source.functions, passes, &source.passing);
    let embedding = embedding.map_err(Failure::bad)?;
    Ok(Compiled { embedding, own: source.own.clone(), _runtime: runtime })
}

impl Embedded for Compiled {
    fn open(&self) -> Box<dyn Host + '_> {
        Box::new(Search { host: self.embedding.host(), own: &self.own })
    }

    fn hands<'a>(&'a self, pool: &'a dyn Pool) -> Box<dyn Hands + 'a> {
        Box::new(Alone { search: Search { host: self.embedding.host(), own: &self.own }, pool })
    }

    fn assumptions(&self) -> Vec<String> {
        self.embedding.assumptions()
    }

    fn incompleteness(&self) -> Vec<String> {
        self.embedding.incompleteness()
    }
}

struct Search<'a> {
    host: exeunt_vm::Host<'a>,
    own: &'a [String],
}

impl Host for Search<'_> {
    fn hands<'a>(&'a self, pool: &'a dyn Pool) -> Box<dyn Hands + 'a> {
        Box::new(Worker { guest: self.host.guest(pool), own: self.own })
    }
}

/// Has a new guest for each call.
struct Alone<'a> {
    search: Search<'a>,
    pool: &'a dyn Pool,
}

impl Alone<'_> {
    fn worker(&self) -> Worker<'_> {
        Worker { guest: self.search.host.guest(self.pool), own: self.search.own }
    }
}

impl Hands for Alone<'_> {
    fn start(&mut self) -> Result<CompId, Wrong> {
        self.worker().start()
    }

    fn call(&mut self, call: Call<'_>) -> Result<Called, Wrong> {
        self.worker().call(call)
    }

    fn matched(&mut self, memory: CompId) -> CompId {
        self.worker().matched(memory)
    }

    fn carry(&self, memory: CompId, from: &dyn Pool, to: &dyn Pool) -> CompId {
        self.worker().carry(memory, from, to)
    }

    fn look(&mut self, memory: CompId) -> StateView {
        self.worker().look(memory)
    }
}

struct Worker<'a> {
    guest: Guest<'a>,
    /// C variables that stand for what the model has itself.
    own: &'a [String],
}

impl Hands for Worker<'_> {
    fn start(&mut self) -> Result<CompId, Wrong> {
        self.guest.start().map_err(wrong)
    }

    fn call(&mut self, call: Call<'_>) -> Result<Called, Wrong> {
        let Call { memory, function, process, values, story } = call;
        let asked = Asked { state: memory, function, caller: process, values, story };
        let outcome = self.guest.call(asked).map_err(wrong)?;
        Ok(Called { memory: outcome.state, result: outcome.result, output: outcome.output })
    }

    fn matched(&mut self, memory: CompId) -> CompId {
        self.guest.matched(memory)
    }

    fn carry(&self, memory: CompId, from: &dyn Pool, to: &dyn Pool) -> CompId {
        self.guest.carry(memory, from, to)
    }

    fn look(&mut self, memory: CompId) -> StateView {
        let mut view = self.guest.look(memory);
        view.globals
            .retain_mut(|variable| variable.name != "now" || states_only(&mut variable.value));
        view.globals.retain(|variable| {
            !variable.name.starts_with(OURS) && !self.own.contains(&variable.name)
        });
        view
    }
}

/// Leaves of the value of `now` what is not of the model: the fields of `c_state`. `false` if there are none.
fn states_only(value: &mut String) -> bool {
    let field = format!("{OURS}states: ");
    let behind = value.split_once(&field).and_then(|(_, behind)| behind.split_once(", "));
    let Some((_, states)) = behind else { return false };
    *value = format!("{{{states}");
    true
}

/// What went wrong, at places of the model.
fn wrong(refusal: Refusal) -> Wrong {
    match refusal {
        Refusal::Fault(fault) => {
            let location = fault.location.clone().and_then(of_model);
            let mut labels = fault.labels.clone();
            for label in &mut labels {
                if let Some(place) = of_model(label.location.clone()) {
                    label.location = place;
                }
            }
            Wrong::Fault(Box::new(Fault { location, labels, ..*fault }))
        }
        Refusal::Unsupported(limit) => {
            Wrong::Unsupported(Unsupported { location: limit.location.and_then(of_model), ..limit })
        }
    }
}

/// The same place without the names of functions that are not the user's; `None` if the place is
/// in no file of theirs.
fn of_model(location: Location) -> Option<Location> {
    if location.line == 0 || location.file.starts_with('<') {
        return None;
    }
    match location.function.starts_with(OURS) {
        true => Some(Location { function: "".into(), ..location }),
        false => Some(location),
    }
}
