// examples: the web server of a loop
#include "knot/server.h"

#include <sys/socket.h>

#include <cstdio>
#include <utility>

namespace knot {

using thalweg::tame::event;
using thalweg::tame::listener;
using thalweg::tame::mkevent;
using thalweg::tame::pause_for;
using thalweg::tame::rendezvous;
using thalweg::tame::stream;
using thalweg::tame::tamed;

namespace {

// A part of an answer, which has to go within the limit of time: at 30 seconds, 70 kbit a second.
constexpr size_t kPart = 262144;  // bytes
// Answers to requests that came together are sent together, up to this.
constexpr size_t kTogether = 65536;  // bytes
// After the last answer, what the client still sends is read, or it would lose the answer: as much as a form, not an upload.
constexpr int kLastReceives = 64;

Answer plain(std::string text, bool closes) {
    return {std::make_shared<const std::string>(std::move(text)), {}, nullptr, closes};
}

Answer answer_of(Page &page, const Request &request, std::time_t now, bool closes) {
    const bool is_head = request.method == "HEAD";
    if (!request.modified_since.empty() && request.modified_since == page.modified())
        return plain(error_answer(304, now, closes), closes);
    const size_t size = page.body().size();
    if (const std::optional<Range> range = parse_range(request.range, size); range && !is_head) {
        const std::string of = "/" + std::to_string(size) + "\r\n";
        if (range->size == 0)
            return plain(page.header(now, 416, "Content-Range: bytes *" + of, 0, closes), closes);
        const std::string which = "Content-Range: bytes " + std::to_string(range->first) + "-" +
                                  std::to_string(range->first + range->size - 1) + of;
        Answer answer = plain(page.header(now, 206, which, range->size, closes), closes);
        answer.body = std::string_view(page.body()).substr(range->first, range->size);
        return answer;
    }
    if (is_head)
        return plain(page.header(now, 200, "", size, closes), closes);
    return {page.whole(now, closes), page.is_copied() ? std::string_view() : page.body(), nullptr, closes};
}

}  // namespace

// ---- connections ----

Connection::Connection(Server &server, stream of) : peer(std::move(of)), server_(server) {
    ++server_.count_;
    join(std::time(nullptr));
}

Connection::~Connection() {
    leave();
    --server_.count_;
    event<>(std::move(server_.has_room_)).trigger();
    if (!server_.first_ && server_.stops_)
        event<>(std::move(server_.ended_)).trigger();
}

void Connection::join(std::time_t now) {
    since_ = static_cast<uint32_t>(now);
    previous_ = server_.last_;
    next_ = nullptr;
    (previous_ ? previous_->next_ : server_.first_) = this;
    server_.last_ = this;
}

void Connection::leave() {
    (previous_ ? previous_->next_ : server_.first_) = next_;
    (next_ ? next_->previous_ : server_.last_) = previous_;
}

void Connection::touch(std::time_t now) {
    leave();
    join(now);
}

// ---- the server ----

Server::Server(listener sockets, const std::string &root, size_t cache_bytes, Limits limits)
    : sockets_(std::move(sockets)), site_(root, cache_bytes), limits_(limits) {
    take_connections();
}

tamed<> Server::take_connections() {
    for (;;) {
        if (count_ >= limits_.connections) {
            rendezvous<> r;
            has_room_ = mkevent(r);
            co_await r;
        }
        try {
            stream peer = co_await sockets_.accept();
            if (!peer)
                co_return;
            serve(std::move(peer));
        } catch (const std::system_error &error) {
            std::fprintf(stderr, "knot: a connection can't be taken: %s\n", error.what());
        }
    }
}

tamed<> Server::serve(stream peer) {
    Connection connection(*this, std::move(peer));
    if (!watches_)
        let_silent_go();
    for (;;) {
        switch (look_at(connection, (co_await connection.peer.receive()).bytes)) {
        case Next::send:
            if (co_await connection.peer.send(*connection.text))
                co_return;
            connection.is_answering = false;
            break;
        case Next::receive:
            break;
        case Next::answer_all:
            if (!co_await answer_all(connection))
                co_return;
            break;
        case Next::end:
            co_return;
        }
    }
}

// The common case is one request, whole, for a page in memory: its answer is there. All else is answer_all's.
Server::Next Server::look_at(Connection &connection, std::string_view bytes) {
    if (bytes.empty())
        return Next::end;
    const std::time_t now = std::time(nullptr);
    Request request;
    const int status = connection.rest ? kPartial : parse(bytes, request);
    const bool is_common = status == 0 && request.size == bytes.size() && request.method == "GET" &&
                           request.range.empty() && request.modified_since.empty() && !request.has_body &&
                           request.keeps_alive && !stops_;
    std::shared_ptr<Page> *page = is_common ? site_.in_memory(request.path, now) : nullptr;
    connection.is_answering = true;
    if (page && (*page)->is_copied()) {
        if (const Text &text = (*page)->whole(now, false); text != connection.text)
            connection.text = text;
        connection.touch(now);
        return Next::send;
    }
    if (!connection.rest)
        connection.rest = std::make_unique<std::string>();
    *connection.rest += bytes;
    return status == kPartial && parse(*connection.rest, request) == kPartial ? Next::receive : Next::answer_all;
}

// All that have come whole, in their order. False: it was the last.
tamed<bool> Server::answer_all(Connection &connection) {
    const std::unique_ptr<std::string> bytes = std::move(connection.rest);
    std::string_view left = *bytes;
    std::string together;
    for (bool closes = false; !closes && !left.empty();) {
        Request request;
        const int status = parse(left, request);
        if (status == kPartial) {
            connection.rest = std::make_unique<std::string>(left);
            break;
        }
        closes = status != 0 || !request.keeps_alive || request.has_body || stops_;
        const Answer answer = co_await answer_one(request, status, closes);
        left.remove_prefix(request.size);
        const bool is_small = answer.body.empty() && together.size() + answer.text->size() <= kTogether;
        if (is_small)
            together += *answer.text;
        if (is_small && !closes && !left.empty())
            continue;
        if (!co_await send(connection, std::exchange(together, std::string()), is_small ? Answer() : answer))
            co_return false;
        if (closes)
            co_return co_await end(connection);
    }
    if (!together.empty() && !co_await send(connection, std::move(together), {}))
        co_return false;
    connection.is_answering = connection.rest != nullptr;
    co_return connection.rest || !stops_;
}

tamed<Answer> Server::answer_one(const Request &request, int status, bool closes) {
    const std::time_t now = std::time(nullptr);
    if (status == 0 && request.method != "GET" && request.method != "HEAD")
        status = 405;
    if (status != 0)
        co_return plain(error_answer(status, now, closes), closes);
    const Found found = co_await site_.find(std::string(request.path), now);
    if (!found.page)
        co_return plain(error_answer(found.status, now, closes), closes);
    Answer answer = answer_of(*found.page, request, now, closes);
    answer.page = found.page;
    co_return answer;
}

tamed<bool> Server::send(Connection &connection, std::string before, Answer answer) {
    stream &peer = connection.peer;
    if (answer.text)
        before += *answer.text;
    std::string_view body = answer.body.substr(0, kPart);
    if (co_await peer.send(before, body))
        co_return false;
    connection.touch(std::time(nullptr));
    for (size_t sent = body.size(); sent < answer.body.size(); sent += body.size()) {
        body = answer.body.substr(sent, kPart);
        if (co_await peer.send(body))
            co_return false;
        connection.touch(std::time(nullptr));
    }
    co_return true;
}

// A socket that is closed with bytes unread resets the connection, and the client may never see the answer.
tamed<bool> Server::end(Connection &connection) {
    ::shutdown(connection.peer.descriptor(), SHUT_WR);
    for (int i = 0; i < kLastReceives; ++i) {
        if (!co_await connection.peer.receive())
            break;
    }
    co_return false;
}

tamed<> Server::let_silent_go() {
    watches_ = true;
    while (first_) {
        co_await pause_for(std::chrono::seconds(1));
        let_go_of(limits_.seconds, false);
    }
    watches_ = false;
}

// Each is told by its stream, and ends by itself: none of them is gone before this returns.
void Server::let_go_of(std::time_t seconds, bool only_idle) {
    const auto now = static_cast<uint32_t>(std::time(nullptr));
    for (Connection *connection = first_; connection; connection = connection->next_) {
        if (static_cast<std::time_t>(now - connection->since_) < seconds)
            break;
        if (!only_idle || !connection->is_answering)
            connection->peer.shut_down();
    }
}

void Server::stop(event<> ended) {
    sockets_.close();
    stops_ = true;
    if (!first_) {
        ended.trigger();
        return;
    }
    ended_ = std::move(ended);
    let_go_of(0, true);
    let_the_last_go();
}

tamed<> Server::let_the_last_go() {
    co_await pause_for(std::chrono::seconds(limits_.last_seconds));
    let_go_of(0, false);
}

}  // namespace knot
