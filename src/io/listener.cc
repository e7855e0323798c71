// io: sockets that listen, and connections that are asked for: what io_uring and epoll have in common.
#include <arpa/inet.h>
#include <cerrno>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thalweg/tame/descriptor.h>
#include <thalweg/tame/io.h>

namespace THALWEG_TAME {

namespace {

[[noreturn]] void fail(int reason, const std::string &what) {
    throw std::system_error(reason, std::generic_category(), what);
}

// A descriptor until it is somebody's.
class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    ~Descriptor() {
        if (fd_ >= 0)
            close(fd_);
    }
    int get() const { return fd_; }
    int release() { return std::exchange(fd_, -1); }

  private:
    int fd_;
};

struct Address {
    sockaddr_storage bytes{};
    socklen_t size = 0;
    const sockaddr *get() const { return reinterpret_cast<const sockaddr *>(&bytes); }
};

Address numeric(const std::string &text, uint16_t port) {
    Address address;
    auto *v4 = reinterpret_cast<sockaddr_in *>(&address.bytes);
    auto *v6 = reinterpret_cast<sockaddr_in6 *>(&address.bytes);
    if (inet_pton(AF_INET, text.c_str(), &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        v4->sin_port = htons(port);
        address.size = sizeof(*v4);
    } else if (inet_pton(AF_INET6, text.c_str(), &v6->sin6_addr) == 1) {
        v6->sin6_family = AF_INET6;
        v6->sin6_port = htons(port);
        address.size = sizeof(*v6);
    } else {
        fail(EINVAL, "'" + text + "' is no numeric address");
    }
    return address;
}

std::string place(const std::string &address, uint16_t port) { return address + " port " + std::to_string(port); }

Descriptor new_socket(const Address &address) {
    const int fd = socket(address.get()->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        fail(errno, "a socket can't be made");
    return Descriptor(fd);
}

void set(const Descriptor &socket, int option) {
    const int one = 1;
    if (setsockopt(socket.get(), SOL_SOCKET, option, &one, sizeof(one)) != 0)
        fail(errno, "a socket's option can't be set");
}

int listening_socket(const std::string &text, uint16_t port, listen_options options) {
    const Address address = numeric(text, port);
    Descriptor socket = new_socket(address);
    set(socket, SO_REUSEADDR);
    if (options.reuse_port)
        set(socket, SO_REUSEPORT);
    if (bind(socket.get(), address.get(), address.size) != 0)
        fail(errno, place(text, port) + " can't be bound");
    if (listen(socket.get(), options.backlog) != 0)
        fail(errno, place(text, port) + " can't be listened at");
    return socket.release();
}

}  // namespace

listener::listener(const std::string &address, uint16_t port, listen_options options)
    : listener(listening_socket(address, port, options)) {}

uint16_t listener::port() const {
    sockaddr_storage bytes{};
    socklen_t size = sizeof(bytes);
    if (getsockname(descriptor(), reinterpret_cast<sockaddr *>(&bytes), &size) != 0)
        fail(errno, "a listener's port can't be told");
    return ntohs(bytes.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6 &>(bytes).sin6_port
                                             : reinterpret_cast<const sockaddr_in &>(bytes).sin_port);
}

tamed<stream> connect_to(std::string address, uint16_t port) {
    const Address to = numeric(address, port);
    Descriptor socket = new_socket(to);
    if (connect(socket.get(), to.get(), to.size) != 0) {
        if (errno != EINPROGRESS)
            fail(errno, place(address, port) + " can't be connected to");
        rendezvous<> r;
        wait_on_fd(socket.get(), interest::writable, mkevent(r));
        co_await r;
        int reason = 0;
        socklen_t size = sizeof(reason);
        getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &reason, &size);
        if (reason != 0)
            fail(reason, place(address, port) + " can't be connected to");
    }
    co_return stream(socket.release());
}

}  // namespace THALWEG_TAME
