//! Finding an invariant under which a cycle runs for ever.
//!
//! Candidates are facts that hold before the first rounds: the conditions of
//! the cycle themselves, bounds, differences, sums. Those that a round may
//! break are dropped until the rest keeps itself (the largest inductive
//! subset). If the rest does not imply every condition, the conditions that
//! failed are asked for one round earlier, and so on for a few times; then
//! the candidate is given up.

use std::collections::{BTreeMap, BTreeSet};

use exeunt_smt::{Answer, Assignment, Formula, Int, Solver, Term, Var};

use crate::summary::{Class, Place, Summary};

/// What a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum About {
    /// The configuration before a round.
    State,
    /// Every message of a class, by the variables of its fields.
    Message(Class),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fact {
    pub about: About,
    pub formula: Formula,
}

/// Facts that hold before the first round, are kept by every round, and imply
/// that the round can be run.
#[derive(Clone, Debug)]
pub(crate) struct Invariant {
    pub facts: Vec<Fact>,
    /// How often failed conditions were asked for earlier.
    pub refinements: u32,
}

const REFINEMENTS: u32 = 3;
/// Beyond this, differences and sums of pairs are left out.
const PAIRED: usize = 12;

pub(crate) struct Finder<'a, S: Solver> {
    pub summary: &'a Summary,
    pub solver: &'a mut S,
    /// The values of the variables before the first rounds.
    pub rounds: &'a [Assignment],
    /// Only the plainest facts, and no second attempt.
    pub quick: bool,
}

