// book: volume and depth listen to everything.
#include "statistics.h"
Statistics::Statistics(Book &book) {
    book.listen(this);
    book.on_trade([this](const Trade &t) { trade(t); });
}
