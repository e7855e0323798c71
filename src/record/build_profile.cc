// record: raw files and the twin's site table, made into a profile.
#include "record/build_profile.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <tuple>

#include "abi/names.h"
#include "knowledge/function.h"
#include "model/limits.h"
#include "record/build_facts.h"
#include "record/build_system_calls.h"
#include "record/build_times.h"
#include "record/estimate.h"

namespace thalweg::record {

namespace {

using model::none;
using model::Profile;

// What is known of the dispatches of one event at one site: the noted ones, and of those that passed unnoted how many, and how well.
struct Population {
    double noted = 0;
    double attributed = 0;  // by samples
    double leftover = 0;  // that no sample came after
    double squares = 0;  // of what the samples attributed
    double error = 0;

    double passed() const { return attributed + leftover; }
    double samples() const { return independent_samples(passed(), squares, leftover); }
};

// A hostile file may say anything; what cannot be is cut to what can.
void count(uint64_t &total, uint64_t more) {
    more = std::min(more, model::max_count);
    total = more > model::max_count - total ? model::max_count : total + more;
}

// What was counted of one thing: in all of the noted dispatches, and as an estimate.
struct Count {
    double noted = 0;
    double estimated = 0;

    double weight() const { return noted + estimated; }
};

uint64_t rounded(double value) {
    constexpr double most = 1e18;
    return static_cast<uint64_t>(std::llround(std::clamp(value, 0.0, most)));
}

double share_of(double part, double whole) { return whole > 0 ? std::min(part / whole, 1.0) : 0; }

// Each dispatch of these sites is one of their own event.
bool is_event_itself(model::SiteKind kind) { return kind == model::SiteKind::list || kind == model::SiteKind::wait; }

// LLVM's name for the part of a coroutine that runs after a wait, behind the coroutine's own.
constexpr std::string_view part_after_waits = ".resume";

// `inlined`: whose code was inlined there; empty: the function's own.
std::string name_of_place(const model::Site &site, const std::string &inlined) {
    std::string_view function = site.function;
    if (site.kind == model::SiteKind::wait && function.ends_with(part_after_waits))
        function.remove_suffix(part_after_waits.size());
    if (site.place.file.empty())
        return fmt::format("{}#{}", function, site.ordinal);
    const std::string place = fmt::format("{}:{}", site.place.file, site.place.line);
    return inlined.empty() ? fmt::format("{} {}", place, function)
                           : fmt::format("{} {} in {}", place, inlined, function);
}

// Of each site. Two lists of one line and function (a loop that was inlined twice, one in a macro) are two events: the others are numbered.
std::vector<std::string> names_of_places(const model::SiteTable &table) {
    std::map<std::string, size_t> with_name;
    std::vector<std::string> names;
    for (size_t i = 0; i < table.sites.size(); ++i) {
        const model::Site &site = table.sites[i];
        const std::string name = name_of_place(site, i < table.inlined.size() ? table.inlined[i] : std::string());
        const size_t number = is_event_itself(site.kind) ? ++with_name[name] : 1;
        names.push_back(number == 1 ? name : fmt::format("{} ({})", name, number));
    }
    return names;
}

using CallCounts = std::map<std::string, uint64_t>;  // by LLVM's name of the target; empty: of something else
using SizeCounts = std::map<uint64_t, uint64_t>;  // by the first size of LLVM's range

// What was counted, as it lies in the file: counters, then the values of each function's sites.
struct Counted {
    std::vector<uint64_t> counters;
    std::vector<CallCounts> calls;
    std::vector<SizeCounts> sizes;
};

// InstrProfGetRangeRepValue of InstrProfData.inc, of what is counted in this place.
constexpr uint64_t first_size_of_range(size_t range) {
    constexpr size_t last_alone = THALWEG_PROBE_LAST_SIZE_ALONE;
    if (range <= last_alone)
        return range;
    const uint64_t power = uint64_t{last_alone} << ((range - last_alone - 1) / 2);
    const bool is_power = (range - last_alone) % 2 == 0;
    return is_power ? 2 * power : power + 1;
}
static_assert(first_size_of_range(9) == 9 && first_size_of_range(10) == 16 && first_size_of_range(11) == 17 &&
              first_size_of_range(20) == THALWEG_PROBE_LAST_SIZE_BOUNDED &&
              first_size_of_range(THALWEG_PROBE_MEMORY_SIZES - 1) == THALWEG_PROBE_LAST_SIZE_BOUNDED + 1);

std::vector<model::MemorySize> sizes_of(const SizeCounts &counts) {
    std::vector<model::MemorySize> sizes;
    for (const auto &[bytes, times] : counts)
        sizes.push_back({bytes, times});
    return sizes;
}

std::vector<model::CallTarget> targets_of(const CallCounts &counts) {
    std::vector<model::CallTarget> targets;
    for (const auto &[function, times] : counts)
        targets.push_back({function, times});
    return targets;
}

// Of what counts a function's blocks: the function's name; else none.
std::string_view callee_of_blocks(std::string_view name) {
    constexpr std::string_view prefix = abi::block_counters;
    return name.starts_with(prefix) ? name.substr(prefix.size()) : std::string_view();
}

// LLVM's names for profiles, by the linker's. Of what the program only calls, those are known whose blocks are counted.
std::map<std::string_view, std::string_view> names_for_profiles(const model::SiteTable &table) {
    std::map<std::string_view, std::string_view> names;
    for (const model::CountedFunction &function : table.counted) {
        const std::string_view whole = function.name;
        if (const std::string_view callee = callee_of_blocks(whole); !callee.empty())
            names[callee] = callee;
        else
            names[whole.substr(whole.rfind(';') + 1)] = whole;
    }
    return names;
}

// None where nothing was counted: LLVM would take every function for one that never runs.
std::vector<model::FunctionCounts> function_counts(const std::vector<model::CountedFunction> &functions,
                                                   const Counted &counted) {
    const std::vector<uint64_t> &counters = counted.counters;
    std::vector<model::FunctionCounts> all;
    size_t first = 0;
    size_t call = 0;
    size_t operation = 0;
    for (const model::CountedFunction &function : functions) {
        const size_t end = first + function.counters;
        if (end > counters.size())
            break;
        all.push_back(
            {function.name,
             function.hash,
             {counters.begin() + static_cast<ptrdiff_t>(first), counters.begin() + static_cast<ptrdiff_t>(end)},
             {},
             {}});
        for (uint32_t i = 0; i < function.value_sites; ++i, ++call)
            all.back().value_sites.push_back(
                targets_of(call < counted.calls.size() ? counted.calls[call] : CallCounts()));
        for (uint32_t i = 0; i < function.memory_sites; ++i, ++operation)
            all.back().memory_sites.push_back(
                sizes_of(operation < counted.sizes.size() ? counted.sizes[operation] : SizeCounts()));
        first = end;
    }
    std::sort(all.begin(), all.end());
    return all;
}

// The calls that print or read stand among the functions that were counted, with a counter for each of their sites.
void take_output_calls(Profile &profile) {
    const auto row =
        std::ranges::find(profile.counts, std::string_view(abi::output_counters), &model::FunctionCounts::name);
    if (row == profile.counts.end())
        return;
    size_t next = 0;
    for (uint32_t site = 0; site < profile.sites.size() && next < row->counts.size(); ++site)
        if (profile.sites[site].kind == model::SiteKind::call && knowledge::uses_buffer(profile.sites[site].callee))
            if (const uint64_t calls = row->counts[next++]; calls != 0)
                profile.output_calls.push_back({site, calls});
    profile.counts.erase(row);
}

// So do the functions that give small blocks or take them, with two counters each.
void take_block_calls(Profile &profile) {
    const auto is_of_blocks = [](const model::FunctionCounts &row) {
        return !callee_of_blocks(row.name).empty() && row.counts.size() == 2;
    };
    for (const model::FunctionCounts &row : profile.counts)
        if (is_of_blocks(row) && row.counts[0] != 0)
            profile.block_calls.push_back(
                {std::string(callee_of_blocks(row.name)), row.counts[0], std::min(row.counts[1], row.counts[0])});
    std::erase_if(profile.counts, is_of_blocks);
}

class Builder {
  public:
    Builder(const model::SiteTable &table, const Recorded &recorded)
        : table_(table), names_of_places_(names_of_places(table)), facts_(table), system_calls_(table) {
        profile_.program = recorded.program;
        profile_.build_id = recorded.build_id;
        profile_.command = recorded.command;
        profile_.instructions = table.instructions;
        profile_.sites = table.sites;
        profile_.coverage.runs = 1;
    }

