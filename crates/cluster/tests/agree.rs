//! Workers whose letters timely carries come to the verdict and the counts of one search,
//! on random models.

use std::io::Write;

use exeunt_cluster::Company;
use exeunt_model::{Basis, Model, Report, Verdict};
use exeunt_promela::{PromelaOptions, load};
use exeunt_search::{Limits, Options, Spread, check, check_spread};

const MOST_STATES: u64 = 3000;

/// The report of so many workers, each a thread of this process.
fn spread(model: &dyn Model, options: &Options, workers: usize) -> Report {
    let session = model.open(Basis::Nothing);
    let session = &*session;
    std::thread::scope(|scope| {
        let threads: Vec<_> = Company::of_threads(workers)
            .into_iter()
            .map(|mail| {
                scope.spawn(move || check_spread(session, options, &[], &mut mail(), &mut |_| {}))
            })
            .collect();
        let mut ends = threads.into_iter().map(|thread| thread.join().expect("no worker panics"));
        let Some(Spread::Report(report)) = ends.next() else { panic!("the first worker reports") };
        for end in ends {
            let Spread::Verdict(verdict) = end else { panic!("the others do not") };
            assert_eq!(verdict, report.verdict);
        }
        *report
    })
}

#[test]
fn cluster_of_timely_workers_agrees_with_one_search() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("m.pml");
    let (mut holds, mut violated) = (0, 0);
    for seed in 0..100 {
        let text = exeunt_random::promela::model(seed);
        let mut out = std::fs::File::create(&file).expect("a file");
        out.write_all(text.as_bytes()).expect("writing the model");
        let Ok(model) = load(&file, &PromelaOptions::default()) else { continue };
        let limits = Limits { max_states: Some(MOST_STATES), ..Limits::default() };
        let options = Options { termination: seed % 3 == 0, limits, ..Options::default() };
        let alone = check(&mut *model.open(Basis::Nothing), &options, &mut |_| {});
        if alone.verdict == Verdict::Inconclusive {
            continue;
        }
        let mut options = options;
        // A violation that a search in depth finds soon may be far away for others.
        options.limits.max_states = Some(10 * MOST_STATES);
        for workers in [1, 2, 4] {
            let found = spread(&model, &options, workers);
            let far = found.verdict == Verdict::Inconclusive && alone.verdict == Verdict::Violated;
            let agrees = far || found.verdict == alone.verdict;
            assert!(agrees, "seed {seed}, {workers} workers: {:?}: {text}", found.verdict);
            if alone.verdict == Verdict::Holds {
                let numbers = |report: &Report| {
                    let numbers = &report.statistics;
                    let sections = (numbers.sections_opened, numbers.section_sites);
                    (numbers.states, numbers.transitions, numbers.revisits, sections)
                };
                assert_eq!(numbers(&found), numbers(&alone), "seed {seed}, {workers} workers");
            }
        }
        holds += u32::from(alone.verdict == Verdict::Holds);
        violated += u32::from(alone.verdict == Verdict::Violated);
    }
    assert!(holds > 10 && violated > 10, "{holds} models hold, {violated} are violated");
}
