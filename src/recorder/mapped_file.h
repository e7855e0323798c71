// recorder: a file of the wanted size in memory, with its disk space taken beforehand.
#pragma once

#include <cstddef>
#include <cstdint>

namespace thalweg::recorder {

// Null and errno when it cannot be had. The space is allocated, so that no later store can hit a full disk; the descriptor
// is closed at once, because programs close or reuse descriptors that they do not know.
void *map_new_file(const char *path, size_t size);
// Its descriptor, open for a moment; -1 and errno.
int open_new_file(const char *path, size_t size);
// The same without its disk space.
int open_sparse_file(const char *path, size_t size);
// Zeroed memory of our own: the user's malloc may be what we are called from.
void *map_memory(size_t size);
void unmap_memory(void *bytes, size_t size);
// The one line that the recorder ever says.
void warn(const char *what, const char *path, int problem);

}  // namespace thalweg::recorder
