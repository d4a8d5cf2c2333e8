//! Small programs for tests, and all their runs by plain enumeration.

use std::collections::BTreeSet;

use exeunt_model::{
    Access, Action, ActorId, Arrival, Director, End, MutexKind, ObjectId, Operation, Property,
    Reply, Run, Standing,
};

use super::super::objects::Objects;
use super::super::relation::dependent;
use super::super::tree::joins;

/// Stands for every run that ends in a fault.
pub const FAULT: &str = "fault";

/// One statement of a toy thread.
#[derive(Clone, Copy, Debug)]
pub enum Do {
    Lock(u64),
    /// Skips so many statements if it is not free.
    TryLock(u64, usize),
    Unlock(u64),
    ReadLock(u64),
    WriteLock(u64),
    RwUnlock(u64),
    Wait(u64, u32),
    Post(u64, u32),
    CondWait(u64, u64),
    TimedWait(u64, u64),
    /// Waits that a thread can be ended in.
    CancelWait(u64, u64),
    CancelSem(u64, u32),
    CancelJoin(u32),
    TestCancel,
    Cancel(u32),
    Signal(u64),
    Broadcast(u64),
    Barrier(u64, u32),
    Write(u64, u32),
    /// Skips so many statements if the variable has this value.
    SkipIf(u64, u32, usize),
    Choose(u32),
    Join(u32),
    Yield,
    Exit,
    /// Fails if the variable has this value.
    FailIf(u64, u32),
}

/// So many statements are skipped by a thread that ends.
const ENDS: usize = 1000;

#[derive(Clone, Copy, Debug, Default)]
struct Thread {
    at: usize,
    phase: u8,
}

#[derive(Clone, Debug)]
pub struct Toy {
    pub threads: Vec<Vec<Do>>,
    at: Vec<Thread>,
    memory: [u32; 8],
    end: Option<End>,
    /// States in the middle of a run, with what was arrived at last.
    kept: Vec<(Box<Toy>, Vec<Arrival>)>,
    /// It can go back to these.
    pub resumes: bool,
}

impl Toy {
    pub fn new(threads: Vec<Vec<Do>>) -> Self {
        let at = vec![Thread::default(); threads.len()];
        Toy { threads, at, memory: [0; 8], end: None, kept: Vec::new(), resumes: false }
    }

    fn restart(&mut self) {
        self.at.fill(Thread::default());
        self.memory = [0; 8];
        self.end = None;
    }

    /// Where the next run begins, and who has just got where.
    fn go_back(&mut self, director: &mut dyn Director) -> Vec<Arrival> {
        self.restart();
        if self.resumes {
            self.kept.truncate(director.resumes());
        }
        let Some((state, arrivals)) = self.kept.last() else {
            return (0..self.threads.len()).map(|actor| self.arrival(actor)).collect();
        };
        (self.at, self.memory) = (state.at.clone(), state.memory);
        arrivals.clone()
    }

    fn standing(&self, actor: usize) -> Standing {
        let thread = self.at[actor];
        let Some(statement) = self.threads[actor].get(thread.at) else { return Standing::Ended };
        Standing::Before(operation(*statement, thread.phase, actor as u64))
    }

    fn step(&mut self, actor: usize, reply: Reply) {
        let thread = &mut self.at[actor];
        let statement = self.threads[actor][thread.at];
        let (mut go, mut skip) = (true, 0);
        match statement {
            Do::CondWait(..) | Do::Barrier(..) if thread.phase == 0 => go = false,
            Do::CancelWait(..) if thread.phase == 1 && reply == Reply::Cancelled => {
                thread.phase = 2;
                go = false;
            }
            Do::CancelWait(..) if thread.phase < 2 => go = false,
            // It was asked to end, and has its mutex again.
            Do::CancelWait(..) if thread.phase == 3 => skip = ENDS,
            Do::TimedWait(..) if thread.phase < 2 => go = false,
            _ if reply == Reply::Cancelled => skip = ENDS,
            Do::TryLock(_, count) if reply == Reply::Busy => skip = count,
            Do::Write(place, value) => self.memory[place as usize] = value,
            Do::SkipIf(place, value, count) if self.memory[place as usize] == value => skip = count,
            Do::FailIf(place, value) if self.memory[place as usize] == value => {
                let (property, message) = (Property::Assertion, format!("{place} is {value}"));
                self.end = Some(End::Fault { property, message });
            }
            Do::Exit => self.end = Some(End::Exited { code: 0 }),
            _ => {}
        }
        thread.phase = if go { 0 } else { thread.phase + 1 };
        thread.at += go as usize * (1 + skip);
    }

