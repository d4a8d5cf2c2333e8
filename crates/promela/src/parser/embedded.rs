//! C code in a model: `c_code`, `c_expr`, `c_decl`, `c_state`, `c_track`.

use crate::lexer::Tok;
use crate::syntax::{Code, EmbeddedScope, EmbeddedUnit, Name, StmtKind};

use super::{Bad, Parsed, Parser};

impl Parser<'_> {
    /// A unit that begins with one of these words.
    pub(super) fn embedded_unit(&mut self, word: &str) -> Parsed<EmbeddedUnit> {
        self.advance();
        self.spec.has_code = true;
        match word {
            "c_decl" => self.code().map(EmbeddedUnit::Declare),
            "c_code" => self.code().map(EmbeddedUnit::Define),
            "c_state" => self.code_state(),
            _ => self.code_track(),
        }
    }

    /// `c_state "int x" "Global" "0"`
    fn code_state(&mut self) -> Parsed<EmbeddedUnit> {
        let declaration = self.code_text("a declaration in quotes")?;
        let wanted = "\"Global\", \"Hidden\" or \"Local\" and the name of a process type";
        let scope = self.code_text(wanted)?;
        let mut words = scope.text.split_whitespace();
        let scope = match (words.next(), words.next()) {
            (Some("Global"), None) => EmbeddedScope::Global,
            (Some("Hidden"), None) => EmbeddedScope::Hidden,
            (Some("Local"), Some(name)) => EmbeddedScope::Local(Name::from(name)),
            _ => {
                let message = format!("expected {wanted}, found \"{}\"", scope.text);
                return Err(self.error(scope.pos, message, &[]));
            }
        };
        let init = match &self.peek().tok {
            Tok::Text(text) => Some(plain(text)),
            _ => None,
        };
        if init.is_some() {
            self.advance();
        }
        Ok(EmbeddedUnit::State { declaration, scope, init })
    }

    /// `c_track "&x" "sizeof(int)" "UnMatched"`
    fn code_track(&mut self) -> Parsed<EmbeddedUnit> {
        let address = self.code_text("an address in quotes")?;
        let size = self.code_text("a size in quotes")?.text;
        let mut matched = true;
        if matches!(self.peek().tok, Tok::Text(_)) {
            let how = self.code_text("\"Matched\" or \"UnMatched\"")?;
            matched = match &*how.text {
                "Matched" => true,
                "UnMatched" => false,
                other => {
                    let message =
                        format!("expected \"Matched\" or \"UnMatched\", found \"{other}\"");
                    return Err(self.error(how.pos, message, &[]));
                }
            };
        }
        Ok(EmbeddedUnit::Track { address, size, matched })
    }

    /// A statement `c_code [condition] { … }`.
    pub(super) fn code_statement(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let condition = match self.sign("[") {
            true => Some(self.bracketed_code("[", "]")?),
            false => None,
        };
        self.code().map(|body| StmtKind::Code { condition, body })
    }

    /// `{ … }` with C code in it.
    pub(super) fn code(&mut self) -> Parsed<Code> {
        self.bracketed_code("{", "}")
    }

    fn bracketed_code(&mut self, open: &str, close: &str) -> Parsed<Code> {
        self.spec.has_code = true;
        self.expect(open)?;
        let token = self.peek().clone();
        let Tok::Code(text) = token.tok else { return Err(self.expected("C code")) };
        self.advance();
        self.expect(close)?;
        self.spec.codes.push(text.clone());
        Ok(Code { text, pos: token.pos })
    }

    fn code_text(&mut self, what: &str) -> Parsed<Code> {
        let token = self.peek().clone();
        let Tok::Text(text) = token.tok else { return Err(self.expected(what)) };
        self.advance();
        self.spec.codes.push(plain(&text));
        Ok(Code { text: plain(&text), pos: token.pos })
    }

    /// Such a unit inside of a process type.
    pub(super) fn misplaced_code(&mut self, word: &str) -> Bad {
        let pos = self.pos();
        let message = format!("`{word}` inside of a process type is not supported");
        self.error(pos, message, &["put it in front of the process types"])
    }
}

/// The text between quotes as C has it.
fn plain(text: &str) -> Name {
    text.replace("\\\"", "\"").into()
}
