//! Statements and sequences of them.

use crate::lexer::{Tok, Token};
use crate::syntax::{Binary, Block, Expr, ExprKind, Label, Receive, Step, Stmt, StmtKind, VarRef};

use super::expression::own_pid;
use super::{Parsed, Parser};

impl Parser<'_> {
    /// `{ sequence }`
    pub(super) fn braced(&mut self) -> Parsed<Block> {
        self.expect("{")?;
        let block = self.sequence()?;
        self.expect("}")?;
        Ok(block)
    }

    /// Steps separated by `;` or `->`, up to a closing sign.
    pub(super) fn sequence(&mut self) -> Parsed<Block> {
        let start = self.pos();
        let mut block = Vec::new();
        while self.separator() {}
        while !self.at_sequence_end() {
            match self.step() {
                Ok(step) => block.extend(step),
                Err(_) => {
                    self.next_step();
                    continue;
                }
            }
            let mut separated = self.closed_block();
            while self.separator() {
                separated = true;
            }
            if !separated && !self.at_sequence_end() {
                self.expected("`;` or `->`");
                self.next_step();
            }
        }
        if block.is_empty() && self.errors.is_empty() {
            let help = ["write `skip` where nothing is to be done"];
            return Err(self.error(start, "a sequence needs a statement".into(), &help));
        }
        Ok(block)
    }

    fn separator(&mut self) -> bool {
        self.accept(";") || self.accept("->")
    }

    /// Whether the token before was the end of a block: no `;` needed.
    fn closed_block(&self) -> bool {
        let last = &self.tokens[self.next - 1];
        last.is("}") || last.is_name("fi") || last.is_name("od") || last.is(":")
    }

    fn at_sequence_end(&self) -> bool {
        self.sign("}") || self.sign("::") || self.word("fi") || self.word("od") || self.at_end()
    }

    /// After an error: on to where the next statement may begin.
    fn next_step(&mut self) {
        let mut depth = 0;
        while !self.at_end() {
            if depth == 0 && (self.at_sequence_end() || self.sign(";")) {
                self.accept(";");
                return;
            }
            let token = self.advance();
            if token.is("{") || token.is("(") {
                depth += 1;
            } else if token.is("}") || token.is(")") {
                depth = i32::max(0, depth - 1);
            }
        }
    }

    fn step(&mut self) -> Parsed<Option<Step>> {
        if self.at_declaration() {
            let vars = self.declaration(false)?;
            return Ok(Some(Step::Declare(vars)));
        }
        if self.word("xr") || self.word("xs") {
            let receive = self.word("xr");
            let pos = self.advance().pos;
            let mut channels = vec![self.var_ref()?];
            while self.accept(",") {
                channels.push(self.var_ref()?);
            }
            return Ok(Some(Step::Exclusive { receive, channels, pos }));
        }
        let stmt = self.statement()?;
        if !self.accept_word("unless") {
            return Ok(Some(Step::Run(Box::new(stmt))));
        }
        let escape = self.statement()?;
        Ok(Some(Step::Run(Box::new(self.unless(stmt, escape)?))))
    }

    /// A label before the main statement belongs to the whole.
    fn unless(&mut self, main: Stmt, escape: Stmt) -> Parsed<Stmt> {
        if let Some(label) = escape.labels.first() {
            let message = format!("label `{}` on the guard of an escape", label.name);
            return Err(self.error(
                label.pos,
                message,
                &["an escape's guard is no place of its own"],
            ));
        }
        let block =
            matches!(main.kind, StmtKind::Block(_) | StmtKind::Atomic(_) | StmtKind::DStep(_));
        if let (Some(label), false) = (main.labels.first(), block) {
            let message = format!("label `{}` before `unless`", label.name);
            return Err(self.error(label.pos, message, &["write `label: { stmt unless stmt }`"]));
        }
        let (pos, labels) = (main.pos, main.labels.clone());
        let kind = StmtKind::Unless(Box::new(main), Box::new(escape));
        Ok(Stmt { pos, labels, kind, text: String::new() })
    }

    fn statement(&mut self) -> Parsed<Stmt> {
        let mut labels = Vec::new();
        while self.at_label() {
            let (name, pos) = self.name("a label")?;
            self.expect(":")?;
            labels.push(Label { name, pos });
            if self.at_declaration() {
                let message = "a label before a declaration".into();
                return Err(self.error(pos, message, &["put the label before a statement"]));
            }
        }
        let pos = self.pos();
        let bare =
            !labels.is_empty() && (self.at_sequence_end() || self.sign(";") || self.sign("->"));
        let start = self.next;
        let kind = if bare {
            StmtKind::Condition(Expr { pos: labels[0].pos, kind: ExprKind::Number(1) })
        } else {
            self.nested(Self::statement_kind)?
        };
        let pos = if bare { labels[0].pos } else { pos };
        let text = if bare || kind.has_parts() { String::new() } else { self.text_since(start) };
        Ok(Stmt { pos, labels, kind, text })
    }

    /// The tokens taken since `start`, spaced as the user did.
    fn text_since(&self, start: usize) -> String {
        let mut out = String::new();
        let mut before: Option<&Token> = None;
        for token in &self.tokens[start..self.next] {
            let text = token.text();
            if let Some(last) = before {
                let same_line = last.pos.line == token.pos.line && last.pos.file == token.pos.file;
                let end = last.pos.column + last.text().chars().count() as u32;
                let glued = out.ends_with(|c: char| c.is_alphanumeric() || c == '_')
                    && text.starts_with(|c: char| c.is_alphanumeric() || c == '_');
                if !same_line || token.pos.column > end || glued {
                    out.push(' ');
                }
            }
            out.push_str(&text);
            before = Some(token);
        }
        out
    }

    fn at_label(&self) -> bool {
        match &self.peek().tok {
            Tok::Name(name) => {
                self.ahead(1).is(":")
                    && !super::RESERVED.contains(&&**name)
                    && !self.processes.contains(name)
            }
            _ => false,
        }
    }

    fn statement_kind(&mut self) -> Parsed<StmtKind> {
        if self.sign("{") {
            return self.braced().map(StmtKind::Block);
        }
        if self.at_inline_call() {
            return self.inline_call(None);
        }
        let Tok::Name(word) = self.peek().tok.clone() else {
            return self.expression().map(StmtKind::Condition);
        };
        match &*word {
            "c_code" => self.code_statement(),
            "c_decl" | "c_state" | "c_track" => Err(self.misplaced_code(&word)),
            "if" => self.options("fi").map(StmtKind::If),
            "do" => self.options("od").map(StmtKind::Do),
            "for" => self.for_statement(),
            "select" => self.select_statement(),
            "atomic" => self.keyword_block().map(StmtKind::Atomic),
            "d_step" => self.keyword_block().map(StmtKind::DStep),
            "goto" => {
                self.advance();
                self.name("a label").map(|(label, _)| StmtKind::Goto(label))
            }
            "break" => self.single(StmtKind::Break),
            "else" => self.single(StmtKind::Else),
            "assert" => {
                self.advance();
                self.expression().map(StmtKind::Assert)
            }
            "printf" => self.printf(),
            "printm" => self.printm(),
            "set_priority" => self.set_priority(),
            "return" => {
                self.advance();
                self.return_statement()
            }
            _ => self.simple_statement(),
        }
    }

    fn single(&mut self, kind: StmtKind) -> Parsed<StmtKind> {
        self.advance();
        Ok(kind)
    }

    fn keyword_block(&mut self) -> Parsed<Block> {
        self.advance();
        self.braced()
    }

    fn options(&mut self, close: &str) -> Parsed<Vec<Block>> {
        self.advance();
        let mut options = Vec::new();
        while self.accept("::") {
            options.push(self.sequence()?);
        }
        if options.is_empty() {
            return Err(self.expected("`::`"));
        }
        self.expect_word(close)?;
        Ok(options)
    }

    fn for_statement(&mut self) -> Parsed<StmtKind> {
        self.advance();
        self.expect("(")?;
        let var = self.var_ref()?;
        if self.accept_word("in") {
            let within = self.var_ref()?;
            self.expect(")")?;
            self.accept(";");
            let body = self.braced()?;
            return Ok(StmtKind::ForIn { var, within, body });
        }
        self.expect(":")?;
        let (from, to) = self.range()?;
        self.expect(")")?;
        self.accept(";");
        let body = self.braced()?;
        Ok(StmtKind::For { var, from, to, body })
    }

    fn select_statement(&mut self) -> Parsed<StmtKind> {
        self.advance();
        self.expect("(")?;
        let var = self.var_ref()?;
        self.expect(":")?;
        let (from, to) = self.range()?;
        self.expect(")")?;
        Ok(StmtKind::Select { var, from, to })
    }

    fn range(&mut self) -> Parsed<(Expr, Expr)> {
        let from = self.expression()?;
        self.expect("..")?;
        Ok((from, self.expression()?))
    }

    fn printf(&mut self) -> Parsed<StmtKind> {
        self.advance();
        self.expect("(")?;
        let Tok::Text(format) = self.peek().tok.clone() else {
            return Err(self.expected("a format string"));
        };
        self.advance();
        let args = if self.accept(",") { self.list(")", Self::expression)? } else { Vec::new() };
        self.expect(")")?;
        Ok(StmtKind::Print { format, args })
    }

    fn printm(&mut self) -> Parsed<StmtKind> {
        self.advance();
        self.expect("(")?;
        let value = self.expression()?;
        if self.accept(",") {
            self.name("the name of an mtype")?;
        }
        self.expect(")")?;
        Ok(StmtKind::PrintMtype(value))
    }

    fn set_priority(&mut self) -> Parsed<StmtKind> {
        self.advance();
        self.expect("(")?;
        let pid = self.expression()?;
        self.expect(",")?;
        let value = self.expression()?;
        self.expect(")")?;
        Ok(StmtKind::SetPriority { pid, value })
    }

    /// Assignments, sends, receives; everything else is a condition.
    fn simple_statement(&mut self) -> Parsed<StmtKind> {
        let start = self.next;
        let errors = self.errors.len();
        if let Ok(var) = self.var_ref()
            && let Some(kind) = self.after_variable(var)?
        {
            return Ok(kind);
        }
        self.next = start;
        self.errors.truncate(errors);
        self.expression().map(StmtKind::Condition)
    }

    fn after_variable(&mut self, var: VarRef) -> Parsed<Option<StmtKind>> {
        let Tok::Sign(sign) = self.peek().tok else { return Ok(None) };
        let pos = self.pos();
        match sign {
            "=" => {
                self.advance();
                if self.at_inline_call() {
                    return self.inline_call(Some(var)).map(Some);
                }
                let value = self.expression()?;
                if var.simple().is_some_and(|name| &**name == "_priority") {
                    let pid = own_pid(var.pos);
                    return Ok(Some(StmtKind::SetPriority { pid, value }));
                }
                Ok(Some(StmtKind::Assign { target: var, value }))
            }
            "++" | "--" => {
                self.advance();
                let op = if sign == "++" { Binary::Add } else { Binary::Subtract };
                let old = Expr { pos: var.pos, kind: ExprKind::Ref(var.clone()) };
                let one = Expr { pos, kind: ExprKind::Number(1) };
                let kind = ExprKind::Binary(op, Box::new(old), Box::new(one));
                Ok(Some(StmtKind::Assign { target: var, value: Expr { pos, kind } }))
            }
            "!" | "!!" => {
                self.advance();
                let args = self.send_args()?;
                Ok(Some(StmtKind::Send { chan: var, args, sorted: sign == "!!" }))
            }
            "?" | "??" if !self.ahead(1).is("[") => {
                self.advance();
                let peek = self.accept("<");
                let args = self.receive_args(if peek { ">" } else { ";" })?;
                if peek {
                    self.expect(">")?;
                }
                Ok(Some(StmtKind::Receive(Receive { chan: var, args, random: sign == "??", peek })))
            }
            _ => Ok(None),
        }
    }

    /// `a, b` or `a(b, c)`
    fn send_args(&mut self) -> Parsed<Vec<Expr>> {
        let mut args = Vec::new();
        loop {
            args.push(self.expression()?);
            if self.accept("(") {
                args.extend(self.list(")", Self::expression)?);
                self.expect(")")?;
                return Ok(args);
            }
            if !self.accept(",") {
                return Ok(args);
            }
        }
    }
}