    fn arrival(&self, actor: usize) -> Arrival {
        Arrival { actor: ActorId(actor as u32), standing: self.standing(actor), failed: false }
    }

    /// Every run there is, without any reduction; `None` if there are very many.
    pub fn all_runs(&self) -> Option<BTreeSet<String>> {
        let mut toy = self.clone();
        toy.restart();
        let mut naive = Naive { done: Vec::new(), all: BTreeSet::new(), left: 3000 };
        naive.follow(&toy, &Objects::default());
        (naive.left > 0).then_some(naive.all)
    }
}

fn operation(statement: Do, phase: u8, actor: u64) -> Operation {
    let point = |thread: u64, action| Access { object: ObjectId(700 + thread), action, birth: 0 };
    let ends = Some(point(actor, Action::CancelPoint));
    let normal = MutexKind::Normal;
    let one = |name: u64, action| Operation::of(ObjectId(name), action);
    let born = |name: u64, action, birth| {
        Operation::on(&[Access { object: ObjectId(name), action, birth }])
    };
    let two = |a: (u64, Action), b: (u64, Action)| {
        let access = |(name, action)| Access { object: ObjectId(name), action, birth: 0 };
        Operation::on(&[access(a), access(b)])
    };
    match (statement, phase) {
        (Do::Lock(m), _) => one(100 + m, Action::Lock(normal)),
        (Do::TryLock(m, _), _) => one(100 + m, Action::TryLock(normal)),
        (Do::Unlock(m), _) => one(100 + m, Action::Unlock(normal)),
        (Do::ReadLock(m), _) => one(200 + m, Action::ReadLock),
        (Do::WriteLock(m), _) => one(200 + m, Action::WriteLock),
        (Do::RwUnlock(m), _) => one(200 + m, Action::ReadUnlock),
        (Do::Wait(s, birth), _) => born(300 + s, Action::SemWait, birth),
        (Do::Post(s, birth), _) => born(300 + s, Action::SemPost, birth),
        (Do::CancelSem(s, birth), _) => born(300 + s, Action::SemWait, birth).and(ends),
        (Do::CancelJoin(t), _) => one(u64::from(t), Action::Join).and(ends),
        (Do::TestCancel, _) => Operation::default().and(ends),
        (Do::Cancel(t), _) => Operation::on(&[point(u64::from(t), Action::Cancel)]),
        (Do::CancelWait(c, _), 1) => one(400 + c, Action::Wake).and(ends),
        (Do::CancelWait(_, m), 2..) => one(100 + m, Action::Lock(normal)),
        (Do::CondWait(c, m) | Do::TimedWait(c, m) | Do::CancelWait(c, m), 0) => {
            two((400 + c, Action::Enqueue), (100 + m, Action::Unlock(normal)))
        }
        (Do::CondWait(c, m), _) => two((400 + c, Action::Wake), (100 + m, Action::Lock(normal))),
        (Do::TimedWait(c, _), 1) => one(400 + c, Action::TimedWake),
        (Do::TimedWait(_, m), _) => one(100 + m, Action::Lock(normal)),
        (Do::Signal(c), _) => one(400 + c, Action::Signal),
        (Do::Broadcast(c), _) => one(400 + c, Action::Broadcast),
        (Do::Barrier(b, n), 0) => born(500 + b, Action::Arrive, n),
        (Do::Barrier(b, n), _) => born(500 + b, Action::Leave, n),
        (Do::Write(x, _), _) => born(600 + x, Action::Write, 1),
        (Do::SkipIf(x, ..) | Do::FailIf(x, _), _) => born(600 + x, Action::Read, 1),
        (Do::Choose(n), _) => Operation::choice(n),
        (Do::Join(t), _) => one(u64::from(t), Action::Join),
        (Do::Yield, _) => Operation::of_everything(),
        (Do::Exit, _) => Operation::exit(),
    }
}

