// record: the union of several profiles of one build.
#include "record/merge.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "model/limits.h"

namespace thalweg::record {

namespace {

using namespace model;

uint64_t add(uint64_t a, uint64_t b) { return a > max_count - b ? max_count : a + b; }

void count(uint64_t &total, uint64_t more) { total = add(total, more); }

// Collects entries by their key; what is counted of them is added up. Sorted by key, so that the union does not depend on
// the order of its parts.
class Union {
  public:
    void add_profile(const Profile &profile);
    Profile take();
    std::string problem;

  private:
    using SiteKey = std::tuple<std::string, uint32_t, uint64_t, SiteKind, std::string>;
    using SymbolKey = std::tuple<std::string, bool, bool, uint64_t>;
    using EventKey = std::tuple<std::string, SiteKind>;
    // Sites, symbols and events are named by the numbers of this collection, in the order in which they came.
    using EdgeKey = std::tuple<uint32_t, uint32_t, RaiseMode>;
    using SequenceKey =
        std::tuple<uint32_t, uint32_t, bool, std::vector<std::tuple<uint32_t, uint32_t, uint64_t, uint32_t>>>;
    using NestingKey = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, RaiseMode>;

    using FunctionKey = std::tuple<std::string, uint64_t>;
    using CallKey = std::optional<std::pair<uint32_t, uint32_t>>;  // caller, ordinal
    using FactKey = std::tuple<uint32_t, FactKind, uint32_t, uint32_t, CallKey>;
    struct Noted {
        Steers steers = Steers::branch;
        SourcePlace place;
        SourcePlace call;
        uint64_t notes = 0;
        bool varies = false;
        std::map<std::pair<uint32_t, uint64_t>, uint64_t> values;
    };

    void add_header(const Profile &profile);
    void add_names(const Profile &profile);
    void add_counts(const Profile &profile);
    void add_facts(const Profile &profile);
    void add_function_counts(const Profile &profile);
    void take_facts(const std::vector<uint32_t> &symbol);
    void add_computations(const Profile &profile);
    void take_computations(const std::vector<uint32_t> &function);
    void add_system_calls(const Profile &profile);
    void take_system_calls(const std::vector<uint32_t> &site);

    // The errors are added up: those of two runs of one program may have one cause.
    struct Counted {
        uint64_t count = 0;
        uint64_t error = 0;
        void add(uint64_t more, uint64_t more_error) {
            count = record::add(count, more);
            error = record::add(error, more_error);
        }
    };

    template <class Key, class Entry>
    struct Collection {
        std::map<Key, uint32_t> number;
        std::vector<Entry> entries;
        std::vector<uint32_t> of_part;  // the part's index -> ours
        Entry &put(const Key &key, const Entry &entry) {
            auto [found, added] = number.emplace(key, static_cast<uint32_t>(entries.size()));
            if (added)
                entries.push_back(entry);
            of_part.push_back(found->second);
            return entries[found->second];
        }
        uint32_t at(uint32_t index) const { return index == none ? none : of_part[index]; }
        // Our numbers -> places in the order of the keys; the entries are put into that order.
        std::vector<uint32_t> sort() {
            std::vector<uint32_t> place(entries.size());
            std::vector<Entry> sorted;
            for (const auto &[key, old] : number) {
                place[old] = static_cast<uint32_t>(sorted.size());
                sorted.push_back(std::move(entries[old]));
            }
            entries = std::move(sorted);
            return place;
        }
    };

