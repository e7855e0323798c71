// plan: which dispatches become straight lines, which nested ones are taken in, and why the others are not.
#include "plan/event.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "abi/raw_format.h"
#include "base/words.h"
#include "model/limits.h"
#include "plan/event_shapes.h"
#include "plan/event_words.h"

namespace thalweg::plan {

using model::Decision;
using model::DecisionKind;
using model::Nesting;
using model::none;
using model::Profile;
using model::RaiseMode;
using model::RefusalKind;
using model::SiteKind;
using model::Symbol;
using model::Verdict;

namespace {

struct Placed;

// A decision that may come into the plan. Small, for there may be many: names are looked up when it is placed.
struct Candidate {
    At at;
    const Shape *shape = nullptr;
    double share = 0;
    uint64_t weight = 0;
    uint64_t error = 0;
    uint32_t alternative = 0;
    const Placed *parent = nullptr;
    uint32_t position = 0;
    bool chain = false;
    RaiseMode mode = RaiseMode::sync;
    uint64_t arrival = 0;
};

struct Placed {
    Candidate from;
    Decision decision;
    size_t depth = 0;
    const Placed *root = nullptr;
};

// By falling weight, then by the site's key and whatever else tells two apart.
class LessUrgent {
  public:
    explicit LessUrgent(const Profile &profile) : profile_(profile) {}

    auto key(const Candidate &c) const {
        const model::Site &site = profile_.sites[c.at.first];
        return std::tuple(std::string_view(site.function), site.ordinal,
                          std::string_view(profile_.events[c.at.second].name), c.alternative,
                          c.parent == nullptr ? 0 : c.parent->decision.id, c.position, c.arrival);
    }

    bool operator()(const Candidate &a, const Candidate &b) const {
        if (a.weight != b.weight)
            return a.weight < b.weight;
        return key(a) > key(b);
    }

  private:
    const Profile &profile_;
};

using Place = std::tuple<At, uint32_t, uint32_t>;  // position, function

class Planner {
  public:
    Planner(const Profile &profile, const model::Graphs &graphs, const CostTable &costs, const Bounds &bounds)
        : profile_(profile), graphs_(graphs), costs_(costs), bounds_(bounds), dispatches_(dispatches_of(profile)),
          queue_(LessUrgent(profile)) {
        for (const model::Site &site : profile.sites)
            if (model::is_of_handlers(site.kind))
                bodies_[{site.function, site.ordinal}].insert(site.body_hash);
        for (const auto &[at, here] : dispatches_)
            place_of_event_.try_emplace(at.second, at);
        for (const model::Subsumption &subsumption : graphs.subsumptions)
            subsumptions_[subsumption.nesting] = &subsumption;
        sort_nestings();
        program_instructions_ = profile.instructions;
        for (const Symbol &symbol : profile.symbols)
            if (profile.instructions == 0 && symbol.is_function)
                program_instructions_ = saturating_add(program_instructions_, symbol.instructions);
    }

    model::Plan plan() {
        for (const auto &[at, here] : dispatches_)
            offer({.at = at, .weight = here.count});
        while (!queue_.empty() && placed_.size() < max_decisions && text_bytes_ < max_plan_text_bytes) {
            const Candidate next = queue_.top();
            queue_.pop();
            place(next);
        }
        if (!queue_.empty())
            place_last();
        return finished();
    }

  private:
    // ---- candidates ----

    void sort_nestings() {
        for (uint32_t i = 0; i < profile_.nestings.size(); ++i) {
            const Nesting &n = profile_.nestings[i];
            if (n.count > 0)
                nestings_[{At{n.parent_site, n.parent_event}, n.position, n.handler}].push_back(i);
        }
        for (auto &[place, nestings] : nestings_) {
            std::sort(nestings.begin(), nestings.end(), [&](uint32_t a, uint32_t b) {
                const uint64_t of_a = profile_.nestings[a].count, of_b = profile_.nestings[b].count;
                return of_a != of_b ? of_a > of_b : a < b;
            });
            if (nestings.size() > max_nestings_at_place)
                nestings.resize(max_nestings_at_place);
        }
    }

