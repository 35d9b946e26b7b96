#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The Python module: its structs are the header's, its rows the program's, its
# examples run. Without python3 there is nothing to test.
# usage: [CC=COMPILER] python.sh, in the folder of the sources and libraries
set -u
if ! command -v python3 >/dev/null; then
    echo "python: 0 passed, 0 failed"
    exit 0
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export PYTHONPATH=python PYTHONDONTWRITEBYTECODE=1 XDG_CACHE_HOME="$scratch"
export ESTIMATE_LIBRARY="$PWD/libestimate.so"
group=python
# shellcheck source=../count.sh
. "$(dirname "$0")/../count.sh"

# A line "STRUCT FIELD OFFSET" for each field that the module names.
python3 - >"$scratch/module" <<'END'
import estimate
for name, struct in (("launch", estimate._Launch), ("options", estimate._Options),
                     ("error", estimate._Error), ("policies", estimate._Policies),
                     ("occupancy", estimate._Occupancy),
                     ("phase", estimate._Phase)):
    for field in struct._fields_:
        print(name, field[0], getattr(struct, field[0]).offset)
END
{
    printf '#include <estimate.h>\n#include <stdio.h>\nint main(void)\n{\n'
    while read -r struct field _; do
        printf 'printf("%s %s %%zu\\n", offsetof(struct estimate_%s, %s));\n' \
            "$struct" "$field" "$struct" "$field"
    done <"$scratch/module"
    printf 'return 0;\n}\n'
} >"$scratch/offsets.c"
"${CC:-cc}" -std=c11 -I include -o "$scratch/offsets" "$scratch/offsets.c" &&
    "$scratch/offsets" | diff "$scratch/module" -
count $? "structs are not laid out as in the header"

# The same rows by the program.
for options in "--mode model" ""; do
    # shellcheck disable=SC2086
    ./estimate nn --gpu v100 --grid 64 --sweep tb=1..3 --sched lrr,paws $options \
        --format csv 2>/dev/null | cut -d, -f3,4,8 >"$scratch/program"
    python3 - "$options" >"$scratch/rows" <<'END'
import sys
import estimate
print("tb,sched,cycles")
for row in estimate.sweep("nn", gpu="v100", grid=64, tb="1..3", sched="lrr,paws",
                          mode="model" if "model" in sys.argv[1] else "hybrid"):
    print("%d,%s,%.1f" % (row["tb"], row["sched"], row["cycles"]))
END
    diff "$scratch/program" "$scratch/rows"
    count $? "rows differ from the program's ($options)"
done

python3 - <<'END'
import estimate
assert len(estimate.keys()) == len(estimate.list("keys")) > 100
assert "v100" in estimate.list("gpus") and "nn" in estimate.list("kernels")
assert "gto" in estimate.list("schedulers")
half = estimate.sweep("nn", gpu="v100", mode="model", set={"dram.gbps": 449})
assert half[0]["cycles"] > estimate.sweep("nn", gpu="v100", mode="model")[0]["cycles"]
two = estimate.points([{"kernel": "nn"}, {"kernel": "lud", "gpu": "v100"}], mode="model")
assert [row["kernel"] for row in two] == ["nn", "lud"]
assert estimate.phases("lud")[0]["first"] == 0
for wrong, status in ((dict(kernel="nnn"), 2), (dict(kernel="nn", gpu="v10"), 2),
                      (dict(kernel="nn", mode="fast"), 2),
                      (dict(kernel="nn", set={"smss": 1}), 2)):
    try:
        estimate.sweep(**wrong)
        raise SystemExit("no error of %r" % wrong)
    except estimate.Error as e:
        assert e.status == status, (wrong, e.status)
END
count $? "its functions do not do what they say"

for example in python/examples/*.py; do
    python3 "$example" >"$scratch/out" && [ -s "$scratch/out" ]
    count $? "$example fails"
done
count_end
