//! A search put aside and taken up again: components, states, what is known
//! of the way on from each, and the counts. Whatever is not expanded yet waits.
//!
//! Numbers are written in groups of seven bits. States are numbered as they
//! are written, which is not how they were numbered in the search.

use std::io::{self, Read, Write};
use std::sync::Arc;

use exeunt_model::{CompId, Location, Pool, Unsupported};

use crate::explore::{Onward, Totals, Way};
use crate::store::{ComponentPool, StateId, StateStore};

const MAGIC: &[u8] = b"exeunt search 3\n";
const END: u64 = 0x00e5_e0d0;

/// Where snapshots are kept, and when.
pub trait Keeper: Send + Sync {
    /// Whether it is time for one.
    fn is_due(&self) -> bool;

    /// Keeps what `write` writes, all or nothing.
    fn keep(&self, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()>;
}

/// What a snapshot holds besides the states.
pub struct Taken<'t> {
    pub pool: &'t ComponentPool,
    pub store: &'t StateStore,
    pub onward: &'t Onward,
    pub waiting: &'t [StateId],
    pub totals: &'t Totals,
}

const NOT_THERE: u32 = u32::MAX;

pub fn write(taken: &Taken<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut out = Numbers(out);
    out.0.write_all(MAGIC)?;
    write_components(taken.pool, &mut out)?;
    let order = order(taken);
    let count = order.iter().filter(|&&number| number != NOT_THERE).count();
    out.put(count as u64)?;
    let mut vector = Vec::new();
    for state in (0..order.len()).filter(|&state| order[state] != NOT_THERE) {
        let state = StateId(state as u32);
        taken.store.load(state, &mut vector);
        out.put(vector.len() as u64)?;
        vector.iter().try_for_each(|comp| out.put(comp.0 as u64))?;
        write_way(&taken.onward.way(state), &order, &mut out)?;
    }
    write_totals(taken.totals, &mut out)?;
    out.put(END)
}

/// All components of a pool, in the order of their numbers.
pub fn write_components(pool: &ComponentPool, out: &mut Numbers<&mut dyn Write>) -> io::Result<()> {
    out.put(pool.len() as u64)?;
    for id in 0..pool.len() as u32 {
        let words = pool.get(CompId(id));
        out.put(words.len() as u64)?;
        words.iter().try_for_each(|&word| out.put(word))?;
    }
    Ok(())
}

/// The number of each state in the snapshot.
fn order(taken: &Taken<'_>) -> Vec<u32> {
    let mut order = vec![NOT_THERE; taken.store.limit()];
    taken.waiting.iter().for_each(|state| order[state.0 as usize] = 0);
    let mut next = 0;
    for (state, number) in order.iter_mut().enumerate() {
        let expanded = taken.onward.way(StateId(state as u32)) != Way::Unknown;
        if *number == 0 || expanded {
            *number = next;
            next += 1;
        }
    }
    order
}

fn write_way(way: &Way, order: &[u32], out: &mut Numbers<&mut dyn Write>) -> io::Result<()> {
    let number = |state: &StateId| order[state.0 as usize] as u64;
    match way {
        Way::Unknown => out.put(0),
        Way::Out => out.put(1),
        Way::Fork(targets) => {
            out.put(2)?;
            out.put(targets.len() as u64)?;
            targets.iter().try_for_each(|target| out.put(number(target)))
        }
        Way::To(target) => out.put(3 + number(target)),
    }
}

fn write_totals(totals: &Totals, out: &mut Numbers<&mut dyn Write>) -> io::Result<()> {
    for number in [totals.states, totals.transitions, totals.revisits, totals.opened] {
        out.put(number)?;
    }
    let seen = totals.seen;
    for flag in [seen.chooses, seen.reopens, seen.drops] {
        out.put(flag as u64)?;
    }
    out.put(totals.sites.len() as u64)?;
    totals.sites.iter().try_for_each(|&site| out.put(site))?;
    out.put(totals.unsupported.len() as u64)?;
    for limit in &totals.unsupported {
        let nowhere = Location::in_function("");
        let location = limit.location.as_ref().unwrap_or(&nowhere);
        out.text(&limit.construct)?;
        out.text(&location.file)?;
        out.text(&location.function)?;
        out.put(location.line as u64)?;
        out.put(location.column as u64)?;
    }
    Ok(())
}

/// What was read from a snapshot; components and states are stored.
pub struct Resumed {
    pub onward: Onward,
    pub waiting: Vec<StateId>,
    pub totals: Totals,
}

