//! The report as one page that needs nothing else: the source, one column for
//! each thread, and a way to step through the schedule. Without scripts the
//! page still shows everything.

use std::collections::BTreeSet;
use std::fmt::Write;

use exeunt_model::{ActorId, Location, Report, TraceStep, Violation};

use crate::proof;
use crate::story::Teller;
use crate::words::{bytes, count, inside};
use crate::{Run, Sources};

const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/steps.js");

pub(crate) fn render(report: &Report, run: &Run, sources: &Sources) -> String {
    let verdict = report.verdict.name();
    let mut out = String::new();
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>{verdict}: {}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1><span class=\"{verdict}\">{verdict}</span>: {}</h1>\n",
        escape(&report.reason),
        escape(&report.reason),
    );
    for limit in &report.limits_hit {
        let _ = writeln!(out, "<p>limit reached: <code>{}</code></p>", escape(limit));
    }
    for assumption in &report.assumptions {
        let _ = writeln!(out, "<p>assumed: {}</p>", escape(assumption));
    }
    for note in &report.notes {
        let place = escape(&note.location.to_string());
        let _ = writeln!(out, "<p>undefined but harmless: {place}: {}</p>", escape(&note.text));
    }
    for (index, violation) in report.violations.iter().enumerate() {
        Page { index, violation, sources, files: files(violation) }.render(&mut out);
    }
    if let Some(proof) = &report.proof {
        let text = escape(&proof::text(proof, true));
        let _ = writeln!(out, "<section><h2>The proof</h2><pre>{text}</pre></section>");
    }
    footer(&mut out, report, run);
    let _ = writeln!(out, "<script>\n{SCRIPT}</script>\n</body>\n</html>");
    out
}

fn footer(out: &mut String, report: &Report, run: &Run) {
    let numbers = &report.statistics;
    let _ = writeln!(
        out,
        "<footer>exeunt {} {}: {}, {}, {:.2} s, {}; sequentially consistent memory</footer>",
        escape(&run.version),
        escape(&run.command),
        count(numbers.states, "state"),
        count(numbers.transitions, "transition"),
        numbers.seconds,
        bytes(numbers.peak_memory_bytes),
    );
}

/// One violation.
struct Page<'a> {
    index: usize,
    violation: &'a Violation,
    sources: &'a Sources,
    files: Vec<String>,
}

