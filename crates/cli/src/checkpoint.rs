//! Checkpoint files: a line that says which search it was, then the search.
//! A new one replaces the old one only when it is complete.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use exeunt_search::{Checkpoints, Keeper};
use serde::{Deserialize, Serialize};

use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::front::Loaded;
use crate::inputs::{self, Input};
use crate::runtime;
use crate::settings::Settings;

/// Raised when old files can no longer be read.
const FORMAT: u32 = 4;
/// A file without it was cut off.
const TRAILER: &[u8] = b"\nend of checkpoint\n";
const EVERY: Duration = Duration::from_secs(5 * 60);

#[derive(Serialize, Deserialize)]
struct Header {
    /// Always "checkpoint".
    exeunt: String,
    format: u32,
    version: String,
    settings: Settings,
    inputs: Vec<Input>,
    /// The program as it was compiled, with its headers and its parts of the
    /// library.
    program: String,
    /// This very exeunt: states are written as it sees fit.
    build: String,
}

impl Header {
    fn new(settings: &Settings, loaded: &Loaded) -> Result<Header, Failure> {
        Ok(Header {
            exeunt: "checkpoint".to_string(),
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_string(),
            settings: settings.clone(),
            inputs: inputs::of(&settings.inputs())?,
            program: program(loaded),
            build: build()?,
        })
    }
}

/// What is searched, as one line: processes with equal ones search the same.
pub(crate) fn subject(settings: &Settings, loaded: &Loaded) -> Result<String, Failure> {
    let header = serde_json::to_string(&Header::new(settings, loaded)?);
    Ok(inputs::hash_of(header.expect("plain data has a JSON form").as_bytes()))
}

/// A hash of the program as it is executed. `exeunt.h` is in another folder in each run.
fn program(loaded: &Loaded) -> String {
    let scratch = std::env::temp_dir().join(runtime::SCRATCH);
    let (text, scratch) = (loaded.text(), scratch.to_string_lossy());
    let mut parts = text.split(&*scratch);
    let mut stable = parts.next().unwrap_or_default().to_string();
    for part in parts {
        stable.push_str(part.split_once('/').map_or(part, |(_, rest)| rest));
    }
    inputs::hash_of(stable.as_bytes())
}

fn build() -> Result<String, Failure> {
    let own = std::env::current_exe();
    let own = own.map_err(|why| Failure::bad(format!("exeunt does not find itself: {why}")))?;
    inputs::hash(&own)
}

/// What the arguments say about checkpoints.
pub(crate) fn wanted(
    arguments: &CheckArgs,
    settings: &Settings,
    loaded: &Loaded,
) -> Result<Checkpoints, Failure> {
    let mut checkpoints = Checkpoints::default();
    if let Some(path) = &arguments.resume {
        check(path, settings, loaded)?;
        checkpoints.resume = Some(reader(path.clone()));
    }
    if let Some(path) = &arguments.checkpoint {
        let last = Arc::new(Mutex::new(Instant::now()));
        checkpoints.keeper = Some(Place::keeper(path.clone(), last, arguments, settings, loaded)?);
    }
    Ok(checkpoints)
}

/// The same of one of several processes, which has two files and writes them in turn.
pub(crate) fn slots(
    arguments: &CheckArgs,
    settings: &Settings,
    loaded: &Loaded,
) -> Result<Vec<Checkpoints>, Failure> {
    let process = arguments.cluster.process.unwrap_or(0);
    let name = |path: &Path, slot: u8| {
        let mut name = path.as_os_str().to_os_string();
        name.push(format!(".{process}.{slot}"));
        PathBuf::from(name)
    };
    let last = Arc::new(Mutex::new(Instant::now()));
    let mut slots = vec![Checkpoints::default(), Checkpoints::default()];
    for (slot, number) in slots.iter_mut().zip(0..) {
        if let Some(path) = &arguments.resume {
            let path = name(path, number);
            if path.exists() {
                check(&path, settings, loaded)?;
                slot.resume = Some(reader(path));
            }
        }
        if let Some(path) = &arguments.checkpoint {
            let (path, last) = (name(path, number), last.clone());
            slot.keeper = Some(Place::keeper(path, last, arguments, settings, loaded)?);
        }
    }
    if let Some(path) = &arguments.resume
        && slots.iter().all(|slot| slot.resume.is_none())
    {
        let missing = name(path, 0);
        return Err(Failure::bad(format!(
            "cannot read {}: there is no such file",
            missing.display()
        ))
        .help("each process goes on from the files that it has written"));
    }
    Ok(if slots.iter().any(Checkpoints::are_wanted) { slots } else { Vec::new() })
}

