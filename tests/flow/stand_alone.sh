#!/usr/bin/env bash
# A specialised function in an object file of its own, with a header: called by hand, it does what the original does, whether its facts
# hold or not.
source "$(dirname "$0")/common.sh"
thalweg-cc -O2 -g "$here/layered.c" -o prog
special=(thalweg specialize ./prog --function send_all --fact "arg0->0 = &plain_operations")
"${special[@]}" --object send_special.o --name send_special > out 2> said || die "specialize --object: $(cat out said)"
grep -qE 'applied *specialize .*[1-9][0-9]* of them through pointers' out || die "what was applied: $(cat out)"
grep -q 'int send_special(struct sink \*arg0, const int \*arg1, int arg2);' send_special.h || die "header: $(cat send_special.h)"
grep -q 'arg0->0 = &plain_operations *tested where it is read' send_special.h || die "the fact is not told: $(cat send_special.h)"
grep -q 'goes on as the function was written' send_special.h || die "what happens else is not told: $(cat send_special.h)"
same "plain_operations" "$(nm -u send_special.o | sed 's/ *U //')" "what the object needs"
[ ! -e prog.spec ] || die "a program was made too"

# By hand: with the program's own objects, the specialised code is in reach of the loader's and the linker's tables alike.
original=(clang-19 -O2 -c "$here/layered.c" -Dmain=program_main -o layered.o)
"${original[@]}"
for how in "-O2" "-O2 -no-pie"; do
    # shellcheck disable=SC2086 # words
    clang-19 $how -Wall -Werror -I. "$here/stand_alone.c" send_special.o layered.o -o by_hand
    same "0 differences, 100 calls with the other operations" "$(./by_hand)" "what the call by hand shows ($how)"
done
"${original[@]}" -fPIC
clang-19 -shared send_special.o layered.o -o libsend.so
clang-19 -O2 -I. "$here/stand_alone.c" -L. -lsend -Wl,-rpath,. -o by_hand
same "0 differences, 100 calls with the other operations" "$(./by_hand)" "what the call by hand shows (shared)"
clang++-19 -fsyntax-only -Wall -Werror -x c++ send_special.h || die "C++ does not take the header"

# A trusted fact is told of as such, and is not tested: with other operations, the answer is another one (and seen to be).
"${special[@]}" --trusted --object send_trusted.o --name send_special > out 2> said || die "--trusted: $(cat out said)"
grep -q 'TRUSTED: not tested' send_trusted.h || die "the header does not warn: $(cat send_trusted.h)"
grep -q 'anything may happen' send_trusted.h || die "the header does not warn: $(cat send_trusted.h)"
clang-19 -O2 -I. "$here/stand_alone.c" send_trusted.o layered.o -o trusting
./trusting > out && die "a trusted fact was tested: $(cat out)"

# Without debug information the prototype is that of the compiled code, and the header says so.
thalweg-cc -O2 "$here/layered.c" -o bare
thalweg specialize ./bare --function send_all --fact "arg0->0 = &plain_operations" --object bare.o > out 2>&1 || die "$(cat out)"
grep -q 'int32_t send_all__specialized(void \*arg0, void \*arg1, int32_t arg2);' bare.h || die "header: $(cat bare.h)"
grep -q 'from the types of the compiled code' bare.h || die "where the prototype is from is not told: $(cat bare.h)"

# What can't be done: no file is left, and what to do is said.
refused() { # exit code, words on stdout or stderr, options
    local code=0 wanted=$1 words=$2
    shift 2
    thalweg specialize "$@" > out 2> said || code=$?
    same "$wanted" "$code" "the exit code of $*: $(cat out said)"
    grep -q -- "$words" out said || die "no word of '$words': $(cat out said)"
    [ ! -e refused.o ] && [ ! -e refused.h ] || die "files were left"
}
refused 4 'there is no function send_none' ./prog --function send_none --object refused.o
refused 4 'needs put_plain (.*layered.c:21), which is static.*take its .static. away' \
    ./prog --function send_all --fact "arg0->0->0 = &put_plain" --object refused.o
refused 2 'missing/refused.o cannot be written: folder missing' ./prog --function send_all --fact "arg0->0 = &plain_operations" --object missing/refused.o \
    --save-plan refused.plan
refused 2 'name of an object file: refused.s.o' ./prog --function send_all --object refused.s
refused 2 "'2 x' is no name" ./prog --function send_all --object refused.o --name "2 x"
refused 2 'excludes' ./prog --function send_all --object refused.o -o refused
refused 4 'send_all already; choose another' ./prog --function send_all --fact "arg0->0 = &plain_operations" \
    --object refused.o --name send_all
thalweg-cc -O2 -g -DCOUNTED "$here/layered.c" -o counting
refused 4 'needs calls (.*layered.c:15), which is static and may change' \
    ./counting --function send_all --fact "arg0->0 = &plain_operations" --object refused.o
