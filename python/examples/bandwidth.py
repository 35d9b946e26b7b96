#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How kernels gain from bandwidth on one GPU: time against the memory's GB/s,
as a table. usage: bandwidth.py [GPU [KERNEL...]]"""
import sys

import estimate

gpu = sys.argv[1] if len(sys.argv) > 1 else "v100"
kernels = sys.argv[2:] or ["nn", "srad", "lud"]
rates = [300, 450, 600, 900, 1200]
print("%-12s" % "GB/s" + "".join("%10d" % rate for rate in rates))
for kernel in kernels:
    times = [estimate.sweep(kernel, gpu=gpu, mode="model",
                            set={"dram.gbps": rate})[0]["time_us"]
             for rate in rates]
    print("%-12s" % kernel + "".join("%10.1f" % time for time in times))
