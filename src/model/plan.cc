// model: what makes a plan valid, and its writing as TOML (docs/formats/plan.md).
#include "model/plan.h"

#include <cmath>
#include <map>
#include <set>

#include "model/plan_fields.h"
#include "model/toml_fields.h"

namespace thalweg::model {

namespace {

// The list of this kind of a decision's struct, where that has one.
template <class Item>
const std::vector<Item> &list_of(const Work &work) {
    static const std::vector<Item> none;
    const std::vector<Item> *list = &none;
    const auto look = [&](const auto &, const auto &field) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, std::vector<Item>>)
            list = &field;
    };
    std::visit([&](const auto &one) { fields::each_in(look, one); }, work);
    return *list;
}

// A pointer's, in bytes: the layout of the programs that the plug-in sees.
constexpr uint32_t pointer_width = 8;

std::string wrong_value(const Fact &fact, const FactValue &value) {
    if (!value.symbol.empty())
        return fact.width == pointer_width ? "" : "the address of a symbol has 8 bytes";
    if (fact.width < pointer_width && value.bits >> (8 * fact.width) != 0)
        return fmt::format("{} does not fit into {} bytes", value.bits, fact.width);
    return "";
}

std::string wrong_fact(const Fact &fact) {
    if (fact.function.empty())
        return "it names no function";
    if (fact.call && (fact.kind != FactKind::load || fact.call->caller.empty()))
        return "a call is for kind load, and names its caller";
    if (fact.width < 1 || fact.width > pointer_width)
        return fmt::format("its width is {} bytes, not 1 to 8", fact.width);
    if (fact.values.empty() || fact.values.size() > max_fact_values)
        return fmt::format("it has {} values, not 1 to {}", fact.values.size(), max_fact_values);
    if (fact.path.empty() == (fact.kind == FactKind::memory) || fact.path.size() > max_fact_path)
        return fmt::format("a path of 1 to {} steps is for kind memory, and only for it", max_fact_path);
    for (const FactValue &value : fact.values)
        if (std::string problem = wrong_value(fact, value); !problem.empty())
            return problem;
    return "";
}

std::string wrong_numbers(const Decision &decision) {
    if (decision.weight > max_count || decision.weight_error > max_count)
        return "its weight is more than 2^63 - 1";
    if (!(decision.share >= 0 && decision.share <= 1))
        return "its share is not from 0 to 1";
    if (!std::isfinite(decision.predicted_gain_ns) || !std::isfinite(decision.predicted_gain_total_ms))
        return "its predicted gain is not a number";
    for (const PlannedTarget &target : decision.targets()) {
        if (target.function.empty())
            return "a target names no function";
        if (target.context_offset > max_count)
            return "a target's context_offset is more than 2^63 - 1";
        if (target.context.empty() && target.context_offset != 0)
            return "a target has a context_offset but no context";
    }
    const std::vector<Fact> &facts = decision.facts();
    for (size_t i = 0; i < facts.size(); ++i)
        if (std::string problem = wrong_fact(facts[i]); !problem.empty())
            return fmt::format("fact {} of {}: {}", i + 1, facts.size(), problem);
    return {};
}

std::string wrong_calls(const Decision &decision) {
    const std::vector<Site> &group = decision.group();
    if (is_of_calls(decision.kind()) != (decision.site.kind == SiteKind::call))
        return "a site of kind call is for kinds elide, hoist, coalesce, fuse, overlap, expand and reuse, and only "
               "that";
    if (group.size() > max_group)
        return fmt::format("its group has {} calls, at most {} fit", group.size(), max_group);
    for (const Site &site : group)
        if (site.kind != SiteKind::call || site.function.empty())
            return "its group names a site that is no call";
    return {};
}

std::string wrong_independent(const Decision &decision) {
    size_t procedures = 0;
    for (const IndependentCalls &one : list_of<IndependentCalls>(decision.work)) {
        if (one.procedures.empty())
            return "independent calls name no procedure";
        procedures += one.procedures.size();
    }
    if (procedures > max_independent)
        return fmt::format("{} procedures are independent, at most {} fit", procedures, max_independent);
    return {};
}

std::string wrong_parent(const Decision &decision) {
    if (decision.kind() == DecisionKind::subsume)
        return decision.parent == 0 ? "it subsumes but has no parent" : "";
    if (decision.parent != 0 && decision.kind() != DecisionKind::specialize)
        return "a parent is for kinds subsume and specialize";
    if (decision.parent != 0 && decision.parent >= decision.id)
        return fmt::format("its parent is decision {}, which does not come before it", decision.parent);
    return {};
}

