//! The report as one page that needs nothing else: what hangs, a diagram of the
//! threads, the source, the state at every step. The page is plain HTML and
//! JavaScript in `html/`, put together here, so that building Exeunt needs no other
//! toolchain. Without scripts the page shows the report for terminals.
//!
//! Invariant: whatever comes from the checked program is in the page as text of an
//! element or inside of one JSON value, in which `<` is escaped.

mod data;
pub(crate) mod explorer;
mod links;
mod proof;
mod states;

use exeunt_model::Report;

use crate::markup::{escape, plain, with_code};
use crate::words::{bytes, count};
use crate::{Options, Run, Sources, human};

const STYLE: &str = include_str!("html/style.css");
const PAGE: &str = include_str!("html/page.js");
const DIAGRAM: &str = include_str!("html/diagram.js");
const VIEWS: &str = include_str!("html/views.js");

pub(crate) fn render(report: &Report, run: &Run, sources: &Sources) -> String {
    let verdict = report.verdict.name();
    let headline = headline(&report.reason);
    let (reason, sentence) = (escape(&headline), with_code(&headline));
    let data = data::render(report, sources);
    let text = plain(&human::render(report, run, sources, &Options::default()));
    let about = about(report, run);
    let proof = report.proof.as_ref().map(|proof| proof::render(proof, sources));
    let proof = proof.unwrap_or_default();
    let body = if report.violations.is_empty() { "" } else { BODY };
    let (skip, to) = match report.violations.is_empty() {
        true => ("main", "to the report"),
        false => ("diagram", "to the schedule"),
    };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{verdict}: {reason}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#{skip}\">{to}</a>\n\
         <header class=\"top\"><div class=\"row\">\n\
         <h1><span class=\"badge {verdict}\">{verdict}</span>{sentence}</h1>\n\
         <button id=\"theme\">dark / light</button></div>\n<div id=\"more\"></div></header>\n\
         <main id=\"main\">\n{body}{proof}</main>\n\
         <footer>\n{about}<div id=\"numbers\"></div>\n</footer>\n\
         <noscript><pre>{}</pre></noscript>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n\
         <script>\n{PAGE}{DIAGRAM}{VIEWS}</script>\n</body>\n</html>\n",
        escape(&text)
    )
}

/// The verdict as a sentence that leaves room for the rest: names in it that would fill the screen are cut.
fn headline(reason: &str) -> String {
    const MOST: usize = 120;
    let ends = |c: char| c.is_whitespace() || c == '`';
    let cut = |part: &str| {
        let name = part.trim_end_matches(ends);
        match name.chars().count() {
            length if length > MOST => {
                let start: String = name.chars().take(MOST).collect();
                format!("{start}… ({length} characters){}", &part[name.len()..])
            }
            _ => part.to_string(),
        }
    };
    reason.split_inclusive(ends).map(cut).collect()
}

/// What scripts fill in.
const BODY: &str = "\
<section id=\"answer\" class=\"answer\" aria-label=\"what is wrong\"></section>
<nav id=\"toolbar\" class=\"toolbar\" aria-label=\"steps\"></nav>
<div class=\"panes\">
<section id=\"diagram\" class=\"pane diagram\" aria-label=\"the schedule\" tabindex=\"0\"></section>
<section id=\"source\" class=\"pane\" aria-label=\"the source\" tabindex=\"0\"><div class=\"follows\"><div id=\"did\" class=\"did\"></div>
<div id=\"files\" class=\"files\"></div></div><pre id=\"code\" class=\"code\"></pre></section>
<section id=\"state\" class=\"pane\" aria-label=\"the state\" tabindex=\"0\"></section>
</div>
";

fn about(report: &Report, run: &Run) -> String {
    let numbers = &report.statistics;
    let (version, command) = (escape(&run.version), escape(&run.command));
    let title = if report.proof.is_some() { "the run of exeunt" } else { "the search" };
    let mut out = match numbers.states {
        // A proof explores nothing.
        0 => {
            format!("<h2>{title}</h2>\n<p>exeunt {version} {command}: {:.2} s", numbers.seconds)
        }
        states => format!(
            "<h2>{title}</h2>\n<p>exeunt {version} {command}: {}, {}, {:.2} s, {}",
            count(states, "state"),
            count(numbers.transitions, "transition"),
            numbers.seconds,
            bytes(numbers.peak_memory_bytes),
        ),
    };
    out += "; sequentially consistent memory</p>\n";
    out += &format!("<p>made by: <code>{}</code></p>\n", escape(&run.line));
    for remark in &report.remarks {
        out += &format!("<p>note: {}</p>\n", with_code(remark));
    }
    for note in &report.notes {
        let place = escape(&note.location.to_string());
        out += &format!("<p>undefined but harmless: {place}: {}</p>\n", escape(&note.text));
    }
    if !report.violations.is_empty() {
        out += LEGEND;
    }
    out
}

