//! Promela models.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use exeunt_model::Model;
use exeunt_promela::code::Rules;
use exeunt_promela::{Diagnostic, PromelaModel, PromelaOptions};
use exeunt_report::Complaint;

use super::{FrontEnd, Loaded, Machine, embedded, is_standard_input, readable};
use crate::args::ReductionChoice;
use crate::failure::Failure;
use crate::settings::{Settings, defines};
use crate::temporal;

pub(super) static FRONT_END: FrontEnd = FrontEnd {
    noun: "a Promela model",
    endings: &["pml", "promela", "prom", "pr", "spin"],
    explained: "Promela models in .pml",
    meaningless,
    load,
};

impl Machine for PromelaModel {
    fn model(&self) -> &dyn Model {
        self
    }

    fn text(&self) -> String {
        format!("{:?}", self.program())
    }

    fn promela(&self) -> Option<&PromelaModel> {
        Some(self)
    }
}

fn meaningless(settings: &Settings) -> Vec<(&'static str, bool)> {
    let (program, demands) = (&settings.program, &settings.demands);
    vec![
        ("--undefined", demands.undefined),
        ("--args", program.args.as_ref().is_some_and(|text| !text.trim().is_empty())),
        ("--entry", program.entry.is_some()),
        ("--test", program.test.is_some()),
        ("--stdin", program.input.stdin.is_some()),
        ("--file", !program.input.file.is_empty()),
        ("--env", !program.input.env.is_empty()),
        ("--nondet", program.nondet.is_some()),
        ("--malloc-fails", program.malloc_fails),
        ("--stack", program.stack.is_some()),
        ("--signals", program.world.signals.is_some()),
        ("--outside", program.world.outside.is_some()),
        ("--strict", program.strict),
        ("--no-spurious", program.world.no_spurious),
        ("--weak-failures", program.world.weak_failures.is_some()),
        ("--no-weak-failures", program.world.no_weak_failures),
        ("--abort-ends", program.abort_ends),
        ("--copy-order", program.world.copy_order.is_some()),
        ("--reuse", program.reuse.is_some()),
        ("--compile", program.compile.is_some()),
        ("--must-return", !demands.must_return.is_empty()),
        ("--races", demands.races),
        ("--leaks", demands.leaks),
        ("--exit-code", demands.exit_code),
        ("--ignore", !program.ignore.is_empty()),
        ("--abstract", program.r#abstract.is_some()),
    ]
}

/// Whether the text of a file that has no ending is that of a model: it declares a process.
pub(super) fn looks_like_a_model(file: &Path) -> bool {
    let bytes = std::fs::read(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    words.into_iter().any(|word| matches!(word, "proctype" | "init" | "D_proctype"))
}

/// The text of standard input. It can be read once, and a model may be loaded several times.
fn standard_input() -> Result<String, Failure> {
    static TEXT: OnceLock<Option<String>> = OnceLock::new();
    let text = TEXT.get_or_init(|| {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    });
    let text = text.clone().ok_or_else(|| Failure::bad("standard input cannot be read"))?;
    match text.trim().is_empty() {
        true => Err(Failure::bad("standard input is empty")),
        false => Ok(text),
    }
}

/// The name and the text of a file with a claim.
pub(crate) fn claim_file(file: &Path) -> Result<(String, String), Failure> {
    let bytes = std::fs::read(file).map_err(|why| Failure::file("read", file, &why))?;
    Ok((file.display().to_string(), String::from_utf8_lossy(&bytes).into_owned()))
}

/// How a model is read with these settings.
fn promela_options(settings: &Settings) -> Result<PromelaOptions, Failure> {
    Ok(PromelaOptions {
        defines: defines(&settings.clang_args)?,
        must_end: settings.demands.must_end.clone(),
        formulas: settings.questions.named()?,
        merges: settings.reduction != ReductionChoice::None,
        // Where steps are shown or counted one by one, so are the values of variables.
        forgets: match settings.reduction {
            ReductionChoice::None | ReductionChoice::Global | ReductionChoice::Tau => false,
            ReductionChoice::Superstep
            | ReductionChoice::Movers
            | ReductionChoice::Full
            | ReductionChoice::Stubborn => true,
        },
        past_assertions: settings.demands.past_assertions,
        rules: Rules {
            loses: settings.demands.lose_messages,
            empty_at_end: settings.demands.empty_channels,
            one_scope: settings.demands.one_scope,
            no_priorities: settings.demands.no_priorities,
        },
        text: None,
        behind: settings.demands.never.as_deref().map(claim_file).transpose()?,
    })
}

fn load(settings: &Settings) -> Result<Loaded, Failure> {
    let [file, code @ ..] = settings.files.as_slice() else {
        return Err(Failure::bad("no file was given"));
    };
    let options = promela_options(settings)?;
    let mut model = promela_model_asked(file, &options, |diagnostic| {
        let place = exeunt_promela::place_in_formula(&options, diagnostic)?;
        let help = diagnostic.help.first().map(String::as_str);
        settings.questions.wrong_at(place, &diagnostic.message, help)
    })?;
    embedded::embed(&mut model, code, &settings.clang_args)?;
    let asks = temporal::of_promela(&mut model, settings)?;
    Ok(Loaded { machine: Box::new(model), asks })
}

/// Reads a Promela model and compiles the C code in it.
pub(crate) fn promela_model_with_code(
    file: &Path,
    linked: &[PathBuf],
    options: &PromelaOptions,
) -> Result<PromelaModel, Failure> {
    let mut model = promela_model(file, options)?;
    let defines: Vec<String> = options.defines.iter().map(|define| format!("-D{define}")).collect();
    embedded::embed(&mut model, linked, &defines)?;
    Ok(model)
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
    let mut options = options.clone();
    if is_standard_input(file) {
        options.text = Some(standard_input()?);
    }
    exeunt_promela::load(file, &options).map_err(|diagnostics| {
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
