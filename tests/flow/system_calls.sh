#!/usr/bin/env bash
# What a program's system calls are, how many, and what follows what: known numbers, with threads, a child, SIGKILL, signals and errors.
source "$(dirname "$0")/common.sh"
cp "$here/system_calls.c" calls.c
thalweg-cc -O1 -g calls.c -o prog -pthread
query() { python3 -c 'import sqlite3, sys; [print(*row) for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2])]' "$1.profile" "$2"; }
record() {
    local how=$1 code=0
    thalweg record -o "$how.profile" -- ./prog "$how" > out 2> said || code=$?
    [ "$how" = killed ] || same "$(./prog "$how")" "$(cat out)" "what '$how' shows"
    same "$([ "$how" = killed ] && echo 137 || echo 0)" "$code" "exit code of '$how': $(cat said)"
}
at="join sites s on s.id = n.site join site_callees c on c.site = s.id"
# calls HOW CALLEE COLUMNS: sums over all sites in `copy` that call it
calls() { query "$1" "select $3 from system_calls n $at where s.function like 'copy%' and c.callee = '$2'"; }
between="system_call_edges e join sites f on f.id = e.\"from\" join sites t on t.id = e.\"to\" join site_callees a on a.site = f.id join site_callees b on b.site = t.id"
# edges HOW FROM TO: between the sites in `copy`
edges() {
    query "$1" "select sum(weight), sum(same_descriptor), sum(same_buffer), sum(result_is_size), sum(adjacent) from $between where f.function like 'copy%' and t.function like 'copy%' and a.callee = '$2' and b.callee = '$3'"
}

record copy
grep -q 'system calls at' said || die "nothing is said of system calls: $(cat said)"
same "1000 0 0 0 64000 64000" "$(calls copy read 'sum(calls), sum(errors), sum(zeros), sum(shorts), sum(asked_bytes), sum(given_bytes)')" "reads"
same "2000 74000" "$(calls copy write 'sum(calls), sum(given_bytes)')" "writes"
same "1000 0 1000 1000 0" "$(edges copy read write)" "a write behind each read"
same "1000 1000 1000 0 1000" "$(edges copy write write)" "a write behind each first write"
same "999 0 999 0 0" "$(edges copy write read)" "a read behind each second write"
same "20 20" "$(query copy "select sum(calls), sum(errors) from system_calls n $at where s.function like 'errors%'")" "calls that fail"
same "calls.c" "$(query copy "select distinct s.file from sites s join site_callees c on c.site = s.id" | sed 's|.*/||')" "their file"

record threads
same "4000" "$(calls threads read 'sum(calls)')" "reads in four threads"
same "4000 0 4000 4000 0" "$(edges threads read write)" "edges in four threads"
record fork
same "3000" "$(calls fork read 'sum(calls)')" "reads before and after a fork"
record killed
same "1000" "$(calls killed read 'sum(calls)')" "reads of a program that was killed"
record first
same "1 1" "$(query first "select calls, errors from system_calls")" "a first call that fails"

# Times: 20 us of own code behind each read, none behind the write, and a call of 1 ms. A machine with other work makes the mean longer.
record spin
times() { query spin "select t.timed, t.least_ns >= $3, t.least_ns < $4, t.between_ns >= t.timed * $3 from system_call_edge_times t join system_call_edges e on e.id = t.edge join site_callees a on a.site = e.\"from\" join site_callees b on b.site = e.\"to\" where a.callee = '$1' and b.callee = '$2' and e.weight > 70"; }
same "80 1 1 1" "$(times read write 20000 40000)" "own code between read and write"
same "80 1 1 1" "$(times write poll 0 5000)" "own code between write and poll"
same "80 1" "$(query spin "select t.timed, t.inside_ns >= t.timed * 1000000 from system_call_times t join system_calls n on n.id = t.system_call join site_callees c on c.site = n.site where c.callee = 'poll'")" "time in poll"
same "1" "$(query spin "select value from meta where key = 'call_clock'")" "whose clock it was"
# Of 3,000 calls of one thread the first 256 are timed, and then some.
same "1 1" "$(query copy "select sum(timed) > 256, sum(timed) < 600 from system_call_edge_times")" "how many are timed"

