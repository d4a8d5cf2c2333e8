//! Certificates that were tampered with prove nothing.

mod support;

use exeunt_certify::{
    Atom, Certificate, Fact, Formula, Integers, Name, Progression, Statement, Term, check,
};
use exeunt_promela::PromelaModel;
use support::{certificate, load, models, prove};

/// The certificate of the first thing expected of a model.
fn proven(name: &str) -> (PromelaModel, Certificate) {
    let path = models().into_iter().find(|path| path.ends_with(format!("{name}.pml")));
    let path = path.expect(name);
    let model = load(&path);
    let expected = support::expectations(&path).remove(0);
    let answer = prove(&model, &expected.options);
    let certificate = certificate(&answer).expect(name).clone();
    check(model.program(), &certificate).expect(name);
    (model, certificate)
}

#[track_caller]
fn refused(model: &PromelaModel, certificate: &Certificate, what: &str) {
    assert!(check(model.program(), certificate).is_err(), "{what} was accepted");
}

const NAMES: [&str; 7] = [
    "figure_2",
    "figure_4",
    "figure_9_pex",
    "fields",
    "rendezvous",
    "processes_come_and_go",
    "timeout_resends",
];

#[test]
fn every_step_counts() {
    for name in NAMES {
        let (model, good) = proven(name);
        for index in 0..good.cycle.len() {
            let mut bad = good.clone();
            bad.cycle.remove(index);
            refused(&model, &bad, &format!("{name} without step {index}"));
            let mut bad = good.clone();
            bad.cycle[index].by.text.push('!');
            refused(&model, &bad, &format!("{name} with another text"));
            let mut bad = good.clone();
            bad.cycle[index].by.choice += 1;
            refused(&model, &bad, &format!("{name} with another choice"));
            let mut bad = good.clone();
            bad.cycle[index].by.process += 1;
            refused(&model, &bad, &format!("{name} with another process"));
        }
        let mut bad = good.clone();
        bad.cycle.clear();
        refused(&model, &bad, &format!("{name} without a cycle"));
    }
}

/// What `--all` lists is proven each by a certificate of its own, which none of the others replaces.
#[test]
fn every_certificate_of_all_cycles_counts() {
    let (_folder, path) = support::several_cycles();
    let model = load(&path);
    let options = exeunt_prove::Options { all: true, max_states: 3_000, ..Default::default() };
    let answer = prove(&model, &options);
    let first = certificate(&answer).expect("the first").clone();
    let all: Vec<Certificate> = std::iter::once(first).chain(answer.others.clone()).collect();
    assert!(all.len() >= 3, "only {} cycles", all.len());
    let mut refusals = 0;
    let mut no = |bad: &Certificate, what: &str| {
        refused(&model, bad, what);
        refusals += 1;
    };
    for (number, good) in all.iter().enumerate() {
        check(model.program(), good).expect("it is right");
        for step in 0..good.cycle.len() {
            let mut bad = good.clone();
            bad.cycle[step].by.text.push('!');
            no(&bad, &format!("cycle {number} with another text"));
            let mut bad = good.clone();
            bad.cycle[step].by.process += 7;
            no(&bad, &format!("cycle {number} with another process"));
        }
        for growth in 0..good.growth.len() {
            let mut bad = good.clone();
            bad.growth[growth].by += 1;
            no(&bad, &format!("cycle {number} with another growth"));
        }
        for channel in 0..good.channels.len() {
            let mut bad = good.clone();
            bad.channels[channel].adds += 1;
            no(&bad, &format!("cycle {number} with more messages"));
            let mut bad = good.clone();
            bad.channels[channel].length += 1;
            no(&bad, &format!("cycle {number} with a longer channel"));
        }
        // The cycle of one with the growth or the channels of another.
        for other in all.iter().filter(|other| other.growth != good.growth) {
            let mut bad = good.clone();
            bad.growth = other.growth.clone();
            if !other.growth.iter().all(|growth| good.growth.contains(growth)) {
                no(&bad, &format!("cycle {number} with the growth of another"));
            }
            if good.channels != other.channels {
                let mut bad = good.clone();
                bad.channels = other.channels.clone();
                no(&bad, &format!("cycle {number} with the channels of another"));
            }
        }
    }
    assert!(refusals > 15, "only {refusals} were tried");
}

