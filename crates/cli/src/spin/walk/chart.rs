//! A run as a message sequence chart.

use std::collections::{HashMap, VecDeque};

use exeunt_model::{Chart, ChartEvent, ChartKind};
use exeunt_promela::{Passed, Standing, Statement, Step};

use super::{channel_name, process_name};

/// A chart that grows with a run.
pub(crate) struct Drawing {
    chart: Chart,
    /// Which column a process that lives has; numbers of processes are used again.
    columns: Vec<usize>,
    /// Messages in channels: by channel and contents, the events that sent them.
    waiting: HashMap<(u32, Vec<i32>), VecDeque<usize>>,
}

impl Drawing {
    pub(crate) fn new(standing: &[Standing]) -> Drawing {
        let mut drawing =
            Drawing { chart: Chart::default(), columns: Vec::new(), waiting: HashMap::new() };
        for process in standing {
            drawing.column(process);
        }
        drawing
    }

    /// Adds what happens in a step, behind which these processes live.
    pub(crate) fn step(&mut self, step: &Step, standing: &[Standing]) {
        for (at, statement) in step.statements.iter().enumerate() {
            let handed = step.statements.get(at + 1).filter(|next| is_handshake(statement, next));
            self.statement(statement, handed);
            for &started in &statement.started {
                if let Some(process) = standing.iter().find(|process| process.pid == started) {
                    let column = self.column(process);
                    self.add(statement.pid, String::new(), ChartKind::Started(column));
                }
            }
        }
        if let (Some(fault), Some(last)) = (&step.fault, step.statements.last()) {
            self.add(last.pid, fault.message.clone(), ChartKind::Failed);
        }
        for pid in (standing.len()..self.columns.len()).rev() {
            self.add(pid as u32, String::new(), ChartKind::Ended);
        }
        self.columns.truncate(standing.len());
    }

    pub(crate) fn repeats(&mut self) {
        self.add(0, "from here on this repeats for ever".to_string(), ChartKind::Repeats);
    }

    pub(crate) fn finish(self) -> Chart {
        self.chart
    }

    fn column(&mut self, process: &Standing) -> usize {
        let column = self.chart.actors.len();
        let name = format!("{} {}", process_name(&process.process), process.pid);
        self.chart.actors.push(name);
        self.columns.push(column);
        column
    }

    fn statement(&mut self, statement: &Statement, handed: Option<&Statement>) {
        for passed in &statement.passed {
            let text = text(statement, passed);
            let key = (passed.channel, passed.values.clone());
            match (handed, passed.receive) {
                (Some(next), false) => {
                    let to = self.columns.get(next.pid as usize).copied().unwrap_or(0);
                    self.add(statement.pid, text, ChartKind::HandedTo(to));
                }
                (_, false) => {
                    self.waiting.entry(key).or_default().push_back(self.chart.events.len());
                    self.add(statement.pid, text, ChartKind::Sent);
                }
                (_, true) if !statement.text.is_empty() => {
                    let sent = self.waiting.get_mut(&key).and_then(VecDeque::pop_front);
                    // The other half of a handshake was drawn with the first.
                    if sent.is_some() {
                        self.add(statement.pid, text, ChartKind::Received { sent });
                    }
                }
                (_, true) => {}
            }
        }
        for line in statement.output.lines() {
            self.add(statement.pid, line.to_string(), ChartKind::Printed);
        }
    }

    fn add(&mut self, pid: u32, text: String, kind: ChartKind) {
        let actor = self.columns.get(pid as usize).copied().unwrap_or(0);
        self.chart.events.push(ChartEvent { actor, text, kind });
    }
}

/// Whether the next statement takes what this one hands over.
fn is_handshake(statement: &Statement, next: &Statement) -> bool {
    let same = |sent: &Passed| {
        next.passed.iter().any(|taken| {
            taken.receive && (taken.channel, &taken.values) == (sent.channel, &sent.values)
        })
    };
    statement.pid != next.pid
        && statement.passed.iter().any(|passed| !passed.receive && same(passed))
}

fn text(statement: &Statement, passed: &Passed) -> String {
    let values: Vec<String> = passed.values.iter().map(i32::to_string).collect();
    let sign = if passed.receive { '?' } else { '!' };
    format!("{}{sign}{}", channel_name(statement), values.join(","))
}