/// What the signs of the page mean.
const LEGEND: &str = "<h2>signs</h2>\n<ul class=\"legend\">\n\
    <li>schedule: each thread has a line downwards, a dot on it is a step, the number before a colon is a line of the source</li>\n\
    <li>schedule: a thin dashed arrow leads from a step to the step of another thread that it makes possible</li>\n\
    <li>schedule: where a line is thick and dashed, the thread hangs; a square and an arrow from it say for whom it waits</li>\n\
    <li>who waits for whom: an arrow leads from a thread to whoever would have to move for it, and beside it stands for what it waits; a dashed box is what no thread holds</li>\n\
    <li>source: <i aria-hidden=\"true\"></i> a bar on the left marks each line in which a thread hangs, and the line that is reported; a number in a box, the thread that is there</li>\n\
    <li>state: ● marks what the last step changed</li>\n</ul>\n";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    fn page(report: &Report) -> String {
        render(report, &fixture::run(), &fixture::sources())
    }

    fn data_of(page: &str) -> serde_json::Value {
        let start = page.find("id=\"data\">").expect("there is data") + "id=\"data\">".len();
        let end = start + page[start..].find("</script>").expect("it ends");
        serde_json::from_str(&page[start..end]).expect("it is JSON")
    }

    #[test]
    fn steps_stuck_threads_and_source_are_in_the_page() {
        let data = data_of(&page(&fixture::embrace()));
        let one = &data["violations"][0];
        assert_eq!(one["steps"][2]["a"], 1);
        assert_eq!(one["steps"][2]["told"][0]["t"], "lock(a)");
        assert_eq!(one["steps"][2]["at"]["l"], 6);
        assert_eq!(one["stuck"][0]["a"], 1);
        assert_eq!(one["stuck"][0]["text"], "waits for mutex `b`, held by thread 3");
        assert_eq!(one["stuck"][0]["since"], 3);
        assert!(data["files"][0]["text"].as_str().is_some_and(|text| text.contains("mutex")));
    }

    #[test]
    fn what_too_late_means_is_said_once() {
        let mut report = fixture::embrace();
        let help = exeunt_model::words::NO_WAY_OUT.to_string();
        report.violations[0].help.insert(0, help.clone());
        let shown = page(&report);
        let helps = &data_of(&shown)["violations"][0]["help"];
        assert_eq!(*helps, serde_json::json!(["lock `a` and `b` in the same order everywhere"]));
        // The page explains "too late" where it is known.
        report.violations[0].trace.too_late = None;
        assert_eq!(data_of(&page(&report))["violations"][0]["help"][0], help);
        let (run, sources) = (fixture::run(), fixture::sources());
        assert!(human::render(&report, &run, &sources, &Options::default()).contains(&help));
    }

    #[test]
    fn the_page_needs_nothing_else() {
        let page = page(&fixture::spinner()).replace("http://www.w3.org/2000/svg", "");
        for outside in ["http://", "https://", "src=", "<link", "@import"] {
            assert!(!page.contains(outside), "{outside} in {page}");
        }
        assert_eq!(data_of(&page)["violations"][0]["ending"], "and again from step 3");
    }

    #[test]
    fn a_name_does_not_fill_the_screen() {
        let long = format!("waits for mutex `{}`, held by thread 3", "n".repeat(10_000));
        let cut = headline(&long);
        assert!(cut.ends_with("n… (10000 characters)`, held by thread 3"), "{cut}");
        assert!(cut.contains(&"n".repeat(120)) && !cut.contains(&"n".repeat(121)), "{cut}");
        let words = "thread 2 waits for mutex `m`, ".repeat(20);
        assert_eq!(headline(&words), words);
    }

    #[test]
    fn program_text_cannot_become_markup() {
        let mut report = fixture::embrace();
        report.violations[0].message = "</script><script>alert(1)</script>".to_string();
        report.reason = report.violations[0].message.clone();
        let page = page(&report);
        assert!(!page.contains("<script>alert"));
        assert_eq!(data_of(&page)["violations"][0]["message"], report.reason);
    }
}
