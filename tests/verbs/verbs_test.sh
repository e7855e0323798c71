#!/usr/bin/env bash
# The verbs that read profiles and plans, run as a person runs them: what they print, where, and how they end.
#   verbs_test.sh THALWEG SAMPLE_PROFILE
set -uo pipefail
thalweg=$(realpath "$1")
sample=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export XDG_CACHE_HOME="$folder/cache" # what this user measured of the machine plays no part
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
has_not() { ! grep -qF -- "$2" "$1" || { echo "FAILED: $what: '$2' is in $1:"; cat "$1"; failed=1; }; }
is_json() { python3 -m json.tool out >/dev/null || { echo "FAILED: $what: stdout is no JSON"; failed=1; }; }

"$sample" day.profile 8000 && "$sample" short.profile 20 || exit 1

claim "help of a verb" 0 "$thalweg" help optimize
has out "Usage: thalweg optimize"
claim "a slip of the finger is told" 2 "$thalweg" optimise day.profile
has err 'did you mean `thalweg optimize`?'
claim "what is like no verb is not guessed" 2 "$thalweg" frobnicate
has_not err "did you mean"
mkdir -p kept/.thalweg/one kept/own
id=0123456789abcdef
touch kept/{.one.$id.thalweg-twin,.two.$id.thalweg-twin,.one.$id.thalweg-twin.17,.thalweg/one.$id.sites.json,.thalweg/one/a.o} \
    kept/{one,.one.$id.thalweg-twins,.one.0123.thalweg-twin,.thalweg/one.$id.json,own/.one.$id.thalweg-twin}
ln -s one kept/.three.$id.thalweg-twin
claim "clean removes the twins of one program" 0 "$thalweg" clean kept/one
has err "removed 3 files"
claim "clean leaves another's" 0 test -e kept/.two.$id.thalweg-twin
claim "clean removes all twins of a folder" 0 "$thalweg" clean kept --json
has out '"files":1'
claim "clean leaves what is no twin" 0 test -e kept/one -a -e kept/.one.$id.thalweg-twins -a -e kept/.one.0123.thalweg-twin
claim "clean leaves what only looks like a twin's table" 0 test -e kept/.thalweg/one.$id.json
claim "clean leaves links and what stands in other folders" 0 test -L kept/.three.$id.thalweg-twin -a -e kept/own/.one.$id.thalweg-twin
claim "clean leaves objects unless it is asked" 0 test -e kept/.thalweg/one/a.o
claim "clean removes objects when it is asked" 0 "$thalweg" clean --objects kept/one
claim "the objects are gone" 1 test -e kept/.thalweg/one
claim "clean of what is not there" 2 "$thalweg" clean kept/none
has err "there is no kept/none"
claim "report shows the graph and names the next command" 0 "$thalweg" report day.profile
has out "SegFromUser -> Seg2Net"
has out "Event chains"
has err "next: thalweg plan day.profile -o PLAN"
claim "report in JSON" 0 "$thalweg" report day.profile --json
is_json
claim "eta leaves out lighter edges" 0 "$thalweg" report day.profile --eta 8000
has out "Event graph, eta 8,000: 1 of 3 edges"

claim "plan goes to stdout when no file is named" 0 "$thalweg" plan day.profile
cp out first.plan
claim "plan to a file" 0 "$thalweg" plan day.profile -o day.plan
has out "3 to apply, 2 refused (1 handler-rebinds, 1 timed-edge)"
claim "the same profile gives the same plan" 0 cmp first.plan day.plan
claim "plan in JSON" 0 "$thalweg" plan day.profile -o day.plan --json
is_json
claim "a growth bound refuses" 0 "$thalweg" plan day.profile --max-growth 0 -o none.plan
has out "too-large"
has err "nothing in this profile is worth doing"
claim "nothing worth doing is exit 3 when asked" 3 "$thalweg" plan day.profile --max-growth 0 --fail-if-none
claim "eta refuses what is colder" 3 "$thalweg" plan day.profile --eta 8001 --fail-if-none
has out "too-cold"

