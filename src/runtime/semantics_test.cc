// runtime: the table of docs/EVENTS.md, row for row, through both interfaces.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <memory>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <thalweg/loop.h>
#include <thalweg/thalweg.h>

namespace {

using Handler = std::function<void(int)>;

struct TypedEvent {
    using Bound = thalweg::Binding;
    std::unique_ptr<thalweg::Event<int>> event = std::make_unique<thalweg::Event<int>>("typed");
    Bound bind(Handler handler, int order = 0) { return event->bind(std::move(handler), {.order = order}); }
    bool is_bound(const Bound &bound) { return bound.bound(); }
    void unbind(Bound &bound) { bound.unbind(); }
    void block(Bound &bound) { bound.block(); }
    void unblock(Bound &bound) { bound.unblock(); }
    void raise(int value) { event->raise(value); }
    void post(int value) { event->post(value); }
    bool halt() { return event->halt(); }
    void destroy() { event.reset(); }
};

// Under a composite's lock.
struct CEvent {
    struct Bound {
        thalweg_event *event = nullptr;
        thalweg_binding_id id = 0;
    };
    thalweg_composite *composite = thalweg_composite_create();
    thalweg_event *event = nullptr;
    std::vector<std::unique_ptr<Handler>> handlers;
    CEvent() { thalweg_event_create(composite, "c", &event); }
    CEvent(const CEvent &) = delete;
    CEvent &operator=(const CEvent &) = delete;
    ~CEvent() { thalweg_composite_destroy(composite); }
    static void call(void *context, thalweg_event *, const thalweg_value *arguments, size_t count) {
        int64_t value = 0;
        ASSERT_TRUE(thalweg_get_integer(arguments, count, 0, &value));
        (*static_cast<Handler *>(context))(static_cast<int>(value));
    }
    Bound bind(Handler handler, int order = 0) {
        handlers.push_back(std::make_unique<Handler>(std::move(handler)));
        Bound bound{event, 0};
        EXPECT_EQ(thalweg_bind(event, call, handlers.back().get(), order, &bound.id), THALWEG_OK);
        return bound;
    }
    bool is_bound(const Bound &bound) { return thalweg_unblock(bound.event, bound.id) == THALWEG_OK; }
    void unbind(Bound &bound) { thalweg_unbind(bound.event, bound.id); }
    void block(Bound &bound) { thalweg_block(bound.event, bound.id); }
    void unblock(Bound &bound) { thalweg_unblock(bound.event, bound.id); }
    void raise(int value) { EXPECT_EQ(THALWEG_RAISE(event, thalweg_integer(value)), THALWEG_OK); }
    void post(int value) {
        const thalweg_value argument = thalweg_integer(value);
        EXPECT_EQ(thalweg_post(event, &argument, 1, nullptr), THALWEG_OK);
    }
    bool halt() { return thalweg_halt(event) == THALWEG_OK; }
    void destroy() { EXPECT_EQ(thalweg_event_destroy(std::exchange(event, nullptr)), THALWEG_OK); }
};

template <class Interface>
class Semantics : public testing::Test {
  protected:
    using Bound = typename Interface::Bound;
    // A handler that writes its letter.
    Handler writes(const char *letter) {
        return [this, letter](int) { log_ += letter; };
    }
    // What one raise writes.
    std::string raised(Interface &event) {
        log_.clear();
        event.raise(1);
        return log_;
    }
    thalweg::Loop loop_;
    std::string log_;
    Interface event_;
};

struct Names {
    template <class Interface>
    static std::string GetName(int) {
        return std::is_same_v<Interface, TypedEvent> ? "typed" : "c";
    }
};
using Interfaces = testing::Types<TypedEvent, CEvent>;
TYPED_TEST_SUITE(Semantics, Interfaces, Names);

TYPED_TEST(Semantics, RunsByOrderThenByConnection) {
    this->event_.bind(this->writes("c"), 5);
    this->event_.bind(this->writes("a"), -5);
    this->event_.bind(this->writes("b"));
    this->event_.bind(this->writes("d"), 5);
    this->event_.bind(this->writes("B"));
    EXPECT_EQ(this->raised(this->event_), "abBcd");
}

TYPED_TEST(Semantics, RunsNothingWithoutHandlers) {
    EXPECT_EQ(this->raised(this->event_), "");
    auto bound = this->event_.bind(this->writes("a"));
    this->event_.unbind(bound);
    EXPECT_EQ(this->raised(this->event_), "");
}

TYPED_TEST(Semantics, BoundDuringARaiseRunsInTheNext) {
    this->event_.bind([&](int) {
        if (this->log_.empty()) {
            this->event_.bind(this->writes("x"), -1);
            this->event_.bind(this->writes("y"));
            this->event_.bind(this->writes("z"), 10);
        }
        this->log_ += "a";
    });
    this->event_.bind(this->writes("b"), 5);
    EXPECT_EQ(this->raised(this->event_), "ab");
    EXPECT_EQ(this->raised(this->event_).substr(0, 5), "xaybz");
}

TYPED_TEST(Semantics, BoundDuringARaiseRunsInAnInnerRaise) {
    this->event_.bind([&](int depth) {
        this->log_ += "a";
        if (depth == 0)
            return;
        this->event_.bind(this->writes("x"), 1);
        this->event_.raise(0);
    });
    this->event_.bind(this->writes("b"), 2);
    EXPECT_EQ(this->raised(this->event_), "aaxbb");
}

TYPED_TEST(Semantics, UnboundBeforeItsTurnDoesNotRun) {
    typename TestFixture::Bound later;
    this->event_.bind([&](int) {
        this->log_ += "a";
        this->event_.unbind(later);
    });
    this->event_.bind(this->writes("b"));
    later = this->event_.bind(this->writes("c"));
    this->event_.bind(this->writes("d"));
    EXPECT_EQ(this->raised(this->event_), "abd");
}

TYPED_TEST(Semantics, UnboundAfterItsTurnChangesNothingElse) {
    auto first = this->event_.bind(this->writes("a"));
    this->event_.bind([&](int) {
        this->log_ += "b";
        this->event_.unbind(first);
    });
    this->event_.bind(this->writes("c"));
    this->event_.bind(this->writes("d"));
    EXPECT_EQ(this->raised(this->event_), "abcd");
    EXPECT_EQ(this->raised(this->event_), "bcd");
}

TYPED_TEST(Semantics, UnbindsItself) {
    typename TestFixture::Bound self;
    const auto kept = std::make_shared<std::string>("a captured text, longer than a string object can hold");
    self = this->event_.bind([&, kept](int) {
        this->event_.unbind(self);
        self = {};
        this->log_ += *kept;
    });
    this->event_.bind(this->writes("|b"));
    EXPECT_EQ(this->raised(this->event_), *kept + "|b");
    EXPECT_EQ(this->raised(this->event_), "|b");
}

TYPED_TEST(Semantics, UnboundAllEndsTheRaise) {
    std::vector<typename TestFixture::Bound> all;
    all.push_back(this->event_.bind(this->writes("a")));
    all.push_back(this->event_.bind([&](int) {
        this->log_ += "b";
        for (auto &bound : all)
            this->event_.unbind(bound);
        this->log_ += "!";
    }));
    all.push_back(this->event_.bind(this->writes("c")));
    EXPECT_EQ(this->raised(this->event_), "ab!");
    EXPECT_EQ(this->raised(this->event_), "");
}

TYPED_TEST(Semantics, ReboundDuringARaiseRunsInTheNext) {
    typename TestFixture::Bound later;
    this->event_.bind([&](int) {
        this->log_ += "a";
        this->event_.unbind(later);
        later = this->event_.bind(this->writes("c"));
    });
    later = this->event_.bind(this->writes("c"));
    this->event_.bind(this->writes("d"), 1);
    EXPECT_EQ(this->raised(this->event_), "ad");
    EXPECT_EQ(this->raised(this->event_), "ad");
    this->event_.raise(1);
}

TYPED_TEST(Semantics, BlockedBeforeItsTurnDoesNotRun) {
    typename TestFixture::Bound later;
    this->event_.bind([&](int) {
        this->log_ += "a";
        this->event_.block(later);
    });
    later = this->event_.bind(this->writes("b"));
    this->event_.bind(this->writes("c"));
    EXPECT_EQ(this->raised(this->event_), "ac");
    EXPECT_EQ(this->raised(this->event_), "ac");
}

TYPED_TEST(Semantics, BlockedAndUnblockedBeforeItsTurnRuns) {
    typename TestFixture::Bound later;
    this->event_.bind([&](int) {
        this->log_ += "a";
        this->event_.block(later);
        this->event_.unblock(later);
    });
    later = this->event_.bind(this->writes("b"));
    EXPECT_EQ(this->raised(this->event_), "ab");
}

TYPED_TEST(Semantics, UnblockedDuringARaiseRunsInTheNext) {
    typename TestFixture::Bound later;
    this->event_.bind([&](int) {
        this->log_ += "a";
        this->event_.unblock(later);
    });
    later = this->event_.bind(this->writes("b"));
    this->event_.bind(this->writes("c"));
    this->event_.block(later);
    EXPECT_EQ(this->raised(this->event_), "ac");
    EXPECT_EQ(this->raised(this->event_), "abc");
}

TYPED_TEST(Semantics, UnblockedKeepsItsPlace) {
    auto first = this->event_.bind(this->writes("a"));
    this->event_.bind(this->writes("b"));
    this->event_.block(first);
    this->event_.block(first);
    EXPECT_EQ(this->raised(this->event_), "b");
    this->event_.unblock(first);
    EXPECT_EQ(this->raised(this->event_), "ab");
}

TYPED_TEST(Semantics, HaltSkipsTheRest) {
    bool halting = true;
    this->event_.bind([&](int) {
        this->log_ += "a";
        EXPECT_TRUE(!halting || this->event_.halt());
        this->log_ += "!";
    });
    this->event_.bind(this->writes("b"));
    EXPECT_EQ(this->raised(this->event_), "a!");
    halting = false;
    EXPECT_EQ(this->raised(this->event_), "a!b");
}

TYPED_TEST(Semantics, HaltEndsTheInnermostRaise) {
    this->event_.bind([&](int depth) {
        this->log_ += std::to_string(depth);
        if (depth == 0)
            this->event_.halt();
        if (depth == 1)
            this->event_.raise(0);
    });
    this->event_.bind(this->writes("b"));
    EXPECT_EQ(this->raised(this->event_), "10b");
}

TYPED_TEST(Semantics, HaltWithoutARaiseIsNothing) {
    this->event_.bind(this->writes("a"));
    this->event_.bind(this->writes("b"));
    EXPECT_FALSE(this->event_.halt());
    EXPECT_EQ(this->raised(this->event_), "ab");
    EXPECT_FALSE(this->event_.halt());
}

TYPED_TEST(Semantics, RaisesRecursively) {
    this->event_.bind([&](int depth) {
        this->log_ += std::to_string(depth);
        if (depth > 0)
            this->event_.raise(depth - 1);
    });
    this->event_.bind(this->writes("b"));
    this->event_.raise(2);
    EXPECT_EQ(this->log_, "210bbb");
}

TYPED_TEST(Semantics, RaisesAnotherEvent) {
    TypeParam other;
    other.bind(this->writes("x"));
    other.bind(this->writes("y"));
    this->event_.bind([&](int) {
        this->log_ += "a";
        other.raise(1);
        this->log_ += "A";
    });
    this->event_.bind(this->writes("b"));
    EXPECT_EQ(this->raised(this->event_), "axyAb");
}

TYPED_TEST(Semantics, UnboundInAnInnerRaiseDoesNotRunInTheOuter) {
    typename TestFixture::Bound last;
    this->event_.bind([&](int depth) {
        this->log_ += std::to_string(depth);
        if (depth > 0)
            this->event_.raise(depth - 1);
        if (depth == 0)
            this->event_.unbind(last);
    });
    this->event_.bind(this->writes("b"));
    last = this->event_.bind(this->writes("c"));
    this->event_.raise(2);
    EXPECT_EQ(this->log_, "210bbb");
}

TYPED_TEST(Semantics, DeletedInItsOwnRaiseEndsIt) {
    const auto kept = std::make_shared<std::string>("still there");
    this->event_.bind(this->writes("a"));
    this->event_.bind([&, kept](int) {
        this->event_.destroy();
        this->log_ += *kept;
    });
    this->event_.bind(this->writes("c"));
    // Not through raised(): the interface's own object outlives the event, the event's storage does not.
    this->event_.raise(1);
    EXPECT_EQ(this->log_, "astill there");
}

TYPED_TEST(Semantics, DeletedInAnInnerRaiseEndsAll) {
    this->event_.bind([&](int depth) {
        this->log_ += std::to_string(depth);
        if (depth > 0)
            this->event_.raise(depth - 1);
        if (depth == 0)
            this->event_.destroy();
        this->log_ += "!";
    });
    this->event_.bind(this->writes("b"));
    this->event_.raise(2);
    EXPECT_EQ(this->log_, "210!!!");
}

TYPED_TEST(Semantics, DeletedByAnotherEventsHandlerEnds) {
    TypeParam other;
    other.bind([&](int) {
        this->log_ += "x";
        this->event_.destroy();
    });
    other.bind(this->writes("y"));
    this->event_.bind([&](int) {
        this->log_ += "a";
        other.raise(1);
        this->log_ += "A";
    });
    this->event_.bind(this->writes("b"));
    this->event_.raise(1);
    EXPECT_EQ(this->log_, "axyA");
}

TYPED_TEST(Semantics, DeletedEventHasNothingPending) {
    this->event_.bind(this->writes("a"));
    this->event_.post(1);
    this->event_.destroy();
    EXPECT_EQ(this->loop_.poll(), 0u);
    EXPECT_EQ(this->log_, "");
}

TYPED_TEST(Semantics, BindingOutlivesItsEvent) {
    auto bound = this->event_.bind(this->writes("a"));
    this->event_.destroy();
    this->event_.block(bound);
    this->event_.unblock(bound);
    this->event_.unbind(bound);
    EXPECT_FALSE(this->event_.is_bound(bound));
}

TYPED_TEST(Semantics, ThrowSkipsTheRest) {
    bool throwing = true;
    this->event_.bind([&](int) {
        this->log_ += "a";
        if (throwing)
            throw std::runtime_error("from a handler");
    });
    this->event_.bind(this->writes("b"));
    EXPECT_THROW(this->event_.raise(1), std::runtime_error);
    EXPECT_EQ(this->log_, "a");
    EXPECT_FALSE(this->event_.halt()) << "the raise that threw is still there";
    throwing = false;
    EXPECT_EQ(this->raised(this->event_), "ab");
}

TYPED_TEST(Semantics, CaughtThrowOfAnInnerRaiseLetsTheOuterGoOn) {
    this->event_.bind([&](int depth) {
        this->log_ += std::to_string(depth);
        if (depth == 0)
            throw std::runtime_error("from the inner raise");
        EXPECT_THROW(this->event_.raise(depth - 1), std::runtime_error);
    });
    this->event_.bind(this->writes("b"));
    EXPECT_EQ(this->raised(this->event_), "10b");
}

TYPED_TEST(Semantics, ThrowAfterAChangeLeavesTheEventUsable) {
    typename TestFixture::Bound self;
    self = this->event_.bind([&](int) {
        this->log_ += "a";
        this->event_.unbind(self);
        throw std::runtime_error("from a handler");
    });
    this->event_.bind([&](int) {
        this->log_ += "b";
        this->event_.bind(this->writes("x"));
        if (this->log_ == "b")
            throw std::runtime_error("from the rest of a raise");
    });
    EXPECT_THROW(this->event_.raise(1), std::runtime_error);
    EXPECT_EQ(this->log_, "a");
    EXPECT_THROW(this->raised(this->event_), std::runtime_error);
    EXPECT_EQ(this->log_, "b");
    EXPECT_FALSE(this->event_.halt());
    this->log_ = ".";
    this->event_.raise(1);
    EXPECT_EQ(this->log_, ".bx");
}

TYPED_TEST(Semantics, ThrowAfterDeletion) {
    this->event_.bind([&](int) {
        this->log_ += "a";
        this->event_.destroy();
        throw std::runtime_error("from a handler of no event");
    });
    this->event_.bind(this->writes("b"));
    EXPECT_THROW(this->event_.raise(1), std::runtime_error);
    EXPECT_EQ(this->log_, "a");
}

TYPED_TEST(Semantics, PostedDuringARaiseRunsLater) {
    this->event_.bind([&](int depth) {
        this->log_ += std::to_string(depth);
        if (depth > 0)
            this->event_.post(depth - 1);
    });
    this->event_.bind(this->writes("b"));
    EXPECT_EQ(this->raised(this->event_), "1b");
    this->loop_.poll();
    EXPECT_EQ(this->log_, "1b0b");
}

TYPED_TEST(Semantics, YieldRunsOthersFirst) {
    TypeParam other;
    other.bind(this->writes("x"));
    other.bind(this->writes("y"));
    this->event_.bind([&](int depth) {
        this->log_ += std::to_string(depth);
        if (depth == 0)
            return;
        other.post(1);
        this->event_.post(0);
        this->loop_.yield();
        this->log_ += "!";
    });
    this->event_.bind(this->writes("b"));
    EXPECT_EQ(this->raised(this->event_), "1xy0b!b");
    EXPECT_EQ(this->loop_.poll(), 0u);
}

TYPED_TEST(Semantics, UnboundDuringAYieldDoesNotRun) {
    TypeParam other;
    typename TestFixture::Bound last;
    other.bind([&](int) { this->event_.unbind(last); });
    this->event_.bind([&](int) {
        this->log_ += "a";
        other.post(1);
        this->loop_.yield();
    });
    this->event_.bind(this->writes("b"));
    last = this->event_.bind(this->writes("c"));
    EXPECT_EQ(this->raised(this->event_), "ab");
}

TYPED_TEST(Semantics, StopLetsTheRaiseEnd) {
    this->event_.bind([&](int) {
        this->log_ += "a";
        this->loop_.stop();
    });
    this->event_.bind(this->writes("b"));
    this->event_.post(1);
    this->event_.post(1);
    this->loop_.run();
    EXPECT_EQ(this->log_, "ab");
    this->loop_.poll();
    EXPECT_EQ(this->log_, "abab");
}

TEST(SemanticsTable, HasATestForEachRowAndARowForEachTest) {
    std::ifstream file(EVENTS_TABLE);
    ASSERT_TRUE(file) << EVENTS_TABLE;
    std::set<std::string> rows, tests;
    const std::regex row(R"(^\|.*\|.*\| (\w+) \|$)");
    std::smatch match;
    for (std::string line; std::getline(file, line);) {
        if (std::regex_match(line, match, row) && match[1] != "test")
            rows.insert(match[1]);
    }
    const testing::UnitTest &program = *testing::UnitTest::GetInstance();
    for (int i = 0; i < program.total_test_suite_count(); ++i) {
        const testing::TestSuite &suite = *program.GetTestSuite(i);
        if (std::string(suite.name()) != "Semantics/typed")
            continue;
        for (int j = 0; j < suite.total_test_count(); ++j)
            tests.insert(suite.GetTestInfo(j)->name());
    }
    EXPECT_GT(rows.size(), 20u);
    EXPECT_EQ(rows, tests);
}

}  // namespace
