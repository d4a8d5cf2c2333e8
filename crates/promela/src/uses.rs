//! What the statements of a model do with variables and channels, by name: who reads, writes, sends,
//! receives and passes what. Elements of an array count as the array.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::PromelaModel;
use crate::claim::ClaimKind;
use crate::code::{
    Action, Cell, DNode, Expr, NamedCell, Place, Proc, Program, Receive, SiteId, Slot, Space,
};
use crate::print::reached;

/// A variable of a model. The globals have no process type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Variable {
    pub process: Option<Arc<str>>,
    pub name: Arc<str>,
}

/// What a statement does with a variable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    Reads,
    Writes,
    /// The variable names a channel.
    Sends,
    Receives,
    Polls,
    /// As this argument, counted from one, of a process type that is started.
    Passes(Arc<str>, usize),
}

/// A statement with all it does.
#[derive(Clone, Debug)]
pub struct Statement {
    pub process: Arc<str>,
    pub site: SiteId,
    pub uses: Vec<(How, Variable)>,
    /// Whether it only stores a value that it computes.
    pub is_assignment: bool,
}

/// A variable as it is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    pub variable: Variable,
    /// `byte`, `chan`…
    pub kind: &'static str,
    /// Of an array.
    pub length: Option<usize>,
    /// Counted from one.
    pub parameter: Option<usize>,
}

impl PromelaModel {
    /// All statements that can be reached in the tables, claims included.
    pub fn uses(&self) -> Vec<Statement> {
        let program = self.program();
        program.procs.iter().flat_map(|proc| statements(program, proc)).collect()
    }

    /// All variables in the order of their declarations, the globals first.
    pub fn symbols(&self) -> Vec<Symbol> {
        let program = self.program();
        let mut all = Vec::new();
        declared(&program.variables, None, &[], &mut all);
        for proc in &program.procs {
            declared(&proc.variables, Some(&proc.name), &proc.params, &mut all);
        }
        all
    }

    /// Variables whose values decide nothing: neither what is executed nor what is sent, printed,
    /// asserted or claimed, not even by way of others; and the assignments to them.
    pub fn redundant(&self) -> (Vec<Symbol>, Vec<Statement>) {
        let statements = self.uses();
        let relevant = relevant(&statements, self.claimed());
        let writes_nothing = |statement: &Statement| {
            let mut written = statement.uses.iter().filter(|(how, _)| *how == How::Writes);
            statement.is_assignment && written.all(|(_, variable)| !relevant.contains(variable))
        };
        let symbols = self.symbols().into_iter();
        let variables = symbols.filter(|symbol| !relevant.contains(&symbol.variable)).collect();
        (variables, statements.iter().filter(|one| writes_nothing(one)).cloned().collect())
    }

    /// What formulas and the conditions of process types look at.
    fn claimed(&self) -> BTreeSet<Variable> {
        let program = self.program();
        let Some(first) = program.procs.first() else { return BTreeSet::new() };
        let mut walk = Walk { program, proc: first, uses: Vec::new() };
        for claim in self.claims() {
            match &claim.kind {
                ClaimKind::Ltl { conditions, .. } => {
                    conditions.iter().for_each(|condition| walk.expr(&condition.expr));
                }
                ClaimKind::Never(_) | ClaimKind::Trace(_) | ClaimKind::Notrace(_) => {}
            }
        }
        for proc in &program.procs {
            walk.proc = proc;
            proc.provided.iter().for_each(|provided| walk.expr(provided));
        }
        walk.uses.into_iter().map(|(_, variable)| variable).collect()
    }
}

fn relevant(statements: &[Statement], mut relevant: BTreeSet<Variable>) -> BTreeSet<Variable> {
    loop {
        let before = relevant.len();
        for statement in statements {
            let written = |(how, variable): &(How, Variable)| {
                *how == How::Writes && relevant.contains(variable)
            };
            if statement.is_assignment && !statement.uses.iter().any(written) {
                continue;
            }
            let others = statement.uses.iter().filter(|(how, _)| *how != How::Writes);
            relevant.extend(others.map(|(_, variable)| variable.clone()));
        }
        if relevant.len() == before {
            return relevant;
        }
    }
}

fn declared(
    cells: &[NamedCell],
    process: Option<&Arc<str>>,
    params: &[Cell],
    out: &mut Vec<Symbol>,
) {
    let first = out.len();
    for named in cells {
        let name = base(&named.name);
        let variable = Variable { process: process.cloned(), name: name.into() };
        let known = out[first..].iter_mut().find(|symbol| symbol.variable == variable);
        if let Some(symbol) = known {
            symbol.length = symbol.length.map(|length| length + 1);
            continue;
        }
        let parameter = params.iter().position(|cell| *cell == named.cell).map(|at| at + 1);
        let length = (name.len() < named.name.len()).then_some(1);
        out.push(Symbol { variable, kind: kind(named), length, parameter });
    }
}

fn kind(named: &NamedCell) -> &'static str {
    match (named.cell.width.bits, named.cell.width.signed) {
        _ if named.is_chan => "chan",
        _ if named.mtype.is_some() => "mtype",
        (1, false) => "bit",
        (8, false) => "byte",
        (16, true) => "short",
        (32, true) => "int",
        _ => "unsigned",
    }
}

/// `a[3]` is an element of `a`, and `s.a[3].b` of `s.a`.
fn base(name: &str) -> &str {
    name.split_once('[').map_or(name, |(base, _)| base)
}

