//! Certificates with mistakes that a checker must find.

use exeunt_certify::{Bits, Sum, ThreadCertificate, check_thread};
use exeunt_counter::System;

/// A mistake that the checker does not find.
pub(crate) fn accepted(system: &System, good: &ThreadCertificate) -> Option<&'static str> {
    check_thread(system, good).expect("a certificate of a proof is accepted");
    mutations(good)
        .into_iter()
        .find(|(_, bad)| bad != good && check_thread(system, bad).is_ok())
        .map(|(what, _)| what)
}

fn mutations(good: &ThreadCertificate) -> Vec<(&'static str, ThreadCertificate)> {
    let mut all = Vec::new();
    let mut add = |what, change: &dyn Fn(&mut ThreadCertificate)| {
        let mut bad = good.clone();
        change(&mut bad);
        all.push((what, bad));
    };
    let ranked = good.heads.iter().any(|head| !head.ranking.is_empty());
    if ranked {
        add("nothing falls", &|bad| {
            for sum in bad.heads.iter_mut().flat_map(|head| head.ranking.iter_mut().flatten()) {
                (sum.number, sum.parts, sum.bits) = (0, Vec::new(), Vec::new());
                sum.rests.clear();
            }
        });
        add("ranking functions are missing", &|bad| {
            bad.heads.iter_mut().for_each(|head| head.ranking.clear());
        });
        add("ranking functions have the wrong sign", &|bad| {
            for sum in bad.heads.iter_mut().flat_map(|head| head.ranking.iter_mut().flatten()) {
                sum.parts.iter_mut().for_each(|(factor, _)| *factor = -*factor);
                sum.bits.iter_mut().for_each(|bits| bits.factor = -bits.factor);
                sum.rests.iter_mut().for_each(|rest| rest.factor = -rest.factor);
                sum.number = -sum.number - 1;
            }
        });
        let counts = |bad: &mut ThreadCertificate, change: &dyn Fn(&mut Bits)| {
            let levels = bad.heads.iter_mut().flat_map(|head| head.ranking.iter_mut().flatten());
            levels.flat_map(|sum| &mut sum.bits).for_each(change);
        };
        add("bits are counted that no variable has", &|bad| counts(bad, &|bits| bits.width = 0));
        add("bits of an unknown variable are counted", &|bad| {
            counts(bad, &|bits| bits.var = 1_000_000);
        });
    }
    if !good.heads.is_empty() {
        add("a loop head is missing", &|bad| {
            bad.heads.pop();
        });
        add("something false is said of a loop head", &|bad| {
            let nothing = Sum {
                text: String::new(),
                number: -1,
                parts: Vec::new(),
                bits: Vec::new(),
                rests: Vec::new(),
            };
            bad.heads[0].invariant.push(nothing);
        });
        add("no round follows another", &|bad| {
            let nothing = Sum {
                text: String::new(),
                number: -1,
                parts: Vec::new(),
                bits: Vec::new(),
                rests: Vec::new(),
            };
            let ranked = bad.heads.iter_mut().filter(|head| !head.ranking.is_empty());
            ranked.for_each(|head| head.goes_on.push(nothing.clone()));
        });
        add("a place does not exist", &|bad| bad.heads[0].node = 1_000_000);
    }
    if let Some(fact) = good.always.first() {
        add("something is true at all times that is not", &|bad| {
            let parts = fact.parts.iter().map(|(factor, var)| (-factor, *var)).collect();
            let number = -fact.number - 1;
            bad.always.push(Sum {
                text: String::new(),
                number,
                parts,
                bits: Vec::new(),
                rests: Vec::new(),
            });
        });
    }
    if !good.agreement.is_empty() {
        add("the agreement is missing", &|bad| bad.agreement.clear());
    }
    if good.agreement.iter().any(|promise| !promise.while_held.is_empty()) {
        add("the agreement does not need the lock", &|bad| {
            bad.agreement.iter_mut().for_each(|promise| promise.while_held.clear());
        });
    }
    if good.agreement.iter().any(|promise| !promise.when.is_empty()) {
        add("the agreement does not need its condition", &|bad| {
            bad.agreement.iter_mut().for_each(|promise| promise.when.clear());
        });
    }
    for law in &good.laws {
        let parts: Vec<(i64, u32)> = law.parts.iter().map(|(f, var)| (-f, *var)).collect();
        // A variable that is written may still never change.
        if good.laws.iter().all(|other| other.parts != parts) {
            add("a law is also the opposite", &|bad| {
                let (text, number) = (String::new(), -law.number);
                bad.laws.push(Sum {
                    text,
                    number,
                    parts: parts.clone(),
                    bits: Vec::new(),
                    rests: Vec::new(),
                });
            });
        }
    }
    if !good.relies.is_empty() {
        add("it is not said what is promised to a thread", &|bad| {
            bad.relies.pop();
        });
    }
    for (index, _) in good.milestones.iter().enumerate() {
        add("a milestone is the opposite", &|bad| {
            let goal = &mut bad.milestones[index].goal;
            goal.parts.iter_mut().for_each(|(factor, _)| *factor = -*factor);
            goal.number = -goal.number - 1;
        });
        add("a milestone is reached by the thread itself", &|bad| {
            bad.milestones[index].thread = 0;
        });
        add("a milestone is missing", &|bad| {
            bad.milestones.remove(index);
        });
        add("a milestone is reached by nobody", &|bad| bad.milestones[index].thread = 1_000);
    }
    if !good.others.is_empty() {
        add("a thread is missing", &|bad| {
            bad.others.pop();
        });
    }
    all
}
