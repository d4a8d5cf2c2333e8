//! A configuration whose values are terms, and what was assumed on the way.

use std::collections::{BTreeMap, VecDeque};

use exeunt_promela::code::{ChanDeclId, Initial, ProcId, Program, Space};
use exeunt_smt::{Assignment, Formula, Int, Term};

use crate::Integers;
use crate::arithmetic;
use crate::check::Wrong;
use crate::names::{self, Names};

/// One scalar each, by the bits it starts at.
pub(crate) type Cells = BTreeMap<u32, Term>;

#[derive(Clone, Debug)]
pub(crate) struct Actor {
    pub proc: ProcId,
    pub state: u16,
    pub priority: u8,
    pub cells: Cells,
}

#[derive(Clone, Debug)]
pub(crate) struct Pipe {
    pub decl: ChanDeclId,
    pub queue: VecDeque<Vec<Term>>,
    /// The length of a pipe of which `queue` is only the front.
    pub endless: Option<Term>,
    pub sent: Vec<Vec<Term>>,
    pub taken: usize,
    /// Of an endless pipe of which `queue` is what lies in it in the first round.
    pub bag: Option<Heap>,
}

/// What is known of a pipe by its contents.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heap {
    /// The messages of which there may be more than in the first round.
    pub grows: Vec<Vec<Int>>,
    /// Whether a message was put behind all others, or at the place that its value gives it.
    pub appended: bool,
    pub sorted: bool,
    /// Whether the front was looked at.
    pub front: bool,
}

#[derive(Clone)]
pub(crate) struct World<'p> {
    pub program: &'p Program,
    pub integers: Integers,
    pub globals: Cells,
    pub actors: Vec<Actor>,
    pub pipes: Vec<Pipe>,
    /// Who is inside an atomic sequence.
    pub atomic: Option<u32>,
    /// The values of the variables in the run that is played.
    pub at: Assignment,
    /// What has to hold for any run to go the same way.
    pub conditions: Vec<Formula>,
    pub(crate) timeout: bool,
    pub(crate) passing: Option<(usize, Vec<Term>)>,
    pub(crate) depth: u32,
}

impl<'p> World<'p> {
    /// The model before its first step.
    pub fn new(program: &'p Program, integers: Integers) -> Result<Self, Wrong> {
        let mut world = World {
            program,
            integers,
            globals: zeros(&names::of_globals(program)),
            actors: Vec::new(),
            pipes: Vec::new(),
            atomic: None,
            at: Assignment::new(),
            conditions: Vec::new(),
            timeout: false,
            passing: None,
            depth: 0,
        };
        program.global_channels.iter().for_each(|decl| world.open_pipe(*decl));
        world.set_up(&program.initial, 0, 1)?;
        for (proc, priority) in &program.active {
            world.start(*proc, &[], *priority)?;
        }
        Ok(world)
    }

    fn open_pipe(&mut self, decl: ChanDeclId) {
        let (queue, sent) = (VecDeque::new(), Vec::new());
        self.pipes.push(Pipe { decl, queue, endless: None, sent, taken: 0, bag: None });
    }

    fn set_up(&mut self, initial: &[Initial], pid: u32, first: usize) -> Result<(), Wrong> {
        let mut pipe = first as Int;
        for entry in initial {
            let (cell, value) = match entry {
                Initial::Store(cell, value) => (cell, self.eval(value, pid)?),
                Initial::Channel(cell, _) => {
                    pipe += 1;
                    (cell, Term::number(pipe - 1))
                }
            };
            let bit = cell.word * 64 + u32::from(cell.shift);
            let value = arithmetic::stored(&value, cell.width, self.integers);
            *self.cell(cell.space, bit, pid)? = value;
        }
        Ok(())
    }

    pub fn start(&mut self, proc: ProcId, args: &[Term], priority: u8) -> Result<u32, Wrong> {
        if self.actors.len() >= 255 {
            return Err(Wrong::step("more than 255 processes"));
        }
        let shape = &self.program.procs[proc.0 as usize];
        let cells = zeros(&names::of(&shape.variables));
        let pid = self.actors.len() as u32;
        let first = self.pipes.len() + 1;
        self.actors.push(Actor { proc, state: shape.start, priority, cells });
        shape.channels.iter().for_each(|decl| self.open_pipe(*decl));
        for (cell, value) in shape.params.iter().zip(args) {
            let bit = cell.word * 64 + u32::from(cell.shift);
            let value = arithmetic::stored(value, cell.width, self.integers);
            *self.cell(cell.space, bit, pid)? = value;
        }
        self.set_up(&shape.initial, pid, first)?;
        Ok(pid)
    }

    pub fn end_last(&mut self) {
        if let Some(actor) = self.actors.pop() {
            let own = self.program.procs[actor.proc.0 as usize].channels.len();
            self.pipes.truncate(self.pipes.len() - own);
        }
    }

    pub fn cell(&mut self, space: Space, bit: u32, pid: u32) -> Result<&mut Term, Wrong> {
        let cells = match space {
            Space::Global => &mut self.globals,
            Space::Local => match self.actors.get_mut(pid as usize) {
                Some(actor) => &mut actor.cells,
                None => return Err(Wrong::step("there is no such process")),
            },
        };
        cells.get_mut(&bit).ok_or_else(|| Wrong::step("there is no such variable"))
    }

    /// The control state and the priority of every process.
    pub fn places(&self) -> (Vec<(ProcId, u16, u8)>, Option<u32>, usize) {
        let place = |actor: &Actor| (actor.proc, actor.state, actor.priority);
        (self.actors.iter().map(place).collect(), self.atomic, self.pipes.len())
    }

    /// Whether a formula holds in the run that is played; other runs have to
    /// agree.
    pub fn settle(&mut self, formula: Formula) -> Result<bool, Wrong> {
        let holds = formula.holds(&self.at).ok_or_else(|| Wrong::step("a number is too large"))?;
        self.conditions.extend(if holds { formula } else { formula.negated() }.conjuncts());
        Ok(holds)
    }

    /// The number that a term is in the run that is played; likewise.
    pub fn pin(&mut self, term: &Term) -> Result<Int, Wrong> {
        let value = term.value(&self.at).ok_or_else(|| Wrong::step("a number is too large"))?;
        self.conditions.extend(Formula::equal(term, &Term::number(value)).conjuncts());
        Ok(value)
    }
}

fn zeros(names: &Names) -> Cells {
    names.keys().map(|bit| (*bit, Term::default())).collect()
}
