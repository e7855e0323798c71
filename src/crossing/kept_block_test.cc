// crossing: which blocks are kept, to whom they are handed out, and that nobody gets a block that another has.
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi/crossing.h"
#include "crossing/apart_test.h"

namespace {

constexpr size_t large = 128UL * 1024;
constexpr size_t any_alignment = 16;

struct Slot {
    thalweg_crossing_slot slot{};
    ~Slot() { std::free(slot.block); }
    void give_back(void *block) { thalweg_crossing_give_back(&slot, block); }
    void *take(size_t size, size_t alignment = any_alignment) { return thalweg_crossing_take(&slot, size, alignment); }
};

TEST(KeptBlock, is_handed_out_to_the_next_request_of_its_size) {
    Slot slot;
    EXPECT_EQ(slot.take(large), nullptr);
    void *block = std::malloc(large);
    slot.give_back(block);
    EXPECT_EQ(slot.slot.block, block);
    EXPECT_EQ(slot.take(large), block);
    EXPECT_EQ(slot.slot.block, nullptr);
    EXPECT_EQ(slot.take(large), nullptr);
    std::free(block);
}

TEST(KeptBlock, is_none_where_it_is_small_or_huge) {
    Slot slot;
    slot.give_back(nullptr);
    slot.give_back(std::malloc(large / 2));
    EXPECT_EQ(slot.slot.block, nullptr);
    slot.give_back(std::malloc(40UL * 1024 * 1024));
    EXPECT_EQ(slot.slot.block, nullptr);
}

TEST(KeptBlock, is_one_only) {
    Slot slot;
    void *first = std::malloc(large);
    slot.give_back(first);
    slot.give_back(std::malloc(large));
    EXPECT_EQ(slot.slot.block, first);
}

TEST(KeptBlock, goes_where_the_request_is_larger_or_much_smaller) {
    Slot slot;
    slot.give_back(std::malloc(large));
    EXPECT_EQ(slot.take(2 * large), nullptr);
    EXPECT_EQ(slot.slot.block, nullptr);
    slot.give_back(std::malloc(3 * large));
    EXPECT_EQ(slot.take(large), nullptr);
    EXPECT_EQ(slot.slot.block, nullptr);
}

TEST(KeptBlock, stays_where_the_request_is_too_small_for_any) {
    Slot slot;
    slot.give_back(std::malloc(large));
    EXPECT_EQ(slot.take(100), nullptr);
    EXPECT_EQ(slot.take(0), nullptr);
    EXPECT_NE(slot.slot.block, nullptr);
}

TEST(KeptBlock, serves_no_alignment_that_it_lacks) {
    Slot slot;
    void *block = std::aligned_alloc(4096, large);
    slot.give_back(block);
    EXPECT_EQ(slot.take(large, 4096), block);
    for (const size_t wrong : {size_t(0), size_t(4), size_t(24), size_t(1) << 40}) {
        slot.give_back(std::aligned_alloc(4096, large));
        EXPECT_EQ(slot.take(large, wrong), nullptr) << wrong;
    }
    std::free(block);
}

TEST(KeptBlock, is_none_where_memory_is_limited) {
#if defined(__SANITIZE_ADDRESS__) || (defined(__has_feature) && __has_feature(address_sanitizer))
    GTEST_SKIP() << "ASan needs more memory than any limit";
#endif
    const pid_t child = fork();
    if (child == 0) {
        const rlimit limit{1UL << 30, 1UL << 30};
        Slot slot;
        slot.give_back(setrlimit(RLIMIT_DATA, &limit) == 0 ? std::malloc(large) : nullptr);
        _exit(slot.slot.block == nullptr && slot.slot.may_keep == 2 ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

#if !defined(__SANITIZE_ADDRESS__) && !(defined(__has_feature) && __has_feature(address_sanitizer))
TEST(KeptBlockDeathTest, given_back_twice_ends_as_free_does) {
    EXPECT_DEATH(
        {
            Slot slot;
            void *block = std::malloc(large);
            slot.give_back(block);
            slot.give_back(block);
        },
        "");
}
#endif

// What a program does with its blocks: gets them of many sizes, writes all of each, and finds it as it was.
void work(Slot &slot, uint32_t seed) {
    struct Held {
        unsigned char *bytes;
        size_t size;
        unsigned char mark;
    };
    std::mt19937 random(seed);
    std::vector<Held> held;
    for (int i = 0; i < 2000; ++i) {
        if (held.size() < 4 && random() % 2 == 0) {
            const size_t size = random() % 4 == 0 ? random() % 5000 : 4096 * (1 + random() % 128);
            const size_t alignment = size_t(16) << random() % 9;
            void *block = slot.take(size, alignment);
            if (block == nullptr)
                block = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
            ASSERT_EQ(reinterpret_cast<uintptr_t>(block) % alignment, 0U);
            held.push_back({static_cast<unsigned char *>(block), size, static_cast<unsigned char>(random())});
            std::memset(block, held.back().mark, size);
        } else if (!held.empty()) {
            std::swap(held[random() % held.size()], held.back());
            const Held last = held.back();
            held.pop_back();
            for (size_t at = 0; at < last.size; at += 61)
                ASSERT_EQ(last.bytes[at], last.mark);
            slot.give_back(last.bytes);
        }
    }
    for (const Held &one : held)
        slot.give_back(one.bytes);
}

TEST(KeptBlock, belongs_to_one_at_a_time_whatever_the_sizes) {
    for (uint32_t seed = 1; seed <= 8; ++seed) {
        Slot slot;
        work(slot, seed);
    }
}

TEST(KeptBlock, belongs_to_one_thread_at_a_time) {
    EXPECT_TRUE(passes_apart([] {
        Slot slot;
        std::vector<std::thread> threads;
        for (uint32_t seed = 1; seed <= 4; ++seed)
            threads.emplace_back([&slot, seed] { work(slot, 100 + seed); });
        for (std::thread &thread : threads)
            thread.join();
    }));
}

}  // namespace
