// examples: fuzz target: whatever read_packet accepts, write_packet writes back byte for byte
#include <algorithm>
#include <cstdlib>

#include "ctp/packet.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    auto packet = ctp::read_packet({data, size});
    if (!packet) {
        return 0;
    }
    std::array<std::uint8_t, ctp::kMaxPacket> again;
    std::size_t written = ctp::write_packet(packet->header, packet->payload, again);
    if (written != size || !std::equal(data, data + size, again.begin())) {
        std::abort();
    }
    return 0;
}
