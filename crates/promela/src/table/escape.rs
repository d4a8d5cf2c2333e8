//! Escapes: the first steps of an `unless` escape are tried before the steps
//! of every place they cover, the outermost escape first.

use std::collections::BTreeMap;

use crate::flow::{ElementId, Node};

use super::{Compiler, RawStep};

impl Compiler<'_, '_> {
    pub(super) fn add_escapes(
        &mut self,
        mut lists: BTreeMap<u16, Vec<RawStep>>,
    ) -> BTreeMap<u16, Vec<RawStep>> {
        let states: Vec<u16> = lists.keys().copied().collect();
        for state in states {
            let mut list = lists[&state].clone();
            for step in lists[&state].clone() {
                for entry in self.escape_entries(step.element).into_iter().rev() {
                    let Some(escape) = lists.get(&entry) else { continue };
                    // The list of the escape may be the one being extended.
                    let escape = if entry == state { list.clone() } else { escape.clone() };
                    for first in escape {
                        if !list.iter().any(|known| known.element == first.element) {
                            list.insert(0, RawStep { escape: entry, ..first });
                        }
                    }
                }
            }
            lists.insert(state, list);
        }
        lists
    }

    /// The states in which the escapes of an element begin.
    fn escape_entries(&mut self, id: ElementId) -> Vec<u16> {
        let element = self.flow.element(id).clone();
        if matches!(element.node, Node::Join) {
            return Vec::new();
        }
        let escapes = element.escapes;
        escapes
            .into_iter()
            .map(|seq| {
                let first = self.flow.seq(seq).first.expect("an escape is not empty");
                self.hunt(first, id).state()
            })
            .collect()
    }
}
