// record: traced system calls, made into a profile.
#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>

#include "knowledge/function.h"
#include "model/limits.h"
#include "record/traced_call.h"

namespace thalweg::record {

namespace {

using knowledge::SystemCall;
using model::Profile;

// An address space has no more bytes; what asks for more fails, and is not to drown the others.
constexpr uint64_t bytes_at_most = uint64_t{1} << 47;

std::optional<int64_t> number_of(std::string_view text) {
    const bool is_hexadecimal = text.starts_with("0x");
    text.remove_prefix(is_hexadecimal ? 2 : 0);
    uint64_t value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value, is_hexadecimal ? 16 : 10);
    if (parsed.ec != std::errc())
        return {};
    return static_cast<int64_t>(value);
}

// Where the C library's function has another name than the kernel's.
struct Alias {
    std::string_view kernel;
    std::string_view library;
};
constexpr std::array aliases = {Alias{"fadvise64", "posix_fadvise"}, Alias{"newfstatat", "fstatat"}};

bool asks_for_descriptor(const std::vector<std::string> &arguments) {
    // AT_EMPTY_PATH of the kernel's include/uapi/linux/fcntl.h, as perf shows it.
    constexpr int64_t empty_path = 0x1000;
    return (arguments.size() > 1 && arguments[1] == "\"\"") ||
           (arguments.size() > 3 && (number_of(arguments[3]).value_or(0) & empty_path) != 0);
}

std::string_view library_name(const TracedCall &traced) {
    const std::string_view kernel = traced.name;
    // What fstat of the C library asks the kernel for.
    if (kernel == "newfstatat" && asks_for_descriptor(traced.arguments))
        return "fstat";
    for (const Alias &alias : aliases)
        if (alias.kernel == kernel)
            return alias.library;
    return kernel;
}

// What the next call of a thread is compared with.
struct Done {
    uint32_t site = 0;
    const SystemCall *call = nullptr;
    std::optional<int64_t> descriptor;
    std::optional<int64_t> size;
    std::optional<int64_t> offset;
    std::optional<int64_t> address;  // that was given back, or is used
    std::optional<int64_t> result;
    std::optional<uint64_t> begun_ns;
    std::optional<uint64_t> ended_ns;
};

void add_up(uint64_t &total, uint64_t more) {
    const uint64_t cut = std::min(more, model::max_count);
    total = std::min(total, model::max_count - cut) + cut;
}

std::optional<uint64_t> time_between(std::optional<uint64_t> from_ns, std::optional<uint64_t> to_ns) {
    if (!from_ns || !to_ns || *to_ns < *from_ns)
        return {};
    return *to_ns - *from_ns;
}

std::optional<int64_t> number(const TracedCall &traced, int position) {
    if (position < 0 || static_cast<size_t>(position) >= traced.arguments.size())
        return {};
    return number_of(traced.arguments[static_cast<size_t>(position)]);
}

// -1 and AT_FDCWD, 32 bits of a register as perf shows them, are none.
std::optional<int64_t> descriptor(const TracedCall &traced, int position) {
    const std::optional<int64_t> found = number(traced, position);
    return found && *found >= 0 && *found <= INT32_MAX ? found : std::nullopt;
}

bool is_write(const SystemCall *call) {
    return call != nullptr && (call->act == knowledge::Act::writes || call->act == knowledge::Act::writes_at ||
                               call->act == knowledge::Act::writes_parts);
}

bool gives(const Done &done, knowledge::Gives what) { return done.call != nullptr && done.call->gives == what; }

bool adjacent(const Done &from, const Done &to) {
    if (!is_write(from.call) || !is_write(to.call) || !from.descriptor || from.descriptor != to.descriptor ||
        from.result.value_or(-1) < 0 || from.offset.has_value() != to.offset.has_value())
        return false;
    return !from.offset || static_cast<uint64_t>(*to.offset) ==
                               static_cast<uint64_t>(*from.offset) + static_cast<uint64_t>(*from.result);
}

class Builder {
  public:
    void add(const TracedCall &traced) {
        if (traced.name == "execve" && profile_.program.empty())
            take_program(traced);
        Done done = read(traced);
        count(done);
        const auto last = last_.find(traced.thread);
        if (last != last_.end())
            tie(last->second, done);
        last_[traced.thread] = done;
    }

    Profile finish(const Trace &trace) {
        if (profile_.program.empty())
            profile_.program = profile_.command = trace.program;
        profile_.call_clock = trace.clock;
        profile_.system_calls = std::move(calls_);
        for (const auto &[ends, edge] : edges_)
            profile_.system_call_edges.push_back(edge);
        if (profile_.program.empty())
            profile_.program = "(traced)";
        profile_.coverage.runs = profile_.coverage.processes = 1;
        profile_.coverage.threads = last_.size();
        profile_.coverage.lost = trace.unknown_lines;
        return std::move(profile_);
    }

