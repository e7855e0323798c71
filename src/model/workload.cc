// model: a run's workload as JSON (docs/formats/workload.md).
#include "model/workload.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "model/json.h"
#include "model/limits.h"

namespace thalweg::model {

namespace {

constexpr std::string_view format = "thalweg-workload";
constexpr uint32_t version = 3;

struct UsageMember {
    const char *name;
    uint64_t Usage::*member;
};
constexpr UsageMember usage_members[] = {{"user_us", &Usage::user_us},
                                         {"system_us", &Usage::system_us},
                                         {"minor_faults", &Usage::minor_faults},
                                         {"major_faults", &Usage::major_faults},
                                         {"voluntary_switches", &Usage::voluntary_switches},
                                         {"involuntary_switches", &Usage::involuntary_switches},
                                         {"blocks_in", &Usage::blocks_in},
                                         {"blocks_out", &Usage::blocks_out},
                                         {"max_rss_kib", &Usage::max_rss_kib}};

template <class Entries, class Each>
json::Ordered list_of(const Entries &entries, Each each) {
    json::Ordered list = json::Ordered::array();
    for (const auto &entry : entries)
        list.push_back(each(entry));
    return list;
}

json::Ordered usage_json(const Usage &usage) {
    json::Ordered object = json::Ordered::object();
    for (const UsageMember &one : usage_members)
        object[one.name] = usage.*one.member;
    return object;
}

json::Ordered calls_json(const std::vector<CallCount> &calls) {
    return list_of(calls, [](const CallCount &call) {
        return json::Ordered{{"name", call.name},
                             {"count", call.count},
                             {"time_ns", call.time_ns},
                             {"without_waiting", call.without_waiting},
                             {"errors", list_of(call.errors, [](const ErrorCount &error) {
                                  return json::Ordered{{"error", error.error}, {"count", error.count}};
                              })}};
    });
}

json::Ordered example_json(const RepeatedExample &example) {
    return {{"arguments", example.arguments}, {"count", example.count}};
}

json::Ordered repeated_json(const RepeatedCalls &calls) {
    return {{"name", calls.name},
            {"calls", calls.calls},
            {"arguments", calls.arguments},
            {"hits", calls.hits},
            {"changed", calls.changed},
            {"commonest", example_json(calls.commonest)},
            {"changing", example_json(calls.changing)},
            {"entries", calls.entries},
            {"saved_ns", calls.saved_ns},
            {"why", calls.why}};
}

json::Ordered written_json(const WrittenFile &file) {
    return {{"file", file.file},     {"calls", file.calls},       {"bytes", file.bytes},
            {"synced", file.synced}, {"saved_ns", file.saved_ns}, {"why", file.why}};
}

json::Ordered thread_json(const ThreadWork &thread) {
    return {{"process", thread.process},        {"thread", thread.thread},       {"name", thread.name},
            {"user_us", thread.user_us},        {"system_us", thread.system_us}, {"ready_us", thread.ready_us},
            {"calls", calls_json(thread.calls)}};
}

// Reads one entry of a list into `out`; the lists differ in their entries' members alone.
class Reader {
  public:
    explicit Reader(json::Problem &problem) : problem_(problem) {}

    void usage(json::Members &from, const char *key, Usage &out) {
        const json::Value *value = from.find(key);
        if (value == nullptr)
            return;
        json::Members members(*value, std::string(key) + ".", problem_);
        for (const UsageMember &one : usage_members)
            members.number(one.name, out.*one.member);
        members.finish();
    }
    void samples(json::Members &from, std::vector<WorkSample> &out) {
        entries(from, "samples", max_samples, out, [](json::Members &members, WorkSample &sample) {
            members.number("end_us", sample.end_us);
            members.number("user_us", sample.user_us);
            members.number("system_us", sample.system_us);
            members.number("threads", sample.threads);
        });
    }
    void calls(json::Members &from, std::vector<CallCount> &out) {
        entries(from, "calls", max_call_rows, out, [this](json::Members &members, CallCount &call) {
            members.text("name", call.name, true);
            members.number("count", call.count);
            members.number("time_ns", call.time_ns);
            members.number("without_waiting", call.without_waiting);
            entries(members, "errors", max_call_rows, call.errors, [](json::Members &inner, ErrorCount &error) {
                inner.text("error", error.error, true);
                inner.number("count", error.count);
            });
        });
    }
    void repeated(json::Members &from, std::vector<RepeatedCalls> &out) {
        entries(from, "repeated", max_call_rows, out, [this](json::Members &members, RepeatedCalls &calls) {
            members.text("name", calls.name, true);
            members.number("calls", calls.calls);
            members.number("arguments", calls.arguments);
            hits(members, calls);
            members.number("changed", calls.changed);
            example(members, "commonest", calls.commonest);
            example(members, "changing", calls.changing);
            members.number("entries", calls.entries);
            members.number("saved_ns", calls.saved_ns);
            members.text("why", calls.why);
        });
    }
    void written(json::Members &from, std::vector<WrittenFile> &out) {
        entries(from, "written", max_written_files, out, [](json::Members &members, WrittenFile &file) {
            members.text("file", file.file, true);
            members.number("calls", file.calls);
            members.number("bytes", file.bytes);
            members.number("synced", file.synced);
            members.number("saved_ns", file.saved_ns);
            members.text("why", file.why);
        });
    }
    void threads(json::Members &from, std::vector<ThreadWork> &out) {
        entries(from, "threads", max_threads_told, out, [this](json::Members &members, ThreadWork &thread) {
            members.number("process", thread.process);
            members.number("thread", thread.thread);
            members.text("name", thread.name);
            members.number("user_us", thread.user_us);
            members.number("system_us", thread.system_us);
            members.number("ready_us", thread.ready_us);
            calls(members, thread.calls);
        });
    }
    void advice(json::Members &from, std::vector<Advice> &out) {
        entries(from, "advice", max_advice, out, [this](json::Members &members, Advice &advice) {
            advice.kind = static_cast<AdviceKind>(one_of(members, "kind", advice_kind_words));
            members.text("text", advice.text, true);
        });
    }
    size_t one_of(json::Members &from, const char *key, std::span<const char *const> words) {
        std::string text = words[0];
        from.text(key, text);
        const auto found =
            std::ranges::find(words, std::string_view(text), [](const char *w) { return std::string_view(w); });
        if (found == words.end())
            problem_.add(fmt::format("{} has the unknown value \"{}\"", key, text));
        return found == words.end() ? 0 : static_cast<size_t>(found - words.begin());
    }

