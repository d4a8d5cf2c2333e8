//! Edges as they are written down.

use exeunt_model::{Choice, CompId};

/// Words of an edge before its changes: its form, the length of the target, its first choice, its name.
pub(super) const EDGE: usize = 4;

/// Edges on their way into an entry.
#[derive(Default)]
pub(crate) struct Draft {
    pub(super) edges: u32,
    pub(super) words: Vec<u32>,
    pub(super) choices: Vec<Choice>,
}

impl Draft {
    pub fn clear(&mut self) {
        self.edges = 0;
        self.words.clear();
        self.choices.clear();
    }

    pub fn add(&mut self, state: &[CompId], target: &[CompId], reopens: bool, choices: &[Choice]) {
        let at = self.words.len();
        let first = self.choices.len() as u32;
        self.words.extend([0, target.len() as u32, first, 0]);
        for (component, id) in target.iter().enumerate() {
            if state.get(component) != Some(id) {
                self.words.extend([component as u32, id.0]);
            }
        }
        let changes = (self.words.len() - at - EDGE) as u32 / 2;
        self.words[at] = Form { reopens, changes, choices: choices.len() as u32 }.into();
        self.choices.extend_from_slice(choices);
        self.edges += 1;
    }

    /// Makes the places of choices those that they will have, and names the edges in a row.
    pub(super) fn settle(&mut self, first_choice: u32, first_name: u32) {
        let mut at = 0;
        for number in 0..self.edges {
            self.words[at + 2] += first_choice;
            self.words[at + 3] = first_name + number;
            at += EDGE + 2 * Form::from(self.words[at]).changes as usize;
        }
    }
}

/// What an edge consists of.
pub(super) struct Form {
    pub reopens: bool,
    pub changes: u32,
    pub choices: u32,
}

impl From<u32> for Form {
    fn from(word: u32) -> Self {
        Form { reopens: word & 1 == 1, changes: word >> 1 & 0xff, choices: word >> 9 }
    }
}

impl From<Form> for u32 {
    fn from(form: Form) -> u32 {
        u32::from(form.reopens) | form.changes << 1 | form.choices << 9
    }
}
