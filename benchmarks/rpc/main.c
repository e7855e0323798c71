// benchmarks: a remote call with an array of integers: its messages made and read in memory, and the call itself.
//   main encode-N|decode-N|udp-N|tcp-N|all|edges COUNT
#include <inttypes.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/digest.h"
#include "ints.h"
#include "message.h"
#include "network.h"

static const u_int sizes[] = {20, 100, 250, 500, 1000, 2000};
enum {
    SIZES = sizeof sizes / sizeof *sizes,
    HEADER_BYTES = 64,  // more than the largest of a call or a reply
    CALL_HEADER_BYTES = 20,  // of a call, before the procedure's number
    COUNT_WORD = 6,  // of a reply: the array's length
    RESERVE = 8,  // words beyond what is needed, to see that nothing is written there
    CALLS_PER_MESSAGE = 50,  // `all` calls over the network that many times less often
};

static double now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

// The message came from outside, and the compiler knows nothing of memory any more, as in a program that does something
// between two calls.
static void from_outside(void *memory) { __asm__ volatile("" : : "r"(memory) : "memory"); }

static ints array_of(u_int count) {
    ints array = {.ints_len = count, .ints_val = calloc(count + RESERVE, sizeof(int))};
    uint32_t word = 0x2545f491;
    for (u_int i = 0; i < count; ++i) {
        word = word * 1664525u + 1013904223u;
        array.ints_val[i] = (int)word;
    }
    return array;
}

static void tell(const char *kind, u_int size, double nanoseconds, uint64_t digest) {
    printf("%s-%u %.3f ns %016" PRIx64 "\n", kind, size, nanoseconds, digest);
}

static void time_encode(u_int size, uint64_t count) {
    ints array = array_of(size);
    struct channel *channel = open_channel(INTS_PROGRAM, INTS_VERSION, HEADER_BYTES + 4 * size);
    uint64_t done = 0;
    const double start = now_ns();
    for (uint64_t i = 0; i < count; ++i) {
        array.ints_val[i % size] += 1;
        from_outside(channel);
        done += (uint64_t)encode_call(channel, EXCHANGE, (xdrproc_t)xdr_ints, &array);
    }
    const double taken = now_ns() - start;
    uint64_t digest = digest_of(DIGEST_START, channel->buffer, encoded_bytes(channel));
    tell("encode", size, taken / (double)count, digest_of(digest, &done, sizeof done));
    close_channel(channel);
    free(array.ints_val);
}

// A reply as a server sends it: accepted, with `stat`, and the array when that is SUCCESS.
static u_int make_reply(char *bytes, u_int size, enum accept_stat stat, ints *array) {
    XDR out;
    struct rpc_msg reply = {0};
    reply.rm_direction = REPLY;
    reply.rm_reply.rp_stat = MSG_ACCEPTED;
    reply.acpted_rply.ar_stat = stat;
    reply.acpted_rply.ar_verf = _null_auth;
    if (stat == PROG_MISMATCH) {
        reply.acpted_rply.ar_vers.low = 1;
        reply.acpted_rply.ar_vers.high = 3;
    } else {
        reply.acpted_rply.ar_results.where = (caddr_t)array;
        reply.acpted_rply.ar_results.proc = (xdrproc_t)xdr_ints;
    }
    xdrmem_create(&out, bytes, size, XDR_ENCODE);
    if (!xdr_replymsg(&out, &reply)) {
        fprintf(stderr, "no reply could be made\n");
        exit(1);
    }
    return XDR_GETPOS(&out);
}

static void time_decode(u_int size, uint64_t count) {
    ints array = array_of(size);
    ints results = array_of(size);
    char *bytes = malloc(HEADER_BYTES + 4 * size);
    const u_int length = make_reply(bytes, HEADER_BYTES + 4 * size, SUCCESS, &array);
    AUTH *auth = authnone_create();
    uint64_t done = 0;
    const double start = now_ns();
    for (uint64_t i = 0; i < count; ++i) {
        bytes[length - 1 - i % size] = (char)i;
        from_outside(bytes);
        done += decode_reply(bytes, length, auth, (xdrproc_t)xdr_ints, &results) == RPC_SUCCESS;
    }
    const double taken = now_ns() - start;
    uint64_t digest = digest_of(DIGEST_START, results.ints_val, results.ints_len * sizeof(int));
    tell("decode", size, taken / (double)count, digest_of(digest, &done, sizeof done));
    free(bytes);
    free(array.ints_val);
    free(results.ints_val);
}

static void time_exchange(const char *kind, u_int size, uint64_t count) {
    ints array = array_of(size);
    const struct exchange done =
        exchange_often(strcmp(kind, "udp") == 0 ? IPPROTO_UDP : IPPROTO_TCP, &array, count == 0 ? 1 : count);
    tell(kind, size, done.cpu_ns, done.digest);
    free(array.ints_val);
}

