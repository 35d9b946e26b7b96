#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far the model alone is off full detail, point by point, on a small grid.
usage: model_and_detail.py [KERNEL [BLOCKS]]"""
import sys

import estimate

kernel = sys.argv[1] if len(sys.argv) > 1 else "lud"
blocks = int(sys.argv[2]) if len(sys.argv) > 2 else 64
arguments = dict(tb=[1, 2, 4], sched="gto,lrr", grid=blocks)
detailed = estimate.detail(kernel, **arguments)
modelled = estimate.sweep(kernel, mode="model", **arguments)
for exact, model in zip(detailed, modelled):
    print("tb=%d %-4s %10.0f cycles, by the model %+6.1f %%"
          % (exact["tb"], exact["sched"], exact["cycles"],
             100 * (model["cycles"] / exact["cycles"] - 1)))
