//! The present state of a run, for those who look at it from outside.

use exeunt_model::{Action, ActorId, ObjectId, Operation};

use super::Explorer;

impl Explorer {
    /// Which steps are possible in the present state, each choice apart, and
    /// which threads are blocked.
    pub fn standings(&self) -> (Vec<(ActorId, Option<u32>)>, Vec<ActorId>) {
        let (able, blocked): (Vec<ActorId>, Vec<ActorId>) =
            self.unfinished().partition(|&actor| self.is_enabled(actor));
        let choices = |actor: ActorId| {
            let arity = self.actors[actor.0 as usize].next.map_or(1, |next| next.arity);
            let choice = move |choice: u32| (actor, (arity > 1).then_some(choice));
            (0..arity).map(choice)
        };
        (able.into_iter().flat_map(choices).collect(), blocked)
    }

    /// A thread that waits to be woken from one of these objects.
    pub fn awaits(&self, of: impl Fn(ObjectId) -> bool) -> Option<ActorId> {
        self.unfinished().find(|actor| {
            let next = self.actors[actor.0 as usize].next.as_ref();
            let accesses = next.map_or(&[][..], Operation::accesses);
            accesses.iter().any(|access| access.action == Action::Wake && of(access.object))
        })
    }

    /// Who holds which mutex or lock in the present state.
    pub fn holdings(&self) -> Vec<(ActorId, ObjectId)> {
        self.objects.holdings()
    }

    /// The state of all synchronisation objects, in a canonical form.
    pub fn describe_objects(&self) -> String {
        format!("{:?} {:?}", self.objects.sorted(), self.exiting)
    }
}
