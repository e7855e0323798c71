// plan: which functions become code for the values that their generic places kept to, and why the others do not.
#include "plan/layer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "base/words.h"
#include "plan/event_words.h"
#include "plan/layer_flow.h"
#include "plan/wait_words.h"

namespace thalweg::plan {

using model::Decision;
using model::FactKind;
using model::none;
using model::NotedFact;
using model::Profile;
using model::ProfiledFunction;
using model::RefusalKind;
using model::Steers;
using model::Verdict;

namespace {

// A branch on an argument is as often on data as on what the layer is set up for.
bool steers_generic_code(const NotedFact &fact) {
    return fact.steers != Steers::branch || fact.kind != FactKind::argument;
}

// The value that is meant, whichever call led to its function.
using PlaceKey = std::tuple<uint32_t, FactKind, uint32_t>;
PlaceKey place_of(const NotedFact &fact) { return {fact.function, fact.kind, fact.ordinal}; }

// The functions that one root leads to, and what is known of them.
struct Reach {
    std::vector<uint32_t> functions;
    std::map<uint32_t, double> parts;  // of their entries, to which the root led
    std::vector<const NotedFact *> facts;  // those that hold
    size_t places = 0;  // of these, each once whichever calls lead there
    size_t generic = 0;  // places that steer a switch or a call through a pointer, or loads that steer a branch
    size_t varying = 0;  // of these
    uint64_t instructions = 0;
    double saved_ns = 0;  // in the whole run, where the root led there
    // What its layers save, whoever led there, so that a caller comes before them; without the root's own arguments, which are known
    // because it is one.
    double ranked_ns = 0;
};

class LayerPlanner {
  public:
    LayerPlanner(const Profile &profile, const CostTable &costs, const Bounds &bounds, model::Plan &plan)
        : profile_(profile), costs_(costs), bounds_(bounds), plan_(plan), wait_words_(profile),
          facts_of_(profile.functions.size()), callers_of_(profile.functions.size()), flow_(profile),
          growth_of_others_(growth_of(plan)), growth_(growth_of_others_) {
        for (uint32_t i = 0; i < profile.functions.size(); ++i)
            by_name_.try_emplace(profile.functions[i].body.name, i);
        for (const model::FunctionCounts &one : profile.counts) {
            uint64_t &rounds = rounds_by_name_[own_name(one.name)];
            for (const uint64_t count : one.counts)
                rounds = std::max(rounds, count);
        }
        for (const NotedFact &fact : profile.facts)
            if (!fact.call)
                facts_of_[fact.function].push_back(&fact);
        for (const NotedFact &fact : profile.facts)
            if (fact.call)
                facts_by_call_[place_of(fact)].push_back(&fact);
        for (uint32_t i = 0; i < profile.functions.size(); ++i) {
            callees_of_.push_back(callees_of(i));
            for (uint32_t callee : callees_of_.back())
                callers_of_[callee].insert(i);
        }
        for (const Decision &decision : plan.decisions)
            next_id_ = std::max(next_id_, decision.id + 1);
    }