    // The shapes of `all.at` that may become decisions: the first in any case, the others when they are frequent enough.
    // `all.weight` is what ran of all of them together.
    void offer(const Candidate &all) {
        const auto found = dispatches_.find(all.at);
        if (found == dispatches_.end())
            return;
        const Dispatches &here = found->second;
        for (size_t i = 0; i < here.shapes.size() && i < max_alternatives; ++i) {
            Candidate candidate = all;
            candidate.shape = &here.shapes[i];
            candidate.share = static_cast<double>(here.shapes[i].count) / static_cast<double>(here.count);
            candidate.weight = part_of(all.weight, here.shapes[i].count, here.count);
            candidate.error = all.parent == nullptr ? here.shapes[i].error : all.error;
            candidate.alternative = static_cast<uint32_t>(i);
            if (i > 0 && (candidate.share < bounds_.min_share || all.mode != RaiseMode::sync))
                return;
            push(candidate);
        }
    }

    void push(Candidate candidate) {
        candidate.arrival = ++arrivals_;
        if (queue_.size() < max_waiting)
            queue_.push(candidate);
    }

    static uint64_t part_of(uint64_t whole, uint64_t part, uint64_t all) {
        if (all == 0)
            return 0;
        const auto exact = static_cast<unsigned __int128>(whole) * part / all;
        return exact > model::max_count ? model::max_count : static_cast<uint64_t>(exact);
    }

    // What the handlers of a line raise themselves becomes a candidate of its own.
    void offer_children(const Placed &parent) {
        const Shape &shape = *parent.from.shape;
        for (uint32_t i = 0; i < shape.targets.size(); ++i) {
            const auto found = nestings_.find({parent.from.at, i, shape.targets[i].function});
            if (found == nestings_.end())
                continue;
            for (uint32_t nesting : found->second)
                offer_child(parent, i, nesting);
        }
    }

    void offer_child(const Placed &parent, uint32_t position, uint32_t nesting) {
        const Nesting &n = profile_.nestings[nesting];
        Candidate child{
            .at = {n.child_site, n.child_event}, .weight = n.count, .parent = &parent, .position = position};
        child.mode = n.mode;
        child.error = n.error;
        if (const auto found = subsumptions_.find(nesting); found != subsumptions_.end()) {
            child.chain = found->second->chain;
            if (found->second->parent_activations > 0)
                child.weight = part_of(parent.from.weight, n.count, found->second->parent_activations);
        }
        offer(child);
    }

    // Where the event graph leads on asynchronously, the paper's chain ends (section 3.2.1): said once for each edge.
    void offer_asynchronous_edges(const Placed &parent) {
        const uint32_t event = parent.from.at.second;
        if (!edges_told_.insert(event).second)
            return;
        const model::Edge first{.from = event, .to = 0, .mode = RaiseMode::sync, .weight = 0};
        auto edge = std::lower_bound(graphs_.reduced.edges.begin(), graphs_.reduced.edges.end(), first);
        for (; edge != graphs_.reduced.edges.end() && edge->from == event; ++edge) {
            const bool late = edge->mode == RaiseMode::async || edge->mode == RaiseMode::timed;
            const auto to = place_of_event_.find(edge->to);
            if (late && to != place_of_event_.end())
                offer({.at = to->second,
                       .weight = edge->weight,
                       .error = edge->error,
                       .parent = &parent,
                       .mode = edge->mode});
        }
    }

