//! SPIN's command lines. Options before `-run` or `-search` are SPIN's own, those behind it are
//! for the compiler and the verifier; the model is the one word that is no option.
//!
//! Invariant: an option is understood, known to have no meaning here, or refused by name.

use std::path::PathBuf;

use exeunt_promela::code::Rules;

use crate::failure::Failure;

/// A command line of SPIN, read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) file: PathBuf,
    pub(crate) mode: Mode,
    /// `N=3`, for the preprocessor of the model.
    pub(crate) defines: Vec<String>,
    /// What must never happen on a run, in the words of SPIN: a formula and not its negation.
    pub(crate) formula: Option<String>,
    /// A file with a never claim.
    pub(crate) never: Option<PathBuf>,
    pub(crate) shown: Shown,
    pub(crate) seed: u64,
    /// Steps after which a simulation stops, and those at its beginning that are not shown.
    pub(crate) most: Option<u64>,
    pub(crate) skipped: u64,
    pub(crate) rules: Rules,
    pub(crate) pan: Pan,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mode {
    /// A run by chance.
    #[default]
    Simulate,
    /// `-i`: somebody chooses.
    Choose,
    /// `-a`: a verifier is asked for. Here none is needed.
    Accept,
    /// `-run`, `-search`
    Search,
    /// `-t`, `-tN`, `-k FILE`, `-replay`
    Follow(Trail),
    /// `-d`, `-C`, `-A`, `-I`, and `-d` and `-D` behind `-run`
    Show(View),
    /// `-V`
    Version,
}

/// What can be shown of a model without running it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// All variables.
    Symbols,
    /// Who uses which channel.
    Channels,
    /// What decides nothing.
    Redundant,
    /// The tables, with macros and inlines expanded.
    Tables,
    /// The same as a graph.
    Graph,
}

/// Which trail is followed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Trail {
    #[default]
    Usual,
    Numbered(u32),
    File(PathBuf),
}

/// What a simulation prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) statements: bool,
    pub(crate) globals: bool,
    pub(crate) locals: bool,
    pub(crate) sends: bool,
    pub(crate) receives: bool,
    /// `-b`: nothing of what the model prints.
    pub(crate) silent: bool,
    /// `-B`: not the last state.
    pub(crate) no_end: bool,
    /// `-T`: what the model prints is not indented.
    pub(crate) flush: bool,
    /// `-h`: the seed, at the end.
    pub(crate) seed: bool,
    /// `-c`: messages in columns.
    pub(crate) columns: bool,
    /// `-M`: a message sequence chart in a file.
    pub(crate) chart: bool,
    /// `-qN`: nothing of the messages of this channel.
    pub(crate) unheard: Option<u32>,
    /// `-PN`: nothing but what this process does.
    pub(crate) only: Option<u32>,
}

/// What is asked of the verifier.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pan {
    pub(crate) acceptance: bool,
    pub(crate) non_progress: bool,
    pub(crate) fair: bool,
    pub(crate) ignores_assertions: bool,
    pub(crate) ignores_ends: bool,
    pub(crate) ignores_claims: bool,
    /// `-cN`: how many errors are looked for, 0 for all of them.
    pub(crate) errors: Option<u32>,
    /// `-e`: a trail of each.
    pub(crate) all_trails: bool,
    pub(crate) depth: Option<u64>,
    pub(crate) shortest: bool,
    pub(crate) claim: Option<String>,
    pub(crate) unreduced: bool,
    /// `-DBITSTATE`; the size comes from `-wN`.
    pub(crate) bitstate: bool,
    pub(crate) hash: Option<u32>,
    pub(crate) hash_compact: bool,
    pub(crate) megabytes: Option<u64>,
    pub(crate) minutes: Option<u64>,
    pub(crate) jobs: Option<u16>,
    /// `-n`: statements that were not reached are not listed.
    pub(crate) no_unreached: bool,
    /// `-x`: a trail that is there already stays as it is.
    pub(crate) keeps_trails: bool,
    /// `-T`: nobody may write to a trail.
    pub(crate) trails_read_only: bool,
    /// `-tSUFFIX`: what names of trails end with.
    pub(crate) suffix: Option<String>,
    /// `-b`: a run that is longer than the bound is an error.
    pub(crate) bounded: bool,
    /// `-bcs`, `-LN`: how often control may go from a process that could go on to another one.
    pub(crate) switches: Option<u32>,
    /// `-link FILE`: C files that belong to the C code of the model.
    pub(crate) linked: Vec<PathBuf>,
}

