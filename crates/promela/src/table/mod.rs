//! Elements to transition tables: for each control state the statements that
//! may be tried there, in order.
//!
//! A step leads to the next element that is a place of its own: joins, loop
//! exits and jumps are passed over, except where passing over them would
//! leave an atomic sequence, because giving up control is a step.

mod dstep;
mod escape;
mod hunt;

use std::collections::{BTreeMap, HashMap};

use crate::check::Checker;
use crate::code::{Action, SiteId, StateInfo, Transition};
use crate::flow::{ElementId, Flow, Node, SeqId};
use crate::source::Pos;

/// The table of one body and where it starts.
pub(crate) struct Table {
    pub states: Vec<StateInfo>,
    pub start: u16,
}

/// What stands at an element before options are followed.
enum Raw {
    Step(RawStep),
    /// The places where the options begin.
    Options(Vec<ElementId>),
}

#[derive(Clone)]
struct RawStep {
    element: ElementId,
    target: u16,
    atomic: bool,
    escape: u16,
}

#[derive(Clone, Copy, Default)]
struct Flags {
    end: bool,
    progress: bool,
    accept: bool,
}

pub(crate) fn compile(checker: &mut Checker<'_>, flow: Flow) -> Table {
    let mut compiler = Compiler {
        checker,
        flow,
        raw: BTreeMap::new(),
        done: Vec::new(),
        sites: HashMap::new(),
        dsteps: HashMap::new(),
        flags: Vec::new(),
    };
    compiler.run()
}

struct Compiler<'c, 's> {
    checker: &'c mut Checker<'s>,
    flow: Flow,
    raw: BTreeMap<ElementId, Raw>,
    done: Vec<bool>,
    sites: HashMap<ElementId, SiteId>,
    dsteps: HashMap<ElementId, Action>,
    flags: Vec<Flags>,
}

impl Compiler<'_, '_> {
    fn run(&mut self) -> Table {
        let count = self.flow.elements.len();
        self.done = vec![false; count];
        self.flags = vec![Flags::default(); count + 1];
        self.check_jumps();
        self.tie_ends();
        let body = self.flow.body.expect("a body was built");
        self.sequence(body);
        self.mark_labels();
        let lists = self.options();
        let lists = self.add_escapes(lists);
        self.spread_ends(&lists);
        let first = self.flow.seq(body).first.expect("a body has an end");
        let start = self.hunt(first, first).state();
        let states = self.states(lists);
        Table { states, start }
    }

    /// Jumps need a label to go to.
    fn check_jumps(&mut self) {
        for element in self.flow.elements.clone() {
            let Node::Goto(jump) = &element.node else { continue };
            if self.flow.target(jump).is_some() {
                continue;
            }
            if let crate::flow::Jump::Label { name, pos, .. } = jump {
                let help = ["labels are visible only inside their own process type"];
                self.checker.error(*pos, format!("there is no label `{name}`"), &help);
            }
        }
    }

    /// The last element of a block leads to what follows the block.
    fn tie_ends(&mut self) {
        for index in (0..self.flow.elements.len() as u32).rev() {
            let element = self.flow.element(ElementId(index));
            let (Node::Atomic(seq) | Node::Block(seq) | Node::DStep(seq)) = element.node else {
                continue;
            };
            let mut next = element.next;
            if next.is_none() {
                continue;
            }
            while let Some(id) = next
                && matches!(self.flow.element(id).node, Node::Join)
            {
                next = self.flow.element(id).next;
            }
            let last = self.flow.seq(seq).last.expect("a block is not empty");
            if self.flow.element(last).next.is_none() {
                self.flow.element_mut(last).next = next;
            }
        }
    }

    /// Visits the elements of a sequence once each.
    fn sequence(&mut self, seq: SeqId) {
        let bounds = self.flow.seq(seq);
        let mut current = bounds.first;
        while let Some(id) = current {
            if !std::mem::replace(&mut self.done[id.0 as usize], true) {
                self.visit(id);
            }
            if Some(id) == self.flow.seq(seq).last {
                break;
            }
            current = self.flow.element(id).next;
        }
    }

