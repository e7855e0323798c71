// plan: what a call that prints or reads costs beside the stores and loads that it comes to (paper tempo-sunrpc, section 3: layers that interpret what does not change).
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
constexpr const char *guard_of_input = "the process has one thread, and the buffer holds all of it";
constexpr const char *guard_of_byte = "the process has one thread, and the buffer holds a byte";
constexpr const char *guard_of_byte_back = "the process has one thread, and it is the byte that was taken last";

struct Saved {
    double ns;
    uint32_t growth_instructions;
};
Saved saved_by(const CostTable &costs, const knowledge::Output &output) {
    if (output.put == knowledge::Put::format)
        return {costs.format_ns, format_growth};
    return {output.put == knowledge::Put::byte ? costs.byte_ns : costs.put_ns, put_growth};
}

bool is_of_a_byte(const knowledge::Input &input) {
    return input.take == knowledge::Take::byte || input.take == knowledge::Take::back;
}
Saved saved_by(const CostTable &costs, const knowledge::Input &input) {
    return {is_of_a_byte(input) ? costs.taken_byte_ns : costs.taken_ns, put_growth};
}

const char *guard_of(const knowledge::Output &output) { return output.memory >= 0 ? guard_of_memory : guard_of_stream; }
const char *guard_of(const knowledge::Input &input) {
    if (input.take == knowledge::Take::back)
        return guard_of_byte_back;
    return is_of_a_byte(input) ? guard_of_byte : guard_of_input;
}

class OutputPlanner {
  public:
    OutputPlanner(const model::Profile &profile, const CostTable &costs, const Bounds &bounds, model::Plan &plan)
        : profile_(profile), costs_(costs), bounds_(bounds), plan_(plan), growth_(growth_of(plan)) {}

    void run() {
        std::vector<Decision> made;
        for (const model::NotedOutput &call : profile_.output_calls)
            if (knowledge::uses_buffer(profile_.sites[call.site].callee) && call.calls > 0)
                made.push_back(decision_of(call));
        std::ranges::sort(made, {}, [](const Decision &one) {
            return std::tuple(-one.predicted_gain_total_ms, std::string_view(one.site.function), one.site.ordinal);
        });
        for (Decision &decision : made)
            judge(decision);
        append(std::move(made), plan_);
    }

  private:
    Decision decision_of(const model::NotedOutput &call) const {
        const knowledge::Output *output = knowledge::output(profile_.sites[call.site].callee);
        const knowledge::Input *input = knowledge::input(profile_.sites[call.site].callee);
        const Saved saved = output != nullptr ? saved_by(costs_, *output) : saved_by(costs_, *input);
        Decision decision;
        decision.work = model::Expand{};
        decision.site = profile_.sites[call.site];
        decision.event = fmt::format("{} in {}", decision.site.callee, decision.site.function);
        decision.weight = call.calls;
        decision.share = 1;
        decision.predicted_gain_ns = rounded(saved.ns);
        decision.predicted_gain_total_ms = rounded(saved.ns * static_cast<double>(call.calls) / 1e6);
        decision.growth_instructions = saved.growth_instructions;
        decision.guard = output != nullptr ? guard_of(*output) : guard_of(*input);
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
            decision.reason =
                fmt::format("{}: {}", plural(decision.weight, "call"),
                            knowledge::output(decision.site.callee) != nullptr
                                ? "what is printed is known when the program is built, but for its values."
                                : "what is read lies in the stream's buffer, mostly.");
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