  private:
    static constexpr size_t max_advice = 256;
    void hits(json::Members &from, RepeatedCalls &calls) {
        size_t i = 0;
        from.list("hits", calls.hits.size(), [&](const json::Value &value, const std::string &where) {
            if (!value.is_number_unsigned())
                return problem_.add(where + " is not a whole number");
            calls.hits[i++] = value.get<uint64_t>();
        });
    }
    void example(json::Members &from, const char *key, RepeatedExample &out) {
        const json::Value *value = from.find(key);
        if (value == nullptr)
            return;
        json::Members members(*value, std::string(key) + ".", problem_);
        members.text("arguments", out.arguments);
        members.number("count", out.count);
        members.finish();
    }
    template <class Entry, class Each>
    void entries(json::Members &from, const char *key, size_t limit, std::vector<Entry> &out, Each each) {
        from.list(key, limit, [&](const json::Value &value, const std::string &where) {
            json::Members members(value, where, problem_);
            each(members, out.emplace_back());
            members.finish();
        });
    }
    json::Problem &problem_;
};

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

std::string write_workload(const Workload &workload) {
    json::Ordered document = json::document(format, version);
    document["command"] = workload.command;
    document["exit_code"] = workload.exit_code;
    document["signal"] = workload.signal;
    document["real_us"] = workload.real_us;
    document["usage"] = usage_json(workload.usage);
    document["children"] = usage_json(workload.children);
    document["ready_us"] = workload.ready_us;
    document["class"] = word(workload.kind);
    document["why"] = workload.why;
    document["advice"] = list_of(workload.advice, [](const Advice &advice) {
        return json::Ordered{{"kind", word(advice.kind)}, {"text", advice.text}};
    });
    document["problems"] = workload.problems;
    document["samples"] = list_of(workload.samples, [](const WorkSample &sample) {
        return json::Ordered{{"end_us", sample.end_us},
                             {"user_us", sample.user_us},
                             {"system_us", sample.system_us},
                             {"threads", sample.threads}};
    });
    document["traced"] = workload.traced;
    document["calls"] = calls_json(workload.calls);
    document["repeated"] = list_of(workload.repeated, repeated_json);
    document["written"] = list_of(workload.written, written_json);
    document["threads"] = list_of(workload.threads, thread_json);
    return json::print(document);
}

Result<Workload> read_workload(const std::string &text) {
    Result<json::Value> document = json::parse(text, format, version);
    if (!document)
        return document.error();
    Workload workload;
    json::Problem problem;
    json::Members members(*document, "", problem);
    Reader reader(problem);
    members.texts("command", max_count, workload.command);
    members.number("exit_code", workload.exit_code);
    members.number("signal", workload.signal);
    members.number("real_us", workload.real_us, true);
    reader.usage(members, "usage", workload.usage);
    reader.usage(members, "children", workload.children);
    members.number("ready_us", workload.ready_us);
    workload.kind = static_cast<WorkClass>(reader.one_of(members, "class", work_class_words));
    members.text("why", workload.why);
    reader.advice(members, workload.advice);
    members.texts("problems", max_call_rows, workload.problems);
    reader.samples(members, workload.samples);
    members.flag("traced", workload.traced);
    reader.calls(members, workload.calls);
    reader.repeated(members, workload.repeated);
    reader.written(members, workload.written);
    reader.threads(members, workload.threads);
    members.finish();
    if (problem.any())
        return json::does_not_fit(format, problem);
    if (const Status valid = validate(workload); !valid)
        return valid.error();
    return workload;
}

}  // namespace thalweg::model
