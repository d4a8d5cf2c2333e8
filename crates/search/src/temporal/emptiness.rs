//! Whether the product has an accepted run: one depth-first search that keeps
//! the marks of every unfinished component and stops as soon as one has them
//! all (Couvreur's algorithm; with marks on edges, and fairness as marks).

use exeunt_model::Fault;

use super::claim::Step;
use super::marks::Marks;
use super::product::{PairId, Product};
use crate::limits::Meter;

/// What a search of the product found.
pub enum Found {
    /// No accepted run; everything was seen.
    Nothing,
    /// Not everything was seen.
    Unknown,
    /// A component with all marks.
    Component(Vec<PairId>),
    /// The claim came to its end behind this pair.
    Completed(PairId),
    /// The program goes wrong.
    Fault,
}

struct Frame {
    pair: PairId,
    /// Its part of the steps, the current one, and the current edge.
    first: u32,
    step: u32,
    at: u32,
    degree: u32,
}

/// The root of an unfinished component.
struct Root {
    order: u32,
    marks: Marks,
    /// Those of the edge that leads to it.
    arc: Marks,
}

const DONE: u32 = u32::MAX;

struct Search<'s, 'p, 'a> {
    product: &'s mut Product<'p, 'a>,
    frames: Vec<Frame>,
    steps: Vec<Step>,
    roots: Vec<Root>,
    /// Pairs of unfinished components, in order of visit.
    active: Vec<PairId>,
    order: Vec<u32>,
    next: u32,
    transitions: u64,
    complete: bool,
}

/// Explores the product. Counts its edges as SPIN does: the initial state is
/// one.
pub fn search(product: &mut Product<'_, '_>, meter: &mut Meter<'_>) -> Result<(Found, u64), Fault> {
    let mut search = Search {
        product,
        frames: Vec::new(),
        steps: Vec::new(),
        roots: Vec::new(),
        active: Vec::new(),
        order: Vec::new(),
        next: 1,
        transitions: 1,
        complete: true,
    };
    let found = search.run(meter)?;
    Ok((found, search.transitions))
}

impl Search<'_, '_, '_> {
    fn run(&mut self, meter: &mut Meter<'_>) -> Result<Found, Fault> {
        let Some(initial) = self.product.initial() else { return Ok(Found::Nothing) };
        let initial = self.product.number(initial);
        if let Some(found) = self.enter(initial, Marks::NONE, meter)? {
            return Ok(found);
        }
        while !self.frames.is_empty() {
            if let Some(found) = self.advance(meter)? {
                return Ok(found);
            }
        }
        Ok(if self.complete { Found::Nothing } else { Found::Unknown })
    }

    /// Asked once for every pair.
    fn must_stop(&self, meter: &mut Meter<'_>) -> bool {
        let graph = &self.product.kripke.graph;
        let extra = self.product.kripke.bytes() + self.product.bytes();
        let depth = self.frames.len() as u64;
        meter.pairs = self.product.len() as u64;
        meter.must_stop(depth, &graph.store, graph.pool)
            || meter.no_room(extra, &graph.store, graph.pool)
    }

    fn order_of(&mut self, pair: PairId) -> &mut u32 {
        if self.order.len() <= pair.index() {
            self.order.resize(pair.index() + 1, 0);
        }
        &mut self.order[pair.index()]
    }

    fn enter(
        &mut self,
        pair: PairId,
        arc: Marks,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Found>, Fault> {
        if self.must_stop(meter) {
            return Ok(Some(Found::Unknown));
        }
        let order = self.next;
        self.next += 1;
        *self.order_of(pair) = order;
        self.active.push(pair);
        let first = self.steps.len() as u32;
        let mut frame = Frame { pair, first, step: first, at: 0, degree: 0 };
        let mut marks = Marks::NONE;
        if meter.too_deep(self.frames.len() as u64) {
            self.complete = false;
        } else {
            frame.degree = self.product.steps(pair, &mut self.steps)?;
            marks = self.product.rest(pair);
        }
        let completed = self.steps[first as usize..].iter().any(|step| step.completed);
        self.frames.push(frame);
        self.roots.push(Root { order, marks, arc });
        if self.product.kripke.fault.is_some() {
            return Ok(Some(Found::Fault));
        }
        Ok(completed.then_some(Found::Completed(pair)))
    }

    /// Follows the next edge of the top frame, or leaves it.
    fn advance(&mut self, meter: &mut Meter<'_>) -> Result<Option<Found>, Fault> {
        let frame = self.frames.last_mut().expect("called with a frame");
        if frame.at == frame.degree {
            frame.at = 0;
            frame.step += 1;
        }
        if frame.degree == 0 || frame.step as usize >= self.steps.len() {
            self.leave();
            return Ok(None);
        }
        let (pair, step, at) = (frame.pair, self.steps[frame.step as usize], frame.at);
        frame.at += 1;
        self.transitions += 1;
        let edge = self.product.edge(pair, step, at);
        let target = self.product.number(edge.target);
        match *self.order_of(target) {
            0 => self.enter(target, edge.marks, meter),
            DONE => Ok(None),
            order => Ok(self.merge(order, edge.marks)),
        }
    }

    /// An edge back into the component of the pair with this number.
    fn merge(&mut self, order: u32, mut marks: Marks) -> Option<Found> {
        while self.roots.last().is_some_and(|root| root.order > order) {
            let root = self.roots.pop().expect("just seen");
            marks |= root.marks | root.arc;
        }
        let root = self.roots.last_mut().expect("the initial pair is a root");
        root.marks |= marks;
        if !root.marks.has(self.product.wanted()) {
            return None;
        }
        let first = root.order;
        let start = self.active.partition_point(|pair| self.order[pair.index()] < first);
        Some(Found::Component(self.active[start..].to_vec()))
    }

    fn leave(&mut self) {
        let frame = self.frames.pop().expect("called with a frame");
        self.steps.truncate(frame.first as usize);
        let order = *self.order_of(frame.pair);
        if self.roots.last().is_none_or(|root| root.order != order) {
            return;
        }
        self.roots.pop();
        while let Some(pair) = self.active.pop() {
            *self.order_of(pair) = DONE;
            if pair == frame.pair {
                break;
            }
        }
    }
}
