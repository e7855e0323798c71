// -*- mode: c++ -*-
/* A proxy: clients write names, one a line; each line of the answer is the name and what the backend says of it, in the clients' order.
 * Answers are kept; a backend that does not answer in time is given up. In the syntax of Kohler's tamer. */
#include <tamer/tamer.hh>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace tamer;

namespace {

// ---- lines on a descriptor ----

class line_stream {
  public:
    explicit line_stream(int fd)
        : fd_(fd) {
        fcntl(fd, F_SETFL, O_NONBLOCK);
    }
    line_stream(const line_stream&) = delete;
    ~line_stream() {
        close();
    }
    bool is_open() const { return fd_ >= 0; }
    void close() {
        if (fd_ >= 0)
            ::close(fd_);
        fd_ = -1;
    }

    tamed void read_line(std::string& line, event<bool> done);
    tamed void write(std::string text, event<bool> done);

  private:
    bool take_line(std::string& line) {
        std::string::size_type end = buffer_.find('\n');
        if (end == std::string::npos)
            return false;
        line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        return true;
    }

    int fd_;
    std::string buffer_;
};

tamed void line_stream::read_line(std::string& line, event<bool> done) {
    tvars {
        char data[16];      // small on purpose: lines come in pieces
        ssize_t n(1);
        bool got(false);
    }
    got = take_line(line);
    while (!got && n > 0) {
        twait { at_fd_read(fd_, make_event()); }
        if (fd_ < 0)
            break;
        n = ::read(fd_, data, sizeof(data));
        if (n > 0)
            buffer_.append(data, n);
        else if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
            n = 1;
            continue;
        }
        got = take_line(line);
    }
    done(got);
}

tamed void line_stream::write(std::string text, event<bool> done) {
    tvars { size_t at(0); ssize_t n; }
    while (at < text.length() && fd_ >= 0) {
        n = ::write(fd_, text.data() + at, text.length() - at);
        if (n >= 0)
            at += n;
        else if (errno == EAGAIN)
            twait { at_fd_write(fd_, make_event()); }
        else if (errno != EINTR)
            break;
    }
    done(at == text.length());
}

// ---- the backend, behind its own pair of descriptors ----

typedef std::map<std::string, int> counts;

tamed void answer(std::shared_ptr<line_stream> out, int number, std::string name) {
    tvars { bool ok; }
    twait {
        // The longer the name the longer it takes
        tamer::at_delay_msec(20 * (int) name.length(), make_event());
    }
    twait { out->write(std::to_string(number) + " <" + name + ">\n", make_event(ok)); }
}

tamed void backend(int fd, counts* asked) {
    tvars {
        std::shared_ptr<line_stream> in(std::make_shared<line_stream>(fd));
        std::string line;
        bool ok;
        int number;
    }
    for (;;) {
        twait { in->read_line(line, make_event(ok)); }
        if (!ok)
            return;
        std::string::size_type space = line.find(' ');
        number = atoi(line.c_str());
        line = line.substr(space + 1);
        ++(*asked)[line];
        if (line[0] != '?')
            answer(in, number, line);
    }
}

// ---- the proxy ----

class proxy {
  public:
    explicit proxy(int fd)
        : backend_(fd), next_(0), hits_(0) {
    }
    int hits() const { return hits_; }
    tamed void run();
    tamed void get(std::string name, event<std::string> done);
    tamed void serve(int fd, event<int> done);
    void stop() { backend_.close(); }

  private:
    tamed void ask(std::string name, double timeout, event<bool, std::string> done);

    line_stream backend_;
    int next_;
    int hits_;
    std::map<int, event<std::string> > waiting_;
    std::map<std::string, std::string> kept_;
};

tamed void proxy::run() {
    tvars { std::string line; bool ok(true); }
    while (ok) {
        twait { backend_.read_line(line, make_event(ok)); }
        if (!ok)
            break;
        auto it = waiting_.find(atoi(line.c_str()));
        if (it == waiting_.end())
            continue;
        it->second.trigger(line.substr(line.find(' ') + 1));
        waiting_.erase(it);
    }
    // Whoever still waits is let go: nobody has their events any more.
    waiting_.clear();
}

