//! The state in which a program begins.

use exeunt_ir::address::{self, ObjId, Space};
use exeunt_mem::Bits;
use exeunt_model::CompId;

use super::system::{AtExit, System};
use crate::machine::Machine;
use crate::race::Races;
use crate::stop::Stop;
use crate::thread::Head;
use crate::thread::frame::{self, Frame, OnReturn};
use crate::vm;

impl Machine<'_> {
    /// Builds the initial state: `main` about to start, constructors on top.
    pub fn start(&mut self) -> Result<(), Stop> {
        let program = &self.vm.program;
        let globals: Vec<CompId> = program
            .globals
            .iter()
            .filter(|g| !g.constant && !g.thread_local)
            .map(|g| exeunt_mem::intern(self.pool, &mut vm::global_words(g)))
            .collect();
        let main = program.main.expect("checked by Vm::new").0;
        let head = Head::new(main);
        let system = System {
            alive: 1,
            threads: 1,
            seed: 1,
            at_exit: program
                .destructors
                .iter()
                .rev()
                .map(|&id| AtExit { handler: address::function(id), argument: 0 })
                .collect(),
            ..Default::default()
        };
        let mut words = Vec::new();
        system.encode(&[], &mut words);
        let mut state = vec![self.pool.intern(&words)];
        words.clear();
        head.encode(&mut words);
        state.push(self.pool.intern(&words));
        state.extend(&globals);
        if self.races.is_some() {
            state.push(self.pool.intern(&Races::initial()));
        }
        self.load_state(&state);
        self.load_thread(0);
        let function = &self.vm.program.functions[main as usize];
        frame::open_window(function, &mut self.thread.registers);
        self.thread.frames.push(Frame {
            func: main,
            pc: 0,
            base: 0,
            objects: 0,
            varargs: ObjId::NULL,
            on_return: OnReturn::Continue,
        });
        let arguments = self.given_arguments(self.vm.program.most_given())?;
        for (at, &argument) in arguments.iter().enumerate().take(function.params as usize) {
            self.thread.registers[at] = argument;
        }
        for &constructor in self.vm.program.constructors.iter().rev() {
            self.push_internal(constructor.0, &arguments, OnReturn::Again);
        }
        Ok(())
    }

    /// argc, argv and envp, on the stack below `main`; those that nobody takes are left out. The C library also
    /// hands them to what runs before `main`.
    fn given_arguments(&mut self, wanted: u32) -> Result<Vec<Bits>, Stop> {
        if wanted == 0 {
            return Ok(Vec::new());
        }
        let mut strings = vec!["program".to_string()];
        strings.extend(self.vm.options.args.iter().cloned());
        let mut arguments = vec![Bits::defined(strings.len() as u64)];
        if wanted >= 2 {
            arguments.push(Bits::defined(self.pass_strings(&strings)?));
        }
        if wanted >= 3 {
            let given = self.vm.options.environment.clone().unwrap_or_default();
            let strings: Vec<String> = given.iter().map(|(n, v)| format!("{n}={v}")).collect();
            arguments.push(Bits::defined(self.pass_strings(&strings)?));
        }
        Ok(arguments)
    }

    /// An array of strings with a null pointer behind them; returns its address.
    fn pass_strings(&mut self, strings: &[String]) -> Result<u64, Stop> {
        let array = self.allocate(Space::Stack, 8 * (strings.len() as u64 + 1), false)?;
        self.thread.objects.push(array);
        for (i, text) in strings.iter().enumerate() {
            let mut bytes = text.clone().into_bytes();
            bytes.push(0);
            let id = self.allocate(Space::Stack, bytes.len() as u64, false)?;
            self.thread.objects.push(id);
            self.write_bytes(id.at(0), &bytes, &[])?;
            self.write(array.at(8 * i as i64), 8, Bits::defined(id.at(0)))?;
        }
        Ok(array.at(0))
    }
}
