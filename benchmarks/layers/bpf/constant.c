// benchmarks: the filter as `tcpdump -dd` prints it: constant, and run by libpcap's interpreter.
#include <pcap/pcap.h>

#include "filter.h"

// tcpdump -y EN10MB -dd FILTER_TEXT
static const struct bpf_insn program[] = {
    {0x28, 0, 0, 0x0000000c},  {0x15, 0, 9, 0x000086dd},   {0x30, 0, 0, 0x00000014},   {0x15, 0, 2, 0x00000006},
    {0x28, 0, 0, 0x00000038},  {0x15, 25, 26, 0x00000050}, {0x15, 0, 25, 0x00000011},  {0x28, 0, 0, 0x00000036},
    {0x15, 22, 0, 0x00000035}, {0x28, 0, 0, 0x00000038},   {0x15, 20, 21, 0x00000035}, {0x15, 0, 20, 0x00000800},
    {0x30, 0, 0, 0x00000017},  {0x15, 0, 8, 0x00000006},   {0x28, 0, 0, 0x00000014},   {0x45, 16, 0, 0x00001fff},
    {0xb1, 0, 0, 0x0000000e},  {0x48, 0, 0, 0x00000010},   {0x15, 0, 13, 0x00000050},  {0x20, 0, 0, 0x0000001a},
    {0x54, 0, 0, 0xff000000},  {0x15, 10, 9, 0x0a000000},  {0x15, 0, 7, 0x00000011},   {0x28, 0, 0, 0x00000014},
    {0x45, 7, 0, 0x00001fff},  {0xb1, 0, 0, 0x0000000e},   {0x48, 0, 0, 0x0000000e},   {0x15, 3, 0, 0x00000035},
    {0x48, 0, 0, 0x00000010},  {0x15, 1, 2, 0x00000035},   {0x15, 0, 1, 0x00000001},   {0x6, 0, 0, 0x00040000},
    {0x6, 0, 0, 0x00000000},
};

void open_filter(void) {}

unsigned filter_packet(const uint8_t *packet, unsigned length, unsigned captured) {
    return bpf_filter(program, packet, length, captured);
}
