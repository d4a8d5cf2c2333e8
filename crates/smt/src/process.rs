//! Any solver that reads SMT-LIB from its standard input.
//!
//! One process answers many questions, with `(reset)` between them. A question
//! that takes too long ends the process; the next one starts another. What a
//! process says is not trusted more than what Z3 says, and not less: values are
//! checked against the question.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::answers::Expression;
use crate::term::Kind;
use crate::{Answer, Assignment, Formula, bits, blast, settings, text};

pub(crate) struct Process {
    command: Vec<String>,
    running: Option<Running>,
}

struct Running {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

/// Between two looks at whether the user wants to stop.
const GLANCE: Duration = Duration::from_millis(50);

impl Process {
    pub fn new(command: Vec<String>) -> Self {
        Process { command, running: None }
    }

    pub fn check(&mut self, formulas: &[&Formula], limit: Duration) -> Answer {
        if formulas.iter().any(|formula| formula.kind() == Kind::Bits) {
            let (this, limited) = (RefCell::new(self), limit);
            return bits::ask(
                formulas,
                &mut |plain| this.borrow_mut().check(plain, limited),
                &mut |question| this.borrow_mut().check_bits(question, limited),
            );
        }
        let question = text::question(formulas);
        let Some(first) = self.ask(&question, limit, 1) else { return Answer::Unknown };
        match first.trim() {
            "unsat" => Answer::Unsat,
            "sat" => self.values(formulas, limit).unwrap_or(Answer::Unknown),
            _ => Answer::Unknown,
        }
    }

    fn check_bits(&mut self, question: &blast::Question, limit: Duration) -> Answer {
        let Some(first) = self.ask(&question.text, limit, 1) else { return Answer::Unknown };
        match first.trim() {
            "unsat" => Answer::Unsat,
            "sat" => self.vectors(question, limit).map_or(Answer::Unknown, Answer::Sat),
            _ => Answer::Unknown,
        }
    }

    fn vectors(&mut self, question: &blast::Question, limit: Duration) -> Option<Assignment> {
        if question.vars.is_empty() {
            return Some(Assignment::new());
        }
        let names: Vec<String> = question.vars.iter().map(|var| text::name(*var)).collect();
        let answer = self.more(&format!("(get-value ({}))\n", names.join(" ")), limit)?;
        let mut pairs = answer.list().iter();
        let mut written = |_| Some(pairs.next()?.list().get(1)?.word()?.to_string());
        blast::values(question, &mut written)
    }

    /// The values behind `sat`, if they make the formulas true.
    fn values(&mut self, formulas: &[&Formula], limit: Duration) -> Option<Answer> {
        let vars = text::vars(formulas);
        if vars.is_empty() {
            return Some(Answer::Sat(Assignment::new()));
        }
        let names: Vec<String> = vars.iter().map(|var| text::name(*var)).collect();
        let answer = self.more(&format!("(get-value ({}))\n", names.join(" ")), limit)?;
        let pairs = answer.list();
        let mut values = Assignment::new();
        for (var, pair) in vars.iter().zip(pairs) {
            values.insert(*var, pair.list().get(1)?.integer()?);
        }
        let right = formulas.iter().all(|formula| formula.holds(&values) == Some(true));
        right.then_some(Answer::Sat(values))
    }

    /// A solution of a linear system over real numbers, in the order of the names.
    pub fn rationals(
        &mut self,
        question: &str,
        names: &[String],
        limit: Duration,
    ) -> Option<Vec<(crate::Int, crate::Int)>> {
        if self.ask(question, limit, 1)?.trim() != "sat" {
            return None;
        }
        let answer = self.more(&format!("(get-value ({}))\n", names.join(" ")), limit)?;
        let values = answer.list().iter().map(|pair| pair.list().get(1)?.rational());
        values.collect()
    }

    /// Sends a new question and reads the first line of the answer.
    fn ask(&mut self, question: &str, limit: Duration, attempts: u32) -> Option<String> {
        if self.running.is_none() {
            self.running = start(&self.command);
        }
        let whole = format!("(reset)\n(set-option :produce-models true)\n{question}");
        if self.send(&whole).is_none() {
            self.end();
            return if attempts > 0 { self.ask(question, limit, attempts - 1) } else { None };
        }
        self.line(Instant::now() + limit)
    }

    fn more(&mut self, request: &str, limit: Duration) -> Option<Expression> {
        self.send(request)?;
        let until = Instant::now() + limit;
        let mut text = String::new();
        loop {
            text.push_str(&self.line(until)?);
            text.push('\n');
            if let Some(found) = Expression::all(&text).filter(|found| !found.is_empty()) {
                return found.into_iter().next();
            }
        }
    }

    fn send(&mut self, text: &str) -> Option<()> {
        let running = self.running.as_mut()?;
        running.input.write_all(text.as_bytes()).ok()?;
        running.input.flush().ok()
    }

    /// One line; ends the process if none comes in time.
    fn line(&mut self, until: Instant) -> Option<String> {
        loop {
            let running = self.running.as_mut()?;
            match running.lines.recv_timeout(GLANCE) {
                Ok(line) if line.trim().is_empty() || line.trim() == "success" => {}
                Ok(line) => return Some(line),
                Err(std::sync::mpsc::RecvTimeoutError::Timeout)
                    if Instant::now() < until && !settings::stopped() => {}
                Err(_) => {
                    self.end();
                    return None;
                }
            }
        }
    }

    fn end(&mut self) {
        if let Some(mut running) = self.running.take() {
            let _ = running.child.kill();
            let _ = running.child.wait();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Why a solver cannot be used, if so: asked two questions with known answers.
pub fn try_solver(command: &[String]) -> Result<(), String> {
    let mut process = Process::new(command.to_vec());
    let limit = Duration::from_secs(5);
    let x = crate::Term::var(crate::Var(0));
    let some = Formula::equal(&x, &crate::Term::number(-3));
    let none = Formula::non_negative(x);
    let program = command.first().map_or("", String::as_str);
    match process.check(&[&some], limit) {
        Answer::Sat(_) if process.check(&[&some, &none], limit) == Answer::Unsat => Ok(()),
        _ if process.running.is_none() => Err(format!("`{program}` does not answer")),
        _ => Err(format!("`{program}` does not answer as an SMT-LIB solver does")),
    }
}

fn start(command: &[String]) -> Option<Running> {
    let (program, arguments) = command.split_first()?;
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let input = child.stdin.take()?;
    let output = BufReader::new(child.stdout.take()?);
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in output.lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    Some(Running { child, input, lines })
}
