//! Names of library functions: a function is looked up by its row, and what
//! it does is said in its row. A name anywhere else is a second list.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Expr, ExprCall, LitStr, Macro};

use crate::source::Source;

/// The crates that execute or explore programs of C.
const READ: &[&str] = &["crates/vm/", "crates/ir/", "crates/mem/", "crates/search/"];

/// Words that are also the name of a function, and mean something else there.
const WORDS: &[(&str, &str)] = &[
    // Prefixes of functions that the program defines, or of mangled names.
    ("crates/ir/src/symbol.rs", "__VERIFIER_atomic_"),
    ("crates/vm/src/cxx/throw.rs", "__cxa_"),
    ("crates/vm/src/builtin/words.rs", "__exeunt_"),
    // Words of messages.
    ("crates/vm/src/cxx/new.rs", "malloc"),
    ("crates/vm/src/cxx/new.rs", "free"),
    ("crates/vm/src/cxx/new.rs", "mmap"),
    ("crates/vm/src/cxx/new.rs", "munmap"),
    ("crates/vm/src/libc/stdlib/heap.rs", "free"),
    ("crates/vm/src/libc/stdlib/heap.rs", "realloc"),
    ("crates/vm/src/libc/stdlib/heap.rs", "malloc_usable_size"),
    ("crates/vm/src/explain/fault.rs", "read"),
    ("crates/vm/src/explain/fault.rs", "write"),
    ("crates/vm/src/race/mod.rs", "read"),
    ("crates/vm/src/pthread/rwlock.rs", "wait"),
    ("crates/vm/src/verifier.rs", "exeunt_section_begin"),
    ("crates/vm/src/verifier.rs", "exeunt_section_end"),
    ("crates/vm/src/verifier.rs", "exeunt_wait_begin"),
    ("crates/vm/src/verifier.rs", "exeunt_wait_end"),
    // What `printf` writes for a number that is none.
    ("crates/vm/src/libc/stdio/decimal.rs", "nan"),
    // A word of formulas.
    ("crates/vm/src/watch/read.rs", "open"),
];

/// The names in the rows of the virtual machine.
pub fn rows(sources: &[Source]) -> BTreeSet<String> {
    let mut rows = Rows::default();
    for source in sources.iter().filter(|source| source.name.starts_with("crates/vm/")) {
        if source.text.contains("row(") {
            rows.visit_file(&source.code());
        }
    }
    rows.0
}

#[derive(Default)]
struct Rows(BTreeSet<String>);

impl<'ast> Visit<'ast> for Rows {
    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        if let Some(name) = row_name(call) {
            self.0.insert(name);
        }
        visit::visit_expr_call(self, call);
    }
}

/// The name in `row("name", …)` or `refused("name", …)`.
fn row_name(call: &ExprCall) -> Option<String> {
    let Expr::Path(function) = &*call.func else { return None };
    let Some(Expr::Lit(first)) = call.args.first() else { return None };
    let syn::Lit::Str(name) = &first.lit else { return None };
    let makes_row = ["row", "refused"].iter().any(|maker| function.path.is_ident(maker));
    makes_row.then(|| name.value())
}

pub fn problems(source: &Source, rows: &BTreeSet<String>) -> Vec<String> {
    if !READ.iter().any(|folder| source.name.starts_with(folder)) {
        return Vec::new();
    }
    let mut finder = Finder { source, rows, found: Vec::new() };
    finder.visit_file(&source.code());
    finder.found
}

struct Finder<'s> {
    source: &'s Source,
    rows: &'s BTreeSet<String>,
    found: Vec<String>,
}

impl Finder<'_> {
    fn check(&mut self, text: &str, line: usize) {
        let name = &self.source.name;
        let word = WORDS.iter().any(|(file, word)| name == file && text == *word);
        let family = |row: &&String| row.starts_with(text);
        let prefix =
            text.len() > 3 && text.ends_with('_') && self.rows.iter().filter(family).count() > 1;
        if (self.rows.contains(text) || prefix) && !word {
            self.found.push(format!("{name}:{line}: \"{text}\" is the name of a library function"));
        }
    }

    fn check_tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.check_tokens(group.stream()),
                TokenTree::Literal(literal) => {
                    let line = literal.span().start().line;
                    if let Ok(text) = syn::parse_str::<LitStr>(&literal.to_string()) {
                        self.check(&text.value(), line);
                    }
                }
                TokenTree::Ident(_) | TokenTree::Punct(_) => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        let skipped = usize::from(row_name(call).is_some());
        call.args.iter().skip(skipped).for_each(|argument| self.visit_expr(argument));
    }

    fn visit_lit_str(&mut self, text: &'ast LitStr) {
        self.check(&text.value(), text.span().start().line);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.check_tokens(call.tokens.clone());
    }

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &str = r#"const T: &[Builtin] = &[
        row("sem_wait", "i:p", WAIT, wait), row("sem_post", "i:p", VISIBLE, post).cancels(),
    ];"#;

    fn source(name: &str, text: &str) -> Source {
        Source { name: name.to_string(), text: text.to_string() }
    }

    fn lines(text: &str) -> Vec<String> {
        let table = source("crates/vm/src/pthread/semaphore.rs", ROWS);
        let rows = rows(std::slice::from_ref(&table));
        assert!(problems(&table, &rows).is_empty());
        problems(&source("crates/vm/src/file.rs", text), &rows)
    }

    #[test]
    fn a_name_outside_of_its_row_is_found() {
        let text = "fn f(b: &Builtin) -> bool {\n b.name == \"sem_wait\"\n}";
        let told = "crates/vm/src/file.rs:2: \"sem_wait\" is the name of a library function";
        assert_eq!(lines(text), [told]);
        assert_eq!(lines("fn f(n: &str) -> bool { matches!(n, \"sem_post\") }").len(), 1);
        assert_eq!(lines("fn f(n: &str) -> bool { n.starts_with(\"sem_\") }").len(), 1);
        assert_eq!(lines("const L: &[&str] = &[\"sem_post\", \"sem_wait\"];").len(), 2);
    }

    #[test]
    fn messages_are_no_names() {
        assert!(lines("fn f() { g(\"sem_wait waits\") }").is_empty());
    }
}
