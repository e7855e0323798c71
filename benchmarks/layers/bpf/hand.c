// benchmarks: the filter as an engineer writes it in C. A packet that is too short for a test does not pass.
#include <netinet/in.h>
#include <string.h>

#include "filter.h"

enum {
    ETHERTYPE_AT = 12,
    IPV4 = 0x0800,
    IPV6 = 0x86dd,
    IP6_NEXT_AT = 20,
    IP6_PORTS_AT = 54,
    IP_AT = 14,
    FRAGMENT_AT = 20,
    FRAGMENT_MASK = 0x1fff,
    PROTOCOL_AT = 23,
    SOURCE_AT = 26,
    ICMP = 1,
    TCP = 6,
    UDP = 17,
    HTTP = 80,
    DNS = 53,
};

static unsigned half(const uint8_t *packet, unsigned at) { return (unsigned)packet[at] << 8 | packet[at + 1]; }

static unsigned of_ipv6(const uint8_t *packet, unsigned captured) {
    if (captured <= IP6_NEXT_AT)
        return 0;
    switch (packet[IP6_NEXT_AT]) {
    case TCP:
        return captured >= IP6_PORTS_AT + 4 && half(packet, IP6_PORTS_AT + 2) == HTTP ? SNAPSHOT : 0;
    case UDP:
        if (captured < IP6_PORTS_AT + 2)
            return 0;
        if (half(packet, IP6_PORTS_AT) == DNS)
            return SNAPSHOT;
        return captured >= IP6_PORTS_AT + 4 && half(packet, IP6_PORTS_AT + 2) == DNS ? SNAPSHOT : 0;
    default:
        return 0;
    }
}

static unsigned of_ipv4(const uint8_t *packet, unsigned captured) {
    if (captured <= PROTOCOL_AT)
        return 0;
    const unsigned protocol = packet[PROTOCOL_AT];
    if (protocol == ICMP)
        return SNAPSHOT;
    if ((protocol != TCP && protocol != UDP) || (half(packet, FRAGMENT_AT) & FRAGMENT_MASK) != 0)
        return 0;
    const unsigned ports = IP_AT + 4 * (packet[IP_AT] & 0xfu);
    if (protocol == TCP) {
        if (captured < ports + 4 || half(packet, ports + 2) != HTTP || captured < SOURCE_AT + 4)
            return 0;
        return packet[SOURCE_AT] == 10 ? 0 : SNAPSHOT;
    }
    if (captured < ports + 2)
        return 0;
    if (half(packet, ports) == DNS)
        return SNAPSHOT;
    return captured >= ports + 4 && half(packet, ports + 2) == DNS ? SNAPSHOT : 0;
}

void open_filter(void) {}

unsigned filter_packet(const uint8_t *packet, unsigned length, unsigned captured) {
    (void)length;
    if (captured < ETHERTYPE_AT + 2)
        return 0;
    switch (half(packet, ETHERTYPE_AT)) {
    case IPV4:
        return of_ipv4(packet, captured);
    case IPV6:
        return of_ipv6(packet, captured);
    default:
        return 0;
    }
}
