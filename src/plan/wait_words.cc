// plan: what is said of triggers and waits.
#include "plan/wait_words.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "plan/event_shapes.h"

namespace thalweg::plan {

using model::SiteKind;

namespace {

// More are counted: a reason is a sentence, and the report's graph has them all.
constexpr size_t most_named = 3;

}  // namespace

WaitWords::WaitWords(const model::Profile &profile) : profile_(profile) {
    for (const model::Nesting &nesting : profile.nestings) {
        if (profile.sites[nesting.parent_site].kind != SiteKind::trigger ||
            profile.sites[nesting.child_site].kind != SiteKind::wait)
            continue;
        uint64_t &count =
            counts_[{nesting.parent_site, nesting.child_site}][{nesting.parent_event, nesting.child_event}];
        count = saturating_add(count, nesting.count);
    }
}

std::string WaitWords::of(std::span<const uint32_t> functions) const {
    if (counts_.empty())
        return {};
    std::set<std::string_view> inside;
    for (const uint32_t function : functions)
        inside.insert(profile_.functions[function].body.name);
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> counts;  // of trigger and wait
    for (const auto &[sites, events] : counts_) {
        if (!inside.contains(profile_.sites[sites.first].function) ||
            !inside.contains(profile_.sites[sites.second].function))
            continue;
        for (const auto &[pair, count] : events)
            counts[pair] = saturating_add(counts[pair], count);
    }
    std::vector<std::pair<uint64_t, std::pair<uint32_t, uint32_t>>> by_count;
    for (const auto &[pair, count] : counts)
        by_count.emplace_back(~count, pair);
    std::sort(by_count.begin(), by_count.end());
    std::string text;
    for (size_t i = 0; i < std::min(by_count.size(), most_named); ++i)
        text += fmt::format("{} {} leads on to {} {} times", i == 0 ? " One path:" : ",",
                            profile_.events[by_count[i].second.first].name,
                            profile_.events[by_count[i].second.second].name, ~by_count[i].first);
    if (by_count.size() > most_named)
        text += fmt::format(", and {} more", by_count.size() - most_named);
    return text.empty() ? text : text + ".";
}

}  // namespace thalweg::plan