impl Line {
    pub(crate) fn read(words: &[String]) -> Result<Line, Failure> {
        let mut line = Line { seed: 1, ..Line::default() };
        let mut rest = words.iter();
        let mut file = None;
        let mut behind_run = false;
        while let Some(word) = rest.next() {
            match word.strip_prefix('-').filter(|option| !option.is_empty()) {
                None if file.is_some() => {
                    return Err(Failure::bad(format!("`{word}` is a second model")));
                }
                None => file = Some(PathBuf::from(word)),
                Some("run" | "search") => {
                    line.mode = Mode::Search;
                    behind_run = true;
                }
                Some(option) if behind_run => line.for_pan(option, &mut rest)?,
                Some(option) => line.for_spin(option, &mut rest)?,
            }
        }
        match file {
            Some(file) => line.file = file,
            None if line.mode == Mode::Version => {}
            None => return Err(Failure::bad("no model was given").help(USAGE)),
        }
        Ok(line)
    }

    /// An option that SPIN itself reads.
    fn for_spin(&mut self, option: &str, rest: &mut Words<'_>) -> Result<(), Failure> {
        let shown = &mut self.shown;
        match option {
            // The parts of a verifier, of which none is made here.
            "a" | "S1" | "S2" => self.mode = Mode::Accept,
            "d" => self.mode = Mode::Show(View::Symbols),
            "C" => self.mode = Mode::Show(View::Channels),
            "A" => self.mode = Mode::Show(View::Redundant),
            "I" => self.mode = Mode::Show(View::Tables),
            "N" => self.never = Some(value(option, rest)?.into()),
            "t" | "replay" => self.mode = Mode::Follow(Trail::Usual),
            "k" => self.mode = Mode::Follow(Trail::File(value(option, rest)?.into())),
            "p" => shown.statements = true,
            "g" => shown.globals = true,
            "l" => shown.locals = true,
            "s" => shown.sends = true,
            "r" => shown.receives = true,
            "b" => shown.silent = true,
            "B" => shown.no_end = true,
            "c" => shown.columns = true,
            "M" => shown.chart = true,
            "i" => self.mode = Mode::Choose,
            "V" => self.mode = Mode::Version,
            "m" => self.rules.loses = true,
            "O" => self.rules.one_scope = true,
            "o6" => self.rules.no_priorities = true,
            "T" => shown.flush = true,
            "h" => shown.seed = true,
            "f" => self.formula = Some(value(option, rest)?),
            "F" => {
                let file = value(option, rest)?;
                let text = std::fs::read_to_string(&file);
                let wrong = |why| Failure::file("read", file.as_ref(), &why);
                self.formula = Some(text.map_err(wrong)?.trim().to_string());
            }
            // More words, and what changes only how a verifier is made. `-J` should turn the order of nested
            // escapes around, but changes nothing in SPIN 6.5.2 either. Models with all their semicolons
            // (`-o7`) are read in any case.
            "J" | "v" | "w" | "X" | "Y" | "Z" | "o1" | "o2" | "o3" | "o4" | "o5" | "o7" => {}
            _ => return self.with_number(option),
        }
        Ok(())
    }

    /// Options with something attached.
    fn with_number(&mut self, option: &str) -> Result<(), Failure> {
        let (letter, tail) = option.split_at(1);
        match (letter, tail.parse::<u64>()) {
            ("n", Ok(seed)) => self.seed = seed,
            ("u", Ok(most)) => self.most = Some(most),
            ("j", Ok(steps)) => self.skipped = steps,
            ("q", Ok(channel)) => self.shown.unheard = Some(channel as u32),
            ("t", Ok(number)) => self.mode = Mode::Follow(Trail::Numbered(number as u32)),
            ("D", _) => self.defines.push(tail.to_string()),
            // What the preprocessor is given; definitions are all that it takes here.
            ("E", _) if tail.starts_with("-D") => self.defines.push(tail[2..].to_string()),
            ("U", _) => self.defines.retain(|define| define.split('=').next() != Some(tail)),
            _ => return Err(refused(option, "SPIN")),
        }
        Ok(())
    }

