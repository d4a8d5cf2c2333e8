//! A `d_step` as a small program of its own.

use std::collections::HashMap;

use crate::code::{Action, DNode, DStep};
use crate::flow::{ElementId, Node, SeqId};

use super::Compiler;

impl Compiler<'_, '_> {
    pub(super) fn d_step(&mut self, id: ElementId, seq: SeqId) -> Action {
        let first = self.flow.seq(seq).first.expect("a d_step is not empty");
        let mut program = DStep { nodes: vec![DNode::Exit], start: 0 };
        let mut known = HashMap::new();
        program.start = self.d_node(Some(first), id, &mut program, &mut known);
        Action::DStep(Box::new(program))
    }

    /// The node that an element becomes; node 0 is the exit.
    fn d_node(
        &mut self,
        id: Option<ElementId>,
        whole: ElementId,
        program: &mut DStep,
        known: &mut HashMap<ElementId, u32>,
    ) -> u32 {
        let Some(id) = id else { return 0 };
        let element = self.flow.element(id).clone();
        if !element.dstep || id == whole {
            return 0;
        }
        if let Some(node) = known.get(&id) {
            return *node;
        }
        match element.node {
            Node::Join | Node::LoopExit | Node::End => {
                self.d_node(element.next, whole, program, known)
            }
            Node::Goto(jump) => {
                // A jump that leads to itself would never be resolved.
                known.insert(id, 0);
                let node = self.d_node(self.flow.target(&jump), whole, program, known);
                known.insert(id, node);
                node
            }
            Node::Unless => {
                let first = self.flow.seq(element.sub[0]).first;
                self.d_node(first, whole, program, known)
            }
            Node::Atomic(seq) | Node::Block(seq) | Node::DStep(seq) => {
                let bounds = self.flow.seq(seq);
                let last = bounds.last.expect("a block is not empty");
                self.flow.element_mut(last).next = element.next;
                self.d_node(bounds.first, whole, program, known)
            }
            Node::If | Node::Do => {
                let node = self.reserve(id, program, known);
                let mut options = Vec::new();
                for option in element.sub {
                    let first = self.flow.seq(option).first;
                    options.push(self.d_node(first, whole, program, known));
                }
                let site = self.site(id);
                program.nodes[node as usize] = DNode::Choose { options, site };
                node
            }
            Node::Act(action) => {
                let node = self.reserve(id, program, known);
                let next = self.d_node(element.next, whole, program, known);
                let site = self.site(id);
                program.nodes[node as usize] = DNode::Act { action, next, site };
                node
            }
        }
    }

    fn reserve(
        &mut self,
        id: ElementId,
        program: &mut DStep,
        known: &mut HashMap<ElementId, u32>,
    ) -> u32 {
        let node = program.nodes.len() as u32;
        program.nodes.push(DNode::Exit);
        known.insert(id, node);
        node
    }
}