    void add(const RawFile &file) {
        if (file.header.kind == raw::process_file)
            ++profile_.coverage.processes;
        else if (file.header.kind == raw::counter_file)
            add_counters(file);
        else
            add_chunk(file);
        add_guards(file);
    }

    Profile finish(const std::vector<GuardName> &names) {
        finish_events();
        finish_sequences();
        finish_edges();
        finish_nestings();
        times_.finish(profile_);
        for (size_t i = 0; i < guards_.size() && i < names.size(); ++i)
            if (names[i].decision != 0)
                profile_.guards.push_back({names[i].decision, names[i].event, guards_[i].first, guards_[i].second});
        facts_.finish(profile_, [&](uint32_t symbol) { return add_symbol(symbol); });
        system_calls_.finish(profile_);
        profile_.counts = function_counts(table_.counted, counted_);
        take_output_calls(profile_);
        take_block_calls(profile_);
        return std::move(profile_);
    }

  private:
    void add_counters(const RawFile &file) {
        size_t counters = 0;
        for (const model::CountedFunction &function : table_.counted)
            counters += function.counters;
        counters = std::min(counters, file.counters.size());
        counted_.counters.resize(std::max(counted_.counters.size(), counters));
        for (size_t i = 0; i < counters; ++i)
            count(counted_.counters[i], file.counters[i]);
        add_values(std::span(file.counters).subspan(counters));
    }

