// model: what the command line asks of the plug-in, as JSON (docs/formats/job.md).
#include "model/json.h"
#include "model/limits.h"
#include "model/plan.h"

namespace thalweg::model {

namespace {

constexpr std::string_view format = "thalweg-job";

}  // namespace

Status validate(const TransformJob &job) {
    if (job.mode == TransformJob::Mode::probe && job.site_table_path.empty())
        return fail(ErrorCode::usage, "job: mode probe needs a site_table_path to write to");
    if (job.mode == TransformJob::Mode::optimize && job.plan_path.empty())
        return fail(ErrorCode::usage, "job: mode optimize needs a plan_path to read from");
    return Done{};
}

std::string write_job(const TransformJob &job) {
    json::Ordered document = json::document(format, 1);
    document["mode"] = job.mode == TransformJob::Mode::probe ? "probe" : "optimize";
    document["plan_path"] = job.plan_path;
    document["only_decisions"] = job.only_decisions;
    document["count_guards"] = job.count_guards;
    document["site_table_path"] = job.site_table_path;
    document["outcome_path"] = job.outcome_path;
    document["remarks"] = job.remarks;
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
    members.list("only_decisions", max_decisions, [&](const json::Value &value, const std::string &where) {
        bool fits = value.is_number_unsigned() && value.get<uint64_t>() <= UINT32_MAX;
        if (!fits)
            return problem.add(where + " is not the number of a decision");
        job.only_decisions.push_back(value.get<uint32_t>());
    });
    members.flag("count_guards", job.count_guards);
    members.text("site_table_path", job.site_table_path);
    members.text("outcome_path", job.outcome_path);
    members.flag("remarks", job.remarks);
    members.finish();
    if (mode != "probe" && mode != "optimize")
        problem.add("mode is neither probe nor optimize");
    if (problem.any())
        return json::does_not_fit(format, problem);
    job.mode = mode == "probe" ? TransformJob::Mode::probe : TransformJob::Mode::optimize;
    if (Status valid = validate(job); !valid)
        return valid.error();
    return job;
}

}  // namespace thalweg::model
