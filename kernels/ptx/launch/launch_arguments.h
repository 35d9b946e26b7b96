/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For launch.c: the arguments of a launch. */
#ifndef KERNELS_PTX_LAUNCH_LAUNCH_ARGUMENTS_H
#define KERNELS_PTX_LAUNCH_LAUNCH_ARGUMENTS_H

#include "kernels/ptx/launch/argument.h"
#include "kernels/ptx/launch/launch.h"

static inline const struct ptx_function *
ptx_session_entry(const struct ptx_session *s)
{
    return &s->program.module->function[s->launch.entry];
}

/* Give the session the buffer of *a, which `spec` describes; NULL with e
 * set. */
const struct ptx_buffer *ptx_session_place(struct ptx_session *s,
                                           struct ptx_argument *a,
                                           const struct ptx_spec *spec,
                                           struct error *e);

/* Let a variable of the module hold what "NAME=SPEC" says (--set-symbol),
 * before anything is executed; a spec may name the buffers placed. */
bool ptx_session_set_symbol(struct ptx_session *s, const struct ptx_spec *spec,
                            uint64_t seed, struct error *e);

/* Make launch.param of the arguments of the request: for each parameter of the
 * entry one, and textures that the module names itself. */
bool ptx_session_put_arguments(struct ptx_session *s,
                               const struct ptx_request *r, struct error *e);

#endif
