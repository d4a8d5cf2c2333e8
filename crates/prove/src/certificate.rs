//! A proof in the form that the checker reads.

use std::collections::BTreeMap;

use exeunt_certify as certify;
use exeunt_promela::code::Width;
use exeunt_smt::{Atom, Formula, Int, Term, Var};

use crate::config::{Config, Step};
use crate::domain::Integers;
use crate::invariant::{About, Fact};
use crate::names::{self, Names};
use crate::proof::Proof;
use crate::run::Source;
use crate::story;
use crate::summary::{Class, Place};

/// The certificate of a proof; `None` if a number does not fit into it.
pub(crate) fn certificate(
    source: Source<'_>,
    proof: &Proof,
    model: certify::ModelFile,
    version: &str,
) -> Option<certify::Certificate> {
    let names = Names::new(source, &proof.lasso.start);
    let writer = Writer::new(proof, &names);
    let configs = story::configs(source, proof);
    let moves = |steps: &[Step], from: usize| -> Vec<certify::Move> {
        let pairs = steps.iter().zip(&configs[from..]);
        pairs.map(|(step, config)| moved(source, config, step)).collect()
    };
    let fixed = proof.summary.fixed.iter();
    Some(certify::Certificate {
        exeunt: certify::KIND.to_string(),
        format: certify::FORMAT,
        version: version.to_string(),
        model,
        integers: match proof.integers {
            Integers::Exact => certify::Integers::Exact,
            Integers::Ideal => certify::Integers::Ideal,
        },
        stem: moves(&proof.lasso.stem, 0),
        cycle: moves(&proof.lasso.cycle, proof.lasso.stem.len()),
        fixed: fixed.map(|(place, value)| (name(&names, *place), *value)).collect(),
        invariant: writer.facts(About::State)?,
        channels: writer.channels(proof)?,
        bags: writer.bags(proof),
        growth: writer.growth(proof)?,
    })
}

/// Whether the independent checker agrees. Nothing is reported that it does
/// not accept.
pub(crate) fn confirmed(source: Source<'_>, proof: &Proof) -> Result<(), String> {
    let nowhere =
        certify::ModelFile { path: String::new(), sha256: String::new(), defines: Vec::new() };
    let Some(certificate) = certificate(source, proof, nowhere, "") else {
        return Err("a number does not fit into a certificate".to_string());
    };
    match certify::check(source.program, &certificate) {
        Ok(_) => Ok(()),
        Err(wrong) => Err(format!("the checker does not accept the proof: {wrong}")),
    }
}

fn moved(source: Source<'_>, config: &Config<i64>, step: &Step) -> certify::Move {
    certify::Move {
        by: statement(source, config, step),
        partner: step.theirs(config).map(|step| statement(source, config, &step)),
        timeout: step.timeout,
    }
}

fn statement(source: Source<'_>, config: &Config<i64>, step: &Step) -> certify::Statement {
    let proc = config.processes[step.pid as usize].proc;
    certify::Statement {
        process: step.pid,
        proctype: source.program.procs[proc.0 as usize].name.to_string(),
        state: step.state,
        choice: step.transition,
        text: names::text_of(source.program, config, step).text.to_string(),
    }
}

fn name(names: &Names<'_>, place: Place) -> certify::Name {
    match place {
        Place::Global(slot) => certify::Name::Global(names.global(slot).to_string()),
        Place::Local(pid, slot) => certify::Name::Local(pid, names.local(pid, slot).to_string()),
        Place::Field(channel, slot, field) => certify::Name::Message(channel, slot, field),
        Place::Length(channel) => certify::Name::Length(channel),
    }
}

struct Writer<'a> {
    facts: &'a [Fact],
    names: &'a Names<'a>,
    /// Names for people and for the checker.
    texts: BTreeMap<Var, String>,
    vars: BTreeMap<Var, certify::Name>,
}

impl<'a> Writer<'a> {
    fn new(proof: &'a Proof, names: &'a Names<'a>) -> Self {
        let mut vars: BTreeMap<Var, certify::Name> =
            proof.summary.vars.iter().map(|(place, var)| (*var, name(names, *place))).collect();
        for messages in proof.summary.classes.values() {
            for (field, var) in messages.fields.iter().enumerate() {
                if let Err(var) = var {
                    vars.insert(*var, certify::Name::Field(field));
                }
            }
        }
        let texts = names.vars(&proof.summary);
        Writer { facts: &proof.invariant.facts, names, texts, vars }
    }

