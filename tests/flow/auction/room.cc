// auction: the room.
#include "room.h"

void Room::bid(const Bid &bid) {
    for (const auto &callback : callbacks_)
        callback(bid);
    Bid &best = best_[bid.lot % 32];
    if (bid.amount <= best.amount)
        return;
    for (const auto &watcher : watchers_)
        watcher->outbid(bid, best.amount);
    best = bid;
    if (bid.amount < 1000)
        return;
    for (const auto &watcher : watchers_)
        watcher->sold(bid);
    best = {};
}
