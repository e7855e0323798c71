// cli: `thalweg bisect`, which decision makes the optimised program show something else, or slower?
#include <algorithm>
#include <cstdio>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/temporary.h"
#include "cli/comparison_options.h"
#include "cli/optimized.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "driver/comparing.h"
#include "driver/optimizing.h"

namespace thalweg::cli {

using namespace driver;

namespace {

using Decisions = std::vector<uint32_t>;

// Enough to see a difference that shows in every run; more where it does not.
constexpr uint32_t default_rounds_for_outputs = 1;

struct BisectOptions {
    OptimizeRequest request;
    ComparisonOptions comparison;
    std::vector<std::string> independent;
    bool slower = false;
    bool json = false;
};

void declare_bisect(CLI::App &app, BisectOptions &options) {
    app.add_option("program", options.request.program, "the program that thalweg-cc linked")->required();
    app.add_option("--profile", options.request.profile_path, "what `thalweg record` wrote");
    app.add_option("--plan", options.request.plan_path, "what `thalweg plan` wrote");
    declare_consent(app, options.request, options.independent);
    declare_objects(app, options.request.objects);
    app.add_flag("--slower", options.slower, "look for what makes it slower instead of what makes it differ");
    declare_comparison(app, options.comparison);
    app.add_flag("--json", options.json, "the decision as JSON on stdout");
    app.footer("The words behind -- are the program's arguments, or with --driver a command, as for `compare`.\n"
               "Exit: 0 no decision is to blame, 5 one makes the outputs differ, 6 one makes it slower.");
}

class Bisection {
  public:
    Bisection(const BisectOptions &options, std::string directory)
        : options_(options), directory_(std::move(directory)) {}

    // The decisions that the optimiser applies when all are allowed.
    Result<Decisions> applied() {
        const auto optimized = optimize({});
        if (!optimized)
            return optimized.error();
        Decisions decisions;
        for (const model::DecisionOutcome &outcome : optimized->outcome.decisions) {
            if (outcome.applied)
                decisions.push_back(outcome.decision);
        }
        plan_ = optimized->plan;
        return decisions;
    }

    // The smallest n such that the first n decisions together are bad; they are bad all together.
    Result<size_t> first_bad(const Decisions &decisions) {
        size_t good = 0;
        size_t bad = decisions.size();
        while (bad - good > 1) {
            const size_t middle = good + (bad - good) / 2;
            const Result<bool> is_bad = bad_with({decisions.begin(), decisions.begin() + static_cast<long>(middle)});
            if (!is_bad)
                return is_bad.error();
            (*is_bad ? bad : good) = middle;
        }
        return bad;
    }

    Result<bool> bad_with(const Decisions &decisions) {
        if (const auto optimized = optimize(decisions); !optimized)
            return optimized.error();
        ComparisonOptions comparison = options_.comparison;
        comparison.pair.candidate = candidate();
        const auto compared = compare_programs(comparison);
        if (!compared)
            return compared.error();
        const bool bad =
            options_.slower ? compared->speed == model::Speed::slower : compared->agreement == model::Agreement::differ;
        note(fmt::format("{} decisions: {}", decisions.size(), compared->summary));
        if (compared->agreement == model::Agreement::unstable)
            return fail(ErrorCode::usage, "{}; leave that out (--no-stdout, other files)", compared->summary);
        return bad;
    }

    const model::Decision *decision(uint32_t id) const {
        const auto found = std::find_if(plan_.decisions.begin(), plan_.decisions.end(),
                                        [&](const model::Decision &decision) { return decision.id == id; });
        return found == plan_.decisions.end() ? nullptr : &*found;
    }

  private:
    std::string candidate() const { return directory_ + "/candidate"; }
    Result<Optimized> optimize(const Decisions &decisions) {
        OptimizeRequest request = options_.request;
        for (const uint32_t decision : decisions)
            request.only_decisions.push_back({decision, decision});
        request.output = candidate();
        return optimize_program(request);
    }

    const BisectOptions &options_;
    std::string directory_;
    model::Plan plan_;
};

int print_culprit(const Bisection &bisection, const Decisions &decisions, size_t count, const BisectOptions &options) {
    const uint32_t id = decisions[count - 1];
    const model::Decision *decision = bisection.decision(id);
    const std::string event = decision != nullptr ? decision->event : "";
    const std::string site = decision != nullptr ? decision->site.function : "";
    if (options.json) {
        const Decisions with(decisions.begin(), decisions.begin() + static_cast<long>(count));
        const nlohmann::json line = {{"decision", id}, {"event", event}, {"function", site}, {"together_with", with}};
        std::printf("%s\n", line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
    } else {
        std::fputs(fmt::format("decision {} ({} in {}) makes the program {}, together with the {} applied before it\n",
                               id, event, site, options.slower ? "slower" : "show something else", count - 1)
                       .c_str(),
                   stdout);
    }
    const std::string plan = options.request.plan_path.empty() ? "PLAN" : shell_word(options.request.plan_path);
    next_command(fmt::format("thalweg explain {} {}", plan, id));
    return options.slower ? exit_slower : exit_outputs_differ;
}

Result<int> bisect(const BisectOptions &options, const std::string &directory) {
    Bisection bisection(options, directory);
    const Result<Decisions> decisions = bisection.applied();
    if (!decisions)
        return decisions.error();
    if (decisions->empty())
        return fail(ErrorCode::does_not_fit, "no decision is applied to {}: there is nothing to blame",
                    options.request.program);
    const Result<bool> bad = bisection.bad_with(*decisions);
    if (!bad)
        return bad.error();
    if (!*bad) {
        note(fmt::format("with all {} decisions the program is not {}", decisions->size(),
                         options.slower ? "slower" : "different"));
        if (options.json)
            std::puts("{\"decision\":null}");
        return 0;
    }
    const Result<size_t> count = bisection.first_bad(*decisions);
    if (!count)
        return count.error();
    return print_culprit(bisection, *decisions, *count, options);
}

}  // namespace

int run_bisect(const Words &words) {
    CLI::App app("find the decision that makes the optimised program show something else, or slower", "thalweg bisect");
    BisectOptions options;
    declare_bisect(app, options);
    const auto dashes = std::find(words.begin(), words.end(), "--");
    if (const Parsed parsed(app, {words.begin(), dashes}); parsed.finished())
        return parsed.code();
    if (const Status read = read_consent(options.independent, options.request); !read)
        return report_error("bisect", read.error());
    if (!options.slower && app.count("--runs") == 0)
        options.comparison.pair.rounds = default_rounds_for_outputs;
    const auto behind = dashes == words.end() ? dashes : dashes + 1;
    if (const Status taken = take_arguments(options.comparison, {behind, words.end()}); !taken)
        return report_error("bisect", taken.error());
    if (options.request.profile_path.empty() && options.request.plan_path.empty())
        return report_error("bisect",
                            fail(ErrorCode::usage, "from what? name a profile (--profile) or a plan (--plan)"));
    options.comparison.pair.original = options.request.program;
    auto input = KeptInput::of(options.comparison.pair.stdin_path);
    if (!input)
        return report_error("bisect", input.error());
    if (const Status read = read_input(options.comparison, *input); !read)
        return report_error("bisect", read.error());
    const auto scratch = TemporaryFolder::make("bisect");
    if (!scratch)
        return report_error("bisect", scratch.error());
    const Result<int> code = bisect(options, scratch->path());
    return code ? *code : report_error("bisect", code.error());
}

}  // namespace thalweg::cli
