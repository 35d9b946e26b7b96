#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A stored sweep that is killed at random moments all along it, however slow the
# machine is: the bytes of an undisturbed run in the end, and nothing computed
# again that was kept.
# usage: ESTIMATE=PROGRAM [KILLS=N] kills.sh
#        KILLS: 5, of a sweep of some seconds; for more it is over 100 s of CPU time
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

# In the place of the shell that calls it; without the cache, which would keep
# what the store loses.
sweep() { # STORE
    if [ "$kills" -le 5 ]; then
        set -- "$1" --sweep sms=8,16
    else
        set -- "$1" --sweep sms=4..26:2 --sched gto,lrr,tlrr,swl:4
    fi
    store=$1
    shift
    exec "$program" nn lud srad --grid 1200 --error 2 --sweep tb=1..6 "$@" -j2 \
        --no-cache --format csv --store "$store"
}

# How many samples a store has; nothing where there is no sqlite3.
ask() { # STORE SQL
    if command -v sqlite3 >/dev/null; then sqlite3 "$1" "$2" 2>/dev/null; fi
}
samples() { # STORE
    ask "$1" 'SELECT count(*) FROM samples'
}

# Whenever a sample is kept that was kept before, `again` gets a row.
watch_store() {
    ask killed.db 'CREATE TABLE IF NOT EXISTS again (key);
        CREATE TRIGGER IF NOT EXISTS twice BEFORE INSERT ON samples
        WHEN EXISTS (SELECT 1 FROM samples WHERE key = NEW.key)
        BEGIN INSERT INTO again VALUES (NEW.key); END'
}

# Until the store has so many samples or the job has ended.
await() { # SAMPLES
    while kill -0 $job 2>/dev/null; do
        now=$(samples killed.db)
        [ "${now:-$1}" -lt "$1" ] || break
        sleep 0.05
    done
}

(sweep whole.db) >whole.csv 2>/dev/null
count $? "an undisturbed run"
all=$(samples whole.db)

# The N-th kill comes within half a second of that share of all samples.
awk -v n="$kills" -v all="${all:-0}" 'BEGIN {
    srand(1)
    for (i = 0; i < n; i++) print int(all * i / n), 0.02 + rand() / 2 }' >moments
unsound=0 lost=0 cut=0 before=0
while read -r least delay; do
    sweep killed.db >/dev/null 2>&1 &
    job=$!
    await "$least"
    sleep "$delay"
    kill -9 $job 2>/dev/null && cut=$((cut + 1))
    wait $job 2>/dev/null
    [ -s killed.db ] || continue
    rm -f sound.db
    "$program" merge killed.db -o sound.db >/dev/null 2>&1 ||
        unsound=$((unsound + 1))
    watch_store
    now=$(samples killed.db)
    [ "${now:-0}" -ge "$before" ] || lost=$((lost + 1))
    before=${now:-0}
done <moments
echo "# $cut of $kills runs were killed; samples kept by then: $before of $all"
[ "$cut" -gt 0 ]
count $? "some run was killed before its end"
count $unsound "the store is sound after every kill"
count $lost "no kill takes back what was kept"
(sweep killed.db) >killed.csv 2>/dev/null
count $? "it goes on to the end"
again=$(ask killed.db 'SELECT count(*) FROM again')
[ "${again:-0}" -eq 0 ]
count $? "nothing that was kept is computed again"
cmp -s whole.csv killed.csv
count $? "the bytes of an undisturbed run"
count_end
