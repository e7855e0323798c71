// runtime: rendezvous where who waits goes on inside of the trigger, as claims.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <thalweg/loop.h>
#include <thalweg/tame.h>

namespace {

using namespace thalweg::tame;

template <class On>
tamed<> waits(event<> &e, std::string &log) {
    On on;
    e = mkevent(on);
    co_await on;
    log += "waiter ";
}

tamed<> triggers(const event<> &e, std::string &log) {
    e.trigger();
    log += "triggers ";
    co_return;
}

TEST(Prompt, GoesOnInsideOfTheTrigger) {
    std::string log;
    event<> e;
    waits<prompt<gather>>(e, log);
    triggers(e, log);
    waits<prompt<rendezvous<>>>(e, log);
    triggers(e, log);
    EXPECT_EQ(log, "waiter triggers waiter triggers ");
}

TEST(Prompt, IsAsOthersAreWhereNothingRuns) {
    std::string log;
    event<> e;
    waits<prompt<gather>>(e, log);
    e.trigger();
    log += "outside";
    EXPECT_EQ(log, "waiter outside");
}

TEST(Prompt, OthersGoOnLater) {
    std::string log;
    event<> e;
    waits<gather>(e, log);
    triggers(e, log);
    waits<rendezvous<>>(e, log);
    triggers(e, log);
    EXPECT_EQ(log, "triggers waiter triggers waiter ");
}

TEST(Prompt, ThatBlocksAgainGoesBackIntoTheTrigger) {
    std::string log;
    std::vector<event<int>> events(3);
    [](std::vector<event<int>> &made, std::string &written) -> tamed<> {
        prompt<rendezvous<size_t>> r;
        int value = 0;
        for (size_t i = 0; i < made.size(); ++i)
            made[i] = mkevent(r, i, value);
        for (size_t i = 0; i < made.size(); ++i) {
            written += std::to_string(co_await r);
            written += std::to_string(value) + " ";
        }
    }(events, log);
    [](const std::vector<event<int>> &made, std::string &written) -> tamed<> {
        made[2].trigger(7);
        written += "then ";
        made[0].trigger(8);
        written += "then ";
        made[1].trigger(9);
        co_return;
    }(events, log);
    EXPECT_EQ(log, "27 then 08 then 19 ");
}

TEST(Prompt, WaitsForAllOfAGathersEvents) {
    std::string log;
    event<> one, two;
    [](event<> &first, event<> &second, std::string &written) -> tamed<> {
        prompt<gather> all;
        first = mkevent(all);
        second = mkevent(all);
        co_await all;
        written += "all ";
    }(one, two, log);
    triggers(one, log);
    triggers(two, log);
    EXPECT_EQ(log, "triggers all triggers ");
}

struct Depth {
    size_t functions = 0;
    size_t inside = 0, most_inside = 0;
};

// Each goes on inside of the one before.
tamed<> passes_on(event<> &own, const event<> &next, Depth &depth) {
    prompt<gather> all;
    own = mkevent(all);
    co_await all;
    ++depth.functions;
    depth.most_inside = std::max(depth.most_inside, ++depth.inside);
    next.trigger();
    --depth.inside;
}

TEST(Prompt, GoesOnLaterWhereThereAreAThousandInsideOfEachOther) {
    thalweg::Loop loop;
    constexpr size_t many = 5000;
    std::vector<event<>> events(many + 1);
    Depth depth;
    for (size_t i = many; i-- > 0;)
        passes_on(events[i], events[i + 1], depth);
    events[0].trigger();
    while (loop.poll() != 0) {
    }
    EXPECT_EQ(depth.functions, many);
    EXPECT_EQ(depth.most_inside, 1000u);
}

TEST(Prompt, TellsOfEventsThatAreToCome) {
    static int told;
    told = 0;
    const reporter before = set_reporter([](const report &what) { told += what.what == mistake::abandoned; });
    event<> e;
    {
        prompt<rendezvous<>> r;
        e = mkevent(r);
        r.cancel();
        e = mkevent(r);
    }
    set_reporter(before);
    EXPECT_EQ(told, 1);
}

}  // namespace
