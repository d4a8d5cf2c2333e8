//! Statements to elements.

use crate::check::Checker;
use crate::code::{Action, Expr, Place};
use crate::source::Pos;
use crate::syntax::{self, Block, ExprKind, Init, Part, Step, Stmt, StmtKind, VarDecl, VarRef};

use super::label::Mark;
use super::{ElementId, Flow, Jump, Node, SeqId};

/// The text of the last statement of every process.
pub(crate) const END: &str = "end of the process";

/// Builds the flow of a body. The checker is inside its process type.
pub(crate) fn build(checker: &mut Checker<'_>, body: &Block, end: Pos) -> Flow {
    let mut builder = Builder {
        checker,
        flow: Flow::default(),
        open: Vec::new(),
        loops: Vec::new(),
        may_initialise: true,
        dstep_start: None,
    };
    let seq = builder.open_seq(true);
    builder.steps(body);
    let last = builder.flow.add_element(Node::End, end, END.into());
    builder.append(last, seq);
    builder.close_seq();
    builder.flow.body = Some(seq);
    builder.flow
}

pub(super) struct Builder<'c, 's> {
    pub checker: &'c mut Checker<'s>,
    pub flow: Flow,
    pub open: Vec<SeqId>,
    /// Where `break` leads, innermost last.
    pub loops: Vec<u32>,
    /// Still at the start of the body, where declarations set initial values.
    /// Elsewhere a declaration is a step that assigns.
    pub may_initialise: bool,
    /// The first element of the `d_step` being built.
    pub dstep_start: Option<u32>,
}

/// A statement whose parts are built but which has no element yet.
pub(super) enum Built {
    Plain(Node, String),
    Select { node: Node, options: Vec<SeqId>, exit: Option<u32>, text: String },
    Unless { main: SeqId, escape: SeqId },
}

impl Builder<'_, '_> {
    pub fn open_seq(&mut self, top: bool) -> SeqId {
        self.flow.seqs.push(super::Seq::default());
        let id = SeqId(self.flow.seqs.len() as u32 - 1);
        self.open.push(id);
        self.may_initialise = top;
        id
    }

    pub fn close_seq(&mut self) -> SeqId {
        let id = self.open.pop().expect("a sequence is open");
        let last = self.flow.seq(id).last;
        self.flow.seq_mut(id).extent = last;
        id
    }

    pub fn current(&self) -> SeqId {
        *self.open.last().expect("a sequence is open")
    }

    pub fn steps(&mut self, block: &Block) {
        for step in block {
            match step {
                Step::Declare(vars) => vars.iter().for_each(|var| self.declare(var)),
                Step::Exclusive { receive, channels, pos } => {
                    self.checker.claim_exclusive(*receive, channels, *pos);
                }
                Step::Run(stmt) => {
                    self.statement(stmt);
                    self.may_initialise = false;
                }
            }
        }
    }

    /// A declaration behind the start of the body assigns each time it is
    /// passed; of an array, like SPIN, only the first element.
    fn declare(&mut self, var: &VarDecl) {
        let index = self.checker.declare_next_local();
        let proc = self.checker.scope.proc.expect("inside a process type");
        let variable = self.checker.locals[proc.0 as usize][index].clone();
        if self.may_initialise {
            self.checker.initialise_local(&variable, var);
            return;
        }
        let target = VarRef {
            pos: var.pos,
            parts: vec![Part {
                name: var.name.clone(),
                index: variable
                    .length
                    .map(|_| Box::new(syntax::Expr { pos: var.pos, kind: ExprKind::Number(0) })),
            }],
        };
        let zero = syntax::Expr { pos: var.pos, kind: ExprKind::Number(0) };
        let value = match &var.init {
            Init::None => &zero,
            Init::Value(value) => value,
            Init::List(_) | Init::Channel { .. } => {
                let help = ["put the declaration before the first statement of the process type"];
                let message = format!("`{}` cannot be initialised here", var.name);
                self.checker.error(var.pos, message, &help);
                return;
            }
        };
        let structure = variable.ty.width().is_none();
        let action = if structure {
            Action::Assign(Place::Nowhere, Expr::Const(0))
        } else {
            self.checker.assign(&target, value)
        };
        let text =
            if structure { format!("declare {target}") } else { format!("{target} = {value}") };
        self.add_plain(Node::Act(action), var.pos, text);
    }

    /// Adds a statement to the current sequence.
    pub fn statement(&mut self, stmt: &Stmt) {
        let built = self.parts(stmt);
        self.add(built, stmt);
    }