claim "report as one HTML file, nothing on stdout" 0 "$thalweg" report day.profile --plan day.plan --html day.html
has err "wrote day.html"
has err "next: thalweg explain day.plan 1"
has day.html '"name":"SegFromUser"'
has day.html '"refusal":"handler-rebinds"'
[ ! -s out ] || { echo "FAILED: $what: stdout is not empty"; failed=1; }
claim "report as HTML and JSON" 0 "$thalweg" report day.profile --html day.html --json
is_json
claim "a report that cannot be written" 7 "$thalweg" report day.profile --html nowhere/day.html
has err "nowhere/day.html"
claim "a comparison that is none" 4 "$thalweg" report day.profile --comparison day.plan --html day.html
has err "day.plan"

claim "explain shows all" 0 "$thalweg" explain day.plan
has out "handler-rebinds"
has out "timed-edge"
claim "explain one" 0 "$thalweg" explain day.plan 1
has out "Decision 1: merge"
has out "if not"
claim "explain one in JSON" 0 "$thalweg" explain day.plan 1 --json
is_json
claim "explain a decision that is not there" 2 "$thalweg" explain day.plan 99
has err "no decision 99"
sed '0,/verdict = "apply"/s//verdict = "refuse"/' day.plan >edited.plan
claim "an edited plan is read" 0 "$thalweg" explain edited.plan 1
has out "(refuse)"
echo 'colour = 1' | cat - day.plan >broken.plan
claim "a wrong key is named with its line" 4 "$thalweg" explain broken.plan
has err "line 1: colour is not known here"

claim "merge adds up" 0 "$thalweg" merge day.profile short.profile -o both.profile
has out "2 profiles, 2 runs, 24060 dispatches"
claim "merge in JSON" 0 "$thalweg" merge day.profile -o one.profile --json
is_json
claim "diff of a profile with itself" 0 "$thalweg" diff day.profile day.profile
has out "the same"
has_not out "SegFromUser"
claim "diff in JSON" 0 "$thalweg" diff day.profile short.profile --json
is_json
claim "export for graphviz" 0 "$thalweg" export day.profile
has out "digraph events"
claim "export of handlers as a table" 0 "$thalweg" export day.profile --graph handlers --format csv
has out "tdriver_sfu"
claim "export in JSON" 0 "$thalweg" export day.profile --json
is_json

claim "stat gives the program its output and its exit code, and reports on stderr" 3 "$thalweg" stat -- sh -c 'echo shown; exit 3'
[ "$(cat out)" = shown ] || { echo "FAILED: $what: stdout is not the program's alone"; failed=1; }
has err "real"
claim "stat gives the program its input" 0 "$thalweg" stat -- cat <first.plan
cmp -s out first.plan || { echo "FAILED: $what: the program saw another stdin"; failed=1; }
# Where both processors are taken for all of its time nobody can say what it waited for: then it sleeps longer.
for seconds in 0.2 2 20; do
    claim "stat of a program that sleeps" 0 "$thalweg" stat -o sleep.json -- sleep $seconds
    if ! grep -q "not judged" err; then break; fi
done
has err "I/O-bound"
has err "hardly any disk was used"
has sleep.json '"class": "I/O-bound"'
claim "stat in JSON" 0 "$thalweg" stat --json -- sleep 0.1
is_json
claim "stat of a program that a signal ends" 143 "$thalweg" stat -- sh -c 'kill -TERM $$'
has err "signal 15 ended it"
claim "stat of a program that is not there" 7 "$thalweg" stat -- ./none
has err "cannot start ./none: No such file"
claim "stat of nothing" 2 "$thalweg" stat
has err "what is to be run?"
claim "stat whose file cannot be written" 7 "$thalweg" stat -o nowhere/x.json -- true
has err "nowhere/x.json"

