#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A bundled GPU fitted to a reference simulator's points.

usage: fit_reference.py ESTIMATE REFERENCE TRACES [CONFIG GPU KEYS]

Of the points of REFERENCE/accelsim.csv on CONFIG (SM2_GTX480), whose traces lie
in TRACES as `make correlate` leaves them, those under gto at 1, 3 and all
resident blocks and under lrr go to `calibrate --against` as if GPU (gtx480) had
run them, and KEYS, a comma list, are fitted to them. Prints what that prints:
errors before, fitted, and of kernels that the fit did not see."""
import csv
import os
import subprocess
import sys
import tempfile

KEYS = "dram.gbps,dram.latency,l2.latency,icnt.latency,l1.latency"
ALL = 8  # the largest limit on blocks among the points


def is_wanted(row, config):
    limit, blocks = int(row["cta_limit"]), int(row["cta_per_core"])
    if row["config"] != config or row["scheduler"] not in ("gto", "lrr"):
        return False
    return limit == ALL or blocks in (1, 3)


def points(path, config, traces):
    """Rows (trace, blocks, scheduler, cycles), each point once."""
    seen = {}
    with open(path, encoding="ascii") as table:
        for row in csv.DictReader(table):
            trace = os.path.join(traces, "grid" + row["grid"],
                                 "sm" + row["arch"], row["trace"])
            key = (trace, row["cta_per_core"], row["scheduler"])
            if is_wanted(row, config) and os.path.exists(trace):
                seen.setdefault(key, row["cycles"])
    return [(*key, cycles) for key, cycles in seen.items()]


def main():
    program, reference, traces = sys.argv[1:4]
    config, gpu, keys = (sys.argv[4:7] if len(sys.argv) > 4
                         else ("SM2_GTX480", "gtx480", KEYS))
    program = os.path.abspath(program)
    table = points(os.path.join(reference, "accelsim.csv"), config,
                   os.path.abspath(traces))
    with tempfile.TemporaryDirectory() as folder:
        for trace, *_ in table:
            name = os.path.join(folder, os.path.basename(trace))
            if not os.path.exists(name):
                os.symlink(trace, name)
        with open(os.path.join(folder, "points.csv"), "w",
                  encoding="ascii") as out:
            out.write("kernel,gpu,tb,sched,cycles\n")
            for trace, blocks, scheduler, cycles in table:
                out.write(f"./{os.path.basename(trace)},{gpu},{blocks},"
                          f"{scheduler},{cycles}\n")
        sys.exit(subprocess.run([program, "calibrate", "--against",
                                 "points.csv", "--fit", keys], cwd=folder,
                                check=False).returncode)


if __name__ == "__main__":
    main()
