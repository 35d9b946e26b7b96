#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernels of bench/hardware/suite beside what a GPU took for them.

usage: suite.py measured POINTS NCU [NCU] >TABLE
       suite.py compare ESTIMATE SUITE TABLE GPU [OPTION...]
       suite.py programs ESTIMATE FOLDER TABLE GPU [OPTION...]

`measured` makes a table of what the suite printed and of one or two CSV files
of Nsight Compute (bench/hardware/suite/measure.sh); of two the cycles are the
mean. `compare` lets `estimate run` estimate the suite's launches on GPU, with
OPTIONs of that, and prints its cycles beside the table's. `programs` does so
with the programs in FOLDER that the table names, kernel by kernel: the mean of
their first launches.
"""
import csv
import itertools
import os
import statistics
import subprocess
import sys
import tempfile

MEGABYTE, SECTOR = 1e6, 32
# Columns of a table, and the counters that they come from.
COLUMNS = {
    "active": ("sm__cycles_active.avg", 1),
    "warp_insts": ("smsp__inst_executed.sum", 1),
    "warps": ("sm__warps_active.avg.per_cycle_active", 1),
    "registers": ("launch__registers_per_thread", 1),
    "shared_kb": ("launch__shared_mem_config_size", 1 / 1024),
    "dram_read_mb": ("dram__bytes_read.sum", 1 / MEGABYTE),
    "dram_write_mb": ("dram__bytes_write.sum", 1 / MEGABYTE),
    "l2_mb": ("lts__t_sectors_srcunit_tex.sum", SECTOR / MEGABYTE),
    "l1_load_mb": ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                   SECTOR / MEGABYTE),
    "l1_hit_mb": ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
                  SECTOR / MEGABYTE),
}
CYCLES = "gpc__cycles_elapsed.max"


def ncu_rows(path):
    """Rows by counter; behind the names stands a line of units."""
    with open(path) as file:
        rows = list(csv.DictReader(l for l in file if not l.startswith("==")))
    return rows[1:]


def number(text):
    return float(text.replace(",", ""))


def measured(points, *profiles):
    with open(points) as file:
        named = list(csv.DictReader(file))
    rows = [ncu_rows(p) for p in profiles]
    if any(len(r) != len(named) for r in rows):
        sys.exit("suite.py: found other launches than points")
    print("point,tb,cycles," + ",".join(COLUMNS))
    for i, p in enumerate(named):
        cycles = statistics.mean(number(r[i][CYCLES]) for r in rows)
        values = [cycles] + [number(rows[0][i][c]) * scale
                             for c, scale in COLUMNS.values()]
        print(f"{p['point']},{p['tb']}," + ",".join(f"{v:.6g}" for v in values))


def estimated(estimate, program, gpu, options):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "run.csv")
        subprocess.run([estimate, "run", "--gpu", gpu, *options, "-o", out,
                        "--", program], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        if not os.path.exists(out):
            sys.exit(f"suite.py: {program}: found no launches")
        with open(out) as file:
            return list(csv.DictReader(file))


def table_rows(path):
    with open(path) as file:
        return list(csv.DictReader(l for l in file if l[0] != "#"))


def error(ours, theirs):
    return 100 * (ours / theirs - 1)


def ordered(points):
    """Pairs of block counts of a kernel more than 2 % apart, and those of them
    of which ours is ordered alike."""
    pairs = right = 0
    for _, group in itertools.groupby(points, lambda p: p["point"]):
        for a, b in itertools.combinations(list(group), 2):
            if abs(error(a["theirs"], b["theirs"])) > 2:
                pairs += 1
                right += ((a["theirs"] < b["theirs"]) ==
                          (a["ours"] < b["ours"]))
    return pairs, right


def summary(points):
    errors = sorted(abs(error(p["ours"], p["theirs"])) for p in points)
    held = sum(p["low"] <= p["theirs"] <= p["high"] for p in points)
    pairs, right = ordered(points)
    bias = statistics.mean(error(p["ours"], p["theirs"]) for p in points)
    print(f"\n{len(points)} points of {len({p['point'] for p in points})} "
          f"kernels: mean error {statistics.mean(errors):.1f} %, median "
          f"{statistics.median(errors):.1f} %, nine tenths within "
          f"{errors[len(errors) * 9 // 10]:.1f} %, worst {errors[-1]:.1f} %, "
          f"bias {bias:+.1f} %\n"
          f"intervals that hold the measured: {100 * held / len(points):.0f} "
          f"%\nblock counts over 2 % apart ordered right: {right} of {pairs}")


def head(table, gpu, options):
    print(f"{os.path.basename(table)} and ours on {gpu} "
          f"({' '.join(options) or 'as estimate run says it'})\n")
    print(f"{'kernel':36} {'tb':>2} {'measured':>9} {'ours':>9} {'error':>6} "
          f"{'instructions':>12}")


def add_point(points, name, theirs, insts, ours):
    """`ours`: rows of one kernel, each of all its launches alike."""
    launches = sum(float(r["launches"]) for r in ours)

    def mean(column):
        return sum(float(r[column]) for r in ours) / launches
    p = {"point": name, "theirs": theirs, "ours": mean("cycles"),
         "low": mean("cycles_lo"), "high": mean("cycles_hi")}
    points.append(p)
    print(f"{name:36} {ours[0]['tb']:>2} {theirs:9.0f} {p['ours']:9.0f} "
          f"{error(p['ours'], theirs):+6.1f} {error(mean('warp_insts'), insts):+12.1f}")


def compare(estimate, suite, table, gpu, *options):
    theirs = table_rows(table)
    ours = estimated(estimate, suite, gpu, options)
    if len(ours) != len(theirs):
        sys.exit("suite.py: found other launches than measured")
    head(table, gpu, options)
    points = []
    for m, o in zip(theirs, ours):
        add_point(points, m["point"], float(m["cycles"]),
                  float(m["warp_insts"]), [o])
    summary(points)


def sides(text):
    """A grid or a block with its three sides."""
    given = text.split("x")
    return given + ["1"] * (3 - len(given))


def is_of(row, measured):
    """Whether a row is of the kernel, whose name there is a mangled one."""
    name = measured["kernel"]
    return (f"{len(name)}{name}" in row["kernel"] or row["kernel"] == name) and \
        all(sides(row[c]) == sides(measured[c]) for c in ("grid", "block"))


def programs(estimate, folder, table, gpu, *options):
    head(table, gpu, options)
    points = []
    for name, group in itertools.groupby(table_rows(table),
                                         lambda m: m["program"]):
        rows = estimated(estimate, os.path.join(os.path.abspath(folder), name),
                         gpu, ["--max-launches", "60", *options])
        for m in group:
            ours = [r for r in rows if is_of(r, m)]
            if ours:
                add_point(points, m["kernel"], float(m["cycles"]),
                          float(m["warp_insts"]), ours)
            else:
                print(f"{m['kernel']:36}    not launched")
    summary(points)


def main(arguments):
    commands = {"measured": (measured, 2), "compare": (compare, 4),
                "programs": (programs, 4)}
    command = commands.get(arguments[0] if arguments else "")
    if command is None or len(arguments) <= command[1]:
        sys.exit(__doc__)
    command[0](*arguments[1:])


main(sys.argv[1:])
