//! What differs between two runs of the same check, and what stands in the
//! expected output instead. One row for each.

use regex_lite::Regex;

const TABLE: [(&str, &str); 3] = [
    (r"\d+\.\d\d s, [\d.]+ [KMGT]?i?B \(\d+ bytes per state\)", "[time], [memory]"),
    (r"(time|speed|memory at its peak|storage) +\d.*", "$1 [varies]"),
    (r"/[^ \n]*/exeunt-[A-Za-z0-9]{6}/", "[runtime]/"),
];

pub(crate) fn normalise(text: &str) -> String {
    let mut text = text.replace("\r\n", "\n");
    for (pattern, replacement) in TABLE {
        let regex = Regex::new(pattern).expect("a correct pattern");
        text = regex.replace_all(&text, replacement).into_owned();
    }
    text
}

/// What varies is replaced, and nothing else.
pub(crate) fn self_test() -> Result<(), String> {
    let rows = [
        (
            "7 states, depth 2, 0.12 s, 3.0 MiB (42 bytes per state); x",
            "7 states, depth 2, [time], [memory]; x",
        ),
        ("  time                         0.25 s", "  time [varies]"),
        (" --> /var/x/exeunt-aB3dE9/exeunt.h:3:1", " --> [runtime]/exeunt.h:3:1"),
        ("   3  21: x = 0.25 s", "   3  21: x = 0.25 s"),
    ];
    for (text, wanted) in rows {
        let found = normalise(text);
        if found != wanted {
            return Err(format!("{text:?} became {found:?}"));
        }
    }
    Ok(())
}
