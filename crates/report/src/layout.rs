//! Graphs in layers (Sugiyama, Tagawa and Toda: Methods for Visual Understanding of Hierarchical System
//! Structures, 1981), in a simple form: a node is one layer below the nearest that leads to it, nodes of a layer are
//! ordered by the middle of their neighbours, and each moves towards that middle as far as there is room.

/// A node by its size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// Where nodes are: the middles of their upper edges.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    pub(crate) places: Vec<(f64, f64)>,
    pub(crate) layers: Vec<usize>,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

const BETWEEN: f64 = 26.0;
const BELOW: f64 = 62.0;
const MARGIN: f64 = 16.0;
const SWEEPS: usize = 12;

/// Places nodes; the first is on top.
pub(crate) fn lay_out(sizes: &[Size], edges: &[(usize, usize)]) -> Layout {
    let layers = layers(sizes.len(), edges);
    let last = layers.iter().max().map_or(0, |last| last + 1);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); last];
    for (node, layer) in layers.iter().enumerate() {
        rows[*layer].push(node);
    }
    let mut neighbours = vec![Vec::new(); sizes.len()];
    for &(from, to) in edges.iter().filter(|(from, to)| layers[*from] != layers[*to]) {
        neighbours[from].push(to);
        neighbours[to].push(from);
    }
    let mut x = vec![0.0; sizes.len()];
    for row in &rows {
        pack(row, sizes, &mut x);
    }
    for sweep in 0..SWEEPS {
        let order: Vec<usize> =
            if sweep % 2 == 0 { (0..last).collect() } else { (0..last).rev().collect() };
        for at in order {
            arrange(&mut rows[at], sizes, &neighbours, &mut x);
        }
    }
    place(sizes, &rows, layers, &x)
}

/// The distance of each node from the first; what is not reached is in the first layer.
fn layers(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut after = vec![Vec::new(); count];
    for &(from, to) in edges {
        after[from].push(to);
    }
    let mut layers = vec![usize::MAX; count];
    let mut row: Vec<usize> = (0..count.min(1)).collect();
    let mut depth = 0;
    while !row.is_empty() {
        row.iter().for_each(|node| layers[*node] = depth);
        let next = row.iter().flat_map(|node| &after[*node]).copied();
        let mut next: Vec<usize> = next.filter(|node| layers[*node] == usize::MAX).collect();
        next.sort_unstable();
        next.dedup();
        (row, depth) = (next, depth + 1);
    }
    layers.iter().map(|layer| if *layer == usize::MAX { 0 } else { *layer }).collect()
}

/// One beside the other.
fn pack(row: &[usize], sizes: &[Size], x: &mut [f64]) {
    let mut at = 0.0;
    for node in row {
        x[*node] = at + sizes[*node].width / 2.0;
        at += sizes[*node].width + BETWEEN;
    }
}

/// Orders a layer by the middle of neighbours and moves its nodes there.
fn arrange(row: &mut [usize], sizes: &[Size], neighbours: &[Vec<usize>], x: &mut [f64]) {
    let middle = |node: usize, x: &[f64]| match neighbours[node].as_slice() {
        [] => x[node],
        some => some.iter().map(|other| x[*other]).sum::<f64>() / some.len() as f64,
    };
    let wanted: Vec<f64> = (0..x.len()).map(|node| middle(node, x)).collect();
    row.sort_by(|a, b| wanted[*a].total_cmp(&wanted[*b]).then(a.cmp(b)));
    let mut edge = f64::NEG_INFINITY;
    for &node in row.iter() {
        let half = sizes[node].width / 2.0;
        x[node] = wanted[node].max(edge + half);
        edge = x[node] + half + BETWEEN;
    }
    // Those that were pushed to the right pull their neighbours back to the middle.
    let shift: f64 = row.iter().map(|node| wanted[*node] - x[*node]).sum::<f64>();
    let shift = shift / row.len().max(1) as f64;
    row.iter().for_each(|node| x[*node] += shift);
}

fn place(sizes: &[Size], rows: &[Vec<usize>], layers: Vec<usize>, x: &[f64]) -> Layout {
    let left = |node: usize| x[node] - sizes[node].width / 2.0;
    let right = |node: usize| x[node] + sizes[node].width / 2.0;
    let least = (0..sizes.len()).map(left).fold(f64::INFINITY, f64::min);
    let most = (0..sizes.len()).map(right).fold(f64::NEG_INFINITY, f64::max);
    let mut places = vec![(0.0, 0.0); sizes.len()];
    let mut y = MARGIN;
    for row in rows {
        for node in row {
            places[*node] = (x[*node] - least + MARGIN, y);
        }
        let tallest = row.iter().map(|node| sizes[*node].height).fold(0.0, f64::max);
        y += tallest + BELOW;
    }
    let width = if sizes.is_empty() { 0.0 } else { most - least + 2.0 * MARGIN };
    Layout { places, layers, width, height: (y - BELOW + MARGIN).max(0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_of_a_layer_do_not_overlap_and_edges_lead_down() {
        let size = Size { width: 100.0, height: 30.0 };
        let edges = [(0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (3, 5), (5, 0), (4, 6), (5, 6)];
        let layout = lay_out(&[size; 7], &edges);
        for (a, &(x, y)) in layout.places.iter().enumerate() {
            assert!(x >= 50.0 && x <= layout.width - 50.0 && y < layout.height);
            for (b, &(other, below)) in layout.places.iter().enumerate() {
                assert!(a == b || y != below || (x - other).abs() >= 100.0, "{a} {b}");
            }
        }
        assert!(layout.places[4].1 > layout.places[1].1);
        assert_eq!(layout.layers, [0, 1, 1, 1, 2, 2, 3]);
    }
}