    void run() {
        std::vector<Candidate> candidates;
        for (uint32_t i = 0; i < profile_.functions.size(); ++i)
            if (profile_.functions[i].entries > 0)
                if (Reach reach = reach_of(i); reach.generic > 0)
                    candidates.push_back({i, std::move(reach)});
        std::set<uint32_t> outer;
        for (const Candidate &candidate : candidates)
            if (!too_large(candidate.reach) && !runs_the_loop(profile_.functions[candidate.root]))
                outer.insert(candidate.root);
        // What no other root leads to comes first, by what is saved there; then, a caller saves at least what its layers save.
        const auto order = [&](const Candidate &c) {
            const ProfiledFunction &root = profile_.functions[c.root];
            const double inside = flow_.led_by(c.root, [&](uint32_t caller) { return outer.contains(caller); });
            return std::tuple(too_large(c.reach), runs_the_loop(root), -c.reach.saved_ns * std::max(0.0, 1 - inside),
                              -c.reach.ranked_ns, root.entries, std::string_view(root.body.name), c.root);
        };
        std::sort(candidates.begin(), candidates.end(),
                  [&](const Candidate &a, const Candidate &b) { return order(a) < order(b); });
        for (const Candidate &candidate : candidates)
            if (plan_.decisions.size() < max_decisions && !is_covered(candidate.root) &&
                !is_for_later(candidate.root, candidate.reach) && !decided_.contains(candidate.root))
                decide_from_outside(candidate.root, candidate.reach);
        decide_what_is_inside();
        for (const Candidate &candidate : candidates)
            if (plan_.decisions.size() < max_decisions && lacks_room_beside(candidate.root, candidate.reach))
                decide(candidate.root, candidate.reach);
        put_loops_around(candidates);
        share_out_growth();
    }

  private:
    struct Candidate {
        uint32_t root;
        Reach reach;
    };

    // LLVM's names of local functions have their file in front, as link-time optimisation makes nearly all: "ld-temp.o;encode".
    static std::string own_name(const std::string &counted) { return counted.substr(counted.rfind(';') + 1); }

    // Whom it calls directly, and through pointers that kept to a few functions.
    std::set<uint32_t> callees_of(uint32_t function) const {
        const std::vector<uint32_t> &direct = profile_.functions[function].body.calls;
        std::set<uint32_t> callees(direct.begin(), direct.end());
        for (const NotedFact *fact : facts_of_[function])
            for (const model::NotedValue &value : fact->values)
                if (value.symbol != none && value.bits == 0)
                    if (const auto found = by_name_.find(profile_.symbols[value.symbol].name); found != by_name_.end())
                        callees.insert(found->second);
        return callees;
    }

    // A number that only a branch tests is a fact when it is a flag, a status or null, or was always the same; a length is not.
    static bool holds(const NotedFact &fact, bool is_root) {
        if (fact.varies || fact.values.empty() || (fact.kind == FactKind::argument && !is_root) ||
            std::any_of(fact.values.begin(), fact.values.end(), is_address_of_that_run))
            return false;
        const bool is_constant = fact.kind == FactKind::load && fact.values.size() == 1 &&
                                 fact.values.front().count >= min_notes_of_constant;
        return fact.steers != Steers::branch || is_constant ||
               std::all_of(fact.values.begin(), fact.values.end(), [](const model::NotedValue &value) {
                   return value.symbol != none || value.bits <= largest_flag;
               });
    }

    // A number that was an address: kept as an integer, with a bit of its own perhaps. The next run has others.
    static bool is_address_of_that_run(const model::NotedValue &value) {
        return value.symbol == none && value.bits >= first_random_address && value.bits < end_of_addresses;
    }

    // How many values are compared until the right one is found, on average.
    static double tests_of(const NotedFact &fact) {
        std::vector<uint64_t> counts;
        for (const model::NotedValue &value : fact.values)
            counts.push_back(value.count);
        std::sort(counts.rbegin(), counts.rend());
        double tests = 0;
        double all = 0;
        for (size_t i = 0; i < counts.size(); ++i) {
            tests += static_cast<double>(i + 1) * static_cast<double>(counts[i]);
            all += static_cast<double>(counts[i]);
        }
        return all == 0 ? 1 : tests / all;
    }

