// record: what was counted of system calls, made into the profile's lists.
#include "record/build_system_calls.h"

#include <algorithm>

#include "model/limits.h"

namespace thalweg::record {

namespace {

void count(uint64_t &total, uint64_t more) {
    const uint64_t cut = std::min(more, model::max_count);
    total = std::min(total, model::max_count - cut) + cut;
}

}  // namespace

bool SystemCallBuilder::is_call(uint32_t site) const {
    return site < table_.sites.size() && table_.sites[site].kind == model::SiteKind::call;
}

bool SystemCallBuilder::add(const raw::SystemCall &entry) {
    if (!is_call(entry.site) || std::max({entry.errors, entry.zeros, entry.shorts, entry.timed}) > entry.calls)
        return false;
    model::NotedSystemCall &call = calls_[entry.site];
    call.site = entry.site;
    count(call.calls, entry.calls);
    count(call.errors, entry.errors);
    count(call.zeros, entry.zeros);
    count(call.shorts, entry.shorts);
    count(call.asked_bytes, entry.asked_bytes);
    count(call.given_bytes, entry.given_bytes);
    if (entry.timed != 0) {
        count(call.timed, entry.timed);
        count(call.inside_ns, entry.inside_ns);
    }
    return true;
}

bool SystemCallBuilder::add(const raw::SystemCallEdge &entry) {
    const uint64_t part =
        std::max({entry.same_descriptor, entry.same_buffer, entry.result_is_size, entry.adjacent, entry.timed});
    if (!is_call(entry.from) || !is_call(entry.to) || part > entry.weight || entry.least_ns > entry.between_ns)
        return false;
    model::SystemCallEdge &edge = edges_[{entry.from, entry.to}];
    edge.from = entry.from;
    edge.to = entry.to;
    count(edge.weight, entry.weight);
    count(edge.same_descriptor, entry.same_descriptor);
    count(edge.same_buffer, entry.same_buffer);
    count(edge.result_is_size, entry.result_is_size);
    count(edge.adjacent, entry.adjacent);
    if (entry.timed != 0) {
        const uint64_t least = std::min(entry.least_ns, model::max_count);
        edge.least_ns = edge.timed == 0 ? least : std::min(edge.least_ns, least);
        count(edge.timed, entry.timed);
        count(edge.between_ns, entry.between_ns);
    }
    return true;
}

bool SystemCallBuilder::add(const raw::Release &entry) {
    if (!is_call(entry.from) || !is_call(entry.to))
        return false;
    model::Release &release = releases_[{entry.from, entry.to}];
    release.from = entry.from;
    release.to = entry.to;
    count(release.count, entry.count);
    return true;
}

uint64_t SystemCallBuilder::add(const RawFile &file) {
    uint64_t lost = 0;
    for (const raw::SystemCall &entry : file.system_calls)
        lost += add(entry) ? 0 : 1;
    for (const raw::SystemCallEdge &entry : file.system_call_edges)
        lost += add(entry) ? 0 : 1;
    for (const raw::Release &entry : file.releases)
        lost += add(entry) ? 0 : 1;
    return lost;
}

void SystemCallBuilder::finish(model::Profile &profile) const {
    bool is_timed = false;
    for (const auto &[site, call] : calls_) {
        profile.system_calls.push_back(call);
        is_timed |= call.timed != 0;
    }
    for (const auto &[sites, edge] : edges_) {
        profile.system_call_edges.push_back(edge);
        is_timed |= edge.timed != 0;
    }
    profile.call_clock = is_timed ? model::CallClock::probes : model::CallClock::none;
    for (const auto &[sites, release] : releases_)
        profile.releases.push_back(release);
}

}  // namespace thalweg::record
