// transform: hands each decision to the specialiser, and puts what comes out in the function's place.
#include "transform/specializer/layer.h"

#include <algorithm>
#include <map>
#include <set>

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"

#include "transform/profile/expected_work.h"
#include "transform/profile/machine_work.h"
#include "transform/specializer/engine.h"
#include "transform/specializer/looks.h"
#include "transform/specializer/rounds.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

using specializer::Contexts;
using specializer::Counts;
using specializer::Engine;
using specializer::Environment;
using specializer::Facts;
using specializer::Looks;

// Of the functions that are still called, so many are named: a reason is read on one line of a terminal or two.
constexpr size_t max_named = 4;

// Lines of the source that are told of in one outcome: some megabytes.
constexpr size_t max_lines = 40000;

// The residual's body in the function's place; all that calls the function stays as it is.
void install(Function &function, Function &residual) {
    SmallVector<std::pair<unsigned, MDNode *>> metadata;
    function.getAllMetadata(metadata);
    const GlobalValue::LinkageTypes linkage = function.getLinkage();
    function.deleteBody();
    function.setLinkage(linkage);
    for (const auto &[kind, node] : metadata)
        function.setMetadata(kind, node);
    AttributeFuncs::mergeAttributesForInlining(function, residual);
    if (residual.hasPersonalityFn())
        function.setPersonalityFn(residual.getPersonalityFn());
    for (Argument &argument : residual.args())
        argument.replaceAllUsesWith(function.getArg(argument.getArgNo()));
    function.splice(function.begin(), &residual);
    residual.eraseFromParent();
}

std::string words(const Counts &counts, const Facts &facts) {
    std::string text =
        fmt::format("{} calls unfolded, {} of them through pointers; {} branches decided; {} facts tested",
                    counts.unfolded, counts.resolved, counts.decided, counts.guards);
    if (counts.regions != 0)
        text += fmt::format("; {} loops with one test for all that they touch", counts.regions);
    for (const std::string &misfit : facts.misfits())
        text += "; left out: " + misfit;
    if (facts.numbers_of_rounds() != 0)
        text += fmt::format("; left out: {} numbers above {} that only end loops, which the next input has others of",
                            facts.numbers_of_rounds(), specializer::many_rounds);
    return text + still_called(counts.left);
}

constexpr const char *no_time_left =
    "other layers have looked at all the points of the program that may be looked at in vain";
constexpr const char *no_room_left =
    "the plan leaves no room for it: by growth_instructions, its own and other layers' together";
constexpr const char *nothing_is_decided = "nothing is decided by its facts";
// Of the instructions that an entry executes, by the counts. What LLVM's own inlining makes of the original is not in them: of a function that it
// takes into its callers a copy with tests is more. Lua's luaH_getint with 33 of 34 instructions, and three like it, cost 1.5 % of a run.
constexpr double least_part_saved = 0.05;
// And so many, whatever the part: what an entry executes is known to some instructions only (protobuf-c's protobuf_c_buffer_simple_append with 16 of
// 17 cost 1.4 % of a run, Lua's luaT_gettmbyobj with 36 of 38 0.5 %).
constexpr double least_saved = 4;
// What facts save that the next input may have others of, of what is executed: twice the other facts'. libevent's and libev's epoll_wait gave eight
// descriptors each time in a recorded run and another number in the next, a table had as many places: they saved 1 to 3 % or nothing, and cost 7 to 13 %.
constexpr double least_part_saved_by_doubtful = 0.1;
// Tests make a copy longer, but not so much. Where a loop has become versions for what is known in it, the ways out of it have the counts of all
// together, and LLVM takes it for one that is hardly left (expat's normal_getAtts: four times as much as it executes, and it gains 2 % of a run). Its
// branches tell then of as many times what the original executes; where they tell of no more than that is, they are believed (groff's
// font_info::get_tfont: 66 instructions for 32, and it cost 0.5 % of a run).
constexpr double most_that_tests_add = 2;
// Of the original's instructions the copy's branches must tell of so many. Of ten layers of redis it is 0.97 to 1.04, of those of xz, mawk and bison
// 0.85 to 0.97, of libpcap's filters, whose interpreter becomes code, 0.65. Where a truth value that was no branch before has become one, nobody knows
// what is executed (libjpeg's sep_upsample: 0.06, and it executed a fifth more than the original).
constexpr double least_share_told = 0.5;
// What would not even be made together with others. Brotli and hunspell spent half of their time for layers on that.
std::string words_of_small_part(double part) {
    return fmt::format(
        "it and what it calls execute {:.3f} % of the recorded run: what could be saved there is less than "
        "a program's speed changes when its code is made anew",
        100 * part);
}
// Of a whole run: what counts that nobody checked against one another may come to is more than an outcome's number holds.
constexpr double most_saved = 1e15;
// Of an entry, in digits that tell apart what is compared: the bounds are some instructions.
std::string words_of_work(double instructions) {
    return fmt::format("{:.{}f}", instructions, instructions < 100 ? 1 : 0);
}
constexpr const char *no_fact_is_read = "none of its facts is read";
constexpr const char *no_more_than_tests = "its facts decide no more branches than their tests are";