    /// An option behind `-run`.
    fn for_pan(&mut self, option: &str, rest: &mut Words<'_>) -> Result<(), Failure> {
        let pan = &mut self.pan;
        match option {
            "a" => pan.acceptance = true,
            "l" => pan.non_progress = true,
            "f" => pan.fair = true,
            "A" => pan.ignores_assertions = true,
            "E" => pan.ignores_ends = true,
            "e" => pan.all_trails = true,
            "i" | "I" | "bfs" | "bfspar" | "DBFS" | "DBFS_PAR" => pan.shortest = true,
            "n" => pan.no_unreached = true,
            "x" => pan.keeps_trails = true,
            "T" => pan.trails_read_only = true,
            "q" => self.rules.empty_at_end = true,
            "b" => pan.bounded = true,
            "d" => self.mode = Mode::Show(View::Tables),
            "D" => self.mode = Mode::Show(View::Graph),
            // How a trail is told; its file may follow, in front of the model.
            "r" | "C" | "g" | "S" => {
                self.shown.columns |= option == "C";
                self.shown.chart |= option == "g";
                self.shown.statements |= matches!(option, "r" | "g");
                let named = rest.as_slice();
                let is_file = |word: &String| !word.starts_with('-');
                let is_named =
                    named.len() > 1 && is_file(&named[0]) && named[1..].iter().any(is_file);
                let trail = is_named.then(|| rest.next()).flatten();
                self.mode = match (trail, &self.mode) {
                    (Some(file), _) => Mode::Follow(Trail::File(file.into())),
                    (None, Mode::Follow(known)) => Mode::Follow(known.clone()),
                    (None, _) => Mode::Follow(Trail::Usual),
                };
            }
            "link" => pan.linked.push(value(option, rest)?.into()),
            "bcs" | "DBCS" => pan.switches = pan.switches.or(Some(0)),
            "V" => self.mode = Mode::Version,
            "N" | "ltl" => pan.claim = Some(value(option, rest)?),
            "noclaim" | "DNOCLAIM" => pan.ignores_claims = true,
            "noreduce" | "DNOREDUCE" => pan.unreduced = true,
            "bitstate" | "bit" | "DBITSTATE" => pan.bitstate = true,
            "hc" | "DHC" | "DHC0" | "DHC1" | "DHC2" | "DHC3" | "DHC4" => pan.hash_compact = true,
            "DNP" => pan.non_progress = true,
            "dfspar" => pan.jobs = Some(4),
            // States are compressed in any case, cycles are looked for if they are asked for, and
            // there is no code that a compiler could improve.
            "safety" | "collapse" | "v" | "W" | "DSAFETY" | "DCOLLAPSE" | "DNOFAIR" | "DREACH"
            | "DMA" | "DNOBOUNDCHECK" | "DNOVSZ" | "DNXT" | "DVERBOSE" | "DCHECK"
            | "DCNTRSTACK" | "DFULLSTACK" | "DPRINTF" | "DSC" | "DSFH" | "DSPACE" | "DLC"
            | "DNIBIS" | "DNOCOMP" | "DNOFIX" | "DTRIX" | "DGLOB_HEAP" | "DSEP_STATE"
            | "DUSE_TDH" | "DPUTPID" | "DINLINE" | "DINLINE_REV" | "DPEG" | "DSDUMP"
            | "DSVDUMP" | "DVAR_RANGES" | "DNSUCC" | "DAUTO_RESIZE" | "DNO_RESIZE" | "DMURMUR"
            | "DJOINPROCS" | "DSPIN_HEAP" | "O" | "O0" | "O1" | "O2" | "O3" | "Os" => {}
            // Reductions that keep what branching logics can say, and what it needs: all steps.
            "DCTL" => pan.unreduced = true,
            // The order in which a verifier looks at states. `-J` changes nothing there either.
            "hash" | "rhash" | "t_reverse" | "p_permute" | "p_reverse" | "J" | "DP_RAND"
            | "DT_RAND" | "DP_REVERSE" | "DT_REVERSE" | "DREVERSE" | "DPERMUTED" | "DRANDOMIZE" => {
            }
            _ => return self.pan_number(option, rest),
        }
        Ok(())
    }

