// record: lines of strace as system calls. Its manual, strace(1), says how they look.
#include "record/strace.h"

#include <charconv>
#include <map>

#include "base/perf_line.h"

namespace thalweg::record {

namespace {

// strace -r: what begins so early in the age of Unix is no date but the time since the line before.
constexpr uint64_t relative_at_most_ns = 100'000'000ull * 1'000'000'000;

constexpr std::string_view digits = "0123456789";
constexpr std::string_view unfinished = " <unfinished ...>";
constexpr std::string_view resumed = " resumed>";

std::string_view without_spaces(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    return text.substr(0, text.find_last_not_of(" \r") + 1);
}

// "3", "-1", "0x7f00"; what follows is not looked at ("3</etc/passwd>").
std::optional<int64_t> number_at(std::string_view text) {
    const bool is_negative = text.starts_with('-');
    text.remove_prefix(is_negative ? 1 : 0);
    const bool is_hexadecimal = text.starts_with("0x");
    text.remove_prefix(is_hexadecimal ? 2 : 0);
    uint64_t value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value, is_hexadecimal ? 16 : 10);
    if (parsed.ec != std::errc())
        return {};
    return static_cast<int64_t>(is_negative ? 0 - value : value);
}

// The end of the list that begins at text[0] == '(', its arguments by the way; npos: it has none.
size_t read_arguments(std::string_view text, std::vector<std::string> &arguments) {
    size_t depth = 0, begin = 1;
    bool in_text = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_text) {
            i += c == '\\' ? 1 : 0;
            in_text = c != '"';
            continue;
        }
        in_text = c == '"';
        if (c == '(' || c == '[' || c == '{')
            ++depth;
        const bool closes = c == ')' || c == ']' || c == '}';
        if (closes)
            --depth;
        if ((c == ',' && depth == 1) || depth == 0) {
            const std::string_view argument = without_spaces(text.substr(begin, i - begin));
            if (!argument.empty() || !arguments.empty())
                arguments.emplace_back(argument);
            begin = i + 1;
        }
        if (depth == 0)
            return i;
    }
    return std::string_view::npos;
}

// "read(3, "", 10) = 0 <0.000004>"
std::optional<TracedCall> read_call(std::string_view text, std::optional<uint64_t> &inside_ns) {
    const size_t open = text.find('(');
    const bool is_name =
        open != 0 && open != std::string_view::npos &&
        text.substr(0, open).find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") == std::string_view::npos;
    if (!is_name)
        return {};
    TracedCall call;
    call.name = text.substr(0, open);
    const size_t end = read_arguments(text.substr(open), call.arguments);
    if (end == std::string_view::npos)
        return {};
    const std::string_view rest = without_spaces(text.substr(open + end + 1));
    if (!rest.starts_with("= "))
        return {};
    call.result = number_at(rest.substr(2));
    // strace -T.
    if (const size_t at = rest.rfind(" <"); at != rest.npos && rest.ends_with('>'))
        inside_ns = perf::seconds(rest.substr(at + 2, rest.size() - at - 3));
    return call;
}

// " > /usr/bin/cat(main+0x1f) [0x2a3c]" or, where nothing is known of the symbol, " > /usr/bin/cat() [0x2a3c]"
std::string caller_of(std::string_view frame) {
    const size_t open = frame.rfind('('), close = frame.rfind(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open)
        return {};
    const std::string_view path = without_spaces(frame.substr(0, open));
    const std::string_view file = path.substr(path.rfind('/') + 1);
    if (is_between_program_and_kernel(path))
        return {};
    const std::string_view symbol = frame.substr(open + 1, close - open - 1);
    if (!symbol.empty())
        return std::string(symbol);
    const size_t from = frame.find('[', close), to = frame.find(']', close);
    if (from == std::string_view::npos || to == std::string_view::npos || to < from)
        return {};
    return fmt::format("{}+{}", file, frame.substr(from + 1, to - from - 1));
}

class Reader {
  public:
    Trace take() { return std::move(trace_); }

