// record: folders of recordings, beside those who look for what was left behind.
#include "record/folder.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <thread>

#include "gtest/gtest.h"

namespace thalweg::record {
namespace {

const FolderNote note{"/bin/true", "0123", "true"};

TEST(Folder, is_made_while_others_look_for_what_was_left_behind) {
    std::atomic<bool> is_over = false;
    std::vector<std::thread> lookers;
    for (int i = 0; i < 2; ++i)
        lookers.emplace_back([&] {
            while (!is_over)
                folders_left_behind();
        });
    int refused = 0;
    std::string why;
    for (int i = 0; i < 2000; ++i)
        if (const auto folder = Folder::make(note); !folder) {
            ++refused;
            why = folder.error().message;
        }
    is_over = true;
    for (std::thread &one : lookers)
        one.join();
    EXPECT_EQ(refused, 0) << why;
}

TEST(Folder, of_a_recording_that_runs_is_neither_left_behind_nor_opened) {
    const auto folder = Folder::make(note);
    ASSERT_TRUE(folder) << folder.error().message;
    EXPECT_EQ(std::ranges::count(folders_left_behind(), folder->path()), 0);
    const auto again = Folder::open(folder->path());
    ASSERT_FALSE(again);
    EXPECT_NE(again.error().message.find("belongs to a recording that still runs"), std::string::npos)
        << again.error().message;
}

TEST(Folder, of_a_recording_that_was_killed_is_found_and_opened) {
    auto place = Folder::make(note);
    ASSERT_TRUE(place) << place.error().message;
    // As a killed recording leaves it: the same files, and nobody holds the lock.
    const std::string left = place->path() + "left";
    std::filesystem::copy(place->path(), left);
    std::filesystem::permissions(left, std::filesystem::perms::owner_all);
    EXPECT_EQ(std::ranges::count(folders_left_behind(), left), 1);
    auto opened = Folder::open(left);
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_EQ(opened->note()->command, note.command);
    opened->discard();
}

}  // namespace
}  // namespace thalweg::record
