//! Damaged models: refused with a place in the text, or accepted, but never
//! a panic and never without end.

mod support;

use std::path::PathBuf;

use exeunt_random::Random;
use support::{explore_within, load_text};

fn texts() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/promela/models");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder of models")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).expect("a model")).collect()
}

/// Models with directives would start a preprocessor each time.
fn without_directives() -> Vec<String> {
    texts().into_iter().filter(|text| !text.contains('#')).collect()
}

fn check(name: &str, text: &str) -> bool {
    match load_text(name, text) {
        Ok(model) => {
            explore_within(&model, 300);
            false
        }
        Err(errors) => {
            assert!(!errors.is_empty(), "refused without a word:\n{text}");
            for error in &errors {
                assert!(!error.message.is_empty(), "an empty message:\n{text}");
            }
            true
        }
    }
}

#[test]
fn models_cut_off_are_refused() {
    let mut refused = 0;
    for text in without_directives() {
        for cut in (0..text.len()).step_by(23).filter(|cut| text.is_char_boundary(*cut)) {
            refused += usize::from(check("cut", &text[..cut]));
        }
    }
    assert!(refused > 500, "only {refused} were refused");
}

#[test]
fn models_with_words_lost_doubled_or_swapped() {
    let mut random = Random::new(5);
    let mut refused = 0;
    for text in without_directives() {
        let words: Vec<&str> =
            text.split_inclusive([' ', '\n', '\t', ';', '(', '{', ':']).collect();
        for _ in 0..40 {
            let mut damaged = words.clone();
            for _ in 0..1 + random.below(3) {
                let at = random.below(damaged.len());
                let other = random.below(damaged.len());
                match random.below(3) {
                    0 if damaged.len() > 1 => drop(damaged.remove(at)),
                    1 => damaged.insert(at, damaged[other]),
                    _ => damaged.swap(at, other),
                }
            }
            refused += usize::from(check("damaged", &damaged.concat()));
        }
    }
    assert!(refused > 500, "only {refused} were refused");
}
