// io: what a loop's streams receive into under epoll, and which of them has which bytes of it.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <unordered_map>

#include "io.h"

namespace thalweg::io {

// A stream that receives into what is lent.
class Borrower : public Member<tame::detail::StreamBody> {
  protected:
    using Member::Member;
    ~Borrower() = default;

  private:
    friend class Lent;
    // Its function receives again: it needs what it had no more.
    bool has_done() const noexcept { return phase_ == waiting; }
    void must_give_back() noexcept { has_own_ = must_look_ = 1; }
};

// A shared receive buffer. Received bytes belong to a function until it receives again. Most functions do so at once, so all streams of the loop
// receive into the same memory, which stays in the cache. If another stream still owns bytes, the next one receives behind them, or into a new buffer
// if there is too little room. So an idle stream costs no memory, and a buffer is freed when no stream owns a part of it.
class Lent {
  public:
    Lent() : buffer_(new_buffer()) {}
    Lent(const Lent &) = delete;
    Lent &operator=(const Lent &) = delete;

    // As much as one system call receives; a socket's buffer seldom holds more. Counted in 16 bits (StreamBody).
    static constexpr size_t most = 65535;  // bytes

    // For what the stream receives next: no other one has bytes there.
    std::span<char> room(const Borrower &stream) {
        if (used_ != 0 || is_in_use_by_another(stream)) [[unlikely]]
            make_room(stream);
        return std::span(*buffer_).subspan(used_);
    }
    // It has received so many.
    void lend(Borrower &stream, size_t size) {
        last_ = &stream;
        size_ = size;
    }
    // Of one that must_give_back() it, or will be gone.
    void give_back(const Borrower &stream) noexcept {
        if (last_ == &stream)
            last_ = nullptr;
        else if (stream.has_own_)
            earlier_.erase(&stream);
    }

  private:
    using Buffer = std::array<char, most>;

    // A receive into less than a quarter of a buffer would save little memory, and make up to four system calls of one.
    static constexpr size_t least_room = most / 4;

    static std::shared_ptr<Buffer> new_buffer() { return std::make_shared_for_overwrite<Buffer>(); }
    bool is_in_use_by_another(const Borrower &stream) const { return last_ && last_ != &stream && !last_->has_done(); }
    void make_room(const Borrower &stream);

    std::shared_ptr<Buffer> buffer_;
    size_t used_ = 0;  // bytes at its beginning that earlier ones have, or had
    Borrower *last_ = nullptr;  // who has those behind them; null: nobody
    size_t size_ = 0;
    std::unordered_map<const Borrower *, std::shared_ptr<Buffer>> earlier_;
};

}  // namespace thalweg::io