type Opener = Arc<dyn Fn() -> io::Result<Box<dyn Read>> + Send + Sync>;

/// Opens what follows the first line of a checkpoint.
fn reader(path: PathBuf) -> Opener {
    Arc::new(move || {
        let mut file = BufReader::new(File::open(&path)?);
        file.skip_until(b'\n')?;
        Ok(Box::new(file) as Box<dyn Read>)
    })
}

/// Fails if a checkpoint is of another search.
fn check(path: &Path, settings: &Settings, loaded: &Loaded) -> Result<(), Failure> {
    let not_ours = |why: String| {
        Failure::bad(format!("{} cannot be resumed: {why}", path.display()))
            .help("checkpoints are written by `exeunt check FILE --checkpoint CHECKPOINT`")
    };
    let file = File::open(path).map_err(|why| Failure::file("read", path, &why))?;
    let mut line = String::new();
    let limit = 1 << 20;
    BufReader::new(file.take(limit))
        .read_line(&mut line)
        .map_err(|_| not_ours("it is no checkpoint".to_string()))?;
    let value: serde_json::Value =
        serde_json::from_str(&line).map_err(|_| not_ours("it is no checkpoint".to_string()))?;
    if value["exeunt"] != "checkpoint" || value["format"] != FORMAT {
        return Err(not_ours("it is no checkpoint of this version".to_string()));
    }
    let header: Header = serde_json::from_value(value).map_err(|why| not_ours(why.to_string()))?;
    if header.version != env!("CARGO_PKG_VERSION") {
        return Err(not_ours(format!("it was written by version {}", header.version)));
    }
    if header.settings != *settings {
        return Err(not_ours("its options or files are others".to_string()));
    }
    if !is_whole(path).map_err(|why| Failure::file("read", path, &why))? {
        return Err(not_ours("its end is missing".to_string()));
    }
    if let Some(changed) = inputs::changed(&header.inputs)? {
        return Err(not_ours(format!("{} has changed", changed.display())));
    }
    if header.program != program(loaded) {
        return Err(not_ours("a header, the library or the compiler has changed".to_string()));
    }
    if header.build != build()? {
        return Err(not_ours("another build of exeunt wrote it".to_string()));
    }
    Ok(())
}

fn is_whole(path: &Path) -> io::Result<bool> {
    let mut file = File::open(path)?;
    if file.metadata()?.len() < TRAILER.len() as u64 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-(TRAILER.len() as i64)))?;
    let mut end = Vec::new();
    file.read_to_end(&mut end)?;
    Ok(end == TRAILER)
}

/// Where checkpoints go.
struct Place {
    path: PathBuf,
    header: String,
    every: Duration,
    last: Arc<Mutex<Instant>>,
}

impl Place {
    fn keeper(
        path: PathBuf,
        last: Arc<Mutex<Instant>>,
        arguments: &CheckArgs,
        settings: &Settings,
        loaded: &Loaded,
    ) -> Result<Arc<dyn Keeper>, Failure> {
        let header = Header::new(settings, loaded)?;
        let header = serde_json::to_string(&header).expect("plain data has a JSON form");
        let every = arguments.checkpoint_every.unwrap_or(EVERY);
        Ok(Arc::new(Place { path, header, every, last }))
    }
}

impl Keeper for Place {
    fn is_due(&self) -> bool {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).elapsed() >= self.every
    }

    fn keep(&self, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let unfinished = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
        let mut out = BufWriter::new(unfinished);
        writeln!(out, "{}", self.header)?;
        write(&mut out)?;
        out.write_all(TRAILER)?;
        let unfinished = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        unfinished.as_file().sync_all()?;
        unfinished.persist(&self.path)?;
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        Ok(())
    }
}
