// thalweg: a connected socket in tamed functions (library thalweg_io): under io_uring, or epoll where that is not allowed.
//
//     tamed<> echo(stream peer) {
//         while (received got = co_await peer.receive())
//             if (co_await peer.send(got.bytes))
//                 break;
//     }
//
// A stream belongs to the thread of its loop.
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

namespace thalweg::tame {

// What has come: as much as there was. The bytes are borrowed: they are there until the function waits for anything, or ends.
struct received {
    std::string_view bytes;  // empty: the other side sends no more, or there was an error
    std::error_code error;

    explicit operator bool() const { return !bytes.empty(); }
};

namespace detail {

// One wait for bytes, or for room; in the frame of the function that waits.
struct Receiving {
    const char *bytes = nullptr;
    uint32_t size = 0;
    int error = 0;
    std::coroutine_handle<> function{};

    received got() const { return {{bytes, size}, {error, std::generic_category()}}; }
};
struct Sending {
    std::array<iovec, 2> pieces{};  // a header and a body; what has been sent is taken off
    std::coroutine_handle<> function{};
    int error = 0;

    bool is_sent() const { return pieces[0].iov_len == 0 && pieces[1].iov_len == 0; }
    void take_off(size_t sent) {
        for (iovec &piece : pieces) {
            const size_t part = sent < piece.iov_len ? sent : piece.iov_len;
            piece = {static_cast<char *>(piece.iov_base) + part, piece.iov_len - part};
            sent -= part;
        }
    }
};

// A stream as io_uring or epoll has it. It lives until `drop`, and then as long as the kernel needs it.
class StreamBody {
  public:
    // True: it is there. Otherwise `wanted` is filled, and its function let go on, later.
    virtual bool receive(Receiving &wanted) = 0;
    virtual bool send(Sending &wanted) = 0;
    // Its function does not wait any more. Of a send: the kernel does not read the bytes any more.
    virtual void forget(Receiving &wanted) noexcept = 0;
    virtual void forget(Sending &wanted) noexcept = 0;
    // Whoever waits is told that it was cancelled.
    virtual void drop() noexcept = 0;
    virtual int descriptor() const noexcept = 0;

  protected:
    ~StreamBody() = default;
};

StreamBody *make_stream(int fd);

template <class What>
class StreamWait : public Wait, public What {
  public:
    template <class... Given>
    explicit StreamWait(StreamBody &body, Given... given) : What{given...}, body_(body) {}
    StreamWait(const StreamWait &) = delete;
    StreamWait &operator=(const StreamWait &) = delete;
    ~StreamWait() {
        if (What::function)
            body_.forget(*this);
    }
    // Null while it does not wait. Whoever lets the function go on clears it.
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiter) noexcept {
        What::function = waiter;
        return ready.leave();
    }

  protected:
    StreamBody &body_;
};

class Receive final : public StreamWait<Receiving> {
  public:
    using StreamWait::StreamWait;
    bool await_ready() { return body_.receive(*this); }
    received await_resume() const noexcept { return got(); }
};

class Send final : public StreamWait<Sending> {
  public:
    using StreamWait::StreamWait;
    bool await_ready() { return body_.send(*this); }
    std::error_code await_resume() const noexcept { return {error, std::generic_category()}; }
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

    // One function at a time.
    auto receive() { return detail::Asked<detail::Receive, detail::StreamBody>(*body_); }
    // All of it, or an error; the bytes stay where they are until then. One function at a time.
    auto send(std::string_view header, std::string_view body) {
        return detail::Asked<detail::Send, detail::StreamBody, std::array<iovec, 2>>(*body_,
                                                                                     {piece(header), piece(body)});
    }
    auto send(std::string_view bytes) { return send(bytes, {}); }
    // Neither side sends any more; whoever receives is told that there is an end.
    void shut_down() { ::shutdown(descriptor(), SHUT_RDWR); }

  private:
    struct Drop {
        void operator()(detail::StreamBody *body) const { body->drop(); }
    };
    static iovec piece(std::string_view bytes) { return {const_cast<char *>(bytes.data()), bytes.size()}; }

    std::unique_ptr<detail::StreamBody, Drop> body_;
};

}  // namespace thalweg::tame
