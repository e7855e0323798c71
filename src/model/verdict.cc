// model: a comparison as JSON, by its rows.
#include "model/verdict.h"

#include "model/estimate_fields.h"
#include "model/json_fields.h"
#include "model/limits.h"

namespace thalweg::model {

namespace {

constexpr std::string_view format = "thalweg-comparison";
constexpr const char *agreement_words[] = {"equal", "differ", "unstable"};
constexpr const char *speed_words[] = {"faster", "slower", "within noise"};

}  // namespace

namespace fields {

template <>
struct Of<RunTimes> {
    static constexpr std::tuple rows{
        value("wall_s", &RunTimes::wall_s).needed(), value("user_s", &RunTimes::user_s).needed(),
        value("system_s", &RunTimes::system_s).needed(), value("max_rss_kib", &RunTimes::max_rss_kib).needed(),
        value("queued_s", &RunTimes::queued_s)};
};

template <>
struct Of<Measurement> {
    static constexpr std::tuple rows{value("original", &Measurement::original).needed(),
                                     value("candidate", &Measurement::candidate).needed(),
                                     value("command", &Measurement::command).needed(),
                                     objects("original_runs", &Measurement::original_runs, max_runs),
                                     objects("again_runs", &Measurement::again_runs, max_runs),
                                     objects("candidate_runs", &Measurement::candidate_runs, max_runs),
                                     object("wall_ratio", &Measurement::wall_ratio).needed(),
                                     object("wall_noise", &Measurement::wall_noise).needed(),
                                     object("cpu_ratio", &Measurement::cpu_ratio).needed(),
                                     object("cpu_noise", &Measurement::cpu_noise).needed(),
                                     value("original_instructions", &Measurement::original_instructions),
                                     value("candidate_instructions", &Measurement::candidate_instructions)};
};

template <>
struct Of<Difference> {
    static constexpr std::tuple rows{
        value("what", &Difference::what).needed(),   value("program", &Difference::program).needed(),
        value("round", &Difference::round).needed(), value("offset", &Difference::offset).needed(),
        value("line", &Difference::line).needed(),   value("expected", &Difference::expected).needed(),
        value("found", &Difference::found).needed()};
};

template <>
struct Of<Comparison> {
    static constexpr std::tuple rows{key("agreement", &Comparison::agreement, agreement_words),
                                     values("compared", &Comparison::compared, max_compared),
                                     objects("differences", &Comparison::differences, max_compared),
                                     value("ending", &Comparison::ending).needed(),
                                     object("measurement", &Comparison::measurement).needed(),
                                     key("speed", &Comparison::speed, speed_words),
                                     value("metric", &Comparison::metric).needed(),
                                     value("summary", &Comparison::summary).needed()};
};

}  // namespace fields

std::string_view time_words(std::string_view metric) {
    return metric == metric_cpu ? "processor time" : "time on the clock";
}

std::string write_comparison(const Comparison &comparison) {
    return json::write_document(format, Comparison::version, comparison);
}

Result<Comparison> read_comparison(const std::string &text) {
    Result<json::Value> document = json::parse(text, format, Comparison::version, true);
    if (!document)
        return document.error();
    // Of an older file, the measurement has a version of its own.
    if (const auto measurement = document->find("measurement");
        measurement != document->end() && measurement->is_object())
        measurement->erase("version");
    return json::read_parsed<Comparison>(*document, format);
}

}  // namespace thalweg::model
