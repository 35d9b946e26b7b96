/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fuzz targets: a function for each parser that takes any bytes as what the
 * parser reads, and follows what comes of them as an engine would. Nothing is
 * expected but that it comes back, having freed what it took. `make fuzz` feeds
 * them by libFuzzer (entry.c); test_fuzz.c gives them the files in corpus/NAME
 * to start from, and those in found/NAME, which once went wrong. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include "kernels/form/kernel.h"

#include <stddef.h>
#include <stdint.h>

typedef void fuzz_target(const uint8_t *data, size_t size);

fuzz_target fuzz_argument; /* a launch's arguments, one a line */
fuzz_target fuzz_csv;      /* the tables that benchmarks read */
fuzz_target fuzz_gpgpusim; /* three files, separated by lines "====" */
fuzz_target fuzz_gpu;
fuzz_target fuzz_kernel;
fuzz_target fuzz_launch;
fuzz_target fuzz_list; /* kernelslist.g, beside two traces */
fuzz_target fuzz_ptx;
fuzz_target fuzz_sample; /* a kept one */
fuzz_target fuzz_trace;  /* .traceg */
fuzz_target fuzz_xz;     /* .traceg.xz */

/* The bytes and a NUL, to be freed; never NULL. */
char *fuzz_text(const uint8_t *data, size_t size);

/* A file of that name in a folder of this process, which goes with it; the
 * path, to be freed. The folder alone when the name is empty. */
char *fuzz_file(const char *name, const void *data, size_t size);

/* Analyse the kernels and read the beginnings of their streams. */
void fuzz_kernels(const struct kernel_list *list);

#endif
