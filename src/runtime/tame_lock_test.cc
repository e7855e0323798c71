// runtime: locks of tamed functions, as claims.
#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <thalweg/loop.h>
#include <thalweg/tame.h>

#include "tame_told.h"

namespace {

using namespace std::chrono_literals;
using namespace thalweg::tame;

// Has the lock until the event that it gives is triggered.
tamed<> has(lock &l, bool shared, std::string &log, char word, event<> &end) {
    lock_hold hold;  // GCC 12 awaits both sides of a conditional expression
    if (shared)
        hold = co_await l.scoped_shared();
    else
        hold = co_await l.scoped();
    log += word;
    gather all;
    end = mkevent(all);
    co_await all;
}

TEST(Lock, IsOnesAloneAndThenTheNextOnes) {
    lock l;
    std::string log;
    event<> one, two, three;
    has(l, false, log, '1', one);
    has(l, false, log, '2', two);
    has(l, false, log, '3', three);
    EXPECT_EQ(log, "1");
    one.trigger();
    EXPECT_EQ(log, "12");
    two.trigger();
    EXPECT_EQ(log, "123");
    EXPECT_TRUE(l.is_held());
    three.trigger();
    EXPECT_FALSE(l.is_held());
}

TEST(Lock, IsSharedByReadersButNotPastAWriterThatWaits) {
    lock l;
    std::string log;
    event<> one, two, writer, three, four;
    has(l, true, log, '1', one);
    has(l, true, log, '2', two);
    has(l, false, log, 'w', writer);
    has(l, true, log, '3', three);
    has(l, true, log, '4', four);
    EXPECT_EQ(log, "12");
    two.trigger();
    EXPECT_EQ(log, "12");
    one.trigger();
    EXPECT_EQ(log, "12w");
    writer.trigger();
    EXPECT_EQ(log, "12w34");
    three.trigger();
    four.trigger();
    EXPECT_FALSE(l.is_held());
}

TEST(Lock, IsTakenAtOnceOrNotAtAllByATry) {
    lock l;
    EXPECT_TRUE(l.try_acquire_shared());
    EXPECT_TRUE(l.try_acquire_shared());
    EXPECT_FALSE(l.try_acquire());
    l.release_shared();
    l.release_shared();
    EXPECT_TRUE(l.try_acquire());
    EXPECT_FALSE(l.try_acquire_shared());
    l.release();
}

TEST(Lock, IsAcquiredByAnEvent) {
    lock l;
    rendezvous<int> r;
    l.acquire(mkevent(r, 1));
    EXPECT_TRUE(r.has_occurred());
    EXPECT_EQ(wait(r), 1);
    l.acquire_shared(mkevent(r, 2));
    l.acquire_shared(mkevent(r, 3));
    EXPECT_FALSE(r.has_occurred());
    l.release();
    EXPECT_EQ(wait(r), 2);
    EXPECT_EQ(wait(r), 3);
    l.release_shared();
    l.release_shared();
    EXPECT_FALSE(l.is_held());
}

TEST(Lock, PassesOverAnEventThatNobodyWaitsForAnyMore) {
    const Told told;
    lock l;
    rendezvous<> r;
    std::string log;
    event<> reader, last;
    ASSERT_TRUE(l.try_acquire_shared());
    {
        rendezvous<> given_up;
        l.acquire(mkevent(given_up));
        has(l, true, log, 'r', reader);
        EXPECT_EQ(log, "");
        given_up.cancel();
        EXPECT_EQ(log, "r") << "nobody is before it any more";
    }
    const event<> triggered = mkevent(r);
    l.acquire(triggered);
    has(l, false, log, 'w', last);
    triggered.trigger();  // by somebody else
    reader.trigger();
    l.release_shared();
    EXPECT_EQ(log, "rw");
    last.trigger();
    l.acquire(event<>());
    EXPECT_FALSE(l.is_held());
    EXPECT_TRUE(Told::reports.empty());
}

TEST(Lock, ReleasedByOneWhoDoesNotHaveItIsToldOfAndStaysAsItIs) {
    const Told told;
    lock l;
    constexpr unsigned lock_line = __LINE__ - 1;
    l.release();
    constexpr unsigned line = __LINE__ - 1;
    l.release_shared();
    ASSERT_TRUE(l.try_acquire());
    l.release_shared();  // it is not shared
    EXPECT_TRUE(l.is_held());
    l.release();
    ASSERT_TRUE(l.try_acquire_shared());
    l.release();  // it is nobody's alone
    EXPECT_TRUE(l.is_held());
    l.release_shared();
    EXPECT_TRUE(l.try_acquire()) << "as often as it was released by those who had it";
    ASSERT_EQ(Told::reports.size(), 4u);
    EXPECT_EQ(Told::reports[0].what, mistake::not_held);
    EXPECT_EQ(Told::reports[0].event.line(), line);
    EXPECT_EQ(Told::reports[0].rendezvous.line(), lock_line);
    l.release();
    EXPECT_EQ(Told::reports.size(), 4u) << "who has it may";
}

TEST(Lock, TakesATimeLimit) {
    const Told told;
    const thalweg::Loop loop;
    const virtual_time time;
    lock l;
    ASSERT_TRUE(l.try_acquire());
    gather all;
    bool in_time = true;
    l.acquire(add_timeout(1s, event<bool>(mkevent(all, in_time))));
    wait(all);
    EXPECT_FALSE(in_time);
    l.release();
    EXPECT_FALSE(l.is_held());
}

// Waits for the lock behind a function that ends early.
tamed<> has_behind(lock &l, tamed<> before, std::string &log) {
    co_await before;
    const lock_hold hold = co_await l.scoped();
    log += "not reached";
}

TEST(Lock, WithWaitersThatIsGoneIsToldOfAndTheyEndThere) {
    const Told told;
    std::string log;
    std::unique_ptr<lock> l(new lock);
    constexpr unsigned line = __LINE__ - 1;
    ASSERT_TRUE(l->try_acquire());
    gather all;
    event<> end;
    has_behind(*l, has(*l, false, log, 'x', end), log);
    constexpr unsigned event_line = __LINE__ + 1;
    l->acquire(mkevent(all));
    l.reset();
    EXPECT_EQ(log, "");
    ASSERT_EQ(Told::reports.size(), 2u);
    EXPECT_EQ(Told::reports[0].what, mistake::waited_for);
    EXPECT_EQ(Told::reports[0].rendezvous.line(), line);
    EXPECT_EQ(Told::reports[1].what, mistake::never_triggered);
    EXPECT_EQ(Told::reports[1].event.line(), event_line);
}

tamed<> destroys(std::unique_ptr<lock> &l, std::string &log) {
    {
        const lock_hold hold = co_await l->scoped();
        log += "has ";
    }
    l.reset();
}

TEST(Lock, MayBeDestroyedByTheOneWhoGetsIt) {
    const Told told;
    std::string log;
    auto l = std::make_unique<lock>();
    ASSERT_TRUE(l->try_acquire());
    destroys(l, log);
    l->release();
    EXPECT_EQ(log, "has ");
    EXPECT_FALSE(l);
}

TEST(Lock, AHoldMayBeMovedAndReleasedEarly) {
    lock l;
    ASSERT_TRUE(l.try_acquire());
    lock_hold hold(l, false);
    lock_hold moved = std::move(hold);
    EXPECT_TRUE(l.is_held());
    moved = lock_hold();
    EXPECT_FALSE(l.is_held());
    moved.release();
}

tamed<> takes_turns(lock &l, int &count, int times) {
    for (int i = 0; i < times; ++i) {
        const lock_hold hold = co_await l.scoped();
        ++count;
    }
}

TEST(Lock, AsManyAsWaitGoOnWithoutMoreStack) {
    thalweg::Loop loop;
    lock l;
    constexpr int many = 20000;
    int count = 0;
    ASSERT_TRUE(l.try_acquire());
    for (int i = 0; i < many; ++i)
        takes_turns(l, count, 2);
    l.release();
    while (loop.poll() != 0) {
    }
    EXPECT_EQ(count, 2 * many);
}

// ---- random scripts beside a model ----

struct Entry {
    int id;
    bool shared;
};

// Who has the lock and who waits, in the plainest way.
struct Model {
    std::vector<Entry> holders;
    std::deque<Entry> queue;