// The user's own facts may be worth more than their tests, for what the program does next; recorded ones are measured by them.
std::string gains_nothing(const Counts &counts, bool recorded) {
    if (counts.unfolded + counts.decided == 0)
        return nothing_is_decided;
    if (recorded && counts.guards == 0 && counts.resolved == 0)
        return no_fact_is_read;
    if (recorded && counts.unfolded == 0 && counts.decided <= counts.guards)
        return no_more_than_tests;
    return {};
}

// Several values are several ways: they are worth it where they resolve calls, or where one test decides more than one branch.
bool tests_what_it_decides(const Counts &counts) { return counts.resolved == 0 && counts.decided <= counts.guards; }

// What is made without facts decides what it decides at each entry of the same few places, and LLVM's own inlining could do much of the
// rest. nanopb's encoder has 3 instructions for each branch that is decided and each call that is resolved; a client's call of Sun RPC over
// TCP had 36, and was slower by 4 %.
constexpr uint32_t most_for_a_decision = 16;
// So small a function is no slower for it: with 250 instructions for one call that is decided, a layer like that of
// tests/ir/does_not/make_a_large_function_without_facts_that_decides_little.c takes 54.8 ns, and 54.7 as LLVM's inlining leaves it; with 448
// 109.4 and 109.3. Of Sun RPC, libpcap, nanopb, protobuf-c, nettle and Lua two layers come here, with 5,514 and 3,973 instructions: half or
// double of this gives the same programs.
constexpr uint32_t small_function = 256;

bool is_large_for_what_it_decides(const Counts &counts) {
    return counts.instructions > small_function + most_for_a_decision * (counts.decided + counts.resolved);
}

// The user's own facts have no number of instructions that they may add.
bool has_bound(const model::Decision &decision) { return decision.provenance != model::Provenance::declared; }

class Layers {
  public:
    // `outer`: decisions that hold others, which are made where these can't be.
    Layers(const RecordedBodies &bodies, const LineClaims &lines, Module &module, FunctionAnalysisManager &analyses,
           GuardCounter &counter, uint64_t growth, RecordedRun run = {}, std::set<uint32_t> outer = {})
        : bodies_(bodies), lines_(lines), module_(module), analyses_(analyses), counter_(counter), growth_left_(growth),
          looks_(module.getInstructionCount()), work_(module, analyses), machine_(module, analyses), run_(run),
          outer_(std::move(outer)) {}

    void add(const model::Decision &decision, const Looks::Turn &turn = {.waiting = 1}) {
        turn_ = turn;
        // Of an edited plan's only those that came before, so that no chain of them goes round.
        parents_.try_emplace(decision.id, parents_.contains(decision.parent) ? decision.parent : 0);
        outcomes_.push_back({decision.id, false, {}, 0});
        if (holds_a_loop(decision)) {
            loops_.push_back({&decision, outcomes_.size() - 1, {.waiting = 1}});
            return;
        }
        is_first_turn_ = turn.waiting > 1 || !had_no_end_.empty();
        model::DecisionOutcome &outcome = outcomes_.back();
        const uint32_t holder = made_around(decision);
        outcome.reason = holder != 0 ? made_in_another(holder) : specialise(decision, outcome);
    }

    void leave_out(const model::Decision &decision, std::string why) {
        outcomes_.push_back({decision.id, false, std::move(why), 0});
    }

    // Instructions of the recorded run, in all entries of its function and in what that calls; 0: nobody knows.
    double executed_by(const model::Decision &decision) {
        Function *root = bodies_.function_of(decision, module_).function;
        const auto entries = root ? root->getEntryCount() : std::nullopt;
        const std::optional<double> once = entries ? work_.of_entry(*root) : std::nullopt;
        return once ? *once * static_cast<double>(entries->getCount()) : 0;
    }