    Decision decision_of(const Candidate &candidate) const {
        Decision decision;
        decision.event = profile_.events[candidate.at.second].name;
        decision.site = profile_.sites[candidate.at.first];
        decision.parent = candidate.parent == nullptr ? 0 : candidate.parent->decision.id;
        decision.alternative = candidate.alternative;
        decision.weight = candidate.weight;
        decision.weight_error = candidate.error;
        decision.share = std::min(1.0, std::round(candidate.share * 1e6) / 1e6);
        std::vector<model::PlannedTarget> targets;
        for (const model::Target &target : candidate.shape->targets) {
            model::PlannedTarget &planned = targets.emplace_back();
            planned.ordinal = target.ordinal;
            if (target.function != none)
                planned.function = profile_.symbols[target.function].name;
            if (target.context == none)
                continue;
            planned.context = profile_.symbols[target.context].name;
            planned.context_offset = target.context_offset;
        }
        if (candidate.parent == nullptr)
            decision.work = model::Merge{std::move(targets)};
        else
            decision.work = model::Subsume{std::move(targets), candidate.position, candidate.chain};
        return decision;
    }

    // ---- decisions ----

    Placed &put(const Candidate &candidate) {
        Placed &placed = placed_.emplace_back(Placed{candidate, decision_of(candidate)});
        placed.decision.id = static_cast<uint32_t>(placed_.size());
        placed.depth = candidate.parent == nullptr ? 0 : candidate.parent->depth + 1;
        placed.root = candidate.parent == nullptr ? &placed : candidate.parent->root;
        for (const model::PlannedTarget &target : placed.decision.targets())
            text_bytes_ += target.function.size() + target.context.size();
        text_bytes_ += placed.decision.site.function.size() + placed.decision.event.size();
        return placed;
    }

    void place(const Candidate &candidate) {
        Placed &placed = put(candidate);
        judge(placed);
        if (placed.decision.verdict == Verdict::refuse)
            return;
        ++lines_at_site_[candidate.at.first];
        offer_children(placed);
        if (placed.decision.kind() == DecisionKind::merge)
            offer_asynchronous_edges(placed);
    }

    void judge(Placed &placed) {
        Decision &decision = placed.decision;
        const size_t merged = merged_in(*placed.from.shape);
        const Line line = line_of(placed, merged);
        decision.predicted_gain_ns = rounded(saved_ns(costs_, line));
        decision.growth_instructions = growth(placed);
        decision.guard = guard_words(decision);
        if (const std::optional<Refusal> refusal = refusal_of(placed, line)) {
            refuse(decision, *refusal);
            if (refusal->kind == RefusalKind::too_cold)
                decision.reason += words_of_error(decision, line);
            return;
        }
        decision.reason =
            reason_words(decision, dispatches_.at(placed.from.at), merged) + words_of_error(decision, line);
        growth_ = saturating_add(growth_, decision.growth_instructions);
        if (decision.kind() == DecisionKind::subsume)
            roots_with_children_.insert(placed.root);
    }

    static void refuse(Decision &decision, const Refusal &refusal) {
        model::refuse(decision, refusal.kind, refusal.reason);
        // A target without a name cannot stand in a plan.
        const auto has_no_name = [](const model::PlannedTarget &target) { return target.function.empty(); };
        if (auto *merge = std::get_if<model::Merge>(&decision.work))
            std::erase_if(merge->targets, has_no_name);
        else
            std::erase_if(std::get<model::Subsume>(decision.work).targets, has_no_name);
    }

    bool can_be_merged(uint32_t function) const {
        if (function == none)
            return false;
        const Symbol &symbol = profile_.symbols[function];
        return symbol.has_body && symbol.instructions <= model::large_handler_instructions;
    }

    size_t merged_in(const Shape &shape) const {
        return static_cast<size_t>(
            std::count_if(shape.targets.begin(), shape.targets.end(),
                          [&](const model::Target &target) { return can_be_merged(target.function); }));
    }

    static Line line_of(const Placed &placed, size_t merged) {
        return {.targets = placed.from.shape->targets.size(),
                .merged = merged,
                .path_word = placed.decision.site.kind == SiteKind::event,
                .subsumed = placed.decision.kind() == DecisionKind::subsume};
    }

