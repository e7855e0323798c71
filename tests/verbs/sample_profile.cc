// tests: writes a profile like the paper's Figure 8 with an asynchronous edge and a rebound event; argv[2] scales it.
#include <cstdio>
#include <cstdlib>

#include "model/profile.h"

int main(int count, char **arguments) {
    using namespace thalweg::model;
    if (count != 3)
        return 2;
    const uint64_t runs = std::strtoull(arguments[2], nullptr, 10);
    Profile profile{.program = "./sender", .build_id = "5eed", .command = "./sender clip.h263", .instructions = 50000};
    profile.sites = {{"send_segment", 0, 1, SiteKind::event, {"ctp.cc", 40, 5}},
                     {"tdriver_sfu", 0, 2, SiteKind::event, {"tdriver.cc", 12, 9}},
                     {"tick", 0, 3, SiteKind::list, {"clock.cc", 7, 3}}};
    for (const char *name :
         {"fec_sfu1", "seq_seg_sfu", "tdriver_sfu", "fec_sfu2", "pau_s2n", "wfc_s2n", "fec_s2n", "td_s2n", "adapt"})
        profile.symbols.push_back({name, true, true, 9, 30, {"ctp.cc", 1, 1}});
    profile.events = {{"SegFromUser", SiteKind::event, runs, 0},
                      {"Seg2Net", SiteKind::event, runs, 0},
                      {"clock.cc:7 tick", SiteKind::list, runs, runs}};
    profile.edges = {
        {0, 1, RaiseMode::sync, runs}, {1, 0, RaiseMode::external, runs - 1}, {1, 2, RaiseMode::timed, runs / 2}};
    profile.sequences = {{0, 0, {{0}, {1}, {2}, {3}}, false, runs},
                         {1, 1, {{4}, {5}, {6}, {7}}, false, runs},
                         {2, 2, {{8}}, false, runs}};
    profile.nestings = {{0, 0, 2, 2, 1, 1, RaiseMode::sync, runs}};
    profile.coverage = {3 * runs, 3 * runs, 0, 1, 1, 1};
    const thalweg::Status status = write_profile(profile, arguments[1]);
    if (!status)
        std::fprintf(stderr, "%s\n", status.error().message.c_str());
    return status ? 0 : 1;
}