fn statements(program: &Program, proc: &Proc) -> Vec<Statement> {
    let mut all = Vec::new();
    for state in reached(proc) {
        for transition in &proc.states[state as usize].transitions {
            add(program, proc, &transition.action, transition.site, &mut all);
        }
    }
    all
}

fn add(program: &Program, proc: &Proc, action: &Action, site: SiteId, all: &mut Vec<Statement>) {
    if let Action::DStep(step) = action {
        for node in &step.nodes {
            match node {
                DNode::Act { action, site, .. } => add(program, proc, action, *site, all),
                DNode::Choose { .. } | DNode::Exit => {}
            }
        }
        return;
    }
    let mut walk = Walk { program, proc, uses: Vec::new() };
    walk.action(action);
    all.push(Statement {
        process: proc.name.clone(),
        site,
        uses: walk.uses,
        is_assignment: matches!(action, Action::Assign(..)),
    });
}

struct Walk<'p> {
    program: &'p Program,
    proc: &'p Proc,
    uses: Vec<(How, Variable)>,
}

impl Walk<'_> {
    fn action(&mut self, action: &Action) {
        match action {
            Action::Skip | Action::Else | Action::End => {}
            Action::Guard(expr) | Action::GuardRun(expr) | Action::Assert(expr) => self.expr(expr),
            Action::PrintMtype(expr) => self.expr(expr),
            Action::Print { args, .. } => args.iter().for_each(|expr| self.expr(expr)),
            Action::Assign(place, value) => {
                self.expr(value);
                self.place(place, How::Writes);
            }
            Action::Send(send) => {
                self.channel(&send.chan, How::Sends);
                send.args.iter().for_each(|expr| self.expr(expr));
            }
            Action::Receive(receive) => self.receive(receive, How::Receives),
            Action::SetPriority(both) => {
                self.expr(&both.0);
                self.expr(&both.1);
            }
            Action::Code(code) => self.cells(&code.cells),
            Action::DStep(_) => unreachable!("its statements are looked at one by one"),
        }
    }

    /// C code may do anything with what it can see.
    fn cells(&mut self, cells: &[Cell]) {
        for cell in cells {
            self.cell(cell, How::Reads);
            self.cell(cell, How::Writes);
        }
    }

    fn receive(&mut self, receive: &Receive, how: How) {
        self.channel(&receive.chan, how);
        for slot in &receive.args {
            match slot {
                Slot::Match(expr) => self.expr(expr),
                Slot::Store(place) => self.place(place, How::Writes),
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Const(_)
            | Expr::Timeout
            | Expr::NonProgress
            | Expr::Anything
            | Expr::Pid
            | Expr::RunningProcesses => {}
            Expr::Cell(cell) | Expr::CellConst(_, cell, _) => self.cell(cell, How::Reads),
            Expr::Element(element) => self.element(element, How::Reads),
            Expr::Unary(_, one)
            | Expr::Enabled(one)
            | Expr::PcValue(one)
            | Expr::GetPriority(one) => self.expr(one),
            Expr::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            Expr::Cond(all) => {
                self.expr(&all.0);
                self.expr(&all.1);
                self.expr(&all.2);
            }
            Expr::Run(run) => {
                let name = &self.program.procs[run.proc.0 as usize].name;
                for (at, argument) in run.args.iter().enumerate() {
                    self.channel(argument, How::Passes(name.clone(), at + 1));
                }
            }
            Expr::Probe(_, chan) => self.channel(chan, How::Polls),
            Expr::Poll(receive) => self.receive(receive, How::Polls),
            Expr::RemoteLabel(remote) => remote.pid.iter().for_each(|pid| self.expr(pid)),
            Expr::RemoteVar(remote) => {
                remote.pid.iter().for_each(|pid| self.expr(pid));
                let proc = &self.program.procs[remote.proc.0 as usize];
                let mut theirs = Walk { program: self.program, proc, uses: Vec::new() };
                theirs.place(&remote.place, How::Reads);
                self.uses.append(&mut theirs.uses);
            }
            Expr::Code(code) => self.cells(&code.cells),
        }
    }

    /// An expression whose value is a channel, or is handed on.
    fn channel(&mut self, expr: &Expr, how: How) {
        match expr {
            Expr::Cell(cell) => self.cell(cell, how),
            Expr::Element(element) => self.element(element, how),
            other => self.expr(other),
        }
    }

    fn place(&mut self, place: &Place, how: How) {
        match place {
            Place::Cell(cell) => self.cell(cell, how),
            Place::Element(element) => self.element(element, how),
            Place::Nowhere => {}
        }
    }

    fn element(&mut self, element: &crate::code::Element, how: How) {
        self.note(element.space, element.base, how);
        element.steps.iter().for_each(|step| self.expr(&step.index));
    }

    fn cell(&mut self, cell: &Cell, how: How) {
        self.note(cell.space, cell.word * 64 + u32::from(cell.shift), how);
    }

    /// Notes the variable whose bits begin here.
    fn note(&mut self, space: Space, bit: u32, how: How) {
        let (process, cells) = match space {
            Space::Global => (None, &self.program.variables),
            Space::Local => (Some(self.proc.name.clone()), &self.proc.variables),
        };
        let begins = |named: &&NamedCell| named.cell.word * 64 + u32::from(named.cell.shift) == bit;
        if let Some(named) = cells.iter().find(begins) {
            let name = base(&named.name).into();
            self.uses.push((how, Variable { process, name }));
        }
    }
}
