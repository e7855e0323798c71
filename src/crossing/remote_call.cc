// crossing: remote calls of one client that are on their way at once, in datagrams.
#include "abi/remote_call.h"

#include <endian.h>
#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/single_threaded.h>
#include <sys/socket.h>
#include <time.h>

#include "crossing/own_calls.h"
#include "crossing/remote_interface.h"
#include "crossing/remote_reply.h"

namespace {

using namespace thalweg::crossing;

constexpr uint32_t head_words = 6;  // of a request, before the credentials (RFC 5531, section 9)
constexpr uint32_t protocol_version = 2;
constexpr int32_t last_plain_flavor = 2;  // none, the system's, its short form: the arguments go as they are
// The library takes up to two further numbers for a call whose credentials it renews; the group's own lie further apart.
constexpr uint32_t apart = 4;
constexpr int64_t ns_in_s = 1'000'000'000;
constexpr int64_t ns_in_ms = 1'000'000;

int64_t now_ns() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * ns_in_s + now.tv_nsec;
}

// 0: no such time, or none to wait.
int64_t time_ns(const timeval &time) {
    if (time.tv_sec < 0 || time.tv_sec > INT_MAX || time.tv_usec < 0 || time.tv_usec >= 1'000'000)
        return 0;
    return time.tv_sec * ns_in_s + time.tv_usec * 1000;
}

int32_t call_original(Client *client, const thalweg_crossing_request &request, const thalweg_crossing_answer &answer) {
    return client->operations->call(client, request.procedure, request.encode, request.arguments, answer.decode,
                                    answer.results, *answer.limit);
}

bool ask(Client *client, Request what, void *info) { return client->operations->control(client, what, info) != 0; }

// The library of glibc hands over numbers of 64 bits, that of libtirpc of 32.
bool ask_number(Client *client, Request what, uint32_t &number) {
    uint64_t wide = 0;
    const bool is_told = ask(client, what, &wide);
    number = static_cast<uint32_t>(wide);
    return is_told;
}

class Transactions {
  public:
    Transactions(Client *client, bool swapped) : client_(client), swapped_(swapped) {}

    uint32_t after(uint32_t one, uint32_t steps) const {
        return swapped_ ? __builtin_bswap32(__builtin_bswap32(one) + steps) : one + steps;
    }

    // The library's next call takes this number. What is set is not what is kept, in each library by another rule: it is looked at.
    bool set_next(uint32_t transaction) const {
        const uint32_t kept = after(transaction, UINT32_MAX);
        uint32_t asked = transaction;
        for (int i = 0; i < 2; ++i) {
            uint64_t wide = asked;
            uint32_t found = 0;
            if (!ask(client_, set_transaction, &wide) || !ask_number(client_, get_transaction, found))
                return false;
            if (found == kept)
                return true;
            asked += kept - found;
        }
        return false;
    }

  private:
    Client *client_;
    bool swapped_;
};

bool is_datagram_socket(int descriptor) {
    int type = 0;
    socklen_t size = sizeof type;
    return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_DGRAM;
}

// What a kind of client does with its transactions' numbers is seen at one call of its own.
int32_t call_to_learn(thalweg_crossing_remote *remote, Client *client, const thalweg_crossing_request &request,
                      const thalweg_crossing_answer &answer) {
    uint32_t before = 0;
    uint32_t after = 0;
    int descriptor = -1;
    const bool is_told = ask_number(client, get_transaction, before);
    const int32_t status = call_original(client, request, answer);
    if (status != success || !is_told || !ask_number(client, get_transaction, after) ||
        !ask(client, get_descriptor, &descriptor) || !is_datagram_socket(descriptor))
        return status;
    const bool plain = after - before == 1;
    const bool swapped = __builtin_bswap32(after) - __builtin_bswap32(before) == 1;
    const Transactions transactions(client, swapped);
    if (plain == swapped || !transactions.set_next(transactions.after(after, 1)))
        return status;
    remote->counts_swapped = swapped ? 1 : 0;
    remote->known_call = client->operations->call;
    return status;
}