    // All are made from the original functions, so none is put into its place before the last is made.
    std::vector<model::DecisionOutcome> finish() {
        is_first_turn_ = false;
        // Those whose turn is over have what is left before the others, which may take all of it.
        add_without_facts();
        ask_again(had_no_end_);
        add_without_facts();
        ask_again(loops_);
        for (const Made &made : made_) {
            install(*made.root, *made.residual);
            if (made.entered)
                IRBuilder<>(&*made.root->getEntryBlock().getFirstNonPHIOrDbgOrAlloca()).CreateCall(made.entered);
        }
        return std::move(outcomes_);
    }

    Specialised finish_beside() {
        add_without_facts();
        Specialised made{nullptr, nullptr, outcomes_.front()};
        if (!made_.empty())
            std::tie(made.root, made.residual) = std::tie(made_.front().root, made_.front().residual);
        return made;
    }

  private:
    struct Made {
        Function *root;
        Function *residual;
        Function *entered;  // what counts its entries; null: nothing does
        uint32_t decision;
        double saved;  // instructions of the whole run; 0: not known
    };
    struct Attempt {
        Function *residual = nullptr;
        Counts counts;
        std::string words;  // what came of it, or why nothing did
        std::vector<model::FunctionTimes> times;
        Function *entered = nullptr;  // what counts its entries
        size_t looks = 0;
        double saved = 0;  // instructions of the whole run; 0: not known
        double saved_code = 0;  // the same, the machine's
        bool had_no_end = false;  // it used up its looks
        bool was_short = false;  // and these were fewer only because others wait
        bool lacks_room = false;  // it would have more instructions than it may
    };
    // An attempt that used up these looks. The next is the same, point for point, until it has more.
    struct NoEnd {
        size_t looks = 0;
        size_t in_small_steps = 0;
        std::string words;

        bool may_end_within(const Environment &environment) const {
            return environment.max_looks > looks ||
                   environment.max_looks_in_small_steps > std::max(in_small_steps, looks);
        }
    };
    struct Tried {
        std::string words;
        bool had_no_end = false;
        bool was_short = false;
    };
    struct Waiting {
        const model::Decision *decision;
        size_t outcome;  // which of `outcomes_`
        Looks::Turn turn;
    };

    std::string specialise(const model::Decision &decision, model::DecisionOutcome &outcome) {
        if (!looks_.any_left())
            return no_time_left;
        const auto [root, why_not] = bodies_.function_of(decision, module_);
        if (!root)
            return why_not;
        if (root->isInterposable())
            return "another library may put its own function in this one's place";
        if (any_of(made_, [&, root = root](const Made &made) { return made.root == root; }))
            return "another decision specialises this function";
        if (std::string claimed = claimed_by_line(decision, *root); !claimed.empty())
            return claimed;
        // No facts at all are well: what the program's own constants decide is decided without a test.
        const Facts all(decision, *root, {}, bodies_);
        if (all.size() == 0 && !all.misfits().empty())
            return "no fact fits: " + all.misfits().front();
        return decision.provenance == model::Provenance::recorded ? with_recorded_facts(decision, *root, outcome)
                                                                  : with_own_facts(decision, *root, all, outcome);
    }

    // A function has one body: what more is expected from has it. A line that nobody would see is not made in the end.
    std::string claimed_by_line(const model::Decision &decision, const Function &root) const {
        if (const auto copy = lines_.copied.find(&root);
            copy != lines_.copied.end() && copy->second.gain_ms >= run_.light_ms())
            return fmt::format("decision {} merges dispatches in {}, which gets a copy of its body",
                               copy->second.decision, copy->second.into);
        const double least = std::max(decision.predicted_gain_total_ms, run_.light_ms());
        return claimed_by_line(root, least);
    }

    // Of what saves no more than this.
    std::string claimed_by_line(const Function &root, double saved_ms) const {
        const auto line = lines_.lines.find(&root);
        if (line == lines_.lines.end() || line->second.gain_ms < saved_ms)
            return {};
        return fmt::format("decision {} merges a dispatch in {}, from which more is expected", line->second.decision,
                           root.getName());
    }

    // What the user declares is done as declared, and if that has no end, with those facts that have one value.
    std::string with_own_facts(const model::Decision &decision, Function &root, const Facts &all,
                               model::DecisionOutcome &outcome) {
        const Attempt first = attempt(decision, root, all, looks_.left());
        if (first.residual || all.most_values() <= 1)
            return put(decision, root, first, outcome);
        return put(decision, root,
                   attempt(decision, root, Facts(decision, root, {.most_values = 1}, bodies_), looks_.left()), outcome);
    }

