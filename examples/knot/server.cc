// examples: the web server of a loop
#include "knot/server.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

namespace knot {

using thalweg::tame::blocking;
using thalweg::tame::event;
using thalweg::tame::listener;
using thalweg::tame::mkevent;
using thalweg::tame::pause_for;
using thalweg::tame::received;
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

// So deep may functions hand on a connection to each other before the loop has its turn: what comes without a pause needs no more stack.
constexpr unsigned kNested = 8;

Answer plain(std::string text) { return {Text(std::move(text)), {}, nullptr, {}}; }

Answer with_body(std::string header, const Page &page, Range part) {
    Answer answer = plain(std::move(header));
    if (page.is_file())
        answer.of_file = part;
    else
        answer.body = std::string_view(page.body()).substr(part.first, part.size);
    return answer;
}

Answer answer_of(Page &page, const Request &request, std::time_t now, After after) {
    const Validators &validators = page.validators();
    if (const int status = status_of(request.conditions, validators, now))
        return plain(status == 304 ? page.not_modified(now, after)
                                   : error_answer(status, now, after, !request.is_head()));
    const size_t size = page.size();
    if (request.is_head())
        return plain(page.header(now, 200, "", size, after));
    const std::optional<Range> range =
        may_have_part(request.conditions.range, validators, now) ? parse_range(request.range, size) : std::nullopt;
    if (range) {
        const std::string of = "/" + std::to_string(size) + "\r\n";
        if (range->size == 0)
            return plain(page.header(now, 416, "Content-Range: bytes *" + of, 0, after));
        const std::string which = "Content-Range: bytes " + std::to_string(range->first) + "-" +
                                  std::to_string(range->first + range->size - 1) + of;
        return with_body(page.header(now, 206, which, range->size, after), page, *range);
    }
    if (page.is_file())
        return with_body(page.header(now, 200, "", size, after), page, {0, size});
    return {page.whole(now, after), page.is_copied() ? std::string_view() : page.body(), nullptr, {}};
}

// In another thread. False: the file has become shorter meanwhile, or can't be read.
bool read_part(int fd, std::string &into, size_t offset) {
    size_t done = 0;
    while (done < into.size()) {
        const ssize_t count = pread(fd, into.data() + done, into.size() - done, static_cast<off_t>(offset + done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        done += static_cast<size_t>(count);
    }
    return true;
}

}  // namespace

// ---- connections ----

Connection::Connection(Server &server, stream of) : peer(std::move(of)), server_(server), since_(server.seconds_) {
    ++server_.count_;
    join(server_.ring_of(since_ + server_.longest_silence()));
}

Connection::Connection(Connection &&other) noexcept
    : peer(std::move(other.peer)), server_(other.server_), text_(std::move(other.text_)), since_(other.since_),
      is_answering(other.is_answering) {
    join(other);
    other.leave();
}

Connection::~Connection() {
    if (!peer)
        return;  // another function has it
    leave();
    --server_.count_;
    event<>(std::move(server_.has_room_)).trigger();
    if (server_.count_ == 0 && server_.stops_)
        event<>(std::move(server_.ended_)).trigger();
}

void Connection::touch() { since_ = server_.seconds_; }

// ---- the server ----

// A ring for each second that one may be silent, and for the one that is.
Server::Server(listener sockets, const std::string &root, size_t cache_bytes, Limits limits)
    : sockets_(std::move(sockets)), site_(root, cache_bytes), limits_(limits), rings_(longest_silence() + 1) {
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
            if (!watches_)
                watch();
            serve(Connection(*this, std::move(peer)));
        } catch (const std::system_error &error) {
            std::fprintf(stderr, "knot: a connection can't be taken: %s\n", error.what());
        }
    }
}

// Its frame is that of an idle connection: there is room for two waits in it, and for nothing else.
tamed<> Server::serve(Connection &&from) {
    Connection connection(std::move(from));
    while (const Text *text = connection.look_at((co_await connection.peer.receive()).bytes)) {
        if (co_await connection.peer.send(**text))
            break;
        connection.is_answering = false;
    }
}

const Text *Connection::look_at(std::string_view bytes) {
    if (const Text *found = server_.at_hand(bytes)) {
        touch();
        is_answering = true;
        if (*found != text_)
            text_ = *found;
        return &text_;
    }
    if (!bytes.empty()) {
        ++server_.nested_;
        server_.answer_others(std::move(*this), std::string(bytes));
        --server_.nested_;
    }
    return nullptr;
}

// The usual case: one request, whole, for a page in memory. Null: it is another.
const Text *Server::at_hand(std::string_view bytes) {
    if (stops_)
        return nullptr;
    const std::shared_ptr<Page> *page = site_.asked_again(bytes, now_);
    if (!page)
        page = read_usual(bytes);
    return page && (*page)->is_copied() ? &(*page)->whole(now_, After::stays) : nullptr;
}

[[gnu::noinline]] const std::shared_ptr<Page> *Server::read_usual(std::string_view bytes) {
    Request request;
    if (bytes.empty() || parse(bytes, request) != 0 || request.size != bytes.size() || !request.is_plain)
        return nullptr;
    return site_.in_memory(bytes, request.path, now_);
}

