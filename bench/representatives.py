#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What --representatives costs in accuracy.

usage: representatives.py [-j N] [--gpu GPU] ESTIMATE FOLDER [LIST...]

Writes kernel lists of small applications (list_traces.py) below FOLDER; a LIST
may also be the path of one. A row each, errors in percent:

    launches, run      how many there are, and how many representatives
    every, some        cycles of all launches together, where every one is
                       estimated and where representatives are
    detail             ... in full detail, each launch as if caches were cold
    some/every         how far representatives are off every launch, and what
    some/detail        the total is off full detail"""
import argparse
import csv
import io
import os
import subprocess

import list_traces

HEADER = (f"{'list':<12} {'gpu':<8} launches   run {'every':>11} {'some':>11} "
          f"{'detail':>11} some/every some/detail")


def total(o, path, *args):
    """Rows, and cycles of all launches."""
    done = subprocess.run([o.program, *args, path, "--gpu", o.gpu, "-j", o.j,
                           "--no-cache", "--format", "csv"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True, check=True)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    return len(rows), sum(float(r["cycles"]) * float(r.get("times", 1))
                          for r in rows)


def folder_of(o, name):
    if name not in list_traces.LISTS:
        return name
    path = os.path.join(o.folder, name)
    if not os.path.exists(os.path.join(path, "kernelslist.g")):
        list_traces.write(path, name)
    return path


def judge(o, name):
    path = folder_of(o, name)
    launches, every = total(o, path)
    stand, some = total(o, path, "--representatives")
    _, truth = total(o, path, "simulate")
    name = os.path.basename(os.path.normpath(name))
    print(f"{name:<12} {o.gpu:<8} {launches:>8} {stand:>5} {every:>11.0f} "
          f"{some:>11.0f} {truth:>11.0f} {100 * (some / every - 1):>+10.2f} "
          f"{100 * (some / truth - 1):>+11.2f}", flush=True)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("program")
    p.add_argument("folder")
    p.add_argument("lists", nargs="*", default=list(list_traces.LISTS))
    p.add_argument("-j", default="1")
    p.add_argument("--gpu", default="titanx")
    o = p.parse_args()
    print(HEADER)
    for name in o.lists:
        judge(o, name)


if __name__ == "__main__":
    main()
