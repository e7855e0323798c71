// link: any bytes as a bundle: refused, or names that stay in it and the same bundle when it is written and read again.
#include <cstdlib>
#include <filesystem>

#include "link/bundle.h"

namespace {

using namespace thalweg::link;

void look_at(std::string_view bytes) {
    const auto bundle = read_bundle(bytes, "fuzz");
    if (!bundle)
        return;
    const std::filesystem::path folder = "/folder";
    for (const ArchiveMember &file : bundle->files)
        if (!(folder / file.name).lexically_normal().string().starts_with("/folder/"))
            std::abort();
    const auto written = write_bundle(*bundle);
    if (!written)
        std::abort();
    const auto again = read_bundle(*written, "fuzz");
    if (!again || again->files.size() != bundle->files.size() || again->directory != bundle->directory ||
        again->program != bundle->program)
        std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const std::string_view bytes(reinterpret_cast<const char *>(data), size);
    look_at(bytes);
    // A fuzzer seldom makes a whole archive: the lines as names of its files, the first as what it says of itself.
    std::vector<ArchiveMember> members;
    for (size_t begin = 0; begin < bytes.size();) {
        const size_t end = std::min(bytes.find('\n', begin), bytes.size());
        const std::string_view line = bytes.substr(begin, end - begin);
        members.push_back({members.empty() ? "thalweg-bundle" : std::string(line), line});
        begin = end + 1;
    }
    look_at(write_archive(members));
    return 0;
}
