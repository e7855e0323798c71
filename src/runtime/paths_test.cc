// runtime: events find the paths that the optimiser compiled. The tables below stand where its plug-in puts them.
#include <gtest/gtest.h>

#include <memory>

#include <thalweg/event.h>
#include <thalweg/thalweg.h>

namespace {

void first(void *, thalweg_event *, const thalweg_value *, size_t) {}
void fourth(void *, thalweg_event *, const thalweg_value *, size_t) {}
void second(void *, thalweg_event *, const thalweg_value *, size_t) {}
void third(void *, thalweg_event *, const thalweg_value *, size_t) {}
int context_a, context_b;

thalweg_path_target target(thalweg_handler handler) {
    return {reinterpret_cast<thalweg_function>(handler), nullptr, THALWEG_TARGET_ANY_CONTEXT};
}
thalweg_path_target target(thalweg_handler handler, void *context) {
    return {reinterpret_cast<thalweg_function>(handler), context, THALWEG_TARGET_SAME_CONTEXT};
}

const thalweg_path_target both[] = {target(first), target(second)};
const thalweg_path_target both_in_a[] = {target(first, &context_a), target(second)};
const thalweg_path_target all_in_a[] = {target(first, &context_a), target(second, &context_a)};
const thalweg_path_target other_order[] = {target(second), target(first)};
const thalweg_path_target alone[] = {target(third)};
const thalweg_path_target undeclared[] = {target(fourth)};

enum : uint32_t {
    both_id = 5,
    both_in_a_id = 3,
    all_in_a_id = 9,
    other_order_id = 1,
    alone_id = 2,
    twin_id = 7,
    undeclared_id = 8
};

thalweg_core *indirect_member = nullptr;
thalweg_path_id group_word = THALWEG_NO_PATH;

const thalweg_group_member members[] = {{&indirect_member, alone_id, 1}};

}  // namespace

extern "C" {
__attribute__((section("thalweg_paths"), used)) thalweg_path thalweg_test_paths[] = {
    {both, 2, both_id, 0, 0},
    {both_in_a, 2, both_in_a_id, 0, 0},
    {all_in_a, 2, all_in_a_id, 0, 0},
    {other_order, 2, other_order_id, 0, 0},
    {alone, 1, alone_id, 0, 0},
    {both, 2, twin_id, 0, 0},
    {undeclared, 1, undeclared_id, THALWEG_CORE_DECLARED, 0},
};
__attribute__((section("thalweg_groups"), used)) thalweg_group thalweg_test_groups[] = {{&group_word, members, 1}};
}

namespace {

class Paths : public testing::Test {
  protected:
    Paths() { thalweg_event_create(nullptr, "paths", &event_); }
    ~Paths() override {
        if (event_)
            thalweg_event_destroy(event_);
    }
    thalweg_core *core() { return reinterpret_cast<thalweg_core *>(event_); }
    thalweg_binding_id bind(thalweg_handler handler, void *context = nullptr, int order = 0) {
        thalweg_binding_id id = 0;
        EXPECT_EQ(thalweg_bind(event_, handler, context, order, &id), THALWEG_OK);
        return id;
    }
    thalweg_event *event_ = nullptr;
};

TEST_F(Paths, AreFoundWhenTheSlotsFitInOrder) {
    EXPECT_EQ(core()->path, THALWEG_NO_PATH);
    bind(first);
    EXPECT_EQ(core()->path, THALWEG_NO_PATH);
    bind(second);
    EXPECT_EQ(uint32_t{core()->path}, both_id) << "of two that are alike, the one with the lower id";
    bind(third);
    EXPECT_EQ(core()->path, THALWEG_NO_PATH);
}

TEST_F(Paths, AreFoundOnlyWhileTheFlagsAreThoseThatTheRaiseAskedFor) {
    bind(fourth);
    EXPECT_EQ(uint32_t{core()->path}, undeclared_id);
    const thalweg_type types[] = {THALWEG_INTEGER};
    EXPECT_EQ(thalweg_event_declare(event_, types, 1), THALWEG_OK);
    EXPECT_EQ(core()->path, THALWEG_NO_PATH);
}

TEST_F(Paths, AreFoundByTheOrderInWhichHandlersRun) {
    bind(first, nullptr, 1);
    bind(second, nullptr, 0);
    EXPECT_EQ(uint32_t{core()->path}, other_order_id);
}

TEST_F(Paths, PreferThoseThatKnowMoreContexts) {
    bind(first, &context_a);
    const auto id = bind(second, &context_b);
    EXPECT_EQ(uint32_t{core()->path}, both_in_a_id);
    thalweg_unbind(event_, id);
    bind(second, &context_a);
    EXPECT_EQ(uint32_t{core()->path}, all_in_a_id);
}

TEST_F(Paths, AreNotTakenWithAnotherContext) {
    bind(first, &context_b);
    bind(second, &context_a);
    EXPECT_EQ(uint32_t{core()->path}, both_id);
}

TEST_F(Paths, ComeBackWithTheBindings) {
    bind(first);
    const auto id = bind(second);
    thalweg_unbind(event_, id);
    EXPECT_EQ(core()->path, THALWEG_NO_PATH);
    const auto again = bind(second);
    EXPECT_EQ(uint32_t{core()->path}, both_id);
    thalweg_block(event_, again);
    EXPECT_EQ(core()->path, THALWEG_NO_PATH);
    thalweg_unblock(event_, again);
    EXPECT_EQ(uint32_t{core()->path}, both_id);
}

TEST_F(Paths, OfAGroupAreValidWhileEveryMemberHasItsPath) {
    bind(third);
    EXPECT_EQ(group_word, THALWEG_NO_PATH);
    indirect_member = core();
    thalweg_group_refresh(thalweg_test_groups);
    EXPECT_NE(group_word, THALWEG_NO_PATH);
    const auto id = bind(first);
    EXPECT_EQ(group_word, THALWEG_NO_PATH);
    thalweg_unbind(event_, id);
    EXPECT_NE(group_word, THALWEG_NO_PATH);
    thalweg_event_destroy(event_);
    event_ = nullptr;
    EXPECT_EQ(group_word, THALWEG_NO_PATH);
    // The variable still points to where the event was.
    thalweg_group_refresh(thalweg_test_groups);
    EXPECT_EQ(group_word, THALWEG_NO_PATH);
    indirect_member = nullptr;
    thalweg_group_refresh(thalweg_test_groups);
    EXPECT_EQ(group_word, THALWEG_NO_PATH);
}

}  // namespace
