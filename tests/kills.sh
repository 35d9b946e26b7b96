#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A stored sweep that is killed at some moments, two that share a store, and one
# whose store cannot grow: the bytes of an undisturbed run in the end.
# usage: ESTIMATE=PROGRAM kills.sh
set -u
group=kills
# shellcheck source=count.sh
. "$(dirname "$0")/count.sh"
program=${ESTIMATE:-$(dirname "$0")/../estimate}
program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

run() { # STORE
    "$program" nn lud srad --grid 320 --error 3 --sweep sms=8,12,16 \
        --format csv --store "$1"
}

run one.db >one.csv 2>/dev/null
count $? "an undisturbed run"
for delay in 0.05 0.2 0.4 0.6 0.9; do
    "$program" nn lud srad --grid 320 --error 3 --sweep sms=8,12,16 \
        --format csv --store killed.db >/dev/null 2>&1 &
    job=$!
    sleep "$delay"
    kill -9 $job 2>/dev/null
    wait $job 2>/dev/null
    [ ! -s killed.db ] || "$program" merge killed.db -o sound.db >/dev/null
    count $? "the store is sound after a kill at $delay s"
done
run killed.db 2>/dev/null | cmp -s - one.csv
count $? "the same bytes after five kills"

run two.db >a.csv 2>/dev/null &
job=$!
run two.db >b.csv 2>/dev/null
count $? "the first of two on one store"
wait $job
count $? "the second"
if cmp -s a.csv one.csv && cmp -s b.csv one.csv; then same=0; else same=1; fi
count $same "both print the same bytes"

(
    ulimit -f 16
    run full.db >full.csv 2>full.err && touch grew
)
[ ! -e grew ]
count $? "a store that cannot grow is a failure"
[ "$(grep -c 'full.db' full.err)" -eq 1 ]
count $? "... of one line"
run full.db 2>/dev/null | cmp -s - one.csv
count $? "... and goes on when there is room"
count_end
