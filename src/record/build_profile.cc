// record: raw files and the twin's site table, made into a profile.
#include "record/build_profile.h"

#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "record/build_facts.h"
#include "record/build_system_calls.h"

namespace thalweg::record {

namespace {

using model::none;
using model::Profile;

// What a file of one thread's counts says is scaled by: every dispatch is in `exact`, some are in `sampled`.
struct Scale {
    double sampled = 1;

    uint64_t operator()(const uint64_t (&count)[raw::phase_count]) const {
        // A hostile file may say anything; what cannot be is cut to what can.
        constexpr double most = 1e18;
        const double value =
            static_cast<double>(count[raw::exact]) + static_cast<double>(count[raw::sampled]) * sampled;
        return static_cast<uint64_t>(std::llround(std::min(value, most)));
    }
};

uint64_t skipped_in(const raw::Header &header) {
    // A process that was killed stood somewhere in its last gap: half of it is the best guess.
    return header.skipped + header.open_gap / 2;
}

Scale scale_of(const raw::Header &header) {
    const double sampled = static_cast<double>(header.recorded[raw::sampled]);
    if (sampled == 0)
        return {};
    return {(sampled + static_cast<double>(skipped_in(header))) / sampled};
}

// LLVM's name for the part of a coroutine that runs after a wait, behind the coroutine's own.
constexpr std::string_view part_after_waits = ".resume";

std::string name_of_place(const model::Site &site) {
    std::string_view function = site.function;
    if (site.kind == model::SiteKind::wait && function.ends_with(part_after_waits))
        function.remove_suffix(part_after_waits.size());
    if (site.place.file.empty())
        return fmt::format("{}#{}", function, site.ordinal);
    return fmt::format("{}:{} {}", site.place.file, site.place.line, function);
}

class Builder {
  public:
    Builder(const model::SiteTable &table, const Recorded &recorded)
        : table_(table), facts_(table), system_calls_(table) {
        profile_.program = recorded.program;
        profile_.build_id = recorded.build_id;
        profile_.command = recorded.command;
        profile_.instructions = table.instructions;
        profile_.sites = table.sites;
        profile_.coverage.runs = 1;
    }

    void add(const RawFile &file) {
        if (file.header.kind == raw::process_file)
            ++profile_.coverage.processes;
        else
            add_chunk(file);
        add_guards(file);
    }