// Buffers of every length up to one that is larger than needed: status, what was written, and how far.
static uint64_t encode_edges(uint64_t digest, u_int size) {
    ints array = array_of(size);
    for (u_int room = CALL_HEADER_BYTES; room <= HEADER_BYTES + 4 * size; ++room) {
        struct channel *channel = open_channel(INTS_PROGRAM, INTS_VERSION, room);
        memset(channel->buffer + channel->arguments_at, 0x55, room - channel->arguments_at);
        const bool_t fits = encode_call(channel, EXCHANGE, (xdrproc_t)xdr_ints, &array);
        const u_int at = encoded_bytes(channel);
        digest = digest_of(digest, &fits, sizeof fits);
        digest = digest_of(digest, &at, sizeof at);
        digest = digest_of(digest, channel->buffer, room);
        close_channel(channel);
    }
    free(array.ints_val);
    return digest;
}

static uint64_t decode_one(uint64_t digest, char *bytes, u_int length, u_int size) {
    ints results = array_of(size);
    memset(results.ints_val, 0x55, (size + RESERVE) * sizeof(int));
    const enum clnt_stat stat = decode_reply(bytes, length, authnone_create(), (xdrproc_t)xdr_ints, &results);
    digest = digest_of(digest, &stat, sizeof stat);
    digest = digest_of(digest, &results.ints_len, sizeof results.ints_len);
    digest = digest_of(digest, results.ints_val, (size + RESERVE) * sizeof(int));
    free(results.ints_val);
    return digest;
}

// Replies cut off at every length, with every status, and with each word of the header made wrong.
static uint64_t decode_edges(uint64_t digest, u_int size) {
    static const uint32_t wrong[] = {1, 2, 3, 5, 399, 401, MAX_INTS + 1, 0x7fffffff, 0xffffffff};
    ints array = array_of(size);
    const u_int room = HEADER_BYTES + 4 * size;
    char *bytes = malloc(room);
    const u_int length = make_reply(bytes, room, SUCCESS, &array);
    for (u_int cut = 0; cut <= length; ++cut)
        digest = decode_one(digest, bytes, cut, size);
    for (u_int word = 0; word <= COUNT_WORD; ++word)
        for (u_int i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
            make_reply(bytes, room, SUCCESS, &array);
            const uint32_t value = htonl(wrong[i]);
            memcpy(bytes + 4 * (size_t)word, &value, 4);
            digest = decode_one(digest, bytes, length, size);
        }
    for (int stat = PROG_UNAVAIL; stat <= SYSTEM_ERR; ++stat) {
        const u_int short_reply = make_reply(bytes, room, (enum accept_stat)stat, &array);
        digest = decode_one(digest, bytes, short_reply, size);
    }
    free(bytes);
    free(array.ints_val);
    return digest;
}

// The longest array that the procedure allows, and one that is longer.
static uint64_t length_edges(uint64_t digest) {
    ints array = array_of(MAX_INTS + 1);
    struct channel *channel = open_channel(INTS_PROGRAM, INTS_VERSION, 2 * HEADER_BYTES + 4 * MAX_INTS);
    for (u_int more = 0; more < 2; ++more) {
        array.ints_len = MAX_INTS + more;
        const bool_t fits = encode_call(channel, EXCHANGE, (xdrproc_t)xdr_ints, &array);
        digest = digest_of(digest, &fits, sizeof fits);
        digest = digest_of(digest, channel->buffer, encoded_bytes(channel));
    }
    array.ints_len = MAX_INTS;
    const u_int length = make_reply(channel->buffer, channel->size, SUCCESS, &array);
    const uint32_t longer = htonl(MAX_INTS + 1);
    digest = decode_one(digest, channel->buffer, length, MAX_INTS);
    memcpy(channel->buffer + 4 * COUNT_WORD, &longer, 4);
    digest = decode_one(digest, channel->buffer, length + 4, MAX_INTS);
    close_channel(channel);
    free(array.ints_val);
    return digest;
}

static bool chosen(const char *word, const char *kind, u_int size) {
    char name[32];
    snprintf(name, sizeof name, "%s-%u", kind, size);
    return strcmp(word, "all") == 0 || strcmp(word, name) == 0;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: %s encode-N|decode-N|udp-N|tcp-N|all|edges COUNT\n", argv[0]);
        return 2;
    }
    const uint64_t count = strtoull(argv[2], NULL, 10);
    const bool all = strcmp(argv[1], "all") == 0;
    for (u_int i = 0; i < SIZES; ++i) {
        if (chosen(argv[1], "encode", sizes[i]))
            time_encode(sizes[i], count);
        if (chosen(argv[1], "decode", sizes[i]))
            time_decode(sizes[i], count);
        if (chosen(argv[1], "udp", sizes[i]))
            time_exchange("udp", sizes[i], all ? count / CALLS_PER_MESSAGE : count);
        if (chosen(argv[1], "tcp", sizes[i]))
            time_exchange("tcp", sizes[i], all ? count / CALLS_PER_MESSAGE : count);
    }
    if (strcmp(argv[1], "edges") == 0) {
        printf("length-edges %016" PRIx64 "\n", length_edges(DIGEST_START));
        for (u_int i = 0; i < SIZES; ++i) {
            printf("encode-edges-%u %016" PRIx64 "\n", sizes[i], encode_edges(DIGEST_START, sizes[i]));
            printf("decode-edges-%u %016" PRIx64 "\n", sizes[i], decode_edges(DIGEST_START, sizes[i]));
        }
    }
    return 0;
}
