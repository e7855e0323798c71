// book: volume and depth.
#pragma once
#include "book.h"
class Statistics : public Listener {
  public:
    explicit Statistics(Book &book);
    void added(uint32_t price, uint32_t quantity) override {
        depth_ += quantity;
        weight_ += uint64_t(price) * quantity;
    }
    void removed(uint32_t price, uint32_t quantity) override {
        depth_ -= quantity;
        weight_ -= uint64_t(price) * quantity;
    }
    uint64_t volume() const { return volume_; }
    uint64_t digest() const { return depth_ * 31 + weight_ * 17 + volume_; }

  private:
    void trade(const Trade &trade) {
        volume_ += trade.quantity;
        last_ = trade.price;
    }
    uint64_t depth_ = 0, weight_ = 0, volume_ = 0;
    uint32_t last_ = 0;
};
