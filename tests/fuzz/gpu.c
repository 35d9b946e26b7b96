/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "configs/gpu_files.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

void fuzz_gpu(const uint8_t *data, size_t size)
{
    struct error e;
    struct gpu g;
    char *text = fuzz_text(data, size);
    gpu_parse(&g, text, "f.cfg", &e);
    free(text);
}
