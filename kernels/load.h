/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From what the user names to kernels with phases, whatever the front end. The
 * front ends are the rows of a table: a new input format is its files and one
 * row. */
#ifndef KERNELS_LOAD_H
#define KERNELS_LOAD_H

#include "kernels/form/load_options.h"

/* Load INPUT: a bundled kernel's or PTX example's name, a .kernel, .ptx,
 * .launch or .traceg[.xz] file, a kernelslist.g, or a folder that holds one.
 * Every kernel has its phases analysed. An unknown bundled name is STATUS_USAGE
 * with the nearest one, what is wrong with a file STATUS_BAD_INPUT naming file
 * and line. On failure the list is empty. */
bool kernel_load(struct kernel_list *out, const char *input,
                 const struct load_options *options, struct error *e);

/* What an input is, by its name alone where it is a file. */
enum input_kind {
    INPUT_KERNEL,
    INPUT_PTX,
    INPUT_LAUNCH,
    INPUT_TRACE,
    INPUT_KINDS
};

/* False with e set, as kernel_load(), when it is none. */
bool kernel_input_kind(enum input_kind *out, const char *input,
                       struct error *e);

/* Names of the bundled kernels and PTX examples, sorted; count in *count. */
const char *const *kernel_bundled_names(size_t *count);

/* Likewise, of those that a run without an input takes, in their order. */
const char *const *kernel_default_names(size_t *count);

#endif
