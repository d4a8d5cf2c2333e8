//! The book (`docs/`, by mdBook): its summary is one that mdBook takes, links lead to headings that there are, the
//! book is built, and every link in its pages leads somewhere.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use regex_lite::Regex;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

fn page(name: &str) -> String {
    let path = root().join("docs").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("no page {}", path.display()))
}

/// The chapters in their order. Every line of the summary is a part, a chapter or empty.
fn chapters() -> Vec<String> {
    let chapter = Regex::new(r"^(- )?\[([^\]]+)\]\(([^)]+\.md)\)$").expect("a pattern");
    let mut chapters = Vec::new();
    for line in page("SUMMARY.md").lines().filter(|line| !line.is_empty()) {
        let part = line.starts_with("# ");
        let found = chapter.captures(line).map(|found| found[3].to_string());
        assert!(part || found.is_some(), "mdBook takes no such line in SUMMARY.md: {line}");
        chapters.extend(found);
    }
    chapters
}

#[test]
fn the_summary_lists_each_page_once() {
    let chapters = chapters();
    let different: BTreeSet<&String> = chapters.iter().collect();
    assert!(chapters.len() >= 30 && different.len() == chapters.len(), "{chapters:?}");
    for chapter in &chapters {
        let title = page(chapter);
        assert!(title.starts_with("# "), "docs/{chapter} has no title");
    }
    let settings = page("book.toml");
    for line in ["src = \".\"", "create-missing = false"] {
        assert!(settings.lines().any(|known| known == line), "no {line} in docs/book.toml");
    }
}

/// The names by which links reach headings, as mdBook and public forges make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut fenced = false;
    let mut found = BTreeSet::new();
    for line in text.lines() {
        fenced ^= line.trim_start().starts_with("```");
        let Some(title) = line.strip_prefix('#').filter(|_| !fenced) else { continue };
        let title = title.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        found.insert(kept.map(|c| if c == ' ' { '-' } else { c }).collect());
    }
    found
}

#[test]
fn links_lead_to_headings() {
    let link = Regex::new(r"\]\(([^)#\s]*)#([^)\s]+)\)").expect("a pattern");
    let mut seen = 0;
    for name in chapters().into_iter().chain(["../README.md".to_string()]) {
        let text = page(&name);
        let folder = root().join("docs").join(&name).parent().expect("a folder").to_path_buf();
        for found in link.captures_iter(&text).filter(|found| !found[1].contains("://")) {
            let target = match &found[1] {
                "" => text.clone(),
                file => std::fs::read_to_string(folder.join(file)).expect("a linked file"),
            };
            seen += 1;
            assert!(
                anchors(&target).contains(&found[2]),
                "docs/{name}: no heading for {}",
                &found[0]
            );
        }
    }
    assert!(seen >= 15, "only {seen} links to headings");
}

#[test]
fn the_book_is_built_and_no_link_in_it_is_dead() {
    let tool = root().join("target/mdbook/bin/mdbook");
    assert!(tool.exists(), "`./x test` builds what this test needs");
    let built = Command::new(root().join("x")).arg("docs").output().expect("x runs");
    let told = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success() && !told.contains("ERROR"), "{told}");
    let book = root().join("target/book");
    let link = Regex::new(r#"(?:href|src)="([^"]*)""#).expect("a pattern");
    let mut seen = 0;
    for chapter in chapters() {
        let name = chapter.replace(".md", ".html");
        let text = std::fs::read_to_string(book.join(&name)).expect("a page for each chapter");
        for found in link.captures_iter(&text) {
            let target = found[1].split(['#', '?']).next().unwrap_or_default().to_string();
            if target.is_empty() || target.contains(':') || target.contains("&#") {
                continue;
            }
            seen += 1;
            assert!(book.join(&target).exists(), "{name}: {target} leads nowhere");
        }
    }
    assert!(seen > 300, "only {seen} links");
}
