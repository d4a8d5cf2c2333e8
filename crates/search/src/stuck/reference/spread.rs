//! Workers that share nothing judge and count as one search in order does.

use exeunt_model::{Basis, Model, Verdict};
use exeunt_random::Random;

use super::toy::Toy;
use crate::check::check;
use crate::options::{Options, SectionFilter};
use crate::replay::replay;
use crate::spread::table::{check_at_table, check_until};

#[test]
fn cluster_of_threads_agrees_with_one_search() {
    let mut random = Random::from_state(0x5eed_0018);
    let (mut holds, mut choosing, mut ended) = (0, 0, 0);
    for round in 0..1500 {
        let nodes = 2 + random.below(14);
        let toy = Toy::random(&mut random, nodes, round % 3 != 0);
        let options = Options {
            termination: round % 4 == 1,
            sections: match round % 8 {
                2 => SectionFilter::default(),
                _ => SectionFilter::all(),
            },
            ..Options::default()
        };
        let alone = check(&mut *toy.open(Basis::Learnt), &options, &mut |_| {});
        for peers in [1, 2, 4] {
            let spread = check_at_table(&toy, &options, peers);
            let context = format!("round {round}, {peers} workers: {toy:?}");
            assert_eq!(spread.verdict, alone.verdict, "{context}");
            if alone.verdict == Verdict::Holds {
                let (found, expected) = (&spread.statistics, &alone.statistics);
                assert_eq!(found.states, expected.states, "{context}");
                assert_eq!(found.transitions, expected.transitions, "{context}");
                assert_eq!(found.revisits, expected.revisits, "{context}");
                let exchanged = |remark: &&String| remark.contains("exchanged");
                let remarks: Vec<_> = spread.remarks.iter().filter(|r| !exchanged(r)).collect();
                if !toy.chooses() {
                    assert_eq!(remarks, alone.remarks.iter().collect::<Vec<_>>(), "{context}");
                }
                assert_eq!(spread.reason, alone.reason, "{context}");
            } else {
                let violation = &spread.violations[0];
                let schedule = &violation.trace.schedule;
                let (session, cycle) = (toy.open(Basis::Nothing), violation.trace.cycle_start);
                let again = replay(&*session, &options, schedule, cycle).expect("it replays");
                assert_eq!(again.violations[0].property, violation.property, "{context}");
            }
        }
        holds += u32::from(alone.verdict == Verdict::Holds);
        choosing += u32::from(alone.verdict == Verdict::Holds && toy.chooses());
        ended += u32::from(alone.verdict == Verdict::Holds && !alone.remarks.is_empty());
    }
    assert!((200..1300).contains(&holds), "{holds} of 1500 models hold");
    assert!(choosing > 50 && ended > 20, "{choosing} with choices, {ended} may run for ever");
}

/// Rounds: exploration, the sum of it, and what goes backwards.
#[test]
fn cluster_that_is_interrupted_while_it_judges_says_nothing() {
    let mut random = Random::from_state(0x5eed_0019);
    let mut seen = 0;
    for _ in 0..200 {
        let toy = Toy::random(&mut random, 10, true);
        let options = Options::default();
        if check_at_table(&toy, &options, 2).verdict != Verdict::Holds {
            continue;
        }
        seen += 1;
        for peers in [1, 2, 4] {
            let report = check_until(&toy, &options, peers, 3);
            assert_eq!(report.verdict, Verdict::Inconclusive, "{toy:?}");
            assert!(report.reason.contains("interrupt"), "{}", report.reason);
        }
    }
    assert!(seen > 20, "only {seen} models hold");
}