    static uint32_t narrow(uint64_t value) { return static_cast<uint32_t>(std::min<uint64_t>(value, UINT32_MAX)); }

    // The first decision that is taken into a line makes the line stand there twice: with and without it (the paper's
    // Figure 14: what was not rebound keeps its fast code).
    uint32_t growth(const Placed &placed) const {
        uint64_t sum = 0;
        for (const model::Target &target : placed.from.shape->targets) {
            sum += target_overhead_instructions;
            if (can_be_merged(target.function))
                sum += profile_.symbols[target.function].instructions;
        }
        if (placed.root != &placed && !roots_with_children_.contains(placed.root))
            sum += placed.root->decision.growth_instructions;
        return narrow(sum);
    }

    // ---- refusals: the first row that has an answer ----

    std::optional<Refusal> refusal_of(const Placed &placed, const Line &line) {
        using Row = std::optional<Refusal> (Planner::*)(const Placed &, const Line &) const;
        static constexpr Row rows[] = {&Planner::late_edge,     &Planner::recursive,    &Planner::closed_parent,
                                       &Planner::no_handlers,   &Planner::one_function, &Planner::truncated,
                                       &Planner::unpredictable, &Planner::unknown_code, &Planner::body_changed,
                                       &Planner::rebinds,       &Planner::too_cold,     &Planner::too_many,
                                       &Planner::too_large};
        for (Row row : rows)
            if (std::optional<Refusal> refusal = (this->*row)(placed, line))
                return refusal;
        return {};
    }

    std::optional<Refusal> late_edge(const Placed &placed, const Line &) const {
        if (placed.from.mode == RaiseMode::sync)
            return {};
        const bool timed = placed.from.mode == RaiseMode::timed;
        const std::string &child = placed.decision.event;
        const std::string &parent = placed.from.parent->decision.event;
        return Refusal{
            timed ? RefusalKind::timed_edge : RefusalKind::asynchronous_edge,
            fmt::format("{} came right after {} {}, but was raised {}: when it runs is not for {} to say, so "
                        "it is not merged into it.",
                        child, parent, times(placed.decision.weight, placed.decision.weight_error),
                        timed ? "with a delay" : "asynchronously", parent)};
    }

    std::optional<Refusal> recursive(const Placed &placed, const Line &) const {
        for (const Placed *at = placed.from.parent; at != nullptr; at = at->from.parent)
            if (at->from.at == placed.from.at)
                return Refusal{RefusalKind::recursive,
                               fmt::format("{} is raised again while decision {} handles it; it is taken in once.",
                                           placed.decision.event, at->decision.id)};
        if (placed.depth > max_nesting)
            return Refusal{
                RefusalKind::recursive,
                fmt::format("raised {} events deep, at most {} are taken into one line.", placed.depth, max_nesting)};
        return {};
    }

    std::optional<Refusal> closed_parent(const Placed &placed, const Line &) const {
        if (placed.from.parent == nullptr)
            return {};
        const model::Target &handler = placed.from.parent->from.shape->targets[placed.from.position];
        if (can_be_merged(handler.function))
            return {};
        const Symbol &symbol = profile_.symbols[handler.function];
        const std::string why = symbol.has_body ? fmt::format("has {} instructions, {} are merged at most",
                                                              symbol.instructions, model::large_handler_instructions)
                                                : std::string("has no body in this program");
        return Refusal{
            symbol.has_body ? RefusalKind::too_large : RefusalKind::opaque_code,
            fmt::format("the handler that raises it, {}, {}: the raise inside cannot be reached.", symbol.name, why)};
    }

    std::optional<Refusal> no_handlers(const Placed &placed, const Line &) const {
        if (!placed.from.shape->targets.empty())
            return {};
        return Refusal{RefusalKind::no_handlers,
                       fmt::format("in {} of the dispatches no handler was bound: there is nothing to merge.",
                                   percent(placed.decision.share))};
    }

