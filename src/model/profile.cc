// model: what makes a profile valid.
#include "model/profile.h"

#include <algorithm>

#include "model/limits.h"

namespace thalweg::model {

namespace {

struct Limit {
    const char *what;
    size_t count;
    size_t most;
};

std::string too_much(const Profile &profile) {
    size_t targets = 0;
    for (const Sequence &sequence : profile.sequences)
        targets += sequence.targets.size();
    size_t counters = 0;
    for (const FunctionCounts &function : profile.counts) {
        counters += function.counts.size() + function.value_sites.size();
        for (const std::vector<CallTarget> &calls : function.value_sites)
            counters += calls.size();
        counters += function.memory_sites.size();
        for (const std::vector<MemorySize> &sizes : function.memory_sites)
            counters += sizes.size();
    }
    const Limit limits[] = {
        {"sites", profile.sites.size(), max_sites},
        {"symbols", profile.symbols.size(), max_symbols},
        {"events", profile.events.size(), max_events},
        {"edges", profile.edges.size(), max_edges},
        {"sequences", profile.sequences.size(), max_sequences},
        {"targets", targets, max_targets},
        {"nestings", profile.nestings.size(), max_nestings},
        {"guards", profile.guards.size(), max_guards},
        {"functions", profile.functions.size(), max_symbols},
        {"facts", profile.facts.size(), max_facts},
        {"computations", profile.computations.size(), max_symbols},
        {"system_calls", profile.system_calls.size(), max_sites},
        {"system_call_edges", profile.system_call_edges.size(), max_edges},
        {"releases", profile.releases.size(), max_edges},
        {"counted functions", profile.counts.size(), max_symbols},
        {"counters", counters, max_counters},
        {"bytes in the program's name", profile.program.size(), max_string_bytes},
        {"bytes in the build id", profile.build_id.size(), max_string_bytes},
        {"bytes in the command", profile.command.size(), max_string_bytes},
        {"libraries", profile.libraries.size(), max_libraries},
    };
    for (const Limit &limit : limits)
        if (limit.count > limit.most)
            return fmt::format("{} {}, at most {} fit", limit.count, limit.what, limit.most);
    return {};
}

// What an entry may say, asked of one entry after the other; the first that may not is kept.
class Check {
  public:
    explicit Check(const Profile &profile) : profile_(profile) {}

    void entry(const char *list, size_t index) {
        list_ = list;
        index_ = index;
    }
    void index(const char *what, uint32_t value, size_t size, bool may_be_none = false) {
        if (value < size || (may_be_none && value == none))
            return;
        complain(fmt::format("{} {}, but there are {}", what, value, size));
    }
    void event(const char *what, uint32_t value) { index(what, value, profile_.events.size()); }
    void site(const char *what, uint32_t value) { index(what, value, profile_.sites.size()); }
    void function(const char *what, uint32_t value) {
        index(what, value, profile_.symbols.size(), true);
        if (value < profile_.symbols.size() && !profile_.symbols[value].is_function)
            complain(fmt::format("{} {} is a variable, not a function", what, value));
    }
    void count(const char *what, uint64_t value) {
        if (value > max_count)
            complain(fmt::format("{} {} is more than 2^63 - 1", what, value));
    }
    void mode(RaiseMode mode) {
        if (static_cast<uint32_t>(mode) > static_cast<uint32_t>(RaiseMode::external))
            complain("its raise mode is unknown");
    }
    void kind(SiteKind kind) {
        if (static_cast<size_t>(kind) >= site_kind_words.size())
            complain("its kind is unknown");
    }
    void name(const std::string &name) {
        if (name.empty())
            complain("it has no name");
        if (name.size() > max_string_bytes)
            complain(fmt::format("its name has {} bytes", name.size()));
    }
    void complain(std::string what) {
        if (problem_.empty())
            problem_ = fmt::format("{}[{}]: {}", list_, index_, what);
    }
    const std::string &problem() const { return problem_; }

