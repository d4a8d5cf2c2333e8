//! Semicolons that need not be written: the end of a line ends a statement, `else` and
//! `}` need nothing behind them.
//!
//! SPIN (since version 6.3) puts a semicolon at the end of a line inside of a sequence if no
//! parenthesis is open and the line ends with what a statement can end with. We do
//! the same between tokens, except where the next line cannot begin a statement: there
//! SPIN reports an error, and we go on with the expression.

use crate::lexer::{Tok, Token};

/// Units whose braces hold a sequence.
const SEQUENCES: [&str; 7] =
    ["proctype", "D_proctype", "init", "never", "trace", "notrace", "inline"];
/// Units whose braces hold something else.
const OTHERS: [&str; 3] = ["typedef", "mtype", "ltl"];

/// Names that are keywords and end no statement.
const OPEN: [&str; 26] = [
    "if", "do", "atomic", "d_step", "D_step", "goto", "assert", "printf", "printm", "run",
    "unless", "of", "byte", "bit", "bool", "int", "short", "chan", "pid", "mtype", "unsigned",
    "hidden", "show", "local", "xr", "xs",
];
/// Names that begin no statement.
const CLOSING: [&str; 4] = ["fi", "od", "unless", "of"];
/// Signs that can begin a statement.
const BEGINNINGS: [&str; 6] = ["(", "{", "!", "-", "~", "--"];

/// Adds the semicolons that are implied.
pub fn imply(tokens: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len() + tokens.len() / 8);
    let mut place = Place::default();
    for token in tokens {
        if let Some(last) = out.last()
            && place.is_in_sequence()
            && is_separated(last, &token)
        {
            let pos = last.pos;
            out.push(Token { tok: Tok::Sign(";"), pos });
        }
        place.pass(&token, out.last());
        out.push(token);
    }
    out
}

/// Where in a model tokens are.
#[derive(Default)]
struct Place {
    /// For each open brace, whether it holds a sequence.
    braces: Vec<bool>,
    parentheses: u32,
    /// The unit that is being read has a sequence.
    sequence: bool,
}

impl Place {
    fn is_in_sequence(&self) -> bool {
        self.parentheses == 0 && self.braces.last() == Some(&true)
    }

    fn pass(&mut self, token: &Token, before: Option<&Token>) {
        match &token.tok {
            Tok::Name(name) if self.braces.is_empty() && self.parentheses == 0 => {
                self.sequence |= SEQUENCES.contains(&&**name);
                self.sequence &= !OTHERS.contains(&&**name);
            }
            Tok::Sign("{") => {
                let list = before.is_some_and(|before| before.is("="));
                let inside = self.braces.last().copied().unwrap_or(self.sequence);
                self.braces.push(inside && !list);
            }
            Tok::Sign("}") => {
                self.braces.pop();
                self.sequence &= !self.braces.is_empty();
            }
            Tok::Sign("(") => self.parentheses += 1,
            Tok::Sign(")") => self.parentheses = self.parentheses.saturating_sub(1),
            _ => {}
        }
    }
}

/// Whether a statement ends between two tokens of a sequence.
fn is_separated(last: &Token, next: &Token) -> bool {
    if !can_begin(next) {
        return false;
    }
    if last.is_name("else") {
        return true;
    }
    let same_line = (last.pos.file, last.pos.line) == (next.pos.file, next.pos.line);
    !same_line && can_end(last)
}

fn can_end(token: &Token) -> bool {
    match &token.tok {
        Tok::Name(name) => !OPEN.contains(&&**name),
        Tok::Number(_) => true,
        Tok::Sign(sign) => ["}", ")", "]", "++", "--"].contains(sign),
        Tok::Text(_) | Tok::Code(_) | Tok::Unknown(_) | Tok::End => false,
    }
}

fn can_begin(token: &Token) -> bool {
    match &token.tok {
        Tok::Name(name) => !CLOSING.contains(&&**name),
        Tok::Number(_) => true,
        Tok::Sign(sign) => BEGINNINGS.contains(sign),
        Tok::Text(_) | Tok::Code(_) | Tok::Unknown(_) | Tok::End => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer;
    use crate::source::Sources;

    fn implied(text: &str) -> String {
        let tokens = lexer::tokens(text, "m.pml", false, &mut Sources::default());
        let all = imply(tokens);
        let words: Vec<String> = all.iter().take(all.len() - 1).map(Token::text).collect();
        words.join(" ")
    }

    #[test]
    fn the_end_of_a_line_ends_a_statement() {
        assert_eq!(implied("init {\nx = 1\ny++\n}"), "init { x = 1 ; y ++ }");
        assert_eq!(
            implied("init { do\n:: a -> b\n:: else\nod\nx = 1 }"),
            "init { do :: a -> b :: else od ; x = 1 }"
        );
        assert_eq!(
            implied("proctype P(mtype:fruit z) {\nmtype a\nmtype:fruit b\n}\nint x\nint y"),
            "proctype P ( mtype : fruit z ) { mtype a ; mtype : fruit b } int x int y"
        );
        assert_eq!(implied("init { L:\nx = 1\ngoto\nL }"), "init { L : x = 1 ; goto L }");
    }

    #[test]
    fn else_needs_nothing_behind_it() {
        assert_eq!(
            implied("init { if :: a :: else skip fi }"),
            "init { if :: a :: else ; skip fi }"
        );
    }

    #[test]
    fn what_goes_on_is_left_alone() {
        let text = "init { x = (a\n+ b) ; y = a &&\nb ; int z[2] =\n{ 1\n, 2 } }";
        assert!(!implied(text).replace(" ; y", "").replace(" ; int", "").contains(';'));
        assert_eq!(implied("mtype {\na,\nb\n}\nint x\nint y"), "mtype { a , b } int x int y");
        assert_eq!(implied("init { { x }\nunless { y } }"), "init { { x } unless { y } }");
        assert_eq!(implied("typedef T {\nint a\nint b }"), "typedef T { int a int b }");
    }
}