    fn pan_number(&mut self, option: &str, rest: &mut Words<'_>) -> Result<(), Failure> {
        let pan = &mut self.pan;
        if let Some((name, number)) = option.strip_prefix('D').and_then(|rest| rest.split_once('='))
        {
            match (name, number.parse::<u64>()) {
                ("MEMLIM", Ok(number)) => pan.megabytes = Some(number),
                ("NCORE", Ok(number)) => pan.jobs = Some(number.clamp(1, 1024) as u16),
                ("VECTORSZ" | "MA" | "NFAIR" | "RANDOMIZE" | "P_RAND" | "T_RAND", Ok(_)) => {}
                ("L_BOUND", Ok(switches)) => pan.switches = Some(switches as u32),
                ("MEMCNT", Ok(bits)) => pan.megabytes = Some(1 << bits.clamp(20, 60) >> 20),
                _ => return Err(refused(option, "the verifier")),
            }
            return Ok(());
        }
        let (letter, tail) = option.split_at(1);
        match (letter, tail.parse::<u64>()) {
            ("c", Ok(number)) => pan.errors = Some(number as u32),
            ("m", Ok(number)) => pan.depth = Some(number.max(1)),
            ("w", Ok(number)) => pan.hash = Some(number as u32),
            ("Q", Ok(number)) => pan.minutes = Some(number),
            ("h", Ok(_)) | ("R", Ok(_)) => {}
            ("r", Ok(number)) => {
                self.shown.statements = true;
                self.mode = Mode::Follow(Trail::Numbered(number as u32));
            }
            ("P", Ok(process)) => self.shown.only = Some(process as u32),
            ("L", Ok(switches)) => pan.switches = Some(switches as u32),
            ("t", _) if !tail.is_empty() => pan.suffix = Some(tail.to_string()),
            // Runs of a verifier with fewer bits than the last one: here one with all of them.
            ("b" | "s", Err(_)) if tail.starts_with("iterate") || tail.starts_with("warm") => {
                pan.bitstate = true;
            }
            ("p" | "R", Err(_)) if tail.starts_with("_rotate") || tail.starts_with('S') => {}
            ("N", Err(_)) => pan.claim = Some(tail.to_string()),
            ("D", _) => return Err(refused(option, "the verifier")),
            ("m" | "w", Err(_)) if tail.is_empty() => {
                let number = value(option, rest)?;
                return self.pan_number(&format!("{letter}{number}"), rest);
            }
            _ => return Err(refused(option, "the verifier")),
        }
        Ok(())
    }
}

type Words<'w> = std::slice::Iter<'w, String>;

pub(crate) const USAGE: &str = "as with SPIN: `exeunt spin [-p -g -l -r -s -c -M -nSEED -uSTEPS] MODEL` \
simulates, with `-i` by hand, `-t` follows a trail, `-run [-a -l -f -E -A -bfs -cN -mN -N NAME …]` searches";

fn value(option: &str, rest: &mut Words<'_>) -> Result<String, Failure> {
    rest.next().cloned().ok_or_else(|| Failure::bad(format!("-{option} takes a value")))
}