tamed void proxy::ask(std::string name, double timeout, event<bool, std::string> done) {
    tvars {
        int number(next_++);
        rendezvous<int, bool> r(rvolatile);
        std::string text;
        int what;
        bool in_time, sent;
    }
    waiting_[number] = make_event(r, 1, true, text);
    twait { backend_.write(std::to_string(number) + " " + name + "\n", make_event(sent)); }
    at_delay(timeout, make_event(r, 2, false));
    twait(r, what, in_time);
    waiting_.erase(number);
    if (!sent || !in_time || text.empty())
        done(false, std::string("nothing"));
    else {
        kept_[name] = text;
        done(true, text);
    }
    // the timer, or what was erased, occurs for nobody now
}

tamed void proxy::get(std::string name, event<std::string> done) {
    tvars { bool ok; std::string text; }
    if (kept_.count(name)) {
        ++hits_;
        done(kept_[name]);
        return;
    }
    twait { ask(name, .4, make_event(ok, text)); }
    done(text + (ok ? "" : "!"));
}

// Pipelined: all lines of a client are asked for as they come, and answered in their order.
tamed void proxy::serve(int fd, event<int> done) {
    tvars {
        line_stream s(fd);
        rendezvous<int> r;
        std::deque<std::string> answers;
        std::deque<bool> here;
        std::string line;
        bool more(true), reading(false), written(true);
        int which;
        size_t first(0);
    }
    while (more || first < answers.size()) {
        if (more && !reading) {
            s.read_line(line, make_event(r, -1, more));
            reading = true;
        }
        twait(r, which);
        if (which >= 0)
            here[which] = true;
        else {
            reading = false;
            if (more) {
                answers.push_back(std::string());
                here.push_back(false);
                get(line, make_event(r, (int) answers.size() - 1, answers.back()));
            }
        }
        for (; written && first < answers.size() && here[first]; ++first)
            twait { s.write(answers[first] + "\n", make_event(written)); }
    }
    done((int) first);
}

// ---- clients ----

tamed void client(int fd, std::vector<std::string> names, int number, event<> done) {
    tvars {
        line_stream s(fd);
        size_t i;
        bool ok;
        std::string line;
    }
    for (i = 0; i < names.size(); ++i)
        twait { s.write(names[i] + "\n", make_event(ok)); }
    shutdown(fd, SHUT_WR);
    for (ok = true, i = 0; ok; ++i) {
        twait { s.read_line(line, make_event(ok)); }
        if (ok)
            printf("%d: %s -> %s\n", number, names[i].c_str(), line.c_str());
    }
    done();
}

tamed void run_client(proxy& p, std::vector<std::string> names, int number, event<> done) {
    tvars { int fds[2], lines; }
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0) {
        twait {
            p.serve(fds[0], make_event(lines));
            client(fds[1], names, number, make_event());
        }
        printf("client %d is served: %d lines\n", number, lines);
    }
    done();
}

tamed void run() {
    tvars {
        int fds[2];
        counts asked;
        std::unique_ptr<proxy> p;
        std::string text;
        rendezvous<std::string> r;
        std::string who;
    }
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0)
        exit(1);
    backend(fds[1], &asked);
    p.reset(new proxy(fds[0]));
    p->run();

    printf("-- one client\n");
    twait { run_client(*p, {"abcd", "b", "{", "?never", "b", "a line that takes long"}, 1, make_event()); }
    printf("hits: %d, asked for b: %d\n", p->hits(), asked["b"]);

    printf("-- two clients\n");
    run_client(*p, {"b", "abcd"}, 2, make_event(r, std::string("second")));
    at_delay_msec(60, make_event(r, std::string("tick")));
    run_client(*p, {"xyzuvwxyz"}, 3, make_event(r, std::string("third")));
    for (int i = 0; i < 3; ++i) {
        twait(r, who);
        printf("%s\n", who.c_str());
    }
    printf("hits: %d\n", p->hits());

    printf("-- the backend goes away\n");
    twait {
        p->get("slow", make_event(text));
        tamer::at_delay_msec(20, make_event());
        shutdown(fds[0], SHUT_RDWR);
    }
    printf("%s\n", text.c_str());
    exit(0);
}

} // namespace

int main(int, char**) {
    tamer::initialize();
    run();
    tamer::loop();
    tamer::cleanup();
}