# Blocks: of the small ones nothing is told.
record blocks
same "500 take 500 give" "$(query blocks "select max(r.count), a.function, max(n.calls), b.function from releases r join sites a on a.id = r.\"from\" join sites b on b.id = r.\"to\" join system_calls n on n.site = b.id")" "large blocks"
same "500 100000000" "$(query blocks "select calls, given_bytes from system_calls n $at where c.callee = 'malloc'")" "large blocks taken"

# A signal handler's calls are the thread's; those that interrupt the recorder itself would be counted as lost.
record signals
same "200" "$(calls signals read 'sum(calls)')" "reads in and beside a signal handler"

# Runs add up.
thalweg merge copy.profile fork.profile -o both.profile > out 2> said || die "merge: $(cat said)"
same "4000" "$(calls both read 'sum(calls)')" "reads of two runs"

# The report shows them, and the graph goes to other tools.
thalweg report copy.profile > report 2> said || die "report: $(cat said)"
grep -Eq '1,000 +999 +read -> write -> write \(.*copy\)' report || die "the report does not show the loop: $(cat report)"
grep -Eq '1,000 +[0-9.]+ [nu]s +[0-9.]+ [nu]s +[0-9]+ +read, .* same buffer, result is size' report || die "the report does not show what ties the calls: $(cat report)"
thalweg export copy.profile --graph system-calls > graph.dot 2> said || die "export: $(cat said)"
grep -q '1000: same buffer, result is size' graph.dot || die "the graph does not show what ties the calls: $(cat graph.dot)"

# A program that is not ours, as strace wrote it down.
if command -v strace > /dev/null && strace -o trace true 2> /dev/null; then
    gcc -O1 "$here/system_calls.c" -o plain -pthread
    strace -f -ttt -T -k -o trace ./plain copy > /dev/null
    thalweg record --from-strace trace -o traced.profile > out 2> said || die "import: $(cat said)"
    same "1000 64000" "$(query traced "select sum(n.calls), sum(n.given_bytes) from system_calls n $at where c.callee = 'read' and s.function like 'copy+%'")" "reads of a traced program"
    same "1000 1000" "$(query traced "select sum(weight), sum(result_is_size) from $between where a.callee = 'read' and b.callee = 'write' and f.function like 'copy+%'")" "writes behind reads of a traced program"
    thalweg report traced.profile > report 2> said || die "report of a trace: $(cat said)"
    grep -Eq 'read -> write -> write' report || die "the report of a trace does not show the loop: $(cat report)"
    grep -q 'measured under strace' report || die "the report of a trace does not say whose times it has: $(cat report)"
fi
# As perf wrote it down. Not every kernel lets a user record tracepoints; the reader's own test holds lines that perf printed.
events=raw_syscalls:sys_enter,raw_syscalls:sys_exit
if command -v perf > /dev/null && perf record -q -e $events -o own true 2> /dev/null; then
    gcc -O1 -g "$here/system_calls.c" -o plain -pthread
    perf record -q -e $events --call-graph dwarf,1024 -m 4096 -o own ./plain spin > /dev/null 2>&1
    perf script --ns -i own > printed 2> said
    thalweg record --from-perf printed -o perf.profile > out 2> said || die "import: $(cat said)"
    same "80 80" "$(query perf "select sum(n.calls), sum(n.given_bytes) from system_calls n $at where c.callee = 'write' and s.function like 'spin+%'")" "writes of a program under perf"
    same "80 80 80" "$(query perf "select sum(weight), sum(result_is_size), sum(same_buffer) from $between where a.callee = 'read' and b.callee = 'write' and f.function like 'spin+%'")" "writes behind reads of a program under perf"
    same "80 1" "$(query perf "select sum(w.timed), min(w.least_ns) >= 20000 from system_call_edge_times w join $between where w.edge = e.id and a.callee = 'read' and b.callee = 'write'")" "own code between, under perf"
    thalweg report perf.profile > report 2> said || die "report: $(cat said)"
    grep -q "measured under perf's tracepoints" report || die "the report does not say whose times it has: $(cat report)"
    code=0; thalweg record --from-perf own -o none.profile > out 2> said || code=$?
    same "4 perf script --ns" "$code $(grep -o 'perf script --ns' said)" "perf's own format"
fi
for tool in strace perf; do
    code=0; echo hello > trace; thalweg record --from-$tool trace -o none.profile > out 2> said || code=$?
    same "4 none of 1 lines" "$code $(grep -o 'none of 1 lines' said)" "a file that is no trace of $tool"
done
