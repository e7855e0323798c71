// book: a digest of all that happened, in the order in which it happened.
#pragma once
#include "book.h"
class Printer : public Listener {
  public:
    explicit Printer(Book &book);
    void added(uint32_t price, uint32_t quantity) override { digest_ = (digest_ ^ price) * 31 + quantity; }
    void removed(uint32_t price, uint32_t quantity) override { digest_ = (digest_ ^ quantity) * 37 + price; }
    uint64_t digest() const { return digest_; }

  private:
    void traded(const Trade &trade) { digest_ = digest_ * 41 + (trade.number ^ trade.quantity); }
    uint64_t digest_ = 0;
};
