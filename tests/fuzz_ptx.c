/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The target of `make fuzz`: libFuzzer calls it with one text after another. */
#include "tests/ptx_exercise.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (text == NULL)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    ptx_exercise(text, size);
    free(text);
    return 0;
}
