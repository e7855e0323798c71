// runtime: where an event was made, as the recorder reads it from the event's bytes (abi.h).
#include <gtest/gtest.h>

#include <thalweg/abi.h>
#include <thalweg/tame.h>

#include "tame_told.h"

namespace THALWEG_TAME {
namespace {

struct Idle final : source {
    void cancelled() noexcept override {}
};

class Place : public testing::Test {
    Told told_;  // nobody triggers these
};

// As the probe at a trigger has it: the event's first word is its node.
template <class... Values>
const thalweg_place *place_of(const event<Values...> &made) {
    static_assert(sizeof(made) == sizeof(void *));
    const thalweg_node_head *node = nullptr;
    __builtin_memcpy(&node, &made, sizeof(node));
    return thalweg_node_place(node);
}

TEST_F(Place, is_that_of_mkevent) {
    gather all;
    rendezvous<int> any;
    int slot = 0;
    const event<> one = mkevent(all);
    const event<int> other = mkevent(any, 7, slot);
    const uint32_t line = __LINE__;
    EXPECT_STREQ(place_of(one)->file, __FILE__);
    EXPECT_EQ(place_of(one)->line, line - 2);
    EXPECT_EQ(place_of(other)->line, line - 1);
}

TEST_F(Place, stays_when_a_source_has_the_event) {
    gather all;
    const event<> one = mkevent(all);
    const uint32_t line = __LINE__ - 1;
    Idle idle;
    one.set_source(idle);
    EXPECT_EQ(place_of(one)->line, line);
    one.forget_source();
    EXPECT_EQ(place_of(one)->line, line);
}

}  // namespace
}  // namespace THALWEG_TAME
