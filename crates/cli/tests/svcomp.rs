//! SV-COMP: property files, the words of the answers, witnesses, and BenchExec's own test of tool
//! infos. `// PROPERTY: ANSWER` on top of a program in `tests/svcomp` is what is expected.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

fn programs() -> PathBuf {
    root().join("tests/svcomp")
}

fn check(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
    command.arg("check").args(arguments).current_dir(programs()).output().expect("exeunt runs")
}

fn last_line(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or("").to_string()
}

/// All programs with the properties and answers that they name.
fn expectations() -> Vec<(String, String, String)> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(programs()).expect("programs") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|ending| ending != "c") {
            continue;
        }
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("it is read");
        for line in text.lines().map_while(|line| line.strip_prefix("// ")) {
            let (property, answer) = line.split_once(": ").expect("a property and an answer");
            all.push((name.clone(), format!("{property}.prp"), answer.to_string()));
        }
    }
    all.sort();
    assert!(all.len() > 20, "{all:?}");
    all
}

const VALIDATE: &str = "\
import json, sys, yaml, jsonschema, copy
schema = json.load(open(sys.argv[1]))
class Plain(yaml.SafeLoader): pass
jsonschema.Draft202012Validator.check_schema(schema)
check = jsonschema.Draft202012Validator(schema)
for name in sys.argv[2:]:
    witness = yaml.load(open(name), Plain)
    check.validate(witness)
    wrong = copy.deepcopy(witness)
    wrong[0]['metadata']['task']['data_model'] = 'P64'
    assert not check.is_valid(wrong), 'the schema accepts anything'
";