    /// Builds what a statement consists of.
    pub fn parts(&mut self, stmt: &Stmt) -> Built {
        match &stmt.kind {
            StmtKind::If(options) => {
                let options = self.options(options);
                Built::Select { node: Node::If, options, exit: None, text: "if".into() }
            }
            StmtKind::Do(options) => {
                let exit = self.enter_loop();
                let options = self.options(options);
                self.loops.pop();
                Built::Select { node: Node::Do, options, exit: Some(exit), text: "do".into() }
            }
            StmtKind::For { var, from, to, body } => self.for_range(var, from, to, body, stmt.pos),
            StmtKind::ForIn { var, within, body } => self.for_in(var, within, body, stmt.pos),
            StmtKind::Select { var, from, to } => self.select(var, from, to, stmt.pos),
            StmtKind::Atomic(block) => {
                let seq = self.block(block);
                self.make_atomic(seq, false);
                Built::Plain(Node::Atomic(seq), "atomic".into())
            }
            StmtKind::DStep(block) => self.d_step(block, stmt.pos),
            StmtKind::Block(block) => {
                let seq = self.block(block);
                Built::Plain(Node::Block(seq), "{ … }".into())
            }
            StmtKind::Unless(main, escape) => self.unless(main, escape),
            StmtKind::Goto(name) => {
                let path = self.checker.scope.path.clone();
                let jump = Jump::Label { name: name.clone(), path, pos: stmt.pos };
                Built::Plain(Node::Goto(jump), stmt.to_string())
            }
            StmtKind::Break => self.break_out(stmt.pos),
            _ => {
                let action = self.checker.action(stmt);
                Built::Plain(Node::Act(action), stmt.to_string())
            }
        }
    }

    pub fn block(&mut self, block: &Block) -> SeqId {
        self.checker.open_block();
        self.open_seq(false);
        self.steps(block);
        let seq = self.close_seq();
        self.checker.close_block();
        seq
    }

    fn d_step(&mut self, block: &Block, pos: Pos) -> Built {
        let outer = self.dstep_start.replace(self.flow.elements.len() as u32);
        let seq = self.block(block);
        self.dstep_start = outer;
        self.make_atomic(seq, true);
        self.check_d_step(seq, pos);
        Built::Plain(Node::DStep(seq), "d_step".into())
    }

    fn options(&mut self, options: &[Block]) -> Vec<SeqId> {
        let mut seqs = Vec::new();
        for option in options {
            self.open_seq(false);
            self.steps(option);
            seqs.push(self.close_seq());
        }
        for seq in &seqs {
            self.drop_repeated_skips(*seq);
        }
        seqs
    }

    pub fn enter_loop(&mut self) -> u32 {
        let number = self.flow.breaks.len() as u32;
        self.flow.breaks.push(None);
        self.loops.push(number);
        number
    }

    fn break_out(&mut self, pos: Pos) -> Built {
        let number = self.loops.last().copied().unwrap_or_else(|| {
            self.checker.error(pos, "`break` outside a loop", &[]);
            self.flow.breaks.push(None);
            self.flow.breaks.len() as u32 - 1
        });
        Built::Plain(Node::Goto(Jump::Break(number)), "break".into())
    }

    /// Gives a built statement its element, its labels and its place.
    pub fn add(&mut self, built: Built, stmt: &Stmt) {
        let (element, placed) = match built {
            Built::Plain(node, text) => (self.flow.add_element(node, stmt.pos, text), false),
            Built::Select { node, options, exit, text } => {
                (self.selection(node, options, exit, stmt.pos, text), true)
            }
            Built::Unless { main, escape } => (self.add_unless(main, escape, stmt.pos), true),
        };
        for label in stmt.labels.iter().rev() {
            let path = self.checker.scope.path.clone();
            let earlier = self.flow.set_label(label.name.clone(), path, element, label.pos);
            if earlier.is_some() {
                self.checker.error(label.pos, format!("label `{}` is set twice", label.name), &[]);
            }
        }
        if !placed {
            let seq = self.current();
            self.append(element, seq);
        }
    }

    pub fn add_plain(&mut self, node: Node, pos: Pos, text: String) -> ElementId {
        let element = self.flow.add_element(node, pos, text);
        let seq = self.current();
        self.append(element, seq);
        element
    }

    /// Puts an element at the end of a sequence. A jump that carries a
    /// special label gets a step in front of it that can be seen.
    pub fn append(&mut self, element: ElementId, seq: SeqId) {
        if matches!(self.flow.element(element).node, Node::Goto(_)) {
            let special = self
                .flow
                .labels
                .iter()
                .rposition(|label| label.element == element && Mark::of(&label.name).is_some());
            if special.is_some() {
                let pos = self.flow.element(element).pos;
                let skip = self.flow.add_element(Node::Act(Action::Skip), pos, "skip".into());
                let moved = self.flow.labels.iter().rposition(|label| label.element == element);
                self.flow.labels[moved.expect("it has a label")].element = skip;
                self.append(skip, seq);
            }
        }
        match self.flow.seq(seq).last {
            None => self.flow.seq_mut(seq).first = Some(element),
            Some(last) => self.flow.element_mut(last).next = Some(element),
        }
        self.flow.seq_mut(seq).last = Some(element);
    }

