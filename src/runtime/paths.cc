// runtime: which of the paths that the optimiser compiled fits an event as it is bound now.
//
// Both tables are sections that the optimiser's plug-in writes; a program that was not optimised has neither.
#include <pthread.h>

#include "abi/names.h"
#include "internal.h"
#include "registry.h"

namespace thalweg::runtime {

namespace {

// How many targets are matched in their context too; -1: the path does not fit.
int64_t score(const thalweg_path &path, const thalweg_core *core) {
    if (path.count != static_cast<uint64_t>(core->slots_end - core->slots) ||
        (core->flags & path.flags_mask) != path.flags_value)
        return -1;
    int64_t same_context = 0;
    for (uint32_t i = 0; i < path.count; ++i) {
        const thalweg_path_target &target = path.targets[i];
        if (target.function != core->slots[i].function)
            return -1;
        if (!(target.flags & THALWEG_TARGET_SAME_CONTEXT))
            continue;
        if (target.context != core->slots[i].context)
            return -1;
        ++same_context;
    }
    return same_context;
}

// The paths by their functions, with open addressing: binding must not become slow because many paths were compiled.
struct PathIndex {
    pthread_once_t once;
    const thalweg_path **places;
    uint64_t mask;
};
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): made once, from a section of the program
constinit PathIndex path_index{PTHREAD_ONCE_INIT, nullptr, 0};

// Steps through the functions of slots and of targets alike; the high bits are the mixed ones (Fibonacci hashing).
template <class Entry>
uint64_t hash_functions(const Entry *first, uint64_t count) {
    constexpr uint64_t golden = 0x9e3779b97f4a7c15;
    uint64_t hash = count;
    for (uint64_t i = 0; i < count; ++i)
        hash = (hash ^ reinterpret_cast<uint64_t>(first[i].function)) * golden;
    return hash ^ hash >> 32;
}

void make_path_index() {
    const auto paths = static_cast<uint64_t>(+__stop_thalweg_paths - +__start_thalweg_paths);
    uint64_t room = 8;
    while (room < paths * 2)
        room *= 2;
    path_index.places = static_cast<const thalweg_path **>(allocate(room * sizeof(thalweg_path *)));
    path_index.mask = room - 1;
    for (uint64_t i = 0; i < paths; ++i) {
        const thalweg_path *path = &__start_thalweg_paths[i];
        uint64_t place = hash_functions(path->targets, path->count) & path_index.mask;
        while (path_index.places[place])
            place = (place + 1) & path_index.mask;
        path_index.places[place] = path;
    }
}

const thalweg_core *core_of(const thalweg_group_member &member) {
    return static_cast<const thalweg_core *>(member.indirect ? *static_cast<void *const *>(member.where)
                                                             : member.where);
}

// A pointer variable may still point to where an event was, and a global event may not have been made yet.
bool holds(const thalweg_group_member &member) {
    const thalweg_core *core = core_of(member);
    return core && is_event(core) && core->path == member.path;
}

void refresh_groups(const thalweg_core *core) {
    for (const thalweg_group *group = __start_thalweg_groups; group != +__stop_thalweg_groups; ++group) {
        for (uint64_t i = 0; i < group->count; ++i) {
            if (core_of(group->members[i]) != core)
                continue;
            thalweg_group_refresh(group);
            break;
        }
    }
}

}  // namespace

void find_path(thalweg_core *core) {
    if (+__start_thalweg_paths == +__stop_thalweg_paths)
        return;
    pthread_once(&path_index.once, make_path_index);
    int64_t best = -1;
    uint32_t id = THALWEG_NO_PATH;
    uint64_t place = hash_functions(core->slots, static_cast<uint64_t>(core->slots_end - core->slots));
    while (const thalweg_path *path = path_index.places[place &= path_index.mask]) {
        ++place;
        const int64_t fit = score(*path, core);
        if (fit < best || fit < 0)
            continue;
        if (fit == best && path->id > id)
            continue;
        best = fit;
        id = path->id;
    }
    core->path = static_cast<thalweg_path_id>(id);
    refresh_groups(core);
}

void forget_paths(thalweg_core *core) {
    core->path = THALWEG_NO_PATH;
    refresh_groups(core);
}

}  // namespace thalweg::runtime

// Only optimised programs call it, after their own link has begun: it must be there.
[[gnu::used]] void thalweg_group_refresh(const thalweg_group *group) noexcept {
    bool valid = true;
    for (uint64_t i = 0; i < group->count && valid; ++i)
        valid = thalweg::runtime::holds(group->members[i]);
    *group->word = static_cast<thalweg_path_id>(valid ? 1 : 0);
}
