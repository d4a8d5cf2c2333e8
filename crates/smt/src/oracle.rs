//! What engines ask: the solver that was chosen, behind a memory of answers.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::process::Process;
use crate::settings::{self, Current};
use crate::z3::{Patience, Z3};
use crate::{Answer, Formula, Solver, text};

/// A solver that remembers what it was asked.
pub struct Oracle {
    solver: Backend,
    patience: Patience,
    current: Current,
    /// `None`: every question is asked afresh.
    known: Option<HashMap<Vec<Formula>, Answer>>,
}

enum Backend {
    Library(Z3),
    Process(Process),
}

/// More answers than that are forgotten.
const MOST_KNOWN: usize = 50_000;

impl Oracle {
    pub fn new() -> Self {
        Oracle { known: Some(HashMap::new()), ..Oracle::fresh() }
    }

    /// Remembers nothing: for those who check.
    pub fn fresh() -> Self {
        let current = settings::current();
        let solver = match &current.settings.solver {
            Some(command) => Backend::Process(Process::new(command.clone())),
            None => Backend::Library(Z3::new()),
        };
        Oracle { solver, patience: Patience::Long, current, known: None }
    }

    pub fn set_patience(&mut self, patience: Patience) {
        self.patience = patience;
        if let Backend::Library(z3) = &mut self.solver {
            z3.set_patience(patience);
        }
    }

    fn ask(&mut self, formulas: &[&Formula]) -> Answer {
        dump(&self.current, || text::question(formulas));
        match &mut self.solver {
            Backend::Library(z3) => z3.check(formulas),
            Backend::Process(process) => {
                let limit = match self.patience {
                    Patience::Long => Duration::from_secs(2),
                    Patience::Short => Duration::from_millis(300),
                };
                process.check(formulas, limit)
            }
        }
    }
}

impl Default for Oracle {
    fn default() -> Self {
        Oracle::new()
    }
}

impl Solver for Oracle {
    fn check(&mut self, formulas: &[&Formula]) -> Answer {
        if self.current.stop.load(Ordering::Relaxed) {
            return Answer::Unknown;
        }
        let Some(known) = &self.known else { return self.ask(formulas) };
        let key: Vec<Formula> = formulas.iter().map(|formula| (*formula).clone()).collect();
        if let Some(answer) = known.get(&key) {
            return answer.clone();
        }
        let answer = self.ask(formulas);
        let stopped = self.current.stop.load(Ordering::Relaxed);
        if let Some(known) =
            self.known.as_mut().filter(|known| known.len() < MOST_KNOWN && !stopped)
        {
            known.insert(key, answer.clone());
        }
        answer
    }
}

/// Keeps a question as a file, if the user wants that.
pub(crate) fn dump(current: &Current, question: impl FnOnce() -> String) {
    let Some(directory) = &current.settings.dump else { return };
    let number = current.dumped.fetch_add(1, Ordering::Relaxed);
    // A file that cannot be written must not change an answer.
    let _ = std::fs::write(directory.join(format!("{number:05}.smt2")), question());
}