struct Way {
    int descriptor;
    uint32_t program;
    uint32_t version;
    sockaddr_storage address;
    socklen_t address_size;
};

bool find_way(Client *client, Way &way) {
    timeval total{};
    way.address = {};
    if (!ask(client, get_descriptor, &way.descriptor) || !ask_number(client, get_program, way.program) ||
        !ask_number(client, get_version, way.version) || !ask(client, get_server_address, &way.address) ||
        !ask(client, get_timeout, &total))
        return false;
    // A time limit of 0 that the program has set for all calls: it doesn't wait for replies.
    if (total.tv_sec == 0 && total.tv_usec == 0)
        return false;
    way.address_size = way.address.ss_family == AF_INET    ? sizeof(sockaddr_in)
                       : way.address.ss_family == AF_INET6 ? sizeof(sockaddr_in6)
                                                           : 0;
    return way.address_size != 0;
}

// How many of the calls, from the first on, are of one set of the user's.
uint32_t count_independent(const thalweg_crossing_calls *calls, const Way &way,
                           const thalweg_crossing_request *requests, uint32_t count) {
    uint32_t most = 0;
    for (uint32_t first = 0; first < calls->rows_count; ++first) {
        const uint32_t set = calls->rows[first].set;
        uint32_t found = 0;
        const auto is_in_set = [&](uint64_t procedure) {
            for (uint32_t i = 0; i < calls->rows_count; ++i) {
                const thalweg_crossing_independent &row = calls->rows[i];
                if (row.set == set && row.program == way.program && row.version == way.version &&
                    row.procedure == procedure)
                    return true;
            }
            return false;
        };
        while (found < count && is_in_set(requests[found].procedure))
            ++found;
        most = found > most ? found : most;
    }
    return most;
}

// A client that holds an older call's error would go on telling of it after a call that the library didn't make.
bool holds_no_error(Client *client) {
    Error error{};
    client->operations->error(client, &error);
    return error.status == success;
}

bool has_plain_credentials(const Auth *auth) {
    return auth != nullptr && auth->credentials.flavor >= 0 && auth->credentials.flavor <= last_plain_flavor;
}

class Group {
  public:
    Group(thalweg_crossing_remote *remote, const thalweg_crossing_calls *calls, thalweg_crossing_flight *flight,
          Client *client)
        : remote_(remote), calls_(calls), flight_(flight), client_(client),
          transactions_(client, remote->counts_swapped != 0) {}

    // Sends as many as it can, two at least; false: nothing was sent.
    bool send(const thalweg_crossing_request *requests, uint32_t count) {
        Way way;
        uint32_t last = 0;
        if (!find_way(client_, way) || !ask_number(client_, get_transaction, last))
            return false;
        count = count_independent(calls_, way, requests, count);
        const uint64_t number = ++remote_->number;
        uint32_t made = 0;
        while (made < count && make_request(made, requests[made], way, transactions_.after(last, 1 + made * apart)))
            ++made;
        for (thalweg_crossing_message &reply : remote_->replies)
            reply.is_for = 0;
        flight_->after = transactions_.after(last, 1 + made * apart);
        // Whether an encoder of the program's has made calls of its own is seen at the number.
        if (made < 2 || remote_->number != number || !has_no_error_waiting(way.descriptor) ||
            !transactions_.set_next(flight_->after))
            return false;
        flight_->count = send_requests(way, made);
        if (flight_->count == 0)
            return false;
        flight_->number = number;
        flight_->client = client_;
        flight_->others_dropped = 0;
        flight_->arrived = 0;
        flight_->settled = 0;
        return true;
    }

