// crossing: what is known of a descriptor holds in its epoch, and until it is closed, in a program of one thread.
#include "crossing/descriptors.h"

#include <cstdlib>
#include <string>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "abi/gathered_write.h"
#include "crossing/apart_test.h"

namespace {

constexpr int some_descriptor = 7;
const uint64_t some_device = makedev(8, 1);

class Descriptors : public testing::Test {
  protected:
    Descriptors() { known_.device = some_device; }

    static struct stat status(mode_t mode, dev_t device) {
        struct stat made{};
        made.st_mode = mode;
        made.st_dev = device;
        return made;
    }
    void note(int flags, mode_t mode, dev_t device) {
        const struct stat of_file = status(mode, device);
        thalweg_crossing_note_open(&known_, known_.epoch, some_descriptor, flags);
        thalweg_crossing_note_status(&known_, known_.epoch, some_descriptor, 0, &of_file);
    }
    bool is_known() const { return thalweg_crossing_is_known(&known_, some_descriptor); }

    thalweg_crossing_descriptors known_{.epoch = 1, .noted = 0, .abroad = 0, .device = 0, .of = {}};
};

TEST_F(Descriptors, are_known_when_the_program_has_opened_and_asked) {
    EXPECT_FALSE(is_known());
    note(O_RDWR | O_CREAT, S_IFREG, some_device);
    EXPECT_TRUE(is_known());
}

TEST_F(Descriptors, are_not_known_by_half) {
    thalweg_crossing_note_open(&known_, known_.epoch, some_descriptor, O_RDWR);
    EXPECT_FALSE(is_known());
    note(O_RDONLY, S_IFREG, some_device);
    EXPECT_FALSE(is_known());
    note(O_RDWR | O_SYNC, S_IFREG, some_device);
    EXPECT_FALSE(is_known());
    thalweg_crossing_forget(&known_, some_descriptor);
    note(O_RDWR, S_IFIFO, some_device);
    EXPECT_FALSE(is_known());
    note(O_RDWR, S_IFREG, makedev(0, 22));
    EXPECT_FALSE(is_known());
}

TEST_F(Descriptors, are_not_known_on_a_device_that_was_not_asked_for) {
    known_.device = 0;
    note(O_RDWR, S_IFREG, 0);
    EXPECT_FALSE(is_known());
}

TEST_F(Descriptors, are_forgotten_where_an_epoch_begins_and_where_they_are_closed) {
    note(O_RDWR, S_IFREG, some_device);
    ++known_.epoch;
    EXPECT_FALSE(is_known());
    note(O_RDWR, S_IFREG, some_device);
    thalweg_crossing_forget(&known_, some_descriptor);
    EXPECT_FALSE(is_known());
}

TEST_F(Descriptors, of_a_call_in_which_an_epoch_began_are_not_known) {
    const uint64_t before = known_.epoch++;
    thalweg_crossing_note_ordinary(&known_, before, some_descriptor, some_device);
    EXPECT_FALSE(is_known());
    EXPECT_NE(known_.noted, 0U);
}

// A handler that closes it while the program asks the kernel of it may have its number be a pipe's.
TEST_F(Descriptors, that_a_handler_closes_are_noted_so_that_an_epoch_begins) {
    const uint64_t before = known_.noted;
    thalweg_crossing_forget(&known_, some_descriptor);
    EXPECT_NE(known_.noted, before);
}

TEST_F(Descriptors, beyond_the_table_are_left_alone) {
    for (const int descriptor : {-1, thalweg_crossing_known_descriptors, 1 << 30}) {
        thalweg_crossing_note_ordinary(&known_, known_.epoch, descriptor, some_device);
        thalweg_crossing_forget(&known_, descriptor);
        EXPECT_FALSE(thalweg_crossing_is_known(&known_, descriptor));
    }
    EXPECT_EQ(known_.noted, 0U);
}

TEST_F(Descriptors, are_neither_known_nor_noted_while_others_code_is_at_work) {
    note(O_RDWR, S_IFREG, some_device);
    known_.abroad = 1;
    EXPECT_FALSE(is_known());
    thalweg_crossing_note_ordinary(&known_, known_.epoch, some_descriptor + 1, some_device);
    known_.abroad = 0;
    EXPECT_TRUE(is_known());
    EXPECT_FALSE(thalweg_crossing_is_known(&known_, some_descriptor + 1));
}

TEST_F(Descriptors, are_not_known_where_there_are_threads) {
    note(O_RDWR, S_IFREG, some_device);
    EXPECT_TRUE(passes_apart([&] {
        std::thread waiting([] { pause(); });
        waiting.detach();
        EXPECT_FALSE(is_known());
    }));
    EXPECT_TRUE(is_known());
}

// Closed behind its back: whoever asked the kernel would be told.
TEST_F(Descriptors, that_are_known_are_not_asked_for) {
    std::string path = testing::TempDir() + "descriptors.XXXXXX";
    const int descriptor = mkstemp(path.data());
    ASSERT_GE(descriptor, 0);
    ASSERT_LT(descriptor, thalweg_crossing_known_descriptors);
    thalweg_crossing_file file{};
    EXPECT_TRUE(thalweg_crossing_may_gather(&file, descriptor, &known_));
    close(descriptor);
    EXPECT_TRUE(thalweg_crossing_may_gather(&file, descriptor, &known_));
    thalweg_crossing_forget(&known_, descriptor);
    EXPECT_FALSE(thalweg_crossing_may_gather(&file, descriptor, &known_));
    unlink(path.c_str());
}

}  // namespace