#[test]
fn answers_and_witnesses() {
    let folder = tempfile::tempdir().expect("a folder");
    let schema = programs().join("witness.schema.json");
    let mut arguments = vec![schema.to_string_lossy().into_owned()];
    for (at, (file, property, answer)) in expectations().iter().enumerate() {
        let witness = folder.path().join(format!("{at}.yml"));
        let path = witness.to_string_lossy();
        let output = check(&[file, "--property", property, "--witness", &path]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(last_line(&output), *answer, "{file} {property}: {text}");
        let code = match answer.as_str() {
            "true" => 0,
            "unknown" => 3,
            _ => 1,
        };
        assert_eq!(output.status.code(), Some(code), "{file} {property}");
        // The format has no words for runs without an end.
        let wordless = ["unknown", "false(termination)"].contains(&answer.as_str());
        assert_eq!(witness.exists(), !wordless, "{file} {property}");
        if witness.exists() {
            arguments.push(path.into_owned());
        }
    }
    let output = Command::new("/usr/bin/python3").arg("-c").arg(VALIDATE).args(&arguments).output();
    let output = output.expect("python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_witness_names_inputs_and_target() {
    let folder = tempfile::tempdir().expect("a folder");
    let witness = folder.path().join("w.yml");
    let path = witness.to_string_lossy();
    check(&["inputs.c", "--property", "unreach-call.prp", "--witness", &path]);
    let text = std::fs::read_to_string(&witness).expect("a witness");
    // An `unsigned char` is never -1.
    assert!(text.contains(r"\\result == 255"), "{text}");
    assert!(text.contains(r"\\result == 1"), "{text}");
    assert_eq!(text.matches("function_return").count(), 2, "{text}");
    assert!(text.contains("type: target"), "{text}");
}

#[test]
fn what_cannot_be_checked_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let property = folder.path().join("cleanup.prp");
    std::fs::write(&property, "CHECK( init(main()), LTL(G valid-memcleanup) )\n").expect("a file");
    let output = check(&["lost.c", "--property", &property.to_string_lossy()]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        told.contains("we cannot check `CHECK( init(main()), LTL(G valid-memcleanup) )`"),
        "{told}"
    );
    // In ILP32, programs that name types of another width are not decided.
    let wide = folder.path().join("wide.c");
    std::fs::write(&wide, "int main() { long x = 0; return x != 0; }\n").expect("a file");
    let model = ["--property", "unreach-call.prp", "--data-model", "ILP32"];
    let output = check(&[&[&*wide.to_string_lossy()], &model[..]].concat());
    assert_eq!(last_line(&output), "unknown");
    let output = check(&[&["atomic_update.c"], &model[..]].concat());
    assert_eq!(last_line(&output), "true");
    // Nor are questions about memory.
    let memory = ["--property", "valid-memsafety.prp", "--data-model", "ILP32"];
    let output = check(&[&["dangling.c"], &memory[..]].concat());
    assert_eq!(last_line(&output), "unknown");
}

#[test]
fn benchexec_accepts_the_tool_info() {
    let packages = root().join("target/python");
    assert!(packages.join("benchexec").is_dir(), "`./x test` installs what this test needs");
    let folder = tempfile::tempdir().expect("a folder");
    let mut outputs = Vec::new();
    for (name, file) in [("true", "atomic_update.c"), ("false", "lost_update.c")] {
        let output = check(&[file, "--property", "unreach-call.prp"]);
        let path = folder.path().join(name);
        std::fs::write(&path, &output.stdout).expect("it is written");
        outputs.push(path);
    }
    let task = folder.path().join("task.yml");
    let program = programs().join("lost_update.c");
    let property = programs().join("unreach-call.prp");
    let definition = format!(
        "format_version: '2.0'\ninput_files: '{}'\nproperties:\n  - property_file: '{}'\n    \
         expected_verdict: false\noptions:\n  language: C\n  data_model: ILP32\n",
        program.display(),
        property.display()
    );
    std::fs::write(&task, definition).expect("it is written");
    let binary = Path::new(env!("CARGO_BIN_EXE_exeunt")).parent().expect("a directory");
    let paths = format!("{}:{}", packages.display(), root().join("bench/benchexec").display());
    let output = Command::new("/usr/bin/python3")
        .args(["-m", "benchexec.test_tool_info", "exeunt_info.exeunt", "--no-container"])
        .arg("--tool-directory")
        .arg(binary)
        .arg("--tool-output")
        .args(&outputs)
        .arg("--task-definition")
        .arg(&task)
        .env("PYTHONPATH", paths)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .current_dir(folder.path())
        .output()
        .expect("python runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    let complaints = told.lines().filter(|line| line.contains("WARNING") || line.contains("ERROR"));
    // The binary under test has no other path.
    let complaints: Vec<&str> = complaints.filter(|line| !line.contains("is absolute")).collect();
    assert!(complaints.is_empty(), "{complaints:?}");
    for part in ["“true”", "“false(unreach-call)”", "'--data-model', 'ILP32'", "“exeunt”"]
    {
        assert!(told.contains(part), "{part} is missing in {told}");
    }
}

/// Functions that give inputs, with the types that they are declared with.
const INPUTS: [(&str, &str); 9] = [
    ("bool", "_Bool"),
    ("char", "char"),
    ("uchar", "unsigned char"),
    ("short", "short"),
    ("ushort", "unsigned short"),
    ("int", "int"),
    ("uint", "unsigned int"),
    ("long", "long"),
    ("ulong", "unsigned long"),
];

/// A program with two inputs that reaches the error for some of their values.
fn with_inputs(seed: u64) -> String {
    let random = &mut exeunt_random::Random::new(seed);
    let mut text = "extern void abort(void);\nvoid reach_error() {}\n".to_string();
    for (name, ty) in INPUTS {
        text.push_str(&format!("extern {ty} __VERIFIER_nondet_{name}(void);\n"));
    }
    text.push_str("int main() {\n");
    let mut conditions = Vec::new();
    for variable in ["a", "b"] {
        let (name, ty) = random.one_of(&INPUTS);
        text.push_str(&format!("    {ty} {variable} = __VERIFIER_nondet_{name}();\n"));
        conditions.push(match random.below(4) {
            0 => format!("{variable} > 100"),
            1 => format!("{variable} < 0"),
            2 => format!("{variable} == ({ty})-1"),
            _ => format!("{variable} == 1"),
        });
    }
    let condition = conditions.join(" && ");
    text + &format!("    if ({condition})\n        reach_error();\n    return 0;\n}}\n")
}

/// A program that gives the inputs of a witness, each checked as the witness says it, and ends with 42 where the error
/// is reached.
fn harness(witness: &str) -> String {
    let values: Vec<&str> =
        witness.lines().filter_map(|line| line.split("\\\\result == ").nth(1)).collect();
    let values: Vec<&str> = values.iter().map(|value| value.trim_end_matches('"')).collect();
    let mut text = "#include <unistd.h>\nvoid reach_error();\nstatic int next;\n".to_string();
    text.push_str("#define QUIET __attribute__((no_instrument_function))\n");
    text.push_str("QUIET void __cyg_profile_func_enter(void *f, void *c) { if (f == (void *)reach_error) _exit(42); }\n");
    text.push_str("QUIET void __cyg_profile_func_exit(void *f, void *c) {}\n");
    for (name, ty) in INPUTS {
        text.push_str(&format!(
            "QUIET {ty} __VERIFIER_nondet_{name}(void) {{\n    {ty} result;\n    switch (next++) {{\n"
        ));
        for (at, value) in values.iter().enumerate() {
            text.push_str(&format!(
                "    case {at}: result = {value}; if (!(result == {value})) _exit(3); return result;\n"
            ));
        }
        text.push_str("    }\n    _exit(4);\n}\n");
    }
    text
}

/// Each violation witness is executed: the native program reaches the error with the inputs that it names.
#[test]
fn witnesses_can_be_executed() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let mut executed = 0;
    for seed in 0..24 {
        let (program, witness) = (at("program.c"), at("witness.yml"));
        std::fs::write(&program, with_inputs(seed)).expect("it is written");
        let output = check(&[&program, "--property", "unreach-call.prp", "--witness", &witness]);
        if last_line(&output) != "false(unreach-call)" {
            continue;
        }
        let text = std::fs::read_to_string(&witness).expect("a witness");
        std::fs::write(at("harness.c"), harness(&text)).expect("it is written");
        let compiled = Command::new("gcc")
            .args(["-w", "-finstrument-functions", &program, &at("harness.c"), "-o", &at("native")])
            .status();
        assert!(compiled.expect("gcc runs").success(), "{}", with_inputs(seed));
        let code = Command::new(at("native")).status().expect("it runs").code();
        assert_eq!(code, Some(42), "seed {seed}: {}\n{text}", with_inputs(seed));
        executed += 1;
    }
    assert!(executed > 6, "only {executed} witnesses");
}
