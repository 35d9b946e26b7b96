#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the program writes as JSON follows man/results.schema.json, which knows
# every column. Without python3 there is nothing to test.
# usage: [ESTIMATE=PROGRAM] schema.sh, in the folder of the sources
set -u
if ! command -v python3 >/dev/null; then
    echo "schema: 0 passed, 0 failed"
    exit 0
fi
here=$(cd "$(dirname "$0")" && pwd)
estimate=${ESTIMATE:-./estimate}
schema=$here/../../man/results.schema.json
tiny=$here/../cli/tiny.kernel
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export XDG_CACHE_HOME="$scratch/cache" ESTIMATE_PTXAS=none
group=schema
# shellcheck source=../count.sh
. "$(dirname "$0")/../count.sh"

# The program's output under definition $1, as FILE.$2: the rest is its command
# line. A partial result exits with 4.
follows() {
    definition=$1 file=$scratch/out.$2
    shift 2
    "$estimate" "$@" >"$file" 2>"$scratch/err"
    status=$?
    if [ $status -ne 0 ] && [ $status -ne 4 ]; then
        cat "$scratch/err"
        count 1 "estimate $*: exit status $status"
        return
    fi
    python3 "$here/schema.py" "$schema" "$definition" "$file"
    count $? "estimate $*"
}

follows results json "$tiny" nn --sweep tb=1..3 --sched gto,lrr --format json
follows results json simulate "$tiny" --format json
follows results json "$tiny" --gpu v100,m2090 --mode model --format json
follows results json simulate nn --max-cycles 100 --format json
follows results json "$tiny" --sweep sms=8,16 --sweep l2.size_kb=512,768 \
    --cost '2 * sms' --pareto cycles,cost --mode model --format json
follows results json ptx-vectoradd --mode model --format json
follows point jsonl "$tiny" --sweep tb=1..3 --sweep sms=8,16 --mode model \
    --format jsonl
follows explanation json explain "$tiny" --mode model --lines --format json
follows explanation json explain "$tiny" --confirm 1 --top 2 --format json

# A program on the CUDA runtime, where there is a compiler for it; it prints on
# standard output, too.
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
if [ -x "$nvcc" ]; then
    "$nvcc" -cudart shared -arch=compute_75 -o "$scratch/heat" \
        "$here/../cuda/heat.cu" >"$scratch/log" 2>&1 &&
        "$estimate" run --gpu v100 --sched gto,lrr --sweep tb=1..2 \
            -o "$scratch/launches.json" -- "$scratch/heat" 128 4 >"$scratch/log"
    count $? "estimate run: $(tail -n 1 "$scratch/log")"
    python3 "$here/schema.py" "$schema" launches "$scratch/launches.json"
    count $? "estimate run -o launches.json"
fi

# Without sweeps a point has the schema's own columns and no others.
"$estimate" "$tiny" --mode model --format jsonl >"$scratch/one.jsonl"
python3 - "$schema" "$scratch/one.jsonl" <<'END'
import json, sys
known = set(json.load(open(sys.argv[1]))["$defs"]["point"]["properties"])
found = set(json.loads(open(sys.argv[2]).read())) | {"cost", "pareto"}
print("\n".join(sorted(known ^ found)), end="")
sys.exit(known != found)
END
count $? "the columns and those of the schema differ"

count_end