    // A fact with several values is as many ways through everything behind it, so that fewer facts may be more.
    std::string with_recorded_facts(const model::Decision &decision, Function &root, model::DecisionOutcome &outcome) {
        std::string why_not;
        size_t tried = SIZE_MAX;
        bool had_no_end = false;
        for (const size_t values : {Facts::all_values, size_t{1}}) {
            const Facts facts(decision, root, {.most_values = values}, bodies_);
            if (facts.size() == 0 || facts.size() == std::exchange(tried, facts.size()) || !looks_.any_left())
                continue;
            const size_t max_looks = why_not.empty() ? specializer::max_looks_with_facts
                                     : had_no_end    ? specializer::max_looks_with_fewer_facts
                                                     : specializer::max_looks_at_first;
            const Tried tried_now = try_with(decision, root, {.most_values = values}, max_looks, outcome);
            if (tried_now.was_short)
                had_no_end_.push_back({&decision, index_of(outcome), turn_});
            if (outcome.applied || tried_now.was_short)
                return tried_now.words;
            had_no_end |= tried_now.had_no_end;
            if (why_not.empty())
                why_not = tried_now.words;
        }
        if (outer_.contains(decision.id)) {
            without_facts_.push_back({&decision, &root, index_of(outcome), turn_});
            if (had_no_end && is_first_turn_)
                had_no_end_.push_back({&decision, index_of(outcome), turn_});
            return why_not;
        }
        if (!looks_.any_left())
            return why_not;
        const Tried tried_now =
            try_with(decision, root, {.most_values = 0}, specializer::max_looks_without_facts, outcome);
        if (!outcome.applied && is_first_turn_ && (had_no_end || tried_now.had_no_end))
            had_no_end_.push_back({&decision, index_of(outcome), turn_});
        return outcome.applied || why_not.empty() ? tried_now.words : why_not;
    }

    size_t index_of(const model::DecisionOutcome &outcome) const {
        return static_cast<size_t>(&outcome - outcomes_.data());
    }

    // What came of it, or why it gains nothing. Numbers that another input may have others of must pay for what they cost where they fail.
    Tried try_with(const model::Decision &decision, Function &root, Facts::Choice choice, size_t max_looks,
                   model::DecisionOutcome &outcome) {
        const Facts all(decision, root, choice, bodies_);
        Attempt with_all = worthwhile(decision, root, all, max_looks);
        if (all.doubtful() == 0 || (!with_all.lacks_room && (!with_all.residual || with_all.saved == 0)))
            return {put(decision, root, with_all, outcome), with_all.had_no_end, with_all.was_short};
        // It comes to a layer, this one or one with fewer facts.
        looks_.gain(std::exchange(with_all.looks, 0));
        Attempt best;
        size_t tried = 0;
        for (const auto doubtful : {Facts::Doubtful::none, Facts::Doubtful::small}) {
            choice.doubtful = doubtful;
            const Facts some(decision, root, choice, bodies_);
            if (some.size() == tried || some.size() == all.size())
                continue;
            tried = some.size();
            take_better(best, worthwhile(decision, root, some, max_looks), some.doubtful(), decision);
        }
        take_better(best, std::move(with_all), all.doubtful(), decision);
        return {put(decision, root, best, outcome)};
    }

    // `one` has more doubtful facts than `best`.
    void take_better(Attempt &best, Attempt one, size_t doubtful, const model::Decision &decision) {
        const double least = least_part_saved_by_doubtful * executed_by(decision);
        if (doubtful != 0 && one.residual && one.saved - best.saved < least)
            drop(one, words_of_doubtful(doubtful));
        if (one.residual && best.residual)
            drop(best, "");
        if (one.residual || !best.residual)
            std::swap(best, one);
    }

    static std::string words_of_doubtful(size_t count) {
        return fmt::format("{} numbers that by themselves decide nothing but rounds save less than {:.0f} % of what it "
                           "executes, and the next input has others of them",
                           count, 100 * least_part_saved_by_doubtful);
    }

    // Without a function if it gains nothing.
    Attempt worthwhile(const model::Decision &decision, Function &root, const Facts &facts, size_t max_looks) {
        Attempt one = attempt(decision, root, facts, max_looks);
        if (!one.residual)
            return one;
        if (const std::string in_vain = why_in_vain(one, root, facts); !in_vain.empty())
            drop(one, in_vain + still_called(one.counts.left));
        return one;
    }

