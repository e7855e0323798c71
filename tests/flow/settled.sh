#!/usr/bin/env bash
# thalweg optimize without a plan makes the plan that `plan` would have written and the program by it, in one link. Only where a decision turns out to save
# too little, the program is linked again, without it.
source "$(dirname "$0")/common.sh"
export TMPDIR=$scratch/tmp && mkdir tmp  # of its own: other tests make plans beside this one
# With assembler code whose macro has the name of a word that the plan is written by.
{ echo '__asm__(".macro .ascii text:vararg\n.endm");'; cat "$here"/rare.c; } > prog.c
thalweg-cc -O2 -g prog.c -o prog
# The compiler that links, and a line for each link.
mkdir counting
{ echo '#!/bin/sh'; echo "echo link >> $PWD/links"; echo "exec $(command -v clang-19) \"\$@\""; } > counting/clang-19
chmod +x counting/clang-19

# $1: the run's length. Gives prog.opt and `told`, with a plan of its own, and planned.opt, with that of `plan`.
optimized() {
    thalweg record -o prog.profile -- ./prog "$1" > /dev/null 2> said || die "record: $(cat said)"
    thalweg plan prog.profile --all -o prog.plan > planned 2> said || die "plan: $(cat planned said)"
    rm -f links prog.opt planned.opt
    PATH="$PWD/counting:$PATH" thalweg optimize ./prog --profile prog.profile -o prog.opt > told 2> said || true
    thalweg optimize ./prog --profile prog.profile --plan prog.plan -o planned.opt > told.planned 2> said || true
    same "$(./prog 5000)" "$(./prog.opt 5000)" "what the optimised program shows"
    for program in prog planned; do
        llvm-objcopy-19 --decompress-debug-sections $program.opt plain
        llvm-objcopy-19 --dump-section .debug_thalweg_plan=bytes plain
        tr -d '\0' < bytes > $program.stored
        llvm-objcopy-19 --strip-all -R .thalweg.link -R .note.gnu.build-id $program.opt $program.code
    done
    same "$(cat planned.stored)" "$(cat prog.stored)" "the plan in the program"
    cmp prog.code planned.code || die "another program than by the plan of 'plan'"
    [ -z "$(ls -A "$TMPDIR")" ] || die "temporary files stay: $(ls -A "$TMPDIR")"
}

optimized 4000
same 1 "$(wc -l < links)" "links of a plan that stays as it is"
grep -q 'applied .* layer ' told || die "what is all of the run is not made: $(cat told)"
grep -q specialize prog.stored || die "the program does not remember its plan: $(cat prog.stored)"
# Its guards can be counted: the plan is read out of it again.
thalweg record -o again.profile -- ./prog.opt 4000 > shown 2> said || die "record of the optimised program: $(cat said)"
same "$(./prog 4000)" "$(cat shown)" "what its twin shows"

optimized 40000000
grep -q 'too-light .* layer ' planned || die "the layer is not light: $(cat planned)"
same 2 "$(wc -l < links)" "links where a layer saves too little"
if grep -q '^ *[0-9]* *applied .* layer ' told; then die "what saves too little is made: $(cat told)"; fi
grep -q 'saves .* of a run' told || die "no word of why: $(cat told)"
if grep -q specialize prog.stored; then die "the program remembers what it has not: $(cat prog.stored)"; fi
