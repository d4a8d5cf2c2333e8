//! What the world outside would decide: the library answers with one fixed
//! value, so a search of all schedules establishes nothing about the others.

/// Functions that read from outside, with what they found there.
const FIXED: &[(&[&str], &str)] = &[
    (
        &[
            "getchar",
            "getchar_unlocked",
            "getc",
            "fgetc",
            "_IO_getc",
            "getc_unlocked",
            "fgetc_unlocked",
            "fgets",
            "fread",
            "getline",
            "scanf",
            "__isoc99_scanf",
            "__isoc23_scanf",
            "fscanf",
            "__isoc99_fscanf",
            "read",
        ],
        "standard input was empty",
    ),
    (&["getenv", "secure_getenv"], "no environment variables were set from outside"),
    (
        &["time", "clock", "gettimeofday", "clock_gettime", "timespec_get"],
        "the clock stood still at one time",
    ),
];

/// Why what this function returns is only one of many possible answers.
pub fn fixed(name: &str) -> Option<&'static str> {
    FIXED.iter().find(|(names, _)| names.contains(&name)).map(|(_, why)| *why)
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_name_is_a_function_we_know() {
        for name in super::FIXED.iter().flat_map(|(names, _)| *names) {
            assert!(crate::builtin::find(name).is_some(), "{name}");
        }
    }
}