    // As many as the file has.
    void add_values(std::span<const uint64_t> words) {
        size_t call = 0;
        size_t operation = 0;
        const auto next = [&](size_t size) {
            const std::span<const uint64_t> taken = words.first(std::min(size, words.size()));
            words = words.subspan(taken.size());
            return taken.size() == size ? taken : std::span<const uint64_t>();
        };
        for (const model::CountedFunction &function : table_.counted) {
            for (uint32_t i = 0; i < function.value_sites; ++i)
                if (const auto own = next(raw::words_of_call); !own.empty())
                    add_call(own, at(counted_.calls, call++));
            for (uint32_t i = 0; i < function.memory_sites; ++i)
                if (const auto own = next(raw::words_of_memory_operation); !own.empty())
                    add_sizes(own, at(counted_.sizes, operation++));
        }
    }

    template <class T>
    static T &at(std::vector<T> &all, size_t i) {
        if (all.size() <= i)
            all.resize(i + 1);
        return all[i];
    }

    static void add_sizes(std::span<const uint64_t> ranges, SizeCounts &counts) {
        for (size_t i = 0; i < ranges.size(); ++i)
            if (ranges[i] != 0)
                count(counts[first_size_of_range(i)], ranges[i]);
    }

    void add_call(std::span<const uint64_t> words, CallCounts &counts) {
        raw::Call call;
        std::memcpy(&call, words.data(), sizeof call);
        const auto add = [&](std::string_view function, uint64_t times) {
            if (times != 0)
                count(counts[std::string(function)], times);
        };
        add("", call.others);
        for (const auto &target : call.targets) {
            const bool is_known = target.symbol != 0 && target.symbol <= table_.symbols.size();
            const auto name = is_known ? names_.find(table_.symbols[target.symbol - 1].name) : names_.end();
            // A name that LLVM's text has no room for would make the whole profile unreadable.
            const bool has_name = name != names_.end() && model::can_be_function_name(name->second);
            add(has_name ? name->second : std::string_view(), target.count);
        }
    }

    void add_guards(const RawFile &file) {
        if (guards_.size() < file.guards.size())
            guards_.resize(file.guards.size());
        for (size_t i = 0; i < file.guards.size(); ++i) {
            guards_[i].first += file.guards[i].first;
            guards_[i].second += file.guards[i].second;
        }
    }