    // What is decided each time that the function is entered, less a test for each time that the root is: what the root has tested
    // stays known behind it.
    double saved_by(const NotedFact &fact, uint32_t root, double part) const {
        const bool is_of_symbols = std::all_of(fact.values.begin(), fact.values.end(),
                                               [](const model::NotedValue &value) { return value.symbol != none; });
        double once = costs_.decided_branch_ns;
        if (fact.steers == Steers::call)
            once = costs_.indirect_call_ns + costs_.merged_call_ns;
        else if (fact.steers == Steers::choice && is_of_symbols)
            once = costs_.indirect_call_ns;
        once += left_out_by(fact) * costs_.executed_instruction_ns;
        const double entries = entries_of(fact) * part;
        const ProfiledFunction &outside = profile_.functions[root];
        const double tests = runs_the_loop(outside) && fact.kind != FactKind::result
                                 ? entries
                                 : std::min(entries, static_cast<double>(outside.entries));
        return std::max(0.0, once * entries - costs_.slot_guard_ns * tests_of(fact) * tests);
    }

    // Instructions that are not executed any more, beside the branch itself: a place is taken to decide over as much of its function as the others,
    // and to leave out half of it. How much it is where it was counted, the specialiser asks when it has the code.
    double left_out_by(const NotedFact &fact) const {
        const auto instructions = static_cast<double>(profile_.functions[fact.function].body.instructions);
        return instructions / 2 / static_cast<double>(std::max<size_t>(facts_of_[fact.function].size(), 1));
    }

    // A layer leaves in front of it: transform/specializer/calls.cc.
    bool was_never_entered(uint32_t function) const {
        const ProfiledFunction &one = profile_.functions[function];
        return !profile_.counts.empty() && one.entries == 0 && rounds_of(one.body.name) == 0;
    }

    Reach reach_of(uint32_t root) const {
        Reach reach;
        std::set<uint32_t> seen{root};
        reach.functions.push_back(root);
        for (size_t at = 0; at < reach.functions.size(); ++at) {
            const uint32_t function = reach.functions[at];
            reach.instructions += profile_.functions[function].body.instructions;
            for (uint32_t callee : callees_of_[function])
                if (!was_never_entered(callee) && seen.size() < max_functions_reached && seen.insert(callee).second)
                    reach.functions.push_back(callee);
        }
        reach.parts = flow_.parts_of(root, reach.functions);
        for (const uint32_t function : reach.functions)
            for (const NotedFact *fact : facts_of_[function])
                add_place(*fact, root, reach);
        return reach;
    }

    // What holds whichever call led there, and what holds besides where just one did.
    void add_place(const NotedFact &fact, uint32_t root, Reach &reach) const {
        const bool holds_always = holds(fact, fact.function == root);
        const double part = reach.parts.at(fact.function);
        double saved = 0;
        double ranked = 0;
        if (holds_always) {
            reach.facts.push_back(&fact);
            saved = saved_by(fact, root, part);
            ranked = saved_by(fact, root, 1);
        }
        size_t of_calls = 0;
        if (const auto found = facts_by_call_.find(place_of(fact)); found != facts_by_call_.end())
            for (const NotedFact *by_call : found->second) {
                const bool says_more = !holds_always || by_call->values.size() < fact.values.size();
                if (!says_more || !reach.parts.contains(by_call->call->caller) || !holds(*by_call, false))
                    continue;
                ++of_calls;
                reach.facts.push_back(by_call);
                saved += holds_always ? 0 : saved_by(*by_call, root, part);
                ranked += holds_always ? 0 : saved_by(*by_call, root, 1);
            }
        reach.generic += steers_generic_code(fact) ? 1 : 0;
        reach.varying += steers_generic_code(fact) && fact.varies && of_calls == 0 ? 1 : 0;
        reach.places += holds_always || of_calls > 0 ? 1 : 0;
        reach.saved_ns += saved;
        reach.ranked_ns += fact.kind == FactKind::argument ? 0 : ranked;
    }

    // A result steers a loop behind it: as often, at most, as that function's most frequent block was executed. 0: it was not counted.
    uint64_t rounds_of(const std::string &function) const {
        const auto found = rounds_by_name_.find(function);
        return found == rounds_by_name_.end() ? 0 : found->second;
    }