ignoring='import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])'
claim "stat started by one who ignores the end of children" 3 python3 -c "$ignoring" "$thalweg" stat -- sh -c 'exit 3'
claim "stat of calls, started by one who ignores the end of children" 3 python3 -c "$ignoring" "$thalweg" stat --calls -- sh -c 'exit 3'
claim "stat counts calls" 3 "$thalweg" stat --calls -o calls.json -- sh -c 'cat nowhere/file; exit 3'
has err "System calls"
has err "ENOENT"
has calls.json '"name": "openat"'
claim "stat tells of a file that is asked for again and again" 0 "$thalweg" stat --calls -- sh -c 'for i in $(seq 300); do test -e first.plan; done'
has err "Repeated calls"
has err "asked for what the last one had given, e.g. $folder/first.plan, 0x0: keep what it said of the path, where an old answer will do"
claim "stat advises no cache where each file is another one" 0 "$thalweg" stat --calls -- sh -c 'for i in $(seq 300); do test -e $i; done; exit 0'
has_not err "caching (section 4.7)"
claim "stat tells of a file that changes, and advises no cache" 0 "$thalweg" stat --calls -- sh -c 'for i in $(seq 200); do test -e grows; echo $i >>grows; done'
has err "the same arguments gave something else than the time before"
has_not err "caching (section 4.7)"
claim "stat counts calls of a program that is not there" 7 "$thalweg" stat --calls -- ./none
has err "cannot start ./none: No such file"
claim "stat tells of Ctrl-C, which ends the program" 130 timeout --foreground --preserve-status -s INT 1 "$thalweg" stat --calls -- sleep 20
has err "clock_nanosleep"
# A set-uid program must not run without its rights unnoticed; for root there is nothing to lose.
if [ "$(id -u)" = 0 ] && setpriv --reuid 65534 --clear-groups test -x "$thalweg" && test -u /usr/bin/passwd; then
    claim "stat does not count a set-uid program's calls" 7 setpriv --reuid 65534 --clear-groups "$thalweg" stat --calls -- /usr/bin/passwd --help
    has err "it is set-uid"
    claim "stat runs a set-uid program as it is" 0 setpriv --reuid 65534 --clear-groups "$thalweg" stat -- /usr/bin/passwd --help
fi

claim "functions are counted, and the program's output and exit code are its own" 3 "$thalweg" functions --with callgrind -o day.functions -- sh -c 'echo shown; exit 3'
[ "$(cat out)" = shown ] || { echo "FAILED: $what: stdout is not the program's alone"; failed=1; }
has err "Flat profile"
has err "Call graph"
has err "system call write"
claim "stored functions are shown" 0 "$thalweg" functions day.functions
has out "instructions outside of the kernel, counted by callgrind"
claim "stored functions joined to a profile" 0 "$thalweg" functions day.functions --profile day.profile
has_not out "handler of"
sed 's/"name": "__GI___libc_write"/"name": "fec_sfu1"/; s/"name": "write"/"name": "fec_sfu1"/; s/"name": "__write"/"name": "fec_sfu1"/' day.functions >handler.functions
claim "a function that is a handler there is told as one" 0 "$thalweg" functions handler.functions --profile day.profile
has out "handler of SegFromUser, 8,000 times"
claim "functions in JSON" 0 "$thalweg" functions day.functions --json
is_json
claim "events are no stacks" 2 "$thalweg" export day.profile --format folded
has err "day.profile has events: they are not written as folded"
claim "functions are no events" 2 "$thalweg" export day.functions --graph events
has err "day.functions has functions: they are not written as dot of events"
claim "functions of a program that is not there" 7 "$thalweg" functions -- ./none
has err "cannot start ./none: there is no such program"
claim "functions of nothing" 2 "$thalweg" functions
has err "what is to be run?"
claim "functions of a file that is none" 4 "$thalweg" functions day.plan
has err "day.plan: not a thalweg-functions"