    // A loop that calls one function again and again is no list of handlers. Where there are counts LLVM's promotion has made the call direct, and a line
    // with as many copies as there were rounds tests for more (libwebp's 16 calls of VP8LFastSLog2, under a condition: 4.9 % more instructions; libuv's 32
    // of uv__poll_io with its one loop: none less, and 41 % more where 24 were ready, which are gone without the line).
    std::optional<Refusal> one_function(const Placed &placed, const Line &) const {
        const std::vector<model::Target> &own = placed.from.shape->targets;
        if (placed.decision.site.kind != SiteKind::list || profile_.counts.empty() || own.size() < 2 ||
            own.front().function == none)
            return {};
        const auto what_runs = [](const model::Target &one) {
            return std::tuple(one.function, one.context, one.context == none ? 0 : one.context_offset);
        };
        for (const Shape &shape : dispatches_.at(placed.from.at).shapes)
            if (std::ranges::any_of(shape.targets,
                                    [&](const model::Target &one) { return what_runs(one) != what_runs(own.front()); }))
                return {};
        return Refusal{
            RefusalKind::one_function,
            fmt::format("each call of this loop is of {}{}: that is no list, and LLVM makes such a call direct "
                        "by the counts.",
                        profile_.symbols[own.front().function].name,
                        own.front().context == none ? "" : " with the same context")};
    }

    std::optional<Refusal> truncated(const Placed &placed, const Line &) const {
        if (!placed.from.shape->truncated)
            return {};
        return Refusal{RefusalKind::truncated,
                       fmt::format("more handlers ran than the recorder keeps; only the first {} are known.",
                                   placed.from.shape->targets.size())};
    }

    std::optional<Refusal> unpredictable(const Placed &placed, const Line &line) const {
        const double share = placed.decision.share;
        const size_t shapes = dispatches_.at(placed.from.at).shapes.size();
        if (share < bounds_.min_share)
            return Refusal{RefusalKind::unpredictable,
                           fmt::format("the most frequent of {} orders ran in {} of the dispatches, less than "
                                       "{}.",
                                       shapes, percent(share), percent(bounds_.min_share))};
        const double saved = share * saved_ns(costs_, line), lost = (1 - share) * missed_ns(costs_, line);
        if (saved > lost)
            return {};
        return Refusal{RefusalKind::unpredictable,
                       fmt::format("it would save {:.2f} ns a dispatch, and its test would cost the others "
                                   "{:.2f} ns.",
                                   saved, lost)};
    }

    std::optional<Refusal> unknown_code(const Placed &placed, const Line &) const {
        for (size_t i = 0; i < placed.from.shape->targets.size(); ++i)
            if (placed.from.shape->targets[i].function == none)
                return Refusal{RefusalKind::opaque_code,
                               fmt::format("handler {} is no function of this program (a library's, or made "
                                           "while it ran): there is nothing to compare its address with.",
                                           i + 1)};
        return {};
    }

    std::optional<Refusal> body_changed(const Placed &placed, const Line &) const {
        const model::Site &site = placed.decision.site;
        if (bodies_.at({site.function, site.ordinal}).size() == 1)
            return {};
        return Refusal{RefusalKind::body_changed,
                       fmt::format("{} was recorded with different bodies, so the profile is of several builds: "
                                   "record again.",
                                   site.function)};
    }

    std::optional<Refusal> rebinds(const Placed &placed, const Line &) const {
        const model::Event &event = profile_.events[placed.from.at.second];
        const double allowed = max_changes_a_raise * static_cast<double>(event.raises);
        if (static_cast<double>(event.binding_changes) <= allowed)
            return {};
        return Refusal{
            RefusalKind::handler_rebinds,
            fmt::format("its bindings changed {} in {} raises, more than once in ten: comparing them with the "
                        "path each time would cost more than the path saves.",
                        thalweg::times(event.binding_changes), counted(event.raises, event.error))};
    }

