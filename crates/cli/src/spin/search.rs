//! `exeunt spin -run`: the search that a verifier would make, and its table.

use std::path::Path;

use clap::Parser;
use exeunt_model::{Property, Report, Verdict};
use exeunt_promela::{ClaimKind, PromelaModel};

use super::line::{Line, Trail};
use super::table::{self, Asked, Cycles};
use super::{model, trail_file};
use crate::args::{Arguments, CheckArgs, Command};
use crate::check;
use crate::contradictions;
use crate::failure::Failure;
use crate::front::{self, Loaded};
use crate::interrupt;
use crate::output;
use crate::progress::Display;
use crate::settings::Settings;
use crate::trail;

pub(super) fn run(line: &Line) -> Result<u8, Failure> {
    let asked = asked(line, &model(line)?)?;
    let arguments = arguments(line, &asked)?;
    contradictions::refuse(&arguments)?;
    let settings = Settings::new(&arguments)?;
    let mut options = settings.search_options(&arguments.search, interrupt::listen())?;
    options.deadlock = asked.looks_at_ends(line);
    let loaded = front::load(&settings)?;
    let mut session = settings.open(loaded.model());
    let display = Display::new();
    let report =
        check::answer(&settings, &arguments.search, &loaded, &mut *session, &options, &display);
    display.finish();
    let mut report = report?;
    if line.pan.ignores_assertions {
        forget_assertions(&mut report);
    }
    if report.verdict == Verdict::Holds {
        report.unreached = session.unreached();
    }
    drop(session);
    tell(line, &asked, &loaded, &report)?;
    // That a run is longer than the bound is an error if that is asked for.
    match table::is_too_long(line, &report) {
        true => Ok(Verdict::Violated.exit_code()),
        false => Ok(report.verdict.exit_code()),
    }
}

/// What is asked. Of several claims a verifier takes the first, unless one is named.
fn asked(line: &Line, model: &PromelaModel) -> Result<Asked, Failure> {
    let claims = model.claims().iter();
    let claims = claims.filter(|claim| match claim.kind {
        ClaimKind::Never(_) | ClaimKind::Ltl { .. } => true,
        ClaimKind::Trace(_) | ClaimKind::Notrace(_) => false,
    });
    let names: Vec<String> = claims.map(|claim| claim.name.to_string()).collect();
    let pan = &line.pan;
    let own = match &pan.claim {
        _ if pan.ignores_claims || pan.non_progress => None,
        Some(name) if !names.contains(name) => {
            let known = names.join(", ");
            return Err(Failure::bad(format!("the model has no claim `{name}`"))
                .help(format!("its claims are: {known}")));
        }
        Some(name) => Some(name.clone()),
        None if line.formula.is_some() => None,
        None => names.first().cloned(),
    };
    let claim = own.or_else(|| line.formula.clone());
    let cycles = match () {
        () if pan.non_progress => Cycles::NonProgress,
        () if pan.acceptance || claim.is_some() => Cycles::Acceptance,
        () => Cycles::None,
    };
    Ok(Asked { claim, cycles })
}

