#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Two runs that share a store, one whose store cannot grow, one on a full disk,
# one that may not write: the bytes of an undisturbed run or one clear line.
# usage: ESTIMATE=PROGRAM stores.sh
set -u
group=stores
# shellcheck source=count.sh
. "$(dirname "$0")/count.sh"
program=${ESTIMATE:-$(dirname "$0")/../estimate}
program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

run() { # STORE
    "$program" nn lud srad --grid 320 --error 3 --no-cache \
        --sweep sms=8,12,16 --format csv --store "$1"
}

run one.db >one.csv 2>/dev/null
count $? "an undisturbed run"
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

# File systems of their own, where the system lets users mount them.
in_disk() { # SIZE COMMAND: in the folder `disk`, which is that large
    mkdir -p disk
    unshare -Urm sh -c "mount -t tmpfs -o size=$1 none disk && $2" 2>disk.err
}
export program
if in_disk 4k true; then
    in_disk 20k "\"$program\" nn lud srad --grid 320 --error 3 --no-cache \
        --sweep sms=8,12,16 --store disk/s.db >/dev/null 2>full.err"
    [ $? -eq 1 ] && [ "$(wc -l <full.err)" -eq 1 ] && grep -q 's.db' full.err
    count $? "a full disk is a failure of one line"
    in_disk 20k "mount -o remount,ro disk; \
        \"$program\" nn --store disk/s.db >/dev/null 2>read.err"
    [ $? -eq 1 ] && [ "$(wc -l <read.err)" -eq 1 ] && grep -q 's.db' read.err
    count $? "so is a folder that may not be written"
else
    echo "stores: no file systems of users here: full disk, read-only skipped"
fi
count_end
