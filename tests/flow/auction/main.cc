// auction: so many made-up bids, and what came of them.
#include "ledger.h"
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
int main(int argc, char **argv) {
    const long bids = argc > 1 ? std::atol(argv[1]) : 5'000'000;
    Room room;
    const auto ledger = std::make_shared<Ledger>();
    const auto crowd = std::make_shared<Crowd>();
    keep(room, ledger);
    room.watch(crowd);
    std::vector<uint32_t> by_bidder(16);
    room.on_bid([&by_bidder](const Bid &bid) { ++by_bidder[bid.bidder % 16]; });
    uint32_t noise = 1;
    for (long i = 0; i < bids; ++i) {
        noise = noise * 1664525 + 1013904223;
        room.bid({noise >> 27, noise >> 20 & 15, noise >> 8 & 1023});
    }
    std::printf("%" PRIu32 " bids of the first, %" PRIu64 " noise, %016" PRIx64 "\n", by_bidder[0], crowd->noise(),
                ledger->digest());
}
