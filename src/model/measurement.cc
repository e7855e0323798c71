// model: a measurement as JSON.
#include "model/measurement.h"

#include "model/measurement_json.h"

namespace thalweg::model {
namespace {

using Json = nlohmann::json;

Json times_to_json(const std::vector<RunTimes> &runs) {
    Json list = Json::array();
    for (const RunTimes &run : runs) {
        list.push_back({{"wall_s", run.wall_s},
                        {"user_s", run.user_s},
                        {"system_s", run.system_s},
                        {"max_rss_kib", run.max_rss_kib},
                        {"queued_s", run.queued_s}});
    }
    return list;
}

std::vector<RunTimes> times_from_json(const Json &list) {
    std::vector<RunTimes> runs;
    for (const Json &run : list) {
        runs.push_back({run.at("wall_s").get<double>(), run.at("user_s").get<double>(),
                        run.at("system_s").get<double>(), run.at("max_rss_kib").get<uint64_t>(),
                        run.value("queued_s", 0.0)});
    }
    return runs;
}

Json estimate_to_json(const Estimate &estimate) {
    return {{"median", estimate.median},
            {"low", estimate.low},
            {"high", estimate.high},
            {"confidence", estimate.confidence},
            {"n", estimate.n}};
}

Estimate estimate_from_json(const Json &json) {
    return {json.at("median").get<double>(), json.at("low").get<double>(), json.at("high").get<double>(),
            json.at("confidence").get<double>(), json.at("n").get<uint32_t>()};
}

}  // namespace

Json measurement_to_json(const Measurement &measurement) {
    return {{"version", Measurement::version},
            {"original", measurement.original},
            {"candidate", measurement.candidate},
            {"command", measurement.command},
            {"original_runs", times_to_json(measurement.original_runs)},
            {"again_runs", times_to_json(measurement.again_runs)},
            {"candidate_runs", times_to_json(measurement.candidate_runs)},
            {"wall_ratio", estimate_to_json(measurement.wall_ratio)},
            {"wall_noise", estimate_to_json(measurement.wall_noise)},
            {"cpu_ratio", estimate_to_json(measurement.cpu_ratio)},
            {"cpu_noise", estimate_to_json(measurement.cpu_noise)},
            {"original_instructions", measurement.original_instructions},
            {"candidate_instructions", measurement.candidate_instructions}};
}

Measurement measurement_from_json(const Json &json) {
    Measurement measurement;
    measurement.original = json.at("original").get<std::string>();
    measurement.candidate = json.at("candidate").get<std::string>();
    measurement.command = json.at("command").get<std::string>();
    measurement.original_runs = times_from_json(json.at("original_runs"));
    measurement.again_runs = times_from_json(json.at("again_runs"));
    measurement.candidate_runs = times_from_json(json.at("candidate_runs"));
    measurement.wall_ratio = estimate_from_json(json.at("wall_ratio"));
    measurement.wall_noise = estimate_from_json(json.at("wall_noise"));
    measurement.cpu_ratio = estimate_from_json(json.at("cpu_ratio"));
    measurement.cpu_noise = estimate_from_json(json.at("cpu_noise"));
    measurement.original_instructions = json.value("original_instructions", uint64_t{0});
    measurement.candidate_instructions = json.value("candidate_instructions", uint64_t{0});
    return measurement;
}

Status check_version(const Json &json, const char *what, uint32_t version) {
    if (!json.is_object() || !json.contains("version") || !json["version"].is_number_unsigned()) {
        return fail(ErrorCode::does_not_fit, "this is no {}: a JSON object with a \"version\" was expected", what);
    }
    if (json["version"].get<uint64_t>() != version) {
        return fail(ErrorCode::does_not_fit, "this {} has version {}, this program reads version {}; make it again",
                    what, json["version"].get<uint64_t>(), version);
    }
    return Done{};
}

std::string write_measurement(const Measurement &measurement) { return write_json(measurement_to_json(measurement)); }

Result<Measurement> read_measurement(const std::string &text) {
    return read_json<Measurement>(text, "measurement", measurement_from_json);
}

}  // namespace thalweg::model
