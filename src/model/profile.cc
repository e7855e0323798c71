// model: what makes a profile valid.
#include "model/profile.h"

#include <algorithm>

#include "model/profile_fields.h"

namespace thalweg::model {

namespace {

struct Limit {
    const char *what;
    size_t count;
    size_t most;
};

size_t counters_of(const Profile &profile) {
    size_t counters = 0;
    for (const FunctionCounts &function : profile.counts) {
        counters += function.counts.size() + function.value_sites.size() + function.memory_sites.size();
        for (const std::vector<CallTarget> &calls : function.value_sites)
            counters += calls.size();
        for (const std::vector<MemorySize> &sizes : function.memory_sites)
            counters += sizes.size();
    }
    return counters;
}

// All items of the lists in the entries, by the list's name.
template <class Entry>
void count_items(const std::vector<Entry> &entries, std::vector<Limit> &limits) {
    const size_t first = limits.size();
    const auto add_limit = [&]<class R>(const R &row) {
        if constexpr (fields::is_several<R>)
            limits.push_back({row.name, 0, row.most});
    };
    fields::each_field(fields::Of<Entry>::rows, add_limit);
    for (const Entry &entry : entries) {
        size_t at = first;
        const auto add = [&]<class R>(const R &, const auto &value) {
            if constexpr (fields::is_several<R>)
                limits[at++].count += value.size();
        };
        fields::each_in(add, entry);
    }
}

std::string too_much(const Profile &profile) {
    std::vector<Limit> limits = {
        {"counted functions", profile.counts.size(), max_symbols},
        {"counters", counters_of(profile), max_counters},
        {"bytes in the program's name", profile.program.size(), max_string_bytes},
        {"bytes in the build id", profile.build_id.size(), max_string_bytes},
        {"bytes in the command", profile.command.size(), max_string_bytes},
        {"libraries", profile.libraries.size(), max_libraries},
    };
    fields::each_list(
        [&](const auto &list, const auto &entries) {
            limits.push_back({list.name, entries.size(), list.most});
            count_items(entries, limits);
        },
        profile);
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
    // What the rows of its fields say.
    template <class Entry>
    void fields(const Entry &entry) {
        const auto each = [&]<class R>(const R &row, const auto &in) {
            const auto &value = in.*row.member;
            if constexpr (fields::is_row<R>)
                field(row, value, in);
            else if constexpr (fields::is_several<R>)
                items(row, value);
            else
                inside(value);
        };
        fields::each_with_entry(fields::Of<Entry>::rows, each, entry);
    }
    void count(const char *what, uint64_t value) {
        if (value > max_count)
            complain(fmt::format("{} {} is more than 2^63 - 1", what, value));
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
    template <class Entry, class Type>
    void field(const fields::Row<Entry, Type> &row, const Type &value, const Entry &entry) {
        if constexpr (std::is_same_v<Type, std::string>) {
            if (row.role == fields::Role::name)
                name(value);
        } else if constexpr (std::is_enum_v<Type>) {
            if (static_cast<size_t>(value) >= row.words.size())
                complain(fmt::format("its {} is unknown", row.name));
        } else if constexpr (std::is_same_v<Type, uint32_t>) {
            if (row.role == fields::Role::index)
                index(row.name, value, row.list, row.may_be_none);
        } else if constexpr (std::is_same_v<Type, uint64_t>) {
            number(row, value, entry);
        }
    }
    template <class Entry>
    void number(const fields::Row<Entry, uint64_t> &row, uint64_t value, const Entry &entry) {
        if (row.role != fields::Role::hash)
            count(row.name, value);
        const uint64_t whole = row.whole == nullptr ? 0 : entry.*row.whole;
        if (row.role == fields::Role::part && value > whole)
            complain(fmt::format("{} {} of {}", row.name, value, whole));
        if ((row.role == fields::Role::time || row.role == fields::Role::least) && whole == 0 && value != 0)
            complain(fmt::format("{} {} ns of nothing that was timed", row.name, value));
    }
    void index(const char *what, uint32_t value, fields::List list, bool may_be_none) {
        if (may_be_none && value == none)
            return;
        const size_t size = length_of(list, profile_);
        if (value >= size)
            return complain(fmt::format("{} {}, but there are {}", what, value, size));
        if (list == fields::List::code && !profile_.symbols[value].is_function)
            complain(fmt::format("{} {} is a variable, not a function", what, value));
        if (list == fields::List::calls && profile_.sites[value].kind != SiteKind::call)
            complain(fmt::format("{} {} is no system call", what, value));
    }
    template <class Entry, class Item>
    void items(const fields::Several<Entry, Item> &row, const std::vector<Item> &items) {
        for (const Item &item : items)
            if constexpr (std::is_same_v<Item, uint32_t>)
                index(row.item, item, row.list, false);
            else
                fields(item);
    }
    template <class Type>
    void inside(const std::optional<Type> &value) {
        if (value)
            fields(*value);
    }
    template <class Type>
    void inside(const Type &value) {
        fields(value);
    }

    const Profile &profile_;
    const char *list_ = "";
    size_t index_ = 0;
    std::string problem_;
};

// ---- what the fields of an entry say together ----

template <class Entry>
void check_more(const Entry &, const Profile &, Check &) {}

void check_more(const Site &site, const Profile &, Check &check) {
    if ((site.kind == SiteKind::call) == site.callee.empty())
        check.complain("a callee is for sites of kind call");
}

void check_more(const Event &event, const Profile &, Check &check) {
    const EventTime &time = event.time;
    if (time.timed == 0 && time != EventTime{})
        check.complain("it has a time, but nothing was timed");
    if (time.own_ns > time.inside_ns)
        check.complain(fmt::format("{} of {} ns are its own", time.own_ns, time.inside_ns));
}

void check_more(const ProfiledFunction &function, const Profile &, Check &check) {
    if (function.body.calls.size() > max_calls)
        check.complain(fmt::format("it calls {} functions", function.body.calls.size()));
}

void check_more(const NotedFact &fact, const Profile &, Check &check) {
    if (fact.call && fact.kind != FactKind::load)
        check.complain("only what is loaded is noted by call");
    if (fact.width < 1 || fact.width > 8)
        return check.complain(fmt::format("its width is {} bytes", fact.width));
    if (fact.values.size() > NotedFact::most_values || (fact.varies && !fact.values.empty()))
        check.complain(fmt::format("it has {} values", fact.values.size()));
    for (const NotedValue &value : fact.values) {
        if (value.symbol != none && fact.width != 8)
            check.complain("an address has 8 bytes");
        if (value.symbol == none && fact.width < 8 && value.bits >> (8 * fact.width) != 0)
            check.complain(fmt::format("{} does not fit into {} bytes", value.bits, fact.width));
    }
}

void check_clock(uint64_t timed, const Profile &profile, Check &check) {
    if (timed != 0 && profile.call_clock == CallClock::none)
        check.complain(fmt::format("{} times are of no clock", timed));
}

void check_more(const NotedSystemCall &call, const Profile &profile, Check &check) {
    check_clock(call.timed, profile, check);
}

void check_more(const SystemCallEdge &edge, const Profile &profile, Check &check) {
    check_clock(edge.timed, profile, check);
    if (edge.least_ns > edge.between_ns)
        check.complain(fmt::format("the shortest of {} ns is {} ns", edge.between_ns, edge.least_ns));
}

void check_lists(const Profile &profile, Check &check) {
    fields::each_list(
        [&](const auto &list, const auto &entries) {
            for (size_t i = 0; i < entries.size(); ++i) {
                check.entry(list.name, i);
                check.fields(entries[i]);
                check_more(entries[i], profile, check);
            }
        },
        profile);
    check.entry("coverage", 0);
    check.fields(profile.coverage);
    check.count("instructions", profile.instructions);
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

bool can_be_function_name(std::string_view name) {
    const bool is_number = name.find_first_not_of("0123456789") == std::string_view::npos;
    return !name.starts_with('#') && !name.starts_with(':') && !is_number &&
           name.find_first_of("\r\n") == std::string_view::npos;
}

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
    check_lists(profile, check);
    check_counts(profile, check);
    if (!check.problem().empty())
        return fail(ErrorCode::does_not_fit, "profile: {}", check.problem());
    if (std::string problem = wrong_libraries(profile); !problem.empty())
        return fail(ErrorCode::does_not_fit, "profile: {}", problem);
    return Done{};
}

}  // namespace thalweg::model
