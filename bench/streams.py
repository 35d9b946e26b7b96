#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Streams of memory beside what was measured of them.

usage: streams.py ESTIMATE [GPU...]

Runs each stream of bench/streams.ptx in full detail, in the launches of
bench/streams_measured.csv (of the GPUs named, or all), over arrays of four
times the L2 and at least 64 MiB in all, and prints GB/s beside the measured.
What the L2 still holds of the stores at the end is counted as written, where
those measured wrote their arrays again and again: a quarter of `init` at most.
"""
import csv
import io
import math
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# Arrays that a stream goes through, by the order of its parameters.
STREAMS = {"init": "a", "read": "b", "scale": "ab", "triad": "abcd"}


def measured(gpus):
    with open(os.path.join(HERE, "streams_measured.csv")) as file:
        rows = csv.DictReader(line for line in file if line[0] != "#")
        return [r for r in rows if not gpus or r["gpu"] in gpus]


def table(estimate, *arguments):
    out = subprocess.run([estimate, *arguments], check=True,
                         capture_output=True, text=True).stdout
    return next(csv.DictReader(io.StringIO(out)))


def elements(l2_mib, arrays, threads):
    bytes_each = (max(4 * l2_mib, 64) << 20) / arrays
    return math.ceil(bytes_each / 8 / threads) * threads


def gb_per_second(estimate, row, stream):
    arrays = STREAMS[stream]
    threads = int(row["threads"])
    n = elements(int(row["l2_mib"]), len(arrays), threads)
    buffers = [f"--arg=buf:{n if name in arrays else 1}:f64" for name in "abcd"]
    sets = [f"--set={key}" for key in row["with"].split()]
    point = table(estimate, os.path.join(HERE, "streams.ptx"), "--entry",
                  stream, "--mode", "detailed", "--sched", "gto", "--format",
                  "csv", "--sweep", "tb=2", "--gpu", row["gpu"], "--grid",
                  str(n // threads), "--block", row["threads"], *sets,
                  *buffers, f"--arg={n}")
    return len(arrays) * 8 * n / float(point["time_us"]) / 1000


def main():
    estimate, gpus = sys.argv[1], sys.argv[2:]
    print("GB/s, measured and ours; two blocks an SM")
    print("board         threads" +
          "".join(f"{s:>6}  ours     %" for s in STREAMS))
    errors = []
    for row in measured(gpus):
        line = f"{row['board']:<13}{row['threads']:>8}"
        for stream in STREAMS:
            if row[stream] == "":
                line += f"{'-':>6}{'-':>6}{'-':>6}"
                continue
            ours = gb_per_second(estimate, row, stream)
            error = 100 * (ours / float(row[stream]) - 1)
            errors.append(abs(error))
            line += f"{row[stream]:>6}{ours:6.0f}{error:+6.0f}"
        print(line, flush=True)
    print(f"mean difference {sum(errors) / len(errors):.1f} % of "
          f"{len(errors)}, worst {max(errors):.0f} %")


if __name__ == "__main__":
    main()