    // How often the place was come to in this way: all entries, or the part of one call. In a loop of a function that is hardly entered that is more
    // often than the function was, and at least as often as it was noted.
    double entries_of(const NotedFact &fact) const {
        const ProfiledFunction &function = profile_.functions[fact.function];
        if (fact.kind == FactKind::result)
            return static_cast<double>(std::max(function.entries, rounds_of(function.body.name)));
        const bool is_in_loop = function.entries != 0 && runs_the_loop(function) && !fact.call;
        const auto entries = static_cast<double>(std::max(function.entries, is_in_loop ? fact.notes : 0));
        if (!fact.call)
            return entries;
        const std::vector<const NotedFact *> &all = facts_of_[fact.function];
        const auto whole = std::find_if(all.begin(), all.end(),
                                        [&](const NotedFact *one) { return place_of(*one) == place_of(fact); });
        if (whole == all.end() || (*whole)->notes == 0)
            return 0;
        return entries * std::min(1.0, static_cast<double>(fact.notes) / static_cast<double>((*whole)->notes));
    }

    // Of a function's entries, the part that is not in layers which are specialised already.
    double left_of(uint32_t function) const {
        const auto inside = inside_others_.find(function);
        return inside == inside_others_.end() ? 1 : std::max(0.0, 1 - inside->second);
    }

    static bool runs_the_loop(const ProfiledFunction &root) { return root.entries < model::min_entries_of_layer; }

    static bool too_large(const Reach &reach) { return reach.instructions > max_layer_instructions; }

    // All its callers are unfolded with it under other roots already.
    bool is_covered(uint32_t function) const {
        const std::set<uint32_t> &callers = callers_of_[function];
        return taken_in_.contains(function) &&
               std::all_of(callers.begin(), callers.end(), [&](uint32_t caller) { return taken_in_.contains(caller); });
    }

    // Who is the only one to call it comes first: it takes the function in. Counts of sampled entries don't tell which of the two is
    // the outer one.
    void decide_from_outside(uint32_t root, const Reach &reach) {
        std::vector<uint32_t> inside_out{root};
        while (inside_out.size() < max_functions_reached) {
            const std::set<uint32_t> &callers = callers_of_[inside_out.back()];
            const uint32_t caller = callers.size() == 1 ? *callers.begin() : inside_out.back();
            if (std::find(inside_out.begin(), inside_out.end(), caller) != inside_out.end() ||
                runs_the_loop(profile_.functions[caller]) || decided_.contains(caller))
                break;
            if (const Reach wider = reach_of(caller); wider.generic == 0 || too_large(wider))
                break;
            inside_out.push_back(caller);
        }
        for (auto at = inside_out.rbegin(); at != inside_out.rend(); ++at)
            if (!is_covered(*at) && (*at == root || plan_.decisions.size() < max_decisions))
                decide(*at, *at == root ? reach : reach_of(*at));
    }

    static uint32_t growth_of_reach(const Reach &reach) {
        return static_cast<uint32_t>(
            std::min<uint64_t>(layer_base_growth + reach.instructions * layer_growth, UINT32_MAX));
    }

    // What is loaded once more is about as much as there is; `growth_of_reach` is what it may come to.
    double load_ns_of(const Reach &reach) const {
        return static_cast<double>(reach.instructions) * costs_.first_use_ns;
    }

    // What each may grow by, so that all together keep to the bound. Room that no decision asked for is for those that turn out larger: how large a
    // layer gets, a table that is walked for instance, only shows when it is made. The specialiser shares the sum of all among them.
    void share_out_growth() {
        const uint64_t allowed = allowed_growth(profile_.instructions, bounds_);
        const auto is_layer = [](const Decision &decision) {
            return is_recorded_layer(decision) && decision.verdict == Verdict::apply;
        };
        double asked = 0;
        for (const Decision &decision : plan_.decisions)
            asked += is_layer(decision) && decision.parent == 0 ? decision.growth_instructions : 0;
        if (asked == 0)
            return;
        const auto room = static_cast<double>(allowed - std::min(allowed, growth_of_others_));
        const double factor = std::min(room / asked, most_times_the_growth);
        for (Decision &decision : plan_.decisions)
            if (is_layer(decision))
                decision.growth_instructions =
                    static_cast<uint32_t>(std::min<double>(decision.growth_instructions * factor, UINT32_MAX));
    }

