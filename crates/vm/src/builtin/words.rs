//! What rows say, in words, for the reference of functions.

use exeunt_model::SectionKind;

use super::{
    Builtin, Cancel, Chooses, Deed, Effect, Locks, Object, Orders, Outside, Touches, tables,
};

/// A function that needs no definition in a checked program.
pub struct KnownFunction {
    pub name: &'static str,
    pub header: &'static str,
    /// Its declaration in C, as far as its row knows it: all pointers are `void *`.
    pub declaration: String,
    /// What the name means if it is one of C++.
    pub plain: Option<String>,
    /// What other threads can notice of a call, or "" if nothing.
    pub noticed: String,
    /// What it waits for, opens and closes, orders and chooses.
    pub effects: Vec<String>,
    /// What is not supported or not explored.
    pub limits: Vec<String>,
}

/// All functions that a program may call without a definition, by header and name. Those that only the
/// runtime calls are left out.
pub fn known_functions() -> Vec<KnownFunction> {
    let rows = tables().into_iter().flatten();
    let mut known: Vec<KnownFunction> = rows
        .flat_map(|(header, rows)| rows.iter().map(|row| described(header, row)))
        .filter(|known| !known.name.starts_with("__exeunt_"))
        .collect();
    known.sort_unstable_by_key(|known| (known.header, known.name));
    known
}

fn described(header: &'static str, row: &Builtin) -> KnownFunction {
    let refused = row.refused.is_some();
    KnownFunction {
        name: row.name,
        header,
        declaration: declaration(row),
        plain: Some(exeunt_ir::readable_in_full(row.name)).filter(|plain| plain != row.name),
        noticed: if refused { String::new() } else { noticed(row) },
        effects: if refused { Vec::new() } else { effects(row) },
        limits: limits(row),
    }
}

fn declaration(row: &Builtin) -> String {
    let (result, parameters) = row.signature.split_once(':').unwrap_or((row.signature, ""));
    let words = parameters.chars().filter(|code| *code != '?').map(word);
    let parameters: Vec<&str> = words.collect();
    let parameters = if parameters.is_empty() { "void".to_string() } else { parameters.join(", ") };
    let result = result.chars().next().map_or("void", word);
    let space = if result.ends_with('*') { "" } else { " " };
    format!("{result}{space}{}({parameters})", row.name)
}

/// The type that a letter of a signature stands for.
fn word(code: char) -> &'static str {
    match code {
        'v' => "void",
        'p' => "void *",
        'b' => "bool",
        'c' => "char",
        'h' => "short",
        'i' => "int",
        'l' => "long",
        'f' => "float",
        'd' => "double",
        'x' => "long double",
        '.' => "...",
        other => unreachable!("`{other}` in a signature"),
    }
}

fn noticed(row: &Builtin) -> String {
    match row.effect {
        Effect::Local => String::new(),
        Effect::Memory | Effect::Indirect => "memory behind its arguments".to_string(),
        Effect::Specific => "the value of a key".to_string(),
        Effect::Clock => "the time, and memory behind its arguments".to_string(),
        Effect::Unwinds => "the calls that it leaves".to_string(),
        Effect::Visible | Effect::Wait(_) => touched(row.touches),
    }
}

fn touched(touches: Touches) -> String {
    match touches {
        Touches::Everything => "anything".to_string(),
        Touches::Nothing => "that it is called".to_string(),
        Touches::Object(one) => object(one).to_string(),
        Touches::Both(one, other) => format!("{} and {}", object(one), object(other)),
        Touches::Value(one) => format!("{}, and an int behind the second argument", object(one)),
        Touches::Thread => "a thread, and memory for its result".to_string(),
        Touches::Birth => "a new thread, its handle and attributes".to_string(),
        Touches::End => "the end of its thread".to_string(),
        Touches::SystemCall => "what the system call does".to_string(),
        Touches::Descriptor => "output, or what the descriptor leads to".to_string(),
    }
}

fn object(object: Object) -> &'static str {
    match object {
        Object::Mutex => "a mutex",
        Object::Condition => "a condition variable",
        Object::Rwlock => "a read-write lock",
        Object::Spinlock => "a spin lock",
        Object::Semaphore => "a semaphore",
        Object::Barrier => "a barrier",
        Object::Once => "a once flag",
        Object::Stream => "the lock of a stream",
    }
}

