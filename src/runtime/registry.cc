// runtime: every event of the process, in three hash tables that share their nodes with the events' infos.
#include "registry.h"

#include <cstdlib>
#include <cstring>
#include <pthread.h>

#include "running_stack.h"

namespace thalweg::runtime {

namespace {

// Fibonacci hashing: the high bits of a product with 2^64 / golden ratio (Knuth, TAOCP 3, section 6.4).
constexpr uint64_t golden = 0x9e3779b97f4a7c15;
constexpr uint32_t first_bits = 6;  // 64 buckets: a composite has 10-20 events (paper, section 2.3)

uint64_t hash_number(uint64_t number) { return number * golden; }
uint64_t hash_text(const char *text) {
    uint64_t hash = golden;
    for (; *text; ++text)
        hash = (hash ^ static_cast<unsigned char>(*text)) * golden;
    return hash * golden;
}

enum Key { by_name = 0, by_id = 1, by_address = 2, keys = 3 };

uint64_t hash_of(const thalweg_event_info *info, Key key) {
    if (key == by_name)
        return hash_text(info->head.name);
    return hash_number(key == by_id ? info->id : reinterpret_cast<uint64_t>(info->core));
}

struct Registry {
    pthread_mutex_t mutex;
    thalweg_event_info **buckets[keys];
    uint32_t bits;
    uint64_t count;
    uint64_t last_id;
};
// The one registry of the process: events of all threads, and those whose lifetime is static, are in it, so that it is
// made before and goes after all of them.
constinit Registry registry{
    PTHREAD_MUTEX_INITIALIZER, {}, 0, 0, 0};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

class Lock {
  public:
    Lock() { pthread_mutex_lock(&registry.mutex); }
    ~Lock() { pthread_mutex_unlock(&registry.mutex); }
    Lock(const Lock &) = delete;
    Lock &operator=(const Lock &) = delete;
};

thalweg_event_info *bucket(Key key, uint64_t hash) {
    return registry.bits ? registry.buckets[key][hash >> (64 - registry.bits)] : nullptr;
}

void insert(thalweg_event_info *info) {
    for (int key = 0; key < keys; ++key) {
        const uint64_t hash = hash_of(info, static_cast<Key>(key));
        thalweg_event_info **head = &registry.buckets[key][hash >> (64 - registry.bits)];
        info->next[key] = *head;
        *head = info;
    }
}

void grow() {
    const uint32_t old_bits = registry.bits;
    thalweg_event_info **old = registry.buckets[by_id];
    free(registry.buckets[by_name]);
    free(registry.buckets[by_address]);
    registry.bits = old_bits ? old_bits + 1 : first_bits;
    for (auto &table : registry.buckets) {
        table = static_cast<thalweg_event_info **>(allocate(sizeof(thalweg_event_info *) << registry.bits));
    }
    for (uint64_t i = 0; old_bits && i < (uint64_t{1} << old_bits); ++i) {
        for (thalweg_event_info *info = old[i], *next = nullptr; info; info = next) {
            next = info->next[by_id];
            insert(info);
        }
    }
    free(old);
}

}  // namespace

void register_event(thalweg_event_info *info) {
    const Lock lock;
    if (registry.bits == 0 || registry.count >= (uint64_t{1} << registry.bits))
        grow();
    ++registry.count;
    info->id = ++registry.last_id;
    insert(info);
}

void forget_event(thalweg_event_info *info) {
    const Lock lock;
    --registry.count;
    for (int key = 0; key < keys; ++key) {
        const uint64_t hash = hash_of(info, static_cast<Key>(key));
        thalweg_event_info **at = &registry.buckets[key][hash >> (64 - registry.bits)];
        while (*at != info)
            at = &(*at)->next[key];
        *at = info->next[key];
    }
}

thalweg_core *find_named(const char *name) {
    const Lock lock;
    const thalweg_event_info *oldest = nullptr;
    for (auto *info = bucket(by_name, hash_text(name)); info; info = info->next[by_name]) {
        if (strcmp(info->head.name, name) == 0 && (!oldest || info->id < oldest->id))
            oldest = info;
    }
    return oldest ? oldest->core : nullptr;
}

thalweg_core *find_id(uint64_t id) {
    const Lock lock;
    auto *info = bucket(by_id, hash_number(id));
    while (info && info->id != id)
        info = info->next[by_id];
    return info ? info->core : nullptr;
}

// Other threads' events are read while these raise them: what is found there is no address of this stack, whichever it is.
[[gnu::no_sanitize_thread]] bool has_raise_on(const RunningStack &stack) {
    const Lock lock;
    for (uint64_t i = 0; registry.bits && i < (uint64_t{1} << registry.bits); ++i)
        for (const thalweg_event_info *info = registry.buckets[by_id][i]; info; info = info->next[by_id]) {
            const void *frame = *const_cast<thalweg_frame *const volatile *>(&info->core->frames);
            if (stack.has(frame))
                return true;
        }
    return false;
}

bool is_event(const void *core) {
    const Lock lock;
    auto *info = bucket(by_address, hash_number(reinterpret_cast<uint64_t>(core)));
    while (info && info->core != core)
        info = info->next[by_address];
    return info != nullptr;
}

}  // namespace thalweg::runtime