    bool is_worth_it_alone(const Reach &reach) const { return reach.saved_ns > load_ns_of(reach); }

    // What is left of it outside other layers is worth code of its own.
    bool is_worth_it_beside(uint32_t root, const Reach &reach) const {
        return reach.saved_ns * left_of(root) > load_ns_of(reach);
    }

    // Nearly all its entries are in other layers, or some are and there is no room for it beside them.
    bool is_for_later(uint32_t root, const Reach &reach) const {
        return taken_in_.contains(root) && is_worth_it_alone(reach) &&
               (!is_worth_it_beside(root, reach) || lacks_room(growth_of_reach(reach)));
    }

    // Many that are asked for gain nothing when they are made, and take no room: more are asked for than there is room for all of them.
    uint64_t growth_asked_for() const {
        const uint64_t allowed = allowed_growth(profile_.instructions, bounds_);
        return allowed > UINT64_MAX / most_asked_for ? UINT64_MAX : allowed * most_asked_for;
    }
    bool lacks_room(uint64_t growth) const {
        const uint64_t allowed = allowed_growth(profile_.instructions, bounds_);
        return growth_of_others_ + growth > allowed ||
               (growth_ + growth > growth_asked_for() && growth > allowed / small_part_of_room);
    }

    // It was left for later for want of room, and no layer calls it that it could be made instead of.
    bool lacks_room_beside(uint32_t root, const Reach &reach) const {
        return !decided_.contains(root) && !is_covered(root) && is_for_later(root, reach) &&
               is_worth_it_beside(root, reach);
    }

    // The specialiser may find no end for an outer layer: then those that it calls are made on their own.
    void decide_what_is_inside() {
        for (size_t at = 0; at < plan_.decisions.size(); ++at) {
            const Decision &outer = plan_.decisions[at];
            const auto root = by_name_.find(outer.site.function);
            if (outer.kind() == model::DecisionKind::specialize && outer.verdict == Verdict::apply &&
                root != by_name_.end())
                decide_callees_of(root->second, outer.id);
        }
    }

    void decide_callees_of(uint32_t root, uint32_t decision) {
        for (const uint32_t callee : callees_of_[root]) {
            const Reach reach = reach_of(callee);
            if (plan_.decisions.size() < max_decisions && profile_.functions[callee].entries > 0 && reach.generic > 0 &&
                !too_large(reach) && !decided_.contains(callee) && is_worth_it_alone(reach))
                decide(callee, reach, decision);
        }
    }

    // Around a loop each fact may be tested once instead of in each round. Which is better, the loop with its layers or the layers by themselves, the
    // specialiser tells by what both execute: they become alternatives to it. The smallest function that has the loop comes first.
    void put_loops_around(std::vector<Candidate> &candidates) {
        std::vector<Candidate *> around;
        for (Candidate &candidate : candidates)
            if (runs_the_loop(profile_.functions[candidate.root]) && !too_large(candidate.reach) &&
                decided_.contains(candidate.root) && reaches_what_is_taken(candidate.reach))
                around.push_back(&candidate);
        std::ranges::sort(around, {},
                          [&](const Candidate *one) { return std::pair(one->reach.instructions, one->root); });
        for (const Candidate *one : around)
            put_around(*one);
        number_anew();
    }

