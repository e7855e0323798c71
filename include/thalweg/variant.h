// thalweg: which build of the libraries a program is compiled for. All of it, and the libraries, are of one: CMake's THALWEG_CHECK_THREADS makes the
// libraries of the other, and who is compiled with Thalweg::thalweg or pkg-config's flags is of theirs.
//
// With THALWEG_CHECK_THREADS, events, what waits for them and loops know their thread. Who uses one in another thread is told of it on standard
// error, with the event's name, and the program is aborted. Without it, that is a data race (docs/EVENTS.md says what other threads may call). An
// event that is waited for takes 8 bytes more then, and so has other names, by the inline namespace: objects of both builds are not linked together.
#pragma once

#include <thalweg/runtime.h>

#ifdef THALWEG_CHECK_THREADS
#define THALWEG_TAME thalweg::tame::inline checked
#else
#define THALWEG_TAME thalweg::tame
#endif

namespace thalweg::detail {

#ifdef THALWEG_CHECK_THREADS
// The thread that made what this is part of. `use`: what is done, "was triggered".
class OwnThread {
  public:
    void check(const char *name, const char *use) const {
        if (thread_ != thalweg_this_thread())
            thalweg_wrong_thread(name, use);
    }

  private:
    const void *thread_ = thalweg_this_thread();
};
inline void check_thread(const thalweg_core *core, const char *use) { thalweg_core_check_thread(core, use); }
#else
struct OwnThread {
    void check(const char *, const char *) const {}
};
inline void check_thread(const thalweg_core *, const char *) {}
#endif

}  // namespace thalweg::detail
