//! All ways from a loop head to the next, one edge after the other, in single
//! assignments: each write makes a new variable and an equation.

use std::collections::{BTreeMap, BTreeSet};

use exeunt_counter::{Edge, Hold, NodeId, System, Thread, VarKind};
use exeunt_smt::{Formula, Term, Var};

/// Longer ways are refused.
const LONGEST: usize = 5_000;

/// The names that variables have after some steps, and what is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Now {
    pub names: BTreeMap<Var, Var>,
    pub known: Vec<Formula>,
}

impl Now {
    pub fn renamed(&self, formula: &Formula) -> Formula {
        formula.replaced(&self.terms())
    }

    pub fn value(&self, term: &Term) -> Term {
        term.replaced(&self.terms())
    }

    fn terms(&self) -> BTreeMap<Var, Term> {
        self.names.iter().map(|(var, name)| (*var, Term::var(*name))).collect()
    }
}

/// What is asked at each edge and at each end of a way.
pub(super) trait Visitor {
    fn edge(&mut self, from: NodeId, edge: usize, before: &Now, after: &Now) -> Result<(), String>;
    fn arrived(&mut self, from: NodeId, at: NodeId, now: &Now) -> Result<(), String>;
    /// What others may have done, given the names before and after.
    fn others(&self, held: &[Hold], before: &Now, after: &Now) -> Vec<Formula>;
    /// The thread is here, and others have done something.
    fn stands(&mut self, _: NodeId, _: &Now) -> Result<(), String> {
        Ok(())
    }
    /// Whether an edge is left out.
    fn leaves_out(&self, _: &Edge) -> bool {
        false
    }
}

pub(super) struct Walk<'a> {
    system: &'a System,
    index: usize,
    thread: &'a Thread,
    heads: &'a BTreeSet<NodeId>,
    /// What is true of shared variables at all times.
    always: &'a [Formula],
    /// What is assumed of every state: other runs are left out.
    assumed: &'a [Formula],
    /// What no step of any thread makes larger.
    laws: &'a [Term],
    next: u32,
}

impl<'a> Walk<'a> {
    pub fn new(
        system: &'a System,
        index: usize,
        heads: &'a BTreeSet<NodeId>,
        always: &'a [Formula],
    ) -> Self {
        let thread = &system.threads[index];
        let next = system.vars.len() as u32;
        Walk { system, index, thread, heads, always, assumed: &[], laws: &[], next }
    }

    pub fn assuming(mut self, facts: &'a [Formula]) -> Self {
        self.assumed = facts;
        self
    }

    pub fn under(mut self, laws: &'a [Term]) -> Self {
        self.laws = laws;
        self
    }

    /// Visits every way from every head and from the entry. `first` is what is
    /// known at a start.
    pub fn all(
        &mut self,
        first: &dyn Fn(NodeId) -> Vec<Formula>,
        visitor: &mut dyn Visitor,
    ) -> Result<(), String> {
        let mut starts = self.heads.clone();
        starts.insert(self.thread.entry);
        for start in starts {
            let now = self.start(first(start));
            self.go(start, start, &now, 0, visitor)?;
        }
        Ok(())
    }

    /// Visits every way from the entry only.
    pub fn entry(&mut self, visitor: &mut dyn Visitor) -> Result<(), String> {
        let now = self.start(Vec::new());
        self.go(self.thread.entry, self.thread.entry, &now, 0, visitor)
    }

    fn start(&self, known: Vec<Formula>) -> Now {
        let mut now = Now { names: BTreeMap::new(), known };
        for index in 0..self.system.vars.len() as u32 {
            if self.system.variable(Var(index)).kind != VarKind::Input {
                self.bound(&mut now, Var(index), Var(index));
            }
        }
        now.known.extend(self.always.iter().chain(self.assumed).cloned());
        now
    }

    fn go(
        &mut self,
        start: NodeId,
        at: NodeId,
        now: &Now,
        steps: usize,
        visitor: &mut dyn Visitor,
    ) -> Result<(), String> {
        if steps > LONGEST {
            return Err("a loop has no head in the certificate".into());
        }
        let disturbed = self.disturbed(at, now, visitor);
        visitor.stands(at, &disturbed)?;
        for (index, edge) in self.thread.leaving(at) {
            if visitor.leaves_out(edge) {
                continue;
            }
            let before = if edge.visible { disturbed.clone() } else { now.clone() };
            let after = self.step(index, &before);
            visitor.edge(start, index, &before, &after)?;
            if self.heads.contains(&edge.to) {
                visitor.arrived(start, edge.to, &after)?;
            } else {
                self.go(start, edge.to, &after, steps + 1, visitor)?;
            }
        }
        Ok(())
    }

    /// The same after whatever others may do here.
    fn disturbed(&mut self, at: NodeId, now: &Now, visitor: &dyn Visitor) -> Now {
        let mut after = now.clone();
        let held = &self.thread.node(at).held;
        for var in self.system.shared() {
            if !self.system.is_stable(self.index, var, held) {
                self.renew(&mut after, var);
            }
        }
        let promised = visitor.others(held, now, &after);
        after.known.extend(promised);
        let kept =
            self.laws.iter().map(|law| Formula::at_least(&now.value(law), &after.value(law)));
        let kept: Vec<Formula> = kept.collect();
        after.known.extend(kept);
        let facts = self.always.iter().chain(self.assumed);
        let facts: Vec<Formula> = facts.map(|fact| after.renamed(fact)).collect();
        after.known.extend(facts);
        after
    }

    fn step(&mut self, index: usize, before: &Now) -> Now {
        let edge = &self.thread.edges[index];
        let mut now = before.clone();
        for input in &edge.inputs {
            self.renew(&mut now, *input);
        }
        now.known.push(now.renamed(&edge.guard));
        let values: Vec<(Var, Term)> =
            edge.sets.iter().map(|(var, term)| (*var, now.value(term))).collect();
        for (var, value) in values {
            let name = self.renew(&mut now, var);
            now.known.push(Formula::equal(&Term::var(name), &value));
        }
        let written = |fact: &&Formula| fact.vars().iter().any(|v| edge.sets.contains_key(v));
        let assumed = self.assumed.iter().filter(written).map(|fact| now.renamed(fact));
        let assumed: Vec<Formula> = assumed.collect();
        now.known.extend(assumed);
        now
    }

    fn renew(&mut self, now: &mut Now, var: Var) -> Var {
        let name = Var(self.next);
        self.next += 1;
        now.names.insert(var, name);
        self.bound(now, var, name);
        name
    }

    /// What the type of a variable says about its value.
    fn bound(&self, now: &mut Now, var: Var, name: Var) {
        if let Some((low, high)) = self.system.variable(var).range {
            let term = Term::var(name);
            now.known.push(Formula::non_negative(term.add(-low)));
            now.known.push(Formula::non_negative(term.times(-1).add(high)));
        }
    }
}