    void line(std::string_view text) {
        ++line_;
        if (text.starts_with(" > ")) {
            if (last_ && trace_.calls[*last_].caller.empty())
                trace_.calls[*last_].caller = caller_of(text.substr(3));
            return;
        }
        last_.reset();
        if (without_spaces(text).empty())
            return;
        const uint64_t thread = take_thread(text);
        const std::optional<uint64_t> time = take_time(text);
        // Signals, and how processes ended.
        if (text.starts_with("---") || text.starts_with("+++"))
            return;
        if (text.starts_with("<... "))
            return go_on(thread, text);
        if (const size_t at = text.rfind(unfinished); at != std::string_view::npos) {
            begun_[thread] = {std::string(text.substr(0, at)), time};
            return;
        }
        end(thread, text, time);
    }

  private:
    // "[pid 123] " or "123 ", which only a time may follow or a call.
    static uint64_t take_thread(std::string_view &text) {
        std::string_view rest = text;
        if (rest.starts_with("[pid"))
            rest = without_spaces(rest.substr(4));
        const size_t end = rest.find_first_not_of(digits);
        const bool is_thread = end != 0 && end != std::string_view::npos && (rest[end] == ' ' || rest[end] == ']');
        if (!is_thread)
            return 0;
        const uint64_t thread = static_cast<uint64_t>(number_at(rest).value_or(0));
        text = without_spaces(rest.substr(end + 1));
        return thread;
    }

    // "1700000000.123456" (strace -ttt), "12:34:56.789012" (-tt); "0.000123" (-r). Whole seconds (-t) are no help.
    std::optional<uint64_t> take_time(std::string_view &text) {
        text = without_spaces(text);
        const size_t end = text.find_first_not_of("0123456789.:");
        if (end == 0 || end == std::string_view::npos || text[end] != ' ')
            return {};
        const std::string_view word = text.substr(0, end);
        text = without_spaces(text.substr(end));
        const size_t last = word.rfind(':'), first = word.find(':');
        const auto seconds = perf::seconds(word.substr(last + 1));  // all of it where there is no colon
        if (!seconds || (last == word.npos && *seconds >= relative_at_most_ns))
            return seconds;
        if (last == word.npos) {
            relative_ns_ = std::min(relative_ns_ + *seconds, perf::most_seconds * 1'000'000'000);
            return relative_ns_;
        }
        const auto hours = perf::number(word.substr(0, first));
        const auto minutes = first < last ? perf::number(word.substr(first + 1, last - first - 1)) : std::nullopt;
        if (!hours || !minutes || *hours > 23 || *minutes > 59)
            return {};
        return (*hours * 60 + *minutes) * 60 * 1'000'000'000 + *seconds;
    }

    void unknown() {
        ++trace_.unknown_lines;
        if (trace_.first_unknown_line == 0)
            trace_.first_unknown_line = line_;
    }

    void go_on(uint64_t thread, std::string_view text) {
        const size_t at = text.find(resumed);
        const auto begun = begun_.find(thread);
        if (at == std::string_view::npos || begun == begun_.end()) {
            unknown();
            return;
        }
        const std::string whole = begun->second.text + std::string(text.substr(at + resumed.size()));
        const std::optional<uint64_t> time = begun->second.time_ns;
        begun_.erase(begun);
        end(thread, whole, time);
    }

    void end(uint64_t thread, std::string_view text, std::optional<uint64_t> time_ns) {
        std::optional<uint64_t> inside_ns;
        std::optional<TracedCall> call = read_call(text, inside_ns);
        if (!call) {
            unknown();
            return;
        }
        call->thread = thread;
        call->begun_ns = time_ns;
        if (time_ns && inside_ns) {
            call->ended_ns = *time_ns + *inside_ns;
            trace_.clock = model::CallClock::strace;
        }
        last_ = trace_.calls.size();
        trace_.calls.push_back(std::move(*call));
    }

    // A call that another thread's came in the middle of.
    struct Begun {
        std::string text;
        std::optional<uint64_t> time_ns;
    };

    Trace trace_;
    std::optional<size_t> last_;  // the call whose stack follows
    std::map<uint64_t, Begun> begun_;  // by thread
    uint64_t line_ = 0;
    uint64_t relative_ns_ = 0;
};

}  // namespace

Result<Trace> read_strace(std::string_view text) {
    Reader reader;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        reader.line(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    Trace trace = reader.take();
    if (trace.calls.empty())
        return fail(ErrorCode::does_not_fit,
                    "none of {} lines is a system call as strace writes it, line {} is the first that is none: "
                    "strace -f -ttt -T -k -o FILE COMMAND",
                    trace.unknown_lines, trace.first_unknown_line);
    return trace;
}

}  // namespace thalweg::record
