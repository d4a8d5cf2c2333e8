//! Connections that know whether they ended as they should.
//!
//! Timely panics in a thread of its own when a connection breaks, and its workers
//! wait for ever. So it reads and writes through this: a connection that ends
//! before the search has is noted as a loss, which the workers look at, and the
//! thread that waits for it waits on.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use timely::communication::allocator::zero_copy::stream::Stream;

/// Which processes were lost.
#[derive(Debug)]
pub struct Losses {
    /// The process that was lost first.
    first: AtomicUsize,
    /// A process that took leave, as it does when the search has ended for it, and when.
    leave: Mutex<Option<(usize, Instant)>>,
    /// The search has ended: whatever breaks now does not matter.
    over: AtomicBool,
}

const NONE: usize = usize::MAX;

/// If one process has ended its search, the others do so within this time.
const PATIENCE: Duration = Duration::from_secs(20);

impl Default for Losses {
    fn default() -> Losses {
        Losses {
            first: AtomicUsize::new(NONE),
            leave: Mutex::new(None),
            over: AtomicBool::new(false),
        }
    }
}

impl Losses {
    /// Who was lost first, if anybody was.
    pub fn first(&self) -> Option<usize> {
        let first = self.first.load(Ordering::Acquire);
        let leave = *self.leave.lock().unwrap_or_else(PoisonError::into_inner);
        let gone = leave.filter(|(_, since)| since.elapsed() > PATIENCE);
        Some(first).filter(|&process| process != NONE).or(gone.map(|(process, _)| process))
    }

    fn note_leave(&self, process: usize) {
        let mut leave = self.leave.lock().unwrap_or_else(PoisonError::into_inner);
        leave.get_or_insert((process, Instant::now()));
    }

    pub fn end(&self) {
        self.over.store(true, Ordering::Release);
    }

    fn note(&self, process: usize) {
        let order = Ordering::AcqRel;
        let _ = self.first.compare_exchange(NONE, process, order, Ordering::Relaxed);
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }
}

/// With a header of a message without text, timely takes leave.
const LEAVE: usize = 48;

/// A connection to another process.
pub struct Line {
    stream: TcpStream,
    process: usize,
    losses: Arc<Losses>,
    /// Zeros at the end of what was read.
    zeros: usize,
    left: bool,
}

impl Line {
    pub fn new(stream: TcpStream, process: usize, losses: Arc<Losses>) -> Line {
        Line { stream, process, losses, zeros: 0, left: false }
    }

    /// The other side is gone without taking leave.
    fn lost(&mut self, into: &mut [u8]) -> usize {
        if !self.losses.is_over() {
            self.losses.note(self.process);
        }
        while !self.losses.is_over() {
            std::thread::park_timeout(Duration::from_millis(50));
        }
        // It has nothing more to say: timely is told so.
        let len = if self.left { 0 } else { LEAVE.min(into.len()) };
        into[..len].fill(0);
        self.left = true;
        len
    }
}

impl Read for Line {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            return match self.stream.read(into) {
                Ok(0) if self.zeros >= LEAVE => {
                    self.losses.note_leave(self.process);
                    Ok(0)
                }
                Ok(0) => Ok(self.lost(into)),
                Ok(len) => {
                    let zeros = into[..len].iter().rev().take_while(|&&byte| byte == 0).count();
                    self.zeros = if zeros == len { self.zeros + zeros } else { zeros };
                    Ok(len)
                }
                Err(why) if why.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => Ok(self.lost(into)),
            };
        }
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.stream.write(bytes) {
            Ok(len) => Ok(len),
            Err(why) if why.kind() == io::ErrorKind::Interrupted => Err(why),
            // Nobody reads what follows.
            Err(_) => {
                if !self.losses.is_over() {
                    self.losses.note(self.process);
                }
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Line {
    fn try_clone(&self) -> io::Result<Line> {
        Ok(Line::new(self.stream.try_clone()?, self.process, self.losses.clone()))
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // The other side may have closed it already.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}
