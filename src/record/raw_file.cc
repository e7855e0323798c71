// record: a raw file of the recorder, as values that are known to be in range.
#include "record/raw_file.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <span>

namespace thalweg::record {

namespace {

template <size_t Size>
std::string text_of(const char (&field)[Size]) {
    return std::string(field, strnlen(field, Size));
}

class ChunkReader {
  public:
    // `bytes`: of the whole chunk, aligned.
    ChunkReader(const char *bytes, RawFile &file) : bytes_(bytes), file_(file) {}

    void run() {
        const auto slots = table<raw::Slot>(raw::dispatch_slots);
        const auto entry_slots = table<raw::Slot>(raw::entry_slots);
        file_.slots.assign(slots.begin(), slots.end());
        file_.entry_slots.assign(entry_slots.begin(), entry_slots.end());
        read_names();
        for (const raw::Raise &raise : table<raw::Raise>(raw::raises))
            if (kept(raise.used, is_event(raise.event) && raise.slot < slots.size()))
                file_.raises.push_back(raise);
        for (const raw::Edge &edge : table<raw::Edge>(raw::edges))
            if (kept(edge.used, is_event(edge.from) && is_event(edge.to) && is_mode(edge.mode)))
                file_.edges.push_back(edge);
        for (const raw::Nesting &nesting : table<raw::Nesting>(raw::nestings))
            if (kept(nesting.used, is_event(nesting.parent_event) && is_event(nesting.child_event) &&
                                       is_mode(nesting.mode) && is_function(nesting.handler)))
                file_.nestings.push_back(nesting);
        for (const raw::Sequence &sequence : table<raw::Sequence>(raw::sequences))
            read_sequence(sequence);
        for (const raw::Fact &fact : table<raw::Fact>(raw::facts))
            if (kept(fact.used, are_values(fact)))
                file_.facts.push_back(fact);
        copy_used(raw::system_calls, file_.system_calls);
        copy_used(raw::system_call_edges, file_.system_call_edges);
        copy_used(raw::releases, file_.releases);
    }

  private:
    template <class Entry>
    std::span<const Entry> table(raw::Table which) const {
        const size_t at = raw::offset_of(file_.header.capacity, which);
        return {reinterpret_cast<const Entry *>(bytes_ + at), file_.header.capacity[which]};
    }

    template <class Entry>
    void copy_used(raw::Table which, std::vector<Entry> &entries) const {
        std::ranges::copy_if(table<Entry>(which), std::back_inserter(entries),
                             [](const Entry &entry) { return entry.used != 0; });
    }

    void read_names() {
        const auto events = table<raw::Event>(raw::events);
        for (const raw::Event &event : events.first(std::min<size_t>(file_.header.event_count, events.size()))) {
            file_.events.push_back(event);
            file_.names.push_back(text_of(event.name));
        }
        const auto opaques = table<raw::Opaque>(raw::opaques);
        for (const raw::Opaque &opaque : opaques.first(std::min<size_t>(file_.header.opaque_count, opaques.size())))
            file_.opaques.push_back(text_of(opaque.name));
    }

    void read_sequence(const raw::Sequence &entry) {
        const auto targets = table<raw::Target>(raw::targets);
        const bool targets_inside = entry.target_count <= raw::targets_per_sequence &&
                                    entry.first_target <= targets.size() &&
                                    entry.target_count <= targets.size() - entry.first_target;
        if (!kept(entry.used, is_event(entry.event) && targets_inside))
            return;
        RawSequence sequence{entry, {}};
        for (const raw::Target &target : targets.subspan(entry.first_target, entry.target_count)) {
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

    const char *bytes_;
    RawFile &file_;
};

// Whether the tables have sizes that the recorder gives them, and just fill the file.
bool tables_fit(const raw::Header &header, size_t bytes) {
    for (uint32_t i = 0; i < raw::table_count; ++i)
        if (header.capacity[i] > raw::table_sizes[i].most)
            return false;
    return raw::offset_of(header.capacity, raw::table_count) == bytes;
}

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

Status read_counters(std::string_view bytes, RawFile &file) {
    const uint64_t count = file.header.counter_count;
    if (bytes.size() < raw::counters_offset || count > (bytes.size() - raw::counters_offset) / sizeof(uint64_t))
        return fail(ErrorCode::environment, "a raw file of {} bytes cannot hold {} counters", bytes.size(), count);
    file.counters.resize(count);
    if (count != 0)
        std::memcpy(file.counters.data(), bytes.data() + raw::counters_offset, count * sizeof(uint64_t));
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
    if (file.header.kind == raw::counter_file) {
        if (const Status status = read_counters(bytes, file); !status)
            return status.error();
        return file;
    }
    if (file.header.kind != raw::chunk_file || !tables_fit(file.header, bytes.size()))
        return fail(ErrorCode::environment, "a raw file of kind {} with {} bytes, whose tables do not fill it",
                    file.header.kind, bytes.size());
    // Copied, because the bytes need not be aligned.
    std::vector<uint64_t> aligned(bytes.size() / sizeof(uint64_t) + 1);
    std::memcpy(aligned.data(), bytes.data(), bytes.size());
    ChunkReader(reinterpret_cast<const char *>(aligned.data()), file).run();
    return file;
}

namespace {

// Null: it is no reserve.
std::optional<raw::Reserve> reserve_of(std::string_view bytes) {
    raw::Reserve reserve{};
    if (bytes.size() < sizeof reserve)
        return {};
    std::memcpy(&reserve, bytes.data(), sizeof reserve);
    const raw::Header &header = reserve.header;
    const bool is_one =
        header.magic == raw::magic && header.version == raw::version && header.kind == raw::reserve_file;
    return is_one ? std::optional(reserve) : std::nullopt;
}

}  // namespace

std::optional<uint64_t> used_of_reserve(std::string_view page) {
    const std::optional<raw::Reserve> reserve = reserve_of(page);
    return reserve ? std::optional(std::min<uint64_t>(reserve->used, raw::reserve_size)) : std::nullopt;
}

std::vector<std::string_view> raw_files_in(std::string_view bytes) {
    const std::optional<raw::Reserve> reserve = reserve_of(bytes);
    if (!reserve)
        return {bytes};
    std::vector<std::string_view> parts;
    const size_t end = std::min<uint64_t>(reserve->used, bytes.size());
    for (size_t at = raw::reserve_page; at < end && end - at > raw::reserve_page;) {
        uint64_t size = 0;
        std::memcpy(&size, bytes.data() + at, sizeof size);
        at += raw::reserve_page;
        if (size == 0 || size > end - at)
            break;
        uint64_t magic = 0;
        std::memcpy(&magic, bytes.data() + at, std::min<size_t>(size, sizeof magic));
        if (magic == raw::magic)
            parts.push_back(bytes.substr(at, size));
        at += (size + raw::reserve_page - 1) / raw::reserve_page * raw::reserve_page;
    }
    return parts;
}

uint64_t passed(const raw::Slot &slot) {
    const auto left = static_cast<uint64_t>(std::max(slot.left, 0));
    return slot.granted > left ? slot.granted - left : 0;
}

}  // namespace thalweg::record
