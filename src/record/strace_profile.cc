// record: traced system calls, made into a profile.
#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>

#include "model/system_call.h"
#include "record/strace.h"

namespace thalweg::record {

namespace {

using model::Profile;
using model::SystemCall;

// An address space has no more bytes; what asks for more fails, and is not to drown the others.
constexpr uint64_t bytes_at_most = uint64_t{1} << 47;

// Where the C library's function has another name than the kernel's.
struct Alias {
    std::string_view kernel;
    std::string_view library;
};
constexpr std::array aliases = {Alias{"fadvise64", "posix_fadvise"}, Alias{"newfstatat", "fstatat"}};

std::string_view library_name(const TracedCall &traced) {
    const std::string_view kernel = traced.name;
    // What fstat of the C library asks the kernel for.
    if (kernel == "newfstatat" && traced.arguments.size() > 1 && traced.arguments[1] == "\"\"")
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
};

std::optional<int64_t> number(const TracedCall &traced, int position) {
    if (position < 0 || static_cast<size_t>(position) >= traced.arguments.size())
        return {};
    const std::string &text = traced.arguments[static_cast<size_t>(position)];
    const bool is_hexadecimal = text.starts_with("0x");
    uint64_t value = 0;
    const auto parsed = std::from_chars(text.data() + (is_hexadecimal ? 2 : 0), text.data() + text.size(), value,
                                        is_hexadecimal ? 16 : 10);
    if (parsed.ec != std::errc())
        return {};
    return static_cast<int64_t>(value);
}

bool is_write(const SystemCall *call) {
    constexpr std::array names = {"write", "writev", "pwrite64", "pwritev"};
    return call != nullptr && std::find(names.begin(), names.end(), call->name) != names.end();
}

bool gives(const Done &done, model::Gives what) { return done.call != nullptr && done.call->gives == what; }

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

    Profile finish(uint64_t lost) {
        profile_.system_calls = std::move(calls_);
        for (const auto &[ends, edge] : edges_)
            profile_.system_call_edges.push_back(edge);
        if (profile_.program.empty())
            profile_.program = "(traced)";
        profile_.coverage.runs = profile_.coverage.processes = 1;
        profile_.coverage.threads = last_.size();
        profile_.coverage.lost = lost;
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
        done.call = model::system_call(name);
        done.site = site_of(std::string(name), traced.caller);
        done.result = traced.result;
        if (done.call == nullptr)
            return done;
        done.descriptor = number(traced, done.call->descriptor);
        done.size = number(traced, done.call->size);
        done.offset = number(traced, done.call->offset);
        done.address = gives(done, model::Gives::address) ? done.result : number(traced, done.call->buffer);
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
        const auto asked = static_cast<uint64_t>(done.size.value_or(0));
        noted.asked_bytes += std::min(asked, bytes_at_most);
        if (!done.result || *done.result < 0) {
            noted.errors += done.result ? 1 : 0;
            return;
        }
        const bool gives_bytes = gives(done, model::Gives::bytes);
        const auto given = static_cast<uint64_t>(gives_bytes ? *done.result : 0);
        noted.given_bytes += std::min(gives(done, model::Gives::address) ? asked : given, bytes_at_most);
        noted.zeros += gives_bytes && given == 0 && (!done.size || asked > 0) ? 1 : 0;
        noted.shorts += gives_bytes && done.size && given < asked ? 1 : 0;
    }

    void tie(const Done &from, const Done &to) {
        model::SystemCallEdge &edge = edges_[{from.site, to.site}];
        edge.from = from.site;
        edge.to = to.site;
        ++edge.weight;
        const bool is_given = gives(from, model::Gives::descriptor) && to.descriptor && to.descriptor == from.result;
        edge.same_descriptor += is_given || (to.descriptor && to.descriptor == from.descriptor) ? 1 : 0;
        edge.same_buffer += to.address && !gives(to, model::Gives::address) && to.address == from.address ? 1 : 0;
        edge.result_is_size +=
            gives(from, model::Gives::bytes) && from.result.value_or(0) > 0 && to.size && to.size == from.result ? 1
                                                                                                                 : 0;
        edge.adjacent += adjacent(from, to) ? 1 : 0;
    }

    Profile profile_;
    std::map<std::pair<std::string, std::string>, uint32_t> sites_;  // callee, caller
    std::vector<model::NotedSystemCall> calls_;  // by site
    std::map<std::pair<uint32_t, uint32_t>, model::SystemCallEdge> edges_;
    std::map<uint64_t, Done> last_;  // by thread
};

}  // namespace

Result<Profile> profile_of_trace(const Trace &trace) {
    Builder builder;
    for (const TracedCall &call : trace.calls)
        builder.add(call);
    Profile profile = builder.finish(trace.unknown_lines);
    if (const Status status = model::validate(profile); !status)
        return status.error();
    return profile;
}

}  // namespace thalweg::record
