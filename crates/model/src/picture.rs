//! A small state space as plain data, for drawing.

/// One state, or a whole component where states are collapsed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PictureState {
    /// What the actors are doing and what the variables are.
    pub lines: Vec<String>,
    pub initial: bool,
    /// The program has ended here.
    pub ended: bool,
    /// Nothing can move, and the program has not ended.
    pub deadlock: bool,
    /// In a component that cannot be left.
    pub bottom: bool,
    /// Sections that need never end from here on.
    pub stuck: Vec<String>,
    /// Not explored further.
    pub unexplored: bool,
}

/// One move between two states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureEdge {
    pub from: usize,
    pub to: usize,
    pub label: String,
    /// The environment may withhold it for ever.
    pub withheld: bool,
    /// The environment chose something on it.
    pub chosen: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    pub states: Vec<PictureState>,
    pub edges: Vec<PictureEdge>,
    /// Steps that went wrong: from where, and how.
    pub faults: Vec<(usize, String)>,
    /// How many states were explored, if they are shown collapsed.
    pub collapsed: Option<usize>,
    /// Not all states are there.
    pub cut: bool,
}

/// A run as a message sequence chart: who sends what to whom, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chart {
    /// The names of the actors, by number.
    pub actors: Vec<String>,
    pub events: Vec<ChartEvent>,
}

/// One thing that an actor does, a row of the chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartEvent {
    /// Its place among the actors.
    pub actor: usize,
    pub text: String,
    pub kind: ChartKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChartKind {
    /// A message goes into a channel.
    Sent,
    /// A message comes out of a channel; it was put in by the event with this number, if that is
    /// part of the chart.
    Received {
        sent: Option<usize>,
    },
    /// A message is handed over to this actor without a channel that could hold it.
    HandedTo(usize),
    Printed,
    Started(usize),
    Ended,
    /// The run goes wrong here.
    Failed,
    /// From here on the run repeats for ever.
    Repeats,
}