    void add_chunk(const RawFile &file) {
        const raw::Header &header = file.header;
        model::Coverage &coverage = profile_.coverage;
        count(coverage.recorded, header.recorded);
        count(coverage.dispatches, header.recorded);
        count(coverage.lost, header.lost);
        count(coverage.lost, file.dropped);
        count(coverage.threads, header.threads);
        std::vector<uint32_t> events;
        for (size_t i = 0; i < file.events.size(); ++i)
            events.push_back(add_event(file, i));
        add_raises(file, events);
        add_edges(file, events);
        add_sequences(file, events);
        add_nestings(file, events);
        count(coverage.lost, facts_.add(file));
        count(coverage.lost, system_calls_.add(file));
    }

    // none: the event is a list at a site that the table does not know.
    uint32_t add_event(const RawFile &file, size_t index) {
        const raw::Event &raw_event = file.events[index];
        model::Event event;
        const bool has_site = raw_event.site != raw::none;
        if (has_site && raw_event.site >= table_.sites.size())
            return lose();
        event.kind = has_site ? table_.sites[raw_event.site].kind : model::SiteKind::event;
        const bool has_name = event.kind == model::SiteKind::event || event.kind == model::SiteKind::trigger;
        event.name = has_name ? file.names[index] : names_of_places_[raw_event.site];
        if (event.name.empty())
            event.name = "(unnamed)";
        if (raw_event.address != 0)
            event.name += number_at_place(file.header, event.name, raw_event.address);
        const auto [found, is_new] =
            event_index_.try_emplace({event.kind, event.name}, static_cast<uint32_t>(profile_.events.size()));
        if (is_new)
            profile_.events.push_back(std::move(event));
        count(profile_.events[found->second].binding_changes, raw_event.binding_changes);
        return found->second;
    }

    // Unnamed events that were made at one place are numbered as they were first raised, in each process, from the second one on.
    std::string number_at_place(const raw::Header &header, const std::string &name, uint64_t address) {
        std::map<uint64_t, size_t> &of_place = unnamed_[{header.pid, header.process_start_ns, name}];
        const size_t number = of_place.try_emplace(address, of_place.size() + 1).first->second;
        return number == 1 ? "" : fmt::format(" #{}", number);
    }

    // What passed in a slot belongs to the events that were noted there.
    void add_raises(const RawFile &file, const std::vector<uint32_t> &events) {
        std::map<uint32_t, double> in_slot;
        for (const raw::Raise &raise : file.raises)
            in_slot[raise.slot] += count_of(raise.count).weight();
        for (const raw::Raise &raise : file.raises) {
            if (events[raise.event] == none)
                continue;
            const raw::Slot &slot = file.slots[raise.slot];
            const Count noted = count_of(raise.count);
            const auto all = static_cast<double>(std::min(passed(slot), model::max_count));
            const double leftover = std::max(all - static_cast<double>(slot.attributed), 0.0);
            const double squares = std::isfinite(slot.squares) ? std::max(slot.squares, 0.0) : 0;
            const double part = share_of(noted.weight(), in_slot[raise.slot]);
            Population &here = populations_[{events[raise.event], raise.site}];
            times_.add(events[raise.event], raise);
            here.noted += noted.noted;
            here.attributed += noted.estimated;
            here.leftover += leftover * part;
            here.squares += squares * part;
            const double share = share_of(noted.estimated + leftover * part, all);
            here.error += error_of_share(all, share, independent_samples(all, squares, leftover));
        }
        for (const raw::Slot &slot : file.slots) {
            count(profile_.coverage.dispatches, passed(slot));
            passed_ += passed(slot) != 0;
        }
    }

    static Count count_of(const uint64_t (&count)[raw::part_count]) {
        return {static_cast<double>(count[raw::noted]), static_cast<double>(count[raw::estimated])};
    }

    static void add_to(Count &to, const uint64_t (&count)[raw::part_count]) {
        to.noted += static_cast<double>(count[raw::noted]);
        to.estimated += static_cast<double>(count[raw::estimated]);
    }

    // A count of which all was noted is exact; else it has an error, of 1 at least.
    uint64_t error_of(double error) const { return passed_ == 0 ? 0 : std::max<uint64_t>(rounded(error), 1); }

    void finish_events() {
        for (const auto &[key, population] : populations_) {
            model::Event &event = profile_.events[key.first];
            count(event.raises, rounded(population.noted + population.passed()));
            if (!is_event_itself(event.kind))
                count(event.error, error_of(population.error));
        }
    }