    static void drop(Attempt &attempt, std::string why) {
        std::exchange(attempt.residual, nullptr)->eraseFromParent();
        attempt.words = std::move(why);
        attempt.saved = 0;
    }

    static std::string made_in_another(uint32_t decision) {
        return fmt::format("it is made on its own only where decision {} can't be; that one is", decision);
    }

    // The loop around the work, as main holds it, whose layers are decisions too.
    bool holds_a_loop(const model::Decision &decision) const {
        return outer_.contains(decision.id) && decision.provenance == model::Provenance::recorded &&
               decision.weight < model::min_entries_of_layer;
    }

    // The decision around this one that is made; 0: none is.
    uint32_t made_around(const model::Decision &decision) const {
        for (uint32_t holder = parents_.at(decision.id); holder != 0; holder = parents_.at(holder))
            if (any_of(made_, [holder](const Made &one) { return one.decision == holder; }))
                return holder;
        return 0;
    }

    // Outcomes of the layers inside of this one that are made.
    std::vector<size_t> made_inside(const model::Decision &decision) const {
        std::vector<size_t> inside;
        for (size_t i = 0; i < outcomes_.size(); ++i) {
            const auto known = parents_.find(outcomes_[i].decision);
            uint32_t holder = !outcomes_[i].applied || known == parents_.end() ? 0 : known->second;
            while (holder != 0 && holder != decision.id)
                holder = parents_.at(holder);
            if (holder != 0)
                inside.push_back(i);
        }
        return inside;
    }

    // What waits for the others: a loop, whose layers have their turn first, and what came to no end before they had theirs.
    void ask_again(const std::vector<Waiting> &waiting) {
        size_t left = waiting.size();
        for (const Waiting &one : waiting) {
            turn_ = one.turn;
            turn_.waiting = std::min(left--, one.turn.waiting);
            model::DecisionOutcome &outcome = outcomes_[one.outcome];
            if (outcome.applied)
                continue;
            if (const uint32_t holder = made_around(*one.decision))
                outcome.reason = made_in_another(holder);
            else if (looks_.any_left() || outcome.reason.empty())
                decide_contest(*one.decision, outcome);
        }
    }

    // A layer with those in it, or these by themselves: what executes less.
    void decide_contest(const model::Decision &decision, model::DecisionOutcome &outcome) {
        const std::vector<size_t> insides = made_inside(decision);
        double saved_inside = 0;
        uint64_t growth_inside = 0;
        for (const size_t inside : insides) {
            saved_inside += made_of(outcomes_[inside]).saved;
            growth_inside += static_cast<uint64_t>(outcomes_[inside].growth_instructions);
        }
        if (!insides.empty() && saved_inside == 0) {
            outcome.reason = "its layers are made by themselves; nothing was counted that would tell what is better";
            return;
        }
        growth_left_ += growth_inside;
        outcome.reason = specialise(decision, outcome);
        growth_left_ -= std::min(growth_left_, growth_inside);
        if (!outcome.applied)
            return;
        const double saved = made_.back().saved;
        if (saved <= saved_inside && (!insides.empty() || holds_a_loop(decision)))
            take_back(outcome, fmt::format("its layers by themselves save {:.0f} instructions of the recorded run, in "
                                           "it {:.0f}",
                                           saved_inside, saved));
        else
            for (const size_t inside : insides)
                take_back(outcomes_[inside], made_in_another(decision.id));
    }

    const Made &made_of(const model::DecisionOutcome &outcome) const {
        return *find_if(made_, [&](const Made &one) { return one.decision == outcome.decision; });
    }

    void take_back(model::DecisionOutcome &told, std::string why) {
        const Made &made = made_of(told);
        made.residual->eraseFromParent();
        made_.erase(made_.begin() + (&made - made_.data()));
        growth_left_ += static_cast<uint64_t>(told.growth_instructions);
        told = {told.decision, false, std::move(why), 0};
    }

