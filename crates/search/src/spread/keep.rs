//! A part of a spread search put aside and taken up again.
//!
//! All workers stand still while each writes its part, with the number of the time. Parts are
//! written into two slots in turn: while one is being replaced, all workers have
//! the other one whole, whenever one of them is lost. Later they go on from the newest time that all
//! of them have.

use std::io::{self, Read, Write};

use exeunt_model::CompId;

use super::explore::{Hand, Lost};
use super::part::Part;
use super::tally::Tally;
use super::wire::{Reader, put, put_all, put_text};
use crate::options::Checkpoints;
use crate::snapshot::{Numbers, damaged, read_components, write_components};

const MAGIC: &[u8] = b"exeunt part 1\n";
const END: u64 = 0x00e5_e0d1;

/// Keeps the parts of all workers. `Err` of the inner result: why that failed somewhere.
pub fn keep(
    hand: &mut Hand<'_, '_>,
    slots: &[Checkpoints],
    time: u64,
) -> Result<Result<(), String>, Lost> {
    let slot = &slots[time as usize % slots.len()];
    let kept = match &slot.keeper {
        Some(keeper) => keeper.keep(&mut |out| write(hand, time, out)),
        None => Ok(()),
    };
    let mut letter = Vec::new();
    let failed: Vec<String> = kept.err().iter().map(ToString::to_string).collect();
    put_all(&mut letter, &failed, |out, text| put_text(out, text));
    let failures = hand.exchange(letter, |letter| Reader(letter).all(Reader::text))?;
    Ok(match failures.into_iter().flatten().next() {
        Some(why) => Err(why),
        None => Ok(()),
    })
}

/// Takes up the newest parts that all workers have; gives the number of their time.
pub fn resume(hand: &mut Hand<'_, '_>, slots: &[Checkpoints]) -> Result<Result<u64, String>, Lost> {
    let times: Vec<Option<u64>> =
        slots.iter().map(|slot| open(slot).ok().map(|(time, _)| time)).collect();
    let mut letter = Vec::new();
    let known: Vec<u64> = times.iter().flatten().copied().collect();
    put_all(&mut letter, &known, |out, &time| put(out, time));
    let all = hand.exchange(letter, |letter| Reader(letter).all(Reader::take))?;
    let is_common = |time: &&u64| all.iter().all(|times| times.contains(time));
    let newest = all[0].iter().filter(is_common).max().copied();
    let read = match newest {
        None => Err("the parts of the workers do not belong together".to_string()),
        Some(time) => {
            let slot = times.iter().position(|&found| found == Some(time));
            let slot = &slots[slot.expect("all workers have it")];
            open(slot)
                .and_then(|(_, mut input)| read(hand, &mut *input))
                .map_err(|why| why.to_string())
        }
    };
    let mut letter = Vec::new();
    let failed: Vec<String> = read.err().into_iter().collect();
    put_all(&mut letter, &failed, |out, text| put_text(out, text));
    let failures = hand.exchange(letter, |letter| Reader(letter).all(Reader::text))?;
    Ok(match (failures.into_iter().flatten().next(), newest) {
        (None, Some(time)) => Ok(time),
        (why, _) => Err(why.unwrap_or_default()),
    })
}

/// Opens a slot and reads the number of its time.
fn open(slot: &Checkpoints) -> io::Result<(u64, Box<dyn Read>)> {
    let Some(open) = &slot.resume else { return Err(damaged("there is none")) };
    let mut input = open()?;
    let mut magic = vec![0; MAGIC.len()];
    input.read_exact(&mut magic)?;
    if magic != MAGIC {
        return Err(damaged("it does not begin as a part of one"));
    }
    let time = Numbers(&mut *input as &mut dyn Read).take()?;
    Ok((time, input))
}

fn write(hand: &Hand<'_, '_>, time: u64, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(MAGIC)?;
    let mut out = Numbers(out);
    for number in [time, hand.post.index() as u64, hand.post.peers() as u64] {
        out.put(number)?;
    }
    write_components(hand.part.pool, &mut out)?;
    write_states(&hand.part, &mut out)?;
    let mut text = Vec::new();
    hand.own_tally().write(&mut text);
    hand.part.write_rest(&mut text);
    out.put(text.len() as u64)?;
    out.0.write_all(&text)?;
    out.put(END)
}

fn write_states(part: &Part<'_>, out: &mut Numbers<&mut dyn Write>) -> io::Result<()> {
    out.put(u64::from(part.len()))?;
    let mut state = Vec::new();
    for number in 0..part.len() {
        part.load_again(number, &mut state);
        out.put(state.len() as u64)?;
        state.iter().try_for_each(|comp| out.put(u64::from(comp.0)))?;
    }
    Ok(())
}

fn read(hand: &mut Hand<'_, '_>, input: &mut dyn Read) -> io::Result<()> {
    let mut input = Numbers(input);
    let (index, peers) = (input.take()? as usize, input.take()? as usize);
    if (index, peers) != (hand.post.index(), hand.post.peers()) {
        return Err(damaged(&format!("it is the part of worker {index} of {peers}")));
    }
    let components = read_components(&mut input, hand.part.pool)?;
    let mut state: Vec<CompId> = Vec::new();
    for _ in 0..input.take()? {
        state.clear();
        for _ in 0..input.take()? {
            let comp = input.take()? as usize;
            state.push(*components.get(comp).ok_or_else(|| damaged("a component is missing"))?);
        }
        hand.part.restore(&state);
    }
    let mut text = vec![0; input.take()? as usize];
    input.0.read_exact(&mut text)?;
    let mut letter = Reader(&text);
    let before = Tally::read(&mut letter);
    hand.part.read_rest(&mut letter);
    hand.take_up(before);
    if input.take()? != END {
        return Err(damaged("its end is missing"));
    }
    Ok(())
}