/// Plain enumeration: every enabled step of every state.
struct Naive {
    done: Vec<(ActorId, u32, Operation)>,
    all: BTreeSet<String>,
    /// How many more runs are looked at.
    left: u32,
}

impl Naive {
    fn follow(&mut self, toy: &Toy, objects: &Objects) {
        let mut moved = false;
        let actors = if toy.end.is_some() { 0 } else { toy.threads.len() };
        for actor in 0..actors {
            let id = ActorId(actor as u32);
            let Standing::Before(announced) = toy.standing(actor) else { continue };
            let joined = announced.accesses().iter().filter(|a| a.action == Action::Join);
            let mut targets = joined.map(|a| a.object.0 as usize);
            let ended = targets.all(|target| toy.standing(target) == Standing::Ended);
            if !ended && !objects.cancelled(&announced) {
                continue;
            }
            let mut world = objects.clone();
            let announced = world.refined(id, &announced);
            if !world.enabled(id, &announced) || self.left == 0 {
                continue;
            }
            moved = true;
            self.make(toy, &mut world, actor, &announced);
        }
        if moved {
            return;
        }
        self.left = self.left.saturating_sub(1);
        self.all.insert(match toy.end {
            Some(End::Fault { .. }) => FAULT.to_string(),
            _ => canonical(&self.done),
        });
    }

    fn make(&mut self, toy: &Toy, world: &mut Objects, actor: usize, announced: &Operation) {
        let id = ActorId(actor as u32);
        let Ok((reply, operation)) = world.apply(id, announced) else {
            self.all.insert(FAULT.to_string());
            return;
        };
        for choice in 0..announced.arity {
            self.done.push((id, choice, operation));
            let mut next = toy.clone();
            next.step(actor, reply);
            self.follow(&next, world);
            self.done.pop();
        }
    }
}

/// The same text for runs that differ only in the order of independent steps.
pub fn canonical(steps: &[(ActorId, u32, Operation)]) -> String {
    let mut count = [0u32; 16];
    let named: Vec<(u32, u32)> = steps
        .iter()
        .map(|(actor, ..)| {
            count[actor.0 as usize] += 1;
            (actor.0, count[actor.0 as usize])
        })
        .collect();
    let mut lines: Vec<String> = Vec::new();
    for (i, (actor, choice, operation)) in steps.iter().enumerate() {
        lines.push(format!("{:?} {choice} {:?}", named[i], operation.accesses()));
        for (j, (other, _, later)) in steps.iter().enumerate().skip(i + 1) {
            let tied = dependent(operation, later) || joins(later, *actor);
            if actor != other && tied {
                lines.push(format!("{:?} < {:?}", named[i], named[j]));
            }
        }
    }
    lines.sort();
    lines.join("; ")
}

impl Run for Toy {
    fn execute(&mut self, director: &mut dyn Director) -> Result<(), String> {
        let mut arrivals = self.go_back(director);
        loop {
            if self.resumes && self.end.is_none() && director.keeps(0) {
                let state = Toy { kept: Vec::new(), ..self.clone() };
                self.kept.push((Box::new(state), arrivals.clone()));
            }
            let Some(taken) = director.next(&arrivals, self.end.as_ref()) else { return Ok(()) };
            let actor = taken.actor.0 as usize;
            self.step(actor, taken.reply);
            arrivals = vec![self.arrival(actor)];
        }
    }
}
