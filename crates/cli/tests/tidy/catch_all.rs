//! Matches over our own enums that have an arm for the rest.
//!
//! Such an arm answers for a variant that did not exist when it was written.
//! An instruction that a list of names had forgotten was a race that nobody
//! reported.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Arm, ExprMatch, ItemImpl, Macro, Pat, Path, Type};

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
        let Some(pattern) = pattern_of_matches(call) else { return };
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
