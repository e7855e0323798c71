#!/usr/bin/env bash
# A program that is to watch itself comes out of thalweg-cc as the compiler alone makes it, and says so; others keep their bitcode.
source "$(dirname "$0")/common.sh"

cat > watched.c <<'PROGRAM'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef int (*handler)(int);
static int add(int x) { return x + 1; }
static int twice(int x) { return x * 2; }
volatile handler list[2] = {add, twice};
int main(int count, char **words) {
    int value = count;
    for (int i = 0; i < 2; ++i)
        value = list[i](value);
    char *block = malloc(8);
    strcpy(block, "word");
    printf("%d %s\n", value, block);
    fflush(stdout);
    free(block);
    return words[1] != NULL ? ((volatile char *)block)[0] : 0;
}
PROGRAM

# In one step and in two, with and without optimisation: it runs, it has no bitcode, and the link and every verb say why.
ordinary() {
    local option=$1 level=$2
    rm -f one two watched.o
    thalweg-cc "$level" $option watched.c -o one 2> one.said || die "$option $level in one step: $(cat one.said)"
    thalweg-cc "$level" $option -c watched.c 2> compile.said || die "$option $level"
    thalweg-cc "$level" $option watched.o -o two 2> two.said || die "$option $level in two steps: $(cat two.said)"
    same "" "$(cat compile.said)" "what a compilation with $option says"
    no_section watched.o '\.llvm\.lto'
    for program in one two; do
        same 1 "$(grep -c 'is an ordinary program' $program.said)" "notes on $program, $option"
        same "4 word" "$("./$program" 2> /dev/null)" "$program with $option $level"
        no_section $program '\.llvm\.lto'
        if thalweg record -o x.profile -- ./$program > said 2>&1; then die "$program with $option was recorded"; fi
        grep -q -- "was built with ${option%% *}" said || die "record does not say why: $(cat said)"
        thalweg doctor ./$program > said || true
        grep -q -- "was built with ${option%% *}" said || die "doctor does not say why: $(cat said)"
    done
}
ordinary -fsanitize=address -O0
ordinary -fsanitize=address -O2
if ./two x 2> said; then die "a use after free is not seen"; fi
grep -q 'heap-use-after-free' said || die "AddressSanitizer says: $(cat said)"
ordinary "-fsanitize=address -fsanitize=undefined -static-libsan" -O1
ordinary -fsanitize=thread -O2
ordinary -fsanitize=memory -O0
ordinary -fprofile-instr-generate -O2
ordinary -pg -O2

# Coverage's notes stand where the compiler puts them.
rm -f *.gcno
thalweg-cc --coverage watched.c -o covered 2> /dev/null
mkdir plain && (cd plain && cp ../watched.c . && clang-19 --coverage watched.c -o covered)
same "$(cd plain && ls *.gcno)" "$(ls *.gcno)" "the notes of coverage"

# Plain checks are code as any other; a sanitizer that was switched off again is none; -fno-lto is the user's word.
for option in -fsanitize=undefined "-fsanitize=address -fno-sanitize=address"; do
    thalweg-cc -O2 $option watched.c -o kept 2> said || die "$option: $(cat said)"
    same "" "$(cat said)" "what $option says"
    relinks ./kept "4 word"
done
thalweg-cc -O2 -fno-lto watched.c -o without
no_section without '\.thalweg\.link'
if thalweg record -o x.profile -- ./without 2> said; then die "-fno-lto was recorded"; fi
grep -q -- '-fno-lto' said || die "record does not name -fno-lto: $(cat said)"
