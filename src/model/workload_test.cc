// model: tests of a run's workload: what is written is read again, what is damaged is refused in words.
#include "model/workload.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/arbitrary_test.h"

namespace thalweg::model {
namespace {

using arbitrary::name;
using arbitrary::several;
using arbitrary::weight;

Usage usage() { return {weight(), weight(), weight(), weight(), weight(), weight(), weight(), weight(), weight()}; }

CallCount call() {
    return {name(), weight(), weight(), weight(), several(3, [] { return ErrorCount{name(), weight()}; })};
}

Workload workload() {
    Workload made;
    made.command = {"prog", name()};
    made.exit_code = arbitrary::below(256);
    made.signal = arbitrary::small();
    made.real_us = weight();
    made.usage = usage();
    made.children = usage();
    made.ready_us = weight();
    uint64_t end = 0;
    made.samples = several(4, [&] { return WorkSample{end += arbitrary::below(1000), weight(), weight(), weight()}; });
    made.threads = several(
        3, [] { return ThreadWork{weight(), weight(), name(), weight(), weight(), weight(), several(2, call)}; });
    made.traced = arbitrary::small() == 0;
    made.calls = several(3, call);
    made.repeated = several(2, [] {
        return RepeatedCalls{name(),
                             weight(),
                             weight(),
                             {weight(), weight(), weight()},
                             weight(),
                             {name(), weight()},
                             {name(), weight()},
                             weight(),
                             weight(),
                             name()};
    });
    made.written = several(2, [] { return WrittenFile{name(), weight(), weight(), weight(), weight(), name()}; });
    made.problems = several(2, name);
    made.kind = static_cast<WorkClass>(arbitrary::below(work_class_words.size()));
    made.why = name();
    made.advice =
        several(3, [] { return Advice{static_cast<AdviceKind>(arbitrary::below(advice_kind_words.size())), name()}; });
    return made;
}

RC_GTEST_PROP(Workload, that_is_written_is_read_again, ()) {
    const Workload made = workload();
    const Result<Workload> read = read_workload(write_workload(made));
    RC_ASSERT(static_cast<bool>(read));
    RC_ASSERT(*read == made);
}

Workload example() {
    Workload made;
    made.command = {"sleep", "1"};
    made.samples = {{100, 1, 2, 1}, {200, 1, 2, 1}};
    made.kind = WorkClass::io_bound;
    made.advice = {{AdviceKind::resolve, "caching"}};
    return made;
}

Result<Workload> with(const std::string &from, const std::string &to) {
    std::string text = write_workload(example());
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return read_workload(text.replace(at, from.size(), to));
}

TEST(Workload, every_truncation_is_refused_in_words) {
    const std::string text = write_workload(example());
    for (size_t length = 0; length + 2 < text.size(); ++length) {
        const Result<Workload> read = read_workload(text.substr(0, length));
        ASSERT_FALSE(read) << length;
        EXPECT_FALSE(read.error().message.empty());
    }
}

TEST(Workload, what_does_not_fit_is_refused_with_its_place) {
    const std::pair<std::pair<const char *, const char *>, const char *> cases[] = {
        {{"\"I/O-bound\"", "\"bound\""}, "class has the unknown value \"bound\""},
        {{"\"resolve\"", "\"do\""}, "kind has the unknown value \"do\""},
        {{"\"real_us\": 0", "\"real_us\": -1"}, "real_us is not a whole number"},
        {{"\"end_us\": 100", "\"end_us\": 300"}, "a sample ends at 200 us, before"},
        {{"\"end_us\": 100", "\"begin\": 100"}, "samples[0].begin is not known here"},
        {{"\"sleep\"", "7"}, "command[0] is not a string"},
        {{"\"version\": 3", "\"version\": 9"}, "version 9"},
    };
    for (const auto &[change, words] : cases) {
        const Result<Workload> read = with(change.first, change.second);
        ASSERT_FALSE(read) << words;
        EXPECT_NE(read.error().message.find(words), std::string::npos) << read.error().message;
    }
    EXPECT_TRUE(with("\"I/O-bound\"", "\"mixed\""));
}

TEST(Workload, more_samples_than_are_ever_kept_are_refused) {
    Workload made = example();
    made.samples.assign(max_samples, {300, 0, 0, 1});
    EXPECT_TRUE(read_workload(write_workload(made)));
    made.samples.push_back({300, 0, 0, 1});
    EXPECT_FALSE(read_workload(write_workload(made)));
}

}  // namespace
}  // namespace thalweg::model
