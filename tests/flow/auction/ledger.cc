// auction: the ledger listens to everything.
#include "ledger.h"
void keep(Room &room, const std::shared_ptr<Ledger> &ledger) {
    room.watch(ledger);
    room.on_bid([ledger](const Bid &bid) { ledger->bid(bid); });
}
