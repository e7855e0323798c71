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
served() { sed -n 's/.*memory or take them, \([0-9]*\) of them served.*/\1/p' said; }
[ "$(served)" -gt 15000 ] || die "$(served) calls were served: $(cat said)"
MALLOC_PERTURB_=9 thalweg record -o perturbed.profile -- ./main 4000 > out 2> said
same 0 "$(served)" "calls that were served where the user looks for errors"

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
for program in main main.opt; do
    llvm-objcopy-19 --strip-debug $program $program.bare
    valgrind --error-exitcode=9 --leak-check=full ./$program.bare 900 > out 2> said || die "valgrind on $program: $(cat said)"
    valgrind --error-exitcode=9 ./$program.bare 900 twice > out 2> said && die "valgrind does not see that $program gives a block back twice"
    grep -q "Invalid free" said || die "valgrind on $program: $(cat said)"
done

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
# Where C++'s library is part of the program, nobody can tell its operators from others.
links 0 -static-libstdc++
links 0 -static
# Operators of arrays alone.
sed 's/operator new(/operator new[](/; s/operator delete(/operator delete[](/g' operators.cc > arrays.cc
g++ -O2 -shared -fPIC arrays.cc -o libarrays.so
links 0 -L. -Wl,--no-as-needed -larrays "-Wl,-rpath,$PWD"
same "$(./main 900)" "$(LD_PRELOAD=$PWD/libarrays.so ./main.opt 900)" "what is printed with other operators of arrays in front"

# The first block that is given back is no other than the rest.
cat > first.c <<'C'
#include <stdlib.h>
#include <string.h>
int main(int count, char **words) {
    static char *volatile blocks[4];
    if (count > 2) {
        blocks[0] = malloc((size_t)atoi(words[1]));
        free(blocks[0]);
        free(blocks[0]);
        return malloc(24) == malloc(24);
    }
    for (int i = 0; i < 40000; ++i) {
        for (int k = 0; k < 4; ++k) memset(blocks[k] = malloc((size_t)atoi(words[1])), k, 8);
        for (int k = 0; k < 4; ++k) free(blocks[k]);
    }
    return 0;
}
C
thalweg-cc -O2 -fno-plt first.c -o first || die "first.c does not link"
thalweg record -o first.profile -- ./first 40 > out 2> said || die "record: $(cat said)"
thalweg optimize ./first --profile first.profile -o first.opt > out 2> said || die "optimize without the procedure linkage table: $(cat out said)"
same 2 "$(grep -c 'applied  *reuse' out)" "functions of first.c whose blocks are kept"
for size in 10 24 100 500 1032; do
    set +e
    (./first.opt $size twice > out 2> said) 2> /dev/null
    code=$?
    set -e
    same 134 $code "how a program ends that gives its first block of $size bytes back twice"
    grep -q "double free" said || die "nothing is said of the first block that was given back twice: $(cat said)"
done

# A program that calls malloc and free through pointers only; what its user may bring instead is called as it was.
cat > hooks.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct hooks { void *(*give)(size_t); void (*take)(void *); };
static long own;
static void *give_own(size_t size) { ++own; return malloc(size + 8); }
static void take_own(void *block) { ++own; free(block); }
static const struct hooks library = {malloc, free}, users = {give_own, take_own};
int main(int count, char **words) {
    const struct hooks *volatile hooks = count > 2 ? &users : &library;
    long sum = 0;
    for (int i = 0; i < atoi(words[1]); ++i) {
        char *blocks[3];
        for (int k = 0; k < 3; ++k) sprintf(blocks[k] = hooks->give((size_t)(20 + (i + k) % 7 * 16)), "%d", i + k);
        for (int k = 0; k < 3; ++k) sum += atol(blocks[k]), hooks->take(blocks[k]);
    }
    printf("%ld %ld\n", sum, own);
    return 0;
}
C
thalweg-cc -O2 hooks.c -o hooks || die "hooks.c does not link"
thalweg record -o hooks.profile -- ./hooks 20000 > out 2> said || die "record: $(cat said)"
[ "$(served)" -gt 110000 ] || die "$(served) of 120,000 calls through pointers were served: $(cat said)"
thalweg optimize ./hooks --profile hooks.profile -o hooks.opt > out 2> said || die "optimize what calls through pointers: $(cat out said)"
same 2 "$(grep -c 'applied  *reuse' out)" "functions that hooks.c calls through pointers"
for words in 0 7 20000 "900 own"; do same "$(./hooks $words)" "$(./hooks.opt $words)" "what hooks.opt $words prints"; done
calls_in_main() { objdump -d --no-show-raw-insn hooks.opt | sed -n '/<main>:/,/^$/p' | grep -c "call.*<thalweg\.$1"; }
[ "$(calls_in_main malloc)" -ge 1 ] && [ "$(calls_in_main free)" -ge 1 ] || die "malloc and free are not asked for: $(objdump -d hooks.opt | grep 'call')"

# Nothing is asked of functions that a program may have instead of the C library's, and nothing is asked for that keeps the heap from being given back.
cat > heap.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
char *getenv(const char *name) { puts(name); return NULL; }
unsigned long getauxval(unsigned long type) { puts("getauxval"); return type; }
int pthread_once(pthread_once_t *once, void (*run)(void)) { puts("pthread_once"); (void)once; (void)run; return 0; }
char *strstr(const char *text, const char *words) { puts(words); (void)text; return NULL; }
static long pages(void) {
    long all = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (fscanf(file, "%ld %ld", &all, &resident) != 2) return -1;
    fclose(file);
    return resident;
}
int main(int count, char **words) {
    const int many = atoi(words[1]);
    char **blocks = malloc((size_t)many * sizeof *blocks);
    for (int i = 0; i < many; ++i) memset(blocks[i] = malloc(160), i, 160);
    for (int i = 0; i < many; ++i) free(blocks[i]);
    free(blocks);
    puts(pages() < 4000 ? "small" : "large");
    return count - 2;
}
C
thalweg-cc -O2 -fno-builtin heap.c -o heap
thalweg record -o heap.profile -- ./heap 200000 > out 2> said || die "record: $(cat said)"
same small "$(cat out)" "what a program shows that is recorded and gives its heap back"
thalweg plan heap.profile --program ./heap -o heap.plan > out
sed -i 's/verdict = "refuse"/verdict = "apply"/; /^refusal/d' heap.plan
thalweg optimize ./heap --profile heap.profile --plan heap.plan -o heap.opt > out 2> said
same 2 "$(grep -c 'applied  *reuse' out)" "functions of heap.c whose blocks are kept: $(cat out)"
same small "$(./heap.opt 200000)" "what the optimised one shows"
echo "ok"
