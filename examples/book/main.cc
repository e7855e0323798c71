// book: so many orders of a made-up market, and what the listeners made of them.
#include "printer.h"
#include "statistics.h"
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
int main(int argc, char **argv) {
    const long orders = argc > 1 ? std::atol(argv[1]) : 5'000'000;
    Book book;
    Statistics statistics(book);
    Printer printer(book);
    uint64_t last = 0;
    book.on_trade([&last](const Trade &trade) { last = trade.number; });
    uint32_t noise = 1;
    for (long i = 0; i < orders; ++i) {
        noise = noise * 1664525 + 1013904223;
        const uint32_t price = 400 + (noise >> 16) % 200, quantity = 1 + (noise >> 8) % 10;
        (noise >> 30) & 1 ? book.buy(price, quantity) : book.sell(price, quantity);
    }
    std::printf("%" PRIu64 " traded in %" PRIu64 ", %016" PRIx64 " %016" PRIx64 "\n", statistics.volume(), last,
                statistics.digest(), printer.digest());
}
