// cli: the verbs of both wings.
#include "cli/verb_table.h"

#include <array>

namespace thalweg::cli {

namespace {

// In the order in which a program goes through them.
constexpr std::array rows = {
    Verb{"doctor", "is everything here, and does it fit together? With a program: can it be optimised?", run_doctor},
    Verb{"stat", "run a program: what kind of work does it do, and what to look at next?", run_stat},
    Verb{"functions", "run a program: in which functions does it spend its time, and who calls them?", run_functions},
    Verb{"auto", "record, plan, optimize, measure and report in one go", run_auto, true},
    Verb{"record", "run a program and write down which events and handlers ran", run_record, true},
    Verb{"report", "what a profile shows: events, graph, chains, sequences, opportunities", run_report},
    Verb{"plan", "decide what becomes a straight line, and why the rest does not", run_plan, true},
    Verb{"explain", "why a decision was taken, where, under which guard", run_explain},
    Verb{"optimize", "link a program again, with straight lines where a profile shows that they fit", run_optimize,
         true},
    Verb{"specialize", "make a function and its layers into code for facts that you know", run_specialize, true},
    Verb{"bundle", "a program with all that it was linked from in one file, to optimize it on another machine",
         run_bundle, true},
    Verb{"compare", "two programs, one input: do they show the same, and which is faster", run_compare, true},
    Verb{"bisect", "which decision makes the optimised program differ, or slower", run_bisect, true},
    Verb{"merge", "make one profile of several runs", run_merge},
    Verb{"diff", "what changed from one profile to another", run_diff},
    Verb{"machine", "what calls, system calls, switches, files and io_uring cost here", run_machine},
    Verb{"export", "a profile's graphs, or a run's functions, for other tools: flame graphs, pprof, graphviz, tables",
         run_export},
    Verb{"relink", "link a program again from its bitcode, with a job for the plug-in", run_relink, true},
    Verb{"clean", "remove what is kept beside programs: their instrumented twins", run_clean},
    tame_verb,
};

}  // namespace

constinit const std::span<const Verb> verbs = rows;
constinit const std::string_view below_the_verbs =
    "\nA program is built with CC=thalweg-cc CXX=thalweg-c++ before any of these.\n"
    "Exit codes of all verbs: 0 done; 2 wrong usage; 3 nothing worth doing (--fail-if-none); 4 the profile "
    "or plan does\n"
    "not fit the program, or nothing could be applied; 5 outputs differ; 6 slower (--fail-if-slower); 7 the "
    "machine\n"
    "(a tool, a file, room); 70 our bug; 128 + signal interrupted. `record` ends with the program's own.\n";

}  // namespace thalweg::cli
