/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/file/kernel_file.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

void fuzz_kernel(const uint8_t *data, size_t size)
{
    struct error e;
    struct kernel_list list = {0};
    const struct load_options o = {0};
    char *text = fuzz_text(data, size);
    if (kernel_file_load(&list, text, size, "f.kernel", &o, &e)) {
        fuzz_kernels(&list);
        kernel_list_free(&list);
    }
    free(text);
}
