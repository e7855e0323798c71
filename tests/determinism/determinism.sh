#!/usr/bin/env bash
# Law 6: same profile, same program, same plan, same bytes. Everything is done twice, in two folders at two times, and compared.
set -euo pipefail
root=$1 build=$2
export PATH=$build/bin:$PATH
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

cp -r "$root/examples/quickstart" program
make -s -C program CXX=thalweg-c++ CPPFLAGS="-I$root/include" LDLIBS="-L$build/lib/thalweg -lthalweg"
thalweg record -o day.profile -- program/station 20000 >recorded-output

for time in first second; do
    mkdir "$time"
    thalweg plan day.profile -o station.plan
    thalweg optimize program/station --profile day.profile --plan station.plan -o station.opt
    mv station.plan station.opt "$time/"
done

same() { cmp "first/$1" "second/$1" || { echo "FAILED: $1 differs the second time ($2)"; exit 1; }; }
same station.plan "planned from one profile"
same station.opt "optimised from one profile and one plan"

# What is compared must be worth comparing: something is planned, and the optimised program is not the original one.
grep -q 'apply' first/station.plan || { echo "FAILED: the plan applies nothing"; cat first/station.plan; exit 1; }
! cmp -s program/station first/station.opt || { echo "FAILED: the optimised program is the original"; exit 1; }
program/station 30000 >plain-output
first/station.opt 30000 >optimised-output
cmp plain-output optimised-output || { echo "FAILED: the optimised program shows something else"; exit 1; }
echo "passed: same profile, same program, same plan, same bytes"
