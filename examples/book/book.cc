// book: orders meet, and listeners are told.
#include "book.h"
#include <algorithm>

void Book::traded(uint32_t price, uint32_t quantity) {
    const Trade trade{price, quantity, ++number_};
    for (const auto &callback : trade_)
        callback(trade);
}

void Book::changed(bool added, uint32_t price, uint32_t quantity) {
    for (Listener *listener : listeners_)
        added ? listener->added(price, quantity) : listener->removed(price, quantity);
}

void Book::buy(uint32_t price, uint32_t quantity) {
    while (quantity > 0 && best_ask_ <= price) {
        const uint32_t filled = std::min(quantity, asks_[best_ask_]);
        if (filled > 0) {
            asks_[best_ask_] -= filled;
            quantity -= filled;
            traded(best_ask_, filled);
            changed(false, best_ask_, filled);
        }
        if (asks_[best_ask_] == 0) {
            if (best_ask_ == 1023)
                break;
            ++best_ask_;
        }
    }
    if (quantity > 0) {
        bids_[price] += quantity;
        best_bid_ = std::max(best_bid_, price);
        changed(true, price, quantity);
    }
}

void Book::sell(uint32_t price, uint32_t quantity) {
    while (quantity > 0 && best_bid_ >= price) {
        const uint32_t filled = std::min(quantity, bids_[best_bid_]);
        if (filled > 0) {
            bids_[best_bid_] -= filled;
            quantity -= filled;
            traded(best_bid_, filled);
            changed(false, best_bid_, filled);
        }
        if (bids_[best_bid_] == 0) {
            if (best_bid_ == 0)
                break;
            --best_bid_;
        }
    }
    if (quantity > 0) {
        asks_[price] += quantity;
        best_ask_ = std::min(best_ask_, price);
        changed(true, price, quantity);
    }
}