// Until all that has come is answered.
tamed<> Server::answer_others(Connection &&from, std::string bytes) {
    Connection connection(std::move(from));
    connection.is_answering = true;
    if (nested_ > kNested)
        co_await pause_for(std::chrono::nanoseconds(0));
    for (;;) {
        if (!co_await answer_all(connection, bytes))
            co_return;
        if (bytes.empty())
            break;
        const received got = co_await connection.peer.receive();
        if (!got)
            co_return;
        bytes += got.bytes;
    }
    if (stops_)
        co_return;
    connection.is_answering = false;
    ++nested_;
    serve(std::move(connection));
    --nested_;
}

// All that have come whole, in their order; what is left of the bytes is not whole yet. False: the connection has ended.
tamed<bool> Server::answer_all(Connection &connection, std::string &bytes) {
    std::string_view left = bytes;
    std::string together;
    for (bool closes = false; !closes && !left.empty();) {
        Request request;
        int status = parse(left, request);
        if (status == kPartial)
            break;
        const Body body = status == 0 ? parse_body(left.substr(request.size), request) : Body();
        if (body.status == kPartial && !request.waits_for_word)
            break;
        if (body.status != kPartial)
            status = std::max(status, body.status);
        closes = status != 0 || !request.keeps_alive || body.status != 0 || stops_;
        const After after = closes ? After::ends : request.is_old ? After::stays_told : After::stays;
        const Answer answer = co_await answer_one(request, status, after);
        left.remove_prefix(request.size + body.size);
        const bool is_small =
            answer.body.empty() && answer.of_file.size == 0 && together.size() + answer.text->size() <= kTogether;
        if (is_small)
            together += *answer.text;
        if (is_small && !closes && !left.empty())
            continue;
        Answer after_those;  // has a name: gcc 12 destroys twice what `?:` makes in what is awaited
        if (!is_small)
            after_those = answer;
        if (!co_await send(connection, std::exchange(together, std::string()), std::move(after_those)))
            co_return false;
        if (closes)
            co_return co_await end(connection);
    }
    bytes.erase(0, bytes.size() - left.size());
    if (together.empty())
        co_return true;
    co_return co_await send(connection, std::move(together), Answer());
}

tamed<Answer> Server::answer_one(const Request &request, int status, After after) {
    if (status != 0)
        co_return plain(error_answer(status, now_, after, !request.is_head()));
    const Found found = co_await site_.find(std::string(request.path), now_);
    if (!found.page)
        co_return plain(error_answer(found.status, now_, after, !request.is_head()));
    Answer answer = answer_of(*found.page, request, now_, after);
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
    connection.touch();
    for (size_t sent = body.size(); sent < answer.body.size(); sent += body.size()) {
        body = answer.body.substr(sent, kPart);
        if (co_await peer.send(body))
            co_return false;
        connection.touch();
    }
    co_return answer.of_file.size == 0 || co_await send_file(connection, answer);
}

// Of a file that is too large for the memory: part by part.
tamed<bool> Server::send_file(Connection &connection, const Answer &answer) {
    std::string part;
    for (size_t sent = 0; sent < answer.of_file.size; sent += part.size()) {
        part.resize(std::min(kPart, answer.of_file.size - sent));
        const int fd = answer.page->descriptor();
        const bool is_read = co_await blocking([&] { return read_part(fd, part, answer.of_file.first + sent); });
        if (!is_read || co_await connection.peer.send(part))
            co_return false;
        connection.touch();
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

void Server::look_at_the_clocks() {
    now_ = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    seconds_ = static_cast<uint32_t>(
        std::chrono::floor<std::chrono::seconds>(std::chrono::steady_clock::now().time_since_epoch()).count());
}

// At the beginning of each second, while there are connections.
tamed<> Server::watch() {
    watches_ = true;
    look_at_the_clocks();
    looked_at_ = seconds_;
    do {
        const auto now = std::chrono::system_clock::now();
        co_await pause_for(std::chrono::floor<std::chrono::seconds>(now) + std::chrono::seconds(1) - now);
        look_at_the_clocks();
        let_silent_go();
    } while (count_ != 0);
    watches_ = false;
}

// Each is told by its stream, and ends by itself: none of them is gone before this returns. One that has done something is looked at
// again when it may have been silent for too long; one that has not ended, in the next second.
void Server::let_silent_go() {
    const auto passed = std::min<size_t>(seconds_ - looked_at_, rings_.size());
    for (uint32_t i = 1; i <= passed; ++i) {
        Link due;
        due.take_all(ring_of(looked_at_ + i));
        while (due.next != &due) {
            auto &connection = static_cast<Connection &>(*due.next);
            const uint32_t left = connection.since_ + longest_silence() - seconds_;
            const bool is_silent = left == 0 || left > longest_silence();
            if (is_silent)
                connection.peer.shut_down();
            connection.leave();
            connection.join(ring_of(seconds_ + (is_silent ? 1 : left)));
        }
    }
    looked_at_ = seconds_;
}

void Server::let_all_go(bool only_idle) {
    for (Link &ring : rings_) {
        for (Link *link = ring.next; link != &ring; link = link->next) {
            auto &connection = static_cast<Connection &>(*link);
            if (!only_idle || !connection.is_answering)
                connection.peer.shut_down();
        }
    }
}

void Server::stop(event<> ended) {
    sockets_.close();
    stops_ = true;
    if (count_ == 0) {
        ended.trigger();
        return;
    }
    ended_ = std::move(ended);
    let_all_go(true);
    let_the_last_go();
}

tamed<> Server::let_the_last_go() {
    co_await pause_for(std::chrono::seconds(limits_.last_seconds));
    let_all_go(false);
}

}  // namespace knot
