//! Random Promela models, each twice: as it is, and with C code in place of some statements. Both have the same
//! states and transitions.
//!
//! A text stands for both forms: `$x` is the variable `x`, which C code calls `now.x`, and `$k` is a variable of the
//! process. `z` is only in C code, where it is a variable of C.

use std::fmt::Write;

use crate::Random;

/// A model without and with C code.
pub struct Pair {
    pub plain: String,
    pub code: String,
}

/// The models of a seed.
pub fn pair(seed: u64) -> Pair {
    let mut writer = Writer {
        random: Random::new(seed),
        pair: Pair { plain: String::new(), code: String::new() },
        process: 0,
        through_pointers: false,
    };
    writer.model();
    writer.pair
}

struct Writer {
    random: Random,
    pair: Pair,
    /// The number of the process type being written.
    process: u32,
    /// Whether global variables are also changed through their addresses.
    through_pointers: bool,
}

impl Writer {
    fn same(&mut self, text: &str) {
        self.pair.plain.push_str(text);
        self.pair.code.push_str(text);
    }

    fn model(&mut self) {
        self.through_pointers = self.random.chance(25);
        self.same(
            "byte x, y; bit b; short s; unsigned u : 2; byte a[2]; chan c = [1] of { byte };\n",
        );
        self.pair.plain.push_str("byte z;\n");
        let tracked = self.random.one_of(&[
            "c_decl { unsigned char z; }\nc_track \"&z\" \"sizeof(z)\"\n",
            "c_decl { static unsigned char zz[3];\n\\#define z zz[1]\n}\n",
            "c_state \"unsigned char zz\" \"Global\"\nc_decl {\n\\#define z now.zz\n}\n",
        ]);
        self.pair.code.push_str(tracked);
        self.pair.code.push_str(
            "c_code { static void set_x(int value) { now.x = value; } static int get_y(void) { return now.y; } }\n",
        );
        for number in 0..2 + self.random.below(2) {
            self.process = number;
            let copies = if self.random.chance(15) { " [2]" } else { "" };
            self.same(&format!("active{copies} proctype P{number}() {{ byte k; bit w;\n"));
            for _ in 0..1 + self.random.below(2) {
                self.statement();
                self.same(";\n");
            }
            self.repetition();
            self.same("\n}\n");
        }
    }

    fn repetition(&mut self) {
        self.same("do\n");
        for _ in 0..1 + self.random.below(3) {
            self.same(":: ");
            self.guard();
            self.same(" -> ");
            self.statement();
            self.same("\n");
        }
        if self.random.chance(30) {
            self.same(":: else -> break\n");
        } else {
            self.same(":: ");
            self.guard();
            self.same(" -> break\n");
        }
        self.same("od");
    }

    fn guard(&mut self) {
        if self.random.chance(15) {
            let text = self.random.one_of(&["c?x", "c?1", "c!1", "c?_"]);
            return self.same(text);
        }
        let text = self.condition();
        self.tested(&text);
    }

    /// A condition as a statement.
    fn tested(&mut self, text: &str) {
        let plain = plain_of(text);
        let _ = write!(self.pair.plain, "({plain})");
        let code = match self.is_code(text) {
            true => format!("c_expr {{ {} }}", self.code_of(text)),
            false => format!("({plain})"),
        };
        self.pair.code.push_str(&code);
    }

    fn statement(&mut self) {
        match self.random.below(10) {
            0..=4 => self.assignment(),
            5 => {
                self.same("atomic { ");
                self.guard();
                self.same("; ");
                self.assignment();
                self.same("; ");
                self.assignment();
                self.same(" }");
            }
            6 => self.together(),
            7 => {
                self.same("{ ");
                self.assignment();
                self.same("; ");
                self.assignment();
                self.same(" } unless { ");
                self.guard();
                self.same(" }");
            }
            8 => {
                self.same("if :: ");
                self.guard();
                self.same(" -> ");
                self.assignment();
                self.same(" :: else -> ");
                self.assignment();
                self.same(" fi");
            }
            _ => {
                let bound = 1 + self.random.below(3);
                self.same(&format!("assert(x + y < {bound} || b)"));
            }
        }
    }

    fn assignment(&mut self) {
        let text = self.change();
        let plain = plain_of(&text);
        self.pair.plain.push_str(&plain);
        let code = match self.is_code(&text) {
            true => format!("c_code {{ {}; }}", self.code_of(&text)),
            false => plain,
        };
        self.pair.code.push_str(&code);
    }

    /// Two changes that are one step.
    fn together(&mut self) {
        let (one, two) = (self.change(), self.change());
        let _ = write!(self.pair.plain, "d_step {{ {}; {} }}", plain_of(&one), plain_of(&two));
        let (one, two) = (self.code_of(&one), self.code_of(&two));
        let _ = write!(self.pair.code, "c_code {{ {one}; {two}; }}");
    }

    fn change(&mut self) -> String {
        let value = self.value();
        match self.random.below(11) {
            0 | 1 => format!("$x = ({value}) % 3"),
            2 => format!("$y = ({value}) % 3"),
            3 => format!("$b = ({value})"),
            4 => format!("$s = ({value}) % 2 - 1"),
            5 => format!("$u = ({value})"),
            6 => format!("$a[$b] = ({value}) % 2"),
            7 => format!("$k = ({value}) % 3"),
            8 => format!("$w = ({value})"),
            _ => format!("z = ({value}) % 3"),
        }
    }

    fn value(&mut self) -> String {
        let one = self.random.one_of(&[
            "$x", "$y", "$b", "$u", "$k", "$w", "z", "z", "($s + 1)", "$a[0]", "$a[$b]", "1", "2",
        ]);
        let two = self.random.one_of(&["0", "1", "$x", "$k", "z", "$a[1]"]);
        // Never negative: remainders are those of C in both.
        let op = self.random.one_of(&["+", "+", "*", "|"]);
        format!("{one} {op} {two}")
    }

    fn condition(&mut self) -> String {
        let value = self.value();
        let op = self.random.one_of(&["==", "!=", "<", ">", "<="]);
        let with = self.random.one_of(&["0", "1", "2", "$k", "$x"]);
        format!("($x + {value}) {op} {with}")
    }

    fn is_code(&mut self, text: &str) -> bool {
        let mut names = text.split(|c: char| !c.is_alphanumeric() && c != '$');
        names.any(|name| name == "z") || self.random.chance(60)
    }

    /// The text as C code has it.
    fn code_of(&mut self, text: &str) -> String {
        let mut text = text.to_string();
        if self.random.chance(30) {
            text = text.replace("$y ", "get_y() ").replace("get_y() =", "$y =");
            if let Some(value) = text.strip_prefix("$x = ") {
                text = format!("set_x({value})");
            }
        }
        if self.through_pointers && self.random.chance(50) {
            text = text.replace("$x", "*(&now.x)").replace("$a[", "(now.a + 0)[");
        }
        for local in ["$k", "$w"] {
            text = text.replace(local, &format!("PP{}->{}", self.process, &local[1..]));
        }
        text.replace('$', "now.")
    }
}

fn plain_of(text: &str) -> String {
    text.replace('$', "")
}