    Profile finish(const std::vector<GuardName> &names) {
        for (const auto &[key, weight] : edges_)
            profile_.edges.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), weight});
        for (auto &[sequence, count] : sequences_) {
            profile_.sequences.push_back(sequence);
            profile_.sequences.back().count = count;
        }
        for (const auto &[nesting, count] : nestings_) {
            profile_.nestings.push_back(nesting);
            profile_.nestings.back().count = count;
        }
        for (size_t i = 0; i < guards_.size() && i < names.size(); ++i)
            if (names[i].decision != 0)
                profile_.guards.push_back({names[i].decision, names[i].event, guards_[i].first, guards_[i].second});
        facts_.finish(profile_, [&](uint32_t symbol) { return add_symbol(symbol); });
        system_calls_.finish(profile_);
        return std::move(profile_);
    }

  private:
    void add_guards(const RawFile &file) {
        if (guards_.size() < file.guards.size())
            guards_.resize(file.guards.size());
        for (size_t i = 0; i < file.guards.size(); ++i) {
            guards_[i].first += file.guards[i].first;
            guards_[i].second += file.guards[i].second;
        }
    }

    void add_chunk(const RawFile &file) {
        const raw::Header &header = file.header;
        const Scale scale = scale_of(header);
        model::Coverage &coverage = profile_.coverage;
        const uint64_t recorded = header.recorded[raw::exact] + header.recorded[raw::sampled];
        coverage.recorded += recorded;
        coverage.dispatches += recorded + skipped_in(header);
        coverage.lost += header.lost + file.dropped;
        coverage.threads += header.threads;
        std::vector<uint32_t> events;
        for (size_t i = 0; i < file.events.size(); ++i)
            events.push_back(add_event(file.events[i], file.names[i], scale));
        add_edges(file, events, scale);
        add_sequences(file, events, scale);
        add_nestings(file, events, scale);
        coverage.lost += facts_.add(file);
        coverage.lost += system_calls_.add(file);
    }

    // none: the event is a list at a site that the table does not know.
    uint32_t add_event(const raw::Event &raw_event, const std::string &name, const Scale &scale) {
        model::Event event;
        const bool has_site = raw_event.site != raw::none;
        if (has_site && raw_event.site >= table_.sites.size())
            return lose();
        event.kind = has_site ? table_.sites[raw_event.site].kind : model::SiteKind::event;
        const bool has_name = event.kind == model::SiteKind::event || event.kind == model::SiteKind::trigger;
        event.name = has_name ? name : name_of_place(table_.sites[raw_event.site]);
        if (event.name.empty())
            event.name = "(unnamed)";
        const auto [found, is_new] =
            event_index_.try_emplace({event.kind, event.name}, static_cast<uint32_t>(profile_.events.size()));
        if (is_new)
            profile_.events.push_back(std::move(event));
        profile_.events[found->second].raises += scale(raw_event.raises);
        profile_.events[found->second].binding_changes += raw_event.binding_changes;
        return found->second;
    }

    void add_edges(const RawFile &file, const std::vector<uint32_t> &events, const Scale &scale) {
        for (const raw::Edge &edge : file.edges) {
            const uint32_t from = events[edge.from];
            const uint32_t to = events[edge.to];
            if (from == none || to == none)
                continue;
            edges_[{from, to, static_cast<model::RaiseMode>(edge.mode)}] += scale(edge.count);
        }
    }

    void add_sequences(const RawFile &file, const std::vector<uint32_t> &events, const Scale &scale) {
        for (const RawSequence &raw_sequence : file.sequences) {
            model::Sequence sequence;
            sequence.site = raw_sequence.entry.site;
            sequence.event = events[raw_sequence.entry.event];
            sequence.truncated = raw_sequence.entry.truncated != 0;
            if (sequence.event == none || sequence.site >= table_.sites.size()) {
                lose();
                continue;
            }
            for (const raw::Target &target : raw_sequence.targets)
                sequence.targets.push_back(add_target(file, target));
            sequences_[sequence] += scale(raw_sequence.entry.count);
        }
    }

    void add_nestings(const RawFile &file, const std::vector<uint32_t> &events, const Scale &scale) {
        for (const raw::Nesting &entry : file.nestings) {
            model::Nesting nesting;
            nesting.parent_event = events[entry.parent_event];
            nesting.parent_site = entry.parent_site;
            nesting.position = entry.position;
            nesting.handler = add_function(file, entry.handler);
            nesting.child_event = events[entry.child_event];
            nesting.child_site = entry.child_site;
            nesting.mode = static_cast<model::RaiseMode>(entry.mode);
            const bool known = nesting.parent_event != none && nesting.child_event != none &&
                               nesting.parent_site < table_.sites.size() && nesting.child_site < table_.sites.size();
            if (known)
                nestings_[nesting] += scale(entry.count);
            else
                lose();
        }
    }

    model::Target add_target(const RawFile &file, const raw::Target &entry) {
        model::Target target;
        target.function = add_function(file, entry.function);
        target.context = add_symbol(entry.context);
        target.context_offset = target.context == none ? 0 : entry.context_offset & INT64_MAX;
        target.ordinal = entry.ordinal;
        return target;
    }

    uint32_t add_function(const RawFile &file, uint32_t function) {
        if (function == raw::none || (function & raw::opaque_bit) == 0) {
            const bool known = function < table_.symbols.size() && table_.symbols[function].is_function;
            return known ? add_symbol(function) : none;
        }
        const std::string &name = file.opaques[function & ~raw::opaque_bit];
        if (name.empty())
            return none;
        const auto [found, is_new] = opaque_index_.try_emplace(name, static_cast<uint32_t>(profile_.symbols.size()));
        if (is_new)
            profile_.symbols.push_back({.name = name, .is_function = true, .has_body = false});
        return found->second;
    }

    // Only symbols that were called or passed come into the profile.
    uint32_t add_symbol(uint32_t symbol) {
        if (symbol >= table_.symbols.size())
            return none;
        const auto [found, is_new] = symbol_index_.try_emplace(symbol, static_cast<uint32_t>(profile_.symbols.size()));
        if (is_new)
            profile_.symbols.push_back(table_.symbols[symbol]);
        return found->second;
    }

    uint32_t lose() {
        ++profile_.coverage.lost;
        return none;
    }

    const model::SiteTable &table_;
    Profile profile_;
    std::map<std::pair<model::SiteKind, std::string>, uint32_t> event_index_;
    std::map<uint32_t, uint32_t> symbol_index_;
    std::map<std::string, uint32_t> opaque_index_;
    std::map<std::tuple<uint32_t, uint32_t, model::RaiseMode>, uint64_t> edges_;
    std::map<model::Sequence, uint64_t> sequences_;
    std::map<model::Nesting, uint64_t> nestings_;
    std::vector<std::pair<uint64_t, uint64_t>> guards_;
    FactBuilder facts_;
    SystemCallBuilder system_calls_;
};

}  // namespace

Result<Profile> build_profile(const std::vector<RawFile> &files, const model::SiteTable &table,
                              const Recorded &recorded, const std::vector<GuardName> &guards) {
    Builder builder(table, recorded);
    for (const RawFile &file : files)
        builder.add(file);
    Profile profile = builder.finish(guards);
    if (const Status status = model::validate(profile); !status)
        return fail(ErrorCode::bug, "the profile that was built is not valid: {}", status.error().message);
    return profile;
}

}  // namespace thalweg::record