    void put_around(const Candidate &candidate) {
        const auto own = std::ranges::find_if(plan_.decisions, [&](const Decision &decision) {
            return is_recorded_layer(decision) &&
                   decision.site.function == profile_.functions[candidate.root].body.name;
        });
        if (own == plan_.decisions.end() || own->refusal != word(RefusalKind::too_cold))
            return;
        std::vector<Decision *> inside;
        for (Decision &decision : plan_.decisions)
            if (&decision != &*own && is_recorded_layer(decision) && decision.verdict == Verdict::apply &&
                decision.parent == 0)
                if (part_of(candidate.reach, decision.site.function) >= least_part_inside)
                    inside.push_back(&decision);
        if (inside.empty())
            return;
        Decision again = *own;
        again.verdict = Verdict::apply;
        again.refusal = again.reason = "";
        refuse(again, candidate.root, candidate.reach, true);
        if (!again.refusal.empty())
            return;
        explain(again, candidate.reach);
        for (Decision *decision : inside) {
            growth_ -= decision->growth_instructions;
            decision->parent = own->id;
        }
        growth_ += again.growth_instructions;
        *own = std::move(again);
    }

    // Of the function's entries, the part that the root led to; 0 of one that it does not lead to, or that the profile does not know.
    double part_of(const Reach &reach, const std::string &function) const {
        const auto number = by_name_.find(function);
        const auto part = number == by_name_.end() ? reach.parts.end() : reach.parts.find(number->second);
        return part == reach.parts.end() ? 0 : part->second;
    }

    static bool is_recorded_layer(const Decision &decision) {
        return decision.kind() == model::DecisionKind::specialize && decision.provenance == model::Provenance::recorded;
    }

    // What holds others comes before them.
    void number_anew() {
        const auto first = std::ranges::find_if(plan_.decisions, is_recorded_layer);
        if (!std::all_of(first, plan_.decisions.end(), is_recorded_layer))
            return;
        std::map<uint32_t, uint32_t> parents;
        for (auto one = first; one != plan_.decisions.end(); ++one)
            parents[one->id] = one->parent;
        const auto depth = [&](const Decision &decision) {
            size_t levels = 0;
            for (uint32_t at = decision.parent; at != 0 && levels < parents.size(); at = parents[at])
                ++levels;
            return levels;
        };
        const uint32_t first_id = first == plan_.decisions.end() ? 0 : first->id;
        std::sort(first, plan_.decisions.end(), [&](const Decision &one, const Decision &other) {
            return std::pair(depth(one), one.id) < std::pair(depth(other), other.id);
        });
        std::map<uint32_t, uint32_t> renamed{{0, 0}};
        uint32_t next = first_id;
        for (auto one = first; one != plan_.decisions.end(); ++one)
            renamed[one->id] = next++;
        for (auto one = first; one != plan_.decisions.end(); ++one) {
            one->id = renamed[one->id];
            one->parent = renamed[one->parent];
        }
    }

    bool reaches_what_is_taken(const Reach &reach) const {
        return std::any_of(reach.functions.begin(), reach.functions.end(),
                           [&](uint32_t function) { return taken_in_.contains(function); });
    }

    // Those that were entered most, by name.
    std::string words_of_what_is_taken(const Reach &reach) const {
        constexpr size_t most_named = 3;
        std::vector<uint32_t> taken;
        std::ranges::copy_if(reach.functions, std::back_inserter(taken),
                             [&](uint32_t function) { return taken_in_.contains(function); });
        std::ranges::sort(
            taken, {}, [&](uint32_t function) { return std::pair(~profile_.functions[function].entries, function); });
        std::string words;
        for (size_t i = 0; i < std::min(taken.size(), most_named); ++i)
            words += (i == 0 ? "" : ", ") + profile_.functions[taken[i]].body.name;
        return taken.size() <= most_named ? words : fmt::format("{} and {} more", words, taken.size() - most_named);
    }

