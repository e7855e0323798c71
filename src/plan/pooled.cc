// plan: events that differ in nothing but the object that they are.
#include "plan/pooled.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "plan/event_shapes.h"

namespace thalweg::plan {

namespace {

// What an event runs most often, at which site: the functions.
using Work = std::pair<uint32_t, std::vector<uint32_t>>;

// "file:line" of an unnamed event; of others all of their name, which nobody shares.
std::string_view place_of(const model::Event &event) {
    const std::string_view name = event.name;
    const std::string_view place = name.substr(0, name.rfind(" #"));
    const size_t colon = place.rfind(':');
    const bool is_place = event.kind == model::SiteKind::event && colon != std::string_view::npos &&
                          place.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
    return is_place ? place : name;
}

std::vector<Work> work_of(const model::Profile &profile) {
    std::vector<const model::Sequence *> most(profile.events.size(), nullptr);
    for (const model::Sequence &sequence : profile.sequences)
        if (const model::Sequence *&known = most[sequence.event]; known == nullptr || known->count < sequence.count)
            known = &sequence;
    std::vector<Work> work(profile.events.size());
    for (size_t i = 0; i < most.size(); ++i) {
        if (most[i] == nullptr)
            continue;
        work[i].first = most[i]->site;
        for (const model::Target &target : most[i]->targets)
            work[i].second.push_back(target.function);
    }
    return work;
}

// Equal entries become one; `less` compares all but the counts.
template <class Entry, class Key, class Count>
void add_up(std::vector<Entry> &entries, Key key, Count count) {
    std::sort(entries.begin(), entries.end(), [&](const Entry &a, const Entry &b) { return key(a) < key(b); });
    std::vector<Entry> all;
    for (Entry &entry : entries) {
        if (all.empty() || key(all.back()) != key(entry)) {
            all.push_back(std::move(entry));
            continue;
        }
        count(all.back()) = saturating_add(count(all.back()), count(entry));
        all.back().error = saturating_add(all.back().error, entry.error);
    }
    entries = std::move(all);
}

}  // namespace

model::Profile pooled(const model::Profile &profile) {
    const std::vector<Work> work = work_of(profile);
    std::map<std::pair<std::string_view, Work>, uint32_t> first;
    std::vector<uint32_t> now(profile.events.size());
    bool any = false;
    for (uint32_t i = 0; i < profile.events.size(); ++i) {
        now[i] = i;
        now[i] = first.try_emplace({place_of(profile.events[i]), work[i]}, i).first->second;
        any |= now[i] != i;
    }
    model::Profile result = profile;
    if (!any)
        return result;
    for (uint32_t i = 0; i < now.size(); ++i) {
        if (now[i] == i)
            continue;
        model::Event &from = result.events[i], &to = result.events[now[i]];
        to.raises = saturating_add(to.raises, std::exchange(from.raises, 0));
        to.error = saturating_add(to.error, std::exchange(from.error, 0));
        to.binding_changes = saturating_add(to.binding_changes, std::exchange(from.binding_changes, 0));
    }
    for (model::Edge &edge : result.edges)
        edge = {now[edge.from], now[edge.to], edge.mode, edge.weight, edge.error};
    for (model::Sequence &sequence : result.sequences)
        sequence.event = now[sequence.event];
    for (model::Nesting &nesting : result.nestings) {
        nesting.parent_event = now[nesting.parent_event];
        nesting.child_event = now[nesting.child_event];
    }
    add_up(
        result.edges, [](const model::Edge &e) { return std::tuple(e.from, e.to, e.mode); },
        [](model::Edge &e) -> uint64_t & { return e.weight; });
    add_up(
        result.sequences, [](const model::Sequence &s) { return std::tie(s.site, s.event, s.targets, s.truncated); },
        [](model::Sequence &s) -> uint64_t & { return s.count; });
    add_up(
        result.nestings,
        [](const model::Nesting &n) {
            return std::tuple(n.parent_event, n.parent_site, n.position, n.handler, n.child_event, n.child_site,
                              n.mode);
        },
        [](model::Nesting &n) -> uint64_t & { return n.count; });
    return result;
}

}  // namespace thalweg::plan
