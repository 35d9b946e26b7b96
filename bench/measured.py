#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far kernels on a GPU are from what samples say of them.

    measured.py            prints the group `measured` of each GPU's file
    measured.py --check    fails where configs/ has it otherwise

A kernel counts once: as it was launched with the most blocks on an SM. Of n
kernels, of which each new one may as well be any, the k-th least and the k-th
greatest ratio hold the next with a probability of 1 - 2 k / (n + 1): k is the
greatest for which that is 90 %, or 1 (split conformal prediction: Lei et al.,
JASA 113(523), 2018, section 2)."""
import csv
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROW = re.compile(r"^(\S+) +(\d+) +(\d+) +(\d+) +[-+.\d]+ +[-+.\d]+$")


def printed(name):
    """Ratios of what bench/suite.py printed: a kernel, or a size of it."""
    most = {}
    with open(os.path.join(HERE, name)) as file:
        for row in filter(None, map(ROW.match, file)):
            kernel, tb = row[1], int(row[2])
            if tb >= most.get(kernel, (0, 0))[0]:
                most[kernel] = tb, int(row[3]) / int(row[4])
    return [ratio for _, ratio in most.values()]


def launches(name):
    with open(os.path.join(HERE, name)) as file:
        return [float(r["cycles_measured"]) / float(r["cycles_detail"])
                for r in csv.DictReader(file)]


GPUS = {
    "h200": lambda: printed("suite.txt") + printed("samples.txt"),
    "h100-sxm": lambda: printed("suite_h100.txt"),
    "v100": lambda: launches("hardware_launches.csv"),
}


def group(ratios):
    ratios.sort()
    n = len(ratios)
    k = max(1, (n + 1) // 20)
    less, more = 100 * (1 - ratios[k - 1]), 100 * (ratios[n - k] - 1)
    return {"kernels": n, "held": n + 2 - 2 * k,
            "less_pct": round(less), "more_pct": round(more)}


def stated(gpu):
    path = os.path.join(HERE, "..", "configs", gpu + ".cfg")
    with open(path) as file:
        text = re.search(r"^measured = \{(.*?)^\};", file.read(), re.M | re.S)
    return {k: int(v) for k, v in
            re.findall(r"^ +(\w+) = (-?\d+);", text[1] if text else "", re.M)}


def main(arguments):
    wrong = 0
    for gpu, ratios in GPUS.items():
        found = group(ratios())
        print(gpu, " ".join(f"{k} = {v};" for k, v in found.items()))
        if arguments == ["--check"] and stated(gpu) != found:
            print(f"measured.py: configs/{gpu}.cfg has {stated(gpu)}",
                  file=sys.stderr)
            wrong += 1
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
