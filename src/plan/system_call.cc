// plan: from the system-call graph to decisions: what is kept, fused, brought together, left out.
#include "plan/system_call.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "knowledge/function.h"
#include "model/limits.h"
#include "plan/append.h"
#include "plan/event_shapes.h"
#include "plan/event_words.h"

namespace thalweg::plan {

using model::Decision;
using model::NotedSystemCall;
using model::RefusalKind;
using model::Site;
using model::SystemCallEdge;
using model::Verdict;

namespace {

double share_of(uint64_t part, uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string words_of(const Site &site) { return fmt::format("{} in {}", site.callee, site.function); }

// What a call does for those that are planned here.
enum class Role {
    none,
    asks_for_memory,
    gives_back,
    reads,
    writes,
    advises,
    opens,
    looks,
    makes,
    takes_a_number,
    takes_a_number_or_sets,
    sets,
    calls_server
};

Role role_of(std::string_view callee) {
    using enum knowledge::Act;
    switch (knowledge::act_of(callee)) {
    case gives_block:
    case gives_aligned_block:
    case stores_aligned_block:
        return Role::asks_for_memory;
    case takes_block_back:
        return Role::gives_back;
    case reads:
        return Role::reads;
    case writes:
    case writes_at:
        return Role::writes;
    case advises:
        return Role::advises;
    case opens:
    case opens_at:
        return Role::opens;
    case looks:
    case seeks:
        return Role::looks;
    case closes:
        return Role::takes_a_number;
    case makes:
        return Role::makes;
    case controls:
        return Role::takes_a_number_or_sets;
    case controls_device:
        return Role::sets;
    case calls_server:
        return Role::calls_server;
    default:
        return Role::none;
    }
}

constexpr std::initializer_list<knowledge::Act> opening = {knowledge::Act::opens, knowledge::Act::opens_at};

bool may_set_flags(const Site &site) {
    const Role role = role_of(site.callee);
    return role == Role::takes_a_number_or_sets || role == Role::sets;
}

class SystemCallPlanner {
  public:
    SystemCallPlanner(const model::Profile &profile, const CostTable &costs, const Bounds &bounds, model::Plan &plan,
                      const std::vector<model::IndependentCalls> &independent)
        : profile_(profile), costs_(costs), bounds_(bounds), plan_(plan), independent_(independent) {
        for (const NotedSystemCall &call : profile.system_calls)
            if (call.calls > 0)
                calls_[call.site] = &call;
        for (const SystemCallEdge &edge : profile.system_call_edges)
            from_[edge.from].push_back(&edge);
        for (const model::Release &release : profile.releases)
            releases_[release.from].push_back(&release);
    }

    void run() {
        using Look = void (SystemCallPlanner::*)(const NotedSystemCall &);
        static constexpr std::pair<Role, Look> rows[] = {
            {Role::asks_for_memory, &SystemCallPlanner::hoist},
            {Role::reads, &SystemCallPlanner::fuse},
            {Role::makes, &SystemCallPlanner::flag},
            {Role::opens, &SystemCallPlanner::flag},
            {Role::takes_a_number_or_sets, &SystemCallPlanner::flag_duplicate},
            {Role::reads, &SystemCallPlanner::elide_end},
            {Role::advises, &SystemCallPlanner::elide_advice},
            {Role::takes_a_number, &SystemCallPlanner::elide_absent},
            {Role::takes_a_number_or_sets, &SystemCallPlanner::elide_absent},
            {Role::writes, &SystemCallPlanner::coalesce}};
        for (const auto &[site, call] : calls_)
            for (const auto &[role, look] : rows)
                if (role_of(profile_.sites[site].callee) == role)
                    (this->*look)(*call);
        overlap();
        refuse_what_does_not_earn_the_question();
        const auto order = [](const Decision &decision) {
            return std::tuple(-decision.predicted_gain_total_ms, decision.kind(),
                              std::string_view(decision.site.function), decision.site.ordinal);
        };
        std::sort(made_.begin(), made_.end(),
                  [&](const Decision &a, const Decision &b) { return order(a) < order(b); });
        append(std::move(made_), plan_);
    }

  private:
    // `often`: how many of the site's calls it is about; each saves so much.
    Decision &decide(model::Work work, const NotedSystemCall &call, uint64_t often, double each_ns) {
        Decision decision;
        decision.work = std::move(work);
        decision.site = profile_.sites[call.site];
        decision.event = words_of(decision.site);
        decision.weight = often;
        decision.share = rounded(std::min(1.0, share_of(often, call.calls)));
        decision.predicted_gain_ns = rounded(each_ns);
        decision.predicted_gain_total_ms = rounded(each_ns * static_cast<double>(often) / 1e6);
        decision.growth_instructions = crossing_growth;
        made_.push_back(std::move(decision));
        Decision &made = made_.back();
        if (often < std::max(min_system_calls, bounds_.eta))
            refuse(made, RefusalKind::too_cold,
                   fmt::format("{} times in the recorded run: below {}, nothing is worth a guard.", often,
                               std::max(min_system_calls, bounds_.eta)));
        else if (each_ns <= 0)
            refuse(made, RefusalKind::costs_no_more, fmt::format("it would cost {:.0f} ns more.", -each_ns));
        return made;
    }

    static void apply(Decision &decision, std::string guard, std::string reason) {
        decision.guard = std::move(guard);
        if (decision.verdict == Verdict::apply)
            decision.reason = std::move(reason);
    }

    void hoist(const NotedSystemCall &call) {
        uint64_t given_back = 0;
        std::vector<const model::Release *> ends;
        for (const model::Release *release : releases_[call.site]) {
            if (role_of(profile_.sites[release->to].callee) != Role::gives_back)
                continue;
            given_back = saturating_add(given_back, release->count);
            ends.push_back(release);
        }
        std::sort(ends.begin(), ends.end(),
                  [](auto *a, auto *b) { return std::pair(~a->count, a->to) < std::pair(~b->count, b->to); });
        ends.resize(std::min(ends.size(), model::max_group));
        model::Hoist work;
        for (const model::Release *end : ends)
            work.group.push_back(profile_.sites[end->to]);
        Decision &decision = decide(std::move(work), call, std::min(given_back, call.calls), costs_.kept_block_ns);
        if (decision.verdict == Verdict::apply && share_of(given_back, call.calls) < min_share_given_back)
            refuse(decision, RefusalKind::not_given_back,
                   fmt::format("{} of {} large blocks were given back.", given_back, call.calls));
        apply(decision,
              "the kept block is as large and as aligned as is asked for; one block is kept, and only a large one",
              fmt::format("{} of {} blocks of {} bytes on average were given back: each is mapped, filled with pages "
                          "and unmapped anew.",
                          given_back, call.calls, call.asked_bytes / call.calls));
    }

    // A loop that reads and writes what it read (looped multi-call).
    void fuse(const NotedSystemCall &call) {
        const SystemCallEdge *best = nullptr;
        for (const SystemCallEdge *edge : from_[call.site])
            if (knowledge::act_of(profile_.sites[edge->to].callee) == knowledge::Act::writes &&
                (best == nullptr || edge->weight > best->weight))
                best = edge;
        if (best == nullptr ||
            share_of(std::min(best->result_is_size, best->same_buffer), best->weight) < min_share_copied)
            return;
        const uint64_t runs = std::max<uint64_t>(call.zeros, 1);
        const double blocks = share_of(best->weight, runs);
        const double pages = share_of(call.given_bytes, runs) / page_bytes;
        Decision &decision =
            decide(model::Fuse{{profile_.sites[best->to]}}, call, best->weight,
                   (costs_.copied_page_ns * pages + (blocks - 1) * 2 * costs_.system_call_ns - costs_.copy_guard_ns) /
                       std::max(blocks, 1.0));
        apply(decision,
              "both are regular files of their own, with bytes enough; what was not copied is read and written by the "
              "original loop",
              fmt::format("{:.0f} times in a run of the loop, what was read was written as it was.", blocks));
    }

    // The call of fcntl or ioctl that nearly always follows; null: there is none.
    const SystemCallEdge *setting_after(uint32_t site, uint64_t times) const {
        const auto edges = from_.find(site);
        const SystemCallEdge *next = nullptr;
        for (const SystemCallEdge *edge : edges == from_.end() ? std::vector<const SystemCallEdge *>{} : edges->second)
            if (may_set_flags(profile_.sites[edge->to]) && (next == nullptr || edge->weight > next->weight))
                next = edge;
        return next != nullptr && share_of(next->weight, times) >= min_share_flagged ? next : nullptr;
    }

    // A descriptor whose flags are set as soon as it is made (accept4).
    void flag(const NotedSystemCall &call) {
        const uint64_t made = call.calls - std::min(call.calls, call.errors);
        std::vector<Site> group;
        std::set<uint32_t> seen = {call.site};
        uint64_t often = made;
        for (uint32_t site = call.site; group.size() < max_flag_calls;) {
            const SystemCallEdge *next = setting_after(site, made);
            if (next == nullptr || !seen.insert(next->to).second)
                break;
            often = std::min(often, next->weight);
            group.push_back(profile_.sites[next->to]);
            site = next->to;
        }
        if (group.empty())
            return;
        const size_t calls = group.size();
        Decision &decision =
            decide(model::Fuse{std::move(group)}, call, often, costs_.system_call_ns * static_cast<double>(calls));
        apply(decision, "the kernel gives it the same flags, and nothing on the way to the calls could tell when",
              fmt::format("{} of {} descriptors were given flags by {} after they were made.", often, made,
                          calls == 1 ? "a call right" : fmt::format("{} calls right", calls)));
    }

    // fcntl may make a descriptor itself: then the next call is about another one.
    void flag_duplicate(const NotedSystemCall &call) {
        const SystemCallEdge *next = setting_after(call.site, call.calls - std::min(call.calls, call.errors));
        if (next != nullptr && next->same_descriptor == 0)
            flag(call);
    }

    // Before any of them is of use, each process asks whether it may make calls of its own.
    void refuse_what_does_not_earn_the_question() {
        double saved_ns = 0;
        for (const Decision &decision : made_)
            if (decision.verdict == Verdict::apply)
                saved_ns += decision.predicted_gain_ns * static_cast<double>(decision.weight);
        const double asked_ns = costs_.start_question_ns * processes();
        for (Decision &decision : made_)
            if (saved_ns <= asked_ns && decision.verdict == Verdict::apply)
                refuse(
                    decision, RefusalKind::costs_no_more,
                    fmt::format("all decisions about system calls together save {:.1f} us; to ask whether a filter of "
                                "system calls was inherited takes {:.1f} us.",
                                saved_ns / 1000, asked_ns / 1000));
    }

    double processes() const { return static_cast<double>(std::max<uint64_t>(profile_.coverage.processes, 1)); }

    uint64_t calls_of(std::initializer_list<knowledge::Act> acts) const {
        uint64_t made = 0;
        for (const auto &[site, call] : calls_)
            if (std::ranges::find(acts, knowledge::act_of(profile_.sites[site].callee)) != acts.end())
                made = saturating_add(made, call->calls - std::min(call->calls, call->errors));
        return made;
    }

    // How often that came right before, about the same descriptor, and ended no quiet stretch (docs/SYSTEM_CALLS.md): so something may be
    // known. Only of the descriptor that was opened last, that is.
    uint64_t known_after(const SystemCallEdge &edge) const {
        switch (role_of(profile_.sites[edge.from].callee)) {
        case Role::opens:
        case Role::looks:
        case Role::reads:
        case Role::advises:
            return edge.same_descriptor;
        case Role::asks_for_memory:
        case Role::gives_back:
            return edge.weight;
        default:
            return 0;
        }
    }

    uint64_t within_stretches(uint32_t site) const {
        uint64_t times = 0;
        for (const SystemCallEdge &edge : profile_.system_call_edges)
            if (edge.to == site)
                times = saturating_add(times, known_after(edge));
        return times;
    }

    uint64_t right_after_reads(uint32_t site) const {
        uint64_t times = 0;
        for (const SystemCallEdge &edge : profile_.system_call_edges)
            if (edge.to == site && role_of(profile_.sites[edge.from].callee) == Role::reads)
                times = saturating_add(times, known_after(edge));
        return times;
    }

    // And behind a read, with one such call between at most.
    uint64_t after_reads(uint32_t site) const {
        uint64_t times = right_after_reads(site);
        for (const SystemCallEdge &edge : profile_.system_call_edges)
            if (edge.to == site && role_of(profile_.sites[edge.from].callee) != Role::reads)
                times = saturating_add(times, std::min(known_after(edge), right_after_reads(edge.from)));
        return times;
    }

    // No more ends of files than these can be known: behind a read that was short, of a file that was opened and asked for its size.
    uint64_t ends_to_know(const NotedSystemCall &call) const {
        uint64_t short_reads = 0;
        for (const auto &[site, other] : calls_)
            if (role_of(profile_.sites[site].callee) == Role::reads)
                short_reads = saturating_add(short_reads, other->shorts - std::min(other->shorts, other->zeros));
        return std::min(
            {call.zeros, after_reads(call.site), short_reads, calls_of(opening), calls_of({knowledge::Act::looks})});
    }

    Decision &decide_to_elide(const NotedSystemCall &call, uint64_t known, uint64_t wanted) {
        const double asked_ns = costs_.file_system_ns * processes();
        const double each_ns = costs_.system_call_ns - (known == 0 ? 0 : asked_ns / static_cast<double>(known));
        Decision &decision = decide(model::Elide{tellers(call.site)}, call, known, each_ns);
        const uint64_t fewest = std::max(min_system_calls, bounds_.eta);
        if (known < fewest && wanted >= fewest)
            refuse(decision, RefusalKind::not_known,
                   fmt::format(
                       "of {} such calls no more than {} came where the file had been opened{} with nothing between "
                       "that others could see: what the others give isn't known.",
                       wanted, known,
                       role_of(decision.site.callee) == Role::reads ? ", asked for its size and read to a short end"
                                                                    : ""));
        return decision;
    }

    // Those that tell what is known of a descriptor.
    std::vector<Site> tellers(uint32_t but) const {
        std::vector<Site> sites;
        for (const auto &[site, call] : calls_) {
            const Role role = role_of(profile_.sites[site].callee);
            const bool tells = role == Role::opens || role == Role::looks || role == Role::reads;
            if (tells && site != but && sites.size() < model::max_group)
                sites.push_back(profile_.sites[site]);
        }
        return sites;
    }

    void elide_end(const NotedSystemCall &call) {
        if (call.zeros == 0)
            return;
        Decision &decision = decide_to_elide(call, ends_to_know(call), call.zeros);
        apply(decision,
              "the read before it ended at the size that fstat told, and nothing since then could tell or learn of "
              "others",
              fmt::format("{} of {} calls only found the end of a file.", call.zeros, call.calls));
    }

    void elide_advice(const NotedSystemCall &call) {
        const uint64_t known = std::min({call.calls, within_stretches(call.site), calls_of(opening)});
        Decision &decision = decide_to_elide(call, known, call.calls);
        apply(decision, "the file is no larger than what the kernel reads ahead without advice",
              fmt::format("{} times, how a file will be read was told in front of reading it.", call.calls));
    }

    // A loop over numbers of which most are no descriptors. How often it began is what didn't follow itself.
    void elide_absent(const NotedSystemCall &call) {
        const SystemCallEdge *again = nullptr;
        for (const SystemCallEdge *edge : from_[call.site])
            if (edge->to == call.site)
                again = edge;
        if (again == nullptr || share_of(call.errors, call.calls) < min_share_absent)
            return;
        const uint64_t loops = call.calls - std::min(again->weight, call.calls - 1);
        const double asked_ns = costs_.list_ns * share_of(loops, call.errors);
        Decision &decision = decide(model::Elide{}, call, call.errors, costs_.system_call_ns - asked_ns);
        apply(decision, "since all descriptors were asked for, nothing could open another or be told of a call",
              fmt::format("{} of {} calls failed, {} a loop: most numbers are no descriptors.", call.errors, call.calls,
                          call.errors / loops));
    }

    // How long the groups are is not recorded: of two writes each, the least that there may be.
    void coalesce(const NotedSystemCall &call) {
        const SystemCallEdge *next = nullptr;
        for (const SystemCallEdge *edge : from_[call.site])
            if (profile_.sites[edge->to].callee == profile_.sites[call.site].callee &&
                (next == nullptr || edge->adjacent > next->adjacent))
                next = edge;
        if (next == nullptr || next->adjacent == 0)
            return;
        Decision &decision = decide(model::Coalesce{{profile_.sites[next->to]}}, call, next->adjacent,
                                    costs_.joined_write_ns - costs_.join_guard_ns);
        apply(decision, "all is written by one call; where not all was, the calls are made one by one",
              fmt::format("{} of {} writes went on where the one before had ended, with no other call between.",
                          next->adjacent, call.calls));
    }

    // Which of them follow each other is not recorded: the library's own calls lie between. One decision for all.
    void overlap() {
        std::vector<const NotedSystemCall *> remote;
        for (const auto &[site, call] : calls_)
            if (role_of(profile_.sites[site].callee) == Role::calls_server)
                remote.push_back(call);
        if (remote.empty())
            return;
        std::sort(remote.begin(), remote.end(),
                  [](auto *a, auto *b) { return std::pair(~a->calls, a->site) < std::pair(~b->calls, b->site); });
        remote.resize(std::min(remote.size(), model::max_group + 1));
        uint64_t calls = 0;
        for (const NotedSystemCall *one : remote)
            calls = saturating_add(calls, one->calls);
        model::Overlap work;
        for (size_t i = 1; i < remote.size(); ++i)
            work.group.push_back(profile_.sites[remote[i]->site]);
        work.independent = independent_;
        Decision &decision = decide(std::move(work), *remote.front(), calls, costs_.system_call_ns);
        const std::string made = fmt::format("{} remote calls were made, at {} places", calls, remote.size());
        if (decision.verdict == Verdict::apply && independent_.empty())
            refuse(
                decision, RefusalKind::not_declared,
                made +
                    ", each after the reply to the one before; what their server does isn't seen here. Declare those "
                    "that may be made in any order, also when the one before has failed, and whose arguments aren't in "
                    "the results of one before: --independent PROGRAM:VERSION:PROCEDURE,PROCEDURE...");
        apply(
            decision,
            "the client sends datagrams, and the arguments are those that were sent; else the calls follow each other",
            made + "; those that the user declared independent go out together");
    }

    const model::Profile &profile_;
    const CostTable &costs_;
    const Bounds &bounds_;
    model::Plan &plan_;
    const std::vector<model::IndependentCalls> &independent_;
    std::map<uint32_t, const NotedSystemCall *> calls_;  // by site
    std::map<uint32_t, std::vector<const SystemCallEdge *>> from_;
    std::map<uint32_t, std::vector<const model::Release *>> releases_;
    std::vector<Decision> made_;
};

}  // namespace

void plan_system_calls(const model::Profile &profile, const CostTable &costs, const Bounds &bounds, model::Plan &plan,
                       const std::vector<model::IndependentCalls> &independent) {
    SystemCallPlanner(profile, costs, bounds, plan, independent).run();
}

}  // namespace thalweg::plan
