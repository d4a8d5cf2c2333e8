//! How much of a search is left: an estimate, for people who wait.
//!
//! In depth it is Knuth's (Estimating the Efficiency of Backtrack Programs, 1975), read off the path:
//! the successors of a state are taken to lead to equally many states, so a successor that is done is the
//! share of its state divided by their number. In other orders it is read off the growth: if each state
//! leads to `r` new ones, those that wait lead to `1 / (1 - r)` times as many.
//!
//! Both err, mostly to the low side, because states that were seen are not visited again. No verdict
//! depends on them.

/// The share that was seen, of a path of states with so many successors, of which so many are done.
pub fn on_path(levels: impl Iterator<Item = (u32, u32)>) -> f64 {
    let (mut seen, mut weight) = (0.0, 1.0);
    for (successors, done) in levels {
        seen += weight * f64::from(done) / f64::from(successors.max(1));
        weight /= f64::from(successors.max(1));
        if weight < 1e-9 {
            break;
        }
    }
    seen
}

/// What was counted at an earlier moment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Growth {
    states: u64,
    expanded: u64,
}

impl Growth {
    /// The share that was seen, from what was found since the last call; `None` while each state leads to
    /// about as many new ones.
    pub fn share(&mut self, states: u64, expanded: u64) -> Option<f64> {
        let before = std::mem::replace(self, Growth { states, expanded });
        let steps = expanded.checked_sub(before.expanded).filter(|&steps| steps > 0)?;
        let rate = states.saturating_sub(before.states) as f64 / steps as f64;
        let left = states.saturating_sub(expanded) as f64 / (1.0 - rate);
        (rate < 0.98).then(|| expanded as f64 / (expanded as f64 + left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_balanced_tree_is_estimated_exactly() {
        // Of three successors one is done, of the second's two none, of the third's four three.
        let seen = on_path([(3, 1), (2, 0), (4, 3)].into_iter());
        assert!((seen - (1.0 / 3.0 + 3.0 / 24.0)).abs() < 1e-12);
        assert_eq!(on_path(std::iter::empty()), 0.0);
    }

    #[test]
    fn what_grows_no_more_is_nearly_done() {
        let mut growth = Growth::default();
        assert_eq!(growth.share(1000, 500), None, "twice as many as were looked at");
        assert_eq!(growth.share(1250, 1000), Some(1000.0 / 1500.0), "each leads to a half");
        assert_eq!(growth.share(1250, 1250), Some(1.0));
    }
}
