// benchmarks: the remote procedure called over the loopback, client and server in two processes.
#pragma once

#include <stdint.h>

#include "ints.h"

struct exchange {
    double cpu_ns;  // of client and server, for one call
    uint64_t digest;
};

// protocol: IPPROTO_UDP or IPPROTO_TCP. Ends the program when a call fails.
struct exchange exchange_often(int protocol, ints *arguments, uint64_t count);
