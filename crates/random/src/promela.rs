//! Random small models that SPIN accepts, the same for the same seed.
//!
//! Values stay small, so that models are finite and mostly tiny. What makes
//! the verifier itself stop is left out: statements that block in a d_step,
//! indices out of range, loops of nothing but `skip`. Nothing is received
//! into a variable it does not fit, because SPIN gets that wrong.

use std::fmt::Write;

use crate::Random;

/// The numbers behind a model; seeds of models are quoted, so this stays.
pub fn numbers(seed: u64) -> Random {
    Random::from_state(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
}

struct Writer {
    random: Random,
    out: String,
    depth: usize,
    /// Labels of the process being written.
    labels: u32,
    next_label: u32,
    fresh: u32,
    in_loop: bool,
    /// Whether there is a process type `r` to be started.
    starts: bool,
    /// Priorities and looks at other processes, without rendezvous and
    /// without `else`, whose meaning in `enabled` depends in SPIN on what was
    /// tried before.
    observing: bool,
    /// The number of the process type being written.
    number: u32,
}

pub fn model(seed: u64) -> String {
    let mut writer = Writer {
        random: numbers(seed),
        out: String::new(),
        depth: 0,
        labels: 0,
        next_label: 0,
        fresh: 0,
        in_loop: false,
        starts: false,
        observing: false,
        number: 0,
    };
    writer.model();
    writer.out
}

/// A model whose processes look at each other.
pub fn observing_model(seed: u64) -> String {
    let mut writer = Writer {
        random: numbers(seed ^ 0x5555),
        out: String::new(),
        depth: 0,
        labels: 0,
        next_label: 0,
        fresh: 0,
        in_loop: false,
        starts: false,
        observing: true,
        number: 0,
    };
    writer.model();
    writer.out
}

impl Writer {
    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.out.push('\t');
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn model(&mut self) {
        self.line("mtype = { ma, mb };");
        self.line("typedef S { byte f; bit g[2] };");
        self.line("byte x, y; bit b; bool t; short s; unsigned u : 2; byte a[2]; S st;");
        let least = u32::from(self.observing);
        let kind = least + self.random.below(3 - least);
        let _ = writeln!(self.out, "chan c = [{kind}] of {{ byte }};");
        let kind = least + self.random.below(3 - least);
        let _ = writeln!(self.out, "chan d = [{kind}] of {{ mtype, byte }};");
        self.line("inline bump(v) { v = (v + 1) % 3 }");
        self.starts = self.random.chance(30);
        if self.starts {
            self.line(
                "proctype r(byte n) { chan mine = [1] of { byte }; mine!n; d!ma(mine) ; y = n }",
            );
        }
        let processes = 1 + self.random.below(3);
        for number in 0..processes {
            self.process(number);
        }
        if self.random.chance(35) {
            self.starter();
        }
    }

    fn process(&mut self, number: u32) {
        self.number = number;
        let copies = if self.random.chance(20) { " [2]" } else { "" };
        let provided = match self.random.below(12) {
            0 => " provided (x < 2 || t)",
            1 => " provided (y != 1)",
            _ => "",
        };
        let priority = if self.observing && self.random.chance(50) {
            format!(" priority {}", 1 + self.random.below(3))
        } else {
            String::new()
        };
        let _ = writeln!(self.out, "active{copies} proctype p{number}(){priority}{provided}\n{{");
        self.body();
        self.line("}");
    }

    /// An init that starts processes with arguments.
    fn starter(&mut self) {
        self.line("proctype q(byte n; chan h)\n{\n\tbyte k; chan own = [1] of { byte };");
        self.depth = 1;
        for _ in 0..1 + self.random.below(3) {
            let text = match self.random.below(7) {
                0 => "x = (x + n) % 3;",
                1 => "own!n; own?k;",
                2 => "if :: n > 0 -> y = n % 3 :: n == 0 -> b = 1 fi;",
                3 => "k = (n + 1) % 2;",
                4 => "atomic { own!n -> x = n % 3; own?_ };",
                5 => "d_step { k = n; k = k % 2 };",
                _ => "assert(n < 2);",
            };
            self.line(text);
        }
        self.line("skip\n}");
        self.depth = 0;
        let text = match self.random.below(3) {
            0 => "init { run q(0, c); run q(1, d) }",
            1 => "init { atomic { run q(1, c); run q(2, c) } }",
            _ => "init { byte w; w = run q(0, d); x = w % 3; (_nr_pr < 5); run q(1, c) }",
        };
        self.line(text);
    }

    fn body(&mut self) {
        self.depth = 1;
        self.in_loop = false;
        self.labels = self.random.below(3);
        self.next_label = 0;
        self.line("byte i, j; bit z;");
        let steps = 1 + self.random.below(4);
        for _ in 0..steps {
            self.label();
            self.statement(3);
            self.out.push_str(";\n");
        }
        while self.next_label < self.labels {
            self.label();
            self.line("j = 0;");
        }
        self.line("i = 0");
        self.depth = 0;
    }

    /// Sets the next label that jumps may go to.
    fn label(&mut self) {
        if self.next_label < self.labels && self.random.chance(60) {
            let prefix = self.random.one_of(&["L", "L", "L", "endL", "progressL", "acceptL"]);
            let number = self.next_label;
            // Jumps know the number; all prefixes are set at the same place.
            let _ = write!(self.out, "{prefix}{number}_: skip;\nL{number}: ");
            self.next_label += 1;
            self.line("skip;");
        }
    }

    fn sequence(&mut self, size: u32, room: u32) {
        let steps = 1 + self.random.below(size);
        for step in 0..steps {
            if step > 0 {
                self.out.push_str(";\n");
            }
            if step > 0 && self.random.chance(5) {
                self.fresh += 1;
                let text = format!("byte v{} = x;", self.fresh);
                self.line(&text);
            }
            self.statement(room);
        }
        self.out.push('\n');
    }

    fn statement(&mut self, room: u32) {
        let choice = if room == 0 { self.random.below(11) } else { self.random.below(20) };
        match choice {
            0..=4 => self.assignment(),
            5 => {
                let text = self.condition();
                self.line(&text);
            }
            6 | 7 => {
                let text = self.send();
                self.line(&text);
            }
            8 | 9 => {
                let text = self.receive();
                self.line(&text);
            }
            10 => self.odd_one(),
            11 | 12 => self.selection("if", room),
            13 | 14 => self.repetition(room),
            15 => self.atomic(room),
            16 => self.d_step(),
            17 => self.unless(room),
            18 => {
                self.line("atomic {");
                self.depth += 1;
                let outer = std::mem::replace(&mut self.in_loop, false);
                self.unless(1);
                self.in_loop = outer;
                self.depth -= 1;
                self.line("}");
            }
            _ => {
                self.line("{");
                self.depth += 1;
                self.sequence(2, room - 1);
                self.depth -= 1;
                self.line("}");
            }
        }
    }

    fn assignment(&mut self) {
        let value = self.value();
        let text = match self.random.below(14) {
            0 => format!("x = ({value}) % 3"),
            1 => format!("y = ({value}) % 3"),
            2 => format!("b = {value}"),
            3 => format!("t = !t || {value}"),
            4 => format!("s = ({value}) % 2 - 1"),
            5 => format!("u = {value}"),
            6 => format!("a[x % 2] = ({value}) % 2"),
            7 => format!("st.g[b] = ({value}) % 2"),
            8 => format!("st.f = ({value}) % 2"),
            9 => format!("i = ({value}) % 2"),
            10 => "bump(x)".to_string(),
            11 => "u++".to_string(),
            12 => format!("z = {value}"),
            _ => format!("j = ({value}) % 3"),
        };
        self.line(&text);
    }

    fn value(&mut self) -> String {
        match self.random.below(16) {
            0 => "x".into(),
            1 => "y".into(),
            2 => "b".into(),
            3 => "u + 1".into(),
            4 => "a[y % 2]".into(),
            5 => "st.f".into(),
            6 => "(t -> 1 : x)".into(),
            7 => "_pid".into(),
            8 => "len(c)".into(),
            9 => "i + j".into(),
            10 => "x * 2 + y".into(),
            11 => "(s & 1)".into(),
            12 => "ma".into(),
            13 => "z ^ b".into(),
            _ => self.random.below(3).to_string(),
        }
    }

    fn look(&mut self) -> String {
        let other = self.random.below(2);
        match self.random.below(5) {
            // Only downwards, or they would ask each other for ever.
            0 | 1 if self.number > 0 => "(_pid != 0 && enabled(0))".into(),
            2 => format!("_last == {other}"),
            3 => format!("pc_value({other}) < {}", 2 + self.random.below(6)),
            _ => format!("get_priority({other}) > 1"),
        }
    }

    fn condition(&mut self) -> String {
        if self.observing && self.random.chance(40) {
            return self.look();
        }
        let value = self.value();
        match self.random.below(13) {
            0 => format!("x == {value}"),
            1 => format!("y != {value}"),
            2 => format!("u > {value}"),
            3 => "t".into(),
            4 => "x < 2 && !b".into(),
            5 => "nempty(d)".into(),
            6 => "full(c)".into(),
            7 => "len(d) < 1".into(),
            8 => "s < 0".into(),
            9 => format!("i <= {value}"),
            10 => "a[0] == a[1]".into(),
            11 => "timeout".into(),
            _ => "st.g[1] || y > 0".into(),
        }
    }

    fn send(&mut self) -> String {
        let value = self.value();
        match self.random.below(5) {
            0 | 1 => format!("c!{value}"),
            2 => format!("d!ma({value})"),
            3 => format!("d!mb,{value}"),
            _ => format!("d!!mb,{value}"),
        }
    }

    fn receive(&mut self) -> String {
        let text = self.random.one_of(&[
            "c?i",
            "c?x",
            "c?1",
            "c?eval(x)",
            "c?_",
            "d?ma(j)",
            "d?mb,y",
            "d?_,i",
            "d??mb,j",
            "d?ma,eval(y)",
            "c??2",
            "d??ma,x",
        ]);
        text.to_string()
    }

    fn odd_one(&mut self) {
        if self.observing && self.random.chance(40) {
            // Of a process that runs: SPIN goes wrong with others.
            let (pid, value) = (self.random.one_of(&["0", "_pid"]), 1 + self.random.below(4));
            self.line(&format!("set_priority({pid}, {value})"));
            return;
        }
        let text = match self.random.below(9) {
            0 => "assert(x < 2 || y < 2)".to_string(),
            1 => "printf(\"x %d\\n\", x)".to_string(),
            2 if self.labels > 0 => {
                let number = self.random.below(self.labels);
                format!("goto L{number}")
            }
            3 if self.in_loop => "break".to_string(),
            4 => "select (j : 0 .. 2)".to_string(),
            5 => "skip".to_string(),
            6 if !self.observing => "for (i : 0 .. 1) { a[i] = 1 - a[i] }".to_string(),
            7 if self.starts => "if :: _nr_pr < 4 -> run r(x) :: _nr_pr > 2 fi".to_string(),
            _ => "x = 0".to_string(),
        };
        self.line(&text);
    }

    fn guard(&mut self) -> String {
        match self.random.below(10) {
            0..=4 => self.condition(),
            5 | 6 => self.receive(),
            7 => self.send(),
            _ => {
                let value = self.value();
                format!("y = ({value}) % 3")
            }
        }
    }

    /// An option that begins with something that has parts.
    fn composite(&mut self, room: u32) {
        self.line("::");
        self.depth += 1;
        match self.random.below(6) {
            0 => self.atomic(room),
            1 => self.d_step(),
            2 => {
                self.line("{");
                self.statement(0);
                self.out.push_str(";\n");
                self.statement(0);
                self.line("}");
            }
            3 => {
                let (one, two) = (self.guard(), self.guard());
                self.line(&format!("if :: {one} -> x = 1 :: {two} fi"));
            }
            4 => {
                let (one, two) = (self.guard(), self.condition());
                self.line(&format!("do :: {one} -> y = (y + 1) % 3 :: {two} -> break od"));
            }
            _ => {
                let (one, two) = (self.assigned(), self.condition());
                self.line(&format!("{{ {one}; {one} }} unless {{ {two} }}"));
            }
        }
        if self.random.chance(60) {
            self.out.push_str(";\n");
            self.statement(0);
        }
        self.depth -= 1;
    }

    fn assigned(&mut self) -> String {
        let value = self.value();
        format!("x = ({value}) % 3")
    }

    fn options(&mut self, room: u32, may_else: bool) {
        let count = 1 + self.random.below(3);
        let mut io = false;
        for _ in 0..count {
            if room > 0 && self.random.chance(15) {
                self.composite(room - 1);
                io = true;
                continue;
            }
            let guard = self.guard();
            io |= guard.contains(['!', '?']) || guard.contains("empty") || guard.contains("full");
            let arrow = self.random.one_of(&["->", ";"]);
            if self.random.chance(40) {
                self.line(&format!(":: {guard}"));
                continue;
            }
            self.line(&format!(":: {guard} {arrow}"));
            self.depth += 1;
            self.sequence(3, room - 1);
            self.depth -= 1;
        }
        // SPIN warns of `else` beside channel operations, but takes it.
        if may_else && !self.observing && (!io || self.random.chance(30)) && self.random.chance(40)
        {
            self.line(":: else ->");
            self.depth += 1;
            self.sequence(2, room - 1);
            self.depth -= 1;
        }
    }

    fn selection(&mut self, keyword: &str, room: u32) {
        self.line(keyword);
        self.options(room, true);
        self.line("fi");
    }

    fn repetition(&mut self, room: u32) {
        let outer = std::mem::replace(&mut self.in_loop, true);
        self.line("do");
        self.options(room, false);
        if self.random.chance(70) {
            let guard = self.condition();
            self.line(&format!(":: {guard} -> break"));
        }
        self.line("od");
        self.in_loop = outer;
    }

    /// Without loops, which would never end inside.
    fn atomic(&mut self, room: u32) {
        let outer = std::mem::replace(&mut self.in_loop, false);
        let labels = std::mem::replace(&mut self.labels, 0);
        self.line("atomic {");
        self.depth += 1;
        let steps = 1 + self.random.below(3);
        for step in 0..steps {
            if step > 0 {
                self.out.push_str(";\n");
            }
            if self.random.chance(25) && room > 1 {
                self.line("if");
                let guard = self.guard();
                self.line(&format!(":: {guard} -> x = (x + 1) % 3"));
                let guard = self.guard();
                self.line(&format!(":: {guard}"));
                self.line("fi");
            } else if self.random.chance(15) && room > 1 {
                self.d_step();
            } else {
                self.statement(0);
            }
        }
        self.labels = labels;
        if self.labels > 0 && self.random.chance(20) {
            let number = self.random.below(self.labels);
            self.out.push_str(";\n");
            self.line(&format!("goto L{number}"));
        } else if outer && self.random.chance(20) {
            self.out.push_str(";\n");
            self.line("break");
        }
        self.depth -= 1;
        self.out.push('\n');
        self.line("}");
        self.in_loop = outer;
    }

    /// Only what cannot block behind the first statement.
    fn d_step(&mut self) {
        let guard = match self.random.below(3) {
            0 => self.condition(),
            1 => self.random.one_of(&["c?x", "d?ma(y)", "c?_"]).to_string(),
            _ => "x = (x + 1) % 3".to_string(),
        };
        let tail = match self.random.below(4) {
            0 => "if :: x == 1 -> y = 0 :: else -> b = 1 - b fi",
            1 => "i = 0; do :: i < 2 -> a[i] = b; i++ :: else -> break od; i = 0",
            2 => "{ u = u + 1; st.f = u % 2 }",
            _ => "t = !t",
        };
        self.line(&format!("d_step {{ {guard}; {tail} }}"));
    }

    fn unless(&mut self, room: u32) {
        self.line("{");
        self.depth += 1;
        self.sequence(3, room - 1);
        self.depth -= 1;
        let escape = match self.random.below(4) {
            0 => "x == 2 -> x = 0",
            1 => "c?_",
            2 => "y == 1; y = 2; skip",
            _ => "atomic { b -> b = 0; t = 1 }",
        };
        self.line(&format!("}} unless {{ {escape} }}"));
    }
}
