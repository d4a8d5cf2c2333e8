//! The outermost level: declarations, process types, claims.

use crate::lexer::Tok;
use crate::syntax::{BodyKind, Expr, ExprKind, LtlDecl, Name, Proctype, Typedef, VarDecl};

use super::{Parsed, Parser};

impl Parser<'_> {
    pub(super) fn units(&mut self) {
        while !self.at_end() {
            let before = self.next;
            if self.unit().is_err() {
                self.next_unit(before);
            }
            self.function = Name::from("");
        }
    }

    /// Looks for a place where a unit may begin.
    fn next_unit(&mut self, before: usize) {
        if self.next == before {
            self.advance();
        }
        let starts = ["proctype", "active", "init", "never", "ltl", "inline", "typedef", "trace"];
        while !self.at_end() && !starts.iter().any(|word| self.word(word)) {
            self.advance();
        }
    }

    fn unit(&mut self) -> Parsed<()> {
        if self.accept(";") || self.accept("->") {
            return Ok(());
        }
        let Tok::Name(word) = self.peek().tok.clone() else {
            return Err(self.expected("a declaration or a process type"));
        };
        match &*word {
            "active" | "proctype" | "D_proctype" => self.proctype(),
            "init" => self.body_unit(BodyKind::Init),
            "never" => self.body_unit(BodyKind::Never),
            "trace" => self.body_unit(BodyKind::Trace),
            "notrace" => self.body_unit(BodyKind::Notrace),
            "ltl" => self.ltl(),
            "inline" => {
                self.advance();
                self.inline_definition()
            }
            "typedef" => self.typedef(),
            "c_code" | "c_decl" | "c_state" | "c_track" => {
                let unit = self.embedded_unit(&word)?;
                self.spec.embedded.push(unit);
                Ok(())
            }
            _ if self.at_declaration() => {
                let declared = self.declaration(true)?;
                self.spec.globals.extend(declared);
                Ok(())
            }
            _ => Err(self.expected("a declaration or a process type")),
        }
    }

    fn proctype(&mut self) -> Parsed<()> {
        let mut active = None;
        if self.word("active") {
            let pos = self.advance().pos;
            active = Some(Expr { pos, kind: ExprKind::Number(1) });
            if self.accept("[") {
                active = Some(self.expression()?);
                self.expect("]")?;
            }
        }
        let deterministic = self.word("D_proctype");
        if !deterministic && !self.word("proctype") {
            return Err(self.expected("`proctype`"));
        }
        self.advance();
        let (name, pos) = self.name("the name of the process type")?;
        self.function = name.clone();
        self.expect("(")?;
        let params = self.parameters()?;
        self.expect(")")?;
        let priority = self.priority()?;
        let mut provided = None;
        if self.accept_word("provided") {
            self.expect("(")?;
            provided = Some(self.expression()?);
            self.expect(")")?;
        }
        let body = self.braced()?;
        let end = self.tokens[self.next - 1].pos;
        let kind = BodyKind::Proctype;
        self.spec.proctypes.push(Proctype {
            kind,
            name,
            pos,
            deterministic,
            active,
            params,
            priority,
            provided,
            body,
            end,
        });
        Ok(())
    }

    fn parameters(&mut self) -> Parsed<Vec<VarDecl>> {
        let mut params = Vec::new();
        while !self.sign(")") && !self.at_end() {
            params.extend(self.declaration(false)?);
            if !self.accept(";") && !self.accept(",") {
                break;
            }
        }
        Ok(params)
    }

    pub(super) fn priority(&mut self) -> Parsed<Option<i32>> {
        if self.accept_word("priority") { self.number().map(Some) } else { Ok(None) }
    }

    /// `init`, `never` and the trace assertions.
    fn body_unit(&mut self, kind: BodyKind) -> Parsed<()> {
        let pos = self.advance().pos;
        let mut name = Name::from(match kind {
            BodyKind::Init => "init",
            BodyKind::Trace => "trace",
            BodyKind::Notrace => "notrace",
            _ => "never",
        });
        if kind == BodyKind::Never {
            if !self.sign("{") {
                name = self.name("the name of the claim or `{`")?.0;
            } else {
                let earlier = self.spec.proctypes.iter().filter(|p| p.kind == kind).count();
                name = format!("never_{earlier}").into();
            }
        }
        self.function = name.clone();
        let priority = self.priority()?;
        let body = self.braced()?;
        let end = self.tokens[self.next - 1].pos;
        self.spec.proctypes.push(Proctype {
            kind,
            name,
            pos,
            deterministic: false,
            active: None,
            params: Vec::new(),
            priority,
            provided: None,
            body,
            end,
        });
        Ok(())
    }

    fn ltl(&mut self) -> Parsed<()> {
        let pos = self.advance().pos;
        let name = if self.sign("{") {
            Name::from(format!("ltl_{}", self.spec.formulas.len()))
        } else {
            self.name("the name of the formula or `{`")?.0
        };
        self.expect("{")?;
        let formula = self.formula()?;
        self.accept(";");
        self.expect("}")?;
        self.spec.formulas.push(LtlDecl { name, pos, formula });
        Ok(())
    }

    fn typedef(&mut self) -> Parsed<()> {
        self.advance();
        let (name, pos) = self.name("the name of the type")?;
        self.expect("{")?;
        let mut fields = Vec::new();
        while !self.sign("}") && !self.at_end() {
            fields.extend(self.declaration(false)?);
            if !self.accept(";") && !self.accept(",") && !self.sign("}") {
                return Err(self.expected("`;` or `}`"));
            }
        }
        self.expect("}")?;
        self.spec.typedefs.push(Typedef { name, pos, fields });
        Ok(())
    }
}
