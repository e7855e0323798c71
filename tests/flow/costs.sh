#!/usr/bin/env bash
# The report begins with what costs most: a list that rarely runs and works long stands before one that runs a thousand times as often, and
# what only waits for the other has no time of its own. Told from a short run, whose dispatches are all noted, and from a sampled one.
source "$(dirname "$0")/common.sh"
cat > costs.c <<'C'
#include <stdio.h>
#include <stdlib.h>
typedef void (*handler)(long *);
static handler often[2], dear[1], around[1];
static int counts[3];
static void add(long *sum) { *sum += 1; }
static void flip(long *sum) { *sum ^= 3; }
static void work(long *sum) { for (volatile long i = 0; i < 500000; ++i) *sum += i; }
static void raise_often(long *sum) { for (int i = 0; i < counts[0]; ++i) often[i](sum); }
static void raise_dear(long *sum) { for (int i = 0; i < counts[1]; ++i) dear[i](sum); }
static void raise_around(long *sum) { for (int i = 0; i < counts[2]; ++i) around[i](sum); }
int main(int argc, char **argv) {
    long raises = atol(argv[1]), sum = argc;
    often[counts[0]++] = add, often[counts[0]++] = flip, dear[counts[1]++] = work, around[counts[2]++] = raise_dear;
    for (long n = 0; n < raises; ++n) {
        raise_often(&sum);
        if (n % 1000 == 0)
            raise_around(&sum);
    }
    printf("%ld\n", sum);
    return 0;
}
C
thalweg-cc -O1 -g -fno-inline costs.c -o costs
for raises in 50000 500000; do
    thalweg record -o costs.profile -- ./costs $raises > /dev/null 2> said || die "record: $(cat said)"
    thalweg report costs.profile --json > costs.json 2> said || die "report: $(cat said)"
    thalweg report costs.profile > costs.text 2> said || die "report: $(cat said)"
    python3 - $raises <<'PYTHON' || die "$raises raises: $(cat costs.text)"
import json, sys
events = {event["name"].split("raise_")[-1]: event for event in json.load(open("costs.json"))["profile"]["events"]}
often, dear, around = (events[name] for name in ("often", "dear", "around"))
assert often["raises"] == 1000 * dear["raises"] == int(sys.argv[1]), events
for event in (often, dear, around):
    assert 8 <= event["time"]["timed"] <= event["raises"] and event["time"]["inside_ns"] > 0, event
assert dear["time"]["own_ns"] > 2 * often["time"]["own_ns"], events
assert dear["time"]["own_ns"] > 2 * around["time"]["own_ns"], events
assert around["time"]["inside_ns"] > around["time"]["own_ns"], around
first = open("costs.text").read().split("What costs most\n")[1].split("\n")[1]
assert "raise_dear" in first, first
PYTHON
done
