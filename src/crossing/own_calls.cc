// crossing: asks the kernel, before the program begins, whether a filter of system calls was inherited.
#include "crossing/own_calls.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

namespace {

// One answer for the process. 0, also where nobody asked: the original calls are made.
uint32_t may_call = 0;

// The dynamic loader (glibc 2.26 and newer) reads so many bytes of each library: sizeof(struct filebuf.buf), elf/dl-load.c.
constexpr long bytes_of_loader = 832;
// The line stands within the first 1,500 bytes unless the user is in hundreds of groups: so many reads find it among 3,000.
constexpr int most_reads = 32;
constexpr char wanted[] = "\nSeccomp:\t";
constexpr int wanted_bytes = sizeof wanted - 1;

#if defined(__x86_64__) || defined(__aarch64__)
constexpr bool can_ask = true;
#else
constexpr bool can_ask = false;
#endif

// Not by the C library: a library that is loaded in front may have functions of these names, and none of its constructors has run.
long enter_kernel([[maybe_unused]] long number, [[maybe_unused]] long first, [[maybe_unused]] long second,
                  [[maybe_unused]] long third) {
#if defined(__x86_64__)
    long result = number;
    register long fourth asm("r10") = 0;
    asm volatile("syscall" : "+a"(result) : "D"(first), "S"(second), "d"(third), "r"(fourth) : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long result asm("x0") = first;
    register long x1 asm("x1") = second;
    register long x2 asm("x2") = third;
    register long x3 asm("x3") = 0;
    register long x8 asm("x8") = number;
    asm volatile("svc 0" : "+r"(result) : "r"(x1), "r"(x2), "r"(x3), "r"(x8) : "memory");
    return result;
#else
    return -1;
#endif
}

// Looks for the line of /proc/PID/status, piece by piece.
class Finder {
  public:
    // Whether the value's first digit has been seen.
    bool take(const char *bytes, long size) {
        for (long i = 0; i < size; ++i) {
            if (seen_ == wanted_bytes) {
                value_ = bytes[i];
                return true;
            }
            seen_ = bytes[i] == wanted[seen_] ? seen_ + 1 : (bytes[i] == wanted[0] ? 1 : 0);
        }
        return false;
    }
    bool says_none() const { return value_ == '0'; }

  private:
    int seen_ = 0;
    char value_ = '\0';
};

bool has_no_filter() {
    static constexpr char path[] = "/proc/self/status";
    const long status = enter_kernel(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), O_RDONLY | O_CLOEXEC);
    if (status < 0)
        return false;
    Finder line;
    for (int i = 0; i < most_reads; ++i) {
        char bytes[bytes_of_loader];
        const long size = enter_kernel(SYS_read, status, reinterpret_cast<long>(bytes), bytes_of_loader);
        if (size <= 0 || line.take(bytes, size))
            break;
    }
    enter_kernel(SYS_close, status, 0, 0);
    return line.says_none();
}

// A filter that forbids one of these three calls has ended the process before: the dynamic loader has just made them, with the same
// arguments but for the path, to open and read the C library. A static program has no loader, and so no call that is known to be allowed.
void ask() {
    if (can_ask && getauxval(AT_BASE) != 0 && has_no_filter())
        may_call = 1;
}

// In front of all constructors, those of libraries too: nobody has made a thread, a handler or a filter yet, so that nobody can see the
// descriptor's number taken. Only a program has this table; in a library nothing is asked, and the answer stays no.
using Constructor = void (*)();
[[gnu::section(".preinit_array"), gnu::used]] const Constructor asks_first = ask;

}  // namespace

bool thalweg_crossing_may_call() { return __atomic_load_n(&may_call, __ATOMIC_RELAXED) != 0; }

void thalweg_crossing_set_may_call(bool may) { __atomic_store_n(&may_call, may ? 1U : 0U, __ATOMIC_RELAXED); }
