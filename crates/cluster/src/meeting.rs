//! How processes find each other: each connects to those before it in the list and waits for those
//! behind it. Both sides of a connection say which process they are of how many, and what they
//! are about to search; processes that do not fit together find that out here.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::time::{Duration, Instant};

use socket2::{SockRef, TcpKeepalive};
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::{AllocatorBuilder, Hooks};

use crate::losses::{Line, Losses};
use crate::mail::Mail;

const MAGIC: &[u8; 8] = b"exeunt 1";
/// A greeting that does not come in this time is not waited for.
const GREETING: Duration = Duration::from_secs(10);
/// Between attempts to connect.
const PAUSE: Duration = Duration::from_millis(50);

/// A host from which nothing comes for so long, not even that it is still there, is lost. Its kernel
/// answers for it, however busy it is.
const SILENCE: Duration = Duration::from_secs(30);

/// Who takes part.
#[derive(Clone, Debug)]
pub struct Party {
    /// Where each process listens, as `host:port`.
    pub addresses: Vec<String>,
    /// Which of them this one is.
    pub process: usize,
    /// What is searched: equal programs with equal options have equal ones.
    pub subject: String,
    /// How long processes wait for each other.
    pub patience: Duration,
}

/// Why processes did not come together.
#[derive(Debug)]
pub enum PartyError {
    /// The address of this process cannot be listened to.
    Listen(String, io::Error),
    /// These did not come in time.
    Missing(Vec<String>),
    /// It searches something else.
    Other(String),
    /// The user has had enough.
    Interrupted,
    Io(io::Error),
}

impl fmt::Display for PartyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PartyError::Listen(address, why) => write!(f, "cannot listen on {address}: {why}"),
            PartyError::Missing(all) => {
                let plural = if all.len() == 1 { "worker" } else { "workers" };
                write!(f, "{plural} {} did not come in time", all.join(", "))
            }
            PartyError::Other(address) => write!(
                f,
                "worker {address} has another program, other options or another version of exeunt"
            ),
            PartyError::Interrupted => write!(f, "interrupted"),
            PartyError::Io(why) => write!(f, "a connection could not be set up: {why}"),
        }
    }
}

impl std::error::Error for PartyError {}

/// Processes that came together.
pub struct Company {
    losses: Arc<Losses>,
    builder: Option<AllocatorBuilder>,
    guard: Option<Box<dyn std::any::Any + Send>>,
}

