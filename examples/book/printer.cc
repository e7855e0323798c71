// book: the digest listens to everything.
#include "printer.h"
Printer::Printer(Book &book) {
    book.listen(this);
    book.on_trade(std::bind(&Printer::traded, this, std::placeholders::_1));
}
