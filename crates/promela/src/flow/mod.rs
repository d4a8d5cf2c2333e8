//! The control flow of one body: a list of elements linked by `next`.
//!
//! Which places of a body are states of their own decides how many states a
//! model has, and users compare those numbers with SPIN's. So elements are
//! made in the order in which SPIN makes them, with the same numbers, and
//! `pc_value`, remote label references and state counts agree with it.

mod build;
mod label;
mod repeat;
mod unless;

use crate::code::Action;
use crate::source::Pos;
use crate::syntax::Name;

pub(crate) use build::{END, build};
pub(crate) use label::Mark;

/// An element of a body. Its number, counted from one, is the control state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ElementId(pub u32);

impl ElementId {
    pub fn state(self) -> u16 {
        self.0 as u16 + 1
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SeqId(pub u32);

#[derive(Clone, Debug)]
pub(crate) enum Node {
    Act(Action),
    Goto(Jump),
    /// Where the options of a selection or an `unless` meet again.
    Join,
    /// Where `break` leads.
    LoopExit,
    If,
    Do,
    Unless,
    Atomic(SeqId),
    Block(SeqId),
    DStep(SeqId),
    /// The closing brace of the body.
    End,
}

/// Where a jump goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Jump {
    Label { name: Name, path: Vec<u32>, pos: Pos },
    Break(u32),
}

#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub node: Node,
    pub next: Option<ElementId>,
    /// The options of a selection; main sequence and escape of an `unless`.
    pub sub: Vec<SeqId>,
    /// Escapes that cover this element, the outermost first.
    pub escapes: Vec<SeqId>,
    /// Inside an atomic sequence, and not its last step.
    pub atomic: bool,
    /// The last step of an atomic sequence.
    pub last_atomic: bool,
    /// Inside a `d_step`.
    pub dstep: bool,
    pub pos: Pos,
    pub text: String,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seq {
    pub first: Option<ElementId>,
    pub last: Option<ElementId>,
    /// The last element before a join was appended.
    pub extent: Option<ElementId>,
}

#[derive(Clone, Debug)]
pub(crate) struct LabelEntry {
    pub name: Name,
    pub path: Vec<u32>,
    pub element: ElementId,
    pub pos: Pos,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Flow {
    pub elements: Vec<Element>,
    pub seqs: Vec<Seq>,
    pub labels: Vec<LabelEntry>,
    pub breaks: Vec<Option<ElementId>>,
    /// How many elements the bodies before this one have.
    pub before: u32,
    pub body: Option<SeqId>,
}

impl Flow {
    pub fn element(&self, id: ElementId) -> &Element {
        &self.elements[id.0 as usize]
    }

    pub fn element_mut(&mut self, id: ElementId) -> &mut Element {
        &mut self.elements[id.0 as usize]
    }

    pub fn seq(&self, id: SeqId) -> Seq {
        self.seqs[id.0 as usize]
    }

    pub fn seq_mut(&mut self, id: SeqId) -> &mut Seq {
        &mut self.seqs[id.0 as usize]
    }

    pub fn add_element(&mut self, node: Node, pos: Pos, text: String) -> ElementId {
        self.elements.push(Element {
            node,
            next: None,
            sub: Vec::new(),
            escapes: Vec::new(),
            atomic: false,
            last_atomic: false,
            dstep: false,
            pos,
            text,
        });
        ElementId(self.elements.len() as u32 - 1)
    }

    /// The elements of a sequence up to and with `last`.
    pub fn walk(&self, first: Option<ElementId>, last: Option<ElementId>) -> Vec<ElementId> {
        let mut out = Vec::new();
        let mut current = first;
        while let Some(id) = current {
            out.push(id);
            if Some(id) == last {
                break;
            }
            current = self.element(id).next;
        }
        out
    }
}
