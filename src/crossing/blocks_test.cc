// crossing: where blocks are kept, what a thread leaves behind, and what is said of blocks that are given back twice or written to afterwards.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi/blocks.h"
#include "crossing/apart_test.h"
#include "crossing/blocks.h"

namespace {

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
TEST(Blocks, are_none_where_a_sanitizers_malloc_serves) { EXPECT_FALSE(thalweg_crossing_begin_blocks()); }
#else

thalweg_crossing_blocks &own() { return thalweg_crossing_small_blocks; }

thalweg_crossing_block_list &list_of(void *block) {
    return own().of[(malloc_usable_size(block) + thalweg_crossing_block_word) >> thalweg_crossing_block_unit_bits];
}

// As the functions do that the plug-in makes (transform/libc/block_function.h).
void keep(void *block) {
    thalweg_crossing_block_list &list = list_of(block);
    const auto address = reinterpret_cast<uint64_t>(block);
    const uint64_t words[] = {list.first ^ address >> thalweg_crossing_mask_bits, own().key};
    std::memcpy(block, words, sizeof words);
    list.first = address;
    --list.room;
}

// In a process of its own, whose threads keep nothing yet.
TEST(Blocks, are_kept_where_the_malloc_is_the_c_librarys) {
    EXPECT_TRUE(passes_apart([] {
        EXPECT_EQ(own().key, 0u);
        EXPECT_TRUE(thalweg_crossing_begin_blocks());
        EXPECT_NE(own().key, 0u);
        EXPECT_EQ(own().of[thalweg_crossing_first_block_class].room, 256u);
        EXPECT_EQ(own().of[thalweg_crossing_last_block_class].room, 7u);
        own().key = 0;
        EXPECT_FALSE(thalweg_crossing_begin_blocks()) << "it begins twice";
    }));
}

TEST(Blocks, of_each_thread_have_one_key) {
    EXPECT_TRUE(passes_apart([] {
        EXPECT_TRUE(thalweg_crossing_begin_blocks());
        const uint64_t key = own().key;
        for (int i = 0; i < 3; ++i)
            std::thread([key] {
                EXPECT_EQ(own().key, 0u);
                EXPECT_TRUE(thalweg_crossing_begin_blocks());
                EXPECT_EQ(own().key, key);
            }).join();
    }));
}

size_t bytes_in_use() { return mallinfo2().uordblks; }

TEST(Blocks, of_a_thread_are_given_back_when_it_ends) {
    EXPECT_TRUE(passes_apart([] {
        const auto run = [](bool keeps) {
            std::thread([keeps] {
                thalweg_crossing_begin_blocks();
                for (int i = 0; i < 40; ++i) {
                    void *block = std::malloc(1000);
                    keeps &&list_of(block).room != 0 ? keep(block) : std::free(block);
                }
            }).join();
        };
        run(true);
        const size_t before = bytes_in_use();
        for (int i = 0; i < 200; ++i)
            run(true);
        EXPECT_LE(bytes_in_use(), before + 10000);
    }));
}

// How the process ends in which `act` runs, and what it writes to its standard error.
template <class Act>
std::string said_at_the_end(Act act, int &status) {
    int ends[2];
    if (pipe(ends) != 0)
        return "no pipe";
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        act();
        _exit(0);
    }
    close(ends[1]);
    std::string said(4096, '\0');
    said.resize(static_cast<size_t>(std::max<ssize_t>(read(ends[0], said.data(), said.size()), 0)));
    close(ends[0]);
    waitpid(child, &status, 0);
    return said;
}

TEST(Blocks, that_are_given_back_twice_are_told_by_the_c_library) {
    for (const size_t size : {24, 500}) {
        int status = 0;
        const std::string said = said_at_the_end(
            [size] {
                thalweg_crossing_begin_blocks();
                void *blocks[] = {std::malloc(size), std::malloc(size), std::malloc(size)};
                for (void *block : blocks)
                    keep(block);
                thalweg_crossing_given_twice(blocks[1]);
                std::free(blocks[1]);
            },
            status);
        EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) << size;
        EXPECT_NE(said.find("double free"), std::string::npos) << said;
    }
}

TEST(Blocks, that_look_as_if_they_were_given_back_are_left_alone) {
    EXPECT_TRUE(passes_apart([] {
        thalweg_crossing_begin_blocks();
        void *kept = std::malloc(24);
        void *other = std::malloc(24);
        keep(kept);
        const uint64_t words[] = {0, own().key};
        std::memcpy(other, words, sizeof words);
        thalweg_crossing_given_twice(other);
        EXPECT_EQ(list_of(other).first, reinterpret_cast<uint64_t>(kept));
        std::free(other);
    }));
}

TEST(Blocks, that_were_written_to_end_the_process) {
    int status = 0;
    const std::string said = said_at_the_end([] { thalweg_crossing_damaged_blocks(); }, status);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    EXPECT_NE(said.find("written to after it had been given back"), std::string::npos) << said;
}

#endif

bool looks_for_errors(std::vector<const char *> environment) {
    environment.push_back(nullptr);
    return thalweg_crossing_looks_for_errors(environment.data());
}

TEST(Errors, are_looked_for_where_the_user_sets_glibcs_malloc_so) {
    EXPECT_TRUE(looks_for_errors({"A=b", "MALLOC_PERTURB_=85"}));
    EXPECT_TRUE(looks_for_errors({"MALLOC_CHECK_=3"}));
    EXPECT_TRUE(looks_for_errors({"GLIBC_TUNABLES=glibc.rtld.nns=4:glibc.malloc.tcache_count=0"}));
}

TEST(Errors, are_not_looked_for_by_other_variables) {
    EXPECT_FALSE(looks_for_errors({}));
    EXPECT_FALSE(looks_for_errors(
        {"MALLOC_ARENA_MAX=2", "GLIBC_TUNABLES=glibc.rtld.nns=4", "X=MALLOC_CHECK_=3", "MALLOC_CHECK", ""}));
}

}  // namespace