    fn visit(&mut self, id: ElementId) {
        let element = self.flow.element(id).clone();
        match element.node {
            Node::Unless => self.sequence(element.sub[0]),
            Node::If | Node::Do => {
                let heads = self.heads(&element.sub);
                self.raw.insert(id, Raw::Options(heads));
                for option in element.sub {
                    self.sequence(option);
                }
            }
            Node::Atomic(seq) | Node::Block(seq) => {
                let head = self.enter_block(id, seq);
                self.raw.insert(id, Raw::Options(vec![head]));
                self.sequence(seq);
            }
            Node::DStep(seq) => {
                self.enter_block(id, seq);
                let action = self.d_step(id, seq);
                self.dsteps.insert(id, action);
                self.step(id);
            }
            _ => self.step(id),
        }
    }

    /// Where the options begin; one that can never be taken is left out.
    fn heads(&mut self, options: &[SeqId]) -> Vec<ElementId> {
        let mut heads = Vec::new();
        for option in options {
            let first = self.flow.seq(*option).first.expect("an option is not empty");
            let head = self.hunt_start(first);
            let element = self.flow.element(head);
            let never =
                matches!(element.node, Node::Act(Action::Guard(crate::code::Expr::Const(0))));
            if !never || !element.escapes.is_empty() {
                heads.push(head);
            }
        }
        heads
    }

    fn enter_block(&mut self, id: ElementId, seq: SeqId) -> ElementId {
        self.patch_jumps(seq);
        let first = self.flow.seq(seq).first.expect("a block is not empty");
        let head = self.hunt_start(first);
        let last = self.flow.seq(seq).last.expect("a block is not empty");
        let next = self.flow.element(id).next;
        self.flow.element_mut(last).next = next;
        head
    }

    /// A jump out of an atomic sequence gives up control; a jump from the end
    /// of one into another keeps it.
    fn patch_jumps(&mut self, seq: SeqId) {
        let bounds = self.flow.seq(seq);
        for id in self.flow.walk(bounds.first, bounds.extent) {
            let element = self.flow.element(id).clone();
            if let Node::Goto(jump) = &element.node {
                let Some(target) = self.flow.target(jump) else { continue };
                let to = self.flow.element(target);
                let stays = to.atomic || to.last_atomic;
                if element.atomic || element.last_atomic {
                    let patched = self.flow.element_mut(id);
                    patched.atomic = stays && (element.atomic || element.last_atomic);
                    patched.last_atomic = !patched.atomic;
                }
            } else {
                for option in element.sub {
                    self.patch_jumps(option);
                }
            }
        }
    }

    fn step(&mut self, id: ElementId) {
        let element = self.flow.element(id);
        let atomic = element.atomic;
        let next = match &element.node {
            Node::Goto(jump) => self.flow.target(jump),
            _ => element.next,
        };
        let target = next.map_or(0, |next| self.hunt(next, id).state());
        let step = RawStep { element: id, target, atomic, escape: 0 };
        self.raw.insert(id, Raw::Step(step));
        if !matches!(self.flow.element(id).node, Node::Join) {
            for escape in self.flow.element(id).escapes.clone() {
                self.sequence(escape);
            }
        }
    }

    /// Replaces options by the steps they begin with.
    fn options(&mut self) -> BTreeMap<u16, Vec<RawStep>> {
        let ids: Vec<ElementId> = self.raw.keys().copied().collect();
        let mut lists = BTreeMap::new();
        for id in ids {
            let mut list = Vec::new();
            let mut flags = std::mem::take(&mut self.flags);
            match &self.raw[&id] {
                Raw::Step(step) => list.push(step.clone()),
                Raw::Options(heads) => {
                    heads.iter().for_each(|head| self.expand(*head, &mut flags, &mut list));
                }
            }
            self.flags = flags;
            lists.insert(id.state(), list);
        }
        lists
    }