fn effects(row: &Builtin) -> Vec<String> {
    let mut all = Vec::new();
    let mut say = |truth: bool, what: &str| all.extend(truth.then(|| what.to_string()));
    if let Effect::Wait(kind) = row.effect {
        let until = if row.timed.is_some() { ", until a time at most" } else { "" };
        say(true, &format!("waits (`{}`{until})", kind.name()));
    }
    say(!row.opens.is_empty(), &format!("opens {}", sections(row.opens)));
    say(!row.closes.is_empty(), &format!("closes {}", sections(row.closes)));
    say(row.allocates, "allocates");
    say(row.sleeps, "lets time pass");
    say(row.locks != Locks::No, "holds the lock of its stream");
    say(row.moves_control, "calls functions of the program, or does not return");
    let words = [cancellation(row.cancel), order(row.orders), deed(row.deed)];
    words.into_iter().flatten().for_each(|word| say(true, word));
    say(row.chooses == Chooses::All, "every possible answer is explored");
    all
}

fn sections(kinds: &[SectionKind]) -> String {
    let names: Vec<String> = kinds.iter().map(|kind| format!("`{}`", kind.name())).collect();
    names.join(", ")
}

fn cancellation(cancel: Cancel) -> Option<&'static str> {
    match cancel {
        Cancel::Never => None,
        Cancel::Always => Some("a cancellation point"),
        Cancel::Maybe => Some("may be a cancellation point"),
    }
}

fn order(orders: Orders) -> Option<&'static str> {
    match orders {
        Orders::Nothing => None,
        Orders::Acquires | Orders::AcquiresAlways => Some("acquires"),
        Orders::Releases => Some("releases"),
        Orders::Wakes | Orders::WakesSecond => Some("releases to whom it wakes"),
        Orders::Meets => Some("synchronises all who wait there"),
        Orders::Joins => Some("synchronises with the thread that ended"),
    }
}

fn deed(deed: Deed) -> Option<&'static str> {
    match deed {
        Deed::None => None,
        Deed::Cancels => Some("ends another thread"),
        Deed::AtExit => Some("registers what runs at the end of the program"),
        Deed::DeletesKey => Some("deletes a key"),
        Deed::Ignores => Some("leaves memory out of the comparison of states"),
        Deed::Fails => Some("ends the program as a failure"),
        Deed::Names => Some("names a variable for propositions"),
        Deed::Robust => Some("mutexes may be given back by the end of their owner"),
        Deed::TellsName => Some("tells the name of a thread"),
    }
}

fn limits(row: &Builtin) -> Vec<String> {
    let mut all: Vec<String> =
        row.refusal().into_iter().map(|what| format!("refused: {what}")).collect();
    all.extend(row.without.iter().map(|call| format!("refused: {call}")));
    match row.outside {
        Outside::No => {}
        Outside::Fixed(found) => all.push(format!("a fixed answer: {found}")),
        Outside::Depends(_) => all.push("some calls get a fixed answer".to_string()),
    }
    match row.chooses {
        Chooses::Sample => all.push("only some values are explored (`--nondet`)".to_string()),
        Chooses::Nothing | Chooses::All => {}
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(name: &str) -> KnownFunction {
        known_functions().into_iter().find(|known| known.name == name).expect("it is known")
    }

    #[test]
    fn what_a_row_says_can_be_read() {
        let lock = known("pthread_mutex_timedlock");
        assert_eq!(lock.declaration, "int pthread_mutex_timedlock(void *, void *)");
        assert_eq!((lock.header, &*lock.noticed), ("pthread.h", "a mutex"));
        let effects = ["waits (`mutex-wait`, until a time at most)", "opens `critical`"];
        assert_eq!(lock.effects, effects);
        assert!(lock.limits.is_empty());
        let fork = known("fork");
        assert_eq!(fork.declaration, "int fork(void)");
        assert_eq!(fork.limits, ["refused: other processes (`fork`)"]);
        assert_eq!(known("getpid").limits, ["a fixed answer: the process was number 1000"]);
        assert_eq!(known("printf").declaration, "int printf(void *, ...)");
    }
}
