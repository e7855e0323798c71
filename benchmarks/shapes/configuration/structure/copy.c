#include "port.h"
void copy_frames(struct port *from, struct port *to, unsigned frames) {
    while (frames-- > 0) {
        int s[2] = {0, 0};
        for (int c = 0; c < from->channels; ++c)
            s[c] = port_get(from);
        if (from->channels == 1)
            s[1] = s[0];
        if (to->channels == 1)
            port_put(to, (s[0] + s[1]) / 2);
        else {
            port_put(to, s[0]);
            port_put(to, s[1]);
        }
    }
}
