/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A bundled GPU, which a test takes for granted. */
#ifndef TESTS_GPU_NAMED_H
#define TESTS_GPU_NAMED_H

#include "configs/gpu_files.h"

#include <check.h>

static inline struct gpu gpu_named(const char *name)
{
    struct gpu g;
    struct error e = {STATUS_OK, ""};
    ck_assert_msg(gpu_load(&g, name, NULL, 0, &e), "%s", e.text);
    return g;
}

#endif
