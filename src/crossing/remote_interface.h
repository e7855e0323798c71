// crossing: of Sun RPC's public interface, what glibc's <rpc/clnt.h> and libtirpc's have in common, byte for byte.
#pragma once

#include <stdint.h>
#include <sys/time.h>

#include "abi/remote_call.h"

namespace thalweg::crossing {

struct StreamOperations {
    void *get_long, *put_long, *get_bytes, *put_bytes;
    uint32_t (*position)(Stream *stream);
};
// Both make it of 48 bytes.
struct alignas(16) Stream {
    int32_t operation;
    const StreamOperations *operations;
    char rest[112];
};
enum StreamOperation : int32_t { encode_stream, decode_stream };

struct OpaqueAuth {
    int32_t flavor;
    char *bytes;
    uint32_t size;
};

struct Auth;
struct AuthOperations {
    void *next_verifier;
    int32_t (*marshal)(Auth *auth, Stream *stream);
    int32_t (*validate)(Auth *auth, OpaqueAuth *verifier);
};
struct Auth {
    OpaqueAuth credentials;
    OpaqueAuth verifier;
    char key[8];
    const AuthOperations *operations;
};

// As large as any version's.
struct Error {
    int32_t status;
    int32_t number;  // errno, where sending or receiving failed
    char rest[56];
};
struct ClientOperations {
    // libtirpc takes the procedure's number in 32 bits.
    int32_t (*call)(Client *client, uint64_t procedure, Translate encode, void *arguments, Translate decode,
                    void *results, timeval limit);
    void *abort;
    void (*error)(Client *client, Error *error);
    void *free_results;
    void *destroy;
    int32_t (*control)(Client *client, uint32_t request, void *info);
};
struct Client {
    Auth *auth;
    const ClientOperations *operations;
};

enum Request : uint32_t {
    get_timeout = 2,
    get_server_address = 3,
    get_retry_timeout = 5,  // a datagram client's alone
    get_descriptor = 6,
    get_transaction = 10,  // the last call's
    set_transaction = 11,  // the next call's
    get_version = 12,
    get_program = 14,
};
inline constexpr int32_t success = 0;  // RPC_SUCCESS
inline constexpr int32_t cannot_send = 3;  // RPC_CANTSEND

}  // namespace thalweg::crossing
