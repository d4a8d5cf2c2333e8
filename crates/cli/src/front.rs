//! Which front end reads which file, chosen by how its name ends.

use std::path::{Path, PathBuf};

use exeunt_ir::Program;
use exeunt_llvm_front::{FrontError, Inputs};
use exeunt_model::{Label, Model};
use exeunt_promela::{Diagnostic, PromelaModel, PromelaOptions};
use exeunt_report::Complaint;
use exeunt_search::Ask;
use exeunt_vm::Vm;

use crate::failure::Failure;
use crate::interrupt;
use crate::runtime::Runtime;
use crate::settings::Settings;
use crate::temporal;

/// The ways into the tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FrontEnd {
    Llvm,
    Promela,
}

/// A program ready to be explored. The runtime directory lives as long as it,
/// because source lines may be in there.
pub(crate) struct Loaded {
    machine: Machine,
    /// The temporal questions, for the numbers of this machine's propositions.
    pub(crate) asks: Vec<Ask>,
    _runtime: Option<Runtime>,
}

enum Machine {
    Vm(Box<Vm>),
    Promela(Box<PromelaModel>),
}

impl Loaded {
    /// What the program did that is undefined but harmless.
    pub(crate) fn notes(&self) -> Vec<Label> {
        match &self.machine {
            Machine::Vm(vm) => vm.notes(),
            Machine::Promela(_) => Vec::new(),
        }
    }

    pub(crate) fn model(&self) -> &dyn Model {
        match &self.machine {
            Machine::Vm(vm) => &**vm,
            Machine::Promela(model) => &**model,
        }
    }

    /// The program as it will be executed, whole.
    pub(crate) fn text(&self) -> String {
        match &self.machine {
            Machine::Vm(vm) => exeunt_ir::text::print(&vm.program),
            Machine::Promela(model) => format!("{:?}", model.program()),
        }
    }

    pub(crate) fn promela(&self) -> Option<&PromelaModel> {
        match &self.machine {
            Machine::Vm(_) => None,
            Machine::Promela(model) => Some(model),
        }
    }
}

/// Reads, compiles and lowers the files of the settings.
pub(crate) fn load(settings: &Settings) -> Result<Loaded, Failure> {
    match front_end(&settings.files)? {
        FrontEnd::Llvm => {
            let runtime = Runtime::new()?;
            let program = bytecode(
                &settings.files,
                &settings.clang_args,
                settings.undefined,
                settings.kept_functions(),
                &runtime,
            )?;
            refuse_undefined(&program)?;
            let (asks, texts) = temporal::of_c(settings)?;
            let mut options = settings.vm_options();
            options.watched = temporal::propositions(&program, settings, &texts)?;
            let vm = Vm::new(program, options).map_err(Failure::bad)?;
            Ok(Loaded { machine: Machine::Vm(Box::new(vm)), asks, _runtime: Some(runtime) })
        }
        FrontEnd::Promela => promela(settings),
    }
}

/// Functions without a definition are found before a long search and not in it.
fn refuse_undefined(program: &Program) -> Result<(), Failure> {
    let undefined = exeunt_vm::undefined_calls(program);
    if undefined.is_empty() {
        return Ok(());
    }
    let places: Vec<String> =
        undefined.iter().map(|(name, place)| format!("`{name}` ({place})")).collect();
    let noun = if places.len() == 1 { "function is" } else { "functions are" };
    Err(Failure::bad(format!("{noun} called but not defined: {}", places.join(", "))).help(
        "add the files that define them; what the C library does beyond our own is not known",
    ))
}

fn promela(settings: &Settings) -> Result<Loaded, Failure> {
    let [file] = settings.files.as_slice() else {
        return Err(Failure::bad("a Promela model is one file").help("use #include for the rest"));
    };
    let options = settings.promela_options()?;
    let mut model = promela_model_asked(file, &options, |diagnostic| {
        let place = exeunt_promela::place_in_formula(&options, diagnostic)?;
        let help = diagnostic.help.first().map(String::as_str);
        settings.questions.wrong_at(place, &diagnostic.message, help)
    })?;
    let asks = temporal::of_promela(&mut model, settings)?;
    Ok(Loaded { machine: Machine::Promela(Box::new(model)), asks, _runtime: None })
}

/// Reads a Promela model; all that is wrong with it is told at once.
pub(crate) fn promela_model(
    file: &Path,
    options: &PromelaOptions,
) -> Result<PromelaModel, Failure> {
    promela_model_asked(file, options, |_| None)
}

