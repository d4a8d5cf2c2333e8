//! One violation as a compiler would say it: class, message, source lines
//! with carets, notes about the sections that stay open, help.

use std::collections::BTreeMap;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use exeunt_model::{Label, Location, Noun, Property, SectionReport, Violation};

use super::stacks;
use crate::source::span_at;
use crate::words::{printable, section_note};
use crate::{Complaint, Options, Quote, Sources};

pub(super) fn render(violation: &Violation, sources: &Sources, options: &Options) -> String {
    let marks = marks(violation);
    let message = printable(&violation.message);
    let mut group = Level::ERROR
        .primary_title(message)
        .id(violation.property.name())
        .elements(Vec::<Origin<'_>>::new());
    group = with_sources(group, &marks, sources);
    for section in unmarked_sections(violation, &marks) {
        group = group.element(Level::NOTE.message(section_note(violation.trace.noun, section)));
    }
    for note in stacks::notes(violation, options.stacks) {
        group = group.element(Level::NOTE.message(note));
    }
    for help in &violation.help {
        group = group.element(Level::HELP.message(printable(help)));
    }
    drawn(group, marks.is_empty(), options)
}

/// Something wrong with what is to be checked, without any run.
pub(crate) fn complain(complaint: &Complaint<'_>, sources: &Sources, options: &Options) -> String {
    let place = |location: &Location, text: &str, primary| {
        let (location, text) = (location.clone(), printable(text));
        Mark { location, text, primary }
    };
    let first = place(complaint.location, complaint.label, true);
    let others = complaint.labels.iter().map(|label| place(&label.location, &label.text, false));
    let marks: Vec<Mark> = std::iter::once(first).chain(others).collect();
    let title = Level::ERROR.primary_title(printable(complaint.message));
    let mut group = with_sources(title.elements(Vec::<Origin<'_>>::new()), &marks, sources);
    for help in complaint.help {
        group = group.element(Level::HELP.message(printable(help)));
    }
    drawn(group, false, options)
}

/// Something wrong with a line of text that may be no file.
pub(crate) fn complain_about(
    message: &str,
    quote: &Quote<'_>,
    help: Option<&str>,
    options: &Options,
) -> String {
    let snippet = Snippet::source(quote.text).line_start(quote.line).path(printable(quote.name));
    let marked = snippet.annotation(AnnotationKind::Primary.span(quote.part.clone()));
    let title = Level::ERROR.primary_title(printable(message));
    let mut group = title.element(marked);
    if let Some(help) = help {
        group = group.element(Level::HELP.message(printable(help)));
    }
    drawn(group, false, options)
}

fn drawn(group: Group<'_>, without_source: bool, options: &Options) -> String {
    let renderer = Renderer::styled().decor_style(DecorStyle::Ascii).term_width(options.width);
    let text = renderer.render(&[group]) + "\n";
    if without_source { without_margin(&text) } else { text }
}

/// Where no source is shown, the empty line of its margin leads nowhere.
fn without_margin(text: &str) -> String {
    let kept = text.lines().filter(|line| uncoloured(line).trim() != "|");
    kept.map(|line| format!("{line}\n")).collect()
}

fn uncoloured(line: &str) -> String {
    let mut parts = line.split('\x1b');
    let first = parts.next().unwrap_or_default().to_string();
    first + &parts.filter_map(|part| Some(part.split_once('m')?.1)).collect::<String>()
}

/// A place to underline.
struct Mark {
    location: Location,
    text: String,
    primary: bool,
}

/// The guilty place first, then the labels, then where sections were opened.
fn marks(violation: &Violation) -> Vec<Mark> {
    let mut marks = Vec::new();
    if let Some(location) = violation.location.clone() {
        marks.push(Mark { location, text: primary_label(violation), primary: true });
    }
    for label in &violation.labels {
        let text = printable(&label.text);
        let again = |mark: &Mark| mark.location == label.location && mark.text == text;
        if marks.iter().any(again) {
            continue;
        }
        marks.push(Mark { location: label.location.clone(), text, primary: false });
    }
    for section in &violation.sections {
        let Some(opened) = &section.opened else { continue };
        if opened.is_known() && !marks.iter().any(|mark| mark.location == *opened) {
            let text = section_note(violation.trace.noun, section);
            marks.push(Mark { location: opened.clone(), text, primary: false });
        }
    }
    marks
}

/// What is said of the guilty place where its label stands alone: what the section that was opened there waits for,
/// or what is wrong.
pub(crate) fn reported(violation: &Violation) -> String {
    let section = opened_there(violation);
    section.map_or_else(
        || format!("error[{}]: {}", violation.property, printable(&violation.message)),
        |section| section_note(violation.trace.noun, section),
    )
}

fn opened_there(violation: &Violation) -> Option<&SectionReport> {
    violation.sections.iter().find(|section| section.opened == violation.location)
}

fn primary_label(violation: &Violation) -> String {
    if let Some(section) = opened_there(violation) {
        return section_note(violation.trace.noun, section);
    }
    let fault = !matches!(
        violation.property,
        Property::Section | Property::Deadlock | Property::Termination | Property::Ltl
    );
    let there = |label: &&Label| Some(&label.location) == violation.location.as_ref();
    match violation.trace.steps.last() {
        Some(step) if fault => format!("in {}", violation.trace.noun.call(step.actor)),
        Some(_) | None => {
            let said = violation.labels.iter().find(there);
            said.map_or_else(String::new, |label| printable(&label.text))
        }
    }
}

fn unmarked_sections<'a>(
    violation: &'a Violation,
    marks: &'a [Mark],
) -> impl Iterator<Item = &'a SectionReport> {
    violation
        .sections
        .iter()
        .filter(|section| !marks.iter().any(|mark| tells(mark, section, violation.trace.noun)))
}

/// Whether a mark already says what this thread does where the section began.
fn tells(mark: &Mark, section: &SectionReport, noun: Noun) -> bool {
    let who = format!("{} ", noun.call(section.actor));
    section.opened.as_ref() == Some(&mark.location) && mark.text.starts_with(&who)
}

/// One snippet for each file, the one with the primary mark first. A place
/// whose text cannot be read is still named.
fn with_sources<'a>(mut group: Group<'a>, marks: &[Mark], sources: &Sources) -> Group<'a> {
    let mut files: BTreeMap<(usize, &str), Vec<&Mark>> = BTreeMap::new();
    for mark in marks.iter().filter(|mark| mark.location.is_known()) {
        let file: &str = &mark.location.file;
        let order = marks.iter().position(|other| *other.location.file == *file).unwrap_or(0);
        files.entry((order, file)).or_default().push(mark);
    }
    for ((_, file), marks) in files {
        group = match snippet(file, &marks, sources) {
            Some(snippet) => group.element(snippet),
            None => origins(group, &marks),
        };
    }
    for mark in marks.iter().filter(|mark| !mark.location.is_known() && !mark.text.is_empty()) {
        group = group.element(Level::NOTE.message(format!("{} ({})", mark.text, mark.location)));
    }
    group
}

fn snippet<'a>(
    file: &str,
    marks: &[&Mark],
    sources: &Sources,
) -> Option<Snippet<'a, annotate_snippets::Annotation<'a>>> {
    let text = sources.text(file)?;
    let mut snippet = Snippet::source(text.to_string()).path(printable(file)).fold(true);
    for mark in marks {
        let span = span_at(&text, &mark.location)?;
        let kind = if mark.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let label = (!mark.text.is_empty()).then(|| mark.text.clone());
        snippet = snippet.annotation(kind.span(span).label(label));
    }
    Some(snippet)
}

fn origins<'a>(mut group: Group<'a>, marks: &[&Mark]) -> Group<'a> {
    for mark in marks {
        let mut origin =
            Origin::path(printable(&mark.location.file)).line(mark.location.line as usize);
        if mark.location.column != 0 {
            origin = origin.char_column(mark.location.column as usize);
        }
        group = group.element(origin);
        if !mark.text.is_empty() {
            group = group.element(Level::NOTE.message(mark.text.clone()));
        }
    }
    group
}
