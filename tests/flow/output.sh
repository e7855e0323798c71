#!/usr/bin/env bash
# Calls that print are written in place where they are the C library's, and left where the program, its linker or one of its libraries has others of
# these names, or of those that are called beside. What C leaves undefined and the library answers is answered by it.
source "$(dirname "$0")/common.sh"
cat > main.c <<'C'
#include <stdio.h>
#include <stdlib.h>
long calls __attribute__((weak));
void begin(void) __attribute__((weak));
int main(int count, char **words) {
    long sum = 0;
    if (begin) begin();
    for (int i = 0; i < atoi(words[1]); ++i) { sum += printf("%s=%d\n", words[1], i); sum += puts(words[1]); }
    printf("%ld %ld\n", sum, calls);
    return count - 2;
}
C
# $1: how many calls become code in place; the others: what else is linked. Original and optimised show the same.
links() {
    local wanted=$1
    shift
    thalweg-cc -O2 -g main.c "$@" -o main || die "$* does not link"
    thalweg record -o main.profile -- ./main 400 > out 2> said || die "record with $*: $(tail -3 said)"
    thalweg optimize ./main --profile main.profile -o main.opt > out 2> said || die "optimize with $*: $(cat out said)"
    same "$wanted" "$(grep -c '^ *[0-9]*  applied  *expand' out)" "calls that are written in place with $*"
    for rounds in 0 3 900; do same "$(./main $rounds)" "$(./main.opt $rounds)" "what is printed with $*, $rounds rounds"; done
}
links 2
cat > lines.c <<'C'
int puts(const char *text) { return 7; }
C
cat > lengths.c <<'C'
extern long calls;
unsigned long __real_strlen(const char *);
unsigned long __wrap_strlen(const char *text) { ++calls; return __real_strlen(text); }
C
cat > meaning.c <<'C'
#include <printf.h>
#include <stdio.h>
static int convert(FILE *to, const struct printf_info *how, const void *const *values) { return fprintf(to, "<%x>", *(const int *)values[0]); }
static int sizes(const struct printf_info *how, size_t count, int *types, int *bytes) { if (count > 0) types[0] = PA_INT; return 1; }
void begin(void) { register_printf_specifier('d', convert, sizes); }
C
cat > named.c <<'C'
__asm__(".text\n.globl puts\n.type puts,@function\nputs: mov $7,%eax\nret\n");
int other_puts(const char *text) { return 8; }
C
for file in lines lengths meaning; do gcc -O2 -fno-builtin -c $file.c -o $file.native.o; done
links 1 lines.native.o
grep -q "puts may not be the C library's in this program" out || die "it is not said why: $(cat out)"
gcc -shared -fPIC -fno-builtin lines.c -o liblines.so
links 1 -L. -llines "-Wl,-rpath,$PWD"
links 0 lengths.native.o -Wl,--wrap=strlen
links 0 meaning.native.o
grep -q "code without bitcode calls register_printf_specifier, which changes what formats mean" out || die "it is not said why: $(cat out)"
thalweg-cc -O2 -c meaning.c -o meaning.o
links 0 meaning.o
thalweg-cc -O2 -c named.c -o named.o
links 1 named.o
cat > other.c <<'C'
int other_puts(const char *text) { return 8; }
C
thalweg-cc -O2 -c other.c -o other.o
links 1 other.o -Wl,--defsym=puts=other_puts
links 0 -static

cat > apart.c <<'C'
#include <stdio.h>
#include <string.h>
#define OWN __attribute__((noinline)) static
OWN int into(char *at, size_t size, const char *text, int number) { return snprintf(at, size, "%s,%d", text, number); }
OWN int behind(char *at, const char *text, int number) { return sprintf(at, "%s%d", text, number); }
OWN long objects(const void *from, size_t count, FILE *to) { return (long)fwrite(from, 1, count, to); }
OWN int stream(FILE *to, const char *text) { return fprintf(to, "<%s>", text); }
int main(int count, char **words) {
    char at[64], *text = NULL;
    size_t size = 0;
    FILE *nowhere = fopen("/dev/null", "w"), *memory = open_memstream(&text, &size);
    for (int i = 0; i < 400; ++i) { into(at, sizeof at, "abc", i); behind(at, "abc", i); objects("abc", 3, nowhere); stream(nowhere, "abc"); }
    if (count == 1) return 0;
    printf("%d %s\n", into(at, sizeof at, at, 5), at);
    strcpy(at, "abcdef");
    printf("%d %s\n", behind(at + 1, at, 2), at);
    strcpy(at, "abcdef");
    printf("%d %s\n", behind(at, at + 1, 2), at);
    printf("%d %s\n", behind(at, at, 3), at);
    printf("%ld\n", objects("abc", 0, NULL));
    stream(memory, "hello");
    fflush(memory);
    stream(memory, text);
    fclose(memory);
    puts(text);
    return 0;
}
C
for flags in "" "-D_FORTIFY_SOURCE=2"; do
    thalweg-cc -O2 -g $flags apart.c -o apart
    thalweg record -o apart.profile -- ./apart > out 2> said || die "record: $(cat said)"
    thalweg optimize ./apart --profile apart.profile -o apart.opt > out 2> said || die "optimize: $(cat out said)"
    same 4 "$(grep -c '^ *[0-9]*  applied  *expand' out)" "calls that are written in place"
    same "$(./apart more)" "$(./apart.opt more)" "what is undefined, with flags '$flags'"
done
