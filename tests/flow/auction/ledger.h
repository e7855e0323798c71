// auction: what was bid and sold.
#pragma once
#include "room.h"
class Ledger : public Watcher {
  public:
    void outbid(const Bid &bid, uint32_t before) override { raised_ += bid.amount - before; }
    void sold(const Bid &bid) override { sum_ += bid.amount; }
    void bid(const Bid &bid) { digest_ = digest_ * 31 + (bid.amount ^ bid.bidder); }
    uint64_t digest() const { return digest_ ^ raised_ * 7 ^ sum_; }

  private:
    uint64_t raised_ = 0, sum_ = 0, digest_ = 1;
};
class Crowd : public Watcher {
  public:
    void outbid(const Bid &bid, uint32_t before) override { noise_ += (bid.amount - before) >> 4; }
    void sold(const Bid &) override { ++applause_; }
    uint64_t noise() const { return noise_ + applause_ * 100; }

  private:
    uint64_t noise_ = 0, applause_ = 0;
};
// Who wants to hear of bids says so.
void keep(Room &room, const std::shared_ptr<Ledger> &ledger);
