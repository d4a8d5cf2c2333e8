//! Lists and semaphores: things in memory that are followed as one number.

use std::collections::{BTreeMap, BTreeSet};

use exeunt_ir::{Callee, FuncId, IntOp, Pc, Program};
use exeunt_smt::{Formula, Int, Term, Var};

use super::arithmetic::Number;
use super::build::{Builder, Draft};
use super::calls::Here;
use super::cells::{self, Cell, Cells, Objects, Place, meet};
use super::contexts::Calls;
use super::memory::result_bits;
use super::shape::Shape;
use crate::address::{Object, Value};
use crate::library::{Interlocked, ListOp, Meaning, SemOp};
use crate::lists;
use crate::pointers::Pointers;
use crate::{Variable, Wait};

/// Values of lists that are not known are below that.
const LONGEST: Int = 1 << 40;
const LONG: Shape = Shape { width: 64, signed: false };

/// The lists and semaphores of a program, by where they begin.
#[derive(Default)]
pub(super) struct Counted {
    known: BTreeMap<(Object, i64), Thing>,
}

struct Thing {
    bytes: i64,
    semaphore: bool,
    /// Whether something was added is asked for.
    asks_version: bool,
    number: Option<Var>,
    version: Option<Var>,
}

/// Where lists begin, as far as that is known.
pub(super) fn heads(
    program: &Program,
    calls: &Calls,
    pointers: &Pointers<'_>,
    means: &dyn Fn(FuncId) -> Option<Meaning>,
) -> BTreeSet<(Object, i64)> {
    let found = Counted::find(program, calls, pointers, means);
    found.known.into_iter().filter(|(_, thing)| !thing.semaphore).map(|(key, _)| key).collect()
}

impl Counted {
    pub fn find(
        program: &Program,
        calls: &Calls,
        pointers: &Pointers<'_>,
        means: &dyn Fn(FuncId) -> Option<Meaning>,
    ) -> Counted {
        let mut counted = Counted::default();
        for (context, call) in calls.contexts.iter().enumerate() {
            let function = program.function(call.func);
            for site in function.code.iter().filter_map(|inst| inst.call()) {
                let site = &function.calls[site as usize];
                let Callee::Direct(callee) = site.callee else { continue };
                let (arguments, bytes, semaphore, op): (&[usize], _, _, _) = match means(callee) {
                    Some(Meaning::List { op: ListOp::Remove, .. }) => continue,
                    Some(Meaning::List { op, list }) => {
                        let both: &[usize] = match (op, list) {
                            (ListOp::Append, _) => &[0, 1],
                            (_, 0) => &[0],
                            _ => &[1],
                        };
                        (both, lists::bytes(&program.function(callee).name), false, Some(op))
                    }
                    Some(Meaning::Semaphore(_)) => (&[0], 32, true, None),
                    _ => continue,
                };
                for argument in arguments {
                    let value = site.args.get(*argument).map(|arg| pointers.at(context, arg.slot));
                    let Some(Value::Address(object, offset)) = value else { continue };
                    let thing = counted.known.entry((object, offset)).or_insert(Thing {
                        bytes,
                        semaphore,
                        asks_version: false,
                        number: None,
                        version: None,
                    });
                    thing.asks_version |= op == Some(ListOp::Version);
                }
            }
        }
        counted
    }

    pub fn places(&self) -> Vec<Place> {
        let place = |(&(object, offset), thing): (&(Object, i64), &Thing)| Place {
            object,
            offset,
            bytes: thing.bytes,
        };
        self.known.iter().map(place).collect()
    }

