//! Gates in the text of a C or C++ program: calls in front of the operations at which a schedule goes
//! to another thread. Only text at these places changes, and no line moves.
//!
//! This reads tokens, not C: what it is not sure about it refuses.

/// Where a gate is, and which operation it is in front of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) line: u32,
    pub(super) column: u32,
    /// The write of an update such as `x++`, whose read is already done.
    pub(super) updates: bool,
    /// Line and column of what the thread did just before.
    pub(super) after: Option<(u32, u32)>,
}

/// The text with a gate for each place, by its number.
pub(super) fn with_gates(text: &str, places: &[Place]) -> Result<String, String> {
    let mut edits: Vec<(usize, usize, String)> = Vec::new();
    for (gate, place) in places.iter().enumerate() {
        let refused = |why: &str| {
            format!("line {}: a schedule cannot be forced there in C: {why}", place.line)
        };
        let at = offset(text, place.line, place.column);
        let at = at.ok_or_else(|| refused("the place is not in the text"))?;
        let before = place.after.and_then(|(line, column)| offset(text, line, column));
        if let Some((from, to)) = before.and_then(|before| argument(text, at, before)) {
            edits.push((from, from, format!("EXEUNT_VALUE({gate}, (")));
            edits.push((to, to, "))".to_string()));
            continue;
        }
        edits.extend(edit(text, at, gate, place.updates).map_err(|why| refused(&why))?);
    }
    edits.sort_by_key(|(from, ..)| std::cmp::Reverse(*from));
    let mut out = text.to_string();
    for (from, to, new) in edits {
        out.replace_range(from..to, &new);
    }
    Ok(out)
}

/// The argument of the call at a place that another place is in: its part of the call is done.
fn argument(text: &str, at: usize, inner: usize) -> Option<(usize, usize)> {
    let name = text[at..].find(|c: char| !is_word(c)).filter(|length| *length > 0)?;
    let open = at + name + text[at + name..].find(|c: char| !c.is_whitespace())?;
    text[open..].starts_with('(').then_some(())?;
    let mut from = open + 1;
    loop {
        let to = from + expression(&text[from..]);
        if (from..to).contains(&inner) {
            return Some((from, to));
        }
        text[to..].starts_with(',').then_some(())?;
        from = to + 1;
    }
}

fn offset(text: &str, line: u32, column: u32) -> Option<usize> {
    let mut lines = text.split_inclusive('\n');
    let before: usize = lines.by_ref().take(line.checked_sub(1)? as usize).map(str::len).sum();
    let at = before + column.checked_sub(1)? as usize;
    (at < text.len() && text.is_char_boundary(at)).then_some(at)
}

type Edits = Vec<(usize, usize, String)>;

fn edit(text: &str, at: usize, gate: usize, updates: bool) -> Result<Edits, String> {
    let rest = &text[at..];
    let start = statement(text, at);
    if let Some(operator) = update_operator(rest) {
        return match updates {
            true => update(text, start, at, operator, gate),
            false => Ok(vec![in_front(text, start, gate)]),
        };
    }
    if rest.starts_with('=') && !rest.starts_with("==") {
        let end = at + expression(&text[at + 1..]) + 1;
        let front = (at + 1, at + 1, format!(" EXEUNT_VALUE({gate}, ("));
        return Ok(vec![front, (end, end, "))".to_string())]);
    }
    let name = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
    let called = rest[name..].trim_start().starts_with(['(', '{']);
    let before = text[..at].trim_end();
    let member = before.ends_with('.') || before.ends_with("->") || before.ends_with("::");
    let variable = name > 0 && !rest.starts_with(|c: char| c.is_ascii_digit());
    let keyword = ["return", "if", "while", "for", "switch"].contains(&&rest[..name]);
    if variable && !called && !member && !keyword && start != at {
        let inner = format!("(*(exeunt_gate({gate}), &{}))", &rest[..name]);
        return Ok(vec![(at, at + name, inner)]);
    }
    Ok(vec![in_front(text, start, gate)])
}

const UPDATES: [&str; 12] =
    ["++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="];

fn update_operator(rest: &str) -> Option<&'static str> {
    UPDATES.into_iter().find(|operator| rest.starts_with(operator))
}

