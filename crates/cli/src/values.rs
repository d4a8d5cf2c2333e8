//! Values of options: times, sizes, ranges, lists of section kinds.

use std::str::FromStr;
use std::time::Duration;

use exeunt_model::SectionKind;
use exeunt_search::ContextLimit;
use serde::{Deserialize, Serialize};

/// Where runs of native programs begin.
pub(crate) fn restart(text: &str) -> Result<exeunt_live::Restart, String> {
    match text {
        "resume" => Ok(exeunt_live::Restart::Resume),
        "beginning" => Ok(exeunt_live::Restart::Beginning),
        "process" => Ok(exeunt_live::Restart::Process),
        _ => Err("it is `resume`, `beginning` or `process`".to_string()),
    }
}

/// `10s`, `5m`, `1h`, `500ms`; without a unit, seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    const UNITS: [(&str, f64); 4] = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let (number, unit) = split_unit(text);
    let unit = if unit.is_empty() { "s" } else { unit };
    let factor = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, factor)| factor);
    let seconds = number.parse::<f64>().ok().zip(factor).map(|(number, factor)| number * factor);
    match seconds.map(Duration::try_from_secs_f64) {
        Some(Ok(time)) if !time.is_zero() => Ok(time),
        _ => Err("expected a time such as `500ms`, `10s`, `5m` or `1h`".to_string()),
    }
}

/// `4G`, `512M`, `64K`, `1GiB`; without a unit, bytes. Units are powers of 1024.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = split_unit(text);
    let shift = match unit.to_ascii_uppercase().trim_end_matches('B').trim_end_matches('I') {
        "" => Some(0),
        "K" => Some(10),
        "M" => Some(20),
        "G" => Some(30),
        "T" => Some(40),
        _ => None,
    };
    let bytes = number.parse::<f64>().ok().zip(shift).map(|(n, shift)| n * (1u64 << shift) as f64);
    match bytes {
        Some(bytes) if bytes >= 1.0 && bytes < u64::MAX as f64 => Ok(bytes as u64),
        _ => Err("expected a size such as `512M` or `4G`".to_string()),
    }
}

/// A number of context switches, or `auto`.
pub(crate) fn context_limit(text: &str) -> Result<ContextLimit, String> {
    match text {
        "auto" => Ok(ContextLimit::Growing),
        _ => match text.parse() {
            Ok(most) => Ok(ContextLimit::AtMost(most)),
            Err(_) => Err("expected a number of switches, or `auto`".to_string()),
        },
    }
}

fn split_unit(text: &str) -> (&str, &str) {
    let at = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    text.split_at(at)
}

/// `LO..HI`, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Range {
    pub(crate) low: i64,
    pub(crate) high: i64,
}

impl FromStr for Range {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let ends = text.split_once("..").map(|(low, high)| (low, high.trim_start_matches('=')));
        let parsed = ends.and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
        let (low, high) = parsed.ok_or("expected a range such as `-1..10`")?;
        if low > high {
            return Err(format!("the range is empty: {low} is greater than {high}"));
        }
        Ok(Range { low, high })
    }
}

/// `all`, `none`, or kinds joined by commas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kinds(pub(crate) Vec<SectionKind>);

impl FromStr for Kinds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all" => return Ok(Kinds(SectionKind::ALL.to_vec())),
            "none" => return Ok(Kinds(Vec::new())),
            _ => {}
        }
        let mut kinds = text.split(',').map(kind).collect::<Result<Vec<SectionKind>, String>>()?;
        kinds.sort_unstable();
        kinds.dedup();
        Ok(Kinds(kinds))
    }
}

fn kind(text: &str) -> Result<SectionKind, String> {
    match text {
        "all" | "none" => Err(format!("`{text}` stands alone and is not mixed with kinds")),
        _ => text.parse().map_err(|why| {
            let names: Vec<&str> = SectionKind::ALL.iter().map(|kind| kind.name()).collect();
            format!("{why}; there are {}, and `all` and `none`", names.join(", "))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(duration("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(duration("7"), Ok(Duration::from_secs(7)));
        for wrong in ["", "s", "10x", "-3s", "0s", "1e9h", "1.2.3s", "9999999999999999999999h"] {
            assert!(duration(wrong).is_err(), "{wrong} was accepted");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(size("4G"), Ok(4 << 30));
        assert_eq!(size("1.5k"), Ok(1536));
        assert_eq!(size("64MiB"), Ok(64 << 20));
        assert_eq!(size("100"), Ok(100));
        for wrong in ["", "G", "0", "4X", "-4G", "99999999999999T", "1iG"] {
            assert!(size(wrong).is_err(), "{wrong} was accepted");
        }
    }

    #[test]
    fn ranges() {
        assert_eq!("-3..10".parse(), Ok(Range { low: -3, high: 10 }));
        assert_eq!("0..=1".parse(), Ok(Range { low: 0, high: 1 }));
        for wrong in ["", "1", "5..1", "a..b", "1..", "..1"] {
            assert!(wrong.parse::<Range>().is_err(), "{wrong} was accepted");
        }
    }

    #[test]
    fn section_kinds() {
        let kinds: Kinds = "join,mutex-wait,join".parse().expect("two kinds");
        assert_eq!(kinds.0, [SectionKind::MutexWait, SectionKind::Join]);
        assert_eq!("none".parse(), Ok(Kinds(Vec::new())));
        for wrong in ["", "all,join", "mutex", "join,"] {
            assert!(wrong.parse::<Kinds>().is_err(), "{wrong} was accepted");
        }
    }
}
