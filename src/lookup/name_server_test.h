// lookup: a real name server for tests: dnsmasq on the loopback, at a port of its own, with the hosts that the test names.
#pragma once

#include <arpa/inet.h>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <grp.h>
#include <netinet/in.h>
#include <pwd.h>
#include <stdexcept>
#include <string>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace thalweg::lookup {

inline sockaddr_in loopback(uint16_t port) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(port);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return at;
}

// A socket at a port of the loopback; port 0: any.
class BoundSocket {
  public:
    explicit BoundSocket(int kind, uint16_t port = 0) : fd_(socket(AF_INET, kind | SOCK_CLOEXEC, 0)) {
        sockaddr_in at = loopback(port);
        socklen_t size = sizeof(at);
        auto *any = reinterpret_cast<sockaddr *>(&at);
        is_bound_ = bind(fd_, any, size) == 0 && getsockname(fd_, any, &size) == 0;
        port_ = ntohs(at.sin_port);
    }
    BoundSocket(const BoundSocket &) = delete;
    BoundSocket &operator=(const BoundSocket &) = delete;
    ~BoundSocket() { close(fd_); }

    bool is_bound() const { return is_bound_; }
    int descriptor() const { return fd_; }
    uint16_t port() const { return port_; }
    std::string name() const { return "127.0.0.1:" + std::to_string(port_); }

  private:
    int fd_;
    bool is_bound_ = false;
    uint16_t port_ = 0;
};

// One that nobody else has, for UDP and for TCP.
inline uint16_t free_port() {
    for (;;) {
        const BoundSocket udp(SOCK_DGRAM);
        if (udp.is_bound() && BoundSocket(SOCK_STREAM, udp.port()).is_bound())
            return udp.port();
    }
}

class NameServer {
  public:
    // hosts: as in /etc/hosts. All other names below `zone` are known not to exist.
    explicit NameServer(const std::string &hosts, uint16_t port = free_port(), const std::string &zone = "test")
        : port_(port) {
        close(mkstemp(file_.data()));
        std::ofstream(file_) << hosts;
        start(zone);
    }
    NameServer(const NameServer &) = delete;
    NameServer &operator=(const NameServer &) = delete;
    ~NameServer() {
        die();
        std::remove(file_.c_str());
    }

    uint16_t port() const { return port_; }
    std::string name() const { return "127.0.0.1:" + std::to_string(port_); }
    void stop() const { kill(process_, SIGSTOP); }
    void go_on() const { kill(process_, SIGCONT); }
    void die() {
        if (process_ <= 0)
            return;
        kill(process_, SIGKILL);
        waitpid(process_, nullptr, 0);
        process_ = 0;
    }

  private:
    // Whose file the hosts are.
    static std::string own_user() {
        const passwd *own = getpwuid(geteuid());
        return own ? own->pw_name : "nobody";
    }
    static std::string own_group() {
        const group *own = getgrgid(getegid());
        return own ? own->gr_name : "nogroup";
    }
    void start(const std::string &zone) {
        // In the foreground, but not --no-daemon: that serves nobody else while a client has a connection.
        std::string words[] = {DNSMASQ,
                               "--keep-in-foreground",
                               "--conf-file=/dev/null",
                               "--pid-file=",
                               "--no-resolv",
                               "--no-hosts",
                               "--listen-address=127.0.0.1",
                               "--bind-interfaces",
                               "--port=" + std::to_string(port_),
                               "--local=/" + zone + "/",
                               "--addn-hosts=" + file_,
                               "--user=" + own_user(),
                               "--group=" + own_group()};
        std::array<char *, std::size(words) + 1> arguments{};
        for (size_t i = 0; i < std::size(words); ++i)
            arguments[i] = words[i].data();
        process_ = fork();
        if (process_ == 0) {
            prctl(PR_SET_PDEATHSIG,
                  SIGKILL);  // a test that is killed leaves none; forgotten by one that changes its group
            const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
            dup2(nowhere, STDOUT_FILENO);
            dup2(nowhere, STDERR_FILENO);
            std::array<char *, 1> no_environment{};
            execve(DNSMASQ, arguments.data(), no_environment.data());
            _exit(EXIT_FAILURE);
        }
        wait_until_it_answers();
    }
    // By UDP: for a connection it makes a process of its own, which has its sockets too.
    bool answers() const {
        const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        const sockaddr_in at = loopback(port_);
        const timeval patience{0, 20'000};
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
        // One question, for the addresses of the root: it has none, but it is answered.
        constexpr std::array<char, 17> question{0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1};
        std::array<char, 512> answer{};
        const bool has_come = connect(fd, reinterpret_cast<const sockaddr *>(&at), sizeof(at)) == 0 &&
                              send(fd, question.data(), question.size(), MSG_NOSIGNAL) > 0 &&
                              recv(fd, answer.data(), answer.size(), 0) > 0;
        close(fd);
        return has_come;
    }
    void wait_until_it_answers() const {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);  // a busy machine
        while (!answers()) {
            if (std::chrono::steady_clock::now() > end || waitpid(process_, nullptr, WNOHANG) != 0)
                throw std::runtime_error(std::string(DNSMASQ) + " does not answer at " + name());
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    }

    std::string file_ = "/tmp/thalweg-hosts-XXXXXX";
    uint16_t port_;
    pid_t process_ = 0;
};

}  // namespace thalweg::lookup
