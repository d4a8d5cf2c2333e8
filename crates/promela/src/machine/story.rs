//! Steps and states in words.

use exeunt_model::{
    ActorView, Channel, Event, Noun, OpenSection, SectionView, StateView, Stream, Variable,
};

use crate::code::{Action, ChanDecl, Expr, NamedCell, SiteId};

use super::channel::ChannelId;
use super::{Frame, Machine, actor};

impl Machine<'_> {
    /// Adds a step to the story, if one is told. `values` are those that the
    /// step stored, sent or received.
    pub(super) fn tell(&mut self, site: SiteId, values: Option<&[i32]>) {
        if let Some(coverage) = self.coverage {
            coverage.reach(site);
        }
        if !self.storytelling {
            return;
        }
        let site = &self.program.sites[site.0 as usize];
        let mut text = site.text.to_string();
        if let Some(values) = values {
            let shown: Vec<String> = values.iter().map(i32::to_string).collect();
            let shown = shown.join(",");
            let plain: String = text.chars().filter(|c| *c != ' ').collect();
            if !plain.ends_with(&shown) {
                text = format!("{text}  [{shown}]");
            }
        }
        self.events.push(Event::Did { location: site.location.clone(), text: text.into() });
    }

    /// Adds that a process enters or leaves what it must leave.
    pub(super) fn tell_bounds(&mut self, pid: u32, number: usize, enters: bool, site: SiteId) {
        if !self.storytelling {
            return;
        }
        let section = self.section(pid, number);
        let location = self.program.sites[site.0 as usize].location.clone();
        self.events.push(match enters {
            true => {
                let name = self.model.must_end[number].name.clone();
                Event::Opened { section, name, location }
            }
            false => Event::Closed { section, location },
        });
    }

    pub(super) fn output(&mut self, text: String) {
        if self.recorded.is_some()
            && let Some(step) = self.path.last_mut()
        {
            step.output.push_str(&text);
        }
        if self.storytelling {
            self.events.push(Event::Output { stream: Stream::Out, bytes: text.into_bytes() });
        }
    }

    pub(super) fn print(&mut self, format: &str, args: &[Expr], frame: Frame, site: SiteId) {
        self.tell(site, None);
        // The arguments are evaluated in any case: they may be at fault.
        let values: Vec<i32> = args.iter().map(|arg| self.eval(arg, frame)).collect();
        if self.storytelling || self.recorded.is_some() {
            let text = self.formatted(format, &values);
            self.output(text);
        }
    }

    pub(super) fn print_mtype(&mut self, value: &Expr, frame: Frame, site: SiteId) {
        self.tell(site, None);
        let value = self.eval(value, frame);
        let text = self.mtype_name(value, None);
        self.output(text);
    }

    fn formatted(&self, format: &str, values: &[i32]) -> String {
        let mut out = String::new();
        let mut values = values.iter();
        let mut rest = format.chars();
        while let Some(character) = rest.next() {
            match character {
                '%' => {
                    let kind = rest.next().unwrap_or('%');
                    if kind == '%' {
                        out.push('%');
                        continue;
                    }
                    let value = values.next().copied().unwrap_or(0);
                    match kind {
                        'c' => out.push(char::from(value as u8)),
                        'e' => out.push_str(&self.mtype_name(value, None)),
                        'x' => out.push_str(&format!("{value:x}")),
                        'o' => out.push_str(&format!("{value:o}")),
                        'u' => out.push_str(&(value as u32).to_string()),
                        _ => out.push_str(&value.to_string()),
                    }
                }
                '\\' => match rest.next() {
                    Some('n') => out.push('\n'),
                    Some('t') => out.push('\t'),
                    Some(other) => out.push(other),
                    None => {}
                },
                other => out.push(other),
            }
        }
        out
    }

    fn mtype_name(&self, value: i32, set: Option<&str>) -> String {
        let sets = self.program.mtypes.iter();
        let mut matching = sets.filter(|known| set.is_none_or(|set| &*known.name == set));
        matching
            .find_map(|known| known.names.iter().find(|(_, own)| *own == value))
            .map_or_else(|| value.to_string(), |(name, _)| name.to_string())
    }

    fn shown(&self, named: &NamedCell, base: u32) -> String {
        let value = self.memory.load(&named.cell, base);
        match &named.mtype {
            Some(set) if value != 0 => self.mtype_name(value, Some(set)),
            _ => value.to_string(),
        }
    }

    /// Values of a message as SPIN prints them: an `mtype` by its name.
    pub(crate) fn message_text(&self, channel: u32, values: &[i32]) -> String {
        let known = (channel < self.memory.channel_count()).then(|| self.shape(ChannelId(channel)));
        let field = |(at, value): (usize, &i32)| {
            let mtype = known.and_then(|shape| shape.fields.get(at)?.mtype.as_ref());
            match mtype {
                Some(set) if *value != 0 => self.mtype_name(*value, Some(set)),
                Some(_) | None => value.to_string(),
            }
        };
        values.iter().enumerate().map(field).collect::<Vec<_>>().join(",")
    }

    /// The channels that buffer, each once: their numbers, counted from one, names and messages as SPIN prints
    /// them.
    pub(crate) fn queues(&self) -> Vec<(u32, String, String)> {
        let mut queues: Vec<(u32, String, String)> = Vec::new();
        let globals = self.program.variables.iter().map(|named| (named, 0));
        let locals = (0..self.memory.process_count()).flat_map(|pid| {
            let process = self.memory.process(pid);
            let proc = &self.program.procs[process.proc.0 as usize];
            proc.variables.iter().map(move |named| (named, process.base))
        });
        for (named, base) in globals.chain(locals).filter(|(named, _)| named.is_chan) {
            let number = self.memory.load(&named.cell, base) as u32;
            let known = queues.iter().any(|(other, ..)| *other == number);
            let lives = number > 0 && number <= self.memory.channel_count();
            if known || !lives || self.is_rendezvous(ChannelId(number - 1)) {
                continue;
            }
            let channel = ChannelId(number - 1);
            let fields = self.shape(channel).fields.len();
            let message = |slot: u32| {
                let values: Vec<i32> =
                    (0..fields).map(|index| self.message_field(channel, slot, index)).collect();
                format!("[{}]", self.message_text(channel.0, &values))
            };
            let text = (0..self.length(channel)).map(message).collect();
            queues.push((number, named.name.to_string(), text));
        }
        queues
    }

    /// What all processes are doing.
    pub(super) fn describe(&self) -> Vec<ActorView> {
        let moving: Vec<bool> =
            (0..self.memory.process_count()).map(|pid| self.can_move(pid)).collect();
        (0..self.memory.process_count())
            .map(|pid| {
                let proc = &self.program.procs[self.memory.process(pid).proc.0 as usize];
                let info = &proc.states[self.memory.state_of(pid) as usize];
                let site = info.site.map(|site| &self.program.sites[site.0 as usize]);
                let ended = self.is_at_end(pid);
                let blocked = (!moving[pid as usize]).then(|| self.waits_for(pid, ended));
                self.take_trouble();
                ActorView {
                    actor: actor(pid),
                    name: proc.name.to_string(),
                    location: site.map(|site| site.location.clone()),
                    callers: Vec::new(),
                    blocked,
                    ended,
                }
            })
            .collect()
    }

    /// Why a process cannot move.
    pub(super) fn waits_for(&self, pid: u32, ended: bool) -> String {
        if ended {
            return "has ended; waits for younger processes to end first".into();
        }
        let mut texts: Vec<String> = Vec::new();
        for transition in self.transitions(pid) {
            let text = &self.program.sites[transition.site.0 as usize].text;
            let mut shown = format!("`{text}`");
            match self.channel_in(&transition.action, pid) {
                Some(channel) => shown += &self.channel_remark(channel, &transition.action),
                None => shown += &self.own_values(text, pid),
            }
            if !texts.contains(&shown) {
                texts.push(shown);
            }
        }
        if texts.is_empty() {
            "has nothing it could do".into()
        } else {
            format!("waits for {}", texts.join(" or "))
        }
    }

    /// The values of a process's own variables in a text, such as " (right = 1)": `!fork[right]` of different
    /// processes are different forks.
    fn own_values(&self, text: &str, pid: u32) -> String {
        let process = self.memory.process(pid);
        let proc = &self.program.procs[process.proc.0 as usize];
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let mut values: Vec<String> = Vec::new();
        for name in text.split(|c| !word(c)) {
            let own = proc.variables.iter().find(|named| *named.name == *name && !named.is_chan);
            let value = own.map(|named| format!("{name} = {}", self.shown(named, process.base)));
            values.extend(value.filter(|value| !values.contains(value)));
        }
        if values.is_empty() { String::new() } else { format!(" ({})", values.join(", ")) }
    }

    fn channel_in(&self, action: &Action, pid: u32) -> Option<ChannelId> {
        let frame = self.frame(pid);
        match action {
            Action::Send(send) => self.channel_of(&send.chan, frame),
            Action::Receive(receive) => self.channel_of(&receive.chan, frame),
            _ => None,
        }
    }

    fn channel_remark(&self, channel: ChannelId, action: &Action) -> String {
        let sends = matches!(action, Action::Send(_));
        if self.is_rendezvous(channel) {
            let other = if sends { "receives" } else { "sends" };
            return format!(" (nobody {other})");
        }
        let (length, capacity) = (self.length(channel), self.shape(channel).capacity);
        match (sends, length) {
            (true, _) => format!(" (the channel is full: {length} of {capacity})"),
            (false, 0) => " (the channel is empty)".into(),
            (false, _) => " (no such message is first)".into(),
        }
    }

    pub(super) fn why_open(&self, section: &OpenSection) -> SectionView {
        let pid = section.actor.0;
        if pid >= self.memory.process_count() {
            let why = "the process has ended".into();
            return SectionView { why, ..SectionView::default() };
        }
        let proc = &self.program.procs[self.memory.process(pid).proc.0 as usize];
        let info = &proc.states[self.memory.state_of(pid) as usize];
        let what = if self.can_move(pid) {
            "goes on for ever".to_string()
        } else {
            self.waits_for(pid, self.is_at_end(pid))
        };
        self.take_trouble();
        let name = &self.model.must_end[section.slot as usize].name;
        SectionView {
            name: name.to_string(),
            why: format!("process `{}` (_pid {pid}) {what}", proc.name),
            location: info.site.map(|site| self.program.sites[site.0 as usize].location.clone()),
            callers: Vec::new(),
        }
    }

    /// All that can be looked at. Channels are listed by the variables that name them.
    pub(super) fn look(&self) -> StateView {
        let mut view = StateView::of(Noun::Process, self.describe(), Vec::new());
        let mut channels: Vec<(ChannelId, Channel)> = Vec::new();
        for named in &self.program.variables {
            view.globals.extend(self.looked_at(named, 0, &mut channels));
        }
        for actor in &mut view.actors {
            let process = self.memory.process(actor.actor.0);
            let proc = &self.program.procs[process.proc.0 as usize];
            for named in &proc.variables {
                let local = self.looked_at(named, process.base, &mut channels);
                actor.frames[0].locals.extend(local);
            }
        }
        let code = self.look_at_code();
        view.globals.extend(code.globals);
        view.objects = code.objects;
        view.channels = channels.into_iter().map(|(_, channel)| channel).collect();
        view
    }

    /// A variable; one that names a channel adds that to the channels.
    fn looked_at(
        &self,
        named: &NamedCell,
        base: u32,
        channels: &mut Vec<(ChannelId, Channel)>,
    ) -> Option<Variable> {
        let name = named.name.to_string();
        if !named.is_chan {
            return Some(Variable { name, value: self.shown(named, base), target: None });
        }
        let number = self.memory.load(&named.cell, base) as u32;
        let id = number.checked_sub(1).filter(|id| *id < self.memory.channel_count());
        let Some(id) = id.map(ChannelId) else {
            return Some(Variable { name, value: "no channel".to_string(), target: None });
        };
        if !channels.iter().any(|(known, _)| *known == id) {
            let capacity = if self.is_rendezvous(id) { 0 } else { self.shape(id).capacity };
            let messages = if capacity == 0 { Vec::new() } else { self.messages(id) };
            channels.push((id, Channel { name, capacity, messages }));
        }
        None
    }

    /// Globals, channels and locals with their values.
    pub(super) fn all_variables(&self) -> Vec<(String, String)> {
        let mut out = Vec::new();
        for named in &self.program.variables {
            self.push_variable("", named, 0, &mut out);
        }
        let code = self.look_at_code();
        out.extend(code.globals.into_iter().map(|variable| (variable.name, variable.value)));
        for pid in 0..self.memory.process_count() {
            let process = self.memory.process(pid);
            let proc = &self.program.procs[process.proc.0 as usize];
            for named in &proc.variables {
                let prefix = format!("{}({pid}):", proc.name);
                self.push_variable(&prefix, named, process.base, &mut out);
            }
        }
        out
    }

    fn push_variable(
        &self,
        prefix: &str,
        named: &NamedCell,
        base: u32,
        out: &mut Vec<(String, String)>,
    ) {
        let name = format!("{prefix}{}", named.name);
        if !named.is_chan {
            out.push((name, self.shown(named, base)));
            return;
        }
        let number = self.memory.load(&named.cell, base) as u32;
        let value = match number.checked_sub(1) {
            Some(index) if index < self.memory.channel_count() => self.contents(ChannelId(index)),
            _ => "no channel".to_string(),
        };
        out.push((name, value));
    }

    fn contents(&self, channel: ChannelId) -> String {
        if self.is_rendezvous(channel) {
            return "rendezvous".into();
        }
        format!("[{}]", self.messages(channel).join(" | "))
    }

    fn messages(&self, channel: ChannelId) -> Vec<String> {
        let shape: &ChanDecl = self.shape(channel);
        (0..self.length(channel))
            .map(|slot| {
                let fields: Vec<String> = (0..shape.fields.len())
                    .map(|index| self.message_field(channel, slot, index).to_string())
                    .collect();
                fields.join(",")
            })
            .collect()
    }
}
