// record: what was noted of generic code, made into the profile's functions and facts.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "model/profile.h"
#include "model/site.h"
#include "record/raw_file.h"

namespace thalweg::record {

// One file after the other, then put into the profile. `symbol(i)` gives the profile's number of symbol i of the table.
class FactBuilder {
  public:
    explicit FactBuilder(const model::SiteTable &table);

    // The entries that say what cannot be.
    uint64_t add(const RawFile &file);

    template <class SymbolOf>
    void finish(model::Profile &profile, SymbolOf symbol) {
        for (auto &[place, noted] : facts_)
            for (auto &[value, count] : noted.values)
                if (value.first != raw::none)
                    noted.symbols[value.first] = symbol(value.first);
        finish(profile);
    }

  private:
    struct Noted {
        uint64_t notes = 0;
        bool varies = false;
        std::map<std::pair<uint32_t, uint64_t>, uint64_t> values;  // symbol of the table, bits
        std::map<uint32_t, uint32_t> symbols;
    };

    bool add_computation(const raw::Fact &fact);
    static void add_fact(Noted &noted, const raw::Fact &fact);
    void finish(model::Profile &profile) const;
    std::map<uint32_t, uint32_t> functions_of_interest() const;

    const model::SiteTable &table_;
    std::vector<uint32_t> of_all_calls_;  // by place: the one of the same value whichever call led there
    std::map<uint32_t, uint64_t> entries_;
    std::map<uint32_t, Noted> facts_;
    std::map<uint32_t, model::NotedComputation> computations_;  // by their place in the table
};

}  // namespace thalweg::record
