//! Random small programs whose threads access a few variables, more or less
//! ordered: as data for the oracle, and as text for the compiler.

use std::fmt::Write;

use exeunt_random::Random;

/// The numbers behind a program; seeds of programs are quoted, so this stays.
fn numbers(seed: u64) -> Random {
    Random::from_state(0x51ed_270b_9c4f_3a1d ^ (seed + 1).wrapping_mul(0x2545_f491_4f6c_dd1d))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Order {
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

impl Order {
    fn name(self) -> &'static str {
        match self {
            Order::Relaxed => "memory_order_relaxed",
            Order::Acquire => "memory_order_acquire",
            Order::Release => "memory_order_release",
            Order::AcqRel => "memory_order_acq_rel",
            Order::SeqCst => "memory_order_seq_cst",
        }
    }
}

/// A statement. Variables, locks… are numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    /// Plain accesses; `way` is how the text makes them.
    Read {
        var: usize,
        way: u64,
    },
    Write {
        var: usize,
        way: u64,
    },
    /// Plain accesses to an atomic variable.
    PlainRead {
        atomic: usize,
    },
    PlainWrite {
        atomic: usize,
        value: u64,
    },
    Store {
        atomic: usize,
        value: u64,
        order: Order,
    },
    Load {
        atomic: usize,
        value: u64,
        order: Order,
        then: Vec<Op>,
    },
    Add {
        atomic: usize,
        order: Order,
    },
    Exchange {
        atomic: usize,
        value: u64,
        orders: (Order, Order),
        then: Vec<Op>,
        otherwise: Vec<Op>,
    },
    Fence {
        order: Order,
    },
    Lock {
        mutex: usize,
        inside: Vec<Op>,
    },
    TryLock {
        mutex: usize,
        inside: Vec<Op>,
        otherwise: Vec<Op>,
    },
    ReadLock {
        inside: Vec<Op>,
    },
    WriteLock {
        inside: Vec<Op>,
    },
    Post,
    TryWait {
        then: Vec<Op>,
    },
    Wait,
    Value {
        var: usize,
    },
    Once {
        routine: usize,
    },
    Meet,
    Block {
        inside: Vec<Op>,
    },
    /// Waits for a while with mutex 0 held; then, if it was signalled, more.
    TimedWait {
        then: Vec<Op>,
    },
    Signal,
    Create {
        thread: usize,
    },
    Join {
        thread: usize,
    },
}

/// The threads; the first one is `main`.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) threads: Vec<Vec<Op>>,
}

pub(crate) const VARIABLES: usize = 2;
pub(crate) const ATOMICS: usize = 2;

struct Maker {
    random: Random,
    /// Statements that may still be made.
    left: u64,
}

impl Maker {
    fn load_order(&mut self) -> Order {
        [Order::Relaxed, Order::Acquire, Order::Acquire, Order::SeqCst]
            [self.random.below(4) as usize]
    }

    fn store_order(&mut self) -> Order {
        [Order::Relaxed, Order::Release, Order::Release, Order::SeqCst]
            [self.random.below(4) as usize]
    }

    fn any_order(&mut self) -> Order {
        let all = [Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst];
        all[self.random.below(5) as usize]
    }

    fn access(&mut self) -> Op {
        let (var, way) = (self.random.below(VARIABLES as u64) as usize, self.random.below(3));
        if self.random.one_in(2) { Op::Read { var, way } } else { Op::Write { var, way } }
    }

    fn accesses(&mut self) -> Vec<Op> {
        let count = 1 + self.random.below(2).min(self.left);
        self.left = self.left.saturating_sub(count);
        (0..count).map(|_| self.access()).collect()
    }

    /// What one thread does for another to know of its access.
    fn give(&mut self, channel: u64, ops: &mut Vec<Op>) {
        let access = self.inner();
        match channel {
            0..=4 => {
                ops.push(access);
                if self.random.one_in(4) {
                    ops.push(Op::Fence { order: self.any_order() });
                }
                ops.push(Op::Store { atomic: 0, value: 1, order: self.store_order() });
                match self.random.below(4) {
                    0 => ops.push(Op::Add { atomic: 0, order: self.any_order() }),
                    1 => ops.push(Op::Store { atomic: 0, value: 2, order: self.store_order() }),
                    _ => {}
                }
            }
            5 => ops.extend([access, Op::Post]),
            6 => ops.extend([access, Op::Meet]),
            7 => ops.extend([access, Op::Signal]),
            8 => ops.push(Op::Once { routine: 0 }),
            9 => ops.push(Op::Block { inside: vec![self.access()] }),
            10 => ops.push(Op::WriteLock { inside: vec![access] }),
            11 => ops.push(Op::ReadLock { inside: vec![access] }),
            _ if self.random.one_in(3) => {
                ops.extend([access, Op::Lock { mutex: 0, inside: Vec::new() }]);
            }
            _ => ops.push(Op::Lock { mutex: 0, inside: vec![access] }),
        }
    }