    // `parent`: the decision that takes it in; 0: none does.
    void decide(uint32_t root, const Reach &reach, uint32_t parent = 0) {
        decided_.insert(root);
        const ProfiledFunction &function = profile_.functions[root];
        Decision decision;
        decision.id = next_id_++;
        decision.event = function.body.name;
        decision.site = {function.body.name, 0, function.body.body_hash, model::SiteKind::list, function.body.place};
        decision.weight = function.entries;
        decision.weight_error = function.error;
        decision.predicted_gain_ns = rounded(reach.saved_ns / static_cast<double>(function.entries));
        decision.parent = parent;
        decision.predicted_gain_total_ms = rounded(reach.saved_ns * left_of(root) / 1e6);
        decision.growth_instructions = growth_of_reach(reach);
        add_facts(decision, root, reach);
        refuse(decision, root, reach);
        if (decision.refusal.empty()) {
            explain(decision, reach);
            if (parent != 0) {
                plan_.decisions.push_back(std::move(decision));
                return;
            }
            growth_ += decision.growth_instructions;
            taken_in_.insert(reach.functions.begin(), reach.functions.end());
            for (const auto &[taken, part] : reach.parts)
                inside_others_[taken] += part;
        }
        plan_.decisions.push_back(std::move(decision));
    }

    void explain(Decision &decision, const Reach &reach) const {
        decision.reason = reason_words(reach) + wait_words_.of(reach.functions);
        decision.guard = fmt::format("{}: each is compared with what was recorded where it is used first; where "
                                     "one differs, the program's own code goes on from there.",
                                     plural(decision.facts().size(), "value"));
    }

    // Share: of the place that keeps to its values least.
    void add_facts(Decision &decision, uint32_t root, const Reach &reach) const {
        std::vector<std::pair<double, const NotedFact *>> chosen;  // by what each saves
        for (const NotedFact *fact : reach.facts)
            chosen.emplace_back(saved_by(*fact, root, reach.parts.at(fact->function)), fact);
        std::sort(chosen.begin(), chosen.end(), [](const auto &one, const auto &other) {
            const NotedFact &a = *one.second;
            const NotedFact &b = *other.second;
            return std::tuple(-one.first, a.function, a.kind, a.ordinal, a.call) <
                   std::tuple(-other.first, b.function, b.kind, b.ordinal, b.call);
        });
        chosen.resize(std::min(chosen.size(), max_facts_of_layer));
        decision.share = 1;
        std::vector<model::Fact> facts;
        for (const auto &[saved, noted] : chosen) {
            const ProfiledFunction &function = profile_.functions[noted->function];
            model::Fact fact{noted->kind,
                             function.body.name,
                             noted->ordinal,
                             {},
                             noted->width,
                             function.body.body_hash,
                             {},
                             false,
                             noted->place,
                             {}};
            if (noted->call) {
                const model::FunctionBody &caller = profile_.functions[noted->call->caller].body;
                fact.call = {caller.name, noted->call->ordinal, caller.body_hash, noted->call->place};
            }
            std::vector<model::NotedValue> values = noted->values;
            std::sort(values.begin(), values.end(), [](const auto &a, const auto &b) {
                return std::tuple(~a.count, a.symbol, a.bits) < std::tuple(~b.count, b.symbol, b.bits);
            });
            for (const model::NotedValue &value : values)
                fact.values.push_back(
                    {value.symbol == none ? std::string() : profile_.symbols[value.symbol].name, value.bits});
            facts.push_back(std::move(fact));
        }
        decision.work = model::Specialize{std::move(facts)};
    }

