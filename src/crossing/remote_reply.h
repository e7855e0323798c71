// crossing: reads the head of a remote call's reply (RFC 5531, section 9).
#pragma once

#include <stdint.h>

namespace thalweg::crossing {

struct ReplyHead {
    int32_t flavor;  // of the verifier
    uint32_t verifier_at;
    uint32_t verifier_size;
    uint32_t results_at;
};

// Whether it is that of a call that was made with success; anything else is told by the library's own reader.
bool read_success(const uint8_t *bytes, uint32_t size, ReplyHead &head);
// The first word; false: it is shorter.
bool read_transaction(const uint8_t *bytes, uint32_t size, uint32_t &transaction);

}  // namespace thalweg::crossing
