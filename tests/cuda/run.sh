#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# CUDA programs that check themselves, compiled by nvcc and run without a GPU;
# where there is no nvcc, nothing.
# usage: [ESTIMATE=PROGRAM] [NVCC=COMPILER] run.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
program=${ESTIMATE:-$here/../../estimate}
program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export XDG_CACHE_HOME="$scratch/cache" ESTIMATE_PTXAS=none
passed=0
failed=0

ok() { # WHAT COMMAND...
    what=$1
    shift
    if "$@" >"$scratch/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not so: $what"
        tail -n 5 "$scratch/log"
    fi
}

run() { # NAME [ARGUMENT...]
    name=$1
    shift
    "$program" run --gpu v100 -o "$scratch/$name.csv" -- "$scratch/$name" "$@" \
        >"$scratch/$name.out" && tail -n 1 "$scratch/$name.out" | grep -q passed
}

# Field $2 of all rows of $1, added up.
sum() {
    awk -F, -v n="$2" 'NR > 1 { s += $n } END { print s + 0 }' "$scratch/$1.csv"
}

if [ -x "$nvcc" ]; then
    for form in '-arch=compute_75' '-arch=compute_75 -Xfatbin -compress-all' \
        '-gencode arch=compute_75,code=[compute_75,sm_75] -gencode arch=compute_90,code=compute_90'; do
        # A toolkit knows some targets alone.
        # shellcheck disable=SC2086
        "$nvcc" -cudart shared $form -o "$scratch/heat" "$here/heat.cu" \
            >"$scratch/log" 2>&1 || continue
        ok "heat ($form)" run heat 128 4
    done
    ok "four steps, one sum" test "$(sum heat 2)" = 5
    "$nvcc" -cudart shared -arch=compute_75 -o "$scratch/levels" \
        "$here/levels.cu" || failed=$((failed + 1))
    ok "levels" run levels
    ok "a line a level and a launch a level" \
        test "$(grep -c '^level' "$scratch/levels.out")" = "$(sum levels 2)"
    ok "shares add up to the whole" \
        test "$(awk -F, 'NR > 1 { s += $11 } END { printf "%.2f", s }' \
            "$scratch/levels.csv")" = 1.00
    "$nvcc" -cudart shared -arch=compute_75 -rdc=true -o "$scratch/apart" \
        "$here/apart.cu" "$here/apart_there.cu" || failed=$((failed + 1))
    ok "device code of two objects" run apart
    "$program" run --gpu v100 -- "$scratch/apart" >"$scratch/table" 2>&1
    ok "a static kernel by its name" grep -q '^of_there ' "$scratch/table"
    ok "texts of both" test "$(grep '^from' "$scratch/apart.out" | tr '\n' ' ')" \
        = "from here from there "
    "$nvcc" -cudart shared -arch=compute_75 -o "$scratch/timed" \
        "$here/timed.cu" || failed=$((failed + 1))
    # ptxas gives the launch other registers than there would be without.
    unset ESTIMATE_PTXAS
    ok "a product on tensor cores" run timed
    ok "events tell of the time that the table does" test \
        "$(sed -n 's/^us //p' "$scratch/timed.out")" = \
        "$(awk -F, 'NR == 2 { printf "%.3f", $10 }' "$scratch/timed.csv")"
fi
echo "cuda programs: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