    /// A variable for each; it is a cell of its object, so that whatever may write there may
    /// change it.
    pub fn make_variables(
        &mut self,
        objects: &Objects<'_>,
        cells: &mut Cells,
        vars: &mut Vec<Variable>,
    ) {
        for (&(object, offset), thing) in &mut self.known {
            let Some(kind) = objects.kind(object) else { continue };
            let Objects { program, contexts, .. } = *objects;
            let place = Place { object, offset, bytes: thing.bytes };
            let name = cells::name(program, contexts, place);
            let initial = begins_empty(program, object, offset, thing).then_some(0);
            let mut make = |name: String, range, offset: i64| {
                let var = Var(vars.len() as u32);
                vars.push(Variable { name, kind, range, initial });
                // No access has so many bytes, so none is taken for this cell.
                let place = Place { object, offset, bytes: i64::MAX };
                cells.known.insert(place, Cell { var, shape: LONG });
                var
            };
            let what = if thing.semaphore { "value" } else { "length" };
            // Without bounds: a list does not end a loop by being too long.
            thing.number = Some(make(format!("{name}.{what}"), None, offset));
            if thing.asks_version {
                let version =
                    make(format!("{name}.version"), Some((0, LONGEST)), offset - (1 << 40));
                thing.version = Some(version);
            }
        }
    }

    fn at(&self, value: &Value) -> Option<&Thing> {
        let Value::Address(object, offset) = value else { return None };
        self.known.get(&(*object, *offset)).filter(|thing| thing.number.is_some())
    }
}

/// Whether it is empty initially: nothing but zeros, or pointers to itself.
fn begins_empty(program: &Program, object: Object, offset: i64, thing: &Thing) -> bool {
    let Object::Global(id) = object else { return false };
    let global = program.global(id);
    let Ok(from) = usize::try_from(offset) else { return false };
    let Some(data) = global.data.get(from..from + thing.bytes as usize) else { return false };
    if global.external {
        return false;
    }
    data.chunks(8).all(|word| {
        let value = word.iter().rev().fold(0u64, |all, byte| all << 8 | u64::from(*byte));
        let itself = Value::of_constant(value) == Value::Address(object, offset);
        value == 0 || itself && !thing.semaphore
    })
}

