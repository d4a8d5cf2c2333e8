//! A state space to look at: every state with what happens in it, bottom
//! components and stuck states marked; components as one where there are many.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ops::ControlFlow;

use exeunt_model::{
    Detail, Edge, Picture, PictureEdge, PictureState, Session, Sink, StateStatus, Target, deeds,
};

use crate::explore::Graph;
use crate::options::Options;
use crate::store::{ComponentPool, StateId, StateStore};
use crate::stuck::{self, Edges, Stuck};

/// Up to so many states are drawn one by one.
const SINGLE: usize = 80;

/// Explores up to `limit` states, breadth first.
pub fn draw(session: &dyn Session, limit: usize) -> Result<Picture, String> {
    let pool = ComponentPool::new();
    let mut graph = Graph::new(session.worker(&pool), &pool);
    graph.start().map_err(|fault| fault.message)?;
    let Some(initial) = graph.initial else {
        return Err("the program has no initial state".to_string());
    };
    let mut artist = Artist::new(initial);
    artist.explore(&mut graph, limit)?;
    artist.mark(&mut graph);
    Ok(match artist.picture.states.len() > SINGLE {
        true => artist.collapse(),
        false => artist.picture,
    })
}

struct Artist {
    picture: Picture,
    numbers: HashMap<StateId, usize>,
    queue: VecDeque<StateId>,
}

/// An edge as it came out of an expansion.
struct Arrow {
    to: Result<StateId, String>,
    label: String,
    withheld: bool,
    chosen: bool,
}

impl Artist {
    fn new(initial: StateId) -> Artist {
        let first = PictureState { initial: true, ..PictureState::default() };
        Artist {
            picture: Picture { states: vec![first], ..Picture::default() },
            numbers: HashMap::from([(initial, 0)]),
            queue: VecDeque::from([initial]),
        }
    }

    fn explore(&mut self, graph: &mut Graph<'_>, limit: usize) -> Result<(), String> {
        let mut expanded = 0;
        while let Some(state) = self.queue.pop_front() {
            let number = self.numbers[&state];
            let vector = graph.vector(state);
            self.picture.states[number].lines = describe(graph, &vector);
            if expanded == limit {
                self.picture.states[number].unexplored = true;
                self.picture.cut = true;
                continue;
            }
            expanded += 1;
            let (status, arrows) = arrows(graph, &vector)?;
            let moves = arrows.iter().any(|arrow| !arrow.withheld);
            self.picture.states[number].ended = status == StateStatus::Ended;
            self.picture.states[number].deadlock = status == StateStatus::Running && !moves;
            for arrow in arrows {
                self.add(number, arrow);
            }
        }
        Ok(())
    }

    fn add(&mut self, from: usize, arrow: Arrow) {
        let Arrow { to, label, withheld, chosen } = arrow;
        let target = match to {
            Ok(target) => target,
            Err(fault) => return self.picture.faults.push((from, format!("{label}: {fault}"))),
        };
        let to = *self.numbers.entry(target).or_insert_with(|| {
            self.picture.states.push(PictureState::default());
            self.queue.push_back(target);
            self.picture.states.len() - 1
        });
        self.picture.edges.push(PictureEdge { from, to, label, withheld, chosen });
    }

    /// Marks bottom components and stuck states; what was cut off is neither.
    fn mark(&mut self, graph: &mut Graph<'_>) {
        let components = self.components();
        for component in &components {
            let inside = |state: usize| component.contains(&state);
            let leaves = self
                .picture
                .edges
                .iter()
                .any(|edge| !edge.withheld && inside(edge.from) && !inside(edge.to));
            let open = component.iter().any(|&s| self.picture.states[s].unexplored);
            let bottom = !leaves && !open;
            component.iter().for_each(|&s| self.picture.states[s].bottom = bottom);
        }
        if self.picture.cut {
            return;
        }
        let edges = Edges::of_everything(graph);
        for set in stuck::stuck_sets(graph, &edges, Options::default().wanted()) {
            let Stuck::Section(section) = set.what else { continue };
            for state in set.states(&edges) {
                let vector = graph.vector(state);
                let view = graph.worker.describe_section(&vector, &section);
                let text = format!("{} `{}`", section.kind, view.name);
                self.picture.states[self.numbers[&state]].stuck.push(text);
            }
        }
    }

    /// The components over the edges that cannot be withheld, by repeated
    /// search: pictures are small.
    fn components(&self) -> Vec<Vec<usize>> {
        let states = self.picture.states.len();
        let mut forward = vec![Vec::new(); states];
        let mut backward = vec![Vec::new(); states];
        for edge in self.picture.edges.iter().filter(|edge| !edge.withheld) {
            forward[edge.from].push(edge.to);
            backward[edge.to].push(edge.from);
        }
        let order = finishing_order(&forward);
        let mut component = vec![usize::MAX; states];
        let mut found: Vec<Vec<usize>> = Vec::new();
        for &root in order.iter().rev() {
            if component[root] != usize::MAX {
                continue;
            }
            let number = found.len();
            let mut members = Vec::new();
            let mut work = vec![root];
            while let Some(state) = work.pop() {
                if component[state] == usize::MAX {
                    component[state] = number;
                    members.push(state);
                    work.extend(&backward[state]);
                }
            }
            found.push(members);
        }
        found
    }

