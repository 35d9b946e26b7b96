#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A stored sweep that is killed at random moments, every second time once it has
# kept something more, so that it goes on however slow the machine is; two that
# share a store, one whose store cannot grow, one on a full disk, one that may
# not write: the bytes of an undisturbed run in the end, and nothing computed
# again that was kept.
# usage: ESTIMATE=PROGRAM [KILLS=N] kills.sh
#        KILLS: 5; of more the sweep is a longer one
set -u
group=kills
# shellcheck source=count.sh
. "$(dirname "$0")/count.sh"
program=${ESTIMATE:-$(dirname "$0")/../estimate}
program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
kills=${KILLS:-5}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

# Each in the place of the shell that calls it.
few() { # STORE
    exec "$program" nn lud srad --grid 320 --error 3 --sweep sms=8,12,16 \
        --format csv --store "$1"
}
many() { # STORE
    [ "$kills" -gt 5 ] || few "$1"
    exec "$program" nn lud srad --grid 1200 --error 2 --sweep tb=1..6 \
        --sched gto,lrr,tlrr,swl:4 --format csv --store "$1"
}

# Nothing where there is no sqlite3.
ask() { # SQL
    if command -v sqlite3 >/dev/null; then sqlite3 killed.db "$1" 2>/dev/null; fi
}

# Whenever a sample is kept that was kept before, `again` gets a row.
watch_store() {
    ask 'CREATE TABLE IF NOT EXISTS again (key);
        CREATE TRIGGER IF NOT EXISTS twice BEFORE INSERT ON samples
        WHEN EXISTS (SELECT 1 FROM samples WHERE key = NEW.key)
        BEGIN INSERT INTO again VALUES (NEW.key); END'
}

# Until the store has so many more samples or the job has ended.
await_more() { # SAMPLES
    while [ "$1" -gt 0 ] && kill -0 $job 2>/dev/null; do
        now=$(ask 'SELECT count(*) FROM samples')
        [ "${now:-$before}" -lt $((before + $1)) ] || break
        sleep 0.05
    done
}

(few one.db) >one.csv 2>/dev/null
count $? "an undisturbed run"
awk -v n="$kills" 'BEGIN { srand(1); while (n--) print 0.02 + rand() }' >delays
unsound=0 lost=0 cut=0 before=0 awaited=0
while read -r delay; do
    many killed.db >/dev/null 2>&1 &
    job=$!
    awaited=$((1 - awaited))
    await_more $awaited
    sleep "$delay"
    kill -9 $job 2>/dev/null && cut=$((cut + 1))
    wait $job 2>/dev/null
    [ -s killed.db ] || continue
    rm -f sound.db
    "$program" merge killed.db -o sound.db >/dev/null 2>&1 ||
        unsound=$((unsound + 1))
    watch_store
    now=$(ask 'SELECT count(*) FROM samples')
    [ "${now:-0}" -ge "$before" ] || lost=$((lost + 1))
    before=${now:-0}
done <delays
echo "# $cut of $kills runs were killed; samples kept by then: $before"
count $unsound "the store is sound after every kill"
count $lost "no kill takes back what was kept"
(many killed.db) >killed.csv 2>/dev/null
count $? "it goes on to the end"
again=$(ask 'SELECT count(*) FROM again')
[ "${again:-0}" -eq 0 ]
count $? "nothing that was kept is computed again"
(many whole.db) 2>/dev/null | cmp -s - killed.csv
count $? "the bytes of an undisturbed run"

few two.db >a.csv 2>/dev/null &
job=$!
(few two.db) >b.csv 2>/dev/null
count $? "the first of two on one store"
wait $job
count $? "the second"
if cmp -s a.csv one.csv && cmp -s b.csv one.csv; then same=0; else same=1; fi
count $same "both print the same bytes"

(
    ulimit -f 16
    (few full.db) >full.csv 2>full.err && touch grew
)
[ ! -e grew ]
count $? "a store that cannot grow is a failure"
[ "$(grep -c 'full.db' full.err)" -eq 1 ]
count $? "... of one line"
(few full.db) 2>/dev/null | cmp -s - one.csv
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
    echo "kills: no file systems of users here: full disk, read-only skipped"
fi
count_end
