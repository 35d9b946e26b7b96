/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A point's run, and what its result is kept under. */
#ifndef PAPER_REPRO_SIMULATE_H
#define PAPER_REPRO_SIMULATE_H

#include "paper_repro/lab.h"
#include "paper_repro/store.h"

/* What a point's text says. */
bool point_policies(struct policy_set *out, const char *text, struct error *e);
bool point_gpu(struct gpu *out, const struct point *p, struct error *e);

/* The application of p, whose window is set, and the part of it that is run:
 * both the caller's. */
bool point_load(struct part *part, struct kernel_list *list,
                const struct point *p, struct error *e);
/* Run that in full detail. The record is the caller's. */
bool point_simulate(struct lab_record *out, const struct point *p,
                    struct error *e);
void lab_record_clear(struct lab_record *r);

/* What its run is to tell, as text; returns out. */
const char *point_told(const struct point *p, char *out, size_t size);

/* The name of a point in the store, allocated: its text, that of the part that
 * it runs (parts.h; an estimate has none), and hashes of the sources that
 * decide results and of the kernel's text, or its file's when the name is a
 * path. NULL when there is no such kernel. */
char *point_store_name(const struct point *p, const char *part);
bool store_record_get(struct store *s, const char *name,
                      struct lab_record *out);
bool store_record_put(struct store *s, const char *name,
                      const struct lab_record *r, struct error *e);

#endif