/// Reads a snapshot into an empty pool and store.
pub fn read(
    input: &mut dyn Read,
    pool: &ComponentPool,
    store: &mut StateStore,
) -> io::Result<Resumed> {
    let mut magic = vec![0; MAGIC.len()];
    input.read_exact(&mut magic)?;
    if magic != MAGIC {
        return Err(damaged("it does not begin as one"));
    }
    let mut input = Numbers(input);
    let components = read_components(&mut input, pool)?;
    let count = input.take()?;
    let mut states = Vec::new();
    let mut ways = Vec::new();
    for _ in 0..count {
        let len = input.take()?;
        let mut vector = Vec::new();
        for _ in 0..len {
            let comp = input.take()? as usize;
            vector.push(*components.get(comp).ok_or_else(|| damaged("a component is missing"))?);
        }
        states.push(store.insert(&vector).0);
        ways.push(read_way(&mut input)?);
    }
    let onward = Onward::default();
    let mut waiting = Vec::new();
    let state = |number: u64| {
        states.get(number as usize).copied().ok_or_else(|| damaged("a state is missing"))
    };
    for (at, way) in ways.into_iter().enumerate() {
        let way = match way {
            Coded::Unknown => {
                waiting.push(states[at]);
                continue;
            }
            Coded::Out => Way::Out,
            Coded::To(number) => Way::To(state(number)?),
            Coded::Fork(numbers) => {
                Way::Fork(numbers.into_iter().map(state).collect::<io::Result<_>>()?)
            }
        };
        onward.restore(states[at], way);
    }
    let totals = read_totals(&mut input)?;
    if input.take()? != END {
        return Err(damaged("its end is missing"));
    }
    Ok(Resumed { onward, waiting, totals })
}

/// Stores them in an empty pool, under the same numbers.
pub fn read_components(
    input: &mut Numbers<&mut dyn Read>,
    pool: &ComponentPool,
) -> io::Result<Vec<CompId>> {
    let count = input.take()?;
    let mut components = Vec::new();
    let mut words = Vec::new();
    for id in 0..count as u32 {
        let len = input.take()?;
        words.clear();
        for _ in 0..len {
            words.push(input.take()?);
        }
        components.push(pool.restore(&words, id));
    }
    Ok(components)
}

/// A way on in terms of the snapshot.
enum Coded {
    Unknown,
    Out,
    To(u64),
    Fork(Vec<u64>),
}

fn read_way(input: &mut Numbers<&mut dyn Read>) -> io::Result<Coded> {
    Ok(match input.take()? {
        0 => Coded::Unknown,
        1 => Coded::Out,
        2 => {
            let len = input.take()?;
            Coded::Fork((0..len).map(|_| input.take()).collect::<io::Result<_>>()?)
        }
        coded => Coded::To(coded - 3),
    })
}

fn read_totals(input: &mut Numbers<&mut dyn Read>) -> io::Result<Totals> {
    let mut totals = Totals {
        states: input.take()?,
        transitions: input.take()?,
        revisits: input.take()?,
        opened: input.take()?,
        ..Totals::default()
    };
    totals.seen.chooses = input.take()? != 0;
    totals.seen.reopens = input.take()? != 0;
    totals.seen.drops = input.take()? != 0;
    for _ in 0..input.take()? {
        totals.sites.push(input.take()?);
    }
    for _ in 0..input.take()? {
        let construct = input.text()?;
        let (file, function) = (input.text()?, input.text()?);
        let (line, column) = (input.take()? as u32, input.take()? as u32);
        let location = Location { file: Arc::from(file), line, column, function: function.into() };
        let location = (line != 0).then_some(location);
        totals.unsupported.push(Unsupported { construct, location });
    }
    Ok(totals)
}

pub fn damaged(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("it is no checkpoint of a search: {why}"))
}

/// Numbers in groups of seven bits.
pub struct Numbers<T>(pub T);

impl Numbers<&mut dyn Write> {
    pub fn put(&mut self, mut value: u64) -> io::Result<()> {
        let mut bytes = [0; 10];
        let mut len = 0;
        while value >= 0x80 {
            bytes[len] = value as u8 | 0x80;
            value >>= 7;
            len += 1;
        }
        bytes[len] = value as u8;
        self.0.write_all(&bytes[..=len])
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        self.put(text.len() as u64)?;
        self.0.write_all(text.as_bytes())
    }
}

impl Numbers<&mut dyn Read> {
    pub fn take(&mut self) -> io::Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let mut byte = [0];
            self.0.read_exact(&mut byte)?;
            value |= ((byte[0] & 0x7f) as u64) << shift;
            if byte[0] < 0x80 {
                return Ok(value);
            }
        }
        Err(damaged("a number is too long"))
    }

    fn text(&mut self) -> io::Result<String> {
        let len = self.take()?;
        let mut bytes = Vec::new();
        (&mut self.0).take(len).read_to_end(&mut bytes)?;
        if bytes.len() as u64 != len {
            return Err(damaged("it is cut off"));
        }
        String::from_utf8(bytes).map_err(|_| damaged("a name is not text"))
    }
}
