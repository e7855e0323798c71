// thalweg: a socket that takes connections, in tamed functions (library thalweg_io).
//
//     tamed<> serve(listener sockets) {
//         while (stream peer = co_await sockets.accept())
//             echo(std::move(peer));
//     }
//
// A listener belongs to the thread of its loop.
#pragma once

#include <coroutine>
#include <cstdint>
#include <memory>
#include <string>
#include <sys/socket.h>

#include <thalweg/tame/stream.h>

namespace THALWEG_TAME {

namespace detail {

struct Accepting {
    int fd = -1;  // none: the listener was closed
    std::coroutine_handle<> function;
};

class ListenerBody {
  public:
    // True: it is there. Otherwise `wanted` is filled, and its function let go on, later.
    virtual bool accept(Accepting &wanted) = 0;
    virtual void forget(Accepting &wanted) noexcept = 0;
    virtual void close() noexcept = 0;
    virtual void drop() noexcept = 0;
    virtual int descriptor() const noexcept = 0;

  protected:
    ~ListenerBody() = default;
};

ListenerBody *make_listener(int fd);

class Accept final : public Wait, public Accepting {
  public:
    explicit Accept(ListenerBody &body) : body_(body) {}
    Accept(const Accept &) = delete;
    Accept &operator=(const Accept &) = delete;
    ~Accept() {
        if (function)
            body_.forget(*this);
    }
    bool await_ready() { return body_.accept(*this); }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiter) noexcept {
        function = waiter;
        return ready.leave();
    }
    stream await_resume() const { return fd < 0 ? stream() : stream(make_accepted_stream(fd)); }

  private:
    ListenerBody &body_;
};

}  // namespace detail

struct listen_options {
    // So that several loops, of a thread each, take connections at one port: the kernel deals them out.
    bool reuse_port = false;
    int backlog = SOMAXCONN;  // connections that the kernel keeps until they are taken
};

class listener {
  public:
    listener() = default;
    // Of a socket that listens already, which is the listener's from now on.
    explicit listener(int fd) : body_(detail::make_listener(fd)) {}
    // At a numeric address; port 0: any. Throws std::system_error.
    listener(const std::string &address, uint16_t port, listen_options options = {});

    explicit operator bool() const { return body_ != nullptr; }
    int descriptor() const { return body_->descriptor(); }
    uint16_t port() const;

    // The next connection; none when the listener is closed. Where the system has no descriptor or no memory left for one, it waits in
    // the kernel until there is. One function at a time.
    auto accept() { return detail::Asked<detail::Accept, detail::ListenerBody>(*body_); }
    // It takes no more.
    void close() { body_->close(); }

  private:
    struct Drop {
        void operator()(detail::ListenerBody *body) const { body->drop(); }
    };
    std::unique_ptr<detail::ListenerBody, Drop> body_;
};

// A connection to a numeric address. Throws std::system_error.
tamed<stream> connect_to(std::string address, uint16_t port);

}  // namespace THALWEG_TAME
