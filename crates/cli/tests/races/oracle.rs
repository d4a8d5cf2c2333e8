//! Says whether a program has a race, in the most naive way: all interleavings
//! one by one, with a vector clock for each thread and object as in Djit+ (Pozniansky
//! and Schuster, "Efficient on-the-fly data race detection in multithreaded C++
//! programs", 2003), every access ever made kept, and nothing shared with the
//! virtual machine.

use std::collections::HashSet;

use crate::program::{ATOMICS, Op, Order, Program, VARIABLES};

type Clock = [u32; 3];

/// Rules of happens-before. An oracle without one of them is wrong about some
/// programs: those tell whether the rule is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    StoresEndSequences,
    UpdatesContinueSequences,
    ReadersAreUnordered,
    ReadersTellWriters,
    WritersTell,
    RelaxedLoadsDoNotAcquire,
    RelaxedStoresDoNotRelease,
    SignalsTell,
    FailuresHaveTheirOrder,
    FencesRelease,
    FencesAcquire,
    OnceTells,
    BlocksTell,
    BarriersTell,
    PostsTell,
    MixedAccessesRace,
    JoinsTell,
    MutexesTell,
    CreationTells,
    FailedLocksTellNothing,
}

impl Rule {
    pub(crate) const ALL: [Rule; 20] = [
        Rule::StoresEndSequences,
        Rule::UpdatesContinueSequences,
        Rule::ReadersAreUnordered,
        Rule::ReadersTellWriters,
        Rule::WritersTell,
        Rule::RelaxedLoadsDoNotAcquire,
        Rule::RelaxedStoresDoNotRelease,
        Rule::SignalsTell,
        Rule::FailuresHaveTheirOrder,
        Rule::FencesRelease,
        Rule::FencesAcquire,
        Rule::OnceTells,
        Rule::BlocksTell,
        Rule::BarriersTell,
        Rule::PostsTell,
        Rule::MixedAccessesRace,
        Rule::JoinsTell,
        Rule::MutexesTell,
        Rule::CreationTells,
        Rule::FailedLocksTellNothing,
    ];
}

fn join(into: &mut Clock, from: &Clock) {
    into.iter_mut().zip(from).for_each(|(a, b)| *a = (*a).max(*b));
}

fn acquires(order: Order) -> bool {
    order == Order::Acquire || order == Order::AcqRel || order == Order::SeqCst
}

fn releases(order: Order) -> bool {
    order == Order::Release || order == Order::AcqRel || order == Order::SeqCst
}

