//! Letters as a timely dataflow: one for each round, with a loop. Its only operator
//! has the worker's letters; its input is exchanged by addressee. The operator
//! holds a capability while its worker has something to do, so timely's progress tracking
//! says when a round is over everywhere.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use exeunt_search::{Post, Turn};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use timely::WorkerConfig;
use timely::communication::allocator::Thread;
use timely::communication::{Allocator, AllocatorBuilder};
use timely::container::CapacityContainerBuilder;
use timely::dataflow::ProbeHandle;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::{Capability, ConnectLoop, Feedback, Probe};
use timely::scheduling::Activator;
use timely::worker::Worker;

use crate::losses::Losses;

/// How long an idle worker waits for letters before it looks around.
const NAP: Duration = Duration::from_millis(5);

/// The letters of one worker.
pub struct Mail {
    worker: Worker,
    round: Option<Round>,
    losses: Arc<Losses>,
    sent: u64,
}

struct Round {
    desk: Rc<RefCell<Desk>>,
    activator: Activator,
    probe: ProbeHandle<u64>,
}

/// What a worker and the operator of a round share.
#[derive(Default)]
struct Desk {
    inbox: VecDeque<(usize, Vec<u8>)>,
    outbox: Vec<Letter>,
    idle: bool,
}

/// Addressee, sender and text.
type Letter = (u32, u32, Text);

/// Bytes that are written as they are.
#[derive(Clone, Debug)]
struct Text(Vec<u8>);

impl Mail {
    /// For the thread that calls.
    pub fn new(builder: AllocatorBuilder, losses: Arc<Losses>) -> Mail {
        let allocator = match builder {
            AllocatorBuilder::Thread(_) => Allocator::Thread(Thread::default()),
            AllocatorBuilder::Process(builder) => Allocator::Process(builder.build()),
            AllocatorBuilder::Tcp(builder) => Allocator::Tcp(builder.build()),
        };
        let worker = Worker::new(WorkerConfig::default(), allocator, None);
        Mail { worker, round: None, losses, sent: 0 }
    }
}

impl Post for Mail {
    fn index(&self) -> usize {
        self.worker.index()
    }

    fn peers(&self) -> usize {
        self.worker.peers()
    }

    fn begin(&mut self) {
        self.round = Some(Round::new(&mut self.worker));
    }

    fn send(&mut self, to: usize, letter: Vec<u8>) {
        let from = self.worker.index();
        if to != from {
            self.sent += letter.len() as u64;
        }
        let round = self.round.as_ref().expect("a round has begun");
        round.desk.borrow_mut().outbox.push((to as u32, from as u32, Text(letter)));
    }

    fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
        self.round.as_ref().and_then(|round| round.desk.borrow_mut().inbox.pop_front())
    }

    fn turn(&mut self, idle: bool) -> Turn {
        let round = self.round.as_ref().expect("a round has begun");
        round.desk.borrow_mut().idle = idle;
        // It sends letters, and gives its capability back once the inbox was emptied.
        round.activator.activate();
        self.worker.step();
        if round.probe.done() {
            self.round = None;
            return Turn::Over;
        }
        if idle && round.desk.borrow().inbox.is_empty() {
            self.worker.step_or_park(Some(NAP));
        }
        match self.losses.first() {
            Some(process) => Turn::Lost { process },
            None => Turn::Going,
        }
    }

    fn sent(&self) -> u64 {
        self.sent
    }
}

impl Round {
    fn new(worker: &mut Worker) -> Round {
        let desk = Rc::new(RefCell::new(Desk::default()));
        let probe = ProbeHandle::new();
        let activator = worker.dataflow::<u64, _, _>(|scope| {
            let (handle, letters) = scope.feedback::<Vec<Letter>>(1);
            let mut activator = None;
            let addressee = Exchange::new(|letter: &Letter| u64::from(letter.0));
            let sent = letters.unary_frontier::<CapacityContainerBuilder<Vec<Letter>>, _, _, _>(
                addressee,
                "letters",
                |capability, info| {
                    activator = Some(scope.activator_for(info.address));
                    let (mut held, desk) = (Some(capability), desk.clone());
                    move |(input, _), output| {
                        let mut desk = desk.borrow_mut();
                        input.for_each(|capability, letters| {
                            held.get_or_insert_with(|| capability.retain(0));
                            let arrived = letters
                                .drain(..)
                                .map(|(_, from, Text(text))| (from as usize, text));
                            desk.inbox.extend(arrived);
                        });
                        hand_over(&mut desk, &mut held, |capability, letters| {
                            output.session(capability).give_iterator(letters.drain(..));
                        });
                    }
                },
            );
            sent.probe_with(&probe).connect_loop(handle);
            activator.expect("the operator was built")
        });
        Round { desk, activator, probe }
    }
}

/// Sends what is in the outbox, and gives the capability back if nothing is left to do.
fn hand_over(
    desk: &mut Desk,
    held: &mut Option<Capability<u64>>,
    send: impl FnOnce(&Capability<u64>, &mut Vec<Letter>),
) {
    if !desk.outbox.is_empty() {
        let capability = held.as_ref().expect("only a worker that is not idle sends letters");
        send(capability, &mut desk.outbox);
    }
    if desk.idle && desk.inbox.is_empty() {
        *held = None;
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        deserializer.deserialize_byte_buf(TextVisitor)
    }
}

struct TextVisitor;

impl Visitor<'_> for TextVisitor {
    type Value = Text;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the bytes of a letter")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Text, E> {
        Ok(Text(bytes.to_vec()))
    }

    fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Text, E> {
        Ok(Text(bytes))
    }
}
