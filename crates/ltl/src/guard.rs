//! What an edge asks of a state: a disjunction of cubes. A cube is a
//! conjunction of literals, two sets of propositions as bits.

/// The propositions that are true in a state, by their numbers.
pub type Letter = u64;

/// The propositions that must be true and those that must be false.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cube {
    pub yes: Letter,
    pub no: Letter,
}

impl Cube {
    pub const ALL: Cube = Cube { yes: 0, no: 0 };

    pub fn literal(proposition: usize, positive: bool) -> Cube {
        let bit = 1 << proposition;
        if positive { Cube { yes: bit, no: 0 } } else { Cube { yes: 0, no: bit } }
    }

    pub fn contains(self, letter: Letter) -> bool {
        letter & self.yes == self.yes && letter & self.no == 0
    }

    /// The letters of both, if there are any.
    pub fn and(self, other: Cube) -> Option<Cube> {
        let both = Cube { yes: self.yes | other.yes, no: self.no | other.no };
        (both.yes & both.no == 0).then_some(both)
    }

    /// Whether every letter of this cube is one of the other.
    pub fn within(self, other: Cube) -> bool {
        self.yes & other.yes == other.yes && self.no & other.no == other.no
    }

    /// Whether every letter of this cube is in one of the others.
    pub fn covered_by(self, others: &[Cube]) -> bool {
        if others.iter().any(|other| self.within(*other)) {
            return true;
        }
        let near = others.iter().copied().filter(|other| self.and(*other).is_some());
        let near: Vec<Cube> = near.collect();
        let Some(first) = near.first() else { return false };
        let open = (first.yes | first.no) & !(self.yes | self.no);
        let bit = open & open.wrapping_neg();
        let with = Cube { yes: self.yes | bit, no: self.no };
        let without = Cube { yes: self.yes, no: self.no | bit };
        with.covered_by(&near) && without.covered_by(&near)
    }

    /// How many literals it has.
    pub(crate) fn size(self) -> u32 {
        (self.yes | self.no).count_ones()
    }

    fn literals(self) -> impl Iterator<Item = Cube> {
        let bits = (0..64).filter(move |at| (self.yes | self.no) >> at & 1 == 1);
        bits.map(move |at| Cube::literal(at, self.yes >> at & 1 == 1))
    }

    fn lacking(self, literal: Cube) -> Cube {
        Cube { yes: self.yes & !literal.yes, no: self.no & !literal.no }
    }
}

/// A set of letters as a disjunction of cubes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Guard {
    pub cubes: Vec<Cube>,
}

impl Guard {
    /// The union of the cubes, with few and large ones: literals that can go
    /// are dropped, then cubes that others cover.
    pub fn of(mut cubes: Vec<Cube>) -> Guard {
        for at in 0..cubes.len() {
            for literal in cubes[at].literals().collect::<Vec<_>>() {
                let larger = cubes[at].lacking(literal);
                if larger.covered_by(&cubes) {
                    cubes[at] = larger;
                }
            }
        }
        cubes.sort();
        cubes.dedup();
        let mut at = 0;
        while at < cubes.len() {
            let cube = cubes.remove(at);
            if !cube.covered_by(&cubes) {
                cubes.insert(at, cube);
                at += 1;
            }
        }
        Guard { cubes }
    }

    pub fn allows(&self, letter: Letter) -> bool {
        self.cubes.iter().any(|cube| cube.contains(letter))
    }

    /// Whether it lets every letter pass.
    pub fn is_true(&self) -> bool {
        self.cubes.contains(&Cube::ALL)
    }

    /// As text; `atom` names a proposition, the signs are "and", "or", "not"
    /// and what is always true.
    pub(crate) fn show(&self, atom: impl Fn(usize) -> String, signs: [&str; 4]) -> String {
        let [and, or, not, all] = signs;
        let literal = |cube: Cube| {
            let sign = if cube.yes == 0 { not } else { "" };
            format!("{sign}{}", atom((cube.yes | cube.no).trailing_zeros() as usize))
        };
        let cube = |cube: &Cube| match *cube {
            Cube::ALL => all.to_string(),
            some => some.literals().map(literal).collect::<Vec<_>>().join(and),
        };
        let mut cubes: Vec<String> = self.cubes.iter().map(cube).collect();
        if cubes.len() > 1 {
            cubes = cubes.iter().map(|cube| format!("({cube})")).collect();
        }
        cubes.join(or)
    }
}
