//! `unless`: every element of the main sequence can be left for the escape.

use crate::source::Pos;
use crate::syntax::Stmt;

use super::build::{Builder, Built};
use super::{ElementId, Flow, Node, SeqId};

impl Builder<'_, '_> {
    pub(super) fn unless(&mut self, main: &Stmt, escape: &Stmt) -> Built {
        let built = self.parts(main);
        let escape_built = self.parts(escape);
        let escape = match escape_built {
            Built::Plain(Node::Block(seq), _) => seq,
            other => self.sequence_of(other, escape),
        };
        let labelled = !main.labels.is_empty();
        match built {
            Built::Plain(Node::Block(seq), _) if !labelled => Built::Unless { main: seq, escape },
            // The label belongs to the block around the whole.
            Built::Plain(
                node @ (Node::Block(seq) | Node::Atomic(seq) | Node::DStep(seq)),
                text,
            ) if labelled => {
                self.open_seq(false);
                let bare = Stmt { labels: Vec::new(), ..main.clone() };
                self.add(Built::Unless { main: seq, escape }, &bare);
                let outer = self.close_seq();
                let node = match node {
                    Node::Block(_) => Node::Block(outer),
                    Node::Atomic(_) => Node::Atomic(outer),
                    _ => Node::DStep(outer),
                };
                Built::Plain(node, text)
            }
            other => {
                let main = self.sequence_of(other, main);
                Built::Unless { main, escape }
            }
        }
    }

    fn sequence_of(&mut self, built: Built, stmt: &Stmt) -> SeqId {
        self.open_seq(false);
        self.add(built, stmt);
        self.close_seq()
    }

    pub(super) fn add_unless(&mut self, main: SeqId, escape: SeqId, pos: Pos) -> ElementId {
        let element = self.flow.add_element(Node::Unless, pos, "unless".into());
        let join = self.flow.add_element(Node::Join, pos, "join".into());
        self.flow.element_mut(element).sub = vec![main, escape];
        self.append(join, main);
        self.append(join, escape);
        attach(&mut self.flow, main, escape);
        let seq = self.current();
        self.append(element, seq);
        self.append(join, seq);
        element
    }
}

/// Lets every element of `main` be left for `escape`.
fn attach(flow: &mut Flow, main: SeqId, escape: SeqId) {
    let bounds = flow.seq(main);
    for id in flow.walk(bounds.first, bounds.extent) {
        attach_to(flow, id, escape);
    }
}

fn attach_to(flow: &mut Flow, id: ElementId, escape: SeqId) {
    if flow.element(id).escapes.contains(&escape) {
        return;
    }
    for inner in flow.element(id).escapes.clone() {
        attach(flow, inner, escape);
    }
    flow.element_mut(id).escapes.insert(0, escape);
    let element = flow.element(id).clone();
    match element.node {
        Node::Unless => attach(flow, element.sub[0], escape),
        Node::If | Node::Do => {
            for option in element.sub {
                attach(flow, option, escape);
            }
        }
        Node::DStep(seq) => {
            if let Some(first) = flow.seq(seq).first {
                attach_to(flow, first, escape);
            }
        }
        Node::Atomic(seq) | Node::Block(seq) => attach(flow, seq, escape),
        _ => {}
    }
}
