//! A proof in the form that `certify` checks.

use exeunt_certify::{
    Head, OtherHead, Promise, Sum, THREAD_FORMAT, THREAD_KIND, ThreadCertificate, Width,
};
use exeunt_counter::{Mode, NodeId, System};
use exeunt_smt::{Atom, Formula, Term};

use crate::answer::Options;
use crate::invariant::Invariants;
use crate::negotiate::Proof;
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
        integers: match options.integers {
            exeunt_counter::Integers::Exact => Width::Exact,
            exeunt_counter::Integers::Mathematical => Width::Mathematical,
        },
        always: proof.always.iter().map(|fact| inequality(system, fact)).collect::<Option<_>>()?,
        agreement: agreement(system, proof)?,
        heads: heads(system, proof)?,
        others: proof.others.iter().map(|facts| others(system, facts)).collect::<Option<_>>()?,
    })
}

fn agreement(system: &System, proof: &Proof) -> Option<Vec<Promise>> {
    let clauses = proof.agreement.clauses.iter().map(|clause| {
        let while_held = clause.while_held.iter();
        Some(Promise {
            text: tell::clause(system, clause),
            measure: sum(system, &clause.measure)?,
            while_held: while_held.map(|(lock, mode)| (lock.0, *mode == Mode::Exclusive)).collect(),
        })
    });
    clauses.collect()
}

fn heads(system: &System, proof: &Proof) -> Option<Vec<Head>> {
    let heads = proof.ranking.iter().map(|(node, ranking)| {
        Some(Head {
            node: node.0,
            place: tell::place(system, *node),
            invariant: facts(system, &proof.invariants, *node)?,
            ranking: ranking.iter().map(|term| sum(system, term)).collect::<Option<_>>()?,
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
    known.get(&node).into_iter().flatten().map(|fact| inequality(system, fact)).collect()
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
    let mut parts = Vec::new();
    for (atom, factor) in term.parts() {
        let Atom::Var(var) = atom else { return None };
        parts.push((i64::try_from(factor).ok()?, var.0));
    }
    let number = i64::try_from(term.constant()).ok()?;
    Some(Sum { text: tell::term(system, term), number, parts })
}