    std::optional<Refusal> too_cold(const Placed &placed, const Line &line) const {
        return too_cold(placed.decision, line);
    }

    // Whether the verdict would be the other one, were the weight at an end of its error.
    std::string words_of_error(const Decision &decision, const Line &line) const {
        Decision least = decision, most = decision;
        least.weight -= std::min(least.weight, decision.weight_error);
        most.weight = saturating_add(most.weight, decision.weight_error);
        if (too_cold(least, line).has_value() == too_cold(most, line).has_value())
            return "";
        if (decision.weight_error == model::unknown_error)
            return " That count is an estimate, of which nobody said how far it may be off: a recording with --exact "
                   "may turn this verdict.";
        return fmt::format(" That count is an estimate and may be off by {}, which would turn this verdict: a "
                           "recording with --exact counts all.",
                           decision.weight_error);
    }

    std::optional<Refusal> too_cold(const Decision &decision, const Line &line) const {
        if (decision.weight < bounds_.eta)
            return Refusal{
                RefusalKind::too_cold,
                fmt::format("it ran {}, eta is {}.", times(decision.weight, decision.weight_error), bounds_.eta)};
        const double saved = static_cast<double>(decision.weight) * saved_ns(costs_, line);
        const double load = decision.growth_instructions * costs_.first_use_ns;
        if (saved > load)
            return {};
        return Refusal{RefusalKind::too_cold,
                       fmt::format("it ran {} and would save {:.2f} us; loading its {} costs {:.2f} us.",
                                   times(decision.weight, decision.weight_error), saved / 1000,
                                   plural(decision.growth_instructions, "instruction"), load / 1000)};
    }

    std::optional<Refusal> too_many(const Placed &placed, const Line &) const {
        const auto lines = lines_at_site_.find(placed.from.at.first);
        if (placed.from.parent != nullptr || lines == lines_at_site_.end() || lines->second < max_alternatives_at_site)
            return {};
        return Refusal{RefusalKind::too_large,
                       fmt::format("{} lines are made at this place already, heavier ones.", lines->second)};
    }

    std::optional<Refusal> too_large(const Placed &placed, const Line &) const {
        if (placed.from.shape->targets.size() > raw::targets_per_sequence)
            return Refusal{RefusalKind::too_large,
                           fmt::format("{} handlers in a row, a straight line of at most {} is made.",
                                       placed.from.shape->targets.size(), raw::targets_per_sequence)};
        const uint64_t allowed = allowed_growth(program_instructions_, bounds_);
        const uint64_t grown = saturating_add(growth_, placed.decision.growth_instructions);
        if (grown <= allowed)
            return {};
        const char *counted = profile_.instructions != 0 ? "in the program"
                                                         : "in its handlers; how large the program is was not recorded";
        return Refusal{RefusalKind::too_large,
                       fmt::format("it would add {} instructions to {} of heavier decisions; the bound is {} ({} {}).",
                                   placed.decision.growth_instructions, growth_, allowed, program_instructions_,
                                   counted)};
    }

    // ---- the end ----

    void place_last() {
        const size_t left_out = queue_.size() - 1;
        Placed &last = put(queue_.top());
        refuse(last.decision, {RefusalKind::too_large,
                               fmt::format("the plan has {} decisions already; this one and {} lighter ones are "
                                           "left out.",
                                           placed_.size() - 1, left_out)});
    }

