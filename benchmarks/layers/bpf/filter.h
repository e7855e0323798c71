// benchmarks: one filter, in each of the ways in which it is compared.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define FILTER_TEXT "tcp dst port 80 and not src net 10.0.0.0/8 or udp port 53 or icmp"
enum { SNAPSHOT = 262144 };  // what a filter returns for a packet that passes, as tcpdump's does

void open_filter(void);
// How much of the packet is to be kept; 0: it does not pass.
unsigned filter_packet(const uint8_t *packet, unsigned length, unsigned captured);
