// benchmarks: each question is a call of rpcgen's stub, on libtirpc.
#include "client.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>

#include "prices.h"

static CLIENT *client;

void begin(unsigned short port) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int descriptor = RPC_ANYSOCK;
    const struct timeval again = {.tv_sec = 5};
    client = clntudp_create(&address, PRICES, PRICES_VERSION, again, &descriptor);
    if (client == NULL) {
        fprintf(stderr, "%s\n", clnt_spcreateerror("no client"));
        exit(1);
    }
}

#define ASK(i)                                                                                                         \
    {                                                                                                                  \
        int number = first + (i);                                                                                      \
        int price = 0;                                                                                                 \
        if (look_up_1(&number, &price, client) != RPC_SUCCESS)                                                         \
            return -1 - (i);                                                                                           \
        sum += price;                                                                                                  \
    }

long ask_2(int first) {
    long sum = 0;
    ASK(0) ASK(1) return sum;
}

long ask_4(int first) {
    long sum = 0;
    ASK(0) ASK(1) ASK(2) ASK(3) return sum;
}

long ask_8(int first) {
    long sum = 0;
    ASK(0) ASK(1) ASK(2) ASK(3) ASK(4) ASK(5) ASK(6) ASK(7) return sum;
}
