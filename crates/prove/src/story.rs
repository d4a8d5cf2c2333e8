//! A lasso as a trace that people can read.

use exeunt_model::{ActorId, Event, Noun, Schedule, Trace, TraceStep};

use crate::concrete::Concrete;
use crate::config::{Config, Step};
use crate::names;
use crate::proof::Proof;
use crate::run::{Machine, Source};

/// The configuration before each step of the stem and of the first round.
pub(crate) fn configs(source: Source<'_>, proof: &Proof) -> Vec<Config<i64>> {
    let mut machine = Machine::initial(source, Concrete::search()).expect("the search began here");
    let mut configs = Vec::new();
    for step in proof.lasso.stem.iter().chain(&proof.lasso.cycle) {
        configs.push(machine.config.clone());
        machine.take_step(step).expect("the search made this step");
    }
    configs
}

pub(crate) fn trace(source: Source<'_>, proof: &Proof) -> Trace {
    let configs = configs(source, proof);
    let steps = proof.lasso.stem.iter().chain(&proof.lasso.cycle);
    let told = steps.zip(&configs).map(|(step, config)| told(source, config, step)).collect();
    let most = configs.iter().max_by_key(|config| config.processes.len());
    let processes = most.map_or(&[][..], |config| &config.processes);
    let actors =
        processes.iter().map(|process| source.program.procs[process.proc.0 as usize].name.clone());
    Trace {
        schedule: Schedule::default(),
        steps: told,
        noun: Noun::Process,
        actors: actors.map(|name| name.to_string()).collect(),
        cycle_start: Some(proof.lasso.stem.len()),
        ..Trace::default()
    }
}

fn told(source: Source<'_>, config: &Config<i64>, step: &Step) -> TraceStep {
    let site = names::text_of(source.program, config, step);
    let did = |site: &exeunt_promela::Site| Event::Did {
        location: site.location.clone(),
        text: site.text.to_string().into(),
    };
    let mut events = vec![did(site)];
    if let Some(theirs) = step.theirs(config) {
        events.push(did(names::text_of(source.program, config, &theirs)));
    }
    TraceStep {
        actor: ActorId(step.pid),
        location: Some(site.location.clone()),
        action: site.text.to_string(),
        callers: Vec::new(),
        events,
    }
}