    fn facts(&self, about: About) -> Option<Vec<certify::Fact>> {
        let own = self.facts.iter().filter(|fact| fact.about == about);
        own.map(|fact| {
            let text = names::shown(&fact.formula, &self.texts);
            Some(certify::Fact { text, formula: self.formula(&fact.formula)? })
        })
        .collect()
    }

    fn channels(&self, proof: &Proof) -> Option<Vec<certify::GrowingChannel>> {
        let flows = proof.summary.flows.iter().enumerate();
        let bags = &proof.summary.bags;
        flows
            .filter(|(channel, flow)| flow.grows() && !bags.contains_key(channel))
            .map(|(channel, flow)| {
                let classes = (0..flow.classes()).map(|class| {
                    let class = Class { channel, class };
                    let messages = &proof.summary.classes[&class];
                    let fields = messages.fields.iter().map(|field| field.ok()).collect();
                    let rows = messages.progressions.iter().map(|row| {
                        let (field, step, base) = (row.field, row.step, self.term(&row.base)?);
                        let Width { bits, signed } = row.width;
                        Some(certify::Progression { field, base, step, bits, signed })
                    });
                    let progressions = rows.collect::<Option<_>>()?;
                    let facts = self.facts(About::Message(class))?;
                    Some(certify::Class { fields, facts, progressions })
                });
                Some(certify::GrowingChannel {
                    channel,
                    name: self.names.channel(channel),
                    length: flow.length,
                    takes: flow.taken,
                    adds: flow.added,
                    classes: classes.collect::<Option<_>>()?,
                })
            })
            .collect()
    }

    fn bags(&self, proof: &Proof) -> Vec<certify::Bag> {
        let bag = |(channel, grows): (&usize, &Vec<Vec<i64>>)| {
            let flow = proof.summary.flows[*channel];
            certify::Bag {
                channel: *channel,
                name: self.names.channel(*channel),
                length: flow.length,
                takes: flow.taken,
                adds: flow.added,
                grows: grows.clone(),
            }
        };
        proof.summary.bags.iter().map(bag).collect()
    }

    fn growth(&self, proof: &Proof) -> Option<Vec<certify::Growth>> {
        let all = proof.growth.iter();
        all.map(|growth| {
            Some(certify::Growth {
                name: name(self.names, growth.place),
                by: i64::try_from(growth.by).ok()?,
                text: crate::tell::growth_text(self.names, growth),
            })
        })
        .collect()
    }

    fn formula(&self, formula: &Formula) -> Option<certify::Formula> {
        let list = |parts: &[Formula]| -> Option<Vec<certify::Formula>> {
            parts.iter().map(|part| self.formula(part)).collect()
        };
        Some(match formula {
            Formula::True => certify::Formula::True,
            Formula::False => certify::Formula::False,
            Formula::NonNegative(term) => certify::Formula::NonNegative(self.term(term)?),
            Formula::Zero(term) => certify::Formula::Zero(self.term(term)?),
            Formula::NonZero(term) => certify::Formula::NonZero(self.term(term)?),
            Formula::And(parts) => certify::Formula::All(list(parts)?),
            Formula::Or(parts) => certify::Formula::Any(list(parts)?),
        })
    }

    fn term(&self, term: &Term) -> Option<certify::Term> {
        let sum = term.parts().map(|(atom, factor)| Some((small(factor)?, self.atom(atom)?)));
        Some(certify::Term { number: small(term.constant())?, sum: sum.collect::<Option<_>>()? })
    }

    fn atom(&self, atom: &Atom) -> Option<certify::Atom> {
        let boxed = |term: &Term| self.term(term).map(Box::new);
        Some(match atom {
            Atom::Var(var) => certify::Atom::Value(self.vars.get(var)?.clone()),
            Atom::Product(a, b) => certify::Atom::Product(boxed(a)?, boxed(b)?),
            Atom::Quotient(a, by) => certify::Atom::Quotient(boxed(a)?, small(*by)?),
            Atom::Remainder(a, by) => certify::Atom::Remainder(boxed(a)?, small(*by)?),
            Atom::Choice(test, yes, no) => {
                let test = Box::new(self.formula(test)?);
                certify::Atom::Choice(test, boxed(yes)?, boxed(no)?)
            }
            // Models of processes have none.
            Atom::Bits(..) => return None,
        })
    }
}

fn small(number: Int) -> Option<i64> {
    i64::try_from(number).ok()
}