    int32_t settle(uint32_t index, const thalweg_crossing_request &request, const thalweg_crossing_answer &answer,
                   bool may_be_there) {
        const bool is_plain = __libc_single_threaded && holds_no_error(client_) && time_ns(*answer.limit) != 0 &&
                              has_plain_credentials(client_->auth);
        const thalweg_crossing_message *reply = is_plain ? wait_for(index, *answer.limit, may_be_there) : nullptr;
        ReplyHead head{};
        if (reply == nullptr || !read_success(reply->bytes, reply->size, head) || !is_valid(*reply, head))
            return call_again(index, request, answer);
        if (decode(*reply, head, answer))
            return success;
        // Part of it may stand in the results already, as the library would have left it: it is told to tell of that.
        thalweg_crossing_answer none = answer;
        none.decode = [](Stream *, void *) { return int32_t{0}; };
        return call_again(index, request, none);
    }

    // Whether what would be sent now is what was sent.
    bool is_still_asked(uint32_t index, const thalweg_crossing_request &request) {
        const thalweg_crossing_message &sent = remote_->requests[index];
        thalweg_crossing_message &again = remote_->again;
        Stream stream{};
        make_stream(stream, again, sent.arguments_at, thalweg_crossing_message_bytes, encode_stream);
        if (request.encode(&stream, request.arguments) == 0)
            return false;
        const uint32_t size = sent.arguments_at + stream.operations->position(&stream);
        const uint32_t procedure = htobe32(static_cast<uint32_t>(request.procedure));
        return size == sent.size && memcmp(sent.bytes + sizeof(uint32_t) * (head_words - 1), &procedure, 4) == 0 &&
               memcmp(sent.bytes + sent.arguments_at, again.bytes + sent.arguments_at, size - sent.arguments_at) == 0;
    }

    // The library sends the same request once more, as it does after a lost datagram.
    int32_t call_again(uint32_t index, const thalweg_crossing_request &request, const thalweg_crossing_answer &answer) {
        if (is_here())
            leave_to_library(*answer.limit);
        int32_t status = cannot_send;
        // Nobody listens: each datagram of the group is answered so, at a time of its own, and the next call of send(2) is told of it. The
        // original, which has one request on its way, is told where it waits for the reply.
        for (uint32_t i = 0; i <= flight_->count && (i == 0 || (status == cannot_send && was_refused())); ++i) {
            transactions_.set_next(flight_->transactions[index]);
            status = call_original(client_, request, answer);
        }
        transactions_.set_next(flight_->after);
        return status;
    }

    // To be done before the library makes a call of this client while replies of the group may still be on their way. libtirpc (1.3.3), where it
    // finds one that isn't the one it waits for, takes a whole retry's time off what it has, asks again, and so finds another such reply at
    // its next call, and so on: all the program's later calls may fail. Waits for them no longer than for one that is asked for.
    void leave_to_library(const timeval &limit) {
        if (flight_->others_dropped == 0)
            take_in_until([&] { return flight_->arrived == (1U << flight_->count) - 1; }, limit, true);
        flight_->others_dropped = 1;
    }

    bool is_here() const { return flight_->number == remote_->number; }

  private:
    bool was_refused() const {
        Error error{};
        client_->operations->error(client_, &error);
        return error.status == cannot_send && error.number == ECONNREFUSED;
    }

    void make_stream(Stream &stream, thalweg_crossing_message &message, uint32_t from, uint32_t to,
                     StreamOperation operation) const {
        calls_->make_stream(&stream, reinterpret_cast<char *>(message.bytes) + from, to - from, operation);
    }

    bool make_request(uint32_t index, const thalweg_crossing_request &request, const Way &way, uint32_t transaction) {
        thalweg_crossing_message &message = remote_->requests[index];
        flight_->transactions[index] = transaction;
        const uint32_t head[head_words] = {transaction, 0,           protocol_version,
                                           way.program, way.version, static_cast<uint32_t>(request.procedure)};
        for (uint32_t i = 0; i < head_words; ++i) {
            const uint32_t word = htobe32(head[i]);
            memcpy(message.bytes + i * sizeof word, &word, sizeof word);
        }
        Stream stream{};
        make_stream(stream, message, sizeof head, thalweg_crossing_message_bytes, encode_stream);
        if (client_->auth->operations->marshal(client_->auth, &stream) == 0)
            return false;
        message.arguments_at = static_cast<uint32_t>(sizeof head) + stream.operations->position(&stream);
        if (request.encode(&stream, request.arguments) == 0)
            return false;
        message.size = static_cast<uint32_t>(sizeof head) + stream.operations->position(&stream);
        return true;
    }

