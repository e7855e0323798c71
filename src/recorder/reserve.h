// recorder: where a process writes that may open no file any more: it has given up its rights, its root or its descriptors.
#pragma once

#include <cstddef>

#include "abi/raw_format.h"

namespace thalweg::recorder {

// Makes the file and maps it; children have it too. Null: there is none to be had, and nothing is said of it.
raw::Reserve *make_reserve(const char *path);

// Whether a file that could not be opened for this reason may be had from the reserve: a full disk is no such reason.
bool may_take(int problem);

// `size` zeroed bytes of it, with their disk space; null and errno. Any thread, any process that has it.
void *take_part(raw::Reserve *reserve, size_t size);
bool is_part(const raw::Reserve *reserve, const void *bytes);
// Its bytes are zero again, and say nothing to a reader.
void drop_part(void *bytes, size_t size);

}  // namespace thalweg::recorder
