// examples: the web server of a loop: its connections, and what becomes of them
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <thalweg/tame.h>
#include <thalweg/tame/io.h>

#include "knot/request.h"
#include "knot/site.h"

namespace knot {

struct Limits {
    // From one answer to the end of the next request, and for each part of an answer: who is slower is let go.
    std::time_t seconds = 30;
    // At once, of a loop; more wait in the kernel.
    size_t connections = SIZE_MAX;
    // When the server ends, for answers that are on their way.
    std::time_t last_seconds = 5;
};

class Server;

// In a ring of those that are looked at in the same second.
struct Link {
    Link *previous = this, *next = this;

    void leave() {
        previous->next = next;
        next->previous = previous;
    }
    void join(Link &ring) {
        previous = ring.previous;
        next = &ring;
        previous->next = this;
        ring.previous = this;
    }
    // This is a ring, and an empty one.
    void take_all(Link &ring) {
        join(ring);
        ring.leave();
        ring.previous = ring.next = &ring;
    }
};

// One that is open. It lies in the frame of the function that serves it, which waits most of its life: each byte here is a byte of every
// idle connection.
class Connection : Link {
  public:
    Connection(Server &server, thalweg::tame::stream peer);
    // To another function, which serves it from then on.
    Connection(Connection &&other) noexcept;
    Connection &operator=(Connection &&) = delete;
    ~Connection();

    // It has done something.
    void touch();
    // What is sent for bytes that have come; null: another function has the connection, or it is at its end.
    const Text *look_at(std::string_view bytes);

    thalweg::tame::stream peer;

  private:
    friend Server;

    Server &server_;
    Text text_;  // what is sent, or was: its page may have another one meanwhile
    uint32_t since_;  // it has been silent, by the server's seconds

  public:
    bool is_answering = false;
};

class Server {
  public:
    Server(thalweg::tame::listener sockets, const std::string &root, size_t cache_bytes, Limits limits);
    Server(const Server &) = delete;
    Server &operator=(const Server &) = delete;

    // Takes no more connections, lets the idle ones go, and `ended` when the others have their answers.
    void stop(thalweg::tame::event<> ended);
    uint16_t port() const { return sockets_.port(); }

  private:
    friend Connection;
    thalweg::tame::tamed<> take_connections();
    static thalweg::tame::tamed<> serve(Connection &&from);
    const Text *at_hand(std::string_view bytes);
    const std::shared_ptr<Page> *read_usual(std::string_view bytes);
    thalweg::tame::tamed<> answer_others(Connection &&from, std::string bytes);
    thalweg::tame::tamed<bool> answer_all(Connection &connection, std::string &bytes);
    thalweg::tame::tamed<Answer> answer_one(const Request &request, int status, After after);
    thalweg::tame::tamed<bool> send(Connection &connection, std::string before, Answer answer);
    thalweg::tame::tamed<bool> send_file(Connection &connection, const Answer &answer);
    thalweg::tame::tamed<bool> end(Connection &connection);
    thalweg::tame::tamed<> watch();
    void look_at_the_clocks();
    void let_silent_go();
    void let_all_go(bool only_idle);
    thalweg::tame::tamed<> let_the_last_go();
    // One more than the limit: who did something in the last moment of a second did it when that began.
    uint32_t longest_silence() const { return static_cast<uint32_t>(limits_.seconds) + 1; }
    Link &ring_of(uint32_t second) { return rings_[second % rings_.size()]; }

    thalweg::tame::listener sockets_;
    Site site_;
    Limits limits_;
    std::vector<Link> rings_;  // of connections, by the second in which they may have been silent for too long
    bool watches_ = false;  // watch() runs
    bool stops_ = false;
    // As the clocks showed when this second began: no request asks them.
    std::time_t now_ = 0;
    uint32_t seconds_ = 0;  // of a clock that nobody sets; differences hold even after 136 years
    uint32_t looked_at_ = 0;  // the last of these whose ring was
    size_t count_ = 0;  // of connections
    unsigned nested_ = 0;  // functions that have handed on their connections, and have not returned yet
    thalweg::tame::event<> has_room_;  // where that is too many
    thalweg::tame::event<> ended_;
};

}  // namespace knot
