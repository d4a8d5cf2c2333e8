//! `exeunt check --processes` and `--workers`: processes that search together. The first one
//! reports; the others do the same command without an output.

use std::cell::RefCell;
use std::net::TcpListener;
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use exeunt_cluster::{Company, Party, PartyError};
use exeunt_model::{Report, Session, Verdict};
use exeunt_search::{Checkpoints, Options, Progress, Spread};

use crate::args::CheckArgs;
use crate::checkpoint;
use crate::failure::{self, Failure, INTERRUPTED};
use crate::front::{self, Loaded};
use crate::interrupt;
use crate::settings::Settings;

/// How long processes wait for each other to come.
const PATIENCE: Duration = Duration::from_secs(120);
/// Others see who was lost before this process is gone, too.
const LINGER: Duration = Duration::from_millis(1500);

/// What a process that reports nothing does.
pub(crate) fn follow(arguments: &CheckArgs) -> Result<u8, Failure> {
    let settings = Settings::new(arguments)?;
    let mut options = settings.search_options(&arguments.search, interrupt::listen())?;
    let loaded = front::load(&settings)?;
    let session = settings.open(loaded.model());
    refuse(&*session, &loaded)?;
    let party = party(arguments, &settings, &loaded)?;
    let listener = match arguments.cluster.listens_on_input {
        true => Some(inherited()?),
        false => None,
    };
    share_memory(arguments, &mut options);
    let slots = checkpoint::slots(arguments, &settings, &loaded)?;
    let search = Search { party: &party, session: &*session, options: &options, slots: &slots };
    let spread = search.run(listener, &interrupt::requested, &mut |_| {})?;
    let verdict = match spread {
        Spread::Report(report) => report.verdict,
        Spread::Verdict(verdict) => verdict,
        Spread::Lost { process, .. } => {
            failure::error(&lost(&party, process));
            Verdict::Inconclusive
        }
    };
    let interrupted = interrupt::requested() && verdict == Verdict::Inconclusive;
    Ok(if interrupted { INTERRUPTED } else { verdict.exit_code() })
}

/// What the first process does: it starts the others if they are on this machine.
pub(crate) fn lead(
    arguments: &CheckArgs,
    settings: &Settings,
    loaded: &Loaded,
    session: &dyn Session,
    options: &Options,
    show: &mut dyn FnMut(&Progress),
) -> Result<Report, Failure> {
    refuse(session, loaded)?;
    let mut options = options.clone();
    share_memory(arguments, &mut options);
    let mut party = party(arguments, settings, loaded)?;
    let (mut listener, mut children) = (None, Children::default());
    if let Some(count) = arguments.cluster.processes {
        let listeners = listeners(count)?;
        party.addresses = addresses(&listeners)?;
        children = Children::start(&party, listeners, &mut listener)?;
    }
    let slots = checkpoint::slots(arguments, settings, loaded)?;
    let search = Search { party: &party, session, options: &options, slots: &slots };
    let given_up = || interrupt::requested() || children.has_lost_one();
    let spread = search.run(listener, &given_up, show)?;
    Ok(match spread {
        Spread::Report(report) => {
            children.wait();
            *report
        }
        Spread::Lost { process, report } => {
            let reason = lost(&party, process);
            Report { reason: reason.clone(), limits_hit: vec![reason], ..*report }
        }
        Spread::Verdict(_) => unreachable!("the first process reports"),
    })
}

/// What one process does together with the others.
struct Search<'s> {
    party: &'s Party,
    session: &'s dyn Session,
    options: &'s Options,
    slots: &'s [Checkpoints],
}

impl Search<'_> {
    /// Comes together with the others and searches.
    fn run(
        &self,
        listener: Option<TcpListener>,
        given_up: &dyn Fn() -> bool,
        show: &mut dyn FnMut(&Progress),
    ) -> Result<Spread, Failure> {
        let Search { party, session, options, slots } = *self;
        let mut company = Company::gather(party, listener, given_up).map_err(wrong)?;
        let mut mail = company.mail().expect("the mail was not taken yet");
        let spread = exeunt_search::check_spread(session, options, slots, &mut mail, show);
        match spread {
            Spread::Lost { .. } => {
                if party.process > 0 {
                    std::thread::sleep(LINGER);
                }
                // Its connections wait for what never comes.
                std::mem::forget(mail);
            }
            Spread::Report(_) | Spread::Verdict(_) => {
                drop(mail);
                company.leave();
            }
        }
        Ok(spread)
    }
}