    // For each event at a site, the part of its dispatches that no other line takes in. A line that itself is always taken
    // in takes nothing from others, so this is computed in rounds; the rounds of a ring of events swing about their mean.
    std::map<At, double> left_over() const {
        std::map<At, double> left, before;
        for (size_t round = 0; round <= max_nesting; ++round) {
            before = std::exchange(left, {});
            for (const Placed &placed : placed_) {
                const bool taken_in =
                    placed.decision.kind() == DecisionKind::subsume && placed.decision.verdict == Verdict::apply;
                double &rest = left.try_emplace(placed.from.at, 1.0).first->second;
                const auto root = before.find(placed.root->from.at);
                if (taken_in)
                    rest -= (root == before.end() ? 1 : root->second) * static_cast<double>(placed.decision.weight) /
                            static_cast<double>(dispatches_.at(placed.from.at).count);
            }
            for (auto &[at, rest] : left)
                rest = std::clamp(rest, 0.0, 1.0);
        }
        for (auto &[at, rest] : left)
            rest = (rest + before.at(at)) / 2;
        return left;
    }

    // A line serves the dispatches that no other takes in, and all of them after a guard failed there.
    void count_what_is_left(Decision &decision, double left) const {
        if (decision.verdict == Verdict::refuse)
            return;
        const auto weight = static_cast<double>(decision.weight);
        decision.predicted_gain_total_ms = rounded(weight * left * decision.predicted_gain_ns / 1e6);
        const auto elsewhere = static_cast<uint64_t>(weight * (1 - left));
        if (decision.kind() == DecisionKind::merge && elsewhere > 0)
            decision.reason +=
                fmt::format(" {} of them are taken into other super-handlers; this one serves the others, and "
                            "all when a guard there fails.",
                            elsewhere);
    }

    model::Plan finished() {
        model::Plan plan{.program = profile_.program, .build_id = profile_.build_id, .decisions = {}};
        const std::map<At, double> left = left_over();
        for (Placed &placed : placed_)
            count_what_is_left(placed.decision, left.at(placed.root->from.at));
        for (Placed &placed : placed_)
            plan.decisions.push_back(std::move(placed.decision));
        return plan;
    }

    const Profile &profile_;
    const model::Graphs &graphs_;
    const CostTable &costs_;
    const Bounds &bounds_;
    AllDispatches dispatches_;
    std::map<std::pair<std::string, uint32_t>, std::set<uint64_t>> bodies_;
    std::map<uint32_t, At> place_of_event_;
    std::map<uint32_t, const model::Subsumption *> subsumptions_;  // by nesting
    std::map<Place, std::vector<uint32_t>> nestings_;  // the most frequent first
    std::set<const Placed *> roots_with_children_;
    std::map<uint32_t, size_t> lines_at_site_;
    std::set<uint32_t> edges_told_;
    std::priority_queue<Candidate, std::vector<Candidate>, LessUrgent> queue_;
    std::deque<Placed> placed_;
    size_t text_bytes_ = 0;
    uint64_t arrivals_ = 0;
    uint64_t growth_ = 0;
    uint64_t program_instructions_ = 0;
};

}  // namespace

model::Plan plan_events(const Profile &profile, const model::Graphs &graphs, const CostTable &costs,
                        const Bounds &bounds) {
    return Planner(profile, graphs, costs, bounds).plan();
}

uint64_t allowed_growth(uint64_t program_instructions, const Bounds &bounds) {
    const double share = bounds.max_growth_percent.value_or(default_max_growth_percent) / 100;
    const auto bounded = static_cast<uint64_t>(
        std::clamp(static_cast<double>(program_instructions) * share, 0.0, static_cast<double>(1ull << 62)));
    const uint64_t all = bounds.max_growth_percent ? bounded : std::max(bounded, always_allowed_growth);
    return all - std::min(all, bounds.reserved);
}

uint64_t growth_of(const model::Plan &plan) {
    uint64_t growth = 0;
    std::set<uint32_t> layers;  // that apply
    for (const Decision &decision : plan.decisions) {
        if (decision.verdict != Verdict::apply)
            continue;
        // A layer inside another is made only where that one isn't, and grows in its place.
        if (!layers.contains(decision.parent))
            growth = saturating_add(growth, decision.growth_instructions);
        if (decision.kind() == DecisionKind::specialize)
            layers.insert(decision.id);
    }
    return growth;
}

}  // namespace thalweg::plan
