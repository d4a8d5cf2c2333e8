//! A proof in the form that `certify` checks.

use exeunt_certify::{
    Bits, Counted, Head, Milestone, OtherHead, Promise, Rest, Sum, THREAD_FORMAT, THREAD_KIND,
    ThreadCertificate, Width,
};
use exeunt_counter::{Mode, NodeId, System};
use exeunt_smt::{Atom, BitOp, Formula, Int, Term};

use crate::agreement::Agreement;
use crate::answer::Options;
use crate::invariant::Invariants;
use crate::negotiate::Proof;
use crate::rank::Ranking;
use crate::tell;

/// `None` if a number is too large for a certificate.
pub(crate) fn certificate(
    system: &System,
    proof: &Proof,
    options: &Options<'_>,
) -> Option<ThreadCertificate> {
    let wish = options.wish;
    Some(ThreadCertificate {
        exeunt: THREAD_KIND.to_string(),
        format: THREAD_FORMAT,
        version: options.version.to_string(),
        files: options.files.to_vec(),
        clang: options.clang.to_vec(),
        thread: wish.thread.clone(),
        beside: wish.beside.clone(),
        locks: wish.locks.clone(),
        unlocks: wish.unlocks.clone(),
        pure: wish.pure.clone(),
        list_push: wish.list_push.clone(),
        list_pop: wish.list_pop.clone(),
        list_empty: wish.list_empty.clone(),
        integers: match options.integers {
            exeunt_counter::Integers::Exact => Width::Exact,
            exeunt_counter::Integers::Mathematical => Width::Mathematical,
        },
        always: inequalities(system, &proof.common.facts)?,
        laws: proof.common.laws.iter().map(|law| sum(system, law)).collect::<Option<_>>()?,
        agreement: agreement(system, &proof.agreement)?,
        relies: proof
            .common
            .relies
            .iter()
            .map(|promised| agreement(system, promised))
            .collect::<Option<_>>()?,
        heads: heads(system, 0, &proof.ranking, &proof.invariants, &proof.goes_on)?,
        others: proof.others.iter().map(|facts| others(system, facts)).collect::<Option<_>>()?,
        milestones: proof
            .milestones
            .iter()
            .map(|one| milestone(system, one))
            .collect::<Option<_>>()?,
    })
}

fn milestone(system: &System, one: &crate::fair::Milestone) -> Option<Milestone> {
    Some(Milestone {
        goal: inequality(system, &one.goal)?,
        thread: u32::try_from(one.thread).ok()?,
        heads: heads(system, one.thread, &one.ranking, &one.invariants, &Invariants::new())?,
    })
}

fn agreement(system: &System, agreement: &Agreement) -> Option<Vec<Promise>> {
    let clauses = agreement.clauses.iter().map(|clause| {
        let while_held = clause.while_held.iter();
        Some(Promise {
            text: tell::clause(system, clause),
            measure: sum(system, &clause.measure)?,
            while_held: while_held.map(|(lock, mode)| (lock.0, *mode == Mode::Exclusive)).collect(),
            when: inequalities(system, &clause.when.facts)?,
            side: clause.when.side,
        })
    });
    clauses.collect()
}

fn heads(
    system: &System,
    thread: usize,
    ranking: &Ranking,
    invariants: &Invariants,
    goes_on: &Invariants,
) -> Option<Vec<Head>> {
    let heads = ranking.iter().map(|(node, levels)| {
        let level = |phases: &Vec<Term>| phases.iter().map(|term| sum(system, term)).collect();
        Some(Head {
            node: node.0,
            place: tell::place(system, thread, *node),
            invariant: facts(system, invariants, *node)?,
            goes_on: facts(system, goes_on, *node)?,
            ranking: levels.iter().map(level).collect::<Option<_>>()?,
        })
    });
    heads.collect()
}

fn others(system: &System, known: &Invariants) -> Option<Vec<OtherHead>> {
    let heads = known
        .keys()
        .map(|node| Some(OtherHead { node: node.0, invariant: facts(system, known, *node)? }));
    heads.collect()
}

fn facts(system: &System, known: &Invariants, node: NodeId) -> Option<Vec<Sum>> {
    inequalities(system, known.get(&node).map_or(&[], Vec::as_slice))
}

fn inequalities(system: &System, facts: &[Formula]) -> Option<Vec<Sum>> {
    facts.iter().map(|fact| inequality(system, fact)).collect()
}

fn inequality(system: &System, fact: &Formula) -> Option<Sum> {
    match fact {
        Formula::NonNegative(term) => sum(system, term),
        Formula::True
        | Formula::False
        | Formula::Zero(_)
        | Formula::NonZero(_)
        | Formula::And(_)
        | Formula::Or(_) => None,
    }
}

fn sum(system: &System, term: &Term) -> Option<Sum> {
    let (mut parts, mut bits, mut rests) = (Vec::new(), Vec::new(), Vec::new());
    for (atom, factor) in term.parts() {
        let factor = i64::try_from(factor).ok()?;
        match atom {
            Atom::Var(var) => parts.push((factor, var.0)),
            Atom::Bits(op, width, a, _) => {
                let of = match op {
                    BitOp::Ones => Counted::Ones,
                    BitOp::LowZeros => Counted::LowZeros,
                    BitOp::HighZeros => Counted::HighZeros,
                    BitOp::And | BitOp::Or | BitOp::Xor | BitOp::Left | BitOp::Right => {
                        return None;
                    }
                };
                bits.push(Bits { factor, of, width: *width, var: a.as_var()?.0 });
            }
            Atom::Remainder(inner, round) if round.count_ones() == 1 => {
                let width = round.trailing_zeros() as u8;
                rests.push(Rest { factor, width, of: plain(inner)?, number: small(inner)? });
            }
            Atom::Product(..) | Atom::Quotient(..) | Atom::Remainder(..) | Atom::Choice(..) => {
                return None;
            }
        }
    }
    // Larger numbers have no place in JSON.
    let number = term.constant();
    let fits = i64::try_from(number).is_ok() || u64::try_from(number).is_ok();
    fits.then(|| Sum { text: tell::term(system, term), number, parts, bits, rests })
}

/// The parts of a sum of variables.
fn plain(term: &Term) -> Option<Vec<(i64, u32)>> {
    let part = |(atom, factor): (&Atom, Int)| match atom {
        Atom::Var(var) => Some((i64::try_from(factor).ok()?, var.0)),
        Atom::Product(..)
        | Atom::Quotient(..)
        | Atom::Remainder(..)
        | Atom::Choice(..)
        | Atom::Bits(..) => None,
    };
    term.parts().map(part).collect()
}

/// The number in a sum.
fn small(term: &Term) -> Option<u64> {
    u64::try_from(term.constant()).ok()
}
