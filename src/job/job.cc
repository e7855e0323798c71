// job: what the command line asks of the plug-in, as JSON (docs/formats/job.md).
#include "job/job.h"

#include "model/json_fields.h"
#include "model/limits.h"

namespace thalweg {

namespace {

constexpr std::string_view format = "thalweg-job";
constexpr uint32_t version = 1;
constexpr const char *mode_words[] = {"probe", "optimize", "trial", "object", "count_unit", "optimize_unit"};

}  // namespace

namespace model::fields {

template <>
struct Of<job::FunctionPlace> {
    using Place = job::FunctionPlace;
    static constexpr std::tuple rows{name("function", &Place::function), value("offset", &Place::offset).needed()};
};

template <>
struct Of<job::TransformJob> {
    using Job = job::TransformJob;
    static constexpr std::tuple rows{key("mode", &Job::mode, mode_words).needed(),
                                     value("plan_path", &Job::plan_path),
                                     values("only_decisions", &Job::only_decisions, max_decisions),
                                     value("count_guards", &Job::count_guards),
                                     value("site_table_path", &Job::site_table_path),
                                     value("outcome_path", &Job::outcome_path),
                                     value("instruction_ns", &Job::instruction_ns),
                                     value("settles", &Job::settles),
                                     value("counts_path", &Job::counts_path),
                                     value("object_symbol", &Job::object_symbol),
                                     value("remarks", &Job::remarks),
                                     objects("places", &Job::places, max_symbols),
                                     values("called_elsewhere", &Job::called_elsewhere, max_symbols),
                                     value("is_library", &Job::is_library),
                                     value("links_cxx", &Job::links_cxx),
                                     value("computes_as_built", &Job::computes_as_built),
                                     value("recording_part", &Job::recording_part)};
};

}  // namespace model::fields

namespace job {

using Mode = TransformJob::Mode;

Status validate(const TransformJob &job) {
    if (job.mode == Mode::probe && job.site_table_path.empty())
        return fail(ErrorCode::usage, "job: mode probe needs a site_table_path to write to");
    const bool is_unit = job.mode == Mode::count_unit || job.mode == Mode::optimize_unit;
    if (is_unit && job.outcome_path.empty())
        return fail(ErrorCode::usage, "job: mode {} needs an outcome_path to write to",
                    mode_words[static_cast<size_t>(job.mode)]);
    if (job.mode != Mode::probe && !is_unit && job.plan_path.empty())
        return fail(ErrorCode::usage, "job: mode {} needs a plan_path to read from",
                    mode_words[static_cast<size_t>(job.mode)]);
    if (job.mode == Mode::object && job.object_symbol.empty())
        return fail(ErrorCode::usage, "job: mode object needs an object_symbol, the function's name");
    for (const FunctionPlace &place : job.places)
        if (place.offset >= bytes_of_line)
            return fail(ErrorCode::usage, "job: {}'s offset {} is not within a line of {} bytes", place.function,
                        place.offset, bytes_of_line);
    return Done{};
}

std::string write_job(const TransformJob &job) { return model::json::write_document(format, version, job); }

Result<TransformJob> read_job(const std::string &text) {
    return model::json::read_document<TransformJob>(text, format, version);
}

}  // namespace job
}  // namespace thalweg