/// The same; `explain` recognises errors that are about a formula of the command line.
fn promela_model_asked(
    file: &Path,
    options: &PromelaOptions,
    explain: impl Fn(&Diagnostic) -> Option<Failure>,
) -> Result<PromelaModel, Failure> {
    readable(file)?;
    exeunt_promela::load(file, options).map_err(|diagnostics| {
        if let Some(failure) = diagnostics.iter().find_map(&explain) {
            return failure;
        }
        let sources = exeunt_report::Sources::new();
        let texts = diagnostics.iter().map(|wrong| told(wrong, &sources));
        Failure::Placed(texts.collect::<Vec<_>>().join("\n"))
    })
}

/// An error in the text of a model as a compiler would show it.
fn told(wrong: &Diagnostic, sources: &exeunt_report::Sources) -> String {
    let Diagnostic { message, location, label, labels, help } = wrong;
    let complaint = Complaint { message, location, label, labels, help };
    exeunt_report::complain(&complaint, sources, &Default::default())
}

/// Refuses what is no Promela model.
pub(crate) fn only_promela(file: &Path) -> Result<(), Failure> {
    match front_end(&[file.to_path_buf()])? {
        FrontEnd::Promela => Ok(()),
        FrontEnd::Llvm => Err(Failure::bad(format!("{} is no Promela model", file.display()))
            .help("only models with channels can be proven; `exeunt check` takes C")),
    }
}

/// The bytecode of a program that comes through LLVM.
pub(crate) fn bytecode(
    files: &[PathBuf],
    clang_args: &[String],
    undefined: bool,
    kept: Vec<String>,
    runtime: &Runtime,
) -> Result<Program, Failure> {
    if front_end(files)? != FrontEnd::Llvm {
        return Err(Failure::bad(
            "only C, C++ and LLVM have this bytecode; a Promela model has none",
        ));
    }
    let inputs = Inputs {
        files: files.to_vec(),
        clang_args: clang_args.to_vec(),
        undefined,
        include: runtime.directory().to_path_buf(),
        library: Some(runtime.directory().to_path_buf()),
        kept,
    };
    exeunt_llvm_front::load(&inputs).map_err(|error| match error {
        _ if interrupt::requested() => Failure::Interrupted,
        FrontError::Compile(text) => Failure::Compiler(text),
        other => Failure::bad(other),
    })
}

/// The one front end that reads all files.
fn front_end(files: &[PathBuf]) -> Result<FrontEnd, Failure> {
    let mut chosen = None;
    for file in files {
        let this = by_ending(file)?;
        readable(file)?;
        if *chosen.get_or_insert(this) != this {
            return Err(Failure::bad(format!(
                "{} cannot be checked together with the files before it",
                file.display()
            )));
        }
    }
    chosen.ok_or_else(|| Failure::bad("no file was given"))
}

/// Whether a file is read as a Promela model.
pub(crate) fn is_promela(file: &Path) -> bool {
    matches!(by_ending(file), Ok(FrontEnd::Promela))
}

fn by_ending(file: &Path) -> Result<FrontEnd, Failure> {
    let name = file.display();
    match file.extension().and_then(|ending| ending.to_str()) {
        Some("c" | "cpp" | "cc" | "cxx" | "C" | "ll" | "bc") => Ok(FrontEnd::Llvm),
        Some("pml" | "promela" | "prom") => Ok(FrontEnd::Promela),
        _ if file.is_dir() => Err(Failure::bad(format!("{name} is a directory")).help(ENDINGS)),
        Some(ending) => {
            Err(Failure::bad(format!("{name} ends in .{ending}, which no front end reads"))
                .help(ENDINGS))
        }
        None => Err(Failure::bad(format!("{name} has no ending, so it is unclear what it holds"))
            .help(ENDINGS)),
    }
}

const ENDINGS: &str = "C ends in .c, C++ in .cpp, .cc, .cxx or .C, LLVM text in .ll, LLVM bitcode in .bc, \
     Promela models in .pml";

/// Refuses what is missing, unreadable or empty before anything is started.
fn readable(file: &Path) -> Result<(), Failure> {
    let data = std::fs::metadata(file).map_err(|why| Failure::file("read", file, &why))?;
    if data.is_dir() {
        return Err(Failure::bad(format!("{} is a directory", file.display())));
    }
    std::fs::File::open(file).map_err(|why| Failure::file("read", file, &why))?;
    if data.is_file() && data.len() == 0 {
        return Err(Failure::bad(format!("{} is empty", file.display())));
    }
    Ok(())
}
