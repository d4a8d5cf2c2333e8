//! Matches over our own enums that have an arm for the rest.
//!
//! Such an arm answers for a variant that did not exist when it was written.
//! An instruction that a list of names had forgotten was a race that nobody
//! reported.
//!
//! The arguments of macros are read where they are expressions (`format!`,
//! `assert!`, `vec!`), statements or items, and so are the bodies of
//! `macro_rules!` that have one of these forms without repetitions. Other macros
//! with a syntax of their own are not read.

use proc_macro2::{Group, TokenStream, TokenTree};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Arm, Block, Expr, ExprMatch, ItemImpl, ItemMacro, Macro, Pat, Path, Token, Type};

use crate::source::Source;

/// The enums that additions are made to.
const CLOSED: &[&str] = &[
    "Inst",
    "Touch",
    "SideTable",
    "SectionKind",
    "Effect",
    "Cancel",
    "Outside",
    "Locks",
    "Touches",
    "Orders",
    "Chooses",
    "Deed",
    "Status",
    "OnReturn",
    "Reduction",
    "Format",
    "Said",
    "Topic",
];

pub fn problems(source: &Source) -> Vec<String> {
    // Parsing takes most of the time.
    if !CLOSED.iter().any(|name| source.text.contains(name)) {
        return Vec::new();
    }
    let mut finder = Finder { name: &source.name, this: None, found: Vec::new() };
    finder.visit_file(&source.code());
    finder.found
}

struct Finder<'s> {
    name: &'s str,
    /// The type of the `impl` block that is being read.
    this: Option<String>,
    found: Vec<String>,
}

impl Finder<'_> {
    fn report(&mut self, line: usize, what: String) {
        self.found.push(format!("{}:{line}: {what}", self.name));
    }

    /// Reads the tokens of a macro as whatever they can be.
    fn inside(&mut self, tokens: TokenStream) {
        let expressions = Punctuated::<Expr, Token![,]>::parse_terminated;
        if let Ok(list) = expressions.parse2(tokens.clone()) {
            list.iter().for_each(|expression| self.visit_expr(expression));
        } else if let Ok(list) = Block::parse_within.parse2(tokens.clone()) {
            list.iter().for_each(|statement| self.visit_stmt(statement));
        } else if let Ok(file) = syn::parse2::<syn::File>(tokens) {
            self.visit_file(&file);
        }
    }

    /// The enums whose variants a pattern names.
    fn named(&self, pattern: &Pat) -> Vec<String> {
        let mut names = Names { this: self.this.as_deref(), found: Vec::new() };
        names.visit_pat(pattern);
        names.found
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_expr_match(&mut self, expression: &'ast ExprMatch) {
        let patterns = expression.arms.iter().map(|arm| &arm.pat);
        let closed = patterns.flat_map(|pattern| self.named(pattern)).next();
        let rest = expression.arms.iter().find(|arm| is_rest(arm));
        if let (Some(name), Some(rest)) = (closed, rest) {
            let line = rest.span().start().line;
            self.report(line, format!("an arm for the rest in a match over `{name}`"));
        }
        visit::visit_expr_match(self, expression);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        let Some(pattern) = pattern_of_matches(call) else {
            return self.inside(call.tokens.clone());
        };
        let Pat::Or(alternatives) = &pattern else { return };
        let lists = alternatives
            .cases
            .iter()
            .all(|case| self.named(case).first().is_some_and(|name| name == "Inst"));
        if lists {
            let line = call.span().start().line;
            self.report(line, "a list of instructions in `matches!`".to_string());
        }
    }

    fn visit_item_macro(&mut self, item: &'ast ItemMacro) {
        match item.mac.path.is_ident("macro_rules") {
            true => bodies(item.mac.tokens.clone()).into_iter().for_each(|body| self.inside(body)),
            false => self.visit_macro(&item.mac),
        }
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let before = self.this.take();
        if let Type::Path(path) = &*item.self_ty {
            self.this = path.path.segments.last().map(|segment| segment.ident.to_string());
        }
        visit::visit_item_impl(self, item);
        self.this = before;
    }
}

/// `_`, or a name for everything that has not matched yet. One with a guard
/// is none.
fn is_rest(arm: &Arm) -> bool {
    match &arm.pat {
        Pat::Wild(_) => true,
        Pat::Ident(name) => name.subpat.is_none(),
        _ => false,
    }
}

