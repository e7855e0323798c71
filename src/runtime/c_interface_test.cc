// runtime: the C interface as claims.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <thalweg/abi.h>
#include <thalweg/event.h>
#include <thalweg/named.h>
#include <thalweg/thalweg.h>

namespace {

void append(void *context, thalweg_event *, const thalweg_value *arguments, size_t count) {
    auto *log = static_cast<std::string *>(context);
    int64_t number = -1;
    *log += thalweg_get_integer(arguments, count, 0, &number) ? std::to_string(number) : "?";
}
void throw_number(void *, thalweg_event *, const thalweg_value *, size_t) {
    throw std::runtime_error("from a handler");
}

class CInterface : public testing::Test {
  protected:
    CInterface() : composite_(thalweg_composite_create()) { thalweg_event_create(composite_, "c-event", &event_); }
    ~CInterface() override { thalweg_composite_destroy(composite_); }
    thalweg_composite *composite_;
    thalweg_event *event_ = nullptr;
    std::string log_;
};

TEST_F(CInterface, RaisesInOrderWithArguments) {
    std::string second;
    ASSERT_EQ(thalweg_bind(event_, append, &second, 10, nullptr), THALWEG_OK);
    ASSERT_EQ(thalweg_bind(event_, append, &log_, 0, nullptr), THALWEG_OK);
    EXPECT_EQ(THALWEG_RAISE(event_, thalweg_integer(7)), THALWEG_OK);
    EXPECT_EQ(log_, "7");
    EXPECT_EQ(second, "7");
    EXPECT_EQ(thalweg_event_handlers(event_), 2u);
}

TEST_F(CInterface, FindsEventsByNameAndById) {
    EXPECT_EQ(thalweg_event_find("c-event"), event_);
    EXPECT_EQ(thalweg_event_by_id(thalweg_event_id(event_)), event_);
    EXPECT_STREQ(thalweg_event_name(event_), "c-event");
    EXPECT_EQ(thalweg_event_find("no such event"), nullptr);
    EXPECT_EQ(thalweg_event_by_id(0), nullptr);
    const uint64_t id = thalweg_event_id(event_);
    EXPECT_EQ(thalweg_event_destroy(event_), THALWEG_OK);
    EXPECT_EQ(thalweg_event_by_id(id), nullptr);
}

TEST_F(CInterface, FindsTheOldestOfTheSameName) {
    thalweg_event *younger = nullptr;
    ASSERT_EQ(thalweg_event_create(composite_, "c-event", &younger), THALWEG_OK);
    EXPECT_EQ(thalweg_event_find("c-event"), event_);
    ASSERT_EQ(thalweg_event_destroy(event_), THALWEG_OK);
    EXPECT_EQ(thalweg_event_find("c-event"), younger);
}

TEST_F(CInterface, KeepsThousandsOfEventsApart) {
    std::vector<thalweg_event *> events(3000);
    for (size_t i = 0; i < events.size(); ++i) {
        ASSERT_EQ(thalweg_event_create(nullptr, ("many-" + std::to_string(i)).c_str(), &events[i]), THALWEG_OK);
    }
    for (size_t i = 0; i < events.size(); ++i) {
        ASSERT_EQ(thalweg_event_find(("many-" + std::to_string(i)).c_str()), events[i]);
        ASSERT_EQ(thalweg_event_by_id(thalweg_event_id(events[i])), events[i]);
    }
    for (auto *event : events)
        ASSERT_EQ(thalweg_event_destroy(event), THALWEG_OK);
    EXPECT_EQ(thalweg_event_find("many-0"), nullptr);
}

TEST_F(CInterface, SaysWhatIsWrongWithBadInput) {
    EXPECT_EQ(thalweg_raise(nullptr, nullptr, 0), THALWEG_NULL_POINTER);
    EXPECT_EQ(thalweg_raise(event_, nullptr, 1), THALWEG_NULL_POINTER);
    EXPECT_EQ(thalweg_bind(nullptr, append, nullptr, 0, nullptr), THALWEG_NULL_POINTER);
    EXPECT_EQ(thalweg_bind(event_, nullptr, nullptr, 0, nullptr), THALWEG_NULL_POINTER);
    EXPECT_EQ(thalweg_unbind(event_, 99), THALWEG_NOT_BOUND);
    EXPECT_EQ(thalweg_block(event_, 99), THALWEG_NOT_BOUND);
    EXPECT_EQ(thalweg_unbind(nullptr, 1), THALWEG_NULL_POINTER);
    EXPECT_EQ(thalweg_halt(event_), THALWEG_NOT_RAISED);
    EXPECT_EQ(thalweg_raise_named("nobody", nullptr, 0), THALWEG_UNKNOWN_EVENT);
    EXPECT_EQ(thalweg_raise_named(nullptr, nullptr, 0), THALWEG_NULL_POINTER);
    EXPECT_EQ(thalweg_event_create(nullptr, nullptr, &event_), THALWEG_NULL_POINTER);
    EXPECT_EQ(thalweg_event_create(nullptr, "x", nullptr), THALWEG_NULL_POINTER);
    EXPECT_EQ(thalweg_composite_destroy(nullptr), THALWEG_NULL_POINTER);
    EXPECT_EQ(thalweg_event_find(nullptr), nullptr);
    thalweg_event *gone = event_;
    ASSERT_EQ(thalweg_event_destroy(event_), THALWEG_OK);
    EXPECT_EQ(thalweg_event_destroy(gone), THALWEG_UNKNOWN_EVENT);
    for (int status = 0; status <= THALWEG_SYSTEM_ERROR + 1; ++status) {
        EXPECT_GT(std::string(thalweg_message(static_cast<thalweg_status>(status))).size(), 3u);
    }
}

TEST_F(CInterface, ChecksDeclaredArguments) {
    const thalweg_type types[] = {THALWEG_INTEGER, THALWEG_TEXT};
    ASSERT_EQ(thalweg_event_declare(event_, types, 2), THALWEG_OK);
    ASSERT_EQ(thalweg_bind(event_, append, &log_, 0, nullptr), THALWEG_OK);
    EXPECT_EQ(THALWEG_RAISE(event_, thalweg_integer(1)), THALWEG_WRONG_COUNT);
    EXPECT_EQ(THALWEG_RAISE(event_, thalweg_integer(1), thalweg_real(2)), THALWEG_WRONG_TYPE);
    EXPECT_EQ(log_, "");
    EXPECT_EQ(THALWEG_RAISE(event_, thalweg_integer(1), thalweg_text("x")), THALWEG_OK);
    EXPECT_EQ(log_, "1");
}

TEST_F(CInterface, RaisesATypedEventByNameWithItsArgumentsChecked) {
    std::string log;
    thalweg::Event<int, double, const std::string &> typed{"typed-from-c"};
    typed.bind([&](int number, double real, const std::string &text) {
        log += std::to_string(number) + " " + std::to_string(static_cast<int>(real)) + " " + text;
    });
    thalweg_event *event = thalweg_event_find("typed-from-c");
    ASSERT_EQ(event, typed.handle());
    const thalweg_value one = thalweg_integer(1), two = thalweg_real(2), three = thalweg_text("three");
    EXPECT_EQ(THALWEG_RAISE(event, one, two, three), THALWEG_OK);
    EXPECT_EQ(log, "1 2 three");
    EXPECT_EQ(THALWEG_RAISE(event, one, two), THALWEG_WRONG_COUNT);
    EXPECT_EQ(THALWEG_RAISE(event, one, one, three), THALWEG_WRONG_TYPE);
    EXPECT_EQ(THALWEG_RAISE(event, thalweg_integer(int64_t{1} << 40), two, three), THALWEG_OUT_OF_RANGE);
    EXPECT_EQ(THALWEG_RAISE(event, one, two, thalweg_text(nullptr)), THALWEG_NULL_POINTER);
    EXPECT_EQ(log, "1 2 three");
    EXPECT_EQ(thalweg_event_destroy(event), THALWEG_TYPED_EVENT);
    EXPECT_EQ(thalweg_event_declare(event, nullptr, 0), THALWEG_TYPED_EVENT);
}

TEST_F(CInterface, BindsACHandlerToATypedEvent) {
    thalweg::Event<int> typed{"typed-with-c-handler"};
    thalweg_binding_id id = 0;
    ASSERT_EQ(thalweg_bind(typed.handle(), append, &log_, 0, &id), THALWEG_OK);
    typed.raise(3);
    EXPECT_EQ(log_, "3");
    ASSERT_EQ(thalweg_unbind(typed.handle(), id), THALWEG_OK);
    typed.raise(4);
    EXPECT_EQ(log_, "3");
}

TEST_F(CInterface, RefusesATypedEventThatCannotBeMarshalled) {
    struct Packet {};
    thalweg::Event<Packet &> typed{"not-marshalled"};
    EXPECT_EQ(THALWEG_RAISE(typed.handle(), thalweg_integer(1)), THALWEG_NOT_MARSHALLED);
    EXPECT_EQ(thalweg_bind(typed.handle(), append, nullptr, 0, nullptr), THALWEG_NOT_MARSHALLED);
}

TEST_F(CInterface, FindsATypedEventFromCxxOnlyWithItsOwnType) {
    thalweg::Event<int> typed{"typed-by-name"};
    EXPECT_EQ(thalweg::Event<int>::find("typed-by-name"), &typed);
    EXPECT_EQ(thalweg::Event<double>::find("typed-by-name"), nullptr);
    EXPECT_EQ(thalweg::Event<int>::find("c-event"), nullptr);
}

TEST_F(CInterface, IsRaisedAndBoundFromTypedCode) {
    const thalweg_type types[] = {THALWEG_INTEGER, THALWEG_TEXT};
    ASSERT_EQ(thalweg_event_declare(event_, types, 2), THALWEG_OK);
    auto named = thalweg::Named<int, std::string>::find("c-event");
    ASSERT_TRUE(named);
    std::string log;
    thalweg_binding_id id = 0;
    ASSERT_EQ(named.bind([&](int number, const std::string &text) { log += std::to_string(number) + text; }, {}, &id),
              THALWEG_OK);
    ASSERT_EQ(thalweg_bind(event_, append, &log_, 1, nullptr), THALWEG_OK);
    EXPECT_EQ(named.raise(1, "x"), THALWEG_OK);
    EXPECT_EQ(THALWEG_RAISE(event_, thalweg_integer(2), thalweg_text("y")), THALWEG_OK);
    EXPECT_EQ(log, "1x2y");
    EXPECT_EQ(log_, "12");
    EXPECT_EQ(thalweg_unbind(event_, id), THALWEG_OK);
}

TEST_F(CInterface, IsNotRaisedFromTypedCodeWithOtherArguments) {
    const thalweg_type types[] = {THALWEG_INTEGER};
    ASSERT_EQ(thalweg_event_declare(event_, types, 1), THALWEG_OK);
    EXPECT_EQ(thalweg::Named<double>::find("c-event").raise(1.0), THALWEG_WRONG_TYPE);
    EXPECT_EQ((thalweg::Named<int, int>::find("c-event").raise(1, 2)), THALWEG_WRONG_COUNT);
    EXPECT_FALSE(thalweg::Named<int>::find("nobody"));
    EXPECT_EQ(thalweg::Named<int>::find("nobody").raise(1), THALWEG_NULL_POINTER);
}

TEST_F(CInterface, PassesOverATypedHandlerThatCannotTakeTheArguments) {
    int ran = 0;
    const auto named = thalweg::Named<int>::find("c-event");
    ASSERT_EQ(named.bind([&](int) { ++ran; }), THALWEG_OK);
    EXPECT_EQ(THALWEG_RAISE(event_, thalweg_real(1)), THALWEG_OK);
    EXPECT_EQ(thalweg_raise(event_, nullptr, 0), THALWEG_OK);
    EXPECT_EQ(ran, 0);
    EXPECT_EQ(THALWEG_RAISE(event_, thalweg_integer(1)), THALWEG_OK);
    EXPECT_EQ(ran, 1);
}

TEST_F(CInterface, LetsAnExceptionPassAndStaysUsable) {
    thalweg_binding_id thrower = 0;
    ASSERT_EQ(thalweg_bind(event_, throw_number, nullptr, 0, &thrower), THALWEG_OK);
    ASSERT_EQ(thalweg_bind(event_, append, &log_, 1, nullptr), THALWEG_OK);
    EXPECT_THROW(THALWEG_RAISE(event_, thalweg_integer(1)), std::runtime_error);
    EXPECT_EQ(log_, "");
    EXPECT_EQ(thalweg_halt(event_), THALWEG_NOT_RAISED);
    ASSERT_EQ(thalweg_unbind(event_, thrower), THALWEG_OK);
    EXPECT_EQ(THALWEG_RAISE(event_, thalweg_integer(2)), THALWEG_OK);
    EXPECT_EQ(log_, "2");
}

// Whether another thread can have the composite's lock while a handler runs.
bool lock_is_free_in_a_handler(thalweg_composite *composite, thalweg_event *event) {
    struct Probe {
        thalweg_composite *composite;
        std::atomic<bool> entered{false};
        bool seen = false;
        std::thread other;
    } probe;
    probe.composite = composite;
    const thalweg_handler handler = [](void *context, thalweg_event *, const thalweg_value *, size_t) {
        auto *self = static_cast<Probe *>(context);
        self->other = std::thread([self] {
            thalweg_composite_lock(self->composite);
            self->entered = true;
            thalweg_composite_unlock(self->composite);
        });
        for (int i = 0; i < 20 && !self->entered; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        self->seen = self->entered;
    };
    thalweg_binding_id id = 0;
    EXPECT_EQ(thalweg_bind(event, handler, &probe, 0, &id), THALWEG_OK);
    EXPECT_EQ(thalweg_raise(event, nullptr, 0), THALWEG_OK);
    EXPECT_EQ(thalweg_unbind(event, id), THALWEG_OK);
    probe.other.join();
    return probe.seen;
}

TEST_F(CInterface, HoldsTheCompositesLockWhileAHandlerRuns) {
    EXPECT_FALSE(lock_is_free_in_a_handler(composite_, event_));
    ASSERT_EQ(thalweg_bind(event_, throw_number, nullptr, 0, nullptr), THALWEG_OK);
    EXPECT_THROW(thalweg_raise(event_, nullptr, 0), std::runtime_error);
    std::thread([&] {
        thalweg_composite_lock(composite_);  // for ever, if the exception had left it locked
        thalweg_composite_unlock(composite_);
    }).join();
}

TEST_F(CInterface, DoesNotLockWhenLockingIsOff) {
    ASSERT_EQ(thalweg_composite_set_locking(composite_, 0), THALWEG_OK);
    EXPECT_TRUE(lock_is_free_in_a_handler(composite_, event_));
    ASSERT_EQ(thalweg_composite_set_locking(composite_, 1), THALWEG_OK);
    EXPECT_FALSE(lock_is_free_in_a_handler(composite_, event_));
    EXPECT_EQ(thalweg_composite_set_locking(nullptr, 1), THALWEG_NULL_POINTER);
}

TEST_F(CInterface, DestroysACompositeFromInsideItsHandler) {
    struct Inside {
        thalweg_composite *composite;
        std::string *log;
    } inside{thalweg_composite_create(), &log_};
    thalweg_event *event = nullptr;
    ASSERT_EQ(thalweg_event_create(inside.composite, "doomed", &event), THALWEG_OK);
    const thalweg_handler destroy = [](void *context, thalweg_event *, const thalweg_value *, size_t) {
        auto *self = static_cast<Inside *>(context);
        *self->log += "d";
        EXPECT_EQ(thalweg_composite_destroy(self->composite), THALWEG_OK);
    };
    ASSERT_EQ(thalweg_bind(event, destroy, &inside, 0, nullptr), THALWEG_OK);
    ASSERT_EQ(thalweg_bind(event, append, &log_, 1, nullptr), THALWEG_OK);
    EXPECT_EQ(thalweg_raise(event, nullptr, 0), THALWEG_OK);
    EXPECT_EQ(log_, "d");
}

}  // namespace
