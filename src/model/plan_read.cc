// model: the strict reader of a plan's TOML; every message names the line (docs/formats/plan.md).
#include <toml++/toml.h>

#include "base/hash.h"
#include "base/text_shape.h"
#include "model/json.h"
#include "model/limits.h"
#include "model/plan.h"

namespace thalweg::model {

namespace {

// A table whose keys are asked for one by one. The first thing that does not fit is kept, with its line.
class Keys {
  public:
    Keys(const toml::table &table, json::Problem &problem) : table_(table), problem_(problem) {}

    void text(std::string_view key, std::string &out, bool needed = false) {
        const toml::node *node = find(key, needed);
        if (node == nullptr)
            return;
        const auto *text = node->as_string();
        if (text == nullptr)
            return complain(*node, key, "is not a string");
        if (text->get().size() > max_string_bytes)
            return complain(*node, key, "is too long");
        out = text->get();
    }

    void flag(std::string_view key, bool &out) {
        const toml::node *node = find(key, false);
        if (node == nullptr)
            return;
        const auto *flag = node->as_boolean();
        if (flag == nullptr)
            return complain(*node, key, "is neither true nor false");
        out = flag->get();
    }

    void hash(std::string_view key, uint64_t &out) {
        std::string as_text = hash_text(out);
        text(key, as_text);
        if (!hash_from_text(as_text, out))
            complain(table_, key, "is not \"0x\" and at most 16 hexadecimal digits");
    }

    template <class Number>
    void number(std::string_view key, Number &out, bool needed = false) {
        const toml::node *node = find(key, needed);
        if (node == nullptr)
            return;
        const auto *number = node->as_integer();
        constexpr uint64_t limit = std::min<uint64_t>(std::numeric_limits<Number>::max(), max_count);
        if (number == nullptr || number->get() < 0 || static_cast<uint64_t>(number->get()) > limit)
            return complain(*node, key, fmt::format("is not a whole number from 0 to {}", limit));
        out = static_cast<Number>(number->get());
    }

    void decimal(std::string_view key, double &out) {
        const toml::node *node = find(key, false);
        if (node == nullptr)
            return;
        if (!node->is_number())
            return complain(*node, key, "is not a number");
        out = *node->value<double>();
    }

    // One of two words.
    bool either(std::string_view key, std::string_view first, std::string_view second, bool needed) {
        std::string word(first);
        text(key, word, needed);
        if (word != first && word != second)
            complain(table_, key, fmt::format("is neither {} nor {}", first, second));
        return word == first;
    }

    const toml::node *find(std::string_view key, bool needed) {
        asked_.push_back(key);
        const toml::node *node = table_.get(key);
        if (node == nullptr && needed)
            complain(table_, key, "is missing");
        return node;
    }

    void finish() {
        for (const auto &[key, node] : table_)
            if (std::find(asked_.begin(), asked_.end(), key.str()) == asked_.end())
                complain(node, key.str(), "is not known here");
    }

    void complain(const toml::node &node, std::string_view key, std::string_view what) {
        problem_.add(fmt::format("line {}: {} {}", node.source().begin.line, key, what));
    }

