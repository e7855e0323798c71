#!/usr/bin/env bash
# One row of docs/SECURITY.md:  rows.sh BUILD ROW
#
# `attacker COMMAND` runs as a user who owns nothing; what he plants writes the file $mark if it is ever executed or loaded. The
# victim is root, or with `victim COMMAND` another ordinary user.
set -euo pipefail
build=$(cd "$1" && pwd)
row=$2
skip() { echo "SKIPPED: $*"; exit 77; }
die() { echo "FAILED $row: $*" >&2; exit 1; }
[ "$(id -u)" = 0 ] || skip "only root can run commands as other users"
command -v setpriv > /dev/null || skip "setpriv (util-linux) is not there"

export PATH="$build/bin:$PATH"
scratch=$(cd "$(mktemp -d)" && pwd -P)
trap 'rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
cd "$scratch"
export XDG_CACHE_HOME="$scratch/cache" TMPDIR="$scratch/tmp"
unset CFLAGS CXXFLAGS LDFLAGS
mark="$scratch/marks/mark"
mkdir marks mine
mkdir -m 1777 tmp sticky
chmod 777 marks
attacker() { setpriv --reuid=65534 --regid=65534 --clear-groups -- "$@"; }
victim() { setpriv --reuid=65533 --regid=65533 --clear-groups -- env HOME=/nowhere "$@"; }
attacker thalweg --version > /dev/null 2>&1 || skip "another user cannot start $build/bin/thalweg"

# The program of the rows: one list of handlers, and whatever $RUN says while it runs.
cat > program.c <<'PROGRAM'
#include <stdio.h>
#include <stdlib.h>
typedef int (*handler)(int);
static int add(int x) { return x + 1; }
static int twice(int x) { return x * 2; }
volatile handler list[2] = {add, twice};
int main(void) {
    int value = 1;
    for (int run = 0; run < 200; ++run)
        for (int i = 0; i < 2; ++i)
            value = list[i](value) & 1023;
    const char *command = getenv("RUN");
    if (command != NULL && system(command) != 0)
        return 1;
    printf("%d\n", value);
    return 0;
}
PROGRAM
thalweg-cc -O2 -c program.c -o mine/program.o
(cd mine && thalweg-cc program.o -o p)

