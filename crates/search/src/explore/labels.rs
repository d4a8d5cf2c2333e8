//! What is written on edges, each distinct label once: who moved, and what
//! was chosen. Needed where stuck sets must be told from the choices.

use std::collections::HashMap;

use exeunt_model::{ChoiceKind, Edge};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LabelId(pub u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    pub actor: u32,
    pub choices: Vec<(ChoiceKind, u32)>,
    pub withheld: bool,
    pub reopens: bool,
}

#[derive(Debug, Default)]
pub struct Labels {
    labels: Vec<Label>,
    known: HashMap<Label, LabelId>,
    /// The labels of moves without anything special, by actor.
    plain: Vec<Option<LabelId>>,
}

impl Labels {
    pub fn get(&self, id: LabelId) -> &Label {
        &self.labels[id.0 as usize]
    }

    pub fn of(&mut self, edge: &Edge<'_>) -> LabelId {
        let actor = edge.actor.0;
        let plain = edge.choices.is_empty() && !edge.withheld && !edge.reopens;
        if plain && let Some(&Some(id)) = self.plain.get(actor as usize) {
            return id;
        }
        let id = self.intern(Label {
            actor,
            choices: edge.choices.iter().map(|choice| (choice.kind, choice.value)).collect(),
            withheld: edge.withheld,
            reopens: edge.reopens,
        });
        if plain {
            let len = self.plain.len().max(actor as usize + 1);
            self.plain.resize(len, None);
            self.plain[actor as usize] = Some(id);
        }
        id
    }

    /// All labels, in the order of their numbers.
    pub fn all(&self) -> &[Label] {
        &self.labels
    }

    pub fn intern(&mut self, label: Label) -> LabelId {
        if let Some(&id) = self.known.get(&label) {
            return id;
        }
        let id = LabelId(self.labels.len() as u32);
        self.labels.push(label.clone());
        self.known.insert(label, id);
        id
    }
}
