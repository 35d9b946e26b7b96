#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# How fast CUDA programs are executed: lane instructions a second of processor
# time under `run` and under `execute`, of the same launches; and what estimates
# add to a program of 10,000 launches. Ratios are of one machine at one time, in
# processor time, so that other work on it counts little.
# usage: [ESTIMATE=PROGRAM] [NVCC=COMPILER] [ROUNDS=N] program_speed.sh
#        of N rounds (default 3) the fastest counts
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=${ESTIMATE:-$here/../estimate}
program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
rounds=${ROUNDS:-3}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export ESTIMATE_PTXAS=none XDG_CACHE_HOME="$scratch/cache"

# Seconds of user and system time of the fastest of the rounds.
seconds() { # COMMAND...
    local least='' now TIMEFORMAT='%U %S'
    for ((i = 0; i < rounds; i++)); do
        now=$({ time "$@" >"$scratch/out" 2>"$scratch/err"; } 2>&1 |
            awk '{ print $1 + $2 }')
        least=$(awk -v a="$now" -v b="${least:-$now}" \
            'BEGIN { print a < b ? a : b }')
    done
    echo "$least"
}

run() { # OPTIONS... -- PROGRAM ARGUMENTS
    "$program" run -j1 --gpu v100 "$@"
}

ratio() { # A B FORMAT
    awk -v a="$1" -v b="$2" -v f="$3" 'BEGIN { printf f, a / b }'
}

steps=$scratch/steps
"$nvcc" -O2 -cudart shared -arch=compute_75 -o "$steps" \
    "$here/program_speed.cu"

run --record "$scratch/kept" -- "$steps" 4096 1 >"$scratch/out" 2>&1
under_execute=$(seconds "$program" execute "$scratch"/kept/*step.launch)
alone=$(sed -n 's/.* \([0-9]*\) lane instructions$/\1/p' "$scratch/out")
under_run=$(seconds run --kernel none -- "$steps" 4096 4)
lanes=$((4 * alone))
run_rate=$(ratio "$lanes" "$under_run" '%.0f')
execute_rate=$(ratio "$alone" "$under_execute" '%.0f')
echo "run      $(ratio "$run_rate" 1e6 '%4.0f') M lane instructions a second" \
    "($lanes in $under_run s, with all that the program does)"
echo "execute  $(ratio "$execute_rate" 1e6 '%4.0f') M lane instructions a" \
    "second ($alone in $under_execute s, with the reading of its buffers)"
echo "run / execute  $(ratio "$run_rate" "$execute_rate" '%.2f')"

launches=10000
without=$(seconds run --kernel none -- "$steps" 128 $launches)
echo "$launches launches, executed alone  $without s"
for limit in 10000 100; do
    with=$(seconds run --max-launches $limit -- "$steps" 128 $launches)
    echo "... and estimated, --max-launches $limit  $with s," \
        "$(ratio "$with" "$without" '%.2f') times"
done
