#!/usr/bin/env bash
# What is called write but isn't the C library's writes something else: no decision about system calls is applied then, whether the program, an
# object that another compiler made, a library or a word to the linker put it there. Where it is the C library's, the same loop is fused.
source "$(dirname "$0")/common.sh"
head -c 200000 /dev/urandom > from
cat > own.c <<'C'
#include <sys/syscall.h>
#include <unistd.h>
ssize_t NAME(int to, const void *bytes, size_t size) {
    static char other[65536];
    for (size_t i = 0; i < size; ++i)
        other[i] = ((const char *)bytes)[i] ^ 1;
    return syscall(SYS_write, to, other, size);
}
C
cp "$here/replaced.c" replaced.c
clang-19 -O2 -DNAME=write -c own.c -o own.o
clang-19 -O2 -DNAME=__wrap_write -c own.c -o wrapped.o
clang-19 -O2 -DNAME=scrambled -c own.c -o scrambled.o
clang-19 -O2 -fPIC -shared -DNAME=write own.c -o libown.so
ar rc libplain.a own.o
cat > forking.c <<'C'
#include <unistd.h>
int share(void) { return fork(); }
C
clang-19 -O2 -c forking.c -o forking.o
ar rc libidle.a forking.o

# NAME WORDS...: the program is linked with these, and optimised.
made() {
    local name=$1
    shift
    thalweg-cc -O2 replaced.c "$@" -o "$name"
    thalweg record -o $name.profile -- ./$name from to > out 2> said || die "record $name: $(cat out said)"
    # Where nothing can be applied there is no program.
    thalweg optimize ./$name --profile $name.profile -o $name.opt > out 2> said || [ $? = 4 ] || die "optimize $name: $(cat out said)"
    [ -e $name.opt ] || return 0
    ./$name from to
    ./$name.opt from to.opt
    cmp to to.opt || die "$name and what was made of it write different files: $(cat out)"
}
made plain
grep -q 'applied *fuse' out || die "nothing was fused: $(cat out)"
# No loader has made the calls by which a filter of system calls could be asked for.
made static -static
grep -q "refused *fuse .*no dynamic loader" out || die "a static program asks for a filter: $(cat out)"
made object own.o
grep -q "refused *fuse .*write may not be" out || die "an object's write was taken for the C library's: $(cat out)"
made archive -L. -lplain
grep -q "refused *fuse .*write may not be" out || die "an archive's write was taken for the C library's: $(cat out)"
made library -L. -lown -Wl,-rpath,"$PWD"
grep -q "refused *fuse .*write may not be" out || die "a library's write was taken for the C library's: $(cat out)"
made wrapped wrapped.o -Wl,--wrap=write
grep -q "refused *fuse .*write may not be" out || die "a wrapped write was taken for the C library's: $(cat out)"
made wrapped_in_words wrapped.o -Wl,--strip-all -Xlinker --wrap -Xlinker write
grep -q "refused *fuse .*write may not be" out || die "a wrapped write was taken for the C library's: $(cat out)"
# A child would have the descriptors, wherever fork is called; not where an archive only could.
made forking forking.o
grep -q "not applied *fuse .*uses fork" out || die "an object's fork was not seen: $(cat out)"
made idle -L. -lidle
grep -q 'applied *fuse' out && ! grep -q 'not applied *fuse' out || die "what is not linked was taken for the program's: $(cat out)"
made defined scrambled.o -Wl,--defsym=write=scrambled
grep -q "refused *fuse .*write may not be" out || die "another symbol's write was taken for the C library's: $(cat out)"
