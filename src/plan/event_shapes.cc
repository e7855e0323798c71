// plan: shapes of a profile's sequences.
#include "plan/event_shapes.h"

#include <algorithm>
#include <tuple>

#include "model/limits.h"

namespace thalweg::plan {

using model::none;
using model::Profile;
using model::Sequence;
using model::Target;

namespace {

bool names_what_runs(const Profile &profile, const Target &target) {
    return target.context != none && profile.symbols[target.context].is_function;
}

// What two sequences of one shape have in common.
std::vector<Target> shape_of(const Profile &profile, const Sequence &sequence) {
    std::vector<Target> targets = sequence.targets;
    for (Target &target : targets) {
        if (names_what_runs(profile, target))
            continue;
        target.context = none;
        target.context_offset = 0;
    }
    return targets;
}

void forget_what_differs(Shape &shape, const Sequence &sequence) {
    for (size_t i = 0; i < shape.targets.size(); ++i) {
        Target &known = shape.targets[i];
        if (known == sequence.targets[i])
            continue;
        known.context = none;
        known.context_offset = 0;
    }
}

bool more_frequent(const Shape &a, const Shape &b) {
    return std::tie(b.count, a.truncated, a.targets) < std::tie(a.count, b.truncated, b.targets);
}

}  // namespace

uint64_t saturating_add(uint64_t a, uint64_t b) { return a > model::max_count - b ? model::max_count : a + b; }

AllDispatches dispatches_of(const Profile &profile) {
    std::map<std::tuple<At, bool, std::vector<Target>>, Shape> shapes;
    for (const Sequence &sequence : profile.sequences) {
        if (sequence.count == 0 || !model::is_of_handlers(profile.sites[sequence.site].kind))
            continue;
        At at{sequence.site, sequence.event};
        auto [found, added] = shapes.try_emplace({at, sequence.truncated, shape_of(profile, sequence)},
                                                 Shape{sequence.targets, 0, 0, sequence.truncated});
        if (!added)
            forget_what_differs(found->second, sequence);
        found->second.count = saturating_add(found->second.count, sequence.count);
        found->second.error = saturating_add(found->second.error, sequence.error);
    }
    AllDispatches all;
    for (auto &[key, shape] : shapes) {
        Dispatches &here = all[std::get<0>(key)];
        here.count = saturating_add(here.count, shape.count);
        here.error = saturating_add(here.error, shape.error);
        here.shapes.push_back(std::move(shape));
    }
    for (auto &[at, here] : all)
        std::sort(here.shapes.begin(), here.shapes.end(), more_frequent);
    return all;
}

}  // namespace thalweg::plan
