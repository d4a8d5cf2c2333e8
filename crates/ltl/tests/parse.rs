//! Spellings, strength of operators, propositions, and errors that help.

use exeunt_ltl::{Formula, parse};

#[track_caller]
fn same(text: &str, plain: &str) {
    assert_eq!(show(text), plain, "{text}");
}

#[track_caller]
fn show(text: &str) -> String {
    match parse(text) {
        Ok(formula) => formula.to_string(),
        Err(error) => panic!("{text}: {error}"),
    }
}

#[track_caller]
fn refused(text: &str, position: usize, message: &str, help: &str) {
    let error = parse(text).expect_err(text);
    assert_eq!((error.position, error.message.as_str()), (position, message), "{text}");
    assert!(error.help.contains(help), "{text}: {}", error.help);
}

#[test]
fn spellings_of_spin_and_of_words() {
    same("[] <> p", "G F p");
    same("always eventually p", "G F p");
    same("GF p", "G F p");
    same("GF(p)", "G F p");
    same("p V q", "p R q");
    same("p until q", "p U q");
    same("p release q", "p R q");
    same("p weakuntil q", "p W q");
    same("p strongrelease q", "p M q");
    same("next p", "X p");
    same("p leadsto q", "p ~> q");
    same("p ~> q", "p ~> q");
    same("~p /\\ q \\/ not r", "(!p && q) || !r");
    same("p => q", "p -> q");
    same("p <=> q", "p <-> q");
    same("true U 1 && false", "(true U true) && false");
}

#[test]
fn operators_bind_as_in_spin() {
    same("p U q U r", "(p U q) U r");
    same("p U q V r", "(p U q) R r");
    same("p && q U r", "p && (q U r)");
    same("p || q && r", "p || (q && r)");
    same("! p U q", "!p U q");
    same("[] p U q", "G p U q");
    same("p && q -> r || s", "(p && q) -> (r || s)");
    same("[] (p -> <> q)", "G (p -> F q)");
}

#[test]
fn propositions_are_comparisons_or_anything_in_braces() {
    same("x>3", "x > 3");
    same("[] x>3", "G (x > 3)");
    same("x <-3 && y<- 1", "(x < -3) && (y < -1)");
    same("p<->q", "p <-> q");
    same("P[2]@label", "P[2]@label");
    same("(x + 1) * 2 >= y U q", "((x + 1) * 2 >= y) U q");
    same("(x + 1 >= y)", "x + 1 >= y");
    same("len( q )==N-1", "len(q) == N - 1");
    same("f(a,b)", "f(a, b)");
    same("main:12 && worker::step", "main:12 && worker::step");
    same("s.a[i].b == 0", "s.a[i].b == 0");
    same("G {cs1  && !done}", "G {cs1 && !done}");
    same("{p->x > 3}", "{p->x > 3}");
    same("{x > 3}", "x > 3");
    same("{G}", "{G}");
    same("cs1 && !done", "cs1 && !done");
}

#[test]
fn errors_have_a_place_and_help() {
    refused("", 0, "expected a proposition or a formula, found the end of the formula", "G F X");
    refused("G (p", 4, "expected `)`, found the end of the formula", "operators");
    refused("p & q", 2, "expected the end of the formula, found `&`", "`&&`");
    refused("x = 3", 2, "expected the end of the formula, found `=`", "`==`");
    refused("p -> q -> r", 7, "a chain of arrows can be read in two ways", "parentheses");
    refused("0 < x < 3", 6, "comparisons do not chain", "`&&`");
    refused("p U", 3, "expected a proposition or a formula, found the end of the formula", "");
    refused("p U U q", 4, "expected a proposition or a formula, found `U`", "{G}");
    refused("next == 3", 5, "expected a proposition or a formula, found `==`", "is an operator");
    refused("G {p", 2, "expected a proposition or a formula, found `{`", "never closed");
    refused("G { }", 2, "a proposition is empty", "braces");
    refused("p q", 2, "expected the end of the formula, found `q`", "braces");
    let deep = format!("{}p{}", "(".repeat(500), ")".repeat(500));
    refused(&deep, 100, "parentheses are nested too deeply", "remove");
    refused(&"p && ".repeat(3000), 0, "the formula is too long", "split");
}

#[test]
fn next_is_seen_anywhere() {
    let has = |text: &str| parse(text).expect(text).has_next();
    assert!(has("G (p -> X q)"));
    assert!(!has("G (p -> F q)"));
    assert!(!has("{X} U q"));
}

#[test]
fn propositions_are_numbered_as_they_occur() {
    let formula: Formula = parse("(b U a) && x > 3 || b").expect("well formed");
    let names: Vec<String> = formula.propositions().iter().map(|name| name.to_string()).collect();
    assert_eq!(names, ["b", "a", "x > 3"]);
}
