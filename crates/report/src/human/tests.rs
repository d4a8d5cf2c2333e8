//! Whole reports, letter by letter.

use super::*;
use crate::fixture;

fn text(report: &Report, options: &Options) -> String {
    let styled = render(report, &fixture::run(), &fixture::sources(), options);
    anstream::adapter::strip_str(&styled).to_string()
}

fn options(width: usize) -> Options {
    Options { width, ..Options::default() }
}

#[test]
fn a_deadlock() {
    let expected = "\
violated: threads 2 and 3 wait for each other

error[deadlock]: no thread can move
  --> embrace.c:7:5
   |
 7 |     pthread_mutex_lock(&b);
   |     ^^^^^^^^^^^^^^^^^^^^^^ thread 2 waits for mutex `b`, held by thread 3
...
13 |     pthread_mutex_lock(&a);
   |     ---------------------- thread 3 waits for mutex `a`, held by thread 2
   |
   = help: lock `a` and `b` in the same order everywhere

schedule: 4 steps

step  thread 1             thread 2    thread 3
      main                 left        right
   1  20: create thread 2
   2  21: create thread 3
   3                       6: lock(a)
      --- from here on it is too late ---
   4                                   12: lock(b)
      --- no thread can move ---

12 states, 17 transitions, depth 5, 0.25 s, 3.0 MiB (42 bytes per state); sequentially consistent memory
replay it with: exeunt replay t.json
";
    assert_eq!(text(&fixture::embrace(), &options(100)), expected);
}

#[test]
fn a_narrow_terminal_gets_a_list() {
    let text = text(&fixture::embrace(), &options(40));
    let list = "
thread 1 is main
thread 2 is left
thread 3 is right

   1  thread 1  20: create thread 2
   2  thread 1  21: create thread 3
   3  thread 2  6: lock(a)
";
    assert!(text.contains(list), "{text}");
}

#[test]
fn a_lasso_with_output_and_all_numbers() {
    let expected = "\
violated: thread 2 can stay in the critical section of `a` for ever

error[section]: the critical section of `a` is never left
 --> embrace.c:6:5
  |
6 |     pthread_mutex_lock(&a);
  |     ^^^^^^^^^^^^^^^^^^^^^^ thread 2 is holding mutex `a`: no thread that still runs unlocks it

schedule: 11 steps

step  thread 1             thread 2
      main                 left
   1  20: create thread 2
      prints \"ready\\n\"
   2                       6: lock(a)
      --- from here on it is too late ---
      --- from here on this repeats for ever ---
   3  21: reads x = 0
      … 8 more steps of thread 1 like this one, `--full-trace` shows them
      --- and again from step 3 ---

output along this schedule:
  | ready

statistics
  states                       12
  transitions                  17
  transitions to known states  6
  transitions from a state     1.42
  depth                        5
  stored components            30
  time                         0.25 s
  of that                      exploring 0.25 s, telling 0.01 s
  speed                        48 states/s
  memory at its peak           3.0 MiB
  storage                      41.5 bytes per state
  table of states              50 % full
  bottom components            1
  sections opened              8
  section sites                4
  memory model                 sequential consistency
  discarded before             2 searches with 300 states
replay it with: exeunt replay t.json
";
    let options = Options { output: true, stats: true, ..options(80) };
    assert_eq!(text(&fixture::spinner(), &options), expected);
}

#[test]
fn the_full_trace_has_the_source_of_each_step() {
    let options = Options { full_trace: true, ..options(80) };
    let expected = "
   1  20: create thread 2
   2  21: create thread 3
   3                       6: lock(a)
                           | pthread_mutex_lock(&a);
      --- from here on it is too late ---
   4                                   12: lock(b)
                                       | pthread_mutex_lock(&b);
      --- no thread can move ---
";
    let wide = text(&fixture::embrace(), &options);
    assert!(wide.contains(expected), "{wide}");
    // It may begin left of its column where it would not fit, and is cut where it fits nowhere.
    let narrow = text(&fixture::embrace(), &Options { width: 62, ..options });
    let fits = format!("\n{}| pthread_mutex_lock(&b);\n", " ".repeat(62 - 25));
    assert!(narrow.contains(&fits), "{narrow}");
    let tiny = text(&fixture::embrace(), &Options { width: 24, ..options });
    assert!(tiny.contains("\n      | pthread_mutex_l…\n"), "{tiny}");
}

#[test]
fn the_full_trace_shows_every_step() {
    let options = Options { full_trace: true, ..options(80) };
    let text = text(&fixture::spinner(), &options);
    assert!(!text.contains('…'), "{text}");
    assert_eq!(text.matches("reads x = 0").count(), 9);
}

#[test]
fn output_is_only_shown_when_asked_for() {
    assert!(!text(&fixture::spinner(), &options(80)).contains("ready"));
}

#[test]
fn inconclusive_names_the_limit() {
    let mut report = fixture::holds();
    report.verdict = Verdict::Inconclusive;
    report.reason = "the search was cut off".to_string();
    report.limits_hit.push("--max-states 12".to_string());
    let text = text(&report, &options(80));
    assert!(
        text.starts_with(
            "inconclusive: the search was cut off\nlimit reached: --max-states 12\n\n12 states,"
        ),
        "{text}"
    );
}

#[test]
fn a_missing_source_file_still_has_its_place() {
    let mut report = fixture::embrace();
    let place = exeunt_model::Location { file: "gone.c".into(), ..fixture::at(7, 5, "left") };
    report.violations[0].location = Some(place);
    let text = text(&report, &options(100));
    assert!(text.contains("--> gone.c:7:5"), "{text}");
}

#[test]
fn a_fault_is_marked_in_the_column_of_its_thread() {
    let mut report = fixture::embrace();
    let violation = &mut report.violations[0];
    violation.property = exeunt_model::Property::Memory;
    violation.message = "write to freed memory".to_string();
    violation.sections.clear();
    violation.trace.too_late = None;
    let text = text(&report, &options(100));
    assert!(text.contains("^^^^^^^^^^^^^^^^^^^^^^ in thread 3\n"), "{text}");
    let end = "   4                                   12: lock(b)\n                                       ^ error[memory] at line 7\n";
    assert!(text.contains(end), "{text}");
}

#[test]
fn the_message_is_not_said_twice() {
    let mut report = fixture::embrace();
    report.reason = report.violations[0].message.clone();
    let text = text(&report, &options(100));
    assert!(
        text.starts_with(
            "violated: no thread can move (a schedule of 4 steps shows it)\n\nerror[deadlock]: "
        ),
        "{text}"
    );
}

#[test]
fn threads_at_one_line_are_all_told() {
    let mut report = fixture::embrace();
    let place = report.violations[0].sections[0].opened.clone();
    report.violations[0].sections[1].opened = place;
    report.violations[0].sections[1].why = "thread 3 waits for mutex `a`".to_string();
    let text = text(&report, &options(100));
    assert!(text.contains("thread 2 waits for mutex `b`, held by thread 3"), "{text}");
    assert!(text.contains("= note: thread 3 waits for mutex `a`\n"), "{text}");
}

#[test]
fn a_limit_in_the_reason_is_not_said_twice() {
    let mut report = fixture::holds();
    report.verdict = Verdict::Inconclusive;
    report.reason = "not everything was explored (--max-states 12)".to_string();
    report.limits_hit.push("--max-states 12".to_string());
    assert!(!text(&report, &options(80)).contains("limit reached"));
}
