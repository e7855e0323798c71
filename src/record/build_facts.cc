// record: what was noted of generic code, made into the profile's functions and facts.
#include "record/build_facts.h"

#include <algorithm>
#include <tuple>

#include "model/limits.h"

namespace thalweg::record {

using model::none;
using model::NotedFact;

namespace {

uint64_t sum(uint64_t a, uint64_t b) { return std::min(a, model::max_count - std::min(b, model::max_count)) + b; }

bool fits(uint64_t bits, uint32_t width) { return width == 8 || bits >> (8 * width) == 0; }

}  // namespace

FactBuilder::FactBuilder(const model::SiteTable &table) : table_(table) {
    using Place = std::tuple<uint32_t, model::FactKind, uint32_t>;
    std::map<Place, uint32_t> general;
    const auto key = [](const model::FactPlace &place) { return Place(place.function, place.kind, place.ordinal); };
    for (uint32_t i = 0; i < table.fact_places.size(); ++i)
        if (!table.fact_places[i].call)
            general[key(table.fact_places[i])] = i;
    for (uint32_t i = 0; i < table.fact_places.size(); ++i) {
        const auto found = general.find(key(table.fact_places[i]));
        of_all_calls_.push_back(found == general.end() ? i : found->second);
    }
}

uint64_t FactBuilder::add(const RawFile &file) {
    uint64_t lost = 0;
    for (const raw::Slot &slot : file.entry_slots) {
        if (slot.owner == 0)
            continue;
        if (slot.owner > table_.functions.size()) {
            ++lost;
            continue;
        }
        uint64_t &entries = entries_[slot.owner - 1];
        entries = sum(entries, std::min(passed(slot), model::max_count));
    }
    for (const raw::Fact &fact : file.facts) {
        if (add_computation(fact))
            continue;
        const bool known = fact.place < table_.fact_places.size();
        const uint32_t width = known ? table_.fact_places[fact.place].width : 0;
        const bool right =
            known && std::all_of(fact.values, fact.values + fact.value_count, [&](const raw::FactValue &value) {
                return value.symbol == raw::none ? fits(value.bits, width)
                                                 : width == 8 && value.symbol < table_.symbols.size();
            });
        if (!right) {
            ++lost;
            continue;
        }
        add_fact(facts_[fact.place], fact);
        if (const uint32_t all = of_all_calls_[fact.place]; all != fact.place)
            add_fact(facts_[all], fact);
    }
    return lost;
}

// Behind the fact places: whether a function's inputs were those of the entry before, 0 or 1.
bool FactBuilder::add_computation(const raw::Fact &fact) {
    if (fact.place < table_.fact_places.size() ||
        fact.place - table_.fact_places.size() >= table_.computations.size() || fact.varies != 0)
        return false;
    const auto number = static_cast<uint32_t>(fact.place - table_.fact_places.size());
    model::NotedComputation &noted = computations_[number];
    noted.of = table_.computations[number];
    for (uint32_t i = 0; i < fact.value_count; ++i) {
        const uint64_t count = std::min(fact.values[i].count, model::max_count / 2);
        noted.notes = sum(noted.notes, count);
        if (fact.values[i].bits != 0)
            noted.same = std::min(sum(noted.same, count), noted.notes);
    }
    return true;
}

void FactBuilder::add_fact(Noted &noted, const raw::Fact &fact) {
    noted.notes = sum(noted.notes, std::min(fact.notes, model::max_count));
    noted.varies |= fact.varies != 0;
    for (uint32_t i = 0; i < fact.value_count; ++i) {
        uint64_t &count = noted.values[{fact.values[i].symbol, fact.values[i].bits}];
        count = sum(count, std::min(fact.values[i].count, model::max_count));
    }
    noted.varies |= noted.values.size() > NotedFact::most_values;
    if (noted.varies)
        noted.values.clear();
}

// Those that were entered or noted, and all that they reach by direct calls: by their place in the table, in its order.
std::map<uint32_t, uint32_t> FactBuilder::functions_of_interest() const {
    std::map<uint32_t, uint32_t> found;
    std::vector<uint32_t> open;
    for (const auto &[function, count] : entries_)
        open.push_back(function);
    for (const auto &[place, noted] : facts_)
        open.push_back(table_.fact_places[place].function);
    for (const auto &[place, noted] : facts_)
        if (const auto &call = table_.fact_places[place].call)
            open.push_back(call->caller);
    for (const auto &[number, noted] : computations_)
        open.push_back(noted.of.function);
    while (!open.empty()) {
        const uint32_t function = open.back();
        open.pop_back();
        if (!found.emplace(function, 0).second)
            continue;
        for (uint32_t callee : table_.functions[function].calls)
            open.push_back(callee);
    }
    uint32_t index = 0;
    for (auto &[function, number] : found)
        number = index++;
    return found;
}

void FactBuilder::finish(model::Profile &profile) const {
    const std::map<uint32_t, uint32_t> numbers = functions_of_interest();
    for (const auto &[function, number] : numbers) {
        model::ProfiledFunction entry{table_.functions[function], 0};
        for (uint32_t &callee : entry.body.calls)
            callee = numbers.at(callee);
        std::sort(entry.body.calls.begin(), entry.body.calls.end());
        entry.body.place.column = 0;
        if (const auto count = entries_.find(function); count != entries_.end())
            entry.entries = count->second;
        profile.functions.push_back(std::move(entry));
    }
    for (const auto &[at, noted] : facts_) {
        const model::FactPlace &place = table_.fact_places[at];
        NotedFact fact{numbers.at(place.function),
                       place.kind,
                       place.ordinal,
                       place.width,
                       place.steers,
                       place.place,
                       noted.notes,
                       noted.varies,
                       {},
                       place.call};
        if (fact.call)
            fact.call->caller = numbers.at(place.call->caller);
        for (const auto &[value, count] : noted.values) {
            const auto &[symbol, bits] = value;
            fact.values.push_back({symbol == raw::none ? none : noted.symbols.at(symbol), bits, count});
        }
        std::sort(fact.values.begin(), fact.values.end());
        profile.facts.push_back(std::move(fact));
    }
    for (const auto &[number, noted] : computations_) {
        profile.computations.push_back(noted);
        profile.computations.back().of.function = numbers.at(noted.of.function);
    }
}

}  // namespace thalweg::record
