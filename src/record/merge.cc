// record: the union of several profiles of one build.
#include "record/merge.h"

#include <algorithm>
#include <map>
#include <set>

#include "record/merge_entry.h"

namespace thalweg::record {

namespace {

using namespace model;

void count(uint64_t &total, uint64_t more) { total = add(total, more); }

// The entries of one list of all profiles: of those with the same keys one. Their indices are places in collections like this.
template <class Entry>
class Collection {
  public:
    // The place of the entry; where it is a new one it is put at the end.
    uint32_t put(const Entry &entry) {
        const auto [found, is_new] = place_.emplace(entry, static_cast<uint32_t>(entries_.size()));
        if (is_new)
            entries_.push_back(entry);
        else
            unite(entries_[found->second], entry);
        return found->second;
    }
    Entry &at(uint32_t place) { return entries_[place]; }
    // In the order of their keys, and by their places till now the places there.
    std::vector<Entry> take(std::vector<uint32_t> &places) {
        places.resize(entries_.size());
        std::vector<Entry> sorted;
        for (const auto &[key, old] : place_) {
            places[old] = static_cast<uint32_t>(sorted.size());
            sorted.push_back(std::move(entries_[old]));
        }
        return sorted;
    }

  private:
    std::map<Entry, uint32_t, ByKeys> place_;
    std::vector<Entry> entries_;
};

// A collection for each list, in the lists' order.
template <class... Rows>
auto collections_of(const std::tuple<Rows...> &) {
    return std::tuple<Collection<typename Rows::type>...>();
}
using Collections = decltype(collections_of(fields::profile_lists));

// each(index ...) for the items of the lists whose indices an entry has each once.
template <class Entry, class Each>
void each_once(Entry &entry, Each each) {
    const auto of_field = [&]<class R>(const R &, auto &value) {
        if constexpr (fields::is_several<R>)
            if constexpr (std::is_same_v<typename R::type, uint32_t>)
                each(value);
    };
    fields::each_in(of_field, entry);
}

// A place with more values than a fact may have varies.
template <class Entry>
void finish(Entry &) {}
void finish(NotedFact &fact) {
    fact.varies |= fact.values.size() > NotedFact::most_values;
    if (fact.varies)
        fact.values.clear();
    std::ranges::sort(fact.values);
}

// Sorted by keys, so that the union does not depend on the order of its parts.
class Union {
  public:
    void add_profile(const Profile &profile);
    Profile take();
    std::string problem;

  private:
    void add_header(const Profile &profile);
    template <class Entry>
    void add_list(const fields::ListRow<Entry> &list, const std::vector<Entry> &entries);
    void add_function_counts(const Profile &profile);
    void take_function_counts();

    Profile result_;
    std::set<std::string> commands_;
    Collections collections_;
    Places places_;  // of the profile that is added, in the collections
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
    unite(result_.coverage, profile.coverage);
    if (result_.call_clock == CallClock::none)
        result_.call_clock = profile.call_clock;
    else if (profile.call_clock != CallClock::none && profile.call_clock != result_.call_clock)
        result_.call_clock = CallClock::several;
}

template <class Entry>
void Union::add_list(const fields::ListRow<Entry> &list, const std::vector<Entry> &entries) {
    Collection<Entry> &all = std::get<Collection<Entry>>(collections_);
    std::vector<uint32_t> places;
    for (Entry entry : entries) {
        each_once(entry, [](std::vector<uint32_t> &indices) { indices.clear(); });
        renumber(entry, places_);
        places.push_back(all.put(entry));
    }
    if (std::vector<uint32_t> *own = places_of_list(list.entries, places_))
        *own = places;
    // These lead into the list itself.
    for (size_t i = 0; i < entries.size(); ++i) {
        std::vector<std::vector<uint32_t> *> into;
        each_once(all.at(places[i]), [&](std::vector<uint32_t> &indices) { into.push_back(&indices); });
        size_t next = 0;
        each_once(entries[i], [&](const std::vector<uint32_t> &indices) {
            for (const uint32_t index : indices)
                into[next]->push_back(places[index]);
            ++next;
        });
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

void Union::add_profile(const Profile &profile) {
    add_header(profile);
    fields::each_list([&](const auto &list, const auto &entries) { add_list(list, entries); }, profile);
    add_function_counts(profile);
}

void Union::take_function_counts() {
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
}

Profile Union::take() {
    for (const std::string &command : commands_)
        result_.command += (result_.command.empty() ? "" : "\n") + command;
    Places places;
    const auto take_list = [&]<class Entry>(const fields::ListRow<Entry> &list, std::vector<Entry> &entries) {
        std::vector<uint32_t> own;
        entries = std::get<Collection<Entry>>(collections_).take(own);
        if (std::vector<uint32_t> *kept = places_of_list(list.entries, places))
            *kept = std::move(own);
    };
    fields::each_list(take_list, result_);
    const auto number = [&](const auto &, auto &entries) {
        for (auto &entry : entries) {
            renumber(entry, places);
            each_once(entry, [](std::vector<uint32_t> &indices) {
                std::ranges::sort(indices);
                indices.erase(std::ranges::unique(indices).begin(), indices.end());
            });
            finish(entry);
        }
        std::ranges::sort(entries, ByKeys());
    };
    fields::each_list(number, result_);
    take_function_counts();
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
