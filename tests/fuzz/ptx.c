/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fuzz/fuzz.h"
#include "tests/ptx_exercise.h"

void fuzz_ptx(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    ptx_exercise(text, size);
    free(text);
}
