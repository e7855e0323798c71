// plan: of which functions the last results are kept, and why not of the others.
#include "plan/cache.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "base/words.h"
#include "plan/event_words.h"

namespace thalweg::plan {

using model::Decision;
using model::NotedComputation;
using model::ProfiledFunction;
using model::RefusalKind;
using model::Verdict;

namespace {

class CachePlanner {
  public:
    CachePlanner(const model::Profile &profile, const CostTable &costs, const Bounds &bounds, model::Plan &plan)
        : profile_(profile), costs_(costs), bounds_(bounds), plan_(plan), growth_(growth_of(plan)) {}

    void run() {
        std::vector<const NotedComputation *> noted;
        for (const NotedComputation &one : profile_.computations)
            if (function_of(one).entries > 0)
                noted.push_back(&one);
        const auto order = [this](const NotedComputation *one) {
            return std::tuple(-gain_ns(*one) * static_cast<double>(function_of(*one).entries), -ns_of(*one),
                              std::string_view(function_of(*one).body.name), one->of);
        };
        std::sort(noted.begin(), noted.end(), [&](auto *a, auto *b) { return order(a) < order(b); });
        for (const ProfiledFunction &function : profile_.functions)
            ++bodies_[function.body.name];
        for (const Decision &decision : plan_.decisions)
            next_id_ = std::max(next_id_, decision.id + 1);
        for (const NotedComputation *one : noted)
            if (plan_.decisions.size() < max_decisions)
                decide(*one);
    }

  private:
    const ProfiledFunction &function_of(const NotedComputation &one) const {
        return profile_.functions[one.of.function];
    }

    static double share_of(const NotedComputation &one) {
        return one.notes == 0 ? 0 : static_cast<double>(one.same) / static_cast<double>(one.notes);
    }
    double ns_of(const NotedComputation &one) const { return one.of.instructions * costs_.instruction_ns; }
    // Inputs are compared; then either results are handed out, or both are kept.
    double hit_ns(const NotedComputation &one) const {
        return costs_.kept_guard_ns + (one.of.input_bytes + one.of.result_bytes) * costs_.kept_byte_ns;
    }
    double missed_ns(const NotedComputation &one) const {
        return hit_ns(one) + one.of.input_bytes * costs_.kept_byte_ns;
    }
    double gain_ns(const NotedComputation &one) const {
        return share_of(one) * (ns_of(one) - hit_ns(one)) - (1 - share_of(one)) * missed_ns(one);
    }

    void decide(const NotedComputation &one) {
        const ProfiledFunction &function = function_of(one);
        Decision decision;
        decision.id = next_id_++;
        decision.work = model::Cache{};
        decision.event = function.body.name;
        decision.site = {function.body.name, 0, function.body.body_hash, model::SiteKind::list, function.body.place};
        decision.weight = function.entries;
        decision.weight_error = function.error;
        decision.share = rounded(share_of(one));
        decision.predicted_gain_ns = rounded(gain_ns(one));
        decision.predicted_gain_total_ms = rounded(gain_ns(one) * static_cast<double>(function.entries) / 1e6);
        decision.growth_instructions = kept_growth;
        decision.guard =
            fmt::format("{} bytes of inputs are compared with those of the last computation in the thread; "
                        "results lie apart from inputs",
                        one.of.input_bytes);
        if (std::optional<Refusal> refusal = refusal_of(one)) {
            refuse(decision, refusal->kind, std::move(refusal->reason));
        } else {
            decision.reason =
                fmt::format("{} of {} entries had the inputs of the one before: about {:.0f} ns of computing "
                            "become {:.0f} ns of comparing and copying {} bytes.",
                            one.same, one.notes, ns_of(one), hit_ns(one), one.of.input_bytes + one.of.result_bytes);
            take_room();
        }
        plan_.decisions.push_back(std::move(decision));
    }

    std::optional<Refusal> refusal_of(const NotedComputation &one) const {
        using Row = std::optional<Refusal> (CachePlanner::*)(const NotedComputation &) const;
        static constexpr Row rows[] = {&CachePlanner::changed, &CachePlanner::unknown, &CachePlanner::cheap,
                                       &CachePlanner::varying, &CachePlanner::cold,    &CachePlanner::no_room};
        for (const Row row : rows)
            if (std::optional<Refusal> refusal = (this->*row)(one))
                return refusal;
        return {};
    }

