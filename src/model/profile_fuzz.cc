// model: any bytes as a profile: an error, or a valid profile that is written and read back the same.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "model/profile.h"

namespace {

using namespace thalweg::model;

// A valid file with something in every table.
std::string sample() {
    Profile profile{.program = "server", .build_id = "b1", .command = "./server"};
    profile.sites = {{"raise", 0, UINT64_MAX, SiteKind::event, {"a.cc", 1, 2}}};
    profile.symbols = {{"f", true, true, 7, 30, {}}, {"state", false, true, 0, 0, {}}};
    profile.events = {{"A", SiteKind::event, 10, 1, 3}, {"B", SiteKind::event, 5, 0}};
    profile.edges = {{0, 1, RaiseMode::sync, 4}};
    profile.sequences = {{0, 0, {{0, 1, 8, 0}, {none, none, 0, 1}}, false, 10}};
    profile.nestings = {{0, 0, 1, 0, 1, 0, RaiseMode::sync, 5}};
    profile.guards = {{1, "A", 3, 1}};
    profile.functions = {{{"encode", 3, 60, {"a.c", 4, 0}, {1}}, 40}, {{"put", 4, 9, {}, {}}, 0}};
    profile.facts = {{0, FactKind::load, 2, 8, Steers::call, {"a.c", 9, 1}, 12, false, {{0, 0, 8}, {none, 0, 4}}},
                     {1, FactKind::argument, 0, 4, Steers::branch, {}, 40, true, {}},
                     {1, FactKind::load, 0, 4, Steers::branch, {}, 3, false, {}, CallPlace{0, 5, {"a.c", 11, 7}}}};
    profile.sites.push_back({"copy", 0, 9, SiteKind::call, {}, "read"});
    profile.system_calls = {{1, 10, 0, 0, 0, 80, 80, 4, 900}};
    profile.system_call_edges = {{1, 1, 9, 9, 9, 0, 0, 3, 600, 150}};
    profile.output_calls = {{1, 7}};
    profile.block_calls = {{"malloc", 9, 8}};
    profile.call_clock = CallClock::probes;
    profile.coverage = {15, 15, 0, 1, 1, 1};
    return *profile_bytes(profile);
}

// SQLite's checks stop most random files at their first page. So the input is read as changes to a valid file: a place
// (2 bytes), a length (1 byte), and the bytes that go there.
std::string changed(const uint8_t *data, size_t size) {
    static const std::string valid = sample();
    std::string bytes = valid;
    while (size > 3) {
        const size_t place = (data[0] | size_t{data[1]} << 8) % bytes.size();
        const size_t length = std::min({size_t{data[2]}, size - 3, bytes.size() - place});
        std::memcpy(bytes.data() + place, data + 3, length);
        data += 3 + length;
        size -= 3 + length;
    }
    return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const bool whole_file = size > 6 && std::memcmp(data, "SQLite", 6) == 0;
    const std::string bytes =
        whole_file ? std::string(reinterpret_cast<const char *>(data), size) : changed(data, size);
    const auto profile = profile_from_bytes(bytes);
    if (!profile)
        return 0;
    const auto written = profile_bytes(*profile);
    if (!validate(*profile) || !written)
        std::abort();
    const auto again = profile_from_bytes(*written);
    if (!again || !(*again == *profile))
        std::abort();
    return 0;
}
