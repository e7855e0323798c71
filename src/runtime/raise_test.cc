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

TEST(Raise, PassesReferencesAndLargeArgumentsWithoutCopies) {
    struct Counted {
        int copies = 0;
        char text[64] = {};
        Counted() = default;
        Counted(const Counted &other) : copies(other.copies + 1) {}
    };
    thalweg::Event<Counted, Counted &> event{"references"};
    int seen = 0;
    event.bind([&](const Counted &value, Counted &reference) {
        seen += value.copies;
        reference.text[0] = 'x';
    });
    Counted value, reference;
    event.raise(value, reference);
    EXPECT_EQ(seen, 0);
    EXPECT_EQ(reference.text[0], 'x');
}

TEST(Raise, TakesAContextByPointerOrByReference) {
    struct Counter {
        int sum = 0;
    } counter;
    constexpr auto by_pointer = [](Counter *self, int value) { self->sum += value; };
    constexpr auto by_reference = [](Counter &self, int value) { self.sum += 10 * value; };
    thalweg::Event<int> event{"contexts"};
    event.bind<by_pointer>(&counter);
    event.bind<by_reference>(&counter);
    event.raise(1);
    EXPECT_EQ(counter.sum, 11);
}

TEST(Raise, GivesEachHandlerAFunctionOfItsOwnAndKeepsAddressesInTheContext) {
    thalweg::Event<int> event{"identities"};
    constexpr auto one = [](int) {};
    constexpr auto other = [](int) {};
    void (*at_run_time)(int) = [](int) {};
    void (*another_at_run_time)(int) = [](int) {};
    event.bind<one>();
    event.bind<other>();
    event.bind(at_run_time);
    event.bind(another_at_run_time);
    const thalweg_slot *slots = event.core()->slots;
    EXPECT_NE(slots[0].function, slots[1].function);
    EXPECT_EQ(slots[2].function, slots[3].function);
    EXPECT_EQ(slots[2].context, reinterpret_cast<void *>(at_run_time));
    EXPECT_EQ(slots[3].context, reinterpret_cast<void *>(another_at_run_time));
}

TEST(Raise, ScopedBindingUnbindsAtTheEndOfItsScope) {
    int raised = 0;
    thalweg::Event<> event{"scoped"};
    {
        thalweg::ScopedBinding binding = event.bind([&] { ++raised; });
        event.raise();
    }
    event.raise();
    EXPECT_EQ(raised, 1);
}

TEST(Raise, LetsWhatAHandlerKeptDeleteTheEvent) {
    auto event = std::make_unique<thalweg::Event<>>("kept");
    struct Deletes {
        std::unique_ptr<thalweg::Event<>> *event;
        ~Deletes() { event->reset(); }
    };
    thalweg::Binding binding = event->bind([kept = std::shared_ptr<Deletes>(new Deletes{&event})] {});
    binding.unbind();
    EXPECT_NE(event, nullptr);
    binding = {};
    EXPECT_EQ(event, nullptr);
}

TEST(Raise, LetsWhatAHandlerKeptDeleteTheEventAtTheUnbind) {
    auto event = std::make_unique<thalweg::Event<>>("kept");
    struct Deletes {
        std::unique_ptr<thalweg::Event<>> *event;
        ~Deletes() { event->reset(); }
    };
    thalweg_binding_id id = 0;
    thalweg_event *handle = event->handle();
    const thalweg_handler nothing = [](void *, thalweg_event *, const thalweg_value *, size_t) {};
    ASSERT_EQ(
        thalweg_bind_kept(
            handle, nothing, new Deletes{&event}, [](void *kept) { delete static_cast<Deletes *>(kept); }, 0, &id),
        THALWEG_OK);
    ASSERT_EQ(thalweg_unbind(handle, id), THALWEG_OK);
    EXPECT_EQ(event, nullptr);
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
