// from be16 stereo gain 128; to le16 mono bias 0 gain 256
#include "config.h"
#include "port.h"
int main(int argc, char **argv) {
    if (argc < 3 || config_read(argv[2]))
        return 2;
    unsigned n = strtoul(argv[1], 0, 0);
    struct port *from = port_open("from"), *to = port_open("to");
    uint32_t seed = 1, h = 0;
    for (unsigned i = 0; i < from->size; ++i)
        from->data[i] = next(&seed) >> 24;
    const unsigned char *in = from->data;
    unsigned char *out = to->data;
    unsigned fa = 0, ta = 0;
    for (unsigned i = 0; i < n; ++i) {
        for (int k = 0; k < 16; ++k) {
            int a = (short)(in[fa + 1] | in[fa] << 8) * 128 / 256,
                b = (short)(in[fa + 3] | in[fa + 2] << 8) * 128 / 256;
            fa += 4;
            if (fa >= 256)
                fa = 0;
            int v = (a + b) / 2;
            out[ta] = (unsigned char)v;
            out[ta + 1] = (unsigned char)(v >> 8);
            ta += 2;
            if (ta >= 256)
                ta = 0;
        }
        h = mix(h, out[i & 255]);
    }
    for (unsigned i = 0; i < to->size; ++i)
        h = mix(h, to->data[i]);
    printf("%08x %u %u\n", h, fa, ta);
    return 0;
}
