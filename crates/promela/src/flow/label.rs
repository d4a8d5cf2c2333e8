//! Labels: which element a jump or a remote reference means.

use crate::code::Action;
use crate::source::Pos;
use crate::syntax::Name;

use super::{ElementId, Flow, Jump, LabelEntry, Node};

/// What a label's name says about the place it marks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Accept,
    End,
    Progress,
}

impl Mark {
    pub fn of(name: &str) -> Option<Mark> {
        [("accept", Mark::Accept), ("end", Mark::End), ("progress", Mark::Progress)]
            .into_iter()
            .find_map(|(prefix, mark)| name.starts_with(prefix).then_some(mark))
    }
}

impl Flow {
    pub fn has_label(&self, element: ElementId) -> bool {
        self.labels.iter().any(|label| label.element == element)
    }

    /// Sets a label; the position of an equal one in the same block, if any.
    pub fn set_label(
        &mut self,
        name: Name,
        path: Vec<u32>,
        element: ElementId,
        pos: Pos,
    ) -> Option<Pos> {
        let earlier = self.labels.iter().find(|label| label.name == name && label.path == path);
        let earlier = earlier.map(|label| label.pos);
        self.labels.push(LabelEntry { name, path, element, pos });
        earlier
    }

    /// The target of a jump: a label in the same block, else in a block
    /// around it, else anywhere in the body.
    pub fn target(&self, jump: &Jump) -> Option<ElementId> {
        match jump {
            Jump::Break(number) => self.breaks[*number as usize],
            Jump::Label { name, path, .. } => {
                let mut best = None;
                for label in self.labels.iter().rev().filter(|label| label.name == *name) {
                    if label.path == *path {
                        return Some(label.element);
                    }
                    if best.is_none() || path.starts_with(&label.path) {
                        best = Some(label.element);
                    }
                }
                best
            }
        }
    }

    /// The element of a label that is named from outside. A jump that is
    /// marked so becomes a step of its own, or the place could not be seen.
    pub fn remote(&mut self, name: &str) -> Option<ElementId> {
        let outermost = self.labels.iter().filter(|label| &*label.name == name);
        let element = outermost.min_by_key(|label| label.path.len())?.element;
        if let Node::Goto(jump) = self.element(element).node.clone() {
            let (next, pos) = (self.element(element).next, self.element(element).pos);
            let copy = self.add_element(Node::Goto(jump), pos, self.element(element).text.clone());
            let source = self.element(element).clone();
            let moved = self.element_mut(copy);
            moved.next = next;
            moved.atomic = source.atomic;
            moved.last_atomic = source.last_atomic;
            moved.dstep = source.dstep;
            moved.escapes = source.escapes;
            let skip = self.element_mut(element);
            skip.node = Node::Act(Action::Skip);
            skip.text = "skip".into();
            skip.next = Some(copy);
        }
        Some(element)
    }
}