    bool fits(bool shared) const { return holders.empty() || (shared && holders.front().shared); }
    void pass_on() {
        while (!queue.empty() && fits(queue.front().shared)) {
            holders.push_back(queue.front());
            queue.pop_front();
        }
    }
};

class Script {
  public:
    explicit Script(unsigned seed) : random_(seed) {}
    void step() {
        switch (pick(3)) {
        case 0:
            return acquire();
        case 1:
            return release();
        default:
            return cancel();
        }
    }
    void check() const {
        for (const Entry &holder : model_.holders)
            EXPECT_TRUE(waits_[static_cast<size_t>(holder.id)]->has_occurred());
        for (const Entry &waiter : model_.queue)
            EXPECT_FALSE(waits_[static_cast<size_t>(waiter.id)]->has_occurred());
        EXPECT_EQ(lock_.is_held(), !model_.holders.empty());
    }

  private:
    size_t pick(size_t below) { return random_() % below; }
    void acquire() {
        const Entry entry{static_cast<int>(waits_.size()), pick(2) == 0};
        rendezvous<> &r = *waits_.emplace_back(std::make_unique<rendezvous<>>());
        model_.queue.push_back(entry);
        model_.pass_on();
        if (entry.shared)
            lock_.acquire_shared(mkevent(r));
        else
            lock_.acquire(mkevent(r));
    }
    void release() {
        if (model_.holders.empty())
            return;
        const auto at = model_.holders.begin() + static_cast<ptrdiff_t>(pick(model_.holders.size()));
        const bool shared = at->shared;
        model_.holders.erase(at);
        model_.pass_on();
        if (shared)
            lock_.release_shared();
        else
            lock_.release();
    }
    void cancel() {
        if (model_.queue.empty())
            return;
        const auto at = model_.queue.begin() + static_cast<ptrdiff_t>(pick(model_.queue.size()));
        rendezvous<> &r = *waits_[static_cast<size_t>(at->id)];
        model_.queue.erase(at);
        model_.pass_on();
        r.cancel();
    }