# What an attacker would have executed: as a program, and as a library.
printf '#!/bin/sh\nid > %s\n' "$mark" > evil
chmod 755 evil
evil_library() {
    echo "#include <fcntl.h>
    __attribute__((constructor)) static void loaded(void) { open(\"$mark\", O_CREAT | O_WRONLY, 0666); }" > evil.c
    clang-19 -shared -fPIC evil.c -o evil.so
}
not_executed() { [ ! -e "$mark" ] || die "what the attacker planted was executed: $1: $(cat "$mark")"; }
mode() { stat -c %a "$1"; }
same() { [ "$1" = "$2" ] || die "$3: expected '$1', found '$2'"; }
told() { grep -q -- "$1" "$2" || die "it is not told that '$1': $(cat "$2")"; }
# Runs a command that has to fail with code $1 and words.
fails() {
    local code=0
    "${@:2}" > said 2>&1 || code=$?
    same "$1" "$code" "the exit code of ${*:2} ($(cat said))"
}

# A copy of the program whose link record the Python statements in $1 changed (of `record`); made by the attacker.
crafted() {
    rm -f crafted
    llvm-objcopy-19 --dump-section .thalweg.link=link.json mine/p
    python3 - "$1" "$scratch/mine" <<'PYTHON'
import json, sys
record = json.loads(open("link.json", "rb").read().rstrip(b"\0"))
record["directory"] = sys.argv[2]
exec(sys.argv[1])
open("link.json", "wb").write(json.dumps(record).encode() + b"\0")
PYTHON
    llvm-objcopy-19 --update-section .thalweg.link=link.json mine/p crafted
    chown 65534 crafted
}

program-is-not-run() {
    thalweg record -o a.profile -- mine/p > /dev/null 2>&1
    cp -r mine theirs
    (cd theirs && cp p q && chown -R 65534 .)
    export RUN="touch $mark"
    thalweg doctor theirs/p > /dev/null 2>&1 || die "doctor"
    thalweg relink theirs/p -o again > /dev/null 2>&1 || die "relink"
    thalweg plan a.profile -o a.plan > /dev/null 2>&1 || die "plan"
    thalweg optimize theirs/p --plan a.plan -o opt > /dev/null 2>&1 || die "optimize"
    not_executed "a program that was only looked at or linked again"
}

link-words() {
    evil_library
    for words in "'-Wl,--load-pass-plugin=$scratch/evil.so'" "'-fplugin=$scratch/evil.so'" "'-Xclang', '-load', '-Xclang', '$scratch/evil.so'" \
        "'-mllvm', '-load=$scratch/evil.so'" "'-fpass-plugin=$scratch/evil.so'" "'-B$scratch'" "'@$scratch/words'" \
        "'-Wl,--error-handling-script=$scratch/evil', '-lnone'" "'-specs=$scratch/words'" "'-Wl,-o,$mark'" "'-Wl,--reproduce=$mark'"; do
        crafted "record['arguments'] += [$words]"
        fails 7 thalweg relink crafted -o again
        told 'is not repeated' said
        not_executed "$words"
    done
    for verb in "doctor ./crafted" "record -o a.profile -- ./crafted"; do
        # shellcheck disable=SC2086
        fails 7 thalweg $verb
        told 'is not repeated' said
    done
}

link-environment() {
    evil_library
    for variable in "'LD_PRELOAD': '$scratch/evil.so'" "'CCC_OVERRIDE_OPTIONS': '+-fplugin=$scratch/evil.so'" "'PATH': '$scratch'"; do
        crafted "record['environment'] = {$variable}"
        fails 7 thalweg relink crafted -o again
        told 'is not repeated' said
        not_executed "$variable"
    done
}

# A PATH with "." in it means the folder of the person, not the one that a record names.
link-folder() {
    mkdir theirs
    cp evil theirs/clang-19
    cp evil theirs/ld.lld
    cp -r mine/. theirs
    chown -R 65534 theirs
    crafted "record['directory'] = '$scratch/theirs'; record['environment'] = {'COMPILER_PATH': '$scratch/theirs'}"
    PATH=".:$PATH" thalweg relink crafted -o again > said 2>&1 || die "relink: $(cat said)"
    crafted "record['directory'] = '$scratch/x,--load-pass-plugin=$scratch/evil.so'; record['arguments'] += ['-Wl,-rpath,\$ORIGIN/lib']"
    fails 7 thalweg relink crafted -o again
    not_executed "what stands in the folder of a link record"
}

# $1: what `sed` does to the bundle of a program; the attacker's.
crafted_bundle() {
    thalweg bundle mine/p -o whole.bundle > /dev/null 2>&1 || die "bundle"
    sed "$1" whole.bundle > crafted.bundle
    ! cmp -s whole.bundle crafted.bundle || die "'$1' changes nothing"
    chown 65534 crafted.bundle
}

bundle-files() {
    thalweg record -o a.profile -- mine/p > /dev/null 2>&1
    thalweg plan a.profile -o a.plan > /dev/null 2>&1
    export RUN="touch $mark" TMPDIR=$scratch/tmp
    for change in 's|^link/program.o/$|../../../evil/|' 's|^link/program.o/$|/mnt/absolute/|' 's|program.o/$|program.p/|' 's|"program":"program/p"|"program":"program/q"|'; do
        crafted_bundle "$change"
        fails 7 thalweg optimize crafted.bundle --plan a.plan -o opt
        told 'is damaged' said
        [ ! -e opt ] || die "$change: something was made"
    done
    # The record of the program in it is believed no more than that of any program.
    crafted_bundle 's|"arguments":\["program.o"\]|"arguments":["@rogram.o"]|'
    fails 7 thalweg optimize crafted.bundle --plan a.plan -o opt
    told 'is not repeated' said
    thalweg optimize whole.bundle --plan a.plan -o opt > said 2>&1 || die "optimize a bundle: $(cat said)"
    not_executed "a program in a bundle"
    [ -z "$(ls -A tmp)" ] || die "left behind: $(ls -A tmp)"
}

tool-parts() {
    evil_library
    mkdir -p theirs/bin theirs/lib/thalweg lib/thalweg
    ln -s "$build/bin/thalweg" theirs/bin/thalweg
    for folder in theirs/lib/thalweg lib/thalweg; do cp evil.so $folder/ThalwegPasses.so; done
    chown -R 65534 theirs lib
    (cd mine && ../theirs/bin/thalweg record -o ../a.profile -- ./p > /dev/null 2>&1) || die "record by another name of the tool"
    LD_LIBRARY_PATH= thalweg record -o a.profile -- mine/p > /dev/null 2>&1 || die "record"
    not_executed "a plug-in that does not belong to the tool"
}

# $1: who records; the program stands in a folder where everybody may put files, with everything that a twin consists of beside it.
plant_twin() {
    cp mine/p sticky/p
    cp -r mine known
    (cd known && thalweg record -o x.profile -- ./p > /dev/null 2>&1)
    id=$(basename known/.p.*.thalweg-twin)
    attacker cp evil "sticky/$id"
    attacker mkdir sticky/.thalweg
    cp known/.thalweg/* sticky/.thalweg/
    chown 65534 sticky/.thalweg/*
}

twin-planted() {
    plant_twin
    thalweg record --objects mine -o a.profile -- sticky/p > said 2>&1 || die "record: $(cat said)"
    not_executed "a twin that somebody else put beside the program"
    told 'does not stand beside the program' said
    chown 65533 sticky/p
    (cd tmp && victim thalweg record --objects ../mine -o b.profile -- ../sticky/p > said 2>&1) || die "record as a user: $(cat tmp/said)"
    not_executed "a twin that somebody else put beside the program of a user"
}

twin-changed() {
    (cd mine && thalweg record -o a.profile -- ./p > /dev/null 2>&1)
    twin=$(echo mine/.p.*.thalweg-twin)
    chmod 777 "$twin"
    attacker cp evil "$twin"
    (cd mine && thalweg record -o a.profile -- ./p > /dev/null 2>&1) || die "record"
    not_executed "a twin that others could write to"
    chown 65534 "$twin"
    attacker cp evil "$twin"
    chmod 755 "$twin"
    (cd mine && thalweg record -o a.profile -- ./p > /dev/null 2>&1) || die "record"
    not_executed "a twin of another owner"
    chmod 777 mine
    rm -f "$twin"
    attacker cp evil "$twin"
    (cd mine && thalweg record -o "$scratch/a.profile" -- ./p > /dev/null 2>&1) || die "record"
    not_executed "a twin in a folder that others can write to"
}

twin-place() {
    cp mine/p sticky/p
    attacker mkdir -m 755 tmp/thalweg-twins-0
    fails 7 thalweg record -o a.profile -- sticky/p
    told 'thalweg-twins-0 is not a folder of yours alone' said
    attacker rmdir tmp/thalweg-twins-0
    ln -s "$scratch/mine" tmp/thalweg-twins-0
    fails 7 thalweg record -o a.profile -- sticky/p
}

objects-planted() {
    attacker mkdir -p sticky/.thalweg/q
    attacker ln -s "$scratch/precious" sticky/.thalweg/q/0-program.o
    echo precious > precious
    thalweg-cc -O2 program.c -o sticky/q 2> said || die "the build fails: $(cat said)"
    told 'is not to be trusted' said
    sticky/q > /dev/null || die "the program does not run"
    same precious "$(cat precious)" "a file that a planted link leads to"
    (umask 0 && thalweg-cc -O2 program.c -o mine/one) 2> said
    same "" "$(cat said)" "what a build in a folder of one's own says under umask 0"
    thalweg relink mine/one -o again > /dev/null 2>&1 || die "a program that was built under umask 0 does not link again"
}

temporary-place() {
    mkdir -m 777 open
    chown 65534 open
    fails 7 env TMPDIR="$scratch/open" thalweg record -o a.profile -- mine/p
    told 'TMPDIR' said
    chown 0 open
    fails 7 env TMPDIR="$scratch/open" thalweg compare mine/p mine/p --runs 1
    told 'other users can write to it' said
}

temporary-files() {
    umask 0
    list="setpriv --reuid=65534 --regid=65534 --clear-groups -- sh -c 'ls $TMPDIR/thalweg-*/' && echo LISTED; stat -c '%a %F' $TMPDIR/thalweg-* $TMPDIR/thalweg-*/*; true"
    RUN="$list" thalweg record -o a.profile -- mine/p > shown 2> said || die "record: $(cat said)"
    grep -q '^700 directory' shown && grep -q '^600 regular file' shown || die "no folder or file was seen: $(cat shown)"
    ! grep -vE '^(700 directory|600 regular( empty)? file|[0-9]+)$' shown || die "modes"
    RUN="$list >&2" thalweg compare mine/p mine/p --runs 1 --stderr > shown 2> said || true
    ! grep LISTED shown || die "another user lists the folder"
    [ -z "$(ls tmp)" ] || die "temporary files stay: $(ls tmp)"
}

results-are-private() {
    umask 0
    (
        cd mine
        thalweg record -o a.profile -- ./p
        thalweg plan a.profile -o a.plan
        thalweg report a.profile --plan a.plan --html a.html
        thalweg optimize ./p --plan a.plan --outcome a.outcome -o p.opt
        thalweg compare ./p ./p.opt --runs 2 -o a.comparison
    ) > said 2>&1 || die "$(cat said)"
    for file in a.profile a.plan a.html a.outcome a.comparison; do
        same 600 "$(mode mine/$file)" "the mode of $file"
        ! attacker cat mine/$file > /dev/null 2>&1 || die "another user reads $file"
    done
}

# In a folder that all can write to: neither through a link of the output's name nor through one of the names that it is written under.
results-and-links() {
    mkdir -m 777 open
    echo precious > precious
    attacker ln -s "$scratch/precious" open/a.profile
    python3 -c "
import os
for number in range($$, $$ + 3000):
    os.symlink('$scratch/precious', f'open/a.profile.{number}.tmp')
    os.lchown(f'open/a.profile.{number}.tmp', 65534, 65534)"
    thalweg record -o open/a.profile -- mine/p > /dev/null 2>&1 || die "record"
    same precious "$(head -c 20 precious | tr -dc a-z)" "a file that planted links lead to"
    same "600 regular file" "$(stat -c '%a %F' open/a.profile)" "what is at the output's name"
}

program-mode() {
    thalweg record -o a.profile -- mine/p > /dev/null 2>&1
    rm -f mine/.p.*
    chmod 700 mine/p
    (cd mine && thalweg record -o ../a.profile -- ./p) > /dev/null 2>&1
    same 700 "$(mode mine/.p.*.thalweg-twin)" "the twin of a program that others may not read"
    thalweg optimize mine/p --profile a.profile -o opt > /dev/null 2>&1 || [ -e opt ] || die "optimize"
    same 700 "$(mode opt)" "the optimised program where others may not read the original"
    chmod 4755 mine/p
    umask 027
    rm opt
    thalweg optimize mine/p --profile a.profile -o opt > /dev/null 2>&1 || [ -e opt ] || die "optimize"
    same 750 "$(mode opt)" "the optimised program under umask 027, of an original with set-user-id"
}

hostile_names() {
    "$build/tests/sample_profile" a.profile 100
    python3 - <<'PYTHON'
import sqlite3
name = "</script><script>document.title=1</script>\x1b]0;title\x07\x9b31m<img src=x onerror=alert(1)>"
database = sqlite3.connect("a.profile")
changed = 0
for (table,) in database.execute("select name from sqlite_master where type = 'table'").fetchall():
    for column in [row[1] for row in database.execute(f'pragma table_info("{table}")')]:
        for old in ("SegFromUser", "fec_sfu1", "ctp.cc", "./sender clip.h263"):
            changed += database.execute(f'update "{table}" set "{column}" = ? where "{column}" = ?', (name, old)).rowcount
database.commit()
assert changed > 3, changed
PYTHON
    chown 65534 a.profile
}

report-script() {
    hostile_names
    thalweg report a.profile --html a.html > /dev/null 2>&1 || die "report"
    same "2 2" "$(grep -o '<script' a.html | wc -l) $(grep -o '</script' a.html | wc -l)" "the page's scripts"
    ! grep -q '<img src=x' a.html || die "markup of a name is in the page"
}

# Neither what a profile says nor what a link record, a path or a word of the command line does.
terminal-words() {
    command -v script > /dev/null || skip "script (util-linux), which makes a terminal, is not there"
    hostile_names
    crafted "record['arguments'] += ['-fplugin=\\x1b]0;title\\x07']; record['output'] = '\\x1b[31mp'"
    for command in "report a.profile" "plan a.profile" "plan a.profile --json" "relink crafted -o again" "doctor crafted" \
        "record -o b.profile -- ./crafted" "report '$(printf '\033]0;title\a')'"; do
        NO_COLOR=1 script -qec "thalweg $command" /dev/null < /dev/null > shown 2>&1 || true
        [ -s shown ] || die "thalweg $command says nothing"
        ! LC_ALL=C grep -qP '\x1b|\x07|\xc2[\x80-\x9f]' shown || die "thalweg $command prints what a terminal obeys: $(cat -v shown)"
    done
}

# $1: a file; the command behind it must end by itself, whatever becomes of the file's bytes.
survives_any_bytes() {
    python3 - "$@" <<'PYTHON'
import random, subprocess, sys
path, *command = sys.argv[1:]
whole = open(path, "rb").read()
for seed in range(24):
    chance = random.Random(seed)
    data = bytearray(whole[: chance.randrange(len(whole))] if seed % 3 == 0 else whole)
    for _ in range(chance.choice((1, 8, 64))):
        data[chance.randrange(len(data))] = chance.randrange(256) if data else 0
    open("broken", "wb").write(data)
    end = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60)
    if end.returncode not in (0, 2, 3, 4, 7):
        sys.exit(f"{command} with seed {seed} ends with {end.returncode}: {end.stderr.decode(errors='replace')}")
PYTHON
}

profile-bytes() {
    "$build/tests/sample_profile" a.profile 100
    survives_any_bytes a.profile thalweg report broken --json
    survives_any_bytes a.profile thalweg plan broken
}

plan-bytes() {
    "$build/tests/sample_profile" a.profile 100
    thalweg plan a.profile -o a.plan > /dev/null 2>&1
    survives_any_bytes a.plan thalweg explain broken
}

full-disk() {
    unshare -m true 2> /dev/null || skip "no file system can be mounted here"
    mkdir -m 1777 full
    cat > on_a_full_disk.sh <<'SCRIPT'
mount -t tmpfs -o size=16k,mode=1777 tmpfs full || exit 77
thalweg record -o full/a.profile -- mine/p > said 2>&1; echo "$?" > code
ls -A full > left
TMPDIR="$PWD/full" thalweg record -o b.profile -- mine/p > said.temporary 2>&1; echo "$?" > code.temporary
SCRIPT
    unshare -m --propagation private bash on_a_full_disk.sh || skip "tmpfs cannot be mounted here"
    same 7 "$(cat code)" "the exit code of a profile without room ($(cat said))"
    told 'No space left' said
    same "" "$(cat left)" "what is left of a profile without room"
    told 'No space left' said.temporary
    [ "$(cat code.temporary)" -lt 128 ] || die "without room for temporary files: $(cat said.temporary)"
}

declare -F "$row" > /dev/null || die "there is no such row"
"$row"
echo "$row holds"
