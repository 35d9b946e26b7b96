#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The best number of resident blocks and scheduler of a kernel, and what the
default takes more. usage: best_point.py [KERNEL [GPU]]"""
import sys

import estimate

kernel = sys.argv[1] if len(sys.argv) > 1 else "kmeans"
gpu = sys.argv[2] if len(sys.argv) > 2 else "m2090"
fits = estimate.occupancy(kernel, gpu)["blocks"]
rows = estimate.sweep(kernel, gpu=gpu, tb=range(1, fits + 1),
                      sched=["gto", "lrr", "old"], mode="model")
best = min(rows, key=lambda row: row["cycles"])
usual = next(row for row in rows if row["tb"] == fits and row["sched"] == "gto")
print("%s on %s: tb=%d %s takes %.0f cycles, the default (tb=%d gto) %.1f %% more"
      % (kernel, gpu, best["tb"], best["sched"], best["cycles"], fits,
         100 * (usual["cycles"] / best["cycles"] - 1)))
