// runtime: memory of tamed functions and events, as claims. Under AddressSanitizer there is no pool.
#include <gtest/gtest.h>

#include <algorithm>
#include <malloc.h>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include <thalweg/tame.h>

#if THALWEG_POOL_KEEPS

namespace {

using thalweg::tame::detail::Pool;
using thalweg::tame::detail::pool;
using thalweg::tame::detail::Slab;

constexpr size_t many = 10000, size = 48;

size_t bytes_in_use() { return mallinfo2().uordblks; }

std::vector<void *> take_many() {
    std::vector<void *> blocks(many);
    for (void *&block : blocks)
        block = pool.take(size);
    return blocks;
}
void give_back(const std::vector<void *> &blocks) {
    for (void *block : blocks)
        pool.give(block, size);
}

TEST(Pool, GivesOutTheBlockThatCameBackLast) {
    void *block = pool.take(size);
    pool.give(block, size);
    EXPECT_EQ(pool.take(size), block);
    pool.give(block, size);
}

TEST(Pool, GivesOutEachBlockOnce) {
    const std::vector<void *> blocks = take_many();
    EXPECT_EQ(std::set<void *>(blocks.begin(), blocks.end()).size(), many);
    give_back(blocks);
}

TEST(Pool, NeedsLittleMoreThanItsBlocks) {
    std::vector<void *> blocks;
    blocks.reserve(many);
    const size_t before = bytes_in_use();
    for (size_t i = 0; i < many; ++i)
        blocks.push_back(pool.take(size));
    EXPECT_LT(bytes_in_use() - before, many * size * 21 / 20);
    give_back(blocks);
}

TEST(Pool, AlignsWhatIsAMultipleOfSixteenBytes) {
    void *first = pool.take(80), *second = pool.take(80);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(first) % 16, 0u);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(second) % 16, 0u);
    pool.give(first, 80);
    pool.give(second, 80);
}

TEST(Pool, GivesTheRestOfABurstBackInWhateverOrderItEnds) {
    std::vector<void *> blocks = take_many();
    give_back(blocks);
    const size_t before = bytes_in_use();
    std::mt19937 random(1);
    for (int round = 0; round < 3; ++round) {
        for (void *&block : blocks)
            block = pool.take(size);
        EXPECT_GT(bytes_in_use(), before + many * size / 2);
        std::shuffle(blocks.begin(), blocks.end(), random);
        give_back(blocks);
        // Of 118 slabs. malloc keeps some pieces between them for itself, and counts them as used.
        EXPECT_LE(bytes_in_use(), before + 4 * Slab::alignment);
    }
}

thalweg::tame::tamed<size_t> child(size_t i) { co_return i; }
thalweg::tame::tamed<size_t> awaits_children(size_t children) {
    size_t sum = 0;
    for (size_t i = 0; i < children; ++i)
        sum += co_await child(i);
    co_return sum;
}

// Their frames are not elided, and need no memory of malloc's but the first's.
TEST(Pool, RecyclesTheFramesOfFunctionsThatAreAwaitedAtOnce) {
    EXPECT_TRUE(awaits_children(1).has_returned());
    const size_t before = bytes_in_use();
    const thalweg::tame::tamed<size_t> sum = awaits_children(many);
    EXPECT_TRUE(sum.has_returned());
    EXPECT_EQ(bytes_in_use(), before);
}

TEST(Pool, UsesWhatCameBackBeforeItAsksForMore) {
    std::vector<void *> blocks = take_many();
    const size_t full = bytes_in_use();
    const auto each_of_some = [&](auto &&change) {
        for (size_t first = 0; first < many; first += many / 10)
            for (size_t i = first; i < first + 40; ++i)  // half a slab
                change(blocks[i]);
    };
    each_of_some([](void *block) { pool.give(block, size); });
    each_of_some([](void *&block) { block = pool.take(size); });
    EXPECT_LE(bytes_in_use(), full);
    give_back(blocks);
}

TEST(Pool, TakesBackWhatAnotherThreadTook) {
    const size_t before = bytes_in_use();
    {
        std::vector<void *> blocks;
        std::thread([&] { blocks = take_many(); }).join();
        give_back(blocks);
    }
    EXPECT_LE(bytes_in_use(), before + Slab::alignment);
}

TEST(Pool, DoesNotGrowWhereOneThreadTakesAndAnotherGivesBack) {
    give_back(take_many());
    const size_t before = bytes_in_use();
    for (int round = 0; round < 10; ++round) {
        const std::vector<void *> blocks = take_many();
        std::thread([&] { give_back(blocks); }).join();
    }
    EXPECT_LE(bytes_in_use() - before, 3 * many * size);
    give_back(take_many());
}

#if defined(__clang__) && defined(__OPTIMIZE__) && !defined(THALWEG_CHECK_THREADS)
thalweg::tame::tamed<> blocks(thalweg::tame::event<> &last) {
    thalweg::tame::gather all;
    last = thalweg::tame::mkevent(all);
    co_await all;
}

// A frame of 48 bytes and 24 for the event; larger by GCC, and where each knows its thread.
TEST(Pool, HoldsAFunctionThatBlocksInEightyBytes) {
    std::vector<thalweg::tame::event<>> events(many);
    const size_t before = bytes_in_use();
    for (thalweg::tame::event<> &one : events)
        blocks(one);
    EXPECT_LE(bytes_in_use() - before, many * 80);
    for (const thalweg::tame::event<> &one : events)
        one.trigger();
}
#endif

// Takes and gives when the pool of its thread has ended.
struct Late {
    Pool *own = nullptr;
    ~Late() {
        void *block = own->take(size);
        own->give(block, size);
    }
};

TEST(Pool, ServesTheLastDestructorsOfAThread) {
    const size_t before = bytes_in_use();
    std::thread([] {
        thread_local Late late;
        late.own = &pool;  // made before the pool's end is
        pool.give(pool.take(size), size);
    }).join();
    EXPECT_LE(bytes_in_use(), before + Slab::alignment / 2);
}

}  // namespace

#endif
