//! A loaded model, and how it is loaded.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use exeunt_ltl::Formula;
use exeunt_model::Location;

use crate::check::Checker;
use crate::claim::{Claim, Condition, part_name};
use crate::code::{ProcId, Program, Rules};
use crate::embedded::{Embedded, EmbeddedSource};
use crate::machine::Watched;
use crate::obligation::{self, Obligation};
use crate::source::Sources;
use crate::syntax::{BodyKind, Spec};
use crate::{Diagnostic, expansion, flow, lexer, parser, preprocess, separators, table};

/// How a model is read and what is asked of it.
#[derive(Clone, Debug, Default)]
pub struct PromelaOptions {
    /// Macros for the preprocessor: `N=3`.
    pub defines: Vec<String>,
    /// Process types whose processes must all end, and ranges of labels that
    /// must be left: `P`, `P:from..to`.
    pub must_end: Vec<String>,
    /// Further formulas, each with a name: they become claims of the model.
    /// Their propositions are conditions in Promela.
    pub formulas: Vec<(String, Formula)>,
    /// Steps that no other process can observe belong to the step before them.
    pub merges: bool,
    /// Local variables that are not needed any more are forgotten.
    pub forgets: bool,
    /// Go on behind a failed assertion, as SPIN does when it is asked to
    /// count all errors. The failure is still reported.
    pub past_assertions: bool,
    /// Rules that SPIN has options for.
    pub rules: Rules,
    /// The text of the model, if it is not in the file.
    pub text: Option<String>,
    /// More text that is read behind the model, with the name of its file: a never claim.
    pub behind: Option<(String, String)>,
}

/// What a label can say about a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marking {
    Accept,
    Progress,
}

/// A Promela model ready to be explored.
#[derive(Debug)]
pub struct PromelaModel {
    pub(crate) program: Program,
    pub(crate) claims: Vec<Claim>,
    pub(crate) must_end: Vec<Obligation>,
    /// The process types, init among them; not the claims.
    processes: Vec<ProcId>,
    pub(crate) merges: bool,
    pub(crate) forgets: bool,
    pub(crate) past_assertions: bool,
    pub(crate) has_exclusive: bool,
    /// What letters are made of, by number.
    pub(crate) watched: Vec<Watched>,
    /// Claims that are checked.
    pub(crate) checked: Vec<usize>,
    /// Claims of the model that nobody asks for.
    pub(crate) left_out: Vec<usize>,
    pub(crate) may_choose: bool,
    warnings: Vec<Diagnostic>,
    path: PathBuf,
    source: Option<EmbeddedSource>,
    /// What executes the C code of the model.
    pub(crate) embedded: Option<Box<dyn Embedded>>,
}

/// Reads, checks and compiles a model.
pub fn load(path: &Path, options: &PromelaOptions) -> Result<PromelaModel, Vec<Diagnostic>> {
    let given = given(path, options);
    let text = preprocess::preprocess(path, given.as_deref(), &options.defines, &added(options))
        .map_err(|error| vec![*error])?;
    let mut sources = Sources::default();
    let name = path.display().to_string();
    let tokens = lexer::tokens(&text.text, &name, text.marked, &mut sources);
    let tokens = separators::imply(tokens);
    let uses_last = tokens.iter().any(|token| token.is_name("_last"));
    let compiled = parser::parse(tokens, &sources)
        .and_then(|spec| compile(&spec, &sources, uses_last, path, options));
    compiled.map_err(|errors| expansion::explain(errors, &sources))
}

/// The text of the model where it is not that of the file alone.
fn given(path: &Path, options: &PromelaOptions) -> Option<String> {
    let Some((name, behind)) = &options.behind else { return options.text.clone() };
    let text = match &options.text {
        Some(text) => text.clone(),
        // What cannot be read is told by the preprocessor.
        None => String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned(),
    };
    Some(format!("{text}\n# 1 \"{name}\"\n{behind}\n"))
}

/// The propositions of the further formulas as text behind the model, so that
/// they are read as the model is; each has a line of its own, which is its number.
fn added(options: &PromelaOptions) -> String {
    let unit = |(at, part): (usize, Part)| {
        format!("# {} \"--ltl\"\n{}{}) }}\n", at + 1, before(&part.name), part.text)
    };
    parts(options).into_iter().enumerate().map(unit).collect()
}

/// A proposition of a formula, which is read as a unit of this name.
struct Part {
    name: String,
    text: Arc<str>,
    formula: usize,
    proposition: usize,
}

