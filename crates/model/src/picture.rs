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
