// record: samples of perf's tracepoints at entries and exits of system calls, as system calls.
#include "record/perf_trace.h"

#include <cstdlib>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <seccomp.h>

#include "base/perf_line.h"

namespace thalweg::record {

namespace {

constexpr std::string_view entry_event = "syscalls:sys_enter";
constexpr std::string_view exit_event = "syscalls:sys_exit";
// What a file of perf's own begins with (tools/perf/Documentation/perf.data-file-format.txt of the kernel).
constexpr std::string_view own_format = "PERFILE2";

std::string name_of_number(uint64_t number) {
    const std::unique_ptr<char, decltype(&std::free)> name(
        number <= INT32_MAX ? seccomp_syscall_resolve_num_arch(SCMP_ARCH_X86_64, static_cast<int>(number)) : nullptr,
        std::free);
    return name ? std::string(name.get()) : fmt::format("call {}", number);
}

std::string_view take_until(std::string_view &text, std::string_view end) {
    const size_t at = text.find(end);
    const std::string_view part = text.substr(0, at);
    text = at == text.npos ? std::string_view() : text.substr(at + end.size());
    return perf::trimmed(part);
}

// "(0, 7ffd115da4ec)": hexadecimal, whatever they mean. A place in the code may stand behind it, as behind all that follows.
void read_raw_arguments(std::string_view text, std::vector<std::string> &arguments) {
    if (!text.starts_with('('))
        return;
    text = take_until(text, ")").substr(1);
    while (!text.empty())
        arguments.push_back("0x" + std::string(take_until(text, ",")));
}

// "fd: 0x00000003, buf: 0x7fffddf10f98, count: 0x00000340"
void read_named_arguments(std::string_view text, std::vector<std::string> &arguments) {
    while (!text.empty()) {
        const std::string_view argument = take_until(text, ",");
        const size_t colon = argument.find(": ");
        std::string_view value = colon == argument.npos ? argument : argument.substr(colon + 2);
        arguments.emplace_back(take_until(value, " "));
    }
}

// "-2", "94052644724736", "0xfffffffffffffffe"
std::optional<int64_t> result_of(std::string_view text) {
    text = perf::trimmed(text);
    text = take_until(text, " ");
    const bool is_negative = text.starts_with('-'), is_hexadecimal = text.starts_with("0x");
    text.remove_prefix(is_negative ? 1 : is_hexadecimal ? 2 : 0);
    const auto value = perf::number(text, is_hexadecimal ? 16 : 10);
    if (!value)
        return {};
    return static_cast<int64_t>(is_negative ? 0 - *value : *value);
}

struct Sample {
    bool is_entry = false;
    std::string command;
    TracedCall call;  // of an entry its name, arguments and beginning, of an exit its name, result and end
};

// In front of the event: "cat 11150 [000] 76152.969487:", processor and time may be left out.
bool read_header(std::string_view text, Sample &sample) {
    std::string_view word = perf::take_last_word(text);
    if (word.ends_with(':')) {
        const auto time = perf::seconds(word.substr(0, word.size() - 1));
        if (!time)
            return false;
        (sample.is_entry ? sample.call.begun_ns : sample.call.ended_ns) = time;
        word = perf::take_last_word(text);
    }
    if (word.starts_with('['))
        word = perf::take_last_word(text);
    const auto thread = perf::thread(word);
    if (!thread)
        return false;
    sample.call.thread = thread->thread;
    sample.command = perf::trimmed(text);
    return true;
}

// Behind the name of the event: ": NR 12 (0, 7ffd115da4ec)", ": NR 59 = 0", "_brk: brk: 0x00000000", "_brk: 0x55d497c1d000".
bool read_event(std::string_view text, Sample &sample) {
    const bool is_named = text.starts_with('_');
    std::string_view name = take_until(text, ":");
    text = perf::trimmed(text);
    if (is_named) {
        sample.call.name = name.substr(1);
    } else {
        const std::string_view word = take_until(text, " ");
        const auto number = perf::number(take_until(text, " "));
        if (!name.empty() || word != "NR" || !number)
            return false;
        sample.call.name = name_of_number(*number);
    }
    if (sample.is_entry) {
        is_named ? read_named_arguments(text, sample.call.arguments) : read_raw_arguments(text, sample.call.arguments);
        return !sample.call.name.empty();
    }
    if (!is_named && take_until(text, " ") != "=")
        return false;
    sample.call.result = result_of(text);
    return !sample.call.name.empty() && sample.call.result.has_value();
}

// Where the line's event begins and its name ends; none: it has none that is a system call's.
struct Event {
    size_t begin = 0, end = 0;
    bool is_entry = false;
};
std::optional<Event> event_of(std::string_view line) {
    constexpr std::string_view raw = "raw_";
    for (const bool is_entry : {true, false}) {
        const std::string_view name = is_entry ? entry_event : exit_event;
        const size_t at = line.find(name);
        if (at == line.npos)
            continue;
        const bool is_raw = at >= raw.size() && line.substr(at - raw.size(), raw.size()) == raw;
        return Event{is_raw ? at - raw.size() : at, at + name.size(), is_entry};
    }
    return {};
}

class Reader {
  public:
    void line(std::string_view text) {
        ++line_;
        const std::string_view words = perf::trimmed(text);
        if (words.empty())
            return end_sample();
        if (words.starts_with('#'))
            return;
        if (const auto event = event_of(words)) {
            end_sample();
            return begin_sample(words, *event);
        }
        const auto frame = sample_ ? perf::frame(words) : std::nullopt;
        if (!frame)
            return unknown();
        if (sample_->call.caller.empty())
            sample_->call.caller = caller_of(*frame);
    }