impl Page<'_> {
    fn render(&self, out: &mut String) {
        let violation = self.violation;
        let _ = writeln!(
            out,
            "<section class=\"violation\">\n<h2>error[{}]: {}</h2>",
            violation.property,
            escape(&violation.message)
        );
        self.notes(out);
        out.push_str("<div class=\"panes\">\n");
        self.schedule(out);
        self.source(out);
        out.push_str("</div>\n</section>\n");
    }

    fn notes(&self, out: &mut String) {
        out.push_str("<ul>\n");
        if let Some(location) = &self.violation.location {
            let _ = writeln!(out, "<li>{}</li>", self.link(location));
        }
        for label in &self.violation.labels {
            let _ =
                writeln!(out, "<li>{}: {}</li>", self.link(&label.location), escape(&label.text));
        }
        let noun = self.violation.trace.noun;
        for section in &self.violation.sections {
            let place = section
                .opened
                .as_ref()
                .map_or_else(String::new, |at| format!(" ({})", self.link(at)));
            let who = format!("{} is {}", noun.call(section.actor), inside(section));
            let _ = writeln!(out, "<li>{}{place}: {}</li>", escape(&who), escape(&section.why));
        }
        for help in &self.violation.help {
            let _ = writeln!(out, "<li>help: {}</li>", escape(help));
        }
        out.push_str("</ul>\n");
    }

    fn schedule(&self, out: &mut String) {
        let trace = &self.violation.trace;
        let actors: Vec<ActorId> = trace
            .steps
            .iter()
            .map(|step| step.actor)
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        out.push_str("<div class=\"schedule\">\n<p class=\"buttons\"></p>\n<table>\n<thead><tr><th>step</th>");
        for actor in &actors {
            let name = trace.actors.get(actor.0 as usize).map_or("", String::as_str);
            let who = trace.noun.call(*actor);
            let _ = write!(out, "<th>{who}<br>{}</th>", escape(name));
        }
        out.push_str("</tr></thead>\n<tbody>\n");
        let mut teller = Teller::new(true, true);
        for (index, step) in trace.steps.iter().enumerate() {
            self.marks(out, index, actors.len());
            self.step(out, index, step, &actors, &mut teller);
        }
        self.marks(out, trace.steps.len(), actors.len());
        out.push_str("</tbody>\n</table>\n</div>\n");
    }

    /// Remarks before the step with this index.
    fn marks(&self, out: &mut String, index: usize, columns: usize) {
        let trace = &self.violation.trace;
        let mut mark = |text: &str| {
            let _ = writeln!(
                out,
                "<tr class=\"mark\"><td></td><td colspan=\"{columns}\">{text}</td></tr>"
            );
        };
        if trace.too_late == Some(index) {
            mark("from here on it is too late");
        }
        match trace.cycle_start {
            Some(start) if start == index && index < trace.steps.len() => {
                mark("from here on this repeats for ever");
            }
            Some(start) if index == trace.steps.len() && start < index => {
                mark(&format!("and again from step {}", start + 1));
            }
            _ => {}
        }
    }

    fn step(
        &self,
        out: &mut String,
        index: usize,
        step: &TraceStep,
        actors: &[ActorId],
        teller: &mut Teller,
    ) {
        let id = step.location.as_ref().map_or_else(String::new, |at| self.line_id(at));
        let _ = write!(
            out,
            "<tr class=\"step\" data-thread=\"{}\" data-line=\"{id}\"><td>{}</td>",
            step.actor,
            index + 1
        );
        for actor in actors {
            out.push_str("<td>");
            if *actor == step.actor {
                let things: Vec<String> = teller
                    .tell(step)
                    .iter()
                    .map(|told| match &told.location {
                        Some(at) if at.is_known() => format!("{}: {}", at.line, escape(&told.text)),
                        _ => escape(&told.text),
                    })
                    .collect();
                out.push_str(&things.join("<br>"));
            }
            out.push_str("</td>");
        }
        out.push_str("</tr>\n");
    }

    fn source(&self, out: &mut String) {
        out.push_str("<div class=\"source\">\n");
        for file in &self.files {
            let Some(text) = self.sources.text(file) else { continue };
            let _ = writeln!(out, "<h3>{}</h3>\n<pre>", escape(file));
            for (index, line) in text.lines().enumerate() {
                let number = index as u32 + 1;
                let id = self.id(file, number);
                let guilty = self.violation.location.as_ref();
                let guilty = guilty.is_some_and(|at| *at.file == **file && at.line == number);
                let class = if guilty { "line guilty" } else { "line" };
                let _ = write!(
                    out,
                    "<span class=\"{class}\" id=\"{id}\"><i></i><b>{number}</b>{}</span>",
                    escape(line)
                );
            }
            out.push_str("</pre>\n");
        }
        out.push_str("</div>\n");
    }

    fn link(&self, location: &Location) -> String {
        let text = escape(&location.to_string());
        match self.line_id(location) {
            id if id.is_empty() => text,
            id => format!("<a href=\"#{id}\">{text}</a>"),
        }
    }

    fn line_id(&self, location: &Location) -> String {
        if location.is_known() { self.id(&location.file, location.line) } else { String::new() }
    }

    fn id(&self, file: &str, line: u32) -> String {
        let file = self.files.iter().position(|other| other == file).unwrap_or(0);
        format!("v{}-f{file}-l{line}", self.index)
    }
}

/// Every file that the story mentions, in order of its first mention.
fn files(violation: &Violation) -> Vec<String> {
    let own = violation.location.iter();
    let labels = violation.labels.iter().map(|label| &label.location);
    let sections = violation.sections.iter().filter_map(|section| section.opened.as_ref());
    let steps = violation.trace.steps.iter().filter_map(|step| step.location.as_ref());
    let mut files: Vec<String> = Vec::new();
    for location in own.chain(labels).chain(sections).chain(steps) {
        if location.is_known() && !files.iter().any(|file| **file == *location.file) {
            files.push(location.file.to_string());
        }
    }
    files
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    fn page(report: &Report) -> String {
        render(report, &fixture::run(), &fixture::sources())
    }

    #[test]
    fn steps_lead_to_source_lines() {
        let page = page(&fixture::embrace());
        let step = "<tr class=\"step\" data-thread=\"2\" data-line=\"v0-f0-l6\"><td>3</td><td></td><td>6: lock(a)</td><td></td></tr>";
        assert!(page.contains(step), "{page}");
        assert!(page.contains("<span class=\"line\" id=\"v0-f0-l6\"><i></i><b>6</b>    pthread_mutex_lock(&amp;a);</span>"), "{page}");
        assert!(page.contains("<span class=\"line guilty\" id=\"v0-f0-l7\">"), "{page}");
    }

    #[test]
    fn the_page_needs_nothing_else() {
        let page = page(&fixture::spinner());
        for outside in ["http://", "https://", "src=", "<link", "@import"] {
            assert!(!page.contains(outside), "{outside} in {page}");
        }
        assert!(page.contains("and again from step 3"));
    }

    #[test]
    fn program_text_cannot_become_markup() {
        let mut report = fixture::embrace();
        report.violations[0].message = "<script>alert(1)</script>".to_string();
        assert!(page(&report).contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
        assert!(!page(&report).contains("<script>alert"));
    }
}
