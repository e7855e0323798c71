// model: what makes a plan valid, and its writing as TOML (docs/formats/plan.md).
#include "model/plan.h"

#include <cmath>
#include <map>
#include <set>

#include "base/hash.h"
#include "model/fact_toml.h"
#include "model/limits.h"

namespace thalweg::model {

namespace {

// A decimal number that reads back as the same bits and is a float for every TOML reader.
std::string decimal(double value) {
    std::string text = fmt::format("{}", value);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string site_text(const Site &site) {
    const std::string callee =
        site.callee.empty() ? std::string() : fmt::format(", callee = {}", toml_string(site.callee));
    return fmt::format("{{ function = {}, ordinal = {}, body_hash = \"{}\", kind = \"{}\"{}, file = {}, line = {}, "
                       "column = {} }}",
                       toml_string(site.function), site.ordinal, hash_text(site.body_hash), word(site.kind), callee,
                       toml_string(site.place.file), site.place.line, site.place.column);
}

void write_group(std::string &out, const std::vector<Site> &group) {
    out += "group = [\n";
    for (const Site &site : group)
        out += fmt::format("    {},\n", site_text(site));
    out += "]\n";
}

void write_targets(std::string &out, const std::vector<PlannedTarget> &targets) {
    out += "targets = [\n";
    for (const PlannedTarget &target : targets) {
        out += fmt::format("    {{ function = {}, ordinal = {}", toml_string(target.function), target.ordinal);
        if (!target.context.empty() || target.context_offset != 0)
            out +=
                fmt::format(", context = {}, context_offset = {}", toml_string(target.context), target.context_offset);
        out += " },\n";
    }
    out += "]\n";
}

void write_facts(std::string &out, const std::vector<Fact> &facts) {
    out += "facts = [\n";
    for (const Fact &fact : facts)
        out += fmt::format("    {},\n", write_fact(fact));
    out += "]\n";
}

void write_independent(std::string &out, const std::vector<IndependentCalls> &independent) {
    out += "independent = [\n";
    for (const IndependentCalls &one : independent)
        out += fmt::format("    {{ program = {}, version = {}, procedures = [{}] }},\n", one.program, one.version,
                           fmt::join(one.procedures, ", "));
    out += "]\n";
}

void write_decision(std::string &out, const Decision &decision) {
    out += fmt::format("\n[[decision]]\nid = {}\nkind = \"{}\"\nverdict = \"{}\"\nprovenance = \"{}\"\nevent = {}\n",
                       decision.id, kind_word(decision.kind), decision.verdict == Verdict::apply ? "apply" : "refuse",
                       word(decision.provenance), toml_string(decision.event));
    if (!decision.library.empty())
        out += fmt::format("library = {}\n", toml_string(decision.library));
    out += fmt::format("site = {}\n", site_text(decision.site));
    if (is_of_system_calls(decision.kind))
        write_group(out, decision.group);
    else if (decision.kind == DecisionKind::specialize)
        write_facts(out, decision.facts);
    else if (decision.kind != DecisionKind::cache)
        write_targets(out, decision.targets);
    if (!decision.independent.empty())
        write_independent(out, decision.independent);
    if (decision.kind == DecisionKind::subsume)
        out +=
            fmt::format("parent = {}\nposition = {}\nchain = {}\n", decision.parent, decision.position, decision.chain);
    else if (decision.parent != 0)
        out += fmt::format("parent = {}\n", decision.parent);
    out += fmt::format(
        "alternative = {}\nweight = {}\n{}share = {}\npredicted_gain_ns = {}\npredicted_gain_total_ms = {}\n",
        decision.alternative, decision.weight,
        decision.weight_error == 0 ? "" : fmt::format("weight_error = {}\n", decision.weight_error),
        decimal(decision.share), decimal(decision.predicted_gain_ns), decimal(decision.predicted_gain_total_ms));
    out +=
        fmt::format("growth_instructions = {}\nguard = {}\nreason = {}\nrefusal = {}\n", decision.growth_instructions,
                    toml_string(decision.guard), toml_string(decision.reason), toml_string(decision.refusal));
}

std::string wrong_numbers(const Decision &decision) {
    if (decision.weight > max_count || decision.weight_error > max_count)
        return "its weight is more than 2^63 - 1";
    if (!(decision.share >= 0 && decision.share <= 1))
        return "its share is not from 0 to 1";
    if (!std::isfinite(decision.predicted_gain_ns) || !std::isfinite(decision.predicted_gain_total_ms))
        return "its predicted gain is not a number";
    for (const PlannedTarget &target : decision.targets) {
        if (target.function.empty())
            return "a target names no function";
        if (target.context_offset > max_count)
            return "a target's context_offset is more than 2^63 - 1";
        if (target.context.empty() && target.context_offset != 0)
            return "a target has a context_offset but no context";
    }
    for (size_t i = 0; i < decision.facts.size(); ++i)
        if (std::string problem = wrong_fact(decision.facts[i]); !problem.empty())
            return fmt::format("fact {} of {}: {}", i + 1, decision.facts.size(), problem);
    return {};
}

std::string wrong_calls(const Decision &decision) {
    const bool of_calls = is_of_system_calls(decision.kind);
    if (!of_calls && !decision.group.empty())
        return "a group is for kinds elide, hoist, coalesce, fuse and overlap";
    if (of_calls != (decision.site.kind == SiteKind::call))
        return "a site of kind call is for kinds elide, hoist, coalesce, fuse and overlap, and only that";
    if (decision.group.size() > max_group)
        return fmt::format("its group has {} calls, at most {} fit", decision.group.size(), max_group);
    for (const Site &site : decision.group)
        if (site.kind != SiteKind::call || site.function.empty())
            return "its group names a site that is no call";
    return {};
}

std::string wrong_independent(const Decision &decision) {
    if (decision.kind != DecisionKind::overlap && !decision.independent.empty())
        return "independent calls are for kind overlap";
    size_t procedures = 0;
    for (const IndependentCalls &one : decision.independent) {
        if (one.procedures.empty())
            return "independent calls name no procedure";
        procedures += one.procedures.size();
    }
    if (procedures > max_independent)
        return fmt::format("{} procedures are independent, at most {} fit", procedures, max_independent);
    return {};
}

// Whatever its verdict is, for a person may turn it round: what it lacks to apply is told where it would be carried out.
std::string wrong_shape_of(const Decision &decision) {
    if (decision.id == 0)
        return "decisions are numbered from 1";
    bool subsume = decision.kind == DecisionKind::subsume;
    bool specialize = decision.kind == DecisionKind::specialize;
    bool of_dispatch = is_of_dispatch(decision.kind);
    if ((!of_dispatch && !decision.targets.empty()) || (!specialize && !decision.facts.empty()))
        return "targets are for kinds merge and subsume, facts for kind specialize";
    if (std::string problem = wrong_calls(decision); !problem.empty())
        return problem;
    if (std::string problem = wrong_independent(decision); !problem.empty())
        return problem;
    if (!is_of_handlers(decision.site.kind) && decision.site.kind != SiteKind::call)
        return fmt::format("its site is of kind {}, of which no plan speaks", word(decision.site.kind));
    if (subsume && decision.parent == 0)
        return "it subsumes but has no parent";
    if (!subsume && ((!specialize && decision.parent != 0) || decision.position != 0 || decision.chain))
        return "position and chain are for kind subsume, a parent is for it and for kind specialize";
    if (specialize && decision.parent >= decision.id)
        return fmt::format("its parent is decision {}, which does not come before it", decision.parent);
    return wrong_numbers(decision);
}

using ById = std::map<uint32_t, const Decision *>;

// A parent that was taken out of the plan by hand is no mistake: its children find no super-handler and are not applied.
std::string wrong_parents(const ById &by_id) {
    std::set<uint32_t> ends_well;
    for (const auto &[id, decision] : by_id) {
        std::set<uint32_t> way;
        const Decision *at = decision;
        while (at->kind == DecisionKind::subsume && !ends_well.contains(at->id)) {
            if (!way.insert(at->id).second)
                return fmt::format("decision {} is among its own parents", id);
            auto parent = by_id.find(at->parent);
            if (parent == by_id.end())
                break;
            bool refused = parent->second->targets.empty();
            if (!refused && at->position >= parent->second->targets.size())
                return fmt::format("decision {}: position {}, but its parent {} has {} targets", at->id, at->position,
                                   at->parent, parent->second->targets.size());
            at = parent->second;
        }
        ends_well.merge(way);
    }
    return {};
}

}  // namespace

std::string_view kind_word(DecisionKind kind) {
    static constexpr std::string_view words[] = {"merge", "subsume",  "specialize", "cache",  "elide",
                                                 "hoist", "coalesce", "fuse",       "overlap"};
    return words[static_cast<size_t>(kind)];
}

std::string_view word(Provenance provenance) {
    static constexpr std::string_view words[] = {"recorded", "declared", "edited"};
    return words[static_cast<size_t>(provenance)];
}

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
        targets += decision.targets.size();
        facts += decision.facts.size();
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
                       toml_string(plan.program), toml_string(plan.build_id));
    if (!plan.costs.empty())
        out += fmt::format("costs = {}\n", toml_string(plan.costs));
    if (!plan.left_out.empty()) {
        out += "# Refused, and of no weight: only counted here (`thalweg plan --all` writes them too).\nleft_out = [";
        for (const CountedRefusals &one : plan.left_out)
            out += fmt::format("{}{{ refusal = {}, count = {} }}", &one == plan.left_out.data() ? "" : ", ",
                               toml_string(one.refusal), one.count);
        out += "]\n";
    }
    for (const Decision &decision : plan.decisions)
        write_decision(out, decision);
    return out;
}

}  // namespace thalweg::model