    // By what its facts decide; and by what is not executed any more, where that was counted.
    std::string why_in_vain(Attempt &one, Function &root, const Facts &facts) {
        if (facts.size() > 0 && one.counts.guards == 0)
            return no_fact_is_read;
        if (facts.most_values() > 1 && tests_what_it_decides(one.counts))
            return no_more_than_tests;
        if (std::string why = gains_nothing(one.counts, true); !why.empty())
            return why;
        const std::optional<double> before = work_.of_entry(root);
        // What was called through pointers and is unfolded now is no more than before, where nobody knows what that was.
        const bool can_tell = before && (one.counts.resolved == 0 || work_.knows_all_calls());
        const std::optional<double> after = can_tell ? work_.of_copy(*one.residual) : std::nullopt;
        const double share = can_tell ? share_told_of(one, *before) : 0;
        if (after && share < least_share_told)
            return fmt::format(
                "its branches tell of {:.0f} % of what an entry executes: what it would cost is not known",
                100 * share);
        if (after && (*after < *before * most_that_tests_add || share < most_that_tests_add))
            return why_not_less(one, *before, *after, root);
        // Its frequencies are not believed: what it decides must be more than what it tests.
        if (after && tests_what_it_decides(one.counts))
            return no_more_than_tests;
        if (facts.size() == 0 && is_large_for_what_it_decides(one.counts))
            return fmt::format("without facts it would have {} instructions, and decide {} branches and {} calls only",
                               one.counts.instructions, one.counts.decided, one.counts.resolved);
        return {};
    }

    // Original and copy go through the same of the original's instructions. What the copy's branches tell of is less where they have no counts (a truth
    // value that was no branch before), and more where versions of a loop share one loop's counts.
    double share_told_of(const Attempt &one, double before) {
        return (one.counts.work + work_.of_calls_in(*one.residual)) / before;
    }

    // Of machine code where that can be had, of IR instructions otherwise.
    std::string why_not_less(Attempt &one, double before, double after, Function &root) {
        const auto entries = static_cast<double>(root.getEntryCount()->getCount());
        const std::optional<double> code_before = code_of_original(root, entries);
        const std::optional<double> code_after = machine_.of_entry(*one.residual, entries);
        const bool is_code = code_before && code_after && *code_before > 0;
        // The plan's unit of work is the IR instruction.
        one.saved = entries * (is_code ? before * (1 - *code_after / *code_before) : before - after);
        one.saved_code = is_code ? entries * (*code_before - *code_after) : one.saved;
        if (is_code)
            std::tie(before, after) = std::pair(*code_before, *code_after);
        const char *kind = is_code ? "machine " : "";
        one.words += fmt::format("; an entry executes {} {}instructions, {} before", words_of_work(after), kind,
                                 words_of_work(before));
        // A call through a pointer that is none any more saves what is not counted, too: what is handed over and saved for it. It is no more than the
        // twentieth part: gifsicle's write_compressed_data with 6 of these saved 2.4 % by the counts, and cost 5 % of a run.
        const double least = std::max(before * least_part_saved, one.counts.resolved == 0 ? least_saved : 0);
        if (after < before && before - after >= least)
            return run_.instruction_ns == 0 ? "" : claimed_by_line(root, run_.ms_of(one.saved));
        const std::string too_few =
            after < before ? fmt::format(": {} or more must be saved, or it may be lost again", words_of_work(least))
                           : "";
        return fmt::format("an entry would execute {} {}instructions, {} as it is{}", words_of_work(after), kind,
                           words_of_work(before), too_few);
    }

    // What LLVM's passes make of it takes as long as an attempt, and each attempt at it asks.
    std::optional<double> code_of_original(Function &root, double entries) {
        const auto known = code_of_originals_.find(&root);
        if (known != code_of_originals_.end())
            return known->second;
        return code_of_originals_.try_emplace(&root, machine_.of_entry(root, entries)).first->second;
    }

    // Without any fact the program's own tables may still decide what is called. Of a layer that holds others this is asked last: they are
    // worth more with their facts than it is without.
    void add_without_facts() {
        for (const WithoutFacts &one : std::exchange(without_facts_, {})) {
            model::DecisionOutcome &outcome = outcomes_[one.outcome];
            if (!looks_.any_left() || made_around(*one.decision) != 0 || !made_inside(*one.decision).empty())
                continue;
            turn_ = one.turn;
            turn_.waiting = 1;
            const Tried tried =
                try_with(*one.decision, *one.root, {.most_values = 0}, specializer::max_looks_without_facts, outcome);
            if (outcome.applied || outcome.reason.empty())
                outcome.reason = tried.words;
        }
    }

    // Of what is worth more than others' turns, all; else fewer at first, and when it is asked again.
    size_t wanted_now(size_t max_looks) const {
        const bool is_asked_for_alone = run_.instructions == 0 && !is_first_turn_;
        if (is_asked_for_alone || turn_.part_of_run >= specializer::part_that_is_not_put_off)
            return max_looks;
        return std::min(max_looks,
                        is_first_turn_ ? specializer::max_looks_at_first : specializer::max_looks_asked_again);
    }