fn parts(options: &PromelaOptions) -> Vec<Part> {
    let mut parts = Vec::new();
    for (formula, (name, asked)) in options.formulas.iter().enumerate() {
        for (proposition, text) in asked.propositions().into_iter().enumerate() {
            let name = part_name(name, proposition);
            parts.push(Part { name, text, formula, proposition });
        }
    }
    parts
}

/// What stands before the text of a proposition, which columns count too.
fn before(name: &str) -> String {
    format!("ltl {name} {{ (")
}

/// A place in a formula of the options, all counted from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceInFormula {
    pub formula: usize,
    /// Among those that `Formula::propositions` gives.
    pub proposition: usize,
    /// The character within the proposition.
    pub column: usize,
}

/// Where in a further formula an error is, if it is in one.
pub fn place_in_formula(options: &PromelaOptions, error: &Diagnostic) -> Option<PlaceInFormula> {
    let number = (error.location.line as usize).checked_sub(1)?;
    let parts = parts(options);
    let part = parts.get(number).filter(|_| &*error.location.file == "--ltl")?;
    let column = (error.location.column as usize).checked_sub(1 + before(&part.name).len())?;
    Some(PlaceInFormula { formula: part.formula, proposition: part.proposition, column })
}

fn compile(
    spec: &Spec,
    sources: &Sources,
    uses_last: bool,
    path: &Path,
    options: &PromelaOptions,
) -> Result<PromelaModel, Vec<Diagnostic>> {
    let mut checker = Checker::new(sources);
    checker.program.rules = options.rules;
    checker.declare(spec, uses_last);
    let wanted = obligation::wanted(&mut checker, &options.must_end);
    compile_bodies(&mut checker, spec, &options.formulas);
    let claims = crate::claim::claims(&mut checker, spec);
    let source = spec.has_code.then(|| {
        checker.program.code_lives = checker.add_lives(spec);
        checker.code_file(spec)
    });
    let must_end = obligation::resolve(&mut checker, wanted);
    let kinds = spec.proctypes.iter().map(|proc| &proc.kind).enumerate();
    let processes: Vec<ProcId> = kinds
        .filter(|(_, kind)| matches!(kind, BodyKind::Proctype | BodyKind::Init))
        .map(|(index, _)| ProcId(index as u16))
        .collect();
    if processes.is_empty() {
        checker.error(Default::default(), "the model has no process type and no init", &[]);
    }
    if !checker.errors.is_empty() {
        let mut errors = checker.errors;
        errors.sort_by_key(|error| (error.location.file.clone(), error.location.line));
        return Err(errors);
    }
    let warnings = checker.warnings;
    let mut program = checker.program;
    program.restricts =
        program.uses_priority || program.procs.iter().any(|proc| proc.provided.is_some());
    let has_exclusive = program.procs.iter().any(|proc| !proc.exclusive.is_empty());
    let may_choose = program
        .procs
        .iter()
        .any(|proc| proc.states.iter().any(|state| state.transitions.len() > 1));
    let past_assertions = options.past_assertions;
    let path = path.to_path_buf();
    Ok(PromelaModel {
        program,
        claims,
        must_end,
        processes,
        merges: options.merges && !options.rules.loses,
        forgets: options.forgets,
        past_assertions,
        has_exclusive,
        watched: Vec::new(),
        checked: Vec::new(),
        left_out: Vec::new(),
        may_choose,
        warnings,
        path,
        source,
        embedded: None,
    })
}

/// Whether C code is a part of an expression.
fn has_code(expr: &crate::code::Expr) -> bool {
    let mut found = false;
    crate::machine::parts(expr, &mut |part| found |= matches!(part, crate::code::Expr::Code(_)));
    found
}

