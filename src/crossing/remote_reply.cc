// crossing: reads the head of a remote call's reply (RFC 5531, section 9).
#include "crossing/remote_reply.h"

#include <endian.h>
#include <string.h>

namespace thalweg::crossing {

namespace {

constexpr uint32_t word_bytes = 4;
constexpr uint32_t is_reply = 1;
constexpr uint32_t is_accepted = 0;
constexpr uint32_t is_success = 0;
constexpr uint32_t max_verifier_bytes = 400;  // RFC 5531, section 8.2

class Words {
  public:
    Words(const uint8_t *bytes, uint32_t size) : bytes_(bytes), size_(size) {}

    bool take(uint32_t &word) {
        if (size_ - at_ < word_bytes)
            return false;
        memcpy(&word, bytes_ + at_, word_bytes);
        word = be32toh(word);
        at_ += word_bytes;
        return true;
    }
    bool is(uint32_t wanted) {
        uint32_t word = 0;
        return take(word) && word == wanted;
    }
    // What is filled up to a whole word.
    bool pass(uint32_t size) {
        const uint32_t whole = (size + word_bytes - 1) / word_bytes * word_bytes;
        if (size_ - at_ < whole)
            return false;
        at_ += whole;
        return true;
    }
    uint32_t at() const { return at_; }

  private:
    const uint8_t *bytes_;
    uint32_t size_;
    uint32_t at_ = 0;
};

}  // namespace

bool read_transaction(const uint8_t *bytes, uint32_t size, uint32_t &transaction) {
    return Words(bytes, size).take(transaction);
}

bool read_success(const uint8_t *bytes, uint32_t size, ReplyHead &head) {
    Words words(bytes, size);
    uint32_t transaction = 0;
    uint32_t flavor = 0;
    if (!words.take(transaction) || !words.is(is_reply) || !words.is(is_accepted) || !words.take(flavor) ||
        !words.take(head.verifier_size) || head.verifier_size > max_verifier_bytes)
        return false;
    head.flavor = static_cast<int32_t>(flavor);
    head.verifier_at = words.at();
    if (!words.pass(head.verifier_size) || !words.is(is_success))
        return false;
    head.results_at = words.at();
    return true;
}

}  // namespace thalweg::crossing
