// io: what a loop's streams receive into under epoll, where more than one of them has bytes of it.
#include "lent.h"

namespace thalweg::io {

void Lent::make_room(const Borrower &stream) {
    if (is_in_use_by_another(stream)) {
        earlier_.emplace(last_, buffer_);
        last_->must_give_back();
        used_ += size_;
    }
    last_ = nullptr;
    if (buffer_.use_count() == 1)
        used_ = 0;
    if (most - used_ >= least_room)
        return;
    buffer_ = new_buffer();
    used_ = 0;
}

}  // namespace thalweg::io