    // The plan said how much the program grows by all its layers together: most need less than was thought, and leave it to those that
    // need more.
    Attempt attempt(const model::Decision &decision, Function &root, const Facts &facts, size_t max_looks) {
        const auto compatible = [this](const Function &caller, const Function &callee) {
            return analyses_.getResult<TargetIRAnalysis>(const_cast<Function &>(callee))
                .areInlineCompatible(&caller, &callee);
        };
        Environment environment{contexts_, &analyses_.getResult<TargetLibraryAnalysis>(root), compatible};
        if (has_bound(decision))
            environment.max_instructions =
                static_cast<uint32_t>(std::min<uint64_t>(environment.max_instructions, growth_left_));
        const bool is_recorded = decision.provenance == model::Provenance::recorded;
        // What is asked last must still have the time for it.
        const bool others_wait = !without_facts_.empty() && max_looks != specializer::max_looks_without_facts;
        turn_.kept = others_wait ? specializer::max_looks_without_facts : 0;
        const size_t wanted = is_recorded ? wanted_now(max_looks) : max_looks;
        const bool is_cut_short = wanted < max_looks;
        const Looks::Bound bound = is_recorded ? looks_.of_recorded(wanted, turn_) : looks_.of_declared(wanted);
        environment.max_looks = bound.looks;
        environment.max_looks_in_small_steps =
            is_cut_short || max_looks == specializer::max_looks_with_fewer_facts ? 0 : bound.in_small_steps;
        environment.gives_up_on_data = is_recorded;
        if (environment.max_looks == 0)
            return {nullptr, {}, no_time_left, {}};
        if (environment.max_instructions == 0)
            return {nullptr, {}, no_room_left, {}};
        NoEnd &earlier = without_end_[{decision.id, facts.size()}];
        if (is_recorded && !earlier.may_end_within(environment))
            return {.words = earlier.words, .had_no_end = true};
        const GuardCounter::Marks marks = counter_.marks_of(decision.id);
        environment.left = marks.left;
        Engine engine(root, facts, environment);
        Function *residual = engine.run();
        looks_.spend(engine.looks());
        turn_.spent += engine.looks();
        if (residual)
            return {residual,       engine.counts(), words(engine.counts(), facts),
                    engine.times(), marks.entered,   engine.looks()};
        const bool had_no_end = engine.looks() >= bound.looks;
        std::string why = "given up: " + engine.gave_up();
        if (bound.is_cut && had_no_end)
            why += looks_.words_of_cut();
        if (had_no_end)
            earlier = {environment.max_looks, environment.max_looks_in_small_steps, why};
        return {.counts = engine.counts(),
                .words = why,
                .had_no_end = had_no_end,
                .was_short = had_no_end && is_first_turn_ && is_cut_short && bound.looks == wanted,
                .lacks_room = engine.counts().instructions > environment.max_instructions};
    }

    std::string put(const model::Decision &decision, Function &root, const Attempt &attempt,
                    model::DecisionOutcome &outcome) {
        if (!attempt.residual)
            return attempt.words;
        const Counts &counts = attempt.counts;
        // Of recorded ones that was asked before.
        const std::string in_vain =
            decision.provenance == model::Provenance::recorded ? "" : gains_nothing(counts, false);
        // Whoever declares facts in vain wants to see which others would help.
        tell(attempt.times, outcome);
        if (!in_vain.empty()) {
            attempt.residual->eraseFromParent();
            return in_vain + still_called(counts.left);
        }
        outcome.growth_instructions = counts.instructions;
        // What is foretold takes one for the other: in the median of 189 layers of the board's programs the original has 0.96 machine instructions
        // for each of IR. Where LLVM makes less code of it (gperf's find_good_asso_values: 0.51), less time is saved.
        outcome.saved_instructions =
            static_cast<uint64_t>(std::clamp(std::min(attempt.saved, attempt.saved_code), 0.0, most_saved));
        growth_left_ -= std::min<uint64_t>(growth_left_, counts.instructions);
        looks_.gain(attempt.looks);
        outcome.applied = true;
        made_.push_back({&root, attempt.residual, attempt.entered, decision.id, attempt.saved});
        return attempt.words;
    }

    void tell(const std::vector<model::FunctionTimes> &times, model::DecisionOutcome &outcome) {
        for (const model::FunctionTimes &function : times) {
            if (function.lines.size() > lines_left_)
                return;
            lines_left_ -= function.lines.size();
            outcome.functions.push_back(function);
        }
    }

