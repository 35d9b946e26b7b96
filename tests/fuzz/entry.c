/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A target as libFuzzer's; FUZZ is its function. */
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FUZZ(data, size);
    return 0;
}
