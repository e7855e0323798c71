// measure: what `perf script` prints of a recording: samples with their callers.
#include "measure/perf_script.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "base/perf_line.h"
#include "measure/call_tree.h"

namespace thalweg::measure {

namespace {

using model::none;

constexpr std::string_view blanks = " \t";
// Of one sample.
constexpr uint64_t most_cost = perf::most_seconds * 1000000000 / model::max_timed_samples;

struct Header {
    model::SampledThread thread;
    uint64_t time_ns = 0;
    uint64_t cost = 0;
};

// "name of thread  12/13  63708.105622:    1001001"
std::optional<Header> header_of(std::string_view line) {
    const auto cost = perf::number(perf::take_last_word(line));
    const std::string_view when = perf::take_last_word(line), numbers = perf::take_last_word(line);
    const auto time = when.ends_with(':') ? perf::seconds(when.substr(0, when.size() - 1)) : std::nullopt;
    const auto thread = numbers.find('/') != numbers.npos ? perf::thread(numbers) : std::nullopt;
    if (!cost || !time || !thread)
        return {};
    return Header{{thread->process, thread->thread, std::string(perf::trimmed(line))}, *time, *cost};
}

class Reader {
  public:
    explicit Reader(model::FunctionProfile &profile) : profile_(profile), tree_(profile) {
        for (uint32_t i = 0; i < profile.threads.size(); ++i)
            threads_[profile.threads[i]] = i;
    }
    void line(std::string_view line) {
        if (perf::trimmed(line).empty())
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
        if (const auto frame = perf::frame(line)) {
            frames_.push_back(tree_.function(frame->symbol.empty() ? unknown_function : frame->symbol, frame->object));
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
