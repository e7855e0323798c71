#!/usr/bin/env bash
# Two checkouts of the same sources give the same program, build id and optimised program; a changed source does not.
source "$(dirname "$0")/common.sh"
mkdir -p one/src two/places/further/src
cat > one/src/main.c <<'C'
#include <stdio.h>
void add(long *value);
void twice(long *value);
typedef void handler(long *value);
static handler *list[8];
static int length;
static void bind(handler *one) { list[length++] = one; }
__attribute__((noinline)) static void handle(long *value) {
    for (int i = 0; i < length; ++i)
        list[i](value);
}
int main(int count, char **words) {
    (void)words;
    for (int i = 0; i < 2 * count; ++i)
        bind(i % 2 == 0 ? add : twice);
    long value = 1;
    for (int run = 0; run < 20000; ++run)
        handle(&value);
    printf("%ld\n", value);
}
C
echo 'void add(long *value) { *value = *value % 1000 + 3; }' > one/src/add.c
echo 'void twice(long *value) { *value *= 2; }' > one/src/twice.c
echo '{ global: main; local: *; };' > one/src/exported.map
cp one/src/* two/places/further/src/

# As build systems do it: from a folder of its own, absolute names, a thin archive, a script, one part compiled while linking.
build() {
    local root=$PWD/$1
    local mapped="-O2 -g -ffile-prefix-map=$root=."
    mkdir -p "$1/build/bin" "$1/build/lib"
    (cd "$1/build"
     thalweg-cc $mapped -I"$root/src" -c "$root/src/add.c" -o lib/add.o
     thalweg-cc $mapped -c ../src/twice.c -o twice.o
     (cd lib && rm -f libadd.a && llvm-ar-19 rcsTD libadd.a add.o)
     thalweg-cc $mapped -I"$root/src" "$root/src/main.c" "$root/build/twice.o" -L"$root/build/lib" -ladd \
         -Wl,--version-script="$root/src/exported.map" -o "$root/build/bin/prog")
}
build one
build two/places/further
a=one/build/bin/prog b=two/places/further/build/bin/prog
has_section $a
cmp $a $b || die "two checkouts, two programs"
! strings -a $a | grep -F "$scratch" || die "the program holds its folder"
build_id() { readelf -n "$1" | sed -n 's/ *Build ID: //p'; }
[ -n "$(build_id $a)" ] || die "no build id"
same "$(build_id $a)" "$(build_id $b)" "build id"

thalweg record -o day.profile -- $a > shown 2> said || die "record: $(cat said)"
thalweg plan day.profile -o day.plan > /dev/null 2>&1
for root in one two/places/further; do
    thalweg optimize $root/build/bin/prog --profile day.profile --plan day.plan -o $root/prog.opt > out 2> said || die "optimize: $(cat said)"
    grep -q '^ *1 .*applied ' out || die "decision 1 was not applied: $(cat out)"
    ! grep -q 'another build' said || die "the profile of one checkout is not of the other: $(cat said)"
done
cmp one/prog.opt two/places/further/prog.opt || die "two checkouts, two optimised programs"
! strings -a one/prog.opt | grep -F "$scratch" || die "the optimised program holds its folder"
same "$(cat shown)" "$(one/prog.opt)" "output"
# An optimised program in another folder than its original finds the objects, too.
thalweg record -o guards.profile -- one/prog.opt > out 2> said || die "record of the optimised program: $(cat said)"
same "$(cat shown)" "$(cat out)" "output of the optimised program's twin"

# A changed source gives other bytes, and objects that are not the program's are refused.
echo 'void twice(long *value) { *value *= 3; }' > two/places/further/src/twice.c
build two/places/further
! cmp -s $a $b || die "another source, the same program"
[ "$(build_id $a)" != "$(build_id $b)" ] || die "another source, the same build id"
code=0; thalweg optimize $a --objects two/places/further/build --profile day.profile -o x > out 2> said || code=$?
same 4 $code "objects of another build"
grep -q 'twice.o has changed' said || die "which object? $(cat said)"

# A moved program needs to be told where it was built; the folder of the program will do, and that of the link.
mkdir installed && cp $a installed/prog
code=0; thalweg optimize installed/prog --profile day.profile -o x > out 2> said || code=$?
same 4 $code "a moved program"
grep -q -- '--objects FOLDER' said || die "what to do with a moved program? $(cat said)"
! test -e x || die "something was made of nothing"
for folder in one/build one/build/bin; do
    thalweg optimize installed/prog --objects $folder --profile day.profile -o moved.opt > out 2> said || die "--objects $folder: $(cat said)"
    same "$(cat shown)" "$(./moved.opt)" "output of the moved program, optimised"
done
thalweg doctor installed/prog --objects one/build > out || die "doctor: $(cat out)"
code=0; thalweg doctor installed/prog > out || code=$?
same 7 $code "doctor of a moved program"
thalweg record --objects one/build -o again.profile -- installed/prog > out 2> said || die "record --objects: $(cat said)"
same "$(cat shown)" "$(cat out)" "output of the moved program's twin"
# Moved together they find each other.
mv one three
thalweg optimize three/build/bin/prog --profile day.profile --plan day.plan -o three/prog.opt > out 2> said || die "moved together: $(cat said)"
cmp three/prog.opt two/places/further/prog.opt || die "moved together, another optimised program"
