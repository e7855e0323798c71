// model: a comparison as JSON.
#include "model/verdict.h"

#include <array>

#include "model/measurement_json.h"

namespace thalweg::model {
namespace {

using Json = nlohmann::json;

constexpr std::array agreement_names = {"equal", "differ", "unstable"};
constexpr std::array speed_names = {"faster", "slower", "within noise"};

template <class Enum, size_t n>
Enum from_name(const std::array<const char *, n> &names, const Json &json) {
    const std::string name = json.get<std::string>();
    for (size_t i = 0; i < n; ++i) {
        if (name == names[i]) {
            return static_cast<Enum>(i);
        }
    }
    throw Json::other_error::create(501, "unknown word '" + name + "'", nullptr);
}

Json difference_to_json(const Difference &difference) {
    return {{"what", difference.what},     {"program", difference.program}, {"round", difference.round},
            {"offset", difference.offset}, {"line", difference.line},       {"expected", difference.expected},
            {"found", difference.found}};
}

Difference difference_from_json(const Json &json) {
    return {json.at("what").get<std::string>(), json.at("program").get<std::string>(),
            json.at("round").get<uint32_t>(),   json.at("offset").get<uint64_t>(),
            json.at("line").get<uint64_t>(),    json.at("expected").get<std::string>(),
            json.at("found").get<std::string>()};
}

Comparison comparison_from_json(const Json &json) {
    Comparison comparison;
    comparison.agreement = from_name<Agreement>(agreement_names, json.at("agreement"));
    comparison.compared = json.at("compared").get<std::vector<std::string>>();
    for (const Json &difference : json.at("differences")) {
        comparison.differences.push_back(difference_from_json(difference));
    }
    comparison.ending = json.at("ending").get<std::string>();
    comparison.measurement = measurement_from_json(json.at("measurement"));
    comparison.speed = from_name<Speed>(speed_names, json.at("speed"));
    comparison.metric = json.at("metric").get<std::string>();
    comparison.summary = json.at("summary").get<std::string>();
    return comparison;
}

}  // namespace

std::string_view time_words(std::string_view metric) {
    return metric == metric_cpu ? "processor time" : "time on the clock";
}

std::string write_comparison(const Comparison &comparison) {
    Json differences = Json::array();
    for (const Difference &difference : comparison.differences) {
        differences.push_back(difference_to_json(difference));
    }
    return write_json({{"version", Comparison::version},
                       {"agreement", agreement_names[static_cast<size_t>(comparison.agreement)]},
                       {"compared", comparison.compared},
                       {"differences", differences},
                       {"ending", comparison.ending},
                       {"measurement", measurement_to_json(comparison.measurement)},
                       {"speed", speed_names[static_cast<size_t>(comparison.speed)]},
                       {"metric", comparison.metric},
                       {"summary", comparison.summary}});
}

Result<Comparison> read_comparison(const std::string &text) {
    return read_json<Comparison>(text, "comparison", comparison_from_json);
}

}  // namespace thalweg::model