impl Company {
    /// Waits for all; gives up if `interrupted`.
    pub fn gather(
        party: &Party,
        listener: Option<TcpListener>,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Company, PartyError> {
        let lines = connect(party, listener, interrupted)?;
        let losses = Arc::new(Losses::default());
        let lines = lines.into_iter().enumerate().map(|(process, stream)| {
            stream.map(|stream| Line::new(stream, process, losses.clone()))
        });
        let hooks = Hooks::default();
        let inner = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
        let (builders, guard) =
            initialize_networking_from_sockets(inner, lines.collect(), party.process, 1, hooks)
                .map_err(PartyError::Io)?;
        let builder = builders.into_iter().next().map(AllocatorBuilder::Tcp);
        Ok(Company { losses, builder, guard: Some(Box::new(guard)) })
    }

    /// Letters for the thread that calls; only once.
    pub fn mail(&mut self) -> Option<Mail> {
        Some(Mail::new(self.builder.take()?, self.losses.clone()))
    }

    /// Letters between so many threads of this process.
    pub fn of_threads(count: usize) -> Vec<impl FnOnce() -> Mail + Send> {
        let builders = ProcessBuilder::new_bytes_vector(count, Hooks::default().refill, None);
        let losses = Arc::new(Losses::default());
        let mail = |builder| {
            let losses = losses.clone();
            move || Mail::new(AllocatorBuilder::Process(builder), losses)
        };
        builders.into_iter().map(mail).collect()
    }

    /// Takes leave: waits until all letters are sent. To be called after the mail was dropped, and
    /// only if nobody was lost.
    pub fn leave(mut self) {
        self.losses.end();
        self.guard.take();
    }
}

impl Drop for Company {
    fn drop(&mut self) {
        // The threads behind it wait for processes that are gone.
        std::mem::forget(self.guard.take());
    }
}

fn connect(
    party: &Party,
    listener: Option<TcpListener>,
    interrupted: &dyn Fn() -> bool,
) -> Result<Vec<Option<TcpStream>>, PartyError> {
    let own = &party.addresses[party.process];
    let listener = match listener {
        Some(listener) => listener,
        None => TcpListener::bind(own).map_err(|why| PartyError::Listen(own.clone(), why))?,
    };
    listener.set_nonblocking(true).map_err(PartyError::Io)?;
    let deadline = Instant::now() + party.patience;
    let mut streams: Vec<Option<TcpStream>> = party.addresses.iter().map(|_| None).collect();
    loop {
        for (process, stream) in streams.iter_mut().enumerate().take(party.process) {
            if stream.is_none() {
                *stream = call(party, process)?;
            }
        }
        while let Ok((stream, _)) = listener.accept() {
            if let Some((process, stream)) = answer(party, stream)? {
                streams[process] = Some(stream);
            }
        }
        let is_missing = |&process: &usize| process != party.process && streams[process].is_none();
        let missing: Vec<usize> = (0..streams.len()).filter(is_missing).collect();
        if missing.is_empty() {
            return Ok(streams);
        }
        if interrupted() {
            return Err(PartyError::Interrupted);
        }
        if Instant::now() > deadline {
            let name = |process: usize| party.addresses[process].clone();
            return Err(PartyError::Missing(missing.into_iter().map(name).collect()));
        }
        std::thread::sleep(PAUSE);
    }
}

/// Connects to a process before this one, if it is there already.
fn call(party: &Party, process: usize) -> Result<Option<TcpStream>, PartyError> {
    let address = &party.addresses[process];
    let Some(resolved) = address.to_socket_addrs().ok().and_then(|mut all| all.next()) else {
        return Ok(None);
    };
    let Ok(mut stream) = TcpStream::connect_timeout(&resolved, GREETING) else { return Ok(None) };
    let greeted = greet(party, &mut stream).and_then(|()| greeting(&mut stream));
    match greeted {
        Ok(theirs) if theirs.process == process && theirs.fits(party) => settled(stream).map(Some),
        Ok(_) => Err(PartyError::Other(address.clone())),
        Err(_) => Ok(None),
    }
}

/// Lets a process behind this one in. Others are sent away.
fn answer(party: &Party, mut stream: TcpStream) -> Result<Option<(usize, TcpStream)>, PartyError> {
    let greeted = stream.set_nonblocking(false).and_then(|()| greeting(&mut stream));
    let Ok(theirs) = greeted else { return Ok(None) };
    // The other side is told what this one is in any case, to find out for itself.
    let told = greet(party, &mut stream);
    let behind = (party.process + 1..party.addresses.len()).contains(&theirs.process);
    if !behind || !theirs.fits(party) {
        let named = party.addresses.get(theirs.process).filter(|_| behind);
        let address = named.cloned().unwrap_or_else(|| format!("{:?}", stream.peer_addr()));
        return Err(PartyError::Other(address));
    }
    match told {
        Ok(()) => Ok(Some((theirs.process, settled(stream)?))),
        Err(_) => Ok(None),
    }
}

fn settled(stream: TcpStream) -> Result<TcpStream, PartyError> {
    let settle = || -> io::Result<()> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(None)?;
        let socket = SockRef::from(&stream);
        let often = SILENCE / 3;
        let alive = TcpKeepalive::new().with_time(often).with_interval(often).with_retries(2);
        socket.set_tcp_keepalive(&alive)?;
        socket.set_tcp_user_timeout(Some(SILENCE))
    };
    settle().map_err(PartyError::Io)?;
    Ok(stream)
}

/// What a process says of itself.
struct Greeting {
    process: usize,
    count: usize,
    subject: Vec<u8>,
}

impl Greeting {
    fn fits(&self, party: &Party) -> bool {
        self.count == party.addresses.len() && self.subject == party.subject.as_bytes()
    }
}

fn greet(party: &Party, stream: &mut TcpStream) -> io::Result<()> {
    let mut text = MAGIC.to_vec();
    for number in [party.process, party.addresses.len(), party.subject.len()] {
        text.extend((number as u32).to_be_bytes());
    }
    text.extend(party.subject.as_bytes());
    stream.write_all(&text)
}

fn greeting(stream: &mut TcpStream) -> io::Result<Greeting> {
    stream.set_read_timeout(Some(GREETING))?;
    let mut magic = [0; 8];
    stream.read_exact(&mut magic)?;
    let mut number = || {
        let mut bytes = [0; 4];
        stream.read_exact(&mut bytes)?;
        Ok::<usize, io::Error>(u32::from_be_bytes(bytes) as usize)
    };
    let (process, count, len) = (number()?, number()?, number()?);
    if magic != *MAGIC || len > 1 << 16 {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "no greeting of exeunt"));
    }
    let mut subject = vec![0; len];
    stream.read_exact(&mut subject)?;
    Ok(Greeting { process, count, subject })
}
