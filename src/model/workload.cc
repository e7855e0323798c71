// model: a run's workload as JSON (docs/formats/workload.md).
#include "model/workload.h"

#include "model/json_fields.h"
#include "model/limits.h"

namespace thalweg::model {

namespace fields {

template <>
struct Of<Usage> {
    static constexpr std::tuple rows{value("user_us", &Usage::user_us),
                                     value("system_us", &Usage::system_us),
                                     value("minor_faults", &Usage::minor_faults),
                                     value("major_faults", &Usage::major_faults),
                                     value("voluntary_switches", &Usage::voluntary_switches),
                                     value("involuntary_switches", &Usage::involuntary_switches),
                                     value("blocks_in", &Usage::blocks_in),
                                     value("blocks_out", &Usage::blocks_out),
                                     value("max_rss_kib", &Usage::max_rss_kib)};
};

template <>
struct Of<WorkSample> {
    static constexpr std::tuple rows{value("end_us", &WorkSample::end_us), value("user_us", &WorkSample::user_us),
                                     value("system_us", &WorkSample::system_us),
                                     value("threads", &WorkSample::threads)};
};

template <>
struct Of<ErrorCount> {
    static constexpr std::tuple rows{name("error", &ErrorCount::error), value("count", &ErrorCount::count)};
};

template <>
struct Of<CallCount> {
    static constexpr std::tuple rows{
        name("name", &CallCount::name), value("count", &CallCount::count), value("time_ns", &CallCount::time_ns),
        value("without_waiting", &CallCount::without_waiting), objects("errors", &CallCount::errors, max_call_rows)};
};

template <>
struct Of<RepeatedExample> {
    static constexpr std::tuple rows{value("arguments", &RepeatedExample::arguments),
                                     value("count", &RepeatedExample::count)};
};

template <>
struct Of<RepeatedCalls> {
    static constexpr std::tuple rows{name("name", &RepeatedCalls::name),
                                     value("calls", &RepeatedCalls::calls),
                                     value("arguments", &RepeatedCalls::arguments),
                                     value("hits", &RepeatedCalls::hits),
                                     value("changed", &RepeatedCalls::changed),
                                     object("commonest", &RepeatedCalls::commonest),
                                     object("changing", &RepeatedCalls::changing),
                                     value("entries", &RepeatedCalls::entries),
                                     value("saved_ns", &RepeatedCalls::saved_ns),
                                     value("why", &RepeatedCalls::why)};
};

template <>
struct Of<WrittenFile> {
    static constexpr std::tuple rows{name("file", &WrittenFile::file),          value("calls", &WrittenFile::calls),
                                     value("bytes", &WrittenFile::bytes),       value("synced", &WrittenFile::synced),
                                     value("saved_ns", &WrittenFile::saved_ns), value("why", &WrittenFile::why)};
};

template <>
struct Of<ThreadWork> {
    static constexpr std::tuple rows{value("process", &ThreadWork::process),
                                     value("thread", &ThreadWork::thread),
                                     value("name", &ThreadWork::name),
                                     value("user_us", &ThreadWork::user_us),
                                     value("system_us", &ThreadWork::system_us),
                                     value("ready_us", &ThreadWork::ready_us),
                                     objects("calls", &ThreadWork::calls, max_call_rows)};
};

template <>
struct Of<Advice> {
    static constexpr std::tuple rows{key("kind", &Advice::kind, advice_kind_words), name("text", &Advice::text)};
};

template <>
struct Of<Workload> {
    static constexpr size_t max_advice = 256;
    static constexpr std::tuple rows{values("command", &Workload::command, max_count),
                                     value("exit_code", &Workload::exit_code),
                                     value("signal", &Workload::signal),
                                     value("real_us", &Workload::real_us).needed(),
                                     object("usage", &Workload::usage),
                                     object("children", &Workload::children),
                                     value("ready_us", &Workload::ready_us),
                                     key("class", &Workload::kind, work_class_words),
                                     value("why", &Workload::why),
                                     objects("advice", &Workload::advice, max_advice),
                                     values("problems", &Workload::problems, max_call_rows),
                                     objects("samples", &Workload::samples, max_samples),
                                     value("traced", &Workload::traced),
                                     objects("calls", &Workload::calls, max_call_rows),
                                     objects("repeated", &Workload::repeated, max_call_rows),
                                     objects("written", &Workload::written, max_written_files),
                                     objects("threads", &Workload::threads, max_threads_told)};
};

}  // namespace fields

namespace {

constexpr std::string_view format = "thalweg-workload";
constexpr uint32_t version = 3;

}  // namespace

Status validate(const Workload &workload) {
    if (workload.command.empty())
        return fail(ErrorCode::does_not_fit, "workload: there is no command that was run");
    uint64_t before = 0;
    for (const WorkSample &sample : workload.samples) {
        if (sample.end_us < before)
            return fail(ErrorCode::does_not_fit, "workload: a sample ends at {} us, before the one before it ({} us)",
                        sample.end_us, before);
        before = sample.end_us;
    }
    return Done{};
}

std::string write_workload(const Workload &workload) { return json::write_document(format, version, workload); }

Result<Workload> read_workload(const std::string &text) { return json::read_document<Workload>(text, format, version); }

}  // namespace thalweg::model
