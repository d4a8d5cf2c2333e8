//! Options that cannot be meant together, each with the reason.

use exeunt_model::SectionKind;
use exeunt_search::ContextLimit;

use crate::args::{CheckArgs, PropertyChoice, ReductionChoice};
use crate::failure::Failure;
use crate::front;

/// Refuses contradictory options.
pub(crate) fn refuse(arguments: &CheckArgs) -> Result<(), Failure> {
    match RULES.iter().find(|rule| (rule.applies)(arguments)) {
        Some(rule) => Err(Failure::bad(rule.reason)),
        None => Ok(()),
    }
}

struct Rule {
    applies: fn(&CheckArgs) -> bool,
    reason: &'static str,
}

const RULES: &[Rule] = &[
    Rule {
        applies: |a| a.cluster.asks_twice(),
        reason: "--processes starts processes on this machine, --workers names those on several: \
                 choose one",
    },
    Rule {
        applies: |a| a.cluster.is_wanted() && a.search.jobs.is_some_and(|jobs| jobs > 1),
        reason: "with --processes and --workers, each process searches with one job: ask for more \
                 processes",
    },
    Rule {
        applies: |a| a.cluster.is_wanted() && (needs_order(a) || a.search.stateless),
        reason: "--shortest, --minimal, --all, --max-depth, --hash-compact, --bitstate and \
                 --stateless search in one process",
    },
    Rule {
        applies: |a| {
            a.cluster.is_wanted()
                && (a.search.context_bound.is_some()
                    || !a.program.ignore.is_empty()
                    || a.program.r#abstract.is_some()
                    || a.demands.races)
        },
        reason: "a search with --context-bound, --ignore, --abstract or --races is done by one \
                 process",
    },
    Rule {
        applies: |a| a.cluster.is_wanted() && asks_temporal(a),
        reason: "temporal properties are checked by one process",
    },
    Rule {
        applies: |a| {
            a.cluster.is_wanted()
                && (a.unreached
                    || a.watch
                    || a.unbounded
                    || a.spin_trail.is_some()
                    || a.property_file.is_some())
        },
        reason: "--unreached, --watch, --unbounded, --spin-trail and property files are for one \
                 process",
    },
    Rule {
        applies: |a| a.cluster.is_wanted() && a.files.iter().any(|f| front::is_standard_input(f)),
        reason: "several processes cannot read a program from standard input",
    },
    Rule {
        applies: |a| a.property == Some(PropertyChoice::Safety) && names_kinds(a),
        reason: "--property safety switches sections off, --sections asks for them",
    },
    Rule {
        applies: |a| {
            a.property == Some(PropertyChoice::Safety) && !a.demands.must_return.is_empty()
        },
        reason: "--property safety switches sections off, --must-return asks for one",
    },
    Rule {
        applies: |a| a.property == Some(PropertyChoice::All) && no_kinds(a),
        reason: "--property all asks for every section, --sections none for none",
    },
    Rule {
        applies: |a| no_kinds(a) && !a.demands.must_return.is_empty(),
        reason: "--sections none switches sections off, --must-return asks for one",
    },
    Rule {
        applies: |a| a.search.hash_compact && a.search.bitstate.is_some(),
        reason: "--hash-compact and --bitstate are two ways of remembering states: choose one",
    },
    Rule {
        applies: |a| {
            a.search.bitstate.zip(a.search.memory).is_some_and(|(bits, memory)| bits >= memory)
        },
        reason: "the array of --bitstate alone takes the memory that --memory allows",
    },
    Rule {
        applies: |a| forgets(a) && (a.search.shortest || a.search.minimal),
        reason: "--shortest and --minimal need all states, --hash-compact and --bitstate do not keep \
                 them",
    },
    Rule {
        applies: |a| forgets(a) && (!a.program.ignore.is_empty() || a.program.r#abstract.is_some()),
        reason: "an abstraction needs all states, --hash-compact and --bitstate do not keep them",
    },
    Rule {
        applies: |a| forgets(a) && a.search.context_bound == Some(ContextLimit::Growing),
        reason: "--context-bound auto needs to know whether there are new states, which \
                 --hash-compact and --bitstate do not",
    },
    Rule {
        applies: |a| forgets(a) && (names_kinds(a) || !a.demands.must_return.is_empty()),
        reason: "sections cannot be judged with --hash-compact or --bitstate: states are not kept",
    },
    Rule {
        applies: |a| forgets(a) && a.property.is_some_and(|p| p != PropertyChoice::Safety),
        reason: "only safety can be looked at with --hash-compact or --bitstate",
    },
    Rule {
        applies: |a| {
            let kept = a.checkpoint.is_some() || a.resume.is_some();
            kept && a.property == Some(PropertyChoice::Temporal)
        },
        reason: "--checkpoint and --resume keep the plain search, which --property temporal leaves out",
    },
    Rule {
        applies: |a| forgets(a) && asks_temporal(a),
        reason: "temporal properties need all states, --hash-compact and --bitstate do not keep them",
    },
    Rule {
        applies: |a| a.search.jobs.is_some_and(|jobs| jobs > 1) && needs_order(a),
        reason: "--shortest, --minimal, --all, --max-depth, --hash-compact and --bitstate search \
                 with one job",
    },
    Rule {
        applies: |a| (a.checkpoint.is_some() || a.resume.is_some()) && needs_order(a),
        reason: "a search with --shortest, --all, --max-depth, --hash-compact or --bitstate cannot \
                 be kept in a checkpoint",
    },
    Rule {
        applies: |a| {
            (a.checkpoint.is_some() || a.resume.is_some())
                && (a.search.context_bound.is_some()
                    || !a.program.ignore.is_empty()
                    || a.program.r#abstract.is_some())
        },
        reason: "a search with --context-bound, --ignore or --abstract cannot be kept in a checkpoint",
    },
    Rule {
        applies: |a| asks_for_more(a) && a.fair && moves(a),
        reason: "--fair needs to see who waits for a lock, and --reduction movers, full and stubborn hide \
                 it: use --reduction superstep",
    },
    Rule {
        applies: |a| {
            asks_for_more(a)
                && (a.search.context_bound.is_some()
                    || a.search.minimal
                    || !a.program.ignore.is_empty()
                    || a.program.r#abstract.is_some())
        },
        reason: "formulas and invariants need every state, which --context-bound, --minimal, \
                 --ignore and --abstract leave out",
    },
    Rule {
        applies: |a| a.demands.must_return.iter().any(String::is_empty),
        reason: "--must-return names an empty function",
    },
    Rule {
        applies: |a| a.search.context_bound == Some(ContextLimit::Growing) && merges(a),
        reason: "--context-bound auto counts switches, and supersteps may need more of them than \
                 the program: use --reduction tau",
    },
    Rule {
        applies: |a| {
            let other =
                a.search.minimal || a.search.context_bound.is_some() || a.checkpoint.is_some();
            moves(a) && (other || a.resume.is_some())
        },
        reason: "a search with --reduction movers or full may have to begin again, which --minimal, \
                 --context-bound, --checkpoint and --resume cannot: use --reduction superstep",
    },
    Rule {
        applies: |a| {
            let others = a.search.minimal || a.search.shortest || a.search.all || forgets(a);
            let bounds = a.search.context_bound.is_some() || a.search.limits.max_states.is_some();
            let kept = a.checkpoint.is_some() || a.resume.is_some();
            a.search.stateless && (others || bounds || kept || asks_for_more(a))
        },
        reason: "--stateless keeps no states and stops at the first violation: no formulas, \
                 --shortest, --minimal, --all, --context-bound, --max-states or checkpoints",
    },
    Rule {
        applies: |a| a.simplify.is_some() && a.search.all,
        reason: "--simplify looks for a simpler schedule of one violation, --all asks for several",
    },
    Rule {
        applies: |a| a.search.minimal && a.search.all,
        reason: "--minimal reports the one shortest violation, --all every one",
    },
    Rule {
        applies: |a| a.property == Some(PropertyChoice::Safety) && !a.demands.must_end.is_empty(),
        reason: "--property safety switches sections off, --must-end asks for one",
    },
    Rule {
        applies: |a| no_kinds(a) && !a.demands.must_end.is_empty(),
        reason: "--sections none switches sections off, --must-end asks for one",
    },
    Rule {
        applies: |a| !is_model(a) && !a.demands.must_end.is_empty(),
        reason: "--must-end is about the process types of a Promela model; for a function there \
                 is --must-return, for the program --property termination",
    },
    Rule {
        applies: |a| !is_model(a) && asks_only(a, |kind| kind == SectionKind::Process),
        reason: "--sections process is about the processes of a Promela model; whether a program \
                 can always end is --property termination",
    },
    Rule {
        applies: |a| is_model(a) && asks_some(a, |kind| kind != SectionKind::Process),
        reason: "a Promela model has no sections but its processes: name those that must end \
                 with --must-end",
    },
    Rule {
        applies: |a| is_model(a) && a.demands.must_end.is_empty() && asks_only(a, |_| true),
        reason: "no process must end unless --must-end names its type, so --sections asks for \
                 nothing",
    },
    Rule {
        applies: |a| a.save.is_some() && a.save == a.show.o,
        reason: "--save and -o name the same file",
    },
    Rule {
        applies: |a| !a.compiling.arguments().is_empty() && !a.files.iter().any(|f| compiled(f)),
        reason: "arguments for the compiler were given, but none of the files is compiled",
    },
];

fn asks_temporal(arguments: &CheckArgs) -> bool {
    let texts = [&arguments.ltl, &arguments.ltl_name, &arguments.invariant];
    texts.iter().any(|texts| !texts.is_empty())
        || !arguments.ltl_file.is_empty()
        || arguments.non_progress
        || arguments.acceptance
        || arguments.property == Some(PropertyChoice::Temporal)
}

fn names_kinds(arguments: &CheckArgs) -> bool {
    arguments.sections.as_ref().is_some_and(|kinds| !kinds.0.is_empty())
}

/// Whether states are only told apart by some bits.
fn forgets(arguments: &CheckArgs) -> bool {
    arguments.search.hash_compact || arguments.search.bitstate.is_some()
}

/// Whether steps of several operations are asked for.
fn merges(arguments: &CheckArgs) -> bool {
    let merging = [
        ReductionChoice::Superstep,
        ReductionChoice::Movers,
        ReductionChoice::Full,
        ReductionChoice::Stubborn,
    ];
    arguments.reduction.is_some_and(|reduction| merging.contains(&reduction))
}

/// Whether it is to be learnt where threads meet.
fn moves(arguments: &CheckArgs) -> bool {
    matches!(
        arguments.reduction,
        Some(ReductionChoice::Movers | ReductionChoice::Full | ReductionChoice::Stubborn)
    )
}

/// Whether a formula or an invariant is to be judged.
pub(crate) fn asks_for_more(arguments: &CheckArgs) -> bool {
    !arguments.ltl.is_empty() || !arguments.ltl_file.is_empty() || !arguments.invariant.is_empty()
}

fn needs_order(arguments: &CheckArgs) -> bool {
    arguments.search.shortest
        || arguments.search.minimal
        || arguments.search.all
        || arguments.search.max_depth.is_some()
        || forgets(arguments)
}

fn no_kinds(arguments: &CheckArgs) -> bool {
    arguments.sections.as_ref().is_some_and(|kinds| kinds.0.is_empty())
}

fn is_model(arguments: &CheckArgs) -> bool {
    arguments.files.iter().any(|file| front::is_promela(file, arguments.compiling.language))
}

/// The kinds that `--sections` names one by one; `all` names none.
fn named(arguments: &CheckArgs) -> &[SectionKind] {
    match &arguments.sections {
        Some(kinds) if kinds.0.len() < SectionKind::ALL.len() => &kinds.0,
        _ => &[],
    }
}

fn asks_some(arguments: &CheckArgs, wrong: fn(SectionKind) -> bool) -> bool {
    named(arguments).iter().any(|kind| wrong(*kind))
}

fn asks_only(arguments: &CheckArgs, wrong: fn(SectionKind) -> bool) -> bool {
    let named = named(arguments);
    !named.is_empty() && named.iter().all(|kind| wrong(*kind))
}

fn compiled(file: &std::path::Path) -> bool {
    !matches!(file.extension().and_then(|ending| ending.to_str()), Some("ll" | "bc"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Arguments, Command};
    use clap::Parser;

    fn refused(line: &str) -> Option<String> {
        let words = ["exeunt", "check"].into_iter().chain(line.split(' '));
        let arguments = Arguments::try_parse_from(words).expect(line);
        let Command::Check(arguments) = arguments.command else { panic!("not check") };
        match refuse(&arguments) {
            Err(Failure::Bad { message, .. }) => Some(message),
            Err(other) => panic!("{other:?}"),
            Ok(()) => None,
        }
    }

    #[test]
    fn contradictions_are_refused() {
        for line in [
            "a.c --property safety --sections join",
            "a.c --property safety --must-return f",
            "a.c --property all --sections none",
            "a.c --sections none --must-return f",
            "a.c --must-return f,",
            "a.c --save x -o x",
            "a.c --minimal --all",
            "a.c --stateless --all",
            "a.c --minimal --bitstate",
            "a.c --bitstate=1G --memory 1G",
            "a.c --ignore x --checkpoint y",
            "a.c --context-bound 2 --resume y",
            "a.c --ignore x --bitstate",
            "a.c --abstract f --hash-compact",
            "a.c --context-bound auto --bitstate",
            "a.c --context-bound auto --reduction superstep",
            "a.bc -- -O2",
            "a.c --must-end P",
            "a.c --sections process",
            "a.pml --sections join",
            "a.pml --sections process,join --must-end P",
            "a.pml --sections process",
            "a.pml --sections none --must-end P",
            "a.pml --property safety --must-end P",
        ] {
            assert!(refused(line).is_some(), "{line} was accepted");
        }
    }

    #[test]
    fn what_can_be_meant_is_accepted() {
        for line in [
            "a.c --property safety --sections none",
            "a.c --property termination --sections none",
            "a.c --property termination --sections join",
            "a.c --must-return f,g --save x -o y",
            "a.c b.bc -- -O2",
            "a.pml --sections process --must-end P",
            "a.pml --sections all --must-end P",
            "a.pml --property termination --must-end P",
            "a.c --sections all",
        ] {
            assert_eq!(refused(line), None, "{line}");
        }
    }
}
