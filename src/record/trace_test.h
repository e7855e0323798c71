// record: what tests of imported traces ask of the profile that is made of one.
#pragma once

#include <string_view>

#include <gtest/gtest.h>

#include "base/result.h"
#include "model/profile.h"
#include "record/traced_call.h"

namespace thalweg::record {

inline model::Profile profile_of_read(const Result<Trace> &trace) {
    EXPECT_TRUE(trace) << trace.error().message;
    const auto profile = profile_of_trace(*trace);
    EXPECT_TRUE(profile) << profile.error().message;
    return *profile;
}

// Of no call where `callee` isn't there.
inline model::NotedSystemCall call(const model::Profile &profile, std::string_view callee) {
    for (const model::NotedSystemCall &one : profile.system_calls)
        if (profile.sites[one.site].callee == callee)
            return one;
    return {};
}

inline model::SystemCallEdge edge(const model::Profile &profile, std::string_view from, std::string_view to) {
    for (const model::SystemCallEdge &one : profile.system_call_edges)
        if (profile.sites[one.from].callee == from && profile.sites[one.to].callee == to)
            return one;
    return {};
}

}  // namespace thalweg::record
