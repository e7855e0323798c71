// link: tests: what code calls that the compiler does not see.
#include "link/called.h"

#include <gtest/gtest.h>

#include "base/file.h"

namespace thalweg::link {
namespace {

TEST(FunctionsCalledWithoutBitcode, AreNoneWhereTheLinkHadNothingButTheProgramsOwnLibraries) {
    LinkRecord record;
    record.inputs.push_back({"/proc/self/exe", {}});  // no object: what is loaded isn't linked in
    const auto called = functions_called_without_bitcode("/proc/self/exe", record);
    ASSERT_TRUE(called) << called.error().message;
    EXPECT_TRUE(called->empty());
}

TEST(FunctionsCalledWithoutBitcode, WantTheirFiles) {
    LinkRecord record;
    record.directory = "/nowhere";
    record.inputs.push_back({"gone.o", {}});
    const auto called = functions_called_without_bitcode("/proc/self/exe", record);
    ASSERT_FALSE(called);
    EXPECT_NE(called.error().message.find("gone.o is not in /nowhere"), std::string::npos) << called.error().message;
}

}  // namespace
}  // namespace thalweg::link
