//! `exeunt explore`: the states of a program as a page, served on loopback until Ctrl-C.
//!
//! Only this machine can connect, only requests that know the random token in the address are answered, and only
//! if they name this address as their host. Each question names a whole path, so the server
//! keeps nothing about who asks; one thread answers, because there is one walk.

use std::collections::HashMap;
use std::io::Read;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use exeunt_model::{Schedule, Session, StateView, Trace, Violation};
use exeunt_report::Sources;
use exeunt_search::{Found, Leads, Successor, Walk};
use exeunt_sim::Simulator;
use serde_json::{Value, json};
use tiny_http::{Header, Method, Request, Response, Server};

use crate::args::{RunArgs, WorldArgs};
use crate::failure::{Failure, INTERRUPTED};
use crate::interrupt;
use crate::output;
use crate::sim::{self, Start};

#[derive(Debug, Args)]
#[command(after_help = sim::WALKED)]
pub(crate) struct ExploreArgs {
    #[command(flatten)]
    pub(crate) program: RunArgs,
    /// Listen at this port of 127.0.0.1 (default: a free one)
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// A search looks at so many states at most
    #[arg(long, value_name = "STATES", default_value = "100000")]
    max_states: usize,
    #[command(flatten)]
    pub(crate) world: WorldArgs,
}

/// How long Ctrl-C may go unnoticed.
const PATIENCE: Duration = Duration::from_millis(100);

pub(crate) fn run(arguments: &ExploreArgs) -> Result<u8, Failure> {
    interrupt::listen();
    sim::begin(&arguments.program, &arguments.world, |session, start| {
        serve(arguments, session, start)
    })
}

fn serve(arguments: &ExploreArgs, session: &dyn Session, start: Start) -> Result<u8, Failure> {
    let server = Server::http(("127.0.0.1", arguments.port.unwrap_or(0)))
        .map_err(|why| Failure::bad(format!("cannot listen on 127.0.0.1: {why}")))?;
    let token = token()?;
    let address = server.server_addr().to_string();
    let fragment = start.schedule.map_or(String::new(), |path| format!("#path={path}"));
    output::print(&format!("http://{address}/{token}/{fragment}\nCtrl-C ends\n"));
    let names: Vec<String> =
        arguments.program.files.iter().map(|file: &PathBuf| file.display().to_string()).collect();
    let served = exeunt_search::walk(session, |walk| {
        let mut host = Host {
            walk,
            sources: Sources::new(),
            name: names.join(" "),
            most: arguments.max_states,
            address,
            token,
            numbers: HashMap::new(),
            violation: start.violation,
        };
        while !interrupt::requested() {
            if let Ok(Some(request)) = server.recv_timeout(PATIENCE) {
                host.answer(request);
            }
        }
    });
    served.map_err(|why| Failure::bad(format!("the program cannot start: {why}")))?;
    Ok(INTERRUPTED)
}

