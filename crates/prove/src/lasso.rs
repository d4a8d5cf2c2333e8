//! A candidate: a way to a configuration, and a cycle of the control flow
//! from there.

use crate::concrete::Concrete;
use crate::config::{Config, Step, Traffic};
use crate::domain::Integers;
use crate::run::{Machine, Source};
use crate::stop::Stop;
use crate::words::Flow;

#[derive(Clone, Debug)]
pub(crate) struct Lasso {
    pub stem: Vec<Step>,
    pub cycle: Vec<Step>,
    /// The configuration in which the cycle begins.
    pub start: Config<i64>,
}

/// The first round, as it really goes.
pub(crate) struct Round {
    pub end: Config<i64>,
    pub traffic: Vec<Traffic<i64>>,
}

impl Lasso {
    pub fn first_round(&self, source: Source<'_>) -> Result<Round, Stop> {
        let mut machine = Machine::new(source, Concrete::search(), self.start.clone());
        machine.count_traffic();
        for step in &self.cycle {
            machine.take_step(step)?;
        }
        let traffic = machine.take_traffic();
        Ok(Round { end: machine.config, traffic })
    }

    /// What went through the channels in each of so many rounds, or in fewer if it cannot be run
    /// that often.
    pub fn traffic(
        &self,
        source: Source<'_>,
        integers: Integers,
        count: usize,
    ) -> Vec<Vec<Traffic<i64>>> {
        let domain = Concrete { integers, strict: false };
        let mut machine = Machine::new(source, domain, self.start.clone());
        let mut rounds = Vec::new();
        for _ in 0..count {
            machine.count_traffic();
            if self.cycle.iter().any(|step| machine.take_step(step).is_err()) {
                break;
            }
            rounds.push(machine.take_traffic());
        }
        rounds
    }

    /// The lasso whose cycle goes round several times.
    pub fn power(&self, times: usize) -> Lasso {
        Lasso { cycle: self.cycle.repeat(times), ..self.clone() }
    }

    /// Runs so many rounds and shows the configuration before each. Stops if
    /// the cycle cannot be run that often.
    pub fn visit_rounds(
        &self,
        source: Source<'_>,
        integers: Integers,
        count: usize,
        visit: &mut dyn FnMut(usize, &Config<i64>),
    ) -> Result<(), Stop> {
        let domain = Concrete { integers, strict: false };
        let mut machine = Machine::new(source, domain, self.start.clone());
        let control = self.start.control();
        for round in 0..count {
            visit(round, &machine.config);
            for step in &self.cycle {
                machine.take_step(step)?;
            }
            if machine.config.control() != control {
                return Err(Stop::NotEnabled);
            }
        }
        Ok(())
    }
}

impl Round {
    /// What the round did to a channel.
    pub fn flow(&self, start: &Config<i64>, channel: usize) -> Flow {
        Flow {
            length: start.channels[channel].messages.len(),
            taken: self.traffic[channel].received.len(),
            added: self.traffic[channel].sent.len(),
        }
    }
}
