// tests: a server of datagrams that loses, doubles, exchanges and spoils; with fault "stream" a plain one of a stream.
#include "server.h"

#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interface.h"

enum {
    WORDS = 1024,
    TRANSACTION = 0,
    PROCEDURE = 5,
    CREDENTIALS_SIZE = 7,
    AT_ONCE = 8,
    GATHERS_MS = 40,  // so long it waits for more before it answers, where it answers all together
    LATE_MS = 60,  // between the answers to requests that lay there together
    DIES_AFTER = 14,
    MOST_REQUESTS = 4096,
};

struct request {
    uint32_t words[WORDS];
    long size;
    struct sockaddr_in from;
};

static uint32_t word(const struct request *request, unsigned at) { return ntohl(request->words[at]); }

// Behind credentials and verifier.
static uint32_t argument_of(const struct request *request) {
    const uint32_t at = 8 + word(request, CREDENTIALS_SIZE) / 4;
    return word(request, at + 2 + word(request, at + 1) / 4);
}

// In words: an answer of each kind.
static unsigned answer(const char *fault, const struct request *request, uint32_t *out) {
    const uint32_t procedure = word(request, PROCEDURE);
    const bool is_spoilt = procedure == (strcmp(fault, "late-failing") == 0 ? FIRST : SECOND);
    unsigned at = 0;
    out[at++] = request->words[TRANSACTION];
    out[at++] = htonl(1);
    if (is_spoilt && strcmp(fault, "denied") == 0) {
        out[at++] = htonl(1);  // MSG_DENIED
        out[at++] = htonl(1);  // AUTH_ERROR
        out[at++] = htonl(2);  // AUTH_REJECTEDCRED
        return at;
    }
    if (is_spoilt && strcmp(fault, "garbage") == 0) {
        for (unsigned i = 0; i < 9; ++i)
            out[at++] = htonl(0x9e3779b9u * (i + 1));
        return at;
    }
    for (int i = 0; i < 3; ++i)
        out[at++] = 0;  // MSG_ACCEPTED, a verifier of no bytes
    if (is_spoilt && (strcmp(fault, "unavailable") == 0 || strstr(fault, "failing") != NULL)) {
        out[at++] = htonl(strstr(fault, "failing") != NULL ? 5 : 3);  // SYSTEM_ERR, PROC_UNAVAIL
        return at;
    }
    out[at++] = 0;  // SUCCESS
    const uint32_t number = argument_of(request);
    if (procedure > 10) {
        out[at++] = htonl(number * 2 + 1);
        return at;
    }
    char text[MOST_TEXT + 4] = {0};
    const unsigned length = (unsigned)snprintf(text, 64, "procedure %u of %u", procedure, number) + number % 7 * 300;
    for (size_t i = strlen(text); i < length; ++i)
        text[i] = (char)('a' + i % 26);
    const bool is_cut = is_spoilt && strcmp(fault, "short") == 0;
    out[at++] = htonl(is_cut ? length + 400 : length);
    memcpy(&out[at], text, (length + 3) / 4 * 4);
    return at + (length + 3) / 4;
}

// Second and others' replies only while further requests lie there: libtirpc (1.3.3) asks again whenever it finds a reply that isn't the one it
// waits for, until its time is over, so that calls that the library makes would fail or not by chance.
static void reply(int descriptor, const char *fault, const struct request *request, bool others_lie_there) {
    uint32_t out[WORDS];
    const unsigned size = answer(fault, request, out);
    const int times = strcmp(fault, "doubled") == 0 && others_lie_there ? 2 : 1;
    if (strcmp(fault, "stray") == 0 && others_lie_there) {
        uint32_t other[WORDS];
        memcpy(other, out, sizeof other);
        other[TRANSACTION] ^= htonl(0x40000000);
        sendto(descriptor, other, 4 * size, 0, (const struct sockaddr *)&request->from, sizeof request->from);
        sendto(descriptor, other, 3, 0, (const struct sockaddr *)&request->from, sizeof request->from);
    }
    for (int i = 0; i < times; ++i)
        sendto(descriptor, out, 4 * size, 0, (const struct sockaddr *)&request->from, sizeof request->from);
}