/// The same as a command line of `exeunt check`.
fn arguments(line: &Line, asked: &Asked) -> Result<CheckArgs, Failure> {
    let pan = &line.pan;
    let file = line.file.display().to_string();
    let mut words: Vec<String> =
        ["exeunt", "check", "--language", "promela"].map(String::from).into();
    let mut flag = |on: bool, word: &str| {
        if on {
            words.push(word.to_string());
        }
    };
    flag(pan.fair, "--fair");
    flag(pan.non_progress, "--non-progress");
    flag(pan.acceptance && asked.claim.is_none() && !pan.non_progress, "--acceptance");
    flag(table::goes_on(line) || pan.ignores_assertions, "--all");
    flag(table::goes_on(line) || pan.ignores_assertions, "--past-assertions");
    flag(pan.shortest, "--shortest");
    flag(line.rules.loses, "--lose-messages");
    flag(line.rules.empty_at_end, "--empty-channels");
    flag(line.rules.one_scope, "--one-scope");
    flag(line.rules.no_priorities, "--no-priorities");
    flag(pan.hash_compact, "--hash-compact");
    flag(pan.unreduced, "--reduction=none");
    match (&asked.claim, &line.formula) {
        // A claim says what must not happen.
        (Some(text), Some(formula)) if text == formula => {
            words.push("--no-claims".to_string());
            words.push(format!("--ltl=!({formula})"));
        }
        (Some(name), _) => words.push(format!("--ltl-name={name}")),
        (None, _) => words.push("--no-claims".to_string()),
    }
    words.extend(line.defines.iter().map(|define| format!("-D{define}")));
    words.extend(line.never.iter().map(|file| format!("--never={}", file.display())));
    words.extend(pan.depth.map(|depth| format!("--max-depth={depth}")));
    words.extend(pan.megabytes.map(|size| format!("--memory={size}M")));
    words.extend(pan.minutes.map(|minutes| format!("--time={minutes}m")));
    words.extend(pan.switches.map(|switches| format!("--context-bound={switches}")));
    words.extend(pan.jobs.map(|jobs| format!("--jobs={jobs}")));
    if pan.bitstate {
        // 2^N bits, as SPIN's -w says.
        let bytes = pan.hash.map(|hash| format!("={}", 1u64 << hash.clamp(13, 43) >> 3));
        words.push(format!("--bitstate{}", bytes.unwrap_or_default()));
    } else if let Some(hash) = pan.hash {
        // A table for 2^N states.
        words.push(format!("--expect-states={}", 1u32 << hash.clamp(8, 28)));
    }
    words.push(file);
    words.extend(pan.linked.iter().map(|file| file.display().to_string()));
    let parsed = Arguments::try_parse_from(words).map_err(Failure::bad)?;
    match parsed.command {
        Command::Check(arguments) => Ok(*arguments),
        _ => unreachable!("the words begin with `check`"),
    }
}

/// `-T`: nobody may write to the file.
fn read_only(file: &Path) -> Result<(), Failure> {
    let wrong = |why| Failure::file("protect", file, &why);
    let mut permissions = std::fs::metadata(file).map_err(wrong)?.permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(file, permissions).map_err(wrong)
}

/// `-A`: failed assertions are no errors.
fn forget_assertions(report: &mut Report) {
    report.violations.retain(|violation| violation.property != Property::Assertion);
    if report.verdict == Verdict::Violated && report.violations.is_empty() {
        report.verdict = match report.limits_hit.is_empty() {
            true => Verdict::Holds,
            false => Verdict::Inconclusive,
        };
    }
}

/// Prints errors and the table, and writes the trails.
fn tell(line: &Line, asked: &Asked, loaded: &Loaded, report: &Report) -> Result<(), Failure> {
    let mut out = String::new();
    if table::is_too_long(line, report) {
        out.push_str("pan:1: depth limit reached\n");
    }
    let most = match line.pan.errors {
        None | Some(0) => usize::MAX,
        Some(most) => most as usize,
    };
    for (at, violation) in report.violations.iter().enumerate().take(most) {
        out.push_str(&table::error(at + 1, violation, asked));
        let which = match line.pan.all_trails {
            true => Trail::Numbered(at as u32 + 1),
            false if at == 0 => Trail::Usual,
            false => continue,
        };
        let file = trail_file(line, &which);
        if line.pan.keeps_trails && file.exists() {
            out.push_str(&format!("pan: {} exists and stays as it is (-x)\n", file.display()));
            continue;
        }
        trail::save_violation(loaded, violation, &file)?;
        if line.pan.trails_read_only {
            read_only(&file)?;
        }
        out.push_str(&format!("pan: wrote {}\n", file.display()));
    }
    let model = loaded.promela().expect("a model was loaded");
    out.push_str(&table::table(line, asked, model, report));
    output::print(&out);
    Ok(())
}
