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

    /// The configurations before each of so many rounds; fewer if the cycle
    /// cannot be run that often.
    pub fn rounds(
        &self,
        source: Source<'_>,
        integers: Integers,
        count: usize,
    ) -> Result<Vec<Config<i64>>, Stop> {
        let domain = Concrete { integers, strict: false };
        let mut machine = Machine::new(source, domain, self.start.clone());
        let control = self.start.control();
        let mut seen = Vec::new();
        for _ in 0..count {
            seen.push(machine.config.clone());
            for step in &self.cycle {
                machine.take_step(step)?;
            }
            if machine.config.control() != control {
                return Err(Stop::NotEnabled);
            }
        }
        Ok(seen)
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
