// crossing: any bytes as a reply: what is found lies within them.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "crossing/remote_reply.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    using namespace thalweg::crossing;
    const auto bytes = static_cast<uint32_t>(size);
    ReplyHead head{};
    uint32_t transaction = 0;
    const bool is_read = read_transaction(data, bytes, transaction);
    if (!read_success(data, bytes, head))
        return 0;
    if (!is_read || head.results_at > bytes || head.verifier_at > head.results_at ||
        head.verifier_size > head.results_at - head.verifier_at || head.verifier_size > 400)
        std::abort();
    return 0;
}