    // `around`: it is an alternative to what it leads to.
    void refuse(Decision &decision, uint32_t root, const Reach &reach, bool around = false) {
        const auto refused = [&](RefusalKind refusal, std::string reason) {
            if (!decision.refusal.empty())
                return;
            model::refuse(decision, refusal, std::move(reason));
        };
        if (std::none_of(reach.facts.begin(), reach.facts.end(),
                         [](const NotedFact *fact) { return steers_generic_code(*fact); }))
            refused(RefusalKind::varies,
                    fmt::format("{} of its {} and what it calls had more than {} values.", reach.varying,
                                plural(reach.generic, "generic place"), NotedFact::most_values));
        if (decision.weight < bounds_.eta)
            refused(RefusalKind::too_cold, fmt::format("it was entered {}, below {}.",
                                                       times(decision.weight, decision.weight_error), bounds_.eta));
        if (!around && decision.parent == 0 && runs_the_loop(profile_.functions[root]) && reaches_what_is_taken(reach))
            refused(RefusalKind::too_cold,
                    fmt::format("it was entered only {} and its calls are what runs often: {}, to which it leads, "
                                "are in decisions of their own.",
                                times(decision.weight, decision.weight_error), words_of_what_is_taken(reach)));
        const double load_ns = load_ns_of(reach);
        if (reach.saved_ns <= load_ns)
            refused(RefusalKind::too_cold,
                    fmt::format("it saves {:.1f} us in {}; loading {} costs {:.1f} us.", reach.saved_ns / 1000,
                                entries(decision.weight, decision.weight_error),
                                plural(reach.instructions, "new instruction"), load_ns / 1000));
        if (too_large(reach))
            refused(RefusalKind::too_large,
                    fmt::format("it and what it calls have {} instructions; at most {} are unfolded.",
                                reach.instructions, max_layer_instructions));
        if (decision.parent == 0 && lacks_room(decision.growth_instructions))
            refused(RefusalKind::too_large,
                    fmt::format(
                        "{} instructions more, after {} that other decisions may add{}, are above the bound of {}{}.",
                        decision.growth_instructions, growth_, words_of_part_inside(root),
                        allowed_growth(profile_.instructions, bounds_), words_of_asking()));
    }

    std::string words_of_asking() const {
        return growth_ + growth_of_others_ <= allowed_growth(profile_.instructions, bounds_)
                   ? ""
                   : fmt::format(", of which {} times as much is asked for", most_asked_for);
    }

    std::string words_of_part_inside(uint32_t root) const {
        const double inside = 1 - left_of(root);
        return inside == 0 ? "" : fmt::format(", in which {:.0f} % of its entries are", inside * 100);
    }

    static std::string reason_words(const Reach &reach) {
        size_t steering[3] = {};
        std::set<PlaceKey> counted;
        for (const NotedFact *fact : reach.facts)
            if (counted.insert(place_of(*fact)).second)
                ++steering[static_cast<size_t>(fact->steers)];
        return fmt::format("{} in {} kept to a few values: {} steer calls through pointers, {} switches, {} branches.",
                           plural(reach.places, "generic place"), plural(reach.functions.size(), "function"),
                           steering[2], steering[1], steering[0]);
    }

    const Profile &profile_;
    const CostTable &costs_;
    const Bounds &bounds_;
    model::Plan &plan_;
    WaitWords wait_words_;
    std::map<std::string, uint32_t> by_name_;
    std::map<std::string, uint64_t> rounds_by_name_;  // of what was counted: its most frequent block
    std::vector<std::vector<const NotedFact *>> facts_of_;  // whichever call led there
    std::map<PlaceKey, std::vector<const NotedFact *>> facts_by_call_;
    std::vector<std::set<uint32_t>> callees_of_;
    std::vector<std::set<uint32_t>> callers_of_;
    EntryFlow flow_;
    std::set<uint32_t> taken_in_;
    std::map<uint32_t, double> inside_others_;  // by function: of its entries, the part that specialised layers hold
    std::set<uint32_t> decided_;
    const uint64_t growth_of_others_;  // of the plan's decisions before these
    uint64_t growth_;
    uint32_t next_id_ = 1;
};

}  // namespace

void plan_layers(const Profile &profile, const CostTable &costs, const Bounds &bounds, model::Plan &plan) {
    LayerPlanner(profile, costs, bounds, plan).run();
}

}  // namespace thalweg::plan
