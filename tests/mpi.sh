#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A run that the processes of an MPI job share: the bytes of one process, also
# after one was killed half-way and the job was started again.
# usage: ESTIMATE_MPI=PROGRAM mpi.sh
set -u
group=mpi
# shellcheck source=count.sh
. "$(dirname "$0")/count.sh"
command -v mpirun >/dev/null || { echo "mpi: skipped, no mpirun"; count_end; exit; }
[ -x "${ESTIMATE_MPI-}" ] || { echo "mpi: skipped, no MPI build"; count_end; exit; }
program=$(cd "$(dirname "$ESTIMATE_MPI")" && pwd)/$(basename "$ESTIMATE_MPI")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export ASAN_OPTIONS=detect_leaks=0 # the MPI library keeps what it has

# Under the number that MPI gives it, each process leaves that of its own.
cat >numbered.sh <<'EOF'
#!/bin/sh
echo $$ >"process.${OMPI_COMM_WORLD_RANK:-${PMI_RANK-}}"
exec "$@"
EOF

run() { # PROCESSES STORE [OPTION OF MPIRUN...]
    n=$1 store=$2
    shift 2
    timeout 300 mpirun --oversubscribe "$@" -n "$n" sh numbered.sh "$program" nn \
        lud srad --grid 160 --no-cache --error 3 --sweep sms=8,12,16 --format csv \
        --store "$store" 2>"$store.err"
}

run 1 one.db >one.csv
count $? "one process runs"
run 4 four.db >four.csv
count $? "four processes run"
cmp -s one.csv four.csv
count $? "four processes print what one prints"
if ls four.db.rank* >/dev/null 2>&1; then count 1 "no rank's store is left"; fi
cmp -s one.csv - <<EOF
$(run 3 four.db)
EOF
count $? "a second run prints the same"

# Run, and kill a worker once others have kept something.
run_and_kill() { # STORE [OPTION OF MPIRUN...]
    store=$1
    run 3 "$@" >"$store.csv" &
    job=$!
    for _ in $(seq 600); do
        [ -s "$store.rank1" ] && [ -s "$store.rank2" ] && break
        kill -0 $job 2>/dev/null || break
        sleep 0.1
    done
    kill -9 "$(cat process.2)" 2>/dev/null
    wait $job
}

# However the job takes it, a second one goes on.
run_and_kill killed.db
run 3 killed.db >killed.csv
count $? "the job runs again after a worker was killed"
cmp -s one.csv killed.csv
count $? "... and prints what one process prints"

# Where the launcher lets the others live, they do the lost one's share.
if mpirun --enable-recovery -n 1 true 2>/dev/null; then
    run_and_kill lost.db --enable-recovery
    cmp -s one.csv lost.db.csv
    count $? "the others finish without a worker that was killed"
fi
timeout 60 mpirun --oversubscribe -n 2 "$program" nn >/dev/null 2>err.txt
grep -q 'expected --store' err.txt
count $? "without a store it says so"
count_end
