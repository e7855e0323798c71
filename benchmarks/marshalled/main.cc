// benchmarks: binds the handlers that are named, in that order, and raises.   main CASE COUNT HANDLER...
#include <cstring>

#include "../dispatch/driver.h"
#include "events.h"

thalweg_event *adapt;
thalweg_event *seg_from_user;
thalweg_event *seg_to_net;

namespace {

struct Named {
    const char *name;
    const Registered *registered;
};
const Named all[] = {
#define HANDLER(event, handler, raises) {#handler, &registered_##handler},
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
        std::fprintf(stderr, "usage: %s Adapt|SegFromUser|Seg2Net|all COUNT HANDLER...\n", argv[0]);
        return 2;
    }
    thalweg_composite *protocol = thalweg_composite_create();
    thalweg_event_create(protocol, "Adapt", &adapt);
    thalweg_event_create(protocol, "SegFromUser", &seg_from_user);
    thalweg_event_create(protocol, "Seg2Net", &seg_to_net);
    const auto chosen = [&](const char *name) {
        return std::strcmp(argv[1], name) == 0 || std::strcmp(argv[1], "all") == 0;
    };
    const uint64_t count = std::strtoull(argv[2], nullptr, 10);
    for (int i = 3; i < argc; ++i) {
        find(argv[i]).bind();
    }
    if (chosen("Adapt")) {
        time_case("Adapt", count, [](Segment &segment) { raise_segment(adapt, segment); });
    }
    if (chosen("SegFromUser")) {
        time_case("SegFromUser", count, [](Segment &segment) { raise_segment(seg_from_user, segment); });
    }
    if (chosen("Seg2Net")) {
        time_case("Seg2Net", count, [](Segment &segment) { raise_segment(seg_to_net, segment); });
    }
    uint64_t digest = 0;
    for (const Named &named : all) {
        digest ^= named.registered->digest();
    }
    std::printf("digest %016" PRIx64 "\n", digest);
}