fn refused(option: &str, whose: &str) -> Failure {
    Failure::bad(format!("-{option} is an option of {whose} that is not known here")).help(USAGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Line {
        let words: Vec<String> = line.split(' ').map(str::to_string).collect();
        Line::read(&words).unwrap_or_else(|wrong| panic!("{line}: {wrong:?}"))
    }

    #[test]
    fn the_same_letter_means_another_thing_behind_run() {
        let line = read("-a m.pml");
        assert_eq!((line.mode, line.pan.acceptance), (Mode::Accept, false));
        let line = read("-run -a -f -l -E -m500 -w20 -N p m.pml");
        assert_eq!(line.mode, Mode::Search);
        let pan = &line.pan;
        assert!(pan.acceptance && pan.fair && pan.non_progress && pan.ignores_ends);
        assert_eq!((pan.depth, pan.hash, pan.claim.as_deref()), (Some(500), Some(20), Some("p")));
        assert!(!line.shown.locals);
        assert!(read("-p -l -t m.pml").shown.locals);
    }

    #[test]
    fn attached_numbers_are_read() {
        let line = read("-n7 -u100 -DN=3 m.pml");
        assert_eq!((line.seed, line.most, line.defines), (7, Some(100), vec!["N=3".to_string()]));
        assert_eq!(read("-t2 m.pml").mode, Mode::Follow(Trail::Numbered(2)));
        let line = read("-search -DMEMLIM=1024 -DBITSTATE -c0 m.pml");
        assert_eq!((line.pan.megabytes, line.pan.errors), (Some(1024), Some(0)));
        assert!(line.pan.bitstate);
    }

    #[test]
    fn models_are_shown_without_a_run() {
        for (line, view) in [
            ("-d m.pml", View::Symbols),
            ("-C m.pml", View::Channels),
            ("-A m.pml", View::Redundant),
            ("-I m.pml", View::Tables),
            ("-run -d m.pml", View::Tables),
        ] {
            assert_eq!(read(line).mode, Mode::Show(view), "{line}");
        }
        assert_eq!(read("-run -r2 m.pml").mode, Mode::Follow(Trail::Numbered(2)));
        let rules = read("-m -J -run -q m.pml").rules;
        assert!(rules.loses && rules.empty_at_end);
        let line = read("-N claim.txt -run -x -a m.pml");
        assert_eq!((line.never, line.mode), (Some("claim.txt".into()), Mode::Search));
        assert!(line.pan.keeps_trails && line.pan.acceptance);
    }

    #[test]
    fn trails_are_told_as_a_verifier_tells_them() {
        let line = read("-run -C m.pml");
        assert_eq!((line.mode, line.shown.columns), (Mode::Follow(Trail::Usual), true));
        let line = read("-run -r other.trail -P1 m.pml");
        assert_eq!(line.mode, Mode::Follow(Trail::File("other.trail".into())));
        assert_eq!((line.file, line.shown.only), ("m.pml".into(), Some(1)));
        let line = read("-run -r2 -g -tfoo m.pml");
        assert_eq!(line.mode, Mode::Follow(Trail::Numbered(2)));
        assert!(line.shown.chart && line.pan.suffix.as_deref() == Some("foo"));
    }

    #[test]
    fn what_verifiers_are_made_with_is_read() {
        let line =
            read("-E-DN=2 -o7 -run -b -bcs -L3 -biterate4,2 -link a.c -J -DVECTORSZ=9 m.pml");
        assert_eq!(line.defines, ["N=2"]);
        let pan = &line.pan;
        assert!(pan.bounded && pan.bitstate && pan.switches == Some(3));
        assert_eq!((pan.linked.len(), line.file), (1, "m.pml".into()));
        assert_eq!(read("-run -D m.pml").mode, Mode::Show(View::Graph));
    }

    #[test]
    fn old_rules_are_read() {
        let line = read("-O -o6 -T -h -DN=2 -DM=1 -UN m.pml");
        assert!(line.rules.one_scope && line.rules.no_priorities);
        assert!(line.shown.flush && line.shown.seed);
        assert_eq!(line.defines, ["M=1"]);
        let pan = read("-run -T -DCTL -DL_BOUND=2 -DNIBIS m.pml").pan;
        assert!(pan.trails_read_only && pan.unreduced && pan.switches == Some(2));
    }

    #[test]
    fn what_is_not_known_is_refused_by_name() {
        for line in [
            "-e m.pml",
            "-L m.pml",
            "-Pcpp m.pml",
            "-run -DWHAT=1 m.pml",
            "-run -DXUSAFE m.pml",
            "a.pml b.pml",
            "-p",
        ] {
            let words: Vec<String> = line.split(' ').map(str::to_string).collect();
            assert!(Line::read(&words).is_err(), "{line} was accepted");
        }
    }
}