    std::mt19937 random_;
    std::vector<std::unique_ptr<rendezvous<>>> waits_;
    lock lock_;
    Model model_;
};

TEST(Lock, DoesWhatAModelDoes) {
    const Told told;
    for (unsigned seed = 0; seed < 50; ++seed) {
        Script script(seed);
        for (int i = 0; i < 200; ++i) {
            script.step();
            script.check();
        }
    }
}

// ---- a table of locks ----

tamed<> has_key(lock_table<std::string> &table, std::string key, bool shared, std::string &log, event<> &end) {
    std::optional<lock_table<std::string>::hold> hold;
    if (shared)
        hold.emplace(co_await table.scoped_shared(key));
    else
        hold.emplace(co_await table.scoped(key));
    log += key;
    gather all;
    end = mkevent(all);
    co_await all;
}

TEST(LockTable, HasALockForEachKeyWhileSomebodyWantsIt) {
    lock_table<std::string> table;
    std::string log;
    event<> a, b, next, shared, other;
    has_key(table, "a", false, log, a);
    has_key(table, "b", true, log, b);
    has_key(table, "b", true, log, shared);
    has_key(table, "a", false, log, next);
    EXPECT_EQ(log, "abb");
    EXPECT_EQ(table.size(), 2u);
    a.trigger();
    EXPECT_EQ(log, "abba");
    b.trigger();
    shared.trigger();
    EXPECT_EQ(table.size(), 1u);
    next.trigger();
    EXPECT_EQ(table.size(), 0u);
}

}  // namespace
