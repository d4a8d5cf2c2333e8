//! Constrained Horn clauses, solved by Z3's Spacer (Komuravelli, Gurfinkel, Chaki, "SMT-based
//! model checking for recursive programs", 2014).
//!
//! A solution gives each predicate a formula such that all clauses hold: an invariant. It is a
//! suggestion: whoever uses it checks it.

use std::collections::BTreeMap;
use std::fmt::Write;

use z3::{FuncDecl, Params, SatResult, Sort};

use crate::answers::Expression;
use crate::{Formula, Term, Var, bits, oracle, settings, text};

/// A predicate with its arguments.
pub type Fact = (usize, Vec<Term>);

/// The body and the constraints imply the head; no head: they cannot hold together.
#[derive(Clone, Debug)]
pub struct Clause {
    pub body: Option<Fact>,
    pub constraints: Vec<Formula>,
    pub head: Option<Fact>,
}

/// How long Spacer is asked.
const MILLISECONDS: u32 = 1_500;

/// For each predicate, by its number of arguments, a formula over `Var(0)`, `Var(1)`…; `None` if
/// none was found.
pub fn solve(arities: &[usize], clauses: &[Clause]) -> Option<Vec<Formula>> {
    let current = settings::current();
    if settings::stopped() || current.settings.solver.is_some() {
        return None;
    }
    let question = question(arities, clauses);
    oracle::dump(&current, || question.clone());
    let solver = z3::Solver::new_for_logic("HORN")?;
    let mut params = Params::new();
    params.set_u32("timeout", MILLISECONDS);
    params.set_u32("random_seed", 1);
    solver.set_params(&params);
    solver.from_string(question);
    if solver.check() != SatResult::Sat {
        return None;
    }
    let model = solver.get_model()?;
    let integer = Sort::int();
    let mut found = Vec::new();
    for (index, arity) in arities.iter().enumerate() {
        let domain = vec![&integer; *arity];
        let name = FuncDecl::new(format!("p{index}"), &domain, &Sort::bool());
        let Some(interpretation) = model.get_func_interp(&name) else {
            found.push(Formula::True);
            continue;
        };
        let body = interpretation.get_else()?.to_string();
        let body = Expression::all(&body)?.into_iter().next()?;
        found.push(formula(&body, &BTreeMap::new())?);
    }
    Some(found)
}

fn question(arities: &[usize], clauses: &[Clause]) -> String {
    let mut text = String::new();
    for (index, arity) in arities.iter().enumerate() {
        let _ = writeln!(text, "(declare-fun p{index} ({}) Bool)", vec!["Int"; *arity].join(" "));
    }
    for clause in clauses.iter().map(loosened) {
        let clause = &clause;
        let mut vars = text::vars(&clause.constraints.iter().collect::<Vec<_>>());
        let facts = || clause.body.iter().chain(&clause.head);
        facts().flat_map(|(_, args)| args).for_each(|term| term.collect_vars(&mut vars));
        let mut parts: Vec<String> = clause.body.iter().map(fact).collect();
        parts.extend(clause.constraints.iter().map(text::formula));
        parts.push("true".into());
        let head = clause.head.as_ref().map_or("false".to_string(), fact);
        let implied = format!("(=> (and {}) {head})", parts.join(" "));
        let names: Vec<String> = vars.iter().map(|v| format!("({} Int)", text::name(*v))).collect();
        let _ = match names.is_empty() {
            true => writeln!(text, "(assert {implied})"),
            false => writeln!(text, "(assert (forall ({}) {implied}))", names.join(" ")),
        };
    }
    text
}

/// The clause with arbitrary numbers for results of operations on bits, within what inequalities say: a solution of it is
/// one of the clause.
fn loosened(clause: &Clause) -> Clause {
    let facts = || clause.body.iter().chain(&clause.head);
    let terms: Vec<&Term> = facts().flat_map(|(_, terms)| terms).collect();
    let constraints: Vec<&Formula> = clause.constraints.iter().collect();
    let (mut constraints, terms) = bits::loosened(&constraints, &terms);
    let mut terms = terms.into_iter();
    let mut again = |fact: &Fact| (fact.0, terms.by_ref().take(fact.1.len()).collect());
    let body = clause.body.as_ref().map(&mut again);
    let head = clause.head.as_ref().map(&mut again);
    constraints.retain(|formula| *formula != Formula::True);
    Clause { body, constraints, head }
}

