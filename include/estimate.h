/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libestimate: how many cycles GPU kernels take under every number of resident
 * thread blocks and every scheduling policy. The program `estimate` stands on
 * this header, so whatever it can do, another program can:
 *
 *     struct estimate_error e;
 *     struct estimate_input *in = estimate_input_load("lud", NULL, &e);
 *     struct estimate_gpu *gpu = estimate_gpu_load("v100", &e);
 *     struct estimate_policies p[] = {{.sched = "gto"}, {.sched = "lrr"}};
 *     int tb[] = {1, 2, 4};
 *     struct estimate_study *s = estimate_study_create(NULL, p, 2, &e);
 *     estimate_study_add(s, estimate_input_kernel(in, 0), gpu, tb, 3, &e);
 *     struct estimate_results *r = estimate_run(s, NULL, &e);
 *     printf("%.0f cycles\n", estimate_result(r, 0, 2, 1)->cycles);
 *
 * Parts: base.h (errors, rules that hold everywhere), inputs.h (kernels,
 * launches, phases, execution), device.h (launches over one's own memory),
 * machines.h (GPUs and their keys), policies.h (schedulers, and those of one's
 * own), studies.h (options, runs, results), watching.h (a run over time),
 * stores.h (samples that are kept, runs that several processes share). */
#ifndef ESTIMATE_H
#define ESTIMATE_H

#include <estimate/base.h>
#include <estimate/device.h>
#include <estimate/inputs.h>
#include <estimate/machines.h>
#include <estimate/policies.h>
#include <estimate/stores.h>
#include <estimate/studies.h>
#include <estimate/watching.h>

#endif
