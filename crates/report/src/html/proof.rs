//! A proof in the page: what was shown, loop by loop, beside the source, and the certificate to save.

use std::collections::BTreeMap;
use std::fmt::Write;

use exeunt_model::{LoopRow, Proof};

use crate::Sources;
use crate::markup::{escape, with_code};

/// The part of the page that a report of a prover has.
pub(super) fn render(proof: &Proof, sources: &Sources) -> String {
    let mut out = String::from(
        "<section class=\"proof\" aria-label=\"the proof\">\n<div class=\"shown\">\n<h2>the proof</h2>\n",
    );
    for (heading, lines) in &proof.explained {
        list(&mut out, heading, lines.iter().map(String::as_str));
    }
    out += &loops(&proof.loops);
    let _ = writeln!(out, "<h3>taken for granted</h3>\n<p>{}</p>", with_code(&proof.assumption));
    out += &match proof.refinements {
        0 => String::new(),
        1 => "<p>The invariant was strengthened once.</p>\n".to_string(),
        times => format!("<p>The invariant was strengthened {times} times.</p>\n"),
    };
    if !proof.program.trim().is_empty() {
        let name = "the same as a program with numbers for queues";
        out += &folded("program", name, &proof.program);
    }
    if let Some(certificate) = &proof.certificate {
        let name = "the certificate, which `exeunt certify` checks";
        out += &folded("certificate", name, certificate);
        out += "<p><button id=\"save\">save the certificate</button></p>\n";
    }
    out += "</div>\n";
    out += &listing(proof, sources);
    out + "</section>\n"
}

fn list<'a>(out: &mut String, heading: &str, lines: impl Iterator<Item = &'a str>) {
    let _ = write!(out, "<h3>{}</h3>\n<ul>\n", with_code(heading));
    for line in lines {
        let _ = writeln!(out, "<li><code>{}</code></li>", escape(line.trim()));
    }
    *out += "</ul>\n";
}

/// What each loop took.
fn loops(rows: &[LoopRow]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut out = String::from(
        "<h3>loops</h3>\n<table class=\"loops\"><thead><tr><th scope=\"col\">loop</th>\
         <th scope=\"col\">result</th><th scope=\"col\">time</th><th scope=\"col\">strengthenings</th>\
         <th scope=\"col\">weakenings</th></tr></thead><tbody>\n",
    );
    for row in rows {
        let place = match place(row) {
            Some((file, line)) => format!("{file}:{line}"),
            None => row.thread.clone(),
        };
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{:.2} s</td><td>{}</td><td>{}</td></tr>",
            escape(&place),
            escape(&row.result),
            row.seconds,
            row.strengthenings,
            row.weakenings
        );
    }
    out + "</tbody></table>\n"
}

fn place(row: &LoopRow) -> Option<(&str, u32)> {
    let location = row.location.as_ref().filter(|location| location.is_known())?;
    Some((&location.file, location.line))
}

fn folded(id: &str, name: &str, text: &str) -> String {
    format!(
        "<details><summary>{}</summary><pre id=\"{id}\" tabindex=\"0\">{}</pre></details>\n",
        with_code(name),
        escape(text)
    )
}

/// The files with the loops, and beside each loop what is known about it.
fn listing(proof: &Proof, sources: &Sources) -> String {
    let mut notes: BTreeMap<&str, BTreeMap<u32, Vec<String>>> = BTreeMap::new();
    for row in &proof.loops {
        let Some((file, line)) = place(row) else { continue };
        let told = notes.entry(file).or_default().entry(line).or_default();
        told.push(format!("this loop: {}", row.result));
        let start = format!("{file}:{line}: ");
        for (heading, lines) in &proof.explained {
            let here = lines.iter().filter_map(|text| text.trim().strip_prefix(&start));
            told.extend(here.map(|text| format!("{heading}: {text}")));
        }
    }
    let mut out = String::new();
    for (file, notes) in notes {
        let Some(text) = sources.text(file) else { continue };
        let _ = write!(out, "<h2>{}</h2>\n<pre class=\"code\" tabindex=\"0\">", escape(file));
        for (at, line) in text.lines().enumerate() {
            let told = notes.get(&(at as u32 + 1));
            let class = if told.is_some() { "codeline here" } else { "codeline" };
            let _ = write!(
                out,
                "<div class=\"{class}\"><span class=\"num\">{}</span><span>{}</span>",
                at + 1,
                escape(line)
            );
            for note in told.into_iter().flatten() {
                let _ = write!(out, "<span class=\"proved\">← {}</span>", escape(note));
            }
            out += "</div>";
        }
        out += "</pre>\n";
    }
    match out.is_empty() {
        true => out,
        false => format!("<div class=\"listing\">\n{out}</div>\n"),
    }
}

#[cfg(test)]
mod tests {
    use exeunt_model::Location;

    use super::*;
    use crate::fixture;

    #[test]
    fn what_is_known_about_a_loop_is_beside_it() {
        let sources = Sources::new();
        sources.insert("a.c", "int x;\nwhile (x < 9)\n  x++;\n");
        let mut proof = fixture::proof();
        let location = Location { file: "a.c".into(), line: 2, ..Location::in_function("drain") };
        proof.loops[0].location = Some(location);
        proof.explained.push(("what falls".to_string(), vec!["a.c:2: 9 - x".to_string()]));
        let page = render(&proof, &sources);
        assert!(page.contains("<span>while (x &lt; 9)</span><span class=\"proved\">← this loop: ends</span><span class=\"proved\">← what falls: 9 - x</span>"), "{page}");
        assert!(page.contains("<tr><th scope=\"row\">a.c:2</th><td>ends</td><td>0.25 s</td><td>1</td><td>2</td></tr>"), "{page}");
        assert!(
            page.contains("<pre id=\"certificate\" tabindex=\"0\">{&quot;format&quot;: 1}</pre>"),
            "{page}"
        );
    }

    #[test]
    fn a_proof_without_places_has_no_listing() {
        let page = render(&fixture::proof(), &Sources::new());
        assert!(!page.contains("listing") && page.contains("<td>ends</td>"), "{page}");
    }
}