    std::optional<Refusal> changed(const NotedComputation &one) const {
        if (bodies_.at(function_of(one).body.name) < 2)
            return {};
        return Refusal{RefusalKind::body_changed, "the profile knows two bodies of this function."};
    }
    std::optional<Refusal> unknown(const NotedComputation &one) const {
        if (one.notes >= min_notes_of_computation)
            return {};
        return Refusal{RefusalKind::too_cold,
                       fmt::format("of {} entries it is known whether their inputs were those of the one before; "
                                   "{} at least show something.",
                                   one.notes, min_notes_of_computation)};
    }
    std::optional<Refusal> cheap(const NotedComputation &one) const {
        if (ns_of(one) > hit_ns(one))
            return {};
        return Refusal{RefusalKind::costs_no_more,
                       fmt::format("it computes for about {:.1f} ns; comparing its inputs and copying its results "
                                   "takes {:.1f} ns.",
                                   ns_of(one), hit_ns(one))};
    }
    std::optional<Refusal> varying(const NotedComputation &one) const {
        if (gain_ns(one) > 0)
            return {};
        return Refusal{RefusalKind::inputs_change,
                       fmt::format("{} of {} entries had the inputs of the one before; the others would compare "
                                   "and copy {} bytes in vain.",
                                   one.same, one.notes, one.of.input_bytes + one.of.result_bytes)};
    }
    std::optional<Refusal> cold(const NotedComputation &one) const {
        const double gain = gain_ns(one) * static_cast<double>(function_of(one).entries);
        const double load = kept_growth * costs_.first_use_ns;
        if (gain > load && function_of(one).entries >= bounds_.eta)
            return {};
        if (gain > load)
            return Refusal{RefusalKind::too_cold,
                           fmt::format("it was entered {}, below {}.",
                                       times(function_of(one).entries, function_of(one).error), bounds_.eta)};
        return Refusal{RefusalKind::too_cold,
                       fmt::format("it saves {:.1f} us in {}; loading {} costs {:.1f} us.", gain / 1000,
                                   entries(function_of(one).entries, function_of(one).error),
                                   plural(kept_growth, "new instruction"), load / 1000)};
    }
    std::optional<Refusal> no_room(const NotedComputation &) const {
        if (fits() || largest_layer() != nullptr)
            return {};
        return Refusal{
            RefusalKind::too_large,
            fmt::format("{} instructions more, after {} that other decisions may add, are above the bound of {}.",
                        kept_growth, growth_, allowed_growth(profile_.instructions, bounds_))};
    }
    bool fits() const { return growth_ + kept_growth <= allowed_growth(profile_.instructions, bounds_); }

    // Layers have been given all the room that there is, more than most of them need. Null: none has so much.
    Decision *largest_layer() const {
        const auto room_of = [](const Decision &decision) {
            // What is inside of another one grows in its place.
            const bool is_layer = decision.kind() == model::DecisionKind::specialize && decision.parent == 0 &&
                                  decision.provenance == model::Provenance::recorded &&
                                  decision.verdict == Verdict::apply;
            return is_layer ? decision.growth_instructions : 0;
        };
        const auto largest = std::ranges::max_element(plan_.decisions, {}, room_of);
        return largest == plan_.decisions.end() || room_of(*largest) <= kept_growth ? nullptr : &*largest;
    }

    void take_room() {
        if (!fits()) {
            largest_layer()->growth_instructions -= kept_growth;
            growth_ -= kept_growth;
        }
        growth_ += kept_growth;
    }

    const model::Profile &profile_;
    const CostTable &costs_;
    const Bounds &bounds_;
    model::Plan &plan_;
    std::map<std::string_view, size_t> bodies_;  // that the profile knows of a name
    uint64_t growth_;
    uint32_t next_id_ = 1;
};

}  // namespace

void plan_caches(const model::Profile &profile, const CostTable &costs, const Bounds &bounds, model::Plan &plan) {
    CachePlanner(profile, costs, bounds, plan).run();
}

}  // namespace thalweg::plan