  private:
    void take_program(const TracedCall &traced) {
        if (traced.arguments.empty())
            return;
        const std::string &path = traced.arguments.front();
        profile_.program = path.size() > 2 && path.front() == '"' ? path.substr(1, path.rfind('"') - 1) : path;
        profile_.command = traced.arguments.size() > 1 ? traced.arguments[1] : profile_.program;
    }

    Done read(const TracedCall &traced) {
        Done done;
        const std::string_view name = library_name(traced);
        done.call = knowledge::system_call(name);
        done.site = site_of(std::string(name), traced.caller);
        done.result = traced.result;
        done.begun_ns = traced.begun_ns;
        done.ended_ns = traced.ended_ns;
        if (done.call == nullptr)
            return done;
        done.descriptor = descriptor(traced, done.call->descriptor);
        done.size = number(traced, done.call->size);
        done.offset = number(traced, done.call->offset);
        done.address = gives(done, knowledge::Gives::address) ? done.result : number(traced, done.call->buffer);
        return done;
    }

    uint32_t site_of(const std::string &callee, const std::string &caller) {
        const auto [found, is_new] = sites_.try_emplace({callee, caller}, static_cast<uint32_t>(profile_.sites.size()));
        if (is_new) {
            // Without stacks a node is a kind of call, and goes by its name.
            profile_.sites.push_back(
                {.function = caller.empty() ? callee : caller, .kind = model::SiteKind::call, .callee = callee});
            calls_.push_back({.site = found->second});
        }
        return found->second;
    }

    void count(const Done &done) {
        model::NotedSystemCall &noted = calls_[done.site];
        ++noted.calls;
        if (const auto inside = time_between(done.begun_ns, done.ended_ns)) {
            ++noted.timed;
            add_up(noted.inside_ns, *inside);
        }
        const auto asked = static_cast<uint64_t>(done.size.value_or(0));
        noted.asked_bytes += std::min(asked, bytes_at_most);
        if (!done.result || *done.result < 0) {
            noted.errors += done.result ? 1 : 0;
            return;
        }
        const bool gives_bytes = gives(done, knowledge::Gives::bytes);
        const auto given = static_cast<uint64_t>(gives_bytes ? *done.result : 0);
        noted.given_bytes += std::min(gives(done, knowledge::Gives::address) ? asked : given, bytes_at_most);
        noted.zeros += gives_bytes && given == 0 && (!done.size || asked > 0) ? 1 : 0;
        noted.shorts += gives_bytes && done.size && given < asked ? 1 : 0;
    }

    void tie(const Done &from, const Done &to) {
        model::SystemCallEdge &edge = edges_[{from.site, to.site}];
        edge.from = from.site;
        edge.to = to.site;
        ++edge.weight;
        const bool is_given =
            gives(from, knowledge::Gives::descriptor) && to.descriptor && to.descriptor == from.result;
        edge.same_descriptor += is_given || (to.descriptor && to.descriptor == from.descriptor) ? 1 : 0;
        edge.same_buffer += to.address && !gives(to, knowledge::Gives::address) && to.address == from.address ? 1 : 0;
        edge.result_is_size +=
            gives(from, knowledge::Gives::bytes) && from.result.value_or(0) > 0 && to.size && to.size == from.result
                ? 1
                : 0;
        edge.adjacent += adjacent(from, to) ? 1 : 0;
        if (const auto between = time_between(from.ended_ns, to.begun_ns)) {
            edge.least_ns = edge.timed == 0 ? *between : std::min(edge.least_ns, *between);
            ++edge.timed;
            add_up(edge.between_ns, *between);
        }
    }

    Profile profile_;
    std::map<std::pair<std::string, std::string>, uint32_t> sites_;  // callee, caller
    std::vector<model::NotedSystemCall> calls_;  // by site
    std::map<std::pair<uint32_t, uint32_t>, model::SystemCallEdge> edges_;
    std::map<uint64_t, Done> last_;  // by thread
};

}  // namespace

// The C library and the linker.
bool is_between_program_and_kernel(std::string_view path) {
    const std::string_view file = path.substr(path.rfind('/') + 1);
    return file.starts_with("libc.so") || file.starts_with("libc-") || file.starts_with("ld-linux");
}

Result<Profile> profile_of_trace(const Trace &trace) {
    Builder builder;
    for (const TracedCall &call : trace.calls)
        builder.add(call);
    Profile profile = builder.finish(trace);
    if (const Status status = model::validate(profile); !status)
        return status.error();
    return profile;
}

}  // namespace thalweg::record
