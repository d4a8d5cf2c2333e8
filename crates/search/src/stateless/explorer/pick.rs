//! Which step is made next, by strategy.

use exeunt_model::ActorId;

use super::super::tree::{self, Branch, Key};
use super::{Asleep, Explorer, Node, PATIENCE, Strategy, item, random};

impl Explorer {
    /// What is asleep in the state that was just reached for the first time.
    pub(super) fn node(&mut self) -> Node {
        let tree = std::mem::take(&mut self.carried);
        let (Some(before), Some(event)) = (self.nodes.last(), self.events.last()) else {
            return Node { sleep: Vec::new(), tree };
        };
        // What is left out for its switches may be cheaper another way.
        if matches!(self.strategy, Strategy::Preemptions(_)) {
            return Node { sleep: Vec::new(), tree };
        }
        let item = item(event);
        let stays = |one: &&Asleep| !tree::ordered(&item, one.key.actor, &one.operation);
        Node { sleep: before.sleep.iter().filter(stays).copied().collect(), tree }
    }

    /// The step to make: the one that a wake-up tree asks for, or any that is
    /// not asleep.
    pub(super) fn pick(&mut self, enabled: &[ActorId]) -> Option<Key> {
        let mut preferred = self.preferred(enabled);
        let one = self.strategy == Strategy::Optimal && !self.is_shared(self.events.len());
        if let Strategy::Preemptions(most) = self.strategy {
            let all = preferred.len();
            preferred.retain(|&actor| self.preemptions_with(actor) <= most);
            self.cut |= preferred.len() < all;
        }
        let node = self.nodes.last_mut().expect("a node for the present state");
        // What begins with a step that was made first elsewhere is explored there.
        let Node { sleep, tree } = node;
        tree.retain(|branch| !sleep.iter().any(|one| one.shared && one.key == branch.key));
        let wanted = |actor: ActorId, choice: u32, node: &Node| {
            let key = Key { actor, choice };
            let asleep = node.sleep.iter().any(|one| one.key == key);
            (!asleep && !node.tree.iter().any(|branch| branch.key == key)).then_some(key)
        };
        if node.tree.is_empty() {
            for &actor in &preferred {
                let operation = self.actors[actor.0 as usize].next.expect("it is enabled");
                for choice in 0..operation.arity {
                    let Some(key) = wanted(actor, choice, node) else { continue };
                    node.tree.push(Branch { key, operation, children: Vec::new() });
                }
                if one && !node.tree.is_empty() {
                    break;
                }
            }
        }
        // Where a wake-up tree asks for a step, the other choices come next.
        let first = node.tree.first()?.key;
        let operation = self.actors[first.actor.0 as usize].next?;
        for choice in (0..operation.arity).rev() {
            if let Some(key) = wanted(first.actor, choice, node) {
                node.tree.insert(1, Branch { key, operation, children: Vec::new() });
            }
        }
        self.carried = std::mem::take(&mut node.tree[0].children);
        Some(first)
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

    /// Who should move if nothing else decides: the one that moved last,
    /// unless it gave its turn away or has had many, then the others in turn.
    fn preferred(&self, enabled: &[ActorId]) -> Vec<ActorId> {
        let last = self.events.last().map_or(ActorId(0), |event| event.key.actor);
        let alone = self.events.iter().rev().take_while(|event| event.key.actor == last);
        let tired = self.yields || alone.take(PATIENCE).count() == PATIENCE;
        let first = if tired { last.0 + 1 } else { last.0 };
        let mut order = enabled.to_vec();
        order.sort_by_key(|actor| (actor.0 < first, actor.0));
        order
    }

    /// How many switches would be preemptions if this thread moved next.
    pub(super) fn preemptions_with(&self, actor: ActorId) -> u32 {
        let Some(last) = self.events.last() else { return 0 };
        let stays = last.key.actor == actor || self.yields || !self.is_enabled(last.key.actor);
        last.preemptions + !stays as u32
    }
}
