// record: any bytes as a raw file: an error, or values from which a valid profile is built.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "record/build_profile.h"

namespace {

// A chunk has 170 KB, more than a fuzzer writes: its bytes are laid over an empty one, header first, then where they say.
std::string chunk_of(const uint8_t *data, size_t size) {
    using namespace thalweg::raw;
    Header header{};
    header.magic = magic;
    header.version = version;
    header.kind = chunk_file;
    header.symbol_count = 2;
    for (uint32_t i = 0; i < table_count; ++i)
        header.capacity[i] = i == dispatch_slots || i == entry_slots ? 8 : table_sizes[i].first;
    std::string bytes(offset_of(header.capacity, table_count), '\0');
    std::memcpy(bytes.data(), &header, sizeof header);
    size_t at = offsetof(Header, process_start_ns);
    for (size_t i = 0; i + 3 <= size; i += 3) {
        at = (at + data[i] * 8 + (data[i + 1] & 3) * 8192) % bytes.size();
        bytes[at] = static_cast<char>(data[i + 2]);
    }
    return bytes;
}

// A reserve with this as its first part, whose numbers are the bytes'.
std::string reserve_of(const std::string &part, const uint8_t *data, size_t size) {
    using namespace thalweg::raw;
    Reserve reserve{};
    reserve.header.magic = magic;
    reserve.header.version = version;
    reserve.header.kind = reserve_file;
    uint64_t length = part.size();
    reserve.used = 2 * reserve_page + length;
    std::memcpy(&length, data, std::min<size_t>(size / 16, sizeof length));
    std::memcpy(&reserve.used, data, std::min<size_t>(size / 32, sizeof reserve.used));
    std::string bytes(2 * reserve_page, '\0');
    std::memcpy(bytes.data(), &reserve, sizeof reserve);
    std::memcpy(bytes.data() + reserve_page, &length, sizeof length);
    return bytes + part;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    using namespace thalweg;
    model::SiteTable table;
    table.sites.push_back({.function = "f"});
    table.sites.push_back({.function = "f", .kind = model::SiteKind::call, .callee = "read"});
    table.symbols.push_back({.name = "g"});
    table.symbols.push_back({.name = "v", .is_function = false});
    const std::string plain(reinterpret_cast<const char *>(data), size);
    const std::string chunk = chunk_of(data, size);
    for (const std::string &bytes : {plain, chunk, reserve_of(chunk, data, size)}) {
        for (const std::string_view part : record::raw_files_in(bytes)) {
            const auto file = record::read_raw_file(part);
            if (file && !record::build_profile({*file, *file}, table, {"p", "", "p"}))
                std::abort();
        }
    }
    return 0;
}