  private:
    const toml::table &table_;
    json::Problem &problem_;
    std::vector<std::string_view> asked_;
};

Site read_site(const toml::table &table, json::Problem &problem) {
    Site site;
    Keys keys(table, problem);
    keys.text("function", site.function, true);
    keys.number("ordinal", site.ordinal);
    keys.hash("body_hash", site.body_hash);
    site.kind = keys.either("kind", "list", "event", false) ? SiteKind::list : SiteKind::event;
    keys.text("file", site.place.file);
    keys.number("line", site.place.line);
    keys.number("column", site.place.column);
    keys.finish();
    return site;
}

PlannedTarget read_target(const toml::table &table, json::Problem &problem) {
    PlannedTarget target;
    Keys keys(table, problem);
    keys.text("function", target.function, true);
    keys.text("context", target.context);
    keys.number("context_offset", target.context_offset);
    keys.number("ordinal", target.ordinal);
    keys.finish();
    return target;
}

void read_targets(Keys &keys, Decision &decision, json::Problem &problem) {
    const toml::node *node = keys.find("targets", false);
    if (node == nullptr)
        return;
    const toml::array *targets = node->as_array();
    if (targets == nullptr || targets->size() > max_targets)
        return keys.complain(*node, "targets", "is not a list");
    for (const toml::node &entry : *targets) {
        const toml::table *table = entry.as_table();
        if (table == nullptr)
            return keys.complain(entry, "targets", "has an entry that is not { function = ... }");
        decision.targets.push_back(read_target(*table, problem));
    }
}

Decision read_decision(const toml::table &table, json::Problem &problem) {
    Decision decision;
    Keys keys(table, problem);
    keys.number("id", decision.id, true);
    decision.kind = keys.either("kind", "merge", "subsume", true) ? DecisionKind::merge : DecisionKind::subsume;
    decision.verdict = keys.either("verdict", "apply", "refuse", true) ? Verdict::apply : Verdict::refuse;
    keys.text("event", decision.event);
    if (const toml::node *site = keys.find("site", true); site != nullptr) {
        if (const toml::table *fields = site->as_table(); fields != nullptr)
            decision.site = read_site(*fields, problem);
        else
            keys.complain(*site, "site", "is not { function = ..., ordinal = ... }");
    }
    read_targets(keys, decision, problem);
    keys.number("parent", decision.parent);
    keys.number("position", decision.position);
    keys.flag("chain", decision.chain);
    keys.number("alternative", decision.alternative);
    keys.number("weight", decision.weight);
    keys.decimal("share", decision.share);
    keys.decimal("predicted_gain_ns", decision.predicted_gain_ns);
    keys.decimal("predicted_gain_total_ms", decision.predicted_gain_total_ms);
    keys.number("growth_instructions", decision.growth_instructions);
    keys.text("guard", decision.guard);
    keys.text("reason", decision.reason);
    keys.text("refusal", decision.refusal);
    keys.finish();
    return decision;
}

void read_decisions(Keys &keys, Plan &plan, json::Problem &problem) {
    const toml::node *node = keys.find("decision", false);
    if (node == nullptr)
        return;
    const toml::array *decisions = node->as_array();
    if (decisions == nullptr)
        return keys.complain(*node, "decision", "is not a list: write [[decision]]");
    for (const toml::node &entry : *decisions) {
        const toml::table *table = entry.as_table();
        if (table == nullptr)
            return keys.complain(entry, "decision", "is not a table: write [[decision]]");
        plan.decisions.push_back(read_decision(*table, problem));
        if (problem.any())
            return;
    }
}

Result<Plan> from_table(const toml::table &table) {
    json::Problem problem;
    Keys keys(table, problem);
    std::string format;
    uint32_t version = 0;
    keys.text("format", format, true);
    keys.number("version", version, true);
    if (!problem.any() && format != "thalweg-plan")
        problem.add(fmt::format("it is a \"{}\"", format));
    if (!problem.any() && version != Plan::version)
        problem.add(
            fmt::format("version {}, this tool reads version {}: run `thalweg plan` again", version, Plan::version));
    Plan plan;
    keys.text("program", plan.program);
    keys.text("build_id", plan.build_id);
    if (!problem.any())
        read_decisions(keys, plan, problem);
    keys.finish();
    if (problem.any())
        return fail(ErrorCode::does_not_fit, "not a usable plan: {}", problem.text());
    if (Status valid = validate(plan); !valid)
        return valid.error();
    return plan;
}

}  // namespace

Result<Plan> read_plan(const std::string &text) {
    TextShape toml_shape{.hash_comments = true, .literal_strings = true, .dotted_keys = false};
    if (std::string problem = wrong_shape(text, toml_shape); !problem.empty())
        return fail(ErrorCode::does_not_fit, "not a plan: {}", problem);
    try {
        return from_table(toml::parse(text));
    } catch (const toml::parse_error &error) {
        return fail(ErrorCode::does_not_fit, "not a plan: line {}, column {}: {}", error.source().begin.line,
                    error.source().begin.column, error.description());
    }
}

}  // namespace thalweg::model