    const RecordedBodies &bodies_;
    const LineClaims &lines_;
    Module &module_;
    FunctionAnalysisManager &analyses_;
    GuardCounter &counter_;
    Contexts contexts_;
    uint64_t growth_left_;
    Looks looks_;
    Looks::Turn turn_;
    ExpectedWork work_;
    MachineWork machine_;
    std::map<std::pair<uint32_t, size_t>, NoEnd> without_end_;  // by decision and number of facts
    std::map<const Function *, std::optional<double>> code_of_originals_;  // machine instructions of an entry
    RecordedRun run_;
    size_t lines_left_ = max_lines;
    std::vector<Made> made_;
    bool is_first_turn_ = false;
    std::vector<Waiting> loops_;  // alternatives to their layers
    std::vector<Waiting> had_no_end_;  // in their first turn
    std::map<uint32_t, uint32_t> parents_;  // the decision in which each is, by decision; 0: in none
    std::set<uint32_t> outer_;
    struct WithoutFacts {
        const model::Decision *decision;
        Function *root;
        size_t outcome;  // which of `outcomes_`
        Looks::Turn turn;
    };
    std::vector<WithoutFacts> without_facts_;  // to be tried when all others have been
    std::vector<model::DecisionOutcome> outcomes_;
};

}  // namespace

std::string still_called(const std::map<std::string, std::string> &left) {
    std::string text;
    size_t named = 0;
    for (const auto &[function, why] : left) {
        if (named++ == max_named)
            return text + fmt::format("; so are {} more", left.size() - max_named);
        text += fmt::format("; {} is still called: {}", function, why);
    }
    return text;
}

namespace {

// What the plan's layers may grow by together, and those that hold others.
struct Whole {
    uint64_t growth = 0;
    std::set<uint32_t> outer;
};

Whole whole_of(const std::vector<const model::Decision *> &decisions) {
    Whole whole;
    std::set<uint32_t> applying;
    for (const model::Decision *decision : decisions) {
        applying.insert(decision->id);
        // What may be made instead of another one grows in its place; a parent, which comes first, may have been taken out by hand.
        if (!applying.contains(decision->parent))
            whole.growth += has_bound(*decision) ? decision->growth_instructions : 0;
        if (decision->parent != 0)
            whole.outer.insert(decision->parent);
    }
    return whole;
}

}  // namespace

std::vector<model::DecisionOutcome> specialise_layers(const model::Plan &plan, const RecordedBodies &bodies,
                                                      const LineClaims &lines, Module &module,
                                                      FunctionAnalysisManager &analyses, GuardCounter &counter,
                                                      const RecordedRun &run) {
    std::vector<const model::Decision *> decisions;
    for (const model::Decision &decision : plan.decisions)
        if (decision.kind() == model::DecisionKind::specialize)
            decisions.push_back(&decision);
    Whole whole = whole_of(decisions);
    Layers layers(bodies, lines, module, analyses, counter, whole.growth, run, std::move(whole.outer));
    std::vector<double> executed;
    for (const model::Decision *decision : decisions)
        executed.push_back(layers.executed_by(*decision));
    // The loop around the work executes all of it, and has an end where little is in it.
    for (size_t i = 0; i < decisions.size(); ++i)
        if (decisions[i]->weight < model::min_entries_of_layer)
            executed[i] = 0;
    for (size_t i = 0; i < decisions.size(); ++i) {
        const double own = executed[i];
        const double most = *std::max_element(executed.begin() + static_cast<ptrdiff_t>(i), executed.end());
        const double part_of_run = run.instructions > 0 ? own / run.instructions : 0;
        if (run.instruction_ns > 0 && part_of_run > 0 && part_of_run < settle::least_part_of_any &&
            has_bound(*decisions[i]))
            layers.leave_out(*decisions[i], words_of_small_part(part_of_run));
        else
            layers.add(
                *decisions[i],
                {.waiting = decisions.size() - i, .part = most > 0 ? own / most : 0, .part_of_run = part_of_run});
    }
    return layers.finish();
}

Specialised specialise_beside(const model::Decision &decision, Module &module, FunctionAnalysisManager &analyses) {
    GuardCounter nothing(module, false);
    const RecordedBodies bodies({.decisions = {decision}}, module);
    const LineClaims no_lines;
    Layers layers(bodies, no_lines, module, analyses, nothing, decision.growth_instructions);
    layers.add(decision);
    return layers.finish_beside();
}

}  // namespace thalweg::transform
