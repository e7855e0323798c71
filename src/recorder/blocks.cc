// recorder: which site gave the large blocks of memory that the process has.
#include "recorder/blocks.h"

#include "abi/raw_format.h"
#include "recorder/entry.h"

namespace thalweg::recorder {

namespace {

constexpr uint64_t free_place = 0;
constexpr uint64_t being_filled = 1;  // no block lies there

}  // namespace

uint32_t Blocks::set_of(uint64_t address) { return static_cast<uint32_t>(mixed(address)) % sets * per_set; }

bool Blocks::add(uint64_t address, uint32_t site) {
    const uint32_t first = set_of(address);
    // A block that was given back unseen is known under its address still.
    take(address);
    for (uint32_t i = first; i < first + per_set; ++i) {
        uint64_t expected = free_place;
        if (!__atomic_compare_exchange_n(&blocks_[i].address, &expected, being_filled, false, __ATOMIC_ACQUIRE,
                                         __ATOMIC_RELAXED))
            continue;
        blocks_[i].site = site;
        __atomic_store_n(&blocks_[i].address, address, __ATOMIC_RELEASE);
        return true;
    }
    return false;
}

uint32_t Blocks::take(uint64_t address) {
    const uint32_t first = set_of(address);
    for (uint32_t i = first; i < first + per_set; ++i) {
        uint64_t expected = address;
        if (__atomic_load_n(&blocks_[i].address, __ATOMIC_ACQUIRE) != address)
            continue;
        const uint32_t site = blocks_[i].site;
        if (__atomic_compare_exchange_n(&blocks_[i].address, &expected, free_place, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED))
            return site;
    }
    return raw::none;
}

}  // namespace thalweg::recorder