    // An error of an older datagram is the first call's to tell.
    static bool has_no_error_waiting(int descriptor) {
        pollfd one{descriptor, POLLIN, 0};
        return poll(&one, 1, 0) >= 0 && (one.revents & ~POLLIN) == 0;
    }

    uint32_t send_requests(Way &way, uint32_t count) {
        mmsghdr headers[thalweg_crossing_most_calls] = {};
        iovec parts[thalweg_crossing_most_calls];
        for (uint32_t i = 0; i < count; ++i) {
            parts[i] = {remote_->requests[i].bytes, remote_->requests[i].size};
            headers[i].msg_hdr.msg_name = &way.address;
            headers[i].msg_hdr.msg_namelen = way.address_size;
            headers[i].msg_hdr.msg_iov = &parts[i];
            headers[i].msg_hdr.msg_iovlen = 1;
        }
        const int sent = sendmmsg(way.descriptor, headers, count, 0);
        return sent > 0 ? static_cast<uint32_t>(sent) : 0;
    }

    thalweg_crossing_message *reply_for(uint32_t index) {
        for (thalweg_crossing_message &reply : remote_->replies)
            if (reply.is_for == index + 1)
                return &reply;
        return nullptr;
    }

    // Takes what has come, without waiting. Replies of others and second ones are dropped, as the library drops them.
    void take_in() {
        int descriptor = -1;
        if (!ask(client_, get_descriptor, &descriptor))
            return;
        mmsghdr headers[thalweg_crossing_most_calls] = {};
        iovec parts[thalweg_crossing_most_calls];
        thalweg_crossing_message *into[thalweg_crossing_most_calls];
        uint32_t free = 0;
        for (thalweg_crossing_message &reply : remote_->replies) {
            if (reply.is_for != 0)
                continue;
            parts[free] = {reply.bytes, thalweg_crossing_message_bytes};
            headers[free].msg_hdr.msg_iov = &parts[free];
            headers[free].msg_hdr.msg_iovlen = 1;
            into[free++] = &reply;
        }
        const int came = free == 0 ? 0 : recvmmsg(descriptor, headers, free, MSG_DONTWAIT, nullptr);
        for (int i = 0; i < came; ++i) {
            into[i]->size = headers[i].msg_len;
            put_down(*into[i], (headers[i].msg_hdr.msg_flags & MSG_TRUNC) == 0);
        }
    }

    // One that is too long is asked for again by the library, whose buffer may be longer.
    void put_down(thalweg_crossing_message &reply, bool is_whole) {
        uint32_t transaction = 0;
        if (!read_transaction(reply.bytes, reply.size, transaction))
            return;
        for (uint32_t i = 0; i < flight_->count; ++i) {
            if (flight_->transactions[i] != transaction)
                continue;
            flight_->arrived |= 1U << i;
            if (is_whole && reply_for(i) == nullptr)
                reply.is_for = i + 1;
        }
    }

    // Null: it hasn't come in the time after which the library would ask again.
    const thalweg_crossing_message *wait_for(uint32_t index, const timeval &limit, bool may_be_there) {
        const bool has_time = reply_for(index) == nullptr && flight_->others_dropped == 0;
        if (has_time && !take_in_until([&] { return reply_for(index) != nullptr; }, limit, may_be_there)) {
            // What isn't here after this time has been lost, if it isn't late: nobody waits for the others once more.
            take_in();
            flight_->others_dropped = 1;
        }
        return reply_for(index);
    }

