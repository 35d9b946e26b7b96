#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far hybrid explorations are off full detail.

usage: explorations.py ESTIMATE [DESIGNS [KERNEL...]]

Explores a sweep of three keys on two GPUs with each kernel, where hybrid mode
samples some of the designs, and runs DESIGNS of those that it did not sample,
drawn at random, and as many of the front in full detail. Prints a row an
exploration: how many designs there are and were sampled, mean and worst error
of those not sampled and of the front, and how much less time a drawn design
takes, at its cost, than the best that the front has at no more."""
import csv
import io
import random
import subprocess
import sys

SWEEPS = {
    "m2090": (["sms=8..24:2", "dram.gbps=60..240:20", "l1.mshr=16,32,64"],
              "sms * 4 + dram.gbps / 5 + l1.mshr * sms / 20"),
    "v100": (["sms=40..80:8", "dram.gbps=300..900:50", "l2.size_kb=3072,6144"],
             "sms * 4 + dram.gbps / 5 + l2.size_kb / 64"),
}


def run(*args):
    done = subprocess.run(args, capture_output=True, text=True, check=True)
    return list(csv.DictReader(io.StringIO(done.stdout)))


def explore(program, kernel, gpu):
    sweeps, cost = SWEEPS[gpu]
    args = [program, kernel, "--gpu", gpu, "--cost", cost, "--pareto",
            "cycles,cost", "--format", "csv"]
    for sweep in sweeps:
        args += ["--sweep", sweep]
    return run(*args), [sweep.split("=")[0] for sweep in sweeps]


def detail(program, kernel, gpu, keys, row):
    args = [program, "simulate", kernel, "--gpu", gpu, "--format", "csv"]
    for key in keys:
        args += ["--set", f"{key}={row[key]}"]
    return float(run(*args)[0]["cycles"])


def error(row, truth):
    return 100 * (float(row["cycles"]) / truth - 1)


def mean(values):
    return sum(map(abs, values)) / len(values) if values else 0


def worst(values):
    return max(values, key=abs) if values else 0


def judge(program, kernel, gpu, count):
    rows, keys = explore(program, kernel, gpu)
    draw = random.Random(1)
    front = [r for r in rows if r["pareto"] == "1"]
    told = [r for r in rows if r["sampled"] == "0"]
    drawn = draw.sample(told, min(count, len(told)))
    front_drawn = draw.sample(front, min(count, len(front)))
    truth = [detail(program, kernel, gpu, keys, r) for r in drawn]
    off = [error(r, t) for r, t in zip(drawn, truth)]
    front_off = [error(r, detail(program, kernel, gpu, keys, r))
                 for r in front_drawn]
    missed = 0
    for row, cycles in zip(drawn, truth):
        best = min(float(r["cycles"]) for r in front
                   if float(r["cost"]) <= float(row["cost"]))
        missed = max(missed, 100 * (best / cycles - 1))
    print(f"{kernel:<10} {gpu:<6} {len(rows):>7} {len(rows) - len(told):>7} "
          f"{len(front):>5} {mean(off):>6.1f} % {worst(off):>+6.1f} % "
          f"{mean(front_off):>6.1f} % {worst(front_off):>+6.1f} % "
          f"{missed:>6.1f} %", flush=True)
    return off, front_off


def main():
    program = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    kernels = sys.argv[3:] or ["nn", "hotspot", "lud"]
    print("kernel     gpu    designs sampled front   told    worst    "
          "front    worst   missed")
    off, front_off = [], []
    for kernel in kernels:
        for gpu in SWEEPS:
            one = judge(program, kernel, gpu, count)
            off += one[0]
            front_off += one[1]
    print(f"{len(off)} designs told, mean error {mean(off):.1f} %; "
          f"{len(front_off)} of fronts, {mean(front_off):.1f} %")


if __name__ == "__main__":
    main()
