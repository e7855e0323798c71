// measure: what `perf script` prints of a recording: samples with their callers.
#include "measure/perf_script.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <vector>

#include "measure/call_tree.h"

namespace thalweg::measure {

namespace {

using model::none;

constexpr std::string_view blanks = " \t";
// A century, of a machine's time since it was started and of one sample's: what is more is no time.
constexpr uint64_t most_seconds = 100ull * 366 * 24 * 60 * 60;
constexpr uint64_t most_cost = most_seconds * 1000000000 / model::max_timed_samples;

std::string_view trimmed(std::string_view text) {
    const size_t begin = text.find_first_not_of(blanks);
    return begin == text.npos ? std::string_view() : text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::optional<uint64_t> number(std::string_view text, int base = 10) {
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
        return {};
    return value;
}

// Takes the last word off the text: a name that stands in front of it may have blanks in it.
std::string_view take_last(std::string_view &text) {
    text = trimmed(text);
    const size_t blank = text.find_last_of(blanks);
    const std::string_view word = blank == text.npos ? text : text.substr(blank + 1);
    text = blank == text.npos ? std::string_view() : text.substr(0, blank);
    return word;
}

struct Header {
    model::SampledThread thread;
    uint64_t time_ns = 0;
    uint64_t cost = 0;
};

// "63708.105622:", seconds with a fraction of any length.
std::optional<uint64_t> time_of(std::string_view word) {
    constexpr uint64_t second = 1000000000;
    if (!word.ends_with(':'))
        return {};
    word.remove_suffix(1);
    const size_t dot = word.find('.');
    const auto seconds = number(word.substr(0, dot));
    if (!seconds || dot == word.npos || *seconds > most_seconds)
        return {};
    std::string fraction(word.substr(dot + 1));
    fraction.resize(9, '0');
    const auto nanoseconds = number(fraction);
    if (!nanoseconds)
        return {};
    return *seconds * second + *nanoseconds;
}

// "name of thread  12/13  63708.105622:    1001001"
std::optional<Header> header_of(std::string_view line) {
    const auto cost = number(take_last(line));
    const auto time = time_of(take_last(line));
    const std::string_view numbers = take_last(line);
    const size_t slash = numbers.find('/');
    if (!cost || !time || slash == numbers.npos)
        return {};
    const auto process = number(numbers.substr(0, slash)), thread = number(numbers.substr(slash + 1));
    if (!process || !thread)
        return {};
    return Header{{*process, *thread, std::string(trimmed(line))}, *time, *cost};
}

struct Frame {
    std::string_view name, object;
};

// "   90c0 do_lookup_x (/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2)"
std::optional<Frame> frame_of(std::string_view line) {
    constexpr std::string_view deleted = " (deleted)";
    line = trimmed(line);
    const size_t blank = line.find(' ');
    if (blank == line.npos || !number(line.substr(0, blank), 16) || !line.ends_with(')'))
        return {};
    line = line.substr(blank, line.size() - blank - 1);
    if (line.ends_with(deleted))
        line.remove_suffix(deleted.size());
    const size_t open = line.rfind(" (");
    if (open == line.npos)
        return {};
    const std::string_view name = trimmed(line.substr(0, open)), object = line.substr(open + 2);
    return Frame{name.empty() ? unknown_function : name, object == unknown_function ? std::string_view() : object};
}

class Reader {
  public:
    explicit Reader(model::FunctionProfile &profile) : profile_(profile), tree_(profile) {
        for (uint32_t i = 0; i < profile.threads.size(); ++i)
            threads_[profile.threads[i]] = i;
    }
    void line(std::string_view line) {
        if (trimmed(line).empty())
            return end_sample();
        if (blanks.find(line[0]) == blanks.npos) {
            end_sample();
            if (line[0] == '#')
                return;
            header_ = header_of(line);
            not_understood_ += header_ ? 0 : 1;
            return;
        }
        if (!header_)
            return;
        if (const auto frame = frame_of(line)) {
            frames_.push_back(tree_.function(frame->name, frame->object));
            return;
        }
        ++not_understood_;
        header_.reset();
        frames_.clear();
    }
    Status finish() {
        end_sample();
        std::ranges::sort(profile_.samples);
        const uint64_t begin = profile_.samples.empty() ? 0 : profile_.samples[0].time_ns;
        for (model::TimedSample &sample : profile_.samples)
            sample.time_ns -= begin;
        if (not_understood_ != 0)
            profile_.problems.push_back(
                fmt::format("{} of perf's samples were not understood, and are left out", not_understood_));
        if (too_many_ != 0)
            profile_.problems.push_back(
                fmt::format("{} samples are left out: there are more than {}, or more than {} threads", too_many_,
                            model::max_timed_samples, model::max_sampled_threads));
        return model::validate(profile_);
    }

  private:
    uint32_t thread_of(const model::SampledThread &thread) {
        const auto [place, is_new] = threads_.try_emplace(thread, static_cast<uint32_t>(profile_.threads.size()));
        if (is_new)
            profile_.threads.push_back(thread);
        return place->second;
    }
    bool is_full() const {
        return profile_.samples.size() >= model::max_timed_samples ||
               profile_.threads.size() >= model::max_sampled_threads ||
               profile_.nodes.size() + frames_.size() >= model::max_call_nodes ||
               profile_.functions.size() >= model::max_code_functions;
    }
    void end_sample() {
        if (!header_)
            return;
        too_many_ += is_full() ? 1 : 0;
        if (!is_full())
            add_sample();
        header_.reset();
        frames_.clear();
    }
    void add_sample() {
        if (frames_.empty())
            frames_.push_back(tree_.function(unknown_function, ""));
        frames_.resize(std::min(frames_.size(), model::max_call_depth));
        uint32_t at = none;
        for (size_t i = frames_.size(); i-- > 0;)
            at = tree_.child(at, frames_[i]);
        tree_.node(at).self += std::min(header_->cost, most_cost);
        ++tree_.node(at).count;
        profile_.samples.push_back(
            {header_->time_ns, std::min(header_->cost, most_cost), thread_of(header_->thread), at});
    }
    model::FunctionProfile &profile_;
    CallTree tree_;
    std::map<model::SampledThread, uint32_t> threads_;
    std::optional<Header> header_;
    std::vector<uint32_t> frames_;  // innermost first
    uint64_t not_understood_ = 0;
    uint64_t too_many_ = 0;
};

}  // namespace

Status read_perf_script(std::string_view text, model::FunctionProfile &profile) {
    profile.tool = "perf";
    profile.unit = model::CostUnit::nanoseconds;
    Reader reader(profile);
    while (!text.empty()) {
        const size_t end = text.find('\n');
        reader.line(text.substr(0, end));
        text = end == text.npos ? std::string_view() : text.substr(end + 1);
    }
    return reader.finish();
}

}  // namespace thalweg::measure
