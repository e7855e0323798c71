// runtime: typed raises as claims.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include <thalweg/event.h>

namespace {

void append_free(std::string *log, int value) { *log += "f" + std::to_string(value); }
void append_static(const std::string &prefix, std::string *log, int value) { *log += prefix + std::to_string(value); }

TEST(Raise, RunsHandlersInConnectionOrder) {
    std::string log;
    thalweg::Event<int> event{"order"};
    event.bind([&](int) { log += "a"; });
    event.bind([&](int) { log += "b"; });
    event.raise(1);
    EXPECT_EQ(log, "ab");
}

TEST(Raise, RunsLowerOrderFirst) {
    std::string log;
    thalweg::Event<int> event{"order"};
    event.bind([&](int) { log += "a"; }, {.order = 10});
    event.bind([&](int) { log += "b"; }, {.order = -1});
    event(1);
    EXPECT_EQ(log, "ba");
}

TEST(Raise, CallsEveryKindOfHandler) {
    struct Session {
        std::string log;
        void on_value(int value) { log += "m" + std::to_string(value); }
    } session;
    static std::string static_log;
    static_log.clear();
    thalweg::Event<int> event{"kinds"};
    event.bind<&append_free>(&session.log);
    event.bind<&Session::on_value>(&session);
    event.bind<&append_static>(thalweg::with(std::string("s"), &session.log));
    void (*known_at_run_time)(int) = [](int value) { static_log += "r" + std::to_string(value); };
    event.bind(known_at_run_time);
    event.bind(&append_static, thalweg::with(std::string("t"), &session.log));
    event.bind([](int value) { static_log += "l" + std::to_string(value); });
    event.raise(1);
    EXPECT_EQ(session.log, "f1m1s1t1");
    EXPECT_EQ(static_log, "r1l1");
}

TEST(Raise, CombinesResults) {
    thalweg::Event<int(int)> last{"last"};
    EXPECT_FALSE(last.raise(1).has_value());
    thalweg::Event<int(int), thalweg::Sum<int>> sum{"sum"};
    thalweg::Event<bool(int), thalweg::Any> any{"any"};
    thalweg::Event<int(int), thalweg::Collect<int>> all{"all"};
    for (int i = 1; i <= 3; ++i) {
        last.bind([i](int value) { return i * value; });
        sum.bind([i](int value) { return i * value; });
        any.bind([i](int value) { return i == value; });
        all.bind([i](int value) { return i * value; });
    }
    EXPECT_EQ(last.raise(2), 6);
    EXPECT_EQ(sum.raise(2), 12);
    EXPECT_TRUE(any.raise(2));
    EXPECT_FALSE(any.raise(4));
    EXPECT_EQ(all.raise(2), (std::vector<int>{2, 4, 6}));
}

TEST(Raise, NamesAnEventByItsPlaceWhenItHasNoName) {
    thalweg::Event<> event;
    EXPECT_TRUE(std::string(event.name()).ends_with("raise_test.cc:" + std::to_string(__LINE__ - 1))) << event.name();
}

}  // namespace
