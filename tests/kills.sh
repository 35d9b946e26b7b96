#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A stored sweep that is killed at some moments, two that share a store, and one
# whose store cannot grow: the bytes of an undisturbed run in the end.
# usage: ESTIMATE=PROGRAM kills.sh
set -u
program=${ESTIMATE:-$(dirname "$0")/../estimate}
program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
passed=0 failed=0

check() { # NAME STATUS
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL kills: $1"
    fi
}

run() { # STORE
    "$program" nn lud srad --grid 320 --error 3 --sweep sms=8,12,16 \
        --format csv --store "$1"
}

run one.db >one.csv 2>/dev/null
check "an undisturbed run" $?
for delay in 0.05 0.2 0.4 0.6 0.9; do
    "$program" nn lud srad --grid 320 --error 3 --sweep sms=8,12,16 \
        --format csv --store killed.db >/dev/null 2>&1 &
    job=$!
    sleep "$delay"
    kill -9 $job 2>/dev/null
    wait $job 2>/dev/null
    [ ! -s killed.db ] || "$program" merge killed.db -o sound.db >/dev/null
    check "the store is sound after a kill at $delay s" $?
done
run killed.db 2>/dev/null | cmp -s - one.csv
check "the same bytes after five kills" $?

run two.db >a.csv 2>/dev/null &
job=$!
run two.db >b.csv 2>/dev/null
check "the first of two on one store" $?
wait $job
check "the second" $?
if cmp -s a.csv one.csv && cmp -s b.csv one.csv; then same=0; else same=1; fi
check "both print the same bytes" $same

(
    ulimit -f 16
    run full.db >full.csv 2>full.err && touch grew
)
[ ! -e grew ]
check "a store that cannot grow is a failure" $?
[ "$(grep -c 'full.db' full.err)" -eq 1 ]
check "... of one line" $?
run full.db 2>/dev/null | cmp -s - one.csv
check "... and goes on when there is room" $?
echo "kills: $passed passed, $failed failed"
exit "$failed"