/// All bodies are taken apart before any table is made, because a remote
/// reference may change the place it refers to.
fn compile_bodies(checker: &mut Checker<'_>, spec: &Spec, asked: &[(String, Formula)]) {
    let mut flows = Vec::new();
    let mut before = 0;
    for (index, proc) in spec.proctypes.iter().enumerate() {
        let id = ProcId(index as u16);
        checker.enter_proc(id, proc);
        let compiled = proc.provided.as_ref().map(|provided| checker.operand(provided));
        if compiled.as_ref().is_some_and(has_code) {
            let help = ["put the condition in front of the statements"];
            checker.error(proc.pos, "`c_expr` in a `provided` clause is not supported", &help);
        }
        checker.program.procs[index].provided = compiled;
        let mut flow = flow::build(checker, &proc.body, proc.end);
        flow.before = before;
        before += flow.elements.len() as u32;
        flows.push(flow);
        let priority = checker.priority(proc.priority, proc.pos);
        let count = match (&proc.active, proc.kind) {
            (Some(count), _) => checker.constant(count).unwrap_or_else(|| {
                checker.error(count.pos, "the number of processes must be constant", &[]);
                0
            }),
            (None, BodyKind::Init) => 1,
            (None, _) => 0,
        };
        if count as usize > crate::check::MAX_PROCESSES {
            checker.error(proc.pos, "more than 255 processes", &[]);
        }
        for _ in 0..count.clamp(0, 255) {
            checker.program.active.push((id, priority));
        }
    }
    crate::claim::resolve_formulas(checker, spec, asked);
    for (process, label, pos) in checker.remote_labels.clone() {
        let index = checker.procs[&process].0 as usize;
        let state = flows[index].remote(&label).map(|element| element.state());
        if state.is_none() {
            checker.error(pos, format!("process type `{process}` has no label `{label}`"), &[]);
        }
        checker.program.remote_labels.push(state.unwrap_or(0));
    }
    for (index, flow) in flows.into_iter().enumerate() {
        checker.enter_proc(ProcId(index as u16), &spec.proctypes[index]);
        checker.program.procs[index].first_statement = flow.before;
        let table = table::compile(checker, flow);
        checker.program.procs[index].states = table.states;
        checker.program.procs[index].start = table.start;
    }
}

impl PromelaModel {
    /// The compiled model, for crates that execute it in another way than our
    /// machine (`prove`, `certify`).
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Statements that are accepted, as SPIN accepts them, and go wrong when they are executed.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// The C code of the model, which somebody else has to compile.
    pub fn embedded_source(&self) -> Option<&EmbeddedSource> {
        self.source.as_ref()
    }

    /// Whether some of the memory of the C code is not compared.
    pub(crate) fn ignores_code(&self) -> bool {
        self.source.as_ref().is_some_and(|source| !source.ignores.is_empty())
    }

    /// Says who executes the C code. A model that has some cannot be explored before.
    pub fn embed(&mut self, embedded: Box<dyn Embedded>) {
        self.embedded = Some(embedded);
    }

    /// The claims of the model: never claims, formulas, traces.
    pub fn claims(&self) -> &[Claim] {
        &self.claims
    }

    /// Where the types of processes are declared, which are named there.
    pub fn process_types(&self) -> Vec<Location> {
        let procs = self.processes.iter().map(|id| &self.program.procs[id.0 as usize]);
        procs
            .map(|proc| Location { function: proc.name.clone(), ..proc.location.clone() })
            .collect()
    }

    /// The process types, each with the number of its statements.
    pub fn statements(&self) -> Vec<(Arc<str>, usize)> {
        let procs = self.processes.iter().map(|id| &self.program.procs[id.0 as usize]);
        procs.map(|proc| (proc.name.clone(), crate::coverage::statements(proc))).collect()
    }

    /// Gives a condition of a formula a number in letters; `None` if there are
    /// 64 already.
    pub fn watch(&mut self, condition: &Condition) -> Option<u32> {
        let same = |known: &Watched| {
            matches!(known, Watched::Condition(known)
                if known.text == condition.text && known.location.file == condition.location.file)
        };
        self.number(Watched::Condition(condition.clone()), same)
    }

    /// Gives "some process stands at such a label" a number in letters.
    pub fn watch_marking(&mut self, marking: Marking) -> Option<u32> {
        let same = |known: &Watched| matches!(known, Watched::Marking(known) if *known == marking);
        self.number(Watched::Marking(marking), same)
    }

    fn number(&mut self, watched: Watched, same: impl Fn(&Watched) -> bool) -> Option<u32> {
        if let Some(known) = self.watched.iter().position(same) {
            return Some(known as u32);
        }
        self.watched.push(watched);
        (self.watched.len() <= 64).then(|| self.watched.len() as u32 - 1)
    }

    /// Every step is one of its own from now on, and nothing is forgotten, so that somebody can
    /// watch them.
    pub fn step_by_step(&mut self) {
        self.merges = false;
        self.forgets = false;
    }

    /// Says that a claim is checked (or left out on purpose): an exhaustive
    /// search then leaves nothing open about it.
    pub fn settle(&mut self, claim: usize) {
        self.checked.push(claim);
    }

    /// Says that a claim is left out, because nobody asks for it.
    pub fn leave_out(&mut self, claim: usize) {
        self.settle(claim);
        self.left_out.push(claim);
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}