/// What is left to do, in small steps.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Todo {
    Op(Op),
    Take(usize),
    Give(usize),
    GiveRead,
    GiveWrite,
    CondWait(Vec<Op>),
    OnceDone(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Waits {
    No,
    Condition,
    Barrier,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Thread {
    started: bool,
    /// The next one is the last.
    todo: Vec<Todo>,
    waits: Waits,
    /// What comes behind a wait if it is signalled.
    signalled: Vec<Op>,
    clock: Clock,
    /// At the last release fence, and for the next acquire fence.
    fence: Clock,
    pending: Clock,
}

impl Thread {
    fn has_ended(&self) -> bool {
        self.started && self.todo.is_empty() && self.waits == Waits::No
    }
}

/// An access: thread, its time, whether it writes and whether it is atomic.
type Access = (usize, u32, bool, bool);

/// The oracle; `without` is a rule that it does not know.
struct Oracle {
    without: Option<Rule>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    threads: Vec<Thread>,
    accesses: [Vec<Access>; VARIABLES + ATOMICS],
    values: [u64; ATOMICS],
    messages: [Clock; ATOMICS],
    owners: [Option<usize>; 2],
    mutexes: [Clock; 2],
    readers: usize,
    writer: bool,
    read_clock: Clock,
    write_clock: Clock,
    count: u64,
    semaphore: Clock,
    /// 0 is fresh, 1 running, 2 done.
    once: [u8; 2],
    once_clock: [Clock; 2],
    barrier: Clock,
    blocks: Clock,
}

impl Oracle {
    fn keeps(&self, rule: Rule) -> bool {
        self.without != Some(rule)
    }
}

/// What a step leads to.
enum Outcome {
    Race,
    Blocked,
    To(Vec<State>),
}

impl State {
    fn new(program: &Program) -> State {
        let thread = |(number, ops): (usize, &Vec<Op>)| Thread {
            started: number == 0,
            todo: ops.iter().rev().cloned().map(Todo::Op).collect(),
            waits: Waits::No,
            signalled: Vec::new(),
            clock: [0; 3],
            fence: [0; 3],
            pending: [0; 3],
        };
        State {
            threads: program.threads.iter().enumerate().map(thread).collect(),
            accesses: Default::default(),
            values: [0; ATOMICS],
            messages: [[0; 3]; ATOMICS],
            owners: [None; 2],
            mutexes: [[0; 3]; 2],
            readers: 0,
            writer: false,
            read_clock: [0; 3],
            write_clock: [0; 3],
            count: 0,
            semaphore: [0; 3],
            once: [0; 2],
            once_clock: [[0; 3]; 2],
            barrier: [0; 3],
            blocks: [0; 3],
        }
    }

    /// Whether the access races with an earlier one; notes it.
    fn access(
        &mut self,
        oracle: &Oracle,
        me: usize,
        place: usize,
        write: bool,
        atomic: bool,
    ) -> bool {
        let clock = self.threads[me].clock;
        let races = self.accesses[place].iter().any(|&(thread, time, wrote, was_atomic)| {
            let safe = if oracle.keeps(Rule::MixedAccessesRace) {
                atomic && was_atomic
            } else {
                atomic || was_atomic
            };
            thread != me && (write || wrote) && !safe && time > clock[thread]
        });
        self.accesses[place].push((me, clock[me], write, atomic));
        races
    }

    fn atomic_read(&mut self, oracle: &Oracle, me: usize, atomic: usize, order: Order) {
        let message = self.messages[atomic];
        let thread = &mut self.threads[me];
        let acquires = acquires(order) || !oracle.keeps(Rule::RelaxedLoadsDoNotAcquire);
        join(if acquires { &mut thread.clock } else { &mut thread.pending }, &message);
    }

    fn atomic_write(
        &mut self,
        oracle: &Oracle,
        me: usize,
        atomic: usize,
        order: Order,
        updates: bool,
    ) {
        let thread = &self.threads[me];
        let releases = releases(order) || !oracle.keeps(Rule::RelaxedStoresDoNotRelease);
        let released = if releases { thread.clock } else { thread.fence };
        let ends = if updates {
            !oracle.keeps(Rule::UpdatesContinueSequences)
        } else {
            oracle.keeps(Rule::StoresEndSequences)
        };
        if ends {
            self.messages[atomic] = [0; 3];
        }
        join(&mut self.messages[atomic], &released);
    }

    fn push(&mut self, me: usize, ops: &[Op]) {
        self.threads[me].todo.extend(ops.iter().rev().cloned().map(Todo::Op));
    }

    /// The plain accesses of a list, at once; `true` if one races.
    fn run(&mut self, oracle: &Oracle, me: usize, ops: &[Op]) -> bool {
        ops.iter().any(|op| match *op {
            Op::Read { var, .. } => self.access(oracle, me, var, false, false),
            Op::Write { var, .. } => self.access(oracle, me, var, true, false),
            _ => unreachable!("only accesses are in blocks"),
        })
    }

    fn take(&mut self, me: usize, mutex: usize) -> bool {
        if self.owners[mutex].is_some() {
            return false;
        }
        self.owners[mutex] = Some(me);
        join(&mut self.threads[me].clock, &self.mutexes[mutex]);
        true
    }

    fn give(&mut self, oracle: &Oracle, me: usize, mutex: usize) {
        self.owners[mutex] = None;
        if oracle.keeps(Rule::MutexesTell) {
            self.mutexes[mutex] = self.threads[me].clock;
        }
    }

    /// All that the thread can do next. Time passes with every step.
    fn step(mut self, oracle: &Oracle, me: usize) -> Outcome {
        let thread = &mut self.threads[me];
        if !thread.started || thread.todo.is_empty() || thread.waits == Waits::Barrier {
            return Outcome::Blocked;
        }
        thread.clock[me] += 1;
        if thread.waits == Waits::Condition {
            thread.waits = Waits::No;
            thread.signalled.clear();
            return Outcome::To(vec![self]);
        }
        let todo = thread.todo.pop().expect("not empty");
        let clock = thread.clock;
        let race = match todo {
            Todo::Take(mutex) => {
                if !self.take(me, mutex) {
                    return Outcome::Blocked;
                }
                false
            }
            Todo::Give(mutex) => {
                self.give(oracle, me, mutex);
                false
            }
            Todo::GiveRead => {
                self.readers -= 1;
                if oracle.keeps(Rule::ReadersTellWriters) {
                    join(&mut self.read_clock, &clock);
                }
                false
            }
            Todo::GiveWrite => {
                self.writer = false;
                if oracle.keeps(Rule::WritersTell) {
                    self.write_clock = clock;
                }
                false
            }
            Todo::CondWait(then) => {
                self.give(oracle, me, 0);
                self.threads[me].signalled = then;
                self.threads[me].waits = Waits::Condition;
                self.threads[me].todo.push(Todo::Take(0));
                false
            }
            Todo::OnceDone(routine) => {
                self.once[routine] = 2;
                if oracle.keeps(Rule::OnceTells) {
                    self.once_clock[routine] = clock;
                }
                false
            }
            Todo::Op(op) => match op {
                Op::Read { var, .. } => self.access(oracle, me, var, false, false),
                Op::Write { var, .. } | Op::Value { var } => {
                    self.access(oracle, me, var, true, false)
                }
                Op::PlainRead { atomic } => {
                    self.access(oracle, me, VARIABLES + atomic, false, false)
                }
                Op::PlainWrite { atomic, value } => {
                    self.values[atomic] = value;
                    self.messages[atomic] = [0; 3];
                    self.access(oracle, me, VARIABLES + atomic, true, false)
                }
                Op::Store { atomic, value, order } => {
                    let race = self.access(oracle, me, VARIABLES + atomic, true, true);
                    self.values[atomic] = value;
                    self.atomic_write(oracle, me, atomic, order, false);
                    race
                }
                Op::Load { atomic, value, order, then } => {
                    let race = self.access(oracle, me, VARIABLES + atomic, false, true);
                    self.atomic_read(oracle, me, atomic, order);
                    if self.values[atomic] == value {
                        self.push(me, &then);
                    }
                    race
                }
                Op::Add { atomic, order } => {
                    let race = self.access(oracle, me, VARIABLES + atomic, true, true);
                    self.atomic_read(oracle, me, atomic, order);
                    self.atomic_write(oracle, me, atomic, order, true);
                    self.values[atomic] += 1;
                    race
                }
                Op::Exchange { atomic, value, orders, then, otherwise } => {
                    let equal = self.values[atomic] == value;
                    let wrong = !oracle.keeps(Rule::FailuresHaveTheirOrder);
                    let race = self.access(oracle, me, VARIABLES + atomic, equal, true);
                    self.atomic_read(
                        oracle,
                        me,
                        atomic,
                        if equal || wrong { orders.0 } else { orders.1 },
                    );
                    if equal {
                        self.values[atomic] = 2;
                        self.atomic_write(oracle, me, atomic, orders.0, true);
                    }
                    self.push(me, if equal { &then } else { &otherwise });
                    race
                }
                Op::Fence { order } => {
                    let thread = &mut self.threads[me];
                    if acquires(order) && oracle.keeps(Rule::FencesAcquire) {
                        let pending = thread.pending;
                        join(&mut thread.clock, &pending);
                    }
                    if releases(order) && oracle.keeps(Rule::FencesRelease) {
                        thread.fence = thread.clock;
                    }
                    false
                }
                Op::Lock { mutex, inside } => {
                    if !self.take(me, mutex) {
                        return Outcome::Blocked;
                    }
                    self.threads[me].todo.push(Todo::Give(mutex));
                    self.push(me, &inside);
                    false
                }
                Op::TryLock { mutex, inside, otherwise } => {
                    if self.take(me, mutex) {
                        self.threads[me].todo.push(Todo::Give(mutex));
                        self.push(me, &inside);
                    } else {
                        if !oracle.keeps(Rule::FailedLocksTellNothing)
                            && let Some(owner) = self.owners[mutex]
                        {
                            let theirs = self.threads[owner].clock;
                            join(&mut self.threads[me].clock, &theirs);
                        }
                        self.push(me, &otherwise);
                    }
                    false
                }
                Op::ReadLock { inside } => {
                    if self.writer {
                        return Outcome::Blocked;
                    }
                    self.readers += 1;
                    join(&mut self.threads[me].clock, &self.write_clock);
                    if !oracle.keeps(Rule::ReadersAreUnordered) {
                        join(&mut self.threads[me].clock, &self.read_clock);
                    }
                    self.threads[me].todo.push(Todo::GiveRead);
                    self.push(me, &inside);
                    false
                }
                Op::WriteLock { inside } => {
                    if self.writer || self.readers > 0 {
                        return Outcome::Blocked;
                    }
                    self.writer = true;
                    join(&mut self.threads[me].clock, &self.write_clock);
                    join(&mut self.threads[me].clock, &self.read_clock);
                    self.threads[me].todo.push(Todo::GiveWrite);
                    self.push(me, &inside);
                    false
                }
                Op::Post => {
                    self.count += 1;
                    if oracle.keeps(Rule::PostsTell) {
                        join(&mut self.semaphore, &clock);
                    }
                    false
                }
                Op::TryWait { then } => {
                    if self.count > 0 {
                        self.count -= 1;
                        join(&mut self.threads[me].clock, &self.semaphore);
                        self.push(me, &then);
                    }
                    false
                }
                Op::Wait => {
                    if self.count == 0 {
                        return Outcome::Blocked;
                    }
                    self.count -= 1;
                    join(&mut self.threads[me].clock, &self.semaphore);
                    false
                }
                Op::Once { routine } => match self.once[routine] {
                    0 => {
                        self.once[routine] = 1;
                        self.threads[me].todo.push(Todo::OnceDone(routine));
                        self.push(me, &[Op::Write { var: routine, way: 0 }]);
                        false
                    }
                    1 => return Outcome::Blocked,
                    _ => {
                        join(&mut self.threads[me].clock, &self.once_clock[routine]);
                        false
                    }
                },
                Op::Meet => {
                    join(&mut self.barrier, &clock);
                    let other = self.threads.iter().position(|t| t.waits == Waits::Barrier);
                    match other {
                        None => self.threads[me].waits = Waits::Barrier,
                        Some(other) => {
                            let all = std::mem::take(&mut self.barrier);
                            self.threads[other].waits = Waits::No;
                            if oracle.keeps(Rule::BarriersTell) {
                                self.threads[other].clock = all;
                                self.threads[me].clock = all;
                            }
                        }
                    }
                    false
                }
                Op::Block { inside } => {
                    let blocks = self.blocks;
                    join(&mut self.threads[me].clock, &blocks);
                    let race = self.run(oracle, me, &inside);
                    if oracle.keeps(Rule::BlocksTell) {
                        self.blocks = self.threads[me].clock;
                    }
                    race
                }
                Op::TimedWait { then } => {
                    let todo = [Todo::Give(0), Todo::CondWait(then), Todo::Take(0)];
                    self.threads[me].todo.extend(todo);
                    false
                }
                Op::Signal => {
                    let waits = |thread: &usize| self.threads[*thread].waits == Waits::Condition;
                    let waiting: Vec<usize> = (0..self.threads.len()).filter(waits).collect();
                    if !waiting.is_empty() {
                        let woken = waiting.into_iter().map(|thread| {
                            let mut next = self.clone();
                            next.threads[thread].waits = Waits::No;
                            if oracle.keeps(Rule::SignalsTell) {
                                join(&mut next.threads[thread].clock, &clock);
                            }
                            let signalled = std::mem::take(&mut next.threads[thread].signalled);
                            let below = next.threads[thread].todo.len() - 2;
                            let then = signalled.into_iter().rev().map(Todo::Op);
                            next.threads[thread].todo.splice(below..below, then);
                            next
                        });
                        return Outcome::To(woken.collect());
                    }
                    false
                }
                Op::Create { thread } => {
                    self.threads[thread].started = true;
                    if oracle.keeps(Rule::CreationTells) {
                        self.threads[thread].clock = clock;
                    }
                    false
                }
                Op::Join { thread } => {
                    if !self.threads[thread].has_ended() {
                        return Outcome::Blocked;
                    }
                    let theirs = self.threads[thread].clock;
                    if oracle.keeps(Rule::JoinsTell) {
                        join(&mut self.threads[me].clock, &theirs);
                    }
                    false
                }
            },
        };
        if race { Outcome::Race } else { Outcome::To(vec![self]) }
    }
}

/// Whether some interleaving has a race; `None` if there are too many.
pub(crate) fn has_race(program: &Program, without: Option<Rule>, most: usize) -> Option<bool> {
    let oracle = Oracle { without };
    let start = State::new(program);
    let mut seen = HashSet::from([start.clone()]);
    let mut work = vec![start];
    while let Some(state) = work.pop() {
        // The program ends with `main`.
        if state.threads[0].has_ended() {
            continue;
        }
        for me in 0..state.threads.len() {
            match state.clone().step(&oracle, me) {
                Outcome::Race => return Some(true),
                Outcome::Blocked => {}
                Outcome::To(next) => {
                    for state in next {
                        if seen.insert(state.clone()) {
                            work.push(state);
                        }
                    }
                }
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    Some(false)
}