#[test]
fn neighbouring_steps_of_one_process_cannot_be_swapped() {
    let (model, good) = proven("figure_2");
    let mut swapped = 0;
    for index in 1..good.cycle.len() {
        if good.cycle[index].by.process == good.cycle[index - 1].by.process {
            let mut bad = good.clone();
            bad.cycle.swap(index - 1, index);
            refused(&model, &bad, &format!("steps {index} swapped"));
            swapped += 1;
        }
    }
    assert!(swapped > 5);
}

#[test]
fn every_fact_counts() {
    let mut facts = 0;
    for name in ["figure_2", "figure_4", "figure_9_pex", "difference", "parity", "refined"] {
        let (model, good) = proven(name);
        for index in 0..good.invariant.len() {
            let mut bad = good.clone();
            let dropped = bad.invariant.remove(index);
            refused(&model, &bad, &format!("{name} without {}", dropped.text));
            facts += 1;
        }
    }
    assert!(facts > 8, "only {facts} facts");
}

#[test]
fn weaker_and_stronger_bounds_are_noticed() {
    let (model, good) = proven("figure_2");
    for index in 0..good.invariant.len() {
        for by in [1, -1] {
            let mut bad = good.clone();
            let Formula::NonNegative(term) = &mut bad.invariant[index].formula else { continue };
            term.number += by;
            // One way the guards do not follow, the other way it does not
            // hold at first.
            refused(&model, &bad, &format!("{} moved by {by}", good.invariant[index].text));
        }
    }
}

#[test]
fn a_false_fact_proves_nothing() {
    let nonsense = Fact { text: "false".into(), formula: Formula::False };
    let (model, mut bad) = proven("figure_9_pex");
    bad.invariant.push(nonsense.clone());
    refused(&model, &bad, "a false invariant");
    for name in ["figure_9_pex", "figure_2", "figure_4"] {
        let (model, good) = proven(name);
        for channel in 0..good.channels.len() {
            for class in 0..good.channels[channel].classes.len() {
                let mut bad = good.clone();
                bad.channels[channel].classes[class].facts.push(nonsense.clone());
                refused(&model, &bad, &format!("{name} with a false class"));
            }
        }
    }
}

#[test]
fn messages_cannot_be_exchanged() {
    let (model, good) = proven("figure_2");
    let mut bad = good.clone();
    bad.channels[0].classes.swap(0, 1);
    refused(&model, &bad, "classes swapped");
    let mut bad = good.clone();
    bad.channels[0].classes[0].fields[0] = Some(9);
    refused(&model, &bad, "another message");
    let mut bad = good.clone();
    bad.channels[0].classes[0].fields[0] = None;
    refused(&model, &bad, "any message");
    let mut bad = good.clone();
    bad.channels[0].classes.truncate(1);
    refused(&model, &bad, "too few classes");
}

#[test]
fn lengths_are_counted() {
    let (model, good) = proven("figure_2");
    let changes: [fn(&mut Certificate); 6] = [
        |bad| bad.channels[0].length += 3,
        |bad| bad.channels[0].takes += 3,
        |bad| bad.channels[0].adds += 3,
        |bad| bad.channels[0].channel = 0,
        |bad| bad.channels[0].channel = 99,
        |bad| bad.channels.clear(),
    ];
    for (index, change) in changes.iter().enumerate() {
        let mut bad = good.clone();
        change(&mut bad);
        refused(&model, &bad, &format!("change {index}"));
    }
    let mut bad = good.clone();
    bad.channels.push(good.channels[0].clone());
    refused(&model, &bad, "a channel twice");
}

#[test]
fn what_lies_in_channels_is_counted() {
    let (other_model, other) = proven("random_receive");
    let (model, good) = proven("sorted_served");
    let changes: [fn(&mut Certificate); 9] = [
        |bad| bad.bags[0].length += 1,
        |bad| bad.bags[0].takes += 1,
        |bad| bad.bags[0].adds += 1,
        |bad| bad.bags[0].channel = 99,
        |bad| bad.bags[0].grows.clear(),
        // Something smaller than what is received could come to the front.
        |bad| bad.bags[0].grows.push(vec![0, 0]),
        |bad| bad.bags[0].grows[0][0] += 1,
        |bad| bad.bags.push(bad.bags[0].clone()),
        |bad| bad.bags.clear(),
    ];
    for (index, change) in changes.iter().enumerate() {
        let mut bad = good.clone();
        change(&mut bad);
        refused(&model, &bad, &format!("change {index}"));
    }
    // More of what is taken does no harm, more of something else that fits would.
    let mut fair = other.clone();
    fair.bags[0].grows.push(vec![1]);
    assert!(exeunt_certify::check(other_model.program(), &fair).is_ok(), "ones may be left");
    let mut bad = other;
    bad.bags[0].grows = vec![vec![1]];
    refused(&other_model, &bad, "the zeros grow");
}

