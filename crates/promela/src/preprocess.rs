//! From a file to text without directives: the system's C preprocessor, with
//! its line markers kept so that positions lead back to the user's files.
//!
//! A model without a line that starts with `#` is not sent through the
//! preprocessor at all, which also works where none is installed.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use exeunt_model::Location;

use crate::Diagnostic;

/// Preprocessed text and whether it carries line markers.
pub struct Text {
    pub text: String,
    pub marked: bool,
}

/// Takes the given text or reads `path`, adds `more` behind it, and runs the preprocessor over it if
/// it has directives.
pub fn preprocess(
    path: &Path,
    given: Option<&str>,
    defines: &[String],
    more: &str,
) -> Result<Text, Box<Diagnostic>> {
    let at = |line: u32| Location {
        file: path.display().to_string().into(),
        line,
        column: 0,
        function: "".into(),
    };
    let unreadable = |error| Diagnostic::new(format!("cannot read the model: {error}"), at(0), &[]);
    let mut text = match given {
        Some(text) => text.to_string(),
        None => {
            let bytes = std::fs::read(path).map_err(unreadable)?;
            String::from_utf8_lossy(&bytes).into_owned()
        }
    };
    let directive = text.lines().position(|line| line.trim_start().starts_with('#'));
    if directive.is_none() && defines.is_empty() {
        let marked = !more.is_empty();
        let text = if marked { format!("{}\n{more}", marked_text(path, &text)) } else { text };
        return Ok(Text { text, marked });
    }
    text.push('\n');
    text.push_str(more);
    let line = directive.map_or(0, |index| index as u32 + 1);
    let output = ["cpp", "gcc", "clang"].iter().find_map(|tool| run(tool, path, &text, defines));
    match output {
        None => Err(Box::new(Diagnostic::new(
            "the model uses preprocessor directives, and no C preprocessor was found",
            at(line),
            &["install `cpp` (part of gcc) or clang"],
        ))),
        Some(Ok(text)) => Ok(Text { text, marked: true }),
        Some(Err(message)) => Err(Box::new(complaint(path, &message))),
    }
}

/// `None` if the tool does not exist.
fn run(tool: &str, path: &Path, text: &str, defines: &[String]) -> Option<Result<String, String>> {
    let mut command = Command::new(tool);
    if tool != "cpp" {
        command.arg("-E");
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    command.args(["-x", "c", "-undef", "-std=gnu99", "-w", "-iquote"]).arg(folder);
    command.args(defines.iter().map(|define| format!("-D{define}"))).arg("-");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().ok()?;
    let mut stdin = child.stdin.take().expect("stdin was asked for");
    let input = marked_text(path, text);
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = match child.wait_with_output() {
        Ok(output) => output,
        Err(error) => return Some(Err(format!("{tool} failed: {error}"))),
    };
    // A preprocessor that stops early closes its end; its message says why.
    let _ = writer.join();
    Some(if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    })
}

/// The text with a line that says which file it is from.
fn marked_text(path: &Path, text: &str) -> String {
    let name = path.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
    format!("# 1 \"{name}\"\n{text}\n")
}

/// Turns the first `file:line:column: error: text` of the tool into ours.
fn complaint(path: &Path, stderr: &str) -> Diagnostic {
    let line = stderr.lines().find(|line| line.contains("error:")).unwrap_or(stderr.trim());
    let (place, message) = line.split_once("error:").unwrap_or(("", line));
    let mut parts = place.trim().trim_end_matches(':').split(':');
    let file = parts.next().filter(|file| !file.is_empty());
    let mut number = || parts.next().and_then(|part| part.parse().ok()).unwrap_or(0);
    let (row, column) = (number(), number());
    let file = file.map_or_else(|| path.display().to_string(), str::to_string).into();
    let location = Location { file, line: row, column, function: "".into() };
    Diagnostic::new(format!("the preprocessor says: {}", message.trim()), location, &[])
}