  private:
    const Profile &profile_;
    const char *list_ = "";
    size_t index_ = 0;
    std::string problem_;
};

void check_time(const EventTime &time, Check &check) {
    for (uint64_t count : {time.timed, time.inside_ns, time.inside_error_ns, time.own_ns, time.own_error_ns})
        check.count("time", count);
    if (time.timed == 0 && time != EventTime{})
        check.complain("it has a time, but nothing was timed");
    if (time.own_ns > time.inside_ns)
        check.complain(fmt::format("{} of {} ns are its own", time.own_ns, time.inside_ns));
}

void check_names(const Profile &profile, Check &check) {
    for (size_t i = 0; i < profile.sites.size(); ++i) {
        check.entry("sites", i);
        check.name(profile.sites[i].function);
        check.kind(profile.sites[i].kind);
        if ((profile.sites[i].kind == SiteKind::call) == profile.sites[i].callee.empty())
            check.complain("a callee is for sites of kind call");
    }
    for (size_t i = 0; i < profile.symbols.size(); ++i) {
        check.entry("symbols", i);
        check.name(profile.symbols[i].name);
    }
    for (size_t i = 0; i < profile.events.size(); ++i) {
        const Event &event = profile.events[i];
        check.entry("events", i);
        check.name(event.name);
        check.kind(event.kind);
        check.count("raises", event.raises);
        check.count("binding_changes", event.binding_changes);
        check.count("error", event.error);
        check_time(event.time, check);
    }
}

void check_graph(const Profile &profile, Check &check) {
    for (size_t i = 0; i < profile.edges.size(); ++i) {
        const Edge &edge = profile.edges[i];
        check.entry("edges", i);
        check.event("from", edge.from);
        check.event("to", edge.to);
        check.mode(edge.mode);
        check.count("weight", edge.weight);
        check.count("error", edge.error);
    }
    for (size_t i = 0; i < profile.nestings.size(); ++i) {
        const Nesting &nesting = profile.nestings[i];
        check.entry("nestings", i);
        check.event("parent_event", nesting.parent_event);
        check.site("parent_site", nesting.parent_site);
        check.function("handler", nesting.handler);
        check.event("child_event", nesting.child_event);
        check.site("child_site", nesting.child_site);
        check.mode(nesting.mode);
        check.count("count", nesting.count);
        check.count("error", nesting.error);
    }
    for (size_t i = 0; i < profile.guards.size(); ++i) {
        check.entry("guards", i);
        check.count("hits", profile.guards[i].hits);
        check.count("failures", profile.guards[i].failures);
    }
}

void check_sequences(const Profile &profile, Check &check) {
    for (size_t i = 0; i < profile.sequences.size(); ++i) {
        const Sequence &sequence = profile.sequences[i];
        check.entry("sequences", i);
        check.site("site", sequence.site);
        check.event("event", sequence.event);
        check.count("count", sequence.count);
        check.count("error", sequence.error);
        for (const Target &target : sequence.targets) {
            check.function("target", target.function);
            check.index("context", target.context, profile.symbols.size(), true);
            check.count("context_offset", target.context_offset);
        }
    }
}

void check_facts(const Profile &profile, Check &check) {
    for (size_t i = 0; i < profile.functions.size(); ++i) {
        const ProfiledFunction &function = profile.functions[i];
        check.entry("functions", i);
        check.name(function.body.name);
        check.count("entries", function.entries);
        check.count("error", function.error);
        if (function.body.calls.size() > max_calls)
            check.complain(fmt::format("it calls {} functions", function.body.calls.size()));
        for (uint32_t callee : function.body.calls)
            check.index("callee", callee, profile.functions.size());
    }
    for (size_t i = 0; i < profile.facts.size(); ++i) {
        const NotedFact &fact = profile.facts[i];
        check.entry("facts", i);
        check.index("function", fact.function, profile.functions.size());
        if (fact.call)
            check.index("caller", fact.call->caller, profile.functions.size());
        if (fact.call && fact.kind != FactKind::load)
            check.complain("only what is loaded is noted by call");
        if ((fact.kind != FactKind::argument && fact.kind != FactKind::load) || fact.steers > Steers::call)
            check.complain("its kind is unknown");
        if (fact.width < 1 || fact.width > 8)
            check.complain(fmt::format("its width is {} bytes", fact.width));
        if (fact.values.size() > NotedFact::most_values || (fact.varies && !fact.values.empty()))
            check.complain(fmt::format("it has {} values", fact.values.size()));
        check.count("notes", fact.notes);
        for (const NotedValue &value : fact.values) {
            check.index("symbol", value.symbol, profile.symbols.size(), true);
            check.count("count", value.count);
            if (value.symbol != none && fact.width != 8)
                check.complain("an address has 8 bytes");
            if (value.symbol == none && fact.width < 8 && value.bits >> (8 * fact.width) != 0)
                check.complain(fmt::format("{} does not fit into {} bytes", value.bits, fact.width));
        }
    }
}

void check_computations(const Profile &profile, Check &check) {
    for (size_t i = 0; i < profile.computations.size(); ++i) {
        const NotedComputation &one = profile.computations[i];
        check.entry("computations", i);
        check.index("function", one.of.function, profile.functions.size());
        check.count("notes", one.notes);
        if (one.same > one.notes)
            check.complain(fmt::format("{} of {} notes are the same", one.same, one.notes));
    }
}

void check_system_calls(const Profile &profile, Check &check) {
    const auto call = [&](const char *what, uint32_t site) {
        check.site(what, site);
        if (site < profile.sites.size() && profile.sites[site].kind != SiteKind::call)
            check.complain(fmt::format("{} {} is no system call", what, site));
    };
    const auto timed = [&](uint64_t times, uint64_t nanoseconds) {
        if (times == 0 && nanoseconds != 0)
            check.complain(fmt::format("{} ns of nothing that was timed", nanoseconds));
        if (times != 0 && profile.call_clock == CallClock::none)
            check.complain(fmt::format("{} times are of no clock", times));
    };
    for (size_t i = 0; i < profile.system_calls.size(); ++i) {
        const NotedSystemCall &one = profile.system_calls[i];
        check.entry("system_calls", i);
        call("site", one.site);
        for (uint64_t count : {one.calls, one.asked_bytes, one.given_bytes, one.inside_ns})
            check.count("count", count);
        timed(one.timed, one.inside_ns);
        for (uint64_t part : {one.errors, one.zeros, one.shorts, one.timed})
            if (part > one.calls)
                check.complain(fmt::format("{} of {} calls", part, one.calls));
    }
    for (size_t i = 0; i < profile.system_call_edges.size(); ++i) {
        const SystemCallEdge &edge = profile.system_call_edges[i];
        check.entry("system_call_edges", i);
        call("from", edge.from);
        call("to", edge.to);
        check.count("weight", edge.weight);
        check.count("between_ns", edge.between_ns);
        timed(edge.timed, edge.between_ns);
        if (edge.least_ns > edge.between_ns)
            check.complain(fmt::format("the shortest of {} ns is {} ns", edge.between_ns, edge.least_ns));
        for (uint64_t part : {edge.same_descriptor, edge.same_buffer, edge.result_is_size, edge.adjacent, edge.timed})
            if (part > edge.weight)
                check.complain(fmt::format("{} of {} times", part, edge.weight));
    }
    for (size_t i = 0; i < profile.releases.size(); ++i) {
        check.entry("releases", i);
        call("from", profile.releases[i].from);
        call("to", profile.releases[i].to);
        check.count("count", profile.releases[i].count);
    }
}

void check_counts(const Profile &profile, Check &check) {
    for (size_t i = 0; i < profile.counts.size(); ++i) {
        const FunctionCounts &function = profile.counts[i];
        check.entry("counts", i);
        check.name(function.name);
        for (const uint64_t count : function.counts)
            check.count("count", count);
        for (const std::vector<CallTarget> &calls : function.value_sites)
            for (const CallTarget &target : calls) {
                check.count("count", target.count);
                if (!target.function.empty() && !can_be_function_name(target.function))
                    check.complain("a target of a call that is no function's name");
            }
        for (const std::vector<MemorySize> &sizes : function.memory_sites)
            for (const MemorySize &size : sizes)
                check.count("count", size.count);
    }
}

void check_totals(const Profile &profile, Check &check) {
    const Coverage &coverage = profile.coverage;
    check.entry("coverage", 0);
    for (uint64_t count : {coverage.dispatches, coverage.recorded, coverage.lost, coverage.runs, coverage.processes,
                           coverage.threads, profile.instructions})
        check.count("count", count);
    if (coverage.recorded > coverage.dispatches)
        check.complain(fmt::format("{} dispatches recorded of {}", coverage.recorded, coverage.dispatches));
}

// Of one level, each with a name of its own.
std::string wrong_libraries(const Profile &profile) {
    for (size_t i = 0; i < profile.libraries.size(); ++i) {
        const Profile &library = profile.libraries[i];
        // Files are named so.
        if (library.library.empty() || library.library.size() > max_string_bytes ||
            library.library.find('/') != std::string::npos)
            return fmt::format("library {} has no usable name", i);
        if (i > 0 && library.library <= profile.libraries[i - 1].library)
            return fmt::format("library {} stands there twice, or not in its place", library.library);
        if (!library.libraries.empty())
            return fmt::format("library {} has libraries of its own", library.library);
        if (const Status valid = validate(library); !valid)
            return fmt::format("library {}: {}", library.library, valid.error().message);
    }
    return {};
}

}  // namespace

const Profile *part_of(const Profile &profile, const std::string &library) {
    if (profile.library == library)
        return &profile;
    const auto found = std::ranges::find(profile.libraries, library, &Profile::library);
    return found == profile.libraries.end() ? nullptr : &*found;
}

Status validate(const Profile &profile) {
    if (std::string problem = too_much(profile); !problem.empty())
        return fail(ErrorCode::does_not_fit, "profile: {}", problem);
    Check check(profile);
    check_names(profile, check);
    check_graph(profile, check);
    check_sequences(profile, check);
    check_facts(profile, check);
    check_computations(profile, check);
    check_system_calls(profile, check);
    check_counts(profile, check);
    check_totals(profile, check);
    if (!check.problem().empty())
        return fail(ErrorCode::does_not_fit, "profile: {}", check.problem());
    if (std::string problem = wrong_libraries(profile); !problem.empty())
        return fail(ErrorCode::does_not_fit, "profile: {}", problem);
    return Done{};
}

}  // namespace thalweg::model
