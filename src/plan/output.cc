// plan: what a call that prints costs beside the stores that it comes to (paper tempo-sunrpc, section 3: layers that interpret what does not change).
#include "plan/output.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "base/words.h"
#include "knowledge/function.h"
#include "plan/append.h"

namespace thalweg::plan {

using model::Decision;
using model::RefusalKind;

namespace {

constexpr const char *guard_of_stream =
    "its buffer has room for all of it, bytes were put into it before, and no text is null";
constexpr const char *guard_of_memory = "it fits, and no text is null";

struct Saved {
    double ns;
    uint32_t growth_instructions;
};
Saved saved_by(const CostTable &costs, knowledge::Put put) {
    if (put == knowledge::Put::format)
        return {costs.format_ns, format_growth};
    return {put == knowledge::Put::byte ? costs.byte_ns : costs.put_ns, put_growth};
}

class OutputPlanner {
  public:
    OutputPlanner(const model::Profile &profile, const CostTable &costs, const Bounds &bounds, model::Plan &plan)
        : profile_(profile), costs_(costs), bounds_(bounds), plan_(plan), growth_(growth_of(plan)) {}

    void run() {
        std::vector<Decision> made;
        for (const model::NotedOutput &call : profile_.output_calls)
            if (const knowledge::Output *output = knowledge::output(profile_.sites[call.site].callee);
                output != nullptr && call.calls > 0)
                made.push_back(decision_of(call, *output));
        std::ranges::sort(made, {}, [](const Decision &one) {
            return std::tuple(-one.predicted_gain_total_ms, std::string_view(one.site.function), one.site.ordinal);
        });
        for (Decision &decision : made)
            judge(decision);
        append(std::move(made), plan_);
    }

  private:
    Decision decision_of(const model::NotedOutput &call, const knowledge::Output &output) const {
        const Saved saved = saved_by(costs_, output.put);
        Decision decision;
        decision.work = model::Expand{};
        decision.site = profile_.sites[call.site];
        decision.event = fmt::format("{} in {}", decision.site.callee, decision.site.function);
        decision.weight = call.calls;
        decision.share = 1;
        decision.predicted_gain_ns = rounded(saved.ns);
        decision.predicted_gain_total_ms = rounded(saved.ns * static_cast<double>(call.calls) / 1e6);
        decision.growth_instructions = saved.growth_instructions;
        decision.guard = output.memory >= 0 ? guard_of_memory : guard_of_stream;
        return decision;
    }

    void judge(Decision &decision) {
        const uint64_t room = allowed_growth(profile_.instructions, bounds_);
        const double gain = decision.predicted_gain_ns * static_cast<double>(decision.weight);
        const double load = decision.growth_instructions * costs_.first_use_ns;
        if (decision.weight < bounds_.eta || gain <= load)
            refuse(decision, RefusalKind::too_cold,
                   fmt::format("in {} it saves {:.1f} us; loading {} costs {:.1f} us.", plural(decision.weight, "call"),
                               gain / 1000, plural(decision.growth_instructions, "new instruction"), load / 1000));
        else if (growth_ + decision.growth_instructions > room)
            refuse(
                decision, RefusalKind::too_large,
                fmt::format("{} instructions more, after {} that other decisions may add, are above the bound of {}.",
                            decision.growth_instructions, growth_, room));
        else
            growth_ += decision.growth_instructions;
        if (decision.verdict == model::Verdict::apply)
            decision.reason = fmt::format("{}: what is printed is known when the program is built, but for its values.",
                                          plural(decision.weight, "call"));
    }

    static void refuse(Decision &decision, RefusalKind kind, std::string reason) {
        decision.verdict = model::Verdict::refuse;
        decision.refusal = word(kind);
        decision.reason = std::move(reason);
    }

    const model::Profile &profile_;
    const CostTable &costs_;
    const Bounds &bounds_;
    model::Plan &plan_;
    uint64_t growth_;
};

}  // namespace

void plan_output(const model::Profile &profile, const CostTable &costs, const Bounds &bounds, model::Plan &plan) {
    OutputPlanner(profile, costs, bounds, plan).run();
}

}  // namespace thalweg::plan