    // False: not in the time after which the library would ask again, or there is an error at the socket.
    template <typename Condition>
    bool take_in_until(Condition is_enough, const timeval &limit, bool may_be_there) {
        timeval retry{};
        pollfd one{-1, POLLIN, 0};
        if (!ask(client_, get_retry_timeout, &retry) || !ask(client_, get_descriptor, &one.fd))
            return false;
        const int64_t patience = time_ns(retry) < time_ns(limit) ? time_ns(retry) : time_ns(limit);
        const int64_t until = now_ns() + patience;
        for (bool is_ready = may_be_there;; is_ready = true) {
            if (is_ready)
                take_in();
            if (is_enough())
                return true;
            const int64_t left = until - now_ns();
            if (left <= 0 || (one.revents & ~POLLIN) != 0)
                return false;
            const int64_t milliseconds = (left + ns_in_ms - 1) / ns_in_ms;
            const int found = poll(&one, 1, milliseconds < INT_MAX ? static_cast<int>(milliseconds) : INT_MAX);
            if (found == 0 || (found < 0 && errno != EINTR))
                return false;
        }
    }

    bool is_valid(const thalweg_crossing_message &reply, const ReplyHead &head) const {
        OpaqueAuth verifier{head.flavor, nullptr, head.verifier_size};
        if (head.verifier_size != 0)
            verifier.bytes = reinterpret_cast<char *>(const_cast<uint8_t *>(reply.bytes)) + head.verifier_at;
        return client_->auth->operations->validate(client_->auth, &verifier) != 0;
    }

    bool decode(const thalweg_crossing_message &reply, const ReplyHead &head,
                const thalweg_crossing_answer &answer) const {
        Stream stream{};
        make_stream(stream, const_cast<thalweg_crossing_message &>(reply), head.results_at, reply.size, decode_stream);
        return answer.decode(&stream, answer.results) != 0;
    }

    thalweg_crossing_remote *remote_;
    const thalweg_crossing_calls *calls_;
    thalweg_crossing_flight *flight_;
    Client *client_;
    Transactions transactions_;
};

}  // namespace

int32_t thalweg_crossing_first_call(thalweg_crossing_remote *remote, const thalweg_crossing_calls *calls,
                                    thalweg_crossing_flight *flight, const thalweg_crossing_request *requests,
                                    uint32_t count, Client *client, const thalweg_crossing_answer *answer) {
    flight->number = 0;
    if (!thalweg_crossing_may_call() || !__libc_single_threaded || count < 2 || !has_plain_credentials(client->auth) ||
        time_ns(*answer->limit) == 0)
        return call_original(client, requests[0], *answer);
    timeval retry{};
    if (!ask(client, get_retry_timeout, &retry) || time_ns(retry) == 0)
        return call_original(client, requests[0], *answer);
    if (remote->known_call != client->operations->call)
        return call_to_learn(remote, client, requests[0], *answer);
    Group group(remote, calls, flight, client);
    if (!holds_no_error(client) ||
        !group.send(requests, count < thalweg_crossing_most_calls ? count : thalweg_crossing_most_calls))
        return call_original(client, requests[0], *answer);
    flight->settled = 1;
    return group.settle(0, requests[0], *answer, false);
}

int32_t thalweg_crossing_next_call(thalweg_crossing_remote *remote, const thalweg_crossing_calls *calls,
                                   thalweg_crossing_flight *flight, uint32_t index,
                                   const thalweg_crossing_request *request, Client *client,
                                   const thalweg_crossing_answer *answer) {
    const uint32_t bit = 1U << (index % thalweg_crossing_most_calls);
    if (flight->number == 0 || index >= flight->count || flight->client != client || (flight->settled & bit) != 0)
        return call_original(client, *request, *answer);
    flight->settled |= bit;
    Group group(remote, calls, flight, client);
    // Another group's messages stand where this one's stood.
    if (!group.is_here())
        return group.call_again(index, *request, *answer);
    if (!group.is_still_asked(index, *request)) {
        group.leave_to_library(*answer->limit);
        return call_original(client, *request, *answer);
    }
    return group.settle(index, *request, *answer, true);
}
