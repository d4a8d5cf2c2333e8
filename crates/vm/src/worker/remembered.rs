//! Steps that were taken before are told from memory.

use std::ops::ControlFlow;

use exeunt_model::{CompId, Sink};
use rustc_hash::FxHashMap;

use super::{Pace, VmWorker};
use crate::memo::{Answer, Asked, Memo, Recorder};

impl VmWorker<'_> {
    /// All moves of one thread, from memory if it has been here before.
    pub(super) fn expand_by_memory(
        &mut self,
        state: &[CompId],
        thread: u32,
        pace: Pace<'_>,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let asked = Asked { state, thread, threads: self.machine.system_threads() };
        // Whoever remembers a step does not learn from it again; a story may come to places before the search does.
        let place = (thread, state[1 + thread as usize]);
        let learnt = !self.learns || !matches!(pace, Pace::Step) || self.chooser.knows(place);
        let memo = recall(&mut self.memo, &mut self.turns, pace);
        match memo.ask(asked, self.machine.pool) {
            Answer::Known(known) => {
                let pool = self.machine.pool;
                let (opened, flow) = memo.tell(known, asked, &mut self.room, pool, sink);
                self.machine.tale.count_opened(opened);
                flow
            }
            Answer::Execute => self.execute(thread, pace, sink),
            Answer::Learn if !learnt => self.execute(thread, pace, sink),
            Answer::Learn => {
                self.machine.reload();
                self.machine.mem.forget_looks();
                let opened = self.machine.tale.opened();
                let mut recorder = Recorder::new(state, self.machine.pool, sink);
                let flow = self.execute(thread, pace, &mut recorder);
                let opened = self.machine.tale.opened() - opened;
                let memo = recall(&mut self.memo, &mut self.turns, pace);
                memo.learn(asked, self.machine.mem.looks(), opened, recorder);
                flow
            }
        }
    }
}

/// What remembers steps, or the turns of a leash.
fn recall<'m>(
    steps: &'m mut Memo,
    turns: &'m mut FxHashMap<Box<[u64]>, Memo>,
    pace: Pace<'_>,
) -> &'m mut Memo {
    match pace {
        Pace::Step => steps,
        Pace::Turn(leash) => turns.entry(leash.known.unwrap_or_default().into()).or_default(),
    }
}
