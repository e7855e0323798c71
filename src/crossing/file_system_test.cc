// crossing: which number of a file system may be remembered, and what is promised of files that are none.
#include "crossing/file_system.h"

#include <cerrno>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace {

struct statx status_of(uint32_t mask, uint32_t major, uint32_t minor, uint64_t mount) {
    struct statx status{};
    status.stx_mask = mask;
    status.stx_dev_major = major;
    status.stx_dev_minor = minor;
    status.stx_mnt_id = mount;
    return status;
}

TEST(FileSystem, is_known_by_its_mounts_unique_number_or_else_by_its_block_device) {
    const uint32_t unique = thalweg_crossing_asks_for_number;
    EXPECT_EQ(thalweg_crossing_number_of(status_of(0, 0, 40, 7)), 0U);
    EXPECT_EQ(thalweg_crossing_number_of(status_of(STATX_BASIC_STATS | STATX_MNT_ID, 0, 40, 7)), 0U);
    EXPECT_EQ(thalweg_crossing_number_of(status_of(0, 8, 1, 7)), makedev(8, 1));
    const uint64_t mounted = thalweg_crossing_number_of(status_of(unique, 8, 1, 7));
    EXPECT_NE(mounted, 0U);
    EXPECT_EQ(thalweg_crossing_number_of(status_of(unique, 0, 40, 7)), mounted);
    EXPECT_NE(thalweg_crossing_number_of(status_of(unique, 8, 1, 8)), mounted);
    EXPECT_NE(thalweg_crossing_number_of(status_of(unique, 8, 1, makedev(8, 1))), makedev(8, 1));
}

TEST(FileSystem, of_a_process_or_of_no_file_promises_nothing) {
    const int status = open("/proc/self/status", O_RDONLY);
    errno = EDOM;
    EXPECT_EQ(thalweg_crossing_promises_of(status), 0U);
    EXPECT_EQ(thalweg_crossing_promises_of(-1), 0U);
    EXPECT_EQ(errno, EDOM);
    close(status);
}

}  // namespace