    /// How it gets to know.
    fn get(&mut self, channel: u64, ops: &mut Vec<Op>) {
        let access = self.inner();
        match channel {
            0..=4 if self.random.one_in(3) => {
                let orders = (self.any_order(), self.load_order());
                let value = self.random.below(2);
                let (then, otherwise) = match self.random.one_in(2) {
                    true => (vec![access], Vec::new()),
                    false => (Vec::new(), vec![access]),
                };
                ops.push(Op::Exchange { atomic: 0, value, orders, then, otherwise });
            }
            0..=4 => {
                let mut then = vec![access];
                if self.random.one_in(3) {
                    then.insert(0, Op::Fence { order: self.any_order() });
                }
                let (order, value) = (self.load_order(), 1 + self.random.below(2));
                ops.push(Op::Load { atomic: 0, value, order, then });
            }
            5 => ops.push(Op::TryWait { then: vec![access] }),
            6 => ops.extend([Op::Meet, access]),
            7 => ops.push(Op::TimedWait { then: vec![access] }),
            8 => ops.extend([Op::Once { routine: 0 }, Op::Read { var: 0, way: 0 }]),
            9 => ops.push(Op::Block { inside: vec![self.access()] }),
            10 => ops.push(Op::ReadLock { inside: vec![access] }),
            11 => ops.push(Op::WriteLock { inside: vec![access] }),
            _ => {
                let (inside, otherwise) = match self.random.one_in(3) {
                    true => (Vec::new(), vec![access]),
                    false => (vec![access], Vec::new()),
                };
                ops.push(Op::TryLock { mutex: 0, inside, otherwise });
            }
        }
    }

    /// An access to the first variable, now and then in a lock.
    fn inner(&mut self) -> Op {
        let way = self.random.below(3);
        let write = self.random.one_in(2);
        let access = if write { Op::Write { var: 0, way } } else { Op::Read { var: 0, way } };
        match self.random.below(8) {
            0 => Op::ReadLock { inside: vec![access] },
            _ => access,
        }
    }

    /// A thread that hands something over or waits for it.
    fn party(&mut self, channel: u64) -> Vec<Op> {
        let mut ops = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            match self.random.below(11) {
                0..=3 => self.give(channel, &mut ops),
                4..=7 => self.get(channel, &mut ops),
                8 => ops.push(Op::PlainRead { atomic: 0 }),
                _ => ops.push(Op::Add { atomic: 0, order: self.any_order() }),
            }
        }
        ops
    }

    fn op(&mut self) -> Op {
        self.left = self.left.saturating_sub(1);
        let atomic = self.random.below(ATOMICS as u64) as usize;
        let value = self.random.below(2);
        match self.random.below(32) {
            0..=5 => self.access(),
            6..=8 => Op::Store { atomic, value: 1 + value, order: self.store_order() },
            9..=12 => {
                let order = self.load_order();
                Op::Load { atomic, value: 1 + value, order, then: self.accesses() }
            }
            13 | 14 => Op::Add { atomic, order: self.any_order() },
            15 => {
                let orders = (self.any_order(), self.load_order());
                let (then, otherwise) = (self.accesses(), self.accesses());
                Op::Exchange { atomic, value, orders, then, otherwise }
            }
            16 => Op::Fence { order: self.any_order() },
            17 => Op::Fence { order: Order::Release },
            18 => Op::Fence { order: Order::Acquire },
            19 | 20 => Op::Lock { mutex: value as usize, inside: self.accesses() },
            21 => {
                let (inside, otherwise) = (self.accesses(), self.accesses());
                Op::TryLock { mutex: value as usize, inside, otherwise }
            }
            22 => Op::ReadLock { inside: self.accesses() },
            23 => Op::WriteLock { inside: self.accesses() },
            24 => Op::Post,
            25 => Op::TryWait { then: self.accesses() },
            26 => [Op::Wait, Op::Value { var: value as usize }][value as usize].clone(),
            27 => Op::Once { routine: value as usize },
            28 => Op::Meet,
            29 => Op::Block { inside: self.accesses() },
            30 if value == 0 => Op::TimedWait { then: self.accesses() },
            30 => Op::Signal,
            _ if value == 0 => Op::PlainRead { atomic },
            _ => Op::PlainWrite { atomic, value: 1 },
        }
    }
}

