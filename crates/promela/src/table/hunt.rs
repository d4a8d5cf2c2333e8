//! Following elements that are no places of their own.

use crate::flow::{ElementId, Node};

use super::Compiler;

/// More jumps in a row than any sensible model has: a cycle of jumps.
const MANY: usize = 500;

impl Compiler<'_, '_> {
    /// The place that `from` leads to when a step of `origin` is done. Stops
    /// before an atomic sequence is left.
    pub(super) fn hunt(&mut self, from: ElementId, origin: ElementId) -> ElementId {
        let atomic = self.flow.element(origin).atomic;
        let mut current = from;
        for _ in 0..MANY {
            let element = self.flow.element(current);
            let next = match &element.node {
                Node::Goto(jump) => self.flow.target(jump),
                Node::Join | Node::LoopExit => element.next,
                Node::Unless => {
                    let first = self.flow.seq(element.sub[0]).first;
                    let first = first.expect("a sequence is not empty");
                    Some(self.hunt(first, origin))
                }
                _ => None,
            };
            let Some(next) = next else { return current };
            if next == current || (atomic && !self.flow.element(next).atomic) {
                return current;
            }
            current = next;
        }
        let pos = self.flow.element(from).pos;
        self.checker.error(pos, "these jumps lead to each other and to no statement", &[]);
        from
    }

    /// The place where an option or a block begins.
    pub(super) fn hunt_start(&self, first: ElementId) -> ElementId {
        let mut current = first;
        for _ in 0..MANY {
            let element = self.flow.element(current);
            let next = match element.node {
                Node::Join => element.next,
                Node::Unless => self.flow.seq(element.sub[0]).first,
                _ => None,
            };
            match next {
                Some(next) => current = next,
                None => return current,
            }
        }
        current
    }
}