fn wrong(why: PartyError) -> Failure {
    match why {
        PartyError::Interrupted if interrupt::requested() => Failure::Interrupted,
        PartyError::Interrupted => Failure::bad("a process ended before the search began"),
        PartyError::Other(_) => Failure::bad(why)
            .help("give the same command to all workers, with the same files and the same exeunt"),
        PartyError::Missing(_) => Failure::bad(why)
            .help("start the same command there, with `--process I` for the I-th of --workers"),
        PartyError::Listen(..) | PartyError::Io(_) => Failure::bad(why),
    }
}

fn lost(party: &Party, process: usize) -> String {
    let name = &party.addresses[process];
    format!("worker {name} (process {process}) was lost, and the states that it stored")
}

/// What only a search in one process has.
fn refuse(session: &dyn Session, loaded: &Loaded) -> Result<(), Failure> {
    if session.facts().abstraction.is_some() {
        return Err(Failure::bad(
            "a search by several processes cannot have an abstraction (exeunt_ignore, and in models Hidden and UnMatched)",
        ));
    }
    if !loaded.asks.is_empty() {
        return Err(Failure::bad("temporal properties are checked by one process")
            .help("leave --processes and --workers out, or the claims with `--no-claims`"));
    }
    Ok(())
}

/// Processes on one machine share its memory.
fn share_memory(arguments: &CheckArgs, options: &mut Options) {
    let count = u64::from(arguments.cluster.processes.unwrap_or(1));
    options.limits.memory = options.limits.memory.map(|memory| memory / count);
}

fn party(arguments: &CheckArgs, settings: &Settings, loaded: &Loaded) -> Result<Party, Failure> {
    let addresses = arguments.cluster.workers.clone();
    let process = usize::from(arguments.cluster.process.unwrap_or(0));
    if !addresses.is_empty() && process >= addresses.len() {
        let count = addresses.len();
        return Err(Failure::bad(format!("--process {process}, but --workers names {count}"))
            .help("processes are counted from 0"));
    }
    let subject = checkpoint::subject(settings, loaded)?;
    Ok(Party { addresses, process, subject, patience: PATIENCE })
}

/// The socket that the first process has made for this one.
fn inherited() -> Result<TcpListener, Failure> {
    let input = std::io::stdin().as_fd().try_clone_to_owned();
    Ok(TcpListener::from(input.map_err(|why| Failure::bad(format!("no socket: {why}")))?))
}

/// One on loopback for each process.
fn listeners(count: u16) -> Result<Vec<TcpListener>, Failure> {
    let listen = |_| TcpListener::bind("127.0.0.1:0");
    let all: std::io::Result<Vec<TcpListener>> = (0..count).map(listen).collect();
    all.map_err(|why| Failure::bad(format!("cannot listen on loopback: {why}")))
}

fn addresses(listeners: &[TcpListener]) -> Result<Vec<String>, Failure> {
    let address = |listener: &TcpListener| listener.local_addr().map(|at| at.to_string());
    let all: std::io::Result<Vec<String>> = listeners.iter().map(address).collect();
    all.map_err(|why| Failure::bad(format!("cannot listen on loopback: {why}")))
}

/// Processes that were started by this one. They end with it.
#[derive(Default)]
struct Children(RefCell<Vec<Child>>);

impl Children {
    /// Starts all processes but the first, which keeps its socket.
    fn start(
        party: &Party,
        listeners: Vec<TcpListener>,
        own: &mut Option<TcpListener>,
    ) -> Result<Children, Failure> {
        let children = Children::default();
        let program = std::env::current_exe()
            .map_err(|why| Failure::bad(format!("exeunt does not find itself: {why}")))?;
        for (process, listener) in listeners.into_iter().enumerate() {
            if process == 0 {
                *own = Some(listener);
                continue;
            }
            let mut words: Vec<_> = std::env::args_os().skip(1).collect();
            let at = words.iter().position(|word| word == "check").map_or(0, |at| at + 1);
            let extra = [
                format!("--workers={}", party.addresses.join(",")),
                format!("--process={process}"),
                "--listens-on-input".to_string(),
            ];
            words.splice(at..at, extra.map(Into::into));
            let child = Command::new(&program)
                .args(words)
                .stdin(Stdio::from(OwnedFd::from(listener)))
                .stdout(Stdio::null())
                .spawn();
            let child = child.map_err(|why| Failure::bad(format!("no process: {why}")))?;
            children.0.borrow_mut().push(child);
        }
        Ok(children)
    }

    /// Whether one of them has ended.
    fn has_lost_one(&self) -> bool {
        self.0.borrow_mut().iter_mut().any(|child| !matches!(child.try_wait(), Ok(None)))
    }

    /// Waits for processes that have taken leave.
    fn wait(self) {
        for mut child in self.0.take() {
            let _ = child.wait();
        }
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        for child in self.0.get_mut() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
