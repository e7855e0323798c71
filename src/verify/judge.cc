// verify: do two programs show the same?
#include "verify/judge.h"

#include <algorithm>
#include <cassert>
#include <filesystem>

#include "verify/difference.h"

namespace thalweg::verify {
namespace {

using model::Agreement;
using model::Comparison;
using model::Difference;
using model::metric_cpu;
using model::Speed;

std::string percent(double ratio) { return fmt::format("{:.1f} %", (ratio - 1) * 100); }

std::string speed_in_words(const Comparison &comparison, const model::Estimate &ratio) {
    const std::string_view time = model::time_words(comparison.metric);
    if (comparison.speed == Speed::within_noise) {
        return fmt::format("no difference in {} beyond noise (ratio {:.3f}, {:.3f} to {:.3f})", time, ratio.median,
                           ratio.low, ratio.high);
    }
    const bool faster = comparison.speed == Speed::faster;
    return fmt::format("{} {} {} than the original", percent(faster ? 2 - ratio.median : ratio.median),
                       faster ? "less" : "more", time);
}

std::string summary_of(const Comparison &comparison, const model::Estimate &ratio) {
    if (comparison.agreement != Agreement::equal) {
        const Difference &first = comparison.differences.front();
        if (comparison.agreement == Agreement::unstable) {
            return fmt::format("the original itself does not show the same {} twice, so equality cannot be judged",
                               first.what);
        }
        return fmt::format("outputs differ, first in {}", first.what);
    }
    return "outputs equal; " + speed_in_words(comparison, ratio);
}

}  // namespace

Status Judge::keep_reference(const Shown &shown) {
    assert(shown.original);
    has_reference_ = true;
    ending_ = shown.ending;
    for (const auto &[name, path] : shown.outputs) {
        const std::string copy = fmt::format("{}/reference-{}", directory_, reference_.size());
        std::error_code error;
        if (std::filesystem::exists(path, error)) {
            std::filesystem::copy_file(path, copy, std::filesystem::copy_options::overwrite_existing, error);
        }
        if (error) {
            return fail(ErrorCode::environment, "cannot keep a copy of {}: {}", path, error.message());
        }
        reference_.emplace_back(name, copy);
    }
    return Done{};
}

void Judge::note(const Shown &shown, Difference difference) {
    auto &differences = shown.original ? original_differences_ : candidate_differences_;
    const bool known = std::any_of(differences.begin(), differences.end(),
                                   [&](const Difference &other) { return other.what == difference.what; });
    if (known) {
        return;
    }
    difference.program = shown.original ? original_ : candidate_;
    difference.round = shown.round;
    differences.push_back(std::move(difference));
}

Status Judge::see(const Shown &shown) {
    ++runs_;
    if (!has_reference_) {
        return keep_reference(shown);
    }
    if (shown.ending != ending_) {
        Difference difference;
        difference.what = "exit";
        difference.expected = ending_;
        difference.found = shown.ending;
        note(shown, difference);
    }
    assert(shown.outputs.size() == reference_.size());
    for (size_t i = 0; i < reference_.size(); ++i) {
        Result<std::optional<Difference>> found = first_difference(reference_[i].second, shown.outputs[i].second);
        if (!found) {
            return found.error();
        }
        if (*found) {
            (*found)->what = reference_[i].first;
            note(shown, **found);
        }
    }
    return Done{};
}

Agreement Judge::agreement() const {
    if (!original_differences_.empty()) {
        // What the original always shows in the same way can still be held against the candidate.
        const bool differs_elsewhere = std::any_of(
            candidate_differences_.begin(), candidate_differences_.end(), [&](const Difference &difference) {
                return std::none_of(original_differences_.begin(), original_differences_.end(),
                                    [&](const Difference &other) { return other.what == difference.what; });
            });
        return differs_elsewhere ? Agreement::differ : Agreement::unstable;
    }
    return candidate_differences_.empty() ? Agreement::equal : Agreement::differ;
}

Comparison Judge::verdict(const model::Measurement &measurement, const std::string &metric) const {
    Comparison comparison;
    comparison.agreement = agreement();
    comparison.compared = {"exit"};
    for (const auto &[name, path] : reference_) {
        comparison.compared.push_back(name);
    }
    comparison.differences =
        comparison.agreement == Agreement::unstable ? original_differences_ : candidate_differences_;
    if (comparison.agreement == Agreement::differ) {
        std::erase_if(comparison.differences, [&](const Difference &difference) {
            return std::any_of(original_differences_.begin(), original_differences_.end(),
                               [&](const Difference &other) { return other.what == difference.what; });
        });
    }
    comparison.ending = ending_;
    comparison.measurement = measurement;
    comparison.metric = metric;
    const bool by_cpu = metric == metric_cpu;
    const model::Estimate &ratio = by_cpu ? measurement.cpu_ratio : measurement.wall_ratio;
    comparison.speed = judge_speed(ratio, by_cpu ? measurement.cpu_noise : measurement.wall_noise);
    comparison.summary = summary_of(comparison, ratio);
    return comparison;
}

Speed judge_speed(const model::Estimate &ratio, const model::Estimate &noise) {
    if (ratio.n == 0) {
        return Speed::within_noise;
    }
    if (ratio.high < std::min(1.0, noise.low)) {
        return Speed::faster;
    }
    if (ratio.low > std::max(1.0, noise.high)) {
        return Speed::slower;
    }
    return Speed::within_noise;
}

}  // namespace thalweg::verify
