//! The text forms of automata.

use exeunt_ltl::{Automaton, Buchi, parse};

#[test]
fn a_never_claim() {
    let buchi = Buchi::of(&parse("!G (x > 3 -> F q)").expect("well formed")).expect("small");
    let expected = "\
never { /* !G ((x > 3) -> F q) */
T0_init:
\tdo
\t:: (true) -> goto T0_init
\t:: ((x > 3) && !(q)) -> goto accept_S1
\tod;
accept_S1:
\tdo
\t:: (!(q)) -> goto accept_S1
\tod;
}
";
    assert_eq!(buchi.never_claim("!G ((x > 3) -> F q)"), expected);
}

#[test]
fn an_empty_claim_blocks() {
    let buchi = Buchi::of(&parse("p && !p").expect("well formed")).expect("small");
    assert!(buchi.is_empty());
    assert_eq!(buchi.never_claim("p && !p"), "never { /* p && !p */\nT0_init:\n\tfalse;\n}\n");
}

#[test]
fn generalised_acceptance_in_hoa() {
    let formula = parse("GF p && GF {a \"b\"}").expect("well formed");
    let expected = r#"HOA: v1
name: "fair"
tool: "exeunt"
States: 1
Start: 0
AP: 2 "p" "a \"b\""
acc-name: generalized-Buchi 2
Acceptance: 2 Inf(0)&Inf(1)
properties: trans-labels explicit-labels trans-acc
--BODY--
State: 0
[t] 0
[0] 0 {0}
[1] 0 {1}
[0&1] 0 {0 1}
--END--
"#;
    assert_eq!(Automaton::of(&formula).expect("small").hoa("fair"), expected);
}

#[test]
fn states_accept_in_hoa() {
    let formula = parse("p U q").expect("well formed");
    let expected = r#"HOA: v1
name: "p U q"
tool: "exeunt"
States: 2
Start: 0
AP: 2 "p" "q"
acc-name: Buchi
Acceptance: 1 Inf(0)
properties: trans-labels explicit-labels state-acc
--BODY--
State: 0
[0] 0
[1] 1
State: 1 {0}
[t] 1
--END--
"#;
    assert_eq!(Buchi::of(&formula).expect("small").hoa("p U q"), expected);
}

#[test]
fn what_is_too_large_says_so_and_soon() {
    let fair = |n: usize| (0..n).map(|i| format!("(GF a{i} -> GF b{i})")).collect::<Vec<_>>();
    let text = format!("!({})", fair(3).join(" && "));
    assert!(Buchi::of(&parse(&text).expect("well formed")).is_ok());
    let many: Vec<String> = (0..65).map(|i| format!("p{i}")).collect();
    let error = Automaton::of(&parse(&many.join(" || ")).expect("well formed")).unwrap_err();
    assert!(error.to_string().contains("65 propositions"), "{error}");
    let untils: Vec<String> = (0..30).map(|i| format!("F p{i}")).collect();
    assert!(Automaton::of(&parse(&untils.join(" && ")).expect("well formed")).is_err());
}
