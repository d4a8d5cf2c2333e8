//! What carries letters between the workers of a spread search.

/// How a round of letters stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Somebody has something to do, or a letter is under way.
    Going,
    /// All workers are idle and no letter is under way: the round is over for all.
    Over,
    /// A process is gone, so the round never ends.
    Lost { process: usize },
}

/// Letters between workers, in rounds. The letters of one worker to another
/// arrive in the order in which they were sent. All workers begin the same rounds.
pub trait Post {
    /// Which worker this is.
    fn index(&self) -> usize;

    /// How many workers there are.
    fn peers(&self) -> usize;

    /// Begins the next round: letters that are sent in it arrive in it.
    fn begin(&mut self);

    fn send(&mut self, to: usize, letter: Vec<u8>);

    /// The next letter that has arrived, with its sender.
    fn receive(&mut self) -> Option<(usize, Vec<u8>)>;

    /// Lets letters travel. A worker that is `idle` does nothing more in this round unless a letter
    /// arrives; it may have to wait a moment here.
    fn turn(&mut self, idle: bool) -> Turn;

    /// The bytes of letters that were sent to other workers.
    fn sent(&self) -> u64;
}