    /// Follows options down to steps. What a label says of an option's first
    /// place then also holds of the place behind its first step, as in SPIN.
    fn expand(&self, id: ElementId, flags: &mut [Flags], out: &mut Vec<RawStep>) {
        let own = flags[id.state() as usize];
        let mut pass_on = |state: u16| {
            let to = &mut flags[state as usize];
            to.end |= own.end;
            to.progress |= own.progress;
            to.accept |= own.accept;
        };
        match self.raw.get(&id) {
            Some(Raw::Step(step)) => {
                pass_on(step.target);
                out.push(step.clone());
            }
            Some(Raw::Options(heads)) => {
                for head in heads {
                    let to = &mut flags[head.state() as usize];
                    to.end |= own.end;
                    to.progress |= own.progress;
                    to.accept |= own.accept;
                    self.expand(*head, flags, out);
                }
            }
            None => {}
        }
    }

    fn mark_labels(&mut self) {
        use crate::flow::Mark;
        for label in &self.flow.labels {
            let flags = &mut self.flags[label.element.state() as usize];
            match Mark::of(&label.name) {
                Some(Mark::End) => flags.end = true,
                Some(Mark::Progress) => flags.progress = true,
                Some(Mark::Accept) => flags.accept = true,
                None => {}
            }
        }
        let body = self.flow.body.expect("a body was built");
        let last = self.flow.seq(body).last.expect("a body has an end");
        self.flags[last.state() as usize].end = true;
    }

    /// A state that only leads on to another is as valid an end as that.
    fn spread_ends(&mut self, lists: &BTreeMap<u16, Vec<RawStep>>) {
        for (state, list) in lists {
            if let [only] = &list[..]
                && matches!(self.flow.element(only.element).node, Node::Join)
                && self.flags[*state as usize].end
            {
                self.flags[only.target as usize].end = true;
            }
        }
    }

    fn states(&mut self, lists: BTreeMap<u16, Vec<RawStep>>) -> Vec<StateInfo> {
        let mut states = vec![StateInfo::default(); self.flow.elements.len() + 1];
        for (state, list) in lists {
            let elses = list.iter().filter(|step| {
                matches!(self.flow.element(step.element).node, Node::Act(Action::Else))
            });
            if elses.count() > 1 {
                let pos = self.flow.element(ElementId(u32::from(state) - 1)).pos;
                let help = ["give the inner selection a statement of its own in front"];
                self.checker.error(pos, "two `else` options are tried in the same place", &help);
            }
            let transitions = list.iter().map(|step| self.transition(step)).collect();
            let site = self.site(ElementId(u32::from(state) - 1));
            let info = &mut states[state as usize];
            info.transitions = transitions;
            info.site = Some(site);
        }
        for (info, flags) in states.iter_mut().zip(&self.flags) {
            info.valid_end = flags.end;
            info.progress = flags.progress;
            info.accept = flags.accept;
        }
        states
    }

    fn transition(&mut self, step: &RawStep) -> Transition {
        let site = self.site(step.element);
        let action = match &self.flow.element(step.element).node {
            Node::Act(action) => action.clone(),
            Node::DStep(_) => self.dsteps[&step.element].clone(),
            Node::End => Action::End,
            _ => Action::Skip,
        };
        let number = self.flow.before + step.element.0;
        let RawStep { target, atomic, escape, .. } = *step;
        Transition { action, target, atomic, escape, site, number }
    }

    fn site(&mut self, id: ElementId) -> SiteId {
        if let Some(site) = self.sites.get(&id) {
            return *site;
        }
        let element = self.flow.element(id);
        let (pos, text): (Pos, String) = (element.pos, element.text.clone());
        let site = self.checker.add_site(pos, &text);
        self.sites.insert(id, site);
        site
    }
}
