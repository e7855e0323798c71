// benchmarks: the layer that knows kinds.
#include "layers.h"

uint32_t formatted(const struct format *format, uint32_t value) {
    switch (format->kind) {
    case SHIFTED:
        return value >> format->amount;
    case SCALED:
        return value / format->amount;
    }
    return value;
}
