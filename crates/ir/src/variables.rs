//! Which source variables have their value where, at an instruction.
//!
//! The rows of [`Function::variables`] say from where on a variable is in some
//! place. Which of them count at an instruction is a question of data flow: a row
//! counts if every path to the instruction comes by it and by no later row about
//! the same variable. Where paths disagree nothing is said about the variable.

use crate::{Function, Pc, VariableName};

/// What is known of one variable before an instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// No path has come here yet.
    Unvisited,
    /// A row of the table.
    Row(u32),
    /// Not yet declared, or paths disagree.
    Nothing,
}

impl Known {
    fn join(self, other: Known) -> Known {
        match (self, other) {
            (Known::Unvisited, known) | (known, Known::Unvisited) => known,
            (Known::Row(a), Known::Row(b)) if a == b => self,
            (Known::Row(_) | Known::Nothing, Known::Row(_) | Known::Nothing) => Known::Nothing,
        }
    }
}

/// The rows that count just before the instruction at `pc`, by variable.
pub fn variables_at(function: &Function, pc: Pc) -> Vec<&VariableName> {
    let Some(last) = function.variables.iter().map(|row| row.variable).max() else {
        return Vec::new();
    };
    let before = solve(function, last as usize + 1);
    let known = before[pc as usize].iter().filter_map(|known| match known {
        Known::Row(row) => Some(&function.variables[*row as usize]),
        Known::Unvisited | Known::Nothing => None,
    });
    known.collect()
}

/// What is known before each instruction, rows at the instruction included.
fn solve(function: &Function, variables: usize) -> Vec<Vec<Known>> {
    let before = vec![vec![Known::Unvisited; variables]; function.code.len()];
    let mut flow = Flow { function, before, waiting: Vec::new() };
    // Computed gotos come from anywhere.
    for pc in std::iter::once(0).chain(function.label_targets.iter().copied()) {
        flow.visit(pc, vec![Known::Nothing; variables]);
    }
    while let Some(pc) = flow.waiting.pop() {
        let known = flow.before[pc as usize].clone();
        function.code[pc as usize].successors(function, pc, &mut |to| {
            flow.visit(to, known.clone());
        });
    }
    flow.before
}

struct Flow<'f> {
    function: &'f Function,
    before: Vec<Vec<Known>>,
    waiting: Vec<Pc>,
}

impl Flow<'_> {
    fn visit(&mut self, pc: Pc, mut known: Vec<Known>) {
        let there = &mut self.before[pc as usize];
        for (new, old) in known.iter_mut().zip(there.iter()) {
            *new = new.join(*old);
        }
        for (index, row) in self.function.variables.iter().enumerate() {
            if row.pc == pc {
                known[row.variable as usize] = Known::Row(index as u32);
            }
        }
        if known != *there {
            *there = known;
            self.waiting.push(pc);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Const, Inst, LocId, SigId, VariablePlace};

    fn row(pc: Pc, variable: u32, slot: u32) -> VariableName {
        let place = VariablePlace::Register(slot);
        VariableName { pc, variable, name: Arc::from("x"), ty: None, place }
    }

    /// `if (r0) { r1 = 0 } else { r2 = 0 } return`
    fn branching(variables: Vec<VariableName>) -> Function {
        let mut f = Function::declaration(Arc::from("f"), SigId(0));
        (f.params, f.registers) = (1, 3);
        f.constants = vec![Const::defined(0)];
        f.lists = vec![Box::new([])];
        f.code = vec![
            Inst::Branch { cond: 0, yes: 1, no: 3 },
            Inst::Mov { dst: 1, src: 3 },
            Inst::Jump { to: 4 },
            Inst::Mov { dst: 2, src: 3 },
            Inst::Return { list: 0 },
        ];
        f.locs = vec![LocId::NONE; f.code.len()];
        f.variables = variables;
        f
    }

    fn slots(function: &Function, pc: Pc) -> Vec<VariablePlace> {
        variables_at(function, pc).iter().map(|row| row.place).collect()
    }

    #[test]
    fn a_row_counts_until_the_next_one_on_its_path() {
        let f = branching(vec![row(0, 0, 0), row(2, 0, 1)]);
        assert_eq!(slots(&f, 1), [VariablePlace::Register(0)]);
        assert_eq!(slots(&f, 2), [VariablePlace::Register(1)]);
        assert_eq!(slots(&f, 3), [VariablePlace::Register(0)]);
        assert_eq!(slots(&f, 4), [], "paths disagree");
    }

    #[test]
    fn what_only_one_path_declares_is_unknown_where_they_meet() {
        let f = branching(vec![row(2, 1, 1)]);
        assert_eq!(slots(&f, 2), [VariablePlace::Register(1)]);
        assert_eq!(slots(&f, 4), []);
    }
}
