//! Expressions, with the precedence of C.

use crate::lexer::Tok;
use crate::source::Pos;
use crate::syntax::{
    Binary, Expr, ExprKind, Name, Part, Probe, Receive, ReceiveArg, Unary, VarRef,
};

use super::{Parsed, Parser};

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.binary(1)
    }

    /// Operators that bind at least as tightly as `level`.
    pub(super) fn binary(&mut self, level: u8) -> Parsed<Expr> {
        self.nested(|parser| parser.operators(level))
    }

    fn operators(&mut self, level: u8) -> Parsed<Expr> {
        let mut left = self.unary()?;
        let mut length = 0;
        while let Some(op) = self.binary_operator(level) {
            self.lengthen(&mut length)?;
            let pos = self.advance().pos;
            let right = self.binary(op.level() + 1)?;
            left = Expr { pos, kind: ExprKind::Binary(op, Box::new(left), Box::new(right)) };
        }
        Ok(left)
    }

    fn binary_operator(&self, level: u8) -> Option<Binary> {
        let Tok::Sign(sign) = self.peek().tok else { return None };
        let op = Binary::all().find(|op| op.sign() == sign)?;
        (op.level() >= level).then_some(op)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let pos = self.pos();
        let Tok::Sign(sign) = self.peek().tok else { return self.primary() };
        let Some(op) = Unary::ALL.into_iter().find(|op| op.sign() == sign) else {
            return self.primary();
        };
        self.advance();
        let inner = self.nested(Self::unary)?;
        Ok(Expr { pos, kind: ExprKind::Unary(op, Box::new(inner)) })
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let pos = self.pos();
        if self.accept("(") {
            return self.parenthesized();
        }
        let kind = match self.peek().tok.clone() {
            Tok::Number(number) => {
                self.advance();
                ExprKind::Number(number)
            }
            Tok::Name(word) => match self.keyword_expression(&word)? {
                Some(kind) => kind,
                None if self.processes.contains(&word) => self.remote()?,
                None => self.reference()?,
            },
            _ => return Err(self.expected("an expression")),
        };
        Ok(Expr { pos, kind })
    }

    /// `( e )` and `( test -> yes : no )`
    fn parenthesized(&mut self) -> Parsed<Expr> {
        let pos = self.pos();
        let first = self.expression()?;
        if !self.accept("->") {
            self.expect(")")?;
            return Ok(first);
        }
        let yes = self.expression()?;
        self.expect(":")?;
        let no = self.expression()?;
        self.expect(")")?;
        let kind = ExprKind::Cond(Box::new(first), Box::new(yes), Box::new(no));
        Ok(Expr { pos, kind })
    }

    fn keyword_expression(&mut self, word: &str) -> Parsed<Option<ExprKind>> {
        let kind = match word {
            "true" | "skip" => ExprKind::Number(1),
            "false" => ExprKind::Number(0),
            "timeout" => ExprKind::Timeout,
            "np_" | "nonprogress" => ExprKind::NonProgress,
            "run" => return self.run().map(Some),
            "len" | "full" | "empty" | "nfull" | "nempty" => return self.probe(word).map(Some),
            "enabled" => return self.about_process(ExprKind::Enabled).map(Some),
            "pc_value" => return self.about_process(ExprKind::PcValue).map(Some),
            "get_priority" => return self.about_process(ExprKind::GetPriority).map(Some),
            "_priority" => {
                let pos = self.pos();
                ExprKind::GetPriority(Box::new(own_pid(pos)))
            }
            "c_expr" => {
                self.advance();
                return self.code().map(|code| Some(ExprKind::Code(code)));
            }
            _ => return Ok(None),
        };
        self.advance();
        Ok(Some(kind))
    }

    fn about_process(&mut self, make: fn(Box<Expr>) -> ExprKind) -> Parsed<ExprKind> {
        self.advance();
        self.expect("(")?;
        let pid = self.expression()?;
        self.expect(")")?;
        Ok(make(Box::new(pid)))
    }

    fn run(&mut self) -> Parsed<ExprKind> {
        self.advance();
        let (name, _) = self.name("the name of a process type")?;
        self.expect("(")?;
        let args = self.list(")", Self::expression)?;
        self.expect(")")?;
        let priority = self.priority()?;
        Ok(ExprKind::Run { name, args, priority })
    }

    fn probe(&mut self, word: &str) -> Parsed<ExprKind> {
        let probe = match word {
            "len" => Probe::Length,
            "full" => Probe::Full,
            "empty" => Probe::Empty,
            "nfull" => Probe::NotFull,
            _ => Probe::NotEmpty,
        };
        self.advance();
        self.expect("(")?;
        let chan = self.var_ref()?;
        self.expect(")")?;
        Ok(ExprKind::Probe(probe, chan))
    }

    /// `P[pid]@label`, `P@label`, `P[pid]:var`, `P:var`
    fn remote(&mut self) -> Parsed<ExprKind> {
        let (process, _) = self.name("the name of a process type")?;
        let mut pid = None;
        if self.accept("[") {
            pid = Some(Box::new(self.expression()?));
            self.expect("]")?;
        }
        if self.accept("@") {
            let (label, _) = self.name("a label")?;
            return Ok(ExprKind::RemoteLabel { process, pid, label });
        }
        self.expect(":")?;
        let var = self.var_ref()?;
        Ok(ExprKind::RemoteVar { process, pid, var })
    }

    /// A variable, or a poll `q?[…]` of a channel.
    fn reference(&mut self) -> Parsed<ExprKind> {
        let var = self.var_ref()?;
        let random = self.sign("??");
        if (!random && !self.sign("?")) || !self.ahead(1).is("[") {
            return Ok(ExprKind::Ref(var));
        }
        self.advance();
        self.advance();
        let args = self.receive_args("]")?;
        self.expect("]")?;
        Ok(ExprKind::Poll(Box::new(Receive { chan: var, args, random, peek: true })))
    }

    pub(super) fn var_ref(&mut self) -> Parsed<VarRef> {
        let pos = self.pos();
        let mut parts = Vec::new();
        loop {
            // `_` alone is the write-only variable.
            let name = if self.word("_") {
                self.advance();
                "_".into()
            } else {
                self.name("a variable")?.0
            };
            let mut index = None;
            if self.accept("[") {
                index = Some(Box::new(self.expression()?));
                self.expect("]")?;
            }
            parts.push(Part { name, index });
            if !self.accept(".") {
                return Ok(VarRef { pos, parts });
            }
        }
    }

    /// The arguments of a receive: `a, b`, `a(b, c)` or `(a, b)`.
    pub(super) fn receive_args(&mut self, close: &str) -> Parsed<Vec<ReceiveArg>> {
        if self.accept("(") {
            let args = self.receive_args(")")?;
            self.expect(")")?;
            return Ok(args);
        }
        let mut args = Vec::new();
        if self.sign(close) {
            return Ok(args);
        }
        loop {
            args.push(self.receive_arg()?);
            if self.accept("(") {
                args.extend(self.receive_args(")")?);
                self.expect(")")?;
                return Ok(args);
            }
            if !self.accept(",") {
                return Ok(args);
            }
        }
    }

    fn receive_arg(&mut self) -> Parsed<ReceiveArg> {
        if self.accept_word("eval") {
            self.expect("(")?;
            let inner = self.expression()?;
            self.expect(")")?;
            return Ok(ReceiveArg::Eval(inner));
        }
        match self.peek().tok.clone() {
            Tok::Number(_) | Tok::Sign("-") => self.number().map(ReceiveArg::Number),
            Tok::Name(word) if &*word == "true" || &*word == "false" => {
                self.advance();
                Ok(ReceiveArg::Number(i32::from(&*word == "true")))
            }
            Tok::Name(word) if &*word == "_" => {
                self.advance();
                Ok(ReceiveArg::Anything)
            }
            _ => Ok(ReceiveArg::Into(self.var_ref()?)),
        }
    }
}

/// The number of the process itself.
pub(super) fn own_pid(pos: Pos) -> Expr {
    let part = Part { name: Name::from("_pid"), index: None };
    Expr { pos, kind: ExprKind::Ref(VarRef { pos, parts: vec![part] }) }
}