fn fact((predicate, arguments): &Fact) -> String {
    let arguments: Vec<String> = arguments.iter().map(text::term).collect();
    match arguments.is_empty() {
        true => format!("p{predicate}"),
        false => format!("(p{predicate} {})", arguments.join(" ")),
    }
}

type Names = BTreeMap<String, Expression>;

/// The formula that Z3 wrote; `None` if it has parts that we do not know.
fn formula(expression: &Expression, names: &Names) -> Option<Formula> {
    if let Some(word) = expression.word() {
        return match word {
            "true" => Some(Formula::True),
            "false" => Some(Formula::False),
            name => formula(names.get(name)?, names),
        };
    }
    let [first, rest @ ..] = expression.list() else { return None };
    let each = || rest.iter().map(|part| formula(part, names)).collect::<Option<Vec<Formula>>>();
    let both = || match rest {
        [a, b] => Some((term(a, names)?, term(b, names)?)),
        _ => None,
    };
    match first.word()? {
        "and" => Some(Formula::all(each()?)),
        "or" => Some(each()?.into_iter().fold(Formula::False, Formula::either)),
        "not" => Some(each()?.first()?.negated()),
        ">=" => both().map(|(a, b)| Formula::at_least(&a, &b)),
        "<=" => both().map(|(a, b)| Formula::at_least(&b, &a)),
        ">" => both().map(|(a, b)| Formula::at_least(&a, &b.add(1))),
        "<" => both().map(|(a, b)| Formula::at_least(&b, &a.add(1))),
        "=" => both().map(|(a, b)| Formula::equal(&a, &b)),
        "let" => {
            let [bindings, body] = rest else { return None };
            let mut inner = names.clone();
            for binding in bindings.list() {
                let [name, value] = binding.list() else { return None };
                inner.insert(name.word()?.to_string(), substituted(value, names));
            }
            formula(body, &inner)
        }
        _ => None,
    }
}

/// The expression without names that are bound outside of it.
fn substituted(expression: &Expression, names: &Names) -> Expression {
    match expression {
        Expression::Word(word) => names.get(word).cloned().unwrap_or_else(|| expression.clone()),
        Expression::List(parts) => {
            Expression::List(parts.iter().map(|part| substituted(part, names)).collect())
        }
    }
}

fn term(expression: &Expression, names: &Names) -> Option<Term> {
    if let Some(number) = expression.integer() {
        return Some(Term::number(number));
    }
    if let Some(word) = expression.word() {
        return term(names.get(word)?, names);
    }
    let [first, rest @ ..] = expression.list() else { return None };
    let each = || rest.iter().map(|part| term(part, names)).collect::<Option<Vec<Term>>>();
    match first.word()? {
        ":var" => Some(Term::var(Var(rest.first()?.word()?.parse().ok()?))),
        "+" => Some(each()?.iter().fold(Term::number(0), |sum, part| sum.plus(part))),
        "-" => match each()?.as_slice() {
            [one] => Some(one.times(-1)),
            [one, others @ ..] => Some(others.iter().fold(one.clone(), |sum, o| sum.minus(o))),
            [] => None,
        },
        "*" => Some(each()?.iter().fold(Term::number(1), |all, part| all.product(part))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relation_between_counters_is_found() {
        // p(0, 0); p(i, j) => p(i + 1, j + 2); p(i, j) => not j = 2i + 1
        let (i, j) = (Term::var(Var(10)), Term::var(Var(11)));
        let same = || vec![i.clone(), j.clone()];
        let zero = || vec![Term::number(0), Term::number(0)];
        let clauses = [
            Clause { body: None, constraints: Vec::new(), head: Some((0, zero())) },
            Clause {
                body: Some((0, same())),
                constraints: Vec::new(),
                head: Some((0, vec![i.add(1), j.add(2)])),
            },
            Clause {
                body: Some((0, same())),
                constraints: vec![Formula::equal(&j, &i.times(2).add(1))],
                head: None,
            },
        ];
        let found = solve(&[2], &clauses).expect("a solution").remove(0);
        for round in 0..20 {
            let at = [(Var(0), round), (Var(1), 2 * round)].into_iter().collect();
            assert_eq!(found.holds(&at), Some(true), "{found:?}");
            let at = [(Var(0), round), (Var(1), 2 * round + 1)].into_iter().collect();
            assert_eq!(found.holds(&at), Some(false), "{found:?}");
        }
    }
}
