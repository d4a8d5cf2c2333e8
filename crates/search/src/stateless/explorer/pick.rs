//! Which step is made next, by strategy.

use exeunt_model::ActorId;

use super::super::tree::{self, Branch, Key};
use super::{Asleep, Explorer, Node, PATIENCE, Strategy, item};
use crate::chance::random;

impl Explorer {
    /// What is asleep in the state that was just reached for the first time.
    pub(super) fn node(&mut self) -> Node {
        let mut node = self.spare.pop().unwrap_or_default();
        if !self.carried.is_empty() {
            node.tree = std::mem::take(&mut self.carried);
        }
        // What is left out for its switches may be cheaper another way.
        if !matches!(self.strategy, Strategy::Preemptions(_))
            && let (Some(before), Some(event)) = (self.nodes.last(), self.events.last())
        {
            let item = item(event);
            let stays = |one: &&Asleep| !tree::ordered(&item, one.key.actor, &one.operation);
            node.sleep.extend(before.sleep.iter().filter(stays).copied());
        }
        node
    }

    /// The step to make: the one that a wake-up tree asks for, or any that is
    /// not asleep.
    pub(super) fn pick(&mut self) -> Option<Key> {
        if self.share.is_some() {
            // What begins with a step that was made first elsewhere is explored there.
            let Node { sleep, tree } = self.present();
            tree.retain(|branch| !sleep.iter().any(|one| one.shared && one.key == branch.key));
        }
        if self.present().tree.is_empty() {
            self.branch();
        }
        // Where a wake-up tree asks for a step, the other choices come next.
        let first = self.present().tree.first()?.key;
        let operation = self.actors[first.actor.0 as usize].next?;
        let node = self.present();
        for choice in (0..operation.arity).rev() {
            if let Some(key) = node.wanted(first.actor, choice) {
                node.tree.insert(1, Branch { key, operation, children: Vec::new() });
            }
        }
        self.carried = std::mem::take(&mut node.tree[0].children);
        Some(first)
    }

    fn present(&mut self) -> &mut Node {
        self.nodes.last_mut().expect("a node for the present state")
    }

    /// Asks for the steps that are to be explored from a state that no wake-up tree says
    /// anything about: one of them, if races are reversed.
    fn branch(&mut self) {
        let one = self.strategy == Strategy::Optimal && !self.is_shared(self.events.len());
        let first = self.preferred();
        let all = self.actors.len() as u32;
        for actor in (first..all).chain(0..first.min(all)).map(ActorId) {
            if !self.is_enabled(actor) {
                continue;
            }
            if let Strategy::Preemptions(most) = self.strategy
                && self.preemptions_with(actor) > most
            {
                self.cut = true;
                continue;
            }
            let operation = self.actors[actor.0 as usize].next.expect("it is enabled");
            let node = self.present();
            for choice in 0..operation.arity {
                let Some(key) = node.wanted(actor, choice) else { continue };
                node.tree.push(Branch { key, operation, children: Vec::new() });
            }
            if one && !node.tree.is_empty() {
                break;
            }
        }
    }

    /// Any of the enabled steps.
    pub(super) fn any(&mut self, enabled: &[ActorId]) -> Key {
        if self.prioritised
            && let Some(mut pct) = self.pct.take()
        {
            let last = self.events.last().map_or(ActorId(0), |event| event.key.actor);
            let actor = pct.pick(enabled, self.events.len(), last, self.yields);
            let arity = self.actors[actor.0 as usize].next.map_or(1, |next| next.arity);
            let key = Key { actor, choice: pct.choice(arity) };
            self.pct = Some(pct);
            return key;
        }
        let Strategy::Random { seed } = &mut self.strategy else {
            unreachable!("only random runs ask for this")
        };
        let actor = enabled[random(seed) as usize % enabled.len()];
        let arity = self.actors[actor.0 as usize].next.map_or(1, |next| next.arity);
        Key { actor, choice: random(seed) as u32 % arity }
    }

    /// Who should move if nothing else decides, if it can, before the others in turn: the
    /// one that moved last, unless it gave its turn away or has had many.
    fn preferred(&self) -> u32 {
        let last = self.events.last().map_or(ActorId(0), |event| event.key.actor);
        let alone = self.events.iter().rev().take_while(|event| event.key.actor == last);
        let tired = self.yields || alone.take(PATIENCE).count() == PATIENCE;
        if tired { last.0 + 1 } else { last.0 }
    }

    /// How many switches would be preemptions if this thread moved next.
    pub(super) fn preemptions_with(&self, actor: ActorId) -> u32 {
        let Some(last) = self.events.last() else { return 0 };
        let stays = last.key.actor == actor || self.yields || !self.is_enabled(last.key.actor);
        last.preemptions + !stays as u32
    }
}

impl Node {
    /// The step, unless it is asleep or asked for already.
    fn wanted(&self, actor: ActorId, choice: u32) -> Option<Key> {
        let key = Key { actor, choice };
        let asleep = self.sleep.iter().any(|one| one.key == key);
        (!asleep && !self.tree.iter().any(|branch| branch.key == key)).then_some(key)
    }
}