/// A hundred and twenty-eight bits that nobody can guess.
fn token() -> Result<String, Failure> {
    let mut bytes = [0u8; 16];
    let source = std::path::Path::new("/dev/urandom");
    let read = std::fs::File::open(source).and_then(|mut file| file.read_exact(&mut bytes));
    read.map_err(|why| Failure::file("read", source, &why))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

struct Host<'h, 'w> {
    walk: &'h mut Walk<'w>,
    sources: Sources,
    name: String,
    most: usize,
    address: String,
    token: String,
    /// States by the order in which they are told.
    numbers: HashMap<u32, usize>,
    /// What the trace shows that was opened.
    violation: Option<Violation>,
}

/// What a request is answered with.
enum Reply {
    Page(String),
    Data(Value),
    Refusal(u16, String),
}

impl Host<'_, '_> {
    fn answer(&mut self, request: Request) {
        let reply = self.reply(&request);
        let (status, kind, text) = match reply {
            Reply::Page(text) => (200, "text/html; charset=utf-8", text),
            Reply::Data(value) => (200, "application/json", value.to_string()),
            Reply::Refusal(status, text) => (status, "text/plain; charset=utf-8", text),
        };
        let mut response = Response::from_string(text).with_status_code(status);
        let policy = "default-src 'none'; script-src 'unsafe-inline'; \
                      style-src 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'";
        for (name, value) in [
            ("Content-Type", kind),
            ("Content-Security-Policy", policy),
            ("Cache-Control", "no-store"),
            ("Referrer-Policy", "no-referrer"),
            ("X-Content-Type-Options", "nosniff"),
        ] {
            if let Ok(header) = Header::from_bytes(name, value) {
                response.add_header(header);
            }
        }
        // A reader that went away is no error.
        let _ = request.respond(response);
    }

    fn reply(&mut self, request: &Request) -> Reply {
        let host = request.headers().iter().find(|header| header.field.equiv("Host"));
        let own = host.is_some_and(|header| header.value.as_str() == self.address);
        let (path, query) = request.url().split_once('?').unwrap_or((request.url(), ""));
        let inside = path.strip_prefix('/').and_then(|path| path.strip_prefix(&*self.token));
        let Some(what) = inside.and_then(|path| path.strip_prefix('/')).filter(|_| own) else {
            return Reply::Refusal(404, "there is nothing here".to_string());
        };
        if *request.method() != Method::Get {
            return Reply::Refusal(405, "only GET is known".to_string());
        }
        let value = |name: &str| parameter(query, name).unwrap_or_default();
        let data = match what {
            "" => {
                return match self.state("") {
                    Ok(first) => {
                        let shown = self.violation.as_ref();
                        Reply::Page(exeunt_report::explorer_page(&self.name, shown, &first))
                    }
                    Err(why) => Reply::Refusal(500, why),
                };
            }
            "state" => self.state(&value("path")),
            "ends" => self.ends(&value("path")),
            "search" => Ok(self.search(&value("query"))),
            _ => return Reply::Refusal(404, "there is nothing here".to_string()),
        };
        match data {
            Ok(data) => Reply::Data(data),
            Err(why) => Reply::Refusal(400, why),
        }
    }

    fn number(&mut self, state: u32) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(state).or_insert(next)
    }

    /// Leads the walk along a path, with the states before each step and their numbers.
    fn follow(&mut self, path: &str) -> Result<(Vec<StateView>, Vec<usize>), String> {
        let schedule: Schedule = path.parse().map_err(|why| format!("{why}"))?;
        while self.walk.back() {}
        let mut states = vec![self.walk.view()];
        let mut numbers = vec![self.number(self.walk.number())];
        for (at, step) in schedule.moves.iter().enumerate() {
            self.walk.take(step).map_err(|why| format!("step {}: {why}", at + 1))?;
            if self.walk.fault().is_none() {
                states.push(self.walk.view());
                numbers.push(self.number(self.walk.number()));
            }
        }
        Ok((states, numbers))
    }

    fn state(&mut self, path: &str) -> Result<Value, String> {
        let (states, trail) = self.follow(path)?;
        let error = self.walk.fault().map(|f| format!("error[{}]: {}", f.property, f.message));
        let ended = error.is_none() && self.walk.has_ended();
        let (status, successors) = {
            let mut simulator = Simulator::new(self.walk);
            (simulator.status(), simulator.successors().to_vec())
        };
        let last = states.last();
        let trace = Trace {
            schedule: self.walk.schedule(),
            steps: self.walk.steps().cloned().collect(),
            noun: last.map(|view| view.noun).unwrap_or_default(),
            actors: last.map(names).unwrap_or_default(),
            states,
            ..Trace::default()
        };
        let stuck = error.is_none() && !ended && successors.is_empty();
        let walked = exeunt_report::Walked {
            trace: &trace,
            status: &status,
            bad: stuck || error.is_some(),
            shown: self.violation.as_ref(),
        };
        let page = exeunt_report::explorer_path(&walked, &self.sources);
        let here = trace.schedule.to_string();
        let number = trail.last().filter(|_| error.is_none());
        let told = |next| self.successor(next, &here);
        let successors: Vec<Value> = successors.iter().map(told).collect();
        Ok(json!({
            "path": here, "number": number, "trail": trail, "status": status, "error": error, "ended": ended,
            "page": page, "successors": successors,
        }))
    }

    fn successor(&mut self, next: &Successor, here: &str) -> Value {
        let path = match here.is_empty() {
            true => next.step.to_string(),
            false => format!("{here};{}", next.step),
        };
        let (kind, to, what) = match &next.leads {
            Leads::State { number, .. } => ("state", Some(self.number(*number)), None),
            Leads::Fault(fault) => ("error", None, Some(fault.message.clone())),
            Leads::Nowhere(why) => ("nowhere", None, Some(why.clone())),
        };
        let line = next.told.location.as_ref().filter(|location| location.is_known());
        let line = line.map_or(String::new(), |location| format!("{}: ", location.line));
        json!({
            "path": path, "actor": next.step.actor.0, "text": format!("{line}{}", next.told.action),
            "kind": kind, "to": to, "what": what,
        })
    }

    /// Whether what is open can still end.
    fn ends(&mut self, path: &str) -> Result<Value, String> {
        self.follow(path)?;
        let mut simulator = Simulator::new(self.walk);
        match simulator.execute("ends")? {
            exeunt_sim::Answer::Text(text) => Ok(json!({ "text": text })),
            exeunt_sim::Answer::Save(..)
            | exeunt_sim::Answer::Load(_)
            | exeunt_sim::Answer::Quit => Ok(json!({ "text": "" })),
        }
    }

    /// The nearest state whose text has all words.
    fn search(&mut self, query: &str) -> Value {
        let words: Vec<String> = query.split(',').map(|part| squeezed(part.trim())).collect();
        if words.iter().all(String::is_empty) {
            return json!({ "path": null, "text": "what is looked for?" });
        }
        let mut fits = |view: &StateView| {
            let text = squeezed(&exeunt_sim::state(view, exeunt_sim::Part::All));
            words.iter().all(|word| text.contains(word))
        };
        match self.walk.find(self.most, &mut fits) {
            Found::At(schedule) => {
                let steps = schedule.moves.len();
                let text = format!("found after {steps} step{}", if steps == 1 { "" } else { "s" });
                json!({ "path": schedule.to_string(), "text": text })
            }
            Found::No { states, all: true } => {
                json!({ "path": null, "text": format!("none of all {states} states") })
            }
            Found::No { states, all: false } => {
                let text = format!("not in the first {states} states (--max-states)");
                json!({ "path": null, "text": text })
            }
        }
    }
}

/// Lower case, and one blank where there are several.
fn squeezed(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn names(view: &StateView) -> Vec<String> {
    let most = view.actors.iter().map(|actor| actor.actor.0 as usize + 1).max().unwrap_or(0);
    let mut names = vec![String::new(); most];
    for actor in &view.actors {
        names[actor.actor.0 as usize] = actor.name.clone();
    }
    names
}

/// A parameter of a query, decoded.
fn parameter(query: &str, name: &str) -> Option<String> {
    let given = query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))?;
    let mut bytes = Vec::new();
    let mut rest = given.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'+' => bytes.push(b' '),
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                let digits = std::str::from_utf8(&digits).ok()?;
                bytes.push(u8::from_str_radix(digits, 16).ok()?);
            }
            other => bytes.push(other),
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_decoded() {
        assert_eq!(parameter("a=1%3B2&b=x+y", "a").as_deref(), Some("1;2"));
        assert_eq!(parameter("a=1%3B2&b=x+y", "b").as_deref(), Some("x y"));
        assert_eq!(parameter("a=%ff", "a"), None);
        assert_eq!(parameter("a=%1", "a"), None);
    }
}
