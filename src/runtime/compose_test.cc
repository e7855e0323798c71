// runtime: complex events as claims.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>

#include <thalweg/compose.h>
#include <thalweg/thalweg.h>

namespace {

using namespace std::chrono_literals;

class Composed : public testing::Test {
  protected:
    // How often the complex event is raised when its parts are, in this order.
    int raised(thalweg::Complex &complex, const std::string &order) {
        int times = 0;
        thalweg::ScopedBinding binding = complex.bind([&] { ++times; });
        for (const char part : order) {
            if (part == 'a')
                a_.raise(1);
            if (part == 'b')
                b_.raise("text", 2.0);
            if (part == 'c')
                c_.raise();
            if (part == ' ')
                std::this_thread::sleep_for(15ms);
        }
        return times;
    }
    thalweg::Event<int> a_{"a"};
    thalweg::Event<std::string, double> b_{"b"};
    thalweg::Event<> c_{"c"};
};

TEST_F(Composed, AnyOfIsRaisedByEachPart) {
    thalweg::AnyOf any{"any", a_, b_};
    EXPECT_EQ(raised(any, "abca"), 3);
}

TEST_F(Composed, AllOfIsRaisedWhenEveryPartWas) {
    thalweg::AllOf all{"all", a_, b_, c_};
    EXPECT_EQ(raised(all, "ab"), 0);
    EXPECT_EQ(raised(all, "c"), 1);
    EXPECT_EQ(raised(all, "cc"), 0) << "it begins anew";
    EXPECT_EQ(raised(all, "bacabc"), 2);
}

TEST_F(Composed, AllOfWithinATimeForgetsWhatIsOlder) {
    thalweg::AllOf all{"all", 10ms, a_, b_};
    EXPECT_EQ(raised(all, "a b"), 0);
    EXPECT_EQ(raised(all, "a"), 1);
}

TEST_F(Composed, SequenceIsRaisedByThePartsInTheirOrder) {
    thalweg::Sequence sequence{"sequence", a_, b_, c_};
    EXPECT_EQ(raised(sequence, "cba"), 0);
    EXPECT_EQ(raised(sequence, "bc"), 1) << "after the a of before";
    EXPECT_EQ(raised(sequence, "bc"), 0) << "it begins anew";
    EXPECT_EQ(raised(sequence, "aabcabc"), 2);
    EXPECT_EQ(raised(sequence, "acbc"), 1) << "what is in between does not matter";
}

TEST_F(Composed, SequenceWithinATimeCountsFromItsYoungestBegin) {
    thalweg::Sequence sequence{"sequence", 10ms, a_, b_, c_};
    EXPECT_EQ(raised(sequence, "ab c"), 0);
    EXPECT_EQ(raised(sequence, " a abc"), 1);
}

TEST_F(Composed, SequenceOfOneEventTwiceNeedsTwoRaises) {
    thalweg::Sequence twice{"twice", c_, c_};
    EXPECT_EQ(raised(twice, "c"), 0);
    EXPECT_EQ(raised(twice, "c"), 1);
    EXPECT_EQ(raised(twice, "cccc"), 2);
}

TEST_F(Composed, AComplexEventCanBeAPart) {
    thalweg::AllOf inner{"inner", a_, b_};
    thalweg::Sequence outer{"outer", inner, c_};
    EXPECT_EQ(raised(outer, "acb"), 0);
    EXPECT_EQ(raised(outer, "c"), 1);
}

TEST_F(Composed, PartsAndWholeMayGoInAnyOrder) {
    auto part = std::make_unique<thalweg::Event<>>("part");
    {
        thalweg::AnyOf any{"any", *part, a_};
        part.reset();
        EXPECT_EQ(raised(any, "a"), 1);
    }
    a_.raise(1);
}

class ComposedInC : public testing::Test {
  protected:
    ComposedInC() {
        thalweg_event_create(nullptr, "plain", &plain_);
        parts_[0] = plain_;
        parts_[1] = typed_.handle();
    }
    ~ComposedInC() override { thalweg_event_destroy(plain_); }
    static void count(void *times, thalweg_event *, const thalweg_value *, size_t) { ++*static_cast<int *>(times); }
    thalweg::Event<int> typed_{"typed"};
    thalweg_event *plain_ = nullptr;
    thalweg_event *parts_[2];
    thalweg_event *complex_ = nullptr;
    int times_ = 0;
};

TEST_F(ComposedInC, SequenceOfAPlainAndATypedEvent) {
    ASSERT_EQ(thalweg_compose(nullptr, "sequence", THALWEG_SEQUENCE, 0, parts_, 2, &complex_), THALWEG_OK);
    ASSERT_EQ(thalweg_bind(complex_, count, &times_, 0, nullptr), THALWEG_OK);
    typed_.raise(1);
    EXPECT_EQ(THALWEG_RAISE(plain_, thalweg_integer(1)), THALWEG_OK);
    EXPECT_EQ(times_, 0);
    typed_.raise(1);
    EXPECT_EQ(times_, 1);
    EXPECT_EQ(thalweg_event_destroy(complex_), THALWEG_OK);
    typed_.raise(1);
    EXPECT_EQ(thalweg_event_handlers(plain_), 0u);
}

TEST_F(ComposedInC, RefusesWhatIsNoPattern) {
    thalweg_event *none[1] = {nullptr};
    EXPECT_EQ(thalweg_compose(nullptr, "x", THALWEG_ANY_OF, 0, nullptr, 2, &complex_), THALWEG_NULL_POINTER);
    EXPECT_EQ(thalweg_compose(nullptr, nullptr, THALWEG_ANY_OF, 0, parts_, 2, &complex_), THALWEG_NULL_POINTER);
    EXPECT_EQ(thalweg_compose(nullptr, "x", THALWEG_ANY_OF, 0, none, 1, &complex_), THALWEG_NULL_POINTER);
    EXPECT_EQ(thalweg_compose(nullptr, "x", THALWEG_ANY_OF, 0, parts_, 0, &complex_), THALWEG_OUT_OF_RANGE);
    EXPECT_EQ(thalweg_compose(nullptr, "x", static_cast<thalweg_pattern_kind>(3), 0, parts_, 2, &complex_),
              THALWEG_OUT_OF_RANGE);
    EXPECT_EQ(thalweg_event_find("x"), nullptr) << "what was refused is not left behind";
    EXPECT_EQ(thalweg_event_handlers(plain_), 0u);
}

}  // namespace
