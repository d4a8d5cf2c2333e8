//! What one step did, thing by thing, in words: shared by all formats for
//! people.

use std::collections::BTreeMap;

use exeunt_model::{Event, Location, Nature, OpenSection, SectionKind, TraceStep};

use crate::words::{noun, printable, quoted};

/// One thing that a step did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) location: Option<Location>,
    pub(crate) text: String,
}

/// Tells steps in their order, and remembers the names of open sections.
#[derive(Debug)]
pub(crate) struct Teller {
    names: BTreeMap<OpenSection, String>,
    /// Also what locks and waits open and close, which the calls tell already.
    all_sections: bool,
    /// Also what the program prints.
    output: bool,
}

impl Teller {
    pub(crate) fn new(all_sections: bool, output: bool) -> Self {
        Teller { names: BTreeMap::new(), all_sections, output }
    }

    /// At least one thing.
    pub(crate) fn tell(&mut self, step: &TraceStep) -> Vec<Told> {
        let mut told: Vec<Told> =
            step.events.iter().filter_map(|event| self.event(event)).collect();
        if told.is_empty() {
            told.push(Told { location: step.location.clone(), text: action(&step.action) });
        }
        told
    }

    fn event(&mut self, event: &Event) -> Option<Told> {
        let at = |location: &Location, text: String| {
            Some(Told { location: Some(location.clone()), text })
        };
        match event {
            Event::Did { location, text } => at(location, action(text)),
            Event::Opened { section, name, location } => {
                self.names.insert(*section, printable(name));
                let text = format!("enters {} `{}`", noun(section.kind), printable(name));
                if self.is_told(section.kind) { at(location, text) } else { None }
            }
            Event::Closed { section, location } => {
                // Waits begin silently: what was not told to begin does not end.
                let name = self.names.remove(section)?;
                let text = format!("leaves {} `{name}`", noun(section.kind));
                if self.is_told(section.kind) { at(location, text) } else { None }
            }
            Event::Output { bytes, .. } if self.output => {
                Some(Told { location: None, text: format!("prints {}", quoted(bytes)) })
            }
            Event::Accessed { .. }
            | Event::Signalled { .. }
            | Event::Output { .. }
            | Event::Freed { .. }
            | Event::Whim { .. }
            | Event::Within { .. } => None,
        }
    }

    fn is_told(&self, kind: SectionKind) -> bool {
        self.all_sections || kind.nature() == Nature::Part
    }
}

fn action(text: &str) -> String {
    if text.is_empty() { "computes".to_string() } else { printable(text) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use exeunt_model::{ActorId, OpenSection};

    fn texts(teller: &mut Teller, step: &TraceStep) -> Vec<String> {
        teller.tell(step).into_iter().map(|told| told.text).collect()
    }

    #[test]
    fn sections_are_left_by_the_name_they_were_entered_with() {
        let section = OpenSection { actor: ActorId(0), slot: 4, kind: SectionKind::User };
        let location = fixture::at(3, 1, "main");
        let mut step = fixture::step(0, 3, "begin");
        step.events.push(Event::Opened {
            section,
            name: "work".into(),
            location: location.clone(),
        });
        let mut teller = Teller::new(false, false);
        assert_eq!(texts(&mut teller, &step), ["begin", "enters section `work`"]);
        step.events = vec![Event::Closed { section, location }];
        step.action = String::new();
        assert_eq!(texts(&mut teller, &step), ["leaves section `work`"]);
    }

    #[test]
    fn locks_are_told_by_their_calls_unless_all_is_asked_for() {
        let section = OpenSection { actor: ActorId(0), slot: 4, kind: SectionKind::Critical };
        let mut step = fixture::step(0, 3, "lock(m)");
        step.events.push(Event::Opened {
            section,
            name: "m".into(),
            location: fixture::at(3, 1, "f"),
        });
        assert_eq!(texts(&mut Teller::new(false, false), &step), ["lock(m)"]);
        let mut all = Teller::new(true, false);
        assert_eq!(texts(&mut all, &step), ["lock(m)", "enters critical `m`"]);
    }
}
