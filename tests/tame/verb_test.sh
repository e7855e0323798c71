#!/usr/bin/env bash
# thalweg tame as a person runs it: what it prints, where, and how it ends.
#   verb_test.sh THALWEG SAMPLES
set -uo pipefail
thalweg=$(realpath "$1")
samples=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0

# claim WHAT EXPECTED_EXIT COMMAND...: runs it, stdout into out, stderr into err
claim() {
    what=$1
    local expected=$2
    shift 2
    "$@" >out 2>err
    local code=$?
    [ "$code" = "$expected" ] || { echo "FAILED: $what: exit $code, not $expected: $*"; cat out err; failed=1; }
}
has() { grep -qF -- "$2" "$1" || { echo "FAILED: $what: no '$2' in $1:"; cat "$1"; failed=1; }; }
is_not_there() { [ ! -e "$1" ] || { echo "FAILED: $what: $1 is there"; failed=1; }; }

cp "$samples"/resolver.* "$samples"/locks.T .
claim "one file goes to stdout" 0 "$thalweg" tame locks.T
has out "tamed<>"
has err "locks.T: sfslite syntax"
has err "next: c++"
claim "the same source gives the same text" 0 "$thalweg" tame locks.T -o locks.cc
claim "into a file" 0 "$thalweg" tame locks.T -o again.cc
claim "it is the same" 0 cmp locks.cc again.cc
claim "#line on demand" 0 "$thalweg" tame --line-directives locks.T
has out '#line 1 "locks.T"'

claim "two files want a place" 2 "$thalweg" tame resolver.T resolver.h
has err "--beside"
claim "beside themselves" 0 "$thalweg" tame --beside resolver.T resolver.h
has resolver.cc "co_await"
has resolver.h "tamed<> run();"
for done in resolver.h resolver.cc; do
    claim "$done, which is translated, stays as it is" 0 "$thalweg" tame "$done" -o same
    has err "nothing of Tame in it"
    claim "the text of $done is the same" 0 cmp same "$done"
done

printf '#include "tame.h"\ntamed void f () {\n  for (;;)\n    twait { g (mkevent ()); break; }\n}\ntamed int g () { return 1; }\n' >bad.T
claim "what would change is refused" 4 "$thalweg" tame bad.T -o bad.cc
has err "bad.T:4: refused: break out of twait{}"
has err "bad.T:6: refused: a tamed function that returns 'int'"
has err "2 places whose meaning would change: nothing is written"
is_not_there bad.cc
claim "one that is refused keeps the others from being written" 4 "$thalweg" tame --beside locks.T bad.T
claim "in JSON" 4 "$thalweg" tame --json bad.T -o bad.cc
python3 -m json.tool out >/dev/null || { echo "FAILED: $what: no JSON"; failed=1; }
has out '"line": 4'

printf '#include "tame.h"\ntamed void f (evv_t e) {\n  e->trigger ();\n  g ();\n}\n' >order.T
claim "who waits goes on as in sfslite" 0 "$thalweg" tame order.T
! grep -q note err || { echo "FAILED: $what: something is noted"; cat err; failed=1; }
claim "where that is not asked for, what may differ is noted, and translated" 0 "$thalweg" tame --goes-on-later order.T
has err "order.T:3: note: in sfslite"

printf '#include <tamer/tamer.hh>\ntamed void f (tamer::event<> e) {\n  tamer::with_timeout(1, e, e);\n}\n#ifdef TAMER_DEBUG\n#endif\n' >own.tcc
claim "what tamer's headers define, or take in another way" 4 "$thalweg" tame own.tcc
has err "own.tcc:3: refused: with_timeout() with 3 arguments"
has err "own.tcc:5: refused: TAMER_DEBUG"

claim "a syntax that there is not" 2 "$thalweg" tame --syntax tame locks.T
has err "paper, sfslite or tamer"
claim "the syntax counts" 0 "$thalweg" tame --syntax tamer locks.T
has out "lenient<gather>"
claim "JSON and C++ do not share stdout" 2 "$thalweg" tame --json locks.T
claim "no file" 2 "$thalweg" tame
claim "a file that is not there" 7 "$thalweg" tame nowhere.T
has err "nowhere.T"
claim "help" 0 "$thalweg" tame --help
has out "All or nothing"
exit $failed
