#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far hybrid explorations are off full detail.

usage: explorations.py ESTIMATE [-n DESIGNS] [-j N] [--store FILE]
                       [--csv FILE] [KERNEL...]

Explores a sweep of three keys on two GPUs with each kernel, where hybrid mode
samples some of the designs, and runs DESIGNS of them (84), drawn at random
from all, and those of the front in full detail. A row an exploration, errors
and shares in percent:

    designs, sampled   how many there are, and of how many hybrid ran samples
    run                how many of them were drawn
    mean, worst, in    error of the drawn, and the share whose interval holds
                       the truth
    told               mean error of the drawn that were not sampled
    front, off, worst  designs of the printed front; how far its cycles are off
                       the true front's at the same cost (that of all that were
                       run in detail), mean and worst
    missed             how much longer than the best true design at its cost
                       the best of the printed front truly takes, at worst

With --store what was run is kept, and a run that was cut off goes on; --csv
writes every design that was run in detail."""
import argparse
import csv
import io
import random
import subprocess

# A grid of several waves on every design whose detail takes under a second.
GRIDS = {"nn": "1600", "hotspot-512": "925", "lud": "1920"}

SWEEPS = {
    "m2090": (["sms=8..24:2", "dram.gbps=60..240:20", "l1.mshr=16,32,64"],
              "sms * 4 + dram.gbps / 5 + l1.mshr * sms / 20"),
    "titanx": (["sms=14..28:2", "dram.gbps=180..480:30",
                "l2.size_kb=1536,3072,6144"],
               "sms * 4 + dram.gbps / 5 + l2.size_kb / 64"),
}


HEADER = (f"{'kernel':<11} {'gpu':<6} designs sampled  run  mean  worst   in "
          " told  front   off  worst  missed")


def run(o, *args):
    if o.store:
        args += ("--store", o.store)
    done = subprocess.run([o.program, *args, "-j", o.j, "--no-cache",
                           "--format", "csv"],
                          stdout=subprocess.PIPE, text=True, check=True)
    return list(csv.DictReader(io.StringIO(done.stdout)))


def subject(kernel, gpu):
    grid = GRIDS.get(kernel)
    return [kernel, "--gpu", gpu] + (["--grid", grid] if grid else [])


def explore(o, kernel, gpu):
    sweeps, cost = SWEEPS[gpu]
    args = subject(kernel, gpu) + ["--cost", cost, "--pareto", "cycles,cost"]
    for sweep in sweeps:
        args += ["--sweep", sweep]
    return run(o, *args)


def set_detail(o, kernel, gpu, row):
    if "truth" in row:
        return
    args = ["simulate"] + subject(kernel, gpu)
    for sweep in SWEEPS[gpu][0]:
        key = sweep.split("=")[0]
        args += ["--set", f"{key}={row[key]}"]
    row["truth"] = float(run(o, *args)[0]["cycles"])


def number(row, column):
    return float(row[column])


def mean(values):
    return sum(map(abs, values)) / len(values) if values else 0


def worst(values):
    return max(values, key=abs) if values else 0


def error(row):
    return 100 * (number(row, "cycles") / row["truth"] - 1)


def is_inside(row):
    return number(row, "cycles_lo") <= row["truth"] <= number(row, "cycles_hi")


def best(rows, column, cost):
    return min((number(r, column) for r in rows if number(r, "cost") <= cost),
               default=None)


def compare_fronts(front, known):
    """How far the printed front is off, and what who follows it misses, at
    the cost of every design of the true front, in percent."""
    off, missed = [], []
    for row in known:
        cost = number(row, "cost")
        least = best(known, "truth", cost)
        printed = best(front, "cycles", cost)
        if row["truth"] > least or printed is None:
            continue
        off.append(100 * (printed / least - 1))
        missed.append(100 * (best(front, "truth", cost) / least - 1))
    return off, missed


def judge(o, kernel, gpu):
    rows = explore(o, kernel, gpu)
    front = [r for r in rows if r["pareto"] == "1"]
    drawn = random.Random(1).sample(rows, min(o.n, len(rows)))
    for row in drawn + front:
        set_detail(o, kernel, gpu, row)
    known = [r for r in rows if "truth" in r]
    errors = [error(r) for r in drawn]
    told = [error(r) for r in drawn if r["sampled"] == "0"]
    off, missed = compare_fronts(front, known)
    sampled = sum(r["sampled"] == "1" for r in rows)
    inside = 100 * mean([is_inside(r) for r in drawn])
    print(f"{kernel:<11} {gpu:<6} {len(rows):>7} {sampled:>7} {len(drawn):>4} "
          f"{mean(errors):>5.1f} {worst(errors):>+6.1f} {inside:>4.0f} "
          f"{mean(told):>5.1f} {len(front):>6} {mean(off):>5.1f} "
          f"{worst(off):>+6.1f} {max(missed, default=0):>7.1f}", flush=True)
    return known, errors, told, off, missed


def write_csv(path, known):
    with open(path, "w", newline="", encoding="ascii") as out:
        keys = ["sms", "dram.gbps", "l1.mshr", "l2.size_kb"]
        columns = ["kernel", "gpu"] + keys + [
            "cost", "pareto", "sampled", "cycles", "cycles_lo", "cycles_hi",
            "truth"]
        table = csv.DictWriter(out, columns, extrasaction="ignore",
                               lineterminator="\n")
        table.writeheader()
        table.writerows(known)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("program")
    p.add_argument("kernels", nargs="*", default=list(GRIDS))
    p.add_argument("-n", type=int, default=84)
    p.add_argument("-j", default="1")
    p.add_argument("--store")
    p.add_argument("--csv")
    o = p.parse_args()
    print(HEADER)
    known, errors, told, off, missed = [], [], [], [], []
    for kernel in o.kernels:
        for gpu in SWEEPS:
            one = judge(o, kernel, gpu)
            for total, part in zip((known, errors, told, off, missed), one):
                total += part
    print(f"{len(errors)} designs drawn: mean error {mean(errors):.1f} %, of "
          f"the {len(told)} that were not sampled {mean(told):.1f} %; fronts "
          f"off by {mean(off):.1f} %, {max(missed):.1f} % missed at worst")
    if o.csv:
        write_csv(o.csv, known)


if __name__ == "__main__":
    main()