/// `x++;` as a read, a gate and a write.
fn update(
    text: &str,
    start: usize,
    at: usize,
    operator: &str,
    gate: usize,
) -> Result<Edits, String> {
    let end = at + expression(&text[at..]);
    let behind = text[at + operator.len()..end].trim();
    let before = text[start..at].trim();
    let (place, value) = match operator {
        "++" | "--" => {
            let place = if before.is_empty() { behind } else { before };
            let other = if before.is_empty() { "" } else { behind };
            if !other.is_empty() {
                return Err("more than an update is done there".to_string());
            }
            (place, format!("{} 1", &operator[..1]))
        }
        _ => (before, format!("{} ({behind})", operator.trim_end_matches('='))),
    };
    let simple = |c: char| is_word(c) || ".->[]* &".contains(c);
    if place.is_empty() || !place.chars().all(simple) || !text[end..].starts_with(';') {
        return Err("the updated variable is not a simple one".to_string());
    }
    Ok(vec![(start, end, format!("EXEUNT_UPDATE({gate}, {place}, {place} {value})"))])
}

/// A gate in front of the full expression or declaration that begins here.
fn in_front(text: &str, start: usize, gate: usize) -> (usize, usize, String) {
    let rest = &text[start..];
    let word = &rest[..rest.find(|c: char| !is_word(c)).unwrap_or(rest.len())];
    match word {
        "return" if rest["return".len()..].trim_start().starts_with(';') => {
            (start, start, format!("if (exeunt_gate({gate}), 1) "))
        }
        "return" => {
            let at = start + "return".len();
            (at, at, format!(" exeunt_gate({gate}),"))
        }
        _ if declares(rest) => (start, start, format!("exeunt_gate({gate}); ")),
        _ => (start, start, format!("exeunt_gate({gate}), ")),
    }
}

/// Whether a declaration begins here: a type, and a name behind it.
fn declares(rest: &str) -> bool {
    const NOT_TYPES: [&str; 6] = ["delete", "throw", "goto", "sizeof", "new", "co_await"];
    const PREFIXES: [&str; 8] =
        ["const", "static", "struct", "unsigned", "signed", "volatile", "register", "auto"];
    let text = &rest[..expression(rest)];
    let end = text.find(|c: char| !(is_word(c) || c == ':')).unwrap_or(text.len());
    let word = &text[..end];
    if word.is_empty() || NOT_TYPES.contains(&word) {
        return false;
    }
    if PREFIXES.contains(&word) {
        return true;
    }
    let mut behind = &text[end..];
    if behind.starts_with('<') {
        let Some(close) = behind.rfind('>') else { return false };
        behind = &behind[close + 1..];
    }
    let spaced = behind.starts_with(|c: char| c.is_whitespace() || "*&".contains(c));
    let name = behind.trim_start_matches(|c: char| c.is_whitespace() || "*&".contains(c));
    let name_end = name.find(|c: char| !is_word(c)).unwrap_or(name.len());
    let follows = name[name_end..].trim_start();
    // `a * b;` could be both; nobody multiplies for nothing.
    spaced
        && name_end > 0
        && (follows.is_empty() || follows.starts_with(['=', '(', '{', '[', ',', ';']))
        && !follows.starts_with("==")
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// How long the expression is that begins here: up to a separator outside of its brackets.
fn expression(text: &str) -> usize {
    let mut depth = 0usize;
    for token in Tokens::of(text) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if depth == 0 => return token.at,
            ")" | "]" | "}" => depth -= 1,
            ";" | "," if depth == 0 => return token.at,
            _ => {}
        }
    }
    text.len()
}

/// Where the full expression or declaration begins that a place is in.
fn statement(text: &str, at: usize) -> usize {
    // The open parentheses; `true` if they are the head of a loop or a condition.
    let mut heads: Vec<bool> = Vec::new();
    let (mut start, mut word, mut asked) = (None, "", false);
    for token in Tokens::of(text) {
        if token.at > at {
            break;
        }
        let in_head = heads.last().copied();
        let begins = match token.text {
            "(" => {
                let head = ["if", "while", "for", "switch"].contains(&word);
                heads.push(head);
                head
            }
            ")" => heads.pop().unwrap_or(false),
            ";" => in_head.unwrap_or(true),
            "{" | "}" | "else" | "do" | "#" => true,
            "?" => {
                asked = true;
                false
            }
            ":" if asked => {
                asked = false;
                false
            }
            ":" => heads.is_empty(),
            _ => false,
        };
        match (begins, start) {
            (true, _) => (start, asked) = (None, false),
            (false, None) => start = Some(token.at),
            (false, Some(_)) => {}
        }
        word = token.text;
    }
    start.unwrap_or(at)
}

