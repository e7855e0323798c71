// crossing: which replies are those of a call with success, and where its results begin.
#include "crossing/remote_reply.h"

#include <array>
#include <bit>
#include <vector>

#include <endian.h>
#include <gtest/gtest.h>

namespace thalweg::crossing {
namespace {

class Reply {
  public:
    explicit Reply(const std::vector<uint32_t> &words) {
        for (const uint32_t word : words) {
            const uint32_t sent = htobe32(word);
            const auto bytes = std::bit_cast<std::array<uint8_t, 4>>(sent);
            bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
        }
    }
    bool is_success(uint32_t without = 0) {
        return read_success(bytes_.data(), static_cast<uint32_t>(bytes_.size()) - without, head);
    }
    uint32_t transaction() const {
        uint32_t found = 0;
        return read_transaction(bytes_.data(), static_cast<uint32_t>(bytes_.size()), found) ? found : 0;
    }
    ReplyHead head{};

  private:
    std::vector<uint8_t> bytes_;
};

TEST(RemoteReply, tells_where_the_results_of_a_success_begin) {
    Reply reply({77, 1, 0, 0, 0, 0, 5});
    ASSERT_TRUE(reply.is_success());
    EXPECT_EQ(reply.head.results_at, 24U);
    EXPECT_EQ(reply.transaction(), 77U);
}

TEST(RemoteReply, passes_over_a_verifier_that_is_filled_up_to_a_word) {
    Reply reply({77, 1, 0, 2, 5, 0x01020304, 0x05000000, 0, 5});
    ASSERT_TRUE(reply.is_success());
    EXPECT_EQ(reply.head.flavor, 2);
    EXPECT_EQ(reply.head.verifier_at, 20U);
    EXPECT_EQ(reply.head.verifier_size, 5U);
    EXPECT_EQ(reply.head.results_at, 32U);
}

TEST(RemoteReply, is_no_success_where_the_server_says_so) {
    EXPECT_FALSE(Reply({77, 0, 0, 0, 0, 0}).is_success());  // a call
    EXPECT_FALSE(Reply({77, 1, 1, 1, 2}).is_success());  // denied
    for (uint32_t status = 1; status < 6; ++status)
        EXPECT_FALSE(Reply({77, 1, 0, 0, 0, status}).is_success());
}

TEST(RemoteReply, is_no_success_where_it_is_cut_off_or_its_verifier_is_too_long) {
    Reply reply({77, 1, 0, 0, 4, 9, 0});
    for (uint32_t without = 1; without <= 28; ++without)
        EXPECT_FALSE(reply.is_success(without)) << without;
    EXPECT_TRUE(reply.is_success());
    EXPECT_FALSE(Reply({77, 1, 0, 0, 401, 0, 0, 0}).is_success());
    EXPECT_FALSE(Reply({77, 1, 0, 0, 0xffffffff, 0, 0, 0}).is_success());
}

}  // namespace
}  // namespace thalweg::crossing
