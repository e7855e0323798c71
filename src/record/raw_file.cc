// record: a raw file of the recorder, as values that are known to be in range.
#include "record/raw_file.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>

namespace thalweg::record {

namespace {

template <size_t Size>
std::string text_of(const char (&field)[Size]) {
    return std::string(field, strnlen(field, Size));
}

class ChunkReader {
  public:
    ChunkReader(const raw::Chunk &chunk, RawFile &file) : chunk_(chunk), file_(file) {}

    void run() {
        read_events();
        const uint32_t opaques = std::min(chunk_.opaque_count, raw::opaque_capacity);
        for (uint32_t i = 0; i < opaques; ++i)
            file_.opaques.push_back(text_of(chunk_.opaques[i].name));
        for (const raw::Edge &edge : chunk_.edges)
            if (kept(edge.used, is_event(edge.from) && is_event(edge.to) && is_mode(edge.mode)))
                file_.edges.push_back(edge);
        for (const raw::Nesting &nesting : chunk_.nestings)
            if (kept(nesting.used, is_event(nesting.parent_event) && is_event(nesting.child_event) &&
                                       is_mode(nesting.mode) && is_function(nesting.handler)))
                file_.nestings.push_back(nesting);
        for (const raw::Sequence &sequence : chunk_.sequences)
            read_sequence(sequence);
        copy_used(chunk_.entries, file_.entries);
        for (const raw::Fact &fact : chunk_.facts)
            if (kept(fact.used, are_values(fact)))
                file_.facts.push_back(fact);
        copy_used(chunk_.system_calls, file_.system_calls);
        copy_used(chunk_.system_call_edges, file_.system_call_edges);
        copy_used(chunk_.releases, file_.releases);
    }

  private:
    template <class Entry, size_t Size>
    static void copy_used(const Entry (&table)[Size], std::vector<Entry> &entries) {
        std::copy_if(std::begin(table), std::end(table), std::back_inserter(entries),
                     [](const Entry &entry) { return entry.used != 0; });
    }

    void read_events() {
        const uint32_t count = std::min(chunk_.event_count, raw::event_capacity);
        for (uint32_t i = 0; i < count; ++i) {
            file_.events.push_back(chunk_.events[i]);
            file_.names.push_back(text_of(chunk_.events[i].name));
        }
    }

    void read_sequence(const raw::Sequence &entry) {
        const bool targets_inside = entry.target_count <= raw::targets_per_sequence &&
                                    entry.first_target <= raw::target_capacity - raw::targets_per_sequence;
        if (!kept(entry.used, is_event(entry.event) && targets_inside))
            return;
        RawSequence sequence{entry, {}};
        for (uint32_t i = 0; i < entry.target_count; ++i) {
            const raw::Target &target = chunk_.targets[entry.first_target + i];
            if (!kept(1, is_function(target.function) && is_symbol(target.context)))
                return;
            sequence.targets.push_back(target);
        }
        file_.sequences.push_back(std::move(sequence));
    }

    bool kept(uint32_t used, bool fits) {
        if (used == 0)
            return false;
        file_.dropped += fits ? 0 : 1;
        return fits;
    }
    bool are_values(const raw::Fact &fact) const {
        if (fact.value_count > raw::values_per_fact)
            return false;
        return std::all_of(fact.values, fact.values + fact.value_count,
                           [&](const raw::FactValue &value) { return is_symbol(value.symbol); });
    }
    bool is_event(uint32_t event) const { return event < file_.events.size(); }
    static bool is_mode(uint32_t mode) { return mode <= 3; }
    bool is_symbol(uint32_t symbol) const { return symbol == raw::none || symbol < file_.header.symbol_count; }
    bool is_function(uint32_t function) const {
        if (function == raw::none || (function & raw::opaque_bit) == 0)
            return is_symbol(function);
        return (function & ~raw::opaque_bit) < file_.opaques.size();
    }

    const raw::Chunk &chunk_;
    RawFile &file_;
};

Status read_guards(std::string_view bytes, RawFile &file) {
    const std::string_view rest = bytes.substr(sizeof(raw::Header));
    if (file.header.guard_count != rest.size() / (2 * sizeof(uint64_t)))
        return fail(ErrorCode::environment, "a raw file of {} bytes cannot hold {} guards", bytes.size(),
                    file.header.guard_count);
    for (uint64_t i = 0; i < file.header.guard_count; ++i) {
        uint64_t pair[2];
        std::memcpy(pair, rest.data() + i * sizeof pair, sizeof pair);
        file.guards.emplace_back(pair[0], pair[1]);
    }
    return Done{};
}

}  // namespace

Result<RawFile> read_raw_file(std::string_view bytes) {
    RawFile file;
    if (bytes.size() < sizeof(raw::Header))
        return fail(ErrorCode::environment, "a raw file has at least {} bytes, this one {}", sizeof(raw::Header),
                    bytes.size());
    std::memcpy(&file.header, bytes.data(), sizeof file.header);
    if (file.header.magic != raw::magic)
        return fail(ErrorCode::environment, "not a raw file of the recorder, or one that was never ready");
    if (file.header.version != raw::version)
        return fail(ErrorCode::environment, "a raw file of version {}; this thalweg reads version {}",
                    file.header.version, raw::version);
    if (file.header.kind == raw::process_file) {
        if (const Status status = read_guards(bytes, file); !status)
            return status.error();
        return file;
    }
    if (file.header.kind != raw::chunk_file || bytes.size() != sizeof(raw::Chunk))
        return fail(ErrorCode::environment, "a raw file of kind {} with {} bytes; a chunk has {}", file.header.kind,
                    bytes.size(), sizeof(raw::Chunk));
    // Copied, because the bytes need not be aligned.
    const auto chunk = std::make_unique<raw::Chunk>();
    std::memcpy(static_cast<void *>(chunk.get()), bytes.data(), sizeof(raw::Chunk));
    ChunkReader(*chunk, file).run();
    return file;
}

}  // namespace thalweg::record
