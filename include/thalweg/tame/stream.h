// thalweg: a connected socket in tamed functions (library thalweg_io): under io_uring, or epoll where that is not allowed.
//
//     tamed<> echo(stream peer) {
//         while (received got = co_await peer.receive())
//             if (co_await peer.send(got.bytes))
//                 break;
//     }
//
// A stream belongs to the thread of its loop. What the other side or the system does wrong is an error in what is awaited, and not thrown.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <sys/socket.h>
#include <sys/uio.h>
#include <system_error>
#include <tuple>
#include <utility>

#include <thalweg/tame/tamed.h>

namespace THALWEG_TAME {

// What has come: as much as there was. The bytes are borrowed: they stay where they are, whatever the function waits for, until it
// receives from the stream again, or the stream or its loop is gone. A connection that waits for bytes has no buffer.
struct received {
    std::string_view bytes;  // empty: the other side sends no more, or there was an error
    std::error_code error;

    explicit operator bool() const { return !bytes.empty(); }
};

namespace detail {

class StreamBody;

// A send that has to wait, until it is over; whoever waits for it has it.
struct Sending {
    std::array<iovec, 2> pieces;  // a header and a body; what has been sent is taken off
    StreamBody &body;
    std::coroutine_handle<> function{};
    int error = 0;

    Sending(StreamBody &own, std::array<iovec, 2> given) : pieces(given), body(own) {}
    Sending(const Sending &) = delete;
    Sending &operator=(const Sending &) = delete;
    virtual ~Sending() = default;

    bool is_sent() const { return pieces[0].iov_len == 0 && pieces[1].iov_len == 0; }
    void take_off(size_t sent) {
        for (iovec &piece : pieces) {
            const size_t part = sent < piece.iov_len ? sent : piece.iov_len;
            piece = {static_cast<char *>(piece.iov_base) + part, piece.iov_len - part};
            sent -= part;
        }
    }

    static void *operator new(size_t size) { return pool.take(size); }
    static void operator delete(void *memory, size_t size) { pool.give(memory, size); }
};

// What has become of a send: it is over, or is waited for.
class Sent {
  public:
    explicit Sent(int error) : what_(static_cast<uintptr_t>(error) << 1 | over_bit) {}
    explicit Sent(Sending &sending) : what_(reinterpret_cast<uintptr_t>(&sending)) {}
    bool is_over() const { return (what_ & over_bit) != 0; }
    int error() const { return static_cast<int>(what_ >> 1); }
    Sending &sending() const { return *reinterpret_cast<Sending *>(what_); }

  private:
    static constexpr uintptr_t over_bit = 1;
    uintptr_t what_;
};

// A stream as io_uring or epoll has it. It lives until `drop`, and then as long as the kernel needs it, or a function that waits has not
// been told. What a function waits with is here and not in its frame: most streams wait most of their life, and each byte is one of
// every idle connection.
class StreamBody {
  public:
    explicit StreamBody(int fd) : fd_(fd) {}
    StreamBody(const StreamBody &) = delete;
    StreamBody &operator=(const StreamBody &) = delete;

    int descriptor() const noexcept { return fd_; }

    // Throws std::logic_error where another function receives.
    void begin_to_receive() const {
        if (phase_ != idle) [[unlikely]]
            refuse_second("receives");
    }
    // True: it is there, to be taken. Otherwise a function waits, and goes on later.
    bool receive() { return must_look_ && look(); }
    void wait(std::coroutine_handle<> function) noexcept {
        what_ = function.address();
        phase_ = waiting;
    }
    received take() noexcept {
        phase_ = idle;
        const size_t size = has_failed_ ? 0 : amount_;
        const received got{{static_cast<const char *>(what_), size},
                           {has_failed_ ? amount_ : 0, std::generic_category()}};
        if (is_dropped_) [[unlikely]]
            told();
        return got;
    }
    // Its function does not wait any more.
    void forget_receive() noexcept {
        phase_ = idle;
        if (is_dropped_)
            told();
    }

    // Throws std::logic_error where another function sends.
    virtual Sent send(std::string_view header, std::string_view body) = 0;
    // Its function does not wait any more: the kernel does not read the bytes any more.
    virtual void forget(Sending &sending) noexcept = 0;
    // Whoever waits is told that it was cancelled.
    virtual void drop() noexcept = 0;

  protected:
    ~StreamBody() = default;

    // As `receive`, where that is not sure.
    virtual bool look() = 0;
    // It was dropped, and the function that waited needs it no more.
    virtual void told() noexcept = 0;
    [[noreturn]] static void refuse_second(const char *what);

    // What has come, for who receives next: the bytes, or an error.
    void has_come(const char *bytes, size_t size) noexcept {
        amount_ = static_cast<uint16_t>(size);
        has_failed_ = 0;
        tell(bytes);
    }
    void has_failed(int error) noexcept {
        amount_ = static_cast<uint16_t>(error);
        has_failed_ = 1;
        tell(nullptr);
    }