/// What the rules of a `macro_rules!` expand to, with variables as names.
fn bodies(rules: TokenStream) -> Vec<TokenStream> {
    let mut groups = rules.into_iter().filter_map(|token| match token {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    });
    let mut bodies = Vec::new();
    // A rule is a pattern, `=>` and a body.
    while let (Some(_), Some(body)) = (groups.next(), groups.next()) {
        bodies.push(without_dollars(body));
    }
    bodies
}

fn without_dollars(tokens: TokenStream) -> TokenStream {
    let kept = tokens.into_iter().filter_map(|token| match token {
        TokenTree::Punct(sign) if sign.as_char() == '$' => None,
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), without_dollars(group.stream()));
            inner.set_span(group.span());
            Some(TokenTree::Group(inner))
        }
        token => Some(token),
    });
    kept.collect()
}

fn pattern_of_matches(call: &Macro) -> Option<Pat> {
    if !call.path.is_ident("matches") {
        return None;
    }
    let parse = |input: syn::parse::ParseStream<'_>| {
        input.parse::<syn::Expr>()?;
        input.parse::<syn::Token![,]>()?;
        let pattern = Pat::parse_multi_with_leading_vert(input)?;
        input.parse::<proc_macro2::TokenStream>()?;
        Ok(pattern)
    };
    syn::parse::Parser::parse2(parse, call.tokens.clone()).ok()
}

struct Names<'s> {
    this: Option<&'s str>,
    found: Vec<String>,
}

impl<'ast> Visit<'ast> for Names<'_> {
    fn visit_pat_guard(&mut self, guarded: &'ast syn::PatGuard) {
        self.visit_pat(&guarded.pat);
    }

    fn visit_path(&mut self, path: &'ast Path) {
        let mut segments = path.segments.iter().rev().skip(1);
        let Some(owner) = segments.next() else { return };
        let owner = match (owner.ident.to_string(), self.this) {
            (word, Some(this)) if word == "Self" => this.to_string(),
            (word, _) => word,
        };
        if CLOSED.contains(&&*owner) {
            self.found.push(owner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        problems(&Source { name: "file.rs".to_string(), text: text.to_string() })
    }

    #[test]
    fn an_arm_for_the_rest_is_found() {
        let text = "fn f(i: Inst) -> u8 {\n match i {\n Inst::Mov { .. } => 1,\n _ => 2,\n }\n}";
        assert_eq!(lines(text), ["file.rs:4: an arm for the rest in a match over `Inst`"]);
        let named =
            "fn f(k: SectionKind) { match k { SectionKind::Join => a(), other => b(other) } }";
        assert_eq!(lines(named).len(), 1);
        let inside = "impl Reduction { fn f(self) { match self { Self::Tau => a(), _ => b() } } }";
        assert_eq!(lines(inside).len(), 1);
        let optional =
            "fn f(e: Option<Effect>) { match e { Some(Effect::Local) => a(), _ => b() } }";
        assert_eq!(lines(optional).len(), 1);
    }

    #[test]
    fn macros_are_read() {
        let rest = "match i { Inst::Mov { .. } => 1, _ => 2 }";
        for text in [
            format!("fn f(i: Inst) {{ println!(\"{{}}\", {rest}); }}"),
            format!("fn f(i: Inst) {{ assert!(1 == {rest}, \"text\"); }}"),
            format!("fn f(i: Inst) {{ scope! {{ let x = {rest}; x }} }}"),
            format!("items! {{ fn f(i: Inst) -> u8 {{ {rest} }} }}"),
            format!("macro_rules! m {{ ($n:ident) => {{ fn $n(i: Inst) -> u8 {{ {rest} }} }}; }}"),
            "fn f(i: Inst) { vec![match i { Inst::Mov => 1, other => g(other) }]; }".to_string(),
        ] {
            assert_eq!(lines(&text).len(), 1, "{text}");
        }
    }

    #[test]
    fn a_list_of_instructions_is_found() {
        let text = "fn f(i: Inst) -> bool { matches!(i, Inst::Mov { .. } | Inst::Jump { .. }) }";
        assert_eq!(lines(text), ["file.rs:1: a list of instructions in `matches!`"]);
        assert!(lines("fn f(i: Inst) -> bool { matches!(i, Inst::Mov { .. }) }").is_empty());
    }

    #[test]
    fn other_matches_and_tests_are_free() {
        assert!(lines("fn f(n: u8) { match n { 0 => a(), _ => b() } }").is_empty());
        let full = "fn f(k: Cancel) { match k { Cancel::Never => a(), Cancel::Maybe => b() } }";
        assert!(lines(full).is_empty());
        let test =
            "#[cfg(test)] mod t { fn f(i: Inst) { match i { Inst::Mov => a(), _ => b() } } }";
        assert!(lines(test).is_empty());
    }
}
