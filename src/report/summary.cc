// report: what came of a program in a few lines, for `thalweg auto`.
#include "report/summary.h"

#include <algorithm>
#include <functional>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/costs.h"
#include "report/names.h"
#include "report/text_table.h"

namespace thalweg::report {

namespace {

using model::Decision;
using model::Verdict;
using Json = nlohmann::ordered_json;

constexpr size_t most_done = 2;
// So much of a name: with a reason's first sentence two rows of a terminal.
constexpr size_t longest_name = 70;

std::string line(const char *name, const std::string &text) { return fmt::format("{:<11}{}\n", name, text); }

std::string place_of(const model::Site &site) { return shown(place_words(site)); }

std::string name_of(const std::string &function) {
    const std::string name = shown(function);
    return name.size() > longest_name ? name.substr(0, longest_name) + "..." : name;
}

// What a decision is about, once: a list of callbacks is named by its place already.
std::string what_of(const Decision &decision) {
    if (model::is_of_function(decision.kind()))
        return name_of(decision.site.function);
    const std::string event = shown(decision.event);
    const bool is_named_by_place = !decision.site.place.file.empty() && event.find(decision.site.place.file) == 0;
    return is_named_by_place ? event : fmt::format("{} ({})", event, shown(place_words(decision)));
}

std::string share_of(uint64_t part, uint64_t whole) {
    return whole == 0 ? ""
                      : fmt::format(", {} of all", percent(static_cast<double>(part) / static_cast<double>(whole)));
}

// ---- what ran ----

std::string recorded(const model::Profile &profile) {
    uint64_t calls = 0;
    for (const model::NotedSystemCall &call : profile.system_calls)
        calls += call.calls;
    return line("recorded",
                fmt::format("{}: {} dispatches of {} events and lists, {} system calls", harmless(profile.command),
                            grouped(profile.coverage.dispatches), grouped(profile.events.size()), grouped(calls)));
}

std::string name_and_place(const model::Profile &profile, uint32_t index) {
    std::string text = shown(profile.events[index].name);
    const auto sequence = std::ranges::find(profile.sequences, index, &model::Sequence::event);
    if (sequence == profile.sequences.end())
        return text;
    const model::Site &site = profile.sites[sequence->site];
    if (site.place.file.empty() || text.find(site.place.file) != 0)
        text += fmt::format(" ({})", place_of(site));
    return text;
}

// By its own time; where that is not known, by its raises.
std::string hottest_event(const model::Profile &profile) {
    const std::vector<uint32_t> order = dearest_first(profile);
    if (order.empty() || profile.events[order[0]].raises == 0)
        return {};
    const model::Event &most = profile.events[order[0]];
    const std::string name = name_and_place(profile, order[0]);
    const std::string raises = counted(most.raises, most.error);
    if (most.time.timed != 0)
        return fmt::format("{}: {} in {} dispatches", name, estimated_time(most.time.own_ns, most.time.own_error_ns),
                           raises);
    uint64_t all = 0;
    for (const model::Event &event : profile.events)
        all += event.raises;
    return fmt::format("{}: {} times{}", name, raises, share_of(most.raises, all));
}

std::string hottest_call(const model::Profile &profile) {
    const auto most = std::ranges::max_element(profile.system_calls, {}, &model::NotedSystemCall::calls);
    if (most == profile.system_calls.end() || most->calls == 0)
        return {};
    uint64_t all = 0;
    for (const model::NotedSystemCall &call : profile.system_calls)
        all += call.calls;
    const model::Site &site = profile.sites[most->site];
    return fmt::format("{} ({}): {} calls{}", shown(site.callee), place_of(site), grouped(most->calls),
                       share_of(most->calls, all));
}

std::string hottest_function(const model::Profile &profile) {
    const auto most = std::ranges::max_element(profile.functions, {}, &model::ProfiledFunction::entries);
    if (most == profile.functions.end() || most->entries == 0)
        return {};
    return fmt::format("{}: {} entries", name_of(most->body.name), counted(most->entries, most->error));
}

// Of each kind of crossing the one that costs most or ran most; of layers only where there is no event.
std::string hottest(const model::Profile &profile) {
    std::string event = hottest_event(profile);
    if (event.empty())
        event = hottest_function(profile);
    std::string text = event.empty() ? "" : line("hottest", event);
    if (const std::string call = hottest_call(profile); !call.empty())
        text += line(text.empty() ? "hottest" : "", call);
    return text;
}

// ---- what was done ----

std::vector<const Decision *> heaviest(const model::Plan &plan, bool (*is_meant)(const Decision &decision)) {
    std::vector<const Decision *> found;
    for (const Decision &decision : plan.decisions)
        if (is_meant(decision))
            found.push_back(&decision);
    std::ranges::sort(found, std::greater<>(), [](const Decision *one) {
        return std::tuple(one->predicted_gain_total_ms, one->weight, ~one->id);
    });
    return found;
}

std::string done(const SummaryData &data) {
    const auto applied =
        heaviest(*data.plan, [](const Decision &decision) { return decision.verdict == Verdict::apply; });
    if (applied.empty())
        return line("done", "nothing: no decision is left");
    std::string text;
    for (size_t i = 0; i < std::min(applied.size(), most_done); ++i) {
        const auto outcome =
            std::ranges::find(data.outcome->decisions, applied[i]->id, &model::DecisionOutcome::decision);
        const std::string reason =
            outcome == data.outcome->decisions.end() || outcome->reason.empty() ? applied[i]->reason : outcome->reason;
        text += line(i == 0 ? "done" : "", fmt::format("{} {}: {}", model::kind_word(applied[i]->kind()),
                                                       what_of(*applied[i]), first_sentence(reason)));
    }
    if (applied.size() > most_done)
        text += line("", fmt::format("{} more", applied.size() - most_done));
    return text;
}

std::string taken_out(const SummaryData &data) {
    std::string text;
    for (const MeasuredPart &part : data.parts)
        if (!part.kept)
            text += fmt::format("{}{} ({} decision{}): did not pay, {:.3f} ({:.3f} to {:.3f}) of the {} without",
                                text.empty() ? "" : "; ", part.what, part.decisions, part.decisions == 1 ? "" : "s",
                                part.ratio.median, part.ratio.low, part.ratio.high, model::time_words(part.metric));
    return text.empty() ? text : line("taken out", text);
}

std::string refused(const SummaryData &data) {
    const auto others = heaviest(*data.plan, [](const Decision &decision) {
        return decision.verdict == Verdict::refuse && decision.refusal != word(model::RefusalKind::does_not_pay);
    });
    if (others.empty())
        return {};
    const Decision &first = *others[0];
    const std::string more = others.size() == 1 ? "" : fmt::format("; {} more: {}", others.size() - 1, data.explain);
    return line("refused", fmt::format("{} {}: {}{}", model::kind_word(first.kind()), what_of(first),
                                       first_sentence(first.reason), more));
}

std::string growth(const model::Outcome &outcome) {
    std::string change;
    if (outcome.instructions_before != 0) {
        const auto before = static_cast<double>(outcome.instructions_before);
        change = fmt::format(" ({:+.1f} %)", (static_cast<double>(outcome.instructions_after) - before) * 100 / before);
    }
    return line("code", fmt::format("{} IR instructions before, {} after{}", grouped(outcome.instructions_before),
                                    grouped(outcome.instructions_after), change));
}

std::string times(const char *name, const model::Estimate &ratio, const model::Estimate &noise) {
    return line(name, fmt::format("ratio {:.3f} ({:.3f} to {:.3f}); the original against itself {:.3f} to {:.3f}",
                                  ratio.median, ratio.low, ratio.high, noise.low, noise.high));
}

std::string measured(const model::Comparison &comparison, const TextStyle &style) {
    const model::Measurement &measurement = comparison.measurement;
    std::string text;
    if (measurement.wall_ratio.n != 0) {
        text += times("processor", measurement.cpu_ratio, measurement.cpu_noise);
        text += times("clock", measurement.wall_ratio, measurement.wall_noise);
    }
    if (measurement.candidate_instructions != 0)
        text += line("executed", fmt::format("ratio {} instructions", instruction_words(measurement)));
    return text + line("verdict", marked(shown(comparison.summary), style));
}

// Each kind of decision by what it was measured to bring; the rest of the whole, of which there is no measurement, is what the link did besides.
std::string shares(const SummaryData &data) {
    const model::Measurement &measurement = data.comparison->measurement;
    const bool by_cpu = data.comparison->metric == model::metric_cpu;
    const model::Estimate &whole = by_cpu ? measurement.cpu_ratio : measurement.wall_ratio;
    if (whole.n == 0 || whole.median <= 0)
        return {};
    std::string text;
    double rest = whole.median;
    for (const MeasuredPart &part : data.parts)
        if (part.kept && part.ratio.median > 0 && part.metric == data.comparison->metric) {
            text += fmt::format("{} {:.3f} ({:.3f} to {:.3f}), ", part.what, part.ratio.median, part.ratio.low,
                                part.ratio.high);
            rest /= part.ratio.median;
        }
    return line("shares", fmt::format("{}all else (link-time optimisation, the profile) ~{:.3f} of the {} without",
                                      text, rest, model::time_words(data.comparison->metric)));
}

Json part_json(const MeasuredPart &part) {
    return {{"what", part.what},      {"decisions", part.decisions}, {"kept", part.kept},
            {"metric", part.metric},  {"ratio", part.ratio.median},  {"low", part.ratio.low},
            {"high", part.ratio.high}};
}

}  // namespace

std::string instruction_words(const model::Measurement &measurement) {
    const auto original = static_cast<double>(std::max<uint64_t>(measurement.original_instructions, 1));
    return fmt::format("{:.4f}: {} of {}", static_cast<double>(measurement.candidate_instructions) / original,
                       grouped(measurement.candidate_instructions), grouped(measurement.original_instructions));
}

std::string text_summary(const SummaryData &data, const TextStyle &style) {
    std::string text = recorded(*data.profile) + hottest(*data.profile) + done(data) + taken_out(data) + refused(data) +
                       growth(*data.outcome);
    if (data.comparison != nullptr)
        text += shares(data) + measured(*data.comparison, style);
    std::string files;
    for (const auto &[what, path] : data.files)
        files += fmt::format("{}{} {}", files.empty() ? "" : ", ", what, shown(path));
    return text + line("written", files);
}

std::string json_summary(const SummaryData &data) {
    Json parts = Json::array();
    for (const MeasuredPart &part : data.parts)
        parts.push_back(part_json(part));
    Json files = Json::object();
    for (const auto &[what, path] : data.files)
        files[what] = path;
    const Json json = {
        {"command", data.profile->command},
        {"dispatches", data.profile->coverage.dispatches},
        {"plan", Json::parse(json_plan(*data.plan))},
        {"instructions_before", data.outcome->instructions_before},
        {"instructions_after", data.outcome->instructions_after},
        {"measured", parts},
        {"comparison", data.comparison == nullptr ? Json() : Json::parse(model::write_comparison(*data.comparison))},
        {"files", files}};
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace thalweg::report