claim "no such profile" 7 "$thalweg" report none.profile
has err "No such file"
claim "not a profile" 4 "$thalweg" plan day.plan
claim "wrong usage" 2 "$thalweg" plan
has err "thalweg plan: error: profile is required"
claim "an option that there is not" 2 "$thalweg" report day.profile --frob
has err "thalweg report: error: The following argument was not expected: --frob (\`thalweg report --help\` tells more)"
claim "a number out of range" 2 "$thalweg" plan day.profile --eta -3
has err "Value -3 not in range "
sed 's/^build_id = .*/build_id = "0ther"/' day.plan >other.plan
claim "a plan of another build is shown, with a word of warning" 0 "$thalweg" report day.profile --plan other.plan
has err "other.plan is a plan for another build (0ther) than the one that was recorded (5eed)"
claim "a plan of this build needs none" 0 "$thalweg" report day.profile --plan day.plan
has_not err "WARNING"
claim "help is no error" 0 "$thalweg" report --help
has out "--guards"
claim "a full disk" 7 "$thalweg" plan day.profile -o /dev/full
has err "No space left"
claim "a folder that is not there" 7 "$thalweg" merge day.profile -o no/such/folder/x
has err "no/such/folder/x"

claim "no machine was measured yet" 7 "$thalweg" machine --show
has err "nothing is stored in $folder/cache/thalweg/machine.json"
claim "machine measures and stores" 0 "$thalweg" machine --rounds 1
has out "system-call"
has out "open-close"
has err "wrote $folder/cache/thalweg/machine.json"
has_not out "Beside the measurement"
claim "nothing is left of what was measured" 1 compgen -G "$folder/.thalweg-machine-*"
claim "what is stored is shown" 0 "$thalweg" machine --show
has out "listed-handler"
claim "shown in JSON" 0 "$thalweg" machine --show --json
is_json
claim "measured again, it is set beside the stored one" 0 "$thalweg" machine --rounds 1 --output second.json
has out "Beside the measurement of"
has err "wrote second.json"
claim "one that was stored beside one that is named, in JSON" 0 "$thalweg" machine --show --against second.json --json
is_json
has out '"agreeing"'
claim "a plan without a word takes the stored costs, and says so" 0 "$thalweg" plan day.profile -o stored.plan
has out "costs: measured 2"
has stored.plan 'costs = "measured 2'
claim "the same costs give the same plan" 0 "$thalweg" plan day.profile --costs cache/thalweg/machine.json -o named.plan
claim "byte for byte" 0 cmp stored.plan named.plan
claim "the built-in costs give the plan from before" 0 "$thalweg" plan day.profile --costs built-in -o built-in.plan
has out "costs: built-in"
claim "byte for byte" 0 cmp built-in.plan first.plan
claim "costs that are none" 4 "$thalweg" plan day.profile --costs day.plan
has err "day.plan: not a thalweg-machine"
sed 's/"cpu": ".*"/"cpu": "Another one"/' second.json >cache/thalweg/machine.json
claim "stored costs of another processor are not taken" 0 "$thalweg" plan day.profile
has err "was measured on Another one"
cp out other.plan
claim "byte for byte" 0 cmp other.plan first.plan
sed 's/"raised-handler"/"something"/' second.json >other.json
claim "costs without a row that is needed" 4 "$thalweg" plan day.profile --costs other.json
has err "the row raised-handler is missing"
claim "against one that is none" 4 "$thalweg" machine --against day.plan
has err "day.plan: not a thalweg-machine"
claim "against one that is not there" 7 "$thalweg" machine --against none.json
echo '{"format": "thalweg-machine", "version": 9}' >cache/thalweg/machine.json
claim "a stored one of another version is not shown" 4 "$thalweg" machine --show
has err "version 9, this tool reads version 1: make it again"
claim "no rounds are no measurement" 2 "$thalweg" machine --rounds 0
[ "$failed" = 0 ] && echo "every claim held"
exit "$failed"
