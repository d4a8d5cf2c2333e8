//! Threads that may begin in several ways, and the starts that make them do so.
//!
//! A function that is started with several addresses is several functions, as far as pointers are
//! concerned: the subject begins as one of them, and the others run beside it. Where a start happens once, its
//! thread is the subject or runs beside it, but not both. That is a lock which whoever is started there has from
//! the beginning to the end.

use exeunt_ir::{Callee, Pc};
use exeunt_smt::{Formula, Int, Term};

use super::arithmetic::Number;
use super::build::{BEGINS, Builder, Draft};
use super::calls::Here;
use super::cells::Place;
use super::shape::Shape;
use crate::address::Value;
use crate::{Hold, Lock, LockId, Mode, NodeId, VarKind};

/// The bytes of a thread's name.
const NAME: i64 = 8;

impl Builder<'_> {
    /// Makes what tells the beginnings of the subject apart, if it has several.
    pub(super) fn tell_beginnings_apart(&mut self) {
        let count = self.roots[0].beginnings.len();
        if count < 2 {
            return;
        }
        let range = (0, count as Int - 1);
        self.beginning = Some(self.variable("beginning".into(), VarKind::Local(0), range));
        for (index, group) in self.plan.groups.iter().enumerate() {
            let own = self.plan.starts[index].iter().find(|(thread, _)| *thread == 0);
            let (Some((_, beginning)), true) = (own, group.once) else { continue };
            let site = group.sites.first().and_then(|(context, pc)| self.location(*context, *pc));
            let line = site.map_or(0, |location| location.line);
            let id = LockId(self.lock_list.len() as u32);
            self.lock_list.push(Lock { name: format!("started@{line}"), distrusted: None });
            self.starts.insert(*beginning, id);
        }
    }

    fn own_start(&self, beginning: usize) -> Vec<Hold> {
        let lock = self.starts.get(&beginning);
        let hold = |lock: &LockId| Hold { lock: *lock, mode: Mode::Exclusive, count: 1 };
        lock.map(hold).into_iter().collect()
    }

    /// Where a thread begins.
    pub(super) fn first_point(&self, thread: usize) -> (usize, Pc, u8, Vec<Hold>) {
        if self.calls.roots[thread].len() > 1 {
            return (BEGINS, 0, 0, Vec::new());
        }
        // It may be started where the subject is, in place of it.
        let mut groups = self.plan.starts.iter().filter(|starts| starts.contains(&(thread, 0)));
        let subject = groups.find_map(|starts| starts.iter().find(|(thread, _)| *thread == 0));
        let held = match (thread, subject) {
            (0, _) | (_, None) => Vec::new(),
            (_, Some((_, beginning))) => self.own_start(*beginning),
        };
        (self.calls.roots[thread][0], 0, 0, held)
    }

    /// The edges that leave a place of a thread.
    pub(super) fn leaving(
        &mut self,
        (context, pc): (usize, Pc),
        phase: u8,
        held: &[Hold],
        node: NodeId,
    ) -> Result<Vec<Draft>, String> {
        if context == BEGINS {
            return Ok(self.begins());
        }
        // No run comes to this instruction.
        if !self.pointers.is_reached(context, pc) {
            return Ok(Vec::new());
        }
        if let Some(drafts) = self.of_addresses((context, pc), held) {
            return Ok(drafts);
        }
        let blurred = self.compares_addresses((context, pc));
        let mut drafts = self.instruction(context, pc, phase, held, node)?;
        drafts.iter_mut().for_each(|draft| draft.exact &= !blurred);
        Ok(drafts)
    }

    /// The subject becomes one of those that it may be.
    fn begins(&mut self) -> Vec<Draft> {
        let Some(which) = self.beginning else { return Vec::new() };
        let roots = self.calls.roots[0].clone();
        let beginnings = roots.into_iter().enumerate();
        let drafts = beginnings.map(|(number, context)| {
            let mut draft = self.draft((context, 0), &self.own_start(number));
            draft.guard = Formula::equal(&Term::var(which), &Term::number(number as Int));
            draft.visible = true;
            draft.text = "begins".into();
            draft
        });
        drafts.collect()
    }

    /// A call that starts a thread, which may be the subject or one beside it; and the same call if it
    /// fails.
    pub(super) fn created(
        &mut self,
        draft: Draft,
        here: Here,
        routine: &Value,
        argument: usize,
    ) -> Vec<Draft> {
        let function = self.program.function(self.calls.contexts[here.context].func);
        let handle = function.calls[here.call as usize].args[0].slot;
        let handle = self.pointers.at(here.context, handle);
        let mut draft = draft;
        draft.visible = true;
        match handle {
            Value::Address(object, offset) => {
                let known = draft.inputs.len();
                self.havoc_part(&mut draft, &Place { object, offset, bytes: NAME });
                self.leave_open(&draft, known);
            }
            _ => self.havoc(&mut draft, &self.pointers.targets(&handle)),
        }
        draft.text = "starts a thread".into();
        let mut failed = self.failing(draft.clone(), here);
        failed.fails = true;
        let started = self.answering(draft, here, Some(0));
        let mut drafts = Vec::new();
        for (thread, beginning) in self.started(here, routine) {
            let mut started = started.clone();
            started.starts = Some(thread);
            self.hand_over(&mut started, here, argument, (thread, beginning));
            drafts.push(started);
        }
        if drafts.is_empty() {
            drafts.push(started);
        }
        drafts.push(failed);
        drafts
    }

    /// The threads that a call may start.
    fn started(&self, here: Here, routine: &Value) -> Vec<(usize, usize)> {
        let site = (here.context, here.pc);
        let groups = self.plan.groups.iter().zip(&self.plan.starts);
        let mut known = groups.filter(|(group, _)| group.sites.contains(&site));
        if let Some((_, starts)) = known.next() {
            return starts.clone();
        }
        // The user has said which threads there are.
        let func = routine.function();
        let is_meant = |(_, root): &(usize, &super::Root)| Some(root.beginnings[0].0) == func;
        self.roots
            .iter()
            .enumerate()
            .find(is_meant)
            .map(|(thread, _)| (thread, 0))
            .into_iter()
            .collect()
    }

    /// The argument of a new thread becomes its parameter.
    fn hand_over(
        &mut self,
        draft: &mut Draft,
        here: Here,
        argument: usize,
        (thread, beginning): (usize, usize),
    ) {
        let function = self.program.function(self.calls.contexts[here.context].func);
        let context = self.calls.roots[thread][beginning];
        let takes = self.program.function(self.calls.contexts[context].func).params > 0;
        let site = &function.calls[here.call as usize];
        debug_assert!(matches!(site.callee, Callee::Direct(_)));
        if let Some(arg) = site.args.get(argument).filter(|_| takes) {
            let width = self.shape(context, 0).width;
            let value = self.number(here.context, arg.slot, width);
            self.define(draft, context, 0, &value);
        }
        if let (0, Some(which)) = (thread, self.beginning) {
            draft.sets.insert(which, Term::number(beginning as Int));
        }
    }
}

/// A number of 64 bits, as addresses are.
pub(super) fn address(term: Term) -> Number {
    Number { term, shape: Shape { width: 64, signed: false } }
}
