// book: an order book, which tells whoever listens of trades and of changes; it knows nothing of Thalweg.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

struct Trade {
    uint32_t price;
    uint32_t quantity;
    uint64_t number;
};

class Listener {
  public:
    virtual ~Listener() = default;
    virtual void added(uint32_t price, uint32_t quantity) = 0;
    virtual void removed(uint32_t price, uint32_t quantity) = 0;
};

class Book {
  public:
    using OnTrade = std::function<void(const Trade &)>;
    void on_trade(OnTrade callback) { trade_.push_back(std::move(callback)); }
    void listen(Listener *listener) { listeners_.push_back(listener); }
    void buy(uint32_t price, uint32_t quantity);
    void sell(uint32_t price, uint32_t quantity);

  private:
    void traded(uint32_t price, uint32_t quantity);
    void changed(bool added, uint32_t price, uint32_t quantity);
    std::vector<OnTrade> trade_;
    std::vector<Listener *> listeners_;
    std::vector<uint32_t> bids_ = std::vector<uint32_t>(1024), asks_ = std::vector<uint32_t>(1024);
    uint32_t best_bid_ = 0, best_ask_ = 1023;
    uint64_t number_ = 0;
};