static bool take(int descriptor, struct request *request, int wait_ms) {
    struct pollfd one = {descriptor, POLLIN, 0};
    socklen_t size = sizeof request->from;
    if (poll(&one, 1, wait_ms) <= 0)
        return false;
    request->size =
        recvfrom(descriptor, request->words, sizeof request->words, 0, (struct sockaddr *)&request->from, &size);
    return request->size > 40;
}

// Whether this transaction has come before: the client's library has asked again.
static bool is_repeated(uint32_t transaction) {
    static uint32_t seen[MOST_REQUESTS];
    static unsigned count;
    for (unsigned i = 0; i < count; ++i)
        if (seen[i] == transaction)
            return true;
    if (count < MOST_REQUESTS)
        seen[count++] = transaction;
    return false;
}

static volatile sig_atomic_t is_over;
static void end(int number) { is_over = number; }

static void serve(int descriptor, const char *fault) {
    static struct request requests[AT_ONCE];
    unsigned most = 0;
    unsigned served = 0;
    unsigned seen = 0;
    unsigned repeated = 0;
    const bool dies = strcmp(fault, "dies") == 0;
    while (is_over == 0 && !(dies && served >= DIES_AFTER)) {
        unsigned count = 0;
        if (!take(descriptor, &requests[count], 1000))
            continue;
        ++count;
        while (strcmp(fault, "plain") != 0 && count < AT_ONCE && take(descriptor, &requests[count], GATHERS_MS))
            ++count;
        most = count > most ? count : most;
        for (unsigned i = 0; i < count && !(dies && served >= DIES_AFTER); ++i) {
            const struct request *next = strcmp(fault, "exchanged") == 0 ? &requests[count - 1 - i] : &requests[i];
            ++seen;
            const bool is_again = is_repeated(next->words[TRANSACTION]);
            repeated += is_again ? 1 : 0;
            const bool is_lost = (strcmp(fault, "lost") == 0 && seen % 3 == 0) ||
                                 (strcmp(fault, "silent") == 0 && word(next, PROCEDURE) == SECOND);
            if (i != 0 && strncmp(fault, "late", 4) == 0)
                poll(NULL, 0, LATE_MS);
            if (!is_lost)
                reply(descriptor, fault, next, i + 1 < count);
            // It dies at the same request however often a slow machine lets the library ask again.
            served += is_again ? 0 : 1;
        }
    }
    fprintf(stderr, "%u at once, %u asked again\n", most, repeated);
    _exit(0);
}

// A plain server of a stream, one request after the other: each with four bytes of its length in front.
static void serve_stream(int listener) {
    const int descriptor = accept(listener, NULL, NULL);
    struct request request;
    uint32_t out[WORDS + 1];
    uint32_t size = 0;
    while (recv(descriptor, &size, 4, MSG_WAITALL) == 4) {
        request.size = ntohl(size) & 0x7fffffff;
        if (recv(descriptor, request.words, (size_t)request.size, MSG_WAITALL) != request.size)
            break;
        const unsigned words = answer("plain", &request, &out[1]);
        out[0] = htonl(0x80000000 | (4 * words));
        if (send(descriptor, out, 4 * (words + 1), 0) < 0)
            break;
    }
    fprintf(stderr, "1 at once, 0 asked again\n");
    _exit(0);
}

pid_t start_server(const char *fault, u_short *port) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    const bool is_stream = strcmp(fault, "stream") == 0;
    const int descriptor = socket(AF_INET, is_stream ? SOCK_STREAM : SOCK_DGRAM, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) != 0 ||
        (is_stream && listen(descriptor, 1) != 0) || getsockname(descriptor, (struct sockaddr *)&address, &size) != 0)
        exit(1);
    *port = ntohs(address.sin_port);
    fflush(stdout);
    const pid_t server = fork();
    if (server == 0) {
        struct sigaction action = {.sa_handler = end};
        sigaction(SIGTERM, &action, NULL);
        if (is_stream)
            serve_stream(descriptor);
        serve(descriptor, fault);
    }
    close(descriptor);
    return server;
}

void stop_server(pid_t server) {
    kill(server, SIGTERM);
    waitpid(server, NULL, 0);
}