    void finish_sequences() {
        std::map<std::pair<uint32_t, uint32_t>, Count> all;
        for (const auto &[sequence, count] : sequences_) {
            Count &here = all[{sequence.event, sequence.site}];
            here.noted += count.noted;
            here.estimated += count.estimated;
        }
        for (const auto &[sequence, count] : sequences_) {
            const Count &whole = all[{sequence.event, sequence.site}];
            const Population &here = populations_[{sequence.event, sequence.site}];
            const double of_attributed = share_of(count.estimated, whole.estimated);
            const double of_leftover = share_of(count.weight(), whole.weight());
            const double passed = of_attributed * here.attributed + of_leftover * here.leftover;
            const double share = share_of(passed, here.passed());
            const bool is_own = is_event_itself(profile_.events[sequence.event].kind);
            const double error =
                error_of_share(here.passed(), share, here.samples()) + (is_own ? 0 : share * here.error);
            profile_.sequences.push_back(sequence);
            profile_.sequences.back().count = rounded(count.noted + passed);
            profile_.sequences.back().error = here.passed() > 0 ? error_of(error) : 0;
        }
    }

    // Of the dispatches of an event at all sites.
    Population all_of(uint32_t event) const {
        Population all;
        for (auto at = populations_.lower_bound({event, 0}); at != populations_.end() && at->first.first == event;
             ++at) {
            all.noted += at->second.noted;
            all.attributed += at->second.attributed;
            all.leftover += at->second.leftover;
        }
        return all;
    }

    // Each dispatch but a thread's first follows another one. Those of which none is known are shared out as the samples say.
    void finish_edges() {
        for (const auto &[key, count] : edges_) {
            Count &into = into_[std::get<1>(key)];
            into.noted += count.noted;
            into.estimated += count.estimated;
        }
        for (const auto &[key, count] : edges_) {
            const uint32_t to = std::get<1>(key);
            const Count &into = into_[to];
            const Population all = all_of(to);
            const double rest = passed_ == 0 ? 0 : std::max(all.noted + all.passed() - into.noted, 0.0);
            const double share =
                into.estimated > 0 ? share_of(count.estimated, into.estimated) : share_of(count.noted, into.noted);
            profile_.edges.push_back({std::get<0>(key), to, std::get<2>(key), rounded(count.noted + rest * share)});
            if (rest > 0)
                profile_.edges.back().error = error_of(error_of_share(rest, share, samples_into(into)));
        }
    }

    // Dispatches of one sample count as one, as above.
    static double samples_into(const Count &into) {
        const double dispatches = into.estimated > 0 ? into.estimated : into.noted;
        return dispatches / raw::dispatches_of_a_sample;
    }

    void finish_nestings() {
        for (const auto &[nesting, count] : nestings_) {
            const Population &child = populations_[{nesting.child_event, nesting.child_site}];
            const Count &into = into_[nesting.child_event];
            const double share =
                into.estimated > 0 ? share_of(count.estimated, into.estimated) : share_of(count.noted, into.noted);
            profile_.nestings.push_back(nesting);
            profile_.nestings.back().count = rounded(count.noted + child.passed() * share);
            if (child.passed() > 0)
                profile_.nestings.back().error = error_of(error_of_share(child.passed(), share, samples_into(into)));
        }
    }

    void add_edges(const RawFile &file, const std::vector<uint32_t> &events) {
        for (const raw::Edge &edge : file.edges) {
            const uint32_t from = events[edge.from];
            const uint32_t to = events[edge.to];
            if (from == none || to == none)
                continue;
            add_to(edges_[{from, to, static_cast<model::RaiseMode>(edge.mode)}], edge.count);
        }
    }

    void add_sequences(const RawFile &file, const std::vector<uint32_t> &events) {
        for (const RawSequence &raw_sequence : file.sequences) {
            model::Sequence sequence;
            sequence.site = raw_sequence.entry.site;
            sequence.event = events[raw_sequence.entry.event];
            sequence.truncated = raw_sequence.entry.truncated != 0;
            if (sequence.event == none || sequence.site >= table_.sites.size()) {
                lose();
                continue;
            }
            for (const raw::Target &target : raw_sequence.targets)
                sequence.targets.push_back(add_target(file, target));
            add_to(sequences_[sequence], raw_sequence.entry.count);
        }
    }

