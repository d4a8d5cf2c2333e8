//! Inlines: their text replaces the call, with the arguments' text in the
//! place of the parameters, as SPIN does it.

use crate::lexer::{Tok, Token};
use crate::syntax::{Name, StmtKind, VarRef};

use super::{Parsed, Parser};

pub(crate) struct Inline {
    params: Vec<Name>,
    /// With the braces around it.
    body: Vec<Token>,
}

impl Parser<'_> {
    /// `inline name(params) { … }`, the keyword already taken.
    pub(super) fn inline_definition(&mut self) -> Parsed<()> {
        let (name, pos) = self.name("the name of the inline")?;
        self.expect("(")?;
        let params = self.list(")", |p| p.name("a parameter").map(|(name, _)| name))?;
        self.expect(")")?;
        if !self.sign("{") {
            return Err(self.expected("`{` and the body of the inline"));
        }
        let start = self.next;
        self.skip_braces();
        let body = self.tokens[start..self.next].to_vec();
        if self.inlines.insert(name.clone(), Inline { params, body }).is_some() {
            return Err(self.error(pos, format!("inline `{name}` is defined twice"), &[]));
        }
        Ok(())
    }

    /// Whether a call of an inline stands here.
    pub(super) fn at_inline_call(&self) -> bool {
        match &self.peek().tok {
            Tok::Name(name) => self.inlines.contains_key(name) && self.ahead(1).is("("),
            _ => false,
        }
    }

    /// Replaces the call by the inline's text and parses that.
    pub(super) fn inline_call(&mut self, result: Option<VarRef>) -> Parsed<StmtKind> {
        let start = self.next;
        let pos = self.pos();
        let (name, _) = self.name("the name of an inline")?;
        self.expect("(")?;
        let args = self.inline_args()?;
        self.expect(")")?;
        self.leave_finished();
        if self.expanding.iter().any(|(outer, _)| *outer == name) {
            let message = format!("inline `{name}` calls itself");
            return Err(self.error(pos, message, &["an inline is text: recursion never ends"]));
        }
        let inline = &self.inlines[&name];
        if inline.params.len() != args.len() {
            let message = format!(
                "inline `{name}` takes {} arguments, {} are given",
                inline.params.len(),
                args.len()
            );
            return Err(self.error(pos, message, &[]));
        }
        let body = substitute(inline, &args);
        let behind = self.tokens.len() - self.next;
        self.tokens.splice(start..self.next, body);
        self.next = start;
        self.expanding.push((name, behind));
        self.returns.push((result, behind));
        self.expect("{")?;
        let block = self.sequence()?;
        let closed = self.expect("}");
        self.leave_finished();
        closed.map(|()| StmtKind::Block(block))
    }

    /// The tokens of each argument.
    fn inline_args(&mut self) -> Parsed<Vec<Vec<Token>>> {
        let mut args = Vec::new();
        let mut depth = 0;
        let mut current = Vec::new();
        loop {
            if self.at_end() {
                return Err(self.expected("`)`"));
            }
            if depth == 0 && (self.sign(")") || self.sign(",")) {
                if self.sign(")") && args.is_empty() && current.is_empty() {
                    return Ok(args);
                }
                args.push(std::mem::take(&mut current));
                if self.sign(")") {
                    return Ok(args);
                }
                self.advance();
                continue;
            }
            let token = self.advance();
            if ["(", "[", "{"].iter().any(|sign| token.is(sign)) {
                depth += 1;
            } else if [")", "]", "}"].iter().any(|sign| token.is(sign)) {
                depth -= 1;
            }
            current.push(token);
        }
    }

    /// Forgets the inlines whose text has been read.
    fn leave_finished(&mut self) {
        let left = self.tokens.len() - self.next;
        self.expanding.retain(|(_, behind)| left > *behind);
        self.returns.retain(|(_, behind)| left > *behind);
    }

    /// `return e` inside an inline that was called as `x = f(…)`.
    pub(super) fn return_statement(&mut self) -> Parsed<StmtKind> {
        self.leave_finished();
        let pos = self.pos();
        let value = self.expression()?;
        match self.returns.last() {
            Some((Some(target), _)) => Ok(StmtKind::Assign { target: target.clone(), value }),
            _ => Err(self.error(
                pos,
                "`return` outside an inline that is called for a value".into(),
                &["call the inline as `x = name(…)`"],
            )),
        }
    }
}

fn substitute(inline: &Inline, args: &[Vec<Token>]) -> Vec<Token> {
    let mut out = Vec::with_capacity(inline.body.len());
    for token in &inline.body {
        let param = match &token.tok {
            Tok::Name(name) => inline.params.iter().position(|param| param == name),
            _ => None,
        };
        match param {
            Some(index) => out.extend(args[index].iter().cloned()),
            None => out.push(token.clone()),
        }
    }
    out
}
