// record: what was counted of system calls, made into the profile's lists.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "model/profile.h"
#include "model/site.h"
#include "record/raw_file.h"

namespace thalweg::record {

// One file after the other, then put into the profile, whose sites are those of the table.
class SystemCallBuilder {
  public:
    explicit SystemCallBuilder(const model::SiteTable &table) : table_(table) {}

    // The entries that say what cannot be.
    uint64_t add(const RawFile &file);
    void finish(model::Profile &profile) const;

  private:
    bool is_call(uint32_t site) const;
    bool add(const raw::SystemCall &entry);
    bool add(const raw::SystemCallEdge &entry);
    bool add(const raw::Release &entry);

    const model::SiteTable &table_;
    std::map<uint32_t, model::NotedSystemCall> calls_;
    std::map<std::pair<uint32_t, uint32_t>, model::SystemCallEdge> edges_;
    std::map<std::pair<uint32_t, uint32_t>, model::Release> releases_;
};

}  // namespace thalweg::record