impl Program {
    /// Threads that do anything.
    pub(crate) fn random(seed: u64) -> Program {
        let mut maker = Maker { random: numbers(seed), left: 0 };
        let threads = if maker.random.one_in(3) { 3 } else { 2 };
        let most = if threads == 3 { 3 } else { 5 };
        let thread = |maker: &mut Maker| {
            maker.left = 2 + maker.random.below(most);
            let mut ops = Vec::new();
            while maker.left > 0 {
                ops.push(maker.op());
            }
            ops
        };
        let made = (0..threads).map(|_| thread(&mut maker)).collect();
        Program::of(made, &mut maker.random)
    }

    /// Threads that hand something over by one means: nearly ordered.
    pub(crate) fn handing_over(seed: u64) -> Program {
        let mut maker = Maker { random: numbers(seed), left: 0 };
        let threads = if maker.random.one_in(3) { 3 } else { 2 };
        let channel = maker.random.below(13);
        let made = (0..threads).map(|_| maker.party(channel)).collect();
        let mut program = Program::of(made, &mut maker.random);
        // Some wait for nobody.
        if seed % 3 == 1 {
            program.threads[0].insert(0, Op::Post);
        }
        program
    }

    /// The first thread is `main`, which starts and joins the others.
    fn of(mut threads: Vec<Vec<Op>>, random: &mut Random) -> Program {
        let count = threads.len();
        let mine = threads.remove(0);
        let mut main = Vec::new();
        if random.one_in(3) {
            main.push(Op::Write { var: 0, way: 0 });
        }
        main.extend((1..count).map(|thread| Op::Create { thread }));
        let early = random.below(mine.len() as u64 + 1) as usize;
        for (at, op) in mine.into_iter().enumerate() {
            if at == early && random.one_in(4) {
                main.push(Op::Join { thread: 1 });
            }
            main.push(op);
        }
        let joined = main.iter().any(|op| matches!(op, Op::Join { .. }));
        main.extend((1 + usize::from(joined)..count).map(|thread| Op::Join { thread }));
        threads.insert(0, main);
        Program { threads }
    }

    /// The program in C.
    pub(crate) fn text(&self) -> String {
        let mut text = String::from(PROLOGUE);
        for (number, ops) in self.threads.iter().enumerate().rev() {
            let head = if number == 0 { "int main(void)" } else { "static void *t(void *unused)" };
            let head = head.replace("*t(", &format!("*t{number}("));
            let _ = writeln!(text, "{head} {{");
            if number == 0 {
                text.push_str(SETUP);
            }
            ops.iter().for_each(|op| statement(op, 1, &mut text));
            text.push_str("    return 0;\n}\n\n");
        }
        text
    }
}

const PROLOGUE: &str = "#include <exeunt.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>

struct cell { int value; };
static struct cell x[2];
static atomic_int a[2];
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_once_t once[2] = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT};
static pthread_barrier_t barrier;
static sem_t sem;
static void routine0(void) { x[0].value = 1; }
static void routine1(void) { x[1].value = 1; }
static void (*const routine[2])(void) = {routine0, routine1};

";

const SETUP: &str = "    pthread_t handle[3];
    sem_init(&sem, 0, 0);
    pthread_barrier_init(&barrier, 0, 2);
";

fn block(ops: &[Op], depth: usize, text: &mut String) {
    ops.iter().for_each(|op| statement(op, depth + 1, text));
}

fn branch(condition: &str, then: &[Op], otherwise: &[Op], depth: usize, text: &mut String) {
    let space = "    ".repeat(depth);
    let _ = writeln!(text, "{space}if ({condition}) {{");
    block(then, depth, text);
    if !otherwise.is_empty() {
        let _ = writeln!(text, "{space}}} else {{");
        block(otherwise, depth, text);
    }
    let _ = writeln!(text, "{space}}}");
}

fn around(before: &str, inside: &[Op], after: &str, depth: usize, text: &mut String) {
    let space = "    ".repeat(depth);
    let _ = writeln!(text, "{space}{before};");
    inside.iter().for_each(|op| statement(op, depth, text));
    let _ = writeln!(text, "{space}{after};");
}