struct Token<'t> {
    at: usize,
    text: &'t str,
}

/// Words and signs; comments, strings and directives are left out, a directive as `#`.
struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Tokens<'t> {
    fn of(text: &'t str) -> Self {
        Tokens { text, at: 0 }
    }

    fn token(&mut self, length: usize) -> Option<Token<'t>> {
        let at = self.at;
        self.at += length;
        Some(Token { at, text: &self.text[at..at + length] })
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        loop {
            let rest = &self.text[self.at..];
            let first = rest.chars().next()?;
            let until = |end: &str, from: usize| {
                rest[from..].find(end).map_or(rest.len(), |found| from + found + end.len())
            };
            match first {
                _ if rest.starts_with("//") => self.at += until("\n", 0),
                _ if rest.starts_with("/*") => self.at += until("*/", 2),
                '#' => {
                    let mut end = until("\n", 0);
                    while rest[..end].ends_with("\\\n") {
                        end = until("\n", end);
                    }
                    let at = self.at;
                    self.at += end;
                    return Some(Token { at, text: "#" });
                }
                '"' | '\'' => {
                    let length = literal(rest, first);
                    return self.token(length);
                }
                _ if first.is_whitespace() => self.at += first.len_utf8(),
                _ if is_word(first) => {
                    let length = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
                    return self.token(length);
                }
                // A scope is no label.
                ':' if rest.starts_with("::") => return self.token(2),
                _ => return self.token(first.len_utf8()),
            }
        }
    }
}

/// The length of a string or character, with its quotation marks.
fn literal(rest: &str, mark: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == mark => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place is marked with `@`.
    fn gated(marked: &str, updates: bool) -> String {
        let at = marked.find('@').expect("a mark");
        let text = marked.replacen('@', "", 1);
        let line = text[..at].matches('\n').count() as u32 + 1;
        let column = (at - text[..at].rfind('\n').map_or(0, |end| end + 1)) as u32 + 1;
        with_gates(&text, &[Place { line, column, updates, after: None }]).expect("a gate")
    }

    #[test]
    fn gates_are_in_front_of_operations() {
        for (marked, expected) in [
            ("void f() { @lock(&m); }", "void f() { exeunt_gate(0), lock(&m); }"),
            ("if (a)\n  @lock(&m);", "if (a)\n  exeunt_gate(0), lock(&m);"),
            ("while (!@flag) ;", "while (!(*(exeunt_gate(0), &flag))) ;"),
            ("{ x @= y + 1; }", "{ x = EXEUNT_VALUE(0, ( y + 1)); }"),
            ("{ int y = @x; }", "{ int y = (*(exeunt_gate(0), &x)); }"),
            ("{ int y = @get(x); }", "{ exeunt_gate(0); int y = get(x); }"),
            ("{ return @get(x); }", "{ return exeunt_gate(0), get(x); }"),
            (
                "{ std::lock_guard<std::mutex> @g(m); }",
                "{ exeunt_gate(0); std::lock_guard<std::mutex> g(m); }",
            ),
            ("{ m.@lock(); }", "{ exeunt_gate(0), m.lock(); }"),
            ("{ \";\"; q->@n; }", "{ \";\"; exeunt_gate(0), q->n; }"),
            ("again: @f();", "again: exeunt_gate(0), f();"),
            ("for (i = 0; @f(i); i++) ;", "for (i = 0; exeunt_gate(0), f(i); i++) ;"),
            ("{ n@++; }", "{ exeunt_gate(0), n++; }"),
        ] {
            assert_eq!(gated(marked, false), expected);
        }
        assert_eq!(gated("{ n@++; }", true), "{ EXEUNT_UPDATE(0, n, n + 1); }");
        assert_eq!(gated("{ a[1] @+= 2; }", true), "{ EXEUNT_UPDATE(0, a[1], a[1] + (2)); }");
        assert!(edit("f(n++);", 3, 0, true).is_err());
    }

    #[test]
    fn a_call_behind_one_of_its_arguments() {
        let text = "store(&x, load(&x) + 1);";
        let place = Place { line: 1, column: 1, updates: false, after: Some((1, 11)) };
        let expected = "store(&x,EXEUNT_VALUE(0, ( load(&x) + 1)));";
        assert_eq!(with_gates(text, &[place]).as_deref(), Ok(expected));
    }
}