    void add_nestings(const RawFile &file, const std::vector<uint32_t> &events) {
        for (const raw::Nesting &entry : file.nestings) {
            model::Nesting nesting;
            nesting.parent_event = events[entry.parent_event];
            nesting.parent_site = entry.parent_site;
            nesting.position = entry.position;
            nesting.handler = add_function(file, entry.handler);
            nesting.child_event = events[entry.child_event];
            nesting.child_site = entry.child_site;
            nesting.mode = static_cast<model::RaiseMode>(entry.mode);
            const bool known = nesting.parent_event != none && nesting.child_event != none &&
                               nesting.parent_site < table_.sites.size() && nesting.child_site < table_.sites.size();
            if (known)
                add_to(nestings_[nesting], entry.count);
            else
                lose();
        }
    }

    model::Target add_target(const RawFile &file, const raw::Target &entry) {
        model::Target target;
        target.function = add_function(file, entry.function);
        target.context = add_symbol(entry.context);
        target.context_offset = target.context == none ? 0 : entry.context_offset & INT64_MAX;
        target.ordinal = entry.ordinal;
        return target;
    }

    uint32_t add_function(const RawFile &file, uint32_t function) {
        if (function == raw::none || (function & raw::opaque_bit) == 0) {
            const bool known = function < table_.symbols.size() && table_.symbols[function].is_function;
            return known ? add_symbol(function) : none;
        }
        const std::string &name = file.opaques[function & ~raw::opaque_bit];
        if (name.empty())
            return none;
        const auto [found, is_new] = opaque_index_.try_emplace(name, static_cast<uint32_t>(profile_.symbols.size()));
        if (is_new)
            profile_.symbols.push_back({.name = name, .is_function = true, .has_body = false});
        return found->second;
    }

    // Only symbols that were called or passed come into the profile.
    uint32_t add_symbol(uint32_t symbol) {
        if (symbol >= table_.symbols.size())
            return none;
        const auto [found, is_new] = symbol_index_.try_emplace(symbol, static_cast<uint32_t>(profile_.symbols.size()));
        if (is_new)
            profile_.symbols.push_back(table_.symbols[symbol]);
        return found->second;
    }

    uint32_t lose() {
        count(profile_.coverage.lost, 1);
        return none;
    }

    const model::SiteTable &table_;
    const std::vector<std::string> names_of_places_;
    Profile profile_;
    std::map<std::pair<model::SiteKind, std::string>, uint32_t> event_index_;
    std::map<uint32_t, uint32_t> symbol_index_;
    std::map<std::string, uint32_t> opaque_index_;
    std::map<std::pair<uint32_t, uint32_t>, Population> populations_;  // by event and site
    std::map<std::tuple<uint32_t, uint32_t, model::RaiseMode>, Count> edges_;
    std::map<uint32_t, Count> into_;  // edges, by the event to which they lead
    std::map<model::Sequence, Count> sequences_;
    std::map<model::Nesting, Count> nestings_;
    std::map<std::tuple<uint32_t, uint64_t, std::string>, std::map<uint64_t, size_t>> unnamed_;  // addresses, numbered
    uint64_t passed_ = 0;  // slots in which something passed unnoted
    std::vector<std::pair<uint64_t, uint64_t>> guards_;
    Counted counted_;
    const std::map<std::string_view, std::string_view> names_ = names_for_profiles(table_);
    FactBuilder facts_;
    SystemCallBuilder system_calls_;
    TimeBuilder times_;
};

}  // namespace

Result<Profile> build_profile(const std::vector<RawFile> &files, const model::SiteTable &table,
                              const Recorded &recorded, const std::vector<GuardName> &guards) {
    Builder builder(table, recorded);
    for (const RawFile &file : files)
        builder.add(file);
    Profile profile = builder.finish(guards);
    if (const Status status = model::validate(profile); !status)
        return fail(ErrorCode::bug, "the profile that was built is not valid: {}", status.error().message);
    return profile;
}

}  // namespace thalweg::record