    enum : uint16_t { idle, waiting, is_told };  // a function: none; waits; may go on

    void *what_ = nullptr;  // the function that waits, or the bytes that it is told of
    int fd_;
    uint16_t amount_ = 0;  // of bytes, or the error
    uint16_t phase_ : 2 = idle;
    uint16_t has_failed_ : 1 = 0;
    uint16_t must_look_ : 1 = 1;
    uint16_t is_dropped_ : 1 = 0;
    // epoll's
    uint16_t may_read_ : 1 = 0;  // or else epoll has to tell first
    uint16_t other_side_ended_ : 1 = 0;
    // Both's: it has bytes of a buffer, which is to be given back.
    uint16_t has_own_ : 1 = 0;
    // io_uring's
    uint16_t is_receiving_ : 1 = 0;  // the kernel has the request
    uint16_t is_held_up_ : 1 = 0;  // it was told to end it
    uint16_t has_ended_ : 1 = 0;
    uint16_t lacks_buffers_ : 1 = 0;

  private:
    // Who waits goes on, at once or when its turn comes; it may drop the stream.
    void tell(const char *bytes) noexcept {
        void *function = phase_ == waiting ? what_ : nullptr;
        what_ = const_cast<char *>(bytes);
        phase_ = is_told;
        if (function)
            ready.wake(std::coroutine_handle<>::from_address(function));
    }
};

StreamBody *make_stream(int fd);
// One that a listener took, whose socket is as the listener's.
StreamBody *make_accepted_stream(int fd);

class Accept;

class Receive final : public Wait {
  public:
    explicit Receive(StreamBody &body) : body_(&body) { body.begin_to_receive(); }
    Receive(const Receive &) = delete;
    Receive &operator=(const Receive &) = delete;
    ~Receive() {
        if (body_)
            body_->forget_receive();
    }
    bool await_ready() { return body_->receive(); }
    // Whoever lets the function go on has told the stream what has come.
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiter) noexcept {
        body_->wait(waiter);
        return ready.leave();
    }
    received await_resume() noexcept { return std::exchange(body_, nullptr)->take(); }

  private:
    StreamBody *body_;  // null: it is over
};

class Send final : public Wait {
  public:
    Send(StreamBody &body, std::string_view header, std::string_view rest) : sent_(body.send(header, rest)) {}
    Send(const Send &) = delete;
    Send &operator=(const Send &) = delete;
    ~Send() {
        if (!sent_.is_over())
            end();
    }
    bool await_ready() const noexcept { return sent_.is_over(); }
    // Null while it does not wait. Whoever lets the function go on clears it.
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiter) noexcept {
        sent_.sending().function = waiter;
        return ready.leave();
    }
    std::error_code await_resume() noexcept {
        if (!sent_.is_over())
            end();
        return {sent_.error(), std::generic_category()};
    }

  private:
    [[gnu::noinline]] void end() noexcept {
        const std::unique_ptr<Sending> ended(&sent_.sending());
        if (ended->function)
            ended->body.forget(*ended);
        sent_ = Sent(ended->error);
    }

    Sent sent_;
};

// What is awaited; the wait itself is made where it is, in the frame.
template <class Made, class Body, class... Given>
class Asked {
  public:
    explicit Asked(Body &body, Given... given) : body_(body), given_(given...) {}
    Made operator co_await() const {
        return std::apply([this](Given... given) { return Made(body_, given...); }, given_);
    }

  private:
    Body &body_;
    std::tuple<Given...> given_;
};

}  // namespace detail

class stream {
  public:
    stream() = default;
    // Of a connected socket, which is the stream's from now on. Throws std::system_error where the loop can't take it.
    explicit stream(int fd) : body_(detail::make_stream(fd)) {}

    explicit operator bool() const { return body_ != nullptr; }
    int descriptor() const { return body_->descriptor(); }

    // One function at a time: of a second one it is std::logic_error.
    auto receive() { return detail::Asked<detail::Receive, detail::StreamBody>(*body_); }
    // All of it, or an error; the bytes stay where they are until then. One function at a time: of a second one it is
    // std::logic_error.
    auto send(std::string_view header, std::string_view body) {
        return detail::Asked<detail::Send, detail::StreamBody, std::string_view, std::string_view>(*body_, header,
                                                                                                   body);
    }
    auto send(std::string_view bytes) { return send(bytes, {}); }
    // Neither side sends any more; whoever receives is told that there is an end.
    void shut_down() { ::shutdown(descriptor(), SHUT_RDWR); }

  private:
    friend detail::Accept;
    struct Drop {
        void operator()(detail::StreamBody *body) const { body->drop(); }
    };
    explicit stream(detail::StreamBody *body) : body_(body) {}

    std::unique_ptr<detail::StreamBody, Drop> body_;
};

}  // namespace THALWEG_TAME
