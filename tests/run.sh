#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs test programs (Check's), the transcripts of the program and the tests of
# the sources' structure, as many at a time as there are processors, says again
# what failed, and sums up what passed. A test that ends without its sum, or fails
# with none failed in it, counts as one that failed.
# usage: [ESTIMATE=PROGRAM] [OBJECTS=FOLDER] run.sh TEST...
set -u
here=$(cd "$(dirname "$0")" && pwd)

# One test, as this script calls itself.
if [ "${1-}" = --one ]; then
    log=$2/$(echo "$3" | tr / _)
    "$3" >"$log" 2>&1 || echo "$3: exit status $?" >>"$log"
    cat "$log"
    exit 0
fi

logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
export CK_DEFAULT_TIMEOUT=300 \
    LSAN_OPTIONS="suppressions=$here/lsan.supp:print_suppressions=0"

# The longest first, so that none is left running alone at the end.
printf '%s\n' "$here/cli/run.sh" "$@" "$here"/structure/*.sh "$here"/cuda/run.sh \
    "$here"/mpi.sh "$here"/kills.sh "$here"/stores.sh |
    xargs -P "$(nproc)" -n 1 "$0" --one "$logs"

# Check's "test_x.c:12:F:case:name:0: why" and what count.sh prints.
grep -hE '^[^ ]+\.c:[0-9]+:[FE]:|^FAIL |: exit status [0-9]+$' "$logs"/*

# "100%: Checks: 12, Failures: 0, Errors: 0" and "name: 12 passed, 0 failed".
for log in "$logs"/*; do
    awk '/^[0-9]+%: Checks: / {
             gsub(",", ""); bad += $5 + $7; good += $3 - $5 - $7; sum = 1 }
         /^[a-z ]+: [0-9]+ passed, [0-9]+ failed$/ {
             bad += $(NF - 1); good += $(NF - 3); sum = 1 }
         /: exit status [0-9]+$/ { status = 1 }
         END { print good + 0, (bad == 0 && (status || !sum)) ? 1 : bad + 0 }
        ' "$log"
done | awk '{ passed += $1; failed += $2 }
            END { printf "%d passed, %d failed\n", passed, failed
                  exit failed > 0 }'
