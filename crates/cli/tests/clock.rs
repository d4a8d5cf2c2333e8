//! Decisions by the clock: the outcomes of random programs against those of all
//! clocks, tried one by one.
//!
//! A program looks at the clock a few times, sleeps in between, always or
//! because of a comparison, and prints how comparisons come out. The oracle tries
//! every clock whose gaps are at most some seconds; larger gaps make no difference
//! for the numbers that are used.

use std::collections::BTreeSet;
use std::process::Command;

use exeunt_random::{Random, seeds};
use serde_json::Value;

/// How long the oracle's clock waits at most between two looks.
const LONGEST: i64 = 6;
const PROGRAMS: u64 = 60;

#[derive(Clone, Copy, Debug)]
struct Comparison {
    later: usize,
    earlier: usize,
    operator: &'static str,
    number: i64,
}

impl Comparison {
    fn random(random: &mut Random, readings: usize) -> Comparison {
        let earlier = random.below(readings as u64 - 1) as usize;
        let later = earlier + 1 + random.below((readings - earlier - 1) as u64) as usize;
        let operators = ["<", "<=", ">", ">=", "==", "!="];
        let operator = operators[random.below(6) as usize];
        Comparison { later, earlier, operator, number: random.below(5) as i64 }
    }

    fn text(&self) -> String {
        format!("t[{}] - t[{}] {} {}", self.later, self.earlier, self.operator, self.number)
    }

    fn holds(&self, shown: &[i64]) -> bool {
        let difference = shown[self.later] - shown[self.earlier];
        match self.operator {
            "<" => difference < self.number,
            "<=" => difference <= self.number,
            ">" => difference > self.number,
            ">=" => difference >= self.number,
            "==" => difference == self.number,
            _ => difference != self.number,
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Look,
    Sleep(i64),
    SleepIf(Comparison, i64),
}

struct Program {
    steps: Vec<Step>,
    printed: Vec<Comparison>,
}

impl Program {
    fn random(seed: u64) -> Program {
        let mut random = Random::new(seed);
        let readings = 2 + random.below(3) as usize;
        let mut steps = Vec::new();
        for look in 0..readings {
            if look > 0 && random.below(3) == 0 {
                steps.push(Step::Sleep(1 + random.below(3) as i64));
            }
            if look > 1 && random.below(3) == 0 {
                let comparison = Comparison::random(&mut random, look);
                steps.push(Step::SleepIf(comparison, 1 + random.below(3) as i64));
            }
            steps.push(Step::Look);
        }
        let printed = 1 + random.below(3);
        let printed = (0..printed).map(|_| Comparison::random(&mut random, readings)).collect();
        Program { steps, printed }
    }

    fn text(&self) -> String {
        let mut text = String::from(
            "#include <stdio.h>\n#include <time.h>\n#include <unistd.h>\n\
             int main(void) {\n    time_t t[4];\n",
        );
        let mut looks = 0;
        for step in &self.steps {
            text += &match step {
                Step::Look => {
                    looks += 1;
                    format!("    t[{}] = time(0);\n", looks - 1)
                }
                Step::Sleep(time) => format!("    sleep({time});\n"),
                Step::SleepIf(comparison, time) => {
                    format!("    if ({}) sleep({time});\n", comparison.text())
                }
            };
        }
        for comparison in &self.printed {
            text += &format!("    putchar({} ? '1' : '0');\n", comparison.text());
        }
        text + "}\n"
    }

    /// What all clocks make it print.
    fn printed_by_clocks(&self) -> BTreeSet<String> {
        let mut all = BTreeSet::new();
        self.run(0, 0, &mut Vec::new(), &mut all);
        all
    }

    fn run(&self, at: usize, now: i64, shown: &mut Vec<i64>, all: &mut BTreeSet<String>) {
        match self.steps.get(at) {
            None => {
                let bit = |c: &Comparison| if c.holds(shown) { '1' } else { '0' };
                all.insert(self.printed.iter().map(bit).collect());
            }
            Some(Step::Sleep(time)) => self.run(at + 1, now + time, shown, all),
            Some(Step::SleepIf(comparison, time)) => {
                let slept = if comparison.holds(shown) { *time } else { 0 };
                self.run(at + 1, now + slept, shown, all);
            }
            Some(Step::Look) => {
                for gap in 0..=LONGEST {
                    shown.push(now + gap);
                    self.run(at + 1, now + gap, shown, all);
                    shown.pop();
                }
            }
        }
    }
}

/// What the program can print, if that is known.
fn printed(text: &str, flags: &[&str]) -> BTreeSet<String> {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("program.c");
    std::fs::write(&file, text).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_exeunt"));
    command.arg("outcomes").arg(&file).args(["--format", "json"]).args(flags);
    let output = command.output().expect("exeunt runs");
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    assert_eq!(report["complete"], true, "{text}{report}");
    let rows = report["outcomes"].as_array().expect("a list").iter();
    rows.map(|row| row["stdout"].as_str().expect("a text").to_string()).collect()
}

#[test]
fn every_outcome_that_a_clock_allows_is_found_and_no_other() {
    for seed in seeds(PROGRAMS) {
        let program = Program::random(seed);
        let text = program.text();
        assert_eq!(printed(&text, &[]), program.printed_by_clocks(), "seed {seed}\n{text}");
    }
}