    /// `if` and `do`: `else` goes last, all options lead to a join, which of
    /// a loop stands in front of it.
    pub fn selection(
        &mut self,
        node: Node,
        mut options: Vec<SeqId>,
        exit: Option<u32>,
        pos: Pos,
        text: String,
    ) -> ElementId {
        let element = self.flow.add_element(node, pos, text);
        let join = self.flow.add_element(Node::Join, pos, "join".into());
        self.move_else_last(&mut options, pos);
        for option in &options {
            self.append(join, *option);
        }
        self.flow.element_mut(element).sub = options;
        let seq = self.current();
        let mut behind = join;
        if let Some(number) = exit {
            self.append(join, seq);
            behind = self.flow.add_element(Node::LoopExit, pos, "break".into());
            self.flow.breaks[number as usize] = Some(behind);
        }
        self.append(element, seq);
        self.append(behind, seq);
        element
    }

    fn move_else_last(&mut self, options: &mut Vec<SeqId>, pos: Pos) {
        let is_else = |seq: &SeqId| {
            let first = self.flow.seq(*seq).first;
            first.is_some_and(|id| matches!(self.flow.element(id).node, Node::Act(Action::Else)))
        };
        let elses = options.iter().filter(|seq| is_else(seq)).count();
        if let Some(index) = options.iter().position(is_else) {
            let option = options.remove(index);
            options.push(option);
        }
        if elses > 1 {
            self.checker.error(pos, "a selection can have only one `else`", &[]);
        }
    }

    /// Two skips in a row are one, as SPIN has it.
    fn drop_repeated_skips(&mut self, seq: SeqId) {
        let bounds = self.flow.seq(seq);
        let all = self.flow.walk(bounds.first, bounds.last);
        let mut count = 0;
        let mut previous = None;
        for id in all {
            let (skip, print) = match &self.flow.element(id).node {
                Node::Act(Action::Skip) => (true, false),
                Node::Act(Action::Print { .. } | Action::PrintMtype(_)) => (true, true),
                _ => (false, false),
            };
            count = if skip && !self.flow.has_label(id) { count + 1 } else { 0 };
            let inner = Some(id) != bounds.first && Some(id) != bounds.last;
            if count > 1 && !print && inner {
                let next = self.flow.element(id).next;
                let before: ElementId = previous.expect("it is not the first");
                self.flow.element_mut(before).next = next;
            } else {
                previous = Some(id);
            }
        }
    }

    /// Marks all elements of a sequence as atomic, except the last step, with
    /// which control is given up.
    pub fn make_atomic(&mut self, seq: SeqId, dstep: bool) {
        let bounds = self.flow.seq(seq);
        self.mark_atomic(bounds, dstep);
        let Some(last) = bounds.last else { return };
        match self.flow.element(last).node {
            Node::Block(inner) | Node::Atomic(inner) => self.make_atomic(inner, dstep),
            Node::Unless => {
                let main = self.flow.element(last).sub[0];
                self.make_atomic(main, dstep);
            }
            _ => {
                let element = self.flow.element_mut(last);
                element.atomic = false;
                element.last_atomic = true;
            }
        }
    }

    fn mark_atomic(&mut self, bounds: super::Seq, dstep: bool) {
        for id in self.flow.walk(bounds.first, bounds.last) {
            let element = self.flow.element_mut(id);
            element.atomic = true;
            element.dstep |= dstep;
            let inner = match element.node {
                Node::Atomic(seq) | Node::Block(seq) => Some(seq),
                Node::DStep(seq) if dstep => Some(seq),
                _ => None,
            };
            if let Some(seq) = inner {
                self.flow.element_mut(id).node = Node::Block(seq);
                self.mark_atomic(self.flow.seq(seq), dstep);
            }
            for option in self.flow.element(id).sub.clone() {
                self.mark_atomic(self.flow.seq(option), dstep);
            }
        }
    }

    /// No jump may lead out of a `d_step`, nor may anything in it start a
    /// process.
    fn check_d_step(&mut self, seq: SeqId, pos: Pos) {
        let bounds = self.flow.seq(seq);
        let start = bounds.first.map_or(0, |first| first.0);
        for id in start..self.flow.elements.len() as u32 {
            let element = self.flow.element(ElementId(id)).clone();
            match &element.node {
                Node::Goto(jump) => {
                    let inside = self.flow.target(jump).is_some_and(|to| to.0 >= start);
                    if !inside {
                        let help = ["use `atomic`, or let the d_step end before the jump"];
                        self.checker.error(element.pos, "a jump out of a d_step", &help);
                    }
                }
                Node::Act(Action::GuardRun(_) | Action::Assign(_, Expr::Run(_))) => {
                    self.checker.error(element.pos, "`run` in a d_step", &["use `atomic`"]);
                }
                Node::Unless => {
                    self.checker.error(pos, "`unless` in a d_step", &["use `atomic`"]);
                }
                _ => {}
            }
        }
    }
}