    Profile result_;
    std::set<std::string> commands_;
    Collection<SiteKey, Site> sites_;
    Collection<SymbolKey, Symbol> symbols_;
    Collection<EventKey, Event> events_;
    Collection<FunctionKey, ProfiledFunction> functions_;
    std::map<FactKey, Noted> facts_;
    std::map<model::Computation, std::pair<uint64_t, uint64_t>> computations_;  // notes, and those that were the same
    std::map<uint32_t, NotedSystemCall> system_calls_;  // by our sites, as are those below
    std::map<std::pair<uint32_t, uint32_t>, SystemCallEdge> system_call_edges_;
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> releases_;
    std::map<EdgeKey, Counted> edges_;
    std::map<SequenceKey, Counted> sequences_;
    std::map<NestingKey, Counted> nestings_;
    std::map<std::pair<uint32_t, std::string>, std::pair<uint64_t, uint64_t>> guards_;
    std::map<std::pair<std::string, uint64_t>, std::vector<uint64_t>> counts_;  // by a function's name and hash
    std::map<std::pair<std::string, uint64_t>, std::vector<std::map<std::string, uint64_t>>>
        calls_;  // of the same functions
    std::map<std::pair<std::string, uint64_t>, std::vector<std::map<uint64_t, uint64_t>>> sizes_;  // theirs too
};

void Union::add_header(const Profile &profile) {
    bool differ = !profile.build_id.empty() && !result_.build_id.empty() && profile.build_id != result_.build_id;
    if (differ)
        problem =
            fmt::format("the profiles are of different builds ({} and {}): merge runs of one build, or record again",
                        result_.build_id, profile.build_id);
    if (result_.build_id.empty())
        result_.build_id = profile.build_id;
    if (result_.program.empty() || (!profile.program.empty() && profile.program < result_.program))
        result_.program = profile.program;
    for (size_t at = 0; at < profile.command.size();) {
        size_t end = std::min(profile.command.find('\n', at), profile.command.size());
        commands_.insert(profile.command.substr(at, end - at));
        at = end + 1;
    }
    result_.instructions = std::max(result_.instructions, profile.instructions);
    Coverage &total = result_.coverage;
    const Coverage &part = profile.coverage;
    count(total.dispatches, part.dispatches);
    count(total.recorded, part.recorded);
    count(total.lost, part.lost);
    count(total.runs, part.runs);
    count(total.processes, part.processes);
    count(total.threads, part.threads);
}

// Of a run whose dispatches were not timed nothing is known: the sum is of the others.
void add_time(EventTime &total, const EventTime &more) {
    count(total.timed, more.timed);
    count(total.inside_ns, more.inside_ns);
    count(total.inside_error_ns, more.inside_error_ns);
    count(total.own_ns, more.own_ns);
    count(total.own_error_ns, more.own_error_ns);
}

void Union::add_names(const Profile &profile) {
    sites_.of_part.clear();
    symbols_.of_part.clear();
    events_.of_part.clear();
    for (const Site &site : profile.sites) {
        Site &known = sites_.put({site.function, site.ordinal, site.body_hash, site.kind, site.callee}, site);
        known.place = std::min(known.place, site.place);
    }
    for (const Symbol &symbol : profile.symbols) {
        Symbol &known = symbols_.put({symbol.name, symbol.is_function, symbol.has_body, symbol.body_hash}, symbol);
        known.instructions = std::max(known.instructions, symbol.instructions);
        known.place = std::min(known.place, symbol.place);
    }
    for (const Event &event : profile.events) {
        Event &known = events_.put({event.name, event.kind}, {event.name, event.kind, 0, 0, 0, {}});
        count(known.raises, event.raises);
        count(known.error, event.error);
        count(known.binding_changes, event.binding_changes);
        add_time(known.time, event.time);
    }
}

void Union::add_counts(const Profile &profile) {
    for (const Edge &edge : profile.edges)
        edges_[{events_.at(edge.from), events_.at(edge.to), edge.mode}].add(edge.weight, edge.error);
    for (const Sequence &sequence : profile.sequences) {
        SequenceKey key{sites_.at(sequence.site), events_.at(sequence.event), sequence.truncated, {}};
        for (const Target &target : sequence.targets)
            std::get<3>(key).emplace_back(symbols_.at(target.function), symbols_.at(target.context),
                                          target.context_offset, target.ordinal);
        sequences_[key].add(sequence.count, sequence.error);
    }
    for (const Nesting &nesting : profile.nestings)
        nestings_[{events_.at(nesting.parent_event), sites_.at(nesting.parent_site), nesting.position,
                   symbols_.at(nesting.handler), events_.at(nesting.child_event), sites_.at(nesting.child_site),
                   nesting.mode}]
            .add(nesting.count, nesting.error);
    for (const GuardCount &guard : profile.guards) {
        auto &[hits, failures] = guards_[{guard.decision, guard.event}];
        count(hits, guard.hits);
        count(failures, guard.failures);
    }
}

void Union::add_function_counts(const Profile &profile) {
    for (const model::FunctionCounts &function : profile.counts) {
        std::vector<uint64_t> &counts = counts_[{function.name, function.hash}];
        counts.resize(std::max(counts.size(), function.counts.size()));
        for (size_t i = 0; i < function.counts.size(); ++i)
            count(counts[i], function.counts[i]);
        std::vector<std::map<std::string, uint64_t>> &calls = calls_[{function.name, function.hash}];
        calls.resize(std::max(calls.size(), function.value_sites.size()));
        for (size_t i = 0; i < function.value_sites.size(); ++i)
            for (const model::CallTarget &target : function.value_sites[i])
                count(calls[i][target.function], target.count);
        std::vector<std::map<uint64_t, uint64_t>> &sizes = sizes_[{function.name, function.hash}];
        sizes.resize(std::max(sizes.size(), function.memory_sites.size()));
        for (size_t i = 0; i < function.memory_sites.size(); ++i)
            for (const model::MemorySize &size : function.memory_sites[i])
                count(sizes[i][size.bytes], size.count);
    }
}

void Union::add_facts(const Profile &profile) {
    functions_.of_part.clear();
    for (const ProfiledFunction &function : profile.functions) {
        ProfiledFunction fresh = function;
        fresh.entries = fresh.error = 0;
        fresh.body.calls.clear();
        ProfiledFunction &known = functions_.put({function.body.name, function.body.body_hash}, fresh);
        known.body.instructions = std::max(known.body.instructions, function.body.instructions);
        known.body.place = std::min(known.body.place, function.body.place);
        count(known.entries, function.entries);
        count(known.error, function.error);
    }
    for (size_t i = 0; i < profile.functions.size(); ++i) {
        std::vector<uint32_t> &calls = functions_.entries[functions_.of_part[i]].body.calls;
        for (uint32_t callee : profile.functions[i].body.calls)
            if (std::find(calls.begin(), calls.end(), functions_.at(callee)) == calls.end())
                calls.push_back(functions_.at(callee));
    }
    for (const NotedFact &fact : profile.facts) {
        CallKey call;
        if (fact.call)
            call.emplace(functions_.at(fact.call->caller), fact.call->ordinal);
        auto [found, added] =
            facts_.try_emplace({functions_.at(fact.function), fact.kind, fact.ordinal, fact.width, call}, Noted{});
        Noted &noted = found->second;
        noted.steers = added ? fact.steers : std::max(noted.steers, fact.steers);
        noted.place = added ? fact.place : std::min(noted.place, fact.place);
        if (fact.call)
            noted.call = added ? fact.call->place : std::min(noted.call, fact.call->place);
        count(noted.notes, fact.notes);
        noted.varies |= fact.varies;
        for (const NotedValue &value : fact.values)
            count(noted.values[{symbols_.at(value.symbol), value.bits}], value.count);
    }
}

void Union::add_computations(const Profile &profile) {
    for (const model::NotedComputation &one : profile.computations) {
        model::Computation of = one.of;
        of.function = functions_.at(of.function);
        auto &[notes, same] = computations_[of];
        count(notes, one.notes);
        count(same, one.same);
    }
}

void Union::take_computations(const std::vector<uint32_t> &function) {
    for (const auto &[of, counts] : computations_) {
        model::NotedComputation one{of, counts.first, counts.second};
        one.of.function = function[of.function];
        result_.computations.push_back(one);
    }
    std::sort(result_.computations.begin(), result_.computations.end());
}

void Union::add_system_calls(const Profile &profile) {
    for (const NotedSystemCall &one : profile.system_calls) {
        NotedSystemCall &total = system_calls_[sites_.at(one.site)];
        count(total.calls, one.calls);
        count(total.errors, one.errors);
        count(total.zeros, one.zeros);
        count(total.shorts, one.shorts);
        count(total.asked_bytes, one.asked_bytes);
        count(total.given_bytes, one.given_bytes);
        count(total.timed, one.timed);
        count(total.inside_ns, one.inside_ns);
    }
    for (const SystemCallEdge &one : profile.system_call_edges) {
        SystemCallEdge &total = system_call_edges_[{sites_.at(one.from), sites_.at(one.to)}];
        count(total.weight, one.weight);
        count(total.same_descriptor, one.same_descriptor);
        count(total.same_buffer, one.same_buffer);
        count(total.result_is_size, one.result_is_size);
        count(total.adjacent, one.adjacent);
        if (one.timed != 0)
            total.least_ns = total.timed == 0 ? one.least_ns : std::min(total.least_ns, one.least_ns);
        count(total.timed, one.timed);
        count(total.between_ns, one.between_ns);
    }
    if (result_.call_clock == CallClock::none)
        result_.call_clock = profile.call_clock;
    else if (profile.call_clock != CallClock::none && profile.call_clock != result_.call_clock)
        result_.call_clock = CallClock::several;
    for (const Release &one : profile.releases)
        count(releases_[{sites_.at(one.from), sites_.at(one.to)}], one.count);
}

void Union::take_system_calls(const std::vector<uint32_t> &site) {
    for (auto &[at, call] : system_calls_) {
        call.site = site[at];
        result_.system_calls.push_back(call);
    }
    for (auto &[sites, edge] : system_call_edges_) {
        edge.from = site[sites.first];
        edge.to = site[sites.second];
        result_.system_call_edges.push_back(edge);
    }
    for (const auto &[sites, count] : releases_)
        result_.releases.push_back({site[sites.first], site[sites.second], count});
    std::sort(result_.system_calls.begin(), result_.system_calls.end());
    std::sort(result_.system_call_edges.begin(), result_.system_call_edges.end());
    std::sort(result_.releases.begin(), result_.releases.end());
}

void Union::take_facts(const std::vector<uint32_t> &symbol) {
    std::vector<uint32_t> place = functions_.sort();
    result_.functions = std::move(functions_.entries);
    for (ProfiledFunction &function : result_.functions) {
        for (uint32_t &callee : function.body.calls)
            callee = place[callee];
        std::sort(function.body.calls.begin(), function.body.calls.end());
    }
    for (auto &[key, noted] : facts_) {
        const auto &[function, kind, ordinal, width, call] = key;
        NotedFact fact{place[function], kind,        ordinal,      width, noted.steers,
                       noted.place,     noted.notes, noted.varies, {},    {}};
        if (call)
            fact.call = {place[call->first], call->second, noted.call};
        fact.varies |= noted.values.size() > NotedFact::most_values;
        if (!fact.varies)
            for (const auto &[value, count] : noted.values)
                fact.values.push_back({value.first == none ? none : symbol[value.first], value.second, count});
        std::sort(fact.values.begin(), fact.values.end());
        result_.facts.push_back(std::move(fact));
    }
    take_computations(place);
    auto by_place = [](const NotedFact &fact) {
        return std::tuple(fact.function, fact.kind, fact.ordinal, fact.width, fact.call);
    };
    std::sort(result_.facts.begin(), result_.facts.end(),
              [&](const NotedFact &a, const NotedFact &b) { return by_place(a) < by_place(b); });
}

void Union::add_profile(const Profile &profile) {
    add_header(profile);
    add_names(profile);
    add_counts(profile);
    add_facts(profile);
    add_computations(profile);
    add_system_calls(profile);
    add_function_counts(profile);
}

Profile Union::take() {
    for (const std::string &command : commands_)
        result_.command += (result_.command.empty() ? "" : "\n") + command;
    std::vector<uint32_t> site = sites_.sort(), symbol = symbols_.sort(), event = events_.sort();
    auto symbol_or_none = [&](uint32_t number) { return number == none ? none : symbol[number]; };
    result_.sites = std::move(sites_.entries);
    result_.symbols = std::move(symbols_.entries);
    result_.events = std::move(events_.entries);
    for (const auto &[key, counted] : edges_) {
        auto [from, to, mode] = key;
        result_.edges.push_back({event[from], event[to], mode, counted.count, counted.error});
    }
    for (const auto &[key, counted] : sequences_) {
        const auto &[at, of, truncated, targets] = key;
        Sequence &sequence =
            result_.sequences.emplace_back(Sequence{site[at], event[of], {}, truncated, counted.count, counted.error});
        for (const auto &[function, context, offset, ordinal] : targets)
            sequence.targets.push_back({symbol_or_none(function), symbol_or_none(context), offset, ordinal});
    }
    for (const auto &[key, counted] : nestings_) {
        auto [parent, parent_site, position, handler, child, child_site, mode] = key;
        result_.nestings.push_back({event[parent], site[parent_site], position, symbol_or_none(handler), event[child],
                                    site[child_site], mode, counted.count, counted.error});
    }
    for (const auto &[key, counts] : guards_)
        result_.guards.push_back({key.first, key.second, counts.first, counts.second});
    take_facts(symbol);
    take_system_calls(site);
    for (auto &[key, counts] : counts_) {
        model::FunctionCounts &function = result_.counts.emplace_back(key.first, key.second, std::move(counts));
        for (const std::map<std::string, uint64_t> &targets : calls_.at(key)) {
            std::vector<model::CallTarget> &own = function.value_sites.emplace_back();
            for (const auto &[name, times] : targets)
                own.push_back({name, times});
        }
        for (const std::map<uint64_t, uint64_t> &sizes : sizes_.at(key)) {
            std::vector<model::MemorySize> &own = function.memory_sites.emplace_back();
            for (const auto &[bytes, times] : sizes)
                own.push_back({bytes, times});
        }
    }
    auto by_indices = [](const auto &a, const auto &b) { return a < b; };
    std::sort(result_.edges.begin(), result_.edges.end(), by_indices);
    std::sort(result_.sequences.begin(), result_.sequences.end(), by_indices);
    std::sort(result_.nestings.begin(), result_.nestings.end(), by_indices);
    return std::move(result_);
}

// Without their libraries.
Result<Profile> merge_alone(const std::vector<const Profile *> &profiles) {
    Union all;
    for (const Profile *profile : profiles) {
        all.add_profile(*profile);
        if (!all.problem.empty())
            return fail(ErrorCode::does_not_fit, "{}", all.problem);
    }
    Profile result = all.take();
    if (!profiles.empty())
        result.library = profiles.front()->library;
    return result;
}

}  // namespace

Result<Profile> merge(const std::vector<Profile> &profiles) {
    std::vector<const Profile *> programs;
    std::map<std::string, std::vector<const Profile *>> libraries;
    for (const Profile &profile : profiles) {
        if (Status valid = validate(profile); !valid)
            return valid.error();
        programs.push_back(&profile);
        for (const Profile &library : profile.libraries)
            libraries[library.library].push_back(&library);
    }
    Result<Profile> result = merge_alone(programs);
    if (!result)
        return result;
    for (const auto &[name, parts] : libraries) {
        Result<Profile> library = merge_alone(parts);
        if (!library)
            return fail(library.error().code, "{}: {}", name, library.error().message);
        result->libraries.push_back(std::move(*library));
    }
    if (Status valid = validate(*result); !valid)
        return valid.error();
    return result;
}

}  // namespace thalweg::record
