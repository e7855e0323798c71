#!/usr/bin/env bash
# Small blocks are kept where the C library's own malloc serves the process, and left to whatever else serves it: of the program, of its libraries, of
# the user. What the library says of blocks that are given back twice, and what valgrind says of a program's errors, is said as before.
source "$(dirname "$0")/common.sh"
cat > main.cc <<'C'
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <string>
int main(int count, char **words) {
    long sum = 0;
    std::list<int> numbers;
    for (int i = 0; i < std::atoi(words[1]); ++i) {
        char *text = static_cast<char *>(std::malloc(20 + i % 90));
        std::sprintf(text, "%d", i);
        text = static_cast<char *>(std::realloc(text, 120));
        numbers.push_back(std::atoi(text));
        if (numbers.size() > 9) numbers.pop_front();
        sum += numbers.front();
        std::free(text);
        if (count > 2 && i == 500) std::free(text);
    }
    std::printf("%ld\n", sum);
    return 0;
}
C
# $1: how many functions' blocks are kept; the others: what else is linked.
links() {
    local wanted=$1
    shift
    thalweg-c++ -O2 -g main.cc "$@" -o main || die "$* does not link"
    thalweg record -o main.profile -- ./main 4000 > out 2> said || die "record with $*: $(tail -3 said)"
    thalweg optimize ./main --profile main.profile -o main.opt > out 2> said || die "optimize with $*: $(cat out said)"
    same "$wanted" "$(grep -c '^ *[0-9]*  applied  *reuse' out || true)" "functions whose blocks are kept with $*: $(cat out)"
    for rounds in 0 3 900; do same "$(./main $rounds)" "$(./main.opt $rounds)" "what is printed with $*, $rounds rounds"; done
}
links 5
thalweg record -o main.profile -- ./main 4000 > out 2> said
# Of 8,000 requests, 8,000 blocks that are given back, and 4,000 that are resized, all but the first ones and those that grow.
served=$(sed -n 's/.*memory or take them, \([0-9]*\) of which need nothing.*/\1/p' said)
[ "${served:-0}" -gt 15000 ] || die "${served:-no} calls need nothing of the library: $(cat said)"

# Double frees are told, and end the program, as they did.
for program in main main.opt; do
    set +e
    (./$program 900 twice > out 2> said) 2> /dev/null
    code=$?
    set -e
    same 134 $code "how $program ends that gives a block back twice"
    grep -q "double free" said || die "$program says nothing of a block that was given back twice: $(cat said)"
done

# Valgrind's memcheck serves blocks of its own, and finds nothing that it didn't.
if valgrind --version > /dev/null 2>&1; then
    for program in main main.opt; do
        llvm-objcopy-19 --strip-debug $program $program.bare
        valgrind --error-exitcode=9 --leak-check=full ./$program.bare 900 > out 2> said || die "valgrind on $program: $(cat said)"
        valgrind --error-exitcode=9 ./$program.bare 900 twice > out 2> said && die "valgrind does not see that $program gives a block back twice"
        grep -q "Invalid free" said || die "valgrind on $program: $(cat said)"
    done
fi

# A malloc that is loaded in front has words of its own in front of its blocks, or none at all.
cat > front.c <<'C'
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
static char *at, *page;
static long calls;
/* Each block begins a page behind one that can't be read: whoever looks in front of it ends. */
#include <sys/mman.h>
void *malloc(size_t size) {
    ++calls;
    char *pages = mmap(NULL, 8192 + size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(pages, 4096, PROT_NONE);
    return pages + 4096;
}
void free(void *block) { (void)block; }
void *calloc(size_t many, size_t size) { return malloc(many * size); }
void *realloc(void *block, size_t size) {
    void *other = malloc(size);
    if (block) memcpy(other, block, 20);
    return other;
}
size_t malloc_usable_size(void *block) { (void)block; return 24; }
__attribute__((destructor)) static void tell(void) {
    if (calls > 1000) write(2, "front\n", 6);
}
C
gcc -O1 -fno-builtin -shared -fPIC front.c -o libfront.so
same "$(./main 900)" "$(LD_PRELOAD=$PWD/libfront.so ./main.opt 900 2> said)" "what is printed with another malloc in front"
grep -q front said || die "the malloc in front served nothing: $(cat said)"
links 0 -L. -lfront "-Wl,-rpath,$PWD"

# Operators of the program's own, seen and not seen by the compiler, and of a library.
cat > operators.cc <<'C'
#include <cstdlib>
#include <new>
void *operator new(std::size_t size) { return static_cast<char *>(std::malloc(size + 16)) + 16; }
void operator delete(void *block) noexcept { if (block) std::free(static_cast<char *>(block) - 16); }
void operator delete(void *block, std::size_t) noexcept { operator delete(block); }
C
thalweg-c++ -O2 -c operators.cc -o operators.o
links 0 operators.o
g++ -O2 -c operators.cc -o operators.native.o
links 0 operators.native.o
g++ -O2 -shared -fPIC operators.cc -o liboperators.so
links 0 -L. -loperators "-Wl,-rpath,$PWD"
# Statically linked C++ has its operators in the program.
links 3 -static-libstdc++
links 3 -static
echo "ok"
