// runtime: who uses an event or a loop of another thread (variant.h).
#ifdef THALWEG_CHECK_THREADS
#include <sys/uio.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "internal.h"

namespace {

iovec text(const char *words) { return {const_cast<char *>(words), strlen(words)}; }

}  // namespace

const void *thalweg_this_thread() noexcept {
    static thread_local constinit char own = 0;
    return &own;
}

void thalweg_core_check_thread(const thalweg_core *core, const char *use) noexcept {
    if (core->info && core->info->thread != thalweg_this_thread())
        thalweg_wrong_thread(core->info->head.name, use);
}

void thalweg_loop_check_thread(const thalweg_loop *loop, const char *use) noexcept {
    if (loop && !thalweg_loop_is_here(loop))
        thalweg_wrong_thread("a loop", use);
}

// Without stdio, as the rest of the runtime; what could not be written is not said.
void thalweg_wrong_thread(const char *name, const char *use) noexcept {
    const iovec parts[] = {
        text("thalweg: "), text(name), text(" "), text(use),
        text(" in another thread than its own, which is a data race: post_to, Loop::post and wait_in are for "
             "other threads (docs/EVENTS.md)\n")};
    [[maybe_unused]] const ssize_t written = writev(STDERR_FILENO, parts, sizeof(parts) / sizeof(parts[0]));
    abort();
}
#endif
