//! The page of `exeunt explore`: that of a report, with the steps that can be taken, a search box and a graph
//! that grows. It asks the server that it came from for more.

use exeunt_model::{Trace, Violation};
use serde_json::Value;

use super::{BODY, DIAGRAM, LEGEND, PAGE, STYLE, VIEWS, data};
use crate::Sources;
use crate::markup::{escape, with_code};

const EXPLORE: &str = include_str!("explore.js");

/// A path that somebody walked.
pub struct Walked<'w> {
    /// The path, with its states.
    pub trace: &'w Trace,
    /// Where it has led, in a line.
    pub status: &'w str,
    /// Whether that is an error or a state that no step leaves.
    pub bad: bool,
    /// What the trace shows that was opened, if it was one.
    pub shown: Option<&'w Violation>,
}

/// A path with its states, for the page.
pub fn path(walked: &Walked<'_>, sources: &Sources) -> Value {
    data::walked(walked, sources)
}

/// The page for a program, or for a trace that shows something; `first` is the answer for the empty path.
pub fn page(name: &str, shown: Option<&Violation>, first: &Value) -> String {
    let name = escape(name);
    let verdict = shown.map_or(String::new(), |violation| {
        format!(
            "<p id=\"verdict\"><span class=\"badge violated\">violated</span>{}</p>\n",
            with_code(&violation.message)
        )
    });
    let body = BODY.replacen("<nav id=\"toolbar\"", &format!("{PANEL}<nav id=\"toolbar\""), 1);
    let page = first["page"].to_string().replace('<', "\\u003c");
    let first = first.to_string().replace('<', "\\u003c");
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>exploring {name}</title>\n<style>\n{STYLE}</style>\n</head>\n<body class=\"explorer\">\n\
         <header class=\"top\"><div class=\"row\"><h1>exploring {name}</h1>\n\
         <button id=\"theme\">dark / light</button></div>\n{verdict}<div id=\"more\"></div></header>\n\
         <main id=\"main\">\n{body}</main>\n\
         <footer><p>keys: <kbd>1</kbd> to <kbd>9</kbd> take a step, <kbd>u</kbd> takes the last one back, \
         <kbd>/</kbd> searches, the arrows look at earlier steps</p>\n\
         {LEGEND}<div id=\"numbers\"></div></footer>\n\
         <script type=\"application/json\" id=\"data\">{page}</script>\n\
         <script type=\"application/json\" id=\"first\">{first}</script>\n\
         <script>\nconst wanted = location.hash;\n{PAGE}{DIAGRAM}{VIEWS}{EXPLORE}</script>\n</body>\n</html>\n"
    )
}

const PANEL: &str = "\
<div class=\"explore\">
<section class=\"pane\" aria-label=\"possible steps\" tabindex=\"0\"><h2 id=\"where\" aria-live=\"polite\"></h2>
<p><button id=\"undo\">take back</button> <button id=\"restart\">to the beginning</button> <button id=\"ends\">can it still end?</button></p>
<ol id=\"successors\"></ol><p id=\"told\" aria-live=\"polite\"></p>
<form id=\"search\"><label for=\"query\">find a state in which</label> <input id=\"query\" placeholder=\"x = 1, thread 2 is inside mutex-wait\"> <button>find</button></form></section>
<section id=\"graph\" class=\"pane\" aria-label=\"the states seen so far\" tabindex=\"0\"></section>
</div>
";
