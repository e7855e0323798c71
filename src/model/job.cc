// model: what the command line asks of the plug-in, as JSON (docs/formats/job.md).
#include <algorithm>

#include "model/json.h"
#include "model/limits.h"
#include "model/plan.h"

namespace thalweg::model {

namespace {

constexpr std::string_view format = "thalweg-job";

using Mode = TransformJob::Mode;
constexpr std::pair<std::string_view, Mode> mode_words[] = {
    {"probe", Mode::probe}, {"optimize", Mode::optimize}, {"trial", Mode::trial}, {"object", Mode::object}};

std::string_view word_of(Mode mode) {
    return std::ranges::find(mode_words, mode, &std::pair<std::string_view, Mode>::second)->first;
}

}  // namespace

Status validate(const TransformJob &job) {
    if (job.mode == Mode::probe && job.site_table_path.empty())
        return fail(ErrorCode::usage, "job: mode probe needs a site_table_path to write to");
    if (job.mode != Mode::probe && job.plan_path.empty())
        return fail(ErrorCode::usage, "job: mode {} needs a plan_path to read from", word_of(job.mode));
    if (job.mode == Mode::object && job.object_symbol.empty())
        return fail(ErrorCode::usage, "job: mode object needs an object_symbol, the function's name");
    return Done{};
}

std::string write_job(const TransformJob &job) {
    json::Ordered document = json::document(format, 1);
    document["mode"] = word_of(job.mode);
    document["plan_path"] = job.plan_path;
    document["only_decisions"] = job.only_decisions;
    document["count_guards"] = job.count_guards;
    document["site_table_path"] = job.site_table_path;
    document["outcome_path"] = job.outcome_path;
    document["counts_path"] = job.counts_path;
    document["object_symbol"] = job.object_symbol;
    document["remarks"] = job.remarks;
    auto &places = document["places"] = json::Ordered::array();
    for (const FunctionPlace &place : job.places)
        places.push_back({{"function", place.function}, {"offset", place.offset}});
    document["called_elsewhere"] = job.called_elsewhere;
    document["is_library"] = job.is_library;
    document["recording_part"] = job.recording_part;
    return json::print(document);
}

Result<TransformJob> read_job(const std::string &text) {
    Result<json::Value> document = json::parse(text, format, 1);
    if (!document)
        return document.error();
    TransformJob job;
    std::string mode;
    json::Problem problem;
    json::Members members(*document, "", problem);
    members.text("mode", mode, true);
    members.text("plan_path", job.plan_path);
    members.numbers("only_decisions", max_decisions, job.only_decisions);
    members.flag("count_guards", job.count_guards);
    members.text("site_table_path", job.site_table_path);
    members.text("outcome_path", job.outcome_path);
    members.text("counts_path", job.counts_path);
    members.text("object_symbol", job.object_symbol);
    members.flag("remarks", job.remarks);
    members.list("places", max_symbols, [&](const json::Value &value, const std::string &where) {
        FunctionPlace place;
        json::Members parts(value, where, problem);
        parts.text("function", place.function, true);
        parts.number("offset", place.offset, true);
        parts.finish();
        if (place.offset >= bytes_of_line)
            problem.add(where + "offset is not within a line");
        job.places.push_back(std::move(place));
    });
    members.texts("called_elsewhere", max_symbols, job.called_elsewhere);
    members.flag("is_library", job.is_library);
    members.text("recording_part", job.recording_part);
    members.finish();
    const auto *known =
        std::ranges::find(mode_words, std::string_view(mode), &std::pair<std::string_view, Mode>::first);
    if (known == std::end(mode_words))
        problem.add("mode is none of probe, optimize, trial, object");
    if (problem.any())
        return json::does_not_fit(format, problem);
    job.mode = known->second;
    if (Status valid = validate(job); !valid)
        return valid.error();
    return job;
}

}  // namespace thalweg::model