    Trace take() {
        end_sample();
        // What never came back, exit_group; of calls that have no exit at all there is no trace.
        if (!trace_.calls.empty())
            for (auto &[thread, call] : begun_)
                trace_.calls.push_back(std::move(call));
        return std::move(trace_);
    }

  private:
    void unknown() {
        ++trace_.unknown_lines;
        if (trace_.first_unknown_line == 0)
            trace_.first_unknown_line = line_;
    }

    static std::string caller_of(const perf::Frame &frame) {
        // Of the kernel, its modules, and what perf does not know; of what was inlined, the function that it was inlined into follows.
        if (frame.object.empty() || frame.object.starts_with('[') || frame.object == "inlined" ||
            is_between_program_and_kernel(frame.object))
            return {};
        if (!frame.symbol.empty())
            return std::string(frame.symbol);
        return fmt::format("{}+0x{:x}", frame.object.substr(frame.object.rfind('/') + 1), frame.address);
    }

    void begin_sample(std::string_view words, const Event &event) {
        Sample sample{.is_entry = event.is_entry, .command = {}, .call = {}};
        if (!read_header(words.substr(0, event.begin), sample) || !read_event(words.substr(event.end), sample))
            return unknown();
        sample_ = std::move(sample);
    }

    void end_sample() {
        if (!sample_)
            return;
        Sample sample = std::move(*sample_);
        sample_.reset();
        if (trace_.program.empty())
            trace_.program = sample.command;
        if (sample.is_entry)
            begun_[sample.call.thread] = std::move(sample.call);
        else
            end_call(std::move(sample.call));
    }

    // An exit whose entry came before perf began tells too little.
    void end_call(TracedCall ended) {
        const auto begun = begun_.find(ended.thread);
        if (begun == begun_.end())
            return;
        if (begun->second.name != ended.name) {
            begun_.erase(begun);
            return unknown();
        }
        TracedCall call = std::move(begun->second);
        begun_.erase(begun);
        call.result = ended.result;
        call.ended_ns = ended.ended_ns;
        if (call.caller.empty())
            call.caller = ended.caller;
        if (call.begun_ns && call.ended_ns)
            trace_.clock = model::CallClock::perf;
        else
            call.begun_ns = call.ended_ns = std::nullopt;
        trace_.calls.push_back(std::move(call));
    }

    Trace trace_;
    uint64_t line_ = 0;
    std::optional<Sample> sample_;  // whose stack follows
    std::map<uint64_t, TracedCall> begun_;  // by thread
};

}  // namespace

Result<Trace> read_perf_trace(std::string_view text) {
    if (text.starts_with(own_format))
        return fail(ErrorCode::does_not_fit, "this is perf's own format; its text is wanted: perf script --ns -i THIS");
    Reader reader;
    uint64_t lines = 0;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        reader.line(line.substr(0, line.find_last_not_of('\r') + 1));
        text.remove_prefix(std::min(end + 1, text.size()));
        ++lines;
    }
    Trace trace = reader.take();
    if (!trace.calls.empty())
        return trace;
    const std::string where = trace.first_unknown_line == 0
                                  ? ""
                                  : fmt::format(", line {} is the first that is none", trace.first_unknown_line);
    return fail(ErrorCode::does_not_fit,
                "none of {} lines is the end of a system call as perf script writes it{}: perf record -e "
                "raw_syscalls:sys_enter,raw_syscalls:sys_exit --call-graph dwarf,1024 -m 4096 COMMAND, then perf "
                "script --ns > FILE",
                lines, where);
}

}  // namespace thalweg::record
