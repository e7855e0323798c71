// benchmarks: times a handler, the trigger in it, and the function that goes on there.
#include "layers/driver.h"

#include <cstdlib>

#include "paths/path.h"

namespace {

struct Case {
    const char *name;
    void (*start)();
    void (*bring)(int);
};

constexpr Case cases[] = {{"relay", start_relay, bring_sample}, {"frames", start_frames, bring_part}};

}  // namespace

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: %s relay|frames|all COUNT\n", argv[0]);
        return 2;
    }
    const uint64_t count = strtoull(argv[2], nullptr, 10);
    for (const Case &one : cases) {
        if (!chosen(argv[1], one.name))
            continue;
        one.start();
        const double start = now_ns();
        for (uint64_t i = 0; i < count; ++i) {
            int value = static_cast<int>(i % 1021);
            from_outside(&value);
            one.bring(value);
        }
        tell(one.name, now_ns() - start, count, result());
    }
}
