// benchmarks: the limit: the messages by hand, all sent at once; nothing is asked again, and what is no plain success is an end.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "client.h"

enum { most = 8, request_words = 11, reply_words = 7 };

static int descriptor;
static uint32_t transaction;

void begin(unsigned short port) {
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    descriptor = socket(AF_INET, SOCK_DGRAM, 0);
    if (descriptor < 0 || connect(descriptor, (const struct sockaddr *)&address, sizeof address) != 0) {
        perror("connect");
        exit(1);
    }
}

static long ask(int first, unsigned count) {
    // RFC 5531: transaction, call, version 2, program, version, procedure, no credentials, no verifier, the number.
    uint32_t requests[most][request_words];
    struct iovec parts[most];
    struct mmsghdr messages[most];
    memset(messages, 0, sizeof messages);
    for (unsigned i = 0; i < count; ++i) {
        const uint32_t words[request_words] = {transaction + i,    0, 2, 0x20000888, 1, 1, 0, 0, 0, 0,
                                               (uint32_t)first + i};
        for (unsigned k = 0; k < request_words; ++k)
            requests[i][k] = htonl(words[k]);
        parts[i] = (struct iovec){requests[i], sizeof requests[i]};
        messages[i].msg_hdr.msg_iov = &parts[i];
        messages[i].msg_hdr.msg_iovlen = 1;
    }
    if (sendmmsg(descriptor, messages, count, 0) != (int)count)
        return -1;
    long sum = 0;
    for (unsigned i = 0; i < count; ++i) {
        uint32_t reply[reply_words];
        if (recv(descriptor, reply, sizeof reply, 0) != sizeof reply || ntohl(reply[0]) - transaction >= count ||
            reply[2] != 0 || reply[5] != 0)
            return -1;
        sum += (int)ntohl(reply[6]);
    }
    transaction += count;
    return sum;
}

long ask_2(int first) { return ask(first, 2); }
long ask_4(int first) { return ask(first, 4); }
long ask_8(int first) { return ask(first, 8); }