#[test]
fn priorities_are_obeyed_by_certificates() {
    let (model, good) = proven("priorities");
    let mut bad = good.clone();
    // The consumer would have to wait for the producer.
    let consumer = bad.cycle[0].by.clone();
    let producer = good.cycle[0].clone();
    let statement = exeunt_certify::Statement {
        process: 1,
        proctype: "Consumer".into(),
        state: consumer.state,
        choice: 0,
        text: "c?_".into(),
    };
    bad.cycle =
        vec![producer, exeunt_certify::Move { by: statement, partner: None, timeout: false }];
    refused(&model, &bad, "the consumer goes first");
}

#[test]
fn numbers_in_a_row_are_counted() {
    for name in ["numbers_in_a_row", "numbers_wrap", "numbers_in_classes", "numbers_narrow"] {
        let (model, good) = proven(name);
        let growing = good
            .channels
            .iter()
            .position(|growing| growing.classes.iter().any(|class| !class.progressions.is_empty()));
        let growing = growing.expect("messages with numbers in a row");
        let changes: [fn(&mut Progression); 7] = [
            |row| row.step += 1,
            |row| row.step = i64::MAX,
            |row| row.base.number += 1,
            |row| row.base.sum.clear(),
            |row| row.field += 7,
            |row| row.bits = 0,
            |row| row.bits = row.bits / 4 + 1,
        ];
        for (index, change) in changes.iter().enumerate() {
            let mut bad = good.clone();
            change(&mut bad.channels[growing].classes[0].progressions[0]);
            refused(&model, &bad, &format!("{name}, change {index}"));
        }
        let mut bad = good.clone();
        bad.channels[growing].classes[0].progressions.clear();
        refused(&model, &bad, &format!("{name} with any numbers"));
    }
}

#[test]
fn growth_is_not_taken_on_trust() {
    let (model, good) = proven("figure_2");
    for index in 0..good.growth.len() {
        let mut bad = good.clone();
        bad.growth[index].by += 1;
        refused(&model, &bad, &good.growth[index].text);
        let mut bad = good.clone();
        bad.growth[index].by = 0;
        refused(&model, &bad, "growth by nothing");
    }
    let mut bad = good.clone();
    bad.growth[0].name = Name::Global("nowhere".into());
    refused(&model, &bad, "growth of nothing");
}

#[test]
fn the_width_of_an_int_matters() {
    let (model, mut bad) = proven("figure_2");
    assert_eq!(bad.integers, Integers::Ideal);
    bad.integers = Integers::Exact;
    refused(&model, &bad, "32 bits");
}

#[test]
fn what_is_fixed_is_checked() {
    let (model, good) = proven("credits");
    assert!(!good.fixed.is_empty());
    for index in 0..good.fixed.len() {
        let mut bad = good.clone();
        bad.fixed[index].1 += 1;
        refused(&model, &bad, &format!("{:?}", good.fixed[index]));
    }
}

#[test]
fn a_certificate_is_for_its_model_only() {
    let (_, certificate) = proven("figure_2");
    let (other, _) = proven("figure_9_pex");
    refused(&other, &certificate, "another model");
}

/// Numbers that nobody would write must not break the checker.
#[test]
fn absurd_certificates_are_refused_quietly() {
    let (model, good) = proven("figure_2");
    let huge = Term { number: i64::MAX, sum: vec![(i64::MAX, Atom::Value(Name::Length(1)))] };
    let twice = Term {
        number: 0,
        sum: vec![(i64::MAX, Atom::Product(Box::new(huge.clone()), Box::new(huge.clone())))],
    };
    for term in [
        huge,
        twice,
        Term {
            number: 0,
            sum: vec![(1, Atom::Quotient(Box::new(Term { number: 1, sum: Vec::new() }), 0))],
        },
    ] {
        let mut bad = good.clone();
        bad.invariant.push(Fact { text: "huge".into(), formula: Formula::Zero(term) });
        refused(&model, &bad, "a huge number");
    }
    let mut bad = good.clone();
    let nobody = Statement { process: 77, ..good.cycle[0].by.clone() };
    bad.cycle[0].partner = Some(nobody);
    refused(&model, &bad, "a partner that is not there");
    let mut bad = good.clone();
    bad.cycle[0].by.state = u16::MAX;
    refused(&model, &bad, "a state that is not there");
}