// Whatever its verdict is, for a person may turn it round: what it lacks to apply is told where it would be carried out.
std::string wrong_shape_of(const Decision &decision) {
    if (decision.id == 0)
        return "decisions are numbered from 1";
    if (!is_of_handlers(decision.site.kind) && decision.site.kind != SiteKind::call)
        return fmt::format("its site is of kind {}, of which no plan speaks", word(decision.site.kind));
    for (const auto wrong : {wrong_calls, wrong_independent, wrong_parent})
        if (std::string problem = wrong(decision); !problem.empty())
            return problem;
    return wrong_numbers(decision);
}

using ById = std::map<uint32_t, const Decision *>;

// A parent that was taken out of the plan by hand is no mistake: its children find no super-handler and are not applied.
std::string wrong_parents(const ById &by_id) {
    std::set<uint32_t> ends_well;
    for (const auto &[id, decision] : by_id) {
        std::set<uint32_t> way;
        const Decision *at = decision;
        while (const auto *inside = std::get_if<Subsume>(&at->work)) {
            if (ends_well.contains(at->id))
                break;
            if (!way.insert(at->id).second)
                return fmt::format("decision {} is among its own parents", id);
            auto parent = by_id.find(at->parent);
            if (parent == by_id.end())
                break;
            const size_t targets = parent->second->targets().size();
            if (targets != 0 && inside->position >= targets)
                return fmt::format("decision {}: position {}, but its parent {} has {} targets", at->id,
                                   inside->position, at->parent, targets);
            at = parent->second;
        }
        ends_well.merge(way);
    }
    return {};
}

}  // namespace

std::string_view word(Provenance provenance) { return provenance_words[static_cast<size_t>(provenance)]; }

Work work_of(DecisionKind kind) { return fields::alternative<Work>(static_cast<size_t>(kind)); }

const std::vector<PlannedTarget> &Decision::targets() const { return list_of<PlannedTarget>(work); }
const std::vector<Fact> &Decision::facts() const { return list_of<Fact>(work); }
const std::vector<Site> &Decision::group() const { return list_of<Site>(work); }

Status validate(const Plan &plan) {
    if (plan.decisions.size() > max_decisions)
        return fail(ErrorCode::does_not_fit, "plan: {} decisions, at most {} fit", plan.decisions.size(),
                    max_decisions);
    ById by_id;
    size_t targets = 0;
    size_t facts = 0;
    for (const Decision &decision : plan.decisions) {
        if (std::string problem = wrong_shape_of(decision); !problem.empty())
            return fail(ErrorCode::does_not_fit, "plan: decision {}: {}", decision.id, problem);
        if (!by_id.emplace(decision.id, &decision).second)
            return fail(ErrorCode::does_not_fit, "plan: decision {} stands there twice", decision.id);
        targets += decision.targets().size();
        facts += decision.facts().size();
    }
    if (targets > max_targets || facts > max_facts)
        return fail(ErrorCode::does_not_fit, "plan: {} targets and {} facts, at most {} and {} fit", targets, facts,
                    max_targets, max_facts);
    if (std::string problem = wrong_parents(by_id); !problem.empty())
        return fail(ErrorCode::does_not_fit, "plan: {}", problem);
    return Done{};
}

std::string write_plan(const Plan &plan) {
    std::string out =
        "# What Thalweg will do to the program (verdict \"apply\") and what not (\"refuse\"), each with its reason.\n"
        "# May be edited: turn a verdict round, or take a decision out. `thalweg explain` tells more of each.\n";
    out += fmt::format("format = \"thalweg-plan\"\nversion = {}\nprogram = {}\nbuild_id = {}\n", Plan::version,
                       toml_fields::toml_string(plan.program), toml_fields::toml_string(plan.build_id));
    if (!plan.costs.empty())
        out += fmt::format("costs = {}\n", toml_fields::toml_string(plan.costs));
    if (!plan.left_out.empty()) {
        out += "# Refused, and of no weight: only counted here (`thalweg plan --all` writes them too).\nleft_out = [";
        for (const CountedRefusals &one : plan.left_out)
            out += (&one == plan.left_out.data() ? "" : ", ") + toml_fields::in_one_line(one);
        out += "]\n";
    }
    for (const Decision &decision : plan.decisions)
        out += "\n[[decision]]\n" + toml_fields::in_lines(decision);
    return out;
}

}  // namespace thalweg::model
