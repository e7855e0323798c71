// benchmarks: binds the handlers that are named, in that order, and raises.   main CASE COUNT HANDLER...
#include <cstring>

#include "driver.h"
#include "events.h"
#include "registry.h"

namespace {

struct Named {
    const char *name;
    const Registered *registered;
};
const Named all[] = {
#define HANDLER(case, event, handler, raises) {#handler, &registered_##handler},
#include "handlers.def"
};

const Registered &find(const char *name) {
    for (const Named &named : all) {
        if (std::strcmp(named.name, name) == 0) {
            return *named.registered;
        }
    }
    std::fprintf(stderr, "there is no handler %s\n", name);
    std::exit(2);
}

}  // namespace

int main(int argc, char **argv) {
    if (argc < 3) {
        std::fprintf(stderr, "usage: %s W1|W2|W3|all COUNT HANDLER...\n", argv[0]);
        return 2;
    }
    const auto chosen = [&](const char *name) {
        return std::strcmp(argv[1], name) == 0 || std::strcmp(argv[1], "all") == 0;
    };
    const uint64_t count = std::strtoull(argv[2], nullptr, 10);
    for (int i = 3; i < argc; ++i) {
        find(argv[i]).bind();
    }
    if (chosen("W1")) {
        time_case("W1", count, [](Segment &segment) { arrived.raise(segment); });
    }
    if (chosen("W2")) {
        time_case("W2", count, [](Segment &segment) { seg_from_user.raise(segment); });
    }
    if (chosen("W3")) {
        time_case("W3", count, [](Segment &segment) { received.raise(segment); });
    }
    uint64_t digest = 0;
    for (const Named &named : all) {
        digest ^= named.registered->digest();
    }
    std::printf("digest %016" PRIx64 "\n", digest);
}
