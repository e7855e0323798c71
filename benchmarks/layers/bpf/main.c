// benchmarks: packets of several kinds through one filter.   main NAME|all|edges COUNT
#include <stdlib.h>

#include "driver.h"
#include "filter.h"

enum { PACKETS = 64, PACKET_BYTES = 96, IPV4_BYTES = 20, ETHERNET_BYTES = 14 };

struct packet {
    uint8_t bytes[PACKET_BYTES];
    unsigned length;
};

static void put_half(uint8_t *bytes, unsigned value) {
    bytes[0] = (uint8_t)(value >> 8);
    bytes[1] = (uint8_t)value;
}

// Mostly requests to a web server, as at a server's network card; the rest: name service, ping, IPv6, fragments, ARP.
static struct packet make_packet(unsigned number) {
    static const unsigned protocols[] = {6, 6, 6, 6, 6, 17, 1, 6};
    static const unsigned ports[] = {80, 80, 443, 80, 80, 53, 0, 22};
    struct packet packet = {.length = PACKET_BYTES - number % 7};
    uint8_t *ip = packet.bytes + ETHERNET_BYTES;
    const unsigned kind = number % 8;
    for (unsigned i = 0; i < PACKET_BYTES; ++i)
        packet.bytes[i] = (uint8_t)(number * 31 + i * 7);
    put_half(packet.bytes + 12, 0x0800);
    ip[0] = number % 16 == 3 ? 0x46 : 0x45;
    put_half(ip + 6, number % 16 == 7 ? 0x00b9 : 0x4000);
    ip[9] = (uint8_t)protocols[kind];
    ip[12] = number % 16 == 1 ? 10 : 192;
    put_half(ip + 4 * (ip[0] & 0xf), 40000 + number);
    put_half(ip + 4 * (ip[0] & 0xf) + 2, ports[kind]);
    if (number % 16 == 11) {
        put_half(packet.bytes + 12, 0x86dd);
        ip[6] = (uint8_t)protocols[kind];
        put_half(ip + 42, ports[kind]);
    }
    if (number % 32 == 30)
        put_half(packet.bytes + 12, 0x0806);
    return packet;
}

static void time_filter(const char *name, struct packet *packets, uint64_t count) {
    uint64_t kept = 0;
    const double start = now_ns();
    for (uint64_t i = 0; i < count; ++i) {
        const struct packet *packet = &packets[i % PACKETS];
        from_outside(packet);
        kept = kept * 33 + (filter_packet(packet->bytes, packet->length, packet->length) != 0);
    }
    tell(name, now_ns() - start, count, kept);
}

// Each packet cut off at every length, and with each of its first bytes made wrong.
static uint64_t edges(struct packet *packets) {
    uint64_t digest = DIGEST_START;
    for (unsigned i = 0; i < PACKETS; ++i) {
        for (unsigned length = 0; length <= packets[i].length; ++length) {
            const unsigned kept = filter_packet(packets[i].bytes, packets[i].length, length);
            digest = digest_of(digest, &kept, sizeof kept);
        }
        for (unsigned at = 0; at < PACKET_BYTES; ++at)
            for (unsigned value = 0; value < 256; ++value) {
                struct packet wrong = packets[i];
                wrong.bytes[at] = (uint8_t)value;
                const unsigned kept = filter_packet(wrong.bytes, wrong.length, wrong.length);
                digest = digest_of(digest, &kept, sizeof kept);
            }
    }
    return digest;
}

int main(int argc, char **argv) {
    struct packet packets[PACKETS];
    if (argc != 3) {
        fprintf(stderr, "usage: %s NAME|all|edges COUNT\n", argv[0]);
        return 2;
    }
    open_filter();
    for (unsigned i = 0; i < PACKETS; ++i)
        packets[i] = make_packet(i);
    if (strcmp(argv[1], "edges") == 0)
        printf("edges %016" PRIx64 "\n", edges(packets));
    else
        time_filter("filter", packets, strtoull(argv[2], NULL, 10));
    return 0;
}
