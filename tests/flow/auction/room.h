// auction: bids come in, and bidders, watchers and the ledger are told; it knows nothing of Thalweg.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

struct Bid {
    uint32_t lot;
    uint32_t bidder;
    uint32_t amount;
};

class Watcher {
  public:
    virtual ~Watcher() = default;
    virtual void outbid(const Bid &bid, uint32_t before) = 0;
    virtual void sold(const Bid &bid) = 0;
};

class Room {
  public:
    using OnBid = std::function<void(const Bid &)>;
    void on_bid(OnBid callback) { callbacks_.push_back(std::move(callback)); }
    void watch(std::shared_ptr<Watcher> watcher) { watchers_.push_back(std::move(watcher)); }
    void bid(const Bid &bid);

  private:
    std::vector<OnBid> callbacks_;
    std::vector<std::shared_ptr<Watcher>> watchers_;
    std::vector<Bid> best_ = std::vector<Bid>(32);
};