impl<S: Solver> Finder<'_, S> {
    pub fn find(&mut self) -> Option<Invariant> {
        if self.summary.conditions.is_empty() {
            return Some(Invariant { facts: Vec::new(), refinements: 0 });
        }
        let mut pool = self.candidates();
        let last = if self.quick { 0 } else { REFINEMENTS };
        for refinements in 0..=last {
            let facts = self.inductive(pool.clone());
            let failed = self.failed_conditions(&facts);
            if failed.is_empty() {
                let facts = self.fewest(facts);
                return Some(Invariant { facts, refinements });
            }
            let known = pool.len();
            for condition in failed {
                let mut earlier = condition;
                for _ in 0..=refinements {
                    earlier = earlier.replaced(&self.summary.after);
                    self.add_state(earlier.clone(), &mut pool);
                }
            }
            if pool.len() == known {
                return None;
            }
        }
        None
    }

    fn candidates(&self) -> Vec<Fact> {
        let mut pool = Vec::new();
        for condition in &self.summary.conditions {
            self.add_state(condition.clone(), &mut pool);
            self.add_trend(condition, &mut pool);
        }
        let cone = self.summary.cone();
        let vars = self.summary.vars.values().copied();
        let vars: Vec<Var> = vars.filter(|var| cone.contains(var)).collect();
        for var in &vars {
            self.add_bounds(*var, &mut pool);
        }
        if vars.len() <= PAIRED && !self.quick {
            for (index, a) in vars.iter().enumerate() {
                for b in &vars[index + 1..] {
                    let (a, b) = (Term::var(*a), Term::var(*b));
                    self.add_around(&a.minus(&b), &mut pool);
                    self.add_around(&a.plus(&b), &mut pool);
                }
            }
        }
        self.add_messages(&mut pool);
        pool
    }

    /// A fact about the state, if it is one and holds before the rounds seen.
    fn add_state(&self, formula: Formula, pool: &mut Vec<Fact>) {
        let own: BTreeSet<Var> = self.summary.vars.values().copied().collect();
        for formula in formula.conjuncts() {
            let closed = formula.vars().is_subset(&own);
            let holds = |at: &Assignment| formula.holds(at) == Some(true);
            let fact = Fact { about: About::State, formula: formula.clone() };
            if closed
                && formula != Formula::False
                && self.rounds.iter().all(holds)
                && !pool.contains(&fact)
            {
                pool.push(fact);
            }
        }
    }

    /// What a condition compares does not get smaller from round to round.
    fn add_trend(&self, condition: &Formula, pool: &mut Vec<Fact>) {
        if let Formula::NonNegative(term) = condition {
            let later = term.replaced(&self.summary.after);
            self.add_state(Formula::non_negative(later.minus(term)), pool);
        }
    }

    fn add_bounds(&self, var: Var, pool: &mut Vec<Fact>) {
        let term = Term::var(var);
        self.add_around(&term, pool);
        // A variable that moves in strides keeps its rest.
        let stride = self.summary.after[&var].minus(&term).as_number().unwrap_or(0).abs();
        if stride > 1 {
            let rest = self.summary.now[&var].rem_euclid(stride);
            let kept = Formula::equal(&term.remainder(stride), &Term::number(rest));
            self.add_state(kept, pool);
        }
    }

    /// A term stays at least, or at most, what it is at first.
    fn add_around(&self, term: &Term, pool: &mut Vec<Fact>) {
        let Some(now) = term.value(&self.summary.now) else { return };
        self.add_state(Formula::non_negative(term.add(-now)), pool);
        self.add_state(Formula::non_negative(term.times(-1).add(now)), pool);
    }

    /// Bounds of message fields that a round looks at.
    fn add_messages(&self, pool: &mut Vec<Fact>) {
        for (class, messages) in &self.summary.classes {
            if messages.seen.is_empty() {
                continue;
            }
            for (field, var) in messages.fields.iter().enumerate() {
                let Err(var) = var else { continue };
                let at_first = messages.at_first.iter().map(|message| Int::from(message[field]));
                let sent = messages
                    .sent
                    .iter()
                    .filter_map(|message| message[field].value(&self.summary.now));
                let values: Vec<Int> = at_first.chain(sent).collect();
                let term = Term::var(*var);
                let (low, high) = (values.iter().min(), values.iter().max());
                if let Some(low) = low {
                    self.add_message(*class, Formula::non_negative(term.add(-low)), pool);
                }
                if let Some(high) = high {
                    let below = Formula::non_negative(term.times(-1).add(*high));
                    self.add_message(*class, below, pool);
                }
            }
        }
    }

    /// A fact about messages, if the messages at first are like that.
    fn add_message(&self, class: Class, formula: Formula, pool: &mut Vec<Fact>) {
        let messages = &self.summary.classes[&class];
        let all = messages.at_first.iter().all(|message| {
            let mut at = Assignment::new();
            for (var, value) in messages.fields.iter().zip(message) {
                if let Err(var) = var {
                    at.insert(*var, Int::from(*value));
                }
            }
            formula.holds(&at) == Some(true)
        });
        let fact = Fact { about: About::Message(class), formula };
        if all && !pool.contains(&fact) {
            pool.push(fact);
        }
    }

    /// What may be assumed before a round.
    fn assumptions(&self, facts: &[Fact]) -> Vec<Formula> {
        let mut all = self.types();
        for fact in facts {
            match fact.about {
                About::State => all.push(fact.formula.clone()),
                About::Message(class) => {
                    let messages = &self.summary.classes[&class];
                    for (number, seen) in messages.seen.iter().enumerate() {
                        let fact = fact.formula.replaced(&fields(&messages.fields, seen));
                        all.push(self.if_known(class, number, fact));
                    }
                }
            }
        }
        all
    }

    /// What may be assumed of message number `number` of its class: a fact only
    /// if the message is there before the round, where its fields are said by
    /// the state.
    fn if_known(&self, class: Class, number: usize, fact: Formula) -> Formula {
        if self.summary.classes[&class].progressions.is_empty() {
            return fact;
        }
        let place = class.class + number * self.summary.flows[class.channel].classes();
        let length = Term::var(self.summary.vars[&Place::Length(class.channel)]);
        Formula::at_least(&Term::number(place as Int), &length).either(fact)
    }

    /// What the types of variables say about them.
    fn types(&self) -> Vec<Formula> {
        let bounds = |(var, (low, high)): (&Var, &(Int, Int))| {
            let term = Term::var(*var);
            [
                Formula::non_negative(term.add(-low)),
                Formula::non_negative(term.times(-1).add(*high)),
            ]
        };
        self.summary.ranges.iter().flat_map(bounds).collect()
    }

    /// What has to hold behind a round for a fact to be kept.
    fn goals(&self, fact: &Fact) -> Vec<Formula> {
        match fact.about {
            About::State => vec![fact.formula.replaced(&self.summary.after)],
            About::Message(class) => {
                let messages = &self.summary.classes[&class];
                let sent = messages.sent.iter();
                sent.map(|sent| fact.formula.replaced(&fields(&messages.fields, sent))).collect()
            }
        }
    }

    /// The largest part of the pool that every round keeps. The conditions
    /// are assumed here; that they follow is asked afterwards.
    fn inductive(&mut self, mut facts: Vec<Fact>) -> Vec<Fact> {
        loop {
            let mut assumed = self.assumptions(&facts);
            assumed.extend(self.summary.conditions.iter().cloned());
            let goals: Vec<Formula> =
                facts.iter().map(|fact| Formula::all(self.goals(fact))).collect();
            let some_fails = Formula::all(open_goals(&assumed, &goals)).negated();
            if some_fails == Formula::False {
                return facts;
            }
            let mut question: Vec<&Formula> = assumed.iter().collect();
            question.push(&some_fails);
            let mut keep: Vec<bool> = match self.solver.check(&question) {
                Answer::Unsat => return facts,
                Answer::Sat(values) => {
                    goals.iter().map(|goal| goal.holds(&values) == Some(true)).collect()
                }
                Answer::Unknown => vec![true; facts.len()],
            };
            if keep.iter().all(|kept| *kept) {
                // No values to learn from: each goal on its own.
                let assumed: Vec<&Formula> = assumed.iter().collect();
                keep = goals.iter().map(|goal| self.solver.proves(&assumed, goal)).collect();
                if keep.iter().all(|kept| *kept) {
                    return facts;
                }
            }
            let mut kept = keep.into_iter();
            facts.retain(|_| kept.next() == Some(true));
        }
    }

    fn failed_conditions(&mut self, facts: &[Fact]) -> Vec<Formula> {
        let assumed = self.assumptions(facts);
        let assumed: Vec<&Formula> = assumed.iter().collect();
        let conditions = self.summary.conditions.iter();
        conditions.filter(|condition| !self.solver.proves(&assumed, condition)).cloned().collect()
    }

    /// Drops facts that are not needed, so that people can read the rest. A
    /// fact may be needed only for another one, so this is done until nothing
    /// changes.
    fn fewest(&mut self, mut facts: Vec<Fact>) -> Vec<Fact> {
        loop {
            let before = facts.len();
            let mut index = before;
            while index > 0 {
                index -= 1;
                let fact = facts.remove(index);
                if !self.is_enough(&facts) {
                    facts.insert(index, fact);
                }
            }
            if facts.len() == before {
                return facts;
            }
        }
    }

    fn is_enough(&mut self, facts: &[Fact]) -> bool {
        let assumed = self.assumptions(facts);
        let assumed: Vec<&Formula> = assumed.iter().collect();
        let mut goals: Vec<Formula> = self.summary.conditions.clone();
        goals.extend(facts.iter().flat_map(|fact| self.goals(fact)));
        let open = goals.into_iter().filter(|goal| !assumed.contains(&goal));
        self.solver.proves(&assumed, &Formula::all(open))
    }
}

/// The goals that are not assumed anyway.
fn open_goals(assumed: &[Formula], goals: &[Formula]) -> Vec<Formula> {
    let parts = goals.iter().flat_map(|goal| goal.clone().conjuncts());
    parts.filter(|part| !assumed.contains(part)).collect()
}

/// From the variables of a class to the fields of one message.
fn fields(vars: &[Result<i64, Var>], message: &[Term]) -> BTreeMap<Var, Term> {
    let pairs = vars.iter().zip(message);
    pairs.filter_map(|(var, term)| var.err().map(|var| (var, term.clone()))).collect()
}
