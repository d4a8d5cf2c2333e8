//! `for` and `select`, taken apart into assignments, loops and selections.

use crate::check::types::Type;
use crate::code::Action;
use crate::source::Pos;
use crate::syntax::{
    Binary, Block, Expr, ExprKind, Probe, Receive, ReceiveArg, Stmt, StmtKind, VarRef,
};

use super::build::{Builder, Built};
use super::{Jump, Node, SeqId};

/// Up to this distance SPIN writes `select` out as a selection.
const WRITTEN_OUT: i32 = 32;

impl Builder<'_, '_> {
    pub(super) fn for_range(
        &mut self,
        var: &VarRef,
        from: &Expr,
        to: &Expr,
        body: &Block,
        pos: Pos,
    ) -> Built {
        let exit = self.enter_loop();
        self.check_variable(var);
        self.assign(var, from.clone(), pos);
        let main = self.open_seq(false);
        self.condition(compare(Binary::LessEqual, var, to.clone(), pos), pos);
        self.checker.open_block();
        self.steps(body);
        self.checker.close_block();
        self.loop_of(var, main, true, exit, pos)
    }

    /// Over the indices of an array, or over the messages of a channel, which
    /// are received and sent again one after the other.
    pub(super) fn for_in(
        &mut self,
        var: &VarRef,
        within: &VarRef,
        body: &Block,
        pos: Pos,
    ) -> Built {
        let structure = matches!(self.checker.loop_variable(var), Some(Type::Struct(_)));
        // Declared in either case, so that declarations keep their order.
        self.checker.open_block();
        self.checker.declare_next_local();
        let built = if structure {
            self.for_messages(var, within, body, pos)
        } else {
            let length = self.checker.find(within).and_then(|found| found.length);
            let Some(length) = length else {
                let help = ["a structure variable runs over the messages of a channel"];
                self.checker.error(within.pos, format!("`{within}` is not an array"), &help);
                self.checker.close_block();
                return Built::Plain(Node::Act(Action::Skip), "for".into());
            };
            let from = number(0, pos);
            let to = number(length as i32 - 1, pos);
            self.for_range(var, &from, &to, body, pos)
        };
        self.checker.close_block();
        built
    }

    fn for_messages(&mut self, var: &VarRef, chan: &VarRef, body: &Block, pos: Pos) -> Built {
        let exit = self.enter_loop();
        let count = simple(":count", pos);
        self.assign(&count, number(0, pos), pos);
        let main = self.open_seq(false);
        let length = Expr { pos, kind: ExprKind::Probe(Probe::Length, chan.clone()) };
        self.condition(compare(Binary::Less, &count, length, pos), pos);
        let receive = Receive {
            chan: chan.clone(),
            args: vec![ReceiveArg::Into(var.clone())],
            random: false,
            peek: false,
        };
        self.generated(StmtKind::Receive(receive), pos);
        let args = vec![Expr { pos, kind: ExprKind::Ref(var.clone()) }];
        self.generated(StmtKind::Send { chan: chan.clone(), args, sorted: false }, pos);
        self.checker.open_block();
        self.steps(body);
        self.checker.close_block();
        self.loop_of(&count, main, true, exit, pos)
    }

    pub(super) fn select(&mut self, var: &VarRef, from: &Expr, to: &Expr, pos: Pos) -> Built {
        self.check_variable(var);
        if let (ExprKind::Number(low), ExprKind::Number(high)) = (&from.kind, &to.kind) {
            if low > high {
                self.checker.error(pos, format!("there is no number from {low} to {high}"), &[]);
            }
            if high.wrapping_sub(*low) <= WRITTEN_OUT {
                return self.select_options(var, *low, *high, pos);
            }
        }
        self.assign(var, from.clone(), pos);
        let main = self.open_seq(false);
        self.condition(compare(Binary::Less, var, to.clone(), pos), pos);
        let exit = self.enter_loop();
        let mut built = self.loop_of(var, main, false, exit, pos);
        let numbers = matches!((&from.kind, &to.kind), (ExprKind::Number(_), ExprKind::Number(_)));
        if let (Built::Select { options, .. }, true) = (&mut built, numbers) {
            options.reverse();
        }
        built
    }

    fn select_options(&mut self, var: &VarRef, low: i32, high: i32, pos: Pos) -> Built {
        let mut options = Vec::new();
        for value in low..=high {
            self.open_seq(false);
            self.assign(var, number(value, pos), pos);
            options.push(self.close_seq());
        }
        Built::Select { node: Node::If, options, exit: None, text: "select".into() }
    }

    /// Closes the body with the increment and adds the way out.
    fn loop_of(
        &mut self,
        var: &VarRef,
        main: SeqId,
        with_else: bool,
        exit: u32,
        pos: Pos,
    ) -> Built {
        let old = Expr { pos, kind: ExprKind::Ref(var.clone()) };
        let sum = ExprKind::Binary(Binary::Add, Box::new(old), Box::new(number(1, pos)));
        self.assign(var, Expr { pos, kind: sum }, pos);
        self.close_seq();
        self.open_seq(false);
        if with_else {
            self.add_plain(Node::Act(Action::Else), pos, "else".into());
        }
        self.add_plain(Node::Goto(Jump::Break(exit)), pos, "break".into());
        let leave = self.close_seq();
        self.loops.pop();
        let options = vec![leave, main];
        Built::Select { node: Node::Do, options, exit: Some(exit), text: "for".into() }
    }

    fn check_variable(&mut self, var: &VarRef) {
        let Some(found) = self.checker.find(var) else { return };
        if found.ty.width().is_none() || found.ty == Type::Chan || found.length.is_some() {
            self.checker.error(
                var.pos,
                format!("`{var}` cannot count"),
                &["use a number variable"],
            );
        }
    }

    fn generated(&mut self, kind: StmtKind, pos: Pos) {
        let stmt = Stmt { pos, labels: Vec::new(), kind, text: String::new() };
        self.statement(&stmt);
    }

    fn assign(&mut self, var: &VarRef, value: Expr, pos: Pos) {
        self.generated(StmtKind::Assign { target: var.clone(), value }, pos);
    }

    fn condition(&mut self, expr: Expr, pos: Pos) {
        self.generated(StmtKind::Condition(expr), pos);
    }
}

fn number(value: i32, pos: Pos) -> Expr {
    Expr { pos, kind: ExprKind::Number(value) }
}

fn simple(name: &str, pos: Pos) -> VarRef {
    VarRef { pos, parts: vec![crate::syntax::Part { name: name.into(), index: None }] }
}

fn compare(op: Binary, var: &VarRef, bound: Expr, pos: Pos) -> Expr {
    let left = Expr { pos, kind: ExprKind::Ref(var.clone()) };
    Expr { pos, kind: ExprKind::Binary(op, Box::new(left), Box::new(bound)) }
}