impl Builder<'_> {
    fn argument(&self, here: Here, index: usize) -> Value {
        let function = self.program.function(self.calls.contexts[here.context].func);
        match function.calls[here.call as usize].args.get(index) {
            Some(arg) => self.pointers.at(here.context, arg.slot),
            None => Value::Unknown,
        }
    }

    /// A store into a place that is no variable may be one into a list.
    pub(super) fn overwrite(&mut self, draft: &mut Draft, context: usize, pc: Pc, place: Place) {
        let hit = self.counted.places().into_iter().filter(|other| meet(&place, other));
        let hit: Vec<(Object, i64)> = hit.map(|place| (place.object, place.offset)).collect();
        for key in hit {
            let vars = self.counted.known.get(&key).map(|thing| [thing.number, thing.version]);
            for var in vars.into_iter().flatten().flatten() {
                let input = self.input(draft, (0, LONGEST));
                let name = self.vars[var.0 as usize].name.clone();
                draft.sets.insert(var, Term::var(input));
                draft.visible = true;
                draft.exact = false;
                self.lose(context, pc, format!("a store may change `{name}`"));
            }
        }
    }

    /// Something that is not known happens to the lists that a value may mean.
    fn list_unknown(&mut self, draft: Draft, here: Here, value: &Value) -> Draft {
        let mut draft = self.answering(draft, here, None);
        let objects = self.pointers.targets(value);
        let things: Vec<Var> = self
            .counted
            .known
            .iter()
            .filter(|((object, _), _)| *value == Value::Unknown || objects.contains(object))
            .flat_map(|(_, thing)| [thing.number, thing.version])
            .flatten()
            .collect();
        for var in things {
            let input = self.input(&mut draft, (0, LONGEST));
            draft.sets.insert(var, Term::var(input));
        }
        self.lose(here.context, here.pc, "which list this is about is not known".into());
        draft.visible = true;
        draft.exact = false;
        draft
    }

    /// The result of a call is this term.
    fn answer(&mut self, draft: &mut Draft, here: Here, term: Term) {
        let function = self.program.function(self.calls.contexts[here.context].func);
        if let Some(slot) = function.calls[here.call as usize].result {
            // It fits: no list is so long.
            let shape = self.shape(here.context, slot);
            self.define(draft, here.context, slot, &Number { term, shape });
        }
    }

    /// The result of a call is a pointer that is not null.
    fn answer_pointer(&mut self, draft: &mut Draft, here: Here) {
        let input = self.input(draft, (4096, 1 << 47));
        self.answer(draft, here, Term::var(input));
    }

    pub(super) fn listed(
        &mut self,
        mut draft: Draft,
        here: Here,
        op: ListOp,
        list: usize,
    ) -> Vec<Draft> {
        self.assumptions.insert(
            "lists are as long as their operations say: an element is in one list at a time, is \
             taken out of the list that it was last seen in, and no list is changed by two \
             threads at once"
                .into(),
        );
        let value = self.argument(here, list);
        draft.visible = true;
        if op == ListOp::Remove || op == ListOp::Move {
            return self.removed(draft, here, op, &value);
        }
        let Some((number, version)) = self.counted.at(&value).map(|t| (t.number, t.version)) else {
            return vec![self.list_unknown(draft, here, &value)];
        };
        let number = number.expect("lists that are found have a variable");
        let name = self.vars[number.0 as usize].name.trim_end_matches(".length").to_string();
        let length = Term::var(number);
        let some = Formula::non_negative(length.add(-1));
        let mut draft = self.answering(draft, here, None);
        match op {
            ListOp::Init => {
                draft.text = format!("empties `{name}`");
                draft.sets.insert(number, Term::number(0));
                vec![draft]
            }
            ListOp::Push => {
                draft.text = format!("adds to `{name}`");
                self.added(&mut draft, number, version, &Term::number(1));
                vec![draft]
            }
            ListOp::Pop | ListOp::PopAlways => {
                let mut none = draft.clone();
                draft.text = format!("takes an element of `{name}`");
                draft.guard = some.clone();
                draft.sets.insert(number, length.add(-1));
                self.answer_pointer(&mut draft, here);
                none.text = format!("finds `{name}` empty");
                none.guard = some.negated();
                match op {
                    ListOp::Pop => self.answer(&mut none, here, Term::number(0)),
                    _ => self.answer_pointer(&mut none, here),
                }
                vec![draft, none]
            }
            ListOp::Drop => vec![self.dropped(draft.clone(), number, &name), {
                let mut none = draft;
                none.guard = some.negated();
                none.exact = false;
                none.text = format!("takes an element of `{name}`, which is empty");
                none
            }],
            ListOp::First => {
                let mut none = draft.clone();
                draft.text = format!("looks at `{name}`");
                none.text = format!("finds `{name}` empty");
                draft.guard = some.clone();
                none.guard = some.negated();
                self.answer_pointer(&mut draft, here);
                self.answer(&mut none, here, Term::number(0));
                vec![draft, none]
            }
            ListOp::IsEmpty => {
                draft.text = format!("asks whether `{name}` is empty");
                let term = Term::choice(some, Term::number(0), Term::number(1));
                self.answer(&mut draft, here, term);
                vec![draft]
            }
            ListOp::Length => {
                draft.text = format!("asks for the length of `{name}`");
                self.answer(&mut draft, here, length);
                vec![draft]
            }
            ListOp::Version => {
                draft.text = format!("walks along `{name}`");
                self.answer(&mut draft, here, version.map_or(length, Term::var));
                vec![draft]
            }
            ListOp::Append => vec![self.appended(draft, here, list, number)],
            ListOp::Change | ListOp::Remove | ListOp::Move => {
                vec![self.list_unknown(draft, here, &value)]
            }
        }
    }

    fn added(&mut self, draft: &mut Draft, number: Var, version: Option<Var>, by: &Term) {
        draft.sets.insert(number, Term::var(number).plus(by));
        if let Some(version) = version {
            // Another one than before: which one does not matter.
            let new = self.input(draft, (0, LONGEST));
            let other = Formula::equal(&Term::var(new), &Term::var(version)).negated();
            draft.guard = draft.guard.clone().both(other);
            draft.sets.insert(version, Term::var(new));
        }
    }

    fn dropped(&self, mut draft: Draft, number: Var, name: &str) -> Draft {
        draft.text = format!("takes an element of `{name}`");
        draft.guard = Formula::non_negative(Term::var(number).add(-1));
        draft.sets.insert(number, Term::var(number).add(-1));
        draft
    }

    /// An element leaves its list: one that is known, or any.
    fn removed(&mut self, draft: Draft, here: Here, op: ListOp, value: &Value) -> Vec<Draft> {
        let element = self.argument(here, 0);
        let mut draft = self.answering(draft, here, None);
        if op == ListOp::Move {
            let Some((number, version)) = self.counted.at(value).map(|t| (t.number, t.version))
            else {
                return vec![self.list_unknown(draft, here, &Value::Unknown)];
            };
            let number = number.expect("lists that are found have a variable");
            self.added(&mut draft, number, version, &Term::number(1));
        }
        let from = match &element {
            Value::Member(object, offset) => {
                self.counted.at(&Value::Address(*object, *offset)).and_then(|thing| thing.number)
            }
            _ => None,
        };
        let Some(from) = from else {
            self.lose(here.context, here.pc, "which list an element leaves is not known".into());
            return self.removed_from_any(&draft);
        };
        let name = self.vars[from.0 as usize].name.trim_end_matches(".length").to_string();
        let before = draft.sets.get(&from).cloned().unwrap_or_else(|| Term::var(from));
        let mut none = draft.clone();
        draft.text = format!("takes an element of `{name}`");
        let some = Formula::non_negative(Term::var(from).add(-1));
        draft.guard = draft.guard.both(some.clone());
        draft.sets.insert(from, before.add(-1));
        none.guard = none.guard.both(some.negated());
        none.exact = false;
        vec![draft, none]
    }

    fn removed_from_any(&self, draft: &Draft) -> Vec<Draft> {
        let lists = self.counted.known.values().filter(|thing| !thing.semaphore);
        let mut drafts = vec![Draft { exact: false, ..draft.clone() }];
        for number in lists.filter_map(|thing| thing.number) {
            let before = draft.sets.get(&number).cloned().unwrap_or_else(|| Term::var(number));
            let mut one = draft.clone();
            one.exact = false;
            one.guard = one.guard.both(Formula::non_negative(Term::var(number).add(-1)));
            one.sets.insert(number, before.add(-1));
            drafts.push(one);
        }
        drafts
    }

    /// All elements of the list with the number go to the other list.
    fn appended(&mut self, draft: Draft, here: Here, from: usize, number: Var) -> Draft {
        let mut draft = draft;
        let value = self.argument(here, 1 - from);
        let Some((to, version)) = self.counted.at(&value).map(|t| (t.number, t.version)) else {
            draft = self.list_unknown(draft, here, &value);
            draft.sets.insert(number, Term::number(0));
            return draft;
        };
        let to = to.expect("lists that are found have a variable");
        draft.text = "moves a whole list".into();
        self.added(&mut draft, to, version, &Term::var(number));
        draft.sets.insert(number, Term::number(0));
        draft
    }

    pub(super) fn semaphore(&mut self, draft: Draft, here: Here, op: SemOp) -> Vec<Draft> {
        let value = self.argument(here, 0);
        let mut draft = draft;
        draft.visible = true;
        let mut done = self.answering(draft.clone(), here, Some(0));
        if op == SemOp::Wait {
            done.waits = Wait::Other;
        }
        let mut drafts = Vec::new();
        if op == SemOp::Try {
            drafts.push(self.failing(draft, here));
        }
        let Some(number) = self.counted.at(&value).and_then(|thing| thing.number) else {
            // Which semaphore it is, is not known: it may be any.
            let objects = self.pointers.targets(&value);
            self.havoc(&mut done, &objects);
            self.lose(here.context, here.pc, "which semaphore this is, is not known".into());
            done.exact = false;
            drafts.push(done);
            return drafts;
        };
        self.holds_semaphore(&mut done, here, op);
        let name = self.vars[number.0 as usize].name.trim_end_matches(".value").to_string();
        let count = Term::var(number);
        match op {
            SemOp::Init => {
                done.text = format!("sets `{name}`");
                let function = self.program.function(self.calls.contexts[here.context].func);
                let slot = function.calls[here.call as usize].args[2].slot;
                let first = self.number(here.context, slot, 32);
                let first = self.arithmetic.read(&first, Shape { width: 32, signed: false });
                done.sets.insert(number, first);
            }
            SemOp::Post => {
                done.text = format!("posts `{name}`");
                self.added(&mut done, number, None, &Term::number(1));
            }
            SemOp::Wait | SemOp::Try => {
                done.text = format!("waits for `{name}`");
                done.guard = done.guard.both(Formula::non_negative(count.add(-1)));
                done.sets.insert(number, count.add(-1));
            }
        }
        drafts.push(done);
        drafts
    }

    /// The interlocked functions of Windows, where they have no body.
    pub(super) fn interlocked(&mut self, draft: Draft, here: Here, op: Interlocked) -> Vec<Draft> {
        let function = self.program.function(self.calls.contexts[here.context].func);
        let site = &function.calls[here.call as usize];
        let address = self.argument(here, 0);
        let operand = |index: usize| site.args.get(index).map(|arg| arg.slot);
        let bits = result_bits(self.program, site.signature);
        let mut draft = draft;
        draft.visible = true;
        let cell = match address {
            Value::Address(object, offset) => {
                let place = Place { object, offset, bytes: i64::from(bits / 8) };
                self.may_change_at(place, (here.context, here.pc), "an interlocked function");
                self.cells.known.get(&place).copied()
            }
            _ => None,
        };
        let Some(cell) = cell else {
            let mut draft = self.answering(draft, here, None);
            self.wild_write(&mut draft, here.context, here.pc, &address, "an atomic operation");
            draft.exact = false;
            return vec![draft];
        };
        let old = Number { term: Term::var(cell.var), shape: cell.shape };
        draft.text = format!("updates `{}`", self.vars[cell.var.0 as usize].name);
        let number = |builder: &mut Self, index: usize| match operand(index) {
            Some(slot) => builder.number(here.context, slot, bits),
            None => Number { term: Term::number(0), shape: cell.shape },
        };
        let sum = |builder: &Self, by: &Number| {
            builder.arithmetic.int(IntOp::Add, bits, &old, by, cell.shape)
        };
        let (new, answer) = match op {
            Interlocked::Add(by) => {
                let by = Number { term: Term::number(Int::from(by)), shape: cell.shape };
                let new = sum(self, &by);
                (new.clone(), new)
            }
            Interlocked::ExchangeAdd => {
                let by = number(self, 1);
                (sum(self, &by), Some(old.term.clone()))
            }
            Interlocked::Exchange => {
                let new = number(self, 1);
                (Some(self.arithmetic.read(&new, cell.shape)), Some(old.term.clone()))
            }
            Interlocked::CompareExchange => {
                let (new, expected) = (number(self, 1), number(self, 2));
                let new = self.arithmetic.read(&new, cell.shape);
                let expected = self.arithmetic.read(&expected, cell.shape);
                let same = Formula::equal(&old.term, &expected);
                (Some(Term::choice(same, new, old.term.clone())), Some(old.term.clone()))
            }
        };
        let (Some(new), Some(answer)) = (new, answer) else {
            let mut draft = self.answering(draft, here, None);
            let input = self.input(&mut draft, cell.shape.range());
            draft.sets.insert(cell.var, Term::var(input));
            draft.exact = false;
            return vec![draft];
        };
        draft.sets.insert(cell.var, new);
        if let Some(slot) = site.result {
            self.define(
                &mut draft,
                here.context,
                slot,
                &Number { term: answer, shape: cell.shape },
            );
        }
        vec![draft]
    }
}
