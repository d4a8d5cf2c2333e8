//! Why the clock shows what it shows: the readings whose raise would raise it.

use std::collections::BTreeMap;

use super::Site;

/// A set of places that look at the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct CauseId(pub u32);

impl CauseId {
    /// The start of the program.
    pub const NONE: CauseId = CauseId(0);
}

/// All such sets of a search, each once.
#[derive(Default)]
pub struct Causes {
    /// Behind the empty one.
    sets: Vec<Vec<Site>>,
    ids: BTreeMap<Vec<Site>, CauseId>,
}

impl Causes {
    fn sites(&self, id: CauseId) -> &[Site] {
        let index = (id.0 as usize).checked_sub(1);
        index.and_then(|index| self.sets.get(index)).map_or(&[], |sites| sites)
    }

    pub fn includes(&self, id: CauseId, site: Site) -> bool {
        self.sites(id).binary_search(&site).is_ok()
    }

    /// All these places and what is behind them.
    pub fn join(&mut self, readings: impl Iterator<Item = (Site, CauseId)>) -> CauseId {
        let mut all: Vec<Site> = Vec::new();
        for (site, cause) in readings {
            all.push(site);
            all.extend_from_slice(self.sites(cause));
        }
        all.sort_unstable();
        all.dedup();
        if all.is_empty() {
            return CauseId::NONE;
        }
        if let Some(&id) = self.ids.get(&all) {
            return id;
        }
        self.sets.push(all.clone());
        let id = CauseId(self.sets.len() as u32);
        self.ids.insert(all, id);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_behind_a_cause_is_part_of_it() {
        let mut causes = Causes::default();
        let first = causes.join([(7, CauseId::NONE)].into_iter());
        let second = causes.join([(9, first)].into_iter());
        assert!(causes.includes(second, 7) && causes.includes(second, 9));
        assert!(!causes.includes(first, 9) && !causes.includes(CauseId::NONE, 7));
        assert_eq!(causes.join([(7, CauseId::NONE), (9, CauseId::NONE)].into_iter()), second);
    }
}