fn statement(op: &Op, depth: usize, text: &mut String) {
    let line = match op {
        Op::Read { var, way: 0 } => {
            format!("{{ int v = *(volatile int *)&x[{var}].value; (void)v; }}")
        }
        Op::Read { var, way: 1 } => format!("{{ struct cell v = x[{var}]; (void)v; }}"),
        Op::Read { var, .. } => format!("{{ int v; memcpy(&v, &x[{var}], sizeof v); (void)v; }}"),
        Op::Write { var, way: 0 } => format!("x[{var}].value = 1;"),
        Op::Write { var, way: 1 } => format!("{{ struct cell v = {{2}}; x[{var}] = v; }}"),
        Op::Write { var, .. } => format!("memset((char *)&x[{var}] + 3, 0, 1);"),
        Op::PlainRead { atomic } => {
            format!("{{ int v = *(volatile int *)&a[{atomic}]; (void)v; }}")
        }
        Op::PlainWrite { atomic, value } => format!("*(volatile int *)&a[{atomic}] = {value};"),
        Op::Store { atomic, value, order } => {
            format!("atomic_store_explicit(&a[{atomic}], {value}, {});", order.name())
        }
        Op::Load { atomic, value, order, then } => {
            let load = format!("atomic_load_explicit(&a[{atomic}], {}) == {value}", order.name());
            return branch(&load, then, &[], depth, text);
        }
        Op::Add { atomic, order } => {
            format!("atomic_fetch_add_explicit(&a[{atomic}], 1, {});", order.name())
        }
        Op::Exchange { atomic, value, orders, then, otherwise } => {
            let _ = writeln!(text, "{}{{ int e = {value};", "    ".repeat(depth));
            let exchange = format!(
                "atomic_compare_exchange_strong_explicit(&a[{atomic}], &e, 2, {}, {})",
                orders.0.name(),
                orders.1.name()
            );
            branch(&exchange, then, otherwise, depth, text);
            let _ = writeln!(text, "{}}}", "    ".repeat(depth));
            return;
        }
        Op::Fence { order } => format!("atomic_thread_fence({});", order.name()),
        Op::Lock { mutex, inside } => {
            let (lock, unlock) = (
                format!("pthread_mutex_lock(&m[{mutex}])"),
                format!("pthread_mutex_unlock(&m[{mutex}])"),
            );
            return around(&lock, inside, &unlock, depth, text);
        }
        Op::TryLock { mutex, inside, otherwise } => {
            let space = "    ".repeat(depth);
            let _ = writeln!(text, "{space}if (pthread_mutex_trylock(&m[{mutex}]) == 0) {{");
            block(inside, depth, text);
            let _ = writeln!(text, "{space}    pthread_mutex_unlock(&m[{mutex}]);");
            let _ = writeln!(text, "{space}}} else {{");
            block(otherwise, depth, text);
            let _ = writeln!(text, "{space}}}");
            return;
        }
        Op::ReadLock { inside } => {
            let unlock = "pthread_rwlock_unlock(&rw)";
            return around("pthread_rwlock_rdlock(&rw)", inside, unlock, depth, text);
        }
        Op::WriteLock { inside } => {
            let unlock = "pthread_rwlock_unlock(&rw)";
            return around("pthread_rwlock_wrlock(&rw)", inside, unlock, depth, text);
        }
        Op::Post => "sem_post(&sem);".to_string(),
        Op::TryWait { then } => return branch("sem_trywait(&sem) == 0", then, &[], depth, text),
        Op::Wait => "sem_wait(&sem);".to_string(),
        Op::Value { var } => format!("sem_getvalue(&sem, &x[{var}].value);"),
        Op::Once { routine } => format!("pthread_once(&once[{routine}], routine[{routine}]);"),
        Op::Meet => "pthread_barrier_wait(&barrier);".to_string(),
        Op::Block { inside } => {
            return around("exeunt_atomic_begin()", inside, "exeunt_atomic_end()", depth, text);
        }
        Op::TimedWait { then } => {
            let _ = writeln!(
                text,
                "{space}{{ struct timespec soon = {{0, 0}}; pthread_mutex_lock(&m[0]);\n{space}int r = \
                 pthread_cond_timedwait(&c, &m[0], &soon); pthread_mutex_unlock(&m[0]);",
                space = "    ".repeat(depth)
            );
            branch("r == 0", then, &[], depth, text);
            let _ = writeln!(text, "{}}}", "    ".repeat(depth));
            return;
        }
        Op::Signal => "pthread_cond_signal(&c);".to_string(),
        Op::Create { thread } => {
            format!("pthread_create(&handle[{}], 0, t{thread}, 0);", thread - 1)
        }
        Op::Join { thread } => format!("pthread_join(handle[{}], 0);", thread - 1),
    };
    let _ = writeln!(text, "{}{line}", "    ".repeat(depth));
}
