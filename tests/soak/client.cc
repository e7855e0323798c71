// tests: thousands of connections that ask a web server for files, and look at every byte of every answer
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

// One loopback address has some 28,000 ports (net.ipv4.ip_local_port_range); the next ones are used after so many.
constexpr size_t kConnectionsOfAnAddress = 10000;
// So often a request is for the second file, the large one.
constexpr uint64_t kLargeEach = 1000;
constexpr size_t kEvents = 512;
constexpr size_t kReceived = 65536;  // bytes at once
constexpr int kPatienceMs = 60000;  // without any answer at all

struct File {
    std::string request;
    std::string body;
};

File file_of(const std::string &folder, const std::string &name) {
    std::ifstream in(folder + "/" + name, std::ios::binary);
    if (!in)
        throw std::runtime_error("there is no file " + folder + "/" + name);
    return {"GET /" + name + " HTTP/1.1\r\nHost: soak\r\n\r\n",
            std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>())};
}

// What has come of an answer, compared as it comes.
class Answer {
  public:
    void begin(const File &file) {
        file_ = &file;
        head_.clear();
        is_in_body_ = false;
        compared_ = 0;
    }
    bool is_awaited() const { return file_ != nullptr; }

    // True: it is whole.
    bool take(std::string_view bytes) {
        if (!is_awaited())
            throw std::runtime_error("bytes that nobody asked for: " + std::string(bytes.substr(0, 100)));
        if (!is_in_body_) {
            head_ += bytes;
            const size_t end = head_.find("\r\n\r\n");
            if (end == std::string::npos)
                return false;
            check_head();
            is_in_body_ = true;
            const std::string rest = head_.substr(end + 4);
            return compare(rest);
        }
        return compare(bytes);
    }

  private:
    void check_head() const {
        const std::string length = "\r\nContent-Length: " + std::to_string(file_->body.size()) + "\r\n";
        if (!head_.starts_with("HTTP/1.1 200 ") || head_.find(length) == std::string::npos)
            throw std::runtime_error("not the answer that was asked for: " + head_.substr(0, 300));
    }
    bool compare(std::string_view bytes) {
        const size_t left = file_->body.size() - compared_;
        if (bytes.size() > left || std::memcmp(file_->body.data() + compared_, bytes.data(), bytes.size()) != 0)
            throw std::runtime_error("wrong bytes from byte " + std::to_string(compared_) + " of the body on");
        compared_ += bytes.size();
        if (compared_ != file_->body.size())
            return false;
        file_ = nullptr;
        return true;
    }

    const File *file_ = nullptr;
    std::string head_;
    bool is_in_body_ = false;
    size_t compared_ = 0;  // bytes of the body
};

struct Connection {
    int descriptor = -1;
    Answer answer;
};

int connect_from(size_t number, uint16_t port) {
    const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in source{}, server{};
    source.sin_family = server.sin_family = AF_INET;
    source.sin_addr.s_addr = htonl(INADDR_LOOPBACK + static_cast<uint32_t>(number / kConnectionsOfAnAddress));
    server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server.sin_port = htons(port);
    const int late = 1;  // the port is chosen when it is known what it is for
    setsockopt(descriptor, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &late, sizeof late);
    if (descriptor < 0 || bind(descriptor, reinterpret_cast<sockaddr *>(&source), sizeof source) != 0 ||
        connect(descriptor, reinterpret_cast<sockaddr *>(&server), sizeof server) != 0)
        throw std::runtime_error("connection " + std::to_string(number) + ": " + std::strerror(errno));
    fcntl(descriptor, F_SETFL, O_NONBLOCK);
    return descriptor;
}

class Client {
  public:
    Client(const std::string &folder, uint16_t port, size_t connections, uint64_t requests)
        : small_(file_of(folder, "small.txt")), large_(file_of(folder, "large.bin")), asked_for_(requests),
          epoll_(epoll_create1(EPOLL_CLOEXEC)), connections_(connections) {
        for (size_t i = 0; i < connections; ++i) {
            connections_[i].descriptor = connect_from(i, port);
            epoll_event event{EPOLLIN, {.u64 = i}};
            epoll_ctl(epoll_, EPOLL_CTL_ADD, connections_[i].descriptor, &event);
        }
    }

    void run() {
        for (Connection &one : connections_)
            ask(one);
        std::vector<epoll_event> events(kEvents);
        while (answered_ < asked_for_) {
            const int count = epoll_wait(epoll_, events.data(), kEvents, kPatienceMs);
            if (count <= 0)
                throw std::runtime_error("no answer any more: " + std::to_string(answered_) + " of " +
                                         std::to_string(asked_for_));
            for (int i = 0; i < count; ++i)
                receive(connections_[events[static_cast<size_t>(i)].data.u64]);
        }
        for (Connection &one : connections_) {
            if (recv(one.descriptor, buffer_, 1, 0) >= 0 || errno != EAGAIN)
                throw std::runtime_error("a connection is not open and silent in the end");
        }
        std::printf("answered %llu requests with %llu bytes on %zu connections\n",
                    static_cast<unsigned long long>(answered_), static_cast<unsigned long long>(bytes_),
                    connections_.size());
    }

  private:
    void ask(Connection &one) {
        if (asked_ == asked_for_)
            return;
        const File &file = ++asked_ % kLargeEach == 0 ? large_ : small_;
        one.answer.begin(file);
        const ssize_t sent = send(one.descriptor, file.request.data(), file.request.size(), MSG_NOSIGNAL);
        if (sent != static_cast<ssize_t>(file.request.size()))
            throw std::runtime_error(std::string("a request can't be sent: ") + std::strerror(errno));
    }

    void receive(Connection &one) {
        const ssize_t count = recv(one.descriptor, buffer_, sizeof buffer_, 0);
        if (count < 0 && errno == EAGAIN)
            return;
        if (count <= 0)
            throw std::runtime_error("a connection was lost after " + std::to_string(answered_) +
                                     " answers: " + (count == 0 ? "closed" : std::strerror(errno)));
        bytes_ += static_cast<uint64_t>(count);
        if (!one.answer.take({buffer_, static_cast<size_t>(count)}))
            return;
        ++answered_;
        ask(one);
    }

    File small_, large_;
    uint64_t asked_for_, asked_ = 0, answered_ = 0, bytes_ = 0;
    int epoll_;
    std::vector<Connection> connections_;
    char buffer_[kReceived];
};

}  // namespace

int main(int argc, char **argv) {
    if (argc != 5) {
        std::fprintf(stderr, "usage: %s FOLDER PORT CONNECTIONS REQUESTS\n", argv[0]);
        return 2;
    }
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    try {
        Client client(argv[1], static_cast<uint16_t>(std::atoi(argv[2])), std::strtoull(argv[3], nullptr, 10),
                      std::strtoull(argv[4], nullptr, 10));
        std::printf("connected\n");
        std::fflush(stdout);
        client.run();
        std::fflush(stdout);
        // The connections stay until whoever has started this has no more use for them.
        while (std::getchar() != EOF) {
        }
    } catch (const std::exception &error) {
        std::fprintf(stderr, "client: %s\n", error.what());
        return 1;
    }
    return 0;
}
