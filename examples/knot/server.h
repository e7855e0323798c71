// examples: the web server of a loop: its connections, and what becomes of them
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>

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

// One that is open, in its server's list: the longest silent first. It lies in the frame of the function that serves it, which waits
// most of its life: each byte here is a byte of every idle connection.
class Connection {
  public:
    Connection(Server &server, thalweg::tame::stream peer);
    Connection(const Connection &) = delete;
    Connection &operator=(const Connection &) = delete;
    ~Connection();

    // It has done something.
    void touch(std::time_t now);

    thalweg::tame::stream peer;
    Text text;  // what is sent, or was
    std::unique_ptr<std::string> rest;  // of a request that has not come whole; seldom there
    bool is_answering = false;

  private:
    friend Server;
    void leave();
    void join(std::time_t now);

    uint32_t since_ = 0;  // by the clock; differences hold until 2106 and after
    Server &server_;
    Connection *previous_ = nullptr, *next_ = nullptr;
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
    thalweg::tame::tamed<> serve(thalweg::tame::stream peer);
    // What becomes of bytes that have come.
    enum class Next { send, receive, answer_all, end };
    Next look_at(Connection &connection, std::string_view bytes);
    thalweg::tame::tamed<bool> answer_all(Connection &connection);
    thalweg::tame::tamed<Answer> answer_one(const Request &request, int status, bool closes);
    thalweg::tame::tamed<bool> send(Connection &connection, std::string before, Answer answer);
    thalweg::tame::tamed<bool> end(Connection &connection);
    thalweg::tame::tamed<> let_silent_go();
    thalweg::tame::tamed<> let_the_last_go();
    void let_go_of(std::time_t seconds, bool only_idle);

    thalweg::tame::listener sockets_;
    Site site_;
    Limits limits_;
    Connection *first_ = nullptr, *last_ = nullptr;
    bool watches_ = false;  // let_silent_go runs
    bool stops_ = false;
    size_t count_ = 0;  // of connections
    thalweg::tame::event<> has_room_;  // where that is too many
    thalweg::tame::event<> ended_;
};

}  // namespace knot
