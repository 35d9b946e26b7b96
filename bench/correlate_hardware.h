/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Our cycles beside those that Nsight Compute measured on an H100 PCIe: an
 * empty kernel, from which the launch keys of configs/h100.cfg are fitted, and
 * chains of dependent multiply-adds, which nothing was fitted to. */
#ifndef BENCH_CORRELATE_HARDWARE_H
#define BENCH_CORRELATE_HARDWARE_H

#include "bench/correlate_run.h"

#include <stdio.h>

/* Whether folder has h100_empty_ncu.csv, h100_ffma_ncu.csv and the traces. */
bool hardware_present(const char *folder);

/* Runs and prints everything of it; `work` keeps the empty kernel's trace, csv
 * (NULL: nowhere) gets the points. */
bool hardware_report(FILE *out, FILE *csv, const char *folder, const char *work,
                     struct error *e);

#endif
