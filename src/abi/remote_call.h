// abi: remote calls of one client that are on their way at once, in datagrams (decision `overlap`; docs/SYSTEM_CALLS.md).
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>
#include <thalweg/abi.h>

// Of the program's library for Sun RPC (crossing/remote_interface.h).
namespace thalweg::crossing {
struct Stream;
struct Client;
using Translate = int32_t (*)(Stream *stream, void *value);
}  // namespace thalweg::crossing

// So many are sent before the first reply is waited for; a longer row makes several groups.
inline constexpr uint32_t thalweg_crossing_most_calls = 8;
// As large as the library's own buffers are unless the program asks for others (<rpc/clnt.h>, UDPMSGSIZE).
inline constexpr uint32_t thalweg_crossing_message_bytes = 8800;

// The user's word: calls of the procedures of one set may be made in any order, and also when the one before has failed.
struct thalweg_crossing_independent {
    uint32_t set;
    uint32_t program;
    uint32_t version;
    uint32_t procedure;
};

struct thalweg_crossing_calls {
    const thalweg_crossing_independent *rows;
    uint32_t rows_count;
    // xdrmem_create of the program's own library
    void (*make_stream)(thalweg::crossing::Stream *stream, char *bytes, uint32_t size, int32_t operation);
};

struct thalweg_crossing_request {
    uint64_t procedure;
    thalweg::crossing::Translate encode;
    void *arguments;
};

// Where a reply goes, and how long it is waited for.
struct thalweg_crossing_answer {
    thalweg::crossing::Translate decode;
    void *results;
    const timeval *limit;
};

// A group that is on its way, in the frame of the function that makes the calls; filled with zeros.
struct thalweg_crossing_flight {
    uint64_t number;  // 0: none is
    thalweg::crossing::Client *client;
    uint32_t count;  // so many were sent
    uint32_t others_dropped;  // the library has thrown away what came for the others
    uint32_t arrived;  // a bit for each: a reply to it was taken in, whatever it says
    uint32_t settled;  // a bit for each: it has its answer, and if it is made again, it is another call
    uint32_t transactions[thalweg_crossing_most_calls];
    uint32_t after;  // the transaction that the library's next call may use
};

struct thalweg_crossing_message {
    uint32_t size;
    uint32_t arguments_at;  // of a request
    uint32_t is_for;  // of a reply: the call's number in the group, and one; 0: free
    alignas(8) uint8_t bytes[thalweg_crossing_message_bytes];
};

// Of one program; filled with zeros. A group that another one has taken the place of goes on by the library's own calls.
struct thalweg_crossing_remote {
    uint64_t number;  // of the group whose messages these are
    int32_t (*known_call)(thalweg::crossing::Client *, uint64_t, thalweg::crossing::Translate, void *,
                          thalweg::crossing::Translate, void *,
                          timeval);  // of the clients whose transactions are known
    uint32_t counts_swapped;  // they count transactions in the network's order, as if it were the machine's
    thalweg_crossing_message requests[thalweg_crossing_most_calls];
    thalweg_crossing_message replies[thalweg_crossing_most_calls];
    thalweg_crossing_message again;
};

extern "C" {

// In place of the first call of a group, clnt_call(client, requests[0]...): sends the others' requests too, where that can't be told from
// calls that follow each other. The results are the call's own.
int32_t thalweg_crossing_first_call(thalweg_crossing_remote *remote, const thalweg_crossing_calls *calls,
                                    thalweg_crossing_flight *flight, const thalweg_crossing_request *requests,
                                    uint32_t count, thalweg::crossing::Client *client,
                                    const thalweg_crossing_answer *answer);
// In place of call `index` of the group (the first is 0).
int32_t thalweg_crossing_next_call(thalweg_crossing_remote *remote, const thalweg_crossing_calls *calls,
                                   thalweg_crossing_flight *flight, uint32_t index,
                                   const thalweg_crossing_request *request, thalweg::crossing::Client *client,
                                   const thalweg_crossing_answer *answer);

}  // extern "C"