    /// One state for each component.
    fn collapse(self) -> Picture {
        let components = self.components();
        let mut of = vec![0; self.picture.states.len()];
        for (number, members) in components.iter().enumerate() {
            members.iter().for_each(|&member| of[member] = number);
        }
        let states = components.iter().map(|members| self.together(members)).collect();
        let mut between: BTreeMap<(usize, usize, bool), usize> = BTreeMap::new();
        for edge in self.picture.edges.iter().filter(|edge| of[edge.from] != of[edge.to]) {
            *between.entry((of[edge.from], of[edge.to], edge.withheld)).or_default() += 1;
        }
        let edges = between.into_iter().map(|((from, to, withheld), count)| {
            let label = if count == 1 { String::new() } else { format!("{count}×") };
            PictureEdge { from, to, label, withheld, chosen: false }
        });
        let faults = self.picture.faults.iter();
        Picture {
            edges: edges.collect(),
            faults: faults.map(|(from, text)| (of[*from], text.clone())).collect(),
            collapsed: Some(self.picture.states.len()),
            cut: self.picture.cut,
            states,
        }
    }

    fn together(&self, members: &[usize]) -> PictureState {
        let states = || members.iter().map(|&member| &self.picture.states[member]);
        let lines = match members {
            [only] => self.picture.states[*only].lines.clone(),
            _ => vec![format!("{} states", members.len())],
        };
        let mut stuck: Vec<String> = states().flat_map(|state| state.stuck.clone()).collect();
        stuck.sort();
        stuck.dedup();
        PictureState {
            lines,
            initial: states().any(|state| state.initial),
            ended: states().any(|state| state.ended),
            deadlock: states().any(|state| state.deadlock),
            bottom: states().all(|state| state.bottom),
            stuck,
            unexplored: states().any(|state| state.unexplored),
        }
    }
}

/// States in the order in which a depth-first search leaves them.
fn finishing_order(forward: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; forward.len()];
    let mut order = Vec::new();
    for root in 0..forward.len() {
        let mut stack = vec![(root, 0)];
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        while let Some((state, next)) = stack.pop() {
            match forward[state].get(next) {
                None => order.push(state),
                Some(&target) => {
                    stack.push((state, next + 1));
                    if !std::mem::replace(&mut seen[target], true) {
                        stack.push((target, 0));
                    }
                }
            }
        }
    }
    order
}

fn describe(graph: &mut Graph<'_>, vector: &[exeunt_model::CompId]) -> Vec<String> {
    let mut lines = Vec::new();
    for view in graph.worker.view(vector).iter().filter(|view| !view.ended) {
        let place = match &view.location {
            Some(location) if location.is_known() => format!("line {}", location.line),
            _ => "-".to_string(),
        };
        let waits = view.blocked.as_deref().map(|why| format!(", {why}")).unwrap_or_default();
        lines.push(format!("{} {}: {place}{waits}", view.actor, view.name));
    }
    let variables = graph.worker.variables(vector);
    lines.extend(variables.iter().map(|(name, value)| format!("{name} = {value}")));
    lines
}

fn arrows(
    graph: &mut Graph<'_>,
    vector: &[exeunt_model::CompId],
) -> Result<(StateStatus, Vec<Arrow>), String> {
    let Graph { worker, store, .. } = graph;
    let mut sink = Arrows { store, arrows: Vec::new(), unsupported: None };
    let status = worker.expand(vector, Detail::Story, None, &mut sink);
    match sink.unsupported {
        Some(limit) => Err(limit),
        None => Ok((status, sink.arrows)),
    }
}

struct Arrows<'a> {
    store: &'a mut StateStore,
    arrows: Vec<Arrow>,
    unsupported: Option<String>,
}

impl Sink for Arrows<'_> {
    fn edge(&mut self, edge: &Edge<'_>, target: Target<'_>) -> ControlFlow<()> {
        let to = match target {
            Target::State(vector) => Ok(self.store.insert(vector).0),
            Target::Fault(fault) => Err(fault.message.clone()),
            Target::Dropped => return ControlFlow::Continue(()),
            Target::Unsupported(limit) => {
                self.unsupported = Some(limit.to_string());
                return ControlFlow::Break(());
            }
        };
        let did = deeds(edge.events).next().map(|(_, text)| text);
        let label = format!("{}: {}", edge.actor, did.unwrap_or("computes"));
        let chosen = edge.has_environment_choice();
        self.arrows.push(Arrow { to, label, withheld: edge.withheld, chosen });
        ControlFlow::Continue(())
    }
}
